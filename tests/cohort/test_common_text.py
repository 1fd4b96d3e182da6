"""Sentences common to a class: found in its essays, left out of the shares; what a group shares is not."""

import random
import tracemalloc

import numpy as np
import pytest

from simcompare.cohort.class_check import documents_of_common_text
from simcompare.cohort.common_text import CommonText, find_common_text
from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier
from simcompare.comparison.compare_documents import compare, exclusion_candidates_of, reclassify
from simcompare.comparison.comparison_result import ExclusionReason, PairShares
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import ComparisonSettings
from tests.helpers.documents import own_texts, prepared_text_document, scores_of, unrelated_essays

STUDENTS = 20
DEFAULTS = ComparisonSettings()
TEMPLATE = (
    "题目：写一次难忘的远足，不少于六百字。",
    "要求：叙事完整，语言通顺，不得抄袭。",
    "本人保证这篇作文由我独立完成，没有请人代写。",
)
SURNAMES = "王李张刘陈杨赵黄周吴徐孙马朱胡郭何高林罗"


def essays(*first: str) -> list[list[str]]:
    """Essays of the class that begin with these sentences and have nothing else in common."""
    return [[*first, *own] for own in unrelated_essays(STUDENTS, 7)]


def documents_of(texts: list[list[str]]) -> list[PreparedDocument]:
    return [prepared_text_document(*sentences) for sentences in texts]


def common_of(texts: list[list[str]], share: float = 0.4) -> CommonText:
    return find_common_text(documents_of(texts), range(len(texts)), share)


def texts_of(common: CommonText) -> list[str]:
    return [sentence.text for sentence in common.sentences]


def shares_of(
    texts: list[list[str]], left: int, right: int, settings: ComparisonSettings = DEFAULTS
) -> PairShares:
    """Shares of a pair as the class has them, which are those of its comparison."""
    documents = documents_of(texts)
    found = find_common_text(documents, range(len(texts)), settings.common_share).by_text(documents)
    classifier = PairClassifier(settings, ExclusionCandidateCache(None, "none", found))
    pair = documents[left], documents[right]
    scores = scores_of(*pair, settings)
    summary = classifier.classify(*pair, scores)
    candidates = exclusion_candidates_of(*pair, None, None, tuple(found[text.prepared] for text in pair))
    comparison = reclassify(compare(*pair, settings, None), settings, candidates)
    assert (comparison.share, len(comparison.matches)) == (summary.share, summary.matches)
    return summary.share


def test_that_the_lines_of_a_template_are_common_and_nothing_else() -> None:
    common = common_of(essays(*TEMPLATE))
    assert texts_of(common) == list(TEMPLATE)
    assert {sentence.documents for sentence in common.sentences} == {tuple(range(STUDENTS))}
    for numbers in common.numbers:
        assert (numbers[:3].tolist(), numbers[3:].max()) == ([0, 1, 2], -1)


def test_that_a_class_without_common_text_has_none() -> None:
    assert common_of(essays()).sentences == ()


def test_that_filled_in_names_and_other_numbers_are_small_variations() -> None:
    texts = [
        [
            f"姓名：{surname}小明",
            f"学号：{2025 + place}",
            "班级：高一（5）班",
            f"第{place}次记录表",
            *essay,
        ]
        for place, (surname, essay) in enumerate(zip(SURNAMES, essays(), strict=True))
    ]
    found = texts_of(common_of(texts))
    assert found == ["姓名：…", "学号：…", "班级：高一（5）班", "第0次记录表"]


def test_that_a_changed_wording_is_left_out_too_and_the_most_frequent_one_is_shown() -> None:
    texts = essays(*TEMPLATE)
    texts[0][1] = "要求：叙事完整，语言流畅，不得抄袭。"
    common = common_of(texts)
    assert texts_of(common) == list(TEMPLATE)
    assert common.numbers[0].tolist()[:3] == [0, 1, 2]


