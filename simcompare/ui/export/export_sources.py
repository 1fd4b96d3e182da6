"""What can be exported, in which forms, and what that takes."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from simcompare.export.export_jobs import Bench, CopiesJob, Job, Original, ReportJob, awaited_for_file
from simcompare.export.export_tasks import ON_PAPER, Leaf, Leaves, Preview, preview_copy, preview_report
from simcompare.export.export_workers import parcel
from simcompare.model.errors import FileNotReadableError, SimcompareError
from simcompare.pseudonyms.opening_lines import opening_of
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.anonymous_copies import check_anonymous_format
from simcompare.report.annotated.annotate import check_format, copy_names
from simcompare.report.annotated.annotation_errors import NotAnnotatedError
from simcompare.report.annotated.annotation_marks import prepared_document_of
from simcompare.report.cohort.report_bundle import pair_name
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import FORMS
from simcompare.session.session_reader import is_remote
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, using_language
from simcompare.ui.export.cohort_snapshot import sendable_review
from simcompare.ui.export.preview_view import Wanted
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace

ANNOTATED = "annotated"
"""Stands among the endings of forms for annotated copies of the compared files."""
_PASTED = N_("it was pasted here, and there is no file of it")
_REMOTE = N_("it is on another computer")
FOLDER, ZIP = "folder", ".zip"
"""What many files are put in."""
DETAILS = {
    ".html": N_("Both texts side by side in any browser, the matches one click apart. Needs no network."),
    ".pdf": N_("For printing and for the file: figures, matches with their reasons, and both texts."),
    ".docx": N_("The same as a document that can be edited and added to."),
    ".json": N_("Every match with its figures, for other programs."),
    ".csv": N_("A row for each match, for a spreadsheet."),
    ANNOTATED: N_(
        "Copies of the compared files with their matches highlighted and commented. "
        "The files stay as they are."
    ),
}
AS_ON_PAPER = {
    ".html": N_("The contents as they look on paper. The web page has them wider, and can be clicked."),
    ".docx": N_("The contents as they look on paper. Word may set its pages otherwise."),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How something is to be written.

    form: an ending or ANNOTATED; name: without an ending; packing: FOLDER or ZIP, where there are many files;
    pseudonyms: None where nobody is made anonymous.
    """

    form: str
    language: str
    with_notes: bool
    folder: Path
    name: str
    packing: str = ""
    pseudonyms: Pseudonyms | None = None


def shown_as(form: str) -> str:
    """Return the form whose preview stands for that of a form."""
    return ".pdf" if form in ON_PAPER else form


class Source(Protocol):
    """Something that can be exported. `key` is what preferences call it."""

    key: str

    @property
    def title(self) -> str:
        """What it is."""

    @property
    def names(self) -> str:
        """Which texts it is about."""

    @property
    def files(self) -> Collection[Path]:
        """The files whose texts stand in it."""

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """The forms it can have, and what a person calls them."""

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """What its files can be put in, and what a person calls that; empty where there are few."""

    def detail(self, form: str) -> str:
        """Return what a form is good for."""

    def caption(self, form: str) -> str:
        """Return what must be known of the preview; empty where it is as the file will be."""

    def name(self, plan: Plan) -> str:
        """Return a name for the file, without its ending; empty where the names are given."""

    def places(self, plan: Plan) -> list[Path]:
        """Return the files that will be written."""

    def job(self, plan: Plan) -> Job:
        """Return what writes them."""

    def preview(self, plan: Plan) -> Wanted:
        """Return what shows how they begin."""


