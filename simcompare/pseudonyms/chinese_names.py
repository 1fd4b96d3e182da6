"""Chinese names in pinyin: readings of characters, Latin words that are such a name, and its variants.

Syllables have no tones, and v for ü; other ways to write "lü" are further readings.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, product

from simcompare.pseudonyms.latin_names import BETWEEN_WORDS, whole_words
from simcompare.pseudonyms.name_folding import (
    AMBIGUOUS_SYLLABLES,
    CHINESE_PEOPLE,
    CHINESE_WORDS,
    GENERAL_WORDS,
    NOUNS_WITH_PREFIX,
    PINYIN_WORDS,
    SYLLABLES,
    MatchCondition,
    NameVariant,
    folded,
)
from simcompare.text.comparable import is_han
from simcompare.text.words import (
    COMPOUND_SURNAMES,
    RARE_SURNAMES,
    SURNAMES,
    SURNAMES_THAT_ARE_WORDS,
    inverse_document_frequency,
    segmenter,
    surname_of,
)

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
_LEAST_GIVEN_IDF = 4.0
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


def has_rare_name_form(name: str) -> bool:
    """Return whether characters are a word that no dictionary has, with a rare surname first: 华知行."""
    may_be = name[:1] in RARE_SURNAMES and _IN_NO_NAME.isdisjoint(name) and len(name) <= _LONGEST_CHINESE_NAME
    return may_be and segmenter().cut(name) == [name] and not segmenter().has_word(name)


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


def is_phrase(name: str) -> bool:
    """Return whether two characters are words of their own rather than a name: 都在, 那是, 曾在."""
    is_likely = not surname_of(name) or inverse_document_frequency(name[1:]) < _LEAST_GIVEN_IDF
    return len(name) == _LONGEST_FULL_HAN_NAME_IN_A_WORD and is_likely and segmenter().cut(name) == list(name)


def is_dictionary_name(name: str) -> bool:
    """Return whether the dictionary tags characters as a personal name."""
    tagged = segmenter().tag(folded(name).characters)
    return len(tagged) == 1 and bool(tagged[0][1].startswith("nr"))


_SURNAME_READINGS = {
    "万俟": "mo qi", "单于": "chan yu", "尉迟": "yu chi", "澹台": "tan tai", "乐正": "yue zheng",
    "曾": "zeng", "单": "shan", "仇": "qiu", "解": "xie", "查": "zha", "盖": "ge", "区": "ou", "朴": "piao",
    "缪": "miao", "翟": "zhai", "黑": "he", "种": "chong", "秘": "bi", "员": "yun", "繁": "po", "召": "shao",
    "折": "she", "隗": "wei", "祭": "zhai", "卜": "bu", "覃": "qin",
}  # fmt: skip
"""Readings of surnames that differ from the first reading of the character dictionary."""
_LONGEST_NUMBER = 20
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


@lru_cache(maxsize=10_000)  # a library may have many more names
def name_order(text: str) -> tuple[str, ...]:
    """Return a key that sorts names and labels by pinyin as class lists are, case apart, "2" before "10"."""
    form = unicodedata.normalize("NFKD", text.casefold())
    surname = surname_of("".join(filter(is_han, form)))
    readings = dict(zip(surname, _SURNAME_READINGS.get(surname, "").split(), strict=False))
    # of one reading, GB 2312 has the usual characters in the order of their tones
    return tuple(
        f"一{readings.get(piece) or _dictionary(piece)[0]} {piece.encode('gb18030').hex()}"
        if is_han(piece)
        else piece.zfill(_LONGEST_NUMBER if piece.isdecimal() else 0)
        for piece in re.findall(r"\d+|\D", form)
    )


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
