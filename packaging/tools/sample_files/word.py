"""Sample essays as Word documents."""

import io
import zipfile
from typing import Any

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from sample_files.essays import AUTHOR, BODY_POINTS, CREATED, LINE_HEIGHT, MARGIN_POINTS, TITLE_POINTS, Essay


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
    """Set the page size to A4 with equal margins."""
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Pt(MARGIN_POINTS)
    section.top_margin = section.bottom_margin = Pt(MARGIN_POINTS)


def set_font(style: Any, east_asian: str, points: int) -> None:
    """Set the Latin and the Chinese font of a style instead of those of the theme."""
    style.font.name = "Times New Roman"
    style.font.size = Pt(points)
    fonts = style.element.rPr.rFonts
    for attribute in [name for name in fonts.attrib if name.endswith("Theme")]:
        del fonts.attrib[attribute]
    fonts.set(qn("w:eastAsia"), east_asian)


def set_title_style(style: Any) -> None:
    """Make the title black and centred, and remove the line below it."""
    set_font(style, "黑体", TITLE_POINTS)
    style.font.color.rgb = RGBColor(0, 0, 0)
    style.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
    style.paragraph_format.space_after = Pt(TITLE_POINTS)
    for border in style.element.pPr.findall(qn("w:pBdr")):
        style.element.pPr.remove(border)


def set_properties(properties: Any, essay: Essay) -> None:
    """Set the metadata, without anything about a person or machine."""
    properties.author = properties.last_modified_by = AUTHOR
    properties.title = essay.title
    properties.comments = properties.keywords = properties.subject = ""
    properties.language = "zh-CN" if essay.is_chinese else "en"
    properties.created = properties.modified = CREATED
    properties.revision = 1


def add_body_paragraph(document: Any, text: str) -> None:
    """Add a justified paragraph whose first line is indented by two characters."""
    layout = document.add_paragraph(text).paragraph_format
    layout.first_line_indent = Pt(2 * BODY_POINTS)
    layout.line_spacing = Pt(LINE_HEIGHT * BODY_POINTS)
    layout.space_after = Pt(0)
    layout.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY


def with_fixed_dates(packed: bytes) -> bytes:
    """Repack a DOCX with one date for all parts, so that the bytes are reproducible."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            part = zipfile.ZipInfo(name, CREATED.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(part, old.read(name))
    return result.getvalue()
