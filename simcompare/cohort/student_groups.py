"""Group handed-in files by student, with the role of each file, and find who has not handed in."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from simcompare.loading.archive_members import modified
from simcompare.loading.platform_names import Submission, submissions
from simcompare.model.document import Document
from simcompare.pseudonyms.chinese_names import pinyin_of_words
from simcompare.pseudonyms.file_names import opening_of, propose, read_opening
from simcompare.pseudonyms.latin_names import given_first, is_generic, runs_of, stem_of
from simcompare.pseudonyms.spellings import joined_name, joined_names
from simcompare.pseudonyms.students import RecognisedStudent, RecognitionReason, Student, name_key
from simcompare.session.school_class import ClassStudent, FileRole, SchoolClass
from simcompare.support.display_text import distinct_labels


@dataclass(frozen=True, slots=True)
class SubmittedText:
    """Properties of a handed-in text that tell whose it is and which of a student's texts counts.

    modified: in seconds since 1970, None if unknown. opening: the first lines. content: the same for texts
    that differ in blanks only; 0 if unknown. is_decided: pairs of it are decided.
    """

    path: Path
    sha256: str = ""
    characters: int = 0
    modified: float | None = None
    opening: str = ""
    content: int = 0
    is_decided: bool = False


def submitted_text(document: Document) -> SubmittedText:
    return SubmittedText(
        document.path,
        document.sha256,
        document.receipt.characters_kept,
        modified(document.path),
        opening_of(document),
        hash("".join(document.text.split())),
    )


_NUMERALS = {numeral: n for n, numeral in enumerate("一二三四五六七八九十", start=1)}
_NUMERALS |= {"初": 0, "首": 0, "first": 1, "second": 2, "third": 3, "rough": 0}
_FINAL = re.compile(r"定稿|终稿|終稿|最终|最終|(?<![a-z])final(?![a-z])")
_REVISED = re.compile(r"修改|修订|修訂|更新|(?<![a-z])(?:revised|revision|edited|updated|corrected)(?![a-z])")
_EARLY = re.compile(r"草稿|旧|舊|提纲|(?<![a-z])(?:old|outline)(?![a-z])")
_NUMBERED = re.compile(
    r"第?(?P<before>[一二三四五六七八九十初首]+|\d{1,2})[稿版]"
    r"|(?<![a-z])(?P<word>first|second|third|rough)[\s_-]*draft"
    r"|(?<![a-z])(?:draft|v|ver|version)[\s_.-]*(?P<after>\d{1,2})(?!\d)"
)
_DRAFT = re.compile(r"(?<![a-z])draft(?![a-z])")
_LAST_NUMBER = re.compile(r"(\d{1,2})\D*$")
_COPY = re.compile(
    r"\s*(?:\((?P<count>\d{1,2})\)|(?:[-_ ]+|^)copy(?:[\s_]+of)?(?![a-z])|[-_ ]*的?[副複]本|复件)\s*",
    re.IGNORECASE,
)
_APPENDIX = re.compile(
    r"附件|附录|附錄|补充材料|原始数据|问卷|封面|承诺书|声明书"
    r"|(?<![a-z])(?:appendix|appendices|supplement|cover[\s_-]*(?:page|sheet)|declaration|questionnaire)(?![a-z])"
)
_TASK = re.compile(r"的?(?:期[中末])?(?:大作业|作业|作文|论文|读后感|观后感|实验报告|报告)")
_RANK_REVISED, _RANK_FINAL = 60.0, 80.0
_RANK_LATEST_DRAFT, _RANK_PLAIN_AFTER_DRAFT, _RANK_PLAIN = 1.0, 50.0, 1.5
_SAME_TIME_SECONDS = 60


def draft_number(name: str) -> float | None:
    """Return the place of a file among drafts by the words in its name, or None without such words.

    "初稿" and "draft" are 0, "二稿" and "v2" are 2, then "修改稿", then "定稿" and "final".
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    last = _LAST_NUMBER.search(_COPY.sub("", text))
    extra = int(last[1]) / 100 if last else 0.0
    if _FINAL.search(text):
        return _RANK_FINAL + extra
    if match := _NUMBERED.search(text):
        return _numeral(match["before"] or match["word"] or match["after"])
    if _REVISED.search(text):
        return _RANK_REVISED + extra
    return 0.0 if _EARLY.search(text) or _DRAFT.search(text) else None


def has_role_words(name: str) -> bool:
    """Return whether a name says that a file is a draft, a revision or an appendix."""
    return draft_number(name) is not None or _is_appendix(name)


def _is_appendix(name: str) -> bool:
    return _APPENDIX.search(unicodedata.normalize("NFKC", name).casefold()) is not None


