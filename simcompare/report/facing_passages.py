"""Passages of a comparison: both texts side by side, and the full texts cut at their edges."""

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap
from operator import itemgetter

import numpy as np

from simcompare.comparison.citations.citation import CitationGroup, PassageCitation
from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.comparison.passage_explanation import marked_in_words, passage_in_short
from simcompare.comparison.passages.numbered_passages import (
    KINDS_OF_PASSAGES,
    NumberedPassage,
    NumberedPassages,
)
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS
from simcompare.comparison.passages.passage_words import changes_of_passage, has_changes
from simcompare.model.document import BlockKind, Document, Span
from simcompare.report.evidence import Evidence
from simcompare.report.text_pieces import BlockPieces, SharedPiece, TextPiece
from simcompare.report.wording import (
    citations_in_words,
    decision_name,
    enumerated,
    first_of,
    named,
    note_in_words,
    passage_kind_name,
)
from simcompare.session.decisions import Decision, outcome_of
from simcompare.support.arrays import Int32Array
from simcompare.support.i18n import _, joined_sentences, ngettext
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

_MOST_NUMBERED = 20
_NO_WORDS: tuple[Int32Array, Int32Array] = (np.zeros((0, 3), np.int32), np.zeros((0, 3), np.int32))
_NEARLY_ALL = 0.9
"""Share of a text from which a passage counts as the whole: only a title or a line is left. Chosen, not
tuned.
"""


_LEAST_OF_EXTRACT = 0.6
"""Part of the beginning of a passage that is kept where it ends with a sentence. Chosen, not tuned."""


@dataclass(frozen=True, slots=True)
class FacingPassage:
    number: int
    title: str
    kind: str
    left: Sequence[BlockPieces]
    right: Sequence[BlockPieces]


@dataclass(frozen=True, slots=True)
class PassageMark:
    """Number and kind of a passage, and the decision on it with its name ("" without one)."""

    number: int
    kind: str
    decision: Decision | None
    decided: str


@dataclass(frozen=True, slots=True)
class PassageRun:
    """A part of a block that is in the same passages throughout.

    passage: the shortest passage that contains it, one of no concern only if no other does; None outside
        passages
    starting: passages whose first part this is
    goes_on: the passage also contains the beginning of the next block
    """

    pieces: Sequence[TextPiece]
    passage: PassageMark | None
    starting: Sequence[PassageMark]
    goes_on: bool


@dataclass(frozen=True, slots=True)
class TextBlock:
    kind: BlockKind
    runs: Sequence[PassageRun]


def texts_in_runs(
    evidence: Evidence, blocks: Sequence[Sequence[BlockPieces]], facing: Iterable[FacingPassage]
) -> list[list[TextBlock]]:
    """Cut the blocks of the left and of the right text at the edges of the passages.

    Changed words are marked in passages of which no other part of the report shows both sides.
    """
    passages, comparison = evidence.passages, evidence.comparison
    marks = [_mark(evidence, passage) for passage in passages]
    faced = {passage.number for passage in facing}
    alone = (each for each in passages if each.number not in faced and not is_single(comparison, each))
    found = [_NO_WORDS, *(_words_of(evidence, each) for each in alone)]
    sides = zip(
        blocks,
        (comparison.left.document, comparison.right.document),
        (passages.left_spans, passages.right_spans),
        map(np.concatenate, zip(*found, strict=True)),
        strict=True,
    )
    return [cut_at_passages(own, document, spans, marks, words) for own, document, spans, words in sides]


def _words_of(evidence: Evidence, passage: NumberedPassage) -> tuple[Int32Array, Int32Array]:
    """Return the `PassageChanges.words` of a passage if its changed words are shown."""
    index = passage.number - 1
    if not has_changes(evidence.passages, index):
        return _NO_WORDS
    return changes_of_passage(evidence.comparison, evidence.passages, index, evidence.thesaurus).words


def _mark(evidence: Evidence, passage: NumberedPassage) -> PassageMark:
    decision = evidence.decision_on(passage).decision
    return PassageMark(passage.number, passage.kind, outcome_of(decision), decision_name(decision))


