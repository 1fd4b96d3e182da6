"""The order in which Tab goes through the window: the order in which its parts are read."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def chain_in_order(parts: Iterable[QWidget]) -> None:
    """Let Tab go through parts of one window in this order, and within each as it was put together."""
    stops = [stop for part in parts for stop in tab_stops(part)]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def tab_stops(part: QWidget) -> Iterator[QWidget]:
    """Yield what takes the focus by Tab within a part, hidden or not; windows of its own are left out."""
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None:
        yield part
    for child in part.children():
        if isinstance(child, QWidget) and not child.isWindow():
            yield from tab_stops(child)
