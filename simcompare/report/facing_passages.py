"""Passages of a comparison: both texts side by side, and the full texts cut at their edges."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import NumberedPassage, NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.model.document import Document, Span
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import MatchView, PageView, SideView, decided_in_words
from simcompare.report.text_pieces import BlockPieces, SharedPiece, TextPiece
from simcompare.report.wording import (
    decision_name,
    enumerated,
    first_of,
    listed_matches,
    note_in_words,
    passage_kind_name,
)
from simcompare.session.decisions import NO_DECISION, Decision
from simcompare.support.arrays import Int32Array
from simcompare.support.i18n import _, ngettext
from simcompare.text.thesaurus import Thesaurus

_KINDS_OF_PASSAGES = {
    MatchKind.EXACT: PassageKind.IDENTICAL,
    MatchKind.EDITED: PassageKind.EDITED,
    MatchKind.SYNONYM: PassageKind.REWORDED,
}
_MOST_NUMBERED = 20
_NEARLY_ALL = 0.9
"""Share of a text from which a passage counts as the whole: only a title or a line is left. Chosen, not
tuned.
"""


@dataclass(frozen=True, eq=False)
class FacingPassage:
    """A passage with the part of each text that it covers.

    is_single: it is one pair of sentences, which the list of matches shows anyway
    is_whole: it covers nearly all of both texts, which a report shows in full anyway
    """

    evidence: Evidence
    passage: NumberedPassage
    left: Sequence[BlockPieces]
    right: Sequence[BlockPieces]
    is_single: bool
    is_whole: bool

    @property
    def number(self) -> int:
        """Number from 1."""
        return self.passage.number

    @property
    def kind(self) -> str:
        return self.passage.kind

    @property
    def is_noted(self) -> bool:
        """True if it has a decision or a note."""
        return not self.evidence.decision_on(self.passage).is_empty

    @cached_property
    def title(self) -> str:
        """The title by `decided_title`, made when it is shown: explaining a long passage takes long."""
        return decided_title(self.evidence, self.passage)


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


def passage_runs(evidence: Evidence, page: PageView) -> tuple[list[list[PassageRun]], list[list[PassageRun]]]:
    """Cut each block of the left and of the right text at the edges of the passages."""
    passages, comparison = evidence.passages, evidence.comparison
    marks = [_mark(evidence, passage) for passage in passages]
    left, right = page.sides
    return (
        cut_at_passages(left.blocks, comparison.left.document, passages.left_spans, marks),
        cut_at_passages(right.blocks, comparison.right.document, passages.right_spans, marks),
    )


def _mark(evidence: Evidence, passage: NumberedPassage) -> PassageMark:
    decision = evidence.decision_on(passage).decision
    return PassageMark(passage.number, passage.kind, decision, decision_name(decision))


def cut_at_passages(
    blocks: Sequence[BlockPieces], document: Document, spans: Int32Array, marks: Sequence[PassageMark]
) -> list[list[PassageRun]]:
    """Cut the blocks of a text at the edges of passages; spans: code points, shape (n, 2)."""
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
        for at, pieces in enumerate(_split(view.pieces, cuts)):
            starting = []
            while waiting and waiting[-1][0] < cuts[at + 1]:
                starting.append(waiting.pop()[1])
            is_last = at == len(cuts) - 2
            runs.append(PassageRun(pieces, owners[first + at], starting, bool(is_last and goes_on)))
        every.append(runs)
    return every


def _split(pieces: Sequence[TextPiece], cuts: Sequence[int]) -> Iterator[list[TextPiece]]:
    """Yield the pieces between each two neighbouring cuts; the first cut is the start of the pieces."""
    rest = list(reversed(pieces))
    for start, end in pairwise(cuts):
        part: list[TextPiece] = []
        left = end - start
        while rest and left:
            piece = rest.pop()
            if len(piece.text) > left:
                rest.append(replace(piece, text=piece.text[left:]))
                piece = replace(piece, text=piece.text[:left])
            part.append(piece)
            left -= len(piece.text)
        yield part


def facing_passages(evidence: Evidence, page: PageView) -> Iterator[FacingPassage]:
    """Yield the passages, cut from the blocks of the page."""
    comparison = evidence.comparison
    documents = comparison.left.document, comparison.right.document
    for passage in evidence.passages:
        left, right = (
            list(_within(side.blocks, document, span))
            for side, document, span in zip(page.sides, documents, (passage.left, passage.right), strict=True)
        )
        single, whole = is_single(comparison, passage), _is_whole(comparison, passage)
        yield FacingPassage(evidence, passage, left, right, single, whole)


def passages_counted(passages: Sequence[FacingPassage]) -> str:
    """Return the number of passages and of those with a decision, in words."""
    decided = sum(each.evidence.decision_on(each.passage).decision is not None for each in passages)
    return " · ".join(filter(None, (f"{len(passages):,}", decided_in_words(decided))))


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Matches that a report of limited length shows: places in the list of matches, in order.

    outside: number of matches that no passage shows; outside_left_out: how many of these are not among them.
    """

    rows: Sequence[int]
    outside: int
    outside_left_out: int


