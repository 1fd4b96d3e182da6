"""Tasks of worker processes: compare pairs, render reports, copies and tables, replace names."""

# ruff: noqa: PLC0415 - a worker loads the libraries of a form, and of pseudonyms, when it first needs them

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_data import Cohort, CohortPair
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.export.chunked_pickle import dump_chunked, load_chunked
from simcompare.model.progress import Tick, no_tick
from simcompare.report.annotated.annotation_marks import (
    AnnotatedCopy,
    Mark,
    Side,
    marks_of,
    prepared_document_of,
)
from simcompare.report.cohort.report_bundle import TABLES, Outcome, pages_of, restricted
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import PairReview
from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_process import allowing_memory

if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import PossibleName, Pseudonyms
    from simcompare.pseudonyms.students import RecognisedStudent, Student

_MEMORY_BYTES = 8 * 1024**3
"""Memory limit of a task; a report of millions of matches needs more than reading a file may take."""


def evidence_of(cohort: Cohort, pair: CohortPair, tick: Tick = no_tick) -> Evidence:
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
    comparison = replace(comparison, cohort_labels=files, student_labels=shown)
    return Evidence(comparison, cohort.thesaurus, cohort.made_at, pair.review)


def with_decided_shares(cohort: Cohort) -> Cohort:
    """Return a cohort whose pairs have what follows from decisions, which needs the comparison in full."""
    pairs = []
    for pair in cohort.pairs:
        if pair.summary and pair.review.has_decided_parts and pair.parts is None:
            evidence = evidence_of(cohort, pair)
            parts = replace(evidence.passage_decisions, notes={})
            pair = replace(pair, decided=evidence.decided, parts=parts)  # noqa: PLW2901
        pairs.append(pair)
    return replace(cohort, pairs=tuple(pairs))


def report_of(cohort: Cohort, pair: CohortPair, suffix: str) -> bytes:
    """Compare a pair in full and render its report; `suffix` is a key of FORMS."""
    return FORMS[suffix].render(evidence_of(cohort, pair))


def begin_report(cohort: Cohort, pair: CohortPair, suffix: str) -> Callable[[], bytes]:
    """Return a function that runs `report_of` in this process; a `BeginReport` for `write_bundle`."""
    return partial(report_of, cohort, pair, suffix)


def sendable_review(review: PairReview, *, with_notes: bool) -> PairReview:
    """Return a review that can be pickled, with or without the teacher's notes."""
    if with_notes:
        return replace(review, matches=dict(review.matches), passages=dict(review.passages))
    return review.without_notes


@contextmanager
def rendering_in(language: str) -> Iterator[None]:
    """Set the language of this worker, and the memory limit of reports for the duration of a task."""
    set_language(language)
    with allowing_memory(_MEMORY_BYTES):
        yield


def pseudonymised_evidence(evidence: Evidence, pseudonyms: "Pseudonyms | None") -> Evidence:
    """Return evidence with names replaced, in the current language; unchanged without pseudonyms."""
    if pseudonyms is None:
        return evidence
    from simcompare.redaction.redacted_evidence import anonymous_evidence

    return anonymous_evidence(evidence, pseudonyms)


def pseudonymised_pairs(cohort: Cohort, pseudonyms: "Pseudonyms | None") -> Cohort:
    """Return a cohort with only the documents of its pairs, and their shares after decisions.

    Names are replaced if there are pseudonyms.
    """
    cohort = with_decided_shares(cohort)
    if pseudonyms is not None:
        from simcompare.redaction.redacted_cohort import anonymous_cohort

        cohort = anonymous_cohort(cohort, pseudonyms)
    return restricted(cohort, cohort.pairs)


# one pair


def render_report(packed: bytes, suffix: str, language: str) -> bytes:
    """Render the report of a pair; `packed`: its evidence, and the pseudonyms or None."""
    with rendering_in(language):
        return FORMS[suffix].render(pseudonymised_evidence(*load_chunked(packed)))


def render_copy(path: Path, packed: bytes, side: Side, language: str, password: str | None) -> AnnotatedCopy:
    """Render the annotated copy of the file at `path`; `packed` as for `render_report`.

    Raises FileError, as `annotated_copy` and `anonymous_copy` do.
    """
    with rendering_in(language):
        copy, _marks = copy_and_marks(path, side, password, *load_chunked(packed))
        return copy


def copy_and_marks(
    path: Path, side: Side, password: str | None, evidence: Evidence, pseudonyms: "Pseudonyms | None"
) -> tuple[AnnotatedCopy, Sequence[Mark]]:
    """Return the annotated copy of a file, and its marks, some of which may not be placed in the copy."""
    document = prepared_document_of(evidence.comparison, side).document
    if pseudonyms is None:
        from simcompare.report.annotated.annotate import annotated_copy

        marks: Sequence[Mark] = marks_of(evidence, side)
        return annotated_copy(path, document, marks, password), marks
    from simcompare.redaction.anonymous_copies import anonymous_copy
    from simcompare.redaction.redacted_evidence import anonymous_marks

    marks = anonymous_marks(evidence, pseudonymised_evidence(evidence, pseudonyms), side)
    return anonymous_copy(path, document, marks, pseudonyms, password), marks


