"""The ways in which a Chinese name may be written in pinyin: whole names alone, and nothing that is words."""

from collections.abc import Iterable, Iterator, Sequence

from simcompare.anonymity.latin_names import BETWEEN_WORDS, IN_AN_ADDRESS, bordered
from simcompare.anonymity.pinyin import PinyinName
from simcompare.anonymity.pinyin_words import AMBIGUOUS_SYLLABLES, WORDS
from simcompare.anonymity.spelling import Check, Spelling

_TONE = r"(?:[1-5](?!\d))?"
_JOINED = r"(?:['\u2019\u02bc\u2018`\u00b4.\-\u2010\u2011\u2013]\s?)?"
_APART = r"[\s_]{1,2}"
_EITHER = rf"(?:{_APART}|{_JOINED})"
_WITHIN_ADDRESS = r"[._\-]{0,2}"
_SAFE_LETTERS = 6


def pinyin_spellings(name: PinyinName) -> Iterator[Spelling]:
    """Yield the ways to write a name: either end first, joined, apart, with hyphens, with tones as digits.

    One of few letters, or of syllables that are words as well, is a name only with its capital letters, as
    "He An" is in "He An and he", or in an address.
    """
    letters = len(name.joined)
    for words in dict.fromkeys((name.words, name.words[::-1])):
        for pattern, check in _patterns(words, letters):
            begins = words[0][0][0]
            yield Spelling(bordered(pattern), begins, letters, check, is_rare=name.is_rare)


def _patterns(words: Sequence[Sequence[str]], letters: int) -> Iterator[tuple[str, Check]]:
    """Yield what a name is found by with its words in this order, and what else must hold."""
    wholes, syllables = ["".join(word) for word in words], [one for word in words for one in word]
    is_word = "".join(wholes) in WORDS
    is_telling = not (is_word or _are_words(wholes) or _are_words(syllables))
    if is_telling and letters >= _SAFE_LETTERS:
        yield _found_by(words, BETWEEN_WORDS % 0, _EITHER), Check.NOTHING
        return
    yield _found_by(words, BETWEEN_WORDS % 1, _JOINED), Check.CAPITALS
    if len(syllables) > len(words):
        yield _found_by([[one] for one in syllables], _APART, ""), Check.CAPITALS
    if not is_word:
        yield _found_by(words, "", ""), Check.CAPITALS
        yield _WITHIN_ADDRESS.join(syllables) + IN_AN_ADDRESS, Check.NOTHING


def _are_words(parts: Iterable[str]) -> bool:
    """Whether parts of a name may stand beside each other in a sentence."""
    return all(part in AMBIGUOUS_SYLLABLES or part in WORDS for part in parts)


def _found_by(words: Sequence[Sequence[str]], between: str, within: str) -> str:
    """Return a pattern of words with what stands between them and within them."""
    toned = [[f"({word[0]}){_TONE}", *(one + _TONE for one in word[1:])] for word in words]
    return between.join(within.join(word) for word in toned)
