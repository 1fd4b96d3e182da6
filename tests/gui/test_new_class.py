"""Another class in the same window begins in the default order, unfiltered; no class is lost unasked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from tests.gui.class_samples import write_class
from tests.gui.class_windows import click_student, settle_class_page, students
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.gui.document_rows import view as list_view
from tests.gui.pair_table import LEFT_BUTTON, cells, click_header
from tests.gui.session_steps import drop, save_to, trigger, unsaved_dialog


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "7A", tmp_path / "7B"
    for folder in folders:
        folder.mkdir()
        write_class(folder, 8)
    return folders


@pytest.fixture
def class_7a(window: MainWindow, folders: tuple[Path, Path], qtbot: QtBot) -> MainWindow:
    drop(window, folders[0])
    settle_class_page(window, qtbot)
    return window


def looks(window: MainWindow) -> tuple[object, ...]:
    page = window.class_page
    views = page.students, page.pairs.table, list_view(window.sidebar.documents)
    order = [cells(window, column) for column in (PairColumn.A, PairColumn.B)]
    return (
        students(window),
        order,
        [view.verticalScrollBar().value() for view in views],
        page.pairs.filter.pair_filter,
    )


def rearrange(window: MainWindow, qtbot: QtBot) -> None:
    """Sort, filter and scroll both tables as a teacher does."""
    page = window.class_page
    click_header(window, qtbot, PairColumn.A)
    header = page.students.horizontalHeader()
    for _click in range(2):
        place = QPoint(header.sectionViewportPosition(StudentColumn.STUDENT) + 10, header.height() // 2)
        qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    page.students.verticalScrollBar().setValue(30)
    page.pairs.table.verticalScrollBar().setValue(60)
    list_view(window.sidebar.documents).verticalScrollBar().setValue(40)
    page.pairs.filter.least.setCurrentIndex(1)
    page.pairs.filter.decision.setCurrentIndex(1)
    page.pairs.filter.only_matches.setChecked(True)
    qtbot.keyClicks(page.pairs.filter.text, "0")
    click_student(window, qtbot, "王伟")


def begin_new(window: MainWindow, qtbot: QtBot) -> None:
    trigger(window, "new_session")
    dialog = unsaved_dialog(window)
    assert dialog is not None
    dialog.discard_button.click()


def remove_all(window: MainWindow, qtbot: QtBot) -> None:
    window.workspace.documents.remove(list(window.workspace.documents.entries))


@pytest.mark.parametrize("replace", [begin_new, remove_all])
def test_that_another_class_keeps_no_order_filter_or_place(
    class_7a: MainWindow,
    folders: tuple[Path, Path],
    qtbot: QtBot,
    replace: Callable[[MainWindow, QtBot], None],
) -> None:
    class_7a.resize(1100, 620)
    settle_class_page(class_7a, qtbot)
    before = looks(class_7a)
    rearrange(class_7a, qtbot)
    assert looks(class_7a) != before
    replace(class_7a, qtbot)
    drop(class_7a, folders[1])
    settle_class_page(class_7a, qtbot)
    assert looks(class_7a) == before
    assert class_7a.workspace.class_filter.is_empty


def test_that_an_opened_session_keeps_no_place_of_the_class_before(
    class_7a: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    class_7a.resize(1100, 620)
    settle_class_page(class_7a, qtbot)
    before = looks(class_7a)
    save_to(class_7a, session_path, qtbot)
    rearrange(class_7a, qtbot)
    with qtbot.waitSignal(class_7a.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        class_7a.sessions.open(session_path)
    settle_class_page(class_7a, qtbot)
    assert looks(class_7a) == before


def test_that_a_second_folder_does_not_rename_the_class(
    class_7a: MainWindow, folders: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(class_7a, folders[1])
    settle_class_page(class_7a, qtbot)
    assert class_7a.windowTitle().startswith("7A – Class")
    assert class_7a.sessions._saving._suggested_name() == "7A.simcompare"


def test_that_a_folder_of_two_classes_names_both(
    window: MainWindow, folders: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(window, folders[0].parent)
    settle_class_page(window, qtbot)
    assert window.windowTitle().startswith("inbox – Class")


@pytest.mark.parametrize("leave", ["new_session", "quit"])
def test_that_a_compared_class_is_asked_about_without_any_decision(class_7a: MainWindow, leave: str) -> None:
    trigger(class_7a, leave)
    QApplication.processEvents()
    dialog = unsaved_dialog(class_7a)
    assert dialog is not None
    assert dialog.explanation.text() == "You will lose this if you don't save: the comparison of the class."
    dialog.reject()
    assert len(class_7a.workspace.documents.entries) == 8


def test_that_a_saved_class_and_the_samples_are_not_asked_about(
    class_7a: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(class_7a, session_path, qtbot)
    trigger(class_7a, "new_session")
    assert not class_7a.workspace.documents.entries
    class_7a.samples.open_class()
    settle_class_page(class_7a, qtbot)
    trigger(class_7a, "new_session")
    assert not class_7a.workspace.documents.entries
