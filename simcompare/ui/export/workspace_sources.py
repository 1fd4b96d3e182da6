"""Sources of exports for the current state of the workspace, of which they hold a snapshot."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.class_check import ClassCheck, ClassHit, ClassHits
from simcompare.cohort.cohort_scoring import (
    Cohort,
    CohortPair,
    UnreadDocument,
    find_groups,
    groups_of_pairs,
    sorted_by_rank,
)
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.pair_scores import ExclusionCandidateCache, load_thesaurus_or_none
from simcompare.comparison.citations.citation import copying_sides
from simcompare.comparison.figures import summary_of
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.export.export_tasks import PairOfCohort, sendable_review
from simcompare.export.exports import (
    CLASS,
    FOLDER,
    GRADES,
    MOST_ROWS_SHOWN,
    ONE_FILE,
    PAIR,
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
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotate import check_format
from simcompare.report.annotated.annotations import NotAnnotatedError
from simcompare.report.cohort.report_bundle import narrowed, safe_name
from simcompare.report.evidence import Evidence
from simcompare.report.student_report import EssayCheck
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.session.school_class import APART, ClassStudent, DocumentRole, FileRole, Pair, SchoolClass
from simcompare.session.session_file import is_remote
from simcompare.support.clock import now
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_, _, ngettext
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.cohort.pair_order import Places
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.cohort.pair_rows_data import PairState, larger_share, linking_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from simcompare.library.search.search import LibraryHit


NOT_COMPARED = N_("not compared yet")


@dataclass(frozen=True, slots=True, eq=False)
class ClassSnapshot:
    """The class at the time of an export; documents are named by their keys.

    prepared_documents: in the order of the list; unread: those without a text; rows: the table of pairs
    (PAIR_ROW); reviews, causes: by two keys, the lower one first. common_by_text: the candidates of text
    common to the class. limit: share from which a pair is unusual and links its documents in a group.
    labels: of students or files. school: with the roles of all documents. facts: by two keys.
    """

    prepared_documents: Mapping[int, PreparedDocument]
    unread: Mapping[int, UnreadDocument]
    rows: NDArray[np.void]
    causes: Mapping[Pair, str]
    reviews: Mapping[Pair, PairReview]
    settings: ComparisonSettings
    prompt: PreparedText | None
    common_by_text: CommonByText
    limit: float
    made_at: datetime
    labels: Mapping[int, str]
    school: SchoolClass
    facts: Mapping[Pair, PairFacts]

    @property
    def files(self) -> Collection[Path]:
        """Files whose texts may be quoted: those of students and of earlier work that could be read."""
        templates = self.school.with_role(DocumentRole.TEMPLATE)
        return {text.document.path for key, text in self.prepared_documents.items() if key not in templates}

    def files_of(self, rows: NDArray[np.void]) -> Collection[Path]:
        keys = {int(key) for side in ("left", "right") for key in rows[side]} & self.prepared_documents.keys()
        return {self.prepared_documents[key].document.path for key in keys}

    @property
    def listed_count(self) -> int:
        """Number of pairs that the report lists: unusual ones and those with a decision or a note."""
        unusual = self.rows[reaches(larger_share(self.rows), self.limit)]
        pairs = set(zip(unusual["left"].tolist(), unusual["right"].tolist(), strict=True))
        table = set(zip(self.rows["left"].tolist(), self.rows["right"].tolist(), strict=True))
        reviewed = {pair for pair, review in self.reviews.items() if not review.is_empty}
        return len(pairs | (reviewed & table))

    def check(self, *, with_notes: bool) -> ClassCheck:
        """Return the class with or without notes. Reads the thesaurus, which may take a moment."""
        cohort, texts = self.cohort(self.rows, with_notes=with_notes), self.prepared_documents
        cohort = replace(cohort, pairs=sorted_by_rank(cohort.documents, cohort.pairs))
        place_of = {key: place for place, key in enumerate((*texts, *self.unread))}
        # a text that is not grouped yet is one of its own
        others = (
            ClassStudent(text.document.path.name, "", "", False, {key: FileRole.CURRENT})
            for key, text in texts.items()
            if key not in self.school.roles
        )
        school = replace(self.school, students=(*self.school.students, *others)).renumbered(place_of)
        return ClassCheck(cohort, school.read_first(len(texts))).with_linked_groups()

    def essay(self, key: int, hits: Sequence["LibraryHit"] = (), *, with_notes: bool = False) -> EssayCheck:
        """Return the class with one of its documents, the pairs of it, and its hits in the library.

        Pairs still searched for rewritten passages count by their wording.
        """
        own = self.rows[(self.rows["left"] == key) | (self.rows["right"] == key)]
        own["state"][own["state"] == PairState.SEARCHED] = PairState.CURRENT
        check, place = (
            replace(self, rows=own).check(with_notes=with_notes),
            list(self.prepared_documents).index(key),
        )
        found = tuple(ClassHit(place, hit.entry.named, hit.summary, hit.facts) for hit in hits)
        return EssayCheck(replace(check, library_hits=ClassHits(found, (), (), len(found))), place)

    def pair(self, rows: NDArray[np.void], *, with_notes: bool) -> PairOfCohort:
        """Return the pair of the only row."""
        cohort = self.cohort(rows, with_notes=with_notes)
        return PairOfCohort(narrowed(cohort, cohort.pairs))

    def cohort(self, rows: NDArray[np.void], *, with_notes: bool, most: int | None = None) -> Cohort:
        """Return the cohort of these rows, or the first `most` of them, with all documents that were read.

        Reads the thesaurus, which may take a moment. `restricted` removes the other documents later, once the
        groups of all have their pseudonyms.
        """
        place_of = {key: place for place, key in enumerate(self.prepared_documents)}
        groups = find_groups(*_links(self.rows), self.limit)
        members = (tuple(place_of[key] for key in group.members if key in place_of) for group in groups)
        numbers = groups_of_pairs(groups, *_links(rows[:most]), self.limit)
        pairs, essays = [], sum(self.school.role_of(key) not in APART for key in place_of)
        for row, number in zip(rows[:most], numbers.tolist(), strict=True):
            pair = int(row["left"]), int(row["right"])
            if all(key in place_of for key in pair):
                review = self.reviews.get(pair, NO_REVIEW)
                is_current = row["state"] == PairState.CURRENT
                pairs.append(
                    CohortPair(
                        place_of[pair[0]],
                        place_of[pair[1]],
                        summary_of(row) if is_current else None,
                        sendable_review(review, with_notes=with_notes),
                        self.causes.get(pair, "") if row["state"] == PairState.FAILED else NOT_COMPARED,
                        number,
                        rank_score=None if isnan(row["rank_score"]) else float(row["rank_score"]),
                        facts=self.facts.get(pair, NO_FACTS),
                        copying=copying_sides(self.school.are_essays(pair), essays),
                    )
                )
        documents = tuple(self.prepared_documents.values())
        candidates = ExclusionCandidateCache(self.prompt, self.settings.thesaurus, self.common_by_text)
        return Cohort(
            documents,
            tuple(pairs),
            self.settings,
            load_thesaurus_or_none(self.settings.thesaurus),
            self.made_at,
            self.prompt,
            tuple(self.unread.values()) if len(rows) == len(self.rows) else (),
            tuple(members),
            self.limit,
            student_labels=tuple(map(self.labels.__getitem__, self.prepared_documents)),
            exclusion_candidates=tuple(map(candidates.of, documents)) if self.common_by_text else (),
        )


def class_snapshot(workspace: Workspace) -> ClassSnapshot:
    entries, state = workspace.documents.entries, workspace.class_state
    pairs, labels = workspace.pairs.table, StudentLabels(workspace)
    texts = {key: entry.prepared_document for key, entry in entries.items()}
    return ClassSnapshot(
        {key: text for key, text in texts.items() if text is not None},
        {key: UnreadDocument(each.path, each.error) for key, each in entries.items() if texts[key] is None},
        pairs.rows.copy(),
        dict(pairs.causes),
        dict(workspace.review.pairs()),
        workspace.settings,
        workspace.prompt.prepared,
        state.common_text.by_text,
        state.limit,
        now(),
        {key: labels.text_of(key) for key in entries},
        replace(state.school, limit=state.chosen_limit, common=state.common),
        state.facts(wait=True),
    )


def _links(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return documents and linking share of each row; NaN for one that is not of the current settings."""
    shares = np.where(rows["state"] == PairState.CURRENT, linking_share(rows), np.nan)
    return rows["left"], rows["right"], shares


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
    evidence = Evidence(comparison, workspace.thesaurus, now(), review, state.shown_facts(wait=True))
    return PairSource.of(evidence, _originals(workspace, sides.values()))


