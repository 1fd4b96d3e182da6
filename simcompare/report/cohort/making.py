"""Cohorts made: every two documents compared, those with most in common first."""

from datetime import datetime
from threading import Event

from simcompare.comparison.pairs import usable_thesaurus
from simcompare.progress import Tick
from simcompare.report.cohort.scoring import Outcome, outcomes_of
from simcompare.report.cohort.values import Cohort, CohortDocuments, CohortPair, by_coverage
from simcompare.session.review import NO_REVIEW
from simcompare.session.values import Pair
from simcompare.settings import ComparisonSettings
from simcompare.text.prepared import PreparedText


def make_cohort(
    documents: CohortDocuments,
    settings: ComparisonSettings,
    prompt: PreparedText | None,
    made_at: datetime,
    tick: Tick,
    stop: Event,
) -> Cohort:
    """Compare every two documents. `tick` is told of pairs.

    Raises Cancelled soon after `stop` is set, and what `tick` raises.
    """
    outcomes = outcomes_of(documents.subjects, settings, prompt, tick, stop)
    pairs = [_pair(pair, outcome, documents) for pair, outcome in outcomes.items()]
    return Cohort(
        documents.subjects,
        by_coverage(documents.subjects, pairs),
        settings,
        usable_thesaurus(settings.thesaurus),
        made_at,
        prompt,
        documents.unread,
    )


def _pair(pair: Pair, outcome: Outcome, documents: CohortDocuments) -> CohortPair:
    review = documents.reviews.get(pair, NO_REVIEW)
    if isinstance(outcome, str):
        return CohortPair(*pair, None, review, outcome)
    return CohortPair(*pair, outcome, review)