def cut_at_passages(
    blocks: Sequence[BlockPieces],
    document: Document,
    spans: Int32Array,
    marks: Sequence[PassageMark],
    words: Int32Array = _NO_WORDS[0],
) -> list[TextBlock]:
    """Cut the blocks of a text at the edges of passages; spans: code points, shape (n, 2).

    words: `PassageChanges.words` of the side, which are marked.
    """
    marked = _in_order(words)
    edges = np.unique(spans)
    # the passage before each edge and after the last one; shorter ones replace longer ones, and all others
    # those of no concern
    owners: list[PassageMark | None] = [None] * (len(edges) + 1)
    places = (np.searchsorted(edges, spans) + 1).tolist()
    is_relevant = np.array([mark.decision is not Decision.FINE for mark in marks], np.bool_)
    for index in np.lexsort((spans[:, 0] - spans[:, 1], is_relevant)).tolist():
        first, stop = places[index]
        owners[first:stop] = [marks[index]] * (stop - first)
    waiting = [(int(spans[index, 0]), marks[index]) for index in np.argsort(spans[:, 0], kind="stable")[::-1]]
    every = []
    for block, view in zip(document.blocks, blocks, strict=True):
        first = int(np.searchsorted(edges, block.span.start, side="right"))
        last = int(np.searchsorted(edges, block.span.end))
        cuts = [block.span.start, *edges[first:last].tolist(), block.span.end]
        goes_on = last < len(edges) and edges[last] > block.span.end
        runs = []
        for at, span in enumerate(starmap(Span, pairwise(cuts))):
            starting = []
            while waiting and waiting[-1][0] < cuts[at + 1]:
                starting.append(waiting.pop()[1])
            is_last = at == len(cuts) - 2
            owner = owners[first + at]
            pieces = _cut(view.pieces, block.span.start, span, marked)
            own = [piece.within(owner.decision) if owner else piece for piece in pieces]
            runs.append(PassageRun(own, owner, starting, bool(is_last and goes_on)))
        every.append(TextBlock(view.kind, runs))
    return every


def facing_passages(
    evidence: Evidence,
    blocks: Sequence[Sequence[BlockPieces]],
    most_characters: int,
) -> tuple[list[FacingPassage], list[str]]:
    """Return the passages to show side by side, cut from both texts' blocks, and remarks on the others."""
    comparison = evidence.comparison
    facing, singles, long = [], [], []
    cited = citations_in_words(comparison, evidence.citations)
    remarks = [named(_("Citations"), cited)] if cited else []
    for passage in evidence.passages:
        spans = passage.left, passage.right
        length = sum(map(len, spans))
        if _is_whole(comparison, passage):
            remarks.append(whole_in_words(evidence, passage))
        elif is_single(comparison, passage):
            singles.append(passage)
        elif length > most_characters:
            long.append(passage)
        else:
            most_characters -= length
            facing.append(facing_passage(evidence, passage, blocks))
    if singles:
        text = ngettext(
            "Passage {numbers} is a single sentence; see the list below.",
            "Passages {numbers} are single sentences; see the list below.",
            len(singles),
            numbers=_numbers(singles),
        )
        remarks.append(text)
    if long:
        text = _("Too long to be shown side by side, but marked in the texts of this report: {numbers}.")
        remarks.append(text.format(numbers=_numbers(long)))
    noted = (passage for passage in long if not evidence.decision_on(passage).is_empty)
    marked = [passage for passage in singles if _is_marked(evidence.citations[passage.number - 1])]
    listed = *marked[:_MOST_NUMBERED], *noted
    return facing, [*remarks, *(decided_title(evidence, passage) for passage in listed)]


def marks_in_words(passages: Iterable[FacingPassage], texts: Iterable[Iterable[TextBlock]] = ()) -> list[str]:
    """Say how changed words and synonyms are marked, where there are any."""
    parts: list[BlockPieces | PassageRun] = [
        block for passage in passages for block in (*passage.left, *passage.right)
    ]
    parts += [run for text in texts for block in text for run in block.runs]
    words = [word for part in parts for piece in part.pieces for word in piece.words]
    said = [_("Changed words are red and underlined.")] if any(word.is_changed for word in words) else []
    if any(word.is_synonym for word in words):
        said.append(_("Synonyms are green and dotted."))
    return [joined_sentences(said)] if said else []


def _is_marked(citation: PassageCitation | None) -> bool:
    return citation is not None and citation.group is not CitationGroup.NEITHER


