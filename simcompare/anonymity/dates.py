"""Which numbers in the names of files are dates, and no students' numbers."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations, pairwise

from simcompare.anonymity.name_parts import Run, is_general

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
