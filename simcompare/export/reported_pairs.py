"""Kinds of pairs that can be exported, and the pairs that are reported by default."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line uses the names of the kinds before it loads numpy
    from simcompare.cohort.cohort_scoring import CohortPair
    from simcompare.session.decisions import PairReview

MOST_REPORTS = 20
"""Number of reports by default, unless more pairs were decided to be copied."""
IS_OF_KIND: "dict[str, Callable[[PairReview], bool]]" = {
    "all": lambda _review: True,
    "judged": lambda review: not review.is_empty,
    "copied": lambda review: review.overall.decision == "copied",
}
"""Predicate of each kind: all; a decision or note on the pair, a passage or a match; decided to be copied."""


def pairs_decided(pairs: "Iterable[CohortPair]", decision: str) -> "list[CohortPair]":
    """Return the pairs with a decision: "copied" or "fine"."""
    return [pair for pair in pairs if pair.review.overall.decision == decision]


def default_pairs(pairs: "Sequence[CohortPair]") -> "list[CohortPair]":
    """Return the pairs decided to be copied, then the first matched or rewritten ones, MOST_REPORTS in all.

    Pairs decided to be fine are omitted. `pairs`: in the order of their ranks.
    """
    copied = pairs_decided(pairs, "copied")
    matched = (
        pair
        for pair in pairs
        if pair.review.overall.decision is None
        and pair.summary is not None
        and (pair.summary.matches or pair.summary.rewritten_units)
    )
    return [*copied, *list(matched)[: max(0, MOST_REPORTS - len(copied))]]
