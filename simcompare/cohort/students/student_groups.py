"""Group handed-in files by student, with the role of each file, and find who has not handed in."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.cohort.students.file_roles import FileRole, SubmittedText, roles_of
from simcompare.cohort.students.student_identity import ClassList, FileIdentity, file_identities
from simcompare.pseudonyms.students import Student, name_key
from simcompare.support.display_text import distinct_labels


@dataclass(frozen=True, slots=True)
class StudentFile:
    """A file of a student and its role."""

    path: Path
    role: FileRole


@dataclass(frozen=True, slots=True)
class ClassStudent:
    """A student with all files handed in, or a file whose student is unknown.

    id: number, else name, else name of the file; unique in the class. name, number: "" if unknown. files: the
    current one first, then in the order of the class. is_listed: the student is in the class list. unread:
    further files, which could not be read. other_names: further ones in the files, or of the number in the
    class list, to be checked by the teacher.
    """

    id: str
    name: str
    number: str
    files: tuple[StudentFile, ...]
    is_listed: bool = False
    unread: tuple[Path, ...] = ()
    other_names: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name and number, or the id if neither is known."""
        return " ".join(filter(None, (self.name, self.number))) or self.id

    @property
    def current(self) -> Path:
        """The file that counts."""
        return self.files[0].path


@dataclass(frozen=True, slots=True)
class StudentGroups:
    """Students in the order of their first files, and those of the class list without any file.

    unread: students none of whose files could be read; these are their `files`.
    """

    students: tuple[ClassStudent, ...]
    missing: tuple[Student, ...] = ()
    unread: tuple[ClassStudent, ...] = ()

    @property
    def roles(self) -> dict[Path, FileRole]:
        """Role of each file."""
        return {file.path: file.role for student in self.students for file in student.files}

    @property
    def owners_of_unread(self) -> dict[Path, ClassStudent]:
        """Student of each file that could not be read."""
        partly = {path: student for student in self.students for path in student.unread}
        return partly | {file.path: student for student in self.unread for file in student.files}


def group_by_student(texts: Sequence[SubmittedText], listed: Sequence[Student] = ()) -> StudentGroups:
    """Group texts by student: by numbers and keys of a platform, otherwise by names.

    Texts are never joined if their numbers differ, if several students of the class list may be meant, or if
    only the first lines name the student, which a copy would have as well; in doubt each is a unit of its
    own, as a text folded away as a draft is not compared.
    """
    identities = file_identities(texts, listed)
    groups = _grouped(identities, texts)
    linked = _linked(groups, identities, listed)
    students = [
        _student(members, identities, texts, listed[linked[n]] if n in linked else None)
        for n, members in enumerate(groups)
    ]
    claimed = {place for identity in identities for place in identity.claims} | set(linked.values())
    missing = tuple(student for place, student in enumerate(listed) if place not in claimed)
    return StudentGroups(tuple(_with_unique_ids(students)), missing)


def _grouped(identities: Sequence[FileIdentity], texts: Sequence[SubmittedText]) -> list[list[int]]:
    """Return the places of the files of each student, in order."""
    keys_of_name: defaultdict[str, set[Hashable]] = defaultdict(set)
    for identity in identities:
        if identity.strong is not None and identity.name:
            keys_of_name[name_key(identity.name)].add(identity.strong)
    joined = _joined_keys(identities)
    folders: defaultdict[str, set[Path]] = defaultdict(set)
    for identity in identities:
        if identity.weak is not None and identity.folder is not None:
            folders[identity.weak].add(identity.folder)
    # files of one name in two folders may be those of two students
    apart = {name for name, own in folders.items() if len(own) > 1}
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, identity in enumerate(identities):
        key = _key(identity, keys_of_name, joined)
        if key == ("name", identity.weak) and identity.weak in apart:
            key = (*key, texts[place].path.parent)
        groups[key].append(place)
    return list(groups.values())


def _joined_keys(identities: Iterable[FileIdentity]) -> dict[Hashable, Hashable]:
    """Map the key of a listed student to the key that a platform gave, if there is exactly one."""
    keys: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    for identity in identities:
        if identity.place is not None and identity.strong is not None:
            keys["listed", identity.place].add(identity.strong)
    found = {listed: own - {listed} for listed, own in keys.items()}
    return {listed: next(iter(own)) for listed, own in found.items() if len(own) == 1}


def _key(
    identity: FileIdentity, keys_of_name: Mapping[str, set[Hashable]], joined: Mapping[Hashable, Hashable]
) -> Hashable:
    if identity.strong is not None:
        return joined.get(identity.strong, identity.strong)
    if identity.weak is None:
        return identity.own
    strong = {joined.get(key, key) for key in keys_of_name.get(identity.weak, ())}
    if not strong:
        return "name", identity.weak
    # of two students of one name either may be meant, and the one without a number may be a third
    return next(iter(strong)) if len(strong) == 1 and identity.folder is None else identity.own


def _linked(
    groups: Sequence[Sequence[int]], identities: Sequence[FileIdentity], listed: Sequence[Student]
) -> dict[int, int]:
    """Return the place in the class list of the student of each group, by index of the group."""
    places = {n: {identities[i].place for i in members} - {None} for n, members in enumerate(groups)}
    linked = {n: next(iter(own)) for n, own in places.items() if len(own) == 1}
    result = {n: place for n, place in linked.items() if place is not None}
    # a mistyped number: the only file with this name and the only student without files
    class_list, taken = ClassList(listed), set(result.values())
    names = {n: _first(identities[i].name for i in groups[n]) for n in places if n not in result}
    counts = Counter(name_key(name) for name in names.values() if name)
    for n, name in names.items():
        free = [place for place in class_list.with_name(name) if place not in taken]
        is_claimed = any(identities[i].claims for i in groups[n])
        if len(free) == 1 and counts[name_key(name)] == 1 and not is_claimed:
            result[n] = free[0]
            taken.add(free[0])
    return result


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _student(
    members: Sequence[int],
    identities: Sequence[FileIdentity],
    texts: Sequence[SubmittedText],
    listed: Student | None,
) -> ClassStudent:
    own = [texts[n] for n in members]
    roles = roles_of(own, [identities[n].title for n in members])
    files = [StudentFile(text.path, role) for text, role in zip(own, roles, strict=True)]
    files.sort(key=lambda file: file.role is not FileRole.CURRENT)
    name = _first(identities[n].name for n in members)
    number = _first(identities[n].number for n in members)
    if listed is not None:
        name, number = _first(listed.names) or name, number or _first(listed.numbers)
    others = tuple(dict.fromkeys(n for i in members for n in identities[i].other_names if n != name))
    is_listed = listed is not None
    return ClassStudent(number or name, name, number, tuple(files), is_listed, other_names=others)


def _with_unique_ids(students: Sequence[ClassStudent]) -> list[ClassStudent]:
    """Give a file without a student its label as id, and number ids that occur again."""
    labels = dict(zip(students, distinct_labels([student.current for student in students]), strict=True))
    seen: Counter[str] = Counter()
    result = []
    for student in students:
        key = student.id or labels[student]
        seen[key] += 1
        result.append(replace(student, id=key if seen[key] == 1 else f"{key} ({seen[key]})"))
    return result
