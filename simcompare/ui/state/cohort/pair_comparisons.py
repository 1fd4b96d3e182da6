"""Compare all pairs of the documents in the background, the most similar fingerprints first."""

import os
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import count
from threading import Event

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.cohort.pair_pool import (
    BATCHES_PER_WORKER,
    MOST_CELLS_PER_BATCH,
    MOST_PAIRS_PER_BATCH,
    Batch,
    PairPool,
    ScoredBatch,
)
from simcompare.cohort.pair_scores import PairClassifier, PairScores, rank_scores
from simcompare.cohort.scored_class import ScoredClass
from simcompare.comparison.comparison_result import BothShares
from simcompare.comparison.figures import SIDES, PairSummary
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import Fingerprint, hamming_distance_bits
from simcompare.model.progress import Pace
from simcompare.model.settings import ComparisonSettings
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import PairReview, PassageDecisions
from simcompare.session.school_class import CommonSentence, Pair
from simcompare.support.arrays import BoolArray
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.cohort.pair_rows_data import (
    UNKNOWN,
    KeptScores,
    PairReclassification,
    PairState,
    PairTable,
    ReclassifiedPairs,
)
from simcompare.ui.state.task import Background, Report

_MAX_WORKERS = 4
_MAX_NEW_PAIRS_PER_TURN = 2_000
_CHANGE_DELAY_MS = 250
_ROWS_PER_EXTRA_MS = 30
_RECLASSIFY_DELAY_MS = 20
_Decided = tuple[BothShares | None, PassageDecisions | None]


@dataclass(frozen=True, slots=True, eq=False)
class _ClassifiedBatch:
    """Scored batch, classified by the classifier that was current then."""

    scored: ScoredBatch
    classifier: PairClassifier
    summaries: dict[Pair, PairSummary]


