"""Quotations that two texts have from one source, and dialogue that one text has from the other."""

from dataclasses import replace

import numpy as np
import pytest

from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier
from simcompare.comparison.compare_documents import compare, reclassify
from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.decided_shares import shares_after_decisions
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import compare_texts, prepared_text_document, scores_of

OWN = [
    "石桥下面的水在夏天总是很浅，我们常常卷起裤腿去摸田螺。",
    "爷爷坐在桥头的石狮子旁边，一边编竹篮一边看着我们。",
    "傍晚的风从稻田那边吹过来，带着一股新割的青草的味道。",
]
OTHER = [
    "学校组织我们参观了市里新建的科技馆，展厅里摆满了各种机器人。",
    "讲解员让每个小组自己设计一个实验，我们选了水力发电。",
    "回来的车上，大家都在讨论明年要不要参加航模比赛。",
]
DIALOGUE = [
    "“那一年的洪水把半个村子都冲走了，我抱着门板在水里漂了一天一夜，天亮的时候才被人捞起来。”",
    "“后来大家凑钱修了这座桥，石头是一块一块从山上背下来的，整整修了两个冬天。”",
]
POEM = "“床前明月光，疑是地上霜。举头望明月，低头思故乡。”"
LEAD = "说到思念家乡的诗，每个人都会想起李白。"


def text_of(*sentences: str) -> list[str]:
    return ["".join(sentences)]


def told(own: list[str]) -> list[str]:
    return text_of(own[0], DIALOGUE[0], own[1], DIALOGUE[1], own[2])


@pytest.mark.parametrize("preset", PRESETS)
def test_that_dialogue_copied_with_the_text_around_it_counts(preset):
    comparison = compare_texts(told(OWN), told(OWN), PRESETS[preset])
    assert not comparison.left_excluded.sentences()
    assert not comparison.right_excluded.sentences()


def test_that_a_narrated_story_copied_but_for_its_end_counts_with_its_dialogue():
    copy = text_of(*told(OWN), OTHER[0])
    comparison = compare_texts(copy, text_of(OTHER[2], *told(OWN)), ComparisonSettings())
    share = comparison.share.left_in_right
    assert share.after_exclusions == share.raw > 0.8


@pytest.mark.parametrize("preset", PRESETS)
def test_that_nothing_of_earlier_work_counts_if_an_essay_only_quotes_it(preset):
    earlier, quotation = text_of(*OWN), f"“{''.join(OWN)}”"
    essay = [OTHER[0], "王小明在《石桥》里写道：", quotation, OTHER[1]]
    settings = PRESETS[preset]
    between_students = compare_texts(earlier, essay, settings).share
    assert between_students.left_in_right.after_exclusions > 0.5
    assert between_students.right_in_left.after_exclusions == 0.0

    sides = [prepared_text_document(*text) for text in (earlier, essay)]
    comparison = compare(sides[0].as_source(), sides[1], settings, load_thesaurus(settings.thesaurus))
    assert (comparison.share.left_in_right.raw, comparison.share.left_in_right.after_exclusions) == (
        between_students.left_in_right.raw,
        0.0,
    )
    passages = numbered_passages(comparison)
    assert len(passages) == 1, "it is shown, with what is said of its source"
    nothing = np.zeros(len(comparison.matches), np.bool_)
    decided = shares_after_decisions(comparison, passages, nothing, np.array([False]))
    assert decided == (0.0, 0.0)
    copied = compare(
        sides[0].as_source(), prepared_text_document(*text_of(*OWN, OTHER[0])), settings, None
    ).share
    assert copied.left_in_right.after_exclusions > 0.9


