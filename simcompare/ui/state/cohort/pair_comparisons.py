"""Compare all pairs of the documents in the background, the most similar fingerprints first."""

import os
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.cohort.pair_pool import (
    BATCHES_PER_WORKER,
    MOST_CELLS_PER_BATCH,
    MOST_PAIRS_PER_BATCH,
    Batch,
    PairPool,
    ScoredBatch,
)
from simcompare.cohort.pair_scores import PairClassifier, PairScores, PairSummary
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distance_bits
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.pair_classification import PairReclassification, ReclassifiedPairs
from simcompare.ui.state.cohort.pair_rows_data import UNKNOWN, Pair, PairState, PairTable

MIN_DOCUMENTS = 3
"""Two documents make one pair, which Compare shows."""
_MAX_WORKERS = 4
_MAX_NEW_PAIRS_PER_TURN = 2_000
_CHANGE_DELAY_MS = 100
_ROWS_PER_EXTRA_MS = 100
_RECLASSIFY_DELAY_MS = 20


@dataclass(frozen=True, slots=True, eq=False)
class _ClassifiedBatch:
    """Scored batch, classified by the classifier that was current then."""

    scored: ScoredBatch
    classifier: PairClassifier
    summaries: dict[Pair, PairSummary]


class PairComparisons(QObject):
    """Keeps and updates a row for each pair; changes are emitted a few times a second.

    Empty for fewer than MIN_DOCUMENTS documents.
    """

    changed = Signal()
    progress_changed = Signal()
    _batch_classified = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = PairTable()
        self._settings = settings
        self._reclassification = PairReclassification(settings, self)
        self._prepared_documents: dict[int, PreparedDocument] = {}
        self._numbers: dict[int, int] = {}
        self._keys: dict[int, int] = {}
        self._next_number = count(1)
        self._new_keys: deque[int] = deque()
        self._scores: dict[Pair, PairScores] = {}
        self._under_way: set[Pair] = set()
        self._batches_under_way = 0
        self._epoch = 0
        self._closed = False
        self._pool: PairPool | None = None
        self._pace_start = (0.0, 0)
        self._adding = QTimer(self, singleShot=True, interval=0)
        self._adding.timeout.connect(self._add_new)
        self._reclassify_delay = QTimer(self, singleShot=True, interval=_RECLASSIFY_DELAY_MS)
        self._reclassify_delay.timeout.connect(self._reclassify)
        self._change_delay = QTimer(self, singleShot=True)
        self._change_delay.timeout.connect(self._emit_changed)
        self._batch_classified.connect(self._use_batch)
        self._reclassification.reclassified.connect(self._use_reclassified)
        self._reclassification.ended.connect(self._emit_changed)

    # state

    @property
    def progress(self) -> tuple[int, int]:
        """(pairs that need no more scoring, all pairs)."""
        rows = self.table.rows
        waiting = int(np.count_nonzero(rows["queued"])) + len(self._under_way)
        return len(rows) - waiting, len(rows)

    @property
    def is_comparing(self) -> bool:
        """True if pairs are being scored."""
        return bool(self._under_way or self._new_keys) or bool(self.table.rows["queued"].any())

    @property
    def is_busy(self) -> bool:
        """True if pairs are being scored or reclassified."""
        return self.is_comparing or self._reclassification.is_busy or self._reclassify_delay.isActive()

    @property
    def cancelled_count(self) -> int:
        """Number of pairs that were not compared because the user cancelled."""
        rows = self.table.rows
        failed = int(np.count_nonzero(rows["state"] == PairState.FAILED))
        done, _total = self.progress
        return done - failed - len(self._scores)

    @property
    def seconds_left(self) -> float | None:
        """Estimated remaining time at the pace so far; None during the first second."""
        done, total = self.progress
        began, done_then = self._pace_start
        elapsed = time.monotonic() - began
        if done <= done_then or elapsed < 1:
            return None
        return elapsed / (done - done_then) * (total - done)

    # requests

    def follow(self, prepared_documents: Mapping[int, PreparedDocument], chosen_pair: Pair | None) -> None:
        """Compare these documents, given by key, with each other; the chosen pair is scored first."""
        if len(prepared_documents) < MIN_DOCUMENTS:
            prepared_documents = {}
        self._forget(
            [
                key
                for key, known in self._prepared_documents.items()
                if not _is_same_text(prepared_documents.get(key), known)
            ]
        )
        self._update_fingerprints(prepared_documents)
        for key in prepared_documents.keys() - self._prepared_documents.keys():
            self._prepared_documents[key] = prepared_documents[key]
            self._numbers[key] = number = next(self._next_number)
            self._keys[number] = key
            self._new_keys.append(key)
        self._add_new()
        if chosen_pair is not None:
            self._prefer((min(chosen_pair), max(chosen_pair)))

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None) -> None:
        """Use other settings: score again for another thesaurus or passages, otherwise only reclassify."""
        before, self._settings = self._settings, settings
        if (
            replace(settings, recipe=before.recipe) == before
            and prompt is self._reclassification.classifier.exclusion_candidates.prompt
        ):
            return
        rescored = (settings.thesaurus, settings.passages) != (before.thesaurus, before.passages)
        self._reclassification.use(settings, prompt)
        if not len(self.table):
            return
        if rescored:
            self._discard_results()
            if self._pool is not None:
                self._pool.drop_waiting()
            self._scores.clear()
            self.table.queue_all()
            self._submit_batches()
        else:
            self.table.mark_outdated()
            self._reclassify_soon()
        self._emit_changed()

    def cancel(self) -> None:
        """Score no further pairs; known figures stay."""
        if self.is_comparing:
            self._discard_results()
            if self._pool is not None:
                self._pool.stop()
            self.table.rows["queued"] = False
            self.table.clear_figures([place for place, pair in self._renewing() if pair not in self._scores])
            self._emit_changed()

    def resume(self) -> None:
        """Score pairs that were cancelled or failed."""
        rows = self.table.rows
        for place in np.flatnonzero(~rows["queued"]).tolist():
            pair = self.table.pair_at(place)
            if pair not in self._scores and pair not in self._under_way:
                rows["queued"][place] = True
        if rows["queued"].any():
            self._submit_batches()
            self._emit_changed()

    def close(self) -> None:
        """Stop without further signals."""
        self._closed = True
        for timer in (self._adding, self._reclassify_delay, self._change_delay):
            timer.stop()
        if self._pool is not None:
            self._pool.close()
        self._reclassification.close()

    # documents

    def _forget(self, keys: list[int]) -> None:
        if not keys:
            return
        removed = set(keys)
        numbers = frozenset(self._numbers.pop(key) for key in keys)
        for number in numbers:
            del self._keys[number]
        for key in keys:
            del self._prepared_documents[key]
        self._new_keys = deque(key for key in self._new_keys if key not in removed)
        self._scores = {pair: held for pair, held in self._scores.items() if removed.isdisjoint(pair)}
        self._under_way = {pair for pair in self._under_way if removed.isdisjoint(pair)}
        self.table.remove(removed)
        if self._pool is not None:
            self._pool.forget(numbers)
        self._emit_changed()

    def _update_fingerprints(self, prepared_documents: Mapping[int, PreparedDocument]) -> None:
        """Update the distances of texts whose fingerprints have changed."""
        others = {
            key: prepared_documents[key]
            for key, known in self._prepared_documents.items()
            if prepared_documents[key] is not known
        }
        if others:
            self._prepared_documents |= others
            prints = {
                key: prepared_document.fingerprint
                for key, prepared_document in self._prepared_documents.items()
            }
            rows = self.table.rows
            pairs = zip(rows["left"].tolist(), rows["right"].tolist(), strict=True)
            self.table.set_distances(_distance_bits(prints[a], prints[b]) for a, b in pairs)
            self._emit_changed_soon()

    def _add_new(self) -> None:
        """Add the pairs of some documents now, others in later turns of the event loop."""
        added = 0
        while self._new_keys and added < _MAX_NEW_PAIRS_PER_TURN:
            key = self._new_keys.popleft()
            own, waiting = self._prepared_documents[key].fingerprint, {key, *self._new_keys}
            others = {
                other: _distance_bits(own, prepared_document.fingerprint)
                for other, prepared_document in self._prepared_documents.items()
                if other not in waiting
            }
            self.table.add(key, others)
            added += len(others)
        if self._new_keys:
            self._adding.start()
        if added:
            self._submit_batches()
            self._emit_changed_soon()

    # scoring

    def _prefer(self, pair: Pair) -> None:
        place = self.table.place_of(pair)
        if place is not None and self.table.rows["queued"][place]:
            self._submit([place])

    def _submit_batches(self) -> None:
        """Submit only as many batches as keep the workers busy, as the order of the others may change."""
        if not self._batches_under_way:
            self._pace_start = time.monotonic(), self.progress[0]
        while self._batches_under_way < BATCHES_PER_WORKER * _worker_count():
            places = self._next_rows()
            if not places:
                break
            self._submit(places)

    def _next_rows(self) -> list[int]:
        places = self.table.most_similar(MOST_PAIRS_PER_BATCH)
        cells = np.cumsum([self._cell_count(self.table.pair_at(place)) for place in places])
        return places[: max(1, int(np.searchsorted(cells, MOST_CELLS_PER_BATCH)))]

    def _cell_count(self, pair: Pair) -> int:
        left, right = (self._prepared_documents[key].prepared.sentence_count for key in pair)
        return left * right

    def _submit(self, places: list[int]) -> None:
        pairs = [self.table.pair_at(place) for place in places]
        self.table.rows["queued"][places] = False
        self._under_way.update(pairs)
        self._batches_under_way += 1
        texts = {self._numbers[key]: self._prepared_documents[key].prepared for pair in pairs for key in pair}
        numbered = tuple((self._numbers[left], self._numbers[right]) for left, right in pairs)
        if self._pool is None:
            self._pool = PairPool(_worker_count(), self._classify_batch)
        self._pool.submit(Batch(self._epoch, numbered, texts, self._settings))

    def _discard_results(self) -> None:
        """Ignore the results of all batches under way."""
        self._epoch += 1
        self._under_way.clear()
        self._batches_under_way = 0

    def _classify_batch(self, scored: ScoredBatch) -> None:
        """Classify a scored batch, in the thread of the pool that delivers it."""
        classifier, summaries = self._reclassification.classifier, {}
        for numbers, scores in zip(scored.batch.pairs, scored.outcomes or (), strict=False):
            keys = [self._keys.get(number) for number in numbers]
            left, right = (self._prepared_documents.get(key or 0) for key in keys)
            if isinstance(scores, PairScores) and left is not None and right is not None:
                summaries[numbers] = classifier.classify(left, right, scores)
        if not self._closed:
            self._batch_classified.emit(_ClassifiedBatch(scored, classifier, summaries))

    def _use_batch(self, classified: _ClassifiedBatch) -> None:
        batch, outcomes = classified.scored.batch, classified.scored.outcomes
        if batch.epoch != self._epoch or self._closed:
            return
        self._batches_under_way -= 1
        state = (
            PairState.CURRENT
            if classified.classifier is self._reclassification.classifier
            else PairState.RENEWING
        )
        for place, numbers in enumerate(batch.pairs):
            pair = self._keys.get(numbers[0], 0), self._keys.get(numbers[1], 0)
            if pair not in self._under_way:
                continue  # one of the documents was removed
            self._under_way.remove(pair)
            outcome = outcomes[place] if outcomes else None
            if isinstance(outcome, PairScores):
                self._scores[pair] = outcome
                self.table.set_figures(pair, classified.summaries[numbers], state)
            elif outcome is None and len(batch.pairs) > 1:
                # the batch crashed: submit its pairs one by one to find out which one causes it
                self._submit([self.table.place_of(pair) or 0])
            else:
                self.table.fail(pair, outcome or "")
        if state is PairState.RENEWING:
            self._reclassify_soon()
        self._submit_batches()
        if self.is_comparing:
            self.progress_changed.emit()  # rows repainted before `changed` show their new figures already
            self._emit_changed_soon()
        else:
            self._emit_changed()

    # reclassifying

    def _reclassify_soon(self) -> None:
        if not self._reclassify_delay.isActive():
            self._reclassify_delay.start()

    def _reclassify(self) -> None:
        """Reclassify all scored pairs: selecting those affected would take as long."""
        if self._scores:
            self._reclassification.start(dict(self._scores), dict(self._prepared_documents))
            self.progress_changed.emit()

    def _renewing(self) -> Iterator[tuple[int, Pair]]:
        places = np.flatnonzero(self.table.rows["state"] == PairState.RENEWING)
        rows = self.table.rows[places]
        pairs = zip(rows["left"].tolist(), rows["right"].tolist(), strict=True)
        return zip(places.tolist(), pairs, strict=True)

    def _use_reclassified(self, reclassified: ReclassifiedPairs) -> None:
        for pair, scores, summary in reclassified:
            if self._scores.get(pair) is scores:
                self.table.set_figures(pair, summary, PairState.CURRENT)
        self._emit_changed_soon()

    # signals

    def _emit_changed_soon(self) -> None:
        if not self._change_delay.isActive():
            self._change_delay.start(_CHANGE_DELAY_MS + len(self.table) // _ROWS_PER_EXTRA_MS)

    def _emit_changed(self) -> None:
        self._change_delay.stop()
        self.changed.emit()
        self.progress_changed.emit()


def _is_same_text(prepared_document: PreparedDocument | None, known: PreparedDocument) -> bool:
    """Return whether the text is unchanged; its fingerprint may differ."""
    return prepared_document is not None and prepared_document.prepared is known.prepared


def _distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    # read while the recipe was changed: its fingerprint is remade soon
    if left.recipe != right.recipe:
        return UNKNOWN
    return hamming_distance_bits(left, right)


def _worker_count() -> int:
    return min(_MAX_WORKERS, max(1, os.cpu_count() or 1))
