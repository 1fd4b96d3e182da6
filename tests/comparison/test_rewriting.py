"""Passages that say the same in other words, found by the meaning of their sentences."""

import re
from dataclasses import replace

import numpy as np
import pytest

from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passage, Passages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.comparison.passages.rewriting import chance_of, rewritten_passages
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.document import Span
from simcompare.model.errors import MeaningModelMissingError
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.report.wording import shares_in_sentences
from simcompare.text import sentence_meaning
from tests.cohort.test_pair_scores import scores_of
from tests.helpers.documents import document_of, prepared_text_document
from tests.helpers.rewordings import topics

WITH_MEANING = ComparisonSettings(meaning=True)
BEES = (
    "My grandmother kept bees behind the old schoolhouse. Every spring she painted the hives blue, "
    "because she believed that bees remember the colour of their home. When I was nine, she let me hold"
    " a frame for the first time. I could feel the whole family humming through the wood into my hands."
    " She told me never to breathe on them, because our breath tells them that a bear has come. In the "
    "autumn we carried the honey to the market in two tin buckets. The money paid for my winter boots "
    "and for the coal.\n\nThe schoolhouse itself burned down later, in the year of the great drought. "
    "People said that a spark from a passing train had caught the dry grass. We watched the roof fall "
    "in from the hill above the river."
)
RIVER = (
    "说到家乡，我最先想到的是那条穿过镇子的小河。河边有一排老柳树，夏天的傍晚，大人们搬出竹椅在树下乘凉。孩子们在浅水里"
    "摸螺蛳，谁也不肯先回家。"
)
BEES_IN_CHINESE = (
    "每到春天，祖母都把蜂箱漆成蓝色，因为她相信蜜蜂记得家的颜色。我九岁那年，她头一次让我拿住一块巢框。我能感到整个蜂群的"
    "嗡嗡声透过木头传到手心里。她叮嘱我千万别对着它们呼气，因为人的气息会让它们以为熊来了。秋天，我们用两只铁皮桶把蜂蜜挑"
    "到集市上去卖。卖蜜的钱给我买了过冬的靴子，还买了煤。"
)
BRIDGE = (
    "后来我到城里读书，很少再回镇上。去年国庆节回去，河水变窄了，柳树也只剩下三棵。邻居告诉我，镇上要修一座新桥，路会从"
    "老街中间穿过去。我站在岸边拍了几张照片，心里说不清是高兴还是难过。"
)


def prepared(text):
    return prepare_document(document_of(text), "improved", meaning=True)


def compared(left, right, settings=WITH_MEANING):
    return compare(prepared(left), prepared(right), settings, None)


def rewritten(comparison):
    return [passage for passage in comparison.passages if passage.is_rewritten]


def overlap(first, second):
    return max(min(first.end, second.end) - max(first.start, second.start), 0)


@pytest.fixture(scope="module")
def topic_by_language():
    """A topic of each language of which no rewording is found by its words."""
    return {"zh": list(topics("zh"))[4], "en": list(topics("en"))[3]}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("strength", ["medium", "strong"])
def test_that_a_rewording_is_found_and_never_counts(topic_by_language, language, strength):
    topic = topic_by_language[language]
    text, planted = topic.planted(strength)
    comparison = compared(topic.source, text)
    found = rewritten(comparison)
    assert found
    inside = sum(overlap(passage.right, planted) for passage in found)
    assert inside > 0.6 * len(planted)
    assert inside > 0.8 * sum(len(passage.right) for passage in found)
    by_words = compared(topic.source, text, ComparisonSettings())
    assert not rewritten(by_words)
    assert comparison.share == by_words.share
    kinds = numbered_passages(comparison).kinds.tolist()
    assert kinds.count(PASSAGE_KINDS.index(PassageKind.MEANING)) == len(found)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_the_answer_of_another_student_is_not_flagged(topic_by_language, language):
    topic = topic_by_language[language]
    assert not len(compared(topic.source, topic.other).passages)


