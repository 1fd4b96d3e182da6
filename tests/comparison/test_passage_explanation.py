"""Explanations of passages: their figures, the reasons for their kinds, in both languages."""

import re
from dataclasses import replace

import pytest

from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.settings import PRESETS
from simcompare.support.i18n import using_language
from simcompare.text.thesaurus import load_thesaurus
from tests.comparison.test_passage_words import PAIRS
from tests.comparison.test_summaries import SCATTERED, SUMMARY
from tests.helpers.documents import DEFAULT_SETTINGS, compare_texts, thesaurus_of
from tests.helpers.passages import GARDEN, LIBRARY, LIGHTHOUSE, METRO, ORCHARD, chinese, english

FLOWERS = "老师非常喜欢美丽的花，她每天早晨都很快地走到花园里浇水，心情愉快，觉得十分有趣，常常站在旁边看。"
REWORDED_FLOWERS = (
    "老师特别喜爱漂亮的花，她天天清晨都迅速地走到花园里浇水，心情高兴，觉得很有意思，经常站在一边瞧。"
)


def explained(left, right, *, language="en", thesaurus=None, settings=DEFAULT_SETTINGS):
    comparison = compare_texts(left, right, settings, thesaurus)
    with using_language(language):
        return explain_passage(comparison, numbered_passages(comparison), 0, thesaurus)


@pytest.mark.parametrize(
    ("kind", "english_summary", "chinese_summary"),
    [
        ("identical", "word for word, 88 characters", "一字不差，共 88 字"),
        (
            "edited",
            "89% of the words in common, in the same order, up to 50 characters in a row",
            "89% 的词语相同，语序不变，最长连续相同 50 字",
        ),
        ("reworded", "50% of the words in common", "50% 的词语相同"),
        (
            "reordered",
            "the same words, 43% of them moved, up to 35 words in a row",
            "用词相同，其中 43% 换了位置，最长连续相同 35 个词",
        ),
        (
            "summary",
            "47 words on the left summarising 426 words on the right",
            "左文用 47 个词概括了右文 426 个词的内容",
        ),
    ],
)
def test_that_the_summary_of_each_kind_is_one_line(kind, english_summary, chinese_summary):
    assert explained(*PAIRS[kind]).summary == english_summary
    assert explained(*PAIRS[kind], language="zh").summary == chinese_summary


def test_that_a_chinese_passage_in_an_english_text_is_counted_in_characters():
    essay = f"{english(LIGHTHOUSE, GARDEN)}\n{chinese(METRO)}"
    comparison = compare_texts(essay, chinese(METRO))
    assert not comparison.left.prepared.is_mostly_chinese
    explanation = explained(essay, chinese(METRO))
    assert explanation.summary == "word for word, 88 characters"
    assert explanation.reasons[0] == "Both sides have the same 88 characters, in the same order."


def shares_in(text):
    return [float(number) for number in re.findall(r"(\d+(?:\.\d+)?)%", text)]


