"""Samples as PDF files, set by Qt."""

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
    BODY_POINTS,
    HAN,
    LINE_HEIGHT,
    MADE_ON,
    MAKER,
    MARGIN_POINTS,
    TITLE_POINTS,
    Essay,
)

NO_FONT = 3
"""The exit code when no font of this machine can show Chinese."""

SMALL_POINTS = 9
PDF_DPI = 600
SCREEN_DPI = 96
"""Qt takes the space between paragraphs in dots of the screen, whatever it draws on."""

PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value

CHINESE_MARGINS = ("学生作文选", "第 {} 页")
ENGLISH_MARGINS = ("School essays", "Page {}")
"""What stands above and below the text of every page."""

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
    """Turn a length in points into one in dots of the PDF writer."""
    return points * PDF_DPI / 72


def body_points(essay: Essay) -> int:
    """Return the size of the letters; the larger Latin ones bring every essay to a second page.

    Only on a second page can a reader tell a running head from the text, by seeing it again.
    """
    return BODY_POINTS if essay.chinese else BODY_POINTS + 2


def font_of(essay: Essay, points: int) -> QFont:
    """Return the font of an essay; it ends the program when this machine has none for Chinese."""
    wanted = CHINESE_FAMILIES if essay.chinese else LATIN_FAMILIES
    present = set(QFontDatabase.families())
    families = [family for family in wanted if family in present]
    if essay.chinese and not families:
        print(f"none of these fonts is installed: {', '.join(wanted)}", file=sys.stderr)
        sys.exit(NO_FONT)
    font = QFont(families or wanted, points)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def write_pdf(essay: Essay, target: Path) -> None:
    """Write the essay as a PDF of A4 pages, each with a running head and a page number."""
    writer = QPdfWriter(str(target))
    writer.setTitle(essay.title)
    writer.setCreator(MAKER)
    writer.setResolution(PDF_DPI)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    page = QRectF(0, 0, writer.width(), writer.height())
    margin = dots(MARGIN_POINTS)
    document = lay_out(essay, writer, page.adjusted(margin, margin, -margin, -margin).size())
    draw_pages(essay, document, writer, page)
    target.write_bytes(with_plain_characters(without_time(target.read_bytes()), essay))


def lay_out(essay: Essay, device: QPdfWriter, size: QSizeF) -> QTextDocument:
    """Set the title and the paragraphs in columns of the given size."""
    font = font_of(essay, body_points(essay))
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    document.setPageSize(size)
    cursor = QTextCursor(document)
    cursor.setBlockFormat(title_layout())
    cursor.insertText(essay.title, ink(font_of(essay, TITLE_POINTS), bold=True))
    for text in essay.paragraphs:
        cursor.insertBlock(body_layout(font, device))
        cursor.insertText(text, ink(font))
    return document


def title_layout() -> QTextBlockFormat:
    """Describe a centred line with room below it."""
    layout = QTextBlockFormat()
    layout.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    layout.setBottomMargin(TITLE_POINTS * SCREEN_DPI / 72)
    return layout


def body_layout(font: QFont, device: QPdfWriter) -> QTextBlockFormat:
    """Describe a justified paragraph, its first line indented by two characters."""
    layout = QTextBlockFormat()
    layout.setAlignment(Qt.AlignmentFlag.AlignJustify)
    layout.setTextIndent(dots(2 * font.pointSizeF()))
    layout.setLineHeight(line_percentage(font, device), PROPORTIONAL)
    return layout


def line_percentage(font: QFont, device: QPdfWriter) -> float:
    """Turn the wished line height into hundredths of the font's own, which is large in Chinese fonts."""
    return 100 * LINE_HEIGHT * dots(font.pointSizeF()) / QFontMetricsF(font, device).height()


def ink(font: QFont, *, bold: bool = False) -> QTextCharFormat:
    """Describe black letters of a font."""
    letters = QTextCharFormat()
    letters.setFont(font)
    letters.setForeground(QColor("black"))
    if bold:
        letters.setFontWeight(QFont.Weight.Bold)
    return letters


def draw_pages(essay: Essay, document: QTextDocument, writer: QPdfWriter, page: QRectF) -> None:
    """Draw every page of the document with what stands above and below its text."""
    painter = QPainter(writer)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        draw_margins(essay, painter, page, number + 1)
        draw_column(document, painter, number)
    painter.end()


def draw_margins(essay: Essay, painter: QPainter, page: QRectF, number: int) -> None:
    """Draw the running head and the page number."""
    head, foot = CHINESE_MARGINS if essay.chinese else ENGLISH_MARGINS
    band = page.adjusted(dots(MARGIN_POINTS), dots(36), -dots(MARGIN_POINTS), -dots(36))
    painter.setFont(font_of(essay, SMALL_POINTS))
    painter.setPen(QColor("dimgray"))
    painter.drawText(band, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, head)
    painter.drawText(band, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, foot.format(number))


def draw_column(document: QTextDocument, painter: QPainter, number: int) -> None:
    """Draw the lines of the document that fall on one page.

    Qt, left to choose them, also writes the last line of the page before, cut away for the eye but not
    for programs that take out the text.
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
    """Yield every line of the document with the corner of the paragraph it belongs to."""
    block = document.begin()
    while block.isValid():
        corner = document.documentLayout().blockBoundingRect(block).topLeft()
        for index in range(block.layout().lineCount()):
            yield block.layout().lineAt(index), corner
        block = block.next()


def without_time(data: bytes) -> bytes:
    """Put one date and one identity, of the same length, in place of those that Qt makes up."""
    data = re.sub(rb"(?<=\(D:)\d{14}", f"{MADE_ON:%Y%m%d%H%M%S}".encode(), data)
    data = re.sub(rb'(?<=Date=")[-\d]{10}T[:\d]{8}', f"{MADE_ON:%Y-%m-%dT%H:%M:%S}".encode(), data)
    identity = rb"(?<=uuid:)[-0-9a-f]{36}|(?<=<)[0-9A-Fa-f]{32,}(?=>)"
    return re.sub(identity, lambda found: re.sub(rb"[^-]", b"0", found[0]), data)


def with_plain_characters(data: bytes, essay: Essay) -> bytes:
    """Mend the table by which readers of the PDF turn glyphs into text.

    Where a font draws a character and a radical alike (U+4E00 and U+2F00), Qt names the radical.
    """
    names = {f"<{ord(radical):04X}>".encode(): f"<{ord(c):04X}>".encode() for radical, c in twins(essay)}
    return re.sub(
        rb"beginbfrange.*?endbfrange",
        lambda table: re.sub(rb"<[0-9A-F]{4}>", lambda code: names.get(code[0], code[0]), table[0]),
        data,
        flags=re.DOTALL,
    )


def twins(essay: Essay) -> Iterator[tuple[str, str]]:
    """Yield the radicals that share their glyph with a character of the essay, and that character."""
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
    """Return the number of the glyph that shows a character, 0 for none."""
    return (font.glyphIndexesForString(char) or [0])[0]