def _numeral(text: str) -> float:
    return float(text) if text.isdecimal() else float(_NUMERALS.get(text, _NUMERALS.get(text[-1], 0)))


def without_copy_marks(stem: str) -> str:
    """Return a file name without extension and without "(1)", "副本", "copy" and "Copy of"."""
    return _COPY.sub("", unicodedata.normalize("NFKC", stem).casefold())


def _is_named_as_copy(stem: str) -> bool:
    """Return whether a name says that the file is a copy; "(1)" may also count versions."""
    return any(match["count"] is None for match in _COPY.finditer(stem))


def without_role_words(stem: str) -> str:
    """Return a file name without words of drafts and tasks; "王伟初稿" and "王伟作文" are no names."""
    text = unicodedata.normalize("NFKC", stem)
    for words in (_NUMBERED, _FINAL, _REVISED, _EARLY, _DRAFT, _APPENDIX, _TASK):
        text = re.sub(words.pattern, "_", text, flags=re.IGNORECASE)
    return text.strip("_- ") or stem


def roles_of(texts: Sequence[SubmittedText], titles: Sequence[str]) -> list[FileRole]:
    """Return the role of each text of one student; exactly one is current.

    titles: names of the files without extension and without what a platform added. Current is the newest
    by draft words, then by time, then the longest; of the same text, a decided one, then one not named as a
    copy, then the first. A name without draft words counts as the final text beside a first draft, and as
    the first text beside "v2".
    An appendix is never current unless there is nothing else.
    """
    ranks = _ranks([_draft_number(text, title) for text, title in zip(texts, titles, strict=True)], titles)
    is_appendix = list(map(_is_appendix, titles))
    newest: dict[Hashable, tuple[bool, float, int, int]] = {}
    for place, text in enumerate(texts):
        own, content = (not is_appendix[place], ranks[place], _time(text), text.characters), _content(text)
        newest[content] = max(newest.get(content, own), own)
    order = sorted(
        range(len(texts)),
        key=lambda n: (
            newest[_content(texts[n])],
            *(texts[n].is_decided, not is_appendix[n], not _is_named_as_copy(titles[n])),
        ),
        reverse=True,
    )
    seen: set[str] = set()
    roles = [FileRole.DRAFT] * len(texts)
    for place in order:
        sha256 = texts[place].sha256
        if sha256 and sha256 in seen:
            roles[place] = FileRole.DUPLICATE
        elif is_appendix[place]:
            roles[place] = FileRole.APPENDIX
        seen.add(sha256)
    roles[order[0]] = FileRole.CURRENT
    return roles


def _draft_number(text: SubmittedText, title: str) -> float | None:
    """Return the place among drafts by the name of the file, or else of its folder."""
    own = draft_number(title)
    return draft_number(text.path.parent.name) if own is None else own


def _ranks(numbers: Sequence[float | None], titles: Sequence[str]) -> list[float]:
    has_first = any(number is not None and number <= _RANK_LATEST_DRAFT for number in numbers)
    plain = _RANK_PLAIN_AFTER_DRAFT if has_first else _RANK_PLAIN
    return [
        (plain if number is None else number) + _copy_number(title) / 100
        for number, title in zip(numbers, titles, strict=True)
    ]


def _copy_number(title: str) -> int:
    match = re.search(r"\((\d{1,2})\)", unicodedata.normalize("NFKC", title))
    return int(match[1]) if match else 0


def _content(text: SubmittedText) -> Hashable:
    return text.content or text.sha256 or text.path


