"""Which rows of the table of pairs are shown, and in which order: columns of numbers, no loop over rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from simcompare.session.decisions import Decision, PairReview
from simcompare.ui.state.cohort.pair_columns_data import Pair, PairTable

Places = NDArray[np.intp]
UNDECIDED_CODE = 0
_MOST_IN_COMMON = "most_in_common"
DECISION_CODES = {None: UNDECIDED_CODE, Decision.FINE: 1, Decision.COPIED: 2}
_ALL_CODES = frozenset(DECISION_CODES.values())


class Column(IntEnum):
    """The columns of the table, from the left."""

    A = 0
    B = 1
    A_IN_B = 2
    NET_A_IN_B = 3
    B_IN_A = 4
    NET_B_IN_A = 5
    DISTANCE = 6
    LONGEST = 7
    MATCHES = 8
    GROUP = 9
    DECISION = 10


FIELDS = {
    Column.A_IN_B: "left_in_right",
    Column.NET_A_IN_B: "net_left_in_right",
    Column.B_IN_A: "right_in_left",
    Column.NET_B_IN_A: "net_right_in_left",
    Column.DISTANCE: "distance_bits",
    Column.LONGEST: "longest_passage_units",
    Column.MATCHES: "matches",
}
"""The column of PAIR_ROW that each column of figures shows."""
SHARES = (Column.A_IN_B, Column.NET_A_IN_B, Column.B_IN_A, Column.NET_B_IN_A)
LEAST_FIRST = (Column.A, Column.B, Column.DISTANCE, Column.GROUP)
"""The columns whose first click brings the least to the top; a small distance is a near copy."""


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs are listed.

    text: stands in one of the two names; least_percent: of what counts of either text, so much is covered;
    decisions: codes of DECISION_CODES; only_matches: not those without matches or not yet compared;
    group: within the group of this number, 0: whatever group, None: in a group or not.
    """

    text: str = ""
    least_percent: int = 0
    decisions: frozenset[int] = _ALL_CODES
    only_matches: bool = False
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """By which column rows are sorted; None: those that have most in common first.

    That is told by the greater of the two net shares, then by the smaller one, then by the fingerprints, as
    in the tables that are exported (report/cohort/values.py).
    """

    column: Column | None = None
    descending: bool = True

    @property
    def word(self) -> str:
        """The machine word that keeps it: the column's name, a minus before it for what falls."""
        if self.column is None:
            return _MOST_IN_COMMON
        return ("-" if self.descending else "") + self.column.name.lower()

    @classmethod
    def from_word(cls, word: str) -> "Order | None":
        """Return the order that a machine word keeps, None where it keeps none."""
        if word == _MOST_IN_COMMON:
            return cls()
        name = word.removeprefix("-").upper()
        return cls(Column[name], word.startswith("-")) if name in Column.__members__ else None


@dataclass(frozen=True, slots=True, eq=False)
class RowsKnown:
    """What is known of the rows beside the table: codes of decisions, numbers of groups, 0 for none."""

    decisions: NDArray[np.int8]
    groups: NDArray[np.int32]

    def at(self, places: Places) -> "RowsKnown":
        """Return what is known of some rows."""
        return RowsKnown(self.decisions[places], self.groups[places])


def decision_codes(table: PairTable, reviews: Mapping[Pair, PairReview]) -> NDArray[np.int8]:
    """Return the code of each row's decision; there are few, so only these are gone through."""
    codes = np.zeros(len(table), np.int8)
    for pair, review in reviews.items():
        place = table.place_of(pair)
        if place is not None:
            codes[place] = DECISION_CODES[review.overall.decision]
    return codes


def arranged(
    table: PairTable, names: Mapping[int, str], known: RowsKnown, wanted: PairFilter, order: Order
) -> Places:
    """Return the rows that are shown, by their places in the table, in order.

    `names` are those of the documents by key. What is not known comes last, however the rest is sorted.
    """
    places = np.flatnonzero(_wanted(table, names, known, wanted))
    rows = table.rows[places]
    by_likelihood = (rows["distance_bits"], -_printed(least_covered(rows)), -_printed(larger_share(rows)))
    if order.column is None:
        return places[np.lexsort(by_likelihood)]
    key = _sort_key(rows, order.column, names, known.at(places))
    unknown = np.isnan(key)
    key = np.where(unknown, 0.0, -key if order.descending else key)
    return places[np.lexsort((*by_likelihood, key, unknown))]


def _wanted(
    table: PairTable, names: Mapping[int, str], known: RowsKnown, wanted: PairFilter
) -> NDArray[np.bool_]:
    rows = table.rows
    kept = np.ones(len(rows), np.bool_)
    if wanted.text:
        text = wanted.text.casefold()
        named = [key for key, name in names.items() if text in name.casefold()]
        kept &= np.isin(rows["left"], named) | np.isin(rows["right"], named)
    if wanted.least_percent:
        # as percentages are shown: 49.6 % reads 50 %
        kept &= np.nan_to_num(larger_share(rows), nan=-1.0) * 100 >= wanted.least_percent - 0.5
    if wanted.decisions != _ALL_CODES:
        kept &= np.isin(known.decisions, list(wanted.decisions))
    if wanted.only_matches:
        kept &= rows["matches"] > 0
    if wanted.group is not None:
        kept &= known.groups == wanted.group if wanted.group else known.groups > 0
    return kept


def larger_share(rows: NDArray[np.void]) -> NDArray[np.float64]:
    """Return how much of what counts is covered, of that text of which it is more; NaN where nobody knows."""
    most: NDArray[np.float64] = np.fmax(rows["net_left_in_right"], rows["net_right_in_left"])
    return most


def least_covered(rows: NDArray[np.void]) -> NDArray[np.float64]:
    """Return how much of what counts is covered, of that text of which it is less; NaN where nobody knows."""
    least: NDArray[np.float64] = np.minimum(rows["net_left_in_right"], rows["net_right_in_left"])
    return least


def _printed(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return percentages as tables print them, which must tell the order; -1 where nobody knows."""
    known = np.nan_to_num(shares, nan=-1.0)
    rounded = np.round(known * 100, 1)
    is_part = (known > 0) & (known < 1)
    return np.where(known < 0, -1.0, np.where(is_part, np.clip(rounded, 0.1, 99.9), rounded))


def _sort_key(
    rows: NDArray[np.void], column: Column, names: Mapping[int, str], known: RowsKnown
) -> NDArray[np.float64]:
    if column is Column.DECISION:
        return known.decisions.astype(np.float64)
    if column is Column.GROUP:
        return np.where(known.groups > 0, known.groups, np.nan)
    if column in FIELDS:
        figures = rows[FIELDS[column]].astype(np.float64)
        return np.where(figures < 0, np.nan, figures)
    return _ranks(rows["left" if column is Column.A else "right"], names)


def _ranks(keys: NDArray[np.int64], names: Mapping[int, str]) -> NDArray[np.float64]:
    """Return the place of each document's name among all names."""
    if not len(keys):
        return np.zeros(0)
    ordered = sorted(names, key=lambda key: (names[key].casefold(), key))
    ranks = np.zeros(max(ordered) + 1)
    ranks[ordered] = np.arange(len(ordered))
    ranked: NDArray[np.float64] = ranks[keys]
    return ranked
