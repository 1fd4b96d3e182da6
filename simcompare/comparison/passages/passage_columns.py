"""Passages: sections of the left text that recur in the right text, as columns; summaries among them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.term_cosine import SentenceTerms, TermCosines
from simcompare.model.document import Span
from simcompare.model.settings import PassageSettings, SummarySettings
from simcompare.support.arrays import BoolArray, Float64Array, Int32Array

SummarySide = Literal["left", "right"]
SUMMARY_SIDES: tuple[SummarySide | None, ...] = (None, "left", "right")


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of the left text that recurs in the right text, as spans of both.

    summary: the side whose section summarises sentences scattered over that of the other side, or None.
    evidence: that it was rewritten, as a multiple of the least (`rewriting.py`); 0 if it was found by words.
    """

    left: Span
    right: Span
    summary: SummarySide | None = None
    evidence: float = 0.0

    @property
    def is_rewritten(self) -> bool:
        return self.evidence > 0


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """Passages of two texts; equal ones have equal columns.

    spans     (n, 4) start and end left, start and end right, in code points
    summaries (n,)   index of `Passage.summary` in SUMMARY_SIDES
    evidence  (n,)   as of `Passage`
    """

    spans: Int32Array
    summaries: NDArray[np.int8]
    evidence: NDArray[np.float32]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "Passages":
        """Make columns of single passages."""
        rows = [
            (
                *(p.left.start, p.left.end, p.right.start, p.right.end),
                *(SUMMARY_SIDES.index(p.summary), p.evidence),
            )
            for p in passages
        ]
        if not rows:
            return NO_PASSAGES
        table = np.array(rows, np.float64)
        return cls(table[:, :4].astype(np.int32), table[:, 4].astype(np.int8), table[:, 5].astype(np.float32))

    @property
    def left_spans(self) -> Int32Array:
        """Spans in the left text, shape (n, 2)."""
        return self.spans[:, :2]

    @property
    def right_spans(self) -> Int32Array:
        """Spans in the right text, shape (n, 2)."""
        return self.spans[:, 2:]

    @property
    def covers(self) -> BoolArray:
        """Mask of the passages whose sections count towards the shares as a whole: those found by words."""
        covers: BoolArray = (self.summaries == 0) & ~self.is_rewritten
        return covers

    @property
    def is_rewritten(self) -> BoolArray:
        """Mask of the passages that may have been rewritten."""
        rewritten: BoolArray = self.evidence > 0
        return rewritten

    def with_others(self, others: "Passages") -> "Passages":
        """Return these and other passages in reading order of the left text."""
        if not len(others):
            return self
        spans = np.concatenate([self.spans, others.spans])
        order = np.lexsort(spans.T[::-1])
        return Passages(
            spans[order],
            np.append(self.summaries, others.summaries)[order],
            np.append(self.evidence, others.evidence)[order],
        )

    def select(self, chosen: BoolArray) -> "Passages":
        """Select passages by a mask, shape (n,); returns the object itself if all are selected."""
        if chosen.all():
            return self
        if not chosen.any():
            return NO_PASSAGES
        return Passages(self.spans[chosen], self.summaries[chosen], self.evidence[chosen])

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Passage]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Passage:
        start, end, first, last = self.spans[index].tolist()
        summary = SUMMARY_SIDES[self.summaries[index]]
        return Passage(Span(start, end), Span(first, last), summary, float(self.evidence[index]))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Passages):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("spans", "summaries", "evidence")
        )

    def __hash__(self) -> int:
        return hash(self.spans.tobytes())


NO_PASSAGES = Passages(np.zeros((0, 4), np.int32), np.zeros(0, np.int8), np.zeros(0, np.float32))
"""Shared by all pairs without a passage, which most pairs of a class are."""


# Measured on planted passages and on the summaries of PAN 2013: the partners of a summary's sentences form
# at least 0.38 clusters a sentence, those of passages copied from several places, with the sentences between
# them, 0.15 to 0.43, mostly below 0.3.
_LEAST_CLUSTERS_PER_SENTENCE = 0.35
# Two or three sentences of unrelated text; without it, text between two summaries counts as one of them.
_MOST_EVIDENCE_LOST = 5.0
# A summary leaves things out, at the ends of its source, too. Measured on the summaries of PAN 2013,
# which are of whole texts: their recall rises from 0.64 to 0.76, their precision stays 0.999.
_MOST_OF_SOURCE = 0.5
# The summaries of PAN 2013 hold at most 3 passages.
_MOST_PASSAGES_IN_SUMMARY = 3
_NOBODY = np.zeros(0, np.int64)


def with_summaries(
    passages: list[Passage],
    left: SentenceTerms,
    right: SentenceTerms,
    cells: TermCosines,
    settings: PassageSettings,
) -> list[Passage]:
    """Add summaries of the other text; passages inside a summary stay, because only they count as copied."""
    if settings.summary is None:
        return passages
    summaries = find_summaries(left, right, cells, settings.summary)
    if summaries:
        evidence, least = _evidence(left, right, cells, settings.summary), settings.summary.least_evidence
        spans = [p.left for p in passages]
        summaries = [each for each in summaries if not _is_compiled(each[0], spans, left, evidence, least)]
    if summaries:
        return [*passages, *(Passage(*spans, summary="left") for spans in summaries)]
    summaries = find_summaries(right, left, cells.transposed(), settings.summary)
    # several passages copied from one text are not a summary of it, though scattered over the other
    if any(_overlap(p.right, own) for p in passages for own, _ in summaries):
        return passages
    return [*passages, *(Passage(drawn_on, own, summary="right") for own, drawn_on in summaries)]


