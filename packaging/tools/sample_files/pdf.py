"""Sample essays as PDF files, laid out by Qt."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPageSize,
    QPainter,
    QPdfWriter,
    QRawFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)
from sample_files.essays import (
    AUTHOR,
    BODY_POINTS,
    CREATED,
    HAN,
    LINE_HEIGHT,
    MARGIN_POINTS,
    TITLE_POINTS,
    Essay,
)

NO_FONT = 3
"""Exit code if no Chinese font is installed."""

SMALL_POINTS = 9
PDF_DPI = 600
SCREEN_DPI = 96
"""Qt measures the space between paragraphs in dots of the screen on every device."""

PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value

CHINESE_MARGINS = ("学生作文选", "第 {} 页")
ENGLISH_MARGINS = ("School essays", "Page {}")
"""Running head, and page number with a placeholder."""

RADICALS = range(0x2E80, 0x2FE0)

CHINESE_FAMILIES = [
    "Noto Serif CJK SC",
    "Source Han Serif SC",
    "Songti SC",
    "SimSun",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
]
LATIN_FAMILIES = ["Liberation Serif", "Times New Roman", "DejaVu Serif"]


def dots(points: float) -> float:
    """Convert points to dots of the PDF writer."""
    return points * PDF_DPI / 72


def body_points(essay: Essay) -> int:
    """Font size of the text; the larger size of English essays gives them a second page.

    Readers recognise a running head by its repetition on a second page.
    """
    return BODY_POINTS if essay.is_chinese else BODY_POINTS + 2


def font_of(essay: Essay, points: int) -> QFont:
    """Return the font of an essay; exits with NO_FONT if no Chinese font is installed."""
    wanted = CHINESE_FAMILIES if essay.is_chinese else LATIN_FAMILIES
    present = set(QFontDatabase.families())
    families = [family for family in wanted if family in present]
    if essay.is_chinese and not families:
        print(f"none of these fonts is installed: {', '.join(wanted)}", file=sys.stderr)
        sys.exit(NO_FONT)
    font = QFont(families or wanted, points)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def write_pdf(essay: Essay, target: Path) -> None:
    """Write the essay as a PDF of A4 pages, each with a running head and a page number."""
    writer = QPdfWriter(str(target))
    writer.setTitle(essay.title)
    writer.setCreator(AUTHOR)
    writer.setResolution(PDF_DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    page = QRectF(0, 0, writer.width(), writer.height())
    margin = dots(MARGIN_POINTS)
    document = lay_out(essay, writer, page.adjusted(margin, margin, -margin, -margin).size())
    draw_pages(essay, document, writer, page)
    target.write_bytes(with_plain_characters(without_time(target.read_bytes()), essay))


def lay_out(essay: Essay, device: QPdfWriter, size: QSizeF) -> QTextDocument:
    """Lay out title and paragraphs on text areas of the given size."""
    font = font_of(essay, body_points(essay))
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    document.setPageSize(size)
    cursor = QTextCursor(document)
    cursor.setBlockFormat(title_layout())
    cursor.insertText(essay.title, black_text(font_of(essay, TITLE_POINTS), bold=True))
    for text in essay.paragraphs:
        cursor.insertBlock(body_layout(font, device))
        cursor.insertText(text, black_text(font))
    return document


def title_layout() -> QTextBlockFormat:
    """Format of a centred line with space below."""
    layout = QTextBlockFormat()
    layout.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    layout.setBottomMargin(TITLE_POINTS * SCREEN_DPI / 72)
    return layout


def body_layout(font: QFont, device: QPdfWriter) -> QTextBlockFormat:
    """Format of a justified paragraph whose first line is indented by two characters."""
    layout = QTextBlockFormat()
    layout.setAlignment(Qt.AlignmentFlag.AlignJustify)
    layout.setTextIndent(dots(2 * font.pointSizeF()))
    layout.setLineHeight(line_percentage(font, device), PROPORTIONAL)
    return layout


def line_percentage(font: QFont, device: QPdfWriter) -> float:
    """Line height as a percentage of the font's own, which is large in Chinese fonts."""
    return 100 * LINE_HEIGHT * dots(font.pointSizeF()) / QFontMetricsF(font, device).height()