def test_that_nothing_of_earlier_work_counts_if_what_an_essay_copied_of_it_is_of_no_concern():
    cranes = [f"码头上的吊车把第{number}个集装箱放到了船上，工人们收起了缆绳。" for number in "一二三四五六"]
    walks = [f"第{number}天我们在山里走了很远的路，数了{number}座桥。" for number in "一二三四五六"]
    earlier = prepared_text_document("".join(OWN), *cranes, "".join(OTHER)).as_source()
    quoting = ("王小明在《石桥》里写道：", f"“{''.join(OWN)}”")
    essay = prepared_text_document("".join(OTHER), *walks, *quoting)
    for left, right in ((earlier, essay), (essay, earlier)):
        comparison = compare(left, right, ComparisonSettings(), None)
        shares = comparison.share.left_in_right, comparison.share.right_in_left
        assert all(share.after_exclusions > 0.2 for share in shares), "of the source as well"
        passages, copied = numbered_passages(comparison), len(OTHER)
        is_closed = np.arange(len(passages)) == (0 if left is essay else 1)
        is_fine = np.isin(np.arange(len(comparison.matches)), passages.matches_of(int(is_closed.argmax())))
        assert is_fine.sum() == copied
        assert shares_after_decisions(comparison, passages, is_fine, is_closed) == (0.0, 0.0)


def test_that_a_source_that_both_quote_in_their_own_words_stays_excluded():
    left, right = text_of(OWN[0], POEM, OWN[1], OWN[2]), text_of(OTHER[0], OTHER[1], POEM, OTHER[2])
    comparison = compare_texts(left, right, ComparisonSettings())
    reasons = {reason for _sentence, reason in comparison.left_excluded.sentences()}
    assert reasons == {ExclusionReason.QUOTATION}
    assert comparison.share.left_in_right.after_exclusions == 0.0
    assert comparison.share.right_in_left.after_exclusions == 0.0


def test_that_a_quotation_stays_excluded_if_only_the_words_that_lead_to_it_are_the_same():
    for lead in (LEAD, f"{LEAD}他在《静夜思》里写道："):
        left, right = text_of(OWN[0], lead, POEM, OWN[1]), text_of(OTHER[0], lead, POEM, OTHER[1])
        comparison = compare_texts(left, right, ComparisonSettings())
        assert comparison.left_excluded.sentences()
        assert comparison.right_excluded.sentences()


def test_that_a_quotation_stays_excluded_beside_text_that_is_copied_elsewhere():
    apart = [f"第{number}天我们在山里走了很远的路，数了{number}座桥。" for number in "一二三四五"]
    left = text_of(*OWN, *apart, POEM, OTHER[0])
    right = text_of(POEM, OTHER[1], OTHER[2], "图书馆的猫睡着了，谁也没有去叫醒它。", *OWN)
    comparison = compare_texts(left, right, ComparisonSettings())
    assert comparison.left_excluded.sentences()
    assert comparison.right_excluded.sentences()


def test_that_dialogue_taken_over_without_its_marks_counts_in_the_copy_only():
    unmarked = DIALOGUE[0].strip("“”")
    left, right = told(OWN), text_of(OTHER[0], unmarked, OTHER[1])
    comparison = compare_texts(left, right, ComparisonSettings())
    assert comparison.share.left_in_right.after_exclusions == 0.0
    share = comparison.share.right_in_left
    assert share.after_exclusions == share.raw > 0.3


def test_that_a_copied_quotation_which_is_short_too_stays_excluded():
    text = text_of(OWN[0], "“石头还记得洪水。”", OWN[1])
    comparison = compare_texts(text, text, replace(ComparisonSettings(), minimum_units=8))
    assert comparison.left_excluded.sentences() == [(1, ExclusionReason.SHORT)]


@pytest.mark.parametrize("other", [told(OWN), text_of(OTHER[0], *told(OWN)), text_of(POEM, OTHER[1])])
def test_that_the_table_of_pairs_has_the_figures_of_the_comparison(other):
    settings = ComparisonSettings()
    left, right = prepared_text_document(*told(OWN)), prepared_text_document(*other)
    scores = scores_of(left, right, settings)
    summary = PairClassifier(settings, ExclusionCandidateCache(None, "none")).classify(left, right, scores)
    comparison = compare_texts(told(OWN), other, settings)
    assert (summary.share, summary.matches) == (comparison.share, len(comparison.matches))


