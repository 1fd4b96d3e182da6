"""Word lists: words of file names and texts that are not names, and names that are ordinary words."""

from functools import cache

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
