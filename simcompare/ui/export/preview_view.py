"""Widget that shows a preview: pages, text or rows."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontDatabase, QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from simcompare.export.export_tasks import (
    PageImage,
    PartsPreview,
    Preview,
    PreviewPart,
    RowsPreview,
    TextPreview,
)
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _
from simcompare.ui.style.layouts import FocusFrame
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX

_LEAST_COLUMN_WIDTH_PX, _MOST_COLUMN_WIDTH_PX = 88, 132
_HEADING_MARGIN_PX, _MOST_HEADING_HEIGHT_PX = 2 * GRID_PX, 200
_MARGIN_PX = 4 * GRID_PX


class PreviewView(QStackedWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.message = MutedLabel()
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setContentsMargins(*[2 * _MARGIN_PX] * 4)
        self.pages = QScrollArea(widgetResizable=True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.table = _table()
        for widget in (self.message, self.pages, self.text, self.table):
            widget.setAccessibleName(_("Preview"))
            self.addWidget(widget)
        for area in (self.pages, self.text, self.table):
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            FocusFrame(area)

    def show_message(self, text: str) -> None:
        self.message.setText(text)
        self.setCurrentWidget(self.message)

    def show_preview(self, preview: Preview) -> None:
        if isinstance(preview, PartsPreview):
            self.pages.setWidget(_column(preview.parts))
            self.setCurrentWidget(self.pages)
        elif isinstance(preview, TextPreview):
            self.text.setPlainText(preview.text + ("" if preview.is_all else "\n…"))
            self.setCurrentWidget(self.text)
        else:
            self._show_rows(preview)
            self.setCurrentWidget(self.table)

    def _show_rows(self, rows: RowsPreview) -> None:
        headings, *body = _filled_first(rows.rows or ((),))
        table = self.table
        table.setColumnCount(len(headings))
        table.setRowCount(len(body) + (not rows.is_all))
        table.clearContents()
        for column, heading in enumerate(headings):
            is_figure = all(_is_figure(cells[column]) for cells in body if column < len(cells))
            item = _item(heading, at_right=is_figure and bool(body))
            item.setData(
                Qt.ItemDataRole.TextAlignmentRole, item.textAlignment() | Qt.TextFlag.TextWordWrap.value
            )
            table.setHorizontalHeaderItem(column, item)
        for row, cells in enumerate([*body, *([] if rows.is_all else [("…",)])]):
            for column, cell in enumerate(cells[: len(headings)]):
                table.setItem(row, column, _item(cell))
        self._set_widths(len(headings))

    def _set_widths(self, count: int) -> None:
        """Fit the columns to their cells, within limits; wrap longer headings."""
        header, height = self.table.horizontalHeader(), 0
        for column in range(count):
            width = self.table.sizeHintForColumn(column)
            width = min(max(width, _LEAST_COLUMN_WIDTH_PX), _MOST_COLUMN_WIDTH_PX)
            self.table.setColumnWidth(column, width)
            bounds = QRect(0, 0, width - 2 * _HEADING_MARGIN_PX, _MOST_HEADING_HEIGHT_PX)
            item = self.table.horizontalHeaderItem(column)
            text = "" if item is None else item.text()
            needed = header.fontMetrics().boundingRect(bounds, Qt.TextFlag.TextWordWrap, text)
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


def _filled_first(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows with the columns without contents, as of numbers that no student has, behind the others."""
    _headings, *body = rows
    filled = [any(cells[column : column + 1] != ("",) for cells in body) for column in range(len(rows[0]))]
    order = sorted(range(len(rows[0])), key=lambda column: not filled[column])
    return [[cells[column] if column < len(cells) else "" for column in order] for cells in rows]


def _item(text: str, *, at_right: bool = False) -> QTableWidgetItem:
    item = QTableWidgetItem(escape_invisible(text))
    item.setToolTip(item.text())
    side = Qt.AlignmentFlag.AlignRight if at_right or _is_figure(text) else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item


def _is_figure(text: str) -> bool:
    return bool(text) and text.replace(".", "", 1).replace(",", "").isdecimal()


def _column(parts: tuple[PreviewPart, ...]) -> QWidget:
    body = QWidget()
    body.setBackgroundRole(QPalette.ColorRole.Window)
    column = QVBoxLayout(body)
    column.setContentsMargins(*[_MARGIN_PX] * 4)
    column.setSpacing(2 * GRID_PX)
    for index, part in enumerate(parts):
        if index:
            column.addSpacing(4 * GRID_PX)
        for text, name in ((part.heading, "pairName"), (part.text, ""), (part.remark, "muted")):
            if text:
                column.addWidget(WrappedLabel(text, name))
        if part.image is not None:
            column.addWidget(PreviewPageView(part.image))
    column.addStretch(1)
    return body


class PreviewPageView(QWidget):
    """Image of a page, scaled to the available width."""

    def __init__(self, image: PageImage) -> None:
        super().__init__()
        self._image = QImage(
            image.pixels,
            image.width_px,
            image.height_px,
            image.stride,
            QImage.Format.Format_RGB888,
        ).copy()
        self._scaled = QImage()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(_("First page"))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(width * self._image.height() / max(self._image.width(), 1))

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def paintEvent(self, event: QPaintEvent) -> None:
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
