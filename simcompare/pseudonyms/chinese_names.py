"""Variants of Chinese names; recognise Chinese characters that have the form of a name."""

import re
from collections.abc import Iterator
from functools import cache

from simcompare.pseudonyms.name_folding import MatchCondition, NameVariant, folded
from simcompare.pseudonyms.ordinary_words import (
    CHINESE_PEOPLE,
    CHINESE_WORDS,
    GENERAL_WORDS,
    NOUNS_WITH_PREFIX,
)
from simcompare.text.word_lists import RARE_SURNAMES, surname_of
from simcompare.text.words import inverse_document_frequency, segmenter

_DOTS = r"\u00b7\u2022\u2027\u2219\u22c5\u25cf\u30fb"
DOTS = re.compile(f"[{_DOTS}]")
"""Separators between the words of a name."""
_BLANKS, _BLANKS_AND_LINES = (rf"(?:{blank}|[{_DOTS}._*\-]){{0,4}}" for blank in (r"[^\S\n]", r"\s"))
_DOT = rf"\s?[{_DOTS}._\-]?\s?"
_LONGEST_FULL_HAN_NAME_IN_A_WORD = 2
_RAREST_ORDINARY_IDF = 9.0


def chinese_variants(name: str) -> Iterator[NameVariant]:
    """Yield the variants of a name in simplified characters, with or without dots."""
    words = [word for word in DOTS.split(name) if word]
    whole = "".join(words)
    is_word, is_long = is_ordinary_name(whole), len(whole) > _LONGEST_FULL_HAN_NAME_IN_A_WORD
    condition = MatchCondition.PERSON_CONTEXT if is_word else MatchCondition.UNCUT
    condition = MatchCondition.NOT_OF_WORDS if is_long else condition
    yield NameVariant(_DOT.join(map(_spaced, words)), whole[0], len(whole), condition)
    if len(whole) == _LONGEST_FULL_HAN_NAME_IN_A_WORD and not is_word:
        over_lines = _BLANKS_AND_LINES.join(map(re.escape, whole))
        yield NameVariant(over_lines, whole[0], len(whole), MatchCondition.OWN_TEXT)
    elif len(whole) == _LONGEST_FULL_HAN_NAME_IN_A_WORD:
        # the characters of a word are not divided, unless all are
        blank = r"(?<![\u3400-\u9fff]\s.)[^\S\n]{1,4}(?!.\s[\u3400-\u9fff])"
        divided = rf"{whole[0]}(?:\s?[{_DOTS}._*\-]\s?|{blank}){whole[1]}"
        yield NameVariant(divided, whole[0], len(whole))
    surname = surname_of(whole) if len(words) == 1 else ""
    if surname and len(whole) > len(surname):
        yield NameVariant(f"{surname}同学", surname[0], len(surname) + 2, is_part=True)
        words = [whole[len(surname) :]]
    for word in words:
        if 1 < len(word) < len(whole) and not is_ordinary(word):
            yield NameVariant(_spaced(word), word[0], len(word), MatchCondition.UNCUT, is_part=True)


_PREFIXES = "小老阿"
NO_NICKNAMES = frozenset("刚乖优低共坏多小差新旧本男女老贵高")
_LEAST_NAME_IDF = 5.5
_LEAST_DISTINCTIVE_IDF = 7.5
SPEAKING = re.compile(r"(?:笑着|大声|轻声)?(?:说(?![明法服起])|问道|喊道|答道|回答)")
"""Verb of speaking after a name."""


def short_variants(name: str) -> Iterator[NameVariant]:
    """Yield what a student of this name, in simplified characters, is called: 小张, 阿伟, 伟同学, 伟说."""
    surname = "" if DOTS.search(name) else surname_of(name)
    given = name[len(surname) :]
    for word in DOTS.split(given):
        if 1 < len(word) < len(name) and is_ordinary(word):
            is_usual = is_ordinary_name(word)
            condition = MatchCondition.PERSON_CONTEXT if is_usual else MatchCondition.WORD_BOUNDARY
            yield NameVariant(_spaced(word), word[0], len(word), condition, is_part=True)
    if not surname or not given:
        return
    for prefix in _PREFIXES:
        is_noun_too = prefix + surname in NOUNS_WITH_PREFIX
        condition = MatchCondition.PERSON_CONTEXT if is_noun_too else MatchCondition.WHOLE_WORD
        yield NameVariant(prefix + surname, prefix, len(surname) + 1, condition, is_part=True)
    rarity = inverse_document_frequency(given[-1])
    if rarity > _LEAST_DISTINCTIVE_IDF and len(given) == 1:
        for prefix in _PREFIXES:
            yield NameVariant(prefix + given, prefix, 2, MatchCondition.WHOLE_WORD, is_part=True)
    if rarity > _LEAST_NAME_IDF and given[-1] not in NO_NICKNAMES:
        # "雨说" without a colon is a sentence on rain
        end = "" if rarity > _LEAST_DISTINCTIVE_IDF else r"[^\w\s]"
        pattern = f"{given[-1]}(?=同学|老师|(?:{SPEAKING.pattern}){end})"
        yield NameVariant(pattern, given[-1], 1, MatchCondition.SHORT_NAME, is_part=True)
    yield NameVariant(f"(?<=我姓){surname}", surname[0], len(surname), MatchCondition.OWN_TEXT, is_part=True)


