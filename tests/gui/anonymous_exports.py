"""Essays that name students, and steps of an anonymous export."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.names_dialog import NamesDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    open_export,
)

UNKNOWN = "我家门前有一条小河。清晨的河面上飘着一层薄薄的雾。"
WANG = "河边的童年\n我叫王小红，我非常喜欢看爷爷补网。清晨的河面上飘着一层薄薄的雾。李明也在那里。"
LI = "家乡的小河\n清晨的河面上飘着一层薄薄的雾。王小红和李明都非常喜欢看爷爷补网。"
ZHAO = "操场\n体育课上大家都在练习跳绳。老师吹响了哨子，比赛马上开始。"


def open_anonymous(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    """Open the dialog and check the box by its key, unless it was checked the last time."""
    dialog = open_export(window, qtbot)
    if dialog.form.findData(".html") >= 0:
        choose(dialog.form, ".html", qtbot)
    if not dialog.names.box.isChecked():
        dialog.names.box.setFocus()
        qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    return dialog


def open_who_is_who(dialog: ExportDialog, qtbot: QtBot) -> NamesDialog:
    qtbot.mouseClick(dialog.names.button, Qt.MouseButton.LeftButton)
    [names] = [each for each in dialog.findChildren(NamesDialog) if each.isVisible()]
    return names


def column(names: NamesDialog, number: int) -> list[str]:
    return [names.table.item(row, number).text() for row in range(names.table.rowCount())]


def accept(names: NamesDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(names.accepted, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(names.ok_button, Qt.MouseButton.LeftButton)
