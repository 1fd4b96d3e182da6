"""Export jobs of a class: its report as one file or with the reports of its pairs, and its grade sheet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_data import Cohort
from simcompare.export.chunked_pickle import dump_chunked, load_chunked
from simcompare.export.export_context import ExportContext, worker_errors_as_not_saved
from simcompare.export.export_jobs import (
    BundleJob,
    CopiesJob,
    ExportResult,
    ReportJob,
    SinglePathJob,
    TableJob,
    missing_reports,
    start_report,
)
from simcompare.export.export_tasks import pseudonymise_check, render_class_pages
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.cohort.report_bundle import Outcome, write_bundle


class ClassSelection(Protocol):
    """The class that is to be exported."""

    @property
    def files(self) -> Collection[Path]:
        """Files of all documents."""

    @property
    def listed_count(self) -> int:
        """Number of pairs that the report lists."""

    @property
    def uncompared_count(self) -> int:
        """Number of pairs without figures of the current settings."""

    def check(self, *, with_notes: bool) -> ClassCheck:
        """Return the class with or without notes. Reads the thesaurus, which may take a moment."""


@dataclass(frozen=True, slots=True, eq=False)
class _ClassJob(SinglePathJob):
    """Base of jobs that write the report or the grade sheet of a class. suffix: of the form, with the dot."""

    selection: ClassSelection
    pseudonyms: Pseudonyms | None
    path: Path
    suffix: str
    language: str
    with_notes: bool
    class_name: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassFileJob(_ClassJob):
    """Write the report or the grade sheet of a class as one file.

    render: the task, with the arguments packed check and pseudonyms, `class_name`, `suffix` and `language`.
    """

    render: Callable[[bytes, str, str, str], bytes]

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the file."""
        packed = dump_chunked((self.selection.check(with_notes=self.with_notes), self.pseudonyms))
        return self.write_rendered(context, self.render, packed, self.class_name, self.suffix, self.language)


@dataclass(frozen=True, slots=True, eq=False)
class ClassBundleJob(_ClassJob):
    """Write the report of a class with the reports of the pairs that it lists, as a folder or zip."""

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write the bundle, complete or not at all."""
        # the window imports this module before it is shown
        from simcompare.report.class_report.class_bundle import bundle_cohort  # noqa: PLC0415

        with worker_errors_as_not_saved(self.path):
            check = self.selection.check(with_notes=self.with_notes)
            if self.pseudonyms is not None:
                packed = dump_chunked((check, self.pseudonyms))
                check = load_chunked(context.start(pseudonymise_check, packed, self.language)())
            cohort = bundle_cohort(check)
            context.tick(0, len(cohort.pairs))

            def make_pages(_cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
                arguments = dump_chunked(check), self.class_name, outcomes, self.language
                return context.start(render_class_pages, *arguments)()

            begin = partial(start_report, context, self.language)
            outcomes = write_bundle(cohort, self.suffix, self.path, context.tick, begin, make_pages)
        return ExportResult((self.path,), tuple(missing_reports(cohort, outcomes)))


ExportJob = ReportJob | CopiesJob | TableJob | BundleJob | ClassFileJob | ClassBundleJob