def _spaced(word: str) -> str:
    # two characters on two lines are rarely a name, other than that of the author
    blanks = _BLANKS_AND_LINES if len(word) > _LONGEST_FULL_HAN_NAME_IN_A_WORD else _BLANKS
    return blanks.join(map(re.escape, word))


def is_ordinary_name(name: str) -> bool:
    """Return whether a name in simplified characters is an ordinary word as well and needs context.

    The dictionary also tags words like 明白 as names, therefore the word frequency decides.
    """
    if len(name) != _LONGEST_FULL_HAN_NAME_IN_A_WORD or name in CHINESE_PEOPLE:
        return False
    is_word = len(segmenter().cut(name, False)) == 1
    return name in CHINESE_WORDS or (is_word and inverse_document_frequency(name) < _RAREST_ORDINARY_IDF)


@cache
def is_noun(word: str) -> bool:
    """Return whether the dictionary tags a Chinese word as a noun."""
    return str(segmenter().tag(word, False)[0][1]).startswith("n")


@cache
def is_ordinary(word: str) -> bool:
    """Return whether a Chinese word is in the dictionary, and not a rare one with the tag of a name."""
    tagged = segmenter().tag(word, False)
    return len(tagged) == 1 and (not tagged[0][1].startswith("nr") or is_ordinary_name(word))


_LONGEST_CHINESE_NAME = 4
_IN_NO_NAME = frozenset("的我你他她们")
_AFTER_A_NAME = frozenset("的里上下作稿写记篇")


def has_name_form(name: str) -> bool:
    """Return whether characters have the form of a name: a surname first, at most four characters."""
    if "\u00b7" in name.strip("\u00b7"):
        return True
    length = len(_surname(name)) if _IN_NO_NAME.isdisjoint(name) and name not in GENERAL_WORDS else 0
    return 0 < length < len(name) <= _LONGEST_CHINESE_NAME


def _surname(name: str) -> str:
    """Return the surname; a rare one only if it begins no ordinary word, as in 时间."""
    if surname_of(name) or name[:1] not in RARE_SURNAMES:
        return surname_of(name)
    word, tag = next(iter(segmenter().tag(name)), ("", ""))
    return name[:1] if word == name[:1] or tag.startswith("nr") else ""


def is_name_alone(name: str) -> bool:
    """Return whether characters are a name in any context, and not an ordinary word."""
    if not has_name_form(name):
        return False
    tagged = segmenter().tag(name)
    if len(tagged) == 1:
        return bool(tagged[0][1].startswith("nr")) or "\u00b7" in name
    surname, last = _surname(name), tagged[-1][0]
    others = [word for word, _tag in tagged if word != surname]
    # the dictionary has at most the given name as a word: 欧阳|娜娜 is a name, 石桥|记 is not
    if "\u00b7" in name or surname + last == name or all(len(word) == 1 for word in others):
        return True
    # two surnames before a given name: 张|王子|涵
    if len(tagged[0][0]) == 1 and len(name) == _LONGEST_CHINESE_NAME and surname_of(name[1]):
        return not is_ordinary(name[2:])
    # or the name without its last character: 张敏|之
    return len(tagged) == 2 and tagged[0][1].startswith("nr") and len(last) == 1 and last not in _AFTER_A_NAME


def is_dictionary_name(name: str) -> bool:
    """Return whether the dictionary tags characters as a personal name."""
    tagged = segmenter().tag(folded(name).characters)
    return len(tagged) == 1 and bool(tagged[0][1].startswith("nr"))
