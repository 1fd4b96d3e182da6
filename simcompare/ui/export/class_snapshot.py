"""Snapshot of the class in the workspace, and the check made from it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.cohort.class_check import ClassCheck, DocumentRole
from simcompare.cohort.cohort_scoring import sorted_by_share
from simcompare.cohort.common_text import CommonSentence
from simcompare.cohort.students.file_roles import FileRole
from simcompare.cohort.students.student_groups import ClassStudent, StudentFile, StudentGroups
from simcompare.pseudonyms.students import Student
from simcompare.support.display_text import reaches
from simcompare.ui.export.cohort_snapshot import CohortSnapshot
from simcompare.ui.state.cohort.class_students import WindowStudent
from simcompare.ui.state.cohort.pair_rows_data import larger_share
from simcompare.ui.state.workspace import Workspace

HANDED_IN = frozenset({DocumentRole.CURRENT, DocumentRole.DRAFT})
"""Roles of the files of students."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassSnapshot:
    """The class at the time of an export.

    paths, roles: of the documents by key; file_roles: those detected, by path. common: with keys of
    documents. is_limit_chosen: a teacher chose the limit from which pairs are unusual.
    """

    cohort: CohortSnapshot
    paths: Mapping[int, Path]
    roles: Mapping[int, DocumentRole]
    file_roles: Mapping[Path, FileRole]
    students: tuple[WindowStudent, ...]
    missing: tuple[Student, ...]
    common: tuple[CommonSentence, ...]
    is_limit_chosen: bool

    @property
    def files(self) -> Collection[Path]:
        """Files whose texts may be quoted: those of students and of earlier work that could be read."""
        keys = self.cohort.prepared_documents
        return {self.paths[key] for key in keys if self.roles[key] is not DocumentRole.TEMPLATE}

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
            tuple(self.roles[key] for key in keys),
            self._groups(),
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

    def _groups(self) -> StudentGroups:
        students = [self._student(student) for student in self._all_students()]
        read = set(self.cohort.prepared_documents)
        with_text = [
            replace(student, files=files, unread=tuple(self.paths[key] for key in keys if key not in read))
            for keys, student in students
            if (files := tuple(self._file(key) for key in keys if key in read))
        ]
        without_text = [student for keys, student in students if read.isdisjoint(keys)]
        return StudentGroups(tuple(with_text), self.missing, tuple(without_text))

    def _all_students(self) -> Iterator[WindowStudent]:
        """Yield the students, then a unit for each text that is not grouped yet."""
        yield from self.students
        grouped = {key for student in self.students for key in student.keys}
        for key, role in self.roles.items():
            if role in HANDED_IN and key not in grouped and key in self.cohort.prepared_documents:
                yield WindowStudent(self.paths[key].name, "", "", (key,), is_listed=False)

    def _student(self, student: WindowStudent) -> tuple[tuple[int, ...], ClassStudent]:
        files = tuple(map(self._file, student.keys))
        parts = student.id, student.name, student.number, files, student.is_listed, (), student.other_names
        return student.keys, ClassStudent(*parts)

    def _file(self, key: int) -> StudentFile:
        path = self.paths[key]
        if self.roles[key] is DocumentRole.CURRENT:
            return StudentFile(path, FileRole.CURRENT)
        detected = self.file_roles.get(path, FileRole.DRAFT)
        return StudentFile(path, FileRole.DRAFT if detected is FileRole.CURRENT else detected)


def class_snapshot(workspace: Workspace, cohort: CohortSnapshot) -> ClassSnapshot:
    """Take a snapshot of the class; cohort: the snapshot of its documents and pairs."""
    state, entries = workspace.class_state, workspace.documents.entries
    return ClassSnapshot(
        cohort,
        {key: entry.path for key, entry in entries.items()},
        {key: state.role_of(key) for key in entries},
        state.grouping.groups.roles,
        state.students,
        state.missing,
        state.common,
        state.chosen_limit is not None,
    )
