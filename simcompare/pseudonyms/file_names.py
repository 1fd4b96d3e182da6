"""Recognise the students of files by the names of files and folders and by first lines."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.loading.platform_names import Submission, submissions
from simcompare.pseudonyms.chinese_names import pinyin_keys, readings_of
from simcompare.pseudonyms.file_name_parts import (
    CLASS_FROM_FILES,
    MOST_OF_CLASS,
    names_in_stem,
    recognised_in_stems,
    without_shared_numbers,
)
from simcompare.pseudonyms.latin_names import stem_of
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.opening_lines import OpeningInfo, read_opening
from simcompare.pseudonyms.spellings import joined_name, joined_names
from simcompare.pseudonyms.students import RecognisedStudent, RecognitionReason, Student, name_key

_LEVELS = 2
"""The folder of a file and its parent, as drafts may be in a subfolder."""
_MOST_FILES_OF_ONE = 3


def folders_by_level(paths: Sequence[Path]) -> Iterator[dict[Path, Path]]:
    """Yield a map from files to folders that may belong to one student, for each level.

    First the folder of each file, then its parent. Left out: folders with more files than one student
    submits, and levels at which all files are in the same folder.
    """
    for level in range(_LEVELS):
        within: defaultdict[Path, list[Path]] = defaultdict(list)
        for path in paths:
            if len(path.parents) > level:
                within[path.parents[level]].append(path)
        if len(within) > 1:
            yield {
                path: folder
                for folder, files in within.items()
                for path in files
                if folder.name and len(files) <= _MOST_FILES_OF_ONE
            }


def propose(
    paths: Sequence[Path], listed: Sequence[Student] = (), openings: Mapping[Path, str] | None = None
) -> tuple[RecognisedStudent, ...]:
    """Recognise the student of each file, in order.

    `openings`: the beginnings of the known texts. Precedence: students of the roster, then the file name,
    the folder name, the first lines. The numbers that a platform adds to the name of a file are not a
    student's.
    """
    found = recognised_in_stems([(path, stem_of(path)) for path in paths], listed)
    found = _by_folders(_by_platforms(found, listed), listed)
    openings = openings or {}
    return tuple(
        replace(student, spellings=_spellings(student, openings.get(student.path, "")))
        for student in _by_openings(found, openings)
    )


def written_names(path: Path, text: str) -> Iterator[str]:
    yield from dict.fromkeys([*names_in_stem(stem_of(path)), *read_opening(text).spellings])


def _spellings(student: RecognisedStudent, opening: str) -> tuple[str, ...]:
    return tuple(
        name
        for name in written_names(student.path, opening)
        if _is_latin(name) != _is_latin(student.name)
        and (_is_same(name, student.name) or _has_surname(name, student.name))
    )


def _has_surname(name: str, other: str) -> bool:
    """Return whether a name in Latin letters has the surname of one in characters: "Grace Wang" of 王小明."""
    latin, han = sorted((name, other), key=lambda each: not _is_latin(each))
    surnames = {"".join(reading.words[0]) for reading in readings_of(han)}
    return not readings_of(latin) and not surnames.isdisjoint(name_key(latin).split())


def _by_platforms(found: Sequence[RecognisedStudent], listed: Sequence[Student]) -> list[RecognisedStudent]:
    """Recognise the students of files that a platform named, without its numbers."""
    named = submissions([student.path for student in found])
    sure = [parts if parts is not None and _is_sure(parts) else None for parts in named]
    both = list(zip(found, sure, strict=True))
    titles = [(student.path, stem_of(Path(parts.title))) for student, parts in both if parts is not None]
    own = iter(recognised_in_stems(titles, listed))
    return [
        student if parts is None else _of_submission(parts, student, next(own), listed)
        for student, parts in both
    ]


def _is_sure(parts: Submission) -> bool:
    """Return whether only a platform gives such names; "王伟_20250001_3_作文" may hold a student number."""
    return parts.key.startswith("moodle") or _is_latin(parts.student)


def _of_submission(
    parts: Submission, student: RecognisedStudent, own: RecognisedStudent, listed: Sequence[Student]
) -> RecognisedStudent:
    """Return the student that the platform names; own: recognised in the name of the student's own file.

    That may hold name and number of any other student, so it counts only if it holds no other name.
    """
    joined = joined_name(parts.student)
    if own.name and joined not in joined_names(own.name):
        own = RecognisedStudent(own.path)
    on_roster = [each for each in listed if any(joined in joined_names(name) for name in each.names)]
    if len(on_roster) == 1:
        names, numbers, listed_as = on_roster[0].names, on_roster[0].numbers, RecognitionReason.LISTED
        number, number_reason = (numbers[0], listed_as) if numbers else (own.number, own.number_reason)
        return RecognisedStudent(student.path, names[0], number, listed_as, number_reason)
    if own.name:
        return own
    if joined not in joined_names(student.name):
        student = RecognisedStudent(student.path, parts.student, name_reason=RecognitionReason.BESIDE_NUMBER)
    return replace(student, number=own.number, number_reason=own.number_reason)


def _by_folders(found: Sequence[RecognisedStudent], listed: Sequence[Student]) -> list[RecognisedStudent]:
    """Use the name of the folder or its parent for files in whose names no student was recognised."""
    result = list(found)
    for folder_of in folders_by_level([student.path for student in found]):
        folders = list(dict.fromkeys(folder_of.values()))
        known = recognised_in_stems([(folder, folder.name) for folder in folders], listed)
        of_folder = dict(zip(folders, known, strict=True))
        numbers = {
            folder: {s.number for s in result if folder_of.get(s.path) == folder} for folder in folders
        }
        result = [
            _with_folder(student, of_folder[folder])
            # a folder with the numbers of several students is that of a group
            if (folder := folder_of.get(student.path)) and len(numbers[folder] - {""}) < 2
            else student
            for student in result
        ]
    return result


def _with_folder(student: RecognisedStudent, folder: RecognisedStudent) -> RecognisedStudent:
    """Add what was recognised in the name of the folder of a file; a second name is kept in `also`."""
    if student.name:
        is_other = folder.name and not any(
            _is_same(folder.name, name) for name in (student.name, *student.also)
        )
        return replace(student, also=(*student.also, folder.name)) if is_other else student
    is_listed = folder.name_reason in {RecognitionReason.LISTED, RecognitionReason.SEVERAL}
    name_reason = folder.name_reason if is_listed or not folder.name else RecognitionReason.FOLDER
    number_reason = student.number_reason or (RecognitionReason.FOLDER if folder.number else None)
    return replace(
        student,
        name=folder.name,
        number=student.number or folder.number,
        name_reason=name_reason,
        number_reason=number_reason,
        also=folder.also,
    )


def _by_openings(found: Sequence[RecognisedStudent], openings: Mapping[Path, str]) -> list[RecognisedStudent]:
    """Add names in first lines; a name that many texts share is not a student's."""
    infos = [read_opening(openings.get(student.path, "")) for student in found]
    counts = Counter(info.name for info in infos if info.name)
    own = [info if _may_be_student(info, counts, len(found)) else replace(info, name="") for info in infos]
    completed = [
        _with_group(_with_opening(student, info), info.group)
        for student, info in zip(found, own, strict=True)
    ]
    return without_shared_numbers(completed)


