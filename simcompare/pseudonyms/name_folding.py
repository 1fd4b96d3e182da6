"""A way to write a name or a number, as a pattern over folded text."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from simcompare.support.confusables import fold_look_alikes
from simcompare.text.comparable import FoldedText, fold_for_search

BARE = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i"}
"""The letter that another looks like, in small letters, where Unicode does not take it to pieces."""
PAIRS = {"þ": "th", "æ": "ae", "œ": "oe"}
"""The letters that stand for one."""
_IN_TWO_LETTERS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj"}
_WITH_MARKS = re.compile("[äöüøåđ]", re.IGNORECASE)
_OF_TWO_LETTERS = re.compile(r"(?<![aeiouy\W\d_])(?:(?<=[^\Wq])|\b)([aou])e(?=[^\W\d_aeiouy])", re.IGNORECASE)
_SHORTEST_OF_TWO = 5
_WORD = re.compile(r"[^\W\d_]+")


def written_otherwise(name: str) -> Iterator[tuple[str, bool]]:
    """Yield a name with two letters for one with a mark, and with one for two; whether it is seldom so.

    "Mueller" for "Müller", "Muller" for "Mueller"; "Michal" for "Michael" is another's, where there is one.
    """
    name = unicodedata.normalize("NFC", name)
    longer = _WITH_MARKS.sub(lambda letter: _two_for(letter[0]), name)
    if longer != name:
        yield longer, False
    shorter = _WORD.sub(lambda word: _with_one_for_two(word[0]), name)
    if shorter != name:
        yield shorter, True


def _two_for(letter: str) -> str:
    pair = _IN_TWO_LETTERS[letter.lower()]
    return pair if letter.islower() else pair.capitalize()


def _with_one_for_two(word: str) -> str:
    return _OF_TWO_LETTERS.sub(r"\1", word) if len(word) >= _SHORTEST_OF_TWO else word


_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN, _LETTERS = re.compile("[\u0370-\u04ff]"), re.compile(r"[^\W\d_]+")
_STANDS_FOR_TWO = re.compile(f"[{''.join(PAIRS)}]")
# a word that goes on in the next line
_BROKEN_WORD = re.compile(r"(?<=[a-z])[-\u2010]\n[^\S\n]*(?=[a-z])")


class Check(Enum):
    """What else must hold where a pattern is found."""

    NOTHING = auto()
    CAPITALS = auto()
    """Each group of the pattern begins with a capital letter."""
    CAPITALS_OF_ITS_OWN = auto()
    """They do, and no further word in capitals follows, beside which they would tell nothing."""
    AT_A_WORD_BORDER = auto()
    """It is no part of a longer Chinese word, nor the end of one and the beginning of another."""
    A_PERSON = auto()
    """It is an ordinary word, and stands where a text speaks of a person."""
    OWN_TEXT = auto()
    """The text is that student's own."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A pattern over folded text, with what it may begin, its length, and what else must hold.

    pattern: its groups are what is written with a capital; characters: with how many it is written; is_part:
    whether it is a part of a name, which another student's may have as well; has_initials: whether it has
    letters in place of words; is_rare: whether it goes before no other student's.
    """

    pattern: str
    begins: str
    characters: int
    check: Check = Check.NOTHING
    is_part: bool = False
    has_initials: bool = False
    is_rare: bool = False


def folded(text: str) -> FoldedText:
    """Return a text as patterns meet it: comparable form, and letters without accents and disguise."""
    # names of files and notes may hold what is no text
    form = fold_for_search(_SURROGATE.sub("\ufffd", text))
    bare = form.characters.translate(_BARE)
    if _FOREIGN.search(bare):
        bare = _LETTERS.sub(lambda word: fold_look_alikes(word[0]), bare)
    return _without_line_hyphens(_with_pairs(FoldedText(bare, form.starts, form.ends)))


def _with_pairs(form: FoldedText) -> FoldedText:
    """Write two letters for each that stands for two."""
    if not _STANDS_FOR_TWO.search(form.characters):
        return form
    lengths = [len(PAIRS.get(character, character)) for character in form.characters]
    characters = _STANDS_FOR_TWO.sub(lambda letter: PAIRS[letter[0]], form.characters)
    return FoldedText(characters, np.repeat(form.starts, lengths), np.repeat(form.ends, lengths))


def _without_line_hyphens(form: FoldedText) -> FoldedText:
    """Join words that are broken at the end of a line."""
    broken = list(_BROKEN_WORD.finditer(form.characters))
    if not broken:
        return form
    is_kept = np.ones(len(form.characters), np.bool_)
    for match in broken:
        is_kept[match.start() : match.end()] = False
    characters = _BROKEN_WORD.sub("", form.characters)
    return FoldedText(characters, form.starts[is_kept], form.ends[is_kept])


class _BareLetters(dict[int, int]):
    """The letter without its accent for each code point; one that has no such letter stays."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFD", BARE.get(chr(code), chr(code)))
        is_bare = parts[:1].isascii() and parts[:1].isalpha()
        self[code] = ord(parts[0]) if is_bare else code
        return self[code]


_BARE = _BareLetters()
