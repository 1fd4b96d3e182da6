"""A window with a class: waits for its page, reads and clicks its views."""

from pytestqt.qtbot import QtBot

from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells, settle

COPY = "2025007-赵娜.txt"
"""File of the student who has copied from the first one."""


def settle_class_page(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until everything is compared and shown."""
    settle(window, qtbot)
    page = window.class_page
    qtbot.waitUntil(
        lambda: not page._update_delay.isActive() and not page._stepping.isActive(), timeout=TIMEOUT_MS
    )


def students(window: MainWindow, column: StudentColumn = StudentColumn.STUDENT) -> list[str]:
    model = window.class_page.students.model_of_rows
    return [str(model.index(row, column).data()) for row in range(len(model.rows))]


def click_student(window: MainWindow, qtbot: QtBot, name: str) -> None:
    view = window.class_page.students
    place = view.visualRect(view.model().index(students(window).index(name), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=place)


def pairs_listed(window: MainWindow) -> set[frozenset[str]]:
    both = zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True)
    return {frozenset(pair) for pair in both}


def document_index(window: MainWindow, name: str) -> int:
    picture = window.class_page._picture
    assert picture is not None
    return picture.labels.index(name)


def document_key(window: MainWindow, file_name: str) -> int:
    entries = window.workspace.documents.entries
    return next(key for key, entry in entries.items() if entry.path.name == file_name)
