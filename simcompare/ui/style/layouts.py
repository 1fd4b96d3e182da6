"""Buttons, rows, columns, grids, rows that wrap in small windows, frames for the focus, places of pop-ups."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, SignalInstance
from PySide6.QtGui import QColor, QFocusEvent, QIcon, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QSpacerItem,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from simcompare.ui.state.language import Words, translated
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, current_theme, scaled


def place_below(widget: QWidget, place: QRect, size: QSize, *, is_centred: bool = True) -> QPoint:
    """Global position of a pop-up below a rectangle of a widget, or above it at the bottom of the window.

    The pop-up has a margin to the edges of the window; if it does not fit into the window, to those of the
    screen. Not centred, its left edge is that of the rectangle.
    """
    anchor = QRect(widget.mapToGlobal(place.topLeft()), place.size())
    window = widget.window()
    area = _without_margin(QRect(window.mapToGlobal(window.rect().topLeft()), window.size()))
    if area.width() < size.width() or area.height() < size.height():
        area = _without_margin(widget.screen().availableGeometry())
    left = anchor.center().x() - size.width() // 2 if is_centred else anchor.left()
    top = anchor.bottom() + GRID_PX
    if top + size.height() > area.bottom() + 1:
        top = anchor.top() - size.height() - GRID_PX
    return QPoint(
        max(area.left(), min(left, area.right() + 1 - size.width())),
        max(area.top(), min(top, area.bottom() + 1 - size.height())),
    )


def _without_margin(area: QRect) -> QRect:
    return area.adjusted(GRID_PX, GRID_PX, -GRID_PX, -GRID_PX)


_LINE_PX = 2
_BY_MOUSE = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.PopupFocusReason)


class FocusFrame(QWidget):
    """Frame around a widget with keyboard focus; not shown after a click."""

    def __init__(self, framed: QWidget, gap_px: int = 0, ink: str = "accent") -> None:
        """gap_px: distance from the widget, for one with text up to its edge; negative inside it."""
        super().__init__(framed)
        self._gap_px, self._ink = gap_px, ink
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._framed = framed
        framed.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
            self._place()
            self.setVisible(event.reason() not in _BY_MOUSE)
            self.raise_()
        elif kind == QEvent.Type.FocusOut:
            self.hide()
        elif kind == QEvent.Type.Resize and not self.isHidden():
            self._place()
            self.show()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Surround the widget, as a child of the nearest ancestor that is large enough for the frame."""
        host, gap = self._framed, self._gap_px
        place = host.rect().adjusted(-gap, -gap, gap, gap)
        while not host.rect().contains(place) and (around := host.parentWidget()) is not None:
            place.translate(host.pos())
            host = around
        if self.parentWidget() is not host:
            self.setParent(host)
        self.setGeometry(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(getattr(current_theme(), self._ink)), _LINE_PX))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))


BAR_MARGINS_PX = (4 * GRID_PX, 2 * GRID_PX, 4 * GRID_PX, 2 * GRID_PX)
"""Left, top, right and bottom margin of a bar as wide as the window."""
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | None
"""A widget or layout, with or without a stretch factor; None is an empty space that stretches."""
Margins = int | tuple[int, int, int, int]
_BoxLayout = TypeVar("_BoxLayout", bound=QBoxLayout)


