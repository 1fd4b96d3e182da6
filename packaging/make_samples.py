"""Make the sample documents of simcompare from their plain-text sources.

Run as ``python packaging/make_samples.py``; an argument names another folder to write into.
The sources stand in ``resources/samples/source``: the title on the first line, then a paragraph a line.
After the files, a table tells how near each rewritten essay stands to the one it was written from.
"""

import argparse
import html
import io
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from PySide6.QtCore import QHashSeed, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
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
from rapidfuzz.distance import LCSseq

SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
SOURCES = SAMPLES / "source"

TARGETS = {
    "家乡的石桥.docx": "old-bridge",
    "石桥记.pdf": "stone-bridge-light",
    "心中的桥.html": "bridge-in-my-heart-synonyms",
    "桥的故事.docx": "the-bridge-moved",
    "秋天的路.pdf": "autumn-road",
    "The last bus.docx": "the-last-bus",
    "Waiting for the last bus.pdf": "the-last-bus-reworded",
    "same-essay/家乡的石桥.pdf": "old-bridge",
    "same-essay/家乡的石桥.html": "old-bridge",
    "same-essay/家乡的石桥.txt": "old-bridge",
}
"""Every file to make, by its path below the samples folder, with the name of its source."""

VARIANTS = {
    "stone-bridge-light": "old-bridge",
    "bridge-in-my-heart-synonyms": "old-bridge",
    "the-bridge-moved": "old-bridge",
    "autumn-road": "old-bridge",
    "the-last-bus-reworded": "the-last-bus",
}
"""The texts to be measured, each with the text it is measured against."""

MAKER = "simcompare"
MADE_ON = datetime(2026, 1, 1)
NO_FONT = 3
"""The exit code when no font of this machine can show Chinese."""

BODY_POINTS = 12
TITLE_POINTS = 20
SMALL_POINTS = 9
LINE_HEIGHT = 1.7
MARGIN_POINTS = 72
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

HAN = re.compile(r"[\u4e00-\u9fff]")
UNIT = re.compile(r"[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+|\d+(?:\.\d+)?")
SENTENCE_END = re.compile(r"(?<=[。！？])(?!”)|(?<=[。！？]”)|(?<=[.!?])\s+|(?<=[.!?]”)\s+")


@dataclass(frozen=True)
class Essay:
    """A sample text: its title and its paragraphs."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def chinese(self) -> bool:
        """Whether the essay is written in Chinese."""
        return bool(HAN.search(self.title))

    @property
    def sentences(self) -> list[str]:
        """The sentences of all paragraphs, in order."""
        return [part for text in self.paragraphs for part in SENTENCE_END.split(text) if part]


def read_essay(name: str) -> Essay:
    """Read the source called name."""
    title, *paragraphs = (SOURCES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return Essay(title, tuple(paragraphs))


# ---------------------------------------------------------------- TXT and HTML

STYLE = """\
body { max-width: 40em; margin: 3em auto; padding: 0 1em; line-height: 1.7; font-family: serif; }
h1 { text-align: center; font-size: 1.6em; }
p { margin: 0; text-indent: 2em; text-align: justify; }"""


def text_of(essay: Essay) -> str:
    """Return the essay as plain text, every paragraph indented by two full-width spaces."""
    return "".join(f"{line}\n" for line in (essay.title, *(f"\u3000\u3000{p}" for p in essay.paragraphs)))


def html_of(essay: Essay) -> str:
    """Return the essay as a small web page."""
    title = html.escape(essay.title)
    paragraphs = "\n".join(f"<p>{html.escape(text, quote=False)}</p>" for text in essay.paragraphs)
    return f"""<!DOCTYPE html>
