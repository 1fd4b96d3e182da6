"""Graph of the essays linked by pairs above the limit, and the panel that it and the heatmap are in."""

from collections.abc import Collection
from itertools import product
from math import hypot

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QButtonGroup, QLabel, QSizePolicy, QWidget

from simcompare.cohort.class_figures import (
    LABEL_PLACES,
    GraphLayout,
    are_crossing,
    diagonals_of,
    lay_out_graph,
)
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.support.display_text import percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.access.picture_table import PictureTable, PictureWithTips, TableAction
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.overview.class_words import (
    Link,
    link_in_words,
    linked_in_words,
    no_conclusion_in_words,
    shares_in_words,
    table_of_links,
)
from simcompare.ui.cohort.overview.essay_map import EssayMap
from simcompare.ui.cohort.overview.histogram_panel import PANEL_HEAD_PX, PANEL_MARGINS_PX
from simcompare.ui.state.cohort.class_filter import ClassPicture
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import FocusFrame, column_of, push_button, row_of
from simcompare.ui.style.text_labels import (
    ElidedLabel,
    announce,
    as_tooltip,
    draw_name,
    elided_name,
    name_font,
)
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, scaled

_WIDEST_NAME_PX = 112
_CELL_HEIGHT_PX = 38
"""Height of a node with its name and some space."""
_LARGEST_CELL_PX = (168, 76)
_LEAST_NAMED_PX = (46, 25)
NODE_PX = 5
_WIDEST_EDGE_PX = 7.0
_DASHED_EDGE_PX = 1.5
_MOST_NAMED_EDGES = 24
_LEAST_NAMED_EDGE_PX = 52
_HALO_PX = 4
_NEAR_EDGE_PX = 5.0
_DIRECTIONS = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}
_CHOOSE_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOST_PARTNERS = 12


