"""Terms by which the library finds texts: winnowed grams, and the rare words of each passage.

Grams find copied passages, even short ones; rare words find passages whose wording was changed. TERM_RECIPE
names how they are made and never changes its meaning, because libraries store them:

- Grams: GRAM_RECIPE of `fingerprint/grams.py`.
- Words: of every 60 consecutive words those 12 with the highest IDF in the background, of equal ones those
  with the smallest hash. The hash of a word is that of `term_hashes` of "word " and its stem, so that no word
  has the hash of a gram.
"""

from itertools import pairwise

import numpy as np

from simcompare.fingerprint.grams import GRAM_RECIPE, winnowed_grams
from simcompare.fingerprint.simhash import Hashes, term_hashes
from simcompare.library.store.stored_numbers import SignedHashes, signed
from simcompare.text.prepared_text import PreparedText
from simcompare.text.words import BACKGROUND_NAME, inverse_document_frequency, stem

TERM_RECIPE = f"{GRAM_RECIPE} rare-60-12/{BACKGROUND_NAME}"

_PASSAGE_WORDS = 60
_RARE_WORDS = 12
_WORD_DOMAIN = "word "


def index_terms(prepared: PreparedText) -> SignedHashes:
    """Return the distinct terms of an entry, or of a text to search, ascending.

    A text to search has no further terms: with every gram and word, sentences were not found more often.
    """
    return np.unique(signed(np.concatenate([winnowed_grams(prepared), _rare_words(prepared)])))


def _rare_words(prepared: PreparedText) -> Hashes:
    """Return the hashes of the rare words of all passages, with repetitions."""
    stems = list(map(stem, prepared.word_vocabulary))
    hashes = term_hashes([f"{_WORD_DOMAIN}{word}" for word in stems])
    weights = np.array(list(map(inverse_document_frequency, prepared.word_vocabulary)), np.float64)
    order = np.lexsort((hashes, -weights))
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(len(order))
    by_rank = hashes[order]
    bounds = [*range(0, len(prepared.word_ids), _PASSAGE_WORDS), len(prepared.word_ids)]
    passages = (prepared.word_ids[first:end] for first, end in pairwise(bounds))
    chosen = [by_rank[np.unique(ranks[words])[:_RARE_WORDS]] for words in passages]
    return np.concatenate([np.zeros(0, np.uint64), *chosen])
