"""Group handed-in files by student, with the role of each file, and find who has not handed in."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.cohort.file_roles import (
    FileRole,
    SubmittedText,
    draft_number,
    roles_of,
    without_copy_marks,
    without_role_words,
)
from simcompare.cohort.platform_names import Submission, listed_with_joined_name, submissions
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.latin_names import stem_of
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.students import RecognisedStudent, RecognitionReason, Student
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
    current one first, then in the order of the class. is_listed: the student is in the class list.
    """

    id: str
    name: str
    number: str
    files: tuple[StudentFile, ...]
    is_listed: bool = False

    @property
    def current(self) -> Path:
        """The file that counts."""
        return self.files[0].path


@dataclass(frozen=True, slots=True)
class StudentGroups:
    """Students in the order of their first files, and those of the class list without any file."""

    students: tuple[ClassStudent, ...]
    missing: tuple[Student, ...] = ()

    @property
    def roles(self) -> dict[Path, FileRole]:
        """Role of each file."""
        return {file.path: file.role for student in self.students for file in student.files}


def group_by_student(texts: Sequence[SubmittedText], listed: Sequence[Student] = ()) -> StudentGroups:
    """Group texts by student: by numbers and keys of a platform, otherwise by names.

    Texts are never joined if their numbers differ, if several students of the class list may be meant, or if
    only the first lines name the student, which a copy would have as well; in doubt each is a unit of its
    own, as a text folded away as a draft is not compared.
    """
    identities = _identities(texts, listed)
    groups = _grouped(identities, texts)
    linked = _linked(groups, identities, listed)
    students = [
        _student(members, identities, texts, listed[linked[n]] if n in linked else None)
        for n, members in enumerate(groups)
    ]
    claimed = {place for identity in identities for place in identity.claims} | set(linked.values())
    missing = tuple(student for place, student in enumerate(listed) if place not in claimed)
    return StudentGroups(tuple(_with_unique_ids(students)), missing)


# --- whose a file is


@dataclass(frozen=True, slots=True)
class _Identity:
    """What is known of the student of a file.

    title: name of the file without extension and what a platform added. own: key of the file alone, and of
    copies beside it. strong: key of a platform, place in the class list or number; None without any. weak:
    key by name, under which files may be joined; None if the name is no reason to join. folder: of a file
    that is neither marked as a draft nor in a folder of its student, otherwise None. place: of the student
    in the class list. claims: places of students in the class list to whom the file may belong, so that
    they are not missing.
    """

    name: str
    number: str
    title: str
    own: Hashable
    strong: Hashable | None = None
    weak: str | None = None
    folder: Path | None = None
    place: int | None = None
    claims: frozenset[int] = frozenset()


def _identities(texts: Sequence[SubmittedText], listed: Sequence[Student]) -> list[_Identity]:
    paths = [text.path for text in texts]
    named = submissions(paths)
    # the student's own file name, below the name given by the platform, may hold any other name
    shown = [
        _without_role(path) if parts is None else Path("submission", f"{parts.student}.txt")
        for path, parts in zip(paths, named, strict=True)
    ]
    openings = {
        path: text.opening for path, text, parts in zip(shown, texts, named, strict=True) if parts is None
    }
    recognised = propose(shown, listed, openings)
    by_names_alone = propose(shown)
    class_list = _ClassList(listed)
    return [
        _identity(text, parts, student, alone, class_list)
        for text, parts, student, alone in zip(texts, named, recognised, by_names_alone, strict=True)
    ]


def _without_role(path: Path) -> Path:
    stem = stem_of(path)
    return path.with_name(without_role_words(stem) + path.name[len(stem) :])


class _ClassList:
    """Students of the class list by number and name."""

    def __init__(self, listed: Sequence[Student]) -> None:
        self.students = listed
        self._by_number: defaultdict[str, list[int]] = defaultdict(list)
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        for place, student in enumerate(listed):
            for number in dict.fromkeys(map(_number_key, student.numbers)):
                self._by_number[number].append(place)
            for name in dict.fromkeys(map(_name_key, student.names)):
                self._by_name[name].append(place)

    def with_number(self, number: str) -> list[int]:
        return self._by_number.get(_number_key(number), []) if number else []

    def with_name(self, name: str) -> list[int]:
        return self._by_name.get(_name_key(name), []) if name else []


