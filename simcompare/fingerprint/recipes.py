"""The fingerprint recipes: terms, weights and hash."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass

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
from simcompare.model.document import Document
from simcompare.model.errors import NoTermsError, NoUnitsError, UnknownRecipeError
from simcompare.model.settings import UserWords
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import words_of_text


@dataclass(frozen=True, slots=True)
class Recipe:
    """A method to make a fingerprint. `uses_idf`: its weights depend on a collection."""

    name: str
    size_bits: int
    gather: Callable[[Document, PreparedText], Terms]
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
    terms = method.gather(document, prepared)
    if not terms.vocabulary and prepared.unit_count:
        raise NoTermsError(name=document.path.name, recipe=recipe)
    if not terms.vocabulary:
        raise NoUnitsError(name=document.path.name)
    title = frozenset(words_of_text(document.title, prepared.user_words))
    weights = method.weigh(terms, title, idf)
    value = combine(method.hash_bits(tuple(terms.vocabulary)), weights)
    return Fingerprint(value, method.size_bits, method.signature(idf, prepared.user_words))


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownRecipeError(recipe=name, known=", ".join(RECIPES))
    return RECIPES[name]
