"""Words, synonyms and equal stretches of the two sides of a passage."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.passages import passage_kinds
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_words import (
    _longest_common_run,
    changes_of_passage,
    longest_equal_stretch,
)
from tests.comparison.test_shares import with_words_replaced
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.documents import compare_texts, own_text, own_texts, thesaurus_of
from tests.helpers.passages import GARDEN, LIGHTHOUSE, METRO, chinese, english

KEEPER = own_texts("en")[1]
PAIRS = {
    "identical": (chinese(METRO), chinese(METRO).replace("。", "！")),
    "edited": (chinese(METRO), chinese(METRO).replace("的", "").replace("昨夜", "前夜")),
    "reworded": (KEEPER, with_words_replaced(KEEPER, lambda word: word % 2)),
    "reordered": (english(GARDEN), english(GARDEN[2:], GARDEN[:2])),
    "summary": (english(LIGHTHOUSE, SUMMARY), SCATTERED),
}


def changes(comparison, thesaurus=None):
    return changes_of_passage(comparison, numbered_passages(comparison), 0, thesaurus)


def shown(comparison, thesaurus=None):
    """The texts of the changed words of a passage, on both sides."""
    texts = comparison.left.document.text, comparison.right.document.text
    sides = zip(texts, changes(comparison, thesaurus).words, strict=True)
    return [[text[start:end] for start, end, is_paired in side if not is_paired] for text, side in sides]


def places(comparison, thesaurus=None):
    """The texts of the places where a passage differs."""
    texts = comparison.left.document.text, comparison.right.document.text
    return [
        tuple(span and span.of(text) for span, text in zip(place, texts, strict=True))
        for place in changes(comparison, thesaurus).places
    ]


def words_inside(prepared, spans):
    """The words of a text that begin in one of the spans."""
    starts = prepared.unit_spans[prepared.word_units[:-1], 0]
    words = [prepared.word_vocabulary[number] for number in prepared.word_ids]
    return Counter(
        word
        for word, start in zip(words, starts, strict=True)
        if any(first <= start < end for first, end in spans)
    )


def assert_words_are_those_of_the_figure(comparison):
    passages = numbered_passages(comparison)
    sides = comparison.left.prepared, comparison.right.prepared
    for passage in passages:
        places = changes_of_passage(comparison, passages, passage.number - 1, None).places
        changed = ([(at[n].start, at[n].end) for at in places if at[n]] for n in range(2))
        sections = [(passage.left.start, passage.left.end)], [(passage.right.start, passage.right.end)]
        wholes = list(map(words_inside, sides, sections))
        left, right = (
            whole - words_inside(side, spans)
            for whole, side, spans in zip(wholes, sides, changed, strict=True)
        )
        longer = max(whole.total() for whole in wholes)
        assert left.total() == right.total() == round(passage.common_words * longer)
        assert left == right


@pytest.mark.parametrize("kind", PAIRS)
def test_that_the_changed_words_are_those_that_the_figure_does_not_count(kind):
    comparison = compare_texts(*PAIRS[kind])
    assert [passage.kind for passage in numbered_passages(comparison)] == [kind]
    assert_words_are_those_of_the_figure(comparison)


def test_that_the_words_of_a_long_passage_are_aligned_in_sections(monkeypatch):
    text = own_text(3_000)
    comparison = compare_texts(text.splitlines(), text.replace("的", "").replace("我", "她").splitlines())
    monkeypatch.setattr(passage_kinds, "_MOST_LCS_CELLS", 300**2)
    assert_words_are_those_of_the_figure(comparison)


def test_that_adjacent_changed_words_are_one_span_with_the_punctuation_between_them():
    comparison = compare_texts(
        "The red fox, quick, small and shy, runs home.", "The red fox (slow and shy!) runs home"
    )
    assert shown(comparison) == [["quick, small"], ["slow"]]


def test_that_nothing_is_changed_in_an_identical_passage():
    comparison = compare_texts(chinese(METRO), chinese(METRO).replace("。", "！"))
    assert shown(comparison) == [[], []]
    assert places(comparison) == []


def test_that_a_sentence_that_only_one_side_has_is_a_place_but_is_not_marked():
    left, added = english(GARDEN), "Nobody else was ever told about any of this."
    comparison = compare_texts(left, english(GARDEN[:3], [added], GARDEN[3:]).replace("postman", "baker"))
    assert shown(comparison) == [["postman"], ["baker"]]
    assert places(comparison) == [(None, added[:-1]), ("postman", "baker")]


def test_that_of_a_repeated_word_the_copy_in_order_has_the_partner():
    assert shown(compare_texts("a x b c d e a", "b c d e a")) == [["a x"], []]


def test_that_without_order_the_first_copies_of_a_word_have_partners():
    assert shown(compare_texts("x b c d e f g y z y", "y b c d e f g")) == [["x", "z y"], []]


def test_that_in_moved_text_the_copy_with_the_same_neighbours_has_the_partner():
    """As a quotation in both texts that is at another place: only the other copies of its words changed."""
    left, right = "m n o p q a b c d e f g x h i j", "a b c d e f g y q h i j m n o p q"
    assert shown(compare_texts(left, right)) == [["x"], ["y q"]]
    assert shown(compare_texts(right, left)) == [["y q"], ["x"]]


def test_that_synonyms_are_not_among_the_changed_words():
    comparison = compare_texts("the big red house by the river", "the large old house by the river")
    assert shown(comparison) == [["big red"], ["large old"]]
    thesaurus = thesaurus_of("big large")
    assert shown(comparison, thesaurus) == [["red"], ["old"]]
    paired = [side[side[:, 2] == 1].tolist() for side in changes(comparison, thesaurus).words]
    assert paired == [[[4, 7, 1]], [[4, 9, 1]]]


def test_that_what_takes_the_place_of_each_other_is_one_place():
    comparison = compare_texts(
        "The red fox runs home through quiet fields and very dark woods.",
        "Today the red fox walks home through quiet fields and woods.",
    )
    assert places(comparison) == [(None, "Today"), ("runs", "walks"), ("very dark", None)]


def test_that_changes_of_text_that_was_moved_are_places_of_their_own():
    moved = [*GARDEN[2:], GARDEN[0].replace("neighbour", "aunt").replace("beans", "peas"), GARDEN[1]]
    comparison = compare_texts(english(GARDEN), english(moved))
    assert places(comparison) == [("neighbour", None), ("beans", None), (None, "aunt"), (None, "peas")]


def test_that_a_sentence_that_was_only_moved_has_no_changed_words():
    """The words of a sentence that one side alone has must not take the partners of its words."""
    alone, first = " ".join(["Perhaps", *GARDEN[0].split()[:3], *GARDEN[0].split()[4:7]]), GARDEN[0]
    left, right = [GARDEN[1], f"{alone}. ", *GARDEN[2:], first], [first, *GARDEN[1:]]
    comparison = compare_texts(english(left), english(right))
    place = comparison.left.document.text.index(first.strip())
    marked, right_marked = changes(comparison).words
    assert not any(place <= start < place + len(first) for start, _end, _paired in marked.tolist())
    assert len(right_marked) == 0


def test_that_the_partner_of_a_synonym_is_at_its_place_in_text_that_was_moved():
    moved = [*GARDEN[2:], GARDEN[0].replace("old", "aged"), GARDEN[1]]
    comparison = compare_texts(english(GARDEN), english(moved))
    assert places(comparison, thesaurus_of("old aged")) == [("old", "aged")]


def synonyms_in(comparison, thesaurus):
    texts = comparison.left.document.text, comparison.right.document.text
    return [(a.of(texts[0]), b.of(texts[1])) for a, b in changes(comparison, thesaurus).synonyms]


def test_that_further_words_are_paired_as_synonyms_one_to_one():
    thesaurus = thesaurus_of("big large huge", "see look")
    comparison = compare_texts(
        "See that BIG and big house by the river", "look: that huge and red house by the river"
    )
    assert synonyms_in(comparison, thesaurus) == [("See", "look"), ("BIG", "huge")]
    assert synonyms_in(comparison, None) == []


def test_that_function_words_and_parts_of_each_other_are_no_synonyms():
    thesaurus = thesaurus_of("正在 正 在", "美丽 漂亮", "但是 然而", "桥 石桥")
    left = "小河正在村前静静地流过，美丽的桥旁站着老人，但是没有人说话。"
    right = "小河在村前静静地流过，漂亮的石桥旁站着老人，然而没有人说话。"
    assert synonyms_in(compare_texts(left, right), thesaurus) == [("美丽", "漂亮")]


def test_that_words_are_paired_in_sentences_that_changed_places():
    thesaurus = thesaurus_of("trimmed cut", "winter cold")
    moved = [LIGHTHOUSE[3].replace("winter", "cold"), *LIGHTHOUSE[:3]]
    comparison = compare_texts(english(LIGHTHOUSE), english(moved).replace("trimmed", "cut"))
    assert synonyms_in(comparison, thesaurus) == [("trimmed", "cut"), ("winter", "cold")]


def test_that_words_far_from_each_other_are_no_synonyms():
    thesaurus = thesaurus_of("keeper knife")
    left = english(LIGHTHOUSE).replace("knife", "spoon")
    comparison = compare_texts(left, english(LIGHTHOUSE).replace("keeper", "owner"))
    assert synonyms_in(comparison, thesaurus) == []


@pytest.mark.parametrize(
    ("left", "right", "stretch"),
    [
        (chinese(METRO), chinese(METRO[::-1]), (METRO[0][:-1], 23)),
        ("a b, c d e f g h i j", "c d e f x a B g h i j", ("c d e f", 4)),
    ],
)
def test_that_the_longest_equal_stretch_may_have_moved(left, right, stretch):
    comparison = compare_texts(left, right)
    span, units = longest_equal_stretch(comparison, numbered_passages(comparison), 0)
    assert (span.of(left), units) == stretch


few_numbers = st.lists(st.integers(0, 3), max_size=20)


@given(few_numbers, few_numbers)
def test_that_no_longer_run_is_in_both_sequences(left, right):
    start, length = _longest_common_run(np.array(left, np.int64), np.array(right, np.int64))
    runs = [
        {tuple(side[first : first + size]) for first in range(len(side) - size + 1)}
        for size in (length, length + 1)
        for side in (left, right)
    ]
    assert tuple(left[start : start + length]) in runs[0] & runs[1]
    assert not runs[2] & runs[3]