def _identity(
    text: SubmittedText,
    parts: Submission | None,
    student: RecognisedStudent,
    alone: RecognisedStudent,
    class_list: _ClassList,
) -> _Identity:
    title = stem_of(Path(parts.title)) if parts and parts.title else stem_of(text.path)
    name, number = student.name, student.number
    if parts is not None and student.name_reason is not RecognitionReason.LISTED:
        joined = listed_with_joined_name(parts.student, class_list.students)
        name = joined[0].names[0] if len(joined) == 1 else parts.student
    by_number, by_name = class_list.with_number(number), class_list.with_name(name)
    others = class_list.with_name(alone.name)
    own = ("file", text.path.parent, without_copy_marks(title), text.sha256 or text.path)
    if by_number and others and not set(by_number) & set(others):
        # the number of one student and the name of another
        claims = frozenset([*by_number, *others])
        return _Identity(alone.name, number, title, ("file", text.path), claims=claims)
    place = by_number[0] if len(by_number) == 1 else by_name[0] if len(by_name) == 1 and not number else None
    is_sure = student.name_reason is not RecognitionReason.SEVERAL
    is_by_opening = (
        student.name_reason is not RecognitionReason.LISTED
        and parts is None
        and not (alone.name or alone.number)
    )
    if is_by_opening and (name or number) and draft_number(title) is None:
        return _Identity(name, number, title, ("file", text.path), place=place)
    strong: Hashable | None = ("number", _number_key(number)) if number else None
    if place is not None:
        strong = ("listed", place)
    if parts is not None:
        strong = ("submission", parts.key)
    weak = _name_key(name) if name and is_sure and len(by_name) < 2 else None
    claims = frozenset(by_name) if not is_sure and place is None else frozenset()
    is_marked = draft_number(title) is not None or draft_number(text.path.parent.name) is not None
    is_in_own_folder = is_marked or student.name_reason is RecognitionReason.FOLDER
    folder = None if is_in_own_folder else text.path.parent
    return _Identity(name, number, title, own, strong, weak, folder, place, claims)


def _name_key(name: str) -> str:
    form = folded(name).characters
    words = re.findall(r"[^\W_]+", form)
    return " ".join(sorted(words)) if form.isascii() else "".join(words)


def _number_key(number: str) -> str:
    return number.lstrip("0").casefold()


# --- groups


def _grouped(identities: Sequence[_Identity], texts: Sequence[SubmittedText]) -> list[list[int]]:
    """Return the places of the files of each student, in order."""
    keys_of_name: defaultdict[str, set[Hashable]] = defaultdict(set)
    for identity in identities:
        if identity.strong is not None and identity.name:
            keys_of_name[_name_key(identity.name)].add(identity.strong)
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


def _joined_keys(identities: Iterable[_Identity]) -> dict[Hashable, Hashable]:
    """Map the key of a listed student to the key that a platform gave, if there is exactly one."""
    keys: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    for identity in identities:
        if identity.place is not None and identity.strong is not None:
            keys["listed", identity.place].add(identity.strong)
    found = {listed: own - {listed} for listed, own in keys.items()}
    return {listed: next(iter(own)) for listed, own in found.items() if len(own) == 1}


def _key(
    identity: _Identity, keys_of_name: Mapping[str, set[Hashable]], joined: Mapping[Hashable, Hashable]
) -> Hashable:
    if identity.strong is not None:
        return joined.get(identity.strong, identity.strong)
    if identity.weak is None:
        return identity.own
    strong = {joined.get(key, key) for key in keys_of_name.get(identity.weak, ())}
    if not strong:
        return "name", identity.weak
    # of two students of one name, either may be meant
    return next(iter(strong)) if len(strong) == 1 else identity.own


def _linked(
    groups: Sequence[Sequence[int]], identities: Sequence[_Identity], listed: Sequence[Student]
) -> dict[int, int]:
    """Return the place in the class list of the student of each group, by index of the group."""
    places = {n: {identities[i].place for i in members} - {None} for n, members in enumerate(groups)}
    linked = {n: next(iter(own)) for n, own in places.items() if len(own) == 1}
    result = {n: place for n, place in linked.items() if place is not None}
    # a mistyped number: the only file with this name and the only student without files
    class_list, taken = _ClassList(listed), set(result.values())
    names = {n: _first(identities[i].name for i in groups[n]) for n in places if n not in result}
    counts = Counter(_name_key(name) for name in names.values() if name)
    for n, name in names.items():
        free = [place for place in class_list.with_name(name) if place not in taken]
        is_claimed = any(identities[i].claims for i in groups[n])
        if len(free) == 1 and counts[_name_key(name)] == 1 and not is_claimed:
            result[n] = free[0]
            taken.add(free[0])
    return result


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _student(
    members: Sequence[int],
    identities: Sequence[_Identity],
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
    return ClassStudent(number or name, name, number, tuple(files), listed is not None)


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
