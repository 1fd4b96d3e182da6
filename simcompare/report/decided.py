"""What a teacher decided, as the sentences of the texts show it: copied ones have a flag, fine ones fade."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.i18n import N_, _
from simcompare.report.evidence import Evidence
from simcompare.session.review import Decision

LOOKS = {
    Decision.COPIED: N_("judged as copied: a flag behind the sentence"),
    Decision.FINE: N_("judged as fine: the sentence is pale, with a tick behind it"),
}
"""How it shows, for the legend (N_)."""


def decided_sentences(evidence: Evidence) -> tuple[Mapping[int, Decision], Mapping[int, Decision]]:
    """Return what was decided about the matched sentences of the left text and of the right one.

    A sentence is copied where one of its matches was judged so, and fine where all were, as in the window.
    """
    matches = evidence.comparison.matches
    decided = evidence.decided_matches()
    if not decided:
        return {}, {}
    rows, columns = matches.cells.rows, matches.cells.columns
    width = evidence.comparison.matrix.shape[1]
    found = set((rows.astype(np.int64) * width + columns).tolist())
    decided = [match for match in decided if match[0] * width + match[1] in found]
    return (
        _of_side([(left, decision) for left, _right, decision in decided], np.bincount(rows)),
        _of_side([(right, decision) for _left, right, decision in decided], np.bincount(columns)),
    )


def _of_side(decided: Sequence[tuple[int, Decision]], matched: NDArray[np.intp]) -> dict[int, Decision]:
    copied = {sentence for sentence, decision in decided if decision is Decision.COPIED}
    fine = Counter(sentence for sentence, decision in decided if decision is Decision.FINE)
    all_fine = [sentence for sentence, count in fine.items() if count == matched[sentence]]
    return dict.fromkeys(all_fine, Decision.FINE) | dict.fromkeys(copied, Decision.COPIED)


def legend_of(evidence: Evidence) -> list[tuple[Decision, str]]:
    """Return the decisions that show in the texts, with what they look like in words."""
    left, right = decided_sentences(evidence)
    held = {*left.values(), *right.values()}
    return [(decision, _(look)) for decision, look in LOOKS.items() if decision in held]
