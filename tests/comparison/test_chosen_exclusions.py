"""Exclusions that a teacher chooses: prompt, short sentences, and sentences left out by hand."""

from dataclasses import replace

import pytest

from simcompare.comparison.compare_documents import reclassify
from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from tests.comparison.excluding import comparison_of, excluded, left_out
from tests.helpers.documents import DEFAULT_SETTINGS, make_document

PROMPTED = replace(DEFAULT_SETTINGS, prompt="prompt.txt")
BODY = "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去，谁也没有说话。"
LAST_BUS = "On the evening of my birthday I missed the last bus home."


def test_that_a_sentence_similar_to_the_prompt_is_excluded():
    document = make_document("请写一写你家乡的小河，不少于六百字。清晨的河面上飘着一层薄薄的雾。")
    prompt = "请写一写你的家乡的小河，不少于八百字。"
    found = [("请写一写你家乡的小河，不少于六百字。", ExclusionReason.PROMPT)]
    assert excluded(document, PROMPTED, prompt=prompt) == found
    strict = replace(PROMPTED, similar_weight=0.9, right_weight=0.95)
    assert excluded(document, strict, prompt=prompt) == []


def test_that_the_prompt_is_excluded_and_included_without_scoring():
    prompted = comparison_of(make_document(LAST_BUS, BODY), PROMPTED, prompt=LAST_BUS)
    without = reclassify(prompted, DEFAULT_SETTINGS)
    again = reclassify(without, PROMPTED)
    assert [len(c.left_excluded.sentences()) for c in (prompted, without, again)] == [1, 0, 1]
    assert prompted.matrix is without.matrix is again.matrix


@pytest.mark.parametrize(
    ("minimum", "found"), [(0, []), (1, []), (2, ["好！"]), (4, ["好！"]), (5, ["好！", "我们走吧。"])]
)
def test_that_sentences_of_fewer_units_than_asked_for_are_short(minimum, found):
    document = make_document("好！我们走吧。清晨的河面上有雾。")
    settings = replace(DEFAULT_SETTINGS, minimum_units=minimum)
    assert excluded(document, settings) == [(sentence, ExclusionReason.SHORT) for sentence in found]


# --- left out by hand


def test_that_a_sentence_left_out_by_hand_is_excluded_wherever_its_comparable_text_occurs():
    document = make_document(f"{BODY}村口的石橋很老！", "“村口的 石桥 很老”。村口的石桥很老了。")
    settings = replace(DEFAULT_SETTINGS, left_out=left_out("村口的石桥很老。"))
    reason = ExclusionReason.LEFT_OUT
    assert excluded(document, settings) == [("村口的石橋很老！", reason), ("“村口的 石桥 很老”。", reason)]


def test_that_a_sentence_chosen_in_a_text_is_left_out_of_all_and_counted_again_without_scoring():
    """The digest of a sentence within its text is that of the candidates, whatever is folded in it."""
    document = make_document("我在發廊理髮。ﬁne Сats 𠮷野家は。", BODY)
    before = comparison_of(document, DEFAULT_SETTINGS)
    for sentence in range(before.left.prepared.sentence_count):
        chosen = left_out_sentence(before.left, sentence)
        without = reclassify(before, replace(DEFAULT_SETTINGS, left_out=(chosen,)))
        assert without.left_excluded.sentences() == [(sentence, ExclusionReason.LEFT_OUT)]
        assert without.matrix is before.matrix
        assert chosen.text == before.left.prepared.sentence_span(sentence).of(document.text).strip()
        assert reclassify(without, DEFAULT_SETTINGS).left_excluded.sentences() == []


def test_that_choices_of_the_same_sentence_are_equal_whatever_their_punctuation():
    assert left_out("石桥很老。") == left_out("石橋很老！")
    assert left_out("石桥很老。") != left_out("石桥不老。")
