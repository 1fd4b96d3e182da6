"""Steps of an export as a user makes them."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.export_questions import ClosingDialog, ReplaceDialog
from simcompare.ui.export.preview_view import PreviewPageView
from simcompare.ui.main_window import MainWindow
from tests.helpers.patience import PATIENCE_MS, PATIENCE_S

WRITING_TIMEOUT_MS = PATIENCE_MS


def open_export(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    """Press Ctrl+E."""
    window.activateWindow()  # as a window manager does when a dialog closes
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    [dialog] = [each for each in window.findChildren(ExportDialog) if each.isVisible()]
    return dialog


def choose_source(dialog: ExportDialog, words: str, qtbot: QtBot) -> None:
    """Click on a source."""
    [button] = [each for each in dialog.source_field.buttons if words in each.accessibleName()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def choose(box: QComboBox, value: str, qtbot: QtBot) -> None:
    """Choose an item of a combo box with the arrow keys."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _step in range(box.findData(value)):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == value


def type_into(dialog: ExportDialog, qtbot: QtBot, *, name: str = "", folder: Path | None = None) -> None:
    """Type a name and a folder in place of the suggested ones."""
    for line, text in ((dialog.name.line, name), (dialog.folder.line, str(folder or ""))):
        if text:
            line.setFocus()
            line.selectAll()
            typed = QInputMethodEvent()
            typed.setCommitString(text)  # as an input method enters Chinese
            QApplication.sendEvent(line, typed)


def confirm(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Click on Export."""
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)


@contextmanager
def exports_waiting(window: MainWindow) -> Iterator[None]:
    """Let exports wait until the block ends: they begin after all that is done in it."""
    may_begin = Event()
    window.export.queue._background._pool.start(partial(may_begin.wait, PATIENCE_S))
    try:
        yield
    finally:
        may_begin.set()


def write(window: MainWindow, dialog: ExportDialog, qtbot: QtBot) -> None:
    """Click on Export once it is possible, and wait for the notice of the result."""
    qtbot.waitUntil(dialog.export_button.isEnabled, timeout=WRITING_TIMEOUT_MS)
    with qtbot.waitSignal(window.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)


def export(
    window: MainWindow, qtbot: QtBot, form: str = ".html", *, name: str = "", folder: Path | None = None
) -> None:
    """Export the compared pair, and wait for the notice of the result."""
    dialog = open_export(window, qtbot)
    choose(dialog.form, form, qtbot)
    type_into(dialog, qtbot, name=name, folder=folder)
    write(window, dialog, qtbot)


def wait_for_preview(dialog: ExportDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: dialog.preview.currentWidget() is not dialog.preview.message, timeout=WRITING_TIMEOUT_MS
    )


def pages_shown(dialog: ExportDialog) -> list[PreviewPageView]:
    """Return the pages in the preview."""
    return dialog.preview.pages.findChildren(PreviewPageView)


def words_of_preview(dialog: ExportDialog) -> str:
    """Join the texts in the preview."""
    labels = dialog.preview.pages.widget().children()
    return "\n".join(label.text() for label in labels if hasattr(label, "text"))


def questions_to_replace(dialog: ExportDialog) -> list[ReplaceDialog]:
    """Return the visible questions whether a file is to be replaced."""
    return [each for each in dialog.findChildren(ReplaceDialog) if each.isVisible()]


def questions_to_close(window: MainWindow) -> list[ClosingDialog]:
    """Return the visible questions whether to wait for running exports."""
    return [each for each in window.findChildren(ClosingDialog) if each.isVisible()]


def names_in(folder: Path) -> list[str]:
    """Return the sorted names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def choose_rows(window: MainWindow, qtbot: QtBot, count: int) -> None:
    """Click on the first row of the table of pairs, then on another with Shift."""
    table = window.pairs_view.table
    for row, modifier in (
        (0, Qt.KeyboardModifier.NoModifier),
        (count - 1, Qt.KeyboardModifier.ShiftModifier),
    ):
        place = table.visualRect(table.model().index(row, 1)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def rows_in(data: bytes) -> list[list[str]]:
    """Return the rows of a CSV file, headings first."""
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
