"""Rows of the table of pairs: added and removed as documents come and go."""

from collections import deque
from collections.abc import Collection, Mapping
from itertools import count

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.cohort.pair_scores import PairScores
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distance_bits
from simcompare.model.settings import ComparisonSettings
from simcompare.ui.state.cohort.kept_scores import KeptScores
from simcompare.ui.state.cohort.pair_classification import PairReclassification
from simcompare.ui.state.cohort.pair_rows_data import UNKNOWN, Pair, PairTable

_MAX_NEW_PAIRS_PER_TURN = 2_000


class PairListing(QObject):
    """Keeps a row for each pair of documents that counts.

    Old documents have no pairs with each other. Scores are kept when documents are removed or become old, and
    used again if the same texts return. Figures of a session are listed before its texts are prepared.
    """

    changed = Signal()
    progress_changed = Signal()

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = PairTable()
        self.kept_scores = KeptScores()
        self._settings = settings
        self._reclassification = PairReclassification(settings, self)
        self._prepared_documents: dict[int, PreparedDocument] = {}
        self._awaited: frozenset[int] = frozenset()
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

    # what a listing asks for

    def _forget_work(self, keys: Collection[int], numbers: frozenset[int]) -> None:
        """Forget the pairs of removed documents that are being scored."""
        raise NotImplementedError

    def _submit_batches(self) -> None:
        """Score the queued pairs."""
        raise NotImplementedError

    def _prefer(self, pair: Pair) -> None:
        """Score a pair first."""
        raise NotImplementedError

    def _reclassify_soon(self) -> None:
        """Classify the pairs that are being renewed."""
        raise NotImplementedError

    def _emit_changed(self) -> None:
        raise NotImplementedError

    def _emit_changed_soon(self) -> None:
        raise NotImplementedError

    # documents

    def follow(
        self,
        prepared_documents: Mapping[int, PreparedDocument],
        awaited: frozenset[int],
        old: frozenset[int],
        chosen_pair: Pair | None,
    ) -> None:
        """Compare these documents, given by key, with each other; the chosen pair is scored first.

        awaited: keys of those that will follow once they are prepared. old: keys of those that are not
        compared with each other.
        """
        self._forget(
            [
                key
                for key, known in self._prepared_documents.items()
                if not _is_same_text(prepared_documents.get(key), known) or (key in old) != (key in self._old)
            ]
        )
        self._old = old
        self._await(awaited - prepared_documents.keys(), prepared_documents.keys())
        self._update_fingerprints(prepared_documents)
        for key in prepared_documents.keys() - self._prepared_documents.keys():
            self._prepared_documents[key] = prepared_documents[key]
            self._numbers[key] = number = next(self._next_number)
            self._keys[number] = key
            self._new_keys.append(key)
            self.kept_scores.follow_text(key, prepared_documents[key].prepared)
        self._add_new()
        if chosen_pair is not None:
            self._prefer((min(chosen_pair), max(chosen_pair)))

    def _await(self, awaited: frozenset[int], prepared: Collection[int]) -> None:
        """List the pairs of a session whose texts are not prepared yet with their figures."""
        gone = self._awaited - awaited - frozenset(prepared)
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

    def _forget_awaited(self) -> None:
        """Remove the pairs whose texts are not prepared yet, as their figures are no longer right."""
        self.table.remove(self._awaited)
        self._awaited = frozenset()

    @property
    def _awaited_count(self) -> int:
        """Number of pairs whose texts are not prepared yet."""
        if not self._awaited:
            return 0
        rows, listed = self.table.rows, list(self._awaited)
        return int(np.count_nonzero(np.isin(rows["left"], listed) | np.isin(rows["right"], listed)))

    def _forget(self, keys: list[int]) -> None:
        if not keys:
            return
        removed = set(keys)
        texts = {key: self._prepared_documents[key].prepared for key in keys}
        self.kept_scores.keep(self._scores, texts)
        numbers = frozenset(self._numbers.pop(key) for key in keys)
        for number in numbers:
            del self._keys[number]
        for key in keys:
            del self._prepared_documents[key]
        self._new_keys = deque(key for key in self._new_keys if key not in removed)
        self._scores = {pair: held for pair, held in self._scores.items() if removed.isdisjoint(pair)}
        self.table.remove(removed)
        self._forget_work(removed, numbers)
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


def _is_same_text(prepared_document: PreparedDocument | None, known: PreparedDocument) -> bool:
    """Return whether the text is unchanged; its fingerprint may differ."""
    return prepared_document is not None and prepared_document.prepared is known.prepared


def _distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    # read while the recipe was changed: its fingerprint is remade soon
    if left.recipe != right.recipe:
        return UNKNOWN
    return hamming_distance_bits(left, right)
