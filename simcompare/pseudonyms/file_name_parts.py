"""What the names of files and folders say of the students whose they are, with its grounds."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import combinations, pairwise
from pathlib import Path

import rjieba

from simcompare.pseudonyms.chinese_names import has_shape, is_in_dictionary, is_name_alone
from simcompare.pseudonyms.latin_names import (
    LATIN_WORD,
    Run,
    camel_spaced,
    is_general,
    may_be_name,
    runs_of,
    without,
    words_of,
)
from simcompare.pseudonyms.name_finder import Finder
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.ordinary_words import FUNCTION_WORDS, GENERAL_WORDS
from simcompare.pseudonyms.pinyin import pinyin_of_words
from simcompare.pseudonyms.students import Ground, Recognised, Student

_PICTURE_WORDS = frozenset(
    {
        "camscanner", "dsc", "image", "img", "mmexport", "photo", "pic", "picture", "scan", "screenshot",
        "vid", "wps图片", "微信图片", "微信文件", "扫描", "扫描件", "截图", "图片", "文档", "新建", "照片",
    }
)  # fmt: skip
"""What cameras and programs write before a date."""
_PICTURE_NUMBER = re.compile(r"(?i)(?:img|dsc|pic|vid)(\d+)")
_FORMS = {8: "%Y%m%d", 14: "%Y%m%d%H%M%S"}
_TIME_DIGITS = 6
_MILLISECONDS_DIGITS = 13
_OLDEST = timedelta(days=5 * 366)
_NEAR = timedelta(days=60)
_MOST_DISTINCT = 2 / 3


def dates_among(runs: Sequence[Sequence[Run]]) -> frozenset[str]:
    """Return the numbers in the names of files that are dates of the last years, or times.

    Those behind the word of a camera or an office program are, and those that files of different students
    have, with those near to them. Where each file has its own, they may as well be numbers of students.
    """
    pictures = [run.text for own in runs for run in _of_pictures(own)]
    return frozenset([*pictures, *_recurring_days(runs)])


def _day_of(number: str) -> date | None:
    """Return the day of a number that may be a date, None of one that is none."""
    form = _FORMS.get(len(number))
    if form is None or not number.isdigit():
        return None
    try:
        day = datetime.strptime(number, form).date()
    except ValueError:
        return None
    today = date.today()
    return day if today - _OLDEST <= day <= today + timedelta(days=1) else None


def _of_pictures(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the dates and times in a name that a camera or a program gave."""
    dated = False
    for before, run in pairwise([Run("", "", -1, beside_number=False), *runs]):
        own = _PICTURE_NUMBER.fullmatch(run.text)
        number = own[1] if own else run.text
        is_picture = own is not None or before.text.casefold() in _PICTURE_WORDS
        is_time = dated and len(number) == _TIME_DIGITS and number.isdigit()
        dated = is_picture and (_day_of(number) is not None or len(number) == _MILLISECONDS_DIGITS)
        if run.kind == "number" and (dated or is_time):
            yield run


def _recurring_days(runs: Sequence[Sequence[Run]]) -> Iterable[str]:
    """Return the dates that files of different students have, and those near to them."""
    having: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for own in runs:
        telling = frozenset(run.text for run in own if run.kind in {"han", "latin"} and not is_general(run))
        for number in {run.text for run in own if run.kind == "number" and len(run.text) in _FORMS}:
            having[number].append(telling)
    days = {number: day for number in having if (day := _day_of(number)) is not None}
    # 20240132 tells that 20240107 is no date either
    months = {number[:6] for number in having if number not in days}
    if len(days) > _MOST_DISTINCT * sum(len(having[number]) for number in days):
        return ()
    shared = [day for number, day in days.items() if _of_several(having[number]) and number[:6] not in months]
    return [number for number, day in days.items() if any(abs(day - other) <= _NEAR for other in shared)]


def _of_several(telling: Sequence[frozenset[str]]) -> bool:
    """Whether files have nothing in common that could be the name of one student."""
    return any(not one & other for one, other in combinations(telling, 2))


_MOST_LATIN_WORDS = 4
_CLASS_FROM_FILES = 4
_MOST_OF_CLASS = 0.5
_SAME_PLACE_SHARE = 0.5
_LONGEST_DRAFT_NUMBER = 2


@dataclass(frozen=True, slots=True)
class _Candidate:
    name: str
    ground: Ground
    rank: int


def recognised_in_stems(
    named: Sequence[tuple[Path, str]], listed: Sequence[Student] = ()
) -> list[Recognised]:
    """Return what was recognised in the name of each file or folder, given without its ending, in order.

    What recurs in most files of a class is no name; a student of the list goes before all else.
    """
    stems = [stem for _path, stem in named]
    runs = list(map(runs_of, stems))
    dates = dates_among(runs)
    runs = [without(own, dates) for own in runs]
    recurring = _recurring(runs)
    finder = Finder(listed)
    found = [
        _recognised(path, stem, own, recurring, listed, finder)
        for (path, stem), own in zip(named, runs, strict=True)
    ]
    found = _by_list_number(found, runs, recurring, listed)
    placed = list(_by_place(without_shared_numbers(found), runs, recurring))
    return list(_by_others(placed, stems))


