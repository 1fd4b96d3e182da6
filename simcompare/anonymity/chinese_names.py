"""The ways in which a Chinese name may be written."""

import re
from collections.abc import Iterator
from functools import cache

import rjieba

from simcompare.anonymity.spelling import Check, Spelling
from simcompare.text.surnames import surname_of

DOTS = re.compile(r"[\u00b7\u2022\u2027\u30fb]")
"""What stands between the words of a name."""
_BLANKS, _BLANKS_AND_LINES = r"[^\S\n]{0,4}", r"\s{0,4}"
_DOT = r"\s?[\u00b7\u2022\u2027\u30fb.\-]?\s?"
_LONGEST_FULL_HAN_NAME_IN_A_WORD = 2


def chinese_spellings(name: str) -> Iterator[Spelling]:
    """Yield the ways to write a name in simplified characters, with dots or without."""
    words = [word for word in DOTS.split(name) if word]
    whole = "".join(words)
    yield Spelling(
        _DOT.join(map(_spaced, words)) if len(words) > 1 else _spaced(whole),
        whole[0],
        len(whole),
        Check.NOT_IN_A_WORD if len(whole) <= _LONGEST_FULL_HAN_NAME_IN_A_WORD else Check.NOTHING,
    )
    if len(whole) == _LONGEST_FULL_HAN_NAME_IN_A_WORD:
        over_lines = _BLANKS_AND_LINES.join(map(re.escape, whole))
        yield Spelling(over_lines, whole[0], len(whole), Check.OWN_TEXT)
    surname = surname_of(whole) if len(words) == 1 else ""
    if surname and len(whole) > len(surname):
        yield Spelling(f"{surname}同学", surname[0], len(surname) + 2, is_part=True)
        words = [whole[len(surname) :]]
    for word in words:
        if 1 < len(word) < len(whole) and not is_ordinary(word):
            yield Spelling(_spaced(word), word[0], len(word), Check.AT_A_WORD_BORDER, is_part=True)


def _spaced(word: str) -> str:
    # of two characters on two lines hardly any are a name but that of who wrote them
    blanks = _BLANKS_AND_LINES if len(word) > _LONGEST_FULL_HAN_NAME_IN_A_WORD else _BLANKS
    return blanks.join(map(re.escape, word))


@cache
def is_ordinary(word: str) -> bool:
    """Whether a Chinese word stands in the dictionary, and not as a name of persons."""
    tagged = rjieba.tag(word, False)
    return len(tagged) == 1 and not tagged[0][1].startswith("nr")
