"""Export jobs: write the report of a pair, annotated copies, the table of pairs, or a bundle of reports."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from simcompare.cohort.cohort_data import Cohort, CohortPair
from simcompare.export.chunked_pickle import dump_chunked, load_chunked
from simcompare.export.export_context import (
    BROKE_OFF,
    ExportContext,
    wait_for_file,
    worker_errors_as_not_saved,
)
from simcompare.export.export_tasks import (
    pseudonymise_cohort,
    render_bundle_pages,
    render_copy,
    render_pair_report,
    render_report,
    render_table,
)
from simcompare.model.errors import ReportNotSavedError, SimcompareError, os_errors_as
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.annotated.annotate import remarks_in_words
from simcompare.report.annotated.annotation_marks import AnnotatedCopy, Side
from simcompare.report.cohort.report_bundle import (
    NotReportedError,
    Outcome,
    error_in_words,
    narrowed,
    write_bundle,
)
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import PairReview
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import _
from simcompare.support.workers.worker_tasks import WorkerError


@dataclass(frozen=True, slots=True)
class ExportResult:
    """Result of a job: written files or folders, errors in words, and remarks on what was written."""

    paths: tuple[Path, ...]
    errors: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def write_file(path: Path, data: bytes) -> None:
    """Write a file atomically. Raises ReportNotSavedError; an earlier file is then unchanged."""
    with os_errors_as(ReportNotSavedError, path):
        write_atomically(path, lambda file: file.write(data))


class SinglePathJob:
    """Base of jobs that write one file or folder."""

    __slots__ = ()
    path: Path

    @property
    def title(self) -> str:
        """Name of the file or folder."""
        return self.path.name

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file or folder."""
        return (self.path,)

    def write_rendered(
        self, context: ExportContext, render: Callable[..., bytes], *args: object
    ) -> ExportResult:
        """Render the file in a worker; write it unless the export was stopped meanwhile."""
        with worker_errors_as_not_saved(self.path):
            data = context.start(render, *args)()
        context.raise_if_stopped()
        write_file(self.path, data)
        return ExportResult((self.path,))


@dataclass(frozen=True, slots=True, eq=False)
class ReportJob(SinglePathJob):
    """Write the report of a pair."""

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    path: Path
    suffix: str
    language: str

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the report."""
        packed = dump_chunked((self.evidence, self.pseudonyms))
        return self.write_rendered(context, render_report, packed, self.suffix, self.language)


@dataclass(frozen=True, slots=True)
class OriginalFile:
    """Compared file to be annotated; `error`: why it cannot be."""

    side: Side
    path: Path
    copy_name: str
    password: str | None = field(default=None, repr=False)
    error: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CopiesJob:
    """Write annotated copies of the compared files. If one fails, the other is written nevertheless.

    Both are rendered before the first is written, so that a job stopped until then leaves no file.
    """

    evidence: Evidence
    pseudonyms: Pseudonyms | None
    originals: tuple[OriginalFile, ...]
    folder: Path
    language: str

    @property
    def title(self) -> str:
        """Name of the folder."""
        return self.folder.name or str(self.folder)

    @property
    def paths(self) -> tuple[Path, ...]:
        """Paths of the copies, except those already known to be impossible."""
        return tuple(
            self.folder / original.copy_name for original in self.originals if original.error is None
        )

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the copies."""
        errors = [str(original.error) for original in self.originals if original.error is not None]
        copies = list(self._rendered(context, errors))
        context.raise_if_stopped()
        paths: list[Path] = []
        remarks: list[str] = []
        for original, copy in copies:
            path = self.folder / original.copy_name
            try:
                write_file(path, copy.data)
            except ReportNotSavedError as error:
                errors.append(str(error))
            else:
                paths.append(path)
                remarks += remarks_in_words(copy, original.path)
        return ExportResult(tuple(paths), tuple(errors), tuple(remarks))

    def _rendered(
        self, context: ExportContext, errors: list[str]
    ) -> Iterator[tuple[OriginalFile, AnnotatedCopy]]:
        """Yield the copies that can be made; append the errors of the others to `errors`."""
        packed = dump_chunked((self.evidence, self.pseudonyms))
        started = [
            (
                original,
                context.start(
                    render_copy, original.path, packed, original.side, self.language, original.password
                ),
            )
            for original in self.originals
            if original.error is None
        ]
        for count, (original, wait) in enumerate(started):
            context.tick(count, len(started))
            try:
                yield original, wait_for_file(original.path, wait)
            except SimcompareError as error:
                errors.append(str(error))