<html lang="{"zh-CN" if essay.chinese else "en"}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
{STYLE}
</style>
</head>
<body>
<article>
<h1>{title}</h1>
{paragraphs}
</article>
</body>
</html>
"""


# ------------------------------------------------------------------------ DOCX


def docx_of(essay: Essay) -> bytes:
    """Return the essay as a Word document."""
    document = docx.Document()
    set_page(document.sections[0])
    set_font(document.styles["Normal"], "宋体", BODY_POINTS)
    set_title_style(document.styles["Title"])
    set_properties(document.core_properties, essay)
    document.add_paragraph(essay.title, style="Title")
    for text in essay.paragraphs:
        add_body_paragraph(document, text)
    packed = io.BytesIO()
    document.save(packed)
    return with_fixed_dates(packed.getvalue())


def set_page(section: Any) -> None:
    """Give the pages the size A4 and even margins."""
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Pt(MARGIN_POINTS)
    section.top_margin = section.bottom_margin = Pt(MARGIN_POINTS)


def set_font(style: Any, east_asian: str, points: int) -> None:
    """Name the Latin and the Chinese font of a style outright, in place of those of the theme."""
    style.font.name = "Times New Roman"
    style.font.size = Pt(points)
    fonts = style.element.rPr.rFonts
    for attribute in [name for name in fonts.attrib if name.endswith("Theme")]:
        del fonts.attrib[attribute]
    fonts.set(qn("w:eastAsia"), east_asian)


def set_title_style(style: Any) -> None:
    """Make the title black and centred, without the rule below it."""
    set_font(style, "黑体", TITLE_POINTS)
    style.font.color.rgb = RGBColor(0, 0, 0)
    style.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
    style.paragraph_format.space_after = Pt(TITLE_POINTS)
    for border in style.element.pPr.findall(qn("w:pBdr")):
        style.element.pPr.remove(border)


def set_properties(properties: Any, essay: Essay) -> None:
    """Leave nothing about a person or a machine in the document."""
    properties.author = properties.last_modified_by = MAKER
    properties.title = essay.title
    properties.comments = properties.keywords = properties.subject = ""
    properties.language = "zh-CN" if essay.chinese else "en"
    properties.created = properties.modified = MADE_ON
    properties.revision = 1


def add_body_paragraph(document: Any, text: str) -> None:
    """Add a justified paragraph, its first line indented by two characters."""
    layout = document.add_paragraph(text).paragraph_format
    layout.first_line_indent = Pt(2 * BODY_POINTS)
    layout.line_spacing = Pt(LINE_HEIGHT * BODY_POINTS)
    layout.space_after = Pt(0)
    layout.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY


def with_fixed_dates(packed: bytes) -> bytes:
    """Pack the parts of a DOCX anew with one date, so that making it again gives the same bytes."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            part = zipfile.ZipInfo(name, MADE_ON.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(part, old.read(name))
    return result.getvalue()


# ------------------------------------------------------------------------- PDF


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


# ----------------------------------------------------------------------- making


def write_sample(essay: Essay, target: Path) -> None:
    """Write the essay in the format that the name of the target asks for."""
    target.parent.mkdir(parents=True, exist_ok=True)
    match target.suffix:
        case ".docx":
            target.write_bytes(docx_of(essay))
        case ".pdf":
            write_pdf(essay, target)
        case ".html":
            target.write_bytes(html_of(essay).encode())
        case _:
            target.write_bytes(text_of(essay).encode())


# -------------------------------------------------------------------- measuring


def units(sentence: str) -> list[str]:
    """List the Han characters, words and numbers of a sentence, without its marks."""
    return [unit.lower() for unit in UNIT.findall(sentence)]


def likeness(left: list[str], right: list[str]) -> float:
    """Tell how much of the longer of two sentences both have in order, between 0 and 1."""
    return LCSseq.similarity(left, right) / max(len(left), len(right), 1)


def best_matches(variant: Essay, base: Essay) -> Iterator[tuple[float, int]]:
    """Yield for each sentence of the variant its highest likeness and the index of the sentence it is to."""
    others = [units(sentence) for sentence in base.sentences]
    for sentence in variant.sentences:
        own = units(sentence)
        yield max(((likeness(own, other), index) for index, other in enumerate(others)), key=itemgetter(0))


def table() -> str:
    """Count for each variant the sentences that lie in each band of likeness."""
    rows = [f"{'variant':30}{'sentences':>10}{'= 1':>8}{'>= 0.55':>10}{'0.35-0.55':>11}{'< 0.35':>8}"]
    for name, base in VARIANTS.items():
        values = [value for value, _ in best_matches(read_essay(name), read_essay(base))]
        same = sum(value == 1 for value in values)
        near = sum(0.55 <= value < 1 for value in values)
        half = sum(0.35 <= value < 0.55 for value in values)
        far = len(values) - same - near - half
        rows.append(f"{name:30}{len(values):>10}{same:>8}{near:>10}{half:>11}{far:>8}")
    return "\n".join(rows)


def main() -> None:
    """Make every sample and print the table."""
    parser = argparse.ArgumentParser(description="Make the sample documents from their sources.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES, help="where to write them")
    folder = parser.parse_args().folder
    os.environ["TZ"] = "UTC"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    QHashSeed.setDeterministicGlobalSeed()
    application = QGuiApplication([])
    for name, source in TARGETS.items():
        write_sample(read_essay(source), folder / name)
        print(f"{(folder / name).stat().st_size:>8}  {name}")
    application.shutdown()
    print(f"\n{table()}")


if __name__ == "__main__":
    main()
