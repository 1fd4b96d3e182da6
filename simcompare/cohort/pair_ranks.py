"""Rank the pairs of a class by the text they share that is rare in this class.

A share depends on no third essay. Essays on one question have its words in common, though, so which pair
is read first depends on what the other essays have.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import isnan, nan
from threading import Event

import numpy as np

from simcompare.cohort.pair_scores import PairClassifier, PairScores
from simcompare.comparison.passages.rewriting import LEAST_EVIDENCE_IN_CLASS
from simcompare.comparison.passages.term_cosine import TermArray, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import in_ranges
from simcompare.model.progress import Cancelled
from simcompare.session.session_data import Pair
from simcompare.support.arrays import BoolArray, Float64Array, Int32Array, Int64Array
from simcompare.support.weak_cache import weak_cache
from simcompare.text.prepared_text import PreparedText

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
    """Terms of the documents of a class and their weights."""

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
        other_essays = len(self._essays.difference(pair))
        if not other_essays:
            return nan
        if not len(held.cells if held.detected_passages is None else held.detected_passages):
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
