"""Name variants: regular expressions over folded text, the folding itself, and words that are no names."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

import numpy as np

from simcompare.support.confusables import fold_look_alikes
from simcompare.text.comparable import FoldedText, fold_for_search
from simcompare.text.thesaurus import STARTER, load_thesaurus
from simcompare.text.words import is_common_english, lexicon_lines


def listed_words(name: str) -> frozenset[str]:
    """Return the words of a list in comparable form."""
    lists = (line.partition(": ") for line in lexicon_lines("name-words.txt"))
    return frozenset(word for found, _colon, words in lists if found == name for word in words.split())


GENERAL_WORDS = listed_words("general")
"""Words of file names that are not names, in comparable form."""
FUNCTION_WORDS = listed_words("function")
"""English function words, which show that the words beside them are a title."""
ORDINARY_NAMES = listed_words("ordinary-names")
"""Names that are ordinary words as well and do not indicate a person when they are alone."""
CAPITALISED_WORDS = listed_words("capitalised")
"""Ordinary names that have a capital within a sentence without being a name of a person."""
WORDS_OF_PHRASES = listed_words("phrases")
"""Short names that are words of English phrases; in lower case they do not indicate a person."""
PARTICLES = listed_words("particles")
"""Particles inside a name, in lower case or capitalised."""
CHINESE_WORDS = listed_words("chinese-words")
"""Words of school essays that are names as well and too rare elsewhere to count as words by frequency."""
NOUNS_WITH_PREFIX = listed_words("nouns-with-prefix")
"""Words that look like a surname with the prefix of a nickname, as 小张 is one."""
CHINESE_PEOPLE = listed_words("chinese-people")
"""Names of people that are as frequent as words but are not words."""
_PEOPLE_AND_PLACES = listed_words("people-and-places")
"""Names in the list of common words of English articles that are not ordinary words."""
_RARER_WORDS = listed_words("rarer")
"""Less common words that are names as well: trades, plants, animals, some of other languages."""
_COMMON_NAMES = listed_words("common")
"""Common words that are names as well."""
AMBIGUOUS_SYLLABLES = listed_words("ambiguous-syllables")
"""Syllables that are words or short names in English texts, or French or German words."""
PINYIN_WORDS = listed_words("pinyin")
"""Words and names with the form of a name in pinyin; one only with capitals and separate words."""
SYLLABLES = listed_words("syllables")
"""All syllables of pinyin."""


@cache
def is_ordinary_word(word: str) -> bool:
    """Return whether a word, in lower case without accents, is in a dictionary and is not only a name."""
    thesaurus = load_thesaurus(STARTER)
    if word in ORDINARY_NAMES or word in _RARER_WORDS or (thesaurus is not None and thesaurus.groups(word)):
        return True
    return is_common_english(word) and word not in _PEOPLE_AND_PLACES


def is_only_a_word(word: str) -> bool:
    """Return whether a word, in lower case without accents, is in a dictionary and in no list of names."""
    return is_ordinary_word(word) and word not in ORDINARY_NAMES | _RARER_WORDS | _COMMON_NAMES


BARE = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i"}
"""Base letter of each lower-case letter that has no canonical decomposition."""
PAIRS = {"þ": "th", "æ": "ae", "œ": "oe"}
"""Two letters for each ligature."""
_IN_TWO_LETTERS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj"}
_IN_TWO_LETTERS |= {letter.upper(): pair.capitalize() for letter, pair in _IN_TWO_LETTERS.items()}
_WITH_MARKS = re.compile("[äöüøåđ]", re.IGNORECASE)
_OF_TWO_LETTERS = re.compile(r"(?<![aeiouy\W\d_])(?:(?<=[^\Wq])|\b)([aou])e(?=[^\W\d_aeiouy])", re.IGNORECASE)
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")


def transliterations(name: str) -> Iterator[tuple[str, bool]]:
    """Yield transliterations of a name and whether each is rare.

    "Mueller" for "Müller" is usual. "Muller" for "Mueller" is rare: "Michal" may be a name different from
    "Michael".
    """
    name = unicodedata.normalize("NFC", name)
    longer = _WITH_MARKS.sub(lambda letter: _IN_TWO_LETTERS[letter[0]], name)
    if longer != name:
        yield longer, False
    shorter = _LONG_WORD.sub(lambda word: _OF_TWO_LETTERS.sub(r"\1", word[0]), name)
    if shorter != name:
        yield shorter, True


_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN, _LETTERS = re.compile("[\u0370-\u04ff]"), re.compile(r"[^\W\d_]+")
_LIGATURE = re.compile(f"[{''.join(PAIRS)}]")
# a word hyphenated at the end of a line
_BROKEN_WORD = re.compile(r"(?<=[a-z])[-\u2010]\n[^\S\n]*(?=[a-z])")


class MatchCondition(Enum):
    NONE = auto()
    CAPITALISED = auto()
    """Each group of the pattern begins with a capital letter."""
    CAPITALISED_ALONE = auto()
    """CAPITALISED, and the match is not part of a sequence of words in capitals only."""
    NAME_ALONE = auto()
    """CAPITALISED, and neither an abbreviation nor the name of another, as of Alexander the Great."""
    CAMEL_CASE = auto()
    """CAPITALISED, and not in capitals only."""
    WORD_BOUNDARY = auto()
    """The match is not inside a longer Chinese word and does not join parts of two words."""
    UNCUT = auto()
    """WORD_BOUNDARY, and the last character neither begins a word (张伟大) nor is repeated (王芳芳)."""
    NOT_OF_WORDS = auto()
    """The match is not made up of the ends of ordinary words."""
    WHOLE_WORD = auto()
    """The match begins and ends at borders of words."""
    SHORT_NAME = auto()
    """The match is not preceded by a surname or another single character with which it may be a name."""
    NAME_IN_SENTENCE = auto()
    """CAPITALISED, and neither the first word of a sentence nor beside another word with a capital."""
    MISSPELT = auto()
    """CAPITALISED or Chinese, and not an ordinary word."""
    PERSON_CONTEXT = auto()
    """The name is an ordinary word as well, and the context shows that a person is meant."""
    OWN_TEXT = auto()
    """The text was written by this student, and the match begins and ends at borders of words."""


@dataclass(frozen=True, slots=True)
class NameVariant:
    """Pattern of one way to write a name or a student number, matched in folded text.

    pattern: its groups are the letters to be checked for capitals; first_characters: the characters with
    which a match can begin; length: number of characters, the longest variant is tried first; is_part: a
    part of a name, such as the surname, which several students may share; has_initials: some words are
    initials; is_rare: an unusual variant, which yields to another student who has it as a usual one.
    """

    pattern: str
    first_characters: str
    length: int
    condition: MatchCondition = MatchCondition.NONE
    is_part: bool = False
    has_initials: bool = False
    is_rare: bool = False


def folded(text: str) -> FoldedText:
    """Fold a text for matching: comparable form, without accents, look-alikes replaced by Latin letters."""
    # names of files and notes may contain lone surrogates
    form = fold_for_search(_SURROGATE.sub("\ufffd", text))
    bare = form.characters.translate(_BARE)
    if _FOREIGN.search(bare):
        bare = _LETTERS.sub(lambda word: fold_look_alikes(word[0]), bare)
    return _without_line_hyphens(_with_pairs(FoldedText(bare, form.starts, form.ends)))


def _with_pairs(form: FoldedText) -> FoldedText:
    """Replace ligatures by two letters: "æ" by "ae"."""
    if not _LIGATURE.search(form.characters):
        return form
    lengths = [len(PAIRS.get(character, character)) for character in form.characters]
    characters = _LIGATURE.sub(lambda letter: PAIRS[letter[0]], form.characters)
    return FoldedText(characters, np.repeat(form.starts, lengths), np.repeat(form.ends, lengths))


def _without_line_hyphens(form: FoldedText) -> FoldedText:
    broken = list(_BROKEN_WORD.finditer(form.characters))
    if not broken:
        return form
    is_kept = np.ones(len(form.characters), np.bool_)
    for match in broken:
        is_kept[match.start() : match.end()] = False
    characters = _BROKEN_WORD.sub("", form.characters)
    return FoldedText(characters, form.starts[is_kept], form.ends[is_kept])


class _BareLetters(dict[int, int]):
    """Translation table from code points to base letters; computed on demand, others map to themselves."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFD", BARE.get(chr(code), chr(code)))
        is_bare = parts[:1].isascii() and parts[:1].isalpha()
        self[code] = ord(parts[0]) if is_bare else code
        return self[code]


_BARE = _BareLetters()