def test_that_a_translation_is_found_in_both_directions():
    text = "\n\n".join([RIVER, BEES_IN_CHINESE, BRIDGE])
    start = prepared(text).document.text.index(BEES_IN_CHINESE)
    there, back = compared(BEES, text), compared(text, BEES)
    [passage] = rewritten(there)
    assert passage.right == Span(start, start + len(BEES_IN_CHINESE))
    assert passage.left == Span(0, BEES.index("\n\n"))
    assert [(each.right, each.left) for each in rewritten(back)] == [(passage.left, passage.right)]
    assert there.share.left_in_right.raw == 0
    assert not len(compared(BEES, "\n\n".join([RIVER, BRIDGE])).passages)


def test_that_it_is_not_said_to_be_a_quotation():
    quoted = "As Carr (2010) writes, “the old bridge speaks, but only slowly, and only a few ever listen.”"
    pair = compared(f"{BEES}\n{quoted}", f"{BEES_IN_CHINESE}\n{quoted}")
    words = " ".join(shares_in_sentences(pair, None))
    left, right = pair.names
    found = f"96 words of “{left}”, 130 characters of “{right}” (not counted in the shares)."
    assert words.startswith(f"1 passage is possibly rewritten: {found}")
    counted = compared(f"{RIVER}\n\n{BEES}", f"{RIVER}\n\n{BEES_IN_CHINESE}")
    share, also = shares_in_sentences(counted, None)
    assert "is also in" in share
    assert also.startswith("1 more passage is possibly rewritten: 96 words of “")
    assert shares_in_sentences(counted, None, counted.passages.is_rewritten) == [share]
    assert (
        "In wording, they have only excluded text in common: " in words
    )  # not all that the texts have in common
    assert re.findall(r"(\d+) words \(quotation\)", words) == ["17"]


def test_that_other_thresholds_keep_it_and_a_search_without_meaning_drops_it():
    comparison = compared(BEES, BEES_IN_CHINESE + "\n\n" + BRIDGE)
    assert rewritten(comparison)
    again = reclassify(comparison, replace(WITH_MEANING, similar_weight=0.3, minimum_units=9))
    assert again.passages == comparison.passages


def with_vectors(text, vectors):
    document = prepared_text_document(*text.split("\n"))
    assert document.prepared.sentence_count == len(vectors)
    return replace(document.prepared, meanings=np.array(vectors, np.float16))


def sentences(first, count):
    return " ".join(f"Stone number {first + number} stands by the wall." for number in range(count))


def unit_vectors(count, seed, dimensions=512):
    vectors = np.random.default_rng(seed).normal(size=(count, dimensions))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def near(vectors, seed, noise=0.8):
    mixed = vectors + noise * unit_vectors(len(vectors), seed)
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def test_that_sections_beside_each_other_are_one_passage_and_a_single_pair_is_none():
    source = unit_vectors(20, 1)
    other = np.concatenate([unit_vectors(5, 2), near(source[3:15], 3), unit_vectors(5, 4)])
    left, right = with_vectors(sentences(0, 20), source), with_vectors(sentences(40, 22), other)
    [passage] = rewritten_passages(left, right, NO_PASSAGES)
    assert passage.left == Span(int(left.sentence_spans[3, 0]), int(left.sentence_spans[14, 1]))
    assert passage.right == Span(int(right.sentence_spans[5, 0]), int(right.sentence_spans[16, 1]))
    assert passage.evidence > 4
    alone = np.concatenate([unit_vectors(5, 2), source[3:4], unit_vectors(16, 4)])
    assert not len(rewritten_passages(left, with_vectors(sentences(40, 22), alone), NO_PASSAGES))


def test_that_title_and_name_above_the_texts_are_no_evidence():
    lines = "The person I cannot forget\nClass three of the second grade: {name}\n"
    common = unit_vectors(3, 5)  # title, name and class, and a beginning as many have it
    found = []
    for above in (lines, lines.replace("\n", ". ")):
        left, right = (
            with_vectors(
                above.format(name=name) + sentences(first, 12),
                np.concatenate([near(common, seed, 0.3), unit_vectors(11, seed + 10)]),
            )
            for name, first, seed in (("Ann Lee", 0, 1), ("Tom Reed", 40, 2))
        )
        found.append(len(rewritten_passages(left, right, NO_PASSAGES)))
    assert found == [0, 1], "in the text itself they are"