class CurrentPageStack(QStackedWidget):
    """Stack of pages that needs only the space of the current one, however large the others are."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


def row_of(parent: QWidget | None, *parts: Part, spacing_px: int = 0, margins_px: Margins = 0) -> QHBoxLayout:
    """Return a row of parts, from left to right; the layout of `parent`, or a part of another layout."""
    return _filled(QHBoxLayout(), parent, parts, spacing_px, margins_px)


def column_of(
    parent: QWidget | None, *parts: Part, spacing_px: int = 0, margins_px: Margins = 0
) -> QVBoxLayout:
    """Return a column of parts, from top to bottom; the layout of `parent`, or a part of another layout."""
    return _filled(QVBoxLayout(), parent, parts, spacing_px, margins_px)


def _filled(
    layout: _BoxLayout,
    parent: QWidget | None,
    parts: tuple[Part, ...],
    spacing_px: int,
    margins_px: Margins,
) -> _BoxLayout:
    if parent is not None:
        parent.setLayout(layout)
    layout.setContentsMargins(*(margins_px if isinstance(margins_px, tuple) else [margins_px] * 4))
    layout.setSpacing(spacing_px)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            layout.addStretch()
        elif isinstance(item, QLayout):
            layout.addLayout(item, stretch)
        else:
            layout.addWidget(item, stretch)
    return layout


def chain_tab_order(parts: Iterable[QWidget]) -> None:
    """Set the tab order of parts of a window; within a part it is the order of its children."""
    chain = [widget for part in parts for stop in tab_stops(part) for widget in _with_proxied_parent(stop)]
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)


def _with_proxied_parent(stop: QWidget) -> list[QWidget]:
    """Put the parent whose focus proxy is `stop` before it: elsewhere in the order it would lead back."""
    parent = stop.parentWidget()
    return [parent, stop] if parent is not None and parent.focusProxy() is stop else [stop]


def tab_stops(part: QWidget) -> Iterator[QWidget]:
    """Yield the widgets of a part that take the focus by Tab, hidden or not, except in its own windows."""
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None:
        yield part
    # the children of a splitter are in reverse order, as it lowers each that is added
    children = map(part.widget, range(part.count())) if isinstance(part, QSplitter) else part.children()
    for child in children:
        if isinstance(child, QWidget) and not child.isWindow():
            yield from tab_stops(child)


Row = tuple[QLabel | None, QWidget]


def grid_of(rows: Sequence[Row], *, at_top: QWidget) -> QGridLayout:
    """Return a grid of labels and fields; labels are centred vertically, except that of `at_top`."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(GRID_PX * 3)
    grid.setVerticalSpacing(GRID_PX * 2)
    grid.setColumnStretch(1, 1)
    for row, (label, field) in enumerate(rows):
        if label is not None:
            side = Qt.AlignmentFlag.AlignTop if field is at_top else Qt.AlignmentFlag.AlignVCenter
            grid.addWidget(label, row, 0, side)
            label.setBuddy(field)
        grid.addWidget(field, row, 1)
    return grid


def keep_size_when_hidden(widget: QWidget) -> None:
    """Keep the space of a widget while it is hidden, so that the layout does not move."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def set_options(box: QComboBox, options: Sequence[tuple[object, str]], chosen: object) -> None:
    """Fill a combo box with (value, label) without emitting signals."""
    box.blockSignals(True)
    box.clear()
    for value, text in options:
        box.addItem(text, value)
    box.setCurrentIndex(max(box.findData(chosen), 0) if options else -1)
    box.blockSignals(False)


_STACKED_BELOW_PX = 100 * GRID_PX
_STACKED_MARGINS_PX = (3 * GRID_PX,) * 4


class StackingRow(QBoxLayout):
    """A bar of parts of which the first stretches; they stand one above the other where it is narrow."""

    def __init__(self, parent: QWidget, *parts: QWidget | QLayout) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        _filled(self, parent, ((parts[0], 1), *parts[1:]), 2 * GRID_PX, BAR_MARGINS_PX)

    def setGeometry(self, rect: QRect) -> None:
        is_narrow = rect.width() < scaled(_STACKED_BELOW_PX)
        self.setContentsMargins(*(_STACKED_MARGINS_PX if is_narrow else BAR_MARGINS_PX))
        self.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)
        super().setGeometry(rect)

    def heightForWidth(self, width_px: int) -> int:
        """Return the height as arranged for a width, which the present arrangement may not be."""
        is_narrow = width_px < scaled(_STACKED_BELOW_PX)
        left, top, right, bottom = _STACKED_MARGINS_PX if is_narrow else BAR_MARGINS_PX
        all_items = map(self.itemAt, range(self.count()))
        items = [item for item in all_items if item is not None and not item.isEmpty()]
        free_px, gap_px = width_px - left - right, self.spacing()
        if is_narrow:
            height_px = sum(_height_at(item, free_px) + gap_px for item in items) - gap_px
        else:
            widths = [item.sizeHint().width() for item in items[1:]]
            widths.insert(0, free_px - sum(width + gap_px for width in widths))
            height_px = max((_height_at(*each) for each in zip(items, widths, strict=False)), default=0)
        return top + height_px + bottom


def _height_at(item: QLayoutItem, width_px: int) -> int:
    row = item.layout()
    if isinstance(row, WrappingRow):
        return row.height_at(width_px)
    return item.heightForWidth(width_px) if item.hasHeightForWidth() else item.sizeHint().height()


_ANY_PX = 2**24 - 1
"""Qt's largest width of a widget."""


