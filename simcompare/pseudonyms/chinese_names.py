"""The ways in which a Chinese name may be written."""

import re
from collections.abc import Iterator
from functools import cache

import rjieba

from simcompare.pseudonyms.name_folding import Check, Spelling, folded
from simcompare.pseudonyms.ordinary_words import CHINESE_PEOPLE, CHINESE_WORDS, GENERAL_WORDS
from simcompare.text.surnames import surname_of
from simcompare.text.words import inverse_document_frequency

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


_LONGEST_CHINESE_NAME = 4


def has_shape(name: str) -> bool:
    """Whether characters may be a name: a surname first, and as many as names have."""
    if "\u00b7" in name.strip("\u00b7"):
        return True
    surname = surname_of(name)
    return bool(surname) and len(surname) < len(name) <= _LONGEST_CHINESE_NAME and name not in GENERAL_WORDS


def is_name_alone(name: str) -> bool:
    """Whether characters are a name wherever they stand, and no word."""
    if not has_shape(name):
        return False
    tagged = rjieba.tag(name)
    if len(tagged) == 1:
        return bool(tagged[0][1].startswith("nr")) or "\u00b7" in name
    rest = name[len(surname_of(name)) :]
    # of a name the dictionary knows no word but perhaps the given name: 欧阳|娜娜, not 石桥|记
    return "\u00b7" in name or tagged[-1][0] == rest or all(len(word) == 1 for word, _tag in tagged)


def is_in_dictionary(name: str) -> bool:
    """Whether the dictionary has characters as a personal name."""
    tagged = rjieba.tag(folded(name).characters)
    return len(tagged) == 1 and bool(tagged[0][1].startswith("nr"))
