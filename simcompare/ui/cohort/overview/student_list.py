"""List of the students of a class; a click lists the pairs of one."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from simcompare.pseudonyms.students import Student
from simcompare.report.wording import enumerated, named
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_, _
from simcompare.ui.access.sort_menu import SortMenu
from simcompare.ui.cohort.overview.student_rows import NO_FIGURE, StudentColumn, StudentListRow
from simcompare.ui.cohort.pair_cell_painter import FIRST_PX, ROW_PX, SIDE_PX, SIGN_PX, header_style
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.elided_label import FocusFrame, elided_name
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, surface_palette
from simcompare.ui.style.tool_tips import as_tooltip

AnyIndex = QModelIndex | QPersistentModelIndex

# ruff: noqa: N802 - Qt names the methods it calls

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
        return next((place for place, row in enumerate(self.rows) if row.id == student_id), None)

    def student_at(self, index: AnyIndex) -> StudentListRow | None:
        """Return the student of an index, or None for those without a file."""
        is_student = index.isValid() and not index.internalId() and index.row() < len(self.rows)
        return self.rows[index.row()] if is_student else None

    # structure

    def index(self, row: int, column: int, parent: AnyIndex = _NONE) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(StudentColumn)):
            return QModelIndex()
        return self.createIndex(row, column, _MISSING if parent.isValid() else 0)

    def parent(self, index: AnyIndex = _NONE) -> QModelIndex:  # type: ignore[override]
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


# ruff: noqa: N802 - Qt names the methods it calls

_CHOSEN_PX = 3
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_WIDEST_SHARE = ">100 %"
_SORT_MARK = " ▼"
_NARROWEST_NAME_PX = 18 * GRID_PX
_WIDEST_NAME_PX = 40 * GRID_PX
_FIGURES = (StudentColumn.HIGHEST, StudentColumn.LIBRARY)
_REMARKS = (StudentColumn.FILES, StudentColumn.DECISIONS)
_PEOPLE = (StudentColumn.STUDENT, StudentColumn.NEAREST)


class StudentList(QTreeView):
    """Table of students. chosen: key of the current essay of a student who was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = StudentModel(self)
        self._current_id = ""
        self._widths_px: dict[StudentColumn, int] = {}
        self._is_arranging = self._has_library = False
        self.setModel(self.rows)
        self.setItemDelegate(StudentPainter(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setUniformRowHeights(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(_NARROWEST_NAME_PX // 2)
        header.sectionClicked.connect(self._sort)
        SortMenu(self, self._headings, self._sort)
        FocusFrame(self)
        self.selectionModel().currentChanged.connect(self._remember_current)
        for signal, is_unfolded in ((self.expanded, True), (self.collapsed, False)):
            signal.connect(lambda _index, is_unfolded=is_unfolded: self._follow_fold(is_unfolded))
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def show_students(self, rows: list[StudentListRow], missing: Sequence[Student], limit: float) -> None:
        """Show the students; the current row and what is unfolded stay."""
        scrolled = self.verticalScrollBar().value()
        self._is_arranging = True
        if self.rows.show(rows, missing, limit):
            self._restore_groups()
        self._restore_current()
        self.verticalScrollBar().setValue(scrolled)
        self._is_arranging = False
        self._fit_columns()

    def start_over(self) -> None:
        """List another class from its first student in the default order."""
        self._current_id = ""
        self.setCurrentIndex(QModelIndex())
        self.rows.use_default_order()
        self.verticalScrollBar().setValue(0)

    def show_missing(self) -> None:
        """Unfold the students who have not handed in, and scroll to them."""
        group = self.rows.index(len(self.rows.rows), 0)
        if group.isValid():
            self.expand(group)
            self.scrollTo(group, QAbstractItemView.ScrollHint.PositionAtTop)
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_chosen(self, keys: Collection[int]) -> None:
        """Mark the students whose essays filter the pairs."""
        self.rows.chosen = frozenset(keys)
        self.rows.emit_changed()

    def _restore_groups(self) -> None:
        group = self.rows.index(len(self.rows.rows), 0)
        if group.isValid():
            self.setFirstColumnSpanned(group.row(), QModelIndex(), True)
            self.setExpanded(group, self.rows.is_unfolded)
            for row in range(len(self.rows.missing)):
                self.setFirstColumnSpanned(row, group, True)

    def _restore_current(self) -> None:
        current = self.currentIndex()
        if current.isValid() and self.rows.student_at(current) is None:
            return  # on those who have not handed in
        place = self.rows.row_of(self._current_id)
        if place is not None and place != current.row():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(
                self.rows.index(place, 0), flags.ClearAndSelect | flags.Rows
            )

    def _remember_current(self, current: QModelIndex) -> None:
        student = self.rows.student_at(current)
        if not self._is_arranging and student is not None:
            self._current_id = student.id

    def _follow_fold(self, is_unfolded: bool) -> None:
        self.rows.is_unfolded = is_unfolded
        self.viewport().update()

    def _headings(self) -> list[str | None]:
        """Headings of the columns, None for hidden ones."""
        across = Qt.Orientation.Horizontal
        return [
            None if self.isColumnHidden(column) else str(self.rows.headerData(column, across))
            for column in StudentColumn
        ]

    def _sort(self, section: int) -> None:
        """Sort by a column, again for the reverse order."""
        self._is_arranging = True
        self.rows.sort_by(StudentColumn(section))
        self._restore_current()
        self._is_arranging = False

    # events

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked student, or unfold those without a file."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.indexAt(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current student with Enter or the space bar; letters are commands."""
        if event.key() in _ENTER_KEYS and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        elif event.text() and event.text().isprintable() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        student = self.rows.student_at(index)
        if student is not None:
            self.chosen.emit(student.keys[0])
        elif index.isValid() and not index.parent().isValid():
            first = index.siblingAtColumn(0)
            self.setExpanded(first, not self.isExpanded(first))

    # looks

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hide_columns()

    def show_library(self, is_shown: bool) -> None:
        """Show the shares of the essays in the library, or hide their column."""
        self._has_library = is_shown
        self._hide_columns()

    def _hide_columns(self) -> None:
        """Hide the library until it is searched, and remarks that say nothing or leave names too narrow."""
        self.setColumnHidden(StudentColumn.LIBRARY, not self._has_library)
        figures = [column for column in _FIGURES if not self.isColumnHidden(column)]
        free_px = self.width() - sum(self._widths_px.get(column, 0) for column in (*figures, *_PEOPLE))
        for column in _REMARKS:
            width_px = self._widths_px.get(column, 0)
            is_shown = width_px <= free_px and any(row.text(column) for row in self.rows.rows)
            self.setColumnHidden(column, not is_shown)
            free_px -= width_px if is_shown else 0

    def _fit_columns(self) -> None:
        """Give figures and remarks the width that they need, and both names the rest."""
        header, metrics = self.header(), self.fontMetrics()
        for column in StudentColumn:
            texts = {row.text(column) for row in self.rows.rows} | {_WIDEST_SHARE}
            heading = str(self.rows.headerData(column, Qt.Orientation.Horizontal)).split(_SORT_MARK)[0]
            heading_px = metrics.horizontalAdvance(heading + _SORT_MARK)
            text_px = max(map(metrics.horizontalAdvance, texts))
            is_name = column in _PEOPLE
            width_px = max(heading_px, min(text_px, _WIDEST_NAME_PX) if is_name else text_px)
            self._widths_px[column] = width_px + 2 * SIDE_PX + GRID_PX  # digits of equal width are wider
            mode = QHeaderView.ResizeMode.Stretch if is_name else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
            if not is_name:
                header.resizeSection(column, self._widths_px[column])
        self._hide_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_columns()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        self.header().setStyleSheet(header_style(theme))

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Students"))
        self._fit_columns()
        self.header().viewport().update()
        self.viewport().update()


class StudentPainter(QStyledItemDelegate):
    """Paints rows like those of the table of pairs: tinted if chosen, between two lines if current."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), scaled(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        theme, rect, is_first = current_theme(), QRect(option.rect), index.column() == 0
        is_chosen = bool(index.data(CHOSEN_ROLE))
        if is_chosen:
            painter.fillRect(rect, QColor(theme.accent_tint))
        if is_first and is_chosen:
            painter.fillRect(rect.adjusted(0, 0, _CHOSEN_PX - rect.width(), 0), QColor(theme.accent))
        is_current = option.state & QStyle.StateFlag.State_Selected and self._view.hasFocus()
        edge = QColor(theme.accent if is_current else theme.line)
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), edge)
        if is_current:
            painter.fillRect(rect.adjusted(0, 0, 0, 1 - rect.height()), edge)
        inner = rect.adjusted(FIRST_PX if is_first else SIDE_PX, 0, -SIDE_PX, 0)
        if index.parent().isValid():
            inner.adjust(FIRST_PX, 0, 0, 0)
        font = QFont(option.font)
        font.setFeature(QFont.Tag("tnum"), 1)
        painter.setFont(font)
        painter.setPen(QColor(theme.muted if index.data(PALE_ROLE) else theme.ink))
        if index.data(DOUBT_ROLE):
            inner.adjust(0, 0, -SIGN_PX - GRID_PX, 0)
        text = elided_name(option.fontMetrics, str(index.data() or ""), inner.width())
        painter.drawText(inner, index.data(Qt.ItemDataRole.TextAlignmentRole).value, text)
        if index.data(DOUBT_ROLE):
            after = inner.left() + painter.fontMetrics().horizontalAdvance(text) + GRID_PX
            place = QRect(after, inner.top(), SIGN_PX, inner.height())
            icon("warning", theme.caution).paint(painter, place)