@pytest.mark.parametrize("kind", [kind for kind in PAIRS if kind != "identical"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_reasons_contain_the_figures_and_the_thresholds(kind, language):
    comparison = compare_texts(*PAIRS[kind])
    [passage] = numbered_passages(comparison)
    words, p, order = (round(100 * share) for share in (passage.common_words, passage.p, passage.in_order))
    common, reason, *_ = explained(*PAIRS[kind], language=language).reasons
    assert re.search(r"\d+", common)[0] == f"{passage.units}"
    in_common, *in_same_order = shares_in(common)[:2]
    assert (in_same_order or [in_common]) == pytest.approx([100 * passage.p], abs=0.5)
    assert in_common == pytest.approx(100 * passage.p / passage.in_order, abs=0.5)
    expected = {
        "edited": [words, 75, order, 90],
        "reordered": [words, 75, order, 90],
        "reworded": [words, p, 75],
        "summary": [],
    }
    assert shares_in(reason) == expected[kind]


def test_that_an_identical_passage_needs_no_thresholds():
    reasons = explained(*PAIRS["identical"]).reasons
    assert reasons == (
        "Both sides have the same 88 characters, in the same order.",
        "4 pairs of sentences match.",
        "Not marked as a quotation, and no source is named.",
    )


def test_that_a_chinese_reader_learns_why_a_passage_is_reworded_and_by_which_synonyms():
    thesaurus = thesaurus_of("美丽 漂亮", "每天 天天", "早晨 清晨", "常常 经常", "看 瞧")
    explanation = explained(FLOWERS, REWORDED_FLOWERS, language="zh", thesaurus=thesaurus)
    assert explanation.summary.endswith("对同义词：美丽 ~ 漂亮、每天 ~ 天天、早晨 ~ 清晨 …")
    [line] = [reason for reason in explanation.reasons if "同义词" in reason]
    pairs = "美丽 ~ 漂亮、每天 ~ 天天、早晨 ~ 清晨、常常 ~ 经常、看 ~ 瞧"
    assert line == f"另有 5 对同义词：{pairs}。"
    assert explanation.reasons[1].startswith("属于换词改写，而非局部改动：")


@pytest.mark.parametrize("thesaurus", [None, thesaurus_of("big large")])
def test_that_no_synonym_is_mentioned_without_one(thesaurus):
    for pair in (*PAIRS.values(), (FLOWERS, REWORDED_FLOWERS)):
        explanation = explained(*pair, thesaurus=thesaurus)
        assert not any("synonym" in text for text in (explanation.summary, *explanation.reasons))


def test_that_a_repeated_pair_of_synonyms_is_listed_once():
    left = "a big dog, a big cat and a big bird on one hill"
    explanation = explained(left, left.replace("big", "large"), thesaurus=thesaurus_of("big large"))
    assert "3 pairs of synonyms: big ~ large ×3" in explanation.summary


def test_that_sentences_without_a_match_are_counted_on_each_side():
    gap = "这一句只有左边才有，讲的是昨天的大雨。"
    reasons = explained(chinese(METRO[:2], [gap], METRO[2:]), chinese(METRO)).reasons
    assert reasons[-2] == ("4 pairs of sentences match. Sentences in it without a match: left 1, right 0.")
    # what single words they have in common is said before
    alone = "No two of its sentences have enough in common to match. "
    assert explained(*PAIRS["reworded"]).reasons[-2].startswith(alone)


@pytest.mark.parametrize(("side", "source"), [("left", "right"), ("right", "left")])
def test_that_a_summary_names_its_side_and_that_it_does_not_count(side, source):
    texts = (english(LIGHTHOUSE, SUMMARY), SCATTERED)
    explanation = explained(*(texts if side == "left" else texts[::-1]))
    assert explanation.summary == f"47 words on the {side} summarising 426 words on the {source}"
    assert f"the {side} side puts briefly" in explanation.reasons[1]
    assert "Summaries do not count towards the share" in explanation.reasons[1]


def test_that_a_short_sentence_counts_beside_a_passage_and_is_said_not_to_elsewhere():
    short, reworded = "让我们弯下腰，把它捡起来。", "让我们俯下身，把它拾起来。"
    copied, own = chinese(ORCHARD), chinese(LIBRARY)
    beside = compare_texts([copied + short], [copied + reworded])
    assert beside.share.left_in_right.raw == 1
    alone = compare_texts([copied + own + short], [copied + reworded])
    passages = numbered_passages(alone)
    words = [explain_passage(alone, passages, place, None).summary for place in range(len(passages))]
    assert ["too short to count on its own" in each for each in words] == [False, True]


def test_that_excluded_sentences_are_said_not_to_count():
    text = "“桥是会说话的啊。”天地人和一二三。"
    explanation = explained(text, text, settings=PRESETS["balanced"])
    assert explanation.summary == "word for word, 7 characters"
    assert explanation.reasons[-2] == (
        "Sentences in it that are excluded and do not count: left 1, right 1 (quotation)."
    )
    explanation = explained(text, text, settings=PRESETS["balanced"], language="zh")
    assert explanation.reasons[-2] == "其中已去除、不计入的句子：左 1 句，右 1 句（引文）。"


def test_that_a_share_is_shown_on_its_side_of_the_threshold():
    """Of 59 words 44 are in common, 74.6%: "75%, less than 75%" would be contradictory."""
    words = [f"w{number}" for number in range(59)]
    others = [word if number % 4 != 1 else f"v{number}" for number, word in enumerate(words)]
    comparison = compare_texts(" ".join(words), " ".join(others))
    [passage] = numbered_passages(comparison)
    assert passage.kind is PassageKind.REWORDED
    assert explained(" ".join(words), " ".join(others)).summary.startswith("74.6% of the words")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_there_are_two_to_five_reasons(language):
    for pair in (*PAIRS.values(), (FLOWERS, REWORDED_FLOWERS)):
        explanation = explained(*pair, thesaurus=load_thesaurus("starter"), language=language)
        assert 2 <= len(explanation.reasons) <= 5
        assert "\n" not in explanation.summary


def test_that_a_passage_has_one_length_and_no_excluded_sentence_in_its_longest_run():
    left, right = chinese(METRO), chinese(METRO).replace("地铁", "轻轨", 1)
    whole = compare_texts(left, right)
    # in the longest run, which the two texts begin to share after the first words
    left_out = tuple(left_out_sentence(whole.left, sentence) for sentence in (1, 2))
    comparison = compare_texts(left, right, replace(DEFAULT_SETTINGS, left_out=left_out))
    [passage], [before] = numbered_passages(comparison), numbered_passages(whole)
    excluded = sum(whole.left.prepared.sentence_lengths[sentence] for sentence in (1, 2))
    assert (passage.left, passage.units) == (before.left, before.units - excluded)
    explanation = explain_passage(comparison, numbered_passages(comparison), 0, None)
    assert explanation.reasons[0].startswith(f"Shorter side: {passage.units} characters. ")
    text = whole.left.document.text
    quoted = re.search("“(.*?)…?”", explanation.reasons[0])[1]
    for sentence in (1, 2):
        assert whole.left.prepared.sentence_span(sentence).of(text)[:6] not in quoted
    longest = max(int(units) for units in re.findall(r"(\d+) characters", explanation.reasons[0])[1:])
    assert longest <= passage.units
