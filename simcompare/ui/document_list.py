"""The documents at hand: their state, and which of them is shown on which side."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QVBoxLayout, QWidget

from simcompare.i18n import _
from simcompare.ui.document_list_painter import DocumentPainter
from simcompare.ui.document_list_rows import ROW_ROLE, DocumentRow, DocumentRows
from simcompare.ui.focus_frame import FocusFrame
from simcompare.ui.match_list_header import ListHeader
from simcompare.ui.text_pane_palette import slim_scroll_bar, surface_palette
from simcompare.ui.theme import LIGHT, Theme

__all__ = ["DocumentList", "DocumentRow"]


class DocumentList(QWidget):
    """Lists documents; a badge, a shortcut or the context menu chooses the side a document is shown on."""

    side_chosen = Signal(int, str)
    """The id of a document, and "left" or "right"."""
    remove_requested = Signal(list)
    """The ids of the selected documents."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = ListHeader(self)
        self._rows = DocumentRows(self)
        self._view = self._make_view()
        self._painter = DocumentPainter(self._view)
        self._view.setItemDelegate(self._painter)
        self._to_left = self._action("Ctrl+L", lambda: self._choose_side("left"))
        self._to_right = self._action("Ctrl+R", lambda: self._choose_side("right"))
        self._view.addAction(self._separator())
        self.remove_action = self._action(QKeySequence.StandardKey.Delete, self._request_removal)
        self._focus_frame = FocusFrame(self._view)
        self._lay_out()
        self._painter.side_clicked.connect(self.side_chosen)
        self._view.selectionModel().selectionChanged.connect(self._enable_actions)
        self._view.selectionModel().currentChanged.connect(self._enable_actions)
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._view)
        self.apply_theme(LIGHT)
        self.retranslate()
        self._enable_actions()

    def _make_view(self) -> QListView:
        view = QListView(self)
        view.setModel(self._rows)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return view

    def _action(self, shortcut: str | QKeySequence.StandardKey, do: Callable[[], None]) -> QAction:
        action = QAction(self._view)
        action.setShortcut(shortcut)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(do)
        self._view.addAction(action)
        return action

    def _separator(self) -> QAction:
        line = QAction(self._view)
        line.setSeparator(True)
        return line

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._view, 1)

    # --- what is shown

    def set_rows(self, rows: Sequence[DocumentRow]) -> None:
        """Show these documents; the current row, the selection and the place in the list stay."""
        if [row.id for row in rows] == self._rows.ids:
            self._rows.update(rows)
            self._view.scheduleDelayedItemsLayout()
        else:
            self._replace(rows)
        self._header.show_count(_("Documents"), f"{len(rows):,}")
        self._enable_actions()

    def _replace(self, rows: Sequence[DocumentRow]) -> None:
        current, selected = self._current(), set(self._selected_ids())
        height = self._view.verticalScrollBar().value()
        self._rows.replace(rows)
        choice = self._view.selectionModel()
        for number, row in enumerate(rows):
            if current and row.id == current.id:
                choice.setCurrentIndex(self._rows.index(number), QItemSelectionModel.SelectionFlag.NoUpdate)
            if row.id in selected:
                choice.select(self._rows.index(number), QItemSelectionModel.SelectionFlag.Select)
        self._view.executeDelayedItemsLayout()
        self._view.verticalScrollBar().setValue(height)

    def _current(self) -> DocumentRow | None:
        row: DocumentRow | None = self._view.currentIndex().data(ROW_ROLE)
        return row

    def _selected_ids(self) -> list[int]:
        rows = sorted(index.row() for index in self._view.selectionModel().selectedIndexes())
        return [self._rows.ids[row] for row in rows]

    # --- what a person does

    def _enable_actions(self) -> None:
        current = self._current()
        may_choose = current is not None and current.may_take_a_side
        self._to_left.setEnabled(may_choose)
        self._to_right.setEnabled(may_choose)
        self.remove_action.setEnabled(self._view.selectionModel().hasSelection())

    def _choose_side(self, side: str) -> None:
        current = self._current()
        if current is not None:
            self.side_chosen.emit(current.id, side)

    def _request_removal(self) -> None:
        self.remove_requested.emit(self._selected_ids())

    # --- looks

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        self._header.show_count(_("Documents"), f"{self._rows.rowCount():,}")
        self._view.setAccessibleName(_("Documents"))
        self._to_left.setText(_("Show on the left"))
        self._to_right.setText(_("Show on the right"))
        self.remove_action.setText(_("Remove from the list"))
        self._view.viewport().update()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.setPalette(surface_palette(theme))
        self._view.setPalette(surface_palette(theme))
        self._view.verticalScrollBar().setStyleSheet(slim_scroll_bar(theme))
        self._header.apply_theme(theme)
        self._focus_frame.apply_theme(theme)
        self._painter.apply_theme(theme)
        self._view.viewport().update()
