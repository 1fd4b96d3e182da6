"""Simhash: fingerprints of texts by hashes of weighted terms, and the recipes that choose the terms."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Document, Span
from simcompare.model.errors import NoTermsError, NoUnitsError, RecipeMismatchError, UnknownRecipeError
from simcompare.model.settings import UserWords
from simcompare.text.prepared_text import PreparedText, words_of_text
from simcompare.text.words import BACKGROUND_NAME, cut_mixed_text, inverse_document_frequency, marker_words

Bits = NDArray[np.uint8]
Hashes = NDArray[np.uint64]

# A sum below this share of all weights is a tie, not 0 only because of rounding: 1/3 - 1/6 - 1/6.
_ROUNDING = 1e-12
# Terms recur in every document; this number takes about 20 MB.
_DIGESTS_KEPT = 1 << 17
# More would be in memory all at once as separate objects.
_TERMS_AT_ONCE = 1 << 15


@lru_cache(maxsize=_DIGESTS_KEPT)
def _digest(term: str) -> bytes:
    return hashlib.md5(term.encode(), usedforsecurity=False).digest()


def _digests(terms: Sequence[str]) -> Bits:
    digests = np.empty((len(terms), 16), np.uint8)
    for start in range(0, len(terms), _TERMS_AT_ONCE):
        part = b"".join(map(_digest, terms[start : start + _TERMS_AT_ONCE]))
        digests[start : start + _TERMS_AT_ONCE] = np.frombuffer(part, np.uint8).reshape(-1, 16)
    return digests


def term_hashes(terms: Sequence[str]) -> Hashes:
    """Return a 64-bit hash of each term: the last 8 bytes of its MD5, big-endian.

    Must never change and is the same on every platform, because stored fingerprints depend on it.
    """
    return np.ascontiguousarray(_digests(terms)[:, 8:]).view(">u8").ravel().astype(np.uint64)


def term_bits(terms: Sequence[str]) -> Bits:
    """Return the 64 bits of each term's hash, shape (terms, 64), the most significant bit first."""
    return np.unpackbits(_digests(terms)[:, 8:], axis=1)


def md5_digit_bits(terms: Sequence[str]) -> Bits:
    """Return a bit for each of the 32 hexadecimal digits of a term's MD5: 1 if the digit is above 7.

    Shape (terms, 32).
    """
    return np.unpackbits(_digests(terms), axis=1)[:, ::4]


def combine(bits: Bits, weights: NDArray[np.float64]) -> int:
    """Add up +weight if a term's bit is 1 and -weight if it is 0; a sum above 0 gives a 1.

    bits: shape (t, size), of each term; weights: (t,), at least 0. Returns the bits as a number, the first
    bit the most significant. A sum of 0 gives a 0.
    """
    sums = np.zeros(bits.shape[1])
    for start in range(0, len(bits), _TERMS_AT_ONCE):
        part = slice(start, start + _TERMS_AT_ONCE)
        sums += ((bits[part] * 2.0 - 1) * weights[part, None]).sum(axis=0)
    packed = np.packbits(sums > _ROUNDING * weights.sum())
    unused_bits = -bits.shape[1] % 8
    return int.from_bytes(packed.tobytes()) >> int(unused_bits)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Bits that summarise a text, with the recipe that made them.

    `recipe` names method, background and version ("improved/background-1"); only fingerprints of equal
    recipes are compared. The first bit is the most significant bit of `value`.
    """

    value: int
    size_bits: int
    recipe: str

    @property
    def recipe_name(self) -> str:
        """The recipe's name as in the settings, without background and version."""
        return self.recipe.partition("/")[0]

    @property
    def bits(self) -> str:
        """The fingerprint as a string of 0 and 1."""
        return format(self.value, f"0{self.size_bits}b")

    @property
    def hex(self) -> str:
        """The fingerprint as hexadecimal digits, four bits per digit."""
        return format(self.value, f"0{self.size_bits // 4}x")


