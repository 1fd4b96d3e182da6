"""Passages in the Word report: both sides beside each other, their marks in the texts, and the styles."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from simcompare.model.document import BlockKind
from simcompare.report.facing_passages import FacingPassage, PassageMark, PassageRun
from simcompare.report.html_sections import PageView, SideView
from simcompare.report.text_pieces import (
    BIT_DIFFERS,
    BIT_OFF,
    BIT_ON,
    CHANGED,
    DECISIONS,
    DOUBT,
    INK,
    KINDS,
    MUTED,
    PASSAGE_LOOKS,
    RULE,
    BlockPieces,
    PrintedKindStyle,
    SharedPiece,
    TextPiece,
    ends_excluded,
)
from simcompare.session.decisions import Decision
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _

_LOOKS: Mapping[str, PrintedKindStyle] = KINDS | PASSAGE_LOOKS

MATCH_STYLES: Mapping[str, str] = {kind: f"Match{kind.title()}" for kind in _LOOKS}
"""Character style of matched sentences, by the word of their kind or of that of their passage."""

AROUND_STYLES: Mapping[str, str] = {kind.value: f"Around{kind.title()}" for kind in PASSAGE_LOOKS}
"""Character style of the text of a passage outside its matched sentences, by the kind of the passage."""

NUMBER_STYLES: Mapping[str, str] = {kind.value: f"Number{kind.title()}" for kind in PASSAGE_LOOKS}
"""Character style of the number before a passage, by its kind."""

FINE_NUMBER_STYLE = "NumberFine"
"""Character style of the number before a passage decided to be fine."""

DECISION_STYLES = {decision: f"Judged{decision.value.title()}" for decision in DECISIONS}
"""Character style of a decision."""

SIGN_STYLES = {decision: f"Sign{decision.value.title()}" for decision in DECISIONS}
"""Character style of the sign of a decision after a sentence."""

FINE_STYLE = "MatchFine"
"""Character style of sentences decided to be fine, of any kind."""

_LATIN, _CJK, _FIXED = "Calibri", "Microsoft YaHei", "Courier New"
_UNDERLINES = {
    "solid": "single",
    "dashed": "dash",
    "dotted": "dotted",
    "dash-dotted": "dotDash",
    "wavy": "wave",
}


def styles_markup() -> str:
    return "".join([_defaults(), *_paragraphs(), *_kinds(), *_characters(), _PLAIN_TABLE])


def _defaults() -> str:
    """Return the style Normal, which holds the properties of all text.

    Not in the document defaults: LibreOffice gives those precedence over character styles within tables.
    """
    return (
        "<w:docDefaults><w:rPrDefault><w:rPr>"
        '<w:lang w:val="en-GB" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults>'
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/>'
        '<w:pPr><w:spacing w:after="0" w:line="259" w:lineRule="auto"/></w:pPr><w:rPr>'
        f'<w:rFonts w:ascii="{_LATIN}" w:hAnsi="{_LATIN}" w:cs="{_LATIN}" w:eastAsia="{_CJK}"/>'
        f"{_colour(INK)}{_size(20)}</w:rPr></w:style>"
        '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">'
        '<w:name w:val="Default Paragraph Font"/></w:style>'
    )


def _paragraphs() -> Iterator[str]:
    yield _paragraph("Title", "Title", _spacing(0, 120), "<w:b/>" + _size(36))
    heading = "<w:keepNext/><w:keepLines/>" + _spacing(480, 120) + '<w:outlineLvl w:val="0"/>'
    yield _paragraph("Heading1", "heading 1", heading, "<w:b/>" + _size(28))
    yield _paragraph("Footer", "footer", '<w:tabs><w:tab w:val="right" w:pos="9866"/></w:tabs>', _small())
    yield _paragraph("CardName", "Card name", "<w:keepNext/>" + _spacing(120, 0), "<w:b/>" + _size(24))
    yield _paragraph("Share", "Share", _spacing(120, 0), "")
    yield _paragraph("Small", "Small print", _spacing(0, 40), _small())
    yield _paragraph("SmallHead", "Head of a column", "<w:keepNext/>" + _spacing(40, 60), "<w:b/>" + _small())
    yield _paragraph("Result", "Result", _spacing(160, 80), _size(25))
    yield _paragraph("Doubt", "Doubt", _spacing(60, 60), _colour(DOUBT))
    yield _paragraph("Cell", "Cell", _spacing(60, 60), _size(18))
    hanging = '<w:tabs><w:tab w:val="left" w:pos="880"/></w:tabs>' + _spacing(60, 40) + _indent(880, -880)
    yield _paragraph("Pair", "Sentence of a pair", hanging, _size(18))
    yield _paragraph("Reason", "Reason", _spacing(0, 60) + _indent(880, 0), _small())
    yield _paragraph("Text", "Text", _spacing(0, 120, 360), _size(21))
    yield _paragraph(
        "TextChinese", "Text, Chinese", '<w:ind w:firstLineChars="200" w:firstLine="420"/>', "", "Text"
    )
    centred = "<w:keepNext/>" + _spacing(120, 200) + '<w:jc w:val="center"/>'
    yield _paragraph("TextTitle", "Text, title", centred, "<w:b/>" + _size(26))
    yield _paragraph("TextHeading", "Text, heading", "<w:keepNext/>" + _spacing(200, 100), "<w:b/>", "Text")
    yield _paragraph("TextInset", "Text, inset", _indent(400, 0), "", "Text")
    yield _paragraph("TextSmall", "Text, small", _spacing(0, 80), _size(18))
    yield _paragraph("Passage", "Passage", _spacing(0, 60, 320), _size(19))


def _kinds() -> Iterator[str]:
    for kind, kind_style in _LOOKS.items():
        line = f'<w:u w:val="{_UNDERLINES[kind_style.pattern]}" w:color="{kind_style.line[1:].upper()}"/>'
        yield _character(MATCH_STYLES[kind], f"Match, {kind}", line + _shade(kind_style.tint))
    for kind, kind_style in PASSAGE_LOOKS.items():
        yield _character(AROUND_STYLES[kind], f"Passage, {kind}", _shade(_lighter(kind_style.tint)))
        yield _character(NUMBER_STYLES[kind], f"Number, {kind}", _raised(kind_style.ink))
    yield _character(FINE_NUMBER_STYLE, "Number, fine", _raised(MUTED))
    for decision, (_sign, ink) in DECISIONS.items():
        yield _character(DECISION_STYLES[decision], f"Judged as {decision.value}", "<w:b/>" + _colour(ink))
        yield _character(SIGN_STYLES[decision], f"Sign, {decision.value}", _colour(ink))
    faint = f'<w:u w:val="dotted" w:color="{RULE[1:].upper()}"/>'
    yield _character(FINE_STYLE, "Match, fine", _colour(MUTED) + faint)


def _characters() -> Iterator[str]:
    fixed = f'<w:rFonts w:ascii="{_FIXED}" w:hAnsi="{_FIXED}" w:cs="{_FIXED}"/>'
    yield _character("Changed", "Changed or moved", _CHANGED)
    yield _character("Paired", "Paired as synonyms", _PAIRED)
    yield _character("Muted", "Muted", _colour(MUTED))
    yield _character("Excluded", "Excluded", _colour(MUTED))
    yield _character("ExcludedWhy", "Why excluded", _colour(MUTED) + '<w:vertAlign w:val="superscript"/>')
    yield _character("Strong", "Strong", "<w:b/>")
    yield _character("ShareFigure", "Share figure", "<w:b/>" + _size(40))
    yield _character("Digits", "Digits", fixed + _colour(MUTED) + _size(15))
    ring = f'<w:bdr w:val="single" w:sz="8" w:space="0" w:color="{BIT_DIFFERS[1:].upper()}"/>'
    for name, ink, ground in (("BitOn", "#ffffff", BIT_ON), ("BitOff", INK, BIT_OFF)):
        plain = fixed + _colour(ink) + _size(11)
        yield _character(name, name, plain + _shade(ground))
        yield _character(f"{name}Differs", f"{name}, differs", plain + ring + _shade(ground))


def _paragraph(name: str, title: str, paragraph: str, text: str, base: str = "Normal") -> str:
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{title}"/><w:basedOn w:val="{base}"/>'
        f"<w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{text}</w:rPr></w:style>"
    )


def _character(name: str, title: str, text: str) -> str:
    return (
        f'<w:style w:type="character" w:customStyle="1" w:styleId="{name}"><w:name w:val="{title}"/>'
        f'<w:basedOn w:val="DefaultParagraphFont"/><w:qFormat/><w:rPr>{text}</w:rPr></w:style>'
    )


_PLAIN_TABLE = (
    '<w:style w:type="table" w:default="1" w:styleId="Plain"><w:name w:val="Normal Table"/>'
    '<w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:left w:w="0" w:type="dxa"/>'
    '<w:right w:w="140" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>'
)


def _small() -> str:
    return _colour(MUTED) + _size(17)


def _colour(colour: str) -> str:
    return f'<w:color w:val="{colour[1:].upper()}"/>'


_SYNONYM = KINDS["synonym"]
_CHANGED = _colour(CHANGED) + f'<w:u w:val="single" w:color="{CHANGED[1:].upper()}"/>'
_PAIRED = _colour(_SYNONYM.ink) + f'<w:u w:val="dotted" w:color="{_SYNONYM.line[1:].upper()}"/>'


def _shade(colour: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{colour[1:].upper()}"/>'


def _raised(ink: str) -> str:
    return "<w:b/>" + _colour(ink) + '<w:vertAlign w:val="superscript"/>'


def _lighter(colour: str) -> str:
    """Mix a colour with as much white."""
    channels = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{(channel + 255) // 2:02x}" for channel in channels)


def _size(half_points: int) -> str:
    return f'<w:sz w:val="{half_points}"/><w:szCs w:val="{half_points}"/>'


def _spacing(before: int, after: int, line: int = 0) -> str:
    """Return spacing in twips; `line` in 240ths of a line, 0 for the document's line spacing."""
    lines = f' w:line="{line}" w:lineRule="auto"' if line else ""
    return f'<w:spacing w:before="{before}" w:after="{after}"{lines}/>'


def _indent(left: int, first: int) -> str:
    beside = f'w:hanging="{-first}"' if first < 0 else f'w:firstLine="{first}"'
    return f'<w:ind w:left="{left}" {beside}/>'


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
    """Yield the parts of the blocks of a text that are in a passage, with changed words marked."""
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
                yield from _words(piece, MATCH_STYLES[kind or piece.sentence.kind])
            if piece.sentence.has_sign:
                yield from _sign(piece.sentence.decision)
        else:
            yield from _words(piece, AROUND_STYLES[kind] if kind else "")


def _words(piece: TextPiece, style: str) -> Iterator[str]:
    for word in piece.words or (SharedPiece(piece.text, False, False),):
        yield run(word.text, style, _PAIRED if word.is_synonym else _CHANGED if word.is_changed else "")


def _sign(decision: Decision | None) -> Iterator[str]:
    if decision is not None:
        yield run(DECISIONS[decision][0].strip(), SIGN_STYLES[decision])
