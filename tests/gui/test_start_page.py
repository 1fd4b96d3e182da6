"""Start page: samples in the language of the window, and the last sessions."""

import os
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.session.school_class import DocumentRole
from simcompare.support.resources import resource_path
from simcompare.ui.library.library_dialogs import AdditionDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.start_page import StartRow
from simcompare.ui.state.library.additions import AdditionTags
from tests.gui.class_samples import write_class, write_draft
from tests.gui.class_windows import settle_class_page, students
from tests.gui.conftest import READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.library.library_steps import dialog_of
from tests.gui.session_steps import decide_first, drop, save_to, trigger, unsaved_dialog

SIZES = [(1024, 600), (1366, 768), (1920, 1080)]


def click(row: StartRow, qtbot: QtBot) -> None:
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)


def list_sessions(window: MainWindow, paths: list[Path], qtbot: QtBot) -> None:
    preferences = Preferences()
    preferences.recent_files = paths
    window.start_page._list_sessions()
    shown = window.start_page.session_rows[: len(paths)]
    qtbot.waitUntil(lambda: all(row.detail.text() for row in shown), timeout=READING_TIMEOUT_MS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_sample_class_has_a_template_a_draft_and_two_similar_pairs(
    window: MainWindow, language: str, qtbot: QtBot
) -> None:
    window.use_language(language)
    click(window.start_page.class_row, qtbot)
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == 8, timeout=READING_TIMEOUT_MS)
    settle_class_page(window, qtbot)
    state = window.workspace.class_state
    roles = [state.role_of(key) for key in window.workspace.documents.entries]
    assert roles.count(DocumentRole.TEMPLATE) == 1
    assert len(students(window)) == 6
    assert sorted(len(student.files) for student in state.school.students) == [1, 1, 1, 1, 1, 2]
    assert window.class_page.histogram.count_button.text().startswith("2")
    assert not window.sessions.keeper.is_modified  # nothing is lost by closing it
    folder, title = {"en": ("Sample class", "Class"), "zh": ("示例班级", "班级")}[language]
    assert window.windowTitle().startswith(f"{folder} – {title}[*] – ")
    trigger(window, "save_as")
    dialog = window.findChild(QFileDialog)
    assert [Path(name).name for name in dialog.selectedFiles()] == [f"{folder}.simcompare"]
    dialog.reject()


@pytest.mark.parametrize(("language", "suffixes"), [("zh", [".docx", ".html"]), ("en", [".docx", ".pdf"])])
def test_that_the_sample_pair_is_in_the_language_of_the_window(
    window: MainWindow, language: str, suffixes: list[str], qtbot: QtBot
) -> None:
    window.use_language(language)
    click(window.start_page.pair_row, qtbot)
    wait_for_comparison(window, qtbot)
    paths = [entry.path for entry in window.workspace.documents.entries.values()]
    assert [path.suffix for path in paths] == suffixes
    assert all(path.parent == resource_path("samples") for path in paths)
    assert window.pages.shows_compare

    # no class is named after the folder of the samples
    window.commands.actions["library_add_class"].trigger()
    dialog = dialog_of(window, AdditionDialog, qtbot)
    assert dialog.school_class.text() == ""
    dialog.reject()


def test_that_a_sample_is_not_mixed_with_the_essays_of_a_class(compared: MainWindow, qtbot: QtBot) -> None:
    compared.commands.actions["sample_pair"].trigger()
    qtbot.waitUntil(
        lambda: (
            [entry.path.parent for entry in compared.workspace.documents.entries.values()]
            == [resource_path("samples")] * 2
        ),
        timeout=READING_TIMEOUT_MS,
    )


@pytest.mark.parametrize("sample", ["sample_class", "sample_pair"])
def test_that_samples_are_replaced_by_what_the_teacher_adds(
    window: MainWindow, sample: str, tmp_path: Path, qtbot: QtBot
) -> None:
    entries, words = window.workspace.documents, "The samples were closed: you added something of your own."
    own = write_class(tmp_path)
    window.commands.actions[sample].trigger()
    qtbot.waitUntil(lambda: len(entries.entries) > 1, timeout=READING_TIMEOUT_MS)
    settle_class_page(window, qtbot) if sample == "sample_class" else wait_for_comparison(window, qtbot)
    drop(window, *own)
    qtbot.waitUntil(
        lambda: [entry.path for entry in entries.entries.values()] == own, timeout=READING_TIMEOUT_MS
    )
    qtbot.waitUntil(lambda: window.notice.shows(words))
    # her own are not replaced by more of them
    drop(window, write_draft(tmp_path))
    qtbot.waitUntil(lambda: len(entries.entries) == len(own) + 1, timeout=READING_TIMEOUT_MS)


def test_that_decisions_on_samples_are_asked_about_before_a_pasted_text_replaces_them(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.samples.open_pair()
    wait_for_comparison(window, qtbot)
    decide_first(window)
    QApplication.clipboard().setText("A text of my own. It has two sentences.")
    trigger(window, "paste")
    dialog = unsaved_dialog(window)
    assert dialog is not None
    assert len(window.workspace.documents.entries) == 2
    dialog.discard_button.click()
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == 1, timeout=READING_TIMEOUT_MS)


