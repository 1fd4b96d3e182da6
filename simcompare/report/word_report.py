"""Word reports of a comparison, and the sheets of a case: values of their templates, page set-up and file."""

import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC
from functools import cache, partial
from io import BytesIO
from itertools import count, pairwise
from typing import Any
from xml.sax.saxutils import escape

import docx
import numpy as np
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.shared import Pt, Twips
from lxml import etree
from markupsafe import Markup

from simcompare import __version__
from simcompare.comparison.comparison_result import Comparison
from simcompare.report.case_file import SheetPart, case_title
from simcompare.report.evidence import Evidence
from simcompare.report.heat_picture import LIGHT, MOST_CELLS_A_SIDE, heat_levels, png, scale_colour, ticks
from simcompare.report.html_report import labels, template
from simcompare.report.html_sections import PageView, page_view
from simcompare.report.look_alikes import around_look_alikes, look_alikes_of
from simcompare.report.pdf_report import PAPER
from simcompare.report.text_pieces import (
    CHANGED,
    DECISIONS,
    KINDS,
    PASSAGE_LOOKS,
    UNSEEN_INK,
    ends_excluded,
)
from simcompare.report.wording import made_in_words, named
from simcompare.support.display_text import UNSEEN, display_name, escape_invisible
from simcompare.support.i18n import LANGUAGES, _, current_language

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
)
_TWIPS_PER_POINT = 20
_CONTENT_TWIPS = 9_866
"""Width between the margins of the page."""
_HALF, _FIRST = _CONTENT_TWIPS // 2, 1_900
_MOST_PT, _MOST_CELL_PT, _LEAST_PT = 250, 16, 24
_LEAST_PIXELS = 800
_LABEL_TWIPS = 200
_SCALE_STEPS = 40
_PICTURE_PT = 80
_NO_XML = re.compile("[\ufffe\uffff]")
_BREAK = re.compile("([\n\t])")
_BREAKS = {"\n": "<w:br/>", "\t": "<w:tab/>"}
_LINE_OF_TEMPLATE = re.compile(r">\s*\n\s*<")


def _readable(text: str) -> str:
    """Replace control and invisible characters, and those that XML forbids, by their names."""
    return _NO_XML.sub(lambda found: f"[U+{ord(found.group()):04X}]", escape_invisible(text))


def _in_word(text: str) -> Markup:
    """Return the content of a run."""
    parts = (
        _BREAKS.get(part) or f'<w:t xml:space="preserve">{escape(part)}</w:t>'
        for part in _BREAK.split(_readable(text))
        if part
    )
    return Markup("".join(parts))


def _shade(colour: str) -> Markup:
    return Markup('<w:shd w:val="clear" w:color="auto" w:fill="{}"/>').format(colour[1:].upper())


