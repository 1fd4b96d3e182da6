"""How passages are marked as taken from a source, and references that are listed or cited only."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from simcompare.comparison.citations.named_sources import is_source, named_sources
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.exclusions.excluded_sentences import quotations
from simcompare.comparison.passages.numbered_passages import NumberedPassage
from simcompare.model.document import BlockKind, Document, NamedSource, ReferenceCheck, Span
from simcompare.support.lazy import LazyPattern
from simcompare.text.words import is_common_english

_LEAST_ENTRIES, _LEAST_LETTERS = 2, 6
_ENTRY_NUMBER = re.compile(r"\s*[\[［〔【(（]?\s*(\d{1,3})\s*[\]］〕】)）.、．]")
_IN_BRACKETS = re.compile(r"[\[［〔【]([\d\s,，、;；–—\-~～]+)(?:[\]］〕】]|[:：]?\s*(?:pp?\b|第|页))")
_RANGE = re.compile(r"(\d{1,3})(?:\s*[–—\-~～]\s*(\d{1,3}))?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_HAN_LEAD = re.compile(r"[㐀-鿿·]{2,12}")
_LATIN_NAME = re.compile(r"(?<![^\W\d_])[A-ZÀ-Þ][^\W\d_]{2,}(?![^\W\d_])")
_MOST_IN_RANGE, _MOST_AUTHOR_CHARACTERS = 50, 80


def check_references(document: Document) -> ReferenceCheck:
    """Compare the list of references of a text with its citations; nothing is found without a list.

    By numbers if the entries have some and the text cites any; otherwise by the names of the authors, where
    they can be told.
    """
    if document.references is not None:
        return document.references
    lines = _texts(document, is_listed=True)
    entries = [text for text in lines if sum(map(str.isalpha, text)) >= _LEAST_LETTERS and _YEAR.search(text)]
    if len(entries) < _LEAST_ENTRIES:
        return ReferenceCheck()
    paragraphs = list(_texts(document, is_listed=False))
    cited = [source.span.of(text) for text in paragraphs for source in named_sources(text)]
    numbers = [int(found[1]) if (found := _ENTRY_NUMBER.match(entry)) else None for entry in entries]
    cited_numbers = {number for source in cited for number in _numbers_in(source)}
    if cited_numbers and None not in numbers:
        places = zip(entries, numbers, strict=True)
        return ReferenceCheck(
            tuple(entry for entry, number in places if number not in cited_numbers),
            tuple(f"[{number}]" for number in sorted(cited_numbers - set(filter(None, numbers)))),
        )
    body, listed = "\n".join(paragraphs), "\n".join(entries)
    return ReferenceCheck(
        tuple(entry for entry in entries if _is_uncited(entry, body)),
        tuple(dict.fromkeys(source for source in cited if _is_unlisted(source, listed))),
    )


def _texts(document: Document, *, is_listed: bool) -> Iterator[str]:
    for block in document.blocks:
        if (block.kind is BlockKind.REFERENCE) is is_listed:
            yield block.span.of(document.text)


def _numbers_in(source: str) -> Iterator[int]:
    for inside in _IN_BRACKETS.findall(source):
        for first, last in _RANGE.findall(inside):
            yield from range(int(first), min(int(last or first), int(first) + _MOST_IN_RANGE) + 1)


def _is_uncited(entry: str, body: str) -> bool:
    """Return whether no author of an entry stands in the text; false if its authors cannot be told."""
    text = _ENTRY_NUMBER.sub("", entry, count=1).strip()
    if han := _HAN_LEAD.match(text):
        return han.group() not in body
    year = _YEAR.search(text)
    authors = text[: min(year.start() if year else _MOST_AUTHOR_CHARACTERS, _MOST_AUTHOR_CHARACTERS)]
    names = _LATIN_NAME.findall(authors)
    is_titled = bool(names) and is_common_english(names[0].lower()) and not text.startswith(f"{names[0]},")
    return bool(names) and not is_titled and not any(name in body for name in names)


def _is_unlisted(source: str, listed: str) -> bool:
    """Return whether a citation with a year names nobody who stands in the list."""
    if not _YEAR.search(source):
        return False
    names: Sequence[str] = [*_LATIN_NAME.findall(source), *_HAN_LEAD.findall(source)]
    return bool(names) and not any(name in listed for name in names)


class CitationGroup(StrEnum):
    """How a writer marks what is taken from a source, from the most to the least. Stable machine words."""

    QUOTED_AND_CITED = "quoted_and_cited"
    CITED = "cited"
    QUOTED = "quoted"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Citation:
    """How a text marks a passage; `text` names the source, `place` is where in the document, None without."""

    is_quoted: bool
    text: str = ""
    place: Span | None = None

    @property
    def group(self) -> CitationGroup:
        if self.is_quoted:
            return CitationGroup.QUOTED_AND_CITED if self.text else CitationGroup.QUOTED
        return CitationGroup.CITED if self.text else CitationGroup.NEITHER


@dataclass(frozen=True, slots=True)
class PassageCitation:
    """How a passage is marked by the text that may have copied it; of two such by the one that marks more."""

    side: str
    citation: Citation

    @property
    def group(self) -> CitationGroup:
        return self.citation.group


_GROUPS = tuple(CitationGroup)


def passage_citation(comparison: Comparison, passage: NumberedPassage) -> PassageCitation | None:
    """Find how a passage is marked; None if neither text has the other as a source."""
    sides = (("left", comparison.left, passage.left), ("right", comparison.right, passage.right))
    found = [
        PassageCitation(side, citation_of(text.document, span))
        for (side, text, span), may_copy in zip(sides, comparison.copying, strict=True)
        if may_copy
    ]
    return min(found, key=lambda each: _GROUPS.index(each.group), default=None)


def copying_sides(essays: tuple[bool, bool], count: int) -> tuple[bool, bool]:
    """Return `Comparison.copying` of two of `count` essays of a class, or of one and of earlier work.

    Two files alone may be an essay and its source.
    """
    return (count <= 2,) * 2 if all(essays) else essays


def citation_of(document: Document, passage: Span) -> Citation:
    """Find how a text marks a passage of it."""
    first, last = _block_at(document, passage.start), _block_at(document, passage.end - 1)
    is_quoted = _is_quoted(document, passage)
    for number in range(max(first, last - _MOST_PARAGRAPHS), last + 1):
        block = document.blocks[number].span
        part = Span(max(passage.start, block.start), min(passage.end, block.end))
        found = _source_beside(document, number, part, is_quoted=is_quoted) if len(part) > 0 else None
        if found is not None:
            return Citation(is_quoted, found.note or found.span.of(document.text), found.span)
    return Citation(is_quoted)


def sources_of(document: Document) -> tuple[NamedSource, ...]:
    """Find all places of a text that name a source."""
    parts = (
        Span(start, min(start + _MOST_CHARACTERS, block.span.end))
        for block in document.blocks
        for start in range(block.span.start, block.span.end, _MOST_CHARACTERS)
    )
    return tuple(source for part in parts for source in _sources_in(document, part))


_MOST_PARAGRAPHS = 200
"""Of a longer passage the last ones."""


# --- quotation marks

_LEAST_QUOTED, _LEAST_QUOTED_AT_BEGINNING = 0.4, 0.25
"""Share of a passage in quotation marks; less of one that begins with a quotation and adds a remark."""
_SHORTEST_QUOTATION = 6


def _block_at(document: Document, place: int) -> int:
    return max(bisect_right(document.blocks, place, key=lambda block: block.span.start) - 1, 0)


def _visible(text: str) -> int:
    return sum(char.isalnum() for char in text)


def _is_quoted(document: Document, passage: Span) -> bool:
    """Return whether most of a passage, or its beginning, is in quotation marks or set as a quotation."""
    text, count, is_first = document.text, 0, False
    for block in document.blocks[_block_at(document, passage.start) :]:
        if block.span.start >= passage.end:
            break
        is_set = block.kind is BlockKind.QUOTATION
        for each in [block.span] if is_set else quotations(text, block.span):
            inside = text[max(each.start, passage.start) : min(each.end, passage.end)]
            count += _visible(inside)
            is_at_beginning = not _visible(text[passage.start : each.start])
            is_first |= is_at_beginning and _visible(inside) >= _SHORTEST_QUOTATION
    least = _LEAST_QUOTED_AT_BEGINNING if is_first else _LEAST_QUOTED
    return count > 0 and count >= least * _visible(passage.of(text))


# --- sources beside the passage

_END = LazyPattern(r"(?:[。！？!?…]+|\.+)[”’」』\"')）]*")
_NO_END = LazyPattern(
    r"(?:\b(?:[A-Z]|al|pp?|vols?|nos?|cf|eds?|trans|ch|chap|sec|para|fig|Dr|Mr|Mrs|Ms|St|Prof|e\.g|i\.e|n\.d|n|q(?:uo)?td"
    r"|vs|etc|ca|Jr|Sr)|\d)$"
)
_BEGINS = LazyPattern(r"\s+[\"“‘'(\[A-Z0-9]|\s*(?:[\[（(〔⁰¹²³⁴-⁹①-⑳]|$)")
_REFERS_BACK = LazyPattern(
    r"\s*(?:(?:This|These|That|Those|Such|The (?:above|same|argument|idea|figure|quotation|passage|view))\b"
    r"|(?:这|此|上述|以上|该|前述))"
)
_GOES_ON = LazyPattern(
    r"[\s\"“‘'「]*(?:(?:He|She|They|It|His|Her|Their|The (?:authors?|researchers|study|paper|report|book))\b"
    r"|(?:他|她|其|该|作者|文中|书中|文章|研究)(?!国))"
)
_LEADS_TO = LazyPattern(r"[:：]\s*$")
_NOTE_NUMBER = LazyPattern(r"[⁰¹²³⁴-⁹]+|[①-⑳]")
_MOST_SENTENCES_BEHIND, _MOST_CHARACTERS = 4, 3_000


def _sources_in(document: Document, span: Span) -> list[NamedSource]:
    """Return the places in a paragraph that name a source, also in a note, in order."""
    if document.sources is not None:
        return [
            each for each in document.sources if span.start <= each.span.start and each.span.end <= span.end
        ]
    text = document.text
    found = [
        source
        for source in (each.moved(span.start) for each in named_sources(span.of(text)))
        if (note := _note_below(document, source)) is None or is_source(note)
    ]
    notes = [
        NamedSource(Span(note.place, note.place), is_running=False, note=note.span.of(text))
        for note in document.notes
        if span.start < note.place <= span.end and is_source(note.span.of(text))
    ]
    return sorted([*found, *notes], key=lambda source: source.span)


def _note_below(document: Document, source: NamedSource) -> str | None:
    number = _NOTE_NUMBER.search(source.span.of(document.text))
    if number is None or source.is_running:
        return None
    lines = (each.span.of(document.text) for each in document.blocks if each.span.start > source.span.end)
    return next((line[len(number[0]) :] for line in lines if line.startswith(number[0])), None)


def _source_beside(document: Document, number: int, passage: Span, *, is_quoted: bool) -> NamedSource | None:
    """Return what names the source of a part of a paragraph: in its sentences, behind them or before them."""
    block, text = document.blocks[number], document.text
    paragraph = _around(block.span, passage)
    is_shown_below = number > 0 and (block.kind is BlockKind.QUOTATION or is_quoted)
    sources = _sources_in(document, paragraph)
    if not sources and not is_shown_below:
        return None
    sentences = _sentences(text, paragraph)
    own = [each for each in sentences if each.start < passage.end and passage.start < each.end]
    behind = [each for each in sentences if each.start >= own[-1].end]
    before = [each for each in sentences if each.end <= own[0].start]
    end = _end_with_brackets(sources, own[-1].end, text)
    found = [each for each in sources if own[0].start <= each.span.start and each.span.end <= end]
    if found:  # brackets and notes say more than the name of an author
        return min(found, key=lambda each: each.is_running)
    if (later := _behind(text, sources, behind, is_quoted=is_quoted)) is not None:
        return later
    opening = text[own[0].start : own[0].end]
    if before:
        goes_on = is_quoted or _GOES_ON.match(opening) or _LEADS_TO.search(before[-1].of(text))
        return _running(sources, before[-1]) if goes_on else None
    if is_shown_below:
        above = document.blocks[number - 1].span
        above = _around(above, Span(above.end, above.end))
        if _LEADS_TO.search(above.of(text)):
            return _running(_sources_in(document, above), _sentences(text, above)[-1])
    return None


def _around(paragraph: Span, passage: Span) -> Span:
    """Return what is looked at of a paragraph, which may be a whole book without line ends."""
    start, end = passage.end - _MOST_CHARACTERS, passage.end + _MOST_CHARACTERS
    return Span(max(paragraph.start, start), min(paragraph.end, end))


def _end_with_brackets(sources: list[NamedSource], end: int, text: str) -> int:
    behind = (each for each in sources if each.span.start >= end and not each.is_running)
    source = next(behind, None)
    return end if source is None or text[end : source.span.start].strip() else source.span.end


def _behind(
    text: str, sources: list[NamedSource], sentences: list[Span], *, is_quoted: bool
) -> NamedSource | None:
    """Return the first source in the sentences behind a passage, if it is one of the passage, too."""
    for distance, sentence in enumerate(sentences[:_MOST_SENTENCES_BEHIND]):
        source = next((each for each in sources if sentence.start < each.span.end <= sentence.end), None)
        if source is not None:
            refers_back = distance == 0 and _REFERS_BACK.match(sentence.of(text)) is not None
            # a quotation is cited at once, and other words behind one cite another
            is_for_both = not source.is_running and not is_quoted and not any(quotations(text, sentence))
            return source if refers_back or is_for_both else None
    return None


def _running(sources: list[NamedSource], sentence: Span) -> NamedSource | None:
    inside = (each for each in sources if sentence.start <= each.span.start < sentence.end)
    return next((each for each in inside if each.is_running), None)


def _sentences(text: str, paragraph: Span) -> list[Span]:
    """Return the sentences of a paragraph, whose abbreviations and pages end none."""
    edges = [paragraph.start]
    for found in _END.finditer(text, paragraph.start, paragraph.end):
        is_point = found[0][0] == "."
        behind = text[found.end() : min(found.end() + 4, paragraph.end)]
        is_short = found[0] == "." and _NO_END.search(text[max(found.start() - 8, 0) : found.start()])
        if found.end() < paragraph.end and not (is_point and (is_short or not _BEGINS.match(behind))):
            edges.append(found.end())
    return list(map(Span, edges, [*edges[1:], paragraph.end]))
