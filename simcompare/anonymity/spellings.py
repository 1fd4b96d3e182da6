"""The ways in which a name or a number may be written, as patterns over folded text."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

import rjieba

from simcompare.anonymity.students import Student
from simcompare.anonymity.surnames import COMPOUND_SURNAMES, ORDINARY_NAMES, SURNAMES
from simcompare.look_alikes import fold_look_alikes
from simcompare.text.comparable import FoldedText, fold_for_search
from simcompare.text.scripts import is_han

_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN, _LETTERS = re.compile("[\u0370-\u04ff]"), re.compile(r"[^\W\d_]+")
# a letter that goes on with a Latin word; a Chinese character beside a word is no part of it
_LETTER = "[a-z\u00df-\u024f\u0370-\u04ff]"
_NO_LETTER_BEFORE, _NO_LETTER_BEHIND = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_WITHIN_WORD = r"['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013\s]{0,2}"
_LATIN_WORD = re.compile(r"[^\W_]+(?:['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013]+[^\W_]+)*")
_BETWEEN_WORDS = r"[\s.,_\u00b7\-\u2010\u2011\u2013]{%d,3}"
_MIDDLE_INITIAL = r"(?:[a-z]\.?\s{1,2})?"
_BLANKS, _BLANKS_AND_LINES = r"[^\S\n]{0,4}", r"\s{0,4}"
_DOT = r"\s?[\u00b7\u2022\u2027\u30fb.\-]?\s?"
_DOTS = re.compile(r"[\u00b7\u2022\u2027\u30fb]")
_NUMBER_LABEL = r"(?:学号|学籍号|考号|准考证号|座位号|座号|编号|(?<![a-z])(?:no\.?|id|number))\s*[:#.]?\s*"
_LABEL_BEGINS = "学考准座编ni"
_SHORTEST_NUMBER = 5
_SAFE_LETTERS = 8
_SHORTEST_PART = 3
_LONGEST_FULL_HAN_NAME_IN_A_WORD = 2


class Check(Enum):
    """What else must hold where a pattern is found."""

    NOTHING = auto()
    CAPITALS = auto()
    """Each of its words begins with a capital letter."""
    NOT_IN_A_WORD = auto()
    """It is no part of a longer Chinese word."""
    AT_A_WORD_BORDER = auto()
    """It is no part of a longer Chinese word, nor the end of one and the beginning of another."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A pattern over folded text, with what it may begin, its length, and what else must hold.

    characters: with how many it is written; is_part: whether it is a part of a name, which another student's
    may have as well.
    """

    pattern: str
    begins: str
    characters: int
    check: Check = Check.NOTHING
    is_part: bool = False


def folded(text: str) -> FoldedText:
    """Return a text as patterns meet it: comparable form, and letters without accents and disguise."""
    # names of files and notes may hold what is no text
    form = fold_for_search(_SURROGATE.sub("\ufffd", text))
    bare = form.characters.translate(_BARE)
    if _FOREIGN.search(bare):
        bare = _LETTERS.sub(lambda word: fold_look_alikes(word[0]), bare)
    return FoldedText(bare, form.starts, form.ends)


class _BareLetters(dict[int, int]):
    """The letter without its accent for each code point; one that has no such letter stays."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFD", chr(code))
        is_accented = len(parts) > 1 and parts[0].isascii() and parts[0].isalpha()
        self[code] = ord(parts[0]) if is_accented else code
        return self[code]


_BARE = _BareLetters()


def spellings_of(student: Student) -> Iterator[Spelling]:
    """Yield the ways to write the names and the numbers of a student, some of them more than once."""
    for name in student.names:
        form = folded(name).characters
        if any(map(is_han, form)):
            yield from _chinese("".join(c for c in form if is_han(c) or _DOTS.match(c)))
        yield from _latin("".join(" " if is_han(c) else c for c in form))
    for number in student.numbers:
        yield from _number(folded(number).characters)


def unshared(spellings: Sequence[Iterable[Spelling]]) -> dict[Spelling, tuple[int, ...]]:
    """Return each spelling with the places of those it belongs to; parts that several share are left out."""
    owners: defaultdict[str, dict[int, Spelling]] = defaultdict(dict)
    for place, own in enumerate(spellings):
        for one in own:
            known = owners[one.pattern].get(place)
            # what is a whole name of somebody is looked for as one
            if known is None or known.is_part:
                owners[one.pattern][place] = one
    return {
        min(held.values(), key=lambda one: one.is_part): tuple(held)
        for held in owners.values()
        if len(held) == 1 or not all(one.is_part for one in held.values())
    }


# --- Chinese names


def surname_of(name: str) -> str:
    """Return the Chinese surname that a name in simplified characters begins with, empty without one."""
    if name[:2] in COMPOUND_SURNAMES:
        return name[:2]
    return name[:1] if name[:1] in SURNAMES else ""


def _chinese(name: str) -> Iterator[Spelling]:
    words = [word for word in _DOTS.split(name) if word]
    whole = "".join(words)
    yield Spelling(
        _DOT.join(map(_spaced, words)) if len(words) > 1 else _spaced(whole),
        whole[0],
        len(whole),
        Check.NOT_IN_A_WORD if len(whole) <= _LONGEST_FULL_HAN_NAME_IN_A_WORD else Check.NOTHING,
    )
    surname = surname_of(whole) if len(words) == 1 else ""
    if surname and len(whole) > len(surname):
        yield Spelling(f"{surname}同学", surname[0], len(surname) + 2, is_part=True)
        words = [whole[len(surname) :]]
    for word in words:
        if 1 < len(word) < len(whole) and not is_ordinary(word):
            yield Spelling(_spaced(word), word[0], len(word), Check.AT_A_WORD_BORDER, is_part=True)


def _spaced(word: str) -> str:
    # of two characters on two lines hardly any are a name
    blanks = _BLANKS_AND_LINES if len(word) > _LONGEST_FULL_HAN_NAME_IN_A_WORD else _BLANKS
    return blanks.join(map(re.escape, word))


@cache
def is_ordinary(word: str) -> bool:
    """Whether a Chinese word stands in the dictionary, and not as a name of persons."""
    tagged = rjieba.tag(word, False)
    return len(tagged) == 1 and not tagged[0][1].startswith("nr")


# --- Latin names


def _latin(name: str) -> Iterator[Spelling]:
    words = [word for word in _LATIN_WORD.findall(name) if any(c.isalpha() for c in word)]
    if len(words) == 1:
        yield _single(words[0], is_part=False)
    elif words:
        yield from _full(words)
        yield from _initials(words)
        yield from (_single(word, is_part=True) for word in words if _is_telling(word))


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST_PART and word not in ORDINARY_NAMES


def _single(word: str, *, is_part: bool) -> Spelling:
    is_safe = not is_part and len(word) > _SHORTEST_PART and word not in ORDINARY_NAMES
    check = Check.NOTHING if is_safe else Check.CAPITALS
    return Spelling(_bordered(_word(word)), word[0], len(word), check, is_part)


def _full(words: Sequence[str]) -> Iterator[Spelling]:
    letters = sum(map(len, words))
    is_safe = letters >= _SAFE_LETTERS and not ORDINARY_NAMES.intersection(words)
    between = _BETWEEN_WORDS % (letters < _SAFE_LETTERS)
    orders = [words, [words[-1], *words[:-1]], [*words[1:], words[0]]]
    if len(words) > 2:
        orders += [[words[0], words[-1]], [words[-1], words[0]]]
    for order in orders:
        parts = list(map(_word, order))
        if len(order) == 2:
            parts[1] = _MIDDLE_INITIAL + parts[1]
        yield Spelling(
            _bordered(between.join(parts)),
            order[0][0],
            sum(map(len, order)),
            Check.NOTHING if is_safe else Check.CAPITALS,
        )


def _initials(words: Sequence[str]) -> Iterator[Spelling]:
    """Yield "J. Smith", "Smith, J."; which of the words is the surname nobody may have said."""
    for name, others in ((words[-1], words[:-1]), (words[0], words[1:])):
        least = 0 if len(name) > _SHORTEST_PART else 1
        check = Check.NOTHING if _is_telling(name) and not least else Check.CAPITALS
        firsts = [list(map(_initial, others))] + ([[_initial(others[0])]] if len(others) > 1 else [])
        for letters in firsts:
            before = "".join(f"{letter}[.\\s\\-]{{{least},2}}" for letter in letters)
            behind = "".join(rf"[\s,.]{{1,3}}{letter}{_NO_LETTER_BEHIND}\.?" for letter in letters)
            count = len(letters) + len(name)
            yield Spelling(_bordered(before + _word(name)), letters[0][0], count, check)
            yield Spelling(_NO_LETTER_BEFORE + _word(name) + behind, name[0], count, Check.CAPITALS)


def _initial(word: str) -> str:
    """Return a pattern of the first letter, and of those behind its hyphens where they are written."""
    first, *others = re.split(r"[^\w]+", word)
    return first[0] + "".join(rf"(?:[.\s\-]{{0,3}}{other[0]})?" for other in others if other)


def _word(word: str) -> str:
    return _WITHIN_WORD.join(map(re.escape, re.split(r"[^\w]+", word)))


def _bordered(pattern: str) -> str:
    return _NO_LETTER_BEFORE + pattern + _NO_LETTER_BEHIND


# --- numbers


def _number(number: str) -> Iterator[Spelling]:
    signs = [c for c in number if c.isalnum()]
    spaced = r"[^\S\n]?-?".join(map(re.escape, signs))
    if not "".join(signs).isdigit():
        if signs:
            yield Spelling(rf"(?<![a-z\d]){spaced}(?![a-z\d])", signs[0], len(signs))
    elif len(signs) >= _SHORTEST_NUMBER:
        yield Spelling(rf"(?<!\d){spaced}(?!\d)", signs[0], len(signs))
    else:
        yield Spelling(rf"{_NUMBER_LABEL}0*{spaced}(?!\d)", _LABEL_BEGINS, len(signs))
