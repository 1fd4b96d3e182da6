"""Sources of exports of many pairs: the table of pairs, and bundles of reports."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from simcompare.export.chunked_pickle import dump_chunked
from simcompare.export.export_context import ExportContext, ExportRequest
from simcompare.export.export_jobs import BundleJob, PairSelection, TableJob, pseudonymised_cohort
from simcompare.export.export_sources import (
    FOLDER,
    FORM_DETAILS,
    PREVIEW_CAPTIONS,
    ZIP,
    ExportPlan,
)
from simcompare.export.output_paths import BUNDLE, TABLE, suggested_name
from simcompare.export.previews import (
    PartsPreview,
    Preview,
    PreviewPart,
    preview_pair_report,
    preview_table,
    previewed_form,
)
from simcompare.report.cohort.report_bundle import narrowed, report_name
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _, ngettext, using_language

_TABLE_FORMS = {".xlsx": N_("Excel workbook"), ".csv": N_("CSV table")}
_TABLE_DETAILS = {
    ".xlsx": N_("The pairs with bars and filters, the documents and the settings on sheets of their own."),
    ".csv": N_("The pairs as plain rows, for any spreadsheet or program."),
}
_MOST_ROWS_SHOWN = 100
_MOST_NAMES_SHOWN = 12


class TableSource:
    """Table of the listed pairs in their order. `class_name`: common folder of the files, or empty."""

    key = "table"
    names = ""  # too many for a label
    files: Collection[Path] = ()  # a table contains no texts
    packings: Sequence[tuple[str, str]] = ()

    def __init__(self, pairs: PairSelection, class_name: str) -> None:
        self._pairs = pairs
        self._class_name = class_name

    @property
    def title(self) -> str:
        """Label of the source, with the number of rows."""
        count, total = self._pairs.count, self._pairs.total
        if count == total:
            return _("The table of all {count} pairs").format(count=f"{count:,}")
        words = _("The table, {count} of {total} pairs as listed")
        return words.format(count=f"{count:,}", total=f"{total:,}")

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """Workbook and plain rows."""
        return [(suffix, _(text)) for suffix, text in _TABLE_FORMS.items()]

    def detail(self, form: str) -> str:
        """Return the explanation of a form."""
        return _(_TABLE_DETAILS[form])

    def caption(self, form: str) -> str:
        """Return a note on what the preview of a workbook omits, and on pairs without figures."""
        more = _("The first sheet; two more list the documents and the settings.")
        return _joined([more if form == ".xlsx" else "", uncompared_note(self._pairs.uncompared_count)])

    def name(self, plan: ExportPlan) -> str:
        """Return a file name with the class name."""
        with using_language(plan.language):
            return suggested_name(TABLE, self._class_name, anonymous=plan.pseudonyms is not None)

    def paths(self, plan: ExportPlan) -> list[Path]:
        """Return the path of the file."""
        return [plan.folder / f"{plan.name}{plan.form}"]

    def job(self, plan: ExportPlan) -> TableJob:
        """Return the job that writes the table."""
        (path,) = self.paths(plan)
        return TableJob(self._pairs, plan.pseudonyms, path, plan.form, plan.language, plan.with_notes)

    def preview(self, plan: ExportPlan) -> ExportRequest:
        """Return the request for the first rows."""
        make = partial(_preview_table, self._pairs, plan)
        return ExportRequest((self.key, plan.language, plan.with_notes, plan.pseudonyms), make)


class BundleSource:
    """Reports of some pairs. `title` names the selection; `names`: both texts of a single pair."""

    def __init__(self, key: str, title: str, pairs: PairSelection, class_name: str, names: str = "") -> None:
        self.key = key
        self.title = title
        self._pairs = pairs
        self._class_name = class_name
        self.names = names

    @property
    def files(self) -> Collection[Path]:
        """Files of the pairs."""
        return self._pairs.files

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """All report forms."""
        return [(suffix, _(form.text)) for suffix, form in FORMS.items()]

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """Folder and zip."""
        return ((FOLDER, _("A folder")), (ZIP, _("A zip file")))

    def detail(self, form: str) -> str:
        """Return the explanation of a form."""
        return _(FORM_DETAILS.get(form, ""))

    def caption(self, form: str) -> str:
        """Return notes on the previewed form, on pairs decided to be fine and on pairs without figures."""
        notes = [
            _(PREVIEW_CAPTIONS.get(form, "")),
            _fine_note(self._pairs),
            uncompared_note(self._pairs.uncompared_count),
        ]
        return _joined(notes)

    def name(self, plan: ExportPlan) -> str:
        """Return a name with the class name."""
        with using_language(plan.language):
            return suggested_name(BUNDLE, self._class_name, anonymous=plan.pseudonyms is not None)

    def paths(self, plan: ExportPlan) -> list[Path]:
        """Return the path of the folder or zip."""
        return [plan.folder / f"{plan.name}{ZIP if plan.packing == ZIP else ''}"]

    def job(self, plan: ExportPlan) -> BundleJob:
        """Return the job that writes the bundle."""
        (path,) = self.paths(plan)
        return BundleJob(self._pairs, plan.pseudonyms, path, plan.form, plan.language, plan.with_notes)

    def preview(self, plan: ExportPlan) -> ExportRequest:
        """Return the request for the names of the reports and the first page of the first one."""
        make = partial(_preview_bundle, self._pairs, plan)
        return ExportRequest((self.key, plan.form, plan.language, plan.with_notes, plan.pseudonyms), make)


def uncompared_note(count: int) -> str:
    """Return the number of pairs without figures of the current settings; empty if all have figures."""
    if not count:
        return ""
    return ngettext("{count} pair is not compared yet.", "{count} pairs are not compared yet.", count)


def _fine_note(pairs: PairSelection) -> str:
    """Return the number of pairs decided to be fine; empty if there are none."""
    count = sum(review.overall.decision is Decision.FINE for review in pairs.reviews)
    if not count:
        return ""
    return ngettext(
        "{count} pair is marked as no concern.",
        "{count} pairs are marked as no concern.",
        count,
    )


def _joined(sentences: Sequence[str]) -> str:
    return "\n".join(sentence for sentence in sentences if sentence)


def _preview_table(pairs: PairSelection, plan: ExportPlan, context: ExportContext) -> Preview:
    packed = dump_chunked((pairs.cohort(with_notes=plan.with_notes, most=_MOST_ROWS_SHOWN), plan.pseudonyms))
    is_all = pairs.count <= _MOST_ROWS_SHOWN
    return context.start(preview_table, packed, is_all, plan.language)()


def _preview_bundle(pairs: PairSelection, plan: ExportPlan, context: ExportContext) -> Preview:
    """Return the names of the reports and the preview of the first one."""
    cohort = pseudonymised_cohort(pairs, plan.pseudonyms, plan.language, context, with_notes=plan.with_notes)
    count = len(cohort.pairs)
    names, lines = cohort.student_labels or cohort.names, []
    for number, pair in enumerate(cohort.pairs[:_MOST_NAMES_SHOWN], start=1):
        lines.append(report_name(number, count, names[pair.left], names[pair.right], plan.form))
    if count > len(lines):
        lines.append(_("and {count} more").format(count=f"{count - len(lines):,}"))
    contents = PreviewPart(
        ngettext("{count} report and an index page", "{count} reports and an index page", count),
        remark="\n".join(lines),
    )
    first = next((pair for pair in cohort.pairs if pair.summary is not None), None)
    if first is None:
        return PartsPreview((contents,))
    packed = dump_chunked(narrowed(cohort, [first]))
    report = context.start(preview_pair_report, packed, previewed_form(plan.form), plan.language)()
    return PartsPreview((contents, *(report.parts if isinstance(report, PartsPreview) else ())))