class PairComparisons(QObject):
    """Keeps a row for each pair of documents that counts, and scores and classifies it.

    Old documents have no pairs with each other. Scores are kept when documents are removed or become old, and
    used again if the same texts return. Figures of a session are listed before its texts are prepared, and
    those of texts that are prepared again stay until they are renewed.
    Changes are emitted a few times a second. Pairs are ranked when all are compared; until then they have the
    ranks of the class as it was, or none.
    """

    changed = Signal()
    progress_changed = Signal()
    _batch_classified = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = PairTable()
        self.kept_scores = KeptScores()
        self._settings = settings
        self._reclassification = PairReclassification(settings, self)
        self._ranking = Background(self)
        self._ranked: tuple[object, ...] = ()
        self._prepared_documents: dict[int, PreparedDocument] = {}
        self._awaited: frozenset[int] = frozenset()
        self._to_encode: Set[int] = frozenset()
        self._numbers: dict[int, int] = {}
        self._keys: dict[int, int] = {}
        self._next_number = count(1)
        self._new_keys: deque[int] = deque()
        self._old: frozenset[int] = frozenset()
        self._scores: dict[Pair, PairScores] = {}
        self._adding = QTimer(self, singleShot=True, interval=0)
        self._adding.timeout.connect(self._add_new)
        # in a turn of its own: thousands of pairs take as long as a frame
        self._listing = QTimer(self, singleShot=True, interval=0)
        self._listing.timeout.connect(self._list_awaited)
        self._under_way: set[Pair] = set()
        self._decided: dict[Pair, tuple[tuple[object, ...], _Decided]] = {}
        self._batches_under_way = 0
        self._epoch = 0
        self._pool: PairPool | None = None
        self._pace = Pace(0.0, 0)
        self._time_spent = (0.0, 0)
        self._reclassify_delay = QTimer(self, singleShot=True, interval=_RECLASSIFY_DELAY_MS)
        self._reclassify_delay.timeout.connect(self._reclassify)
        self._change_delay = QTimer(self, singleShot=True)
        self._change_delay.timeout.connect(self._emit_changed)
        self._batch_classified.connect(self._use_batch)
        self._report = Report(self._batch_classified)
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
        return bool(self._under_way or self._new_keys) or bool(self.table.rows["queued"].any())

    @property
    def is_busy(self) -> bool:
        return self._is_classifying or self._ranking.is_busy

    @property
    def _is_classifying(self) -> bool:
        return self.is_comparing or self._reclassification.is_busy or self._reclassify_delay.isActive()

    @property
    def are_compared_by_words(self) -> bool:
        """True if all figures but those of rewritten passages are final, except of pairs that failed."""
        known = PairState.CURRENT, PairState.FAILED, PairState.SEARCHED
        states = self.table.rows["state"]
        return bool(len(states) and not self._new_keys and np.isin(states, known).all())

    @property
    def cancelled_count(self) -> int:
        """Number of pairs that were not compared because the user cancelled."""
        rows = self.table.rows
        failed = int(np.count_nonzero(rows["state"] == PairState.FAILED))
        done, _total = self.progress
        return done - failed - len(self._scores) - self._awaited_count

    @property
    def seconds_left(self) -> float | None:
        """Estimated remaining time at the pace so far; None at the beginning."""
        return self._pace.seconds_left(*self.progress)

    @property
    def time_spent(self) -> tuple[float, int]:
        """(seconds of comparing pairs since the program started, pairs compared in that time)."""
        seconds, pairs = self._time_spent
        if not self._batches_under_way:
            return seconds, pairs
        began, done_then = self._pace
        return seconds + time.monotonic() - began, pairs + max(0, self.progress[0] - done_then)

    # requests

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None, common: CommonByText) -> None:
        """Use other settings: score again for another thesaurus, passages or meaning; else reclassify."""
        before, self._settings = self._settings, settings
        candidates = self._reclassification.classifier.exclusion_candidates
        is_same = prompt is candidates.prompt and common is candidates.common
        if is_same and replace(settings, recipe=before.recipe) == before:
            return
        rescored = any(
            getattr(settings, name) != getattr(before, name) for name in ("thesaurus", "passages", "meaning")
        )
        self._reclassification.use(settings, prompt, common)
        if rescored:
            self.kept_scores.clear()
        if not len(self.table):
            return
        if rescored:
            self._discard_results()
            if self._pool is not None:
                self._pool.drop_waiting()
            self._scores.clear()
            is_searched = replace(settings, meaning=before.meaning, recipe=before.recipe) == before
            is_searched &= is_same or not (prompt or candidates.prompt or common or candidates.common)
            self.table.queue_all_but(self._awaited, is_searched=is_searched)
            self._submit_batches()
        else:
            is_common_only = prompt is candidates.prompt and replace(settings, recipe=before.recipe) == before
            self.table.mark_outdated(self._with_other(candidates.common, common) if is_common_only else None)
            self._restore_figures(self._scores)
        self._emit_changed()

    def _with_other(self, before: CommonByText, after: CommonByText) -> list[int]:
        texts = {key: document.prepared for key, document in self._prepared_documents.items()}
        return [
            key
            for key, text in texts.items()
            if not np.array_equal(before.get(text, ()), after.get(text, ()))
        ]

    def scored(
        self,
        documents: Mapping[int, PreparedDocument],
        common: Sequence[CommonSentence],
        awaited_common: Mapping[int, NDArray[np.str_]],
    ) -> ScoredClass:
        """Return the scores and figures to save, with the common sentences of all documents.

        awaited_common: digest of the common sentence that each sentence is, of texts not prepared yet.
        """
        candidates = self._reclassification.classifier.exclusion_candidates
        return ScoredClass(
            {key: document.prepared for key, document in documents.items()},
            dict(self._scores),
            self.table.figures_of(self._scores),
            self._settings,
            candidates.prompt,
            common,
            candidates.common,
            self.kept_scores.unused(candidates.common, awaited_common),
        )

    def after_decisions(self, pair: Pair, review: PairReview) -> _Decided:
        """Return shares after decisions, if something is of no concern, and those on passages, if any."""
        key = review, self._reclassification.classifier, self._scores.get(pair)
        if key[2] is None or not review.has_decided_parts:
            return None, None
        if pair not in self._decided or self._decided[pair][0] != key:
            left, right = (self._prepared_documents[each] for each in pair)
            evidence = Evidence(key[1].comparison(left, right, key[2]), None, datetime.min, review)
            self._decided[pair] = key, (evidence.decided, evidence.passage_decisions)
        return self._decided[pair][1]

    def open_rewritten(self, reviews: Mapping[Pair, PairReview]) -> BoolArray:
        """Return which rows have possibly rewritten passages that are not of no concern, shape (pairs,)."""
        is_open: BoolArray = self.table.rows["rewritten_units"] > 0
        for pair, review in reviews.items():
            place, (_shares, parts) = self.table.place_of(pair), self.after_decisions(pair, review)
            if place is not None and (review.is_fine or (parts is not None and not parts.open_rewritten)):
                is_open[place] = False
        return is_open

    def apply_decisions(self, reviews: Mapping[Pair, PairReview]) -> bool:
        """Set the figures after decisions of all rows; return whether something is of no concern."""
        rows = self.table.rows
        rows["open_rewritten_units"] = rows["rewritten_units"] * self.open_rewritten(reviews)
        place_of = self.table.place_of
        found = ((place_of(pair), self.after_decisions(pair, reviews[pair])[0]) for pair in reviews)
        decided = {place: shares for place, shares in found if place is not None and shares is not None}
        for number, side in enumerate(SIDES):
            column = self.table.rows[f"after_decisions_{side}"]
            column[:] = self.table.rows[f"after_exclusions_{side}"]
            for place, shares in decided.items():
                column[place] = shares[number]
        return bool(decided)

    def cancel(self) -> None:
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
            is_known = pair in self._scores or pair in self._under_way
            if not is_known and self._awaited.isdisjoint(pair):
                rows["queued"][place] = True
        if rows["queued"].any():
            self._submit_batches()
            self._emit_changed()

    def close(self) -> None:
        self._batch_classified.disconnect()
        for timer in (self._adding, self._listing, self._reclassify_delay, self._change_delay):
            timer.stop()
        if self._pool is not None:
            self._pool.close()
        self._reclassification.close()
        self._ranking.close()

    # documents

    def follow(
        self,
        prepared_documents: Mapping[int, PreparedDocument],
        awaited: frozenset[int],
        encoded: Set[int],
        old: frozenset[int],
        chosen_pair: Pair | None,
    ) -> None:
        """Compare these documents, given by key, with each other; the chosen pair is scored first.

        awaited: keys of those that will follow once they are prepared; encoded: of those that only lack
        vectors. old: keys of those that are not compared with each other.
        """
        in_other_role, self._old, self._to_encode = old ^ self._old, old, encoded
        self._await(awaited - prepared_documents.keys(), prepared_documents.keys(), in_other_role)
        encoded = {
            key
            for key, known in self._prepared_documents.items()
            if key in encoded
            or (key in prepared_documents and prepared_documents[key].document is known.document)
        }
        self._forget(
            [
                key
                for key, known in self._prepared_documents.items()
                if not _is_same_text(prepared_documents.get(key), known) or key in in_other_role
            ],
            (self._awaited | encoded) - in_other_role,
            encoded,
        )
        self._update_fingerprints(prepared_documents)
        for key in prepared_documents.keys() - self._prepared_documents.keys():
            self._prepared_documents[key] = prepared_documents[key]
            self._numbers[key] = number = next(self._next_number)
            self._keys[number] = key
            self._new_keys.append(key)
            self.kept_scores.follow_text(key, prepared_documents[key].prepared)
        self._add_new()
        if chosen_pair is not None:
            place = self.table.place_of((min(chosen_pair), max(chosen_pair)))
            if place is not None and self.table.rows["queued"][place]:
                self._submit([place])

    def _await(
        self, awaited: frozenset[int], prepared: Collection[int], in_other_role: frozenset[int]
    ) -> None:
        """List the pairs of a session whose texts are not prepared yet with their figures."""
        gone = self._awaited - ((awaited | frozenset(prepared)) - in_other_role)
        if gone:
            self.table.remove(gone)
            self._emit_changed()
        self._awaited = awaited
        if awaited and self.kept_scores.has_figures:
            self._listing.start()

    def _list_awaited(self) -> None:
        candidates = self._reclassification.classifier.exclusion_candidates
        expected = self.kept_scores.expected(
            self._awaited | self._prepared_documents.keys(),
            self._old,
            self._settings,
            candidates.prompt,
            candidates.common,
        )
        if expected is not None:
            self.table.add_known(*expected)
            self._emit_changed_soon()

    @property
    def _awaited_count(self) -> int:
        if not self._awaited:
            return 0
        return int(np.count_nonzero(self.table.has_any(self._awaited)))

    def _forget(self, keys: list[int], prepared_again: frozenset[int], encoded: Collection[int]) -> None:
        if not keys:
            return
        removed = set(keys)
        self.kept_scores.keep(self._scores, self._prepared_documents, removed, self._settings.meaning)
        numbers = frozenset(self._numbers.pop(key) for key in keys)
        for number in numbers:
            del self._keys[number]
        for key in keys:
            self._reclassification.classifier.forget(self._prepared_documents.pop(key).prepared)
        self._new_keys = deque(key for key in self._new_keys if key not in removed)
        self._scores = {pair: held for pair, held in self._scores.items() if removed.isdisjoint(pair)}
        self.table.remove(removed - prepared_again)
        self.table.wait_for(removed & prepared_again, is_searched=removed.issubset(encoded))
        self._under_way = {pair for pair in self._under_way if removed.isdisjoint(pair)}
        if self._pool is not None:
            self._pool.forget(numbers)
        if removed.issubset(encoded):
            self._emit_changed_soon()
        else:
            self._emit_changed()

    def _update_fingerprints(self, prepared_documents: Mapping[int, PreparedDocument]) -> None:
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
            self.table.set_distances(
                _distance_bits(prints[a], prints[b]) if a in prints and b in prints else UNKNOWN
                for a, b in pairs
            )
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
                if other not in waiting and not {key, other} <= self._old
            }
            self.table.add(key, others)
            pairs = [(min(key, other), max(key, other)) for other in others]
            if kept := self.kept_scores.take(pairs, self._prepared_documents):
                self._scores |= kept
                self.table.mark_scored(kept)
                self._restore_figures(kept)
            added += len(others)
        if self._new_keys:
            self._adding.start()
        if added:
            self._submit_batches()
            self._emit_changed_soon()

    def _restore_figures(self, scores: Mapping[Pair, PairScores]) -> None:
        """Use the figures of a session for these pairs if they are right; renew all others."""
        candidates = self._reclassification.classifier.exclusion_candidates
        known = self.kept_scores.figures(scores, self._settings, candidates.prompt, candidates.common)
        if known is not None:
            self.table.restore_figures(*known)
        self._reclassify_soon()

    # scoring

    def _submit_batches(self) -> None:
        """Submit only as many batches as keep the workers busy, as the order of the others may change."""
        if not self._batches_under_way:
            self._pace = Pace.from_now(self.progress[0])
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

    def _state_of(self, pair: Pair) -> PairState:
        """Return the state of a pair with figures by the current settings."""
        return PairState.CURRENT if self._to_encode.isdisjoint(pair) else PairState.SEARCHED

    def _discard_results(self) -> None:
        self._time_spent = self.time_spent
        self._epoch += 1
        self._under_way.clear()
        self._batches_under_way = 0

    def _classify_batch(self, scored: ScoredBatch) -> None:
        """Classify a scored batch, in the thread of the pool that delivers it."""
        classifier, summaries = self._reclassification.classifier, {}
        for numbers, scores in zip(scored.batch.pairs, scored.outcomes, strict=True):
            keys = [self._keys.get(number) for number in numbers]
            left, right = (self._prepared_documents.get(key or 0) for key in keys)
            if isinstance(scores, PairScores) and left is not None and right is not None:
                summaries[numbers] = classifier.classify(left, right, scores)
        self._report(_ClassifiedBatch(scored, classifier, summaries))

    def _use_batch(self, classified: _ClassifiedBatch) -> None:
        batch, outcomes = classified.scored.batch, classified.scored.outcomes
        if batch.epoch != self._epoch:
            return
        is_current = classified.classifier is self._reclassification.classifier
        for numbers, outcome in zip(batch.pairs, outcomes, strict=True):
            pair = self._keys.get(numbers[0], 0), self._keys.get(numbers[1], 0)
            if pair not in self._under_way:
                continue  # one of the documents was removed
            self._under_way.remove(pair)
            if isinstance(outcome, PairScores):
                self._scores[pair] = outcome
                state = self._state_of(pair) if is_current else PairState.RENEWING
                self.table.set_figures(pair, classified.summaries[numbers], state)
            else:
                self.table.fail(pair, outcome)
        if self._batches_under_way == 1:
            self._time_spent = self.time_spent
        self._batches_under_way -= 1
        if not is_current:
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
        renewing = self.table.rows[self.table.are_renewing]
        if len(renewing):
            # the thread selects the scores: copying all is faster
            self._reclassification.start(
                renewing["left"], renewing["right"], dict(self._scores), dict(self._prepared_documents)
            )
            self.progress_changed.emit()
        else:
            self._rank()  # which waited for this

    def _renewing(self) -> Iterator[tuple[int, Pair]]:
        places = np.flatnonzero(self.table.are_renewing)
        rows = self.table.rows[places]
        pairs = zip(rows["left"].tolist(), rows["right"].tolist(), strict=True)
        return zip(places.tolist(), pairs, strict=True)

    def _use_reclassified(self, reclassified: ReclassifiedPairs) -> None:
        for pair, scores, summary in reclassified:
            if self._scores.get(pair) is scores:
                self.table.set_figures(pair, summary, self._state_of(pair))
        self._emit_changed_soon()

    # ranking

    def _rank(self) -> None:
        """Rank all pairs in the background, if they, their figures or the class are others than before."""
        classifier = self._reclassification.classifier
        of = classifier, self._old, frozenset(self._keys), len(self._scores)
        if self._is_classifying or self._awaited or of == self._ranked:
            return
        self._ranking.cancel()
        self._ranked, stop = of, Event()
        essays = self._prepared_documents.keys() - self._old
        arguments = dict(self._prepared_documents), essays, dict(self._scores), classifier, stop
        self._ranking.start(partial(rank_scores, *arguments), self._use_ranks, stop=stop)

    def _use_ranks(self, ranks: Mapping[Pair, float]) -> None:
        self.table.set_ranks(ranks)
        self._emit_changed()

    # signals

    def _emit_changed_soon(self) -> None:
        if not self._change_delay.isActive():
            self._change_delay.start(_CHANGE_DELAY_MS + len(self.table) // _ROWS_PER_EXTRA_MS)

    def _emit_changed(self) -> None:
        self._change_delay.stop()
        self._rank()
        self.changed.emit()
        self.progress_changed.emit()


def _worker_count() -> int:
    return min(_MAX_WORKERS, max(1, os.cpu_count() or 1))


def _is_same_text(prepared_document: PreparedDocument | None, known: PreparedDocument) -> bool:
    """Return whether the text is unchanged; its fingerprint may differ."""
    return prepared_document is not None and prepared_document.prepared is known.prepared


def _distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    # read while the recipe was changed: its fingerprint is remade soon
    if left.recipe != right.recipe:
        return UNKNOWN
    return hamming_distance_bits(left, right)
