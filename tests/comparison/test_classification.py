"""Classification of the matrix by thresholds: matches, their kinds, and the share of matched sentences."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_matrix import make_matches
from simcompare.comparison.comparison_result import Cells, MatchKind, PairShares, Share
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import (
    compare_texts,
    document_of,
    excluding_nothing,
    own_text,
    own_texts,
    prepared_text_document,
    thesaurus_of,
)
from tests.helpers.references import p_of, w_of

WHOLE = PairShares(Share(1.0, 1.0), Share(1.0, 1.0))
PAPER = excluding_nothing(PRESETS["paper"])
ESSAY = ["春天来了，柳树发芽了。孩子们在河边放风筝！", "谁也不着急回家。It was late; we went home."]


def matches_of(comparison):
    return [comparison.matches[i] for i in range(len(comparison.matches))]


def kinds_of(comparison):
    return {(match.left, match.right): match.kind for match in matches_of(comparison)}


def in_common(same, longer):
    """Make two sentences of `longer` characters with `same` of them in common, and no words."""
    left = "".join(chr(0x3400 + 2 * i) for i in range(longer))
    right = left[:same] + "".join(chr(0x3401 + 2 * i) for i in range(longer - same))
    return left, right


@pytest.mark.parametrize("preset", PRESETS)
def test_that_a_text_is_wholly_similar_to_itself(preset):
    comparison = compare_texts(ESSAY, ESSAY, excluding_nothing(PRESETS[preset]))
    assert comparison.share == comparison.sentence_share == WHOLE
    assert comparison.hamming_distance_bits == 0
    for i in range(comparison.left.prepared.sentence_count):
        match = comparison.matches[int(comparison.matches.best_of_left[i])]
        assert (match.left, match.right, match.kind, match.p) == (i, i, MatchKind.EXACT, 1)


def test_that_every_article_is_wholly_similar_to_itself():
    for text in own_texts() + own_texts("en"):
        prepared_document = prepared_text_document(*text.splitlines())
        comparison = compare(prepared_document, prepared_document, PAPER, None)
        assert comparison.share == comparison.sentence_share == WHOLE
        assert comparison.hamming_distance_bits == 0


@pytest.mark.parametrize(("same", "longer"), [(4, 5), (8, 10), (12, 15), (40, 50)])
def test_that_four_fifths_exactly_reach_a_right_weight_of_08(same, longer):
    assert [match.kind for match in matches_of(compare_texts(*in_common(same, longer), PAPER))] == [
        MatchKind.EDITED
    ]


@pytest.mark.parametrize(("same", "longer"), [(39, 49), (203, 254), (799, 1000), (254, 318)])
def test_that_a_ratio_just_below_is_never_rounded_up_to_the_threshold(same, longer):
    """Scaled to 255, 203/254 and 254/318 round to the byte of 0.8 too."""
    assert Fraction(same, longer) < Fraction(4, 5)
    assert matches_of(compare_texts(*in_common(same, longer), PAPER)) == []


def test_that_3_of_5_units_reach_a_similar_weight_of_06_and_the_words_decide():
    """Reordered words: P = 3/5 and all words are equal."""
    comparison = compare_texts("a b c d e", "d e a b c", PAPER)
    [match] = matches_of(comparison)
    assert (match.lcs, match.p, match.w, match.kind) == (3, 0.6, 1.0, MatchKind.SYNONYM)


def test_that_words_do_not_count_below_the_similar_weight():
    """P = 4/7 is below 0.6 although all words are equal."""
    assert matches_of(compare_texts("a b c d e f g", "e f g a b c d", PAPER)) == []
    assert len(compare_texts("a b c d e f g", "e f g a b c d").matches) == 1


@pytest.mark.parametrize(("left", "right", "kind"), [
    ("我喜欢在河边看书。", "我喜欢在河边看书！", MatchKind.EXACT),
    ("我喜欢在河边看书。", "我很喜欢在河边看书。", MatchKind.EDITED),
    ("big river here now", "large river here now", MatchKind.EDITED),
    ("see big river now", "look large river now", MatchKind.SYNONYM),
    ("see big river now", "see tree flower stone", None),
])  # fmt: skip
def test_that_a_match_is_exact_edited_or_by_synonyms(left, right, kind):
    comparison = compare_texts(left, right, thesaurus=thesaurus_of("big large", "see look"))
    assert kinds_of(comparison) == ({} if kind is None else {(0, 0): kind})


def test_that_without_a_thesaurus_synonyms_do_not_match():
    assert len(compare_texts("see big river now", "look large river now").matches) == 0


def test_that_without_the_word_stage_the_words_decide_nothing():
    reordered = compare_texts("a b c d e", "d e a b c", PAPER)
    assert len(reordered.matches) == 1
    alone = reclassify(reordered, replace(PAPER, word_stage=False))
    assert len(alone.matches) == 0
    assert len(reclassify(alone, PAPER).matches) == 1


def test_that_w_is_set_only_if_it_decided():
    comparison = compare_texts(["天地人和。", "a b c d"], ["天地人和！", "c d a b"])
    assert [(match.kind, match.w) for match in matches_of(comparison)] == [
        (MatchKind.EXACT, None),
        (MatchKind.SYNONYM, 1.0),
    ]


def test_that_formula_4_counts_the_units_of_similar_sentences_both_ways():
    """Left: 4 + 6 + 2 units, of which 4 are similar; right: 4 + 1 units, of which 4."""
    comparison = compare_texts("天地人和。一二三四五六。Good day.", "天地人和。Hello!")
    assert comparison.left.prepared.sentence_lengths.tolist() == [4, 6, 2]
    assert comparison.sentence_share.left_in_right.raw == 4 / 12
    assert comparison.sentence_share.right_in_left.raw == 4 / 5


def test_that_a_sentence_copied_twice_counts_twice_on_its_side_only():
    comparison = compare_texts("天地人和。天地人和。一二三四。", "天地人和。")
    assert comparison.sentence_share.left_in_right.raw == 8 / 12
    assert comparison.sentence_share.right_in_left.raw == 1
    assert kinds_of(comparison) == {(0, 0): MatchKind.EXACT, (1, 0): MatchKind.EXACT}


def test_that_unrelated_texts_share_nothing():
    comparison = compare_texts("天地人和。", "Good day.")
    assert comparison.share == comparison.sentence_share == PairShares(Share(0.0, 0.0), Share(0.0, 0.0))
    assert comparison.matches.best_of_left.tolist() == comparison.matches.best_of_right.tolist() == [-1]


def test_that_the_best_match_of_a_sentence_is_the_strongest_and_then_the_first():
    left = "天地人和一二三四。"
    comparison = compare_texts(left, "天地人和一二三五。天地人和一二三四。天地人和一二三四！")
    matches = comparison.matches
    assert [matches[i].right for i in matches.of_left(0)] == [0, 1, 2]
    assert matches[int(matches.best_of_left[0])].right == 1
    assert [int(i) for i in matches.best_of_right] == [0, 1, 2]
    assert [matches.of_right(m) for m in range(3)] == [[0], [1], [2]]
    assert matches.index_of(0, 2) == 2
    assert matches.index_of(1, 0) is None


SETTINGS = st.tuples(st.integers(30, 99), st.integers(31, 100)).filter(lambda pair: pair[0] < pair[1])


@pytest.fixture(scope="module")
def similar_texts():
    """Comparison of similar texts by the default settings, and (p, w) of all pairs of their sentences."""
    left = "a b c d e. 我喜欢在河边看书，也喜欢写字。天地人和一二三四五。"
    right = "d e a b c. 我喜爱在河边瞧书，也喜欢写作。天地人和一二三六七。我喜欢写字。"
    thesaurus = load_thesaurus("starter")
    comparison = compare_texts(left, right, thesaurus=thesaurus)
    texts = comparison.left.prepared, comparison.right.prepared
    pairs = product(*(range(text.sentence_count) for text in texts))
    figures = {
        (n, m): (
            p_of(texts[0].units_of(n), texts[1].units_of(m)),
            w_of(texts[0].words_of(n), texts[1].words_of(m), thesaurus),
        )
        for n, m in pairs
    }
    return comparison, figures


@hypothesis_settings(deadline=None)
@given(SETTINGS)
def test_that_reclassifying_equals_a_new_comparison(similar_texts, weights):
    settings = ComparisonSettings(similar_weight=weights[0] / 100, right_weight=weights[1] / 100)
    first, figures = similar_texts
    reclassified = reclassify(first, settings)
    compared = compare(first.left, first.right, settings, load_thesaurus("starter"))
    assert matches_of(reclassified) == matches_of(compared)
    assert reclassified.share == compared.share
    assert reclassified.sentence_share == compared.sentence_share
    assert reclassified.settings == settings
    assert reclassified.matches.best_of_left.tolist() == compared.matches.best_of_left.tolist()
    similar, right_weight = (Fraction(weight, 100) for weight in weights)
    for cell, (p, w) in figures.items():
        similar_sentences = p >= similar and (p >= right_weight or w >= right_weight)
        assert (cell in kinds_of(reclassified)) == similar_sentences


@given(SETTINGS, SETTINGS)
def test_that_higher_thresholds_never_find_more(first, second):
    low = [min(a, b) for a, b in zip(first, second, strict=True)]
    high = [max(a, b) for a, b in zip(first, second, strict=True)]
    comparison = compare_texts("a b c d e. 我喜欢在河边看书。", "d e a b c. 我爱在河边看书。")
    found = [
        set(
            kinds_of(reclassify(comparison, ComparisonSettings(similar_weight=s / 100, right_weight=r / 100)))
        )
        for s, r in (low, high)
    ]
    assert found[0] >= found[1]


def test_that_swapping_the_texts_swaps_the_comparison():
    text = own_text(3_000)
    first, second = (
        prepared_text_document(*document_of(part).text.split("\n")) for part in (text[:2000], text[900:])
    )
    there, back = (compare(a, b, PAPER, None) for a, b in ((first, second), (second, first)))
    assert {(m.left, m.right): m.kind for m in matches_of(there)} == {
        (m.right, m.left): m.kind for m in matches_of(back)
    }
    assert there.share == back.share.mirrored
    assert there.sentence_share == back.sentence_share.mirrored
    assert there.share.left_in_right.raw > 0


@st.composite
def classified_cells(draw):
    """Cells of a 6 by 6 matrix in reading order, with few distinct scores so that many are equal."""
    places = sorted(draw(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))))
    scores = [draw(st.tuples(st.sampled_from([0.4, 0.5, 1.0]), st.sampled_from([0.0, 0.6]))) for _ in places]
    rows, columns = np.array(places, np.int32).reshape(-1, 2).T
    p, w = np.array(scores, np.float64).reshape(-1, 2).T
    return Cells(rows, columns, np.ones(len(places), np.int32), p, w)


@given(classified_cells())
def test_that_the_best_match_of_a_sentence_has_the_highest_p_then_w_and_is_the_first(cells):
    matches = make_matches(cells, (6, 6), PAPER)
    for sentences, best in ((cells.rows, matches.best_of_left), (cells.columns, matches.best_of_right)):
        for sentence in range(6):
            own = [i for i in range(len(cells)) if sentences[i] == sentence]
            assert best[sentence] == max(own, key=lambda i: (cells.p[i], cells.w[i], -i), default=-1)


@given(classified_cells(), st.integers(0, 6), st.integers(0, 6))
def test_that_a_match_is_found_by_its_sentences_and_its_place_in_reading_order(cells, left, right):
    matches = make_matches(cells, (7, 7), PAPER)
    places = list(zip(cells.rows.tolist(), cells.columns.tolist(), strict=True))
    assert matches.index_of(left, right) == (places.index((left, right)) if (left, right) in places else None)
    assert matches.count_before(left, right) == sum(place < (left, right) for place in places)
    assert matches.of_left(left) == [i for i, place in enumerate(places) if place[0] == left]
    assert matches.of_right(right) == [i for i, place in enumerate(places) if place[1] == right]


def test_that_reclassifying_keeps_unchanged_objects():
    comparison = compare_texts(ESSAY, ESSAY, PRESETS["balanced"])
    reclassified = reclassify(comparison, replace(PRESETS["balanced"], similar_weight=0.4))
    assert reclassified.excluded == comparison.excluded
    assert reclassified.passages is comparison.passages
    excluding = reclassify(reclassified, replace(reclassified.settings, minimum_units=9))
    assert excluding.excluded != reclassified.excluded
