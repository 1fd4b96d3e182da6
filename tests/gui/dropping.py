"""Drags from other programs, as the platform delivers them."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

MOVE_OR_COPY = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction


def files(paths: Iterable[Path]) -> QMimeData:
    """Files as file managers send them: URLs, and paths as text."""
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
    """Links as browsers send them: URL, text and HTML."""
    data = text(address, f'<a href="{address}">a page</a>')
    data.setUrls([QUrl(address)])
    return data


def drag_in(window: QMainWindow, data: QMimeData, onto: QWidget | None = None) -> bool:
    """Drag to the middle of a widget; return whether it is accepted."""
    enter = QDragEnterEvent(_place(window, onto), MOVE_OR_COPY, data, *_HANDS)
    QApplication.sendEvent(window.windowHandle(), enter)
    return enter.isAccepted()


def drag_out(window: QMainWindow) -> None:
    QApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())


def drop(window: QMainWindow, data: QMimeData, onto: QWidget | None = None) -> Qt.DropAction:
    """Drop in the middle of a widget; return the action reported to the other program."""
    drag_in(window, data, onto)
    event = QDropEvent(_place(window, onto), MOVE_OR_COPY, data, *_HANDS)
    QApplication.sendEvent(window.windowHandle(), event)
    return event.dropAction()


_HANDS = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)


def _place(window: QMainWindow, onto: QWidget | None) -> QPoint:
    part = onto or window
    return part.mapTo(window, part.rect().center())