def test_that_lines_cut_or_joined_by_another_format_are_common_too() -> None:
    texts = essays(*TEMPLATE)
    texts[0][:2] = [TEMPLATE[0][:-1] + TEMPLATE[1]]
    texts[1][:1] = [TEMPLATE[0][:9], TEMPLATE[0][9:]]
    texts[2].insert(3, "老师要求我们叙事完整，所以我从清晨出发的时候写起。")
    common = common_of(texts)
    assert set(texts_of(common)) == set(TEMPLATE)
    assert [(numbers >= 0).sum() for numbers in common.numbers[:4]] == [2, 4, 3, 3]


def test_that_a_sentence_in_fewer_essays_than_asked_for_is_not_common() -> None:
    story = "我们沿着山路慢慢地走，谁也没有说话，只听见风吹过松林。"
    texts = [[story, *essay] if place < 9 else essay for place, essay in enumerate(essays())]
    assert texts_of(common_of(texts, share=0.4)) == [story]
    assert texts_of(common_of(texts, share=0.5)) == []


@pytest.mark.parametrize("copiers", [3, 9, 12])
def test_that_text_shared_only_by_a_group_of_similar_essays_is_not_common(copiers: int) -> None:
    texts = essays(*TEMPLATE)
    copied = texts[0][3:9]
    for place in range(1, copiers):
        texts[place][3:9] = copied
    assert texts_of(common_of(texts)) == list(TEMPLATE)
    share = shares_of(texts, 1, 2).left_in_right.after_exclusions
    assert share is not None
    assert share > 0.7


@pytest.mark.parametrize("same", [2, 9, 19])
def test_that_identical_essays_stay_wholly_similar(same: int) -> None:
    texts = essays(*TEMPLATE)
    texts[:same] = [texts[0]] * same
    shares = shares_of(texts, 0, 1)
    assert (shares.left_in_right.after_exclusions, shares.right_in_left.after_exclusions) == (1.0, 1.0)


def test_that_a_blank_form_has_no_share() -> None:
    texts = essays(*TEMPLATE)
    texts[0] = texts[1] = list(TEMPLATE)
    assert texts_of(common_of(texts)) == list(TEMPLATE)
    assert shares_of(texts, 0, 1).left_in_right.after_exclusions is None


@pytest.mark.parametrize(("own", "is_common"), [(8, False), (15, True)])
def test_that_forms_with_less_than_a_tenth_filled_in_count_once(own: int, is_common: bool) -> None:
    form = "A" + " b" * (99 - own) + "."
    texts = [[form, letter.upper() + f" {letter}" * (own - 1) + "."] for letter in "cdefgh"]
    assert texts_of(common_of(texts)) == [form] * is_common


def test_that_unrelated_essays_on_a_template_share_nothing() -> None:
    texts = essays(*TEMPLATE)
    assert shares_of(texts, 0, 1).left_in_right.after_exclusions == 0
    counted = shares_of(texts, 0, 1, ComparisonSettings(exclude_common=False)).left_in_right
    assert counted.after_exclusions == counted.raw > 0.1


def test_that_a_common_sentence_is_put_back_by_its_digest() -> None:
    texts = essays(*TEMPLATE)
    first = common_of(texts).sentences[0]
    documents = documents_of(texts[:2])
    digests = tuple(common_of(texts).by_text(documents_of(texts)).values())[:2]
    candidates = exclusion_candidates_of(documents[0], documents[1], None, None, digests)
    settings = ComparisonSettings(counted_common=(first.digest,))
    comparison = reclassify(compare(*documents, settings, None), settings, candidates)
    assert comparison.left_excluded.sentences() == [(i, ExclusionReason.COMMON) for i in (1, 2)]
    assert [comparison.matches[i].left for i in range(len(comparison.matches))] == [0]


def test_that_drafts_and_old_work_do_not_count_and_are_searched() -> None:
    texts = essays(*TEMPLATE)
    drafts = [[*essay, "老师改过的这一句只在初稿里出现过。"] for essay in texts]
    documents = documents_of(texts + drafts)
    common = find_common_text(documents, range(STUDENTS))
    assert texts_of(common) == list(TEMPLATE)
    assert common.sentences[0].documents == tuple(range(2 * STUDENTS))


