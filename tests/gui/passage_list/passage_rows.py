"""Rows of a passage list: finding, reading and clicking them."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.report.wording import passage_kind_name
from simcompare.ui.access.rows_table import RowsModel
from simcompare.ui.compare.matches.passage_list import PassageList, PassageTable
from simcompare.ui.compare.matches.passage_rows import DecisionFilterButton, KindSwitch, PassageRow
from simcompare.ui.state.workspace import Workspace
from tests.gui.passage_samples import COPY, LONE, REWORDED, essays_compared

LEFT_BUTTON = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
COMPARISON = essays_compared()
FIRST_MATCH = 0


def table(passages: PassageList) -> PassageTable:
    return passages.findChild(PassageTable)


def rows(passages: PassageList) -> RowsModel[PassageRow]:
    return table(passages).model_of_rows


def listed(passages: PassageList) -> list[PassageRow]:
    return list(rows(passages).rows)


def selected(passages: PassageList) -> list[PassageRow]:
    return table(passages).chosen()


def row_middle(passages: PassageList, row: int) -> QPoint:
    return table(passages).visualRect(rows(passages).index(row, 0)).center()


def click_row(
    passages: PassageList, qtbot: QtBot, row: int, modifiers: Qt.KeyboardModifier | None = None
) -> None:
    place = row_middle(passages, row)
    held = modifiers or Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(table(passages).viewport(), LEFT_BUTTON, held, place)


def click_arrow(passages: PassageList, qtbot: QtBot, row: int) -> None:
    place = QPoint(9, row_middle(passages, row).y())
    qtbot.mouseClick(table(passages).viewport(), LEFT_BUTTON, pos=place)


def press(passages: PassageList, qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(table(passages), key)


def unfolded_copy(workspace: Workspace) -> list[PassageRow]:
    """Rows of all passages with the sentence pairs of the copied one."""
    pairs = [PassageRow(COPY, match) for match in workspace.passages.matches_of(COPY).tolist()]
    return [PassageRow(COPY), *pairs, PassageRow(REWORDED), PassageRow(LONE)]


def switch(passages: PassageList, kind: PassageKind) -> KindSwitch:
    names = passage_kind_name(kind)
    return next(s for s in passages.findChildren(KindSwitch) if s.accessibleName().startswith(names))


def decision_filter(passages: PassageList) -> DecisionFilterButton:
    return passages.findChild(DecisionFilterButton)


def choose_decision_filter(passages: PassageList, words: str) -> None:
    action = next(a for a in decision_filter(passages).menu().actions() if a.text().startswith(words))
    action.trigger()


def label_texts(passages: PassageList) -> list[str]:
    return [label.text() for label in passages.findChildren(QLabel)]


def spoken(passages: PassageList, row: int) -> str:
    return rows(passages).index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
