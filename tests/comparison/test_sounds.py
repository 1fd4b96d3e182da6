"""Texts whose words are broken up, by homophones or by shuffled characters, are compared by sound."""

import random
import re

import pytest
from pypinyin import lazy_pinyin

from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import compare_texts, document_of, own_texts

ESSAYS = [essay for essay in own_texts() if len(essay) > 300][:4]
SOUNDS = "的地得底一以已意易他她它塌是事市试在再载载有又右友我窝不步布部了乐人任认仁这着者个各阁上尚到道倒"
SOUNDS += "大打达来莱时石实食十要药会回惠汇里理力利立去取趣好号毫家加嘉价看刊砍说硕所索过果国天田填水谁睡"
SOUNDS += "小校晓笑老劳牢年念桥乔瞧河和何盒村春存边编便变子自字紫多夺生声升省爷夜业叶心新信想向香像"


def with_homophones(text: str) -> str:
    """Exchange the characters that have a homophone in SOUNDS for the next one."""
    by_sound: dict[str, list[str]] = {}
    for character in SOUNDS:
        by_sound.setdefault(lazy_pinyin(character)[0], []).append(character)

    def exchanged(character: str) -> str:
        others = [c for c in by_sound.get(lazy_pinyin(character)[0], []) if c != character]
        return others[0] if others else character

    return "".join(map(exchanged, text))


def shuffled(text: str) -> str:
    draw = random.Random(7)
    parts = [list(part) for line in text.split("\n") for part in [*re.findall(".{1,8}", line), "\n"]]
    for part in parts:
        draw.shuffle(part)
    return "".join(c for part in parts for c in part)


def is_broken(text: str) -> bool:
    return prepare(document_of(text)).has_broken_words


@pytest.mark.parametrize("essay", ESSAYS)
def test_that_an_essay_has_no_broken_words(essay):
    assert not is_broken(essay)


@pytest.mark.parametrize("essay", ESSAYS)
def test_that_an_essay_with_many_foreign_words_has_no_broken_words(essay):
    words = re.findall("[a-z]+", " ".join(own_texts("en")[0].lower().split()))
    mixed = "".join(f"{essay[n : n + 12]} {words[n % len(words)]} {n} " for n in range(0, len(essay), 12))
    text = prepare(document_of(mixed))
    assert text.is_mostly_chinese
    assert not text.has_broken_words


@pytest.mark.parametrize("disguise", [with_homophones, shuffled])
@pytest.mark.parametrize("essay", ESSAYS)
def test_that_a_disguised_essay_is_found_in_its_source_and_in_no_other(essay, disguise):
    copy = disguise(essay)
    assert is_broken(copy)
    comparison = compare_texts(copy.splitlines(), essay.splitlines(), ComparisonSettings())
    assert comparison.share.left_in_right.raw > 0.8
    for other in ESSAYS:
        if other != essay:
            assert not compare_texts(copy.splitlines(), other.splitlines(), ComparisonSettings()).passages


def test_that_the_explanation_says_that_the_sound_was_compared():
    comparison = compare_texts(shuffled(ESSAYS[0]).splitlines(), ESSAYS[0].splitlines(), ComparisonSettings())
    passages = numbered_passages(comparison)
    explanation = explain_passage(comparison, passages, 0, None)
    assert any("sound of the characters" in reason for reason in explanation.reasons)


def test_that_a_short_text_is_never_compared_by_sound():
    assert not is_broken("乔会硕华，只式硕得狠曼。")
