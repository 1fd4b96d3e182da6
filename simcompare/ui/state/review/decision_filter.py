"""Filter of the passage list by kind and by decision."""

from enum import Enum

import numpy as np

from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.passage_decisions import PassageDecisions
from simcompare.support.arrays import BoolArray, IndexArray


class DecisionFilter(Enum):
    """Filter of the passage list by decision or note."""

    ALL = "all"
    UNDECIDED = "undecided"
    COPIED = "copied"
    FINE = "fine"
    NOTED = "noted"


def decision_mask(decisions: PassageDecisions, decision_filter: DecisionFilter) -> BoolArray:
    """Mask of the passages that pass the filter."""
    if decision_filter is DecisionFilter.UNDECIDED:
        return decisions.undecided
    if decision_filter in (DecisionFilter.COPIED, DecisionFilter.FINE):
        return decisions.copied if decision_filter is DecisionFilter.COPIED else decisions.fine
    chosen = np.full(len(decisions.copied), decision_filter is DecisionFilter.ALL)
    if decision_filter is DecisionFilter.NOTED:
        chosen[list(decisions.notes)] = True
    return chosen


def listed_passages(
    passages: NumberedPassages,
    decisions: PassageDecisions,
    shown_kinds: frozenset[PassageKind],
    decision_filter: DecisionFilter,
) -> IndexArray:
    """List the indices of the passages that pass both filters, ascending."""
    is_shown = np.array([kind in shown_kinds for kind in PASSAGE_KINDS])
    return np.flatnonzero(is_shown[passages.kinds] & decision_mask(decisions, decision_filter))