class WrappingRow(QLayout):
    """Row from left to right that wraps with large text or in a small window; otherwise it is a single row.

    Its height follows the last width. A layout with Qt's height for width would not do: splitters and scroll
    areas, in which the rows are, take no account of it.
    """

    may_wrap: bool | None = None
    """Whether to wrap; None: with large text or in a small window."""

    def __init__(self, *parts: QWidget | None, spacing_px: int = 0, least_height_px: int = 0) -> None:
        """None is an empty space that stretches in a single row."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._least_height_px = least_height_px
        self._width_px = 0
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing_px)
        for part in parts:
            if part is None:
                self.addItem(QSpacerItem(0, 0))
            else:
                self.addWidget(part)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Item at a place; None behind the last one, where Qt ends its loops."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def minimumSize(self) -> QSize:
        items = [item for row in self._rows(0) for item in row]
        widest = max((_least_px(item) for item in items), default=0)
        whole = self._least_width_px(items)
        return QSize(widest if self._wraps else whole, self._height_px())

    def sizeHint(self) -> QSize:
        items = [item for row in self._rows(0) for item in row]
        width_px = sum(item.sizeHint().width() for item in items) + self._gaps_px(items)
        return QSize(width_px, self._height_px())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        before_px, self._width_px = self._height_px(), rect.width()
        rows = self._rows(rect.width())
        top = rect.top()
        for row in rows:
            height_px = rect.height() if len(rows) == 1 else _height_px(row)
            items = row if len(rows) == 1 else [item for item in row if isinstance(item, QWidgetItem)]
            self._place(items, QRect(rect.left(), top, rect.width(), height_px))
            top += height_px + self.spacing()
        if self._height_px() != before_px:
            self.update()

    @property
    def _wraps(self) -> bool:
        return APPEARANCE.is_cramped if self.may_wrap is None else self.may_wrap

    def _rows(self, width_px: int) -> list[list[QLayoutItem]]:
        """Distribute the visible items over rows of a width; it is one where space is not scarce."""
        visible = [item for item in self._items if not item.isEmpty() or isinstance(item, QSpacerItem)]
        if not self._wraps:
            return [visible]
        rows: list[list[QLayoutItem]] = [[]]
        for item in visible:
            if rows[-1] and self._least_width_px([*rows[-1], item]) > width_px:
                rows.append([])
            rows[-1].append(item)
        return rows

    def _gaps_px(self, items: Sequence[QLayoutItem]) -> int:
        widgets = sum(isinstance(item, QWidgetItem) for item in items)
        return max(widgets - 1, 0) * self.spacing()

    def _least_width_px(self, items: Sequence[QLayoutItem]) -> int:
        return sum(map(_least_px, items)) + self._gaps_px(items)

    def _height_px(self) -> int:
        return self.height_at(self._width_px)

    def height_at(self, width_px: int) -> int:
        rows = self._rows(width_px)
        height_px = sum(map(_height_px, rows)) + (len(rows) - 1) * self.spacing()
        return max(height_px, self._least_height_px)

    def _place(self, row: Sequence[QLayoutItem], rect: QRect) -> None:
        widths = _widths_px(row, rect.width() - self._gaps_px(row))
        left = rect.left()
        for item, width_px in zip(row, widths, strict=True):
            height_px = min(item.maximumSize().height(), rect.height())
            item.setGeometry(QRect(left, rect.top() + (rect.height() - height_px) // 2, width_px, height_px))
            left += width_px + (self.spacing() if isinstance(item, QWidgetItem) else 0)


def _least_px(item: QLayoutItem) -> int:
    return item.minimumSize().width()


def _height_px(row: Sequence[QLayoutItem]) -> int:
    return max((max(item.sizeHint().height(), item.minimumSize().height()) for item in row), default=0)


def _widths_px(row: Sequence[QLayoutItem], width_px: int) -> list[int]:
    """Give each item the width it would like, if there is space; those that stretch share the rest."""
    widths = [min(_least_px(item), width_px) for item in row]
    for place, item in enumerate(row):
        if not _stretches(item):
            liked_px = min(item.sizeHint().width(), item.maximumSize().width())
            free_px = max(width_px - sum(widths), 0)
            widths[place] += min(max(liked_px - widths[place], 0), free_px)
    stretching = [place for place, item in enumerate(row) if _stretches(item)]
    rest_px = width_px - sum(widths) + sum(widths[place] for place in stretching)
    stretching.sort(key=lambda place: -widths[place])
    for count, place in zip(range(len(stretching), 0, -1), stretching, strict=True):
        widths[place] = min(max(rest_px // count, widths[place]), _most_px(row[place]))
        rest_px -= widths[place]
    return widths


def _stretches(item: QLayoutItem) -> bool:
    return isinstance(item, QSpacerItem) or bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _most_px(item: QLayoutItem) -> int:
    return _ANY_PX if isinstance(item, QSpacerItem) else item.maximumSize().width()


Run = Callable[[], object] | SignalInstance
"""Called or emitted with each click."""


ICON_PX = 16
_FRAME_INSIDE_PX = 2


def _use_look(button: QAbstractButton, look: str) -> None:
    button.setObjectName(look)
    if look == "primary":  # a border in another colour would make it smaller
        FocusFrame(button, -_FRAME_INSIDE_PX, "accent_ink")


def push_button(
    text: Words, run: Run | None = None, tip: Words = "", *, look: str = "", **texts: Words
) -> QPushButton:
    """Return a button; look: its name in the style sheet; texts: others, by their properties in Qt."""
    button = translated(QPushButton(), text, tip, **texts)
    _use_look(button, look)
    if run is not None:
        button.clicked.connect(run)
    return button


def tool_button(drawing: QIcon, look: str, text: Words = "", tip: Words = "", **texts: Words) -> QToolButton:
    """Return a button with an icon, which a click does not give the focus; see `push_button`."""
    button = translated(QToolButton(), text, tip, **texts)
    button.setIcon(drawing)
    button.setIconSize(QSize(ICON_PX, ICON_PX))
    _use_look(button, look)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def press_by_enter(event: QKeyEvent, focused: QWidget | None, kind: type[QAbstractButton]) -> bool:
    """Press a focused button of a kind if the key is Enter, as the space bar does; return whether it was."""
    if event.key() not in ENTER_KEYS or not isinstance(focused, kind):
        return False
    if not event.isAutoRepeat():
        focused.click()
    return True


def default_button(text: str, run: Run) -> QPushButton:
    """Return the button that Enter presses while no button has the focus, in the colour of the main one."""
    button = QPushButton(text)
    _use_look(button, "primary")
    button.setDefault(True)
    button.clicked.connect(run)
    return button


def other_button(text: str, run: Run | None = None) -> QPushButton:
    """Return a button that Enter presses only if it has the focus."""
    button = QPushButton(text, autoDefault=False)
    if run is not None:
        button.clicked.connect(run)
    return button
