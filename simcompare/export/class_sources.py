"""Sources of exports of a class: the class report and the grade sheet."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from simcompare.export.chunked_pickle import dump_chunked
from simcompare.export.class_jobs import ClassBundleJob, ClassFileJob, ClassSelection
from simcompare.export.cohort_sources import BundleSource, TableSource, uncompared_note
from simcompare.export.export_context import ExportContext, ExportRequest
from simcompare.export.export_sources import FOLDER, PREVIEW_CAPTIONS, ZIP, ExportPlan, PairSource
from simcompare.export.export_tasks import render_class_report, render_grade_sheet
from simcompare.export.output_paths import CLASS_REPORT, GRADE_SHEET, suggested_name
from simcompare.export.previews import Preview, preview_class_report, preview_grade_sheet
from simcompare.support.i18n import N_, _, ngettext, using_language

_REPORT_FORMS = {".html": N_("Web page, one file"), ".pdf": N_("PDF")}
_REPORT_DETAILS = {
    ".html": N_("What is unusual in the class, with pictures, groups and all students. Needs no network."),
    ".pdf": N_("The same for printing and filing."),
}
_SHEET_FORMS = {".xlsx": N_("Excel workbook"), ".csv": N_("CSV table")}
_SHEET_DETAIL = N_("A row for each student: highest share, nearest student, decision and note.")
ONE_FILE = ""
"""Packing of a class report without the reports of its pairs."""


class _ClassSource:
    """Common part of the sources of a class. `class_name`: common folder of the files, or empty.

    _pattern: of file names, for `suggested_name`; _forms: texts by suffix.
    """

    key: str
    names = ""
    _pattern: str
    _forms: Mapping[str, str]

    def __init__(self, selection: ClassSelection, class_name: str) -> None:
        self.selection = selection
        self.class_name = class_name

    @property
    def files(self) -> Collection[Path]:
        """Files whose texts may be quoted."""
        return self.selection.files

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """Suffixes and texts of the forms."""
        return [(suffix, _(text)) for suffix, text in self._forms.items()]

    def name(self, plan: ExportPlan) -> str:
        """Return a file name with the class name."""
        with using_language(plan.language):
            return suggested_name(self._pattern, self.class_name, anonymous=plan.pseudonyms is not None)

    def shown_name(self, plan: ExportPlan) -> str:
        """Return the name of the class in the report; "" in an anonymous one, as it may name someone."""
        return self.class_name if plan.pseudonyms is None else ""

    def preview(self, plan: ExportPlan) -> ExportRequest:
        """Return the request for the first page or the first rows."""
        return ExportRequest(
            (self.key, plan.language, plan.with_notes, plan.pseudonyms), partial(self._preview, plan)
        )

    def _preview(self, plan: ExportPlan, context: ExportContext) -> Preview:
        raise NotImplementedError

    def _packed(self, plan: ExportPlan) -> bytes:
        return dump_chunked((self.selection.check(with_notes=plan.with_notes), plan.pseudonyms))


class ClassReportSource(_ClassSource):
    """Report of the class, as one file or with the reports of the pairs that it lists."""

    key = "class"
    _pattern = CLASS_REPORT
    _forms = _REPORT_FORMS

    @property
    def title(self) -> str:
        """Label of the source."""
        return _("Class report")

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """One file, or a folder or zip with the reports of pairs."""
        count = self.selection.listed_count
        if not count:
            return ()
        reports = ngettext("{count} report of a pair", "{count} reports of pairs", count)
        return (
            (ONE_FILE, _("One file")),
            (FOLDER, _("A folder, with {reports}").format(reports=reports)),
            (ZIP, _("A zip file, with {reports}").format(reports=reports)),
        )

    def detail(self, form: str) -> str:
        """Return the explanation of a form."""
        return _(_REPORT_DETAILS[form])

    def caption(self, form: str) -> str:
        """Return notes on the previewed form and on pairs without figures."""
        notes = (_(PREVIEW_CAPTIONS.get(form, "")), uncompared_note(self.selection.uncompared_count))
        return "\n".join(note for note in notes if note)

    def paths(self, plan: ExportPlan) -> list[Path]:
        """Return the path of the file, folder or zip."""
        suffixes = {ONE_FILE: plan.form, FOLDER: "", ZIP: ZIP}
        return [plan.folder / f"{plan.name}{suffixes[plan.packing]}"]

    def job(self, plan: ExportPlan) -> ClassFileJob | ClassBundleJob:
        """Return the job that writes the report."""
        (path,) = self.paths(plan)
        choices = plan.pseudonyms, path, plan.form, plan.language, plan.with_notes, self.shown_name(plan)
        if plan.packing == ONE_FILE:
            return ClassFileJob(self.selection, *choices, render_class_report)
        return ClassBundleJob(self.selection, *choices)

    def _preview(self, plan: ExportPlan, context: ExportContext) -> Preview:
        return context.start(preview_class_report, self._packed(plan), self.shown_name(plan), plan.language)()


class GradeSheetSource(_ClassSource):
    """Grade sheet of the class."""

    key = "grades"
    _pattern = GRADE_SHEET
    _forms = _SHEET_FORMS
    packings: Sequence[tuple[str, str]] = ()

    @property
    def title(self) -> str:
        """Label of the source."""
        return _("Grade sheet")

    def detail(self, form: str) -> str:
        """Return the explanation."""
        return _(_SHEET_DETAIL)

    def caption(self, form: str) -> str:
        """Return a note on pairs without figures."""
        return uncompared_note(self.selection.uncompared_count)

    def paths(self, plan: ExportPlan) -> list[Path]:
        """Return the path of the file."""
        return [plan.folder / f"{plan.name}{plan.form}"]

    def job(self, plan: ExportPlan) -> ClassFileJob:
        """Return the job that writes the sheet."""
        (path,) = self.paths(plan)
        choices = plan.pseudonyms, path, plan.form, plan.language, plan.with_notes, ""
        return ClassFileJob(self.selection, *choices, render_grade_sheet)

    def _preview(self, plan: ExportPlan, context: ExportContext) -> Preview:
        return context.start(preview_grade_sheet, self._packed(plan), plan.language)()


ExportSource = PairSource | TableSource | BundleSource | ClassReportSource | GradeSheetSource
