"""Term cosine: the fast implementation equals a plain one, in both directions and for any block size."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.passages import term_cosine as module
from simcompare.comparison.passages.term_cosine import compared_terms, fragment_cosine
from simcompare.text.comparable import is_han
from simcompare.text.prepared_text import prepare
from simcompare.text.words import stem
from tests.helpers.documents import document_of
from tests.helpers.passages import GARDEN, LIGHTHOUSE, METRO, ORCHARD, english, terms_of

COMMON_SHARE = 0.2
words = st.sampled_from(["storm", "storms", "lamp", "harbour", "keeper", "石桥", "果园", "苹果", "的", "a"])
sentences = st.lists(words, min_size=1, max_size=8).map(lambda chosen: " ".join(chosen) + "。")
texts = st.lists(sentences, min_size=1, max_size=6).map("\n".join)


def plain_terms(text):
    """Return the terms of each sentence and their number in it, at most 2."""
    prepared = prepare(document_of(text))
    bags = []
    for sentence in range(prepared.sentence_count):
        units = prepared.units_of(sentence)
        pairs = [(a, b) for a, b in pairwise(units) if is_han(a) and is_han(b)]
        bag = Counter([*map(stem, prepared.words_of(sentence)), *pairs])
        bags.append({term: min(count, 2) for term, count in bag.items()})
    return bags


def plain_cosines(left, right):
    """Compute the cosine in the plain way, with log(N/n) as the weight of terms that are not too common.

    Sentences of a text with equal terms are counted once.
    """
    first, second = plain_terms(left), plain_terms(right)
    kinds = [kind for bags in (first, second) for kind in {frozenset(bag) for bag in bags}]
    total = max(len(kinds), 20)
    in_sentences = Counter(term for kind in kinds for term in kind)
    weights = {t: math.log(total / n) if n <= COMMON_SHARE * total else 0.0 for t, n in in_sentences.items()}

    def vector(bag):
        return {term: count * weights[term] for term, count in bag.items()}

    def cosine(a, b):
        lengths = math.hypot(*a.values()) * math.hypot(*b.values())
        return sum(a[term] * b.get(term, 0.0) for term in a) / lengths if lengths else 0.0

    return np.array([[cosine(vector(a), vector(b)) for b in second] for a in first])


def compared(first, second, floor=1e-9):
    return compared_terms(first, [second], COMMON_SHARE, floor)[0]


def cosines_of(left, right, floor=1e-9):
    first, second = terms_of(left), terms_of(right)
    _weights, cells = compared(first, second, floor)
    dense = np.zeros((first.sentence_count, second.sentence_count))
    dense[cells.rows, cells.columns] = cells.cosines
    return cells, dense


@given(texts, texts)
def test_that_cosines_are_those_of_the_textbook(left, right):
    expected = plain_cosines(left, right)
    cells, dense = cosines_of(left, right)
    np.testing.assert_allclose(dense, expected, atol=1e-12)
    np.testing.assert_allclose(cells.best_of_left, expected.max(axis=1), atol=1e-12)
    np.testing.assert_allclose(cells.best_of_right, expected.max(axis=0), atol=1e-12)
    rows = np.arange(len(expected))
    np.testing.assert_allclose(expected[rows, cells.partner_of_left], expected.max(axis=1), atol=1e-12)
    columns = np.arange(expected.shape[1])
    np.testing.assert_allclose(expected[cells.partner_of_right, columns], expected.max(axis=0), atol=1e-12)


def assert_same(found, expected):
    for name in expected.__slots__:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@given(texts, st.lists(texts, min_size=2, max_size=5), st.integers(1, 30))
def test_that_a_text_has_the_same_cosines_with_several_others_as_with_each_alone(left, others, cells_a_block):
    first, rights = terms_of(left), list(map(terms_of, others))
    alone = [compared(first, right, 0.2) for right in rights]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS_PER_BLOCK", cells_a_block)
        together = compared_terms(first, rights, COMMON_SHARE, 0.2)
    for (weights, cells), (own_weights, own_cells) in zip(together, alone, strict=True):
        assert_same(cells, own_cells)
        np.testing.assert_array_equal(weights.left, own_weights.left)
        np.testing.assert_array_equal(weights.right, own_weights.right)


@given(texts, texts)
def test_that_cosines_are_symmetric_and_lie_between_0_and_1(left, right):
    there, back = cosines_of(left, right)[1], cosines_of(right, left)[1]
    np.testing.assert_allclose(there, back.T, atol=1e-12)
    assert there.min(initial=0) >= 0
    assert there.max(initial=0) <= 1 + 1e-12


@given(texts, texts, st.integers(1, 30), st.integers(1, 30))
def test_that_many_blocks_give_the_same_as_one(left, right, products, cells_a_block):
    whole = cosines_of(left, right, 0.2)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PRODUCTS_PER_BLOCK", products)
        patch.setattr(module, "_CELLS_PER_BLOCK", cells_a_block)
        parted = cosines_of(left, right, 0.2)[0]
    assert_same(parted, whole)


@given(texts, texts)
def test_that_swapping_the_texts_transposes_the_cosines(left, right):
    seen = cosines_of(left, right)[0].transposed()
    other = cosines_of(right, left)[0]
    order = np.lexsort((seen.columns, seen.rows))
    np.testing.assert_array_equal(seen.rows[order], other.rows)
    np.testing.assert_array_equal(seen.columns[order], other.columns)
    np.testing.assert_array_equal(seen.shared_terms[order], other.shared_terms)
    np.testing.assert_allclose(seen.cosines[order], other.cosines, atol=1e-12)
    np.testing.assert_allclose(seen.best_of_left, other.best_of_left, atol=1e-12)


def test_that_the_floor_leaves_out_weaker_cells_alone():
    text = english(LIGHTHOUSE, GARDEN)
    strong, weak = cosines_of(text, text, 0.5)[0], cosines_of(text, text)[0]
    kept = weak.cosines >= 0.5
    np.testing.assert_array_equal(strong.cosines, weak.cosines[kept])
    np.testing.assert_array_equal(strong.best_of_left, weak.best_of_left)


def test_that_inflections_count_as_the_same_word_and_word_order_does_not_matter():
    _, dense = cosines_of("The keepers polished heavy lamps.", "Heavy lamp polishing, the keeper.")
    assert dense[0, 0] == pytest.approx(1)


def test_that_shared_terms_are_counted():
    cells, _ = cosines_of("storm lamp harbour", "lamp storm keeper")
    assert cells.shared_terms.tolist() == [2]


def test_that_the_cosine_of_sections_equals_that_of_joined_sentences():
    left, right = (terms_of("".join(side)) for side in (ORCHARD, [*METRO, *ORCHARD]))
    weights, _cells = compared(left, right)
    last = left.sentence_count - 1
    same = right.sentence_count - 1 - last, right.sentence_count - 1
    assert fragment_cosine(left, right, weights, (0, last), same) == pytest.approx(1)
    assert fragment_cosine(left, right, weights, (0, last), (0, same[0] - 1)) < 0.1


def test_that_terms_of_short_texts_are_not_too_common():
    _, dense = cosines_of("The keeper trimmed the wick.", "The keeper trimmed the wick.")
    assert dense[0, 0] == pytest.approx(1)


def test_that_a_recurring_paragraph_counts_once():
    other = terms_of("".join(METRO))
    once, often = (compared(terms_of("".join(ORCHARD * n)), other)[0] for n in (1, 7))
    np.testing.assert_array_equal(often.left, once.left)
    np.testing.assert_array_equal(often.right, once.right)


def test_that_a_ubiquitous_line_weighs_nothing():
    texts = [terms_of("The lamp was lit.\n" * 30 + sentence) for sentence in (LIGHTHOUSE[0], GARDEN[0])]
    assert compared(*texts)[0].left.min() > 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_CELLS_OF_A_TERM", 800)
        _weights, cells = compared(*texts, 0.01)
    assert cells.rows.tolist() == cells.columns.tolist() == [30]
