"""Qt model of the list of students: a row each, and those who have not handed in as a group that unfolds."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from simcompare.pseudonyms.students import Student
from simcompare.report.wording import enumerated, named
from simcompare.support.i18n import N_, _
from simcompare.support.percentages import reaches
from simcompare.ui.cohort.overview.student_rows import NO_FIGURE, StudentColumn, StudentListRow
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

AnyIndex = QModelIndex | QPersistentModelIndex
PALE_ROLE = Qt.ItemDataRole.UserRole
"""True for a text of secondary importance."""
CHOSEN_ROLE = Qt.ItemDataRole.UserRole + 1
"""True for a student whose pairs are listed."""
DOUBT_ROLE = Qt.ItemDataRole.UserRole + 2
"""True for the name of a student with a file to check."""
_NONE = QModelIndex()
_MISSING = 1
"""Internal id of the rows of students without a file; 0 for all others."""
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NAMES = {
    StudentColumn.STUDENT: N_("Student"),
    StudentColumn.HIGHEST: N_("Highest"),
    StudentColumn.NEAREST: N_("Most similar"),
    StudentColumn.LIBRARY: N_("In library"),
    StudentColumn.FILES: N_("Files"),
    StudentColumn.DECISIONS: N_("Decisions"),
}
_TIPS = {
    StudentColumn.STUDENT: N_("Name or number in the class list or in the names of the files"),
    StudentColumn.HIGHEST: N_("The highest share of any pair of this student"),
    StudentColumn.NEAREST: N_("The other student of that pair"),
    StudentColumn.LIBRARY: N_("The largest share of this essay that one text of the library has"),
    StudentColumn.FILES: N_("Number of files if there are several, and files to check"),
    StudentColumn.DECISIONS: N_("Your decisions on the pairs of this student"),
}


class StudentModel(QAbstractItemModel):
    """Students sorted by a column, the highest share first by default."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[StudentListRow] = []
        self.missing: Sequence[Student] = ()
        self.limit = 1.0
        self.chosen: frozenset[int] = frozenset()
        self.is_unfolded = False
        self._column, self._is_reversed = StudentColumn.HIGHEST, False
        self._role_values: dict[int, Callable[[StudentListRow, StudentColumn], object]] = {
            Qt.ItemDataRole.DisplayRole: StudentListRow.text,
            Qt.ItemDataRole.ToolTipRole: lambda student, column: as_tooltip(_tip(student, column)),
            Qt.ItemDataRole.AccessibleTextRole: _accessible_text,
            PALE_ROLE: self._is_pale,
            DOUBT_ROLE: lambda student, column: column is StudentColumn.STUDENT and bool(student.doubts),
            CHOSEN_ROLE: lambda student, _column: student.keys[0] in self.chosen,
        }

    def show(self, rows: list[StudentListRow], missing: Sequence[Student], limit: float) -> bool:
        """Replace the rows; return True if there are more or fewer rows, so that the model was reset."""
        rows = self._sorted(rows)
        self.limit = limit
        if len(rows) == len(self.rows) and missing == self.missing:
            # another order is only other data: after a reset the view asks for each row again
            self.rows = rows
            self.emit_changed()
            return False
        self.beginResetModel()
        self.rows, self.missing = rows, missing
        self.endResetModel()
        return True

    def emit_changed(self) -> None:
        """Update the cells of all rows."""
        last = self.rowCount() - 1
        if last >= 0:
            self.dataChanged.emit(self.index(0, 0), self.index(last, len(StudentColumn) - 1))

    def sort_by(self, column: StudentColumn) -> None:
        """Sort by a column, in the order that is useful first; again for the reverse."""
        self._is_reversed = column is self._column and not self._is_reversed
        self._column = column
        self.rows = self._sorted(self.rows)
        self.emit_changed()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(StudentColumn) - 1)

    def use_default_order(self) -> None:
        """Sort by the highest share, and fold those without a file."""
        self._column, self.is_unfolded = StudentColumn.NEAREST, False
        self.sort_by(StudentColumn.HIGHEST)

    def _sorted(self, rows: list[StudentListRow]) -> list[StudentListRow]:
        return sorted(rows, key=lambda row: row.sort_key(self._column), reverse=self._is_reversed)

    def row_of(self, student_id: str) -> int | None:
        """Return the row of a student."""
        return next((place for place, row in enumerate(self.rows) if row.id == student_id), None)

    def student_at(self, index: AnyIndex) -> StudentListRow | None:
        """Return the student of an index, or None for those without a file."""
        is_student = index.isValid() and not index.internalId() and index.row() < len(self.rows)
        return self.rows[index.row()] if is_student else None

    # structure

    def index(self, row: int, column: int, parent: AnyIndex = _NONE) -> QModelIndex:
        """Return the index of a cell."""
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(StudentColumn)):
            return QModelIndex()
        return self.createIndex(row, column, _MISSING if parent.isValid() else 0)

    def parent(self, index: AnyIndex = _NONE) -> QModelIndex:  # type: ignore[override]
        """Return the group of a student without a file."""
        if index.isValid() and index.internalId() == _MISSING:
            return self.createIndex(len(self.rows), 0, 0)
        return QModelIndex()

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        """Return the number of students, or of those without a file."""
        if not parent.isValid():
            return len(self.rows) + bool(self.missing)
        is_group = not parent.internalId() and parent.row() == len(self.rows) and parent.column() == 0
        return len(self.missing) if is_group else 0

    def columnCount(self, _parent: AnyIndex = _NONE) -> int:
        """Return the number of columns."""
        return len(StudentColumn)

    # data

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the heading of a column, its tooltip or its alignment."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(StudentColumn):
            return None
        column = StudentColumn(section)
        if role == Qt.ItemDataRole.DisplayRole:
            mark = ("▲" if self._is_reversed else "▼") if column is self._column else ""
            return f"{_(_NAMES[column])} {mark}".rstrip()
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip(_(_TIPS[column]))
        return _alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the value of a cell for a role."""
        column = StudentColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        student = self.student_at(index)
        if student is None:
            return self._missing_data(index, column, role)
        value_of = self._role_values.get(role)
        return None if value_of is None else value_of(student, column)

    def _is_pale(self, student: StudentListRow, column: StudentColumn) -> bool:
        return column is not StudentColumn.STUDENT and not reaches(student.share(column), self.limit)

    def _missing_data(self, index: AnyIndex, column: StudentColumn, role: int) -> Any:
        if column is not StudentColumn.STUDENT:
            return None
        if role == PALE_ROLE:
            return True
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        if index.internalId() == _MISSING:
            return self.missing[index.row()].display_name
        mark = "▾ " if self.is_unfolded else "▸ "
        words = _("Not handed in ({count})").format(count=len(self.missing))
        return words if role == Qt.ItemDataRole.AccessibleTextRole else mark + words


def _accessible_text(student: StudentListRow, column: StudentColumn) -> str:
    text = student.text(column)
    if column is StudentColumn.STUDENT and student.doubts:
        text = enumerated([text, _("to check")])
    return named(_(_NAMES[column]), text if text and text != NO_FIGURE else _("none"))


def _tip(student: StudentListRow, column: StudentColumn) -> str:
    if column is StudentColumn.FILES:
        return "\n".join([student.files_in_words(), *student.doubts])
    if column is StudentColumn.STUDENT:
        name = " ".join(dict.fromkeys(part for part in (student.label, student.number) if part))
        return "\n".join([name, *student.doubts])
    return student.text(column)


def _alignment(column: StudentColumn) -> Qt.AlignmentFlag:
    return _AT_RIGHT if column in (StudentColumn.HIGHEST, StudentColumn.LIBRARY) else _AT_LEFT