def _with_group(student: RecognisedStudent, group: Sequence[str]) -> RecognisedStudent:
    """Add the authors that a line of the text names; the first is the student of a file without one."""
    if group and not student.name:
        student = replace(student, name=group[0], name_reason=RecognitionReason.OPENING)
    others = [name for name in group if not _is_same(name, student.name)]
    return replace(student, also=tuple(dict.fromkeys([*student.also, *others])))


def _may_be_student(info: OpeningInfo, counts: Counter[str], files: int) -> bool:
    """Return whether a name in first lines can be a student's; an author named in several texts is not."""
    count = counts[info.name]
    is_of_all = files >= CLASS_FROM_FILES and count > MOST_OF_CLASS * files
    return not is_of_all if info.is_sure else count <= 1


def _with_opening(student: RecognisedStudent, info: OpeningInfo) -> RecognisedStudent:
    """Add name and number of the first lines to a file; a second, different name is kept in `also`.

    A name that only the roster gave to the number or a part of a name, or that is in the title of the text,
    yields to the one in the text.
    """
    is_same = _is_same(info.name, student.name)
    if info.is_sure and _is_longer_form(info.name, student.name):
        return replace(student, name=info.name, name_reason=RecognitionReason.OPENING)
    is_title = student.name_reason not in {None, RecognitionReason.LISTED} and student.name in info.title
    if info.is_sure and info.name and not is_same and (is_title or not student.is_written):
        by_roster = (student.name, *student.also)
        student = RecognisedStudent(student.path, info.name, "", RecognitionReason.OPENING, also=by_roster)
        is_same = True
    if info.number and not student.number:
        student = replace(student, number=info.number, number_reason=RecognitionReason.OPENING)
    if not info.name or (is_same and not (_is_latin(student.name) and not _is_latin(info.name))):
        return student
    if is_same or not student.name:
        return replace(student, name=info.name, name_reason=RecognitionReason.OPENING)
    if any(_is_same(info.name, name) for name in student.also):
        others = [student.name, *(name for name in student.also if not _is_same(info.name, name))]
        return replace(student, name=info.name, name_reason=RecognitionReason.OPENING, also=tuple(others))
    return replace(student, also=(*student.also, info.name)) if info.is_sure else student


def _is_same(name: str, other: str) -> bool:
    """Return whether two names have the same words, or one is the pinyin of the other."""
    if name_key(name) == name_key(other):
        return True
    return _is_latin(name) != _is_latin(other) and not pinyin_keys(name).isdisjoint(pinyin_keys(other))


def _is_longer_form(name: str, other: str) -> bool:
    """Return whether a Latin name has all words of another one and more ("Mary Ann Smith" of "Mary Ann")."""
    return _is_latin(name) and set(name_key(other).split()) < set(name_key(name).split()) and bool(other)


def _is_latin(name: str) -> bool:
    return folded(name).characters.isascii()
