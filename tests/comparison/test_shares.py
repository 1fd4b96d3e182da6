"""The share of a text that is in matched sentences or passages."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import Cells, ExcludedSentences, PairShares, Share
from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.comparison.prepared_document import prepare_document
from simcompare.comparison.shares import CountedText, covered_units, pair_shares
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, ComparisonSettings
from tests.comparison.excluding import left_out
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.documents import (
    DATA,
    DEFAULT_SETTINGS,
    compare_texts,
    document_of,
    own_texts,
    prepared_text_document,
    scores_of,
)
from tests.helpers.passages import LIBRARY, LIGHTHOUSE, METRO, chinese, english

QUOTE = "“盾构机像一条看不见的蚯蚓，在城市的脚下慢慢地爬。”"
QUOTING = replace(DEFAULT_SETTINGS, exclude_quotations=True)
WITH_QUOTE = chinese(METRO[:2], [QUOTE], METRO[2:])


def units_of(*sentences):
    return prepared_text_document("".join(sentences)).prepared.unit_count


def with_words_replaced(text, is_replaced):
    """Replace words of a text, chosen by their index, by words that no text has."""
    prepared_document = prepared_text_document(*text.splitlines())
    prepared, text = prepared_document.prepared, prepared_document.document.text
    parts, end = [], 0
    for word in range(len(prepared.word_ids)):
        first, stop = prepared.word_units[word : word + 2]
        start, after = int(prepared.unit_spans[first, 0]), int(prepared.unit_spans[stop - 1, 1])
        new = "".join(chr(0x4E00 + ord(c) * 7 % 20_000) if ord(c) >= 0x4E00 else c for c in text[start:after])
        parts += [text[end:start], new[::-1] + ("" if new[0] >= "\u4e00" else "o")]
        if not is_replaced(word):
            parts[-1] = text[start:after]
        end = after
    return "".join(parts) + text[end:]


@pytest.mark.parametrize("text", own_texts("en")[1:3])
def test_that_an_essay_with_every_second_word_replaced_is_taken_over_whole(text):
    other = with_words_replaced(text, lambda word: word % 2)
    comparison = compare_texts(text.splitlines(), other.splitlines())
    assert comparison.share.left_in_right.raw > 0.95
    assert comparison.share.right_in_left.raw > 0.95
    assert comparison.sentence_share.left_in_right.raw < 0.1


@pytest.mark.parametrize("text", own_texts()[:4])
def test_that_an_essay_with_a_third_of_its_words_replaced_is_taken_over_whole(text):
    draw = random.Random(2)
    other = with_words_replaced(text, lambda _word: draw.random() < 1 / 3)
    comparison = compare_texts(text.splitlines(), other.splitlines())
    assert comparison.share.left_in_right.raw > 0.95
    assert comparison.share.right_in_left.raw > 0.95
    assert comparison.sentence_share.left_in_right.raw < comparison.share.left_in_right.raw


@pytest.mark.parametrize("text", [own_texts()[0], own_texts("en")[0]])
def test_that_an_essay_whose_sentences_are_shuffled_has_full_shares(text):
    left = prepared_text_document(*text.splitlines())
    sentences = [left.prepared.sentence_span(i).of(text) for i in range(left.prepared.sentence_count)]
    random.Random(1).shuffle(sentences)
    comparison = compare(left, prepared_text_document(" ".join(sentences)), DEFAULT_SETTINGS, None)
    assert comparison.share == PairShares(Share(1.0, 1.0), Share(1.0, 1.0))


def test_that_an_excluded_sentence_inside_a_passage_leaves_both_sides_of_the_fraction():
    without_quote = replace(DEFAULT_SETTINGS, left_out=left_out(QUOTE))
    comparison = compare_texts(chinese([WITH_QUOTE], LIBRARY), WITH_QUOTE, without_quote)
    assert len(comparison.passages) == 1
    copied, own, quoted = units_of(*METRO), units_of(*LIBRARY), units_of(QUOTE)
    share = Share((copied + quoted) / (copied + quoted + own), copied / (copied + own))
    assert comparison.share == PairShares(share, Share(1.0, 1.0))


def test_that_the_passages_that_count_need_not_be_among_those_detected():
    text = prepare_document(document_of("河水清清。石桥很老。渔船慢慢。"), "improved").prepared
    nothing = ExcludedSentences(np.zeros(3, np.int8), text.sentence_lengths)
    sides = CountedText(text, nothing), CountedText(text, nothing)
    whole, last = (Passages.of([Passage(Span(start, 15), Span(start, 15))]) for start in (0, 10))
    cells = Cells(*[np.zeros(0, np.int32)] * 3, np.zeros(0), np.zeros(0))
    share = Share(1.0, 1 / 3)
    assert pair_shares(cells, cells, whole, last, *sides) == PairShares(share, share)


UNITS = "河水清清。石桥很老，渔船慢慢地走。雨。小路弯弯曲曲地穿过树林。"


@given(
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, len(UNITS)), st.integers(0, 9)), max_size=5),
)
def test_that_units_are_counted_as_in_the_plain_reference(is_matched, is_excluded, passages):
    text = prepare_document(document_of(UNITS), "improved").prepared
    excluded = ExcludedSentences(np.array(is_excluded, np.int8), text.sentence_lengths)
    spans = np.array([(start, start + length) for start, length in passages], np.int32).reshape(-1, 2)
    sentences = np.repeat(np.arange(4), text.sentence_lengths)
    starts = text.unit_spans[:, 0]
    in_span = [(start <= starts) & (starts < end) for start, end in spans.tolist()]
    covered = np.array(is_matched)[sentences] | np.any([*in_span, np.zeros(len(starts), np.bool_)], axis=0)
    found = covered_units(text, np.array(is_matched), spans)
    assert found.tolist() == np.bincount(sentences, covered, minlength=4).astype(int).tolist()
    counts = ~np.array(is_excluded)[sentences]
    counted = CountedText(text, excluded).counting_units_in(spans)
    assert counted.tolist() == [int((mask & counts).sum()) for mask in in_span]


def test_that_a_quotation_in_common_counts_in_the_raw_share():
    comparison = compare_texts(chinese([QUOTE], LIBRARY), chinese([QUOTE], METRO), QUOTING)
    quoted, left, right = units_of(QUOTE), units_of(*LIBRARY), units_of(*METRO)
    assert comparison.share == PairShares(
        Share(quoted / (quoted + left), 0.0), Share(quoted / (quoted + right), 0.0)
    )


def test_that_a_summary_is_shown_and_counts_on_neither_side():
    comparison = compare_texts(english(LIGHTHOUSE, SUMMARY), SCATTERED)
    [passage] = comparison.passages
    assert passage.summary == "left"
    assert comparison.share.left_in_right.raw == 0
    mirrored = compare_texts(SCATTERED, english(LIGHTHOUSE, SUMMARY))
    assert mirrored.passages[0].summary == "right"
    assert mirrored.share == comparison.share.mirrored


def test_that_the_preset_of_the_paper_counts_matched_sentences_only():
    text = own_texts("en")[1]
    other = with_words_replaced(text, lambda word: word % 2)
    for name, settings in PRESETS.items():
        comparison = compare_texts(text.splitlines(), other.splitlines(), settings)
        is_equal = comparison.share == comparison.sentence_share
        assert is_equal == (name == "paper")


@pytest.mark.parametrize("preset", PRESETS)
def test_that_the_longest_passage_leaves_out_what_is_excluded(preset):
    settings = replace(PRESETS[preset], left_out=left_out(QUOTE))
    left, right = (prepare_document(document_of(text), "improved") for text in (WITH_QUOTE, WITH_QUOTE))
    scores = scores_of(left, right, settings)
    classifier = PairClassifier(settings, ExclusionCandidateCache(None, "none"))
    assert classifier.classify(left, right, scores).longest_passage_units == units_of(*METRO)


def test_that_nothing_in_common_is_a_share_of_0():
    settings = ComparisonSettings(minimum_units=3)
    assert compare_texts("好。", chinese(METRO), settings).share == PairShares(
        Share(0.0, None), Share(0.0, 0.0)
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_independent_letters_on_one_question_have_small_shares(language):
    letters = (DATA / "letters" / f"{language}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    prepared = [prepared_text_document(*letter.split("\n")) for letter in letters]
    shares = []
    for left, right in combinations(prepared, 2):
        share = compare(left, right, ComparisonSettings(), None).share
        shares.append(max(share.left_in_right.after_exclusions, share.right_in_left.after_exclusions))
    assert np.mean(shares) < 0.15
    assert max(shares) < 0.5


def test_that_a_single_sentence_counts_from_eight_characters_in_common():
    left, right = chinese(LIBRARY), chinese(METRO)
    for sentence, counts in (("他每天都很早起床。", True), ("他每天早起床。", False)):
        comparison = compare_texts([left, sentence], [right, sentence], ComparisonSettings())
        assert len(comparison.matches) == 1
        assert (comparison.share.left_in_right.after_exclusions > 0) == counts
        assert comparison.sentence_share.left_in_right.after_exclusions > 0
