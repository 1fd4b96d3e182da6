"""Table of rows of one type, sorted by a click on a heading; all tables of the page are of this kind."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from simcompare.report.wording import named
from simcompare.support.i18n import _
from simcompare.ui.access.sort_menu import SortMenu
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.elided_label import FocusFrame
from simcompare.ui.style.theme import GRID_PX
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

RowType = TypeVar("RowType")
_ROW_PX = 8 * GRID_PX
_CELL_MARGINS_PX = 7 * GRID_PX
_WIDEST_FITTED_PX = 45 * GRID_PX
_MEASURED_ROWS = 100
_NARROWEST_NAME_PX = 38 * GRID_PX
_SORT_MARKS = {Qt.SortOrder.AscendingOrder: "▲", Qt.SortOrder.DescendingOrder: "▼"}
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NONE = QModelIndex()


@dataclass(frozen=True)  # with slots, Python 3.11 cannot construct Column[...]
class Column(Generic[RowType]):
    """A column: heading (marked with N_), text of a row, and the value by which rows are sorted.

    rank: columns with a greater one are hidden first in a narrow table, those with 0 never. is_marked:
    whether the text of a row is in the colour of what needs attention; the text says so, too.
    """

    heading: str
    text: Callable[[RowType], str]
    key: Callable[[RowType], Any]
    is_number: bool = False
    is_greatest_first: bool = False
    tip: Callable[[RowType], str] | None = None
    rank: int = 0
    is_marked: Callable[[RowType], bool] | None = None


class RowsModel(QAbstractTableModel, Generic[RowType]):
    """Rows in their given order until a heading is clicked."""

    def __init__(self, columns: Sequence[Column[RowType]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self.rows: list[RowType] = []
        self._given: Sequence[RowType] = ()
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def show_rows(self, rows: Sequence[RowType]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._given = rows
        self._arrange()
        self.endResetModel()

    def sort_by(self, column: int) -> None:
        """Sort by a column, in the order that is useful first; again for the reverse."""
        first = Qt.SortOrder.AscendingOrder
        if self.columns[column].is_greatest_first:
            first = Qt.SortOrder.DescendingOrder
        is_again = self._sorted_by == (column, first)
        self.beginResetModel()
        self._sorted_by = column, Qt.SortOrder(1 - first.value) if is_again else first
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        self.rows = list(self._given)
        if self._sorted_by is not None:
            column, order = self._sorted_by
            is_reversed = order is Qt.SortOrder.DescendingOrder
            self.rows.sort(key=self.columns[column].key, reverse=is_reversed)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, _parent: QModelIndex | QPersistentModelIndex = _NONE) -> int:
        return len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the heading of a column with its sort indicator, or its alignment."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            heading = _(self.columns[section].heading)
            is_sorted = self._sorted_by is not None and self._sorted_by[0] == section
            return (
                f"{heading} {_SORT_MARKS[self._sorted_by[1]]}" if is_sorted and self._sorted_by else heading
            )
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        column, row = self.columns[index.column()], self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return named(_(column.heading), column.text(row) or _("none"))
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip((column.tip or column.text)(row))
        if role == Qt.ItemDataRole.ForegroundRole and column.is_marked is not None and column.is_marked(row):
            return QColor(current_theme().danger)
        return self._alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        return _AT_RIGHT if self.columns[column].is_number else _AT_LEFT


class RowsTable(QTableView, Generic[RowType]):
    """View of the rows; the first column gets the width that the others leave."""

    chosen_changed = Signal()
    """Other rows are selected."""
    opened = Signal()
    """Enter or a double click on a row."""
    deletion_requested = Signal()

    def __init__(
        self,
        columns: Sequence[Column[RowType]],
        key_of: Callable[[RowType], object],
        narrowest_px: int = _NARROWEST_NAME_PX,
    ) -> None:
        """key_of: what a row has in common with the one that replaces it, so that it stays selected.

        narrowest_px: width of the first column for which other columns are hidden.
        """
        super().__init__()
        self._key_of, self._narrowest_px = key_of, narrowest_px
        self._needless: frozenset[int] = frozenset()
        self._widths_px: dict[int, int] = {}
        self.model_of_rows = RowsModel(columns, self)
        self.setModel(self.model_of_rows)
        self.setObjectName("plainTable")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(_CELL_MARGINS_PX)
        header.sectionClicked.connect(self._sort)
        SortMenu(self, self._headings, self._sort)
        FocusFrame(self)
        self.selectionModel().selectionChanged.connect(lambda *_ranges: self.chosen_changed.emit())
        self.doubleClicked.connect(lambda _index: self.opened.emit())
        follow_theme(self._fit_rows)
        follow_language(self._retranslate)

    def show_rows(self, rows: Sequence[RowType]) -> None:
        """Replace all rows; those that are selected stay selected."""
        chosen = {self._key_of(row) for row in self.chosen()}
        scrolled = self.verticalScrollBar().value()
        self.model_of_rows.show_rows(rows)
        self._select(chosen)
        self.verticalScrollBar().setValue(scrolled)
        self.fit_columns()

    def _headings(self) -> list[str | None]:
        """Headings of the columns, None for hidden ones."""
        columns = enumerate(self.model_of_rows.columns)
        return [None if self.isColumnHidden(number) else _(column.heading) for number, column in columns]

    def _sort(self, column: int) -> None:
        chosen = {self._key_of(row) for row in self.chosen()}
        self.model_of_rows.sort_by(column)
        self._select(chosen)

    def chosen(self) -> list[RowType]:
        """Return the selected rows, from above."""
        indexes = self.selectionModel().selectedRows()
        rows = self.model_of_rows.rows
        return [rows[row] for row in sorted(index.row() for index in indexes) if row < len(rows)]

    def select_row(self, row: int) -> None:
        """Select one row and scroll to it."""
        self.selectRow(row)
        self.scrollTo(self.model_of_rows.index(row, 0))

    def _select(self, keys: set[object]) -> None:
        """Select the rows with these keys; signals follow once."""
        model, selection = self.model_of_rows, QItemSelection()
        found = [row for row, value in enumerate(model.rows) if self._key_of(value) in keys]
        for row in found:
            selection.select(model.index(row, 0), model.index(row, len(model.columns) - 1))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect)
        if found:
            self.selectionModel().setCurrentIndex(model.index(found[0], 0), flags.NoUpdate)
        self.chosen_changed.emit()

    def leave_out(self, columns: Iterable[int]) -> None:
        """Hide columns that say nothing about the rows that are listed."""
        self._needless = frozenset(columns)
        self._show_columns()

    def fit_columns(self) -> None:
        """Give each column but the first the width of its texts."""
        metrics, model = self.fontMetrics(), self.model_of_rows
        for number, column in enumerate(model.columns[1:], start=1):
            texts = {column.text(row) for row in model.rows[:_MEASURED_ROWS]}
            widest = max(map(metrics.horizontalAdvance, [*texts, f"{_(column.heading)} ▼"]))
            self._widths_px[number] = min(widest, _WIDEST_FITTED_PX) + _CELL_MARGINS_PX
            if self.horizontalHeader().sectionSize(number) != self._widths_px[number]:
                self.horizontalHeader().resizeSection(number, self._widths_px[number])
        self._show_columns()

    def _show_columns(self) -> None:
        """Hide columns until the first one has the width that names need."""
        columns, shown = self.model_of_rows.columns, self._widths_px.keys() - self._needless
        for number in sorted(shown, key=lambda number: -columns[number].rank):
            room = self.viewport().width() - sum(self._widths_px[each] for each in shown)
            if room < self._narrowest_px and columns[number].rank:
                shown -= {number}
        for number in self._widths_px:
            if self.isColumnHidden(number) != (number not in shown):
                self.setColumnHidden(number, number not in shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the selected row with Enter, ask to delete with Del; letters are commands."""
        if event.key() in _ENTER_KEYS and self.chosen():
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.deletion_requested.emit()
        elif event.text() and event.text().isprintable() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _fit_rows(self) -> None:
        """Follow the text size."""
        self.verticalHeader().setDefaultSectionSize(scaled(_ROW_PX))
        self.fit_columns()

    def _retranslate(self) -> None:
        self.fit_columns()
        self.horizontalHeader().viewport().update()
        self.viewport().update()
