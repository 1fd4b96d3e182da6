"""What can be exported, and how: freeze the contents, replace names, render in workers, write."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort, CohortPair
from simcompare.export.export_context import (
    BROKE_OFF,
    ExportContext,
    ExportRequest,
    wait_for_file,
    worker_errors_as_not_saved,
)
from simcompare.export.export_tasks import (
    PairOfCohort,
    PartsPreview,
    Preview,
    PreviewPart,
    RowsPreview,
    dump_chunked,
    load_chunked,
    preview,
    preview_copy,
    previewed_form,
    render_class_report,
    render_copy,
    render_grade_sheet,
    render_pages,
    render_report,
    render_student_report,
    render_table,
    run_on,
    sendable_review,
)
from simcompare.export.output_paths import (
    BUNDLE,
    CASE_FILE,
    CLASS_REPORT,
    GRADE_SHEET,
    PAIR_REPORT,
    STUDENT_REPORT,
    TABLE,
    suggested_name,
)
from simcompare.model.document import Document
from simcompare.model.errors import ReportNotSavedError, SimcompareError, writing_errors_as
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.anonymous_copies import check_anonymous_format
from simcompare.report.annotated.annotate import copy_names, remarks_in_words
from simcompare.report.annotated.annotations import AnnotatedCopy, Side
from simcompare.report.cohort.report_bundle import (
    NotReportedError,
    Outcome,
    error_in_words,
    essay_name,
    narrowed,
    pair_name,
    report_name,
    write_bundle,
)
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import CASE_SUFFIX, FORMS
from simcompare.support.atomic_file import write_atomically
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, ngettext, using_language
from simcompare.support.workers.worker_pool import WorkerError

ANNOTATED = "annotated"
"""Form of annotated copies, used in place of a file suffix."""
ONE_FILE, FOLDER, ZIP = "", "folder", ".zip"
"""Packings: without the reports of pairs, or with them."""
MOST_ROWS_SHOWN = 100
"""Rows of a table that its preview has."""
_MOST_NAMES_SHOWN = 12
_MOST_ERRORS_LISTED = 3


@dataclass(frozen=True, slots=True)
class Form:
    """Form of an export in words, marked with N_: its name, what it holds, and a note on its preview."""

    text: str
    detail: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ExportKind:
    """Kind of exports. pattern: of file names; forms: by suffix; usual: form that is offered first.

    render: function of a module that makes a file of the contents, a suffix and the name of the class.
    """

    pattern: str
    forms: Mapping[str, Form]
    render: Callable[[Any, str, str], bytes]
    usual: str = ""


_AS_PRINTED = N_("The contents as printed. The web page is wider, and can be clicked.")
_REPORT_DETAILS = {
    ".html": (
        N_("Both texts side by side in any browser, the matches one click apart. Needs no network."),
        _AS_PRINTED,
    ),
    ".pdf": (N_("For printing and filing: figures, passages, matches with their reasons, and both texts."),),
    ".docx": (
        N_("The same as a document that you can edit."),
        N_("The contents as printed. Word may break pages elsewhere."),
    ),
    ".json": (N_("Every match with its figures, for other programs."),),
    ".csv": (N_("A row for each match, for a spreadsheet."),),
    CASE_SUFFIX: (
        N_("For a committee: summary, report, meeting records and, unless it is anonymous, the files."),
        N_("The first page of the PDF."),
    ),
}
_REPORT_FORMS = {
    suffix: Form(FORMS[suffix].text, *_REPORT_DETAILS[suffix])
    for suffix in (CASE_SUFFIX, *(each for each in FORMS if each != CASE_SUFFIX))
}
_COPIES = Form(
    N_("Annotated originals"),
    N_("Copies of the files with their matches highlighted and commented. The files stay as they are."),
)
_SHEET_DETAIL = N_("A row for each student: highest share, most similar student, decision and note.")
PAIR = ExportKind(PAIR_REPORT, {**_REPORT_FORMS, ANNOTATED: _COPIES}, render_report, ".pdf")
REPORTS = ExportKind(BUNDLE, _REPORT_FORMS, render_report, ".html")
CLASS = ExportKind(
    CLASS_REPORT,
    {
        ".html": Form(
            N_("Web page, one file"),
            N_("What is unusual in the class, with pictures, groups and all students. Needs no network."),
            _AS_PRINTED,
        ),
        ".pdf": Form(N_("PDF"), N_("The same for printing and filing.")),
    },
    render_class_report,
)
STUDENT = ExportKind(
    STUDENT_REPORT,
    {
        ".html": Form(
            N_("Web page, one file"),
            N_("The essay in full, the text of each source in a colour, and all sources with their shares."),
            _AS_PRINTED,
        ),
        ".pdf": Form(N_("PDF"), N_("The same for printing and filing.")),
    },
    render_student_report,
)
GRADES = ExportKind(
    GRADE_SHEET,
    {".xlsx": Form(N_("Excel workbook"), _SHEET_DETAIL), ".csv": Form(N_("CSV table"), _SHEET_DETAIL)},
    render_grade_sheet,
)
PAIRS = ExportKind(
    TABLE,
    {
        ".xlsx": Form(
            N_("Excel workbook"),
            N_("The pairs with bars and filters, the documents and the settings on sheets of their own."),
            N_("The first sheet; two more list the documents and the settings."),
        ),
        ".csv": Form(N_("CSV table"), N_("The pairs as plain rows, for any spreadsheet or program.")),
    },
    render_table,
)


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """Choices for an export.

    form: file suffix or ANNOTATED; name: file name without suffix; packing: one of those of the source, if it
    has any; pseudonyms: None if names are not replaced; course, teacher: for the first page of a case file
    """

    form: str
    language: str
    with_notes: bool
    folder: Path
    name: str
    packing: str = ONE_FILE
    pseudonyms: Pseudonyms | None = None
    course: str = ""
    teacher: str = ""

    @property
    def suffix(self) -> str:
        return {ONE_FILE: self.form, FOLDER: "", ZIP: ZIP}[self.packing]


@dataclass(frozen=True, slots=True)
class ExportResult:
    """Result of an export: written files or folders, errors in words, and remarks on what was written."""

    paths: tuple[Path, ...]
    errors: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ExportSource:
    """Something to be exported, as it was when the source was made.

    key: identifies it in the preferences; title: its label; names: both texts of a single pair
    freeze: returns the contents, given `with_notes`; may read the thesaurus. excerpt: likewise, a part that
        is enough for the preview, if not all is needed
    class_name: common folder of the files, or empty; files: whose texts may be quoted
    packings: with their labels; notes: what to say of each form
    """

    key: str
    title: str
    kind: ExportKind
    freeze: Callable[..., Any]
    excerpt: Callable[..., Any] | None = None
    class_name: str = ""
    names: str = ""
    files: Collection[Path] = ()
    packings: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """Suffixes and texts of the forms."""
        return [(suffix, _(form.text)) for suffix, form in self.kind.forms.items()]

    def detail(self, form: str) -> str:
        """Return the explanation of a form."""
        return _(self.kind.forms[form].detail)

    def caption(self, form: str) -> str:
        """Return notes on the previewed form and on the contents."""
        return "\n".join(note for note in (_(self.kind.forms[form].note), *self.notes) if note)

    def name(self, plan: ExportPlan) -> str:
        """Suggest a file name, in the language of the export; empty if the files have names already."""
        pattern = CASE_FILE if plan.suffix == CASE_SUFFIX else self.kind.pattern
        with using_language(plan.language):
            return suggested_name(pattern, self._named_after(plan), anonymous=plan.pseudonyms is not None)

    def _named_after(self, plan: ExportPlan) -> str:
        """Return what the file is named after, without names if they are replaced."""
        return self._shown_name(plan)

    def paths(self, plan: ExportPlan) -> tuple[Path, ...]:
        """Return the paths that are written."""
        return (plan.folder / f"{plan.name}{plan.suffix}",)

    def preview(self, plan: ExportPlan) -> ExportRequest:
        form = self._previewed_form(plan)
        key = self.key, form, plan.language, plan.with_notes, plan.pseudonyms, plan.course, plan.teacher
        return ExportRequest(key, partial(self._preview, plan, form))

    def _previewed_form(self, plan: ExportPlan) -> str:
        return previewed_form(plan.form)

    def _preview(self, plan: ExportPlan, form: str, context: ExportContext) -> Preview:
        freeze = self.excerpt or self.freeze
        packed = dump_chunked((self.named(freeze(with_notes=plan.with_notes), plan), plan.pseudonyms))
        arguments = self.kind.render, form, self._shown_name(plan)
        shown: Preview = context.start(run_on, packed, plan.language, preview, *arguments)()
        if self.excerpt is not None and isinstance(shown, RowsPreview):
            return replace(shown, is_all=False)
        return shown

    def _shown_name(self, plan: ExportPlan) -> str:
        """Return the name of the class in the report; "" in an anonymous one, as it may name someone."""
        return self.class_name if plan.pseudonyms is None else ""

    def named(self, contents: Any, plan: ExportPlan) -> Any:
        """Return the contents with the course and the teacher of a plan, if they can have these."""
        if isinstance(contents, PairOfCohort):
            return PairOfCohort(self.named(contents.cohort, plan))
        can_be_named = plan.pseudonyms is None and isinstance(contents, Evidence | Cohort)
        return replace(contents, course=plan.course, teacher=plan.teacher) if can_be_named else contents

    def write(self, plan: ExportPlan, context: ExportContext) -> ExportResult:
        """Render and write the file, or the bundle, complete or not at all."""
        (path,) = self.paths(plan)
        if plan.packing != ONE_FILE:
            return self._write_reports(path, plan, context)
        contents = self.named(self.freeze(with_notes=plan.with_notes), plan)
        packed = dump_chunked((contents, plan.pseudonyms))
        arguments = self.kind.render, plan.form, self._shown_name(plan)
        return write_rendered(path, context, run_on, packed, plan.language, *arguments)

    def _write_reports(self, path: Path, plan: ExportPlan, context: ExportContext) -> ExportResult:
        with worker_errors_as_not_saved(path):
            contents = self._redacted(plan, context)
            if isinstance(contents, ClassCheck):
                # the window imports this module before it is shown
                from simcompare.report.class_report.class_forms import bundle_cohort  # noqa: PLC0415

                cohort = bundle_cohort(contents)
            else:
                contents = cohort = narrowed(contents, contents.pairs)
            context.tick(0, len(cohort.pairs))

            def make_pages(_cohort: Cohort, outcomes: Sequence[Outcome]) -> Mapping[str, bytes]:
                arguments = render_pages, outcomes, self._shown_name(plan)
                packed = dump_chunked((contents, None))
                pages: Mapping[str, bytes] = context.start(run_on, packed, plan.language, *arguments)()
                return pages

            begin = partial(start_report, context, plan.language)
            with using_language(plan.language):
                outcomes = write_bundle(cohort, plan.form, path, context.tick, begin, make_pages)
        return ExportResult((path,), tuple(_missing_reports(cohort, outcomes)))

    def _redacted(self, plan: ExportPlan, context: ExportContext) -> Any:
        """Return the contents, with names replaced if there are pseudonyms."""
        contents = self.named(self.freeze(with_notes=plan.with_notes), plan)
        if plan.pseudonyms is None:
            return contents
        packed = dump_chunked((contents, plan.pseudonyms))
        return load_chunked(context.start(run_on, packed, plan.language, dump_chunked)())


@dataclass(frozen=True, slots=True, eq=False)
class ExportJob:
    source: ExportSource
    plan: ExportPlan

    @property
    def title(self) -> str:
        """Name of the file or folder."""
        place = self.plan.folder if self.plan.form == ANNOTATED else self.paths[0]
        return place.name or str(place)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths that are written, except those already known to be impossible."""
        return self.source.paths(self.plan)

    def run(self, context: ExportContext) -> ExportResult:
        """Render and write it."""
        return self.source.write(self.plan, context)


