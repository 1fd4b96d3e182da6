"""Rows and columns of widgets, and the order in which Tab goes through them."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from simcompare.ui.style.theme import GRID_PX

BAR_MARGINS_PX = (4 * GRID_PX, 2 * GRID_PX, 4 * GRID_PX, 2 * GRID_PX)
"""Left, top, right and bottom margin of a bar as wide as the window."""
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | None
"""A widget or layout, with or without a stretch factor; None is an empty space that stretches."""
Margins = int | tuple[int, int, int, int]
_BoxLayout = TypeVar("_BoxLayout", bound=QBoxLayout)


class CurrentPageStack(QStackedWidget):
    """Stack of pages that needs only the space of the current one, however large the others are."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the minimum size of the current page."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


def row_of(parent: QWidget | None, *parts: Part, spacing_px: int = 0, margins_px: Margins = 0) -> QHBoxLayout:
    """Return a row of parts, from left to right; the layout of `parent`, or a part of another layout."""
    return _filled(QHBoxLayout(), parent, parts, spacing_px, margins_px)


def column_of(
    parent: QWidget | None, *parts: Part, spacing_px: int = 0, margins_px: Margins = 0
) -> QVBoxLayout:
    """Return a column of parts, from top to bottom; the layout of `parent`, or a part of another layout."""
    return _filled(QVBoxLayout(), parent, parts, spacing_px, margins_px)


def _filled(
    layout: _BoxLayout,
    parent: QWidget | None,
    parts: tuple[Part, ...],
    spacing_px: int,
    margins_px: Margins,
) -> _BoxLayout:
    if parent is not None:
        parent.setLayout(layout)
    layout.setContentsMargins(*(margins_px if isinstance(margins_px, tuple) else [margins_px] * 4))
    layout.setSpacing(spacing_px)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            layout.addStretch()
        elif isinstance(item, QLayout):
            layout.addLayout(item, stretch)
        else:
            layout.addWidget(item, stretch)
    return layout


def chain_tab_order(parts: Iterable[QWidget]) -> None:
    """Set the tab order of parts of a window; within a part it is the order of its children."""
    chain = [widget for part in parts for stop in tab_stops(part) for widget in _with_proxied_parent(stop)]
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)


def _with_proxied_parent(stop: QWidget) -> list[QWidget]:
    """Put the parent whose focus proxy is `stop` before it: elsewhere in the order it would lead back."""
    parent = stop.parentWidget()
    return [parent, stop] if parent is not None and parent.focusProxy() is stop else [stop]


def tab_stops(part: QWidget) -> Iterator[QWidget]:
    """Yield the widgets of a part that take the focus by Tab, hidden or not, except in its own windows."""
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None:
        yield part
    # the children of a splitter are in reverse order, as it lowers each that is added
    children = map(part.widget, range(part.count())) if isinstance(part, QSplitter) else part.children()
    for child in children:
        if isinstance(child, QWidget) and not child.isWindow():
            yield from tab_stops(child)
