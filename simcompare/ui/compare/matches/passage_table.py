"""Table of passages with their pairs of sentences, by mouse and keyboard."""

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTableView, QWidget

from simcompare.ui.compare.matches.passage_row_painter import PassageRowPainter, arrow_rect, row_height
from simcompare.ui.compare.matches.passage_rows import PassageRow, PassageRows
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.theme import slim_scroll_bar, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls


class PassageTable(QTableView):
    """Table of one column: a QListView or QTreeView would read every row whenever the passages change.

    Right unfolds a passage or enters it, Left folds it or leaves it. Emits the row that the user chose, also
    when it is chosen again; not while several are selected.
    """

    chosen = Signal(object)
    """The PassageRow."""

    def __init__(self, rows: PassageRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._painter = PassageRowPainter(rows)
        self.setModel(rows)
        self.setItemDelegate(self._painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.activated.connect(self._choose)
        self.pressed.connect(self._choose_again)
        self._fit_rows()
        follow_theme(self._apply_theme)

    # --- selection

    @property
    def several_selected(self) -> list[PassageRow]:
        """Passages and pairs of sentences of the selected rows, in order, if there are several."""
        if self._selected_count() < 2:
            return []
        parts = sorted((part.top(), part.bottom()) for part in self._selected_ranges())
        return [self._rows.at(row) for top, bottom in parts for row in range(top, bottom + 1)]

    def _selected_count(self) -> int:
        return sum(part.height() for part in self._selected_ranges())

    def _selected_ranges(self) -> list[QItemSelectionRange]:
        """Ranges of selected rows; a list of their indices takes long with all rows of a long list."""
        selection = self.selectionModel().selection()
        return [selection.at(place) for place in range(selection.count())]

    def select_row(self, row: int | None, *, visible: bool) -> None:
        """Select one row only, or none, without a signal; `visible` scrolls to it."""
        with QSignalBlocker(self):
            if row is None:
                self.setCurrentIndex(QModelIndex())
                self.clearSelection()
                return
            # Shift, held for a shortcut, would extend the selection in `QTableView.setCurrentIndex`
            only_this = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self._rows.index(row), only_this)
            if visible:
                self.scrollTo(self._rows.index(row))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if self._selected_count() == 1:
            self._choose(self._rows.index(self._selected_ranges()[0].top()))

    def _choose_again(self, index: QModelIndex) -> None:
        """Emit the pressed row also if it was selected before, which changes no selection."""
        if self._selected_count() == 1 and self.selectionModel().isSelected(index):
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(self._rows.at(index.row()))

    # --- folding

    def set_unfolded(self, passage: int, unfolded: bool) -> None:
        """Unfold or fold a passage; if one of its pairs of sentences was selected, folding selects it."""
        row = self._rows.row_of(passage)
        here = self.currentIndex()
        leaves = here.isValid() and self._rows.at(here.row()).passage == passage and here.row() != row
        if leaves and not unfolded and row is not None:
            self.setCurrentIndex(self._rows.index(row))
        self._rows.set_unfolded(passage, unfolded)

    # --- events

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first row current, without selecting it, if the focus comes by keyboard."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and not self.currentIndex().isValid():
            first = self._rows.index(0)
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Interpret Home and End as first and last row, not column."""
        if action in (QTableView.CursorAction.MoveHome, QTableView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = self.currentIndex()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and here.isValid() and event.key() == Qt.Key.Key_Right:
            self._enter(here.row())
        elif plain and here.isValid() and event.key() == Qt.Key.Key_Left:
            self._leave(here.row())
        else:
            super().keyPressEvent(event)

    def _enter(self, row: int) -> None:
        shown = self._rows.at(row)
        if shown.match is not None or not self._rows.can_unfold(shown.passage):
            return
        if self._rows.is_unfolded(shown.passage):
            self.setCurrentIndex(self._rows.index(row + 1))
        else:
            self.set_unfolded(shown.passage, True)

    def _leave(self, row: int) -> None:
        shown = self._rows.at(row)
        if shown.match is None:
            self.set_unfolded(shown.passage, False)
        else:
            self.setCurrentIndex(self._rows.index(self._rows.row_of(shown.passage) or 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold at the arrow; emit the row again if it is already the only selected one."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() == Qt.MouseButton.LeftButton and self._is_at_arrow(index, event):
            passage = self._rows.at(index.row()).passage
            self.set_unfolded(passage, not self._rows.is_unfolded(passage))
            return
        again = self.selectionModel().isSelected(index) and self._selected_count() == 1
        super().mousePressEvent(event)
        if again and self._selected_count() == 1:
            self._choose(index)

    def _is_at_arrow(self, index: QModelIndex, event: QMouseEvent) -> bool:
        if not index.isValid() or not arrow_rect(self.visualRect(index)).contains(event.position().toPoint()):
            return False
        shown = self._rows.at(index.row())
        return shown.match is None and self._rows.can_unfold(shown.passage)

    # --- looks

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def _fit_rows(self) -> None:
        height = row_height(self.fontMetrics())
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        self.verticalScrollBar().setStyleSheet(slim_scroll_bar(theme))
