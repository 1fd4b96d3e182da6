"""A session of a class that was checked."""

from collections.abc import Mapping, Sequence

import numpy as np

from simcompare.cohort.class_check import ClassCheck, DocumentRole
from simcompare.cohort.cohort_data import UnreadDocument
from simcompare.cohort.pair_scores import PairScores
from simcompare.cohort.sessions.saved_students import saved_student
from simcompare.cohort.sessions.scored_class import ScoredClass, figures_of, saved_scores
from simcompare.session.class_data import FIGURES, Roster, SavedClass, SavedRole
from simcompare.session.session_data import Pair, Session, SessionDocument

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
