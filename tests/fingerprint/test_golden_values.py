"""Values printed in the papers."""

import hashlib
import re

import numpy as np
import pytest

from simcompare.comparison.prepared_document import prepare_document
from simcompare.fingerprint.simhash import (
    combine,
    hamming_distance_bits,
    make_fingerprint,
    md5_digit_bits,
    term_bits,
)
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import make_document, shared_text

JIEBA_ARTICLE = "004_53f4b42c14c73d3d.txt"
BITS_IN_THE_ARTICLE = [
    "11111101011001101110111100101101",
    "00101101001010110001100000101110",
    "00100101001010110000100000101110",
]


def bits_of(*rows):
    return np.array([[int(digit) for digit in row] for row in rows], dtype=np.uint8)


def combined(bits, weights):
    """Return the fingerprint of one text whose terms have these bits and weights."""
    return combine(bits, np.array(weights, dtype=np.float64))


@pytest.fixture(scope="module")
def article():
    return shared_text("seeds", JIEBA_ARTICLE)


@pytest.fixture
def passages(article):
    """The second passage of the article recurs with small changes as the third."""
    lines = article.split("\n")
    [first] = [line for line in lines if line.startswith("1993年")]
    second, third = [line for line in lines if line.startswith("知乎上有个提问")]
    return [first, second, third]


def test_that_the_three_passages_of_the_jieba_article_have_its_bits(article, passages):
    fingerprints = []
    for passage in passages:
        document = make_document(passage)
        fingerprints.append(make_fingerprint(document, prepare(document), "md5-32"))
    assert [fingerprint.bits for fingerprint in fingerprints] == BITS_IN_THE_ARTICLE
    assert all(bits in article for bits in BITS_IN_THE_ARTICLE)
    first, second, third = fingerprints
    assert hamming_distance_bits(first, second) == 16
    assert hamming_distance_bits(second, third) == 2


@pytest.mark.parametrize("weights", [[2, 1, 1, 1, 1], [2 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]])
def test_that_the_five_words_of_the_jieba_article_give_100000(weights):
    """Its sums are 0.33, -0.33, 0, 0, 0, -0.66: a tie gives 0, for counts and for shares."""
    rows = bits_of("100100", "010101", "101010", "111010", "001010")
    assert format(combined(rows, weights), "06b") == "100000"


def test_that_the_two_words_of_the_comparison_matrix_paper_give_101011():
    """W1 = 4 on 100101 and W2 = 5 on 101011 add up to 9 -9 1 -1 1 9."""
    assert format(combined(bits_of("100101", "101011"), [4, 5]), "06b") == "101011"


def test_that_aaa_and_bbb_give_57087923692560392():
    assert combined(term_bits(["aaa", "bbb"]), [1, 1]) == 57087923692560392


def test_that_a_tie_is_0():
    assert combined(bits_of("10", "01"), [1, 1]) == 0
    assert combined(bits_of("10", "01", "01"), [0.3, 0.1, 0.2]) == 0


def test_that_more_terms_than_are_summed_at_once_are_combined_as_all_together():
    drawn = np.random.default_rng(3)
    weights = drawn.random(70_000)
    bits = term_bits([str(number) for number in drawn.integers(0, 5000, 70_000)])
    sums = ((bits * 2.0 - 1) * weights[:, None]).sum(axis=0)
    assert format(combined(bits, weights), "064b") == "".join("1" if total > 0 else "0" for total in sums)


def test_that_a_term_has_the_last_eight_bytes_of_its_md5():
    expected = hashlib.md5("作文".encode()).hexdigest()[-16:]
    assert "".join(map(str, *term_bits(["作文"]))) == format(int(expected, 16), "064b")


def test_that_a_hexadecimal_digit_above_7_is_a_1():
    digits = hashlib.md5("作文".encode()).hexdigest()
    expected = re.sub("[89a-f]", "+", digits)
    expected = re.sub("[0-7]", "0", expected).replace("+", "1")
    assert "".join(map(str, *md5_digit_bits(["作文"]))) == expected


def test_that_one_term_has_its_own_bits_whatever_its_weight():
    for recipe in ("improved", "traditional", "tfidf", "levels"):
        prepared_document = prepare_document(make_document("作文"), recipe)
        assert prepared_document.fingerprint.bits == "".join(map(str, *term_bits(["作文"])))
