"""Text made safe for display: invisible and control characters escaped, and file labels."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import accumulate
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, overload

from simcompare.support.i18n import N_, _
from simcompare.support.resources import resource_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Control characters except tab and line feed; unpaired surrogates; two codes that are no characters, which a
# PDF and XML must not contain; line and paragraph separators; zero-width characters and those that change the
# direction of writing, which hide or reorder text.
# A joiner within an emoji is kept, because it is part of the glyph.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufffe\uffff]"
    "|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
)
UNSEEN = re.compile(
    "(?:[\u180e\u200b\u200c\u200e\u200f\u2060-\u2065\u206a-\u206f\ufeff]"
    "|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d)+"
)
"""Runs of characters without width, for which reports draw a bar; the others that are escaped do more."""
_CONTROL_PICTURES = 0x2400
_FIRST_PRINTABLE = 0x20
_LONGEST_NAME = 80
_MONTHS = N_("January February March April May June July August September October November December")
# the folder in which Moodle puts the files of a student, and the beginning of a file without one
_MOODLE = re.compile(r"_\d+_assignsubmission_(?:file|onlinetext)(?:_/?|/)")
_IN_A_FOLDER = re.compile(
    r"(?<!_assignsubmission_file_)(?<!_assignsubmission_file)"
    r"(?<!_assignsubmission_onlinetext_)(?<!_assignsubmission_onlinetext)/"
)


def escape_invisible(text: str) -> str:
    """Replace every invisible character by a visible escape.

    ESC becomes "␛" and a right-to-left override "[U+202E]": nothing in the result moves a cursor, hides
    or reorders text, and it can be encoded in UTF-8.
    """
    if text.isprintable():
        return text
    return _INVISIBLE.sub(lambda match: _escape(ord(match.group())), text)


def day_in_words(day: date) -> str:
    """Return "30 November 2026"."""
    month = _(_MONTHS).split()[day.month - 1]
    return _("{day} {month} {year}").format(day=day.day, month=month, year=day.year)


def moment_in_words(moment: datetime) -> str:
    """Return "30 November 2026, 14:05"."""
    return _("{day}, {time}").format(day=day_in_words(moment), time=f"{moment:%H:%M}")


def display_name(name: str) -> str:
    """Escape a file name and shorten it in the middle to 80 characters, on one line."""
    escaped = escape_invisible(name).replace("\n", _escape(10)).replace("\t", _escape(9))
    if len(escaped) <= _LONGEST_NAME:
        return escaped
    return f"{escaped[: _LONGEST_NAME // 2]}…{escaped[-_LONGEST_NAME // 2 + 1 :]}"


def file_name(path: str) -> str:
    """Return the file name of a path without its folders, for paths of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def distinct_labels(paths: Sequence[PurePath]) -> list[str]:
    """Label each file by its name, preceded by as many folders as distinguish it from the others.

    A file that Moodle named has the student before its own name: "Li Ming/essay.docx".
    """
    parts = [_IN_A_FOLDER.split("/".join(path.parts)) for path in paths]
    names = ["/".join(own[-1:]) for own in parts]
    for length in range(2, max(map(len, parts), default=0) + 1):
        counts = Counter(names)
        names = [
            "/".join(own[-length:]) if counts[name] > 1 else name
            for own, name in zip(parts, names, strict=True)
        ]
    return list(_numbered(display_name(_MOODLE.sub("/", name)) for name in names))


