"""Edges of a passage: matched words, and the position with the largest gain."""

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.passages.passage_detection import (
    MatrixRectangle,
    _best_start,
    _Ranks,
    merged_rectangles,
    trimmed_spans,
)
from simcompare.model.settings import ComparisonSettings, PassageSettings
from tests.helpers.documents import compare_texts
from tests.helpers.passages import GARDEN, LIGHTHOUSE, TRAFFIC, english, passages_between, terms_of

words = st.lists(st.integers(0, 5), max_size=14)


def plain_match_words(own, partners, core):
    """Pair each word with an equal partner, words in the core or closest to it first."""

    def distance(place):
        return max(core[0] - place, place - core[1] + 1, 0)

    left = Counter(partners)
    matched = [False] * len(own)
    for place in sorted(range(len(own)), key=lambda place: (distance(place), place)):
        if left[own[place]]:
            left[own[place]] -= 1
            matched[place] = True
    return matched


@given(words, words, st.data())
def test_that_words_pair_off_as_in_the_plain_reference(own, partners, data):
    start = data.draw(st.integers(0, len(own)))
    core = start, data.draw(st.integers(start, len(own)))
    own_terms, partner_terms = (np.array(side, dtype=np.uint64) for side in (own, partners))
    matched = _Ranks.of(own_terms, core).matched(partner_terms)
    assert matched.tolist() == plain_match_words(own, partners, core)


def test_that_words_in_the_core_are_paired_first():
    own = np.array([7, 1, 7, 2, 7], dtype=np.uint64)
    partners = np.array([7, 7], dtype=np.uint64)
    assert _Ranks.of(own, (3, 5)).matched(partners).tolist() == [False, False, True, False, True]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=14), st.data())
def test_that_the_best_start_gains_most(values, data):
    latest = data.draw(st.integers(0, len(values)))
    sums = [sum(values[start:latest]) for start in range(latest + 1)]
    start = _best_start(np.array(values, dtype=np.float64), latest)
    assert sums[start] == max(sums)
    assert start == sums.index(max(sums)), "of several the first: a passage is rather too long"


def test_that_rectangles_are_merged_only_if_they_overlap_on_both_sides():
    first = MatrixRectangle(0, 3, 10, 12)
    assert merged_rectangles([first, MatrixRectangle(3, 5, 12, 20)]) == [MatrixRectangle(0, 5, 10, 20)]
    for other in (MatrixRectangle(4, 5, 10, 12), MatrixRectangle(0, 3, 13, 14)):
        assert merged_rectangles([first, other]) == [first, other]


def plain_merged(rectangles):
    """Merge any two rectangles with a cell in common, until there are none."""
    merged = list(rectangles)
    for one, other in combinations(merged, 2):
        rows = range(max(one.top, other.top), min(one.bottom, other.bottom) + 1)
        columns = range(max(one.first, other.first), min(one.last, other.last) + 1)
        if rows and columns:
            merged.remove(one)
            merged.remove(other)
            return plain_merged([*merged, one.union(other)])
    return merged


side = st.tuples(st.integers(0, 12), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(st.tuples(side, side).map(lambda sides: MatrixRectangle(*sides[0], *sides[1])), max_size=8))
def test_that_rectangles_are_merged_as_in_the_plain_reference(rectangles):
    assert sorted(merged_rectangles(rectangles)) == sorted(plain_merged(rectangles))


def test_that_edges_move_out_to_copied_words_and_in_from_new_ones():
    copied = english(LIGHTHOUSE)
    left = english(GARDEN[:2], LIGHTHOUSE, GARDEN[2:])
    right = english(TRAFFIC[:2], LIGHTHOUSE, TRAFFIC[2:])
    terms = terms_of(left), terms_of(right)
    for rectangle in (MatrixRectangle(2, 5, 2, 5), MatrixRectangle(3, 4, 3, 4), MatrixRectangle(2, 4, 3, 5)):
        spans = trimmed_spans(*terms, rectangle, PassageSettings(), 25)
        assert spans is not None
        assert (spans[0].of(left), spans[1].of(right)) == (copied, copied)


