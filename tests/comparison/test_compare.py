"""A full comparison: cancelling, progress, executors, and texts of extreme size."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from simcompare.comparison import comparison_matrix
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.explanation import align
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.errors import RecipeMismatchError, TooManySentencesError
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import (
    DEFAULT_SETTINGS,
    compare_texts,
    document_of,
    make_document,
    own_text,
    prepared_text_document,
)


@pytest.fixture(scope="module")
def prepared_documents():
    text = own_text(30_000)
    return [prepare_document(document_of(part), "improved") for part in (text[:20_000], text[10_000:])]


def test_that_an_exception_from_tick_ends_the_comparison(prepared_documents):
    calls = []

    def tick(done, total):
        calls.append(done)
        if len(calls) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        compare(*prepared_documents, DEFAULT_SETTINGS, None, tick=tick)
    assert len(calls) == 2


def test_that_tick_counts_up_to_all_rows(prepared_documents):
    calls = []
    comparison = compare(*prepared_documents, DEFAULT_SETTINGS, None, tick=lambda *call: calls.append(call))
    rows = comparison.left.prepared.sentence_count
    assert [total for _, total in calls] == [rows] * len(calls)
    done = [done for done, _ in calls]
    assert done == sorted(set(done))
    assert done[-1] == rows


def test_that_several_threads_find_the_same_as_one(prepared_documents):
    thesaurus = load_thesaurus("starter")
    alone = compare(*prepared_documents, DEFAULT_SETTINGS, thesaurus)
    with ThreadPoolExecutor(2) as pool:
        together = compare(*prepared_documents, DEFAULT_SETTINGS, thesaurus, map_blocks=pool.map)
    assert together.share == alone.share
    assert np.array_equal(together.matrix.heat, alone.matrix.heat)
    for name in ("rows", "columns", "lcs", "p", "w"):
        assert np.array_equal(getattr(together.matches.cells, name), getattr(alone.matches.cells, name))


def test_that_a_shared_passage_is_found_completely(prepared_documents):
    left, right = prepared_documents
    comparison = compare(left, right, DEFAULT_SETTINGS, None)
    assert 0.4 < comparison.share.left_in_right.raw < 0.7


def test_that_a_text_of_one_word_can_be_compared():
    comparison = compare_texts("好", "好")
    assert comparison.matrix.shape == (1, 1)
    assert comparison.share.left_in_right.raw == 1
    assert compare_texts("好", "坏").share.left_in_right.raw == 0


def characters(count, seed):
    return "".join(chr(code) for code in np.random.default_rng(seed).integers(0x4E00, 0x9000, count))


def test_that_a_sentence_of_67000_characters_without_punctuation_works():
    """All of its counts are longer than 16 bits can count; the time grows with the square of the length."""
    text = characters(67_000, 1)
    comparison = compare_texts(text, text[:66_000] + characters(1000, 2), thesaurus=load_thesaurus("starter"))
    match = comparison.matches[0]
    assert comparison.matrix.shape == (1, 1)
    assert 66_000 <= match.lcs < 66_500
    assert match.p == match.lcs / 67_000


def test_that_a_long_sentence_is_aligned():
    text = characters(5000, 1)
    comparison = compare_texts(text, text[:2000] + characters(500, 2) + text[2500:])
    match = comparison.matches[0]
    assert sum(len(left) for left, _ in align(comparison, match, None).common) == match.lcs >= 4500


def test_that_a_thousand_equal_rows_of_a_table_are_compared_at_once():
    """All cells match; computing w for each of them separately would take a minute."""
    left = prepared_text_document(*["我喜欢在河边看书。"] * 1000)
    right = prepared_text_document(*["我喜爱在河边瞧书。"] * 1000)
    comparison = compare(left, right, DEFAULT_SETTINGS, load_thesaurus("starter"))
    assert len(comparison.matches) == 1_000_000
    assert comparison.sentence_share.left_in_right.raw == 1


def test_that_a_word_repeated_thousands_of_times_is_compared():
    left, right = " ".join(["big"] * 3000 + ["river"] * 3000), " ".join(["large"] * 2900 + ["river"] * 3000)
    settings = ComparisonSettings(similar_weight=0.4, right_weight=0.9)
    comparison = compare_texts(left, right, settings, load_thesaurus("starter"))
    assert comparison.matches[0].w == 5900 / 6000


def test_that_texts_of_different_recipes_have_no_distance():
    left = prepare_document(make_document("天地人和。"), "improved")
    right = prepare_document(make_document("天地人和。"), "traditional")
    comparison = compare(left, right, DEFAULT_SETTINGS, None)
    assert comparison.share.left_in_right.raw == 1
    with pytest.raises(RecipeMismatchError, match="improved"):
        _ = comparison.hamming_distance_bits


def test_that_texts_with_too_many_pairs_of_sentences_are_refused_before_they_are_scored(monkeypatch):
    monkeypatch.setattr(comparison_matrix, "_MOST_CELLS", 11)
    compare_texts(["一年有四季。"] * 3, ["河水清清的。"] * 3)
    with pytest.raises(TooManySentencesError, match="Compare parts of them"):
        compare_texts(["一年有四季。"] * 3, ["河水清清的。"] * 4)