def _numbered(names: Iterable[str]) -> Iterator[str]:
    """Add numbers to labels that are still equal, such as those of two copies of one file."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = count = seen.get(name, 0) + 1
        yield name if count == 1 else f"{name} ({count})"


def _escape(code: int) -> str:
    return chr(_CONTROL_PICTURES + code) if code < _FIRST_PRINTABLE else f"[U+{code:04X}]"


def common_folder_name(paths: Iterable[Path]) -> str:
    """Return the name of the folder or archive that the files of all students have in common, or "".

    It is the folder they are in, or its parent if each student has a folder. The folder of all samples of
    the program names no class.
    """
    folders = {path.parent for path in paths if path.is_absolute()}
    if resource_path("samples") in folders:
        return ""
    for common in [*folders, *(folder.parent for folder in folders)]:
        if common.name and all(common in {folder, folder.parent} for folder in folders):
            return common.stem if common.suffix.lower() == ".zip" else common.name
    return ""


_DECIMALS = 9


def percent(share: float) -> str:
    """Write a share for people: "62%"; below 10% with one decimal, "9.4%".

    A share above 0 is never written as 0% but as "<0.1%", one below 1 never as 100% but as ">99%".
    """
    tenths = _rounded(share * 1000)
    number = f"{tenths / 10 if tenths < 100 else _rounded(share * 100):g}"
    if tenths == 0 and share > 0:
        number = "<0.1"
    if number == "100" and share < 1:
        number = ">99"
    return with_sign(number)


def with_sign(number: object) -> str:
    """Write a percent sign behind a number."""
    return _("{number}%").format(number=number)


def least_share(percentage: float) -> float:
    """Return the least share that `percent` writes as this percentage or more: 0.495 for 50.

    A percentage with decimals is compared with one decimal, as tables have: 0.6205 for 62.1.
    """
    # without the rounding, 100 * 0.55 would count as more than 55
    percentage = round(percentage, _DECIMALS)
    if percentage >= 100:
        return 1.0
    steps_per_percent = 1 if percentage > 10 and percentage == int(percentage) else 10
    steps = math.ceil(round(percentage * steps_per_percent, _DECIMALS))
    return max(steps - 0.5, 0.0) / (100 * steps_per_percent)


@overload
def reaches(share: float, limit: float) -> bool: ...
@overload
def reaches(share: "NDArray[np.float64]", limit: float) -> "NDArray[np.bool_]": ...
def reaches(share: "float | NDArray[np.float64]", limit: float) -> "bool | NDArray[np.bool_]":
    """Return whether a share is written as the percentage of a limit or more: 0.115, 12%, reaches 0.12.

    share: one or an array; an unknown one, NaN, reaches no limit.
    """
    return share >= least_share(100 * limit)


def percentage(share: float) -> float:
    """Return a share in percent for tables, 62.1 for 62.1%; only exact 0 and 1 give 0 and 100."""
    number = _rounded(share * 1000) / 10
    return min(max(number, 0.1), 99.9) if 0 < share < 1 else number


def _rounded(number: float) -> int:
    """Round half up; 28.499999999999996, 100 * 0.285, counts as 28.5."""
    return math.floor(round(number, _DECIMALS) + 0.5)


_SEPARATORS = frozenset(" _-–—.·,，、+&()（）[]【】/\\")


def shared_ends(names: Sequence[str]) -> list[tuple[int, int]]:
    """Numbers of characters at the beginning and end of each stem that more than half of the names share."""
    stems = [name.removesuffix(PurePath(name).suffix) for name in names]
    beginnings, endings = _shared(stems), _shared([stem[::-1] for stem in stems])
    return [_own_left(stem, *ends) for stem, *ends in zip(stems, beginnings, endings, strict=True)]


def _own_left(stem: str, beginning: int, ending: int) -> tuple[int, int]:
    """Numbers of shared characters, or zeros if they cover the whole stem."""
    return (beginning, ending) if beginning + ending < len(stem) else (0, 0)


def _shared(stems: Sequence[str]) -> list[int]:
    """Length of the prefix of each stem that more than half of the stems share, in whole words."""
    counts = Counter(part for stem in stems for part in accumulate(stem))
    fewest = max(2, len(stems) // 2 + 1)
    return [_longest(stem, (part for part in accumulate(stem) if counts[part] >= fewest)) for stem in stems]


def _longest(stem: str, shared: Iterable[str]) -> int:
    return max((len(part) for part in shared if _ends_word(stem, len(part))), default=0)


def _ends_word(stem: str, place: int) -> bool:
    if place == len(stem) or not _SEPARATORS.isdisjoint(stem[place - 1 : place + 1]):
        return True
    return _kind(stem[place - 1]) != _kind(stem[place])


def _kind(character: str) -> str:
    if character.isdecimal():
        return "number"
    return "letter" if character.isascii() and character.isalpha() else "sign"