def test_that_an_own_sentence_before_a_weak_one_at_the_edge_is_not_in_the_passage():
    """A passage grew over the last sentence, which is cut off again; so is that between them."""
    copied = english(LIGHTHOUSE)
    left, right = english(LIGHTHOUSE, GARDEN[:2]), english(LIGHTHOUSE, TRAFFIC[:1])
    spans = trimmed_spans(terms_of(left), terms_of(right), MatrixRectangle(0, 5, 0, 4), PassageSettings(), 25)
    assert spans is not None
    assert (spans[0].of(left), spans[1].of(right)) == (copied, copied)


def test_that_too_few_words_give_no_spans():
    terms = terms_of(english(GARDEN, LIGHTHOUSE[:1])), terms_of(english(LIGHTHOUSE[:1], TRAFFIC))
    assert trimmed_spans(*terms, MatrixRectangle(5, 5, 0, 0), PassageSettings(), 25) is None


def test_that_each_edge_is_moved_again_after_that_of_the_other_text():
    """After one round only, the right side would include "Ma fe deti lugido famu sa"."""
    left = (
        "Cegode coma ri muca coma sibo ru seta peso bidu. Dalone ce li dapodi dodare nolede ruto suto pa"
        " todede tagube nete. Sadi fe deti lugido modufu sa besa bo pofufa ce famu."
    )
    right = (
        "Be coma pisasu muca coma sibo ru seta peso bidu. Sa ce li dapodi dodare nolede bobe dapodi pa todede"
        " tagube nete. Ma fe deti lugido famu sa poma me."
    )
    assert compare_texts([left], [right], ComparisonSettings()).passages.spans.tolist() == [[0, 145, 0, 113]]


CHINESE_PASSAGE = "石桥下面的河水在夏天总是很浅，我们常常卷起裤腿去摸田螺，捉到的小鱼都放回水里。"


def test_that_the_fewest_words_are_those_of_english_unless_both_texts_are_chinese():
    edited = CHINESE_PASSAGE.replace("夏天总是", "夏天").replace("常常卷起", "卷起").replace("小鱼都", "小鱼")
    chinese = [f"{CHINESE_PASSAGE}爷爷坐在桥头编竹篮，一句话也不说。"]
    other = [f"{edited}学校组织我们参观了市里新建的科技馆。"]
    english_text = [edited + "The museum opened in spring and nobody came. " * 12]
    settings = ComparisonSettings()
    assert len(compare_texts(chinese, other, settings).detected_passages)
    assert not len(compare_texts(chinese, english_text, settings).detected_passages)


def test_that_a_passage_that_grew_to_an_equal_title_does_not_begin_or_end_with_own_sentences():
    """Only two sentences at an edge are looked at word by word, so the third was left at its beginning."""
    line, copied = "Should lighthouses on our coast be closed down?", english(LIGHTHOUSE)
    for own, other in ((GARDEN[:1], TRAFFIC[:2]), (GARDEN[:2], TRAFFIC[:1])):
        before = english([line], own, LIGHTHOUSE), english([line], other, LIGHTHOUSE)
        behind = english(LIGHTHOUSE, own, [line]), english(LIGHTHOUSE, other, [line])
        for left, right in (before, behind):
            [(start, end, first, last)] = passages_between(left, right).spans.tolist()
            assert (left[start:end], right[first:last]) == (copied, copied)


def test_that_a_line_does_not_extend_a_passage_over_more_words_of_the_writers_own():
    """An equal title and the writer's name above: the first sentence of one text is nowhere in the other."""
    line, copied = "Should lighthouses on our coast be closed down?", english(LIGHTHOUSE)
    left = english([line, "Emma Clarke."], GARDEN[:1], LIGHTHOUSE)
    right = english([line, "Li Wei."], LIGHTHOUSE)
    for one, other in ((left, right), (right, left)):
        spans = passages_between(one, other).spans.tolist()
        assert (copied, copied) in [(one[a:b], other[c:d]) for a, b, c, d in spans]
    behind = english(LIGHTHOUSE, GARDEN[:1], ["Emma Clarke.", line]), english(LIGHTHOUSE, ["Li Wei.", line])
    assert [behind[0][a:b] for a, b, _c, _d in passages_between(*behind).spans.tolist()] == [copied]
