"""Table of rows of one type: sorted by a click on a heading, copied, read out; every list is of this kind."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QMetaMethod,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QTableView, QWidget

from simcompare.report.wording import named
from simcompare.support.i18n import N_, _
from simcompare.ui.labels import escape_menu_text
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.layouts import ENTER_KEYS, FocusFrame
from simcompare.ui.style.text_labels import as_tooltip, cell_font
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, scaled

RowType = TypeVar("RowType")
AnyIndex = QModelIndex | QPersistentModelIndex
Sorting = tuple[int, Qt.SortOrder]
"""Number of the column that rows are sorted by, and the order."""
NO_FIGURE = "–"
"""Text of a cell without a value."""
_ROW_PX = 7 * GRID_PX
_WIDEST_FITTED_PX = 45 * GRID_PX
_NARROWEST_NAME_PX = 38 * GRID_PX
_SORT_MARKS = {Qt.SortOrder.AscendingOrder: "▲", Qt.SortOrder.DescendingOrder: "▼"}
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CURSOR_KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
_OF_LETTERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
_Move = QAbstractItemView.CursorAction
_NONE = QModelIndex()


@dataclass(frozen=True)  # with slots, Python 3.11 cannot construct Column[...]
class Column(Generic[RowType]):
    """A column: heading (marked with N_), text of a row, and the value by which rows are sorted.

    key: None if whoever shows the rows sorts them. name: returns the full name, where there is more space
    than in the heading. heading_tip, tip: tooltips of the heading and of a cell, by default the whole text.
    spoken: what a screen reader says, by default name and text. ink: name of the theme's colour of a text; a
    text in another one says why, too. is_ticked: whether the box before the text is ticked. is_stretched:
    whether it takes the width that others leave; the first column does if none is. widest: texts that have
    space without being measured in the rows. rank: columns with a greater one are hidden first in a narrow
    table, those with 0 never. copied: what is copied instead of the text.
    """

    heading: str
    text: Callable[[RowType], str]
    key: Callable[[RowType], Any] | None
    is_number: bool = False
    is_greatest_first: bool = False
    name: Callable[[], str] | None = None
    heading_tip: Callable[[], str] | None = None
    tip: Callable[[RowType], str] | None = None
    spoken: Callable[[RowType], str] | None = None
    ink: Callable[[RowType], str] | None = None
    is_ticked: Callable[[RowType], bool] | None = None
    is_stretched: bool = False
    widest: Callable[[], Iterable[str]] | None = None
    rank: int = 0
    copied: Callable[[RowType], str] | None = None

    @property
    def first_order(self) -> Qt.SortOrder:
        return Qt.SortOrder.DescendingOrder if self.is_greatest_first else Qt.SortOrder.AscendingOrder

    @property
    def full_name(self) -> str:
        return _(self.heading) if self.name is None else self.name()

    def spoken_text(self, row: RowType) -> str:
        if self.spoken is not None:
            return self.spoken(row)
        text = self.text(row)
        return named(self.full_name, text if text and text != NO_FIGURE else _("none"))


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of muted text below the rows, across all columns."""

    text: str
    spoken: str


