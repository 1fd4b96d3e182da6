"""Short copies word for word: found within any text, unless both writers have them from elsewhere."""

import pytest

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_columns import NO_PASSAGES
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.passages.verbatim_copies import equal_stretches, verbatim_copies
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import compare_texts, document_of
from tests.helpers.passages import GARDEN, LIBRARY, METRO, TRAFFIC, chinese, english

CLAUSE = "把受潮的信纸一张一张铺在热炕上烘干"
SENTENCE = "外公的字写得很小，每一页都挤满了，连边上也不留空白。"
WORDS = "she counted the empty bottles on the windowsill before anyone else was awake"
COPIES = {
    "a clause within a sentence": (
        chinese([f"那年冬天屋顶漏了一整夜，{CLAUSE}，谁也没有说话。"], LIBRARY),
        chinese(
            METRO[:2], [f"工程队的老师傅说他年轻的时候也在宿舍里{CLAUSE}，后来就再也没有漏过。"], METRO[2:]
        ),
        CLAUSE,
    ),
    "a sentence of few words": (
        chinese(LIBRARY[:2], [SENTENCE], LIBRARY[2:]),
        chinese([SENTENCE], METRO),
        SENTENCE,
    ),
    "words within an English sentence": (
        english(GARDEN, [f"On the last morning of that long summer {WORDS}, and then she left."]),
        english(TRAFFIC[:2], [f"The shopkeeper told the council that {WORDS} in the street."], TRAFFIC[2:]),
        WORDS,
    ),
}
PROVERB = "天将降大任于斯人也，必先苦其心志，劳其筋骨，饿其体肤"


def found(comparison: Comparison) -> list[tuple[str, str, PassageKind]]:
    texts = comparison.left.document.text, comparison.right.document.text
    return [
        (passage.left.of(texts[0]), passage.right.of(texts[1]), passage.kind)
        for passage in numbered_passages(comparison)
    ]


@pytest.mark.parametrize(("left", "right", "copied"), COPIES.values(), ids=COPIES)
def test_that_a_short_copy_is_found_to_the_character(left, right, copied):
    comparison = compare_texts(left, right, ComparisonSettings())
    assert found(comparison) == [(copied, copied, PassageKind.IDENTICAL)]
    assert comparison.share.left_in_right.after_exclusions > 0


def test_that_a_copy_counts_once_where_it_recurs_in_one_text():
    left, right, copied = COPIES["a clause within a sentence"]
    again = f"许多年以后，他还会对新来的徒弟说起怎样{copied}，并且总要笑上好一阵子。"
    comparison = compare_texts(left, right + again, ComparisonSettings())
    assert [own for own, _other, _kind in found(comparison)] == [copied]


@pytest.mark.parametrize(
    "common",
    [
        "不识庐山真面目，只缘身在此山中",
        "第1章1、2、3、4、5、6、7、8、9、10、11、12、13、14、15、16、17、18、19、20",
        "路遥的长篇小说《平凡的世界》第一部",
    ],
    ids=["lines of a poem", "numbers", "title of a book"],
)
def test_that_what_many_writers_have_is_no_copy(common):
    left = chinese(LIBRARY[:2], [f"那天下午老师让我们都记住了{common}，我一直没有忘。"], LIBRARY[2:])
    right = chinese(METRO[:2], [f"父亲在工地的黑板上用粉笔写过{common}，旁边还画了一座山。"], METRO[2:])
    assert not len(compare_texts(left, right, ComparisonSettings()).passages)


@pytest.mark.parametrize("is_counted", [False, True])
def test_that_a_quotation_within_sentences_of_both_is_no_copy_unless_quotations_count(is_counted):
    quoted = f"“{PROVERB}”"
    left = chinese(
        LIBRARY[:2], [f"管理员在阅览室最里面的墙上挂着一幅字，{quoted}，落款已经看不清楚了。"], LIBRARY[2:]
    )
    right = chinese(
        METRO[:2], [f"隧道打通的那天，队长只在日记里写下{quoted}，第二天又早早下了井。"], METRO[2:]
    )
    comparison = compare_texts(left, right, ComparisonSettings(exclude_quotations=not is_counted))
    assert bool(len(comparison.passages)) == is_counted
    assert bool(comparison.share.left_in_right.after_exclusions) == is_counted


def test_that_a_line_that_recurs_in_one_text_is_no_copy_on_either_side():
    form = "以下各题请在答题纸上作答，写在草稿纸上无效"
    tasks = [f"{chr(0x4E00 + 40 * n)}{chr(0x5E00 + 40 * n)}之事，{form}。" for n in range(25)]
    exam, essay = chinese(tasks), chinese(LIBRARY[:2], [f"我记得老师说{form}。"], LIBRARY[2:])
    exam, essay = (prepare(document_of(text)) for text in (exam, essay))
    for texts in ((exam, essay), (essay, exam)):
        assert not list(verbatim_copies(*texts, NO_PASSAGES, *equal_stretches(texts[0], texts[1:])))