def find_summaries(
    text: SentenceTerms,
    source: SentenceTerms,
    cells: TermCosines,
    settings: SummarySettings,
) -> list[tuple[Span, Span]]:
    """Find the sections of `text` that summarise `source`, each with the section of the source it draws on.

    The evidence of a sentence is the excess of its best cosine over the cosine that chance gives in a source
    of this length; a summary is a run of sentences with much evidence. Unless the run with the most evidence
    is a summary, there is none: other runs would be remains of copied passages. A run is no summary either
    if it is most of the text, or hardly closer to the source than the rest, as in texts on one topic.
    `cells` has the sentences of `text` as rows.
    """
    cosine = _least_cosine(source.sentence_count, settings)
    weights = np.minimum(text.words_per_sentence, settings.most_words_counted)
    summaries: list[tuple[Span, Span]] = []
    runs = _runs(_evidence(text, source, cells, settings), _MOST_EVIDENCE_LOST)
    for evidence, first, last in sorted(runs, reverse=True):
        words = text.bounds[last + 1] - text.bounds[first]
        is_enough = evidence >= settings.least_evidence and words >= settings.least_words
        partners = _partners(first, last, cosine, weights, cells, settings) if is_enough else _NOBODY
        if len(partners) and _is_distinct(text, first, last, cells, settings):
            own = _span(text, first, last)
            drawn_on = _span(source, int(partners.min()), int(partners.max()))
            if len(drawn_on) >= settings.least_spread * len(own):
                whole = _span(source, 0, -1)
                is_most = len(drawn_on) > _MOST_OF_SOURCE * len(whole)
                summaries.append((own, whole if is_most else drawn_on))
        if not summaries:
            break
    return summaries


def _evidence(
    text: SentenceTerms, source: SentenceTerms, cells: TermCosines, settings: SummarySettings
) -> Float64Array:
    """Return the evidence of each sentence: the excess of its best cosine over chance, times its words."""
    words = np.minimum(text.words_per_sentence, settings.most_words_counted)
    evidence: Float64Array = (cells.best_of_left - _least_cosine(source.sentence_count, settings)) * words
    return evidence


def _partners(
    first: int,
    last: int,
    cosine: float,
    weights: NDArray[np.int64],
    cells: TermCosines,
    settings: SummarySettings,
) -> NDArray[np.int64]:
    """Return the partners of the sentences with evidence in a run, or none if they are not scattered."""
    run = np.arange(first, last + 1)
    informative = run[cells.best_of_left[run] > cosine]
    partners = cells.partner_of_left[informative]
    scattered = len(informative) >= settings.least_sentences and _scattered(
        partners, cells.best_of_left[informative] * weights[informative], settings
    )
    return partners if scattered else partners[:0]


def _is_distinct(
    text: SentenceTerms, first: int, last: int, cells: TermCosines, settings: SummarySettings
) -> bool:
    """Return whether a run is a part of the text that is much closer to the source than the rest."""
    inside = np.zeros(text.sentence_count, np.bool_)
    inside[first : last + 1] = True
    words = text.words_per_sentence
    if words[inside].sum() > settings.most_of_text * words.sum():
        return False
    cosines, rest = cells.best_of_left[inside], cells.best_of_left[~inside]
    return bool(cosines.mean() >= settings.least_times_rest * rest.mean())


def _least_cosine(source_sentences: int, settings: SummarySettings) -> float:
    longer = max(source_sentences / settings.usual_source_sentences, 1.0)
    return settings.cosine + settings.cosine_growth * math.log(longer)


def _scattered(partners: NDArray[np.int64], evidence: Float64Array, settings: SummarySettings) -> bool:
    """Return whether neighbouring partners form many clusters, none of which holds most of the evidence."""
    order = np.argsort(partners)
    apart = np.diff(partners[order]) > settings.cluster_gap_sentences
    clusters = np.concatenate([[0], np.cumsum(apart)])
    largest = np.bincount(clusters, evidence[order]).max()
    many = clusters[-1] + 1 >= _LEAST_CLUSTERS_PER_SENTENCE * len(partners)
    return bool(many and largest <= settings.most_in_one_cluster * evidence.sum())


def _runs(gains: Float64Array, most_lost: float) -> list[tuple[float, int, int]]:
    """Find runs of consecutive values with a large sum, as (sum, first, last).

    A run ends at its largest sum as soon as later values lose all of it, or more than `most_lost`.
    """
    runs: list[tuple[float, int, int]] = []
    total = largest = 0.0
    first = last = 0
    for place, gain in enumerate([*gains.tolist(), -math.inf]):
        if not largest:
            first, total = place, 0.0
        total += gain
        if total > largest:
            largest, last = total, place
        elif largest and (total <= 0 or largest - total > most_lost):
            runs.append((largest, first, last))
            largest = 0.0
    return runs


def _span(text: SentenceTerms, first: int, last: int) -> Span:
    return Span(int(text.spans[first, 0]), int(text.spans[last, 1]))


def _is_compiled(
    own: Span,
    passages: Sequence[Span],
    text: SentenceTerms,
    evidence: Float64Array,
    least_evidence: float,
) -> bool:
    """Return whether a section is passages copied from many places, with text between that is no summary.

    Measured on texts planted from 4 to 30 places (tests/benchmarks/calibration.py): if their words are
    shuffled, the evidence outside the passages is -16 to -2.7 with other text between, and -2 to 4 without;
    for summaries it is above -2.5 but in 2 of 98 texts.
    """
    inside = [span for span in passages if _overlap(span, own)]
    if len(inside) <= _MOST_PASSAGES_IN_SUMMARY:
        return False
    middles = text.spans.mean(axis=1)
    outside = (own.start <= middles) & (middles < own.end)
    for span in inside:
        outside &= (middles < span.start) | (middles >= span.end)
    return not outside.any() or float(evidence[outside].sum()) <= -least_evidence


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end
