"""The fingerprint recipes: terms, weights and hash."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass

import numpy as np

from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.fingerprint.simhash import Bits, combine, md5_digit_bits, term_bits
from simcompare.fingerprint.weights import (
    BACKGROUND,
    Idf,
    Terms,
    TextLevel,
    Weights,
    han_token_terms,
    improved_weights,
    level_weights,
    tfidf_weights,
    traditional_weights,
    word_terms,
)
from simcompare.model.document import Document
from simcompare.model.errors import NoTermsError, NoUnitsError, UnknownRecipeError
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import words_of_text


@dataclass(frozen=True, slots=True)
class Recipe:
    """A method to make a fingerprint. `uses_idf`: its weights depend on a collection."""

    name: str
    size_bits: int
    gather: Callable[[Document, PreparedText, TextLevel], Terms]
    weigh: Callable[[Terms, Set[str], Idf], Weights]
    hash_bits: Callable[[tuple[str, ...]], Bits]
    uses_idf: bool

    def signature(self, idf: Idf) -> str:
        """Name everything that the bits depend on: the method, and the collection or the version."""
        return f"{self.name}/{idf.name if self.uses_idf else 1}"


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


@dataclass(frozen=True, slots=True)
class MultilevelFingerprints:
    """Fingerprints of a document, of each of its blocks and of each sentence of its prepared text.

    None for a block or a sentence in which the recipe finds no term.
    """

    document: Fingerprint
    blocks: tuple[Fingerprint | None, ...]
    sentences: tuple[Fingerprint | None, ...]


def make_fingerprint(
    document: Document, prepared: PreparedText, recipe: str, idf: Idf = BACKGROUND
) -> Fingerprint:
    """Fingerprint a whole document by a recipe of RECIPES.

    Raises NoUnitsError if the document has no word, NoTermsError if the recipe counts none of them, since no
    bits would be meaningful; UnknownRecipeError.
    """
    (fingerprint,) = _fingerprints(document, prepared, _recipe(recipe), idf, TextLevel.DOCUMENT)
    if fingerprint is None and prepared.unit_count:
        raise NoTermsError(name=document.path.name, recipe=recipe)
    if fingerprint is None:
        raise NoUnitsError(name=document.path.name)
    return fingerprint


def multilevel_fingerprints(
    document: Document, prepared: PreparedText, recipe: str, idf: Idf = BACKGROUND
) -> MultilevelFingerprints:
    """Fingerprint a document, each of its paragraphs and each of its sentences (Lv et al., section 2).

    Paragraphs and sentences are fingerprinted without the title, so that they have the same fingerprint
    in every document. Raises the errors of make_fingerprint.
    """
    return MultilevelFingerprints(
        make_fingerprint(document, prepared, recipe, idf),
        _fingerprints(document, prepared, _recipe(recipe), idf, TextLevel.PARAGRAPH),
        _fingerprints(document, prepared, _recipe(recipe), idf, TextLevel.SENTENCE),
    )


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownRecipeError(recipe=name, known=", ".join(RECIPES))
    return RECIPES[name]


def _fingerprints(
    document: Document, prepared: PreparedText, recipe: Recipe, idf: Idf, level: TextLevel
) -> tuple[Fingerprint | None, ...]:
    terms = recipe.gather(document, prepared, level)
    title = frozenset(words_of_text(document.title)) if level is TextLevel.DOCUMENT else frozenset[str]()
    weights = recipe.weigh(terms, title, idf)
    bits = recipe.hash_bits(tuple(terms.vocabulary))
    values = combine(bits, terms.ids, weights, terms.pieces, terms.piece_count)
    sizes = np.bincount(terms.pieces, minlength=terms.piece_count).tolist()
    signature = recipe.signature(idf)
    return tuple(
        Fingerprint(value, recipe.size_bits, signature) if size else None
        for value, size in zip(values, sizes, strict=True)
    )
