"""Rarity of a pair in its class, in words."""

import numpy as np

from simcompare.cohort.pair_scores import ClassShares, PairRarity
from simcompare.report.cohort.cohort_rows import false_alarms_in_words, limit_in_words, rarity_in_words


def class_of_40(*shares: float) -> ClassShares:
    return ClassShares(np.append(np.zeros(780 - len(shares)), shares))


def test_that_rarity_is_one_sentence() -> None:
    far = "no unrelated pair of such a class is expected to reach this"
    assert rarity_in_words(class_of_40(0.14).rarity(0.14)) == far
    some, many = (PairRarity(2.34, pairs, is_unusual=False) for pairs in (0.5, 14.4))
    assert rarity_in_words(some) == (
        "2.3 times the class's usual share; in about 39 of 100 such classes, an unrelated pair reaches this"
    )
    assert rarity_in_words(many) == (
        "2.3 times the class's usual share; in such a class, about 14 unrelated pairs reach this"
    )
    assert rarity_in_words(class_of_40().rarity(0.01)) == ""
    assert rarity_in_words(PairRarity(1.2, 14.4, is_unusual=False)) == "usual for this class"


def test_that_a_clean_class_is_said_to_have_nothing_unusual() -> None:
    assert limit_in_words(0.12, 0) == "No pair is unusual: none reaches 12%."
    assert limit_in_words(0.12, 1) == "1 pair is unusual: it shares 12% or more."
    assert limit_in_words(0.12, 2) == "2 pairs are unusual: they share 12% or more."
    with_earlier = "3 pairs are unusual, 2 of them with earlier work: they share 12% or more."
    assert limit_in_words(0.12, 3, 2) == with_earlier


def test_that_the_rate_of_false_alarms_is_said() -> None:
    alarms = "About 3 in 100 classes with no copying would still have a pair above the limit."
    shares = class_of_40()
    assert false_alarms_in_words(shares) == alarms
    assert false_alarms_in_words(shares, 0.05) == alarms.replace("About 3", "About 10")
    fewer = "Fewer than 1 in 100 classes with no copying would have a pair above the limit."
    assert false_alarms_in_words(shares, 0.6) == fewer
