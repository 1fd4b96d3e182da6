"""Snapshot of the class in the workspace with all its documents and pairs, and what is exported of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
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
from simcompare.export.export_tasks import sendable_review
from simcompare.model.settings import ComparisonSettings
from simcompare.report.student_report.essay_sources import EssayCheck
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.session.school_class import APART, ClassStudent, DocumentRole, FileRole, SchoolClass
from simcompare.support.clock import now
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.cohort.pair_rows_data import Pair, PairState, larger_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
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
        """Return the class with one of its documents, the pairs of it, and its hits in the library."""
        own = self.rows[(self.rows["left"] == key) | (self.rows["right"] == key)]
        check, place = (
            replace(self, rows=own).check(with_notes=with_notes),
            list(self.prepared_documents).index(key),
        )
        found = tuple(ClassHit(place, hit.entry.named, hit.summary, hit.facts) for hit in hits)
        return EssayCheck(replace(check, library_hits=ClassHits(found, (), (), len(found))), place)

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
    """Take a snapshot of the workspace."""
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
        state.facts(),
    )


def _links(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return documents and larger share of each row; NaN for a share that is not of the current settings."""
    shares = np.where(rows["state"] == PairState.CURRENT, larger_share(rows), np.nan)
    return rows["left"], rows["right"], shares