def black_text(font: QFont, *, bold: bool = False) -> QTextCharFormat:
    """Format of black text."""
    text_format = QTextCharFormat()
    text_format.setFont(font)
    text_format.setForeground(QColor("black"))
    if bold:
        text_format.setFontWeight(QFont.Weight.Bold)
    return text_format


def draw_pages(essay: Essay, document: QTextDocument, writer: QPdfWriter, page: QRectF) -> None:
    """Draw every page of the document with running head and page number."""
    painter = QPainter(writer)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        draw_margins(essay, painter, page, number + 1)
        draw_column(document, painter, number)
    painter.end()


def draw_margins(essay: Essay, painter: QPainter, page: QRectF, number: int) -> None:
    """Draw the running head and the page number."""
    head, foot = CHINESE_MARGINS if essay.is_chinese else ENGLISH_MARGINS
    band = page.adjusted(dots(MARGIN_POINTS), dots(36), -dots(MARGIN_POINTS), -dots(36))
    painter.setFont(font_of(essay, SMALL_POINTS))
    painter.setPen(QColor("dimgray"))
    painter.drawText(band, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, head)
    painter.drawText(band, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, foot.format(number))


def draw_column(document: QTextDocument, painter: QPainter, number: int) -> None:
    """Draw the lines of one page.

    QTextDocument.drawContents would also draw the last line of the previous page, clipped: invisible, but
    in the extracted text.
    """
    height = document.pageSize().height()
    painter.save()
    painter.setPen(QColor("black"))
    painter.translate(dots(MARGIN_POINTS), dots(MARGIN_POINTS) - number * height)
    for line, corner in lines_of(document):
        if (corner.y() + line.rect().center().y()) // height == number:
            line.draw(painter, corner)
    painter.restore()


def lines_of(document: QTextDocument) -> Iterator[tuple[QTextLine, QPointF]]:
    """Yield every line with the top left corner of its paragraph."""
    block = document.begin()
    while block.isValid():
        corner = document.documentLayout().blockBoundingRect(block).topLeft()
        for index in range(block.layout().lineCount()):
            yield block.layout().lineAt(index), corner
        block = block.next()


def without_time(data: bytes) -> bytes:
    """Replace the date and the random identifiers that Qt writes by fixed ones of the same length."""
    data = re.sub(rb"(?<=\(D:)\d{14}", f"{CREATED:%Y%m%d%H%M%S}".encode(), data)
    data = re.sub(rb'(?<=Date=")[-\d]{10}T[:\d]{8}', f"{CREATED:%Y-%m-%dT%H:%M:%S}".encode(), data)
    identity = rb"(?<=uuid:)[-0-9a-f]{36}|(?<=<)[0-9A-Fa-f]{32,}(?=>)"
    return re.sub(identity, lambda match: re.sub(rb"[^-]", b"0", match[0]), data)


def with_plain_characters(data: bytes, essay: Essay) -> bytes:
    """Correct the ToUnicode tables, which map glyphs to text.

    If a character and a radical share a glyph (U+4E00 and U+2F00), Qt writes the radical.
    """
    corrected = {
        f"<{ord(radical):04X}>".encode(): f"<{ord(c):04X}>".encode()
        for radical, c in radicals_with_same_glyph(essay)
    }
    return re.sub(
        rb"beginbfrange.*?endbfrange",
        lambda table: re.sub(rb"<[0-9A-F]{4}>", lambda code: corrected.get(code[0], code[0]), table[0]),
        data,
        flags=re.DOTALL,
    )


def radicals_with_same_glyph(essay: Essay) -> Iterator[tuple[str, str]]:
    """Yield (radical, character) if a character of the essay shares its glyph with a radical."""
    font = QRawFont.fromFont(font_of(essay, body_points(essay)))
    glyphs = {
        glyph_of(font, char): char
        for char in HAN.findall("".join((essay.title, *essay.paragraphs, *CHINESE_MARGINS)))
    }
    for radical in map(chr, RADICALS):
        glyph = glyph_of(font, radical)
        if glyph and glyph in glyphs:
            yield radical, glyphs[glyph]


def glyph_of(font: QRawFont, char: str) -> int:
    """Return the index of the glyph of a character; 0 if the font has none."""
    return (font.glyphIndexesForString(char) or [0])[0]
