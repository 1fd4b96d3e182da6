"""Explanations of matches: aligned spans are in the texts, and the numbers are those of the match."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.explanation import agreement_in_words, align, disguise_reasons, explain, rounded
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading.load import load_document
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.comparable import comparable_units
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import (
    DEFAULT_SETTINGS,
    compare_texts,
    document_of,
    excluding_nothing,
    own_text,
    thesaurus_of,
)

LOOSE = excluding_nothing(ComparisonSettings(similar_weight=0.30, right_weight=0.31))


def aligned(left, right, settings=LOOSE, thesaurus=None):
    """Compare two texts; return the comparison, its first match, the alignment and the reasons."""
    comparison = compare_texts(left, right, settings, thesaurus)
    match = comparison.matches[0]
    alignment = align(comparison, match, thesaurus)
    return comparison, match, alignment, explain(comparison, match, alignment)


def slices(comparison, pairs):
    left, right = comparison.left.document.text, comparison.right.document.text
    return [(a.of(left), b.of(right)) for a, b in pairs]


def assert_common_runs_fit(comparison, match, alignment):
    total = 0
    ends = (0, 0)
    for (a, b), (left, right) in zip(alignment.common, slices(comparison, alignment.common), strict=True):
        same = comparable_units(left).texts
        assert same == comparable_units(right).texts
        assert (a.start, b.start) >= ends
        assert comparison.left_span(match).start <= a.start < a.end <= comparison.left_span(match).end
        assert comparison.right_span(match).start <= b.start < b.end <= comparison.right_span(match).end
        ends = (a.end, b.end)
        total += len(same)
    assert total == match.lcs


@given(*[st.text(st.sampled_from("天地人和一二a，b "), min_size=1, max_size=15).filter(
    lambda text: any(c.isalnum() for c in text))] * 2)  # fmt: skip
def test_that_common_runs_are_equal_in_both_texts(left, right):
    comparison = compare_texts(left, right, LOOSE)
    for i in range(len(comparison.matches)):
        match = comparison.matches[i]
        assert_common_runs_fit(comparison, match, align(comparison, match, None))


def test_that_the_common_runs_of_real_articles_have_the_length_of_the_match():
    text = own_text(3_000)
    lines = document_of(text).text.split("\n")
    edited = document_of(text.replace("的", "").replace("在", "于")).text.split("\n")
    comparison = compare_texts(lines, edited)
    assert len(comparison.matches) > 20
    for i in range(len(comparison.matches)):
        match = comparison.matches[i]
        assert_common_runs_fit(comparison, match, align(comparison, match, None))


def test_that_a_common_run_covers_the_original_text_of_each_side():
    comparison, _, alignment, _ = aligned("今天我們學習，歷史。", "我们学\u200b习历史了")
    assert slices(comparison, alignment.common) == [("我們學習，歷史", "我们学\u200b习历史")]


def test_that_synonyms_are_shown_as_the_words_of_the_texts():
    thesaurus = thesaurus_of("big large", "see look")
    comparison, _, alignment, reasons = aligned(
        "See BIG river now", "look, large river now!", DEFAULT_SETTINGS, thesaurus
    )
    assert slices(comparison, alignment.synonyms) == [("See", "look"), ("BIG", "large")]
    assert (alignment.common_words, alignment.synonym_words) == (2, 2)
    assert reasons[-1] == "Synonyms: See ~ look, BIG ~ large."


def test_that_the_aligned_words_add_up_to_w():
    thesaurus = load_thesaurus("starter")
    left = ["老师喜欢美丽的花。", "the big river is old"]
    right = ["老师喜爱漂亮的花。", "the river is large now"]
    settings = ComparisonSettings(similar_weight=0.3, right_weight=0.8)
    comparison = compare_texts(left, right, settings, thesaurus)
    by_words = [m for i in range(len(comparison.matches)) if (m := comparison.matches[i]).w is not None]
    assert len(by_words) == 2
    for match in by_words:
        shown = align(comparison, match, thesaurus)
        words = max(shown.left_words, shown.right_words)
        assert shown.synonym_words > 0
        assert match.w == (shown.common_words + shown.synonym_words) / words


def numbers_in(reasons):
    return [re.findall(r"\d+(?:\.\d+)?", reason) for reason in reasons]


def test_that_an_exact_match_names_its_length():
    *_, reasons = aligned("天地人和。", "天地人和！")
    assert numbers_in(reasons) == [["4"]]


def test_that_an_edited_match_names_its_lcs_and_the_threshold_it_reached():
    *_, reasons = aligned("天地人和五", "天地人和六", excluding_nothing(PRESETS["paper"]))
    assert numbers_in(reasons) == [["4", "5", "0.80"], ["0.80"]]


def test_that_a_match_by_words_names_both_thresholds_and_its_words():
    *_, reasons = aligned("a b c d e", "d e a b c", PRESETS["paper"])
    assert numbers_in(reasons) == [["3", "5", "0.60"], ["0.60", "0.80"], ["5", "0", "5", "1.00", "0.80"]]


@pytest.mark.parametrize("extra", [49, 69, 94])
def test_that_a_p_below_the_threshold_is_never_shown_as_the_threshold(extra):
    """39 of 49 is 0.796: "P = 0.80, that is below 0.80" would be contradictory, and 0.79 would be wrong."""
    same = extra * 4 // 5
    words = [f"w{i}" for i in range(extra)]
    moved = words[same:] + words[:same]
    _, match, _, reasons = aligned(" ".join(words), " ".join(moved), PRESETS["paper"])
    assert 0.795 < match.p < 0.8
    shown = numbers_in(reasons)[0][-1]
    assert shown == f"{match.p:.3f}"
    assert float(shown) < 0.8
    assert numbers_in(reasons)[1][1] == "0.80"


@pytest.mark.parametrize(
    ("share", "thresholds", "text"),
    [
        (2 / 3, (0.35, 0.55), "0.67"),
        (0.546, (0.35, 0.55), "0.546"),
        (0.554, (0.35, 0.55), "0.55"),
        (11 / 20, (0.55,), "0.55"),
        (0.7996, (0.8,), "0.7996"),
        (0.9999, (), "0.9999"),
        (1.0, (), "1.00"),
        (0.0, (0.35,), "0.00"),
    ],
)
def test_that_a_share_is_rounded_and_stays_on_its_side_of_the_thresholds(share, thresholds, text):
    assert rounded(share, *thresholds) == text


GROUPS = thesaurus_of("big large", "river stream")


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ("天地人和。", "天地人和！", "word for word, 4 characters"),
        ("See the tree.", "See the tree!", "word for word, 3 words"),
        ("天地人和五", "天地人和六", "4 of 5 characters the same"),
        ("one two three four five", "one two three four six", "4 of 5 words the same"),
        ("我用 Python 写字", "我用 Java 写字", "4 of 5 characters the same"),
        ("use Python 字", "use Java 字", "2 of 3 words the same"),
    ],
)
def test_that_agreement_is_counted_in_the_units_of_the_longer_sentence(left, right, words):
    comparison, match, *_ = aligned(left, right)
    assert agreement_in_words(comparison, match) == (words, "")


def test_that_agreement_by_words_counts_equal_words_and_synonyms():
    comparison, match, *_ = aligned("a b c d e", "d e a b c", PRESETS["paper"])
    assert agreement_in_words(comparison, match) == ("5 of 5 words the same", "")
    texts = "a big boat on the river", "a large boat on the stream"
    comparison, match, alignment, _reasons = aligned(*texts, PRESETS["paper"], GROUPS)
    assert match.w == 1
    assert alignment.synonym_words == 2
    assert agreement_in_words(comparison, match) == ("4 of 6 words the same", "2 synonyms")


def test_that_characters_undone_in_a_match_or_passage_are_counted_with_their_sentences(tmp_path):
    plain = "我们每天早上沿着河边走过老桥去学校。这座桥是祖父年轻时和村里人一起修的。\n" * 4
    disguised = plain.replace("桥", "\u200b桥").replace("一起", "⼀起")
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    for path, text in zip(paths, (plain, disguised), strict=True):
        path.write_text(text, "utf-8")
    left, right = map(load_document, paths)
    comparison = compare(prepare_document(left, "improved"), prepare_document(right, "improved"), LOOSE, None)
    second = next(match for match in comparison.matches if match.right == 1)
    reasons = explain(comparison, second, align(comparison, second, None))
    undone = "1 zero-width character removed, 1 look-alike replaced"
    assert reasons[-1] == f"Right: {undone} before comparing (sentence 2)."
    whole = list(disguise_reasons(comparison, Span(0, len(left.text)), Span(0, len(right.text))))
    undone = "8 zero-width characters removed, 4 look-alikes replaced"
    assert whole == [f"Right: {undone} before comparing (sentences 1–8)."]
