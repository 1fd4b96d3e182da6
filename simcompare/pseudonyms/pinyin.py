"""Chinese names in pinyin: readings of characters, Latin words that are such a name, and its variants.

Syllables have no tones, and v for ü; other ways to write "lü" are further readings.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from simcompare.pseudonyms.chinese_names import DOTS
from simcompare.pseudonyms.latin_names import BETWEEN_WORDS, whole_words
from simcompare.pseudonyms.name_folding import MatchCondition, NameVariant, folded
from simcompare.pseudonyms.ordinary_words import AMBIGUOUS_SYLLABLES, PINYIN_WORDS, SYLLABLES
from simcompare.text.comparable import is_han
from simcompare.text.word_lists import COMPOUND_SURNAMES, SURNAMES, SURNAMES_THAT_ARE_WORDS, surname_of

_SURNAME_READINGS = {
    "万俟": "mo qi", "单于": "chan yu", "尉迟": "yu chi", "澹台": "tan tai", "乐正": "yue zheng",
    "曾": "zeng", "单": "shan", "仇": "qiu", "解": "xie", "查": "zha", "盖": "ge", "区": "ou", "朴": "piao",
    "缪": "miao", "翟": "zhai", "黑": "he", "种": "chong", "秘": "bi", "员": "yun", "繁": "po", "召": "shao",
    "折": "she", "隗": "wei", "祭": "zhai", "卜": "bu", "覃": "qin",
}  # fmt: skip
"""Readings of surnames that differ from the first reading of the character dictionary."""
_OTHER_SURNAME_READINGS = {"乐": "yue", "柏": "bo"}
_READINGS_OF_A_CHARACTER = 2
_READINGS_OF_A_NAME = 12
_LONGEST_GIVEN_NAME = 2
_LONGEST_NAME_WITH_A_SURNAME = 3
_LONGEST_PIECES = 4
_SHORTEST_JOINED = 5
_PIECE = re.compile("[a-z]+")
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class PinyinName:
    """A name in pinyin: the syllables of its words, the surname first.

    is_rare: one of the characters has an unusual reading.
    """

    words: tuple[tuple[str, ...], ...]
    is_rare: bool = False

    @property
    def joined(self) -> str:
        """All letters without separators."""
        return "".join(map("".join, self.words))

    @property
    def written(self) -> str:
        """The name in the usual form: "Li Xiaoming"."""
        return " ".join("".join(word).capitalize() for word in self.words)


def readings_of(name: str) -> list[PinyinName]:
    """Return the readings of a name in Chinese characters or in pinyin; empty for any other name."""
    form = folded(name).characters
    if any(map(is_han, form)):
        return list(_chinese_readings("".join(c for c in form if is_han(c) or DOTS.match(c))))
    return list(dict.fromkeys(_latin_readings(_PIECE.findall(folded(_CAMEL.sub(" ", name)).characters))))


def pinyin_keys(name: str) -> frozenset[str]:
    """Return the joined readings of a name, surname first, as keys that its variants have in common."""
    return frozenset(reading.joined for reading in readings_of(name))


def pinyin_of_words(words: Sequence[str]) -> str:
    """Return the words of a file name as a name in pinyin, "Li Xiaoming"; empty if they are not one.

    A name is a surname and one or two syllables, separate or joined in one word, and no English words.
    """
    pieces = [piece for word in words for piece in _PIECE.findall(folded(word).characters)]
    if "".join(pieces) in PINYIN_WORDS or AMBIGUOUS_SYLLABLES.union(PINYIN_WORDS).issuperset(pieces):
        return ""
    first = next(_latin_readings(pieces), None)
    if first is None or (len(pieces) == 1 and len(pieces[0]) < _SHORTEST_JOINED):
        return ""
    return first.written


# --- Chinese characters


def _chinese_readings(name: str) -> Iterator[PinyinName]:
    """Yield the readings of a name in simplified characters, usual readings first."""
    words = list(_words(name))
    syllables = [reading for number, word in words for reading in _readings(word, is_surname=number == 0)]
    found = sorted(product(*syllables), key=_rare_count)
    usual = (reading for reading in found if _rare_count(reading) < 2)
    lengths = [len(word) for _number, word in words]
    for reading in islice(usual, _READINGS_OF_A_NAME):
        yield PinyinName(_cut([text for text, _is_rare in reading], lengths), _rare_count(reading) > 0)


def _words(name: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a name with their numbers; the surname has number 0."""
    parts = [part for part in DOTS.split(name) if part]
    whole = "".join(parts)
    surname = surname_of(whole)
    if not surname and len(whole) <= _LONGEST_NAME_WITH_A_SURNAME:
        surname = whole[:1]
    if len(parts) > 1 or not surname:
        yield from enumerate(parts, 1)
    elif len(whole) > len(surname):
        yield from enumerate([surname, whole[len(surname) :]])


