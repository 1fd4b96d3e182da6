"""Table view of the pairs: column widths, keys, selection of whole rows; and the note on a pair."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.cohort.pair_cell_painter import (
    BAR_PX,
    ROW_PX,
    SIDE_PX,
    SIGN_PX,
    PairPainter,
    header_style,
)
from simcompare.ui.cohort.pair_columns import column_name
from simcompare.ui.cohort.pair_order import ALL_SHARES, SHARES, PairColumn
from simcompare.ui.cohort.pair_table_model import WIDEST_SHARE, PairTableModel
from simcompare.ui.compare.matches.note_popup import NotePopup
from simcompare.ui.labels import decision_name
from simcompare.ui.state.cohort.pair_rows_data import Pair
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.style.appearance import APPEARANCE, current_theme, follow_theme, scaled
from simcompare.ui.style.theme import GRID_PX, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls

_NAMES = (PairColumn.A, PairColumn.B)
_FOLDED_MORE_PX = 125 * GRID_PX
"""Width below which the longest passage is hidden, with large text."""
_FOLDED_NAME_PX = 28 * GRID_PX
"""Width of each name below which further columns of figures are hidden."""
_FOLDED = (PairColumn.UNUSUAL, PairColumn.GROUP)
_WIDEST_FIGURE = "88,888"
_WIDEST_GROUP = "88"
_WIDEST_DECISION = "888 of 888"
_SORT_MARK = " ▼"
_WIDEST_PX = 360 * GRID_PX
_WIDE_PX = 240 * GRID_PX
_NARROW_PX = 220 * GRID_PX
_CURSOR_KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)
_OF_LETTERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
_NARROWEST_NAME_PX = 20 * GRID_PX


class PairTableView(QTableView):
    """Table view that emits the row opened with Enter or a double click."""

    opened = Signal(int)

    def __init__(self, rows: PairTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._laid_over: QWidget | None = None
        self._rows = rows
        self._fitted_bar_px = 0
        self._has_groups = False
        self._figures_px: dict[PairColumn, int] = {}
        """Width of each column of figures, also while it is hidden."""
        self.setModel(rows)
        self._painter = PairPainter(rows)
        self.setItemDelegate(self._painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_NARROWEST_NAME_PX // 2)
        fixed, stretched = QHeaderView.ResizeMode.Fixed, QHeaderView.ResizeMode.Stretch
        for column in PairColumn:
            header.setSectionResizeMode(column, stretched if column in _NAMES else fixed)
        rows.headerDataChanged.connect(self.fit_columns)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self.fit_columns()
        follow_theme(self._apply_theme)

    def lay_over(self, widget: QWidget) -> None:
        """Keep a widget as large as the area of the rows."""
        self._laid_over = widget

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns if the length of their bars changes, and the widget over the rows."""
        super().resizeEvent(event)
        if self.bar_px != self._fitted_bar_px:
            self.fit_columns()
        elif self.width() != event.oldSize().width():
            self.fold_columns(has_groups=self._has_groups)
            self._fit_names()
        if self._laid_over is not None:
            self._laid_over.setGeometry(self.viewport().geometry())

    def paintEvent(self, event: QPaintEvent) -> None:
        self._painter.clear_cache()
        super().paintEvent(event)

    @property
    def bar_px(self) -> int:
        """Length of the bars, shorter or zero in a narrow window, in favour of names."""
        if self.width() >= scaled(_WIDEST_PX):
            return 2 * BAR_PX
        if self.width() >= scaled(_WIDE_PX):
            return BAR_PX
        return BAR_PX // 2 if self.width() >= scaled(_NARROW_PX) else 0

    def fit_columns(self) -> None:
        """Give figures the width they need, and names the rest."""
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        self._fitted_bar_px = self.bar_px
        for column in PairColumn:
            if column in _NAMES:
                continue
            widest = WIDEST_SHARE if column in ALL_SHARES else _WIDEST_FIGURE
            widest = self._rows.widest_share if column in SHARES else widest
            widest = _WIDEST_DECISION if column is PairColumn.DECISION else widest
            widest = _WIDEST_GROUP if column is PairColumn.GROUP else widest
            bar = self._fitted_bar_px
            bar = bar + SIDE_PX if column in SHARES and bar else 0
            width = max(
                metrics.horizontalAdvance(widest) + bar,
                self._widest_decision_px() if column is PairColumn.DECISION else 0,
                metrics.horizontalAdvance(column_name(column)) + self._mark_px(column),
            )
            self._figures_px[column] = width + 2 * SIDE_PX
            header.resizeSection(column, self._figures_px[column])
        self.fold_columns(has_groups=self._has_groups)
        self._fit_names()

    def fold_columns(self, *, has_groups: bool) -> None:
        """Hide the groups without any, and in a narrow table what the names need the width of."""
        self._has_groups = has_groups
        is_large = APPEARANCE.text_scale > 1.0
        self.show_column(PairColumn.LONGEST, not is_large or self.width() >= scaled(_FOLDED_MORE_PX))
        wanted = [column for column in _FOLDED if has_groups or column is not PairColumn.GROUP]
        others = [each for each in self._figures_px if each not in _FOLDED and not self.isColumnHidden(each)]
        free_px = self.viewport().width() - sum(self._figures_px[each] for each in (*others, *wanted))
        for column in _FOLDED:
            fits = free_px >= len(_NAMES) * scaled(_FOLDED_NAME_PX)
            self.show_column(column, fits and column in wanted)
            free_px += 0 if fits else self._figures_px[column]

    @property
    def least_name_px(self) -> int:
        """Least width of a name with large text."""
        return scaled(_NARROWEST_NAME_PX)

    def _fit_names(self) -> None:
        """Share the rest among both names; with large text they keep a least width, and the table scrolls."""
        header, least_px = self.horizontalHeader(), self.least_name_px
        figures = set(PairColumn) - set(_NAMES)
        figures_px = sum(header.sectionSize(each) for each in figures if not self.isColumnHidden(each))
        free_px = self.viewport().width() - figures_px
        is_narrow = APPEARANCE.text_scale > 1.0 and free_px < len(_NAMES) * least_px
        mode = QHeaderView.ResizeMode.Fixed if is_narrow else QHeaderView.ResizeMode.Stretch
        for column in _NAMES:
            header.setSectionResizeMode(column, mode)
            if is_narrow:
                header.resizeSection(column, least_px)

    def show_column(self, column: PairColumn, shown: bool) -> None:
        """Show or hide a column of figures."""
        if self.isColumnHidden(column) is shown:
            self.setColumnHidden(column, not shown)
            self._fit_names()

    def _is_sorted_by(self, column: PairColumn) -> bool:
        return str(self.model().headerData(column, Qt.Orientation.Horizontal)) != column_name(column)

    def _mark_px(self, column: PairColumn) -> int:
        """Width of the sort indicator; in a narrow window only for the sorted column."""
        has_mark = self._fitted_bar_px or self._is_sorted_by(column)
        return self.fontMetrics().horizontalAdvance(_SORT_MARK) if has_mark else 0

    def _widest_decision_px(self) -> int:
        """Width of a decision between its icon and that of a note."""
        texts = *map(decision_name, Decision), _("Partly"), _("By passages")
        return max(map(self.fontMetrics().horizontalAdvance, texts)) + 2 * (SIGN_PX + GRID_PX)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Move to the first or last row, not column."""
        if action in (
            QAbstractItemView.CursorAction.MoveHome,
            QAbstractItemView.CursorAction.MoveEnd,
        ):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current row with Enter; ignore letters, as they are commands.

        Without a selection, cursor keys start at the first row, End at the last.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        elif event.key() in _CURSOR_KEYS and not self.selectionModel().hasSelection():
            self.selectRow(self.model().rowCount() - 1 if event.key() == Qt.Key.Key_End else 0)
        elif event.text().isprintable() and event.text() and event.modifiers() in _OF_LETTERS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_columns()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        self.verticalHeader().setDefaultSectionSize(scaled(ROW_PX))
        self.horizontalHeader().setStyleSheet(header_style(theme))


class PairNote(QObject):
    """Popup with the note on a pair; the note belongs to the pair even if its row moves."""

    def __init__(self, review: ReviewHistory, table: QWidget) -> None:
        super().__init__(table)
        self._review = review
        self._table = table
        self._pair: Pair | None = None
        self._popup = NotePopup(N_("Note on the pair"), table)
        self.field = self._popup.field
        self.field.note_changed.connect(self._write)
        self._popup.closed.connect(self._end)
        review.changed.connect(self._show)

    def open(self, pair: Pair, widget: QWidget, place: QRect) -> None:
        """Open the field for a pair whose row is at a rectangle of a widget."""
        self._pair = pair
        self._show()
        self._popup.open_at(widget, place)

    def _show(self) -> None:
        if self._pair is not None:
            self.field.show_note(self._review.pair_review(*self._pair).overall.note)

    def _write(self, note: str) -> None:
        if self._pair is not None:
            self._review.note_pair(*self._pair, note)

    def _end(self) -> None:
        self._pair = None
        self._review.end_typing()
        if self._popup.has_focus:
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)
