"""Filter and sort order of the table of pairs, as array operations on the columns of pairs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.pair_facts import PairFacts
from simcompare.comparison.figures import FIGURES
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.session.decisions import Decision, PairReview
from simcompare.session.school_class import Pair
from simcompare.support.display_text import reaches
from simcompare.ui.state.cohort.class_filter import ClassFilter, ShareRange
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.cohort.pair_rows_data import PairTable, larger_share

Places = NDArray[np.intp]
UNDECIDED_CODE = 0
_MOST_IN_COMMON = "most_in_common"
COMPLETE = "complete"  # without a decision, but all passages are decided
DECISION_CODES: dict[Decision | str | None, int] = {
    None: UNDECIDED_CODE,
    COMPLETE: 1,
    **{decision: 2 + place for place, decision in enumerate(Decision)},
}
_ALL_CODES = frozenset(DECISION_CODES.values())


class PairColumn(IntEnum):
    """Columns of the table, from the left. Shares are after exclusions and decisions, unless raw."""

    A = 0
    B = 1
    SHARE_A = 2
    SHARE_B = 3
    RARE_TEXT = 4
    LONGEST = 5
    UNUSUAL = 6
    GROUP = 7
    DECISION = 8
    MATCHES = 9
    RAW_A = 10
    RAW_B = 11
    SENTENCE_A = 12
    SENTENCE_B = 13
    DISTANCE = 14
    REWRITTEN = 15
    COMMON_IDS = 16


FIELDS = {
    PairColumn.SHARE_A: "after_decisions_left_in_right",
    PairColumn.SHARE_B: "after_decisions_right_in_left",
    PairColumn.LONGEST: "longest_passage_units",
    PairColumn.MATCHES: "matches",
    PairColumn.RAW_A: "left_in_right",
    PairColumn.RAW_B: "right_in_left",
    PairColumn.SENTENCE_A: "after_exclusions_sentence_left_in_right",
    PairColumn.SENTENCE_B: "after_exclusions_sentence_right_in_left",
    PairColumn.DISTANCE: "distance_bits",
    PairColumn.REWRITTEN: "rewritten_units",
    PairColumn.COMMON_IDS: "shared_ids",
}
"""Field of PAIR_ROW shown by each column of figures."""
FIELDS_BEFORE = {column: field.replace("decisions", "exclusions") for column, field in FIELDS.items()}
FIELDS_AFTER = FIELDS | {PairColumn.REWRITTEN: "open_rewritten_units"}
"""Field of PAIR_ROW with the figure after decisions."""
SHARES = (PairColumn.SHARE_A, PairColumn.SHARE_B)
RAW_SHARES = (PairColumn.RAW_A, PairColumn.RAW_B)
SENTENCE_SHARES = (PairColumn.SENTENCE_A, PairColumn.SENTENCE_B)
ALL_SHARES = (*SHARES, *RAW_SHARES, *SENTENCE_SHARES)
OPTIONAL = tuple(column for column, field in FIELDS.items() if FIGURES[field].is_optional)
"""Columns that are hidden until the user chooses them."""
_EARLIER_NAMES = {"net_a_in_b": "share_a", "net_b_in_a": "share_b", "a_in_b": "raw_a", "b_in_a": "raw_b"}
"""Names of columns by those that sessions of earlier versions have."""
LEAST_FIRST = (PairColumn.A, PairColumn.B, PairColumn.DISTANCE, PairColumn.GROUP)
"""Columns that the first click sorts ascending; a small distance is a near copy."""


class PairFact(IntFlag):
    """What two files have in common besides their wording, or in other words."""

    EDITING_IDS = 1
    PICTURES = 2
    MISTAKES = 4
    TABLES = 8
    FORMULAS = 16
    REWRITTEN = 32

    @classmethod
    def of(cls, facts: PairFacts) -> "PairFact":
        others = facts.pictures, facts.mistakes, facts.tables, facts.formulas
        found = (facts.kinship is not None, *map(bool, others))
        return cls(sum(fact for fact, is_there in zip(cls, found, strict=False) if is_there))


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Filter of the table of pairs.

    text: part of one of the two names; least_percent: minimum of the greater share; decisions: codes
    of DECISION_CODES; only_matches: leave out pairs without matches or not yet compared; group: number of
    a group, 0 for any group, None for all pairs; documents: keys, one document for its pairs, several for
    the pairs of two of them, none for all; shares: range of the greater share; in_library: keys of essays,
    one of which each pair has, None for all; fact: what the two files have in common, None for all pairs.
    """

    text: str = ""
    least_percent: int = 0
    decisions: frozenset[int] = _ALL_CODES
    only_matches: bool = False
    group: int | None = None
    documents: frozenset[int] = frozenset()
    shares: ShareRange | None = None
    in_library: frozenset[int] | None = None
    fact: PairFact | None = None

    def within(self, chosen: ClassFilter) -> "PairFilter":
        """Return this filter and that of all views of the class."""
        return replace(self, documents=chosen.documents, shares=chosen.shares, in_library=chosen.in_library)


