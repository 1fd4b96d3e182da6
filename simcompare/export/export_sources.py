"""Plan of an export, and the source of the report and the annotated copies of one pair."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from simcompare.export.chunked_pickle import dump_chunked
from simcompare.export.export_context import ExportContext, ExportRequest, wait_for_file
from simcompare.export.export_jobs import CopiesJob, OriginalFile, ReportJob
from simcompare.export.export_tasks import sendable_review
from simcompare.export.previews import (
    PartsPreview,
    Preview,
    PreviewPart,
    preview_copy,
    preview_report,
    previewed_form,
)
from simcompare.model.errors import SimcompareError
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.anonymous_copies import check_anonymous_format
from simcompare.report.annotated.annotate import copy_names
from simcompare.report.annotated.annotation_marks import prepared_document_of
from simcompare.report.cohort.report_bundle import pair_name
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import FORMS
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, using_language

ANNOTATED = "annotated"
"""Form of annotated copies, used in place of a file suffix."""
FOLDER, ZIP = "folder", ".zip"
"""Packings of a bundle."""
FORM_DETAILS = {
    ".html": N_("Both texts side by side in any browser, the matches one click apart. Needs no network."),
    ".pdf": N_("For printing and filing: figures, passages, matches with their reasons, and both texts."),
    ".docx": N_("The same as a document that you can edit."),
    ".json": N_("Every match with its figures, for other programs."),
    ".csv": N_("A row for each match, for a spreadsheet."),
    ANNOTATED: N_(
        "Copies of the compared files with their matches highlighted and commented. "
        "The files stay as they are."
    ),
}
PREVIEW_CAPTIONS = {
    ".html": N_("The contents as printed. The web page is wider, and can be clicked."),
    ".docx": N_("The contents as printed. Word may break pages elsewhere."),
}


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """Choices for an export.

    form: file suffix or ANNOTATED; name: file name without suffix; packing: FOLDER or ZIP for a bundle, else
    empty; pseudonyms: None if names are not replaced.
    """

    form: str
    language: str
    with_notes: bool
    folder: Path
    name: str
    packing: str = ""
    pseudonyms: Pseudonyms | None = None


class PairSource:
    """Report and annotated copies of one pair. `key` identifies the source in the preferences."""

    key = "pair"
    packings: Sequence[tuple[str, str]] = ()

    def __init__(self, evidence: Evidence, originals: tuple[OriginalFile, ...]) -> None:
        self._evidence = evidence
        self._originals = originals

    @property
    def title(self) -> str:
        """Label of the source."""
        return _("The two texts side by side")

    @property
    def names(self) -> str:
        """Names of both texts."""
        return " ↔ ".join(self._evidence.comparison.names)

    @property
    def files(self) -> Collection[Path]:
        """Both files."""
        comparison = self._evidence.comparison
        return {side.document.path for side in (comparison.left, comparison.right)}

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """All report forms, and annotated copies."""
        return [
            *((suffix, _(form.text)) for suffix, form in FORMS.items()),
            (ANNOTATED, _("Annotated originals")),
        ]

    def detail(self, form: str) -> str:
        """Return the explanation of a form."""
        return _(FORM_DETAILS.get(form, ""))

    def caption(self, form: str) -> str:
        """Return a note if the preview shows another form."""
        return _(PREVIEW_CAPTIONS.get(form, ""))

    def name(self, plan: ExportPlan) -> str:
        """Return a file name with the names of both texts; empty for annotated copies."""
        if plan.form == ANNOTATED:
            return ""
        comparison = self._evidence.comparison
        if plan.pseudonyms is None:
            return pair_name(*comparison.names)
        left, right = (
            _shown_path(side.document.path, plan).name for side in (comparison.left, comparison.right)
        )
        return pair_name(left, right)

    def paths(self, plan: ExportPlan) -> list[Path]:
        """Return the path of the report, or those of the copies."""
        if plan.form == ANNOTATED:
            copied = self._planned_originals(plan)
            return [plan.folder / original.copy_name for original in copied if original.error is None]
        return [plan.folder / f"{plan.name}{plan.form}"]

    def job(self, plan: ExportPlan) -> CopiesJob | ReportJob:
        """Return the job that writes the report or the copies."""
        evidence = self._evidence_for(plan)
        if plan.form == ANNOTATED:
            originals = self._planned_originals(plan)
            return CopiesJob(evidence, plan.pseudonyms, originals, plan.folder, plan.language)
        (path,) = self.paths(plan)
        return ReportJob(evidence, plan.pseudonyms, path, plan.form, plan.language)

    def preview(self, plan: ExportPlan) -> ExportRequest:
        """Return the request for the preview of the report or the copies."""
        evidence = self._evidence_for(plan)
        form = previewed_form(plan.form)
        make = (
            partial(_preview_copies, evidence, self._planned_originals(plan), plan)
            if plan.form == ANNOTATED
            else partial(_preview_report, evidence, form, plan)
        )
        return ExportRequest((self.key, form, plan.language, plan.with_notes, plan.pseudonyms), make)

    def _planned_originals(self, plan: ExportPlan) -> tuple[OriginalFile, ...]:
        """Return the files to annotate; in an anonymous plan, renamed and with formats refused."""
        if plan.pseudonyms is None:
            return self._originals
        names = copy_names(_shown_path(original.path, plan) for original in self._originals)
        return tuple(
            replace(original, copy_name=name, error=original.error or self._anonymous_refusal(original))
            for original, name in zip(self._originals, names, strict=True)
        )

    def _anonymous_refusal(self, original: OriginalFile) -> SimcompareError | None:
        document = prepared_document_of(self._evidence.comparison, original.side).document
        return refusal_of(partial(check_anonymous_format, document))

    def _evidence_for(self, plan: ExportPlan) -> Evidence:
        review = sendable_review(self._evidence.review, with_notes=plan.with_notes)
        return replace(self._evidence, review=review)


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


def _preview_report(evidence: Evidence, suffix: str, plan: ExportPlan, context: ExportContext) -> Preview:
    packed = dump_chunked((evidence, plan.pseudonyms))
    return context.start(preview_report, packed, suffix, plan.language)()


def _preview_copies(
    evidence: Evidence, originals: Sequence[OriginalFile], plan: ExportPlan, context: ExportContext
) -> Preview:
    packed = dump_chunked((evidence, plan.pseudonyms))
    waits = [
        None
        if original.error
        else context.start(
            preview_copy,
            original.path,
            packed,
            original.side,
            plan.language,
            original.password,
            original.copy_name,
        )
        for original in originals
    ]
    parts: list[PreviewPart] = []
    for original, wait in zip(originals, waits, strict=True):
        try:
            parts += wait_for_file(original.path, wait) if wait else [_error_part(original, original.error)]
        except SimcompareError as error:
            parts.append(_error_part(original, error))
    return PartsPreview(tuple(parts))


def _error_part(original: OriginalFile, error: SimcompareError | None) -> PreviewPart:
    return PreviewPart(display_name(original.path.name), str(error))
