"""Whether Chinese characters have the shape of a name; all are simplified ones, in comparable form."""

import rjieba

from simcompare.anonymity.ordinary_words import GENERAL_WORDS
from simcompare.anonymity.spelling import folded
from simcompare.text.surnames import surname_of

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
