"""Sources of exports for the current state of the workspace."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simcompare.export.exports import (
    CLASS,
    FOLDER,
    GRADES,
    MOST_ROWS_SHOWN,
    ONE_FILE,
    PAIRS,
    REPORTS,
    STUDENT,
    ZIP,
    BundleSource,
    ExportSource,
    OriginalFile,
    PairSource,
    StudentSource,
    refusal_of,
)
from simcompare.export.reported_pairs import IS_OF_KIND
from simcompare.model.errors import FileNotReadableError, SimcompareError
from simcompare.report.annotated.annotate import check_format, copy_names
from simcompare.report.annotated.annotation_marks import NotAnnotatedError
from simcompare.report.cohort.report_bundle import safe_name
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import Decision, PairReview, outcome_of
from simcompare.session.session_file import is_remote
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.cohort.pair_order import Places
from simcompare.ui.export.class_snapshot import ClassSnapshot, class_snapshot
from simcompare.ui.state.cohort.pair_rows_data import PairState
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from simcompare.library.search.search import LibraryHit

_PASTED = N_("it was pasted and has no file")
_REMOTE = N_("it is on another computer")


def pair_source(workspace: Workspace) -> PairSource | None:
    """Return the source of the pair in Compare, or None before it is compared."""
    comparison, sides = workspace.comparison, workspace.documents.sides
    if comparison is None:
        return None
    review = workspace.review.pair_review(sides[Side.LEFT], sides[Side.RIGHT])
    files, shown = (
        (label_of(sides[Side.LEFT]), label_of(sides[Side.RIGHT]))
        for label_of in (workspace.documents.name_of, StudentLabels(workspace).text_of)
    )
    comparison = replace(comparison, cohort_labels=files, student_labels=shown)
    state = workspace.class_state
    evidence = Evidence(comparison, workspace.thesaurus, now(), review, state.shown_facts)
    entries = [entry for side in Side if (entry := workspace.documents.entry_on(side)) is not None]
    left, right = (
        (entry.path, name, entry.options.password, _annotation_error(entry))
        for entry, name in zip(entries, copy_names(entry.path for entry in entries), strict=True)
    )
    return PairSource.of(evidence, (OriginalFile("left", *left), OriginalFile("right", *right)))


def is_compared_pair(workspace: Workspace, places: Places | Sequence[int]) -> bool:
    """Return whether these rows of the table of pairs are one: that of the pair in Compare."""
    if workspace.comparison is None or len(places) != 1:
        return False
    [row] = workspace.pairs.table.rows[places]
    return {int(row["left"]), int(row["right"])} == set(workspace.documents.sides.values())


def _annotation_error(entry: DocumentEntry) -> SimcompareError | None:
    """Return why a file cannot be annotated, as far as is known without reading it."""
    if entry.pasted is not None:
        return NotAnnotatedError(entry.path, cause=_PASTED)
    if is_remote(str(entry.path)) and entry.stamp is None:
        return FileNotReadableError(entry.path, cause=_REMOTE)  # known only from a session
    return None if entry.document is None else refusal_of(partial(check_format, entry.document))


def cohort_sources(
    workspace: Workspace,
    listed: Places,
    chosen: Places,
    session_name: str = "",
    essay: int | None = None,
    hits: "Sequence[LibraryHit]" = (),
) -> list[ExportSource]:
    """Return the sources of many pairs: bundles of some, the report of the class and the tables.

    listed, chosen: row indices in the table of pairs. session_name: of a saved session; without it files are
    named after the folder of the class. essay: key of the document whose sources are reported; hits: its
    hits in the library.
    """
    snapshot = class_snapshot(workspace)
    if not len(snapshot.rows):
        return []
    # templates and earlier work may be anywhere: the folder is that of all that was handed in
    named_after = session_name or workspace.class_state.folder
    name = safe_name(named_after) if named_after else ""
    sources: list[ExportSource] = []
    copied = _reviewed_places(workspace, IS_OF_KIND["copied"])
    judged = _reviewed_places(workspace, IS_OF_KIND["judged"])
    fine = set(
        _reviewed_places(workspace, lambda review: outcome_of(review.overall.decision) is Decision.FINE)
    )
    for key, places, singular, plural in (
        ("chosen", chosen, N_("The selected pair"), N_("The {count} selected pairs")),
        ("copied", copied, N_("The pair marked as copied"), N_("All {count} pairs marked as copied")),
        (
            "judged",
            judged if len(judged) > len(copied) else [],  # otherwise they are the copied ones
            N_("The pair with a decision or note"),
            N_("All {count} pairs with a decision or note"),
        ),
    ):
        rows = snapshot.rows[places]
        single = {int(rows[0][side]) for side in ("left", "right")} if len(rows) == 1 else set()
        # the pair in Compare has a source already
        if len(rows) and not (key == "chosen" and is_compared_pair(workspace, places)):
            title = _(singular) if single else _(plural).format(count=f"{len(rows):,}")
            names = " ↔ ".join(snapshot.labels[each] for each in sorted(single)) if key == "chosen" else ""
            count = len(fine.intersection(places))
            of_no_concern = ngettext(
                "{count} pair is marked as no concern.", "{count} pairs are marked as no concern.", count
            )
            source = BundleSource(
                key,
                title,
                REPORTS,
                partial(snapshot.cohort, rows),
                class_name=name,
                names=names,
                files=snapshot.files_of(rows),
                packings=((FOLDER, _("A folder")), (ZIP, _("A zip file"))),
                notes=(of_no_concern if count else "", _uncompared_note(rows)),
            )
            sources.append(source)
    if essay is not None and essay in snapshot.prepared_documents:
        sources.append(_student_source(snapshot, essay, hits))
    rows = snapshot.rows[listed]
    of_class = partial(
        ExportSource,
        freeze=snapshot.check,
        class_name=name,
        files=snapshot.files,
        notes=(_uncompared_note(snapshot.rows),),
    )
    count = snapshot.listed_count
    reports = ngettext("{count} report of a pair", "{count} reports of pairs", count)
    packings = (
        (ONE_FILE, _("One file")),
        (FOLDER, _("A folder, with {reports}").format(reports=reports)),
        (ZIP, _("A zip file, with {reports}").format(reports=reports)),
    )
    words = _("The table, {count} of {total} pairs as listed")
    if len(rows) == len(snapshot.rows):
        words = _("The table of all {count} pairs")
    listed_pairs = partial(snapshot.cohort, rows)
    table = ExportSource(
        "table",
        words.format(count=f"{len(rows):,}", total=f"{len(snapshot.rows):,}"),
        PAIRS,
        listed_pairs,
        excerpt=partial(listed_pairs, most=MOST_ROWS_SHOWN) if len(rows) > MOST_ROWS_SHOWN else None,
        class_name=name,
        notes=(_uncompared_note(rows),),
    )
    return [
        *sources,
        of_class("class", _("Class report"), CLASS, packings=packings if count else ()),
        of_class("grades", _("Grade sheet"), GRADES),
        table,
    ]


def _student_source(snapshot: ClassSnapshot, key: int, hits: "Sequence[LibraryHit]") -> StudentSource:
    path, label = snapshot.prepared_documents[key].document.path, snapshot.labels[key]
    own = snapshot.rows[(snapshot.rows["left"] == key) | (snapshot.rows["right"] == key)]
    return StudentSource(
        "student",
        _("All sources of one essay"),
        STUDENT,
        partial(snapshot.essay, key, hits),
        names=label,
        files={path},
        notes=(_uncompared_note(own),),
        path=path,
        label=label,
    )


def _reviewed_places(workspace: Workspace, is_wanted: Callable[[PairReview], bool]) -> list[int]:
    """Return the row indices in the table of pairs of the pairs whose review fulfils a predicate."""
    reviews, table = workspace.review.pairs(), workspace.pairs.table
    wanted = (pair for pair, review in reviews.items() if is_wanted(review))
    return [place for pair in wanted if (place := table.place_of(pair)) is not None]


def _uncompared_note(rows: NDArray[np.void]) -> str:
    """Return the number of pairs without figures of the current settings; empty if all have figures."""
    count = int(np.count_nonzero(rows["state"] != PairState.CURRENT))
    words = ngettext("{count} pair is not compared yet.", "{count} pairs are not compared yet.", count)
    return words if count else ""