def hamming_distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    """Count the bits in which two fingerprints of one recipe differ.

    Raises RecipeMismatchError if the recipes differ: their bits mean different things.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return (left.value ^ right.value).bit_count()


def fingerprint_values(fingerprints: Sequence[Fingerprint]) -> Hashes:
    """Return fingerprints of one recipe as a column of integers, for scanning.

    Raises RecipeMismatchError if the recipes differ.
    """
    for fingerprint in fingerprints:
        if fingerprint.recipe != fingerprints[0].recipe:
            raise RecipeMismatchError(left=fingerprints[0].recipe, right=fingerprint.recipe)
    return np.array([fingerprint.value for fingerprint in fingerprints], dtype=np.uint64)


def hamming_distances_bits(values: Hashes, value: np.uint64) -> NDArray[np.uint8]:
    """Count the bits in which each of a column of fingerprints differs from one, all of one recipe.

    A scan of 1,000,000 fingerprints takes about a millisecond for any distance, without building an index.
    """
    distances: NDArray[np.uint8] = np.bitwise_count(values ^ value)
    return distances


# The last digits of a logarithm differ between platforms, but a fingerprint must not.
_DECIMALS = 12


class Idf(Protocol):
    """IDF over one collection. `name` identifies the collection and is part of the fingerprint's recipe."""

    @property
    def name(self) -> str:
        """Name of the collection and of the formula's version."""

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return IDF = log(N/n + 0.01) of each word, above 0."""


class _BackgroundIdf:
    """IDF over the fixed background that is shipped with the program."""

    name = BACKGROUND_NAME

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        return np.fromiter(map(inverse_document_frequency, words), dtype=np.float64, count=len(words))


BACKGROUND: Idf = _BackgroundIdf()
"""The default: stored fingerprints stay valid when documents are added or removed."""


@dataclass(frozen=True, slots=True, eq=False)
class CollectionIdf:
    """IDF over the loaded documents, as in Zhang & He.

    Another set of documents is another collection with another name, and their fingerprints are not
    compared. A word that occurs in every document weighs log(1.01), which is small and above 0.
    """

    name: str
    document_count: int
    documents_with: Mapping[str, int]

    @classmethod
    def of_texts(cls, texts: Iterable[PreparedText]) -> "CollectionIdf":
        """Count in how many of the texts each word occurs. Raises ValueError for an empty collection."""
        vocabularies = [text.word_vocabulary for text in texts]
        if not vocabularies:
            raise ValueError("a collection holds at least one text")
        counts = Counter(word for vocabulary in vocabularies for word in vocabulary)
        content = [f"{len(vocabularies)}\n", *(f"{word}\t{counts[word]}\n" for word in sorted(counts))]
        digest = hashlib.sha256("".join(content).encode()).hexdigest()
        return cls(f"collection-1-{digest[:16]}", len(vocabularies), counts)

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the IDF of each word; a word that is not in the collection counts as if one text had it."""
        return np.array([self._idf(self.documents_with.get(word, 1)) for word in words], dtype=np.float64)

    def _idf(self, documents: int) -> float:
        return round(math.log(self.document_count / documents + 0.01), _DECIMALS)


_BEGINS_WITH_HAN = re.compile("[\u4e00-\u9fa5]")


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The distinct terms of a document, a paragraph or a sentence.

    vocabulary  the t terms
    tags        part of speech of each, as jieba names it; empty if the recipe does not use it
    counts (t,) occurrences
    """

    vocabulary: Sequence[str]
    tags: Sequence[str]
    counts: NDArray[np.int64]


def word_terms(text: str, prepared: PreparedText, words: slice) -> Terms:
    """Count some words of a prepared text; `text` is where they are."""
    ids, counts = np.unique(prepared.word_ids[words], return_counts=True)
    columns = prepared.word_vocabulary, prepared.word_tags
    vocabulary, tags = ([column[word] for word in ids.tolist()] for column in columns)
    return Terms(vocabulary, tags, counts)


def han_token_terms(text: str, prepared: PreparedText, words: slice) -> Terms:
    """Count the tokens of `text` that begin with a Chinese character, as in the jieba article."""
    counted = Counter(filter(_BEGINS_WITH_HAN.match, cut_mixed_text(text, prepared.user_words)))
    return Terms(tuple(counted), (), np.array(tuple(counted.values()), dtype=np.int64))


Weights = NDArray[np.float64]

_NOUN_WEIGHT, _VERB_WEIGHT, _OTHER_WEIGHT = 3, 2, 1
_MARKER_WEIGHT = 5
_TITLE_WEIGHT = 5
_LEVELS = 5


def traditional_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF as a plain count: dividing all weights by one number changes no bit."""
    return terms.counts.astype(np.float64)


def tfidf_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF * IDF (Zhang & He, section 2.3); TF is the share of all terms."""
    weights: Weights = terms.counts / terms.counts.sum() * idf.of(terms.vocabulary)
    return weights


def improved_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF * IDF * (1 + POS + length + marker + title) (Zhang & He, section 3.2).

    POS is 3 for a noun, 2 for a verb, 1 otherwise; length runs from 0 for the shortest word
    to 1 for the longest; a marker word and a word of the title add 5 each.
    """
    markers = marker_words()
    fixed = np.array(
        [
            1
            + _part_of_speech_weight(tag)
            + _MARKER_WEIGHT * (term in markers)
            + _TITLE_WEIGHT * (term in title)
            for term, tag in zip(terms.vocabulary, terms.tags, strict=True)
        ],
        dtype=np.float64,
    )
    return tfidf_weights(terms, title, idf) * (fixed + _relative_lengths(terms))


