"""Score all pairs of a cohort in processes, for callers without a window."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from queue import Empty, SimpleQueue
from threading import Event
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.cohort_data import Cohort, CohortDocuments, CohortPair, sorted_by_share
from simcompare.cohort.pair_pool import (
    BATCHES_PER_WORKER,
    MOST_CELLS_PER_BATCH,
    MOST_PAIRS_PER_BATCH,
    Batch,
    PairPool,
    ScoredBatch,
)
from simcompare.cohort.pair_scores import (
    ExclusionCandidateCache,
    PairClassifier,
    PairScores,
    PairSummary,
    load_thesaurus_or_none,
)
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.progress import Cancelled, Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NO_REVIEW
from simcompare.session.session_data import Pair
from simcompare.text.prepared_text import PreparedText

STOP_POLL_SECONDS = 0.1

PairOutcome = PairSummary | str
"""Summary of a pair, or the reason why there is none; "" if the process died."""


def score_pairs(
    prepared_documents: Sequence[PreparedDocument],
    settings: ComparisonSettings,
    candidates: ExclusionCandidateCache,
    tick: Tick,
    stop: Event,
    pairs: Sequence[Pair] | None = None,
    kept: dict[Pair, PairScores] | None = None,
) -> Mapping[Pair, PairOutcome]:
    """Score and classify pairs of documents, keyed by their indices, lower index first; by default all.

    kept: where the scores are put, if anywhere.

    Processes are spawned, so call it under `if __name__ == "__main__"`. `tick` counts pairs. Raises
    Cancelled soon after `stop` is set, and what `tick` raises.
    """
    wanted = list(combinations(range(len(prepared_documents)), 2)) if pairs is None else pairs
    scoring = _CohortScoring(prepared_documents, PairClassifier(settings, candidates), wanted, kept)
    try:
        return scoring.run(tick, stop)
    finally:
        scoring.pool.close()


class _CohortScoring:
    """Batches in progress, and the outcomes of the finished ones."""

    def __init__(
        self,
        prepared_documents: Sequence[PreparedDocument],
        classifier: PairClassifier,
        pairs: Sequence[Pair],
        kept: dict[Pair, PairScores] | None,
    ) -> None:
        self._kept = kept
        self._prepared_documents = prepared_documents
        self._classifier = classifier
        self._pairs = pairs
        self._scored: SimpleQueue[ScoredBatch] = SimpleQueue()
        self._outcomes: dict[Pair, PairOutcome] = {}
        self.pool = PairPool(os.cpu_count() or 1, self._scored.put)

    def run(self, tick: Tick, stop: Event) -> Mapping[Pair, PairOutcome]:
        """Score and classify all pairs."""
        total = len(self._pairs)
        waiting = _batches(self._prepared_documents, self._pairs)
        under_way = 0
        while len(self._outcomes) < total:
            while under_way < BATCHES_PER_WORKER * self.pool.worker_count and (group := next(waiting, ())):
                self._submit(group)
                under_way += 1
            self._record(self._next_result(stop))
            under_way -= 1
            tick(len(self._outcomes), total)
        return self._outcomes

    def _submit(self, group: tuple[Pair, ...]) -> None:
        texts = {place: self._prepared_documents[place].prepared for pair in group for place in pair}
        self.pool.submit(Batch(0, group, texts, self._classifier.settings))

    def _next_result(self, stop: Event) -> ScoredBatch:
        while not stop.is_set():
            try:
                return self._scored.get(timeout=STOP_POLL_SECONDS)
            except Empty:
                continue
        raise Cancelled

    def _record(self, scored: ScoredBatch) -> None:
        for (left, right), scores in zip(scored.batch.pairs, scored.outcomes, strict=True):
            if self._kept is not None and not isinstance(scores, str):
                self._kept[left, right] = scores
            self._outcomes[left, right] = (
                scores
                if isinstance(scores, str)
                else self._classifier.classify(
                    self._prepared_documents[left], self._prepared_documents[right], scores
                )
            )


def _batches(
    prepared_documents: Sequence[PreparedDocument], pairs: Sequence[Pair]
) -> Iterator[tuple[Pair, ...]]:
    """Split pairs into batches of about equal work."""
    sentences = [prepared_document.prepared.sentence_count for prepared_document in prepared_documents]
    group: list[Pair] = []
    cells = 0
    for left, right in pairs:
        more = sentences[left] * sentences[right]
        if group and (len(group) == MOST_PAIRS_PER_BATCH or cells + more > MOST_CELLS_PER_BATCH):
            yield tuple(group)
            group, cells = [], 0
        group.append((left, right))
        cells += more
    if group:
        yield tuple(group)


def make_cohort(  # noqa: PLR0913, PLR0917 - what a cohort is made of, and how
    documents: CohortDocuments,
    settings: ComparisonSettings,
    made_at: datetime,
    tick: Tick,
    stop: Event,
    common: Mapping[PreparedText, NDArray[np.str_]] = MappingProxyType({}),
    pairs: Sequence[Pair] | None = None,
    kept: dict[Pair, PairScores] | None = None,
) -> Cohort:
    """Compare pairs of documents, by default all. `tick` counts pairs; `kept` as in `score_pairs`.

    common: of each text, as `CommonText.by_text` has it. Raises Cancelled soon after `stop` is set, and what
    `tick` raises.
    """
    candidates = ExclusionCandidateCache(documents.prompt, settings.thesaurus, common)
    outcomes = score_pairs(documents.prepared_documents, settings, candidates, tick, stop, pairs, kept)
    compared = [_cohort_pair(pair, outcome, documents) for pair, outcome in outcomes.items()]
    return replace(
        cohort_without_pairs(documents, settings, made_at),
        pairs=sorted_by_share(documents.prepared_documents, compared),
        exclusion_candidates=tuple(map(candidates.of, documents.prepared_documents)) if common else (),
    )


def cohort_without_pairs(
    documents: CohortDocuments, settings: ComparisonSettings, made_at: datetime
) -> Cohort:
    """Make the cohort of documents that have not been compared yet."""
    thesaurus = load_thesaurus_or_none(settings.thesaurus)
    return Cohort(
        documents.prepared_documents, (), settings, thesaurus, made_at, documents.prompt, documents.unread
    )


def _cohort_pair(pair: Pair, outcome: PairOutcome, documents: CohortDocuments) -> CohortPair:
    review = documents.reviews.get(pair, NO_REVIEW)
    if isinstance(outcome, str):
        return CohortPair(*pair, None, review, outcome)
    return CohortPair(*pair, outcome, review)
