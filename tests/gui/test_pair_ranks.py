"""Order of the pairs in the window: by the rare text they share in this class."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_pool import Batch, PairPool
from simcompare.session.school_class import DocumentRole, Pair
from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.workspace_sources import class_snapshot
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.cohort.pair_rows_data import SUMMARY_FIELDS
from tests.gui.class_windows import document_key, settle_class_page, students
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.gui.pair_table import cells
from tests.gui.session_steps import save_to
from tests.helpers.question_class import COPIED, LATE, OF_THE_QUESTION, late_essay, write_class


@pytest.fixture
def essays(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    window.workspace.documents.add(write_class(tmp_path / "class"))
    settle_class_page(window, qtbot)
    window.pages.show_pairs()
    settle_class_page(window, qtbot)
    return window


def with_suffix(label: str) -> str:
    """Return the name of the file that a label stands for."""
    return f"{label.removesuffix('.txt')}.txt"


def listed(window: MainWindow) -> list[frozenset[str]]:
    both = zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True)
    return [frozenset(map(with_suffix, pair)) for pair in both]


def ranks(window: MainWindow) -> dict[Pair, float]:
    rows = window.workspace.pairs.table.rows
    pairs = zip(rows["left"].tolist(), rows["right"].tolist(), strict=True)
    return dict(zip(pairs, rows["rank_score"].tolist(), strict=True))


def test_that_the_table_the_students_and_what_is_exported_begin_with_the_copy(essays: MainWindow) -> None:
    assert listed(essays)[:2] == [COPIED, OF_THE_QUESTION]
    assert cells(essays, PairColumn.SHARE_A)[:2] == ["52%", "61%"]
    assert cells(essays, PairColumn.RARE_TEXT)[:3] == ["42%", "32%", "0%"]
    assert set(map(with_suffix, students(essays)[:2])) == COPIED
    assert students(essays, StudentColumn.RARE_TEXT)[:2] == ["42%"] * 2
    check = class_snapshot(essays.workspace).check(with_notes=False)
    exported = [{check.cohort.names[each] for each in (pair.left, pair.right)} for pair in check.cohort.pairs]
    assert exported == listed(essays)


def test_that_a_late_essay_changes_ranks_and_no_share_and_only_its_pairs_are_scored(
    essays: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = essays.workspace.pairs.table
    before, known = ranks(essays), table.figures_of(ranks(essays)).copy()
    scored: list[Pair] = []
    submit = PairPool.submit

    def submit_and_note(pool: PairPool, batch: Batch) -> None:
        scored.extend(batch.pairs)
        submit(pool, batch)

    monkeypatch.setattr(PairPool, "submit", submit_and_note)
    (tmp_path / LATE).write_text(late_essay(), "utf-8")
    essays.workspace.documents.add([tmp_path / LATE])
    settle_class_page(essays, qtbot)
    after, late = ranks(essays), document_key(essays, LATE)
    assert len(scored) == 8
    assert {pair for pair in after if late in pair} == after.keys() - before.keys()
    assert (table.figures_of(before)[list(SUMMARY_FIELDS)] == known[list(SUMMARY_FIELDS)]).all()
    copied: Pair = (document_key(essays, "Clark.txt"), document_key(essays, "Davis.txt"))
    assert after[copied] < before[copied]
    assert not np.isnan(list(after.values())).any()

    # removed again, it leaves no trace
    essays.workspace.documents.remove([late])
    settle_class_page(essays, qtbot)
    assert ranks(essays) == before

    # as earlier work it is compared, but its words do not count as those of the class
    essays.workspace.documents.add([tmp_path / LATE], DocumentRole.OLD)
    settle_class_page(essays, qtbot)
    with_old = ranks(essays)
    assert {pair: with_old[pair] for pair in before} == before
    assert len(with_old) == len(before) + 8


def test_that_ranks_follow_the_exclusions(essays: MainWindow, qtbot: QtBot) -> None:
    before = ranks(essays)
    settings = essays.workspace.settings
    essays.workspace.set_settings(replace(settings, minimum_units=20))
    settle_class_page(essays, qtbot)
    excluded = ranks(essays)
    assert excluded != before
    essays.workspace.set_settings(settings)
    settle_class_page(essays, qtbot)
    assert ranks(essays) == before


def test_that_an_opened_session_is_ranked_even_if_its_figures_are_looked_at_late(
    essays: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    before = sorted(ranks(essays).values())
    save_to(essays, tmp_path / "class.simcompare", qtbot)
    pairs = essays.workspace.pairs
    pairs._reclassify_delay.setInterval(pairs._change_delay.interval() + 500)  # as on a busy computer
    with qtbot.waitSignal(essays.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        essays.sessions.open(tmp_path / "class.simcompare")
    settle_class_page(essays, qtbot)
    assert sorted(ranks(essays).values()) == before
