"""Results of reading a file in the list, in notices, and in the receipt."""

import hashlib
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QListView
from pytestqt.qtbot import QtBot

from simcompare.ui.documents.document_list import ProblemMenu
from simcompare.ui.documents.document_rows import offer_rect
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import document_entry
from simcompare.ui.style.theme import DARK, LIGHT
from tests.gui.conftest import OTHER_TEXT, READING_TIMEOUT_MS, Essay
from tests.gui.loading_samples import (
    MENU_WORDS,
    WHITE_WORDS,
    write_docx_with_white_text,
    write_web_page,
)
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE


def listed(window: MainWindow) -> QListView:
    return window.sidebar.documents.findChild(QListView)


def add(window: MainWindow, qtbot: QtBot, *paths: Path) -> None:
    window.workspace.documents.add(paths)
    wait_until_read(window, qtbot)


def wait_until_read(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)


def place_of(window: MainWindow, row: int) -> QPoint:
    view = listed(window)
    return view.visualRect(view.model().index(row, 0)).topLeft() + QPoint(30, 14)


def double_click(window: MainWindow, qtbot: QtBot, row: int) -> None:
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(listed(window).viewport(), Qt.MouseButton.LeftButton, pos=place_of(window, row))


def open_receipt(window: MainWindow, qtbot: QtBot, row: int = 0) -> str:
    double_click(window, qtbot, row)
    assert window.receipt.isVisible()
    return window.receipt.text.toPlainText()


def texts_of(window: MainWindow, row: int, role: Qt.ItemDataRole) -> str:
    return listed(window).model().index(row, 0).data(role)


