"""Scores of a pair within a cohort, their classification without scoring again, and the ranks of pairs.

A share depends on no third essay. Essays on one question have its words in common, though, so which pair
is read first depends on what the other essays have.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from math import isnan, nan
from threading import Event
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.compare_documents import build_comparison, passages_and_shares, passages_that_count
from simcompare.comparison.comparison_matrix import NumberedText, TextNumbering, scored_cells, similar_cells
from simcompare.comparison.comparison_result import (
    Cells,
    Comparison,
    ComparisonMatrix,
    ExcludedSentences,
    ExclusionCandidates,
)
from simcompare.comparison.exclusions.excluded_sentences import (
    find_exclusion_candidates,
    find_exclusions,
    with_copied_quotations,
    without_excluded,
)
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_detection import PairTerms
from simcompare.comparison.passages.rewriting import LEAST_EVIDENCE_IN_CLASS, all_passages
from simcompare.comparison.passages.term_cosine import SentenceTerms, TermArray, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import CountedText, fewer_units, in_ranges
from simcompare.model.errors import LexiconError
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from simcompare.support.arrays import BoolArray, Float64Array, Int32Array, Int64Array
from simcompare.support.display_text import reaches
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus


def load_thesaurus_or_none(source: str) -> Thesaurus | None:
    """Load the thesaurus that the settings name, or return None if it cannot be read."""
    try:
        return load_thesaurus(source)
    except LexiconError:
        return None


_TEXT_DIGEST_BYTES = 16
_NOTHING = np.zeros(0, np.int32)
NO_CELLS = Cells(_NOTHING, _NOTHING, _NOTHING, np.zeros(0), np.zeros(0))
"""Shared by all pairs without a cell, which most pairs of a class are."""


class PairText:
    """A text, its numbers and the terms needed for scoring, computed once for all its pairs.

    Texts that are compared have the same numbering.
    """

    def __init__(self, prepared: PreparedText, numbering: TextNumbering) -> None:
        self.prepared = prepared
        self.numbered = NumberedText(prepared, numbering)

    @cached_property
    def terms(self) -> SentenceTerms:
        """Terms of its sentences, for passage detection."""
        return sentence_terms(self.prepared)


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """Scores of two texts before classification by thresholds, without the heat of their matrix.

    cells: those that some threshold could accept; detected_passages: None if passages are made of matched
    sentences only; has_counting: False if no passage is known to count in the class in which it was scored.

    Takes 0.1 kB without cells and passages, otherwise about 1.2 kB, 28 bytes a cell and 17 bytes a passage:
    for essays on one topic 0.5 kB on average, for the 44,850 pairs of 300 documents 22 MB.
    """

    cells: Cells
    detected_passages: Passages | None
    has_counting: bool = True


def scored_text_digest(text: PreparedText) -> bytes:
    digest = blake2b(digest_size=_TEXT_DIGEST_BYTES)
    for words in (text.unit_vocabulary, text.word_vocabulary, text.word_tags):
        digest.update("\0".join(words).encode(errors="surrogatepass"))
        digest.update(b"\0\0")
    for column in (
        text.sentence_spans, text.sentence_units, text.sentence_words, text.unit_ids, text.unit_spans,
        text.word_ids, text.word_units,
    ):  # fmt: skip
        digest.update(np.int64(column.size).tobytes() + np.ascontiguousarray(column).tobytes())
    if text.meanings is not None and text.is_source:  # its scores have rewritten passages, if it was wanted
        digest.update(b"source")
    return digest.digest()


def lack_vectors(meaning: bool | None, left: PreparedText, right: PreparedText) -> bool:
    """Return whether vectors will change the scores: that both lack or one, or only one beside a source.

    meaning: as in the settings.
    """
    lacking = left.meanings is None, right.meanings is None
    return any(lacking) if meaning else (left.is_source or right.is_source) and lacking[0] is not lacking[1]


def score_pair(
    left: PairText,
    right: PairText,
    settings: ComparisonSettings,
    cells: Cells | None = None,
    terms: PairTerms | None = None,
) -> PairScores:
    """Score two texts; of the settings only `passages` and `meaning` are used. cells, terms: if known."""
    if cells is None:
        cells = scored_cells(left.numbered, [right.numbered])[0]
    if not len(cells):
        cells = NO_CELLS
    if settings.passages is None:
        return PairScores(cells, None)
    found = all_passages(left.terms, right.terms, settings.passages, meaning=settings.meaning, terms=terms)
    return PairScores(cells, found)


def scores_fit(scores: PairScores, left: PreparedText, right: PreparedText) -> bool:
    cells, passages = scores.cells, scores.detected_passages
    if len(cells) and (
        cells.rows.max() >= left.sentence_count or cells.columns.max() >= right.sentence_count
    ):
        return False
    if not passages:
        return True
    return all(
        spans[:, 1].max() <= text.sentence_spans[-1, 1]
        for spans, text in ((passages.left_spans, left), (passages.right_spans, right))
    )


class ExclusionCandidateCache:
    """Cache of the exclusion candidates of each text, computed on first access.

    Valid for one prompt, one thesaurus (by its name in the settings), which is loaded when a prompt first
    needs it, and one common text of the class: `ExclusionCandidates.common` of each text. Thread-safe.
    """

    def __init__(
        self,
        prompt: PreparedText | None,
        thesaurus: str,
        common: Mapping[PreparedText, NDArray[np.str_]] = MappingProxyType({}),
    ) -> None:
        self.prompt = prompt
        self.thesaurus = thesaurus
        self.common = common
        self._found: dict[PreparedText, ExclusionCandidates] = {}

    def with_common(self, common: Mapping[PreparedText, NDArray[np.str_]]) -> "ExclusionCandidateCache":
        """Return a cache with the same candidates but for another common text."""
        cache = ExclusionCandidateCache(self.prompt, self.thesaurus, common)
        known = dict(self._found)  # another thread may add to it
        cache._found = {
            text: found if found.common is common.get(text) else replace(found, common=common.get(text))
            for text, found in known.items()
        }
        return cache

    def of(self, prepared_document: PreparedDocument) -> ExclusionCandidates:
        """Return the exclusion candidates of a text."""
        found = self._found.get(prepared_document.prepared)
        if found is None:
            thesaurus = load_thesaurus_or_none(self.thesaurus) if self.prompt is not None else None
            found = find_exclusion_candidates(
                prepared_document, self.prompt, thesaurus, self.common.get(prepared_document.prepared)
            )
            self._found[prepared_document.prepared] = found
        return found

    def forget(self, text: PreparedText) -> None:
        """Free the candidates of a text."""
        self._found.pop(text, None)


class PairClassifier:
    """Classifies scored pairs under one set of settings; exclusions of a text are computed once."""

    def __init__(self, settings: ComparisonSettings, exclusion_candidates: ExclusionCandidateCache) -> None:
        self.settings = settings
        self.exclusion_candidates = exclusion_candidates
        self._counted_texts: dict[PreparedText, CountedText] = {}

    def classify(self, left: PreparedDocument, right: PreparedDocument, scores: PairScores) -> PairSummary:
        """Compute the figures of a pair."""
        return classified(self.counted(left), self.counted(right), scores, self.settings)[0]

    def passages(
        self, left: PreparedDocument, right: PreparedDocument, scores: PairScores
    ) -> tuple[Passages, tuple[CountedText, CountedText]]:
        """Return the passages of a pair that count, and the counted texts."""
        _similar, kept, counted = _matched(self.counted(left), self.counted(right), scores, self.settings)
        return passages_that_count(kept, scores.detected_passages, *counted, self.settings.passages), counted

    def comparison(self, left: PreparedDocument, right: PreparedDocument, scores: PairScores) -> Comparison:
        """Return the comparison of a pair, without the heat of its matrix."""
        shape = left.prepared.sentence_count, right.prepared.sentence_count
        matrix = ComparisonMatrix(np.zeros(shape, np.uint8), scores.cells)
        candidates = self.exclusion_candidates.of(left), self.exclusion_candidates.of(right)
        return build_comparison(left, right, self.settings, matrix, candidates, scores.detected_passages)

    def forget(self, text: PreparedText) -> None:
        """Free what is kept of a text that was removed."""
        self._counted_texts.pop(text, None)
        self.exclusion_candidates.forget(text)

    def counted(self, prepared_document: PreparedDocument) -> CountedText:
        """Return the counted text, before the exclusions of a pair."""
        text = prepared_document.prepared
        counted = self._counted_texts.get(text)
        if counted is None:
            candidates = self.exclusion_candidates.of(prepared_document)
            counted = CountedText(text, find_exclusions(text, candidates, self.settings))
            self._counted_texts[text] = counted
        return counted


def classified(
    left: CountedText, right: CountedText, scores: PairScores, settings: ComparisonSettings
) -> tuple[PairSummary, PairScores]:
    """Return the figures of a pair, and its scores, which then tell whether any passage counts."""
    similar, kept, counted = _matched(left, right, scores, settings)
    found = passages_and_shares(similar, kept, scores.detected_passages, *counted, settings.passages)
    passages, share, sentence_share = found
    excluded = counted[0].excluded, counted[1].excluded
    longest = max(_longest_sentence(kept, *excluded), _longest_passage(passages, *counted))
    rewritten = passages.select(passages.evidence >= LEAST_EVIDENCE_IN_CLASS)
    units = int(_shorter_sides(rewritten, *counted).sum())
    summary = PairSummary.of(share, sentence_share, longest, len(kept), units)
    return summary, PairScores(scores.cells, scores.detected_passages, len(passages) > 0)


def _matched(
    left: CountedText, right: CountedText, scores: PairScores, settings: ComparisonSettings
) -> tuple[Cells, Cells, tuple[CountedText, CountedText]]:
    similar = similar_cells(scores.cells, settings)
    counted = with_copied_quotations(similar, left, right)
    kept = without_excluded(similar, *counted)
    return similar, kept, counted


def _longest_sentence(kept: Cells, left: ExcludedSentences, right: ExcludedSentences) -> int:
    if not len(kept):
        return 0
    own, other = (left.lengths * left.kept)[kept.rows], (right.lengths * right.kept)[kept.columns]
    return int(fewer_units(own, other).max(initial=0))


def _longest_passage(passages: Passages, left: CountedText, right: CountedText) -> int:
    return int(_shorter_sides(passages.select(~passages.is_rewritten), left, right).max(initial=0))


def _shorter_sides(passages: Passages, left: CountedText, right: CountedText) -> Int32Array:
    """Return the length of each passage, as the list of passages has it."""
    if not len(passages):
        return _NOTHING
    return fewer_units(
        left.counting_units_in(passages.left_spans), right.counting_units_in(passages.right_spans)
    )


LEAST_LIMIT = 0.12
"""Measured: of 250 texts with 15% of another one, in ten kinds of reuse, 244 reach it."""
_HIGHEST_LIMIT = 0.95
_LEAST_COPIED = 0.5
"""A pair with this share, half of a text, shows nothing of what is usual. Chosen, not tuned."""
_LEAST_USUAL = 0.01
"""Smaller shares come from one or two common phrases and are no measure of others."""
_HIGH_QUANTILE = 0.9
_MOST_CLASS_PAIRS = 0.01
"""Pairs expected above the limit, estimated from the class's own shares: one in a hundred such classes."""
_FEWEST_PAIRS = 45
"""Pairs of ten essays: with fewer, a copy cannot be distinguished from the tail of the shares."""
# Measured: of 59,418 pairs of unrelated essays, 24,090 by students and the others news and web pages of the
# development sets without 8 Han characters or 5 words in a row in common, 9 have a share of 5%, 5 of 8%,
# 3 of 10% and 2 of 15%, half of them lists of dates or figures.
_BACKGROUND_RATE, _BACKGROUND_SHARE, _BACKGROUND_EXPONENT = 5e-5, 0.1, 1.5


