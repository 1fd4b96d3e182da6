"""Input of every report of a pair: its comparison, thesaurus, review and time, and what follows from them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import BoolArray, Comparison
from simcompare.comparison.decided_shares import DecidedShares, shares_after_decisions
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.session.decisions import (
    NO_REVIEW,
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    SentenceKey,
    index_sentences,
)
from simcompare.text.thesaurus import Thesaurus


@dataclass(frozen=True, eq=False)
class Evidence:
    """Comparison of a pair, the thesaurus used, the teacher's review, and the time of the report.

    `review` is oriented from the left text. Equal evidence gives equal reports except for `made_at`.
    """

    comparison: Comparison
    thesaurus: Thesaurus | None
    made_at: datetime
    review: PairReview = NO_REVIEW

    def decision_of(self, index: int) -> NotedDecision:
        """Return the decision and note on a match, by its index."""
        match = self.comparison.matches[index]
        return self.decision_between(match.left, match.right)

    def decision_between(self, left: int, right: int) -> NotedDecision:
        """Return the decision and note on two sentences, matched or not."""
        left_keys, right_keys = self._keys
        return self.review.of(MatchKey(left_keys[left], right_keys[right]))

    def decided_matches(self) -> list[tuple[int, int, Decision]]:
        """List the decided sentence pairs as (left, right, decision), matched or not."""
        left, right = ({key: place for place, key in enumerate(keys)} for keys in self._keys)
        return [
            (left[key.left], right[key.right], held.decision)
            for key, held in self.review.matches.items()
            if held.decision is not None and key.left in left and key.right in right
        ]

    @cached_property
    def passages(self) -> NumberedPassages:
        """The numbered list of passages."""
        return numbered_passages(self.comparison)

    @cached_property
    def shares_after_decisions(self) -> DecidedShares:
        """Shares after exclusions, without the matches that the teacher judged to be fine."""
        return shares_after_decisions(self.comparison, self.passages, self._is_fine())

    def _is_fine(self) -> BoolArray:
        matches = self.comparison.matches
        is_fine = np.zeros(len(matches), np.bool_)
        for left, right, decision in self.decided_matches():
            index = matches.index_of(left, right)
            if index is not None:
                is_fine[index] = decision is Decision.FINE
        return is_fine

    @cached_property
    def _keys(self) -> tuple[Sequence[SentenceKey], Sequence[SentenceKey]]:
        left, right = self.comparison.left.prepared, self.comparison.right.prepared
        return index_sentences(left).keys, index_sentences(right).keys


def decided_sentences(evidence: Evidence) -> tuple[Mapping[int, Decision], Mapping[int, Decision]]:
    """Return the decision on each matched sentence of the left and of the right text.

    As in the window: a sentence is copied if one of its matches was judged copied, and fine if all were
    judged fine.
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
        _decisions_by_sentence([(left, decision) for left, _right, decision in decided], np.bincount(rows)),
        _decisions_by_sentence(
            [(right, decision) for _left, right, decision in decided], np.bincount(columns)
        ),
    )


def _decisions_by_sentence(
    decided: Sequence[tuple[int, Decision]], matched: NDArray[np.intp]
) -> dict[int, Decision]:
    copied = {sentence for sentence, decision in decided if decision is Decision.COPIED}
    fine = Counter(sentence for sentence, decision in decided if decision is Decision.FINE)
    all_fine = [sentence for sentence, count in fine.items() if count == matched[sentence]]
    return dict.fromkeys(all_fine, Decision.FINE) | dict.fromkeys(copied, Decision.COPIED)