class RowsModel(QAbstractTableModel, Generic[RowType]):
    """Rows in their given order until they are sorted by a column, and lines below them."""

    ticked = Signal(list, bool)
    """Rows whose boxes were clicked, and whether they are to be ticked."""

    def __init__(self, columns: Sequence[Column[RowType]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self.rows: Sequence[RowType] = ()
        self.lines: Sequence[TextRow] = ()
        self.sorted_by: Sorting | None = None
        self.can_tick = True
        self._given: Sequence[RowType] = ()

    def show_rows(self, rows: Sequence[RowType], lines: Sequence[TextRow] = ()) -> None:
        self._given = rows
        if (len(rows), len(lines)) == (len(self.rows), len(self.lines)):
            # other rows are only other data: after a reset the view asks for each row again
            self.rows, self.lines = self._arranged(), lines
            self.emit_changed()
            return
        self.beginResetModel()
        self.rows, self.lines = self._arranged(), lines
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal rows stay in their given order, and with -1 all of them do."""
        self.sorted_by = None if column < 0 else (column, order)
        self.rows = self._arranged()
        self.emit_changed()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _arranged(self) -> Sequence[RowType]:
        number, order = self.sorted_by or (0, Qt.SortOrder.AscendingOrder)
        key = self.columns[number].key
        if self.sorted_by is None or key is None:
            return self._given
        return sorted(self._given, key=key, reverse=order is Qt.SortOrder.DescendingOrder)

    def emit_changed(self) -> None:
        if last := self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(last - 1, len(self.columns) - 1))

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self.rows) + len(self.lines)

    def columnCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            is_sorted = self.sorted_by is not None and self.sorted_by[0] == section
            mark = _SORT_MARKS[self.sorted_by[1]] if is_sorted and self.sorted_by is not None else ""
            return f"{_(column.heading)} {mark}".rstrip()
        if role == Qt.ItemDataRole.ToolTipRole and column.heading_tip is not None:
            return as_tooltip(column.heading_tip())
        return _alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = index.row()
        if not index.isValid() or place >= self.rowCount():
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if place >= len(self.rows):
            return _line_data(self.lines[place - len(self.rows)], index.column(), role)
        row = self.rows[place]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.spoken_text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip((column.tip or column.text)(row))
        if role == Qt.ItemDataRole.ForegroundRole and column.ink is not None:
            return QColor(getattr(current_theme(), column.ink(row)))
        if role == Qt.ItemDataRole.FontRole:
            return cell_font(column.text(row))
        if role == Qt.ItemDataRole.CheckStateRole and column.is_ticked is not None:
            return Qt.CheckState.Checked if column.is_ticked(row) else Qt.CheckState.Unchecked
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emit a click on a box; the rows are ticked by whoever shows them."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.ticked.emit([self.rows[index.row()]], Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class _TickedRowsModel(RowsModel[RowType]):
    """Apart, as Qt asks for the flags of every selected cell when it paints: slow for thousands of rows."""

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_box = index.isValid() and self.columns[index.column()].is_ticked is not None
        return flags | Qt.ItemFlag.ItemIsUserCheckable if is_box and self.can_tick else flags


def _line_data(line: TextRow, column: int, role: int) -> Any:
    if role == Qt.ItemDataRole.ForegroundRole:
        return QColor(current_theme().muted)
    texts: dict[int, str] = {
        Qt.ItemDataRole.DisplayRole: line.text,
        Qt.ItemDataRole.AccessibleTextRole: line.spoken,
    }
    return None if column else texts.get(role)


def _alignment(column: Column[Any]) -> Qt.AlignmentFlag:
    return _AT_RIGHT if column.is_number else _AT_LEFT


class RowsTable(QTableView, Generic[RowType]):
    """View of the rows. The keys of its letters are left to commands, but for those that select or copy."""

    chosen_changed = Signal()
    """Other rows are selected."""
    opened = Signal()
    """Enter or a double click on a row."""
    deletion_requested = Signal()
    margins_px = 7 * GRID_PX
    """Width of a cell beside its text."""
    measured_rows: int | None = 100
    """Number of first rows whose texts have space; None for all."""

    def __init__(
        self,
        columns: Sequence[Column[RowType]],
        key_of: Callable[[RowType], object],
        narrowest_px: int = _NARROWEST_NAME_PX,
    ) -> None:
        """key_of: what a row has in common with the one that replaces it, so that it stays selected.

        narrowest_px: width of a stretched column with long texts for which other columns are hidden.
        """
        super().__init__()
        self._key_of, self._narrowest_px = key_of, narrowest_px
        self._needless: frozenset[int] = frozenset()
        self._widths_px: dict[int, int] = {}
        self._own_px: dict[int, int] = {}
        self._folded: frozenset[int] | set[int] = frozenset()
        self._is_fitting = False
        self._stretched = [number for number, each in enumerate(columns) if each.is_stretched] or [0]
        # of the selected rows and of the current one, also while they are not listed
        self._chosen_keys: set[object] = set()
        self._current_key: object = None
        self._current_line: int | None = None
        self._is_arranging = False
        self._when_empty: QWidget | None = None
        self._usual_sorting: Sorting | None = None
        has_boxes = any(each.is_ticked is not None for each in columns)
        self.model_of_rows: RowsModel[RowType] = (_TickedRowsModel if has_boxes else RowsModel)(columns, self)
        self.setModel(self.model_of_rows)
        self.setObjectName("plainTable")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(self.margins_px)
        header.sectionClicked.connect(self.sort_by)
        header.sectionResized.connect(self._keep_width)
        header.sectionHandleDoubleClicked.disconnect()
        header.sectionHandleDoubleClicked.connect(self._fit_column)
        if any(each.key is not None for each in columns):
            _SortMenu(self)
        FocusFrame(self)
        self.selectionModel().selectionChanged.connect(self._remember_chosen)
        self.selectionModel().currentChanged.connect(self._remember_current)
        self.doubleClicked.connect(lambda _index: self.opened.emit())
        follow_theme(self._fit_rows)
        follow_language(self.fit_columns)
        for part in (self.horizontalHeader().viewport(), self.viewport()):
            follow_language(part.update)

    # --- rows

    def show_rows(self, rows: Sequence[RowType], lines: Sequence[TextRow] = ()) -> None:
        self._rearrange(lambda: self.model_of_rows.show_rows(rows, lines))
        self.clearSpans()
        for place in range(len(lines)):
            self.setSpan(len(rows) + place, 0, 1, len(self.model_of_rows.columns))
        if self._when_empty is not None:
            self._when_empty.setGeometry(self.viewport().geometry())
            self._when_empty.setVisible(not rows)
        self.fit_columns()

    def _rearrange(self, change: Callable[[], None]) -> None:
        """Change the rows; selected ones stay selected, and the current one of them stays in its place.

        Without a selection the scroll position stays, so that new first rows become visible.
        """
        model, bar, before_px = self.model_of_rows, self.verticalScrollBar(), self._current_y_px()
        before, scrolled, self._is_arranging = (model.rows, model.lines), bar.value(), True
        change()
        if (model.rows, model.lines) != before:  # or thousands of selected rows would be selected again
            self._restore_chosen()
        self._is_arranging = False
        self.executeDelayedItemsLayout()  # after a reset
        bar.setValue(scrolled)
        after_px = self._current_y_px()
        is_seen_at_top = not scrolled and after_px is not None  # the first rows stay in sight, too
        if before_px is not None and after_px is not None and not is_seen_at_top:
            bar.setValue(bar.value() + after_px - before_px)
        self.chosen_changed.emit()

    def _current_y_px(self) -> int | None:
        """Y of the current row; None if it is not selected or not visible."""
        # Qt gives a focused table a current row that was not selected
        row = self.currentIndex().row()
        is_selected = row >= 0 and self._current_key in self._chosen_keys
        y_px = self.rowViewportPosition(row)
        return y_px if is_selected and 0 <= y_px < self.viewport().height() else None

    def start_over(self, sorting: Sorting | None = None) -> None:
        """Forget what is selected, and sort as at the beginning."""
        self._chosen_keys, self._current_key, self._current_line = set(), None, None
        self.setCurrentIndex(QModelIndex())
        self._usual_sorting = sorting
        self._sort(sorting)
        self.verticalScrollBar().setValue(0)

    def show_when_empty(self, widget: QWidget) -> None:
        self._when_empty = widget
        widget.setParent(self)

    def sort_by(self, column: int) -> None:
        """Sort by a column, in the order that is useful first; again for the reverse."""
        order = self.model_of_rows.columns[column].first_order
        is_again = self.model_of_rows.sorted_by == (column, order)
        self._sort((column, Qt.SortOrder(1 - order.value) if is_again else order))

    def _sort(self, sorting: Sorting | None) -> None:
        self._rearrange(lambda: self.model_of_rows.sort(*((-1,) if sorting is None else sorting)))

    # --- selection

    def chosen_rows(self) -> list[int]:
        # ranges of whole rows: selectedRows() asks the model for each row, a second for a class of 300
        selection, count = self.selectionModel().selection(), len(self.model_of_rows.rows)
        ranges = map(selection.at, range(selection.count()))
        return sorted({row for part in ranges for row in range(part.top(), min(part.bottom() + 1, count))})

    def chosen(self) -> list[RowType]:
        return [self.model_of_rows.rows[row] for row in self.chosen_rows()]

    def current(self) -> RowType | None:
        row = self.currentIndex().row()
        return self.model_of_rows.rows[row] if 0 <= row < len(self.model_of_rows.rows) else None

    def add_to_menu(self, text: str, run: Callable[[], object]) -> NamedAction:
        """Put an action into the context menu, before the order."""
        action = NamedAction(text, self, run)
        self.insertAction(self.actions()[-1], action)
        return action

    def select_row(self, row: int) -> None:
        self.selectRow(row)
        self.scrollTo(self.model_of_rows.index(row, 0))

    def select_key(self, key: object, *, visible: bool = True) -> None:
        """Select the row with a key, now or once it is listed, or none; visible: scroll to it. No signal."""
        self._chosen_keys, self._current_key = set() if key is None else {key}, key
        self._current_line, self._is_arranging = None, True
        self._restore_chosen()
        self._is_arranging = False
        if visible:
            self.scrollTo(self.currentIndex())

    def rows_of(self, keys: Collection[object]) -> list[int]:
        rows = enumerate(self.model_of_rows.rows)
        return [row for row, value in rows if self._key_of(value) in keys] if keys else []

    def _remember_chosen(self) -> None:
        if not self._is_arranging:
            self._chosen_keys = {self._key_of(row) for row in self.chosen()}
            self.chosen_changed.emit()

    def _remember_current(self, index: QModelIndex) -> None:
        if not self._is_arranging and index.isValid():
            line = index.row() - len(self.model_of_rows.rows)
            self._current_line = line if line >= 0 else None
            self._current_key = None if line >= 0 else self._key_of(self.model_of_rows.rows[index.row()])

    def _restore_chosen(self) -> None:
        model, selection, flags = self.model_of_rows, QItemSelection(), QItemSelectionModel.SelectionFlag
        for first, last in _consecutive_rows(self.rows_of(self._chosen_keys)):
            selection.select(model.index(first, 0), model.index(last, len(model.columns) - 1))
        self.selectionModel().select(selection, flags.ClearAndSelect)
        current = self.rows_of({self._current_key}) if self._current_key is not None else []
        if self._current_line is not None:
            current = [len(model.rows) + self._current_line]
        index = model.index(current[0], 0) if current else QModelIndex()
        self.selectionModel().setCurrentIndex(index, flags.NoUpdate)

    # --- columns

    def leave_out(self, columns: Iterable[int]) -> None:
        """Hide columns that say nothing about the rows that are listed."""
        self._needless = frozenset(columns)
        self._show_columns()

    def fit_columns(self) -> None:
        for number, column in enumerate(self.model_of_rows.columns):
            fitted_px = self._fitted_px(number, column)
            self._widths_px[number] = max(fitted_px, self.horizontalHeader().minimumSectionSize())
        self._show_columns()

    def _keep_width(self, number: int, _before_px: int, px: int) -> None:
        """Keep the width to which a column was dragged; then none is stretched, and the table scrolls."""
        if not self._is_fitting:
            header = self.horizontalHeader()
            shown = (each for each in self._stretched if not self.isColumnHidden(each))
            self._own_px |= {each: header.sectionSize(each) for each in shown} | {number: px}
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _fit_column(self, number: int) -> None:
        self.horizontalHeader().resizeSection(
            number, self._whole_px(number, self.model_of_rows.columns[number])
        )

    def _whole_px(self, number: int, column: Column[RowType]) -> int:
        """Width in which no cell is cut."""
        return self._fitted_px(number, column)

    def _fitted_px(self, _number: int, column: Column[RowType]) -> int:
        rows = self.model_of_rows.rows[: self.measured_rows]
        texts = set(map(column.text, rows) if column.widest is None else column.widest())
        widest = max(map(self.fontMetrics().horizontalAdvance, [*texts, f"{_(column.heading)} ▼"]))
        return min(widest, _WIDEST_FITTED_PX) + self.margins_px

    def _show_columns(self) -> None:
        """Hide columns until names have the width they need, if none was chosen; not one that was clicked."""
        if self._is_fitting:
            return
        columns, shown = self.model_of_rows.columns, self._widths_px.keys() - self._needless
        width_px = self.viewport().width()
        sorted_by = self.model_of_rows.sorted_by
        order = None if sorted_by in (None, self._usual_sorting) else sorted_by[0]
        for number in sorted(shown - {order}, key=lambda number: -columns[number].rank):
            if self._own_px:
                shown -= {number} if number in self._folded else set()
            elif columns[number].rank and self._free_px(shown) < self._names_px_beside(number):
                shown -= {number}
        if not self._own_px:
            self._folded = self._widths_px.keys() - self._needless - shown
        self._is_fitting, header = True, self.horizontalHeader()
        for number in self._widths_px:
            if self.isColumnHidden(number) != (number not in shown):
                self.setColumnHidden(number, number not in shown)
        for number, px in (self._widths_px | self._spread_px(shown) | self._own_px).items():
            if number in shown and header.sectionSize(number) != px:
                header.resizeSection(number, px)
        self._is_fitting = False
        if self.viewport().width() != width_px:  # a scroll bar appeared meanwhile
            self._show_columns()

    def _free_px(self, shown: Iterable[int]) -> int:
        """Width that is left for stretched columns."""
        return self.viewport().width() - sum(self._widths_px[each] for each in {*shown} - {*self._stretched})

    def _spread_px(self, shown: Collection[int]) -> dict[int, int]:
        """Widths of the stretched columns: what each needs, if it is there, and equal parts of the rest."""
        rest_px, spread = self._free_px(shown), dict[int, int]()
        stretched = sorted({*self._stretched}.intersection(shown), key=lambda number: self._widths_px[number])
        for least in (self._widths_px, None):
            for count, number in zip(range(len(stretched), 0, -1), stretched, strict=True):
                part_px = rest_px // count if least is None else min(least[number], rest_px // count)
                spread[number], rest_px = spread.get(number, 0) + part_px, rest_px - part_px
        return spread

    def _names_px_beside(self, _number: int) -> int:
        """Width of all stretched columns for which another column is hidden."""
        return sum(min(self._widths_px.get(each, 0), self._narrowest_px) for each in self._stretched)

    # --- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_columns()
        if self._when_empty is not None:
            self._when_empty.setGeometry(self.viewport().geometry())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_columns()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the row under the pointer the current one, which a click on its box would not."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_box = index.isValid() and self.model_of_rows.columns[index.column()].is_ticked is not None
        if is_box and index.row() != self.currentIndex().row():
            self.setCurrentIndex(index)

    def moveCursor(self, action: _Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Move to the first or last row, not column."""
        if action in (_Move.MoveHome, _Move.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER_KEYS and self.currentIndex().isValid() and self._can_open:
            if not self.selectionModel().hasSelection():
                self.selectRow(0)  # the current row is not seen, and sorting may have moved it down
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.deletion_requested.emit()
        elif event.key() == Qt.Key.Key_Space and self._tick_chosen():
            event.accept()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_rows()
        elif event.key() in _CURSOR_KEYS and not self.selectionModel().hasSelection():
            self.selectRow(self.model_of_rows.rowCount() - 1 if event.key() == Qt.Key.Key_End else 0)
        elif event.text() and event.text().isprintable() and event.modifiers() in _OF_LETTERS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    @property
    def _can_open(self) -> bool:
        """Whether Enter does something here; otherwise it is left to a dialog."""
        return self.isSignalConnected(QMetaMethod.fromSignal(self.opened))

    def _tick_chosen(self) -> bool:
        """Tick the selected rows, or none of them if some are ticked; return False without boxes."""
        model, rows = self.model_of_rows, self.chosen()
        is_ticked = next((each.is_ticked for each in model.columns if each.is_ticked is not None), None)
        if is_ticked is not None and model.can_tick and rows:
            model.ticked.emit(rows, not any(map(is_ticked, rows)))
        return is_ticked is not None

    def copy_rows(self) -> None:
        columns, rows = self.model_of_rows.columns, self.chosen()
        if rows:
            cells = ([(column.copied or column.text)(row) for column in columns] for row in rows)
            lines = map("\t".join, ([column.full_name for column in columns], *cells))
            # a spreadsheet takes a number with a common space
            copied = "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")
            QGuiApplication.clipboard().setText(f"{copied}\n")

    # --- looks

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(scaled(_ROW_PX))
        self.fit_columns()


class _SortMenu(QMenu):
    """Menu "Sort by" in the context menu of a table (menu key, Shift+F10), as a click on a heading does."""

    def __init__(self, table: RowsTable[Any]) -> None:
        super().__init__(table)
        self._table = table
        table.addAction(self.menuAction())
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.aboutToShow.connect(self._fill)
        translated(self, title=N_("Sort by"))

    def _fill(self) -> None:
        self.clear()
        for number, column in enumerate(self._table.model_of_rows.columns):
            if not self._table.isColumnHidden(number):
                action = self.addAction(escape_menu_text(_(column.heading)))
                action.triggered.connect(lambda _on, number=number: self._table.sort_by(number))


def _consecutive_rows(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Find runs of consecutive rows, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and runs[-1][1] == row - 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs
