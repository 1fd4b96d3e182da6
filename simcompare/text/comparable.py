"""The comparable form of a text: normalised units that ignore case, script variants and disguises.

NFKC, radicals as their ideographs, traditional as simplified characters, case folded, invisible
characters dropped, look-alike letters folded into the script of their word. The form is never displayed:
every unit keeps the span it came from.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from opencc import OpenCC

from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.support.confusables import (
    EQUIVALENT_IDEOGRAPHS,
    fold_look_alikes,
    fold_to_latin,
    is_among_latin,
    may_be_latin,
)

_SINGLE_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "BOPOMOFO", "TANGUT", "NUSHU")


@cache
def character_class(character: str) -> str:
    """Return the class of a character that decides where units begin and end.

    H: a unit by itself; W: part of a run; M: a combining mark, which belongs to the letter before it;
    -: a separator.
    """
    category = unicodedata.category(character)
    if category in {"Mc", "Mn"}:
        return "M"
    if category[0] in "LN":
        return "H" if _is_single_unit(character) else "W"
    return "-"


def _is_single_unit(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.name(character, "").startswith(_SINGLE_SCRIPTS)


def any_han(units: Collection[str]) -> bool:
    return not "".join(units).isascii() and any(map(is_han, units))


def is_han(unit: str) -> bool:
    """Return whether a unit is one Han character, which jieba can segment together with its neighbours."""
    return len(unit) == 1 and _is_han_character(unit)


@cache
def _is_han_character(character: str) -> bool:
    return not character.isascii() and unicodedata.name(character, "").startswith(
        ("CJK UNIFIED", "IDEOGRAPHIC NUMBER")
    )


Codes = NDArray[np.uint32]
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u3164\uffa0")
_IDEOGRAPH = re.compile("[\u2e80-\U0010ffff]")
_HAS_LOOK_ALIKES = re.compile("[\u0370-\u052f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Part of a file name that is not UTF-8; OpenCC cannot convert it."""
# Each unit is a string of 76 bytes until it is replaced by an equal one: all of 10 MB of text took 400 MB.
_UNITS_AT_ONCE = 100_000
_HALFWIDTH_VOICING = frozenset("\uff9e\uff9f")


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The comparable units of a text, in order.

    texts: each unit in comparable form; spans: shape (u, 2), the code points of the source of each unit.
    A unit is one Han, kana or hangul character, or one run of letters and digits of any other script.
    """

    texts: tuple[str, ...]
    spans: Int32Array

    def __len__(self) -> int:
        return len(self.texts)


def comparable_units(text: str) -> Units:
    """Split `text` into units in comparable form, with their spans."""
    form, starts, ends = _folded(text)
    texts, alone, running = _unit_texts(_simplified(form))
    first, last = _unit_bounds(alone, running)
    return Units(tuple(texts), np.stack([starts[first], ends[last - 1]], axis=1).astype(np.int32))


def _unit_texts(form: str) -> tuple[list[str], BoolArray, BoolArray]:
    """Return the units of a folded form, and which of its characters are units alone or parts of runs."""
    codes = _codes(form)
    classes = _with_marks(_CLASSES.of(codes))
    alone, running = classes == ord("H"), classes == ord("W")
    first, _last = _unit_bounds(alone, running)
    texts = _split_before(np.where(alone | running, codes, ord(" ")), first)
    if not form.isascii():
        for place in np.flatnonzero(running[first]).tolist():
            if not texts[place].isascii():
                is_latin = may_be_latin(texts[place]) and is_among_latin(texts, place)
                texts[place] = (fold_to_latin if is_latin else fold_look_alikes)(texts[place])
    return texts, alone, running


@dataclass(frozen=True, slots=True, eq=False)
class FoldedText:
    """A text for searching: comparable characters, including blanks and punctuation.

    starts, ends: shape (n,), the code points of the source that each character comes from, in order.
    """

    characters: str
    starts: Int32Array
    ends: Int32Array


def fold_for_search(text: str, *, folds_look_alikes: bool = False) -> FoldedText:
    """Convert `text` to comparable form, character by character.

    A character is simplified independently of its neighbours: search results must not depend on how a
    query is segmented into words. Look-alike letters are folded as in units only on request.
    """
    form, starts, ends = _folded(text)
    codes = _SIMPLIFIED.of(_codes(form))
    if folds_look_alikes and _HAS_LOOK_ALIKES.search(form):
        texts, alone, running = _unit_texts(_text(codes))
        codes[alone | running] = _codes("".join(texts))
    return FoldedText(_text(codes), starts, ends)


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _text(codes: Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _split_before(codes: Codes, starts: NDArray[np.intp]) -> list[str]:
    """Split characters at blanks and before each of the starts, shape (u,); equal parts are one object."""
    parts: list[str] = []
    known: dict[str, str] = {}
    for first in range(0, len(starts), _UNITS_AT_ONCE):
        begins = starts[first : first + _UNITS_AT_ONCE + 1]
        end = begins[_UNITS_AT_ONCE] if len(begins) > _UNITS_AT_ONCE else len(codes)
        begins = begins[:_UNITS_AT_ONCE] - begins[0]
        some = codes[starts[first] : end]
        shifts = np.zeros(len(some), np.intp)
        shifts[begins] = 1
        spaced = np.full(len(some) + len(begins), ord(" "), np.uint32)
        spaced[np.arange(len(some)) + np.cumsum(shifts)] = some
        parts += [known.setdefault(part, part) for part in _text(spaced).split()]
    return parts


def _unit_bounds(alone: BoolArray, running: BoolArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the starts and ends of units: single characters, and runs of the others."""
    before = np.concatenate([[False], running[:-1]]) if len(running) else running
    after = np.concatenate([running[1:], [False]]) if len(running) else running
    first = np.flatnonzero(alone | (running & ~before))
    last = np.flatnonzero(alone | (running & ~after)) + 1
    return first, last


