"""A session of a class that was checked, and students as a session holds them."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path

import numpy as np

from simcompare.cohort.class_check import ClassCheck, DocumentRole
from simcompare.cohort.cohort_data import UnreadDocument
from simcompare.cohort.pair_scores import PairScores
from simcompare.cohort.sessions.scored_class import ScoredClass, figures_of, saved_scores
from simcompare.cohort.students.file_roles import FileRole
from simcompare.cohort.students.student_groups import ClassStudent, StudentFile
from simcompare.session.class_data import FIGURES, Roster, SavedClass, SavedRole, SavedStudent
from simcompare.session.session_data import Pair, Session, SessionDocument


def saved_student(student: ClassStudent, places: Mapping[Path, int]) -> SavedStudent:
    """Convert a student with those files that the session has; places: numbers of the documents by path."""
    files = [file for file in student.files if file.path in places]
    return SavedStudent(
        student.id,
        student.name,
        student.number,
        student.is_listed,
        tuple(places[file.path] for file in files),
        tuple(file.role.value for file in files),
    )


def class_student(saved: SavedStudent, paths: Sequence[Path]) -> ClassStudent:
    """Convert a student of a session back; paths: of its documents in order.

    In sessions of earlier programs, which have no roles, all files but the first count as drafts.
    """
    without_roles = (FileRole.CURRENT, *repeat(FileRole.DRAFT, len(saved.documents) - 1))
    roles = tuple(map(FileRole, saved.roles)) or without_roles
    files = (StudentFile(paths[place], role) for place, role in zip(saved.documents, roles, strict=True))
    return ClassStudent(saved.id, saved.name, saved.number, tuple(files), saved.is_listed)


_CHOSEN_ROLES: Mapping[DocumentRole, SavedRole] = {DocumentRole.OLD: "old", DocumentRole.TEMPLATE: "template"}
"""Roles that the caller of a check gave; the others are found again."""


def session_of(
    check: ClassCheck,
    unread: Sequence[UnreadDocument],
    scores: Mapping[Pair, PairScores],
    rosters: Sequence[Roster] = (),
) -> Session:
    """Return a session of all documents, and of the files that could not be read, with the scores."""
    cohort = check.cohort
    documents = (
        *(SessionDocument(each.document.path, document=each.document) for each in cohort.documents),
        *(SessionDocument(each.path, error=each.error) for each in unread),
    )
    return Session(
        documents,
        settings=cohort.settings,
        school_class=_class(check, rosters),
        scores=saved_scores(_scored(check, scores), range(len(documents))),
    )


def _class(check: ClassCheck, rosters: Sequence[Roster]) -> SavedClass:
    place = {each.document.path: number for number, each in enumerate(check.cohort.documents)}
    return SavedClass(
        {number: _CHOSEN_ROLES[role] for number, role in enumerate(check.roles) if role in _CHOSEN_ROLES},
        tuple(rosters),
        None,
        tuple(saved_student(each, place) for each in check.groups.students),
        check.groups.missing,
    )


def _scored(check: ClassCheck, scores: Mapping[Pair, PairScores]) -> ScoredClass:
    cohort = check.cohort
    summaries = {(pair.left, pair.right): pair.summary for pair in cohort.pairs}
    candidates = zip(cohort.documents, cohort.exclusion_candidates, strict=False)
    return ScoredClass(
        {number: document.prepared for number, document in enumerate(cohort.documents)},
        scores,
        np.array([figures_of(summaries[pair]) for pair in scores], FIGURES),
        cohort.settings,
        cohort.prompt,
        check.common,
        {document.prepared: each.common for document, each in candidates if each.common is not None},
    )
