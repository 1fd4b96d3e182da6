"""Figures of the passages of two texts, kept by their spans."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import BoolArray, Int32Array
from simcompare.comparison.passages.passage_kinds import PassageFigures, passage_figures
from simcompare.support.weak_cache import weak_cache
from simcompare.text.prepared_text import IndexArray, PreparedText

UNKNOWN_LCS = -1
_MOST_KEPT = 100_000
# odd, so that no bit of a key is lost
_HASH_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5, 1], np.uint64
)
HashArray = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class _KnownFigures:
    """Figures of n passages, sorted by the hash of their key: spans and known LCS, shape (n, 5)."""

    hashes: HashArray
    keys: Int32Array
    figures: PassageFigures

    def find(self, hashes: HashArray, keys: Int32Array) -> tuple[IndexArray, BoolArray]:
        """Return the index of each key, and whether it is there."""
        if not len(self.hashes):
            return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return places, (self.keys[places] == keys).all(axis=1)

    def followed_by(self, hashes: HashArray, keys: Int32Array, figures: PassageFigures) -> "_KnownFigures":
        """Add passages; if there are too many, forget the others."""
        if len(self.hashes) + len(hashes) <= _MOST_KEPT:
            hashes, keys = np.append(self.hashes, hashes), np.concatenate([self.keys, keys])
            figures = self.figures.followed_by(figures)
        order = np.argsort(hashes, kind="stable")
        return _KnownFigures(hashes[order], keys[order], figures.in_sequence(order))


class FigureTable:
    """Figures of the passages of two texts, each computed once: a slider changes only a few passages."""

    def __init__(self) -> None:
        nothing = np.zeros(0)
        self._known = _KnownFigures(
            np.zeros(0, np.uint64),
            np.zeros((0, 5), np.int32),
            PassageFigures(np.zeros(0, np.bool_), nothing, nothing, nothing),
        )

    def figures(
        self, left: PreparedText, right: PreparedText, spans: Int32Array, known_lcs: Int32Array
    ) -> PassageFigures:
        """Compare the two sides of n passages; spans: shape (n, 4), known_lcs: as in `passage_figures`."""
        known, keys = self._known, np.concatenate([spans, known_lcs[:, np.newaxis]], axis=1)
        hashes = keys.astype(np.uint64) @ _HASH_FACTORS
        places, is_known = known.find(hashes, keys)
        if is_known.all():
            return known.figures.in_sequence(places)
        new = ~is_known
        computed = passage_figures(left, right, spans[new, :2], spans[new, 2:], known_lcs[new])
        self._known = known.followed_by(hashes[new], keys[new], computed)
        in_sequence = np.argsort(np.append(np.flatnonzero(is_known), np.flatnonzero(new)))
        return known.figures.in_sequence(places[is_known]).followed_by(computed).in_sequence(in_sequence)


@weak_cache(weak=2, most=4)
def figure_table(_left: PreparedText, _right: PreparedText) -> FigureTable:
    """Return the table of two texts."""
    return FigureTable()
