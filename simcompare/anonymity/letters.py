"""Letters that have no bare one of their own, and the two ways in which people write them without."""

import re
import unicodedata
from collections.abc import Iterator

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
