"""Document list without a window, sample rows, and clicks on them."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from simcompare.ui.documents.document_list import DocumentList, DocumentRow
from tests.gui.widgets import show_widget

LEFT_BUTTON = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
REASON = "这个文件没有文字层，只有图片😀。请另存为带文字的文件再试。" * 4
ROWS = [
    DocumentRow(11, "家乡的桥-01.docx", "ready", "1,204 字 · 9f3a…c21d", "left", "路径一"),
    DocumentRow(12, "<b>桥</b>.pdf", "ready", "1,350 字 · 2 页", "right", "<b>桥</b>.pdf"),
    DocumentRow(13, "我和外婆.html", "ready", "980 字", None, "路径三"),
    DocumentRow(14, "秋天的路.docx", "reading", "64%", None, ""),
    DocumentRow(15, "扫描件.pdf", "problem", REASON, None, REASON),
]
LOCKED = DocumentRow(16, "上锁.docx", "locked", "上锁.docx is protected by a password.", None, "")
DOUBTFUL = DocumentRow(17, "心中的桥.docx", "doubtful", "602 字", None, "", doubt="white text (32)")
CHANGED = replace(ROWS[2], remark="changed on disk", has_changed=True)
DUPLICATE = replace(
    ROWS[2], id=21, name="又一份.pdf", duplicate_of=13, duplicate_text="same text as 我和外婆.html"
)
PAGE = DocumentRow(18, "桥.html", "ready", "602 字", None, "", whole_page=False)


def shown_list(qtbot: QtBot) -> DocumentList:
    widget = DocumentList()
    widget.set_rows(ROWS)
    show_widget(widget, qtbot, 240, 520)
    return widget


def view(documents: DocumentList) -> QListView:
    return documents.findChild(QListView)


def rect_of(documents: DocumentList, row: int):
    return view(documents).visualRect(view(documents).model().index(row, 0))


def click(
    documents: DocumentList, qtbot: QtBot, point: QPoint, modifiers=Qt.KeyboardModifier.NoModifier
) -> None:
    qtbot.mouseClick(view(documents).viewport(), LEFT_BUTTON, modifiers, pos=point)


def click_row(
    documents: DocumentList, qtbot: QtBot, row: int, modifiers=Qt.KeyboardModifier.NoModifier
) -> None:
    click(documents, qtbot, rect_of(documents, row).topLeft() + QPoint(30, 14), modifiers)


def action_called(documents: DocumentList, text: str) -> QAction:
    (action,) = (action for action in view(documents).actions() if action.text() == text)
    return action


def offered(documents: DocumentList) -> list[str]:
    """Return the visible entries of the context menu."""
    return [a.text() for a in view(documents).actions() if a.isVisible() and not a.isSeparator()]


def double_click_row(documents: DocumentList, qtbot: QtBot, row: int) -> None:
    click_row(documents, qtbot, row)
    place = rect_of(documents, row).topLeft() + QPoint(30, 14)
    qtbot.mouseDClick(view(documents).viewport(), LEFT_BUTTON, pos=place)