def facing_passage(
    evidence: Evidence,
    passage: NumberedPassage,
    blocks: Sequence[Sequence[BlockPieces]],
    most_characters: int = sys.maxsize,
) -> FacingPassage:
    """Cut a passage from the blocks of both texts.

    A side longer than `most_characters` is cut, and then both begin with sentences that match each other.
    """
    texts = evidence.comparison.left, evidence.comparison.right
    documents = [text.document for text in texts]
    whole = passage.left, passage.right
    spans = [
        _beginning(text.prepared, span, most_characters)
        for text, span in zip(
            texts, _from_matches(evidence.comparison, passage, most_characters), strict=True
        )
    ]
    words = _words_of(evidence, passage)
    left, right = (list(_within(*side)) for side in zip(blocks, documents, spans, words, strict=True))
    for shown, side, span in zip((left, right), whole, spans, strict=True):
        if shown and span.start > side.start:
            shown[0] = replace(shown[0], pieces=[TextPiece("…"), *shown[0].pieces])
        if shown and span.end < side.end:
            shown[-1] = replace(shown[-1], pieces=[*shown[-1].pieces, TextPiece("…")])
    decision = outcome_of(evidence.decision_on(passage).decision)
    left, right = (
        [replace(block, pieces=[piece.within(decision) for piece in block.pieces]) for block in shown]
        for shown in (left, right)
    )
    # explaining a long passage takes long
    title = decided_title(evidence, passage)
    return FacingPassage(passage.number, title, passage.kind, left, right)


def _from_matches(comparison: Comparison, passage: NumberedPassage, most: int) -> tuple[Span, Span]:
    """Return both sides of a passage from the two sentences after which most of what matches is shown.

    Earlier sentences are taken if hardly less is shown, and the whole sides if these are short enough.
    """
    sides = passage.left, passage.right
    if max(map(len, sides)) <= most or not passage.matches:
        return sides
    cells, own = comparison.matches.cells, list(passage.matches)
    order = np.lexsort((cells.columns[own], cells.rows[own]))
    places = [
        np.clip(text.prepared.sentence_spans[numbers[own][order]], side.start, side.end)
        for text, numbers, side in zip(
            (comparison.left, comparison.right), (cells.rows, cells.columns), sides, strict=True
        )
    ]

    def shown(first: int) -> int:
        ends = [np.where(each[:, 0] < each[first, 0], 0, each[first, 0] + most) for each in places]
        lengths = [
            np.clip(np.minimum(end, each[:, 1]) - each[:, 0], 0, None)
            for end, each in zip(ends, places, strict=True)
        ]
        return int(np.minimum(*lengths).sum())

    weights = np.array([shown(first) for first in range(len(own))])
    first = int(np.argmax(weights >= _NEARLY_ALL * weights.max()))
    left, right = (Span(int(each[first, 0]), side.end) for each, side in zip(places, sides, strict=True))
    return left, right


def _beginning(text: PreparedText, span: Span, most: int) -> Span:
    """Return at most the first characters of a span, to the end of a sentence near or of a word."""
    if len(span) <= most:
        return span
    limit = span.start + most
    words = text.unit_spans[text.word_units[1:] - 1, 1]
    for ends, least in ((text.sentence_spans[:, 1], _LEAST_OF_EXTRACT * most), (words, 0)):
        end = int(ends[max(int(np.searchsorted(ends, limit, "right")) - 1, 0)])
        if span.start + least < end <= limit:
            return Span(span.start, end)
    return Span(span.start, limit)


def _numbers(passages: Iterable[NumberedPassage]) -> str:
    return enumerated(first_of([f"{passage.number:,}" for passage in passages], _MOST_NUMBERED))


def passages_counted(evidence: Evidence) -> str:
    """Return the number of passages and of those with a decision, in words."""
    decided = sum(evidence.decision_on(each).decision is not None for each in evidence.passages)
    return " · ".join(filter(None, (f"{len(evidence.passages):,}", decided_in_words(decided))))


def decided_in_words(count: int) -> str:
    """Return "8 decided", or "" for none."""
    return _("{count} decided").format(count=f"{count:,}") if count else ""


def legend_of_kinds(evidence: Evidence) -> list[tuple[str, str, str]]:
    """List each kind that occurs with its name and the number of its passages.

    A kind that only sentences of passages of other kinds have, which gives cells of the matrix their colour,
    is listed without a number.
    """
    counts = Counter(passage.kind for passage in evidence.passages)
    of_sentences = {
        KINDS_OF_PASSAGES[MatchKind(kind)]
        for kind in evidence.passages.kinds_of_matches(evidence.comparison).tolist()
    }
    return [
        (kind, passage_kind_name(kind), f"{counts[kind]:,}" if counts[kind] else _("only in sentences"))
        for kind in PASSAGE_KINDS
        if counts[kind] or kind in of_sentences
    ]


