"""Updates of the table of pairs when documents, settings and sessions change."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.cohort.pair_rows_data import PairState
from simcompare.ui.window_assembly import whole_window
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, Essay, keep_after_closing
from tests.gui.pair_table import (
    LEFT_BUTTON,
    TIMEOUT_MS,
    cells,
    chosen_rows,
    click_header,
    most_scores_held,
    names,
    settle,
    words,
)

# --- sessions


def test_that_a_prompt_of_a_session_gives_the_same_figures(
    four: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    four.workspace.prompt.read(essay("prompt.txt", RIGHT_TEXT))
    qtbot.waitUntil(lambda: four.workspace.prompt.prepared is not None, timeout=TIMEOUT_MS)
    settle(four, qtbot)
    before = dict(zip(names(four), cells(four, PairColumn.SHARE_A), strict=True))
    keeper = four.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(tmp_path / "class.simcompare")
    keeper.reset()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(tmp_path / "class.simcompare")
    qtbot.waitUntil(lambda: four.workspace.prompt.prepared is not None, timeout=TIMEOUT_MS)
    settle(four, qtbot)
    assert dict(zip(names(four), cells(four, PairColumn.SHARE_A), strict=True)) == before


def test_that_the_order_is_saved_in_the_session_and_another_class_begins_with_the_default(
    four: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    click_header(four, qtbot, PairColumn.A)
    click_header(four, qtbot, PairColumn.A)
    keeper = four.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(tmp_path / "class.simcompare")
    click_header(four, qtbot, PairColumn.RARE_TEXT)
    heading = four.pairs_view.table.model().headerData(PairColumn.RARE_TEXT, Qt.Orientation.Horizontal)
    assert heading == "Rare text ▼"
    keeper.reset()
    assert four.pairs_view.order_word == "most_in_common"
    other = whole_window(Preferences())
    keep_after_closing(other)
    qtbot.addWidget(other)
    assert other.pairs_view.order_word == "most_in_common"
    other.close()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(tmp_path / "class.simcompare")
    settle(four, qtbot)
    assert [pair[0] for pair in names(four)] == list("cbbaaa")
    four.pairs_view.use_order("-nonsense")
    assert four.pairs_view.order_word == "most_in_common"


# --- documents and settings


def test_that_adding_or_removing_a_document_compares_only_its_pairs(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pairs = four.workspace.pairs
    before = dict(pairs._scores)
    four.workspace.documents.add([essay("e.txt", LEFT_TEXT)])
    settle(four, qtbot)
    assert len(pairs.table) == 10
    assert all(pairs._scores[pair] is held for pair, held in before.items())
    four.workspace.documents.remove([1])
    settle(four, qtbot)
    assert len(names(four)) == 6
    assert "a.txt" not in cells(four, PairColumn.A)


def test_that_a_new_threshold_reclassifies_and_marks_old_figures(four: MainWindow, qtbot: QtBot) -> None:
    pairs, before = four.workspace.pairs, dict(four.workspace.pairs._scores)
    four.tool_bar.strictness.sliders.weights_changed.emit(0.98, 0.99)
    cell = four.pairs_view.table.model().index(0, PairColumn.SHARE_A)
    assert "being updated" in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    settle(four, qtbot)
    cell = four.pairs_view.table.model().index(0, PairColumn.SHARE_A)
    assert "being updated" not in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    assert pairs._scores == before
    assert cells(four, PairColumn.MATCHES)[0] == "1"


def test_that_the_last_of_many_thresholds_wins(four: MainWindow, qtbot: QtBot) -> None:
    sliders = four.tool_bar.strictness.sliders
    for percent in range(40, 98):
        sliders.weights_changed.emit(percent / 100, percent / 100 + 0.01)
        QApplication.processEvents()
    sliders.weights_changed.emit(0.35, 0.55)
    settle(four, qtbot)
    assert cells(four, PairColumn.MATCHES)[0] == "3"
    assert (four.workspace.pairs.table.rows["state"] == PairState.CURRENT).all()


def test_that_another_thesaurus_compares_all_pairs_again(four: MainWindow, qtbot: QtBot) -> None:
    before = dict(four.workspace.pairs._scores)
    four.workspace.set_settings(replace(four.workspace.settings, thesaurus="none"))
    assert four.workspace.pairs.is_comparing
    settle(four, qtbot)
    scores = four.workspace.pairs._scores
    assert scores.keys() == before.keys()
    assert all(scores[pair] is not held for pair, held in before.items())
    assert cells(four, PairColumn.MATCHES)[0] == "2"


def test_that_a_cancelled_comparison_keeps_its_results_and_can_be_resumed(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    texts = [LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT]
    documents, pairs = window.workspace.documents, window.workspace.pairs
    with most_scores_held():
        documents.add([essay(f"{i:02}.txt", texts[i % 3] * 20) for i in range(12)])
        qtbot.waitUntil(
            lambda: len(pairs.table) == 66 and documents.reading_count == (12, 12) and bool(pairs._scores),
            timeout=TIMEOUT_MS,
        )
        assert pairs.is_comparing
        qtbot.waitUntil(lambda: "Pairs " in window.status_line._activity.text(), timeout=TIMEOUT_MS)
        qtbot.mouseClick(window.status_line.cancel_button, LEFT_BUTTON)
        assert not pairs.is_comparing
        known = len(pairs._scores)
        assert pairs.cancelled_count == 66 - known > 0
        assert f"{66 - known} not compared" in words(window)
    qtbot.mouseClick(window.pairs_view.filter.rest_button, LEFT_BUTTON)
    settle(window, qtbot)
    assert pairs.cancelled_count == 0
    assert not window.pairs_view.filter.rest_button.isVisible()
    assert (pairs.table.rows["state"] == PairState.CURRENT).all()


def test_that_a_pair_that_cannot_be_compared_shows_the_cause(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.pairs.table.fail((1, 2), "not enough memory")
    four.workspace.pairs.changed.emit()
    (row,) = (row for row, pair in enumerate(names(four)) if pair == "ab")
    model = four.pairs_view.table.model()
    assert model.index(row, PairColumn.SHARE_A).data() == "–"
    assert "not enough memory" in model.index(row, PairColumn.SHARE_A).data(Qt.ItemDataRole.ToolTipRole)


def test_that_texts_follow_the_language(four: MainWindow) -> None:
    four.use_language("zh")
    assert four.pairs_view.table.model().headerData(PairColumn.MATCHES, Qt.Orientation.Horizontal) == "匹配"


def test_that_a_large_class_is_shown_while_it_is_compared(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    letters = [chr(0x4E00 + i) for i in range(600)]
    rng = np.random.default_rng(3)
    paths = [
        essay(f"{i:03}.txt", "。".join("".join(rng.choice(letters, 12)) for _ in range(3)))
        for i in range(120)
    ]
    window.workspace.documents.add(paths)
    pairs = window.workspace.pairs
    qtbot.waitUntil(lambda: len(pairs.table) == 7_140, timeout=4 * TIMEOUT_MS)
    qtbot.waitUntil(lambda: window.pairs_view.table.model().rowCount() == 7_140, timeout=TIMEOUT_MS)
    for column in PairColumn:
        window.pairs_view.sort_by(column)
        assert len(np.unique(window.pairs_view.listed())) == 7_140
    window.pairs_view.table.selectAll()
    window.pairs_view.sort_by(None)
    assert len(chosen_rows(window)) == 7_140
    window.workspace.cancel()
    window.workspace.documents.remove(list(range(3, 121)))
    assert window.pages.currentWidget() is window.compare_view


def test_that_groups_keep_their_numbers_until_all_pairs_are_compared(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pairs, numbers = four.workspace.pairs, set()

    def note() -> None:
        if pairs.is_comparing:
            numbers.add(dict(zip(names(four), cells(four, PairColumn.GROUP), strict=True))["ab"])

    pairs.changed.connect(note)
    four.workspace.documents.add([essay(f"{name}.txt", OTHER_TEXT + f"第{name}篇。") for name in "efg"])
    settle(four, qtbot)
    assert numbers <= {"1"}, "others hang together meanwhile, and are more"
    groups = dict(zip(names(four), cells(four, PairColumn.GROUP), strict=True))
    assert (groups["ce"], groups["fg"], groups["ab"]) == ("1", "1", "2")


def test_that_the_table_is_arranged_once_for_what_is_told_at_the_same_moment(
    four: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(four, qtbot)
    rows, state = four.pairs_view._rows, four.workspace.class_state
    arranged, arrange = [], rows.arranged
    monkeypatch.setattr(type(rows), "arranged", lambda _: arranged.append(True) or arrange())
    for _ in range(3):
        state.changed.emit(ClassPart.STUDENTS)
        state.facts_found.emit()
    assert not arranged
    qtbot.waitUntil(lambda: bool(arranged), timeout=TIMEOUT_MS)
    QApplication.processEvents()
    assert len(arranged) == 1
