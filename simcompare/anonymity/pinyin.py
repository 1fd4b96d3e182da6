"""Chinese names in pinyin: how their characters are read, and which Latin words are such a name.

Syllables have no tones, and v for ü; where "lü" may be written otherwise, it is another reading.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from simcompare.anonymity.chinese_names import DOTS
from simcompare.anonymity.pinyin_words import AMBIGUOUS_SYLLABLES, WORDS
from simcompare.anonymity.spelling import folded
from simcompare.text.scripts import is_han
from simcompare.text.surnames import COMPOUND_SURNAMES, SURNAMES, surname_of

_FINALS = {
    "": "a ai an ang ao e ei en er o ou",
    "b": "a ai an ang ao ei en eng i ian iao ie in ing o u",
    "p": "a ai an ang ao ei en eng i ian iao ie in ing o ou u",
    "m": "a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u",
    "f": "a an ang ei en eng o ou u",
    "d": "a ai an ang ao e eng i ian iao ie ing iu ong ou u uan ui un uo",
    "t": "a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo",
    "n": "a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo v ve ue yu yue",
    "l": "a ai an ang ao e ei eng i ia ian iang iao ie in ing iu ong ou u uan un uo v ve ue yu yue",
    "g": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "k": "a ai an ang ao e en eng ong ou u ua uai uan uang ui un uo",
    "h": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "j": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "q": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "x": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "zh": "a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo",
    "ch": "a ai an ang ao e en eng i ong ou u uai uan uang ui un uo",
    "sh": "a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo",
    "r": "an ang ao e en eng i ong ou u uan ui un uo",
    "z": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "c": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "s": "a ai an ang ao e en eng i ong ou u uan ui un uo",
    "y": "a an ang ao e i in ing ong ou u uan ue un",
    "w": "a ai an ang ei en eng o u",
}
"""The syllables there are, by their first sounds."""
_SYLLABLES = frozenset(begin + final for begin, finals in _FINALS.items() for final in finals.split())
_SURNAME_READINGS = {
    "万俟": "mo qi", "单于": "chan yu", "尉迟": "yu chi", "澹台": "tan tai", "乐正": "yue zheng",
    "曾": "zeng", "单": "shan", "仇": "qiu", "解": "xie", "查": "zha", "盖": "ge", "区": "ou", "朴": "piao",
    "缪": "miao", "翟": "zhai", "黑": "he", "种": "chong", "秘": "bi", "员": "yun", "繁": "po", "召": "shao",
    "折": "she", "隗": "wei", "祭": "zhai", "卜": "bu", "覃": "qin",
}  # fmt: skip
"""How surnames are read, where the dictionary of characters has something else first."""
_OTHER_SURNAME_READINGS = {"乐": "yue", "柏": "bo"}
_SURNAMES_THAT_ARE_WORDS = (
    "傅柳时席卫饶刁瞿来廉符奚穆郎邸冀谈姬屠连郜郁商蒙计迟巩竺匡鞠胥尚尧郗阳糜扬苑诸农经甯"
)
"""Surnames by which no name in characters is told, but one in pinyin is."""
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

    is_rare: whether one of its characters is read as it seldom is.
    """

    words: tuple[tuple[str, ...], ...]
    is_rare: bool = False

    @property
    def joined(self) -> str:
        """All its letters."""
        return "".join(map("".join, self.words))

    @property
    def written(self) -> str:
        """The name as people write it: "Li Xiaoming"."""
        return " ".join("".join(word).capitalize() for word in self.words)


def readings_of(name: str) -> list[PinyinName]:
    """Return how a name may be read: a Chinese one, or one in pinyin; none of another."""
    form = folded(name).characters
    if any(map(is_han, form)):
        return list(_chinese_readings("".join(c for c in form if is_han(c) or DOTS.match(c))))
    return list(dict.fromkeys(_latin_readings(_PIECE.findall(folded(_CAMEL.sub(" ", name)).characters))))