def test_that_of_a_few_essays_only_equal_lines_of_a_form_are_common() -> None:
    story = "我们沿着山路慢慢地走，谁也没有说话，只听见风吹过松林。"
    assert texts_of(common_of(essays(*TEMPLATE, story)[:4])) == list(TEMPLATE)
    two = common_of(essays(*TEMPLATE, story)[:2])
    assert {sentence.documents for sentence in two.sentences} == {(0, 1)}
    assert [numbers.tolist()[:4] for numbers in two.numbers] == [[0, 1, 2, -1]] * 2
    assert texts_of(common_of(essays(*TEMPLATE)[:5])) == list(TEMPLATE)
    assert common_of([]).numbers == ()


def test_that_a_form_that_two_of_a_class_have_is_left_out_as_in_a_single_pair() -> None:
    texts = essays()
    texts[3], texts[8] = [*TEMPLATE, *texts[3]], [*TEMPLATE, *texts[8]]
    common = common_of(texts)
    assert texts_of(common) == list(TEMPLATE)
    assert {sentence.documents for sentence in common.sentences} == {(3, 8)}
    assert shares_of(texts, 3, 8).left_in_right.after_exclusions == 0
    texts = essays(TEMPLATE[0])
    texts[3], texts[8] = [TEMPLATE[0], *TEMPLATE[1:], *texts[3][1:]], [*TEMPLATE, *texts[8][1:]]
    assert [sentence.documents for sentence in common_of(texts).sentences] == [
        tuple(range(STUDENTS)), (3, 8), (3, 8),
    ]  # fmt: skip


def test_that_equal_lines_of_a_form_are_common_in_a_small_class_with_copies() -> None:
    texts = [[*TEMPLATE, *own] for own in unrelated_essays(6, 7)]
    texts[1][4:], texts[3][4:] = texts[0][4:], texts[2][4:]
    assert texts_of(common_of(texts)) == list(TEMPLATE)


def test_that_the_order_of_the_documents_does_not_matter() -> None:
    texts = essays(*TEMPLATE)
    for place in range(8):
        texts[place][2] = TEMPLATE[2].replace("独立", "自己")
        texts[place].append("我们小组五个人讨论过。" if place < 4 else "谢谢老师的耐心批改！")
    found, reversed_found = common_of(texts), common_of(texts[::-1])
    assert sorted(texts_of(found)) == sorted(texts_of(reversed_found)) == sorted(TEMPLATE)
    assert {each.digest for each in found.sentences} == {each.digest for each in reversed_found.sentences}


def test_that_the_texts_of_one_essay_alone_take_no_memory_for_every_other_essay() -> None:
    letters, maker = "".join("".join(own_texts()).split()), random.Random(1)
    own = ["".join(maker.choices(letters, k=12)) + "。" for _sentence in range(500 * 10)]
    documents = documents_of([[TEMPLATE[0], *own[start : start + 10]] for start in range(0, len(own), 10)])
    tracemalloc.start()
    try:
        assert texts_of(find_common_text(documents, range(500))) == [TEMPLATE[0]]
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 20_000_000


def test_that_lines_of_a_form_in_an_essay_and_its_draft_alone_are_not_common():
    form = "Instructions: Write at least 300 words."
    documents = documents_of([[form, "It was high."], [form, "It was low."], ["A shop stood there."]])
    assert texts_of(find_common_text(documents, [0, 2])) == [form]
    assert not texts_of(find_common_text(documents, [0, 2], uncompared=[1]))


@pytest.mark.parametrize(("own", "is_template"), [(9, True), (15, False)])
def test_that_a_document_with_less_than_a_tenth_of_its_own_text_has_only_the_common_text(
    own: int, is_template: bool
):
    document = prepared_text_document("a" + " b" * (99 - own) + ".", "C" + " d" * (own - 1) + ".")
    assert document.prepared.sentence_lengths.tolist() == [100 - own, own]
    by_text = {document.prepared: np.array(["digest", ""])}
    assert documents_of_common_text({0: document}, by_text, ()) == [0] * is_template
