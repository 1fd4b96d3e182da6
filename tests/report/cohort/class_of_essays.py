"""Cohorts of four sample essays, compared once per process."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Event

from simcompare.cohort.cohort_scoring import Cohort, CohortDocuments, UnreadDocument, make_cohort
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.model.errors import DamagedFileError
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import Decision, NotedDecision, PairReview

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
ESSAYS = ("家乡的石桥.docx", "心中的桥.html", "桥的故事.docx", "The last bus.docx")
MADE_AT = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)


@cache
def essays():
    """Return the prepared documents of four samples."""
    return tuple(read_prepared_document(SAMPLES / name, "improved") for name in ESSAYS)


@cache
def compared_essays():
    """Return the cohort of the samples; one pair has a decision, one file was damaged."""
    reviews = {(0, 2): PairReview(NotedDecision(Decision.COPIED, "same bridge,\nsame “words”"))}
    unread = (UnreadDocument(Path("broken.docx"), DamagedFileError(Path("broken.docx"), cause="torn")),)
    documents = CohortDocuments(essays(), reviews, unread)
    return make_cohort(documents, ComparisonSettings(), MADE_AT, no_tick, Event())


def renamed(cohort: Cohort, *names: str) -> Cohort:
    """Return the cohort with other file names."""
    documents = tuple(
        replace(prepared_document, document=replace(prepared_document.document, path=Path(name)))
        for prepared_document, name in zip(cohort.documents, names, strict=True)
    )
    return replace(cohort, documents=documents)
