"""WordprocessingML elements (ISO/IEC 29500-1, chapter 17) as strings, which is fast for long documents."""

import re
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from simcompare.support.display_text import escape_invisible

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
)
TWIPS_PER_POINT = 20
CONTENT_TWIPS = 9_866
"""Width between the margins of the page."""
HALF_TWIPS = CONTENT_TWIPS // 2
_NO_XML = re.compile("[\ufffe\uffff]")
_BREAK = re.compile("([\n\t])")
_BREAKS = {"\n": "<w:br/>", "\t": "<w:tab/>"}


def readable(text: str) -> str:
    """Replace control and invisible characters, and those that XML forbids, by their names."""
    return _NO_XML.sub(lambda found: f"[U+{ord(found.group()):04X}]", escape_invisible(text))


def run(text: str, style: str = "", properties: str = "") -> str:
    """Return a run of text, optionally in a character style."""
    if not text:
        return ""
    look = f'<w:rStyle w:val="{style}"/>' if style else ""
    head = f"<w:rPr>{look}{properties}</w:rPr>" if look or properties else ""
    parts = "".join(map(_content, _BREAK.split(readable(text))))
    return f"<w:r>{head}{parts}</w:r>"


def _content(part: str) -> str:
    if part in _BREAKS:
        return _BREAKS[part]
    return f'<w:t xml:space="preserve">{escape(part)}</w:t>' if part else ""


def paragraph(style: str, *runs: str, properties: str = "") -> str:
    """Return a paragraph in a paragraph style."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{"".join(runs)}</w:p>'


def link(runs: str, place: str) -> str:
    """Return runs as a hyperlink to the bookmark `place`."""
    return f'<w:hyperlink w:anchor="{place}" w:history="1">{runs}</w:hyperlink>'


# Word refuses a file with a cell that has no paragraph
_EMPTY = "<w:p/>"
_LINE_ABOVE = '<w:tcBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="D5D5CE"/></w:tcBorders>'


class Bookmarks:
    """Numbers bookmarks in order of creation."""

    def __init__(self) -> None:
        self._count = 0

    def at(self, place: str, runs: str) -> str:
        """Return runs with a bookmark around them."""
        self._count += 1
        number = self._count
        return f'<w:bookmarkStart w:id="{number}" w:name="{place}"/>{runs}<w:bookmarkEnd w:id="{number}"/>'


def field(instruction: str, style: str = "") -> str:
    """Return a field that Word computes, such as the page number."""
    look = f'<w:rPr><w:rStyle w:val="{style}"/></w:rPr>' if style else ""
    return f'<w:fldSimple w:instr=" {instruction} "><w:r>{look}<w:t>1</w:t></w:r></w:fldSimple>'


def cell(content: str, width: int, *, span: int = 1, top: bool = False) -> str:
    """Return a table cell, `width` in twips; `top` draws a line above it."""
    spanned = f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
    border = _LINE_ABOVE if top else ""
    head = f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{spanned}{border}</w:tcPr>'
    return f"<w:tc>{head}{content or _EMPTY}</w:tc>"


def row(cells: Iterable[str], *, is_head: bool = False, is_whole: bool = True) -> str:
    """Return a table row: `is_head` repeats it on every page, `is_whole` keeps it on one page."""
    kept = ("<w:cantSplit/>" if is_whole else "") + ("<w:tblHeader/>" if is_head else "")
    return f"<w:tr>{f'<w:trPr>{kept}</w:trPr>' if kept else ''}{''.join(cells)}</w:tr>"


def table(widths: Sequence[int], rows: Iterable[str], description: str) -> str:
    """Return a table without grid lines; `widths` are the column widths in twips."""
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    return (
        '<w:tbl><w:tblPr><w:tblStyle w:val="Plain"/>'
        f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
        f'<w:tblDescription w:val="{escape(description, {chr(34): "&quot;"})}"/></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"
    )
