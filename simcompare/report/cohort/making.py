"""Cohorts made: every two documents compared, those with most in common first."""

from dataclasses import replace
from datetime import datetime
from threading import Event

from simcompare.comparison.pairs import usable_thesaurus
from simcompare.progress import Tick
from simcompare.report.cohort.scoring import Outcome, outcomes_of
from simcompare.report.cohort.values import Cohort, CohortDocuments, CohortPair, by_coverage
from simcompare.session.review import NO_REVIEW
from simcompare.session.values import Pair
from simcompare.settings import ComparisonSettings


def make_cohort(
    documents: CohortDocuments,
    settings: ComparisonSettings,
    made_at: datetime,
    tick: Tick,
    stop: Event,
) -> Cohort:
    """Compare every two documents. `tick` is told of pairs.

    Raises Cancelled soon after `stop` is set, and what `tick` raises.
    """
    outcomes = outcomes_of(documents.subjects, settings, documents.prompt, tick, stop)
    pairs = [_pair(pair, outcome, documents) for pair, outcome in outcomes.items()]
    return replace(without_pairs(documents, settings, made_at), pairs=by_coverage(documents.subjects, pairs))


def without_pairs(documents: CohortDocuments, settings: ComparisonSettings, made_at: datetime) -> Cohort:
    """Return the cohort of documents none of which has been compared yet."""
    thesaurus = usable_thesaurus(settings.thesaurus)
    return Cohort(documents.subjects, (), settings, thesaurus, made_at, documents.prompt, documents.unread)


def _pair(pair: Pair, outcome: Outcome, documents: CohortDocuments) -> CohortPair:
    review = documents.reviews.get(pair, NO_REVIEW)
    if isinstance(outcome, str):
        return CohortPair(*pair, None, review, outcome)
    return CohortPair(*pair, outcome, review)
