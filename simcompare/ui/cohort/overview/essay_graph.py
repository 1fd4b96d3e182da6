"""Graph of the essays linked by pairs above the limit: choose essays and pairs by mouse or keyboard."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from simcompare.support.i18n import _
from simcompare.ui.access.picture_table import PictureTable, TableAction
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.overview.class_words import linked_in_words, shares_in_words
from simcompare.ui.cohort.overview.essay_graph_canvas import NODE_PX, EssayGraphCanvas
from simcompare.ui.cohort.overview.picture_tables import table_of_links
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

_NEAR_EDGE_PX = 5.0
_DIRECTIONS = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}
_CHOOSE_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOST_PARTNERS = 12


class EssayGraph(EssayGraphCanvas):
    """Interactive graph. The signals give indices of documents in the picture of the class.

    essay_chosen: a node was clicked; pair_chosen: an edge was clicked; pair_opened: an edge was clicked
    twice.
    """

    essay_chosen = Signal(int)
    pair_chosen = Signal(int, int)
    pair_opened = Signal(int, int)
    hovered = Signal(str)
    """Words on the node or edge under the pointer, or ""."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        TableAction(self, self._as_table)
        follow_language(self._retranslate)

    def _lay_out(self) -> None:
        super()._lay_out()
        self._describe()

    # mouse

    def _things_at(self, place: QPointF) -> tuple[int, ...]:
        """Return the document of the node or name at a position, or both documents of an edge, or ()."""
        if self._layout is None or not len(self._layout.nodes):
            return ()
        x, y = place.x(), place.y()
        below = self.fontMetrics().height() if self._are_nodes_named else 0
        across = np.abs(self._points[:, 0] - x)
        down = y - self._points[:, 1]
        side = max(min(self._cell_px[0] / 2, 40), NODE_PX + 3) if self._are_nodes_named else NODE_PX + 3
        is_dot = np.hypot(across, down) <= NODE_PX + 4
        is_name = (across <= side) & (down > 0) & (down <= NODE_PX + 1 + below)
        hit = np.flatnonzero(is_dot if is_dot.any() else is_name)
        if len(hit):
            return (int(self._layout.nodes[hit[np.argmin(across[hit])]]),)
        return self._edge_at(place)

    def _edge_at(self, place: QPointF) -> tuple[int, ...]:
        assert self._layout is not None
        assert self._picture is not None
        figures, edges = self._picture.figures, self._layout.edges
        if not len(edges):
            return ()
        of_document = np.zeros(figures.count, np.intp)
        of_document[self._layout.nodes] = np.arange(len(self._layout.nodes))
        start = self._points[of_document[figures.left[edges]]]
        along = self._points[of_document[figures.right[edges]]] - start
        towards = np.array([place.x(), place.y()]) - start
        lengths = np.maximum((along**2).sum(axis=1), 1e-9)
        part = np.clip((along * towards).sum(axis=1) / lengths, 0, 1)
        distances = np.hypot(*(towards - part[:, None] * along).T)
        nearest = int(distances.argmin())
        if distances[nearest] > _NEAR_EDGE_PX:
            return ()
        pair = edges[nearest]
        return int(figures.left[pair]), int(figures.right[pair])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the node or edge."""
        found = self._things_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else ()
        if len(found) == 1:
            self._choose(found[0])
        elif found:
            self.pair_chosen.emit(*found)

    def _choose(self, document: int) -> None:
        self._move_cursor(document)
        self.essay_chosen.emit(document)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the pair of an edge."""
        found = self._things_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and len(found) == 2:
            self.pair_opened.emit(*found)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark what is under the pointer."""
        self._hover(self._things_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Mark nothing."""
        super().leaveEvent(event)
        self._hover(())

    def _hover(self, found: tuple[int, ...]) -> None:
        if found != self._hovered:
            self._hovered = found
            self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)
            self.update()
            self.hovered.emit(self._words_of(found))

    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from node to node with arrow keys, choose one with Enter or the space bar."""
        key, cursor = key_of(event), self._cursor_node
        if key in _DIRECTIONS and self._layout is not None and len(self._layout.nodes):
            self._step(*_DIRECTIONS[key])
        elif key in _CHOOSE_KEYS and cursor is not None:
            self.essay_chosen.emit(cursor)
        else:
            super().keyPressEvent(event)

    def _step(self, right: int, down: int) -> None:
        """Go to the nearest node in a direction; without a cursor, to the first one."""
        assert self._layout is not None
        cursor = self._cursor_node
        if cursor is None:
            self._move_cursor(int(self._layout.nodes[0]))
            return
        here = self._point_of(cursor)
        apart = self._points - np.array([here.x(), here.y()])
        ahead = apart @ np.array([right, down])
        aside = np.abs(apart @ np.array([down, right]))
        distance = np.where(ahead > 1, ahead + 2 * aside, np.inf)
        if np.isfinite(distance.min()):
            self._move_cursor(int(self._layout.nodes[distance.argmin()]))

    def _move_cursor(self, document: int) -> None:
        assert self._picture is not None
        self._cursor = self._picture.key_at(document)
        words = self._words_of((document,))
        self._describe()
        self.update()
        self.hovered.emit(words)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    # words

    def event(self, event: QEvent) -> bool:
        """Name the node and those it is linked with, or both essays of an edge."""
        if event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        assert isinstance(event, QHelpEvent)
        words = self._words_of(self._things_at(QPointF(event.pos())))
        QToolTip.showText(event.globalPos(), as_tooltip(words), self)
        return True

    def _words_of(self, documents: tuple[int, ...]) -> str:
        if self._picture is None or not documents:
            return ""
        if len(documents) == 2:
            return shares_in_words(self._picture, *documents)
        own = documents[0]
        links = [
            (first + second - own, share) for first, second, share in self._edges() if own in (first, second)
        ]
        return linked_in_words(self._picture, own, links[::-1][:_MOST_PARTNERS])

    def _as_table(self) -> PictureTable | None:
        return None if self._picture is None else table_of_links(self._picture, self._edges(), self._choose)

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Graph of similar essays"))
        self._describe()
        self._repaint()

    def _describe(self) -> None:
        cursor = self._cursor_node
        keys = _("Arrow keys go from essay to essay, Enter lists the pairs of one, T shows a table.")
        self.setAccessibleDescription(
            self._words_of((cursor,)) if cursor is not None else f"{self.summary}\n{keys}"
        )
