"""Tasks of worker processes: compare pairs, replace names, render; what they are sent, pickled in chunks."""

# ruff: noqa: PLC0415 - a worker loads the libraries of a form, and of pseudonyms, when it first needs them

import io
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort, CohortPair
from simcompare.report.annotated.annotation_marks import (
    AnnotatedCopy,
    Mark,
    Side,
    marks_of,
    prepared_document_of,
)
from simcompare.report.cohort.report_bundle import TABLES, Outcome, pages_of, restricted
from simcompare.report.evidence import Evidence, evidence_of
from simcompare.report.report_forms import FORMS
from simcompare.report.student_report.essay_sources import EssayCheck
from simcompare.session.decisions import PairReview
from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_process import allowing_memory

if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import OwnFiles, RecognisedStudent, Student


_PROTOCOL = 5


def dump_chunked(value: object) -> bytes:
    """Pickle a value; other threads run between the chunks."""
    chunks = _ChunkWriter()
    pickle.Pickler(chunks, _PROTOCOL).dump(value)
    return b"".join(chunks.chunks)


def load_chunked(packed: bytes) -> Any:
    """Unpickle the result of `dump_chunked`; other threads run between the chunks."""
    return pickle.Unpickler(_ChunkReader(packed)).load()


class _ChunkWriter:
    """File in memory. Pickle writes it in frames and releases the interpreter lock at each call of `write`.

    `pickle.dumps` holds the lock to the end: 100 ms for two texts of 3,000 sentences.
    """

    def __init__(self) -> None:
        self.chunks: list[bytes] = []

    def write(self, data: Any) -> int:
        """Copy a chunk: it may be a view of memory that changes later."""
        self.chunks.append(bytes(data))
        return len(self.chunks[-1])


class _ChunkReader(io.BytesIO):
    """File in memory whose methods are Python functions, so that pickle releases the interpreter lock."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes."""
        return super().readinto(buffer)

    def readline(self, size: int | None = -1) -> bytes:
        return super().readline(size)


Result = TypeVar("Result")
Contents = TypeVar("Contents", Evidence, Cohort, ClassCheck, EssayCheck)
"""What is exported: one pair, some pairs, a class, or one essay of it."""
_MEMORY_BYTES = 8 * 1024**3
"""Memory limit of a task; a report of millions of matches needs more than reading a file may take."""


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


def redacted(contents: Contents, pseudonyms: "Pseudonyms | None") -> Contents:
    """Return what is exported, with shares after decisions, and with names replaced if there are pseudonyms.

    Names are replaced in the current language. A cohort has only the documents of its pairs.
    """
    if isinstance(contents, Evidence):
        if pseudonyms is None:
            return contents
        from simcompare.redaction.redacted_class import anonymous_evidence

        return anonymous_evidence(contents, pseudonyms)
    if isinstance(contents, ClassCheck):
        check = replace(contents, cohort=with_decided_shares(contents.cohort))
        if pseudonyms is None:
            return check
        from simcompare.redaction.redacted_class import anonymous_check

        return anonymous_check(check, pseudonyms)
    if isinstance(contents, EssayCheck):
        if pseudonyms is None:
            return contents
        from simcompare.redaction.redacted_class import anonymous_check

        check = anonymous_check(contents.check, pseudonyms)
        return EssayCheck(check, check.order.index(contents.place))
    cohort = with_decided_shares(contents)
    if pseudonyms is not None:
        from simcompare.redaction.redacted_class import anonymous_cohort

        cohort = anonymous_cohort(cohort, pseudonyms)
    return restricted(cohort, cohort.pairs)


# tasks


def run_on(packed: bytes, language: str, work: Callable[..., Result], *args: object) -> Result:
    """Return `work(contents, *args)`, a function of a module; packed: the contents, and pseudonyms or None.

    The contents are redacted. With `dump_chunked` as the work, they are returned.
    """
    with rendering_in(language):
        return work(redacted(*load_chunked(packed)), *args)


def run_on_pair(packed: bytes, language: str, work: Callable[..., Result], *args: object) -> Result:
    """Compare the only pair of a packed cohort in full, and return `work(evidence, *args)`."""
    with rendering_in(language):
        cohort: Cohort = load_chunked(packed)
        (pair,) = cohort.pairs
        return work(evidence_of(cohort, pair), *args)


def render_report(evidence: Evidence, suffix: str, _class_name: str = "") -> bytes:
    return FORMS[suffix].render(evidence)


def render_table(cohort: Cohort, suffix: str, _class_name: str = "") -> bytes:
    return TABLES[f"pairs{suffix}"](cohort)


def render_class_report(check: ClassCheck, suffix: str, class_name: str) -> bytes:
    from simcompare.report.class_report.class_forms import CLASS_FORMS

    return CLASS_FORMS[suffix](check, class_name)


def render_grade_sheet(check: ClassCheck, suffix: str, _class_name: str = "") -> bytes:
    from simcompare.report.class_report.grade_sheet import GRADE_SHEETS

    return GRADE_SHEETS[suffix](check)


def render_student_report(essay: EssayCheck, suffix: str, class_name: str) -> bytes:
    from simcompare.report.student_report.student_view import STUDENT_FORMS

    return STUDENT_FORMS[suffix](essay, class_name)


def render_pages(
    contents: Cohort | ClassCheck, outcomes: Sequence[Outcome], class_name: str
) -> Mapping[str, bytes]:
    """Render the page of a bundle and the tables beside it; keys: file names."""
    if isinstance(contents, Cohort):
        return pages_of(contents, outcomes)
    from simcompare.report.class_report.class_forms import class_pages

    return class_pages(contents, class_name, outcomes)


def render_copy(path: Path, packed: bytes, side: Side, language: str, password: str | None) -> AnnotatedCopy:
    """Render the annotated copy of the file at `path`; `packed`: its evidence, and the pseudonyms or None.

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
    from simcompare.redaction.redacted_class import anonymous_marks

    marks = anonymous_marks(evidence, redacted(evidence, pseudonyms), side)
    return anonymous_copy(path, document, marks, pseudonyms, password), marks


# pseudonyms


def extend_pseudonyms(
    openings: Mapping[Path, str],
    listed: "Sequence[Student]",
    known: "Pseudonyms | None",
    students: "OwnFiles" = (),
) -> "Pseudonyms":
    """Return pseudonyms that include all files and students of class lists.

    openings: the beginnings of the texts of the files. students: of the class, with their files. Known
    pseudonyms do not change.
    """
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms

    return (known or make_pseudonyms(())).extended([], listed).including_texts(openings, students)


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
