"""Renumbering the units of a few rows does not change LCS lengths."""

import random
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.comparison.comparison_matrix import lcs_counts, numbered_sentences
from tests.helpers.references import lcs_length


def numbered(sentences):
    bounds = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    units = np.array([unit for s in sentences for unit in s], dtype=np.int32)
    return numbered_sentences(units, bounds)


def textbook(left, right):
    return [[lcs_length(a, b) for b in right] for a in left]


def counts(left, right, rows=None):
    rows = rows or range(len(left))
    found = dict(
        chain.from_iterable(
            zip(few.tolist(), counts.tolist(), strict=True)
            for few, counts in lcs_counts(numbered(left), numbered(right), rows)
        )
    )
    return [found[row] for row in rows]


SENTENCES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=8), min_size=1, max_size=5)


@settings(max_examples=50)
@given(SENTENCES, SENTENCES)
def test_that_many_columns_give_the_same_lengths_as_few(left, right):
    times = 200
    assert counts(left, right * times) == [row * times for row in textbook(left, right)]


@pytest.mark.parametrize("different", [3, 60, 254, 255, 256, 400])
def test_that_lcs_lengths_equal_the_textbook_for_any_vocabulary(different):
    """Sentences of 1 to 300 units: some have more distinct units than a byte can encode."""
    chance = random.Random(different)
    left = [[chance.randrange(different) for _ in range(n)] for n in (1, 40, 2, 300, 40, 90)]
    left.append(list(range(different)))
    right = [[chance.randrange(different + 5) for _ in range(chance.randint(1, 12))] for _ in range(200)]
    assert counts(left, right) == textbook(left, right)


def test_that_some_rows_give_the_same_lengths_as_all():
    chance = random.Random(1)
    left = [[chance.randrange(500) for _ in range(30)] for _ in range(40)]
    right = [[chance.randrange(500) for _ in range(30)] for _ in range(160)]
    whole = counts(left, right)
    for rows in (range(1), range(7, 23), range(39, 40)):
        assert counts(left, right, rows) == whole[rows.start : rows.stop]


def test_that_units_of_one_side_only_do_not_count():
    """Only the left text has units from 300 on, only the right one those below 100."""
    chance = random.Random(2)
    left = [[chance.randrange(100, 500) for _ in range(n)] for n in (70, 3, 20, 64, 1, 8, 33, 9, 16, 65) * 3]
    left.append([400, 450])
    right = [[chance.randrange(300) for _ in range(chance.randint(1, 40))] for _ in range(159)] + [[7, 8]]
    assert counts(left, right) == textbook(left, right)


def test_that_a_sentence_longer_than_16_bits_has_its_lcs_length():
    long = [unit % 300 for unit in range(70_000)]
    right = [[1, 2, 3]] * 200 + [long]
    assert counts([[3, 1, 2], long], right) == [[2] * 200 + [3], [3] * 200 + [70_000]]
