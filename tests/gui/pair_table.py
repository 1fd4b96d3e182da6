"""Helpers that read and click the table of pairs."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_pool import ScoredBatch
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.document_listing import Side
from tests.helpers.patience import PATIENCE_MS, PATIENCE_S

TIMEOUT_MS = PATIENCE_MS
LEFT_BUTTON = Qt.MouseButton.LeftButton


def settle(window: MainWindow, qtbot: QtBot) -> None:
    pairs = window.workspace.pairs
    qtbot.waitUntil(
        lambda: not window.workspace.is_busy and not pairs._change_delay.isActive(), timeout=TIMEOUT_MS
    )


@contextmanager
def most_scores_held() -> Iterator[None]:
    """Hold back the scores of pairs, but those of the first batch, until the block ends."""
    may_arrive, numbers, classify = Event(), itertools.count(), PairComparisons._classify_batch

    def hold(pairs: PairComparisons, scored: ScoredBatch) -> None:
        if next(numbers) > 0:
            may_arrive.wait(PATIENCE_S)
        classify(pairs, scored)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PairComparisons, "_classify_batch", hold)
        try:
            yield
        finally:
            may_arrive.set()


def cells(window: MainWindow, column: PairColumn) -> list[str]:
    model = window.pairs_view.table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def names(window: MainWindow) -> list[str]:
    both = zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True)
    return [f"{a[0]}{b[0]}" for a, b in both]


def chosen_rows(window: MainWindow) -> list[int]:
    return window.pairs_view.table.chosen_rows()


def pair_at(window: MainWindow, row: int) -> tuple[int, int]:
    return window.workspace.pairs.table.pair_at(int(window.pairs_view.listed()[row]))


def middle(window: MainWindow, row: int) -> QPoint:
    table = window.pairs_view.table
    return table.visualRect(table.model().index(row, 1)).center()


def click(window: MainWindow, qtbot: QtBot, row: int) -> None:
    qtbot.mouseClick(window.pairs_view.table.viewport(), LEFT_BUTTON, pos=middle(window, row))


def click_header(window: MainWindow, qtbot: QtBot, column: PairColumn) -> None:
    header = window.pairs_view.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)


def words(window: MainWindow) -> str:
    labels = window.pairs_view.findChildren(QLabel)
    return "\n".join(label.text() for label in labels if label.isVisible())


def side_names(window: MainWindow) -> list[str]:
    return [window.workspace.documents.entry_on(side).path.name for side in Side]
