"""Snapshot of the class in the workspace, and the check made from it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.cohort.class_check import ArrangedClass, ClassCheck, DocumentRole
from simcompare.cohort.cohort_scoring import sorted_by_share
from simcompare.cohort.common_text import CommonSentence
from simcompare.cohort.students.student_groups import StudentGroups
from simcompare.support.display_text import reaches
from simcompare.ui.export.cohort_snapshot import CohortSnapshot
from simcompare.ui.state.cohort.pair_rows_data import larger_share
from simcompare.ui.state.workspace import Workspace


@dataclass(frozen=True, slots=True, eq=False)
class ClassSnapshot:
    """The class at the time of an export.

    paths: by key of the document; arranged: students and roles by key; detected: students by path, before
    roles were chosen. common: with keys of documents. is_limit_chosen: a teacher chose the limit from which
    pairs are unusual.
    """

    cohort: CohortSnapshot
    paths: Mapping[int, Path]
    arranged: ArrangedClass
    detected: StudentGroups
    common: tuple[CommonSentence, ...]
    is_limit_chosen: bool

    @property
    def files(self) -> Collection[Path]:
        """Files whose texts may be quoted: those of students and of earlier work that could be read."""
        keys = self.cohort.prepared_documents
        return {self.paths[key] for key in keys if self.arranged.role_of(key) is not DocumentRole.TEMPLATE}

    @property
    def listed_count(self) -> int:
        """Number of pairs that the report lists: unusual ones and those with a decision or a note."""
        rows = self.cohort.rows
        unusual = rows[reaches(larger_share(rows), self.cohort.limit)]
        pairs = set(zip(unusual["left"].tolist(), unusual["right"].tolist(), strict=True))
        table = set(zip(rows["left"].tolist(), rows["right"].tolist(), strict=True))
        reviewed = {pair for pair, review in self.cohort.reviews.items() if not review.is_empty}
        return len(pairs | (reviewed & table))

    def check(self, *, with_notes: bool) -> ClassCheck:
        """Return the class with or without notes. Reads the thesaurus, which may take a moment."""
        cohort = self.cohort.cohort(self.cohort.rows, with_notes=with_notes)
        cohort = replace(cohort, pairs=sorted_by_share(cohort.documents, cohort.pairs))
        keys = list(self.cohort.prepared_documents)
        place_of = {key: place for place, key in enumerate(keys)}
        check = ClassCheck(
            cohort,
            tuple(map(self.arranged.role_of, keys)),
            self.arranged.groups(self.paths, self.cohort.prepared_documents, self.detected),
            tuple(
                replace(
                    sentence,
                    documents=tuple(place_of[key] for key in sentence.documents if key in place_of),
                )
                for sentence in self.common
            ),
            self.cohort.limit if self.is_limit_chosen else None,
        )
        return check.with_linked_groups()


def class_snapshot(workspace: Workspace, cohort: CohortSnapshot) -> ClassSnapshot:
    """Take a snapshot of the class; cohort: the snapshot of its documents and pairs."""
    state, entries = workspace.class_state, workspace.documents.entries
    return ClassSnapshot(
        cohort,
        {key: entry.path for key, entry in entries.items()},
        state.arranged,
        state.grouping.groups,
        state.common,
        state.chosen_limit is not None,
    )
