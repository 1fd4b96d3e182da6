"""Full comparison of one pair of a cohort, and its report."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from simcompare.cohort.cohort_data import Cohort, CohortPair
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.model.progress import Tick, no_tick
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import FORMS


def evidence_of(cohort: Cohort, pair: CohortPair, tick: Tick = no_tick) -> Evidence:
    """Compare two documents of a cohort in full and return the evidence with the pair's review.

    `tick` is that of `compare`; an exception that it raises ends the comparison.
    """
    left, right = cohort.documents[pair.left], cohort.documents[pair.right]
    comparison = compare(left, right, cohort.settings, cohort.thesaurus, prompt=cohort.prompt, tick=tick)
    if cohort.exclusion_candidates:
        exclusion_candidates = cohort.exclusion_candidates[pair.left], cohort.exclusion_candidates[pair.right]
        comparison = reclassify(comparison, cohort.settings, exclusion_candidates)
    names = cohort.names
    comparison = replace(comparison, cohort_labels=(names[pair.left], names[pair.right]))
    return Evidence(comparison, cohort.thesaurus, cohort.made_at, pair.review)


def report_of(cohort: Cohort, pair: CohortPair, suffix: str) -> bytes:
    """Compare a pair in full and render its report; `suffix` is a key of FORMS."""
    return FORMS[suffix].render(evidence_of(cohort, pair))


def begin_report(cohort: Cohort, pair: CohortPair, suffix: str) -> Callable[[], bytes]:
    """Return a function that runs `report_of` in this process; a `BeginReport` for `write_bundle`."""
    return partial(report_of, cohort, pair, suffix)
