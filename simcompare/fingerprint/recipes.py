"""The fingerprint recipes: which terms, which weights, which hash."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.document import Document
from simcompare.errors import NoUnitsError, UnknownRecipeError
from simcompare.fingerprint.fingerprint import Fingerprint
from simcompare.fingerprint.simhash import combine, md5_digit_bits, term_bits
from simcompare.fingerprint.weights import improved_weights, traditional_weights
from simcompare.text.background import BACKGROUND_NAME
from simcompare.text.prepared import PreparedText
from simcompare.text.words import cut_mixed_text

_BEGINS_WITH_HAN = re.compile("[\u4e00-\u9fa5]")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to make a fingerprint. `signature` names everything that the bits depend on."""

    signature: str
    size_bits: int
    weigh: Callable[[Document, PreparedText], Mapping[str, float]]
    hash_bits: Callable[[str], NDArray[np.uint8]]


def _han_token_counts(document: Document, prepared: PreparedText) -> Mapping[str, float]:
    """Count the tokens of the text that begin with a Chinese character, as the jieba article does."""
    return Counter(token for token in cut_mixed_text(document.text) if _BEGINS_WITH_HAN.match(token))


RECIPES: Mapping[str, Recipe] = {
    "improved": Recipe(f"improved/{BACKGROUND_NAME}", 64, improved_weights, term_bits),
    "traditional": Recipe("traditional/1", 64, traditional_weights, term_bits),
    "md5-32": Recipe("md5-32/1", 32, _han_token_counts, md5_digit_bits),
}
"""By the name a user chooses."""


def make_fingerprint(document: Document, prepared: PreparedText, recipe: str) -> Fingerprint:
    """Fingerprint a whole document by a recipe of RECIPES.

    Raises NoUnitsError where the recipe finds no term: no bits would mean anything.
    """
    if recipe not in RECIPES:
        raise UnknownRecipeError(recipe=recipe, known=", ".join(RECIPES))
    chosen = RECIPES[recipe]
    weights = chosen.weigh(document, prepared)
    if not weights:
        raise NoUnitsError(name=document.path.name)
    value = combine([chosen.hash_bits(term) for term in weights], list(weights.values()))
    return Fingerprint(value, chosen.size_bits, chosen.signature)