def test_that_a_comparison_without_exclusions_of_quotations_is_the_same_again():
    comparison = compare_texts(told(OWN), told(OWN), ComparisonSettings())
    off = reclassify(comparison, replace(comparison.settings, exclude_quotations=False))
    assert off.share == comparison.share


QUOTING = "爷爷常常指着河对岸的老房子对我们讲“{}”。"


@pytest.mark.parametrize(("words", "is_counted"), [("修桥铺路积德", True), ("修桥铺路积德行善", False)])
def test_that_a_sentence_with_three_tenths_of_quotation_is_not_the_writers_own(words, is_counted):
    left, right = (text_of(other, QUOTING.format(words), POEM, OWN[1]) for other in OTHER[:2])
    excluded = compare_texts(left, right, ComparisonSettings()).left_excluded.sentences()
    assert (not excluded) is is_counted


@pytest.mark.parametrize(
    ("own", "is_counted"), [("我们在听。天慢慢黑。", False), ("我们都在听。天慢慢黑了。", True)]
)
def test_that_a_quarter_of_a_copied_stretch_with_quotations_is_the_writers_own(own, is_counted):
    settings = replace(ComparisonSettings(), minimum_units=0)
    before, after, _end = own.split("。")
    left, right = (text_of(other, f"{before}。", DIALOGUE[0], f"{after}。") for other in OTHER[:2])
    excluded = compare_texts(left, right, settings).left_excluded.sentences()
    assert (not excluded) is is_counted


QUOTED = POEM.strip("“”").rstrip("。") + "却看妻子愁何在，漫卷诗书喜欲狂。白日放歌须纵酒，青春作伴好还乡"
INTRODUCED = "正如先生多年以前在回忆故乡的那篇散文末尾所抄录的、后来人人会背的几句古诗所写：“{}”（李白）。"
CITED = [f"“{QUOTED}。”（李白，第3页）", INTRODUCED.format(QUOTED)]


@pytest.mark.parametrize("own", CITED)
@pytest.mark.parametrize("other", CITED)
def test_that_a_quotation_inside_a_sentence_is_no_copy_of_the_same_quotation(own, other):
    if own == other == CITED[1]:
        other = f"我最后抄一遍小时候全班同学早读时大声背诵的、写在教室后面黑板上的诗：“{QUOTED}”"
    left, right = text_of(OWN[0], own, OWN[1], OWN[2]), text_of(OTHER[0], OTHER[1], other, OTHER[2])
    comparison = compare_texts(left, right, ComparisonSettings())
    assert not numbered_passages(comparison)
    shares = comparison.share.left_in_right, comparison.share.right_in_left
    assert all(share.raw > 0.3 and share.after_exclusions == 0 for share in shares)


def test_that_own_text_is_a_copy_whatever_each_quotes_behind_it():
    own = "我认为只有把个人的理想融入国家发展才能让青春闪光，正如一句老话所说：“{}。”"
    left = text_of(OWN[0], own.format(QUOTED), OWN[1], OWN[2])
    right = text_of(OTHER[0], OTHER[1], own.format("积土成山风雨兴焉积水成渊蛟龙生焉" * 2), OTHER[2])
    comparison = compare_texts(left, right, ComparisonSettings())
    assert [passage.left_units for passage in numbered_passages(comparison)] == [32]
    assert [(match.left, match.right) for match in comparison.matches] == [(1, 2)]
    assert comparison.share.left_in_right.after_exclusions > 0.1


def test_that_list_and_table_give_dialogue_taken_over_without_marks_the_length_of_the_copy():
    settings = ComparisonSettings()
    left, right = told(OWN), text_of(OTHER[0], DIALOGUE[0].strip("“”"), OTHER[1])
    comparison = compare_texts(left, right, settings)
    documents = [prepared_text_document(*text) for text in (left, right)]
    classifier = PairClassifier(settings, ExclusionCandidateCache(None, "none"))
    summary = classifier.classify(*documents, scores_of(*documents, settings))
    (passage,) = numbered_passages(comparison)
    assert passage.left_units == 0
    assert summary.longest_passage_units == passage.units == passage.right_units > 30
