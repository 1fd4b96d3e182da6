"""Winnowed grams: stored hashes, and what texts with a common passage share."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.library.index_terms import gram_hashes, winnowed_grams
from tests.helpers.documents import own_texts, prepared_text_document

_MASK = (1 << 64) - 1
GOLDEN_CHINESE = [17761258884058563446, 17200234771795363653]
GOLDEN_ENGLISH = [9795944254561730319]


def grams_of(text):
    return gram_hashes(prepared_text_document(text).prepared)


def winnowed_of(text):
    return set(winnowed_grams(prepared_text_document(text).prepared).tolist())


def test_that_the_hashes_are_those_that_libraries_store():
    assert grams_of("雾锁石桥流水东").tolist() == GOLDEN_CHINESE
    assert grams_of("Fog hides the old stone bridge.").tolist() == GOLDEN_ENGLISH


def test_that_a_gram_is_the_mixed_polynomial_of_its_units():
    units = [int.from_bytes(hashlib.md5(c.encode()).digest()[8:]) for c in "雾锁石桥流水"]
    value = 0
    for unit in units:
        value = value * 0x9E3779B97F4A7C15 + unit & _MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
    assert grams_of("雾锁石桥流水").tolist() == [value ^ value >> 31]


@pytest.mark.parametrize("text", ["雾锁石桥", "Fog hides the stone bridge."])
def test_that_a_text_of_fewer_than_six_units_has_no_gram(text):
    assert len(grams_of(text)) == 0
    assert winnowed_of(text) == set()


def test_that_script_case_and_punctuation_do_not_change_grams():
    assert winnowed_of("霧鎖石橋，流水東去。") == winnowed_of("雾锁石桥流水东去")
    assert winnowed_of("FOG hides, the old stone bridge") == winnowed_of("fog hides the old stone bridge.")


@given(st.integers(0, 10**6))
def test_that_texts_with_eleven_common_units_share_a_gram(seed):
    draw = random.Random(seed)
    characters = sorted(set("".join(own_texts())) - set("，。！？：“”、；\n "))
    passage = "".join(draw.choices(characters, k=11))
    left, right = (
        "".join([*draw.choices(characters, k=draw.randrange(40)), passage, *draw.choices(characters, k=30)])
        for _ in range(2)
    )
    assert winnowed_of(left) & winnowed_of(right)


def test_that_about_two_of_seven_grams_are_kept():
    text = "\n".join(own_texts())
    assert 0.26 < len(winnowed_of(text)) / len(set(grams_of(text).tolist())) < 0.31
