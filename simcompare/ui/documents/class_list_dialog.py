"""Class list: its students, and which of them have not handed in."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QWidget

from simcompare.pseudonyms.students import Student
from simcompare.session.school_class import Roster
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import N_, _, joined_items, ngettext
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog, other_button
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = QSize(620, 520)


def roster_in_words(roster: Roster, missing: Collection[Student]) -> str:
    """Return the number of students on a class list, and of those who have not handed in."""
    without = sum(student in missing for student in roster.students)
    students = ngettext("{count} student", "{count} students", len(roster.students))
    if not without:
        return students
    absent = ngettext("{count} has not handed in", "{count} have not handed in", without)
    return _("{students}, {absent}").format(students=students, absent=absent)


def absent_names(roster: Roster, missing: Collection[Student]) -> list[str]:
    """Return the names, or else the numbers, of the students of a class list who have not handed in."""
    absent = (student for student in roster.students if student in missing)
    return [escape_invisible((*student.names, *student.numbers)[0]) for student in absent]


@dataclass(frozen=True, slots=True)
class ListedStudent:
    """A student of a class list, with the names of the files or "Not handed in"."""

    student: Student
    is_missing: bool
    files: str

    def number(self) -> str:
        return escape_invisible("".join(self.student.numbers[:1]))

    def name(self) -> str:
        return escape_invisible("".join(self.student.names[:1]))


class ClassListDialog(Dialog):
    """Table of the students of a class list with their files, those who have not handed in first."""

    def __init__(self, workspace: Workspace, roster: Roster, parent: QWidget) -> None:
        super().__init__(_("Class list {name}").format(name=display_name(roster.path.name)), parent)
        self._workspace = workspace
        self._roster = roster
        self.summary = MutedLabel()
        self.table = self._make_table()
        self.remove_button, self.close_button = (
            other_button(_("Stop using this list")),
            QPushButton(_("Close")),
        )
        self.remove_button.clicked.connect(self._remove)
        self.close_button.clicked.connect(self.reject)
        buttons = row_of(None, self.remove_button, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self.summary, (self.table, 1), buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        workspace.class_state.changed.connect(self._follow)
        self._show()
        self.table.setFocus()

    def _make_table(self) -> RowsTable[ListedStudent]:
        columns = (
            Column[ListedStudent](N_("Student number"), ListedStudent.number, ListedStudent.number),
            Column[ListedStudent](N_("Student"), ListedStudent.name, ListedStudent.name),
            Column[ListedStudent](
                N_("Files"),
                lambda row: row.files,
                lambda row: (not row.is_missing, row.files),
                ink=lambda row: "danger" if row.is_missing else "ink",
                is_stretched=True,
            ),
        )
        table = RowsTable(columns, lambda row: row.student)
        table.setAccessibleName(self.windowTitle())
        return table

    def _follow(self, changed: ClassPart) -> None:
        if ClassPart.STUDENTS in changed:
            self._show()

    def _show(self) -> None:
        missing = frozenset(self._workspace.class_state.school.missing)
        self.summary.setText(roster_in_words(self._roster, missing))
        students = sorted(self._roster.students, key=lambda student: student not in missing)
        self.table.show_rows([self._row_of(student, student in missing) for student in students])

    def _row_of(self, student: Student, is_missing: bool) -> ListedStudent:
        files = _("Not handed in") if is_missing else joined_items(self._files_of(student))
        return ListedStudent(student, is_missing, escape_invisible(files))

    def _files_of(self, student: Student) -> Iterator[str]:
        """Names of the files of a student, the one that counts first."""
        for found in self._workspace.class_state.school.students:
            is_same = found.number in student.numbers if found.number else found.name in student.names
            if found.is_listed and is_same:
                yield from map(self._workspace.documents.name_of, found.files)

    def _remove(self) -> None:
        self._workspace.class_state.remove_roster(self._roster.path)
        self.accept()
