"""Drag and drop and the clipboard, through the platform's events."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QTableView
from pytestqt.qtbot import QtBot

from simcompare.loading.extraction import PastedText
from simcompare.ui.documents.drop_and_paste import PasteDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from tests.gui import dropping
from tests.gui.conftest import (
    LEFT_TEXT,
    OTHER_TEXT,
    READING_TIMEOUT_MS,
    RIGHT_TEXT,
    Essay,
    wait_for_comparison,
    wait_until_read,
)
from tests.gui.session_steps import names

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
MARKUP = (
    "<meta charset='utf-8'><h1>家乡的小河</h1><p>清晨的河面上飘着一层薄薄的雾。</p><p>渔船慢慢划过去。</p>"
)
WORDS = "家乡的小河 清晨的河面上飘着一层薄薄的雾。 渔船慢慢划过去。"


@pytest.fixture(autouse=True)
def clean_clipboard(window: MainWindow) -> Iterator[None]:
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()  # its contents must be released before Python exits


def entries(window: MainWindow) -> list[DocumentEntry]:
    return list(window.workspace.documents.entries.values())


def copy(data: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(data)


def press(window: MainWindow, qtbot: QtBot, modifiers: Qt.KeyboardModifier) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_V, modifiers)


def paste(window: MainWindow, qtbot: QtBot) -> None:
    press(window, qtbot, CONTROL)


def test_that_files_can_be_dropped_anywhere_in_the_window(
    compared: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    view = compared.compare_view
    parts = [
        view.panes[Side.LEFT],
        view.panes[Side.RIGHT],
        view.heatmap,
        view.inspector,
        compared.sidebar.documents.findChild(QListView),
        compared.sidebar.passages.findChild(QTableView),
        compared.tool_bar,
        compared.menus,
        compared.statusBar(),
    ]
    for number, part in enumerate(parts):
        dropping.drop(compared, dropping.files([essay(f"{number}.txt", OTHER_TEXT)]), part)
    assert names(compared)[2:] == [f"{number}.txt" for number in range(len(parts))]


def test_that_a_drop_copies_and_never_moves(window: MainWindow) -> None:
    assert dropping.drop(window, dropping.text(OTHER_TEXT)) is Qt.DropAction.CopyAction


def test_that_several_files_and_folders_are_dropped_at_once(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "class 3"
    folder.mkdir()
    (folder / "in.txt").write_text(LEFT_TEXT, encoding="utf-8")
    dropping.drop(window, dropping.files([folder, essay("out.txt", RIGHT_TEXT)]))
    qtbot.waitUntil(lambda: names(window) == ["in.txt", "out.txt"])


def test_that_a_selection_from_a_browser_becomes_a_document_with_its_paragraphs(
    window: MainWindow, qtbot: QtBot
) -> None:
    dropping.drop(window, dropping.text(WORDS, MARKUP))
    dropping.drop(window, dropping.text(OTHER_TEXT))
    wait_for_comparison(window, qtbot)
    assert names(window) == ["Pasted text 1", "Pasted text 2"]
    document = entries(window)[0].prepared_document.document
    assert document.text.splitlines() == ["家乡的小河", "清晨的河面上飘着一层薄薄的雾。", "渔船慢慢划过去。"]
    assert document.title == "家乡的小河"
    assert "Pasted text 1 ↔ Pasted text 2" in window.windowTitle()


def test_that_links_pictures_and_empty_texts_are_refused_with_the_reason_and_fields_keep_their_texts(
    window: MainWindow, qtbot: QtBot, essay: Essay
) -> None:
    # a link is refused with the reason
    for data in (dropping.link("https://example.org/a"), dropping.text("https://example.org/a")):
        dropping.drop(window, data)
        assert entries(window) == []
        assert "never goes online" in window.notice.label.text()
        assert "Save the page" in window.notice.label.text()

    # a picture is refused with what to do
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    dropping.drop(window, data)
    assert "Only files, folders and text can be added." in window.notice.label.text()

    # a blank text is reported, by what was done with it
    copy(dropping.text(" \n"))
    paste(window, qtbot)
    assert "What you copied contains no text." in window.notice.label.text()
    dropping.drop(window, dropping.text(" \n"))
    assert "What you dropped contains no text." in window.notice.label.text()
    assert entries(window) == []

    # and an empty clipboard
    copy(QMimeData())
    paste(window, qtbot)
    assert "Nothing was copied yet." in window.notice.label.text()

    # an empty text cannot be added and escape cancels
    dialog = paste_dialog(window, qtbot)
    assert not dialog.add_button.isEnabled()
    qtbot.keyClicks(dialog.text, "  ")
    assert not dialog.add_button.isEnabled()
    qtbot.keyClick(dialog.text, Qt.Key.Key_Return, CONTROL)
    assert dialog.isVisible()
    qtbot.keyClick(dialog.text, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert entries(window) == []

    # a field with the focus keeps what is pasted
    field = QLineEdit(window.centralWidget())
    field.show()
    window.activateWindow()
    field.setFocus()
    copy(dropping.text("a note"))
    qtbot.keyClick(field, Qt.Key.Key_V, CONTROL)
    assert field.text() == "a note"
    assert entries(window) == []
    field.hide()

    # an input field accepts texts and the window files
    field = QLineEdit(window.centralWidget())
    field.setGeometry(300, 300, 200, 30)
    field.show()
    field.raise_()
    dropping.drop(window, dropping.text("a note"), field)
    assert field.text() == "a note"
    assert entries(window) == []
    dropping.drop(window, dropping.files([essay("a.txt", OTHER_TEXT)]), field)
    assert field.text() == "a note"
    assert names(window) == ["a.txt"]


def test_that_the_overlay_describes_a_drag_and_disappears_with_it(
    compared: MainWindow, pair: tuple[Path, Path]
) -> None:
    overlay = compared.drop_and_paste.overlay
    assert dropping.drag_in(compared, dropping.files(pair), compared.compare_view.panes[Side.LEFT])
    assert (overlay.title.text(), overlay.text.text()) == ("Drop to add", "2 files or folders")
    assert overlay.isVisible()
    assert overlay.size() == compared.size()
    dropping.drag_out(compared)
    assert not overlay.isVisible()
    dropping.drag_in(compared, dropping.link("https://example.org/a"))
    assert overlay.title.text() == "This cannot be added"
    assert "Save the page" in overlay.text.text()
    dropping.drop(compared, dropping.files(pair))
    assert not overlay.isVisible()


def test_that_copied_text_files_and_markup_are_pasted_by_the_keyboard(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    copy(dropping.files([essay("a.txt", LEFT_TEXT)]))
    paste(window, qtbot)
    copy(dropping.text(WORDS, MARKUP))
    paste(window, qtbot)
    copy(dropping.text(OTHER_TEXT))
    paste(window, qtbot)
    assert names(window) == ["a.txt", "Pasted text 1", "Pasted text 2"]
    wait_until_read(window, qtbot)
    assert [entry.prepared_document.document.receipt.format for entry in entries(window)] == [
        "text",
        "html",
        "text",
    ]


def test_that_invisible_characters_make_a_pasted_text_doubtful(window: MainWindow, qtbot: QtBot) -> None:
    dropping.drop(window, dropping.text("\u200b".join(OTHER_TEXT)))
    wait_until_read(window, qtbot)
    (entry,) = entries(window)
    assert entry.is_doubtful
    assert "Check Pasted text 1" in window.notice.label.text()


def test_that_cancelling_loses_no_pasted_text(window: MainWindow, qtbot: QtBot) -> None:
    dropping.drop(window, dropping.text(OTHER_TEXT))
    window.workspace.cancel()
    (entry,) = entries(window)
    assert entry.error is not None
    window.workspace.documents.read_again([entry.key])
    wait_until_read(window, qtbot)
    assert entry.prepared_document.document.text.startswith("操场")


def paste_dialog(window: MainWindow, qtbot: QtBot) -> PasteDialog:
    press(window, qtbot, CONTROL | SHIFT)
    dialog = next(dialog for dialog in window.findChildren(PasteDialog) if dialog.isVisible())
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def test_that_a_text_can_be_typed_or_pasted_with_a_title(window: MainWindow, qtbot: QtBot) -> None:
    copy(dropping.text(LEFT_TEXT))
    dialog = paste_dialog(window, qtbot)
    assert dialog.text.toPlainText() == LEFT_TEXT
    assert dialog.count.text() == f"{len(LEFT_TEXT)} characters"
    qtbot.keyClicks(dialog.title, "Holiday/2024")
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    wait_until_read(window, qtbot)
    assert names(window) == ["Holiday-2024"]
    assert entries(window)[0].prepared_document.document.text.startswith("家乡的小河")
    copy(dropping.text(OTHER_TEXT))
    again = paste_dialog(window, qtbot)
    again.title.setText("Holiday/2024")
    qtbot.keyClick(again.text, Qt.Key.Key_Return, CONTROL)
    assert names(window) == ["Holiday-2024", "Holiday-2024 (2)"]


def test_that_the_receipt_of_a_pasted_text_offers_no_folder(window: MainWindow, qtbot: QtBot) -> None:
    dropping.drop(window, dropping.text(OTHER_TEXT))
    wait_until_read(window, qtbot)
    window.receipt.show_receipt(1)
    assert window.receipt.windowTitle() == "What was read of Pasted text 1"
    assert not window.receipt.folder_button.isVisible()
    assert "体育课上大家都在练习跳绳" in window.receipt.text.toPlainText()


def test_that_texts_without_a_title_are_named_in_the_current_language(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    for text in (LEFT_TEXT, RIGHT_TEXT):
        dropping.drop(window, dropping.text(text))
    window.workspace.documents.add_pasted(PastedText(OTHER_TEXT), "Pasted by hand")
    window.workspace.documents.remove([3])
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select(0)
    comparison, cell = window.workspace.comparison, window.workspace.selection.cell
    with qtbot.waitSignal(window.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        window.sessions.keeper.save(tmp_path / "class.simcompare")
    window.use_language("zh")
    assert names(window) == ["粘贴的文字 1", "粘贴的文字 2"]
    assert "粘贴的文字 1 ↔ 粘贴的文字 2" in window.windowTitle()
    assert window.workspace.comparison.matrix is comparison.matrix, "nothing is compared again"
    assert window.workspace.selection.cell == cell
    assert not window.isWindowModified(), "to speak another language is no work"
    window.workspace.history.undo()
    assert names(window)[2] == "Pasted by hand"
    dropping.drop(window, dropping.text(OTHER_TEXT))
    assert names(window)[3] == "粘贴的文字 3"
    window.sessions.keeper.reset()
    window.use_language("en")
    dropping.drop(window, dropping.files([tmp_path / "class.simcompare"]))
    wait_for_comparison(window, qtbot)
    assert names(window) == ["Pasted text 1", "Pasted text 2"]
    assert window.workspace.comparison.left.name == "Pasted text 1"


def test_that_a_refusal_goes_with_the_next_drop_and_with_a_new_session(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    dropping.drop(window, dropping.text(" "))
    assert window.notice.isVisible()
    dropping.drop(window, dropping.files([essay("in.txt", LEFT_TEXT)]))
    assert not window.notice.isVisible()
    wait_until_read(window, qtbot)
    window.notice.show_notice("1 file to check.")
    window.sessions._reset()
    assert not window.notice.isVisible()
