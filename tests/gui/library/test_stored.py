"""What is stored: groups, filter, details, deleting with a protocol, another file, errors."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QSplitter
from pytestqt.qtbot import QtBot

from simcompare.ui.library.library_dialogs import ProtocolDialog, RemovalDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.style.layouts import tab_stops
from tests.gui.conftest import Essay
from tests.gui.library.library_steps import (
    CONTROL,
    add_class,
    add_folder,
    click,
    click_row,
    dialog_of,
    fill_and_show,
    groups,
    show_library,
    stored,
    texts,
    wait_until_known,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS
from tests.gui.test_access import nameless


@pytest.fixture
def filled(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window that shows a library with two classes, in both of which is 王伟."""

    def add() -> None:
        classes = {"2024": ("2024001-王伟.txt", "2024002-李芳.txt"), "2025": ("2025009-王伟.txt",)}
        for year, names in classes.items():
            folder = write_folder(tmp_path / year, *names)
            add_folder(window, qtbot, folder, AdditionTags("3", year, "Homework"))

    fill_and_show(window, qtbot, "two classes", add)
    return window


def test_that_the_page_says_that_the_library_is_being_opened(window: MainWindow, qtbot: QtBot) -> None:
    start = window.library.page.start
    assert start.text.text() == "Opening the library…"
    assert all(part.isHidden() for part in (start.title, start.class_button, start.folder_button))
    show_library(window, qtbot)
    assert start.title.text() == "The library is empty"
    assert all(part.isVisible() for part in (start.title, start.class_button, start.folder_button))


def test_that_classes_and_essays_are_listed_found_and_sorted(filled: MainWindow, qtbot: QtBot) -> None:
    # a click on a class lists its essays
    view = filled.library.page.stored
    assert groups(filled) == [("2025", "3", "Homework"), ("2024", "3", "Homework")]
    assert texts(view.groups, 3) == ["3", "1", "2"]
    assert len(texts(view.entries, 0)) == 3
    click_row(view.groups, 2, qtbot)
    qtbot.waitUntil(lambda: len(texts(view.entries, 0)) == 2)
    assert texts(view.entries, 1) == ["2024001-王伟.txt", "2024002-李芳.txt"], "ascending"
    assert view.listed_count.text() == "2 essays"
    click_row(view.groups, 0, qtbot)
    qtbot.waitUntil(lambda: len(texts(view.entries, 0)) == 3)

    # the filter finds names and students
    view = filled.library.page.stored

    view.filter.setText("王伟")
    assert texts(view.entries, 1) == ["2024001-王伟.txt", "2025009-王伟.txt"]
    assert view.listed_count.text() == "2 of 3 essays"
    view.filter.clear()
    assert len(texts(view.entries, 0)) == 3

    # tab goes from the classes to their essays
    view = filled.library.page.stored
    filled.activateWindow()
    view.groups.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.groups.hasFocus)
    for stop in (view.filter, view.entries):
        while not stop.hasFocus():
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
            assert isinstance(QApplication.focusWidget(), QPushButton) or stop.hasFocus()

    # a heading sorts and the selection stays
    view = filled.library.page.stored
    click_row(view.entries, 1, qtbot)
    (chosen,) = view.entries.chosen()
    assert chosen.name in view.details.text()
    header = view.entries.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(0) + 8, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    assert texts(view.entries, 0) == sorted(texts(view.entries, 0))
    assert view.entries.chosen() == [chosen]