_MOST_ERRORS_LISTED = 3


class PairSelection(Protocol):
    """Pairs of a cohort that are to be exported."""

    @property
    def count(self) -> int:
        """Number of pairs."""

    @property
    def total(self) -> int:
        """Number of pairs of the whole cohort."""

    @property
    def uncompared_count(self) -> int:
        """Number of pairs without figures of the current settings."""

    @property
    def files(self) -> Collection[Path]:
        """Files of the documents of the pairs."""

    @property
    def reviews(self) -> Sequence[PairReview]:
        """Reviews of the pairs that have a decision or a note."""

    def cohort(self, *, with_notes: bool, most: int | None = None) -> Cohort:
        """Return the cohort of the pairs, or of the first `most` of them, with or without notes.

        It also has the other documents of the whole cohort, whose groups must be pseudonymised first.
        """


def pseudonymised_cohort(
    pairs: PairSelection,
    pseudonyms: Pseudonyms | None,
    language: str,
    context: ExportContext,
    *,
    with_notes: bool,
) -> Cohort:
    """Return the cohort of the pairs, by descending coverage; pseudonymised if there are pseudonyms."""
    cohort = pairs.cohort(with_notes=with_notes)
    if pseudonyms is not None:
        packed = dump_chunked((cohort, pseudonyms))
        cohort = load_chunked(context.start(pseudonymise_cohort, packed, language)())
    return narrowed(cohort, cohort.pairs)


@dataclass(frozen=True, slots=True, eq=False)
class _CohortJob(SinglePathJob):
    """Fields of the jobs that write many pairs."""

    pairs: PairSelection
    pseudonyms: Pseudonyms | None
    path: Path
    suffix: str
    language: str
    with_notes: bool


@dataclass(frozen=True, slots=True, eq=False)
class TableJob(_CohortJob):
    """Write the table of pairs."""

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the table."""
        packed = dump_chunked((self.pairs.cohort(with_notes=self.with_notes), self.pseudonyms))
        return self.write_rendered(context, render_table, packed, self.suffix, self.language)


@dataclass(frozen=True, slots=True, eq=False)
class BundleJob(_CohortJob):
    """Write the reports of pairs and an index page: as a zip if `path` ends in .zip, else as a folder."""

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the bundle, complete or not at all."""
        with worker_errors_as_not_saved(self.path):
            cohort = pseudonymised_cohort(
                self.pairs, self.pseudonyms, self.language, context, with_notes=self.with_notes
            )
            context.tick(0, len(cohort.pairs))
            begin = partial(start_report, context, self.language)
            make_pages = partial(self._render_pages, context)
            outcomes = write_bundle(cohort, self.suffix, self.path, context.tick, begin, make_pages)
        return ExportResult((self.path,), tuple(missing_reports(cohort, outcomes)))

    def _render_pages(
        self, context: ExportContext, cohort: Cohort, outcomes: Sequence[Outcome]
    ) -> Mapping[str, bytes]:
        return context.start(render_bundle_pages, dump_chunked(cohort), outcomes, self.language)()


def start_report(
    context: ExportContext, language: str, cohort: Cohort, pair: CohortPair, suffix: str
) -> Callable[[], bytes]:
    """Start the report of a pair in a worker; a `BeginReport` with its first two arguments bound."""
    packed = dump_chunked(narrowed(cohort, [pair]))
    return partial(_wait_for_report, context.start(render_pair_report, packed, suffix, language))


def _wait_for_report(wait: Callable[[], bytes]) -> bytes:
    """Return the report of a pair.

    Raises NotReportedError if the worker died, so that the bundle continues without this report.
    """
    try:
        return wait()
    except WorkerError as error:
        raise NotReportedError(BROKE_OFF) from error


def missing_reports(cohort: Cohort, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield sentences that name the pairs without a report, with causes."""
    failed = [
        (pair, outcome)
        for pair, outcome in zip(cohort.pairs, outcomes, strict=True)
        if isinstance(outcome, Exception)
    ]
    names = cohort.student_labels or cohort.names
    for pair, error in failed[:_MOST_ERRORS_LISTED]:
        both = " ↔ ".join(names[index] for index in (pair.left, pair.right))
        yield _("{names} have no report: {cause}.").format(names=both, cause=error_in_words(error))
    rest = len(failed) - _MOST_ERRORS_LISTED
    if rest > 0:
        yield _("{count} more pairs have none; the page in the bundle says why.").format(count=f"{rest:,}")
