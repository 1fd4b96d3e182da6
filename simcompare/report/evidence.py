"""What a report of a pair is made from, whatever its form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from simcompare.cohort.cohort_data import Cohort, CohortPair
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import Comparison
from simcompare.model.progress import Tick, no_tick
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
    """A comparison, the thesaurus it was made with, what a teacher made of it, and the time of the report.

    `review` is seen from the left text. The same evidence gives the same report but for `made_at`.
    """

    comparison: Comparison
    thesaurus: Thesaurus | None
    made_at: datetime
    review: PairReview = NO_REVIEW

    def decision_of(self, index: int) -> NotedDecision:
        """Return what was decided and noted on a match."""
        match = self.comparison.matches[index]
        return self.decision_between(match.left, match.right)

    def decision_between(self, left: int, right: int) -> NotedDecision:
        """Return what was decided and noted on two sentences, matched or not."""
        left_keys, right_keys = self._keys
        return self.review.of(MatchKey(left_keys[left], right_keys[right]))

    def decided_matches(self) -> list[tuple[int, int, Decision]]:
        """Return what was decided of two sentences, a left and a right one, matched or not."""
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


def evidence_of(cohort: Cohort, pair: CohortPair, tick: Tick = no_tick) -> Evidence:
    """Compare two documents of a cohort in full; `tick` is that of `compare`, and what it raises ends it."""
    left, right = cohort.documents[pair.left], cohort.documents[pair.right]
    comparison = compare(left, right, cohort.settings, cohort.thesaurus, prompt=cohort.prompt, tick=tick)
    if cohort.exclusion_candidates:
        exclusion_candidates = cohort.exclusion_candidates[pair.left], cohort.exclusion_candidates[pair.right]
        comparison = reclassify(comparison, cohort.settings, exclusion_candidates)
    names = cohort.names
    comparison = replace(comparison, cohort_labels=(names[pair.left], names[pair.right]))
    return Evidence(comparison, cohort.thesaurus, cohort.made_at, pair.review)
