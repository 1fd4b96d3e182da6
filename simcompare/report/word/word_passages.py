"""Passages in the Word report: both sides beside each other, and their marks in the full texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from simcompare.model.document import BlockKind
from simcompare.report.facing_passages import FacingPassage, PassageMark, PassageRun
from simcompare.report.html_sections import PageView, SideView
from simcompare.report.text_pieces import DECISIONS, BlockPieces, SharedPiece, TextPiece, ends_excluded
from simcompare.report.word.word_styles import (
    AROUND_STYLES,
    FINE_NUMBER_STYLE,
    FINE_STYLE,
    MATCH_STYLES,
    NUMBER_STYLES,
    SIGN_STYLES,
)
from simcompare.session.decisions import Decision
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _

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


_STYLES = {
    BlockKind.TITLE: "TextTitle",
    BlockKind.HEADING: "TextHeading",
    BlockKind.LIST_ITEM: "TextInset",
    BlockKind.QUOTATION: "TextInset",
    BlockKind.FOOTNOTE: "TextSmall",
    BlockKind.REFERENCE: "TextSmall",
    BlockKind.TABLE_ROW: "TextSmall",
}


def passages_side_by_side(page: PageView, bookmarks: Bookmarks) -> Iterator[str]:
    """Yield a table with both sides of each passage; passages shown elsewhere have a remark before it."""
    yield from (paragraph("Normal", run(remark)) for remark in page.passage_remarks)
    if page.passages:
        yield table((HALF_TWIPS, HALF_TWIPS), _rows(page, bookmarks), _("Passages"))


def _rows(page: PageView, bookmarks: Bookmarks) -> Iterator[str]:
    yield row((cell(paragraph("SmallHead", run(side.name)), HALF_TWIPS) for side in page.sides), is_head=True)
    for passage in page.passages:
        title = bookmarks.at(f"p{passage.number}", link(run(passage.title), f"l{passage.number}"))
        yield row([cell(paragraph("SmallHead", title), CONTENT_TWIPS, span=2, top=True)])
        texts = ("".join(excerpts(passage.kind, blocks)) for blocks in (passage.left, passage.right))
        yield row((cell(text, HALF_TWIPS) for text in texts), is_whole=False)


def excerpts(kind: str, blocks: Sequence[BlockPieces]) -> Iterator[str]:
    """Yield the parts of the blocks of a text that are in a passage, with the words in common bold."""
    for block in blocks:
        yield paragraph("Passage", _bullet(block.kind), *_marked(block.pieces, kind))


def full_text(side: SideView, passages: Sequence[FacingPassage], bookmarks: Bookmarks) -> Iterator[str]:
    """Yield a paragraph for each block of a text, with the number of each passage before its beginning.

    A number links to the passage side by side, or to its beginning in the other text.
    """
    facing = {passage.number for passage in passages}
    plain = "TextChinese" if side.language == "zh" else "Text"
    for block in side.blocks:
        shown = (piece for part in block.runs for piece in _run(side, part, facing, bookmarks))
        yield paragraph(_STYLES.get(block.kind, plain), _bullet(block.kind), *shown)


def _bullet(kind: BlockKind) -> str:
    return run("• ") if kind is BlockKind.LIST_ITEM else ""


def _run(side: SideView, part: PassageRun, facing: set[int], bookmarks: Bookmarks) -> Iterator[str]:
    for passage in part.starting:
        yield from _sign(passage.decision)
        style = FINE_NUMBER_STYLE if passage.decision is Decision.FINE else NUMBER_STYLES[passage.kind]
        place = f"p{passage.number}" if passage.number in facing else f"{side.partner_letter}{passage.number}"
        number = link(run(f"{passage.number:,}", style), place)
        yield bookmarks.at(f"{side.letter}{passage.number}", number)
    yield from _marked(part.pieces, _kind_of(part.passage))


def _kind_of(passage: PassageMark | None) -> str:
    return "" if passage is None or passage.decision is Decision.FINE else passage.kind


def _marked(pieces: Sequence[TextPiece], kind: str) -> Iterator[str]:
    """Yield pieces of a text, marked by the kind of the passage around them, "" outside of passages."""
    for at, piece in enumerate(pieces):
        # also if it is matched: what is a quotation in one text only counts in the other
        if piece.excluded:
            yield run(piece.text, "Excluded")
            if ends_excluded(pieces, at):
                yield run(f" [{piece.excluded}]", "ExcludedWhy")
        elif piece.sentence is not None:
            if piece.sentence.decision is Decision.FINE:
                yield run(piece.text, FINE_STYLE)
            else:
                style = MATCH_STYLES[kind or piece.sentence.kind]
                for word in piece.words or (SharedPiece(piece.text, False, False),):
                    yield run(word.text, style, "<w:b/>" if word.is_common else "")
            yield from _sign(piece.sentence.decision)
        else:
            yield run(piece.text, AROUND_STYLES[kind] if kind else "")


def _sign(decision: Decision | None) -> Iterator[str]:
    if decision is not None:
        yield run(DECISIONS[decision][0].strip(), SIGN_STYLES[decision])
