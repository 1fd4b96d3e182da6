"""Drags from other programs, as the platform hands them to the window."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

MOVE_OR_COPY = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction


def files(paths: Iterable[Path]) -> QMimeData:
    """As file managers say it: the addresses, and the paths as text."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def text(plain: str, markup: str = "") -> QMimeData:
    data = QMimeData()
    data.setText(plain)
    if markup:
        data.setHtml(markup)
    return data


def link(address: str) -> QMimeData:
    """As browsers say it: the address, and the same as text and as markup."""
    data = text(address, f'<a href="{address}">a page</a>')
    data.setUrls([QUrl(address)])
    return data


def drag_in(window: QMainWindow, data: QMimeData, onto: QWidget | None = None) -> bool:
    """Drag to the middle of a part of the window; return whether it is taken."""
    enter = QDragEnterEvent(_place(window, onto), MOVE_OR_COPY, data, *_HANDS)
    QApplication.sendEvent(window.windowHandle(), enter)
    return enter.isAccepted()


def drag_out(window: QMainWindow) -> None:
    QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())


def drop(window: QMainWindow, data: QMimeData, onto: QWidget | None = None) -> Qt.DropAction:
    """Drag to the middle of a part of the window and let go; return what the other program is told."""
    drag_in(window, data, onto)
    event = QDropEvent(_place(window, onto), MOVE_OR_COPY, data, *_HANDS)
    QApplication.sendEvent(window.windowHandle(), event)
    return event.dropAction()


_HANDS = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)


def _place(window: QMainWindow, onto: QWidget | None) -> QPoint:
    part = onto or window
    return part.mapTo(window, part.rect().center())