def test_that_the_last_sessions_have_times_and_missing_ones_are_told(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    old, gone = tmp_path / "七年级.simcompare", tmp_path / "gone.simcompare"
    old.touch()
    time = datetime(2024, 5, 3, 14, 5).timestamp()
    os.utime(old, (time, time))
    list_sessions(window, [old, gone], qtbot)
    first, second, *others = window.start_page.session_rows
    assert (first.title.text(), first.detail.text()) == ("七年级", "Saved on 3 May 2024")
    assert first.accessibleName() == "七年级"
    assert second.detail.text() == "Not found: moved, renamed or deleted"
    assert first.isEnabled()
    assert not second.isEnabled()
    assert not any(row.isVisible() for row in others)
    window.use_language("zh")
    qtbot.waitUntil(lambda: first.detail.text() == "保存于 2024年5月3日", timeout=READING_TIMEOUT_MS)


def test_that_a_click_opens_a_session(
    window: MainWindow, essay: Essay, session_path: Path, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", "渔船慢慢地从芦苇旁边划过去。")])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    save_to(window, session_path, qtbot)
    window.commands.actions["new_session"].trigger()
    row = window.start_page.session_rows[0]
    qtbot.waitUntil(lambda: row.isVisible() and "today" in row.detail.text(), timeout=READING_TIMEOUT_MS)
    with qtbot.waitSignal(window.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        click(row, qtbot)
    assert len(window.workspace.documents.entries) == 1


def test_that_without_sessions_only_samples_are_offered(window: MainWindow) -> None:
    assert not any(row.isVisible() for row in window.start_page.session_rows)
    assert not window.start_page._sessions_heading.isVisible()


def test_that_all_of_the_page_is_visible_at_every_size(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    page = window.start_page
    samples = (page.class_row, page.pair_row)
    parts = (page.add_button, page.folder_button, *samples, page.library_row, *page.session_rows)
    for language in ("en", "zh"):
        window.use_language(language)
        list_sessions(window, [tmp_path / f"{name}.simcompare" for name in "abcdef"], qtbot)
        for width, height in SIZES:
            window.resize(width, height)
            qtbot.waitUntil(lambda: page.width() == window.width())
            qtbot.wait(1)
            for part in parts:
                place = QRect(part.mapTo(page, QPoint(0, 0)), part.size())
                assert page.rect().contains(place)
                assert part.height() >= 24


def test_that_the_library_is_opened_from_the_page_by_keyboard(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    page = window.start_page
    for sessions in ([], [tmp_path / "七年级.simcompare"]):
        list_sessions(window, sessions, qtbot)
        page.pair_row.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(page.pair_row.hasFocus)
        qtbot.keyClick(page.pair_row, Qt.Key.Key_Tab)
        assert page.library_row.hasFocus()
        assert page.library_row.accessibleName() == "Open the library"
        qtbot.keyClick(page.library_row, Qt.Key.Key_Space)
        assert window.pages.shows_library
        window.pages.go_back()
        assert page.isVisible()


def test_that_the_link_to_the_library_counts_its_essays_or_says_that_it_has_none(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    row, state = window.start_page.library_row, window.library.state
    qtbot.waitUntil(lambda: row.detail.text().startswith("Empty so far"), timeout=READING_TIMEOUT_MS)
    place = essay("a.txt", "渔船慢慢地从芦苇旁边划过去。").parent
    with qtbot.waitSignal(state.added, timeout=READING_TIMEOUT_MS):
        state.add_places([place], AdditionTags("七年级", "2024"))
    qtbot.waitUntil(lambda: row.detail.text() == "1 essay", timeout=READING_TIMEOUT_MS)
    assert row.accessibleDescription() == "1 essay"
    window.use_language("zh")
    assert (row.title.text(), row.detail.text()) == ("打开文库", "1 篇作文")


def test_that_enter_opens_a_sample_and_an_empty_session_has_the_focus_on_its_first_button(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.activateWindow()
    window.start_page.class_row.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(window.start_page.class_row, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == 8, timeout=READING_TIMEOUT_MS)
    settle_class_page(window, qtbot)
    window.commands.actions["new_session"].trigger()
    assert not window.workspace.documents.entries
    qtbot.waitUntil(window.start_page.add_button.hasFocus)


def test_that_no_text_of_the_page_is_shortened_on_a_laptop(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1257, 707)
    page, words = window.start_page, ("Empty so far", "暂无作文")
    rows = (page.library_row, page.class_row, page.pair_row)
    for language in ("en", "zh"):
        window.use_language(language)
        qtbot.waitUntil(lambda: rows[0].detail.text().startswith(words), timeout=READING_TIMEOUT_MS)
        assert not [part.text() for row in rows for part in (row.title, row.detail) if part.is_shortened]


def test_that_the_link_says_that_the_library_cannot_be_opened(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_text("no database")
    window.library.state.use(damaged)
    row = window.start_page.library_row
    qtbot.waitUntil(lambda: row.detail.text() == "It cannot be opened", timeout=READING_TIMEOUT_MS)
    assert "damaged.sqlite" in row.toolTip()
