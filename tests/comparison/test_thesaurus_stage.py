"""Formula 9: common words, and further words paired one to one as synonyms."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.comparison_matrix import NumberedText, TextNumbering, WordStage, pair_off
from simcompare.text.prepared_text import prepare
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import document_of, make_document, own_text, thesaurus_of
from tests.helpers.references import most_pairs, w_of

GROUPS = ["big large", "large huge", "small little", "see look watch", "watch clock", "a1 b1 c1"]
THESAURUS = thesaurus_of(*GROUPS)
WORDS = st.lists(
    st.sampled_from(sorted({"river", "tree", *" ".join(GROUPS).split()})),
    min_size=1,
    max_size=6,
).map(" ".join)


def weigh(left, right, thesaurus=THESAURUS):
    """Return w of every pair of sentences."""
    first, second = prepare(make_document(*left)), prepare(make_document(*right))
    pairs = np.indices((first.sentence_count, second.sentence_count)).reshape(2, -1).astype(np.int32)
    return (
        word_stage(first, second, thesaurus)
        .weigh(*pairs)
        .reshape(first.sentence_count, second.sentence_count)
    )


def word_stage(first, second, thesaurus):
    numbering = TextNumbering(thesaurus)
    return WordStage(NumberedText(first, numbering), NumberedText(second, numbering))


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=4))
def test_that_w_equals_formula_9_for_random_sentences(left, right):
    for thesaurus in (THESAURUS, None):
        expected = [[float(w_of(a.split(), b.split(), thesaurus)) for b in right] for a in left]
        assert weigh(left, right, thesaurus).tolist() == expected


def test_that_w_equals_formula_9_for_real_sentences():
    text = own_text(1_800)
    first, second = prepare(document_of(text[:1200])), prepare(document_of(text[600:1800]))
    rows, columns = np.indices((first.sentence_count, second.sentence_count)).reshape(2, -1).astype(np.int32)
    weights = word_stage(first, second, None).weigh(rows, columns)
    for n, m, w in zip(rows, columns, weights, strict=True):
        assert w == float(w_of(first.words_of(n), second.words_of(m), None))


@pytest.mark.parametrize(
    ("left", "right", "w"),
    [
        pytest.param("big river", "large river", Fraction(1), id="a synonym"),
        pytest.param("big river", "river large", Fraction(1), id="in another order"),
        pytest.param("big big", "large river", Fraction(1, 2), id="one partner for two"),
        pytest.param("big tree", "large huge", Fraction(1, 2), id="two partners for one"),
        pytest.param("big huge", "large large", Fraction(1), id="two and two"),
        pytest.param("river river tree", "river tree tree", Fraction(2, 3), id="a multiset in common"),
        pytest.param("big", "large river tree small", Fraction(1, 4), id="the longer one counts"),
        pytest.param("big large", "big large", Fraction(1), id="equal words come first"),
        pytest.param("see clock", "watch watch", Fraction(1), id="a word of two senses"),
        pytest.param("big", "small", Fraction(0), id="nothing"),
    ],
)
def test_that_each_word_pairs_once(left, right, w):
    assert weigh([left], [right])[0, 0] == float(w)


def test_that_a_chain_of_partners_is_rearranged_for_the_most_pairs():
    """A greedy choice for the first word would leave the second one without a partner."""
    either, first = frozenset({1, 2}), frozenset({1})
    assert pair_off([either, first], [first, frozenset({2})]) == [(0, 1), (1, 0)]


@given(*[st.lists(st.frozensets(st.integers(0, 5), max_size=3), max_size=5)] * 2)
def test_that_the_matching_is_maximum(left, right):
    pairs = pair_off(left, right)
    assert len(pairs) == most_pairs(left, right)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(left[i] & right[j] for i, j in pairs)
    assert pairs == sorted(pairs)


def test_that_thousands_of_words_of_one_group_pair_off():
    group = frozenset({1})
    assert len(pair_off([group] * 3000, [group] * 2900)) == 2900


def test_that_chinese_synonyms_of_the_starter_thesaurus_count():
    assert weigh(["我喜欢看书"], ["我喜爱看书"], load_thesaurus("starter"))[0, 0] == 1
    assert weigh(["我喜欢看书"], ["我喜爱看书"], None)[0, 0] < 1