def test_that_the_page_is_full_when_it_is_first_shown_if_the_library_is_known(
    filled: MainWindow, another_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = another_window()
    window.library.state.refresh()
    wait_until_known(window, qtbot)
    view = window.library.page.stored
    assert groups(window) == groups(filled)
    assert len(texts(view.entries, 0)) == 3
    assert view.delete_expired_button.isHidden()


def drag_border(splitter: QSplitter, by_px: int) -> None:
    handle = splitter.handle(1)
    grip = handle.rect().center()
    QTest.mousePress(handle, LEFT_BUTTON, pos=grip)
    QTest.mouseMove(handle, grip + QPoint(by_px, 0))
    QTest.mouseRelease(handle, LEFT_BUTTON, pos=grip)


def test_that_the_border_between_classes_and_essays_is_remembered(
    filled: MainWindow, another_window: Callable[[], MainWindow], session_path: Path, qtbot: QtBot
) -> None:
    view = filled.library.page.stored
    drag_border(view, 90)
    moved = view.sizes()
    filled.sessions.keeper.save(session_path)
    qtbot.waitUntil(session_path.exists, timeout=TIMEOUT_MS)
    window = another_window()
    show_library(window, qtbot)
    assert window.library.page.stored.sizes() == moved

    drag_border(window.library.page.stored, -50)
    before_the_page = another_window()
    before_the_page.sessions.open(session_path)
    qtbot.waitUntil(lambda: before_the_page.sessions.keeper.path is not None, timeout=TIMEOUT_MS)
    assert before_the_page.sessions._layout().splitters["library"] == tuple(moved)
    show_library(before_the_page, qtbot)
    assert before_the_page.library.page.stored.sizes() == moved


def test_that_selected_essays_are_deleted_after_a_question_and_a_protocol_follows(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    view = filled.library.page.stored
    click_row(view.entries, 1, qtbot)
    click_row(view.entries, 2, qtbot, CONTROL)
    click(view.delete_button, qtbot)
    question = dialog_of(filled, RemovalDialog, qtbot)
    assert "2 essays" in question.heading.text()
    assert "王伟 · 2025009-王伟.txt · 2025 · 3 · Homework" in question.lines.toPlainText()
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert len(stored(filled)) == 3
    QTest.keyClick(view.entries, Qt.Key.Key_Delete)
    question = dialog_of(filled, RemovalDialog, qtbot)
    qtbot.mouseClick(question.delete_button, LEFT_BUTTON)
    protocol = dialog_of(filled, ProtocolDialog, qtbot)
    assert "2 entries were removed" in protocol.lines.toPlainText()
    qtbot.mouseClick(protocol.save_button, LEFT_BUTTON)
    place = next(each for each in filled.findChildren(QFileDialog) if each.isVisible())
    place.fileSelected.emit(str(tmp_path / "protocol.txt"))
    place.close()
    assert "2025009-王伟.txt" in (tmp_path / "protocol.txt").read_text("utf-8")
    qtbot.keyClick(protocol, Qt.Key.Key_Escape)
    wait_until_listed(filled, qtbot)
    assert [entry.name for entry in stored(filled)] == texts(view.entries, 1) == ["2024001-王伟.txt"]
    assert groups(filled) == [("2024", "3", "Homework")]


def test_that_a_student_is_deleted_everywhere(filled: MainWindow, qtbot: QtBot) -> None:
    view = filled.library.page.stored
    assert not view.delete_student_button.isEnabled()
    click_row(view.entries, 0, qtbot)
    click(view.delete_student_button, qtbot)
    question = dialog_of(filled, RemovalDialog, qtbot)
    assert question.heading.text() == "Delete all 2 essays of 王伟, of every class and year?"
    question.activateWindow()
    while question.focusWidget() is not question.delete_button:
        qtbot.keyClick(question.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(question.delete_button, Qt.Key.Key_Return)
    qtbot.keyClick(dialog_of(filled, ProtocolDialog, qtbot), Qt.Key.Key_Escape)
    assert [entry.name for entry in stored(filled)] == ["2024002-李芳.txt"]


def test_that_another_library_is_used_and_remembered(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    other, before = tmp_path / "school.sqlite", filled.library.state.place
    filled.library.use_other(other)
    wait_until_known(filled, qtbot)
    assert filled.library.page.body.currentWidget() is filled.library.page.start
    assert not other.exists(), "it is made when something is added"
    start = filled.library.page.start
    assert "school.sqlite does not exist. If it is on another drive" in start.text.text()
    assert start.retry_button.isVisible()
    filled.library.use_other(before)
    qtbot.waitUntil(lambda: len(groups(filled)) == 2, timeout=TIMEOUT_MS)
    assert filled._preferences.library_place == before


def test_that_what_fills_an_empty_library_has_the_focus_once_it_is_known_to_be_empty(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.pages.show_library()
    assert not window.library.state.is_known
    wait_until_known(window, qtbot)
    assert QApplication.focusWidget() is window.library.page.start.folder_button


def test_that_a_file_that_is_no_library_is_told_in_one_sentence_and_tried_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_text("this is no database, but a text that is long enough " * 20, "utf-8")
    show_library(window, qtbot)
    window.library.use_other(broken)
    start = window.library.page.start
    qtbot.waitUntil(lambda: window.library.state.error is not None, timeout=TIMEOUT_MS)
    assert "broken.sqlite cannot be used as a library" in start.text.text()
    assert not start.folder_button.isVisible()
    broken.unlink()
    click(start.retry_button, qtbot)
    qtbot.waitUntil(lambda: window.library.state.error is None, timeout=TIMEOUT_MS)
    assert start.folder_button.isVisible()


def test_that_a_write_protected_library_is_listed_and_adding_to_it_is_refused(
    filled: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    path = filled.library.state.place
    filled.library.use_other(path.with_name("other.sqlite"))
    wait_until_listed(filled, qtbot)
    path.chmod(0o400)
    filled.library.use_other(path)
    qtbot.waitUntil(lambda: len(groups(filled)) == 2, timeout=TIMEOUT_MS)
    filled.library.state.add_places([essay("late.txt", "这篇作文交晚了。")], AdditionTags(school_class="3"))
    refused = "The library library.sqlite cannot be written: it is write-protected."
    qtbot.waitUntil(lambda: refused in filled.notice.label.text(), timeout=TIMEOUT_MS)
    assert len(groups(filled)) == 2
    path.chmod(0o600)


def test_that_the_library_opens_without_documents_and_is_left_again(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.actions["page_library"].trigger()
    page = window.library.page
    assert window.pages.currentWidget() is page
    wait_until_known(window, qtbot)
    assert not page.start.class_button.isEnabled()
    click(page.back_button, qtbot)
    assert window.pages.currentWidget() is window.start_page


def test_that_the_switch_leads_to_the_library_and_back(school_class: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(school_class.page_switch.library_button, LEFT_BUTTON)
    assert school_class.pages.currentWidget() is school_class.library.page
    assert not school_class.library.page.back_button.isVisible()
    assert school_class.page_switch.library_button.isChecked()
    wait_until_known(school_class, qtbot)
    school_class.activateWindow()
    qtbot.keyClick(school_class, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert school_class.pages.currentWidget() is school_class.class_page


def test_that_all_that_takes_the_focus_has_a_name(school_class: MainWindow, qtbot: QtBot) -> None:
    add_class(school_class, qtbot)
    show_library(school_class, qtbot)
    for language in ("en", "zh"):
        school_class.use_language(language)
        page = school_class.library.page
        assert nameless(page) == []
        assert page.stored.groups in [stop for stop in tab_stops(page) if stop.isVisible()]
        school_class.use_language("en")
