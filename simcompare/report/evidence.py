"""Input of every report of a pair: its comparison, thesaurus, review and time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from simcompare.comparison.comparison_result import Comparison
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
    def _keys(self) -> tuple[Sequence[SentenceKey], Sequence[SentenceKey]]:
        left, right = self.comparison.left.prepared, self.comparison.right.prepared
        return index_sentences(left).keys, index_sentences(right).keys