def _rare_count(reading: Sequence[tuple[str, bool]]) -> int:
    return sum(is_rare for _text, is_rare in reading)


def _readings(word: str, *, is_surname: bool) -> list[list[tuple[str, bool]]]:
    """Return the readings of each character of a word, each with whether it is rare."""
    if not is_surname:
        return [_with_rare(_dictionary(character)) for character in word]
    first = [_dictionary(character)[0] for character in word]
    usual = _SURNAME_READINGS.get(word, "").split() or first
    other = _OTHER_SURNAME_READINGS.get(word, "").split() or first
    return [_with_rare(list(dict.fromkeys(both))) for both in zip(usual, other, strict=True)]


def _with_rare(readings: Sequence[str]) -> list[tuple[str, bool]]:
    return [
        (reading.replace("v", letters), place > 0)
        for place, reading in enumerate(readings[:_READINGS_OF_A_CHARACTER])
        for letters in (("v", "u", "yu") if "v" in reading else ("",))
    ]


def _cut(syllables: Sequence[str], lengths: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return tuple(tuple(syllables[end - length : end]) for end, length in zip(ends, lengths, strict=True))


@cache
def _dictionary(character: str) -> list[str]:
    """Return the readings of a character, the usual one first; the character itself if it has none."""
    # the phrase dictionary, without names, takes 50 MB and a third of a second to load
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "1")
    from pypinyin import Style, pinyin  # noqa: PLC0415 - 13 MB and a tenth of a second, needed for names only

    [readings] = pinyin(character, style=Style.NORMAL, heteronym=True)
    return [text for text in dict.fromkeys(readings) if text in SYLLABLES or text == character] or [character]


def homophones_of(character: str) -> str:
    """Return the usual characters, those of GB 2312, that are read as this one, and the character itself."""
    return character + _homophones().get(_dictionary(character)[0], "")


@cache
def _homophones() -> Mapping[str, str]:
    codes = bytes(byte for code in product(range(0xB0, 0xF8), range(0xA1, 0xFF)) for byte in code)
    found: defaultdict[str, str] = defaultdict(str)
    for character in codes.decode("gb2312", "ignore"):
        for reading in _dictionary(character)[:_READINGS_OF_A_CHARACTER]:
            found[reading] += character
    return found


# --- Latin words


def _latin_readings(pieces: Sequence[str]) -> Iterator[PinyinName]:
    """Yield the readings of Latin words as a name in pinyin, with the surname first or last."""
    if len(pieces) == 1:
        yield from _joined_readings(pieces[0])
    elif len(pieces) <= _LONGEST_PIECES:
        for most in (1, 2):
            yield from _with_surname(pieces[:most], pieces[most:])
            yield from _with_surname(pieces[-most:], pieces[:-most])


