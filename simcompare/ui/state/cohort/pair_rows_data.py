"""Rows of the table of pairs as a numpy array, so that no loops are needed; scores of pairs not in it."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from enum import IntEnum
from functools import partial
from itertools import compress
from threading import Event

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from simcompare.cohort.cohort_scoring import linking_shares
from simcompare.cohort.pair_facts import PairFacts
from simcompare.cohort.pair_scores import (
    ExclusionCandidateCache,
    PairClassifier,
    PairScores,
    lack_vectors,
    scored_text_digest,
    scores_fit,
)
from simcompare.cohort.scored_class import RestoredScores, figures_stamp
from simcompare.comparison.figures import (
    SIDES,
    SUMMARY_DTYPES,
    SUMMARY_FIELDS,
    UNKNOWN_FIGURES,
    PairSummary,
    figures_of,
)
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from simcompare.session.session_data import FIGURES
from simcompare.support.arrays import BoolArray
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.task import Background, Report

UNKNOWN = -1
"""Unknown integer; unknown shares are NaN."""


class PairState(IntEnum):
    UNKNOWN = 0
    CURRENT = 1
    RENEWING = 2
    """The figures are those of earlier settings, or not known yet though the pair is scored."""
    FAILED = 3
    SEARCHED = 4
    """Searched for possibly rewritten passages: all other figures stay."""


PAIR_ROW = np.dtype(
    [
        ("left", np.int64),
        ("right", np.int64),
        ("distance_bits", np.int32),
        *SUMMARY_DTYPES,
        *((f"after_decisions_{side}", np.float64) for side in SIDES),
        ("open_rewritten_units", np.int32),
        ("rank_score", np.float64),
        ("shared_ids", np.int32),
        ("state", np.int8),
        ("queued", np.bool_),
    ]
)
_BEFORE_DECISIONS = {f"after_decisions_{side}": f"after_exclusions_{side}" for side in SIDES} | {
    "open_rewritten_units": "rewritten_units"
}
"""Field with the figure before decisions for each one after them."""


class PairTable:
    """Array with one row per pair of documents. causes: error message by failed pair."""

    def __init__(self) -> None:
        self._all = np.zeros(64, PAIR_ROW)
        self._count = 0
        self._places: dict[Pair, int] = {}
        self.causes: dict[Pair, str] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> NDArray[np.void]:
        """All rows, shape (pairs,), dtype PAIR_ROW."""
        return self._all[: self._count]

    def pair_at(self, place: int) -> Pair:
        row = self._all[place]
        return int(row["left"]), int(row["right"])

    def place_of(self, pair: Pair) -> int | None:
        return self._places.get(pair)

    def places_of(self, pairs: Iterable[Pair]) -> list[int]:
        """Return the row indices of those pairs that are in the table."""
        return [self._places[pair] for pair in pairs if pair in self._places]

    def add(self, key: int, distances_bits: Mapping[int, int]) -> None:
        """Queue the pairs of a document with others, given by their Hamming distances; add those missing.

        Figures of the others stay until they are renewed.
        """
        bits_of = {(min(key, other), max(key, other)): bits for other, bits in distances_bits.items()}
        self._add([pair for pair in bits_of if pair not in self._places])
        places = np.array([self._places[pair] for pair in bits_of], np.int64)
        states = self._all["state"]
        states[places[states[places] == PairState.CURRENT]] = PairState.RENEWING
        self._all["distance_bits"][places] = list(bits_of.values())
        self._all["queued"][places] = True

    def add_known(self, pairs: Sequence[Pair], figures: NDArray[np.void]) -> None:
        """Add pairs with known figures, shape (pairs,), FIGURES, and unknown Hamming distances."""
        self._add([pair for pair in pairs if pair not in self._places])
        self.restore_figures(pairs, figures)

    def _add(self, pairs: Sequence[Pair]) -> None:
        wanted = self._count + len(pairs)
        if wanted > len(self._all):
            self._all = np.resize(self._all, max(wanted, 2 * len(self._all)))
        new = self._all[self._count : wanted]
        new["left"], new["right"] = [left for left, _right in pairs], [right for _left, right in pairs]
        new["distance_bits"], new["rank_score"], new["queued"] = UNKNOWN, np.nan, False
        new["shared_ids"] = UNKNOWN
        added = range(self._count, wanted)
        self._places |= zip(pairs, added, strict=True)
        self._count = wanted
        self.clear_figures(added)

    def has_any(self, keys: Collection[int]) -> NDArray[np.bool_]:
        """Return for each row whether it is of one of these documents, shape (pairs,)."""
        listed = list(keys)
        found: NDArray[np.bool_] = np.isin(self.rows["left"], listed) | np.isin(self.rows["right"], listed)
        return found

    def remove(self, keys: Collection[int]) -> None:
        kept = self.rows[~self.has_any(keys)]
        self._count = len(kept)
        self._all[: self._count] = kept
        pairs = zip(kept["left"].tolist(), kept["right"].tolist(), strict=True)
        self._places = {pair: place for place, pair in enumerate(pairs)}
        self.causes = {pair: cause for pair, cause in self.causes.items() if pair in self._places}

    def set_figures(self, pair: Pair, summary: PairSummary, state: PairState) -> None:
        row = self._all[self._places[pair]]
        for name, value in zip(SUMMARY_FIELDS, figures_of(summary), strict=True):
            row[name] = value
        for name, before in _BEFORE_DECISIONS.items():
            row[name] = row[before]
        row["state"], row["queued"] = state, False

    def mark_scored(self, pairs: Iterable[Pair]) -> None:
        """Mark pairs as scored but not classified yet."""
        places = np.array([self._places[pair] for pair in pairs], np.int64)
        states = self._all["state"]
        states[places[states[places] != PairState.SEARCHED]] = PairState.RENEWING
        self._all["queued"][places] = False

    def restore_figures(self, pairs: Iterable[Pair], figures: NDArray[np.void]) -> None:
        """Set the figures of scored pairs, shape (pairs,), FIGURES; those not known are being renewed."""
        places = np.array([self._places[pair] for pair in pairs], np.int64)
        for name in SUMMARY_FIELDS:
            self._all[name][places] = figures[name]
        for name, before in _BEFORE_DECISIONS.items():
            self._all[name][places] = figures[before]
        is_known = figures["is_known"].astype(np.bool_)
        self._all["state"][places] = np.where(is_known, PairState.CURRENT, PairState.RENEWING)

    def figures_of(self, pairs: Iterable[Pair]) -> NDArray[np.void]:
        """Return the figures of pairs, shape (pairs,), FIGURES."""
        places = np.array([self._places[pair] for pair in pairs], np.int64)
        figures = np.zeros(len(places), FIGURES)
        for name in SUMMARY_FIELDS:
            figures[name] = self._all[name][places]
        figures["is_known"] = self._all["state"][places] == PairState.CURRENT
        return figures

    def set_ranks(self, ranks: Mapping[Pair, float]) -> None:
        """Set the rank scores of pairs; those of all others are not known."""
        self.rows["rank_score"] = np.nan
        known = [place for pair in ranks if (place := self._places.get(pair)) is not None]
        self.rows["rank_score"][known] = [score for pair, score in ranks.items() if pair in self._places]

    def set_kin(self, facts: Mapping[Pair, PairFacts]) -> None:
        """Set the editing ids that the files of pairs share; those of all others are unknown."""
        self.rows["shared_ids"] = UNKNOWN
        for pair, found in facts.items():
            place = self._places.get(pair)
            if place is not None and found.kinship is not None:
                self._all["shared_ids"][place] = found.kinship.shared_ids

    def fail(self, pair: Pair, cause: str) -> None:
        place = self._places[pair]
        self.clear_figures([place])
        self._all["state"][place], self._all["queued"][place] = PairState.FAILED, False
        self.causes[pair] = cause

    def clear_figures(self, places: Sequence[int]) -> None:
        """Clear all figures of these rows but the Hamming distance."""
        rows = self._all[list(places)]
        for name, value in zip(SUMMARY_FIELDS, UNKNOWN_FIGURES, strict=True):
            rows[name] = value
        for name, before in _BEFORE_DECISIONS.items():
            rows[name] = rows[before]
        rows["state"], rows["rank_score"] = PairState.UNKNOWN, np.nan
        self._all[list(places)] = rows

    def set_distances(self, distances_bits: Iterable[int]) -> None:
        self.rows["distance_bits"] = np.fromiter(distances_bits, np.int32, self._count)

    @property
    def are_renewing(self) -> BoolArray:
        """Which rows have figures that are being renewed, shape (pairs,)."""
        are: BoolArray = np.isin(self.rows["state"], (PairState.RENEWING, PairState.SEARCHED))
        return are

    def mark_outdated(self, keys: Collection[int] | None = None, *, is_searched: bool = False) -> None:
        """Mark the current figures of these documents, by default of all, as being renewed.

        is_searched: only possibly rewritten passages are.
        """
        affected = self.rows["state"] == PairState.CURRENT
        if not is_searched:
            affected |= self.rows["state"] == PairState.SEARCHED
        if keys is not None:
            affected &= self.has_any(keys)
        self.rows["state"][affected] = PairState.SEARCHED if is_searched else PairState.RENEWING

    def wait_for(self, keys: Collection[int], *, is_searched: bool) -> None:
        """Keep the rows of documents that will be scored again, with their figures; queue none of them."""
        self.mark_outdated(keys, is_searched=is_searched)
        waiting = self.has_any(keys)
        for place in np.flatnonzero(waiting & (self.rows["state"] == PairState.FAILED)).tolist():
            self.rows["state"][place] = PairState.UNKNOWN
            del self.causes[self.pair_at(place)]
        self.rows["queued"][waiting] = False

    def queue_all_but(self, keys: Collection[int], *, is_searched: bool) -> None:
        """Queue all rows but those of these documents, and mark all figures as being renewed."""
        self.mark_outdated(is_searched=is_searched)
        states = self.rows["state"]
        states[states == PairState.FAILED] = PairState.UNKNOWN
        self.rows["queued"] = ~self.has_any(keys)
        self.causes.clear()

    def most_similar(self, count: int) -> list[int]:
        """Return up to `count` queued rows, by ascending fingerprint distance."""
        queued = np.flatnonzero(self.rows["queued"])
        distances = self.rows["distance_bits"][queued]
        if len(queued) > count:
            chosen = np.argpartition(distances, count)[:count]
            queued, distances = queued[chosen], distances[chosen]
        return [int(place) for place in queued[np.argsort(distances, kind="stable")]]


def larger_share(rows: NDArray[np.void]) -> NDArray[np.float64]:
    """Return the larger share after exclusions of each row; NaN if unknown."""
    larger: NDArray[np.float64] = np.fmax(
        rows["after_exclusions_left_in_right"], rows["after_exclusions_right_in_left"]
    )
    return larger


def linking_share(rows: NDArray[np.void]) -> NDArray[np.float64]:
    """Return the share by which each row links its documents; NaN if unknown."""
    return linking_shares(*(rows[f"after_exclusions_{side}"] for side in SIDES))


_PAIRS_PER_PORTION = 200

ReclassifiedPairs = list[tuple[Pair, PairScores, PairSummary]]
"""Pairs, their scores, and the figures classified from them."""


class PairReclassification(QObject):
    """Reclassifies pairs by the current settings; discards unfinished results of earlier ones."""

    reclassified = Signal(object)
    """Some reclassified pairs (ReclassifiedPairs)."""
    ended = Signal()
    _portion_done = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.classifier = PairClassifier(settings, ExclusionCandidateCache(None, settings.thesaurus))
        self._background = Background(self)
        self._portion_done.connect(self._emit_portion)

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None, common: CommonByText) -> None:
        """Classify by other settings or with other candidates from now on; cancels unfinished work."""
        exclusion_candidates = self.classifier.exclusion_candidates
        if prompt is not exclusion_candidates.prompt or settings.thesaurus != exclusion_candidates.thesaurus:
            exclusion_candidates = ExclusionCandidateCache(prompt, settings.thesaurus, common)
        elif common is not exclusion_candidates.common:
            exclusion_candidates = exclusion_candidates.with_common(common)
        self.classifier = PairClassifier(settings, exclusion_candidates)
        self._background.cancel()

    def start(
        self,
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        scores: Mapping[Pair, PairScores],
        prepared_documents: Mapping[int, PreparedDocument],
    ) -> None:
        """Reclassify pairs of documents, by key; `reclassified` follows several times, then `ended`."""
        self._background.cancel()
        report, stop = Report(self._portion_done), Event()
        arguments = left, right, scores, prepared_documents, self.classifier, report, stop
        work = partial(_classify_all, *arguments)
        self._background.start(work, lambda _none: self.ended.emit(), stop=stop)

    def close(self) -> None:
        self._background.close()
        self._portion_done.disconnect()

    def _emit_portion(self, portion: tuple[PairClassifier, ReclassifiedPairs]) -> None:
        classifier, reclassified = portion
        if classifier is self.classifier:
            self.reclassified.emit(reclassified)


def _classify_all(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    scores: Mapping[Pair, PairScores],
    prepared_documents: Mapping[int, PreparedDocument],
    classifier: PairClassifier,
    report: Report,
    stop: Event,
) -> None:
    portion: ReclassifiedPairs = []
    for pair in zip(left.tolist(), right.tolist(), strict=True):
        if stop.is_set():
            raise Cancelled
        held = scores.get(pair)
        if held is None:
            continue
        portion.append(
            (pair, held, classifier.classify(prepared_documents[pair[0]], prepared_documents[pair[1]], held))
        )
        if len(portion) == _PAIRS_PER_PORTION:
            report((classifier, portion))
            portion = []
    report((classifier, portion))


class KeptScores:
    """Scores by pair of document keys, valid for texts with the same digests (`scored_text_digest`)."""

    def __init__(self) -> None:
        self._scores: dict[Pair, PairScores] = {}
        self._digests: dict[int, bytes] = {}
        self._restored: RestoredScores | None = None
        self._common: CommonByText | None = None
        self._places: dict[Pair, int] = {}
        self.has_figures = False
        """True until the figures of a session have been listed."""

    def restore(self, restored: RestoredScores, common: CommonByText) -> None:
        """Keep the scores of a session instead of all others; its figures belong to this common text."""
        self._scores, self._digests = dict(restored.scores), dict(restored.digests)
        self._restored, self._common, self.has_figures = restored, common, True
        self._places = {pair: place for place, pair in enumerate(restored.scores)}

    def keep(
        self,
        scores: Mapping[Pair, PairScores],
        documents: Mapping[int, PreparedDocument],
        removed: Set[int],
        meaning: bool | None,
    ) -> None:
        """Keep the scores of the pairs with one of the documents that are removed; `meaning` as set."""
        texts = {key: document.prepared for key, document in documents.items()}
        self._digests |= {key: scored_text_digest(texts[key]) for key in removed}
        self._scores |= {
            pair: held
            for pair, held in scores.items()
            if not removed.isdisjoint(pair) and not lack_vectors(meaning, *map(texts.__getitem__, pair))
        }

    def follow_text(self, key: int, text: PreparedText) -> None:
        """Forget the scores of a document whose text is another one now."""
        digest = self._digests.pop(key, None)
        if self._scores and digest not in {None, scored_text_digest(text)}:
            self._scores = {pair: held for pair, held in self._scores.items() if key not in pair}

    def take(
        self, pairs: Iterable[Pair], documents: Mapping[int, PreparedDocument]
    ) -> dict[Pair, PairScores]:
        """Return and forget the scores of those pairs that have some."""
        if not self._scores:
            return {}
        return {
            pair: held
            for pair in pairs
            if (held := self._scores.pop(pair, None)) is not None
            and scores_fit(held, documents[pair[0]].prepared, documents[pair[1]].prepared)
        }

    def unused(
        self, common: CommonByText, by_document: Mapping[int, NDArray[np.str_]]
    ) -> RestoredScores | None:
        """Return the scores that no listed pair has taken, as the session that is saved keeps them.

        common: of the class now; with another one than that of the figures these are not known.
        by_document: the common sentences of the texts that are not prepared yet.
        """
        if not self._scores:
            return None
        figures, restored = np.zeros(len(self._scores), FIGURES), self._restored
        if restored is not None and common is self._common:
            known = [
                place
                for place, (pair, held) in enumerate(self._scores.items())
                if restored.scores.get(pair) is held
            ]
            listed = list(self._scores)
            figures[known] = restored.figures[[self._places[listed[place]] for place in known]]
        stamp = "" if restored is None else restored.figures_stamp
        return RestoredScores(dict(self._digests), dict(self._scores), figures, stamp, (), by_document)

    def figures(
        self,
        scores: Mapping[Pair, PairScores],
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        common: CommonByText,
    ) -> tuple[list[Pair], NDArray[np.void]] | None:
        """Return those of these pairs whose scores are of the session, and their figures.

        None if a session had no figures for these settings, prompt and common text.
        """
        restored = self._restored
        if restored is None or common is not self._common:
            return None
        if figures_stamp(settings, prompt) != restored.figures_stamp:
            return None
        pairs = [pair for pair, held in scores.items() if restored.scores.get(pair) is held]
        return pairs, restored.figures[[self._places[pair] for pair in pairs]]

    def expected(
        self,
        keys: Collection[int],
        old: Collection[int],
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        common: CommonByText,
    ) -> tuple[list[Pair], NDArray[np.void]] | None:
        """Return the pairs of these documents whose figures a session had, and the figures; once.

        old: documents that have no pairs with each other.
        """
        if not self.has_figures:
            return None
        found = self.figures(self._scores, settings, prompt, common)
        if found is None:
            return None
        self.has_figures = False
        pairs, figures = found
        listed = np.array(pairs, np.int64).reshape(-1, 2)
        is_wanted = np.isin(listed, list(keys)).all(axis=1) & ~np.isin(listed, list(old)).all(axis=1)
        is_wanted &= figures["is_known"].astype(np.bool_)
        return list(compress(pairs, is_wanted.tolist())), figures[is_wanted]

    def clear(self) -> None:
        self._scores.clear()
        self._digests.clear()
        self._restored, self.has_figures = None, False