@dataclass(frozen=True, slots=True)
class Order:
    """Sort column and direction; column None: `default_order`."""

    column: PairColumn | None = None
    descending: bool = True

    @property
    def word(self) -> str:
        """Identifier for settings: the column's name, with a minus if descending."""
        if self.column is None:
            return _MOST_IN_COMMON
        return ("-" if self.descending else "") + self.column.name.lower()

    @classmethod
    def from_word(cls, word: str) -> "Order | None":
        """Parse an identifier; None if it is unknown."""
        if word == _MOST_IN_COMMON:
            return cls()
        name = word.removeprefix("-")
        name = _EARLIER_NAMES.get(name, name).upper()
        return cls(PairColumn[name], word.startswith("-")) if name in PairColumn.__members__ else None


@dataclass(frozen=True, slots=True, eq=False)
class RowAttributes:
    """Values of rows that are not in the table: codes of decisions, numbers of groups (0 for none), facts."""

    decisions: NDArray[np.int8]
    groups: NDArray[np.int32]
    facts: NDArray[np.int8]

    def at(self, places: Places) -> "RowAttributes":
        return RowAttributes(self.decisions[places], self.groups[places], self.facts[places])


def decision_codes(pairs: PairComparisons, reviews: Mapping[Pair, PairReview]) -> NDArray[np.int8]:
    """Return the code of each row's decision. Decisions are few, so it loops over them, not over rows."""
    codes = np.zeros(len(pairs.table), np.int8)
    for pair, review in reviews.items():
        place = pairs.table.place_of(pair)
        if place is not None:
            _shares, parts = pairs.after_decisions(pair, review)
            is_complete = parts is not None and parts.is_complete
            codes[place] = DECISION_CODES[review.overall.decision or (COMPLETE if is_complete else None)]
    return codes


def unusual_pairs(pairs: PairComparisons, limit: float) -> Places:
    """Return the indices of the rows that a teacher should read, in their default order.

    They reach the limit before decisions, or have possibly rewritten text.
    """
    rows = pairs.table.rows
    unusual = np.flatnonzero(reaches(larger_share(rows), limit) | (rows["rewritten_units"] > 0))
    return unusual[default_order(rows[unusual])]


