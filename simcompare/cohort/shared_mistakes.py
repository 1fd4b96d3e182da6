"""Mistakes that two essays share and few others make: misspelt words, and references written differently.

They are facts beside the wording and count for no share, rank or limit: a dictation, a common source or the
same habit also explain them.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from itertools import combinations
from string import ascii_lowercase

from simcompare.cohort.kinship import most_holders
from simcompare.model.document import Anchor, BlockKind, Document
from simcompare.session.school_class import Pair
from simcompare.text.words import cut_mixed_text, lexicon_lines

_FEWEST_HOLDERS, _HOLDERS_SHARE = 2, 0.03
_LEAST_ALIKE = 0.8
_LEAST_REFERENCE_LETTERS, _PART_LETTERS = 20, 8
_MOST_COMPARED, _LEAST_COMMON_PARTS = 3, 0.3
_MOST_OF_PART = 100
"""Forms with a part such as the name of a journal, above which it does not identify a work."""
_LEAST_LETTERS, _LEAST_USERS = 7, 3
_CONTEXT_CHARACTERS = 12
_IDIOM_CHARACTERS = 4
"""Chinese forms of this length are idioms, no parts of words; text around a wrong one is cut wrongly."""
_VOWELS = "aeiou"
_NUMBERING = re.compile(r"^\s*(?:[\[［【(（]?\d{1,3}[\]］】)）]?[.、]?|[•●-])\s*")
_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])")


_BRITISH = (("our", "or"), ("ll(?=ed|ing|er|ous|ist)", "l"), ("[ao]e", "e"), ("gement", "gment"))
"""British spellings as patterns, and the American ones, which the lists of words have."""


class MistakeKind(StrEnum):
    """What kind of mistake; a stable machine word."""

    SPELLING = "spelling"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class SharedMistake:
    """What two documents write alike and others otherwise; left, right: where, each place once."""

    kind: MistakeKind
    written: str
    expected: str
    left: tuple[Anchor, ...]
    right: tuple[Anchor, ...]


SharedMistakes = tuple[SharedMistake, ...]


@dataclass(frozen=True, slots=True)
class _Mistake:
    """A mistake of one document; key: what makes two the same."""

    kind: MistakeKind
    key: str
    written: str
    expected: str
    places: tuple[Anchor, ...]


def find_shared_mistakes(
    documents: Mapping[int, Document], handed_out: Sequence[Document] = (), *, in_spelling: bool = True
) -> dict[Pair, SharedMistakes]:
    """Find the mistakes of pairs of documents, the lower key first, that at most 2 documents or 3% make.

    Those in a text that was `handed_out` do not count.
    """
    most = most_holders(len(documents), _FEWEST_HOLDERS, _HOLDERS_SHARE)
    spelt = documents if in_spelling else {}
    users = Counter(word for each in spelt.values() for word in set(_words(each)))
    held: defaultdict[tuple[MistakeKind, str], dict[int, _Mistake]] = defaultdict(dict)
    for key in sorted(spelt):
        for mistake in _misspellings(documents[key], users):
            held[mistake.kind, mistake.key][key] = mistake
    for key, mistake in _odd_references(documents):
        held[mistake.kind, mistake.key][key] = mistake
    given = {each.key for text in handed_out if in_spelling for each in _misspellings(text, users)}
    given_letters = "\n".join(_comparable(text.text) for text in handed_out)
    given |= {key for kind, key in held if kind is MistakeKind.REFERENCE and key in given_letters}
    found: defaultdict[Pair, list[SharedMistake]] = defaultdict(list)
    for mistake_key, holders in held.items():
        if 2 <= len(holders) <= most and mistake_key[1] not in given:
            for left, right in combinations(holders, 2):
                first, other = holders[left], holders[right]
                places = first.places, other.places
                found[left, right].append(SharedMistake(first.kind, first.written, first.expected, *places))
    return {pair: tuple(mistakes) for pair, mistakes in found.items()}


# spelling


@cache
def _listed(language: str) -> Mapping[str, str]:
    """Return common wrong forms with the right ones."""
    return dict(line.split() for line in lexicon_lines(f"misspellings-{language}.txt"))


@cache
def _chinese_forms() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _listed("zh"))))


@cache
def _known_words() -> frozenset[str]:
    lines = (line for name in ("background-en.tsv", "synonyms-en.txt") for line in lexicon_lines(name))
    return frozenset(word for line in lines for word in _WORD.findall(line.lower()))


def _words(document: Document) -> Iterator[str]:
    return (found.group() for found in _WORD.finditer(document.text) if found.group().islower())


def _misspellings(document: Document, users: Counter[str]) -> Iterator[_Mistake]:
    """Yield the misspelt words of a document; users: of how many documents each word is one."""
    found, expected = defaultdict[str, list[int]](list), dict[str, str]()
    for match in _chinese_forms().finditer(document.text):
        if len(match.group()) >= _IDIOM_CHARACTERS or _is_of_words(document.text, *match.span()):
            expected[match.group()] = _listed("zh")[match.group()]
            found[match.group()].append(match.start())
    for match in _WORD.finditer(document.text):
        word = match.group().lower()
        if word not in expected:
            expected[word] = _listed("en").get(word) or _meant(match.group(), users)
        if expected[word]:
            found[word].append(match.start())
    for word, places in found.items():
        yield _Mistake(MistakeKind.SPELLING, word, word, expected[word], anchors_of(document, places))


def _is_of_words(text: str, start: int, end: int) -> bool:
    """Return whether no word goes on before or after a part of a text: "自己经常" has no "己经"."""
    first = max(start - _CONTEXT_CHARACTERS, 0)
    place, ends = first, {first}
    for word in cut_mixed_text(text[first : end + _CONTEXT_CHARACTERS]):
        place += len(word)
        ends.add(place)
    return {start, end} <= ends


def _meant(word: str, users: Counter[str]) -> str:
    """Return the common word that a rare one is likely to be, or "".

    They differ by one letter left out, put in or exchanged with its neighbour, or by one vowel, but not at
    the beginning or the end, where words differ by inflection.
    """
    is_rare = word.islower() and users[word] <= _FEWEST_HOLDERS
    if len(word) < _LEAST_LETTERS or not is_rare or word in _known_words():
        return ""
    known = _known_words()
    if any(re.sub(british, american, word) in known for british, american in _BRITISH):
        return ""
    near = [other for other in _one_edit_from(word) if other in known or users[other] >= _LEAST_USERS]
    return max(near, key=lambda other: (other in known, users[other], other), default="")


def _one_edit_from(word: str) -> Iterator[str]:
    for at in range(2, len(word) - 3):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        yield before + after
        yield before + after[0] + letter + after[1:]
        yield from (before + each + letter + after for each in ascii_lowercase)
        if letter in _VOWELS:
            yield from (before + each + after for each in _VOWELS)


def anchors_of(document: Document, places: Iterable[int]) -> tuple[Anchor, ...]:
    """Return where the blocks with these offsets are, each once."""
    blocks = document.blocks
    numbers = {bisect_right(blocks, place, key=lambda block: block.span.end) for place in places}
    return tuple(dict.fromkeys(blocks[n].anchor for n in sorted(numbers) if n < len(blocks)))


# references


def _odd_references(documents: Mapping[int, Document]) -> Iterator[tuple[int, _Mistake]]:
    """Yield the references that others of the documents give otherwise, with the commonest other form."""
    entries: list[tuple[int, str, str, Anchor]] = []
    for key, held in documents.items():
        entries += ((key, *entry) for entry in _references(held))
    users = Counter(form for _key, form in {(key, form) for key, _shown, form, _anchor in entries})
    works = _works(users)
    shown_of = {form: shown for _key, shown, form, _anchor in reversed(entries)}
    for key, shown, form, anchor in entries:
        usual = max(works[form], key=lambda other: (users[other], other))
        if users[usual] > users[form]:
            yield key, _Mistake(MistakeKind.REFERENCE, form, shown, shown_of[usual], (anchor,))


def reference_forms(document: Document) -> list[str]:
    """Return the letters and digits of each reference of a document."""
    return [form for _shown, form, _anchor in _references(document)]


def _references(document: Document) -> Iterator[tuple[str, str, Anchor]]:
    for block in document.blocks:
        if block.kind is BlockKind.REFERENCE:
            shown = _NUMBERING.sub("", block.span.of(document.text)).strip()
            if len(form := _comparable(shown)) >= _LEAST_REFERENCE_LETTERS:
                yield shown, form, block.anchor


def _comparable(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _works(forms: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Group the forms in which a work is given: those that have at least 80% of their letters in order."""
    works: dict[str, list[str]] = {}
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for form in sorted(set(forms)):
        parts = {form[at : at + _PART_LETTERS] for at in range(len(form) - _PART_LETTERS + 1)}
        telling = [part for part in parts if len(holders[part]) <= _MOST_OF_PART]
        shared = Counter(other for part in telling for other in holders[part])
        near = sorted(shared, key=lambda other: (-shared[other], other))[:_MOST_COMPARED]
        least = _LEAST_COMMON_PARTS * len(telling)
        alike = (other for other in near if shared[other] >= least and _are_alike(form, other))
        works[form] = works.get(next(alike, ""), [])
        works[form].append(form)
        for part in parts:
            holders[part].append(form)
    return works


def _are_alike(form: str, other: str) -> bool:
    matcher = SequenceMatcher(None, other, form, autojunk=False)
    return matcher.quick_ratio() >= _LEAST_ALIKE and matcher.ratio() >= _LEAST_ALIKE
