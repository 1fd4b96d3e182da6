"""Snapshot of all documents and pairs of the workspace, and the cohort made from it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.cohort_scoring import Cohort, CohortPair, UnreadDocument, find_groups, groups_of_pairs
from simcompare.cohort.pair_scores import ExclusionCandidateCache, load_thesaurus_or_none
from simcompare.comparison.comparison_result import ExclusionCandidates
from simcompare.comparison.figures import summary_of
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.export.export_tasks import sendable_review
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.support.clock import now
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.cohort.pair_rows_data import Pair, PairState, larger_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.workspace import Workspace

NOT_COMPARED = N_("not compared yet")


@dataclass(frozen=True, slots=True, eq=False)
class CohortSnapshot:
    """All documents and pairs at the time of an export.

    prepared_documents: by document key, in the order of the list; unread: files without a text, with
    errors; rows: the table of pairs (PAIR_ROW); reviews, causes: by the keys of two documents, the lower
    one first. common_by_text: the candidates of text common to the class. limit: share from which a pair is
    unusual and links its documents in a group. labels: of students or files, by key.
    """

    prepared_documents: Mapping[int, PreparedDocument]
    unread: Mapping[Path, SimcompareError | None]
    rows: NDArray[np.void]
    causes: Mapping[Pair, str]
    reviews: Mapping[Pair, PairReview]
    settings: ComparisonSettings
    prompt: PreparedText | None
    common_by_text: CommonByText
    limit: float
    made_at: datetime
    labels: Mapping[int, str]

    def cohort(self, rows: NDArray[np.void], *, with_notes: bool) -> Cohort:
        """Return the cohort of these rows, in their order.

        Reads the thesaurus, which may take a moment.
        """
        place_of = {key: place for place, key in enumerate(self.prepared_documents)}
        groups = find_groups(*_links(self.rows), self.limit)
        members = (tuple(place_of[key] for key in group.members if key in place_of) for group in groups)
        numbers = groups_of_pairs(groups, *_links(rows), self.limit)
        pairs = []
        for row, number in zip(rows, numbers.tolist(), strict=True):
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
                    )
                )
        return Cohort(
            tuple(self.prepared_documents.values()),
            tuple(pairs),
            self.settings,
            load_thesaurus_or_none(self.settings.thesaurus),
            self.made_at,
            self.prompt,
            tuple(UnreadDocument(path, error) for path, error in self.unread.items()),
            tuple(members),
            self.limit,
            student_labels=tuple(map(self.labels.__getitem__, self.prepared_documents)),
            exclusion_candidates=self._exclusion_candidates(),
        )

    def _exclusion_candidates(self) -> tuple[ExclusionCandidates, ...]:
        """Return those of all documents if some text is common to the class."""
        if not self.common_by_text:
            return ()
        found = ExclusionCandidateCache(self.prompt, self.settings.thesaurus, self.common_by_text)
        return tuple(map(found.of, self.prepared_documents.values()))


def snapshot_of(workspace: Workspace) -> CohortSnapshot:
    """Take a snapshot of the workspace."""
    entries = workspace.documents.entries.values()
    pairs, labels = workspace.pairs.table, StudentLabels(workspace)
    return CohortSnapshot(
        {entry.key: entry.prepared_document for entry in entries if entry.prepared_document is not None},
        {entry.path: entry.error for entry in entries if entry.prepared_document is None},
        pairs.rows.copy(),
        dict(pairs.causes),
        dict(workspace.review.pairs()),
        workspace.settings,
        workspace.prompt.prepared,
        workspace.class_state.common_text.by_text,
        workspace.class_state.limit,
        now(),
        {key: labels.text_of(key) for key in workspace.documents.entries},
    )


def reviewed_places(workspace: Workspace, is_wanted: Callable[[PairReview], bool]) -> list[int]:
    """Return the row indices in the table of pairs of the pairs whose review fulfils a predicate."""
    reviews, table = workspace.review.pairs(), workspace.pairs.table
    wanted = (pair for pair, review in reviews.items() if is_wanted(review))
    return [place for pair in wanted if (place := table.place_of(pair)) is not None]


def _links(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return documents and larger share of each row; NaN for a share that is not of the current settings."""
    shares = np.where(rows["state"] == PairState.CURRENT, larger_share(rows), np.nan)
    return rows["left"], rows["right"], shares


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotPairs:
    """Some rows of the table of pairs of a snapshot."""

    snapshot: CohortSnapshot
    rows: NDArray[np.void]

    @property
    def files(self) -> Collection[Path]:
        prepared_documents = self.snapshot.prepared_documents
        keys = {int(key) for side in ("left", "right") for key in self.rows[side]}
        return {prepared_documents[key].document.path for key in keys if key in prepared_documents}

    def cohort(self, *, with_notes: bool, most: int | None = None) -> Cohort:
        """Return the cohort of the pairs, or of the first `most` of them, with all documents that were read.

        `restricted` removes the other documents later, once the groups of all have their pseudonyms.
        """
        cohort = self.snapshot.cohort(self.rows[:most], with_notes=with_notes)
        return cohort if len(self.rows) == len(self.snapshot.rows) else replace(cohort, unread=())
