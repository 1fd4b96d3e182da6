"""Class list: its students, and which of them have not handed in."""

from collections.abc import Collection, Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from simcompare.pseudonyms.students import Student
from simcompare.session.session_data import Roster
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, joined_items, ngettext
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = QSize(620, 520)
_NUMBER, _NAME, _FILES = range(3)


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


class ClassListDialog(QDialog):
    """Table of the students of a class list with their files, those who have not handed in first."""

    def __init__(self, workspace: Workspace, roster: Roster, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._roster = roster
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Class list {name}").format(name=display_name(roster.path.name)))
        self.summary = MutedLabel()
        self.table = self._make_table()
        self.remove_button, self.close_button = (
            QPushButton(_("Stop using this list")),
            QPushButton(_("Close")),
        )
        self.remove_button.setAutoDefault(False)
        self.remove_button.clicked.connect(self._remove)
        self.close_button.clicked.connect(self.reject)
        buttons = row_of(None, self.remove_button, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self.summary, (self.table, 1), buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        workspace.class_state.changed.connect(self._follow)
        self._show()
        self.table.setFocus()

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 3)
        table.setObjectName("plainTable")
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setHorizontalHeaderLabels([_("Student number"), _("Student"), _("Files")])
        table.setAccessibleName(self.windowTitle())
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_FILES, QHeaderView.ResizeMode.Stretch)
        return table

    def _follow(self, changed: ClassPart) -> None:
        if ClassPart.STUDENTS in changed:
            self._show()

    def _show(self) -> None:
        missing = frozenset(self._workspace.class_state.missing)
        self.summary.setText(roster_in_words(self._roster, missing))
        students = sorted(self._roster.students, key=lambda student: student not in missing)
        self.table.setRowCount(len(students))
        for row, student in enumerate(students):
            is_missing = student in missing
            files = _("Not handed in") if is_missing else joined_items(self._files_of(student))
            texts = ("".join(student.numbers[:1]), "".join(student.names[:1]), files)
            for column, text in enumerate(texts):
                item = QTableWidgetItem(escape_invisible(text))
                item.setToolTip(item.text())
                if is_missing and column == _FILES:
                    item.setForeground(self.palette().brightText())
                self.table.setItem(row, column, item)

    def _files_of(self, student: Student) -> Iterator[str]:
        """Names of the files of a student, the one that counts first."""
        for found in self._workspace.class_state.students:
            is_same = found.number in student.numbers if found.number else found.name in student.names
            if found.is_listed and is_same:
                yield from map(self._workspace.documents.name_of, found.keys)

    def _remove(self) -> None:
        self._workspace.class_state.remove_roster(self._roster.path)
        self.accept()
