"""Painted pictures with tool tips, and a table of their figures, for screen readers and exact reading.

PySide6 has no QAccessibleTableInterface, with which a painted widget would offer its cells. Qt's own table
view offers those of any model; tests/benchmarks/screen_reader.py checks it with a client of AT-SPI.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QTableView, QToolTip, QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.state.language import NamedAction
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import ENTER_KEYS, FocusFrame, column_of, other_button, row_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = QSize(860, 560)
_MEASURED = 60
_WIDEST_PX = 60 * GRID_PX
_CELL_MARGINS_PX = 6 * GRID_PX
_NONE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class PictureTable:
    """Headings and cells of a picture at one moment; a cell is computed when it is shown or read out.

    first: cell at which the table opens. choose: does in the picture what a click on the cell does. widest:
    a text that every column has space for.
    """

    title: str
    row_count: int
    column_count: int
    row_name: Callable[[int], str]
    column_name: Callable[[int], str]
    cell: Callable[[int, int], str]
    choose: Callable[[int, int], object]
    first: tuple[int, int] = (0, 0)
    widest: str = ""


class Painted(QLabel):
    """Widget that paints itself: as a label with a picture it is a graphic for screen readers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPixmap(QPixmap(1, 1))  # not seen


class PictureWithTips(Painted):
    """Painted widget with a tool tip for each place."""

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        """Return the tool tip at a place, and where it holds; an empty rectangle means all around."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        words, place = self.tip_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), words, self, place)
        return True


class PictureTableModel(QAbstractTableModel):
    """Model of a PictureTable; cells are not stored, so that a table may have millions."""

    def __init__(self, table: PictureTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = table

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self.table.row_count

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self.table.column_count

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        is_column = orientation is Qt.Orientation.Horizontal
        return self.table.column_name(section) if is_column else self.table.row_name(section)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column, table = index.row(), index.column(), self.table
        if role == Qt.ItemDataRole.DisplayRole:
            return table.cell(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            names = (table.row_name(row), table.column_name(column), table.cell(row, column) or _("none"))
            return ", ".join(filter(None, names))
        return None


class PictureTableView(QTableView):
    """Table of a picture; Enter or a double click chooses a cell."""

    def __init__(self, table: PictureTable, choose: Callable[[int, int], None]) -> None:
        super().__init__()
        self._choose = choose
        self.setModel(PictureTableModel(table, self))
        self.setObjectName("plainTable")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(table.title)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)
        self._fit(table)
        FocusFrame(self)
        self.setCurrentIndex(self.model().index(*table.first))
        self.doubleClicked.connect(lambda index: choose(index.row(), index.column()))

    def _fit(self, table: PictureTable) -> None:
        """Set one width for all columns, as thousands cannot be measured, and rows high enough for text."""
        metrics = self.fontMetrics()
        rows, columns = min(table.row_count, _MEASURED), min(table.column_count, _MEASURED)
        texts = [table.widest, *map(table.column_name, range(columns))]
        texts += [table.cell(row, column) for row in range(min(rows, 8)) for column in range(min(columns, 8))]
        widest = max(map(metrics.horizontalAdvance, texts), default=0)
        self.horizontalHeader().setDefaultSectionSize(min(widest, _WIDEST_PX) + _CELL_MARGINS_PX)
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 3 * GRID_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER_KEYS and self.currentIndex().isValid():
            self._choose(self.currentIndex().row(), self.currentIndex().column())
        else:
            super().keyPressEvent(event)


class PictureTableDialog(Dialog):
    """Dialog with the table of a picture; choosing a cell closes it."""

    def __init__(self, table: PictureTable, parent: QWidget) -> None:
        super().__init__(table.title, parent)
        self._table = table
        self.view = PictureTableView(table, self._choose)
        self.hint = MutedLabel(_("Arrow keys move from cell to cell, Enter chooses one as a click does."))
        self.close_button = other_button(_("Close"), self.reject)
        buttons = row_of(None, (self.hint, 1), self.close_button, spacing_px=GRID_PX * 2)
        column_of(self, (self.view, 1), buttons, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 4)
        self.resize(_SIZE_PX.boundedTo(parent.window().size()))
        self.view.setFocus()

    def _choose(self, row: int, column: int) -> None:
        self.accept()
        self._table.choose(row, column)


class TableAction(NamedAction):
    """Command of a picture: opens its table, with T or from the context menu."""

    def __init__(self, picture: QWidget, make: Callable[[], PictureTable | None]) -> None:
        """make: table of what the picture shows, None while it shows nothing."""
        super().__init__(N_("Show as a table"), picture, self._open)
        self._picture, self._make = picture, make
        self.setShortcut("T")
        self.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        picture.addAction(self)
        picture.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _open(self) -> None:
        table = self._make()
        if table is not None and table.row_count and table.column_count:
            PictureTableDialog(table, self._picture.window()).open()
