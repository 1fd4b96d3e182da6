"""Pages and dialogs of the window, one after the other, for tests that look at every part of it."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.preview_view import PreviewView
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import wait_for_comparison
from tests.gui.window_parts import wait_until_still

_INTERACTIVE = (
    *(QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QAbstractSlider, QAbstractItemView),
    QTextEdit,
)
_DIALOGS = ("export", "paste_text", "shortcuts", "problem", "about")


def pages(window: MainWindow, qtbot: QtBot) -> Iterator[tuple[str, QWidget]]:
    """Show the class, a pair with a passage and the search bar, its matrix, an essay, and the library."""
    settle(qtbot)
    yield "class", window
    first, *_others, last = window.workspace.documents.entries
    window.workspace.documents.choose_pair(first, last)
    window.pages.show_compare()
    wait_for_comparison(window, qtbot)
    wait_until_still(window, qtbot)
    window.workspace.selection.step_passage(1)
    window.compare_view.finder.actions[0].trigger()
    settle(qtbot)
    yield "pair", window
    window.folding.matrix.setChecked(True)
    settle(qtbot)
    yield "matrix", window
    window.folding.matrix.setChecked(False)
    window.pages.show_pairs()
    window.class_page.sources_requested.emit(first)
    wait_until_still(window, qtbot)
    settle(qtbot)
    yield "essay", window
    window.pages.show_library()
    settle(qtbot)
    yield "library", window
    window.pages.show_pairs()
    settle(qtbot)


def dialogs(window: MainWindow, qtbot: QtBot) -> Iterator[tuple[str, QDialog]]:
    """Open dialogs of the menus, one after the other; the test closes each."""
    for name in _DIALOGS:
        window.commands.actions[name].trigger()
        qtbot.waitUntil(lambda: len(_open_dialogs(window)) == 1)
        (dialog,) = _open_dialogs(window)
        if isinstance(dialog, ExportDialog):
            qtbot.waitUntil(partial(_is_ready, dialog.preview))
        settle(qtbot)
        yield name, dialog


def _is_ready(preview: PreviewView) -> bool:
    return preview.currentWidget() is not preview.message


def _open_dialogs(window: MainWindow) -> list[QDialog]:
    return [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]


def settle(qtbot: QtBot) -> None:
    """Let delayed layouts and paint events happen."""
    done: list[bool] = []
    for _turn in range(3):
        QTimer.singleShot(0, lambda: done.append(True))
        QApplication.processEvents()
    qtbot.waitUntil(lambda: len(done) == 3)


def interactive(root: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets that are clicked or written in, except those that are parts of others."""
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, _INTERACTIVE) or isinstance(widget, QScrollBar):
            continue
        parent = widget.parentWidget()
        is_part = isinstance(parent, (QAbstractSpinBox, QAbstractItemView, QComboBox))
        if not is_part and widget.window() is root.window():
            yield widget
