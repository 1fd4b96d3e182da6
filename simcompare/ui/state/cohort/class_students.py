"""Students of the documents in the window, and the roles of their documents."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from simcompare.cohort.class_check import DocumentRole
from simcompare.cohort.students.student_groups import ClassStudent

APART = frozenset({DocumentRole.OLD, DocumentRole.TEMPLATE})
"""Roles of documents that no student of the class handed in."""
_COMPARED = frozenset({DocumentRole.CURRENT, DocumentRole.OLD})


@dataclass(frozen=True, slots=True)
class WindowStudent:
    """A student of the class, or a document whose student is unknown.

    id: number, else name, else name of the file; unique. name, number: "" if unknown. keys: of the documents,
    those that count first. is_listed: the student is in a class list. other_names: as in `ClassStudent`.
    """

    id: str
    name: str
    number: str
    keys: tuple[int, ...]
    is_listed: bool
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArrangedClass:
    """Students in the order of their first documents, and the role of each document that is known."""

    students: tuple[WindowStudent, ...] = ()
    roles: Mapping[int, DocumentRole] = field(default_factory=dict)

    @property
    def compared(self) -> set[int]:
        """Keys of the documents that have pairs; the others with a role are drafts and templates."""
        return {key for key, role in self.roles.items() if role in _COMPARED}


def arranged(
    groups: Iterable[ClassStudent],
    keys: Mapping[Path, Sequence[int]],
    chosen: Mapping[int, DocumentRole],
    unreadable: Collection[int],
) -> ArrangedClass:
    """Arrange documents by student; a role that was chosen replaces the one that was detected.

    keys: of the documents by path. unreadable: those without a text, which count only if a student has
    nothing else, and then only if the student is in a class list. Of a student whose documents have no
    chosen role for it, one document is current.
    """
    roles = {key: role for key, role in chosen.items() if role in APART}
    students = []
    for group in groups:
        paths = dict.fromkeys(file.path for file in group.files)
        own = [key for path in paths for key in keys.get(path, ()) if key not in roles]
        if not (own and group.is_listed) and all(key in unreadable for key in own):
            continue
        current = _current(own, chosen, unreadable)
        roles |= {key: DocumentRole.CURRENT if key in current else DocumentRole.DRAFT for key in own}
        own.sort(key=lambda key: key not in current)
        student = group.id, group.name, group.number, tuple(own), group.is_listed, group.other_names
        students.append(WindowStudent(*student))
    return ArrangedClass(tuple(students), roles)


def _current(own: Sequence[int], chosen: Mapping[int, DocumentRole], unreadable: Collection[int]) -> set[int]:
    """Return the documents of a student that count; `own` in the order in which they would."""
    chosen_current = {key for key in own if chosen.get(key) is DocumentRole.CURRENT}
    if chosen_current:
        return chosen_current
    free = [key for key in own if key not in chosen]
    readable = [key for key in free if key not in unreadable]
    return set((readable or free)[:1])