def _with_marks(classes: Codes) -> Codes:
    """Join combining marks to the letters before them; other marks are dropped (an underlined 字)."""
    marks = classes == ord("M")
    if not marks.any():
        return classes
    base = np.maximum.accumulate(np.where(marks, 0, np.arange(len(classes))))
    return np.where(marks, np.where(classes[base] == ord("W"), ord("W"), ord("-")), classes)


def _folded(text: str) -> tuple[str, Int32Array, Int32Array]:
    """Return the folded form and, for each of its characters, the start and end of its source.

    Nearly all characters fold to one character; only clusters that grow, shrink or join are processed
    one by one.
    """
    codes = _codes(text)
    folds = _FOLDS.of(codes)
    irregular = folds == _IRREGULAR
    if not irregular.any():
        places = np.arange(len(text) + 1, dtype=np.int32)
        return _text(folds), places[:-1], places[1:]
    regular = _text(np.where(irregular, codes, folds))
    pieces: list[str] = []
    starts: list[Int32Array] = []
    ends: list[Int32Array] = []

    def keep(a: int, b: int) -> None:
        pieces.append(regular[a:b])
        starts.append(np.arange(a, b, dtype=np.int32))
        ends.append(np.arange(a + 1, b + 1, dtype=np.int32))

    position = 0
    for match in _clusters(set(_text(np.unique(codes[irregular])))).finditer(text):
        keep(position, match.start())
        folded = _fold(match.group())
        pieces.append(folded)
        starts.append(np.full(len(folded), match.start(), dtype=np.int32))
        ends.append(np.full(len(folded), match.end(), dtype=np.int32))
        position = match.end()
    keep(position, len(text))
    return "".join(pieces), np.concatenate(starts), np.concatenate(ends)


def _clusters(irregular: set[str]) -> re.Pattern[str]:
    """Match a character with joining marks, over invisible characters, or an irregular one alone."""
    alone = _any_of(irregular)
    joining = set(filter(_joins, irregular))
    if not joining:
        return re.compile(alone)
    invisible = set(filter(_is_invisible, irregular - joining))
    over = f"{_any_of(invisible)}*" if invisible else ""
    return re.compile(f".(?:{over}{_any_of(joining)})+|{alone}", re.DOTALL)


def _any_of(characters: set[str]) -> str:
    return f"[{re.escape(''.join(sorted(characters)))}]"


def _joins(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or character in _HALFWIDTH_VOICING


@cache
def _fold(cluster: str) -> str:
    kept = "".join(c for c in cluster if not _is_invisible(c))
    normal = unicodedata.normalize("NFKC", kept.translate(EQUIVALENT_IDEOGRAPHS))
    return unicodedata.normalize("NFKC", normal.casefold()).translate(EQUIVALENT_IDEOGRAPHS)


def _is_invisible(character: str) -> bool:
    """Return whether a character is a format or control character, a variation selector or a filler.

    They change no letter that a reader sees.
    """
    code = ord(character)
    if character in "\t\n" or character in _INVISIBLE_LETTERS:
        return character in _INVISIBLE_LETTERS
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return True
    return unicodedata.category(character) in {"Cf", "Cc"}


class _CharacterTable:
    """Lazily filled table of a number for every character; 0 means not yet computed."""

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self._number_of = number_of
        self._numbers = np.zeros(sys.maxunicode + 1, dtype=np.uint32)

    def of(self, codes: Codes) -> Codes:
        """Return the number of each character, given by code points."""
        numbers = self._numbers[codes]
        if numbers.all():
            return numbers
        for code in np.unique(codes[numbers == 0]).tolist():
            self._numbers[code] = self._number_of(chr(code))
        return self._numbers[codes]


_IRREGULAR = sys.maxunicode + 1


def _regular_fold(character: str) -> int:
    """Return the folded character, or _IRREGULAR if it is not one character or depends on its neighbours."""
    folded = _fold(character)
    return _IRREGULAR if _joins(character) or len(folded) != 1 else ord(folded)


_FOLDS = _CharacterTable(_regular_fold)
_CLASSES = _CharacterTable(lambda character: ord(character_class(character)))


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def _simplified(form: str) -> str:
    """Convert to simplified characters one for one, so that offsets stay valid."""
    if form.isascii() or not _IDEOGRAPH.search(form):
        return form
    if not _SURROGATE.search(form):
        converted: str = _converter().convert(form)
        if len(converted) == len(form):
            return converted
    return "".join(map(_simplified_character, form))


@cache
def _simplified_character(character: str) -> str:
    if _SURROGATE.match(character):
        return character
    converted: str = _converter().convert(character)
    return converted if len(converted) == 1 else character


_SIMPLIFIED = _CharacterTable(lambda character: ord(_simplified_character(character)))