def fact_codes(
    table: PairTable, facts: Mapping[Pair, PairFacts], rewritten: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """Return the PairFact of each row; rewritten: those with possibly rewritten passages to read."""
    codes = np.zeros(len(table), np.int8)
    for pair, found in facts.items():
        if (place := table.place_of(pair)) is not None:
            codes[place] = PairFact.of(found)
    codes[rewritten] |= PairFact.REWRITTEN
    return codes


def filtered_and_sorted(
    table: PairTable, names: Mapping[int, str], known: RowAttributes, pair_filter: PairFilter, order: Order
) -> Places:
    """Return the indices of the filtered rows in sort order.

    `names` maps document keys to names. Unknown values come last in either direction.
    """
    places = np.flatnonzero(_matches_filter(table, names, known, pair_filter))
    rows = table.rows[places]
    ordered = default_order(rows)
    places, rows = places[ordered], rows[ordered]
    if order.column is None:
        return places
    key = _sort_key(rows, order.column, names, known.at(places))
    unknown = np.isnan(key)
    key = np.where(unknown, 0.0, -key if order.descending else key)
    return places[np.lexsort((key, unknown))]


_LEAST_RARE = 0.01
"""Least rank score that stands for rare text (`rare_share`)."""


def default_order(rows: NDArray[np.void]) -> Places:
    """Return the indices of rows by their ranks in the class, as the exported tables have them.

    Pairs that are not ranked yet or have nothing in common come last. Of equal ones the greater of the two
    shares before decisions counts, so that these do not move the pair, then the smaller one, then the Hamming
    distance, then the order of the documents (`sorted_by_rank`).
    """
    shares = -_printed(least_covered(rows)), -_printed(larger_share(rows))
    ranks = -np.nan_to_num(rows["rank_score"], nan=-1.0)
    is_nothing = ~(larger_share(rows) > 0) & (ranks > -_LEAST_RARE)
    return np.lexsort((rows["right"], rows["left"], rows["distance_bits"], *shares, ranks, is_nothing))


def _matches_filter(
    table: PairTable, names: Mapping[int, str], known: RowAttributes, pair_filter: PairFilter
) -> NDArray[np.bool_]:
    rows = table.rows
    kept = np.ones(len(rows), np.bool_)
    if pair_filter.text:
        folded = {key: name.casefold() for key, name in names.items()}
        for word in pair_filter.text.casefold().split():
            named = [key for key, name in folded.items() if word in name]
            kept &= np.isin(rows["left"], named) | np.isin(rows["right"], named)
    if pair_filter.least_percent:
        shown = np.fmax(*(rows[FIELDS[column]] for column in SHARES))
        kept &= reaches(shown, pair_filter.least_percent / 100)
    if pair_filter.decisions != _ALL_CODES:
        kept &= np.isin(known.decisions, list(pair_filter.decisions))
    if pair_filter.only_matches:
        kept &= (rows["matches"] > 0) | (rows["rewritten_units"] > 0)
    if pair_filter.group is not None:
        kept &= known.groups == pair_filter.group if pair_filter.group else known.groups > 0
    if pair_filter.fact is not None:
        kept &= known.facts & pair_filter.fact > 0
    if pair_filter.documents:
        documents = list(pair_filter.documents)
        left, right = np.isin(rows["left"], documents), np.isin(rows["right"], documents)
        kept &= left | right if len(documents) == 1 else left & right
    if pair_filter.shares is not None:
        kept &= pair_filter.shares.holds(larger_share(rows))
    if pair_filter.in_library is not None:
        either = list(pair_filter.in_library)
        kept &= np.isin(rows["left"], either) | np.isin(rows["right"], either)
    return kept


def least_covered(rows: NDArray[np.void]) -> NDArray[np.float64]:
    """Return the smaller of the two shares of each row; NaN if either is not known."""
    least: NDArray[np.float64] = np.minimum(
        rows["after_exclusions_left_in_right"], rows["after_exclusions_right_in_left"]
    )
    return least


def _printed(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round shares as `percentage` does, so that window and files have one order; -1 if not known."""
    known = np.nan_to_num(shares, nan=-1.0)
    rounded = np.round(known * 100, 1)
    is_part = (known > 0) & (known < 1)
    return np.where(known < 0, -1.0, np.where(is_part, np.clip(rounded, 0.1, 99.9), rounded))


def _sort_key(
    rows: NDArray[np.void], column: PairColumn, names: Mapping[int, str], known: RowAttributes
) -> NDArray[np.float64]:
    if column is PairColumn.DECISION:
        return known.decisions.astype(np.float64)
    if column is PairColumn.GROUP:
        return np.where(known.groups > 0, known.groups, np.nan)
    if column is PairColumn.UNUSUAL:
        return larger_share(rows)
    if column is PairColumn.RARE_TEXT:
        return rows["rank_score"]
    if column in FIELDS:
        figures = rows[FIELDS_AFTER[column]].astype(np.float64)
        return np.where(figures < 0, np.nan, figures)
    return _ranks(rows["left" if column is PairColumn.A else "right"], names)


def _ranks(keys: NDArray[np.int64], names: Mapping[int, str]) -> NDArray[np.float64]:
    if not len(keys):
        return np.zeros(0)
    ordered = sorted(names, key=lambda key: (name_order(names[key]), key))
    ranks = np.zeros(max(ordered) + 1)
    ranks[ordered] = np.arange(len(ordered))
    ranked: NDArray[np.float64] = ranks[keys]
    return ranked
