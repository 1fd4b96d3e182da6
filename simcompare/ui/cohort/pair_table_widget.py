"""Table of the pairs: widths of its columns in windows of all sizes; and the note on a pair."""

from collections.abc import Collection, Iterable

import numpy as np
from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.access.rows_table import Column
from simcompare.ui.cohort.class_table import BAR_PX, SIDE_PX, SIGN_PX, ClassTable
from simcompare.ui.cohort.pair_order import SHARES, Order, PairColumn
from simcompare.ui.cohort.pair_rows import PairRows
from simcompare.ui.compare.matches.note_popup import NotePopup
from simcompare.ui.state.cohort.pair_rows_data import Pair
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, scaled

# ruff: noqa: N802 - Qt names the methods it calls

_NAMES = (PairColumn.A, PairColumn.B)
_FOLDED_MORE_PX = 125 * GRID_PX
"""Width below which the longest passage is hidden, with large text."""
_FOLDED_NAME_PX = 28 * GRID_PX
"""Width of each name below which further columns of figures are hidden."""
_WIDEST_PX = 360 * GRID_PX
_WIDE_PX = 240 * GRID_PX
_NARROW_PX = 220 * GRID_PX
_NARROWEST_NAME_PX = 20 * GRID_PX


class PairTableView(ClassTable[int]):
    """Table of the pairs by their places in the table of the state, whose order it is given."""

    sorting_requested = Signal(int)
    """Number of the column whose heading was clicked."""
    _unwanted: frozenset[int] = frozenset()

    def __init__(self, rows: PairRows, workspace: Workspace) -> None:
        super().__init__(rows.columns(), rows.pair_at, _FOLDED_NAME_PX)
        self._pairs, self._pair_rows = workspace.pairs, rows
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def sort_by(self, column: int) -> None:
        self.sorting_requested.emit(column)

    def mark_order(self, order: Order) -> None:
        direction = Qt.SortOrder.DescendingOrder if order.descending else Qt.SortOrder.AscendingOrder
        self.model_of_rows.sort(-1 if order.column is None else order.column, direction)
        self.fit_columns()

    def rows_of(self, keys: Collection[object]) -> list[int]:
        place_of = self._pairs.table.place_of
        places = [place for pair in keys if isinstance(pair, tuple) and (place := place_of(pair)) is not None]
        return np.flatnonzero(np.isin(self.model_of_rows.rows, places)).tolist() if places else []

    def paintEvent(self, event: QPaintEvent) -> None:
        with self._pair_rows.kept():
            super().paintEvent(event)

    # --- widths

    @property
    def bar_px(self) -> int:
        """Length of the bars, shorter or zero in a narrow window, in favour of names."""
        if self.width() >= scaled(_WIDEST_PX):
            return 2 * BAR_PX
        if self.width() >= scaled(_WIDE_PX):
            return BAR_PX
        return BAR_PX // 2 if self.width() >= scaled(_NARROW_PX) else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns, as the length of their bars may change."""
        super().resizeEvent(event)
        if self.width() != event.oldSize().width():
            self.fit_columns()

    def _fitted_px(self, number: int, column: Column[int]) -> int:
        """Width of the widest figure and of the heading; in a narrow window only a sorted one has a mark."""
        advance, bar_px = self.fontMetrics().horizontalAdvance, self.bar_px
        beside_px = bar_px + SIDE_PX if number in SHARES and bar_px else 0
        beside_px += 2 * (SIGN_PX + GRID_PX) if number == PairColumn.DECISION else 0
        texts = () if column.widest is None else column.widest()
        sorted_by = self.model_of_rows.sorted_by
        has_mark = bar_px or (sorted_by is not None and sorted_by[0] == number)
        heading_px = advance(_(column.heading) + (" ▼" if has_mark else ""))
        return max(max(map(advance, texts), default=0) + beside_px, heading_px) + 2 * SIDE_PX

    @property
    def _names_px(self) -> int:
        return len(_NAMES) * scaled(_FOLDED_NAME_PX)

    def leave_out(self, columns: Iterable[int]) -> None:
        self._unwanted = frozenset(columns)
        self._show_columns()

    def _show_columns(self) -> None:
        """Hide columns in favour of names; large names keep a least width, for which the table scrolls."""
        is_large = APPEARANCE.text_scale > 1.0
        is_narrow = is_large and self.width() < scaled(_FOLDED_MORE_PX)
        self._needless = self._unwanted | ({PairColumn.LONGEST} if is_narrow else frozenset())
        super()._show_columns()
        header, least_px = self.horizontalHeader(), self.least_name_px
        figures_px = sum(px for each, px in self._widths_px.items() if not self.isColumnHidden(each))
        figures_px -= sum(self._widths_px.get(each, 0) for each in _NAMES)
        is_scrolled = is_large and self.viewport().width() - figures_px < len(_NAMES) * least_px
        mode = QHeaderView.ResizeMode.Fixed if is_scrolled else QHeaderView.ResizeMode.Stretch
        for column in _NAMES:
            if header.sectionResizeMode(column) != mode:  # or the header lays itself out again
                header.setSectionResizeMode(column, mode)
            if is_scrolled:
                header.resizeSection(column, least_px)

    @property
    def least_name_px(self) -> int:
        return scaled(_NARROWEST_NAME_PX)


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
