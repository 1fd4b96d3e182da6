"""What a paragraph's style says of it: heading, title, list, quotation, size, centred."""

import re
from dataclasses import dataclass

from lxml import etree

from simcompare.document import BlockKind
from simcompare.loading.docx.parts import attribute, child, local_name

# Word stores the English names of its own styles in every language; WPS and others store their own.
_HEADING = re.compile(r"(?:heading|标题|標題) ?[1-9]", re.IGNORECASE)
_TITLE = frozenset({"title", "标题", "標題", "文档标题"})
_QUOTATION = frozenset({"quote", "intense quote", "引用", "明显引用", "鮮明引文", "引文"})
_OFF = frozenset({"0", "false", "off", "none"})
_BODY_LEVEL = 9


@dataclass(frozen=True, slots=True)
class Look:
    """What makes a line stand out as a title."""

    half_points: float
    bold: bool
    centred: bool


def is_on(properties: etree._Element | None, name: str) -> bool | None:
    """Return a switch such as bold: on, off, or None where nothing is said."""
    switch = child(properties, name)
    if switch is None:
        return None
    return (attribute(switch, "val") or "1") not in _OFF


class Styles:
    """The styles of a document, with what they inherit."""

    def __init__(self, roots: list[etree._Element]) -> None:
        styles = [style for root in roots for style in root if local_name(style) == "style"]
        self._by_id = {attribute(style, "styleId") or "": style for style in styles}
        self._default = next((s for s in styles if _is_default_paragraph(s)), None)
        defaults = [inner for root in roots for inner in root if local_name(inner) == "docDefaults"]
        run_default = child(child(defaults[0], "rPrDefault"), "rPr") if defaults else None
        self._default_size = _size(run_default) or 20.0

    def kind(self, properties: etree._Element | None) -> BlockKind:
        """Return what a paragraph with these properties is."""
        chain = self._chain(properties)
        names = [(attribute(child(style, "name"), "val") or "").strip().lower() for style in chain]
        if any(name in _TITLE for name in names):
            return BlockKind.TITLE
        if (
            any(_HEADING.match(name) for name in names)
            or self._outline_level(properties, chain) < _BODY_LEVEL
        ):
            return BlockKind.HEADING
        if any(name in _QUOTATION for name in names):
            return BlockKind.QUOTATION
        return BlockKind.LIST_ITEM if self._is_numbered(properties, chain) else BlockKind.PARAGRAPH

    def look(self, paragraph: etree._Element) -> Look:
        """Return size, weight and alignment of a paragraph as its first words have them."""
        properties = child(paragraph, "pPr")
        chain = self._chain(properties)
        runs = [child(run, "rPr") for run in paragraph.iter("{*}r") if run.find("{*}t") is not None][:8]
        styled = [child(style, "rPr") for style in chain]
        size = max((s for s in map(_size, runs) if s), default=None) or next(
            (s for s in map(_size, styled) if s), self._default_size
        )
        weights = [is_on(part, "b") for part in (*runs, *styled)]
        alignments = [
            attribute(child(p, "jc"), "val") for p in (properties, *(child(s, "pPr") for s in chain))
        ]
        centred = next((alignment for alignment in alignments if alignment), "") == "center"
        return Look(size, next((bold for bold in weights if bold is not None), False), centred)

    def body_half_points(self) -> float:
        """Return the size of ordinary text."""
        styled = [_size(child(style, "rPr")) for style in self._chain(None)]
        return next((size for size in styled if size), self._default_size)

    def _chain(self, properties: etree._Element | None) -> list[etree._Element]:
        """Return the paragraph's style, then what it is based on; a style may name itself."""
        name = attribute(child(properties, "pStyle"), "val")
        style = self._by_id.get(name, self._default) if name else self._default
        chain: list[etree._Element] = []
        while style is not None and style not in chain:
            chain.append(style)
            style = self._by_id.get(attribute(child(style, "basedOn"), "val") or "")
        return chain

    def _outline_level(self, properties: etree._Element | None, chain: list[etree._Element]) -> int:
        for part in (properties, *(child(style, "pPr") for style in chain)):
            level = attribute(child(part, "outlineLvl"), "val")
            if level is not None and level.isdecimal():
                return int(level)
        return _BODY_LEVEL

    def _is_numbered(self, properties: etree._Element | None, chain: list[etree._Element]) -> bool:
        for part in (properties, *(child(style, "pPr") for style in chain)):
            numbering = child(part, "numPr")
            if numbering is not None:
                # List number 0 takes the numbers away again.
                return attribute(child(numbering, "numId"), "val") != "0"
        return False


def _is_default_paragraph(style: etree._Element) -> bool:
    return attribute(style, "type") == "paragraph" and (attribute(style, "default") or "0") not in _OFF


def _size(properties: etree._Element | None) -> float | None:
    value = attribute(child(properties, "sz"), "val")
    try:
        return float(value) if value else None
    except ValueError:
        return None