class PairSource:
    """The pair on show, as it is judged now."""

    key = "pair"

    def __init__(self, evidence: Evidence, originals: tuple[Original, ...]) -> None:
        self._evidence = evidence
        self._originals = originals

    @property
    def title(self) -> str:
        """Say that it is the one that stands side by side."""
        return _("The two texts side by side")

    @property
    def names(self) -> str:
        """Name both texts."""
        return " ↔ ".join(self._evidence.comparison.names)

    @property
    def files(self) -> Collection[Path]:
        """Both."""
        comparison = self._evidence.comparison
        return {side.document.path for side in (comparison.left, comparison.right)}

    @property
    def forms(self) -> Sequence[tuple[str, str]]:
        """Every form of a report, and the annotated originals."""
        return [
            *((suffix, _(form.text)) for suffix, form in FORMS.items()),
            (ANNOTATED, _("Annotated originals")),
        ]

    @property
    def packings(self) -> Sequence[tuple[str, str]]:
        """None: they lie beside each other."""
        return ()

    def detail(self, form: str) -> str:
        """Return what a form is good for."""
        return _(DETAILS.get(form, ""))

    def caption(self, form: str) -> str:
        """Say so where the page that is shown is that of another form."""
        return _(AS_ON_PAPER.get(form, ""))

    def name(self, plan: Plan) -> str:
        """Return a name made of both."""
        if plan.form == ANNOTATED:
            return ""
        comparison = self._evidence.comparison
        if plan.pseudonyms is None:
            return pair_name(*comparison.names)
        left, right = (
            _path_of(side.document.path, plan).name for side in (comparison.left, comparison.right)
        )
        return pair_name(left, right)

    def places(self, plan: Plan) -> list[Path]:
        """Return the file of the report, or those of the copies."""
        if plan.form == ANNOTATED:
            return [plan.folder / one.copy_name for one in self._copied(plan) if one.trouble is None]
        return [plan.folder / f"{plan.name}{plan.form}"]

    def job(self, plan: Plan) -> Job:
        """Return what writes them."""
        evidence = self._told(plan)
        if plan.form == ANNOTATED:
            return CopiesJob(evidence, plan.pseudonyms, self._copied(plan), plan.folder, plan.language)
        (place,) = self.places(plan)
        return ReportJob(evidence, plan.pseudonyms, place, plan.form, plan.language)

    def preview(self, plan: Plan) -> Wanted:
        """Return what shows how they begin."""
        evidence = self._told(plan)
        shown = shown_as(plan.form)
        make = (
            partial(_preview_of_copies, evidence, self._copied(plan), plan)
            if plan.form == ANNOTATED
            else partial(_preview_of_report, evidence, shown, plan)
        )
        return Wanted((self.key, shown, plan.language, plan.with_notes, plan.pseudonyms), make)

    def _copied(self, plan: Plan) -> tuple[Original, ...]:
        """Return the files to annotate; in an anonymous plan, renamed and with formats refused."""
        if plan.pseudonyms is None:
            return self._originals
        names = copy_names(_path_of(one.path, plan) for one in self._originals)
        return tuple(
            replace(one, copy_name=name, trouble=one.trouble or self._anonymous_refusal(one))
            for one, name in zip(self._originals, names, strict=True)
        )

    def _anonymous_refusal(self, original: Original) -> SimcompareError | None:
        document = prepared_document_of(self._evidence.comparison, original.side).document
        return _refusal(partial(check_anonymous_format, document))

    def _told(self, plan: Plan) -> Evidence:
        review = sendable_review(self._evidence.review, with_notes=plan.with_notes)
        return replace(self._evidence, review=review)


def _path_of(file: Path, plan: Plan) -> Path:
    """Return the name a file goes by, in the language of what is written."""
    if plan.pseudonyms is None:
        return file
    with using_language(plan.language):
        return plan.pseudonyms.path_of(file)


def _preview_of_report(evidence: Evidence, suffix: str, plan: Plan, bench: Bench) -> Preview:
    path = evidence.comparison.left.document.path
    return bench.begin(preview_report, path, parcel((evidence, plan.pseudonyms)), suffix, plan.language)()


def _preview_of_copies(
    evidence: Evidence, originals: Sequence[Original], plan: Plan, bench: Bench
) -> Preview:
    packed = parcel((evidence, plan.pseudonyms))
    begun = [
        None
        if one.trouble
        else bench.begin(preview_copy, one.path, packed, one.side, one.password, plan.language, one.copy_name)
        for one in originals
    ]
    leaves: list[Leaf] = []
    for original, result in zip(originals, begun, strict=True):
        try:
            leaves += (
                awaited_for_file(original.path, result) if result else [_trouble(original, original.trouble)]
            )
        except SimcompareError as error:
            leaves.append(_trouble(original, error))
    return Leaves(tuple(leaves))


def _trouble(original: Original, error: SimcompareError | None) -> Leaf:
    return Leaf(display_name(original.path.name), str(error))


# what there is in the window


def pair_on_show(workspace: Workspace) -> PairSource | None:
    """Return the pair side by side, where it is compared."""
    comparison, sides = workspace.comparison, workspace.documents.sides
    if comparison is None:
        return None
    review = workspace.review.pair_review(sides[Side.LEFT], sides[Side.RIGHT])
    left, right = (workspace.documents.names[sides[side]].text for side in (Side.LEFT, Side.RIGHT))
    comparison = replace(comparison, cohort_labels=(left, right))
    evidence = Evidence(comparison, workspace.thesaurus, datetime.now().astimezone(), review)
    entries = [entry for side in Side if (entry := workspace.documents.entry_on(side)) is not None]
    return PairSource(evidence, originals_of(entries))


def openings_of(entries: Iterable[DocumentEntry]) -> dict[Path, str]:
    """Return each file with the beginning of its text, which may tell whose it is."""
    return {entry.path: opening_of(entry.document) for entry in entries}


def originals_of(entries: Sequence[DocumentEntry]) -> tuple[Original, ...]:
    """Return the files of the left and the right text, and why they cannot be annotated."""
    names = copy_names(entry.path for entry in entries)
    left, right = (
        (entry.path, name, entry.options.password, _trouble_of(entry))
        for entry, name in zip(entries, names, strict=True)
    )
    return Original("left", *left), Original("right", *right)


def _trouble_of(entry: DocumentEntry) -> SimcompareError | None:
    """Return why a file gets no copy, as far as that is known without looking at it."""
    if entry.pasted is not None:
        return NotAnnotatedError(entry.path, cause=_PASTED)
    if is_remote(str(entry.path)) and entry.stamp is None:
        return FileNotReadableError(entry.path, cause=_REMOTE)  # named by a session alone
    return None if entry.document is None else _refusal(partial(check_format, entry.document))


def _refusal(check: Callable[[], None]) -> SimcompareError | None:
    try:
        check()
    except SimcompareError as error:
        return error
    return None
