"""Passages: copied text is found to the character after any edit, new text is not."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opencc import OpenCC

from simcompare.comparison.comparison_result import Cells
from simcompare.comparison.passages import passage_detection
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passage
from simcompare.comparison.passages.passage_detection import (
    find_passages,
    passages_of_matches,
)
from simcompare.comparison.passages.term_cosine import compared_terms
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, PassageSettings
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import compare_texts, document_of, excluding_nothing
from tests.helpers.passages import (
    GARDEN,
    LIBRARY,
    LIGHTHOUSE,
    METRO,
    ORCHARD,
    TRAFFIC,
    chinese,
    english,
    passages_between,
    shared_texts,
    terms_of,
)

ENGLISH, CHINESE = english(LIGHTHOUSE), chinese(ORCHARD)
WITHOUT_SUMMARIES = PassageSettings(summary=None)
SENSITIVE = PRESETS["sensitive"].passages


def in_english(passage: str) -> tuple[str, str]:
    """Return a text that ends with the original, and one with a version of it in its middle."""
    return english(GARDEN, LIGHTHOUSE), english(TRAFFIC[:3], [passage], TRAFFIC[3:])


def in_chinese(passage: str) -> tuple[str, str]:
    return chinese(LIBRARY, ORCHARD), chinese(METRO[:2], [passage], METRO[2:])


def reworded(text: str, *changes: str) -> str:
    """Return the text with each "old>new" replaced."""
    for change in changes:
        old, new = change.split(">")
        assert old in text
        text = text.replace(old, new)
    return text


def shuffled(sentence: str) -> str:
    words = sentence.rstrip(".").split()
    random.Random(3).shuffle(words)
    return f"{' '.join(words)}."


def turned(sentence: str) -> str:
    """Return a Chinese sentence with its clauses in reverse order."""
    return "，".join(reversed(sentence.rstrip("。").split("，"))) + "。"


ENGLISH_VERSIONS = {
    "copied": ENGLISH,
    "lightly edited": reworded(
        ENGLISH, "every evening>each night", "heavy ledger>thick book", "blunt kitchen>dull pocket"
    ),
    "sentences reordered": english([LIGHTHOUSE[i] for i in (2, 0, 3, 1)]),
    "split": reworded(ENGLISH, ", polished>. He polished", ", their>. Their", ", and he>. He"),
    "joined": reworded(ENGLISH, "storm. He>storm, he", "ledger. When>ledger, and when"),
    "odd spaces": reworded(ENGLISH.replace(" ", "\u00a0 "), "lighthouse>light\u200bhouse"),
}
CHINESE_VERSIONS = {
    "copied": CHINESE,
    "lightly edited": reworded(CHINESE, "弥漫>飘散", "熟透>成熟", "傍晚的时候>黄昏时分", "洗净>清洗"),
    "clauses turned": chinese(map(turned, ORCHARD)),
    "sentences reordered": chinese([ORCHARD[i] for i in (2, 0, 3, 1)]),
    "split": reworded(CHINESE, "香味，>香味。", "摘下来，>摘下来。", "合作社，>合作社。"),
    "joined": CHINESE.rstrip("。").replace("。", "，") + "。",
    "traditional": OpenCC("s2t").convert(CHINESE),
    "zero-width and odd spaces": "\u200b".join(CHINESE).replace("，", "，\u3000 "),
}


@pytest.mark.parametrize("settings", [PassageSettings(), SENSITIVE], ids=["balanced", "sensitive"])
@pytest.mark.parametrize("version", ENGLISH_VERSIONS.values(), ids=ENGLISH_VERSIONS)
def test_that_an_english_passage_is_found_to_the_character(version, settings):
    assert shared_texts(*in_english(version), settings) == [(ENGLISH, version)]


@pytest.mark.parametrize("settings", [PassageSettings(), SENSITIVE], ids=["balanced", "sensitive"])
@pytest.mark.parametrize("version", CHINESE_VERSIONS.values(), ids=CHINESE_VERSIONS)
def test_that_a_chinese_passage_is_found_to_the_character(version, settings):
    assert shared_texts(*in_chinese(version), settings) == [(CHINESE, version)]


def test_that_shuffled_words_are_found_but_for_a_few_at_the_edges():
    version = english(map(shuffled, LIGHTHOUSE))
    ((own, other),) = shared_texts(*in_english(version))
    assert own == ENGLISH
    assert abs(len(other.split()) - len(version.split())) <= 3
    assert len(set(other.split()) ^ set(version.split())) <= 3


def test_that_a_passage_may_begin_within_a_sentence():
    tail = ENGLISH.removeprefix("The keeper climbed the hundred and twelve steps of ")
    left, right = in_english(f"Nobody in our village ever forgot how brightly it shone from {tail}")
    for side in shared_texts(left, right)[0]:
        # one more short word may match by chance
        assert side.endswith(tail)
        assert len(side.split()) <= len(tail.split()) + 1


def test_that_only_the_best_partner_of_a_sentence_begins_a_passage():
    clause = (
        "the ferryman mended his torn nets beside the stove, counted copper coins into a clay jar, "
        "and told his youngest grandson how the great flood had carried their first cottage"
    )
    sentence = f"On rainy evenings {clause} past the mill, the chapel and seven drowned orchards."
    left, right = english([sentence], GARDEN), english([sentence], TRAFFIC, [f"{clause.capitalize()}."])
    assert shared_texts(left, right) == [(sentence, sentence)]
    with_any = shared_texts(left, right, replace(PassageSettings(), seed_of_best=0.0))
    assert {copy for _, copy in with_any} == {sentence, f"{clause.capitalize()}."}


CLAUSES = (
    "the ferryman mended his torn nets beside the stove and counted copper coins into a clay jar",
    "told his youngest grandson how the great flood had carried their first cottage past the mill",
)
TOLD = f"On rainy evenings {CLAUSES[0]}, and then he slowly {CLAUSES[1]}."


def test_that_a_weaker_pair_beside_a_passage_joins_it_only_if_neither_has_a_better_partner():
    half = f"Meanwhile {CLAUSES[0]}, because no other pastime had ever pleased him more on such nights."
    left = english(LIGHTHOUSE, GARDEN[:1], [TOLD])
    right = english(LIGHTHOUSE, TRAFFIC[:1], [half], TRAFFIC[1:], [TOLD])
    assert shared_texts(left, right) == [(ENGLISH, ENGLISH), (TOLD, TOLD)]


def test_that_a_passage_begins_with_a_pair_as_alike_as_asked_for(monkeypatch):
    monkeypatch.setattr(passage_detection, "_least_words", lambda *_: 10)
    monkeypatch.setattr(passage_detection, "_SURE_COSINE", 0)
    clause = CLAUSES[0].replace("the stove and", "the stove and often")
    half = f"Meanwhile {clause}, because no other pastime had ever pleased him more on such nights."
    left, right = english([TOLD], GARDEN), english([half], TRAFFIC)
    first, second = terms_of(left), terms_of(right)
    _weights, alike = compared_terms(first, [second], PassageSettings().common_share, 0.3)[0]
    assert len(alike.cosines) == 1
    cosine, terms = float(alike.cosines[0]), int(alike.shared_terms[0])
    asked = replace(WITHOUT_SUMMARIES, least_fragment_cosine=0.0)
    for changes, found in (
        ({"seed_cosine": cosine - 0.01}, 1),
        ({"seed_cosine": cosine + 0.01}, 0),
        ({"seed_shared_terms": terms}, 1),
        ({"seed_shared_terms": terms + 1}, 0),
    ):
        assert len(passages_between(left, right, replace(asked, **changes))) == found


def test_that_both_sides_of_a_passage_need_the_least_number_of_words():
    longer = reworded(
        TOLD,
        "his torn>all of his torn",
        "copper>old copper",
        "slowly>very slowly",
        "grandson>grandson once",
        "flood>flood of old",
    )
    left, right = english([TOLD], GARDEN), english([longer], TRAFFIC)
    words = len(TOLD.split())
    for swapped in ((left, right), (right, left)):
        for least, found in ((words, 1), (words + 1, 0)):
            asked = replace(WITHOUT_SUMMARIES, least_words=least)
            assert len(passages_between(*swapped, asked)) == found


def test_that_two_short_chinese_sentences_are_a_passage():
    copied = "管理员给每一本新书都细心地贴上了蓝色的标签。借书卡可以用手机直接扫描，不必再填写表格。"
    words = len(terms_of(copied).words)
    usual = PassageSettings()
    assert usual.least_words_chinese <= words < usual.least_words
    reworded = "管理员给每一本书细心地都贴上了蓝色标签。不必再填写表格，借书卡可以用手机直接扫描。"
    left, right = chinese(ORCHARD[:2], [copied], ORCHARD[2:]), chinese(METRO[:2], [reworded], METRO[2:])
    assert shared_texts(left, right) == [(copied, reworded)]
    asked = replace(usual, least_words_chinese=words + 1)
    assert shared_texts(left, right, asked) == []


def test_that_copies_around_an_insertion_are_two_passages_if_together_they_are_not_alike_enough():
    copied = english(LIGHTHOUSE[:2])
    left, right = (english([copied], inserted[:1], [TOLD]) for inserted in (GARDEN, TRAFFIC))
    asked = replace(WITHOUT_SUMMARIES, grow_reach_sentences=0)
    assert shared_texts(left, right, asked) == [(left, right)]
    assert len(passages_between(left, right, replace(asked, least_fragment_cosine=0.95))) == 2


def test_that_passages_which_grow_into_each_other_are_one():
    retold = [
        "The keeper washed plates, polished a rare brass bell and left a damp ledger near the wick.",
        "Fishing boats came late from the south, with no lanterns and nobody to answer in their cabin.",
        "Spray wetted all windows in March, then somebody sold a blunt saw to the greengrocer.",
    ]
    left, right = (english(GARDEN[:2], middle, GARDEN[2:]) for middle in (LIGHTHOUSE[1:], retold))
    assert shared_texts(left, right) == [(left, right)]


def test_that_two_passages_are_separate_and_in_reading_order():
    left = english(LIGHTHOUSE, GARDEN, TRAFFIC)
    assert shared_texts(left, english(TRAFFIC, LIGHTHOUSE)) == [
        (ENGLISH, ENGLISH),
        (english(TRAFFIC), english(TRAFFIC)),
    ]


@pytest.mark.parametrize("settings", [PassageSettings(), SENSITIVE], ids=["balanced", "sensitive"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (english(GARDEN, TRAFFIC), ENGLISH),
        (english(GARDEN), english(TRAFFIC)),
        (chinese(LIBRARY, METRO), CHINESE),
        (chinese(LIBRARY), chinese(METRO)),
        (english(GARDEN), CHINESE),
    ],
)
def test_that_unrelated_texts_share_no_passage(left, right, settings):
    assert passages_between(left, right, settings) == NO_PASSAGES


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, english(LIGHTHOUSE[:2]), f"{ENGLISH}\n{CHINESE}"])
def test_that_a_text_compared_with_itself_is_one_passage(text):
    assert shared_texts(text, text) == [(text, text)]


RECURRING = {
    "an English paragraph three times": english(*[LIGHTHOUSE] * 3),
    "a Chinese paragraph three times": chinese(*[ORCHARD] * 3),
    "an English paragraph ten times": english(*[LIGHTHOUSE] * 10),
    "a Chinese paragraph ten times": chinese(*[ORCHARD] * 10),
    "an English sentence three times": english([LIGHTHOUSE[0]] * 3),
    "a Chinese sentence three times": chinese([ORCHARD[0]] * 3),
}


@pytest.mark.parametrize("settings", [PassageSettings(), SENSITIVE], ids=["balanced", "sensitive"])
@pytest.mark.parametrize("text", RECURRING.values(), ids=RECURRING)
def test_that_a_text_whose_sentences_recur_is_found_in_itself_and_in_other_texts(text, settings):
    assert shared_texts(text, text, settings) == [(text, text)]
    english_text = text.isascii()
    other = f"{text} {METRO[0]}" if english_text else f"{text}{GARDEN[0]}"
    assert shared_texts(text, other, settings) == [(text, text)]


@pytest.mark.parametrize("text", ["Yes.", "好。", "No. " * 2000, "是的。\n" * 2000, "a b c. c b a. b a c."])
def test_that_identical_texts_are_one_passage_however_short(text):
    assert shared_texts(text, text) == [(text.strip(), text.strip())]


@pytest.mark.parametrize(("left", "right"), [("", ""), ("", ENGLISH), (CHINESE, ""), ("— —", ENGLISH)])
def test_that_a_text_without_words_shares_nothing(left, right):
    assert passages_between(left, right) == NO_PASSAGES


def test_that_a_passage_needs_some_words_on_both_sides():
    version = reworded(LIGHTHOUSE[2], "northern banks>banks")
    left, right = in_english(version)
    assert passages_between(left, right) == NO_PASSAGES
    assert shared_texts(left, right, replace(WITHOUT_SUMMARIES, least_words=15)) == [(LIGHTHOUSE[2], version)]


SENTENCES = [*LIGHTHOUSE, *GARDEN, *TRAFFIC, *ORCHARD, *METRO]
texts = st.lists(st.sampled_from(SENTENCES), max_size=14).map(" ".join)


@settings(max_examples=60)
@given(texts, texts)
def test_that_spans_lie_within_the_texts_and_passages_are_in_order(left, right):
    found = passages_between(left, right)
    assert list(found) == sorted(found, key=lambda passage: (passage.left, passage.right))
    for passage in found:
        assert 0 <= passage.left.start < passage.left.end <= len(left)
        assert 0 <= passage.right.start < passage.right.end <= len(right)


@settings(max_examples=60)
@given(texts, texts)
def test_that_swapped_texts_share_the_same_passages(left, right):
    # A summary is searched in the left text first and replaces passages there, but not if it is in the
    # right text. So summaries are disabled here.
    there = passages_between(left, right, WITHOUT_SUMMARIES)
    back = passages_between(right, left, WITHOUT_SUMMARIES)
    assert sorted((p.right, p.left) for p in back) == [(p.left, p.right) for p in there]


@settings(max_examples=40)
@given(st.permutations(range(4)), st.integers(0, 5))
def test_that_sentences_in_any_order_and_at_any_place_are_found(order, place):
    passage = english([LIGHTHOUSE[i] for i in order])
    right = english(TRAFFIC[:place], [passage], TRAFFIC[place:])
    assert shared_texts(english(GARDEN, LIGHTHOUSE), right) == [(ENGLISH, passage)]


def test_that_a_very_long_list_is_searched_in_pieces():
    names = " ".join(f"river{number} valley{number} harbour{number}" for number in range(120))
    left, right = f"{english(GARDEN)}\n{names}", f"{names}\n{english(TRAFFIC)}"
    assert terms_of(names).sentence_count == 12
    assert shared_texts(left, right) == [(names, names)]


def cells_at(*places):
    rows, columns = (np.array([place[side] for place in places], dtype=np.int32) for side in (0, 1))
    return Cells(rows, columns, np.ones_like(rows), np.ones(len(places)), np.ones(len(places)))


def test_that_matches_with_small_gaps_make_passages_by_hand():
    text = prepare(document_of("甲。乙。丙。丁。戊。己。庚。"))
    # 0-2, with one sentence between them, are one passage on both sides; 5 is too far away on the left;
    # 6 is close to 5 on the left and too far from it on the right
    cells = cells_at((0, 2), (2, 3), (5, 4), (6, 0))
    assert list(passages_of_matches(cells, text, text)) == [
        Passage(Span(0, 6), Span(4, 8)),
        Passage(Span(10, 12), Span(8, 10)),
        Passage(Span(12, 14), Span(0, 2)),
    ]
    assert passages_of_matches(cells_at(), text, text) == NO_PASSAGES


def test_that_the_paper_preset_makes_passages_of_matches_only():
    paper = excluding_nothing(PRESETS["paper"])
    turned_around = compare_texts(*in_chinese(CHINESE_VERSIONS["clauses turned"]), paper).passages
    assert sum(len(passage.left) for passage in turned_around) < len(CHINESE) / 2
    left, right = in_chinese(CHINESE)
    (passage,) = compare_texts(left, right, paper).passages
    assert passage.left.of(left) == CHINESE


def test_that_compare_and_find_passages_agree():
    left, right = in_english(ENGLISH_VERSIONS["lightly edited"])
    comparison = compare_texts(left, right)
    assert comparison.passages == find_passages(terms_of(left), terms_of(right), PassageSettings())
