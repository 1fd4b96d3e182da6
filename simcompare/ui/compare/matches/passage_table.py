"""Table of passages with their pairs of sentences, by mouse and keyboard."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QTableView

from simcompare.support.i18n import N_
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.compare.matches.passage_row_painter import PassageRowPainter, arrow_rect, row_height
from simcompare.ui.compare.matches.passage_rows import PassageRow, PassageRows

# ruff: noqa: N802 - Qt names the methods it calls


class PassageTable(RowsTable[PassageRow]):
    """Table of one column. Right unfolds a passage or enters it, Left folds it or leaves it.

    Emits the row that the user chose, also when it is chosen again; not while several are selected.
    """

    row_chosen = Signal(object)
    """The PassageRow."""

    def __init__(self, rows: PassageRows) -> None:
        text = Column(
            N_("Passages"), rows.excerpt, None, tip=rows.description, spoken=rows.description, widest=tuple
        )
        super().__init__([text], lambda row: row)
        self._passages = rows
        self.setObjectName("")
        self.setItemDelegate(PassageRowPainter(rows, self))
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().hide()
        self.opened.connect(self._choose_current)
        self.pressed.connect(self._choose_again)
        self.verticalScrollBar().setObjectName("slim")

    # --- selection

    def _remember_chosen(self) -> None:
        super()._remember_chosen()
        chosen = [] if self._is_arranging else self.chosen_rows()
        if len(chosen) == 1:
            self.row_chosen.emit(self.model_of_rows.rows[chosen[0]])

    def _choose_again(self, index: QModelIndex) -> None:
        """Emit the pressed row also if it was selected before, which changes no selection."""
        if self.chosen_rows() == [index.row()]:
            self.row_chosen.emit(self.model_of_rows.rows[index.row()])

    def _choose_current(self) -> None:
        self.row_chosen.emit(self.current())

    # --- folding

    def list_rows(self) -> None:
        self.show_rows(self._passages.arranged())

    def set_unfolded(self, passage: int, unfolded: bool) -> None:
        """Unfold or fold a passage; if one of its pairs of sentences was selected, folding selects it."""
        here = self.current()
        if here is not None and here.passage == passage and here.match is not None and not unfolded:
            self._go_to(PassageRow(passage))
        self._passages.set_unfolded(passage, unfolded)
        self.list_rows()

    def _go_to(self, row: PassageRow) -> None:
        for place in self.rows_of({row}):
            self.setCurrentIndex(self.model_of_rows.index(place, 0))

    # --- events

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first row current, without selecting it, if the focus comes by keyboard."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and not self.currentIndex().isValid():
            first = self.model_of_rows.index(0, 0)
            self.selectionModel().setCurrentIndex(first, self.selectionModel().SelectionFlag.NoUpdate)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = self.current()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and here is not None and event.key() == Qt.Key.Key_Right:
            self._enter(here)
        elif plain and here is not None and event.key() == Qt.Key.Key_Left:
            if here.match is None:
                self.set_unfolded(here.passage, False)
            else:
                self._go_to(PassageRow(here.passage))
        elif event.key() == Qt.Key.Key_Space:
            QTableView.keyPressEvent(self, event)  # selects the current row
        else:
            super().keyPressEvent(event)

    def _enter(self, row: PassageRow) -> None:
        if row.match is not None or not self._passages.can_unfold(row.passage):
            return
        if self._passages.is_unfolded(row.passage):
            self.setCurrentIndex(self.model_of_rows.index(self.currentIndex().row() + 1, 0))
        else:
            self.set_unfolded(row.passage, True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._is_at_arrow(index, event):
            passage = self.model_of_rows.rows[index.row()].passage
            self.set_unfolded(passage, not self._passages.is_unfolded(passage))
        else:
            super().mousePressEvent(event)

    def _is_at_arrow(self, index: QModelIndex, event: QMouseEvent) -> bool:
        if not index.isValid() or not arrow_rect(self.visualRect(index)).contains(event.position().toPoint()):
            return False
        row = self.model_of_rows.rows[index.row()]
        return row.match is None and self._passages.can_unfold(row.passage)

    # --- looks

    def fit_columns(self) -> None:
        super().fit_columns()
        height = row_height(self.fontMetrics())
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
