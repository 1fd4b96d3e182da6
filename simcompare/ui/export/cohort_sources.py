"""Many pairs as something that can be exported: their table, and the reports of some of them."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from simcompare.export.export_jobs import Bench, BundleJob, Job, TableJob, told_cohort
from simcompare.export.export_tasks import Leaf, Leaves, Preview, preview_pair_report, preview_table
from simcompare.export.export_workers import parcel
from simcompare.report.cohort.report_bundle import narrowed, report_name, safe_name
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import Decision
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import N_, _, ngettext, using_language
from simcompare.ui.cohort.pair_order import Places
from simcompare.ui.export.cohort_snapshot import ManyPairs, is_copied, is_judged, places_of, snapshot_of
from simcompare.ui.export.export_sources import AS_ON_PAPER, DETAILS, FOLDER, ZIP, Plan, shown_as
from simcompare.ui.export.preview_view import Wanted
from simcompare.ui.state.cohort.pair_columns_data import PairState
from simcompare.ui.state.workspace import Workspace

_TABLES = {".xlsx": N_("Excel workbook"), ".csv": N_("CSV table")}
_TABLE_DETAILS = {
    ".xlsx": N_("The pairs with bars and filters, the documents and the settings on sheets of their own."),
    ".csv": N_("The pairs as plain rows, for any spreadsheet or program."),
}
_MOST_ROWS_SHOWN = 100
_MOST_NAMES_SHOWN = 12


class TableSource:
    """The rows of the table of pairs that are listed, as they are listed."""

    key = "table"

    def __init__(self, pairs: ManyPairs, class_name: str) -> None:
        self._pairs = pairs
        self._class_name = class_name

    @property
    def title(self) -> str:
        """Say how many rows it has."""
        count, total = len(self._pairs.rows), len(self._pairs.snapshot.rows)
        if count == total:
            return _("The table of all {count} pairs").format(count=f"{count:,}")
        words = _("The table, {count} of {total} pairs as listed")
        return words.format(count=f"{count:,}", total=f"{total:,}")

    @property
    def names(self) -> str:
        """Name nobody: there are too many."""
        return ""

    @property
    def files(self) -> Collection[Path]:
        """None: it has figures."""
        return ()

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """A workbook, or plain rows."""
        return [(suffix, _(text)) for suffix, text in _TABLES.items()]

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """None: it is one file."""
        return ()

    def detail(self, form: str) -> str:
        """Return what a form is good for."""
        return _(_TABLE_DETAILS[form])

    def caption(self, form: str) -> str:
        """Say that a workbook has other sheets, and how many figures are missing."""
        more = _("The first sheet; two more tell of the documents and the settings.")
        return _joined([more if form == ".xlsx" else "", _missing(self._pairs)])

    def name(self, plan: Plan) -> str:
        """Return a name made of that of the class."""
        return _name(N_("{name} – pairs"), self._class_name, plan)

    def places(self, plan: Plan) -> list[Path]:
        """Return the one file."""
        return [plan.folder / f"{plan.name}{plan.form}"]

    def job(self, plan: Plan) -> Job:
        """Return what writes it."""
        (place,) = self.places(plan)
        return TableJob(self._pairs, plan.pseudonyms, place, plan.form, plan.language, plan.with_notes)

    def preview(self, plan: Plan) -> Wanted:
        """Return what shows the first rows."""
        make = partial(_preview_of_table, self._pairs, plan)
        return Wanted((self.key, plan.language, plan.with_notes, plan.pseudonyms), make)


class BundleSource:
    """The reports of some pairs; `title` says which, and `names` whom a single one is about."""

    def __init__(self, key: str, title: str, pairs: ManyPairs, class_name: str, names: str = "") -> None:
        self.key = key
        self._title = title
        self._pairs = pairs
        self._class_name = class_name
        self._names = names

    @property
    def title(self) -> str:
        """Say which pairs, and how many."""
        return self._title

    @property
    def names(self) -> str:
        """Name both texts of a single pair; those of several the preview names."""
        return self._names

    @property
    def files(self) -> Collection[Path]:
        """Those of the pairs."""
        return self._pairs.files

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """Every form of a report."""
        return [(suffix, _(form.text)) for suffix, form in FORMS.items()]

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """A folder or a zip."""
        return ((FOLDER, _("A folder")), (ZIP, _("A zip file")))

    def detail(self, form: str) -> str:
        """Return what a form is good for."""
        return _(DETAILS.get(form, ""))

    def caption(self, form: str) -> str:
        """Say whether the page shown is that of another form, and of pairs that one might not expect."""
        return _joined([_(AS_ON_PAPER.get(form, "")), _fine(self._pairs), _missing(self._pairs)])

    def name(self, plan: Plan) -> str:
        """Return a name made of that of the class."""
        return _name(N_("{name} – reports"), self._class_name, plan)

    def places(self, plan: Plan) -> list[Path]:
        """Return the folder or the zip."""
        return [plan.folder / f"{plan.name}{ZIP if plan.packing == ZIP else ''}"]

    def job(self, plan: Plan) -> Job:
        """Return what writes it."""
        (place,) = self.places(plan)
        return BundleJob(self._pairs, plan.pseudonyms, place, plan.form, plan.language, plan.with_notes)

    def preview(self, plan: Plan) -> Wanted:
        """Return what shows the reports by name, and the first page of the first one."""
        make = partial(_preview_of_bundle, self._pairs, plan)
        return Wanted((self.key, plan.form, plan.language, plan.with_notes, plan.pseudonyms), make)


def _name(pattern: str, class_name: str, plan: Plan) -> str:
    """Return a name made of that of the class, where it has one, in the language of what is written."""
    with using_language(plan.language):
        told = class_name if plan.pseudonyms is None else plan.pseudonyms.replaced(class_name)
        name = _(pattern).format(name=told or _("Comparison"))
        return name if plan.pseudonyms is None else _("{name} – anonymous").format(name=name)


def _missing(pairs: ManyPairs) -> str:
    """Return how many pairs have no figures of the present settings; empty where all have."""
    count = int(np.count_nonzero(pairs.rows["state"] != PairState.CURRENT))
    if not count:
        return ""
    text = ngettext("{count} pair is not compared yet.", "{count} pairs are not compared yet.", count)
    return text.format(count=f"{count:,}")


def _fine(pairs: ManyPairs) -> str:
    """Return how many pairs were judged as fine; empty where none was."""
    count = sum(review.overall.decision is Decision.FINE for review in pairs.reviews)
    text = ngettext(
        "{count} pair is judged as fine, and marked so.",
        "{count} pairs are judged as fine, and marked so.",
        count,
    )
    return text.format(count=f"{count:,}") if count else ""


def _joined(sentences: Sequence[str]) -> str:
    return "\n".join(sentence for sentence in sentences if sentence)


def _preview_of_table(pairs: ManyPairs, plan: Plan, bench: Bench) -> Preview:
    packed = parcel((pairs.cohort(with_notes=plan.with_notes, most=_MOST_ROWS_SHOWN), plan.pseudonyms))
    is_all = len(pairs.rows) <= _MOST_ROWS_SHOWN
    return bench.begin(preview_table, Path(), packed, is_all, plan.language)()


def _preview_of_bundle(pairs: ManyPairs, plan: Plan, bench: Bench) -> Preview:
    """Return the names of the reports, and how the first one begins."""
    cohort = told_cohort(pairs, plan.pseudonyms, plan.language, bench, with_notes=plan.with_notes)
    count = len(cohort.pairs)
    called, names = cohort.names, []
    for number, pair in enumerate(cohort.pairs[:_MOST_NAMES_SHOWN], start=1):
        names.append(report_name(number, count, called[pair.left], called[pair.right], plan.form))
    if count > len(names):
        names.append(_("and {count} more").format(count=f"{count - len(names):,}"))
    text = ngettext(
        "{count} report, and a page that leads to it",
        "{count} reports, and a page that leads to them",
        count,
    )
    contents = Leaf(text.format(count=f"{count:,}"), aside="\n".join(names))
    first = next((pair for pair in cohort.pairs if pair.summary is not None), None)
    if first is None:
        return Leaves((contents,))
    packed = parcel(narrowed(cohort, [first]))
    begun = bench.begin(preview_pair_report, Path(), packed, shown_as(plan.form), plan.language)()
    return Leaves((contents, *(begun.leaves if isinstance(begun, Leaves) else ())))


# what there is in the window


def many_pairs(workspace: Workspace, listed: Places, chosen: Places) -> list[TableSource | BundleSource]:
    """Return what can be exported of many pairs: those chosen, those judged as copied, the table."""
    snapshot = snapshot_of(workspace)
    if not len(snapshot.rows):
        return []
    name = _class_name(workspace)
    sources: list[TableSource | BundleSource] = []
    shown = set(workspace.documents.sides.values()) if workspace.comparison is not None else None
    copied, judged = (places_of(workspace, is_wanted) for is_wanted in (is_copied, is_judged))
    for key, places, one, several in (
        ("chosen", chosen, N_("The chosen pair"), N_("The {count} chosen pairs")),
        ("copied", copied, N_("The pair judged as copied"), N_("All {count} pairs judged as copied")),
        (
            "judged",
            judged if len(judged) > len(copied) else [],  # else they are the same
            N_("The pair with a decision or note"),
            N_("All {count} pairs with a decision or note"),
        ),
    ):
        rows = snapshot.rows[places]
        single = {int(rows[0][side]) for side in ("left", "right")} if len(rows) == 1 else set()
        if len(rows) and not (key == "chosen" and single == shown):  # that is offered by itself
            title = _(one) if single else _(several).format(count=f"{len(rows):,}")
            names = _names_of(workspace, single) if key == "chosen" else ""
            sources.append(BundleSource(key, title, ManyPairs(snapshot, rows), name, names))
    return [*sources, TableSource(ManyPairs(snapshot, snapshot.rows[listed]), name)]


def _names_of(workspace: Workspace, keys: Collection[int]) -> str:
    """Return what the documents of these keys are called in the list."""
    entries = workspace.documents.entries
    names = distinct_labels([entry.path for entry in entries.values()])
    return " ↔ ".join(name for key, name in zip(entries, names, strict=True) if key in keys)


def _class_name(workspace: Workspace) -> str:
    """Return what the documents go by together; nothing where they are from here and there.

    That is the folder they are in, or that of the folders, one a student, they are in.
    """
    paths = [entry.path for entry in workspace.documents.entries.values()]
    folders = {path.parent for path in paths if path.is_absolute()}
    for common in [*folders, *(folder.parent for folder in folders)]:
        if common.name and all(common in {folder, folder.parent} for folder in folders):
            return safe_name(common.name)
    return ""
