"""Rows of the table of pairs as a numpy array, so that thousands are sorted and filtered without loops."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.pair_scores import PairSummary

Pair = tuple[int, int]
"""Keys of two documents, the lower key first: documents A and B."""
UNKNOWN = -1
"""Unknown integer; unknown shares are NaN."""


class PairState(IntEnum):
    """Validity of the figures of a row."""

    UNKNOWN = 0
    CURRENT = 1
    RENEWING = 2
    """The figures are those of earlier settings."""
    FAILED = 3


PAIR_ROW = np.dtype(
    [
        ("left", np.int64),
        ("right", np.int64),
        ("distance_bits", np.int32),
        ("left_in_right", np.float64),
        ("right_in_left", np.float64),
        ("after_exclusions_left_in_right", np.float64),
        ("after_exclusions_right_in_left", np.float64),
        ("sentence_left_in_right", np.float64),
        ("sentence_right_in_left", np.float64),
        ("after_exclusions_sentence_left_in_right", np.float64),
        ("after_exclusions_sentence_right_in_left", np.float64),
        ("longest_passage_units", np.int32),
        ("matches", np.int32),
        ("state", np.int8),
        ("queued", np.bool_),
    ]
)
SHARE_FIELDS = ("left_in_right", "right_in_left", "sentence_left_in_right", "sentence_right_in_left")
"""Fields of the shares before exclusions; those after exclusions begin with "after_exclusions_"."""
_NEW_ROW_FIGURES = (*(np.nan,) * 2 * len(SHARE_FIELDS), UNKNOWN, UNKNOWN, PairState.UNKNOWN, True)


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
        """Return the documents of a row."""
        row = self._all[place]
        return int(row["left"]), int(row["right"])

    def place_of(self, pair: Pair) -> int | None:
        """Return the row index of a pair, or None."""
        return self._places.get(pair)

    def add(self, key: int, distances_bits: Mapping[int, int]) -> None:
        """Add and queue the pairs of a document with others, given by their Hamming distances."""
        wanted = self._count + len(distances_bits)
        if wanted > len(self._all):
            self._all = np.resize(self._all, max(wanted, 2 * len(self._all)))
        pairs = [(min(key, other), max(key, other)) for other in distances_bits]
        self._all[self._count : wanted] = [
            (*pair, bits, *_NEW_ROW_FIGURES)
            for pair, bits in zip(pairs, distances_bits.values(), strict=True)
        ]
        self._places |= zip(pairs, range(self._count, wanted), strict=True)
        self._count = wanted

    def remove(self, keys: Collection[int]) -> None:
        """Remove the pairs of these documents."""
        removed = list(keys)
        kept = self.rows[~(np.isin(self.rows["left"], removed) | np.isin(self.rows["right"], removed))]
        self._count = len(kept)
        self._all[: self._count] = kept
        pairs = zip(kept["left"].tolist(), kept["right"].tolist(), strict=True)
        self._places = {pair: place for place, pair in enumerate(pairs)}
        self.causes = {pair: cause for pair, cause in self.causes.items() if pair in self._places}

    def set_figures(self, pair: Pair, summary: PairSummary, state: PairState) -> None:
        """Set the figures of a pair."""
        row = self._all[self._places[pair]]
        shares = summary.share, summary.sentence_share
        sides = (side for share in shares for side in (share.left_in_right, share.right_in_left))
        for name, share in zip(SHARE_FIELDS, sides, strict=True):
            row[name] = share.raw
            after_exclusions = np.nan if share.after_exclusions is None else share.after_exclusions
            row[f"after_exclusions_{name}"] = after_exclusions
        row["longest_passage_units"] = summary.longest_passage_units
        row["matches"] = summary.matches
        row["state"], row["queued"] = state, False

    def fail(self, pair: Pair, cause: str) -> None:
        """Mark a pair as failed, with the cause."""
        place = self._places[pair]
        self.clear_figures([place])
        self._all["state"][place], self._all["queued"][place] = PairState.FAILED, False
        self.causes[pair] = cause

    def clear_figures(self, places: Sequence[int]) -> None:
        """Clear all figures of these rows but the Hamming distance."""
        rows = self._all[list(places)]
        for name in SHARE_FIELDS:
            rows[name] = rows[f"after_exclusions_{name}"] = np.nan
        rows["longest_passage_units"] = rows["matches"] = UNKNOWN
        rows["state"] = PairState.UNKNOWN
        self._all[list(places)] = rows

    def set_distances(self, distances_bits: Iterable[int]) -> None:
        """Replace the Hamming distances, one per row."""
        self.rows["distance_bits"] = np.fromiter(distances_bits, np.int32, self._count)

    def mark_outdated(self) -> None:
        """Mark all current figures as being renewed."""
        states = self.rows["state"]
        states[states == PairState.CURRENT] = PairState.RENEWING

    def queue_all(self) -> None:
        """Queue all pairs for scoring, failed ones too."""
        self.mark_outdated()
        states = self.rows["state"]
        states[states == PairState.FAILED] = PairState.UNKNOWN
        self.rows["queued"] = True
        self.causes.clear()

    def most_similar(self, count: int) -> list[int]:
        """Return up to `count` queued rows, by ascending fingerprint distance."""
        queued = np.flatnonzero(self.rows["queued"])
        distances = self.rows["distance_bits"][queued]
        if len(queued) > count:
            chosen = np.argpartition(distances, count)[:count]
            queued, distances = queued[chosen], distances[chosen]
        return [int(place) for place in queued[np.argsort(distances, kind="stable")]]
