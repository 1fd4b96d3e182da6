"""The fingerprint recipes: terms, weights and hash."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.fingerprint.simhash import Bits, combine, md5_digit_bits, term_bits
from simcompare.fingerprint.weights import (
    BACKGROUND,
    Idf,
    Terms,
    Weights,
    han_token_terms,
    improved_weights,
    level_weights,
    tfidf_weights,
    traditional_weights,
    word_terms,
)
from simcompare.model.document import Document, Span
from simcompare.model.errors import NoTermsError, NoUnitsError, UnknownRecipeError
from simcompare.model.settings import UserWords
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import words_of_text


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
    title = frozenset(words_of_text(document.title, prepared.user_words))
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
