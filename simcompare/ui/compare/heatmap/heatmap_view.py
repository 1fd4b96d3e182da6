"""Heatmap of the comparison matrix: zoom, pan and choose cells by mouse or keyboard."""

import html
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSplitter, QToolButton, QWidget

from simcompare.session.decisions import Cell
from simcompare.support.i18n import N_, _
from simcompare.ui.actions import key_of
from simcompare.ui.compare.heatmap.heatmap_canvas import (
    LEAST_WIDTH_PX,
    STEPS,
    ZOOM_KEYS,
    HeatmapCanvas,
    write_downwards,
)
from simcompare.ui.compare.heatmap.heatmap_picture import MARKER_PX
from simcompare.ui.file_dialogs import ask_where_to_write, saved_in_words
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.layouts import ENTER_KEYS
from simcompare.ui.style.text_labels import announce
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, scaled

_TEXTS_PX = 900
"""Width that the texts need; the heatmap gets a share of what there is beyond it."""
_SHARE_OF_REST = 0.4
_LARGEST_WIDTH_PX = 400
_TAB_WIDTH_PX = 6 * GRID_PX
_TAB_TOP_PX = 3 * GRID_PX
_PICTURE_SCALE = 2

_WIDE_ENOUGH_PX = 1200
"""Width of the window from which the heatmap is shown unless the user decides."""


class HeatmapColumns(QSplitter):
    """Texts, and the heatmap at their right; its width follows the window until the user moves the border."""

    width_changed = Signal()

    def __init__(self, texts: QWidget, heatmap: "HeatmapView") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("columns")
        self.texts, self.heatmap = texts, heatmap
        self._was_moved = False
        for place, widget in enumerate((texts, heatmap)):
            self.addWidget(widget)
            self.setCollapsible(place, False)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.splitterMoved.connect(self._keep_moved_border)

    def _keep_moved_border(self) -> None:
        self._was_moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._was_moved:
            share_px = round((self.width() - scaled(_TEXTS_PX)) * _SHARE_OF_REST)
            heatmap_px = min(max(LEAST_WIDTH_PX, share_px), _LARGEST_WIDTH_PX)
            self.setSizes([self.width() - self.handleWidth() - heatmap_px, heatmap_px])
        self.width_changed.emit()


class HeatmapFolding(QObject):
    """Shows the heatmap if the window is wide enough, or as the user chose; the choice is remembered.

    It can take the place of the texts, large, until the user goes back to them.
    """

    noticed = Signal(str)
    """Says where the picture is, or why it could not be written."""

    def __init__(
        self, columns: HeatmapColumns, tabs: Sequence[QToolButton], preferences: Preferences
    ) -> None:
        """`tabs` become switches beside the heatmap: one that shows it, one that makes it large."""
        super().__init__(columns)
        self._columns = columns
        self._preferences = preferences
        tip = N_("Show or hide the heatmap (Ctrl+Shift+H)")
        self.action = translated(QAction(self, checkable=True), N_("Heatmap"), tip)
        self.action.setShortcut("Ctrl+Shift+H")
        self.action.toggled.connect(self._arrange)
        self.action.triggered.connect(self._remember)
        tip = N_("Show the matrix in place of the texts, with the sentences at its edges (Ctrl+Shift+M)")
        self.matrix = translated(QAction(self, checkable=True), N_("Matrix"), tip)
        self.matrix.setShortcut("Ctrl+Shift+M")
        self.matrix.toggled.connect(self._arrange)
        save = NamedAction(N_("Save the matrix as a picture…"), self, self._ask_where)
        self.actions = (self.action, self.matrix, save)
        for tab, action in zip(tabs, self.actions, strict=False):
            tab.setDefaultAction(action)
        columns.heatmap.addActions(self.actions)
        columns.heatmap.left.connect(lambda: self.matrix.setChecked(False))
        columns.width_changed.connect(self._follow_width)
        columns.heatmap.setVisible(False)
        follow_theme(self._follow_width)

    def _remember(self, shown: bool) -> None:
        self._preferences.shows_heatmap = shown
        self.matrix.setChecked(False)

    def _arrange(self) -> None:
        is_large = self.matrix.isChecked()
        self._columns.heatmap.setVisible(is_large or self.action.isChecked())
        self._columns.heatmap.set_large(is_large)
        self._columns.texts.setVisible(not is_large)
        if is_large:
            self._columns.heatmap.setFocus()

    def _ask_where(self) -> None:
        self.matrix.setChecked(self.matrix.isChecked() or self._columns.heatmap.isHidden())
        ask_where_to_write(self._columns, _("Save the matrix as a picture"), "matrix.png", self._save)

    def _save(self, path: Path) -> None:
        self.noticed.emit(saved_in_words(path, self._columns.heatmap.as_png()))

    def _follow_width(self) -> None:
        chosen = self._preferences.shows_heatmap
        is_wide = self._columns.window().width() >= scaled(_WIDE_ENOUGH_PX)
        self.action.setChecked(is_wide if chosen is None else chosen)


