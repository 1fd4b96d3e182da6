"""A session of a class that was checked."""

from collections.abc import Iterable

from simcompare.cohort.class_check import ClassCheck, DocumentRole, joined_templates
from simcompare.cohort.cohort_data import UnreadDocument
from simcompare.session.session_data import Session, SessionDocument


def session_of(check: ClassCheck, unread: Iterable[UnreadDocument]) -> Session:
    """Return a session of the current documents and of the files that could not be read.

    Drafts and earlier work have no place in a session: it compares all its documents with each other.
    """
    by_role = list(zip(check.roles, check.cohort.documents, strict=True))
    current = (document for role, document in by_role if role is DocumentRole.CURRENT)
    templates = [document for role, document in by_role if role is DocumentRole.TEMPLATE]
    prompt = joined_templates(templates)
    return Session(
        (
            *(SessionDocument(each.document.path, document=each.document) for each in current),
            *(SessionDocument(each.path, error=each.error) for each in unread),
        ),
        settings=check.cohort.settings,
        prompt=None if prompt is None else prompt.document,
    )
