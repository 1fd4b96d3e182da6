"""Recognise the students of files by the names of files and folders and by first lines."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from simcompare.loading.platform_names import Submission, submissions
from simcompare.model.document import Document
from simcompare.pseudonyms.chinese_names import has_name_form, is_name_alone, pinyin_keys, readings_of
from simcompare.pseudonyms.file_name_parts import (
    CLASS_FROM_FILES,
    MOST_OF_CLASS,
    names_in_stem,
    recognised_in_stems,
    without_shared_numbers,
)
from simcompare.pseudonyms.latin_names import (
    LATIN_WORD,
    MOST_LATIN_WORDS,
    FileNameRun,
    has_capital,
    may_be_name,
    name_words,
    runs_of,
    stem_of,
)
from simcompare.pseudonyms.name_folding import GENERAL_WORDS, folded
from simcompare.pseudonyms.spellings import joined_name, joined_names
from simcompare.pseudonyms.students import RecognisedStudent, RecognitionReason, Student, name_key
from simcompare.support.lazy import LazyPattern

_OPENING_CHARACTERS = 600
_MOST_LINES = 8
_LONGEST_LINE, _LONGEST_GROUP = 60, 160
_LONGEST_LINE_WITHOUT_LABEL = 30


def opening_of(document: Document | None) -> str:
    """Return the beginning of a text, in which its student may be named; empty without a document."""
    if document is None:
        return ""
    margins = [entry.excerpt for entry in document.receipt.dropped if entry.is_in_margin]
    text = document.text[:_OPENING_CHARACTERS]
    # behind the first line, which may be a title, but no name without a label
    first, _end, rest = text.partition("\n")
    return "\n".join([first[: _LONGEST_LINE + 1], *margins, rest]) if margins else text


_HAN = "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_BLANKS = r"[\s_]*"
_SURE_LABEL = r"(?:学生)?姓\s*名|(?:student(?:'s)?\s+)?name|student"
_LABEL = r"作\s*者|学生|撰稿|author|written\s+by"
# labels after the name in the header of a page
_NEXT_LABEL = LazyPattern(
    r"(?<!\s)\s*+(?:班\s*级|年\s*级|学\s*号|学\s*校|座\s*号|考\s*号|编\s*号|性\s*别|日\s*期|时\s*间|得\s*分|成\s*绩|分\s*数|指导"
    r"|姓\s*名|题\s*目|(?:class|grade|date|year|school|student\s+(?:id|no|number)|id|no|number|teacher)\b"
    r"\W{0,2}[:#])",
    re.IGNORECASE,
)
_LABELLED = LazyPattern(
    rf"(?i:(?:^|(?<=\W))(?:(?P<sure>{_SURE_LABEL})|{_LABEL})(?:\s*:|(?<=名)[\s_]){_BLANKS}(?P<name>[^\n]+))"
)
# "Teacher Name: …" is no student's
_OF_OTHERS = LazyPattern(
    r"(?i:teacher|tutor|instructor|lecturer|course|file|school|parent)(?:['\u2019]s)?\s*$"
)
_BY = LazyPattern(r"(?i:(?:(?:written|submitted|prepared)\s+)?by:?)\s+(?P<name>[^\n]+)")
_GROUP = LazyPattern(
    r"(?i:(?:^|(?<=\W))(?:小组成员|团队成员|组\s*[员长]|成\s*员|小组|作\s*者|(?:(?:group|team)\s+)?members|group|team"
    r"|authors?)\s*:\s*(?P<names>[^\n:]+?)(?=\s[^\s:]+\s*:|$))"
)
_BETWEEN = LazyPattern(r"[、,;/&+()\d]|\s+(?:and|和)\s+|\s{2,}")
_NUMBER = LazyPattern(
    rf"(?i:学\s*号|学籍号|考\s*号|student\s+(?:id|no\.?|number)|id){_BLANKS}[:#]?{_BLANKS}"
    r"(?P<number>[A-Za-z]{0,3}\d{3,20})(?!\d)"
)
_CLASS = LazyPattern(
    r"(?:[初高大小]|(?<![一二三四五六七八九十\d]))[一二三四五六七八九十\d]++"
    r"(?:\s*+(?:年级|年|级)?\s*+\(?\s*+[一二三四五六七八九十\d]*+\s*+\)?\s*+班|年级)|[初高][一二三]|\b(?:[Cc]lass|[Gg]rade|[Yy]ear)\s+\d+[A-Za-z]?\b"
)
_CHINESE_NAME = LazyPattern(
    rf"{_HAN}{{2,5}}(?:\u00b7{_HAN}+)*|{_HAN}(?:\s+{_HAN}){{1,3}}(?!{_HAN})|{_HAN}\s+{_HAN}{{2}}(?!{_HAN})"
)
_LATIN_NAME = LazyPattern(r"[^\W\d_\u2e80-\uffff]++(?:['\u2019\-.,]{0,2}+[ ]?+[^\W\d_\u2e80-\uffff]++)*+")
_SENTENCE = LazyPattern(r"[。！？，；!?;]|[a-z]\.\s|,\s\w+\s\w+\s\w+")
_LONGEST_NAME_WITHOUT_SURNAME = 4
_TITLES = ("老师", "老師", "先生", "女士", "同学", "同學")


@dataclass(frozen=True, slots=True)
class OpeningInfo:
    """Name and number in first lines, empty if there are none; is_sure: labelled as the student's.

    spellings: the name in Latin letters beside one in characters. group: all members of a group. title: the
    first line.
    """

    name: str = ""
    number: str = ""
    is_sure: bool = False
    spellings: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    title: str = field(default="", compare=False)


def read_opening(text: str) -> OpeningInfo:
    """Recognise "姓名：…", "Name: …", "三年级2班 李小明" and "By …" in the first lines of a text."""
    lines = list(_lines(text))
    number = next((match["number"] for line in lines if (match := _NUMBER.search(line))), "")
    names = [info for place, line in enumerate(lines) for info in _names_in_line(line, is_first=not place)]
    best = min(names, key=lambda info: not info.is_sure, default=OpeningInfo())
    group = tuple(dict.fromkeys(name for line in _lines(text, _LONGEST_GROUP) for name in _members(line)))
    title = next(iter(lines), "")
    return replace(best, number=number or best.number, group=group if len(group) > 1 else (), title=title)


def _members(line: str) -> Iterator[str]:
    for piece in (piece for match in _GROUP.finditer(line) for piece in _BETWEEN.split(match["names"])):
        words = piece.split()
        for own in words if re.search(_HAN, piece) else [piece] if len(words) > 1 else []:
            if name := own if has_name_form(folded(own).characters) else _latin_name(own):
                yield name


def _lines(text: str, longest: int = _LONGEST_LINE) -> Iterator[str]:
    """Yield the short ones among the first lines, in form NFKC."""
    lines = unicodedata.normalize("NFKC", text[:_OPENING_CHARACTERS]).splitlines()
    filled = [stripped for line in lines if (stripped := line.strip())]
    yield from (line for line in filled[:_MOST_LINES] if len(line) <= longest)


def _names_in_line(line: str, *, is_first: bool) -> Iterator[OpeningInfo]:
    for match in _LABELLED.finditer(line):
        if not _OF_OTHERS.search(line[: match.start()]) and (names := _names_at_start(match["name"])):
            yield OpeningInfo(names[0], is_sure=match["sure"] is not None, spellings=names[1:])
    by = _BY.fullmatch(line)
    if by is not None and len(LATIN_WORD.findall(by["name"])) > 1 and _latin_name(by["name"]):
        yield OpeningInfo(_latin_name(by["name"]))
    if len(line) <= _LONGEST_LINE_WITHOUT_LABEL and not _SENTENCE.search(line):
        yield from _unlabelled_names(line, is_first=is_first)


def _names_at_start(text: str) -> tuple[str, ...]:
    """Return the name at the start of a text, before the next label, and one in Latin letters beside it."""
    label = _NEXT_LABEL.search(text)
    text = (text[: label.start()] if label else text).strip(" _")
    match = _CHINESE_NAME.search(text)
    rest = (text[: match.start()] or text[match.end() :]) if match else text
    latin = _latin_name(re.split(r"\s{2,}|\t", rest.strip(" _"))[0])
    if match is None or (match.start() and not latin):
        return (latin,) if latin else ()
    name = "".join(match[0].split())
    is_long = len(name) > _LONGEST_NAME_WITHOUT_SURNAME and "\u00b7" not in name
    found = "" if is_long or folded(name).characters in GENERAL_WORDS else name
    return tuple(filter(None, (found, latin))) if found or match.start() else ()


def _latin_name(text: str) -> str:
    """Return a text that is a Latin name and nothing else, otherwise an empty string."""
    match = _LATIN_NAME.fullmatch(text.strip(" _.,/()[]-"))
    words = name_words(match[0]) if match else []
    is_name = 0 < len(words) <= MOST_LATIN_WORDS and all(map(has_capital, words))
    return match[0] if match and is_name and all(map(may_be_name, LATIN_WORD.findall(match[0]))) else ""


def _unlabelled_names(line: str, *, is_first: bool) -> Iterator[OpeningInfo]:
    """Yield a name beside a class or a number, or alone on a line that is not a title."""
    runs = runs_of(_CLASS.sub(" _ ", line))
    number = next((run.text for run in runs if run.kind == "number"), "")
    names = sorted((run.text for run in runs if _may_be_name(run)), key=str.isascii)
    is_one = len(names) == len({name.isascii() for name in names}) > 0
    if is_one and (number or _CLASS.search(line)):
        # "Year 7 Summer Holiday" is a title
        yield OpeningInfo(names[0], number, not names[0].isascii(), tuple(names[1:]))
    elif is_one and len(names) == len(runs) and not is_first and is_name_alone(folded(names[0]).characters):
        yield OpeningInfo(names[0], spellings=tuple(names[1:]))


def _may_be_name(run: FileNameRun) -> bool:
    """Return whether a run beside a class or a number is a name: not a teacher's, not a single Latin word."""
    if run.kind == "han":
        return has_name_form(folded(run.text).characters) and not run.text.endswith(_TITLES)
    return run.kind == "latin" and len(LATIN_WORD.findall(run.text)) > 1 and bool(_latin_name(run.text))


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