class SideTab(QToolButton):
    """Switch with its text written downwards; those of a column share its height."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        return QSize(
            scaled(_TAB_WIDTH_PX), self.fontMetrics().horizontalAdvance(self.text()) + 2 * _TAB_TOP_PX
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        lit = self.isChecked() or self.underMouse()
        painter.fillRect(event.rect(), QColor(theme.accent_tint if lit else theme.background))
        painter.setPen(QColor(theme.line))
        painter.drawLine(self.rect().topLeft(), self.rect().bottomLeft())
        painter.setPen(QColor(theme.ink if lit else theme.muted))
        write_downwards(painter, QRectF(0, _TAB_TOP_PX, self.width(), self.height()), self.text())
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))


class HeatmapView(HeatmapCanvas):
    """Interactive heatmap: rows are sentences of the left text, columns those of the right.

    cell_chosen: row and column of a cell that was clicked or reached by keyboard.
    left: Esc was pressed while it is large.
    """

    cell_chosen = Signal(int, int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._describer: Callable[[int, int], str] = lambda _row, _column: ""
        self._in_short: Callable[[int, int], str] = self._describer
        translated(self, accessibleName=N_("Comparison matrix"))
        follow_language(self._describe_selection)
        follow_language(self._refit)

    def set_describer(
        self, describer: Callable[[int, int], str], in_short: Callable[[int, int], str]
    ) -> None:
        """Set functions that describe a cell by row and column; in_short: for screen readers."""
        self._describer, self._in_short = describer, in_short

    def set_selected(self, row: int | None, column: int | None) -> None:
        super().set_selected(row, column)
        before = self.accessibleDescription()
        self._describe_selection()
        words = self.accessibleDescription()
        if (
            self._selected is not None and words != before
        ):  # the same cell has a new description under new thresholds
            announce(self, words)

    def as_png(self) -> bytes:
        """Return the picture as it is shown, with two pixels for each, as PNG."""
        image = QImage(self.size() * _PICTURE_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(_PICTURE_SCALE)
        self.render(image)
        buffer = QBuffer()
        image.save(buffer, "PNG")  # type: ignore[call-overload]
        return bytes(buffer.data().data())

    def reset_zoom(self) -> None:
        self._zoom_by(0, self._zoom_centre())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._dragged_to is not None:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_zoom()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._pyramid is None or not self._handle_key(event):
            super().keyPressEvent(event)

    def _handle_key(self, event: QKeyEvent) -> bool:
        key = key_of(event)
        if key in STEPS:
            self._step(STEPS[key], bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key in ZOOM_KEYS:
            self._zoom_by(ZOOM_KEYS[key], self._zoom_centre())
        elif key in ENTER_KEYS and self._selected is not None:
            self.cell_chosen.emit(*self._selected)
        elif key == Qt.Key.Key_Escape and self._is_large:
            self.left.emit()
        else:
            return False
        return True

    def _step(self, step: tuple[int, int], to_match: bool) -> None:
        """Go to the next cell or match; without a selection, to the first visible cell."""
        assert self._pyramid is not None
        assert self._geometry is not None
        if self._selected is None:
            start = (self._geometry.rows.visible.start, self._geometry.columns.visible.start)
            self._choose(self._matched.first() or start if to_match else start)
            return
        row, column = self._selected
        if to_match:
            reached = self._matched.next_from(row, column, step)
        else:
            reached = (row + step[0], column + step[1])
        if reached is not None and self._is_in_matrix(reached):
            self._choose(reached)

    def _is_in_matrix(self, cell: Cell) -> bool:
        assert self._pyramid is not None
        return 0 <= cell[0] < self._pyramid.rows and 0 <= cell[1] < self._pyramid.columns

    def choose(self, row: int, column: int) -> None:
        self._choose((row, column))

    def _choose(self, cell: Cell) -> None:
        self.set_selected(*cell)
        self.cell_chosen.emit(*cell)

    def _hover(self, cell: Cell | None) -> None:
        if self._pressed_at is None:
            self.setCursor(Qt.CursorShape.ArrowCursor if cell is None else Qt.CursorShape.CrossCursor)
        if cell != self._hovered:
            self._hovered = cell
            self.update()

    def _origin(self) -> QPointF:
        return QPointF() if self._frame is None else QPointF(self._frame.origin)

    def _zoom_centre(self) -> QPointF:
        """Centre of a zoom by keyboard: the selected cell if visible, otherwise the middle of the map."""
        if self._frame is None or self._geometry is None:
            return QPointF()
        rows, columns = self._geometry.rows, self._geometry.columns
        row, column = self._selected or (-1, -1)
        if row in rows.visible and column in columns.visible:
            return QPointF(self._frame.origin) + QPointF(columns.centre_px(column), rows.centre_px(row))
        return QPointF(self._frame.map_rect(self._geometry).center())

    def _cell_at(self, position: QPointF) -> Cell | None:
        """Cell at a position; if cells are too small to hit, a marked one nearby."""
        if self._frame is None or self._geometry is None:
            return None
        rows, columns = self._geometry.rows, self._geometry.columns
        inside = position - QPointF(self._frame.origin)
        row, column = rows.index_at(inside.y()), columns.index_at(inside.x())
        if row is None or column is None:
            return None
        if self._geometry.smallest_cell_px >= MARKER_PX:
            return row, column
        marked = self._matched.nearest(rows, columns, inside.x(), inside.y(), MARKER_PX - 1)
        return marked or (row, column)

    def tip_at(self, position: QPointF) -> tuple[str, QRect]:
        if self._frame is None or self._geometry is None:
            return "", QRect()
        cell = self._cell_at(position)
        bar = QRect() if self._frame.is_narrow else self._frame.bar_rect(self._geometry)
        if cell is not None:
            place = self._geometry.cell_rect(*cell).translated(QPointF(self._frame.origin))
            under_pointer = QRect(position.toPoint(), QSize(1, 1))
            return _literal(self._tool_tip_text(cell)), place.toAlignedRect() | under_pointer
        return (_literal(_colour_bar_text()), bar) if bar.contains(position.toPoint()) else ("", QRect())

    def _tool_tip_text(self, cell: Cell) -> str:
        passage = self._passages.containing(*cell)
        words = self._describer(*cell)
        return words if passage is None else f"{words}\n{self._passages.name_of(passage)}"

    def _describe_selection(self) -> None:
        words = _help_text() if self._selected is None else self._in_short(*self._selected)
        self.setAccessibleDescription(words)


def _literal(words: str) -> str:
    """Convert plain text to rich text, which a tool tip wraps."""
    return f"<qt>{html.escape(words)}</qt>".replace("\n", "<br>")


def _help_text() -> str:
    return _(
        "Rows are the sentences of the left text, columns those of the right. Arrow keys move from cell to "
        "cell, with Shift from match to match; plus and minus zoom, 0 shows all, T shows a table."
    )


def _colour_bar_text() -> str:
    return _(
        "How much two sentences have in common, from 0 (nothing) to 1 (everything). Below “Possible from”, "
        "colours are pale."
    )