def _originals(workspace: Workspace, keys: Iterable[int]) -> tuple[OriginalFile, ...]:
    """Return the files of the left and the right document, to be annotated."""
    entries = [workspace.documents.entries[key] for key in keys]
    left, right = ((entry.path, entry.options.password, _annotation_error(entry)) for entry in entries)
    return OriginalFile("left", *left), OriginalFile("right", *right)


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
    fine = set(_reviewed_places(workspace, lambda review: review.is_fine))
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
        # the pair in Compare has a source already
        if not len(rows) or (key == "chosen" and is_compared_pair(workspace, places)):
            continue
        count = len(fine.intersection(places))
        of_no_concern = ngettext(
            "{count} pair is marked as no concern.", "{count} pairs are marked as no concern.", count
        )
        notes = (of_no_concern if count else "", _uncompared_note(rows))
        if len(rows) == 1:
            both = int(rows[0]["left"]), int(rows[0]["right"])
            left, right = (snapshot.labels[each] for each in both)
            documents = tuple(snapshot.prepared_documents[each].document for each in both)
            source: ExportSource = PairSource(
                key,
                _(singular),
                PAIR,
                partial(snapshot.pair, rows),
                names=f"{left} ↔ {right}" if key == "chosen" else "",
                files={each.path for each in documents},
                notes=notes,
                originals=_originals(workspace, both),
                labels=(left, right),
                documents=documents,
            )
        else:
            source = BundleSource(
                key,
                _(plural).format(count=f"{len(rows):,}"),
                REPORTS,
                partial(snapshot.cohort, rows),
                class_name=name,
                files=snapshot.files_of(rows),
                packings=((FOLDER, _("A folder")), (ZIP, _("A zip file"))),
                notes=notes,
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
        of_class("grades", _("Mark sheet"), GRADES, files=()),
        table,
    ]


def _student_source(snapshot: ClassSnapshot, key: int, hits: "Sequence[LibraryHit]") -> StudentSource:
    path, label = snapshot.prepared_documents[key].document.path, snapshot.labels[key]
    own = snapshot.rows[(snapshot.rows["left"] == key) | (snapshot.rows["right"] == key)]
    return StudentSource(
        "student",
        _("All sources of {name}").format(name=label),
        STUDENT,
        partial(snapshot.essay, key, hits),
        files={path},
        notes=(_uncompared_note(own),),
        path=path,
        label=label,
    )


def _reviewed_places(workspace: Workspace, is_wanted: Callable[[PairReview], bool]) -> list[int]:
    """Return the row indices in the table of pairs of the pairs whose review fulfils a predicate."""
    reviews = workspace.review.pairs()
    return workspace.pairs.table.places_of(pair for pair, review in reviews.items() if is_wanted(review))


def _uncompared_note(rows: NDArray[np.void]) -> str:
    """Return the number of pairs without figures of the current settings; empty if all have figures."""
    count = int(np.count_nonzero(rows["state"] != PairState.CURRENT))
    words = ngettext("{count} pair is not compared yet.", "{count} pairs are not compared yet.", count)
    return words if count else ""
