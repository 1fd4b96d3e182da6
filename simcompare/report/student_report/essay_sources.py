"""Sources of one essay: essays of the class, earlier work and entries of the library with text of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from simcompare.cohort.class_check import ClassCheck, ClassHit
from simcompare.cohort.cohort_scoring import CohortPair
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Span
from simcompare.model.progress import Tick, no_tick
from simcompare.report.evidence import Evidence, evidence_of
from simcompare.session.decisions import Decision, outcome_of
from simcompare.session.school_class import DocumentRole
from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.text.prepared_text import PreparedText

_NO_PASSAGE = -1
_MEANING = PASSAGE_KINDS.index(PassageKind.MEANING)


@dataclass(frozen=True, eq=False)
class EssayCheck:
    check: ClassCheck
    place: int

    @property
    def pairs(self) -> list[CohortPair]:
        return [pair for pair in self.check.cohort.pairs if self.place in (pair.left, pair.right)]

    @property
    def document(self) -> PreparedDocument:
        """The document, with its text prepared."""
        return self.check.cohort.documents[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Another document. place: its index; share: of the essay, found in it; decision: on the pair."""

    place: int
    share: float
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the essay. source: index of the one with the longest passage there; also: of the others."""

    span: Span
    source: int
    also: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RewrittenStretch:
    """A part of the essay that may be a text of another document in other words. place: of that document."""

    place: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EssaySources:
    """What an essay shares with others.

    share: of its units that count in any comparison, those in any source, each once; None if none counts.
    sources: the largest share first, earlier work before equal ones, without those of no concern, which are
    `fine`. stretches: in reading order, none within another. library: hits, of which only the figures are
    kept. uncompared: pairs.
    """

    share: float | None
    sources: Sequence[Source]
    stretches: Sequence[Stretch]
    fine: Sequence[Source]
    rewritten: Sequence[RewrittenStretch]
    library: Sequence[ClassHit]
    uncompared: int


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Units of the essay found in a source, shape (u,); longest, passage: as `_longest_passages` has them."""

    source: Source
    units: BoolArray
    longest: Int32Array
    passage: Int32Array


def essay_sources(essay: EssayCheck, tick: Tick = no_tick) -> EssaySources:
    """Compare an essay in full with all documents that share text with it.

    `tick` counts pairs; an exception that it raises ends the work.
    """
    pairs, text = essay.pairs, essay.document.prepared
    shared = [pair for pair in pairs if pair.summary and pair.summary.has_passages]
    counts = np.zeros(text.unit_count, np.bool_)
    found: list[_Found] = []
    fine: list[Source] = []
    rewritten: list[RewrittenStretch] = []
    for done, pair in enumerate(shared):
        tick(done, len(shared))
        side, other = (0, pair.right) if pair.left == essay.place else (1, pair.left)
        evidence = evidence_of(essay.check.cohort, pair)
        kept = text.by_unit(evidence.comparison.excluded[side].kept)
        units, decision = evidence.counted_units[side], outcome_of(pair.review.overall.decision)
        source = Source(other, float(units.sum() / max(kept.sum(), 1)), decision)
        counts |= kept
        if decision is Decision.FINE:
            fine.append(source)
            continue
        rewritten += (RewrittenStretch(other, span) for span in _rewritten(evidence, side))
        if units.any():
            found.append(_Found(source, units, *_longest_passages(evidence, side, text)))
    tick(len(shared), len(shared))
    found.sort(key=partial(_order, essay))
    is_found = np.any([each.units for each in found], axis=0) if found else np.zeros_like(counts)
    is_known = counts.any() or any(_own_share(pair, essay.place) is not None for pair in pairs)
    hits = essay.check.library_hits
    return EssaySources(
        float(is_found.sum() / max(counts.sum(), 1)) if is_known else None,
        [each.source for each in found],
        list(_stretches(found, is_found, text)),
        sorted(fine, key=lambda source: -source.share),
        sorted(rewritten, key=lambda each: each.span.start),
        [hit for hit in hits.hits if hit.place == essay.place] if hits else [],
        sum(pair.summary is None for pair in pairs),
    )


def _order(essay: EssayCheck, found: _Found) -> tuple[float, bool, float, int]:
    """Return the key that sorts sources; of shares that are written alike, earlier work comes first."""
    share, place = found.source.share, found.source.place
    return -round(share, 2), essay.check.roles[place] is not DocumentRole.OLD, -share, place


def _own_share(pair: CohortPair, place: int) -> float | None:
    return pair.shares[pair.left != place]


def _own_spans(evidence: Evidence, side: int) -> Int32Array:
    passages = evidence.passages
    return passages.right_spans if side else passages.left_spans


def _rewritten(evidence: Evidence, side: int) -> Iterator[Span]:
    spans, is_fine = _own_spans(evidence, side), evidence.passage_decisions.closed
    for start, end in spans[(evidence.passages.kinds == _MEANING) & ~is_fine].tolist():
        yield Span(start, end)


def _longest_passages(evidence: Evidence, side: int, text: PreparedText) -> tuple[Int32Array, Int32Array]:
    """Return the length of the longest passage around each unit, and its index; shape (u,)."""
    passages, bounds = evidence.passages, text.units_in(_own_spans(evidence, side))
    lengths = passages.units
    is_open = ~evidence.passage_decisions.closed & (passages.kinds != _MEANING)
    longest = np.zeros(text.unit_count, np.int32)
    passage = np.full(text.unit_count, _NO_PASSAGE, np.int32)
    by_length = np.argsort(lengths, kind="stable")
    for index in by_length[is_open[by_length]].tolist():
        first, stop = bounds[index]
        longest[first:stop], passage[first:stop] = lengths[index], index
    return longest, passage


def _stretches(found: Sequence[_Found], is_found: BoolArray, text: PreparedText) -> Iterator[Stretch]:
    if not found:
        return
    units = np.stack([each.units for each in found])
    lengths = np.where(units, np.stack([each.longest for each in found]), -1)
    owners = np.where(is_found, lengths.argmax(axis=0), _NO_PASSAGE)
    passages = np.stack([each.passage for each in found])[owners, np.arange(text.unit_count)]
    edges = np.flatnonzero((np.diff(owners) != 0) | (np.diff(passages) != 0)) + 1
    for first, stop in zip([0, *edges.tolist()], [*edges.tolist(), text.unit_count], strict=True):
        owner = int(owners[first])
        if owner != _NO_PASSAGE:
            also = np.flatnonzero(units[:, first:stop].any(axis=1)).tolist()
            yield Stretch(_span_of(text, first, stop), owner, tuple(each for each in also if each != owner))


def _span_of(text: PreparedText, first: int, stop: int) -> Span:
    """Return the span of some units, with the marks around the sentences that they begin and end."""
    start, end = int(text.unit_spans[first, 0]), int(text.unit_spans[stop - 1, 1])
    bounds = text.sentence_units
    sentence = np.searchsorted(bounds, [first, stop - 1], side="right") - 1
    if bounds[sentence[0]] == first:
        start = int(text.sentence_spans[sentence[0], 0])
    if bounds[sentence[1] + 1] == stop:
        end = int(text.sentence_spans[sentence[1], 1])
    return Span(start, end)