def _lighter(colour: str) -> str:
    """Mix a colour with as much white."""
    channels = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{(channel + 255) // 2:02x}" for channel in channels)


def _marked_words(ink: str, pattern: str, line: str) -> Markup:
    look = Markup('<w:color w:val="{}"/><w:u w:val="{}" w:color="{}"/>')
    return look.format(ink[1:].upper(), pattern, line[1:].upper())


_SYNONYM = KINDS["synonym"]
_VALUES: dict[str, Any] = {
    "CONTENT": _CONTENT_TWIPS,
    "HALVES": (_HALF, _HALF),
    "FACTS": (_FIRST, _CONTENT_TWIPS - _FIRST),
    "FILES": (_FIRST, *[(_CONTENT_TWIPS - _FIRST) // 2] * 2),
    "MATCHES": (980, 1120, 640, 640, 6486),
    "AXIS": 640,
    "HEAT": 5_300,
    "LABEL": _LABEL_TWIPS,
    # characters; a longer row kept on one page would leave most of a page empty
    "LONGEST_WHOLE_ROW": 1_500,
    "KEPT": Markup("<w:keepNext/>"),
    "SIGNS": {decision: sign for decision, (sign, _ink) in DECISIONS.items()},
    "LOOKS": {
        "changed": _marked_words(CHANGED, "single", CHANGED),
        "paired": _marked_words(_SYNONYM.ink, "dotted", _SYNONYM.line),
        "look_alike": Markup('<w:bdr w:val="single" w:sz="6" w:space="0" w:color="{}"/>').format(
            UNSEEN_INK[1:].upper()
        ),
    },
    "around_unseen": UNSEEN.split,
    "around_look_alikes": around_look_alikes,
    "look_alikes": {},
    "in_word": _in_word,
    "shade": _shade,
    "named": named,
    "ends_excluded": ends_excluded,
}
"""Variables of all templates: widths in twips, marks of words, functions."""


def _markup(name: str, **values: Any) -> str:
    """Render a template of elements of a Word document, without the line ends between them."""
    return _LINE_OF_TEMPLATE.sub("><", template(f"{name}.xml").render(_VALUES | values)).strip()


@cache
def _styles_markup() -> str:
    return _markup("styles", paper=PAPER, passage_looks=PASSAGE_LOOKS, lighter=_lighter)


def _heat_png(comparison: Comparison, page: PageView) -> bytes:
    """Return the matrix as PNG, small ones enlarged so that no program blurs their cells."""
    if max(comparison.matrix.shape) > MOST_CELLS_A_SIDE:
        return page.heat.light
    levels = heat_levels(comparison)
    times = -(-_LEAST_PIXELS // max(levels.shape))
    return png(np.repeat(np.repeat(levels, times, axis=0), times, axis=1), LIGHT)


def _heat_size_pt(comparison: Comparison) -> tuple[float, float]:
    """Return width and height of the picture in points, with square cells unless that makes it too small."""
    rows, columns = comparison.matrix.shape
    size = min(_MOST_PT / columns, _MOST_PT / rows, _MOST_CELL_PT)
    return max(columns * size, _LEAST_PT), max(rows * size, _LEAST_PT)


def _matrix(comparison: Comparison, picture: str) -> dict[str, Any]:
    """Return the picture of the matrix in its paragraph, numbers at its axes with places, and the scale."""
    (rows, columns), size = comparison.matrix.shape, _heat_size_pt(comparison)
    wide, high = (round(extent * _TWIPS_PER_POINT) for extent in size)
    colours = (scale_colour(LIGHT.stops, step / (_SCALE_STEPS - 1)) for step in range(_SCALE_STEPS))
    across = [(f"{number:,}", place) for number, place in _label_positions(columns, wide, 38)]
    down = list(_left_axis(rows, high))
    return {"across": across, "down": down, "scale": list(colours), "picture": Markup(picture)}


def _label_positions(count: int, extent: int, label_space_pt: float) -> list[tuple[int, int]]:
    """Return the numbers of an axis and the centres of their sentences in twips."""
    numbers = ticks(count, round(extent / _TWIPS_PER_POINT / label_space_pt))
    return [(number, round((number - 0.5) / count * extent)) for number in numbers]


def _left_axis(count: int, extent: int) -> Iterator[tuple[str, int]]:
    """Yield each number with the space above it that makes it level with its sentence."""
    positions = _label_positions(count, extent, 24)
    middles = [_LABEL_TWIPS // 2, *(place for _number, place in positions)]
    for (number, _place), (above, place) in zip(positions, pairwise(middles), strict=True):
        yield f"{number:,}", max(place - above - (0 if number == 1 else _LABEL_TWIPS), 0)


_PAGE_TWIPS, _MARGIN_TWIPS = (11_906, 16_838), 1_020
# earliest time that zip files can hold; written so that equal reports are equal files
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_LONGEST_PROPERTY = 255
_BODY_NAME, _MAIN_PART = "simcompare", "word/document.xml"
_BODY_PLACEHOLDER = f"<!--{_BODY_NAME}-->".encode()
_PARSER = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True)


def render_docx(evidence: Evidence, sheet: Sequence[SheetPart] = ()) -> bytes:
    """Render the report of a comparison as a Word document, in the current language.

    sheet: put before it, as in a case file. Equal evidence gives equal bytes except for `made_at`, which is
    shown and also stored as creation time. Control and invisible characters, and those that XML forbids, are
    replaced by their names.
    """
    page, document = page_view(evidence, sys.maxsize), docx.Document()
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    title = case_title() if sheet else _("Comparison of two texts")
    return _saved(document, evidence, named(title, names), names, _body(document, evidence, page, sheet))


def render_sheet(evidence: Evidence, title: str, sheet: Sequence[SheetPart]) -> bytes:
    """Render a sheet as a Word document of its own; equal evidence gives equal bytes, as in `render_docx`."""
    sides = evidence.comparison.left, evidence.comparison.right
    look_alikes = look_alikes_of(*(side.document for side in sides))
    body = _markup("sheet", sheet=sheet, page=None, labels=labels("comparison"), look_alikes=look_alikes)
    return _saved(docx.Document(), evidence, title, title, body)


def _saved(document: Document, evidence: Evidence, title: str, foot: str, body: str) -> bytes:
    """Return the file of a document with its styles, footer and properties.

    The markup of the body is inserted into the saved file: moving a long body into the document tree would
    take minutes.
    """
    _set_styles_and_page(document)
    document.element.body[:-1] = [etree.Comment(_BODY_NAME)]
    _add_footer(document, foot)
    _set_properties(document, evidence, title)
    return _zip_with_body(document, body.encode())


def _elements(markup: str) -> list[etree._Element]:
    return list(etree.fromstring(f"<w:all {_NAMESPACES}>{markup}</w:all>".encode(), _PARSER))


def _set_styles_and_page(document: Document) -> None:
    """Replace the styles of python-docx's template by ours, and its page by A4."""
    styles = document.styles.element
    styles[:] = _elements(_styles_markup())
    (section,) = document.sections
    section.page_width, section.page_height = map(Twips, _PAGE_TWIPS)
    section.left_margin = section.right_margin = Twips(_MARGIN_TWIPS)
    section.top_margin = section.bottom_margin = Twips(_MARGIN_TWIPS)


def _body(document: Document, evidence: Evidence, page: PageView, sheet: Sequence[SheetPart]) -> str:
    """Return the markup of the body; the pictures in it become part of the document."""
    numbers, size = count(1), _heat_size_pt(evidence.comparison)
    names = _("Comparison matrix"), page.heat.in_words
    matrix = _picture(document, _heat_png(evidence.comparison, page), size, names, next(numbers))

    def small(data: bytes, words: str) -> Markup:
        if not data:
            return Markup('<w:p><w:pPr><w:pStyle w:val="Cell"/></w:pPr></w:p>')
        return Markup(_picture(document, data, (None, _PICTURE_PT), (words, words), next(numbers)))

    return _markup(
        "comparison",
        sheet=sheet,
        page=page,
        look_alikes=page.look_alikes,
        labels=labels("comparison"),
        matrix=_matrix(evidence.comparison, matrix),
        pictures=[
            (each.in_words, small(each.left, each.in_words), small(each.right, each.in_words))
            for each in page.pictures
        ],
        common_pictures=_("Common pictures"),
        facing={passage.number for passage in page.passages},
        next_bookmark=partial(next, count(1)),
        made=made_in_words(evidence.made_at),
    )


def _picture(
    document: Document, data: bytes, size_pt: tuple[float | None, float], names: tuple[str, str], number: int
) -> str:
    """Return a paragraph with a picture; names: its name and its description."""
    width, height = (None if side is None else Pt(side) for side in size_pt)
    inline = document.part.new_pic_inline(BytesIO(data), width, height)
    for attribute, value in zip(("id", "name", "descr"), (str(number), *names), strict=True):
        inline.docPr.set(attribute, value)
    for side in "TBLR":
        # without the attribute, LibreOffice adds a margin
        inline.set(f"dist{side}", "0")
    drawing = etree.tostring(inline, encoding="unicode")
    return f'<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:drawing>{drawing}</w:drawing></w:r></w:p>'


def _add_footer(document: Document, names: str) -> None:
    """Put the file names and "page n of N" into the footer."""
    footer = document.sections[0].footer
    footer.is_linked_to_previous = False
    words = re.split(r"\{(number|count)\}", _("Page {number} of {count}"))
    footer._element[:] = _elements(_markup("footer", names=names, words=words))


def _set_properties(document: Document, evidence: Evidence, title: str) -> None:
    about = document.core_properties
    made_at = evidence.made_at
    moment = made_at.astimezone(UTC).replace(tzinfo=None) if made_at.tzinfo else made_at
    about.title = _readable(title)[:_LONGEST_PROPERTY]
    about.author = about.last_modified_by = f"simcompare {__version__}"
    about.created = about.modified = moment
    about.comments = about.keywords = about.subject = ""
    about.language = LANGUAGES[current_language()].locale.replace("_", "-")
    thumbnails = [
        key
        for key, relation in document.part.package.rels.items()
        if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL
    ]
    for key in thumbnails:
        del document.part.package.rels[key]


def _zip_with_body(document: Document, body: bytes) -> bytes:
    """Save the document with its body, and with no time of writing in the zip."""
    written, packed = BytesIO(), BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = old.read(name)
            new.writestr(entry, data.replace(_BODY_PLACEHOLDER, body, 1) if name == _MAIN_PART else data)
    return packed.getvalue()
