"""Shows how a file will begin: its page, its text or its rows."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QRect, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QFontDatabase, QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from simcompare.export.export_jobs import Bench
from simcompare.export.export_tasks import Excerpt, Leaf, Leaves, Picture, Preview, Rows
from simcompare.export.export_workers import Workshop
from simcompare.model.progress import no_tick
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.style.theme import GRID_PX

# ruff: noqa: N802 - Qt names the methods it calls


_NARROWEST_COLUMN_PX, _WIDEST_COLUMN_PX = 88, 132
_HEADING_MARGIN_PX, _HIGHEST_HEADING_PX = 2 * GRID_PX, 200
_MARGIN_PX = 4 * GRID_PX


class PreviewView(QStackedWidget):
    """Shows a preview, or in words why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.words = QLabel()
        self.words.setObjectName("muted")
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setContentsMargins(*[2 * _MARGIN_PX] * 4)
        self.pages = QScrollArea()
        self.pages.setWidgetResizable(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.table = _table()
        for widget in (self.words, self.pages, self.text, self.table):
            widget.setAccessibleName(_("Preview"))
            self.addWidget(widget)
        for area in (self.pages, self.text, self.table):
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def say(self, words: str) -> None:
        """Show words in the place of a preview."""
        self.words.setText(words)
        self.setCurrentWidget(self.words)

    def show_preview(self, preview: Preview) -> None:
        """Show how a file will begin."""
        if isinstance(preview, Leaves):
            self.pages.setWidget(_column(preview.leaves))
            self.setCurrentWidget(self.pages)
        elif isinstance(preview, Excerpt):
            self.text.setPlainText(preview.text + ("" if preview.is_all else "\n…"))
            self.setCurrentWidget(self.text)
        else:
            self._show_rows(preview)
            self.setCurrentWidget(self.table)

    def _show_rows(self, rows: Rows) -> None:
        headings, *others = rows.rows or ((),)
        table = self.table
        table.setColumnCount(len(headings))
        table.setRowCount(len(others) + (not rows.is_all))
        table.clearContents()
        for column, heading in enumerate(headings):
            is_figure = all(_is_figure(cells[column]) for cells in others if column < len(cells))
            item = _item(heading, at_right=is_figure and bool(others))
            item.setData(
                Qt.ItemDataRole.TextAlignmentRole, item.textAlignment() | Qt.TextFlag.TextWordWrap.value
            )
            table.setHorizontalHeaderItem(column, item)
        for row, cells in enumerate([*others, *([] if rows.is_all else [("…",)])]):
            for column, cell in enumerate(cells[: len(headings)]):
                table.setItem(row, column, _item(cell))
        self._set_widths(len(headings))

    def _set_widths(self, count: int) -> None:
        """Make columns as wide as their cells, within bounds; a heading that is longer has several lines."""
        header, height = self.table.horizontalHeader(), 0
        for column in range(count):
            width = self.table.sizeHintForColumn(column)
            width = min(max(width, _NARROWEST_COLUMN_PX), _WIDEST_COLUMN_PX)
            self.table.setColumnWidth(column, width)
            room = QRect(0, 0, width - 2 * _HEADING_MARGIN_PX, _HIGHEST_HEADING_PX)
            item = self.table.horizontalHeaderItem(column)
            text = "" if item is None else item.text()
            needed = header.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text)
            height = max(height, needed.height())
        header.setFixedHeight(height + 2 * _HEADING_MARGIN_PX)


def _table() -> QTableWidget:
    table = QTableWidget()
    table.setObjectName("plainTable")
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setWordWrap(False)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
    table.setTabKeyNavigation(False)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return table


def _item(text: str, *, at_right: bool = False) -> QTableWidgetItem:
    item = QTableWidgetItem(escape_invisible(text))
    item.setToolTip(item.text())
    side = Qt.AlignmentFlag.AlignRight if at_right or _is_figure(text) else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item


def _is_figure(text: str) -> bool:
    return bool(text) and text.replace(".", "", 1).replace(",", "").isdecimal()