def decided_title(evidence: Evidence, passage: NumberedPassage) -> str:
    """Return the title of a passage (`passage_title`) with the decision and the note on it, if any."""
    citation = evidence.citations[passage.number - 1]
    title = passage_title(evidence.comparison, evidence.passages, passage, evidence.thesaurus, citation)
    noted = evidence.decision_on(passage)
    decided = decision_name(noted.decision), note_in_words(noted.note)
    return " · ".join([title, *filter(None, decided)])


def passage_title(
    comparison: Comparison,
    passages: NumberedPassages,
    passage: NumberedPassage,
    thesaurus: Thesaurus | None,
    citation: PassageCitation | None,
) -> str:
    """Return "Passage 2 · reworded · 61% of the words in common, 1 pair of synonyms: big ~ large"."""
    number = _("Passage {number}").format(number=f"{passage.number:,}")
    summary = passage_in_short(comparison, passages, passage.number - 1, thesaurus)
    parts = number, passage_kind_name(passage.kind), summary, marked_in_words(citation)
    return " · ".join(filter(None, parts))


def is_single(comparison: Comparison, passage: NumberedPassage) -> bool:
    """Return whether a passage is one pair of sentences, but not nearly all of both texts."""
    if len(passage.matches) != 1 or _is_whole(comparison, passage):
        return False
    match = comparison.matches[passage.matches[0]]
    return (passage.left, passage.right) == (comparison.left_span(match), comparison.right_span(match))


def whole_in_words(evidence: Evidence, passage: NumberedPassage) -> str:
    """Return the sentence shown in place of a passage that covers nearly all of both texts."""
    words = _("{passage}. It covers nearly all of both texts, which this report shows in full.")
    return words.format(passage=decided_title(evidence, passage))


def _is_whole(comparison: Comparison, passage: NumberedPassage) -> bool:
    sides = (passage.left, comparison.left.document), (passage.right, comparison.right.document)
    return all(len(span) >= _NEARLY_ALL * len(document.text.strip()) for span, document in sides)


def _within(
    blocks: Sequence[BlockPieces], document: Document, span: Span, marks: Int32Array
) -> Iterator[BlockPieces]:
    """Yield the parts of the blocks within a span; marks: `PassageChanges.words` of the side."""
    words = _in_order(marks)
    first = bisect_right(document.blocks, span.start, key=lambda block: block.span.end)
    for block, view in zip(document.blocks[first:], blocks[first:], strict=True):
        if block.span.start >= span.end:
            return
        pieces = list(_cut(view.pieces, block.span.start, span, words))
        if pieces:
            yield BlockPieces(view.kind, pieces)


def _in_order(marks: Int32Array) -> list[list[int]]:
    return sorted(marks.tolist(), key=itemgetter(0))


def _cut(
    pieces: Sequence[TextPiece], start: int, span: Span, marks: Sequence[Sequence[int]]
) -> Iterator[TextPiece]:
    for piece in pieces:
        shown = Span(max(span.start, start), min(span.end, start + len(piece.text)))
        if shown.start < shown.end:
            text = piece.text[shown.start - start : shown.end - start]
            yield TextPiece(text, piece.sentence, piece.excluded, list(_words(text, shown, marks)))
        start += len(piece.text)


def _words(text: str, span: Span, marks: Sequence[Sequence[int]]) -> Iterator[SharedPiece]:
    """Yield the parts of a text, which is at `span`, at the edges of sorted marks; nothing without any."""
    first = bisect_right(marks, span.start, key=itemgetter(1))
    stop = bisect_left(marks, span.end, key=itemgetter(0))
    at = span.start
    for mark_start, mark_end, is_synonym in marks[first:stop]:
        start, end = max(mark_start, at), min(mark_end, span.end)
        if end <= start:  # in a word of another passage
            continue
        if at < start:
            yield SharedPiece(text[at - span.start : start - span.start], False, False)
        yield SharedPiece(text[start - span.start : end - span.start], not is_synonym, bool(is_synonym))
        at = end
    if span.start < at < span.end:
        yield SharedPiece(text[at - span.start :], False, False)
