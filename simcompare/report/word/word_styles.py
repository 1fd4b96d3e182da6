"""Styles of the Word report, so that a user can change the look of all matches in one place."""

from collections.abc import Iterator, Mapping

from simcompare.report.text_pieces import (
    BIT_DIFFERS,
    BIT_OFF,
    BIT_ON,
    DECISIONS,
    DOUBT,
    INK,
    KINDS,
    MUTED,
    PASSAGE_LOOKS,
    RULE,
    PrintedKindStyle,
)

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
    """Return the markup of all styles."""
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
    synonym = KINDS["synonym"]
    dotted = f'<w:u w:val="dotted" w:color="{synonym.line[1:].upper()}"/>'
    fixed = f'<w:rFonts w:ascii="{_FIXED}" w:hAnsi="{_FIXED}" w:cs="{_FIXED}"/>'
    yield _character("Common", "In both sentences", "<w:b/>")
    yield _character("Paired", "Paired as synonyms", _colour(synonym.ink) + dotted)
    yield _character("CommonPaired", "In both, and paired", "<w:b/>" + _colour(synonym.ink) + dotted)
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
