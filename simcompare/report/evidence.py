"""Input of every report of a pair: its comparison, thesaurus, review and time, and what follows from them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.comparison.citations.citation import PassageCitation, passage_citation
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import BothShares, Comparison
from simcompare.comparison.decided_shares import counted_units, shares_after_decisions
from simcompare.comparison.passages.numbered_passages import (
    NumberedPassage,
    NumberedPassages,
    numbered_passages,
)
from simcompare.model.progress import Tick, no_tick
from simcompare.session.decisions import (
    NO_DECISION,
    NO_KEYED_DECISIONS,
    NO_REVIEW,
    Decision,
    KeyedDecisions,
    MatchDecisions,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageDecisions,
    PassageKeys,
    SentenceIndex,
    decided_by_key,
    decided_cells,
    decisions_on_matches,
    decisions_on_passages,
    effective_on_matches,
    index_sentences,
    outcome_of,
)
from simcompare.support.arrays import BoolArray
from simcompare.text.thesaurus import Thesaurus

if TYPE_CHECKING:
    from simcompare.cohort.cohort_scoring import Cohort, CohortPair


@final
@dataclass(frozen=True, eq=False)
class Evidence:
    """Comparison of a pair, the thesaurus used, the teacher's review, and the time of the report.

    `review` is oriented from the left text. facts: on the two files. is_anonymous: names are replaced.
    course, teacher: for the first page of a case file. Equal evidence gives equal reports except for
    `made_at`.
    """

    comparison: Comparison
    thesaurus: Thesaurus | None
    made_at: datetime
    review: PairReview = NO_REVIEW
    facts: PairFacts = NO_FACTS
    is_anonymous: bool = False
    course: str = ""
    teacher: str = ""

    def decision_of(self, index: int) -> NotedDecision:
        """Return the decision and note on a match, by its index."""
        match = self.comparison.matches[index]
        return self.decision_between(match.left, match.right)

    def decision_between(self, left: int, right: int) -> NotedDecision:
        """Return the decision and note on two sentences.

        A match may have the decision of its passage, and its note if it is the only match in it.
        """
        if not self.review.matches and not self.review.passages:
            return NO_DECISION
        left_index, right_index = self._indexes
        own = self.review.of(MatchKey(left_index.keys[left], right_index.keys[right]))
        match = self.comparison.matches.index_of(left, right)
        if match is None:
            return own
        note = self._notes_by_only_match.get(match, own.note)
        return NotedDecision(self._on_matches.decision(match), note)

    def decision_on(self, passage: NumberedPassage) -> NotedDecision:
        return self.passage_decisions.noted_decision(passage.number - 1)

    def decided_matches(self) -> list[tuple[int, int, Decision]]:
        """List the decided matches as (left, right, decision without its reason)."""
        cells, decided = self.comparison.matches.cells, self._on_matches
        return [
            (int(cells.rows[index]), int(cells.columns[index]), outcome)
            for index in np.flatnonzero(~decided.undecided).tolist()
            if (outcome := outcome_of(decided.decision(index))) is not None
        ]

    @cached_property
    def passages(self) -> NumberedPassages:
        return numbered_passages(self.comparison)

    @cached_property
    def citations(self) -> Sequence[PassageCitation | None]:
        """How each passage is marked as taken from a source."""
        return [passage_citation(self.comparison, passage) for passage in self.passages]

    @cached_property
    def passage_decisions(self) -> PassageDecisions:
        return decisions_on_passages(self.passages, self._own, self._on_matches, self._keyed)

    @cached_property
    def shares_after_decisions(self) -> BothShares:
        """Shares after exclusions, without the passages and matches that the teacher decided to be fine."""
        fine = self._on_matches.fine
        return shares_after_decisions(self.comparison, self.passages, fine, self.passage_decisions.closed)

    @cached_property
    def counted_units(self) -> tuple[BoolArray, BoolArray]:
        """Which units of the left and of the right text are in these shares, shape (u,)."""
        fine, closed = self._on_matches.fine, self.passage_decisions.closed
        return counted_units(self.comparison, self.passages, fine, closed)

    @property
    def decided(self) -> BothShares | None:
        """Shares after decisions; None if no passage and no match was decided to be fine."""
        is_any_fine = self._on_matches.fine.any() or self.passage_decisions.closed.any()
        return self.shares_after_decisions if is_any_fine else None

    @cached_property
    def _on_matches(self) -> MatchDecisions:
        """Decisions on the matches in match order, their own or those on their passages."""
        return effective_on_matches(self.passages, self._own, self._keyed.decided)

    @cached_property
    def _own(self) -> MatchDecisions:
        """Decisions on the matches themselves, in match order."""
        if not self.review.matches:
            return decisions_on_matches(self.comparison, {})
        return decisions_on_matches(self.comparison, decided_cells(self.review.matches, *self._indexes))

    @cached_property
    def _notes_by_only_match(self) -> Mapping[int, str]:
        """Notes on passages of one match, by the index of the match."""
        return {
            int(matches[0]): note
            for index, note in self.passage_decisions.notes.items()
            if len(matches := self.passages.matches_of(index)) == 1
        }

    @cached_property
    def _keyed(self) -> KeyedDecisions:
        if not self.review.passages:
            return NO_KEYED_DECISIONS
        keys = PassageKeys(self.comparison, self.passages, *self._indexes)
        return decided_by_key(keys, self.review.passages)

    @cached_property
    def _indexes(self) -> tuple[SentenceIndex, SentenceIndex]:
        left, right = self.comparison.left.prepared, self.comparison.right.prepared
        return index_sentences(left), index_sentences(right)


def evidence_of(cohort: "Cohort", pair: "CohortPair", tick: Tick = no_tick) -> Evidence:
    """Compare two documents of a cohort in full and return the evidence with the pair's review.

    `tick` is that of `compare`; an exception that it raises ends the comparison.
    """
    left, right = cohort.documents[pair.left], cohort.documents[pair.right]
    nothing_common = (None, None)
    comparison = compare(
        left, right, cohort.settings, cohort.thesaurus, prompt=cohort.prompt, common=nothing_common, tick=tick
    )
    if cohort.exclusion_candidates:
        exclusion_candidates = cohort.exclusion_candidates[pair.left], cohort.exclusion_candidates[pair.right]
        comparison = reclassify(comparison, cohort.settings, exclusion_candidates)
    labels = cohort.names, cohort.student_labels or cohort.names
    files, shown = ((names[pair.left], names[pair.right]) for names in labels)
    comparison = replace(comparison, cohort_labels=files, student_labels=shown, copying=pair.copying)
    values = cohort.thesaurus, cohort.made_at, pair.review, pair.facts
    return Evidence(comparison, *values, cohort.is_anonymous, cohort.course, cohort.teacher)


def decided_sentences(evidence: Evidence) -> tuple[Mapping[int, Decision], Mapping[int, Decision]]:
    """Return the decision on each matched sentence of the left and of the right text.

    As in the window: a sentence is copied if one of its matches is copied, and fine if all are fine.
    """
    matches = evidence.comparison.matches
    decided = evidence.decided_matches()
    if not decided:
        return {}, {}
    rows, columns = matches.cells.rows, matches.cells.columns
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
