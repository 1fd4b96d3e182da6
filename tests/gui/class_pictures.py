"""Figures of a class for its views, without documents, and clicks on what the views paint."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from simcompare.cohort.class_figures import ClassFigures
from simcompare.ui.cohort.overview.essay_map import EssayMap
from simcompare.ui.state.cohort.class_filter import ClassPicture

LEFT_BUTTON = Qt.MouseButton.LeftButton
NAMES = ("王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊")
FIRST_KEY = 11
SHARES = {
    (0, 3): (0.52, 0.41),
    (3, 4): (0.30, 0.25),
    (1, 5): (0.15, 0.20),
    (0, 4): (0.05, 0.06),
}
"""Shares of the pairs that have any: 王伟, 刘洋, 陈静 and 李芳, 杨磊 are similar, 张敏 to nobody."""


def picture_of(count: int = len(NAMES)) -> ClassPicture:
    """Essays with the keys from 11 on; all pairs that are not in SHARES share 1%."""
    left, right = np.triu_indices(count, 1)
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    shares = np.array([SHARES.get(pair, (0.01, 0.01)) for pair in pairs])
    figures = ClassFigures(
        count, left.astype(np.int64), right.astype(np.int64), shares[:, 0].copy(), shares[:, 1].copy()
    )
    labels = (*NAMES, *(f"学生{number}" for number in range(count - len(NAMES))))
    return ClassPicture(
        np.arange(count) + FIRST_KEY,
        labels,
        figures,
        figures,
        np.zeros(count),
        0.12,
        0.12,
        np.zeros(len(shares), bool),
    )


def with_rewritten(picture: ClassPicture, *pairs: tuple[int, int]) -> ClassPicture:
    """Return the picture with these pairs, given by indices, as possibly rewritten."""
    ends = zip(picture.figures.left.tolist(), picture.figures.right.tolist(), strict=True)
    found = np.array([pair in pairs for pair in ends])
    return replace(picture, figures=replace(picture.figures, rewritten=found))


def cell_centre(view: EssayMap, row_document: int, column_document: int) -> QPoint:
    """Return the middle of the cell of two documents, given by index."""
    picture, geometry = view._picture, view._geometry
    assert picture is not None
    assert geometry is not None
    row, column = (
        int(np.flatnonzero(picture.order == document)[0]) for document in (row_document, column_document)
    )
    return geometry.cell_rect(row, column).center().toPoint() + view._area.topLeft()


def click_at(widget: QWidget, qtbot: QtBot, place: QPoint) -> None:
    qtbot.mouseClick(widget, LEFT_BUTTON, pos=place)