def pinyin_keys(name: str) -> frozenset[str]:
    """Return the letters of a name in pinyin, the surname first: what two ways to write it have in common."""
    return frozenset(reading.joined for reading in readings_of(name))


def pinyin_of_words(words: Sequence[str]) -> str:
    """Return the name that words of a file's name are in pinyin: "Li Xiaoming"; empty where they may be none.

    They are a surname and one or two syllables, or these joined in one word, and no English words.
    """
    pieces = [piece for word in words for piece in _PIECE.findall(folded(word).characters)]
    if "".join(pieces) in WORDS or AMBIGUOUS_SYLLABLES.union(WORDS).issuperset(pieces):
        return ""
    first = next(_latin_readings(pieces), None)
    if first is None or (len(pieces) == 1 and len(pieces[0]) < _SHORTEST_JOINED):
        return ""
    return first.written


# --- Chinese characters


def _chinese_readings(name: str) -> Iterator[PinyinName]:
    """Yield how a name in simplified characters may be read, the usual ways first."""
    words = list(_words(name))
    syllables = [reading for number, word in words for reading in _readings(word, is_surname=number == 0)]
    found = sorted(product(*syllables), key=_rare_count)
    usual = (one for one in found if _rare_count(one) < 2)
    lengths = [len(word) for _number, word in words]
    for one in islice(usual, _READINGS_OF_A_NAME):
        yield PinyinName(_cut([text for text, _is_rare in one], lengths), _rare_count(one) > 0)


def _words(name: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a name with their numbers: a surname is number 0."""
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
    """Return for each character of a word how it may be read, and whether it seldom is."""
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
    """Return how a character is read, the usual way first; one that nobody reads is itself."""
    # its phrases, of which no name is one, would take 50 MB and a third of a second
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "1")
    from pypinyin import Style, pinyin  # noqa: PLC0415 - 13 MB and a tenth of a second, for names alone

    [readings] = pinyin(character, style=Style.NORMAL, heteronym=True)
    return [one for one in dict.fromkeys(readings) if one in _SYLLABLES or one == character] or [character]


# --- Latin words


def _latin_readings(pieces: Sequence[str]) -> Iterator[PinyinName]:
    """Yield how Latin words may be a name in pinyin: with the surname first, or last."""
    if len(pieces) == 1:
        yield from _joined_readings(pieces[0])
    elif len(pieces) <= _LONGEST_PIECES:
        for most in (1, 2):
            yield from _with_surname(pieces[:most], pieces[most:])
            yield from _with_surname(pieces[-most:], pieces[:-most])


def _with_surname(surname: Sequence[str], given: Sequence[str]) -> Iterator[PinyinName]:
    known = _surnames().get("".join(surname))
    if known is None or not 0 < len(given) <= _LONGEST_GIVEN_NAME:
        return
    if len(given) > 1:
        cuts = [tuple(given)] if _SYLLABLES.issuperset(given) else []
    else:
        cuts = list(_syllables(given[0]))
    yield from (PinyinName((known, cut)) for cut in cuts)


def _joined_readings(word: str) -> Iterator[PinyinName]:
    if word in WORDS:
        return
    for end in range(1, len(word)):
        yield from _with_surname([word[:end]], [word[end:]])


def _syllables(word: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways to cut a word into one or two syllables."""
    if word in _SYLLABLES:
        yield (word,)
    for end in range(1, len(word)):
        if {word[:end], word[end:]} <= _SYLLABLES:
            yield word[:end], word[end:]


@cache
def _surnames() -> dict[str, tuple[str, ...]]:
    """Return the syllables of all surnames, by their letters."""
    names = (*SURNAMES, *_SURNAMES_THAT_ARE_WORDS, *COMPOUND_SURNAMES)
    readings = (product(*_readings(name, is_surname=True)) for name in names)
    words = (tuple(text for text, _is_rare in one) for found in readings for one in found)
    return {"".join(word): word for word in words}