def _recurring(runs: Sequence[Sequence[Run]]) -> frozenset[str]:
    """Return the runs and words that most files of a class have."""
    if len(runs) < _CLASS_FROM_FILES:
        return frozenset()
    counts: Counter[str] = Counter()
    for own in runs:
        counts.update({word for run in own for word in (run.text.casefold(), *_cut(run))})
    return frozenset(word for word, count in counts.items() if count > _MOST_OF_CLASS * len(runs))


def _cut(run: Run) -> list[str]:
    if run.kind == "han":
        return list(rjieba.cut(run.text))
    return [word.casefold() for word in words_of(run.text)] if run.kind == "latin" else []


# --- a file by itself


def _recognised(
    path: Path,
    stem: str,
    runs: Sequence[Run],
    recurring: frozenset[str],
    listed: Sequence[Student],
    finder: Finder,
) -> Recognised:
    number = next((run.text for run in runs if run.kind == "number"), "")
    ground = Ground.DIGITS if number else None
    students, written = _listed(stem, number, listed, finder)
    if students:
        return _as_listed(path, students, number, written)
    candidates = [one for run in runs for one in _candidates(run, recurring)] or _in_pinyin(runs, recurring)
    best = min(candidates, key=lambda one: one.rank, default=None)
    if best is None:
        return Recognised(path, "", number, None, ground)
    also = tuple(one.name for one in candidates if one.rank == best.rank == 0 and is_in_dictionary(one.name))
    others = tuple(dict.fromkeys(name for name in also if name != best.name))
    return Recognised(path, best.name, number, best.ground, ground, others)


def _listed(stem: str, number: str, listed: Sequence[Student], finder: Finder) -> tuple[list[Student], str]:
    """Return the students of the list whom a file's name may tell of, if any, and how it names them."""
    having = [one for one in listed if _is_of(number, one)] if number else []
    if having:
        return having, ""
    hits = finder.hits(_spaced(stem))
    best = max(hits, key=lambda hit: hit.end - hit.start, default=None)
    if best is None:
        return [], ""
    return [listed[place] for place in best.students], _spaced(stem)[best.start : best.end]


def _is_of(number: str, student: Student) -> bool:
    return number.lstrip("0").casefold() in {one.lstrip("0").casefold() for one in student.numbers}


def _as_listed(path: Path, students: Sequence[Student], number: str, written: str = "") -> Recognised:
    """Return the file as that of a student; of several who have its name nobody knows whose it is."""
    student = students[0]
    name = (student.names or ("",))[0]
    if len(students) > 1:
        # several names in characters may be the same in pinyin
        name = name if all(name in one.names for one in students) else written
        return Recognised(path, name, number, Ground.SEVERAL, Ground.DIGITS if number else None)
    is_theirs = not number or _is_of(number, student)
    told = (student.numbers or ("",))[0] if is_theirs else number
    ground = Ground.LISTED if told and is_theirs else Ground.DIGITS if number else None
    return Recognised(path, name, told, Ground.LISTED if name else None, ground)


def _spaced(stem: str) -> str:
    return unicodedata.normalize("NFKC", stem).replace("_", " ")


def _candidates(run: Run, recurring: frozenset[str]) -> Iterator[_Candidate]:
    if run.text.casefold() in recurring:
        return
    if run.kind == "han":
        yield from _chinese_candidates(run, recurring)
    elif run.kind == "latin":
        name, is_telling = _latin_name(run.text, recurring)
        if name and run.beside_number:
            yield _Candidate(pinyin_of_words(words_of(name)) or name, Ground.BESIDE_NUMBER, 2)
        elif name and is_telling:
            yield _Candidate(name, Ground.PERSONAL_NAME, 3)


def _chinese_candidates(run: Run, recurring: frozenset[str]) -> Iterator[_Candidate]:
    simple = folded(run.text).characters
    if simple in GENERAL_WORDS:
        return
    if is_name_alone(simple):
        yield _Candidate(run.text, Ground.PERSONAL_NAME, 0)
    elif run.beside_number and has_shape(simple):
        yield _Candidate(run.text, Ground.BESIDE_NUMBER, 1)
    else:
        for start, end in _names_within(simple, recurring):
            yield _Candidate(run.text[start:end], Ground.PERSONAL_NAME, 4)


def _in_pinyin(runs: Sequence[Run], recurring: frozenset[str]) -> list[_Candidate]:
    """Return the name that a file has in pinyin, nobody's where any other word tells of something."""
    words = [run for run in runs if run.kind in {"han", "latin"} and not is_general(run)]
    telling = [run for run in words if run.text.casefold() not in recurring]
    name = _latin_name(telling[0].text, recurring)[0] if len(telling) == 1 else ""
    pinyin = pinyin_of_words(words_of(name)) if name else ""
    return [_Candidate(pinyin, Ground.PERSONAL_NAME, 5)] if pinyin else []


