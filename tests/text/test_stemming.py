"""Stemming: forms of an English word get one stem, other words are unchanged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.text.words import stem


@pytest.mark.parametrize(
    "forms",
    [
        "walk walks walked walking walker walkers",
        "relate relates related relating",
        "studies studied",
        "quick quickly",
        "surprising surprisingly",
        "box boxes",
    ],
)
def test_that_the_forms_of_a_word_have_one_stem(forms):
    stems = {stem(form) for form in forms.split()}
    assert len(stems) == 1


@pytest.mark.parametrize("word", ["sing", "bed", "red", "is", "bee", "able", "the", "was"])
def test_that_a_stem_is_long_enough_to_be_a_word(word):
    assert len(stem(word)) >= min(3, len(word))


@pytest.mark.parametrize("word", ["石桥", "2019s", "3d", "naïves", "x1es", ""])
def test_that_other_words_stay_as_they_are(word):
    assert stem(word) == word


@given(st.text(st.sampled_from("abdegilnorsty"), max_size=12))
def test_that_a_stem_is_the_beginning_of_its_word(word):
    assert word.startswith(stem(word))
    assert len(stem(word)) >= min(len(word), 3)