def _time(text: SubmittedText) -> int:
    """Return when a text was changed, in minutes: files unpacked together differ by moments."""
    return int((text.modified or 0) // _SAME_TIME_SECONDS)


Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Evidence for the student of a file.

    title: name of the file without extension and what a platform added. own: key of the file alone, and of
    copies beside it. strong: key of a platform, place in the class list or number; None without any. weak:
    key by name, under which files may be joined; None if the name is no reason to join. folder: of a file
    that is neither marked as a draft or appendix nor in a folder of its student, otherwise None. place: of
    the student in the class list. claims: places of students in the class list to whom the file may belong,
    so that they are not missing. other_names: further ones in the file, or of the number in the class list.
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
    other_names: tuple[str, ...] = ()


class ClassList:
    def __init__(self, students: Sequence[Student]) -> None:
        self._students = students
        self._by_number = _index([list(map(_number_key, student.numbers)) for student in students])
        self._by_name = _index([list(map(name_key, student.names)) for student in students])

    def with_number(self, number: str) -> list[int]:
        """Return the students with a number; leading zeros do not count."""
        return self._by_number.get(_number_key(number), []) if number else []

    def with_name(self, name: str) -> list[int]:
        """Return the students with a name, its words in any order."""
        return self._by_name.get(name_key(name), []) if name else []

    def with_joined_name(self, name: str) -> list[int]:
        """Return the students whose name or pinyin without blanks is this one."""
        return self._by_joined_name.get(joined_name(name), [])

    @cached_property
    def _by_joined_name(self) -> dict[str, list[int]]:
        return _index(
            [[j for name in student.names for j in joined_names(name)] for student in self._students]
        )

    def name_at(self, place: int) -> str:
        return next(iter(self._students[place].names), "")


def _index(keys: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Map each key to the places at which it occurs."""
    index: defaultdict[str, list[int]] = defaultdict(list)
    for place, own in enumerate(keys):
        for key in dict.fromkeys(own):
            index[key].append(place)
    return dict(index)


def file_identities(texts: Sequence[SubmittedText], listed: Sequence[Student]) -> list[FileIdentity]:
    """Recognise the student of each text, in order: by platform, class list, names of files, first lines."""
    paths = [text.path for text in texts]
    named = submissions(paths)
    # the student's own file name, below the name given by the platform, may hold any other name
    shown = [
        _without_role(path) if parts is None else Path("submission", f"{parts.student}.txt")
        for path, parts in zip(paths, named, strict=True)
    ]
    openings = _openings(shown, texts)
    recognised = propose(shown, listed, openings)
    by_names_alone = propose(shown)
    class_list = ClassList(listed)
    return [
        _of_submission(text, parts, student, class_list)
        if parts is not None
        else _of_file(text, student, alone, class_list)
        for text, parts, student, alone in zip(texts, named, recognised, by_names_alone, strict=True)
    ]


def _without_role(path: Path) -> Path:
    stem = stem_of(path)
    return path.with_name(without_role_words(stem) + path.name[len(stem) :])


def _openings(shown: Sequence[Path], texts: Sequence[SubmittedText]) -> dict[Path, str]:
    """Return the first lines by path; of two drafts whose paths are now equal only if they agree."""
    found: dict[Path, str] = {}
    for path, text in zip(shown, texts, strict=True):
        if path not in found:
            found[path] = text.opening
        elif read_opening(found[path]) != read_opening(text.opening):
            found[path] = ""
    return found


def _of_submission(
    text: SubmittedText, parts: Submission, student: RecognisedStudent, class_list: ClassList
) -> FileIdentity:
    """Return the identity of a file that a platform named; its key is sure, its name may be joined."""
    title = stem_of(Path(parts.title)) if parts.title else stem_of(text.path)
    if student.name_reason is RecognitionReason.LISTED:
        places = class_list.with_number(student.number) or class_list.with_name(student.name)
    else:
        places = class_list.with_joined_name(parts.student)
    place = places[0] if len(places) == 1 else None
    name = parts.student if place is None else class_list.name_at(place)
    others = tuple(each for each in read_opening(text.opening).group if each != name)
    claims = frozenset(p for each in others for p in class_list.with_name(each)) | frozenset(
        places if place is None else ()
    )
    own, strong = ("file", text.path), ("submission", parts.key)
    return FileIdentity(name, "", title, own, strong, place=place, claims=claims, other_names=others)


def _of_file(
    text: SubmittedText, student: RecognisedStudent, alone: RecognisedStudent, class_list: ClassList
) -> FileIdentity:
    """Return the identity of a file that no platform named.

    alone: recognised in names of files and folders only, without the class list.
    """
    title = stem_of(text.path)
    name, number = student.name, alone.number or student.number
    by_number, by_name = class_list.with_number(number), class_list.with_name(name)
    authors = {*alone.also, *(alone.also and (alone.name,)), *read_opening(text.opening).group}
    claims = frozenset(p for each in authors - {name} for p in class_list.with_name(each))
    identity = FileIdentity(
        name, student.number, title, ("file", text.path), claims=claims, other_names=student.also
    )
    if by_number and name and not set(by_number) & set(by_name):
        # the number of one student and the name of another
        others = (*student.also, *map(class_list.name_at, by_number))
        return replace(identity, number="", claims=frozenset([*by_number, *by_name]), other_names=others)
    number = student.number
    place = by_number[0] if len(by_number) == 1 else by_name[0] if len(by_name) == 1 and not number else None
    is_marked = has_role_words(title) or draft_number(text.path.parent.name) is not None
    is_by_name = bool(alone.name or alone.number) or student.name_reason is RecognitionReason.LISTED
    # drafts of several authors have the names of all in the name of the file or folder
    also = {*alone.also, *({*student.also} - {read_opening(text.opening).name})}
    is_of_other = name not in text.path.parent.name and any(other not in title for other in also)
    own = ("file", text.path.parent, without_copy_marks(title), text.sha256 or text.path)
    if (name or number) and (is_of_other or (not is_marked and (student.also or not is_by_name))):
        # a copy of the text has the same first lines, or is in the folder of another student
        return replace(identity, place=place, own=identity.own if student.also else own)
    is_sure = student.name_reason is not RecognitionReason.SEVERAL
    return replace(
        identity,
        own=own,
        strong=("listed", place)
        if place is not None
        else ("number", _number_key(number))
        if number
        else None,
        weak=name_key(name) if name and is_sure and len(by_name) < 2 else None,
        folder=None if is_marked or student.name_reason is RecognitionReason.FOLDER else text.path.parent,
        place=place,
        claims=claims | frozenset(by_name) if not is_sure and place is None else claims,
    )


def _number_key(number: str) -> str:
    return number.lstrip("0").casefold()


def student_labels(students: Iterable[tuple[Key, str, str]], *, with_numbers: bool = False) -> dict[Key, str]:
    """Return a label for each key, name and number: the name, with the number if others have that name.

    "" without a name, and of several students of one name without a number: only the file tells who it is.
    with_numbers: all labels have the number, even without a name.
    """
    parts = {key: (name, number) for key, name, number in students}
    counts = Counter(name for name, _number in parts.values())

    def label(name: str, number: str) -> str:
        if number and (with_numbers or (name and counts[name] > 1)):
            return f"{name} {number}".strip()
        return name if counts[name] == 1 else ""

    return {key: label(*own) for key, own in parts.items()}


def group_by_student(texts: Sequence[SubmittedText], listed: Sequence[Student] = ()) -> SchoolClass:
    """Group texts, by their places, by student: by numbers and keys of a platform, otherwise by names.

    Texts are never joined if their numbers differ, if several students of the class list may be meant, or if
    only the first lines name the student, which a copy would have as well, unless the name of the file shows
    a copy of the student's own (`_with_copies`); in doubt each is a unit of its own, as a text folded away
    as a draft is not compared.
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
    return SchoolClass(students=tuple(_with_unique_ids(students, texts)), missing=missing)


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
    keys = [_key(identity, keys_of_name, joined) for identity in identities]
    for place, identity in enumerate(identities):
        if keys[place] == ("name", identity.weak) and identity.weak in apart:
            keys[place] = "name", identity.weak, texts[place].path.parent
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(_with_copies(keys, identities, texts)):
        groups[key].append(place)
    return list(groups.values())


def _with_copies(
    keys: Sequence[Hashable], identities: Sequence[FileIdentity], texts: Sequence[SubmittedText]
) -> list[Hashable]:
    """Return the keys; a copy beside the same text of one student only has that of the student.

    The file name of a copy is one like "副本", or names no student while the text does.
    """
    found, names = list(keys), [name_key(identity.name) for identity in identities]
    same: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        same[text.path.parent, _content(text)].append(place)
    for places in same.values():
        copies = [place for place in places if len(places) > 1 and _has_generic_name(identities[place])]
        named = [n for n in places if n not in copies and (names[n] or identities[n].number)]
        for place in copies:
            if names[place]:
                own = {keys[n] for n in named if names[n] == names[place]}
                own = own or {next(keys[n] for n in copies if names[n] == names[place])}
            else:
                own = {keys[n] for n in named if _is_named_as_copy(identities[place].title)}
            if len(own) == 1:
                found[place] = own.pop()
    return found


def _has_generic_name(identity: FileIdentity) -> bool:
    runs = runs_of(without_copy_marks(without_role_words(identity.title)))
    is_open = identity.strong is None and not identity.other_names
    return is_open and all(run.kind == "digits" or is_generic(run) for run in runs)


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
    files = sorted(zip(members, roles, strict=True), key=lambda file: file[1] is not FileRole.CURRENT)
    name = _given_first(_first(identities[n].name for n in members))
    number = _first(identities[n].number for n in members)
    if listed is not None:
        name, number = _first(listed.names) or name, number or _first(listed.numbers)
    others = tuple(dict.fromkeys(n for i in members for n in identities[i].other_names if n != name))
    return ClassStudent(number or name, name, number, listed is not None, dict(files), others)


def _given_first(name: str) -> str:
    """Return "John Brown" for the "Brown, John" of platforms, and "Wang Xiaoming" for "Wang, Xiaoming"."""
    turned = given_first(name)
    return (turned != name and pinyin_of_words(name.split(", "))) or turned


def _with_unique_ids(students: Sequence[ClassStudent], texts: Sequence[SubmittedText]) -> list[ClassStudent]:
    """Give a file without a student its label as id, and number ids that occur again."""
    labels = distinct_labels([texts[student.current].path for student in students])
    seen: Counter[str] = Counter()
    result = []
    for student, label in zip(students, labels, strict=True):
        key = student.id or label
        seen[key] += 1
        result.append(replace(student, id=key if seen[key] == 1 else f"{key} ({seen[key]})"))
    return result