def _with_surname(surname: Sequence[str], given_name: Sequence[str]) -> Iterator[PinyinName]:
    known = _surnames().get("".join(surname))
    if known is None or not 0 < len(given_name) <= _LONGEST_GIVEN_NAME:
        return
    if len(given_name) > 1:
        cuts = [tuple(given_name)] if SYLLABLES.issuperset(given_name) else []
    else:
        cuts = list(_syllables(given_name[0]))
    yield from (PinyinName((known, cut)) for cut in cuts)


def _joined_readings(word: str) -> Iterator[PinyinName]:
    if word in PINYIN_WORDS:
        return
    for end in range(1, len(word)):
        yield from _with_surname([word[:end]], [word[end:]])


def _syllables(word: str) -> Iterator[tuple[str, ...]]:
    """Yield the divisions of a word into one or two syllables."""
    if word in SYLLABLES:
        yield (word,)
    for end in range(1, len(word)):
        if {word[:end], word[end:]} <= SYLLABLES:
            yield word[:end], word[end:]


@cache
def _surnames() -> dict[str, tuple[str, ...]]:
    """Map the joined letters of each surname to its syllables."""
    names = (*SURNAMES, *SURNAMES_THAT_ARE_WORDS, *COMPOUND_SURNAMES)
    readings = (product(*_readings(name, is_surname=True)) for name in names)
    words = (tuple(text for text, _is_rare in reading) for found in readings for reading in found)
    return {"".join(word): word for word in words}


_TONE = r"(?:[1-5](?!\d))?"
_JOINED = r"(?:['\u2019\u02bc\u2018`\u00b4.\-\u2010\u2011\u2013]\s?)?"
_APART = r"[\s_]{1,2}"
_EITHER = rf"(?:{_APART}|{_JOINED})"
_SAFE_LETTERS = 6


def pinyin_variants(name: PinyinName) -> Iterator[NameVariant]:
    """Yield the variants of a name: either order, joined, spaced, hyphenated, with tone digits.

    A short name, or one whose syllables are words as well, must be capitalised, as "He An" in "He An and he".
    """
    letters = len(name.joined)
    for words in dict.fromkeys((name.words, name.words[::-1])):
        for pattern, condition in _patterns(words, letters):
            initial = words[0][0][0]
            yield NameVariant(whole_words(pattern), initial, letters, condition, is_rare=name.is_rare)


def _patterns(words: Sequence[Sequence[str]], letters: int) -> Iterator[tuple[str, MatchCondition]]:
    """Yield the patterns of a name with its words in this order, and their conditions."""
    wholes, syllables = ["".join(word) for word in words], [part for word in words for part in word]
    is_word = "".join(wholes) in PINYIN_WORDS
    is_distinctive = not (is_word or _are_words(wholes) or _are_words(syllables))
    if is_distinctive and letters >= _SAFE_LETTERS:
        yield _pattern(words, BETWEEN_WORDS % 0, _EITHER), MatchCondition.NONE
        return
    yield _pattern(words, BETWEEN_WORDS % 1, _JOINED), MatchCondition.CAPITALISED
    if len(syllables) > len(words):
        yield _pattern([[syllable] for syllable in syllables], _APART, ""), MatchCondition.CAPITALISED
    yield _pattern(words, "_", ""), MatchCondition.NONE
    # "MaLi" is no country
    yield _pattern(words, "", ""), MatchCondition.CAMEL_CASE if is_word else MatchCondition.CAPITALISED


def _are_words(parts: Iterable[str]) -> bool:
    """Return whether all parts of a name are words, so that they may follow each other in a sentence."""
    return all(part in AMBIGUOUS_SYLLABLES or part in PINYIN_WORDS for part in parts)


def _pattern(words: Sequence[Sequence[str]], between: str, within: str) -> str:
    """Join syllables into a pattern; `between` separates words, `within` the syllables of a word."""
    toned = [[f"({word[0]}){_TONE}", *(syllable + _TONE for syllable in word[1:])] for word in words]
    return between.join(within.join(word) for word in toned)