def chosen_rows(evidence: Evidence, most: int) -> ChosenRows:
    """Choose at most `most` of the matches that no passage shows, and of the other ones that are not exact.

    First those with a decision or a note, then those that agree most.
    """
    comparison, passages = evidence.comparison, evidence.passages
    matches, listed = comparison.matches, listed_matches(comparison.matches)
    shown = {passage.number - 1 for passage in passages if not is_single(comparison, passage)}
    noted = {} if evidence.review.is_empty else {index: evidence.decision_of(index) for index in listed}
    outside, changed = [], []
    for row, index in enumerate(listed):
        if noted.get(index, NO_DECISION).note or passages.of_match(index) not in shown:
            outside.append(row)
        elif matches.kinds[index] != MatchKind.EXACT:
            changed.append(row)

    def rank(row: int) -> tuple[bool, float, float, int]:
        index = listed[row]
        is_empty = noted.get(index, NO_DECISION).is_empty
        return is_empty, -matches.cells.p[index], -matches.cells.w[index], row

    best = [row for rows in (outside, changed) for row in sorted(rows, key=rank)[:most]]
    return ChosenRows(sorted(best), len(outside), max(len(outside) - most, 0))


def matches_outside(page: PageView, passages: Iterable[FacingPassage]) -> list[MatchView]:
    """Return the matches that no passage of a report shows, and those with a note."""
    shown = {passage.number for passage in passages if not passage.is_single}
    return [match for match in page.matches if match.note or match.passage not in shown]


class SharedWords:
    """Words in common of changed sentences, which are marked in the passages side by side."""

    def __init__(self, matches: Iterable[MatchView]) -> None:
        self._words = {
            match.number: {"l": match.left_pieces, "r": match.right_pieces}
            for match in matches
            if match.reasons
        }

    def of(self, side: SideView, piece: TextPiece) -> Sequence[SharedPiece]:
        """Return the pieces of a whole changed sentence; empty for another sentence or a part of one."""
        assert piece.sentence is not None
        pieces = self._words.get(piece.sentence.links[0].match, {}).get(side.letter, ())
        return pieces if "".join(part.text for part in pieces) == piece.text else ()


def legend_of_kinds(comparison: Comparison, passages: Sequence[FacingPassage]) -> list[tuple[str, str, str]]:
    """List each kind that occurs with its name and the number of its passages.

    A kind that only sentences of passages of other kinds have, which gives cells of the matrix their colour,
    is listed with the number of its sentence pairs.
    """
    counts = Counter(passage.kind for passage in passages)
    pairs = Counter(_KINDS_OF_PASSAGES[MatchKind(kind)] for kind in comparison.matches.kinds.tolist())
    return [
        (
            kind,
            passage_kind_name(kind),
            f"{counts[kind]:,}"
            if counts[kind]
            else ngettext("{count} sentence pair", "{count} sentence pairs", pairs[kind]),
        )
        for kind in PASSAGE_KINDS
        if counts[kind] or pairs[kind]
    ]


def decided_title(evidence: Evidence, passage: NumberedPassage) -> str:
    """Return the title of a passage (`passage_title`) with the decision and the note on it, if any."""
    title = passage_title(evidence.comparison, evidence.passages, passage, evidence.thesaurus)
    noted = evidence.decision_on(passage)
    decided = decision_name(noted.decision), note_in_words(noted.note)
    return " · ".join([title, *filter(None, decided)])


def passage_title(
    comparison: Comparison,
    passages: NumberedPassages,
    passage: NumberedPassage,
    thesaurus: Thesaurus | None,
) -> str:
    """Return "Passage 2 · reworded · 61 % of the words in common, 1 pair of synonyms: big ~ large"."""
    number = _("Passage {number}").format(number=f"{passage.number:,}")
    explanation = explain_passage(comparison, passages, passage.number - 1, thesaurus)
    return " · ".join([number, passage_kind_name(passage.kind), explanation.summary])


def is_single(comparison: Comparison, passage: NumberedPassage) -> bool:
    """Return whether a passage is one pair of sentences, but not nearly all of both texts."""
    if len(passage.matches) != 1 or _is_whole(comparison, passage):
        return False
    match = comparison.matches[passage.matches[0]]
    return (passage.left, passage.right) == (comparison.left_span(match), comparison.right_span(match))


def remarks_on_passages(passages: Iterable[FacingPassage]) -> list[str]:
    """Return remarks on the passages that are shown elsewhere and not side by side."""
    every = list(passages)
    remarks = [whole_in_words(passage) for passage in every if passage.is_whole]
    singles = [f"{passage.number:,}" for passage in every if passage.is_single]
    if singles:
        words = ngettext(
            "Passage {numbers} is a single sentence; see the list below.",
            "Passages {numbers} are single sentences; see the list below.",
            len(singles),
            numbers=enumerated(first_of(singles, _MOST_NUMBERED)),
        )
        remarks.append(words)
    return remarks


def whole_in_words(passage: FacingPassage) -> str:
    """Return the sentence shown in place of a passage that covers nearly all of both texts."""
    words = _("{passage}. It covers nearly all of both texts, which this report shows in full.")
    return words.format(passage=passage.title)


def _is_whole(comparison: Comparison, passage: NumberedPassage) -> bool:
    """Return whether a passage covers nearly all of both texts."""
    sides = (passage.left, comparison.left.document), (passage.right, comparison.right.document)
    return all(len(span) >= _NEARLY_ALL * len(document.text.strip()) for span, document in sides)


def _within(blocks: Sequence[BlockPieces], document: Document, span: Span) -> Iterator[BlockPieces]:
    """Yield the parts of the blocks within a span."""
    first = bisect_right(document.blocks, span.start, key=lambda block: block.span.end)
    for block, view in zip(document.blocks[first:], blocks[first:], strict=True):
        if block.span.start >= span.end:
            return
        pieces = list(_cut(view.pieces, block.span.start, span))
        if pieces:
            yield BlockPieces(view.kind, pieces)


def _cut(pieces: Sequence[TextPiece], start: int, span: Span) -> Iterator[TextPiece]:
    for piece in pieces:
        text = piece.text[max(span.start - start, 0) : max(span.end - start, 0)]
        if text:
            yield replace(piece, text=text)
        start += len(piece.text)
