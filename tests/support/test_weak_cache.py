"""Cache of results, freed with the objects they were computed from."""

import gc

from simcompare.support.lazy import weak_cache


class Text:
    """Placeholder for a text."""

    def __init__(self, words):
        self.words = words


def counting(calls, most=8):
    @weak_cache(weak=2, most=most)
    def words_in_both(left, right, least):
        calls.append(least)
        return sorted(word for word in left.words & right.words if len(word) >= least)

    return words_in_both


def test_that_a_result_is_computed_once_for_the_same_objects_and_values():
    calls = []
    words_in_both = counting(calls)
    left, right = Text({"a", "bcd"}), Text({"a", "bcd", "e"})
    assert words_in_both(left, right, 1) == words_in_both(left, right, 1) == ["a", "bcd"]
    assert words_in_both(left, right, 2) == ["bcd"]
    assert words_in_both(right, left, 2) == ["bcd"]
    assert calls == [1, 2, 2]


def test_that_a_result_is_freed_with_either_of_its_objects():
    words_in_both = counting([])
    left, right, other = Text({"a"}), Text({"a"}), Text({"b"})
    for one, two in ((left, right), (left, other), (other, right)):
        words_in_both(one, two, 1)
    assert len(words_in_both) == 3
    del right, two
    gc.collect()
    assert len(words_in_both) == 1
    del left, other, one
    gc.collect()
    assert len(words_in_both) == 0


def test_that_only_the_latest_results_are_kept():
    calls = []
    words_in_both = counting(calls, most=2)
    left, right = Text({"a"}), Text({"a"})
    for least in (1, 2, 1, 3, 1, 2):
        words_in_both(left, right, least)
    assert calls == [1, 2, 3, 2]
