"""Figures of a class for its views, taken from the rows of the pairs at one moment."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.class_figures import ClassFigures
from simcompare.comparison.figures import SIDES
from simcompare.support.arrays import Float64Array
from simcompare.ui.state.cohort.pair_rows_data import Pair, PairTable


@dataclass(frozen=True, eq=False)
class ClassPicture:
    """Shares of all pairs, with the keys and labels of the documents, shape (documents,), by ascending key.

    after: the figures after decisions. ranks: highest rank score of a pair of each document, NaN if unknown,
    shape (documents,). limit: larger share before decisions from which pairs are counted and link documents
    in a group; proposed_limit: that of the class's own shares.
    """

    keys: NDArray[np.int64]
    labels: tuple[str, ...]
    figures: ClassFigures
    after: ClassFigures
    ranks: Float64Array
    limit: float
    proposed_limit: float

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Indices of the documents by group, similar ones side by side."""
        return self.figures.order(self.limit)

    def index_of(self, key: int) -> int | None:
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self.keys) and self.keys[place] == key else None

    def key_at(self, index: int) -> int:
        return int(self.keys[index])

    def pair_of(self, first: int, second: int) -> Pair:
        left, right = sorted((self.key_at(first), self.key_at(second)))
        return left, right


def class_picture(
    table: PairTable, label_of: Callable[[int], str], limit: float, proposed_limit: float
) -> ClassPicture:
    """Return the figures of all pairs of a table."""
    rows = table.rows
    keys = np.unique(np.concatenate([rows["left"], rows["right"]]))
    ends = np.searchsorted(keys, rows["left"]), np.searchsorted(keys, rows["right"])
    figures, after = (
        ClassFigures(len(keys), *ends, *(rows[f"{kind}_{side}"].copy() for side in SIDES))
        for kind in ("after_exclusions", "after_decisions")
    )
    ranks = np.full(len(keys), np.nan)
    for end in ends:
        np.fmax.at(ranks, end, rows["rank_score"])
    labels = tuple(label_of(key) for key in keys.tolist())
    return ClassPicture(keys, labels, figures, after, ranks, limit, proposed_limit)