def write_rendered(
    path: Path, context: ExportContext, task: Callable[..., bytes], *args: object
) -> ExportResult:
    """Render a file in a worker; write it unless the export was stopped meanwhile."""
    with worker_errors_as_not_saved(path):
        data = context.start(task, *args)()
    context.raise_if_stopped()
    _write_file(path, data)
    return ExportResult((path,))


def _write_file(path: Path, data: bytes) -> None:
    """Write a file atomically. Raises ReportNotSavedError; an earlier file is then unchanged."""
    with writing_errors_as(ReportNotSavedError, path):
        write_atomically(path, lambda file: file.write(data))


@dataclass(frozen=True, eq=False)
class StudentSource(ExportSource):
    """Report of one essay with all its sources; path: of its file, label: of its student or file."""

    path: Path = Path()
    label: str = ""

    def _named_after(self, plan: ExportPlan) -> str:
        return essay_name(self.label if plan.pseudonyms is None else _shown_path(self.path, plan).name)


# reports of some pairs


@dataclass(frozen=True, eq=False)
class BundleSource(ExportSource):
    def _previewed_form(self, plan: ExportPlan) -> str:
        return plan.form  # the preview has the names of the reports

    def _preview(self, plan: ExportPlan, form: str, context: ExportContext) -> Preview:
        contents: Cohort = self._redacted(plan, context)
        cohort = narrowed(contents, contents.pairs)
        count = len(cohort.pairs)
        names, lines = cohort.student_labels or cohort.names, []
        for number, pair in enumerate(cohort.pairs[:_MOST_NAMES_SHOWN], start=1):
            lines.append(report_name(number, count, names[pair.left], names[pair.right], form))
        if count > len(lines):
            lines.append(_("and {count} more").format(count=f"{count - len(lines):,}"))
        contents_part = PreviewPart(
            ngettext("{count} report and an index page", "{count} reports and an index page", count),
            remark="\n".join(lines),
        )
        first = next((pair for pair in cohort.pairs if pair.summary is not None), None)
        if first is None:
            return PartsPreview((contents_part,))
        packed = dump_chunked((PairOfCohort(narrowed(cohort, [first])), None))
        arguments = self.kind.render, previewed_form(form), ""
        report = context.start(run_on, packed, plan.language, preview, *arguments)()
        return PartsPreview((contents_part, *(report.parts if isinstance(report, PartsPreview) else ())))


