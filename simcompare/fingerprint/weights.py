"""How much each term of a document, a paragraph or a sentence counts in its fingerprint.

Every function gives one weight above 0 for each row of the terms.
"""

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from simcompare.fingerprint.idf import Idf
from simcompare.fingerprint.terms import Terms
from simcompare.text.background import marker_words

Weights = NDArray[np.float64]

_NOUN_WEIGHT, _VERB_WEIGHT, _OTHER_WEIGHT = 3, 2, 1
_MARKER_WEIGHT = 5
_TITLE_WEIGHT = 5
_LEVELS = 5


def traditional_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF as a bare count: dividing all weights by one number changes no bit."""
    return terms.counts.astype(np.float64)


def tfidf_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF * IDF (Zhang & He, section 2.3); TF is the share of the piece's terms."""
    totals = np.bincount(terms.pieces, weights=terms.counts, minlength=terms.piece_count)
    weights: Weights = terms.counts / totals[terms.pieces] * idf.of(terms.vocabulary)[terms.ids]
    return weights


def improved_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return TF * IDF * (1 + POS + length + marker + title) (Zhang & He, section 3.2).

    POS is 3 for a noun, 2 for a verb, 1 for any other; length runs from 0 for the shortest word of the
    piece to 1 for the longest; a marker word and a word of the title add 5 each.
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
    return tfidf_weights(terms, title, idf) * (fixed[terms.ids] + _relative_lengths(terms))


def level_weights(terms: Terms, title: Set[str], idf: Idf) -> Weights:
    """Return 1 to 5: the fifth of the piece's terms in which the improved weight lies (Lv et al., 3.1(1)).

    With n terms of which i weigh less, the level is 1 + floor(5 i / n), so equal weights have equal levels.
    """
    weights = improved_weights(terms, title, idf)
    order = np.lexsort((weights, terms.pieces))
    sizes = np.bincount(terms.pieces, minlength=terms.piece_count)
    firsts = np.cumsum(sizes) - sizes
    pieces, sorted_weights = terms.pieces[order], weights[order]
    # where a new piece or a higher weight begins, all rows before it in the piece weigh less
    begins = np.append(True, (np.diff(pieces) != 0) | (np.diff(sorted_weights) != 0))[: len(order)]
    begin = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    levels = np.empty(len(order))
    levels[order] = 1 + _LEVELS * (begin - firsts[pieces]) // sizes[pieces]
    return levels


def _part_of_speech_weight(tag: str) -> int:
    if tag.startswith("n"):
        return _NOUN_WEIGHT
    return _VERB_WEIGHT if tag.startswith("v") else _OTHER_WEIGHT


def _relative_lengths(terms: Terms) -> Weights:
    """Return (length - shortest) / (longest - shortest) within the piece, 0 where all are equally long."""
    lengths = np.fromiter(map(len, terms.vocabulary), dtype=np.float64, count=len(terms.vocabulary))[
        terms.ids
    ]
    shortest = np.full(terms.piece_count, np.inf)
    longest = np.zeros(terms.piece_count)
    np.minimum.at(shortest, terms.pieces, lengths)
    np.maximum.at(longest, terms.pieces, lengths)
    above = lengths - shortest[terms.pieces]
    ranges = longest[terms.pieces] - shortest[terms.pieces]
    relative: Weights = np.divide(above, ranges, out=np.zeros_like(above), where=ranges > 0)
    return relative