def _names_within(text: str, recurring: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where names stand in a longer run: "李小明的作文", "作文张三"."""
    begin = 0
    for word, tag in rjieba.tag(text):
        end = begin + len(word)
        if tag.startswith("nr") and has_shape(word) and word not in recurring:
            yield begin, end
        begin = end


def _latin_name(text: str, recurring: frozenset[str]) -> tuple[str, bool]:
    """Return the words of a run that may be a name, and whether they tell so without what is beside them."""
    spaced = camel_spaced(text)
    words = [
        match for match in LATIN_WORD.finditer(spaced)
        if may_be_name(match[0]) and match[0].casefold() not in recurring
    ]  # fmt: skip
    all_words = [match[0].casefold() for match in LATIN_WORD.finditer(spaced)]
    if not words or len(words) > _MOST_LATIN_WORDS or FUNCTION_WORDS.intersection(all_words):
        return "", False
    name = spaced[words[0].start() : words[-1].end()].strip(" -,")
    return name, len(words) > 1 and all(match[0][0].isupper() for match in words)


# --- a class together


def _by_list_number(
    found: Sequence[Recognised],
    runs: Sequence[Sequence[Run]],
    recurring: frozenset[str],
    listed: Sequence[Student],
) -> list[Recognised]:
    """Take a short number for that of the list where most files without a name have one, each its own."""
    unknown = [place for place, one in enumerate(found) if not (one.name or one.number)]
    numbers = {place: number for place in unknown if (number := _list_number(runs[place], recurring))}
    if len(set(numbers.values())) < len(numbers) or len(numbers) <= _MOST_OF_CLASS * len(unknown):
        return list(found)
    students = {place: [s for s in listed if _is_of(number, s)] for place, number in numbers.items()}
    return [
        _as_listed(one.path, students[place], numbers[place]) if len(students.get(place, ())) == 1 else one
        for place, one in enumerate(found)
    ]


def _list_number(runs: Sequence[Run], recurring: frozenset[str]) -> str:
    """Return the number of a name without words that may be a student's; that of a draft is none."""
    if any(run.kind == "latin" and _latin_name(run.text, recurring)[0] for run in runs):
        return ""
    for before, run in zip((None, *runs), runs, strict=False):
        is_draft = before is not None and is_general(before) and len(run.text) <= _LONGEST_DRAFT_NUMBER
        if run.kind == "digits" and not is_draft:
            return run.text.lstrip("0")
    return ""


def without_shared_numbers(found: Sequence[Recognised]) -> list[Recognised]:
    """Leave out numbers that files of several students have: dates, numbers of courses."""
    names = defaultdict(set)
    for one in found:
        if one.number and one.number_ground is not Ground.LISTED:
            names[one.number].add(one.name or str(one.path))
    return [
        replace(one, number="", number_ground=None) if len(names.get(one.number, ())) > 1 else one
        for one in found
    ]


def _by_place(
    found: Sequence[Recognised], runs: Sequence[Sequence[Run]], recurring: frozenset[str]
) -> Iterator[Recognised]:
    """Take what stands where other files of the same pattern have a name for a name, though it is a word."""
    patterns = Counter(map(len, runs))
    places = Counter(
        (len(own), run.place)
        for one, own in zip(found, runs, strict=True)
        for run in own
        if one.name and run.text == one.name
    )
    usual = {
        runs_count: place
        for (runs_count, place), count in reversed(places.most_common())
        if runs_count > 1
        and patterns[runs_count] >= _CLASS_FROM_FILES
        and count >= _SAME_PLACE_SHARE * patterns[runs_count]
    }
    for one, own in zip(found, runs, strict=True):
        there = own[usual[len(own)]] if len(own) in usual else None
        is_known = there is None or one.name_ground is Ground.LISTED or there.text == one.name
        name = "" if there is None or is_known else _name_there(there, recurring)
        yield replace(one, name=name, name_ground=Ground.SAME_PLACE) if name else one


def _name_there(run: Run, recurring: frozenset[str]) -> str:
    if run.text.casefold() in recurring:
        return ""
    if run.kind == "latin":
        return _latin_name(run.text, recurring)[0]
    return run.text if run.kind == "han" and has_shape(folded(run.text).characters) else ""


def _by_others(found: Sequence[Recognised], stems: Sequence[str]) -> Iterator[Recognised]:
    """Take a name that another file has for one, however it is written."""
    names = tuple(dict.fromkeys(one.name for one in found if one.name))
    finder = Finder([Student((name,)) for name in names])
    for one, stem in zip(found, stems, strict=True):
        hits = [] if one.name else finder.hits(_spaced(stem))
        if hits:
            yield replace(one, name=names[hits[0].students[0]], name_ground=Ground.PERSONAL_NAME)
        else:
            yield one
