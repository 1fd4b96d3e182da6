"""The two sentences of a match, one below the other, with what was changed marked."""

import math
from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLength,
    QTextTableCellFormat,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QTextEdit, QWidget

from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.report.text_pieces import SharedPiece
from simcompare.report.wording import kind_name, passage_kind_name
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.compare.text_pane.text_painting import word_looks
from simcompare.ui.compare.text_pane.typography import is_latin
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.layouts import FocusFrame
from simcompare.ui.style.theme import (
    GRID_PX,
    LATIN_FIRST_FAMILIES,
    KindStyle,
    Theme,
    current_theme,
    use_quotes,
)

AnyKind = MatchKind | PassageKind
_PADDING_PX = 2 * GRID_PX
_RADIUS_PX = GRID_PX
_LINE_PX = 2


def _name(kind: AnyKind) -> str:
    return passage_kind_name(kind) if isinstance(kind, PassageKind) else kind_name(kind)


def _style(kind: AnyKind, theme: Theme) -> KindStyle:
    return theme.passages[kind] if isinstance(kind, PassageKind) else theme.kinds[kind]


def chip_size(kind: AnyKind, metrics: QFontMetrics) -> QSize:
    return QSize(metrics.horizontalAdvance(_name(kind)) + 2 * _PADDING_PX, metrics.height() + GRID_PX)


def paint_chip(painter: QPainter, corner: QPoint, kind: AnyKind, theme: Theme) -> QRect:
    """Paint a chip in the painter's font with its top left corner at `corner`; return its rectangle."""
    style = _style(kind, theme)
    rect = QRect(corner, chip_size(kind, painter.fontMetrics()))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.tint))
    painter.drawRoundedRect(QRectF(rect), _RADIUS_PX, _RADIUS_PX)
    painter.setPen(QColor(style.ink))
    painter.drawText(rect.adjusted(0, 0, 0, -_LINE_PX), Qt.AlignmentFlag.AlignCenter, _name(kind))
    paint_kind_line(painter, rect.adjusted(_PADDING_PX, 0, -_PADDING_PX, -_LINE_PX), style)
    painter.restore()
    return rect


def paint_kind_line(painter: QPainter, rect: QRect, style: KindStyle) -> None:
    """Paint the line of a kind along the bottom of a rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(underline_pen(style, _LINE_PX))
    y = rect.bottom()
    painter.drawLine(rect.left(), y, rect.right() + 1, y)
    painter.restore()


class KindChip(QLabel):
    """Shows the kind of a match or passage in its colours and with its underline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: AnyKind = PassageKind.IDENTICAL
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        follow_language(self._show_kind)

    def set_kind(self, kind: AnyKind) -> None:
        self._kind = kind
        self._show_kind()

    def _show_kind(self) -> None:
        self.setAccessibleName(_name(self._kind))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return chip_size(self._kind, self.fontMetrics())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_chip(painter, QPoint(0, 0), self._kind, current_theme())


class QuietText(QTextEdit):
    """Frameless read-only text that can be scrolled, and copied from, by keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True, undoRedoEnabled=False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(False)  # files dropped on it are handled by the window
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        FocusFrame(self, GRID_PX)
        self.verticalScrollBar().setObjectName("slim")

    def needed_height(self) -> int:
        whole = self.document().clone(self)
        # beside a scroll bar: one that is visible stays as long as the narrower text does not fit
        whole.setTextWidth(self.width() - self.verticalScrollBar().sizeHint().width())
        height = math.ceil(whole.size().height())
        whole.deleteLater()
        return height

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave Ctrl + wheel, with which QTextEdit changes its font size, to the window."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)


class ReasonsView(QuietText):
    """Shows paragraphs of plain text; follows the theme."""

    def show_paragraphs(self, paragraphs: Sequence[str]) -> None:
        self.clear()
        cursor = self.textCursor()
        spaced = QTextBlockFormat()
        spaced.setBottomMargin(GRID_PX // 2)
        cursor.setBlockFormat(spaced)
        for place, paragraph in enumerate(paragraphs):
            if place:
                cursor.insertBlock(spaced)
            cursor.insertText(paragraph)
        self.moveCursor(QTextCursor.MoveOperation.Start)


class SentencesView(QuietText):
    """Shows labelled sentences; text is inserted as plain text, so markup in it is not interpreted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text_percent = 100
        font = self.font()
        use_quotes(font, latin=False)  # those of Latin texts are from a Latin font
        self.setFont(font)

    def show_sentences(self, rows: Sequence[tuple[str, Sequence[SharedPiece]]]) -> None:
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()  # otherwise everything is laid out again after each piece
        table = cursor.insertTable(len(rows), 2, self._table_format([r[0] for r in rows]))
        for number, (label, parts) in enumerate(rows):
            for column in range(2):
                if number < len(rows) - 1:
                    table.cellAt(number, column).setFormat(_spaced_cell())
            table.cellAt(number, 0).firstCursorPosition().insertText(label, self._label_format())
            self._insert(table.cellAt(number, 1).firstCursorPosition(), parts)
        # Set the height of the empty paragraph that Qt keeps after a table to zero
        flat = QTextBlockFormat()
        flat.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        QTextCursor(self.document().lastBlock()).setBlockFormat(flat)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _table_format(self, labels: Sequence[str]) -> QTextTableFormat:
        metrics = QFontMetrics(self._label_font())
        label_px = max(metrics.horizontalAdvance(label) for label in labels)
        table_format = QTextTableFormat()
        table_format.setBorder(0)
        table_format.setCellSpacing(0)
        table_format.setCellPadding(0)
        table_format.setColumnWidthConstraints(
            [
                QTextLength(QTextLength.Type.FixedLength, label_px + 5 * GRID_PX),
                QTextLength(QTextLength.Type.PercentageLength, 100),
            ]
        )
        return table_format

    def _label_format(self) -> QTextCharFormat:
        label = QTextCharFormat()
        label.setForeground(QColor(current_theme().muted))
        label.setFontPointSize(self._label_font().pointSizeF())
        return label

    def _label_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * self.text_percent / 100)
        return font

    def _insert(self, cursor: QTextCursor, parts: Sequence[SharedPiece]) -> None:
        latin = is_latin("".join(part.text for part in parts))
        for part, following in zip_longest(parts, parts[1:]):
            cursor.insertText(part.text, self._format(part, latin))
            if part.pair and (following is None or part.pair != following.pair):
                cursor.insertText(str(part.pair), self._pair_number_format())

    def _format(self, part: SharedPiece, latin: bool) -> QTextCharFormat:
        text_format = QTextCharFormat()
        if latin:
            text_format.setFontFamilies(LATIN_FIRST_FAMILIES)
        text_format.setForeground(QColor(current_theme().ink))
        text_format.setFontPointSize(self.font().pointSizeF() * 1.1 * self.text_percent / 100)
        if part.is_synonym or part.is_changed:
            look = word_looks(current_theme())[part.is_synonym]
            text_format.setForeground(QColor(look.ink))
            style = QTextCharFormat.UnderlineStyle
            text_format.setUnderlineStyle(style.DotLine if part.is_synonym else style.SingleUnderline)
        return text_format

    def _pair_number_format(self) -> QTextCharFormat:
        number = QTextCharFormat()
        number.setForeground(QColor(current_theme().kinds[MatchKind.SYNONYM].ink))
        number.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        return number


def _spaced_cell() -> QTextTableCellFormat:
    """Cell format with padding at the bottom; padding of the whole table would also shift it to the right."""
    cell = QTextTableCellFormat()
    cell.setBottomPadding(2 * GRID_PX)
    return cell