class EssayGraph(PictureWithTips):
    """Essays linked at the limit, or dashed by possibly rewritten passages; the others are counted.

    The signals give indices of documents in the picture of the class. essay_chosen: a node was clicked;
    pair_chosen: an edge was clicked; pair_opened: an edge was clicked twice.
    """

    essay_chosen = Signal(int)
    pair_chosen = Signal(int, int)
    pair_opened = Signal(int, int)
    hovered = Signal(str)
    """Words on the node or edge under the pointer, or ""."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ClassPicture | None = None
        self._limit = 0.0
        self._is_complete = False
        self._layout: GraphLayout | None = None
        self._points = np.zeros((0, 2))
        self._cell_px = (0.0, 0.0)
        self._image: QImage | None = None
        self._cursor: int | None = None
        """Key of the document at the cursor."""
        self._hovered: tuple[int, ...] = ()
        self._chosen: frozenset[int] = frozenset()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        FocusFrame(self)
        follow_theme(self._repaint)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        TableAction(self, self._as_table)
        translated(self, accessibleName=N_("Graph of similar essays"))
        follow_language(self._describe)

    def show_class(self, picture: ClassPicture, is_complete: bool = True) -> None:
        """Show the links of a class at its limit; is_complete: all pairs are compared."""
        self._picture, self._limit, self._is_complete = picture, picture.limit, is_complete
        self._lay_out()

    def show_limit(self, limit: float) -> None:
        if limit != self._limit:
            self._limit = limit
            self._lay_out()

    def show_chosen(self, keys: Collection[int]) -> None:
        self._chosen = frozenset(keys)
        self._repaint()

    @property
    def summary(self) -> str:
        """Number of linked essays and of those that are not drawn."""
        layout = self._layout
        if layout is None:
            return ""
        linked = ngettext("{count} linked", "{count} linked", len(layout.nodes))
        rest = ngettext("{count} unlinked", "{count} unlinked", layout.unlinked_count)
        more = ngettext(
            "{count} weaker link not drawn", "{count} weaker links not drawn", layout.hidden_edges
        )
        dashed = _("dashed: rewritten?")
        counts = (layout.unlinked_count, layout.hidden_edges, len(layout.edges) - layout.rewritten_start)
        said = (words for words, count in zip((rest, more, dashed), counts, strict=True) if count)
        return " · ".join([linked, *said])

    def sizeHint(self) -> QSize:
        return QSize(360, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 140)

    # layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def _lay_out(self) -> None:
        self._hovered, self._layout = (), None
        if self._picture is not None and self.isVisible():
            shape = self.width() / self._name_px / (self.height() / scaled(_CELL_HEIGHT_PX))
            self._layout = lay_out_graph(self._picture.figures, self._limit, shape)
            self._place(self._layout)
        self._repaint()
        self._describe()

    @property
    def _name_px(self) -> int:
        """Width that most names need, with space for a share on the edge between two of them."""
        assert self._picture is not None
        widths = sorted(map(self.fontMetrics().horizontalAdvance, self._picture.labels))
        usual = widths[len(widths) * 9 // 10] if widths else 0
        return min(max(usual + 6 * GRID_PX, scaled(_LEAST_NAMED_PX[0])), scaled(_WIDEST_NAME_PX))

    def _place(self, layout: GraphLayout) -> None:
        """Scale the layout to the view; cells grow only so far, and the whole is in the middle."""
        free = (self.width() - 2 * GRID_PX, self.height() - 2 * GRID_PX)
        wanted = max(layout.width, 1e-9), max(layout.height, 1e-9)
        sides = [min(free[n] / wanted[n], scaled(_LARGEST_CELL_PX[n])) for n in range(2)]
        self._cell_px = sides[0], sides[1]
        corner = [(self.width() - wanted[0] * sides[0]) / 2, (self.height() - wanted[1] * sides[1]) / 2]
        self._points = layout.positions * sides + corner
        if self._are_nodes_named:
            self._points[:, 1] -= self._sides * self.fontMetrics().height() / 2

    @property
    def _sides(self) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
        """1 for each node with its name below, -1 for one with it above."""
        assert self._layout is not None
        return np.where(self._layout.are_above, -1.0, 1.0)

    @property
    def _are_nodes_named(self) -> bool:
        return all(side >= scaled(least) for side, least in zip(self._cell_px, _LEAST_NAMED_PX, strict=True))

    @property
    def _cursor_node(self) -> int | None:
        if self._picture is None or self._layout is None or self._cursor is None:
            return None
        index = self._picture.index_of(self._cursor)
        return index if index is not None and index in self._layout.nodes else None

    def _point_of(self, document: int) -> QPointF:
        assert self._layout is not None
        place = int(np.flatnonzero(self._layout.nodes == document)[0])
        return QPointF(*self._points[place].tolist())

    def _edges(self) -> list[Link]:
        """Return the edges, that with the highest share before decisions last."""
        layout, picture = self._layout, self._picture
        if layout is None or picture is None:
            return []
        figures, edges = picture.figures, layout.edges
        columns = figures.left[edges], figures.right[edges], picture.after.larger[edges]
        found: list[Link] = list(zip(*(column.tolist() for column in columns), strict=True))
        dashed = [(left, right, None) for left, right, _share in found[layout.rewritten_start :]]
        return [*dashed[::-1], *found[: layout.rewritten_start][::-1]]

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._layout is None or self._picture is None:
            return
        with QPainter(self) as painter:
            if not len(self._layout.nodes):
                self._paint_empty(painter)
                return
            if self._image is None:
                self._image = self._graph_image()
            painter.drawImage(0, 0, self._image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_cursor(painter)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(QColor(current_theme().muted))
        words = (
            _("No two essays share {limit} or more.").format(limit=percent(self._limit))
            if self._is_complete
            else no_conclusion_in_words()
        )
        flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextWordWrap.value
        painter.drawText(self.rect().adjusted(16, 16, -16, -16), flags, words)

    def _graph_image(self) -> QImage:
        ratio = self.devicePixelRatioF()
        image = QImage(self.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            painter.setFont(self.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edges = self._edges()
            for edge in edges:
                self._paint_edge(painter, *edge)
            if len(edges) <= _MOST_NAMED_EDGES:
                for text, box in self._share_labels(painter.fontMetrics(), edges[::-1]):
                    painter.fillRect(box, QColor(current_theme().surface))
                    painter.setPen(QColor(current_theme().muted))
                    flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextDontClip.value
                    painter.drawText(box, flags, text)
            self._paint_nodes(painter)
        return image

    def _paint_edge(self, painter: QPainter, first: int, second: int, share: float | None) -> None:
        theme = current_theme()
        colour = QColor(theme.accent if share is not None else theme.passages[PassageKind.MEANING].ink)
        if not self._is_chosen_edge(first, second):
            colour.setAlphaF(0.25 if self._chosen else self._edge_opacity)
        painter.setPen(
            QPen(colour, 1 + share * (_WIDEST_EDGE_PX - 1))
            if share is not None
            else QPen(colour, _DASHED_EDGE_PX, Qt.PenStyle.DashLine)
        )
        painter.drawLine(self._point_of(first), self._point_of(second))

    @property
    def _edge_opacity(self) -> float:
        """Opacity of an edge; many edges are paler, so that the nodes are seen."""
        assert self._layout is not None
        return min(0.75, 0.1 + 30 / max(len(self._layout.edges), 1))

    def _is_chosen_edge(self, first: int, second: int) -> bool:
        """Return whether the pair of an edge is listed, if the pairs are filtered by documents."""
        assert self._picture is not None
        ends = {self._picture.key_at(first), self._picture.key_at(second)}
        return (
            bool(self._chosen & ends)
            if len(self._chosen) == 1
            else bool(self._chosen) and ends <= self._chosen
        )

    def _share_labels(self, metrics: QFontMetrics, edges: list[Link]) -> list[tuple[str, QRectF]]:
        """Return the shares to write and their places, for edges by descending share."""
        assert self._picture is not None
        taken = [box for _text, box in self._names(metrics)]
        dot = QPointF(NODE_PX, NODE_PX)
        taken += [QRectF(place - dot, place + dot) for place in (QPointF(*p) for p in self._points.tolist())]
        labels, inside = [], QRectF(self.rect())
        ends = [(self._point_of(first), self._point_of(second)) for first, second, _share in edges]
        lines = np.array([(start.x(), start.y(), end.x(), end.y()) for start, end in ends])
        for (first, second, share), (start, end) in zip(edges, ends, strict=True):
            if share is None:
                break  # the dashed ones, which are last
            along, text = end - start, link_in_words(self._picture, first, second, share)
            box = QRectF(0, 0, metrics.horizontalAdvance(text) + GRID_PX, metrics.capHeight() + 2)
            if abs(along.x()) < _LEAST_NAMED_EDGE_PX and abs(along.y()) < _LEAST_NAMED_EDGE_PX / 2:
                continue
            across = QPointF(-along.y(), along.x()) / hypot(along.x(), along.y())
            beside_px = abs(across.x()) * box.width() + abs(across.y()) * box.height()
            apart_px = (beside_px + _WIDEST_EDGE_PX + GRID_PX) / 2
            for part, side in product(LABEL_PLACES, (-1, 1)):  # beside the edge, not on it
                box.moveCenter(start + along * part + across * apart_px * side)
                corners = box.left(), box.top(), box.right(), box.bottom()
                is_struck = are_crossing(lines, diagonals_of(*corners)).any()
                if inside.contains(box) and not is_struck and not any(map(box.intersects, taken)):
                    taken.append(QRectF(box))
                    labels.append((text, QRectF(box)))
                    break
        return labels

    def _paint_nodes(self, painter: QPainter) -> None:
        assert self._layout is not None
        assert self._picture is not None
        theme, picture = current_theme(), self._picture
        is_chosen = [picture.key_at(node) in self._chosen for node in self._layout.nodes.tolist()]
        painter.setPen(QPen(QColor(theme.surface), 1.5))
        painter.setBrush(QColor(theme.accent))
        for (x, y), chosen in zip(self._points.tolist(), is_chosen, strict=True):
            radius = NODE_PX + 2 * chosen
            painter.drawEllipse(QPointF(x, y), radius, radius)
        for (text, box), chosen in zip(self._names(painter.fontMetrics()), is_chosen, strict=False):
            if chosen:
                painter.fillRect(box, QColor(theme.accent_tint))
            else:  # a box would cut the lines beside the name
                self._paint_halo(painter, box, text)
            painter.setPen(QColor(theme.ink))
            draw_name(painter, box, Qt.AlignmentFlag.AlignCenter, text)

    @staticmethod
    def _paint_halo(painter: QPainter, box: QRectF, text: str) -> None:
        metrics, path = painter.fontMetrics(), QPainterPath()
        left = box.center().x() - metrics.horizontalAdvance(text) / 2
        baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
        path.addText(QPointF(left, baseline), name_font(painter.font(), text), text)
        painter.strokePath(path, QPen(QColor(current_theme().surface), _HALO_PX))

    def _names(self, metrics: QFontMetrics) -> list[tuple[str, QRectF]]:
        """Return the shortened name of each node and its place below it; empty if there is no space."""
        if not self._are_nodes_named or self._layout is None or self._picture is None:
            return []
        shared = self._picture.shared
        names, places = [], (*self._points.T.tolist(), self._sides.tolist(), self._free_widths(metrics))
        for document, x, y, side, width in zip(self._layout.nodes.tolist(), *places, strict=True):
            text = elided_name(metrics, self._picture.labels[document], width, shared[document])
            own = metrics.horizontalAdvance(text)
            left = min(max(x - own / 2, 0), self.width() - own)
            high = metrics.height() - 2
            middle = y + side * (NODE_PX + 1 + high / 2)
            names.append((text, QRectF(left - 2, middle - high / 2, own + 4, high)))
        return names

    def _free_widths(self, metrics: QFontMetrics) -> list[int]:
        """Return how wide each name may be: as its cell, or up to half the way to what is beside it."""
        x, y = self._points.T
        apart, sides = np.abs(x[:, None] - x), self._sides
        reach_px = metrics.height() + 2 * NODE_PX
        names = y + sides * reach_px / 2
        is_name_beside = np.abs(names - names[:, None]) < metrics.height()
        is_node_beside = np.abs(y - names[:, None]) < reach_px / 2
        half = np.where(is_node_beside, apart - 2 * NODE_PX, np.inf)
        half = np.where(is_name_beside, np.minimum(half, apart / 2), half)
        np.fill_diagonal(half, np.inf)
        free = np.minimum(half.min(axis=1, initial=np.inf), np.minimum(x, self.width() - x))
        widths: list[int] = (np.maximum(2 * free, self._cell_px[0]) - GRID_PX).astype(int).tolist()
        return widths

    def _paint_cursor(self, painter: QPainter) -> None:
        theme = current_theme()
        cursor = self._cursor_node if self.hasFocus() else None
        painter.setBrush(Qt.BrushStyle.NoBrush)
        hovered = self._hovered if len(self._hovered) == 1 else ()
        for document in {*hovered, *(() if cursor is None else (cursor,))}:
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawEllipse(self._point_of(document), NODE_PX + 4, NODE_PX + 4)
        if len(self._hovered) == 2:
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawLine(*map(self._point_of, self._hovered))

    def _repaint(self) -> None:
        self._image = None
        self.update()

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
        away = down * self._sides
        is_name = (across <= side) & (away > 0) & (away <= NODE_PX + 1 + below)
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
        found = self._things_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else ()
        if len(found) == 1:
            self._choose(found[0])
        elif found:
            self.pair_chosen.emit(*found)

    def _choose(self, document: int) -> None:
        self._move_cursor(document)
        self.essay_chosen.emit(document)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self._things_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and len(found) == 2:
            self.pair_opened.emit(*found)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._things_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
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
        announce(self, words)

    # words

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        return as_tooltip(self._words_of(self._things_at(place))), QRect()

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

    def _describe(self) -> None:
        cursor = self._cursor_node
        keys = _("Arrow keys go from essay to essay, Enter lists the pairs of one, T shows a table.")
        self.setAccessibleDescription(
            self._words_of((cursor,)) if cursor is not None else f"{self.summary}\n{keys}"
        )


_BOTH_PX = 190 * GRID_PX
"""Width from which both pictures are shown."""
_HINT_PX = 130 * GRID_PX
"""Width from which the hint on the heatmap is shown."""


class _Line(ElidedLabel):
    """Words on a picture, shortened if they are long, but a legend that does not fit is hidden."""

    legend = ""

    def _shortened(self) -> str:
        shortened = super()._shortened()
        return "" if self.text() == self.legend != shortened else shortened


class MapPanel(QWidget):
    """Heatmap and graph, and a line on the cell or node under the pointer or the cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.map, self.graph = EssayMap(), EssayGraph()
        self._title, self._line = translated(QLabel(), N_("Which essays are similar?")), _Line()
        self._title.setObjectName("panelTitle")
        self._line.setObjectName("muted")
        map_tip = N_(
            "A square for every two essays, ordered by group: the stronger its colour, the more similar"
        )
        self.map_button = push_button(N_("All essays"), tip=map_tip, look="switchLeft")
        graph_tip = N_("Essays linked by pairs above the limit, or dashed by possibly rewritten passages")
        self.graph_button = push_button(N_("Groups"), tip=graph_tip, look="switchRight")
        group = QButtonGroup(self)
        for button in (self.map_button, self.graph_button):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
        self.map_button.setChecked(True)
        words = row_of(None, self._title, (self._line, 1), spacing_px=4 * GRID_PX)
        head = row_of(None, (words, 1), self.map_button, self.graph_button)
        pictures = row_of(None, (self.map, 1), (self.graph, 1), spacing_px=4 * GRID_PX)
        column_of(self, head, (pictures, 1), spacing_px=2 * GRID_PX, margins_px=PANEL_MARGINS_PX)
        group.buttonClicked.connect(self._fit)
        for view in (self.map, self.graph):
            view.hovered.connect(self._show_hint)
        follow_language(self._fit_switch)
        follow_language(self._fit)
        follow_theme(self._fit_switch)
        follow_theme(self._fit)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_switch()

    def _fit_switch(self) -> None:
        """Make both words of the switch wide enough for bold text, which the chosen one has."""
        self._title.setMinimumHeight(scaled(PANEL_HEAD_PX))
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for button in (self.map_button, self.graph_button):
            words_px = QFontMetrics(bold).horizontalAdvance(button.text())
            button.setMinimumWidth(words_px + 8 * GRID_PX)

    def show_graph(self, picture: ClassPicture, is_complete: bool = True) -> None:
        """Show the links of a class; that it has none is said once all pairs are compared."""
        self.graph.show_class(picture, is_complete)
        self._show_hint("")

    def show_limit(self, limit: float) -> None:
        self.graph.show_limit(limit)
        self._show_hint("")

    def _show_hint(self, words: str) -> None:
        """Show words on a picture, or the counts of the graph."""
        self._line.legend = self.map.legend
        self._line.setText(words or self._summary())

    def _summary(self) -> str:
        if self.graph.isHidden():
            return self.map.legend if self.width() >= scaled(_HINT_PX) else ""
        return self.graph.summary

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_wide = self.width() >= scaled(_BOTH_PX)
        self.map_button.setVisible(not is_wide)
        self.graph_button.setVisible(not is_wide)
        self.map.setVisible(is_wide or self.map_button.isChecked())
        self.graph.setVisible(is_wide or self.graph_button.isChecked())
        self._show_hint("")