@pytest.fixture
def doubtful(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with a Word file that contains white text."""
    add(window, qtbot, write_docx_with_white_text(tmp_path / "white.docx"))
    return window


def test_that_a_doubtful_row_and_its_receipt_say_what_was_read_and_what_to_check(
    doubtful: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a doubtful row shows why and its tooltip where
    words = texts_of(doubtful, 0, Qt.ItemDataRole.AccessibleTextRole)
    doubt = "text in the colour of the page (13 characters)"
    known = f"305 characters · 19 left out · {CHINESE_TITLE}"
    assert words == f"white.docx, to check, {doubt}, {known}, on the left"
    assert "paragraph 3" in texts_of(doubtful, 0, Qt.ItemDataRole.ToolTipRole)
    assert WHITE_WORDS in texts_of(doubtful, 0, Qt.ItemDataRole.ToolTipRole)

    # the shortcut opens the receipt of the left text without a current row
    doubtful.activateWindow()
    doubtful.compare_view.heatmap.setFocus()
    qtbot.keyClick(doubtful.compare_view.heatmap, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert doubtful.receipt.windowTitle() == "What was read of white.docx"
    doubtful.receipt.close()

    # also if another document is the current one of the list
    listed(doubtful).setCurrentIndex(listed(doubtful).model().index(1, 0))
    doubtful.compare_view.heatmap.setFocus()
    qtbot.keyClick(doubtful.compare_view.heatmap, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert doubtful.receipt.windowTitle() == "What was read of white.docx"
    doubtful.receipt.close()

    # a receipt is opened and closed by the keyboard
    view = listed(doubtful)
    doubtful.activateWindow()
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        qtbot.keyClick(view, key)
        assert doubtful.receipt.isVisible()
        assert not doubtful.receipt.isModal()
        qtbot.keyClick(doubtful.receipt, Qt.Key.Key_Escape)
        assert not doubtful.receipt.isVisible()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(doubtful.receipt.isActiveWindow)
    doubtful.receipt.close_button.setFocus()
    qtbot.keyClick(doubtful.receipt.close_button, Qt.Key.Key_Return)
    assert not doubtful.receipt.isVisible()
    doubtful.activateWindow()

    # a receipt lists what was kept left out and is to be checked
    receipt = open_receipt(doubtful, qtbot)
    (entry,) = doubtful.workspace.documents.entries.values()
    assert f"“{WHITE_WORDS}”" in receipt.partition("Kept")[0], "what is to be checked comes first"
    assert "paragraph 3" in receipt.partition("Kept")[0]
    assert "Word (.docx), " in receipt
    assert "Technical\nread by docx" in receipt
    assert f"{entry.prepared_document.document.receipt.characters_kept} characters" in receipt
    assert "page footers (6 characters)\n“Class 3”" in receipt
    assert hashlib.sha256(entry.path.read_bytes()).hexdigest() in receipt
    assert f"Title\n{CHINESE_TITLE}" in receipt
    assert receipt.rpartition("How the text begins")[2].startswith(
        f"\n{CHINESE_TITLE}\n{CHINESE_PARAGRAPHS[0]}"
    )
    doubtful.receipt.close()

    # a receipt can be copied
    receipt = open_receipt(doubtful, qtbot)
    qtbot.mouseClick(doubtful.receipt.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == f"white.docx\n{receipt}"
    doubtful.receipt.text.selectAll()
    qtbot.keyClick(doubtful.receipt.text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == receipt
    doubtful.receipt.close()

    # the folder of a file opens
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    open_receipt(doubtful, qtbot)
    qtbot.mouseClick(doubtful.receipt.folder_button, Qt.MouseButton.LeftButton)
    assert [Path(url.toLocalFile()) for url in opened] == [tmp_path]
    doubtful.receipt.close()

    # a receipt closes when its document is removed
    open_receipt(doubtful, qtbot)
    doubtful.workspace.documents.remove([1])
    assert not doubtful.receipt.isVisible()


def test_that_a_receipt_follows_the_row_the_language_and_the_theme(
    doubtful: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    add(doubtful, qtbot, essay("plain.txt", OTHER_TEXT))
    open_receipt(doubtful, qtbot)
    qtbot.mouseClick(listed(doubtful).viewport(), Qt.MouseButton.LeftButton, pos=place_of(doubtful, 1))
    assert "plain.txt" in doubtful.receipt.windowTitle()
    assert "Read; nothing to check." in [label.text() for label in doubtful.receipt.findChildren(QLabel)]
    doubtful.use_language("zh")
    assert "纯文本" in doubtful.receipt.text.toPlainText()
    for name, theme in (("light", LIGHT), ("dark", DARK)):
        doubtful.use_theme(name)
        assert theme.muted in doubtful.receipt.text.toHtml()


def test_that_the_selection_in_a_receipt_stays_while_files_are_added(
    doubtful: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    open_receipt(doubtful, qtbot)
    doubtful.receipt.text.selectAll()
    add(doubtful, qtbot, essay("plain.txt", OTHER_TEXT))
    assert doubtful.receipt.text.textCursor().hasSelection()


def test_that_markup_and_invisible_characters_are_shown_as_text(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    add(window, qtbot, essay("a&b.txt", "<b>桥</b>\n家\u200b乡\u200b的\u200b小\u200b河\u200b很\u200b美。"))
    receipt = open_receipt(window, qtbot)
    assert "<b>桥</b>" in receipt
    assert "家[U+200B]乡[U+200B]的" in receipt
    assert "\u200b" not in receipt


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_one_notice_lists_all_doubtful_files_and_selects_them(
    window: MainWindow, tmp_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    plain = [essay(f"{number}.txt", OTHER_TEXT + str(number)) for number in range(8)]
    white = [write_docx_with_white_text(tmp_path / f"white{number}.docx") for number in range(2)]
    add(window, qtbot, *plain, *white)
    assert window.notice.label.text() == "2 files to check."
    shown = []
    for place in range(2):
        qtbot.mouseClick(window.notice.show_button, Qt.MouseButton.LeftButton)
        menu = window.findChild(ProblemMenu)
        assert [action.text() for action in menu.actions()] == [
            f"white{number}.docx\tto check: text in the colour of the page (13 characters)"
            for number in range(2)
        ]
        qtbot.mouseClick(
            menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[place]).center()
        )
        shown.append([index.row() for index in listed(window).selectionModel().selectedIndexes()])
    assert shown == [[8], [9]]
    assert window.notice.isVisible()


def test_that_a_notice_of_doubts_counts_the_unreadable_too(
    window: MainWindow, tmp_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    white = write_docx_with_white_text(tmp_path / "white.docx")
    add(window, qtbot, essay("a.txt", OTHER_TEXT), white, essay("empty.txt", ""))
    assert window.notice.label.text() == "1 file to check, 1 file could not be read."
    assert window.status_line.problems_button.text() == "1 file to check, 1 file could not be read"


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_several_unread_files_have_one_notice_until_they_are_read(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    empty = [essay("empty.txt", ""), essay("none.txt", " ")]
    add(window, qtbot, essay("a.txt", OTHER_TEXT), *empty)
    link = window.status_line.problems_button
    assert window.notice.label.text() == "2 files could not be read."
    assert link.text() == "2 files could not be read"
    link.setFocus()
    qtbot.keyClick(link, Qt.Key.Key_Space)
    menu = window.findChild(ProblemMenu)
    reason = "is empty: there is no text in it"
    assert [action.text() for action in menu.actions()] == [f"empty.txt\t{reason}", f"none.txt\t{reason}"]
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert [index.row() for index in listed(window).selectionModel().selectedIndexes()] == [1]
    for path in empty:
        path.write_text(OTHER_TEXT + path.name, encoding="utf-8")
    window.workspace.documents.read_again(list(window.workspace.documents.problems))
    wait_until_read(window, qtbot)
    assert not window.notice.isVisible()
    assert not link.isVisible()


@pytest.fixture
def _all_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_entry, "LONG_SECONDS", -1.0)


@pytest.mark.usefixtures("_all_take_long")
def test_that_files_that_took_long_are_named_when_all_are_read(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    add(window, qtbot, essay("a.txt", OTHER_TEXT))
    assert window.notice.label.text().startswith("1 file took longer than 10 seconds: a.txt ")
    assert re.search(r"Reading took\s+\d+ s", open_receipt(window, qtbot))
    add(window, qtbot, essay("empty.txt", ""))
    reason, slow = window.notice.label.text().split("\n")
    assert reason == str(window.workspace.documents.entries[2].error)
    assert slow.startswith("1 file took longer than 10 seconds: empty.txt ")
    window.receipt.follow(2)
    assert re.search(r"Reading took \d+ s\.", window.receipt.text.toPlainText())


def test_that_the_notice_of_one_unread_file_gives_the_reason(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    add(window, qtbot, essay("a.txt", OTHER_TEXT), essay("empty.txt", ""))
    assert window.notice.label.text() == str(window.workspace.documents.entries[2].error)


def test_that_an_unreadable_file_shows_its_full_reason_and_can_be_read_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "essay.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    add(window, qtbot, broken)
    receipt = open_receipt(window, qtbot)
    assert receipt.startswith(str(window.workspace.documents.entries[1].error))
    assert f"Tried so far\nLooked for at {broken}." in receipt
    assert "Read by its content, not by its file name: " in receipt
    assert "This file could not be read." in [label.text() for label in window.receipt.findChildren(QLabel)]
    write_docx_with_white_text(broken)
    qtbot.mouseClick(window.receipt.again_button, Qt.MouseButton.LeftButton)
    wait_until_read(window, qtbot)
    assert "Word (.docx)" in window.receipt.text.toPlainText()
    assert not window.receipt.again_button.isVisible()


def test_that_a_notice_of_one_doubtful_file_names_it_and_is_shown_once(
    doubtful: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    notice = doubtful.notice
    assert notice.label.text() == "Check white.docx: text in the colour of the page (13 characters)"
    qtbot.mouseClick(notice.dismiss_button, Qt.MouseButton.LeftButton)
    add(doubtful, qtbot, essay("plain.txt", OTHER_TEXT))
    assert not notice.isVisible()


def test_that_files_without_doubts_raise_no_notice(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    add(window, qtbot, essay("plain.txt", OTHER_TEXT))
    assert not window.notice.isVisible()
    assert "1 ready" in window.status_line._documents.text()


def test_that_an_ordinary_notice_has_no_action(doubtful: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    assert doubtful.notice.show_button.isVisible()
    add(doubtful, qtbot, tmp_path / "white.docx")
    assert "Already in the list" in doubtful.notice.label.text()
    assert not doubtful.notice.show_button.isVisible()


def test_that_a_web_page_can_be_read_whole_and_as_an_article_again(
    window: MainWindow, tmp_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    add(window, qtbot, write_web_page(tmp_path / "page.html"), essay("other.txt", OTHER_TEXT))
    entry = window.workspace.documents.entries[1]
    article = entry.prepared_document.document.text
    assert "论坛" not in article
    qtbot.mouseClick(listed(window).viewport(), Qt.MouseButton.LeftButton, pos=place_of(window, 0))
    whole_page = window.sidebar.documents.whole_page_action
    whole_page.trigger()
    assert entry.prepared_document.document.text == article, "what was read is shown until the page comes"
    wait_until_read(window, qtbot)
    assert "论坛" in entry.prepared_document.document.text
    assert window.workspace.comparison.left is entry.prepared_document
    assert window.compare_view.panes
    open_receipt(window, qtbot)
    assert window.receipt.whole_page.isChecked()
    qtbot.mouseClick(window.receipt.whole_page, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    wait_until_read(window, qtbot)
    assert entry.prepared_document.document.text == article
    assert "navigation" in window.receipt.text.toPlainText()
    assert whole_page.isVisible()
    assert not whole_page.isChecked()


def test_that_a_page_with_invisible_characters_is_doubtful(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    add(window, qtbot, write_web_page(tmp_path / "page.html", unseen="\u200b"))
    receipt = open_receipt(window, qtbot)
    assert "zero-width characters" in receipt.partition("Kept")[0]
    assert MENU_WORDS.split()[0] in receipt.partition("Left out")[2]


def test_that_a_text_stays_when_it_cannot_be_read_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = write_web_page(tmp_path / "page.html")
    add(window, qtbot, path)
    entry = window.workspace.documents.entries[1]
    path.unlink()
    window.workspace.documents.read_again([1], whole_page=True)
    wait_until_read(window, qtbot)
    assert entry.prepared_document is not None
    assert not entry.options.whole_page
    assert "page.html cannot be opened" in window.notice.label.text()


def test_that_cancelling_leaves_a_document_that_is_read_again_as_it_was(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    add(window, qtbot, write_web_page(tmp_path / "page.html"))
    entry = window.workspace.documents.entries[1]
    before = entry.prepared_document
    window.workspace.documents.read_again([1], whole_page=True)
    assert window.workspace.is_busy
    window.workspace.cancel()
    assert not window.workspace.is_busy
    assert window.workspace.documents.entries == {1: entry}
    assert entry.prepared_document is before


def test_that_a_repaired_file_is_read_at_the_second_try(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "essay.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    add(window, qtbot, broken, essay("a.txt", OTHER_TEXT), essay("b.txt", OTHER_TEXT + "。"))
    sides = dict(window.workspace.documents.sides)
    write_docx_with_white_text(broken)
    row = window.sidebar.documents._rows.row_of(1)
    offer = offer_rect(
        listed(window).visualRect(listed(window).model().index(0, 0)), row, listed(window).font()
    )
    qtbot.mouseClick(listed(window).viewport(), Qt.MouseButton.LeftButton, pos=offer.center())
    wait_until_read(window, qtbot)
    assert window.workspace.documents.entries[1].error is None
    assert window.workspace.documents.sides == sides, "the pair that is looked at stays"