@dataclass(frozen=True, slots=True)
class PairRarity:
    """Rarity of the share of a pair in its class.

    times_usual: its share as a multiple of the usual share, None if that is below 1%; chance_pairs: pairs of
    unrelated essays with at least this share that are expected in such a class.
    """

    times_usual: float | None
    chance_pairs: float
    is_unusual: bool


@dataclass(frozen=True, eq=False)
class ClassShares:
    """The shares of the pairs of a class, shape (pairs,), the larger one of each pair after exclusions.

    Pairs that share half of a text are left out where it is estimated what is usual.
    """

    shares: NDArray[np.float64]

    @cached_property
    def usual(self) -> float:
        """Median share of the pairs, at least 1%."""
        return max(self._quantile(0.5), _LEAST_USUAL)

    @property
    def is_usual_assumed(self) -> bool:
        """True if the median share is below 1%, which is no measure of others."""
        return self._quantile(0.5) < _LEAST_USUAL

    @cached_property
    def limit(self) -> float:
        """Share from which a pair is unusual, in whole percent.

        At least 12%, and so high that at most 0.01 pairs above it are expected from the class's own shares,
        whose tail is taken as exponential.
        """
        percents = np.arange(round(100 * LEAST_LIMIT), round(100 * _HIGHEST_LIMIT))
        low = percents[self._class_pairs(percents / 100) <= _MOST_CLASS_PAIRS]
        return float(low[0]) / 100 if len(low) else _HIGHEST_LIMIT

    @cached_property
    def chance_pairs(self) -> float:
        """Pairs of unrelated essays above the limit that are expected in such a class: false alarms."""
        return self.rarity(self.limit).chance_pairs

    def rarity(self, share: float) -> PairRarity:
        background = _BACKGROUND_RATE * (_BACKGROUND_SHARE / max(share, _LEAST_USUAL)) ** _BACKGROUND_EXPONENT
        expected = background * len(self.shares) + float(self._class_pairs(np.array([share]))[0])
        chance_pairs = min(expected, float(len(self.shares)))
        times = None if self.is_usual_assumed else share / self.usual
        return PairRarity(times, chance_pairs, reaches(share, self.limit))

    @cached_property
    def _usual_shares(self) -> NDArray[np.float64]:
        return np.sort(self.shares[self.shares < _LEAST_COPIED])

    def _quantile(self, part: float) -> float:
        shares = self._usual_shares
        return float(shares[int(part * (len(shares) - 1))]) if len(shares) else 0.0

    def _class_pairs(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimate the number of pairs at or above each share from the class's own shares."""
        count = len(self._usual_shares)
        if count < _FEWEST_PAIRS:
            return np.zeros(len(shares))
        median, high = self._quantile(0.5), self._quantile(_HIGH_QUANTILE)
        scale = max((high - median) / np.log(0.5 / (1 - _HIGH_QUANTILE)), 1e-6)
        beyond = np.maximum(shares - high, 0) / scale
        expected: NDArray[np.float64] = count * (1 - _HIGH_QUANTILE) * np.exp(-beyond)
        return expected


# Average precision for copies planted in essays on one question (tests/benchmarks/class_ranks.py): by shares
# .816, by the cosine of all terms .832, by rare text and then, where equal in whole percent, the cosine .969.
_MOST_OF_COSINE = 0.0099
_PART_OF_REWRITTEN = 0.25
"""How much of possibly rewritten text counts, so that it is before chance and after clear copies."""
_LEAST_NORM = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """Columns of `SentenceTerms` without the text, so that they can be kept as long as it lives.

    sentences: of the text, by place of the pieces that are called sentences there.
    """

    spans: Int64Array
    sentences: Int64Array
    vocabulary: TermArray
    pieces: Int64Array
    ids: Int64Array
    counts: Float64Array

    def pieces_in(self, spans: Int32Array) -> BoolArray:
        """Mark the pieces that overlap one of the spans, shape (n, 2)."""
        first = np.searchsorted(self.spans[:, 1], spans[:, 0], side="right")
        stop = np.searchsorted(self.spans[:, 0], spans[:, 1], side="left")
        return in_ranges(np.stack([first, stop], axis=1), len(self.spans))

    def counts_in(self, is_piece: BoolArray) -> Float64Array:
        """Count each term of the vocabulary in some pieces, at most twice in each."""
        held = is_piece[self.pieces]
        return np.bincount(self.ids[held], self.counts[held], len(self.vocabulary)).astype(np.float64)


@weak_cache(weak=1, most=1024)
def _terms(text: PreparedText) -> _Terms:
    found = sentence_terms(text)
    sentences = np.searchsorted(text.sentence_spans[:, 0], found.spans[:, 0], side="right") - 1
    return _Terms(found.spans, sentences, found.vocabulary, found.sentences, found.ids, found.counts)


def rare_share(rank_score: float) -> float:
    """Return the share of rare text that a rank score stands for, in whole percent."""
    return int(round(rank_score * 10_000) // 100) / 100


def rank_scores(
    documents: Mapping[int, PreparedDocument],
    essays: Collection[int],
    scores: Mapping[Pair, PairScores],
    classifier: PairClassifier,
    stop: Event,
) -> dict[Pair, float]:
    """Return the rank score of each scored pair in [0, 1], without pairs whose score is unknown.

    Its whole percent are the share of rare text (`rare_share`): how much of the terms of the text with fewer
    the passages of both have, without summaries, and a quarter of those in possibly rewritten ones. A term
    has the weight log((n + 1) / (m + 1)) if m of the n other essays have it; excluded sentences do not count.
    The rest is the cosine of all their terms.

    documents: of the class, by their keys; essays: keys of the current ones. Raises Cancelled soon after
    `stop` is set.
    """
    if not scores:
        return {}
    ranks = _ClassRanks(documents, essays, classifier).scores(scores, stop)
    return {pair: score for pair, score in zip(scores, ranks.tolist(), strict=True) if not isnan(score)}


class _ClassRanks:
    def __init__(
        self,
        documents: Mapping[int, PreparedDocument],
        essays: Collection[int],
        classifier: PairClassifier,
    ) -> None:
        self._documents = documents
        self._classifier = classifier
        self._row = {key: row for row, key in enumerate(documents)}
        self._terms = {key: _terms(document.prepared) for key, document in documents.items()}
        held = [each.vocabulary for each in self._terms.values()]
        vocabulary = np.unique(np.concatenate([np.zeros(0, np.uint64), *held]))
        self._places = {
            key: np.searchsorted(vocabulary, each.vocabulary) for key, each in self._terms.items()
        }
        self._counts = {
            key: each.counts_in(classifier.counted(documents[key]).excluded.kept[each.sentences])
            for key, each in self._terms.items()
        }
        self._essays = frozenset(documents.keys() & set(essays))
        self._essay_counts = np.zeros(len(vocabulary))
        for key in self._essays:
            self._essay_counts[self._places[key][self._counts[key] > 0]] += 1
        self._weights = np.log((len(self._essays) + 1) / (self._essay_counts + 1))

    def scores(self, pairs: Mapping[Pair, PairScores], stop: Event) -> Float64Array:
        """Return the score of each pair, shape (pairs,), NaN if no term of a text has a weight."""
        places = np.array([[self._row[key] for key in pair] for pair in pairs], np.intp).reshape(-1, 2)
        cosines = self._cosines()[places[:, 0], places[:, 1]]
        shares = np.array([self._rare_share(pair, held, stop) for pair, held in pairs.items()], np.float64)
        scores: Float64Array = np.round(shares, 2) + _MOST_OF_COSINE * np.clip(cosines, 0, 1)
        return np.round(scores, 4)

    def _rare_share(self, pair: Pair, held: PairScores, stop: Event) -> float:
        if stop.is_set():
            raise Cancelled
        other_essays = len(self._essays) - sum(key in self._essays for key in pair)
        if not other_essays:
            return nan
        found = held.cells if held.detected_passages is None else held.detected_passages
        if not len(found) or not held.has_counting:
            return 0.0  # most pairs of a class
        left, right = (self._documents[key] for key in pair)
        passages, sides = self._classifier.passages(left, right, held)
        copied = passages.select(passages.covers)
        rewritten = passages.select(passages.evidence >= LEAST_EVIDENCE_IN_CLASS)
        if not len(copied) and not len(rewritten):
            return 0.0
        own = [self._places[key] for key in pair]
        places, at = np.unique(np.concatenate(own), return_inverse=True)
        at_sides = np.split(at, [len(own[0])])
        counts, copied_counts, rewritten_counts = np.zeros((3, 2, len(places)))
        for side, key in enumerate(pair):
            terms, at = self._terms[key], at_sides[side]
            counts[side, at] = self._counts[key]
            for found, of_found in ((copied, copied_counts), (rewritten, rewritten_counts)):
                spans = (found.left_spans, found.right_spans)[side]
                held_by = terms.pieces_in(spans) & sides[side].excluded.kept[terms.sentences]
                of_found[side, at] = terms.counts_in(held_by)
        are_essays = [key in self._essays for key in pair]
        others = self._essay_counts[places] - (counts[are_essays] > 0).sum(axis=0)
        weights = np.log((other_essays + 1) / (others + 1))
        shared, least = copied_counts.min(axis=0) @ weights, (counts @ weights).min()
        shared += _PART_OF_REWRITTEN * (rewritten_counts @ weights).min()
        return min(float(shared / least), 1.0) if least > 0 else nan

    def _cosines(self) -> Float64Array:
        """Return the TF-IDF cosines of all documents, shape (documents, documents).

        It adds up the documents that have each term: threads of BLAS wait for each other on a busy machine.
        """
        count = len(self._row)
        values = {key: np.log1p(self._counts[key]) * self._weights[at] for key, at in self._places.items()}
        vectors = {key: own / max(float(np.sqrt(own @ own)), _LEAST_NORM) for key, own in values.items()}
        places = np.concatenate(list(self._places.values()))
        by_term = np.argsort(places, kind="stable")
        holders = np.repeat(np.arange(count), list(map(len, vectors.values())))[by_term]
        weights = np.concatenate(list(vectors.values()))[by_term]
        starts = np.searchsorted(places[by_term], np.arange(len(self._weights) + 1))
        cosines = np.zeros((count, count))
        for key, row in self._row.items():
            first, stop = starts[self._places[key]], starts[self._places[key] + 1]
            lengths = stop - first
            of_terms = np.repeat(stop - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
            products = weights[of_terms] * np.repeat(vectors[key], lengths)
            cosines[row] = np.bincount(holders[of_terms], products, count)
        return cosines