def level_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return 1 to 5: the quintile of the improved weight among the terms (Lv et al., 3.1(1)).

    With n terms of which i weigh less, the level is 1 + floor(5 i / n), so equal weights have equal
    levels.
    """
    weights = improved_weights(terms, title, idf)
    weigh_less = np.searchsorted(np.sort(weights), weights)
    return (1 + _LEVELS * weigh_less // len(weights)).astype(np.float64)


def _part_of_speech_weight(tag: str) -> int:
    if tag.startswith("n"):
        return _NOUN_WEIGHT
    return _VERB_WEIGHT if tag.startswith("v") else _OTHER_WEIGHT


def _relative_lengths(terms: Terms) -> Weights:
    """Return (length - shortest) / (longest - shortest), 0 if all are equally long."""
    lengths = np.fromiter(map(len, terms.vocabulary), dtype=np.float64, count=len(terms.vocabulary))
    above = lengths - lengths.min()
    relative: Weights = above / max(above.max(), 1.0)
    return relative


@dataclass(frozen=True, slots=True)
class Recipe:
    """A method to make a fingerprint. `uses_idf`: its weights depend on a collection."""

    name: str
    size_bits: int
    gather: Callable[[str, PreparedText, slice], Terms]
    weigh: Callable[[Terms, Set[str], Idf], Weights]
    hash_bits: Callable[[tuple[str, ...]], Bits]
    uses_idf: bool

    def signature(self, idf: Idf, own: UserWords | None = None) -> str:
        """Name all that the bits depend on: method, collection or version, and words of the user."""
        words = "" if own is None else f"+words-{own.digest}"
        return f"{self.name}/{idf.name if self.uses_idf else 1}{words}"


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("improved", 64, word_terms, improved_weights, term_bits, uses_idf=True),
        Recipe("traditional", 64, word_terms, traditional_weights, term_bits, uses_idf=False),
        Recipe("md5-32", 32, han_token_terms, traditional_weights, md5_digit_bits, uses_idf=False),
        Recipe("tfidf", 64, word_terms, tfidf_weights, term_bits, uses_idf=True),
        Recipe("levels", 64, word_terms, level_weights, term_bits, uses_idf=True),
    )
}
"""Recipes by the name in the settings."""


def make_fingerprint(
    document: Document, prepared: PreparedText, recipe: str, idf: Idf = BACKGROUND
) -> Fingerprint:
    """Fingerprint a whole document by a recipe of RECIPES.

    Raises NoUnitsError if the document has no word, NoTermsError if the recipe counts none of them, since no
    bits would be meaningful; UnknownRecipeError.
    """
    method = _recipe(recipe)
    title = frozenset(words_of_text(document.stated_title, prepared.user_words))
    fingerprint = _fingerprint(method, document.text, prepared, slice(None), title, idf)
    if fingerprint is None and prepared.unit_count:
        raise NoTermsError(name=document.path.name, recipe=recipe)
    if fingerprint is None:
        raise NoUnitsError(name=document.path.name)
    return fingerprint


class Level(IntEnum):
    """Kinds of parts with fingerprints of their own; libraries store the numbers."""

    DOCUMENT = 0
    PARAGRAPH = 1
    SENTENCE = 2


class TextPart(NamedTuple):
    """A document, paragraph or sentence; its fingerprint is None if the recipe finds no term in it."""

    level: Level
    span: Span
    sentences: range
    fingerprint: Fingerprint | None


def multilevel_fingerprints(
    document: Document, prepared: PreparedText, recipe: str, idf: Idf = BACKGROUND
) -> list[TextPart]:
    """Fingerprint a document, then each of its paragraphs, followed by its sentences (Lv et al., section 2).

    Paragraphs and sentences are fingerprinted without the title, so that they have the same fingerprint
    in every document. Raises the errors of make_fingerprint.
    """
    method, bounds = _recipe(recipe), prepared.sentence_words.tolist()

    def part(level: Level, span: Span, sentences: range) -> TextPart:
        words = slice(bounds[sentences.start], bounds[sentences.stop])
        text = span.of(document.text)
        return TextPart(level, span, sentences, _fingerprint(method, text, prepared, words, frozenset(), idf))

    whole = Span(0, len(document.text)), range(prepared.sentence_count)
    parts = [TextPart(Level.DOCUMENT, *whole, make_fingerprint(document, prepared, recipe, idf))]
    for block, sentences in zip(document.blocks, prepared.block_sentences(len(document.blocks)), strict=True):
        parts.append(part(Level.PARAGRAPH, block.span, sentences))
        parts += [part(Level.SENTENCE, prepared.sentence_span(i), range(i, i + 1)) for i in sentences]
    return parts


def _fingerprint(
    method: Recipe, text: str, prepared: PreparedText, words: slice, title: Set[str], idf: Idf
) -> Fingerprint | None:
    """Fingerprint some words, which are the words of `text`; None without terms."""
    terms = method.gather(text, prepared, words)
    if not terms.vocabulary:
        return None
    weights = method.weigh(terms, title, idf)
    value = combine(method.hash_bits(tuple(terms.vocabulary)), weights)
    return Fingerprint(value, method.size_bits, method.signature(idf, prepared.user_words))


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownRecipeError(recipe=name, known=", ".join(RECIPES))
    return RECIPES[name]
