"""The ways in which a Chinese name may be written."""

import re
from collections.abc import Iterator
from functools import cache

import rjieba

from simcompare.anonymity.ordinary_words import CHINESE_PEOPLE, CHINESE_WORDS
from simcompare.anonymity.spelling import Check, Spelling
from simcompare.text.background import inverse_document_frequency
from simcompare.text.surnames import surname_of

DOTS = re.compile(r"[\u00b7\u2022\u2027\u30fb]")
"""What stands between the words of a name."""
_BLANKS, _BLANKS_AND_LINES = r"[^\S\n]{0,4}", r"\s{0,4}"
_DOT = r"\s?[\u00b7\u2022\u2027\u30fb.\-]?\s?"
_LONGEST_FULL_HAN_NAME_IN_A_WORD = 2
_RAREST_ORDINARY_IDF = 9.0


def chinese_spellings(name: str) -> Iterator[Spelling]:
    """Yield the ways to write a name in simplified characters, with dots or without."""
    words = [word for word in DOTS.split(name) if word]
    whole = "".join(words)
    yield Spelling(
        _DOT.join(map(_spaced, words)) if len(words) > 1 else _spaced(whole),
        whole[0],
        len(whole),
        _check_of_whole(whole),
    )
    if len(whole) == _LONGEST_FULL_HAN_NAME_IN_A_WORD and not is_ordinary_name(whole):
        over_lines = _BLANKS_AND_LINES.join(map(re.escape, whole))
        yield Spelling(over_lines, whole[0], len(whole), Check.OWN_TEXT)
    surname = surname_of(whole) if len(words) == 1 else ""
    if surname and len(whole) > len(surname):
        yield Spelling(f"{surname}同学", surname[0], len(surname) + 2, is_part=True)
        words = [whole[len(surname) :]]
    for word in words:
        if 1 < len(word) < len(whole) and not is_ordinary(word):
            yield Spelling(_spaced(word), word[0], len(word), Check.AT_A_WORD_BORDER, is_part=True)


def _check_of_whole(name: str) -> Check:
    if len(name) > _LONGEST_FULL_HAN_NAME_IN_A_WORD:
        return Check.NOTHING
    return Check.A_PERSON if is_ordinary_name(name) else Check.AT_A_WORD_BORDER


def _spaced(word: str) -> str:
    # of two characters on two lines hardly any are a name but that of who wrote them
    blanks = _BLANKS_AND_LINES if len(word) > _LONGEST_FULL_HAN_NAME_IN_A_WORD else _BLANKS
    return blanks.join(map(re.escape, word))


def is_ordinary_name(name: str) -> bool:
    """Whether a whole name in simplified characters is found only where a text speaks of a person.

    The dictionary says of words like 明白 as well that they are names: what tells is how common they are.
    """
    if len(name) != _LONGEST_FULL_HAN_NAME_IN_A_WORD or name in CHINESE_PEOPLE:
        return False
    is_word = len(rjieba.cut(name, False)) == 1
    return name in CHINESE_WORDS or (is_word and inverse_document_frequency(name) < _RAREST_ORDINARY_IDF)


@cache
def is_noun(word: str) -> bool:
    """Whether a Chinese word of the dictionary is the name of something."""
    return rjieba.tag(word, False)[0][1].startswith("n")


@cache
def is_ordinary(word: str) -> bool:
    """Whether a Chinese word stands in the dictionary, and not as a name of persons."""
    tagged = rjieba.tag(word, False)
    return len(tagged) == 1 and not tagged[0][1].startswith("nr")