# many pairs


def render_table(packed: bytes, suffix: str, language: str) -> bytes:
    """Render the table of pairs; `packed`: the cohort, and the pseudonyms or None."""
    with rendering_in(language):
        return TABLES[f"pairs{suffix}"](pseudonymised_pairs(*load_chunked(packed)))


def pseudonymise_cohort(packed: bytes, language: str) -> bytes:
    """Return a pickled cohort with names replaced; `packed`: the cohort and the pseudonyms."""
    with rendering_in(language):
        return dump_chunked(pseudonymised_pairs(*load_chunked(packed)))


def render_pair_report(packed: bytes, suffix: str, language: str) -> bytes:
    """Compare the only pair of a cohort in full and render its report."""
    with rendering_in(language):
        cohort: Cohort = load_chunked(packed)
        (pair,) = cohort.pairs
        return report_of(cohort, pair, suffix)


def render_bundle_pages(packed: bytes, outcomes: Sequence[Outcome], language: str) -> Mapping[str, bytes]:
    """Render the index page of the reports of a cohort and the tables beside it; keys: file names."""
    with rendering_in(language):
        return pages_of(with_decided_shares(load_chunked(packed)), outcomes)


# a class


def pseudonymised_check(check: ClassCheck, pseudonyms: "Pseudonyms | None") -> ClassCheck:
    """Return a checked class with shares after decisions; names are replaced if there are pseudonyms."""
    check = replace(check, cohort=with_decided_shares(check.cohort))
    if pseudonyms is None:
        return check
    from simcompare.redaction.redacted_class import anonymous_check

    return anonymous_check(check, pseudonyms)


def pseudonymise_check(packed: bytes, language: str) -> bytes:
    """Return a pickled check with names replaced; `packed`: the check and the pseudonyms."""
    with rendering_in(language):
        return dump_chunked(pseudonymised_check(*load_chunked(packed)))


def render_class_report(packed: bytes, class_name: str, suffix: str, language: str) -> bytes:
    """Render the report of a class; `packed`: the check, and the pseudonyms or None."""
    from simcompare.report.class_report.class_forms import CLASS_FORMS

    with rendering_in(language):
        return CLASS_FORMS[suffix](pseudonymised_check(*load_chunked(packed)), class_name)


def render_grade_sheet(packed: bytes, _class_name: str, suffix: str, language: str) -> bytes:
    """Render the grade sheet of a class; `packed` as for `render_class_report`."""
    from simcompare.report.class_report.grade_sheet import GRADE_SHEETS

    with rendering_in(language):
        return GRADE_SHEETS[suffix](pseudonymised_check(*load_chunked(packed)))


def render_class_pages(
    packed: bytes, class_name: str, outcomes: Sequence[Outcome], language: str
) -> Mapping[str, bytes]:
    """Render the page of a bundle and the tables beside it, by file name; `packed`: the check."""
    from simcompare.report.class_report.class_bundle import class_pages

    with rendering_in(language):
        return class_pages(pseudonymised_check(load_chunked(packed), None), class_name, outcomes)


# pseudonyms


def extend_pseudonyms(
    openings: Mapping[Path, str], listed: "Sequence[Student]", known: "Pseudonyms | None"
) -> "Pseudonyms":
    """Return pseudonyms that include all files and students of class lists.

    openings: the beginnings of the texts of the files. Known pseudonyms do not change.
    """
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms

    return (known or make_pseudonyms(())).extended([], listed).including_texts(openings)


def correct_pseudonyms(
    known: "Pseudonyms", recognised: "Sequence[RecognisedStudent]", listed: "Sequence[Student]"
) -> "Pseudonyms":
    """Return pseudonyms after the teacher's corrections, with the students of a list."""
    return known.corrected(recognised, listed)


def find_possible_names(pseudonyms: "Pseudonyms", texts: Mapping[Path, str]) -> "list[PossibleName]":
    """Find words that may still identify a person in texts whose names are replaced."""
    return pseudonyms.possible_names(texts)


def read_student_list(
    path: Path, files: Sequence[Path]
) -> "tuple[Sequence[Student], Sequence[RecognisedStudent]]":
    """Return the students of a list, and those recognised in the names of files with its help.

    Raises FileError, as `read_students` does.
    """
    from simcompare.pseudonyms.file_names import propose
    from simcompare.pseudonyms.roster import read_students

    students = read_students(path)
    return students, propose(files, students)