@pytest.mark.parametrize(("gap", "count"), [(2, 1), (3, 2)])
def test_that_a_passage_goes_on_over_a_gap_of_two_sentences(gap, count):
    source = unit_vectors(24, 1)
    other = np.concatenate([near(source[3:9], 3), unit_vectors(gap, 2), near(source[9 + gap : 15 + gap], 4)])
    left, right = with_vectors(sentences(0, 24), source), with_vectors(sentences(40, 12 + gap), other)
    found = rewritten_passages(left, right, NO_PASSAGES)
    assert len(found) == count
    assert found.left_spans[[0, -1], [0, 1]].tolist() == left.sentence_spans[[3, 14 + gap], [0, 1]].tolist()


@pytest.mark.parametrize(("gap", "count"), [(1, 1), (6, 0)])
def test_that_weak_parts_are_a_passage_only_beside_each_other(gap, count):
    source = unit_vectors(30, 1)
    weak = [near(source[first : first + 3], first, noise=3.8) for first in (3, 6 + gap)]
    other = np.concatenate([unit_vectors(5, 2), weak[0], unit_vectors(gap, 5), weak[1], unit_vectors(5, 4)])
    left, right = with_vectors(sentences(0, 30), source), with_vectors(sentences(40, 16 + gap), other)
    assert len(rewritten_passages(left, right, NO_PASSAGES)) == count


def test_that_a_translation_goes_on_over_what_both_languages_write_alike():
    source = unit_vectors(20, 1)
    other = np.concatenate([unit_vectors(5, 2), near(source[3:15], 3), unit_vectors(5, 4)])
    left = with_vectors(sentences(0, 20), source)
    chinese = with_vectors("".join(f"第{number}块石头立在墙边。" for number in range(22)), other)
    english = with_vectors(sentences(40, 22), other)
    for right, count in ((chinese, 1), (english, 2)):
        own, others = left.sentence_spans, right.sentence_spans
        alike = Passage(Span(int(own[7, 0]), int(own[10, 1])), Span(int(others[9, 0]), int(others[12, 1])))
        found = rewritten_passages(left, right, Passages.of([alike]))
        assert len(found) == count
        assert found.left_spans[[0, -1], [0, 1]].tolist() == own[[3, 14], [0, 1]].tolist()
        assert found.right_spans[[0, -1], [0, 1]].tolist() == others[[5, 16], [0, 1]].tolist()
    whole = rewritten_passages(left, chinese, NO_PASSAGES)[0]
    assert not len(rewritten_passages(left, chinese, Passages.of([replace(whole, evidence=0.0)])))


def test_that_sentences_like_all_others_of_their_own_text_prove_nothing_in_one_language():
    shared, own = unit_vectors(12, 1), unit_vectors(24, 2)
    scattered, alike = own, np.repeat(own[[0, 12]], 12, axis=0)
    counts = []
    for theirs in (scattered, alike):
        vectors = [shared + 1.5 * each for each in (theirs[:12], theirs[12:])]
        left, right = ([row / np.linalg.norm(row) for row in each] for each in vectors)
        english = with_vectors(sentences(0, 12), left)
        chinese = "".join(f"第{number}块石头立在墙边。" for number in range(12))
        counts += [
            len(rewritten_passages(english, with_vectors(text, right), NO_PASSAGES))
            for text in (sentences(40, 12), chinese)
        ]
    assert counts == [1, 1, 0, 1]


