"""The block index finds exactly the fingerprints within k bits."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.fingerprint.fingerprint_value import (
    BlockIndex,
    Fingerprint,
    fingerprint_values,
    hamming_distance_bits,
    hamming_distances_bits,
)
from simcompare.model.errors import RecipeMismatchError

RECIPE = "improved/test"
VALUES = st.integers(0, 2**64 - 1)
FLIPS = st.sets(st.integers(0, 63), max_size=12)


def fingerprint(value, size_bits=64):
    return Fingerprint(value, size_bits, RECIPE)


def flipped(value, bits):
    return value ^ sum(1 << bit for bit in bits)


@st.composite
def collections(draw):
    """A query, and fingerprints at all distances from it as well as unrelated ones."""
    query = draw(VALUES)
    near = [flipped(query, bits) for bits in draw(st.lists(FLIPS, max_size=30))]
    return query, near + draw(st.lists(VALUES, max_size=10))


@given(collections(), st.integers(1, 64), st.data())
@settings(max_examples=2 * settings.default.max_examples)
def test_that_nothing_within_k_bits_is_missed_and_nothing_else_is_found(collection, block_count, data):
    query, values = collection
    k = data.draw(st.integers(0, min(block_count - 1, 12)))
    index = BlockIndex[int](block_count)
    for key, value in enumerate(values):
        index.add(key, fingerprint(value))
    expected = [key for key, value in enumerate(values) if (value ^ query).bit_count() <= k]
    assert index.query(fingerprint(query), k) == expected


@given(VALUES, FLIPS, st.integers(1, 64))
def test_that_two_within_k_bits_share_m_minus_k_blocks(value, bits, block_count):
    bounds = [64 * i // block_count for i in range(block_count + 1)]
    blocks = [range(a, b) for a, b in pairwise(bounds)]
    equal = sum(not bits.intersection(block) for block in blocks)
    assert equal >= block_count - len(bits)


@given(collections())
def test_that_the_scan_counts_the_differing_bits(collection):
    query, values = collection
    column = fingerprint_values([fingerprint(value) for value in values])
    distances = hamming_distances_bits(column, np.uint64(query))
    expected = [hamming_distance_bits(fingerprint(value), fingerprint(query)) for value in values]
    assert distances.tolist() == expected


@pytest.mark.parametrize("block_count", [1, 5, 8, 32])
def test_that_fingerprints_of_32_bits_are_found_too(block_count):
    index = BlockIndex[str](block_count)
    index.add("one", fingerprint(0xFFFF0000, 32))
    index.add("again", fingerprint(0xFFFF0000, 32))
    index.add("far", fingerprint(0x0000FFFF, 32))
    assert index.query(fingerprint(0xFFFF0000, 32), 0) == ["one", "again"]
    assert len(index) == 3


def test_that_the_paper_s_eight_blocks_and_three_bits_are_the_default():
    index = BlockIndex[str]()
    index.add("three", fingerprint(0b111))
    index.add("four", fingerprint(0b1111))
    assert index.block_count == 8
    assert index.query(fingerprint(0)) == ["three"]


def test_that_a_fingerprint_added_after_a_query_is_found():
    index = BlockIndex[int]()
    for key in range(3):
        index.add(key, fingerprint(7))
        assert index.query(fingerprint(7)) == list(range(key + 1))
    assert BlockIndex[int]().query(fingerprint(7)) == []


@pytest.mark.parametrize("k", [-1, 8, 9])
def test_that_a_distance_not_below_the_block_count_is_refused(k):
    with pytest.raises(ValueError, match="8 blocks"):
        BlockIndex[int]().query(fingerprint(0), k)


def test_that_an_index_rejects_other_recipes():
    index = BlockIndex[int]()
    index.add(1, fingerprint(0))
    other = Fingerprint(0, 64, "traditional/1")
    for refuse in (lambda: index.add(2, other), lambda: index.query(other)):
        with pytest.raises(RecipeMismatchError):
            refuse()
    with pytest.raises(RecipeMismatchError):
        fingerprint_values([fingerprint(0), other])
    assert len(index) == 1
