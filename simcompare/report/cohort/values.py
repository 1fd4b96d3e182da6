"""A cohort: many documents, and what is known of each two of them."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from simcompare.comparison.compare import compare
from simcompare.comparison.pairs import PairSummary
from simcompare.comparison.subject import Subject
from simcompare.errors import SimcompareError
from simcompare.progress import Tick, no_tick
from simcompare.report.evidence import Evidence
from simcompare.session.review import NO_REVIEW, PairReview
from simcompare.settings import ComparisonSettings
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus


@dataclass(frozen=True, slots=True, eq=False)
class CohortPair:
    """Two documents by their places in `Cohort.documents`, and what is known of them.

    summary: None where they could not be compared; `cause` then says why, empty where nobody knows.
    review: what a teacher made of the two, seen from the left one.
    """

    left: int
    right: int
    summary: PairSummary | None
    review: PairReview = NO_REVIEW
    cause: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class UnreadDocument:
    """A file that belongs to the others and is compared with none; without an error it was not read yet."""

    path: Path
    error: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """What tables and bundles are made from.

    pairs: in the order in which they are listed, whether all there are or some. `prompt` is the text that
    `settings.prompt` names. The same cohort gives the same files but for `made_at`.
    """

    documents: tuple[Subject, ...]
    pairs: tuple[CohortPair, ...]
    settings: ComparisonSettings
    thesaurus: Thesaurus | None
    made_at: datetime
    prompt: PreparedText | None = None
    unread: tuple[UnreadDocument, ...] = ()


def evidence_of(cohort: Cohort, pair: CohortPair, tick: Tick = no_tick) -> Evidence:
    """Compare two documents of a cohort in full; `tick` is that of `compare`, and what it raises ends it."""
    left, right = cohort.documents[pair.left], cohort.documents[pair.right]
    comparison = compare(left, right, cohort.settings, cohort.thesaurus, prompt=cohort.prompt, tick=tick)
    return Evidence(comparison, cohort.thesaurus, cohort.made_at, pair.review)