def start_report(
    context: ExportContext, language: str, cohort: Cohort, pair: CohortPair, suffix: str
) -> Callable[[], bytes]:
    """Start the report of a pair in a worker; a `BeginReport` with its first two arguments bound."""
    packed = dump_chunked((PairOfCohort(narrowed(cohort, [pair])), None))
    wait: Callable[[], bytes] = context.start(run_on, packed, language, render_report, suffix)

    def report() -> bytes:
        try:
            return wait()
        except WorkerError as error:
            # the worker died, and the bundle continues without this report
            raise NotReportedError(BROKE_OFF) from error

    return report


def _missing_reports(cohort: Cohort, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield sentences that name the pairs without a report, with causes."""
    failed = [
        (pair, outcome)
        for pair, outcome in zip(cohort.pairs, outcomes, strict=True)
        if isinstance(outcome, Exception)
    ]
    names = cohort.student_labels or cohort.names
    for pair, error in failed[:_MOST_ERRORS_LISTED]:
        both = " ↔ ".join(names[index] for index in (pair.left, pair.right))
        yield _("{names} have no report: {cause}.").format(
            names=both, cause=error_in_words(error).rstrip(".。")
        )
    rest = len(failed) - _MOST_ERRORS_LISTED
    if rest > 0:
        yield _("{count} more pairs have none; the page in the bundle says why.").format(count=f"{rest:,}")


# one pair, and its annotated copies


@dataclass(frozen=True, slots=True)
class OriginalFile:
    """Compared file to be annotated; `error`: why it cannot be; `copy_name`: once there is a plan."""

    side: Side
    path: Path
    password: str | None = field(default=None, repr=False)
    error: SimcompareError | None = None
    copy_name: str = ""


@dataclass(frozen=True, eq=False)
class PairSource(ExportSource):
    """Report of one pair, whose contents are Evidence or PairOfCohort.

    labels, documents: of both sides.
    """

    originals: tuple[OriginalFile, ...] = ()
    labels: tuple[str, str] = ("", "")
    documents: tuple[Document, ...] = ()

    @classmethod
    def of(cls, evidence: Evidence, originals: tuple[OriginalFile, ...]) -> "PairSource":
        """Return the source of a compared pair."""
        comparison = evidence.comparison
        sendable = replace(evidence, review=sendable_review(evidence.review, with_notes=True))

        def freeze(*, with_notes: bool) -> Evidence:
            return sendable if with_notes else replace(sendable, review=sendable.review.without_notes)

        return cls(
            "pair",
            _("The two texts side by side"),
            PAIR,
            freeze,
            names=" ↔ ".join(comparison.names),
            files={side.document.path for side in (comparison.left, comparison.right)},
            originals=originals,
            labels=comparison.names,
            documents=(comparison.left.document, comparison.right.document),
        )

    def name(self, plan: ExportPlan) -> str:
        """Return a file name with the names of both texts; empty for annotated copies."""
        return "" if plan.form == ANNOTATED else super().name(plan)

    def _named_after(self, plan: ExportPlan) -> str:
        if plan.pseudonyms is None:
            return pair_name(*self.labels)
        return pair_name(*(_shown_path(document.path, plan).name for document in self.documents))

    def paths(self, plan: ExportPlan) -> tuple[Path, ...]:
        """Return the path of the report, or those of the copies that can be made."""
        if plan.form != ANNOTATED:
            return super().paths(plan)
        copied = self._planned_originals(plan)
        return tuple(plan.folder / original.copy_name for original in copied if original.error is None)

    def _planned_originals(self, plan: ExportPlan) -> tuple[OriginalFile, ...]:
        """Return the files to annotate with the names of their copies; without names some are refused."""
        with using_language(plan.language):
            names = copy_names(_shown_path(original.path, plan) for original in self.originals)

        def refusal(original: OriginalFile) -> SimcompareError | None:
            if plan.pseudonyms is None:
                return None
            document = self.documents[original.side == "right"]
            return refusal_of(partial(check_anonymous_format, document))

        return tuple(
            replace(original, copy_name=name, error=original.error or refusal(original))
            for original, name in zip(self.originals, names, strict=True)
        )

    def write(self, plan: ExportPlan, context: ExportContext) -> ExportResult:
        """Render and write the report or the copies. If one copy fails, the other is written nevertheless.

        Both are rendered before the first is written, so that an export stopped until then leaves no file.
        """
        if plan.form != ANNOTATED:
            return super().write(plan, context)
        originals = self._planned_originals(plan)
        errors = [str(original.error) for original in originals if original.error is not None]
        started = self._started(plan, originals, context, render_copy)
        copies: list[tuple[OriginalFile, AnnotatedCopy]] = []
        for count, (original, wait) in enumerate(started):
            context.tick(count, len(started))
            try:
                copies.append((original, wait_for_file(original.path, wait)))
            except SimcompareError as error:
                errors.append(str(error))
        context.raise_if_stopped()
        paths: list[Path] = []
        remarks: list[str] = []
        for original, copy in copies:
            path = plan.folder / original.copy_name
            try:
                _write_file(path, copy.data)
            except ReportNotSavedError as error:
                errors.append(str(error))
            else:
                paths.append(path)
                remarks += remarks_in_words(copy, original.path)
        return ExportResult(tuple(paths), tuple(errors), tuple(remarks))

    def _preview(self, plan: ExportPlan, form: str, context: ExportContext) -> Preview:
        if form != ANNOTATED:
            return super()._preview(plan, form, context)
        originals = self._planned_originals(plan)
        waits = dict(self._started(plan, originals, context, preview_copy))
        parts: list[PreviewPart] = []
        for original in originals:
            try:
                if original.error is not None:
                    raise original.error
                first, *others = wait_for_file(original.path, waits[original])
                parts += [replace(first, heading=original.copy_name), *others]
            except SimcompareError as error:
                parts.append(PreviewPart(display_name(original.path.name), str(error)))
        return PartsPreview(tuple(parts))

    def _started(
        self,
        plan: ExportPlan,
        originals: Sequence[OriginalFile],
        context: ExportContext,
        task: Callable[..., Any],
    ) -> list[tuple[OriginalFile, Callable[[], Any]]]:
        """Start the task of each file that can be annotated; return what waits for its result."""
        packed = dump_chunked((self.freeze(with_notes=plan.with_notes), plan.pseudonyms))

        def start(original: OriginalFile) -> Callable[[], Any]:
            arguments = packed, original.side, plan.language, original.password
            return context.start(task, original.path, *arguments)

        return [(original, start(original)) for original in originals if original.error is None]


def refusal_of(check: Callable[[], None]) -> SimcompareError | None:
    """Return the error that a check raises, or None."""
    try:
        check()
    except SimcompareError as error:
        return error
    return None


def _shown_path(file: Path, plan: ExportPlan) -> Path:
    """Return a path with its pseudonym, in the language of the export; unchanged without pseudonyms."""
    if plan.pseudonyms is None:
        return file
    with using_language(plan.language):
        return plan.pseudonyms.path_of(file)