def _column(leaves: tuple[Leaf, ...]) -> QWidget:
    """Return leaves below each other."""
    body = QWidget()
    body.setBackgroundRole(QPalette.ColorRole.Window)
    column = QVBoxLayout(body)
    column.setContentsMargins(*[_MARGIN_PX] * 4)
    column.setSpacing(2 * GRID_PX)
    for place, leaf in enumerate(leaves):
        if place:
            column.addSpacing(4 * GRID_PX)
        for text, name in ((leaf.heading, "pairName"), (leaf.words, ""), (leaf.aside, "muted")):
            if text:
                column.addWidget(_label(text, name))
        if leaf.picture is not None:
            column.addWidget(PageLabel(leaf.picture))
    column.addStretch(1)
    return body


def _label(text: str, name: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


class PageLabel(QWidget):
    """A page as wide as there is room, and as high as that makes it."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._image = QImage(
            picture.pixels,
            picture.width_px,
            picture.height_px,
            picture.stride,
            QImage.Format.Format_RGB888,
        ).copy()
        self._scaled = QImage()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(_("First page"))

    def hasHeightForWidth(self) -> bool:
        """Return that the height follows the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in which the page keeps its form."""
        return round(width * self._image.height() / max(self._image.width(), 1))

    def sizeHint(self) -> QSize:
        """Return the size of a small page."""
        return QSize(320, self.heightForWidth(320))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page with a line around it, sharp on dense screens."""
        ratio = self.devicePixelRatioF()
        wanted = QSize(round(self.width() * ratio), round(self.height() * ratio))
        if self._scaled.size() != wanted:
            smooth = Qt.TransformationMode.SmoothTransformation
            self._scaled = self._image.scaled(wanted, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
            self._scaled.setDevicePixelRatio(ratio)
        painter = QPainter(self)
        painter.drawImage(0, 0, self._scaled)
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something to be made, by all that it depends on; `make` is called in a thread of its own."""

    key: Hashable
    make: Callable[[Bench], object] = field(compare=False, repr=False)


class Asking(QObject):
    """Has one thing made at a time; of those asked for meanwhile only the last."""

    answered = Signal(object)
    """What was made, or the error that is in its place."""
    waiting = Signal()
    """What is wanted takes a while."""
    _made = Signal(object)
    _failed = Signal(object)

    def __init__(self, workshop: Workshop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workshop = workshop
        self._threads = QThreadPool(self)
        self._threads.setMaxThreadCount(1)
        self._never = Event()
        self._bench: Bench | None = None
        self._known: dict[Hashable, object] = {}
        self._wanted: Wanted | None = None
        self._making: tuple[Bench, Wanted] | None = None
        self._made.connect(self._take)
        self._failed.connect(self._take)

    def open(self) -> None:
        """Begin: processes are started as soon as something is wanted."""
        self._workshop.hold()
        self._bench = Bench(self._workshop, no_tick)

    def want(self, wanted: Wanted) -> None:
        """Have this answered, at once where it was made before."""
        self._wanted = wanted
        if wanted.key in self._known:
            self.answered.emit(self._known[wanted.key])
        else:
            self.waiting.emit()
            self._make()

    def forget(self) -> None:
        """Want nothing any more: what was asked for is not answered."""
        self._wanted = None

    def _make(self) -> None:
        wanted, bench = self._wanted, self._bench
        if bench is None or self._making is not None or wanted is None or wanted.key in self._known:
            return
        self._making = bench, wanted
        self._start(partial(wanted.make, bench))

    def _start(self, work: Callable[[], object]) -> None:
        self._threads.start(Task(work, self._made, self._failed, self._never))

    def _take(self, outcome: object) -> None:
        if self._making is None:
            return
        (bench, made), self._making = self._making, None
        if bench is self._bench and outcome is not None:
            if not isinstance(outcome, Exception):
                self._known[made.key] = outcome
            if made == self._wanted:
                self.answered.emit(outcome)
        if bench is not self._bench or made != self._wanted:
            self._make()

    def close(self) -> None:
        """End: nothing is told any more of what is being made, and nothing is kept. Returns at once.

        It is not broken off: that would cost the process that may go on with an export.
        """
        self._bench = self._wanted = None
        self._known.clear()
        self._threads.start(self._workshop.release)

    def wait(self) -> None:
        """Break off what is being made, and wait for that; the window is closing."""
        if self._making is not None:
            self._making[0].stop()
        for signal in (self._made, self._failed):
            signal.disconnect()
        self._threads.waitForDone()