def test_that_moved_sentences_are_found_and_a_copy_is_not_found_again():
    source = unit_vectors(16, 1)
    moved = near(source[[6, 3, 5, 2, 4]], 3)
    other = np.concatenate([unit_vectors(6, 2), moved, unit_vectors(6, 4)])
    left, right = with_vectors(sentences(0, 16), source), with_vectors(sentences(40, 17), other)
    [passage] = rewritten_passages(left, right, NO_PASSAGES)
    assert passage.left == Span(int(left.sentence_spans[2, 0]), int(left.sentence_spans[6, 1]))
    assert not len(rewritten_passages(left, right, Passages.of([Passage(passage.left, passage.right)])))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_that_texts_of_less_than_three_sentences_have_none(count):
    vectors = unit_vectors(max(count, 1), 1)
    short = with_vectors(sentences(0, max(count, 1)), vectors).with_sentences(
        np.arange(max(count, 1)) < count
    )
    long = with_vectors(sentences(40, 8), unit_vectors(8, 1))
    assert not len(rewritten_passages(short, long, NO_PASSAGES))
    assert not len(rewritten_passages(long, short, NO_PASSAGES))


def test_that_only_much_evidence_counts_in_a_class():
    left, right = prepared(BEES), prepared("\n\n".join([RIVER, BEES_IN_CHINESE, BRIDGE]))
    scores = scores_of(left, right, WITH_MEANING)
    [passage] = scores.detected_passages
    classifier = PairClassifier(WITH_MEANING, ExclusionCandidateCache(None, "none"))
    summary = classifier.classify(left, right, scores)
    assert (summary.rewritten_units > 80, summary.longest_passage_units, summary.left_in_right) == (
        True,
        0,
        0,
    )
    weak = Passages.of([replace(passage, evidence=1.05)])
    assert classifier.classify(left, right, replace(scores, detected_passages=weak)).rewritten_units == 0
    assert chance_of(1.0) == 0.003 > chance_of(1.3) > chance_of(passage.evidence)


def test_that_a_missing_model_is_named(monkeypatch):
    def refuse(*_arguments):
        raise ImportError

    sentence_meaning._encoder.cache_clear()
    monkeypatch.setattr("builtins.__import__", refuse)
    with pytest.raises(MeaningModelMissingError):
        sentence_meaning.sentence_meanings(["雾锁石桥。"])
    monkeypatch.undo()
    sentence_meaning._encoder.cache_clear()


def test_that_a_prompt_in_it_changes_no_share(topic_by_language):
    topic = topic_by_language["en"]
    text, _planted = topic.planted("medium")
    documents = prepared(topic.source), prepared(text)
    spans = documents[0].prepared.sentence_spans
    for start, end in spans[3:9].tolist():
        prompt = prepared(documents[0].document.text[start:end]).prepared
        by_words, by_meaning = (
            compare(*documents, replace(settings, prompt="prompt.txt"), None, prompt=prompt)
            for settings in (ComparisonSettings(), WITH_MEANING)
        )
        assert by_meaning.share == by_words.share
        assert rewritten(by_meaning)


def test_that_a_matched_sentence_in_it_is_listed_beside_it(topic_by_language):
    topic = topic_by_language["en"]
    text, planted = topic.planted("medium")
    sentence = prepared(topic.source).document.text[slice(*prepared(topic.source).prepared.sentence_spans[5])]
    middle = text.index(". ", planted.start + len(planted) // 2) + 2
    by_words, by_meaning = (
        numbered_passages(compared(topic.source, text[:middle] + sentence + " " + text[middle:], settings))
        for settings in (ComparisonSettings(), WITH_MEANING)
    )
    others = by_meaning.kinds != PASSAGE_KINDS.index(PassageKind.MEANING)
    assert by_words.left_spans.tolist() == by_meaning.left_spans[others].tolist()
    assert len(by_words) == 1 < len(by_meaning)


def test_that_a_whole_translation_is_one_passage():
    source = unit_vectors(600, 1)
    left = with_vectors(sentences(0, 600), source)
    right = with_vectors(sentences(900, 600), near(source, 2))
    [passage] = rewritten_passages(left, right, NO_PASSAGES)
    assert len(passage.left) > 0.99 * left.sentence_spans[-1, 1]


def test_that_passages_of_matches_are_not_searched_by_meaning():
    assert not replace(PRESETS["paper"], meaning=True).meaning
