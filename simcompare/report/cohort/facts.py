"""What a table or a bundle says of itself: how it was made, and from which documents."""

from collections.abc import Iterator
from dataclasses import dataclass

from simcompare import __version__
from simcompare.comparison.subject import Subject
from simcompare.i18n import _
from simcompare.report.cohort.figures import FIGURES, figure_meaning, figure_name
from simcompare.report.cohort.values import Cohort, UnreadDocument
from simcompare.report.receipts import doubts_in_words
from simcompare.report.wording import (
    exclusions_in_words,
    settings_in_words,
    thesaurus_in_words,
)
from simcompare.visible import told_apart, visible


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document of a cohort. Of one that could not be compared there is but its name and the problem."""

    name: str
    units: int | None
    sentences: int | None
    size_bytes: int | None
    sha256: str
    problems: str
    was_read: bool


def document_rows(cohort: Cohort) -> list[DocumentRow]:
    """Return the documents that were compared, then those that were not."""
    read = [_read(name, subject) for name, subject in zip(cohort.names, cohort.documents, strict=True)]
    names = told_apart(cohort.paths)[len(read) :]
    return [*read, *map(_unread, names, cohort.unread)]


def _read(name: str, subject: Subject) -> DocumentRow:
    document, prepared = subject.document, subject.prepared
    return DocumentRow(
        name,
        prepared.unit_count,
        prepared.sentence_count,
        document.size_bytes or None,
        document.sha256,
        visible(doubts_in_words(document.receipt)),
        was_read=True,
    )


def _unread(name: str, document: UnreadDocument) -> DocumentRow:
    problem = str(document.error) if document.error else _("It was not read yet when this was made.")
    return DocumentRow(name, None, None, None, "", visible(problem), was_read=False)


def facts_of(cohort: Cohort) -> Iterator[tuple[str, str]]:
    """Yield how a cohort was compared, by what, and when, each with its name."""
    settings = cohort.settings
    yield _("Thresholds"), settings_in_words(settings)
    yield _("Exclusions"), visible(exclusions_in_words(settings))
    yield _("Thesaurus"), visible(thesaurus_in_words(settings, cohort.thesaurus))
    yield _("Fingerprint recipe"), recipe_of(cohort)
    yield (
        _("Order"),
        _("by the greater of the two net shares, then by the smaller one, then by the Hamming distance"),
    )
    yield _("Program"), f"simcompare {__version__}"
    yield _("Date"), cohort.made_at.strftime("%Y-%m-%d %H:%M")


def meanings_of(cohort: Cohort) -> Iterator[tuple[str, str]]:
    """Yield what each figure of a pair is called and what it means; groups where there are any."""
    for figure in FIGURES:
        if figure != "group" or any(pair.group for pair in cohort.pairs):
            yield figure_name(figure), figure_meaning(figure)


def recipe_of(cohort: Cohort) -> str:
    """Return the signature of the recipe by which all fingerprints were made."""
    return cohort.documents[0].fingerprint.recipe if cohort.documents else cohort.settings.recipe
