"""Adding to the library: the class of the window, a folder and a session, with a receipt at the end."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.library.entries import restored_document
from simcompare.library.store.open_library import open_library
from simcompare.library.students import StudentNaming, pseudonym_of
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submit
from simcompare.session.school_class import DocumentRole
from simcompare.ui.library.library_dialogs import AdditionDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library import additions
from simcompare.ui.state.library.additions import AdditionTags, WorkKind
from simcompare.ui.state.library.class_search import class_essays
from simcompare.ui.style.dialogs import LinesDialog
from tests.gui import dropping
from tests.gui.class_samples import DECLARATION, QUESTION, settle_class, write_class
from tests.gui.class_windows import document_key
from tests.gui.library.library_steps import (
    add_class,
    click,
    confirm_addition,
    dialog_of,
    groups,
    show_library,
    stored,
    texts,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS
from tests.helpers.patience import PATIENCE_MS


def students_of(window: MainWindow) -> list[str]:
    return sorted(tag.value for entry in stored(window) for tag in entry.tags if tag.name == "student")


def essays_read(window: MainWindow) -> int:
    work = window.library.state.work
    return work.done if work is not None and work.kind is WorkKind.ADDING else 0


def add_places(window: MainWindow, qtbot: QtBot, *places: Path, tags: AdditionTags | None = None) -> None:
    with qtbot.waitSignal(window.library.state.added, timeout=TIMEOUT_MS):
        window.library.state.add_places(places, tags or AdditionTags(school_class="3"))
    wait_until_listed(window, qtbot)


def test_that_the_class_is_added_by_one_click_and_listed(school_class: MainWindow, qtbot: QtBot) -> None:
    show_library(school_class, qtbot)
    page = school_class.library.page
    assert page.body.currentWidget() is page.start
    click(page.start.class_button, qtbot)
    dialog = dialog_of(school_class, AdditionDialog, qtbot)
    assert dialog.school_class.text() == school_class.workspace.documents.entries[1].path.parent.name
    confirm_addition(school_class, qtbot, lambda dialog: dialog.year.setText("2025"))
    assert page.body.currentWidget() is page.stored
    assert school_class.focusWidget() in (page, page.stored.groups), "the button of the empty page is gone"
    assert [group[0] for group in groups(school_class)] == ["2025"]
    assert len(texts(page.stored.entries, 0)) == 7
    assert "王伟" in texts(page.stored.entries, 0)
    assert "2025001-王伟.txt" in texts(page.stored.entries, 1)
    assert "7 essays added" in school_class.notice.label.text()
    assert students_of(school_class) == sorted(["王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊", "赵娜"])


def test_that_the_question_is_no_essay_until_the_teacher_says_so(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    question = tmp_path / "作文题目.txt"
    question.write_text(f"七年级第三次作文\n{QUESTION}\n{DECLARATION}", "utf-8")
    workspace = window.workspace
    workspace.documents.add([*write_class(tmp_path), question])
    qtbot.waitUntil(lambda: bool(workspace.class_state.proposed_templates), timeout=TIMEOUT_MS)
    key = document_key(window, question.name)
    assert workspace.class_state.proposed_templates == (key,)
    settle_class(workspace, qtbot)
    window.commands.actions["library_add_class"].trigger()
    dialog = dialog_of(window, AdditionDialog, qtbot)
    assert dialog.what.text() == "Add 6 essays of this class"
    assert dialog.aside.text().startswith("作文题目.txt may be a template and is not added.")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.mouseClick(window.common_bar.also_button, LEFT_BUTTON)  # "No"
    assert workspace.class_state.proposed_templates == ()
    assert key in class_essays(workspace)


def test_that_essays_that_are_known_are_counted_and_not_added_again(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    add_class(school_class, qtbot)
    add_class(school_class, qtbot)
    assert "0 essays added; 7 already in the library" in school_class.notice.label.text()
    assert len(stored(school_class)) == 7


def test_that_known_files_are_not_read_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(tmp_path / "四班", "2025001-王伟.txt", "2025002-李芳.txt")
    add_places(window, qtbot, folder)
    read: list[Path] = []

    def submit_and_note(pool: ReaderPool, work: Any, path: Path, *rest: Any, **options: Any) -> Any:
        read.append(path)
        return submit(pool, work, path, *rest, **options)

    monkeypatch.setattr(additions, "submit", submit_and_note)
    (folder / "2025003-张敏.txt").write_text("张敏写的是一篇从来没有人读过的新文章。" * 5, "utf-8")
    (folder / "空.txt").write_text("", "utf-8")
    add_places(window, qtbot, folder)
    assert sorted(path.name for path in read) == ["2025003-张敏.txt", "空.txt"]
    assert "1 essay added; 2 already in the library; 1 not added" in window.notice.label.text()
    assert students_of(window) == ["张敏", "李芳", "王伟"]
    add_places(window, qtbot, folder, tags=AdditionTags(school_class="4"))
    assert "3 essays added; 1 not added" in window.notice.label.text(), "other tags are other submissions"


def test_that_the_folder_of_the_class_is_proposed_as_its_name_beside_earlier_work(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    earlier = write_folder(tmp_path / "2024", "2024001-王伟.txt")
    school_class.workspace.documents.add([earlier], DocumentRole.OLD)
    qtbot.waitUntil(lambda: not school_class.workspace.is_busy, timeout=TIMEOUT_MS)
    school_class.commands.actions["library_add_class"].trigger()
    dialog = dialog_of(school_class, AdditionDialog, qtbot)
    assert dialog.school_class.text() == school_class.workspace.documents.entries[1].path.parent.name
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_pseudonyms_replace_the_names_in_texts_and_names_of_files(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.commands.actions["library_add_class"].trigger()

    def choose_pseudonyms(dialog: AdditionDialog) -> None:
        dialog.students.setCurrentIndex(dialog.students.findData(StudentNaming.PSEUDONYM.value))

    confirm_addition(school_class, qtbot, choose_pseudonyms)
    names = [entry.name for entry in stored(school_class)]
    assert all(name.startswith("Student 0") for name in names)
    assert pseudonym_of("王伟") in students_of(school_class), "so that the student can be deleted by name"
    assert all(student.startswith("S-") for student in students_of(school_class))
    assert school_class.workspace.pseudonyms is not None
    with open_library(school_class.library.state.place) as library, library.reading() as connection:
        first = restored_document(library, connection, 1)
    assert "王伟" not in f"{first.text} {first.path} {first.title}"


def test_that_students_can_be_left_out(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.commands.actions["library_add_class"].trigger()

    def leave_out(dialog: AdditionDialog) -> None:
        dialog.students.setCurrentIndex(dialog.students.findData(StudentNaming.NONE.value))

    confirm_addition(school_class, qtbot, leave_out)
    assert students_of(school_class) == []


def test_that_a_folder_is_added_and_the_receipt_says_what_was_not(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = write_folder(tmp_path / "四班", "2025001-王伟.txt", "2025002-李芳.txt")
    (folder / "空.txt").write_text("", "utf-8")
    show_library(window, qtbot)
    add_places(window, qtbot, folder)
    assert "2 essays added; 1 not added" in window.notice.label.text()
    assert students_of(window) == ["李芳", "王伟"]
    click(window.notice.show_button, qtbot)
    receipt = dialog_of(window, LinesDialog, qtbot)
    assert "空.txt is empty" in receipt.lines.toPlainText()
    qtbot.keyClick(receipt, Qt.Key.Key_Escape)


def test_that_the_documents_of_a_session_are_added_with_their_students(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "三班.simcompare"
    keeper = school_class.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=PATIENCE_MS):
        keeper.save(path)
    add_places(school_class, qtbot, path)
    assert len(stored(school_class)) == 7, "the draft does not count"
    assert "王伟" in students_of(school_class)


def test_that_cancelling_stores_what_was_read(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_folder(tmp_path / "many", *(f"essay-{number}.txt" for number in range(30)))
    state = window.library.state
    show_library(window, qtbot)
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS) as added:
        state.add_places([folder], AdditionTags())
        qtbot.waitUntil(lambda: essays_read(window) > 0, timeout=TIMEOUT_MS)
        qtbot.mouseClick(window.library.page.cancel_button, LEFT_BUTTON)
    (receipt,) = added.args
    wait_until_listed(window, qtbot)
    assert receipt.was_cancelled
    assert len(stored(window)) == receipt.added > 0
    assert "add the same again" in window.notice.label.text()


def test_that_closing_the_window_in_the_middle_loses_nothing_that_was_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = write_folder(tmp_path / "many", *(f"essay-{number}.txt" for number in range(30)))
    state = window.library.state
    state.add_places([folder], AdditionTags())
    qtbot.waitUntil(lambda: essays_read(window) > 0, timeout=TIMEOUT_MS)
    done = essays_read(window)
    window.close()
    assert len(stored(window)) >= done > 0


def test_that_files_dropped_on_the_library_are_stored_and_not_listed_in_the_window(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = write_folder(tmp_path / "2024", "2024001-王伟.txt", "2024002-李芳.txt")
    show_library(window, qtbot)
    dropping.drag_in(window, dropping.files([folder]))
    assert window.drop_and_paste.overlay.title.text() == "Drop to add to the library"
    dropping.drop(window, dropping.files([folder]))
    confirm_addition(window, qtbot, lambda dialog: dialog.year.setText("2024"))
    assert students_of(window) == ["李芳", "王伟"]
    assert not window.workspace.documents.entries


def test_that_a_drop_on_a_busy_library_is_told_and_not_lost_silently(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_library(window, qtbot)
    wait_until_listed(window, qtbot)  # no answer may find the work that is none
    monkeypatch.setattr(type(window.library.state), "work", property(lambda _self: object()))
    dropping.drop(window, dropping.files([tmp_path]))
    assert "Drop the files again" in window.notice.label.text()
