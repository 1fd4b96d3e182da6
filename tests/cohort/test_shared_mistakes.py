"""Mistakes that two essays share: misspelt words and references that others write differently."""

from pathlib import Path

import pytest

from simcompare.cohort.shared_facts import MistakeKind, find_shared_mistakes
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted

OTHER = "The government of the town had a separate budget for the library and the old bridge."
BOOKS = (
    "[1] 王小明. 石桥的历史与保护[J]. 建筑学报, 2015, 3(2): 15-20.",
    "[2] Kuhn, T. S. (1962). The structure of scientific revolutions. University of Chicago Press.",
)


def document_of(text):
    return load_pasted(Path("pasted"), PastedText(text))


def found(*texts):
    documents = {key: document_of(text) for key, text in enumerate(texts)}
    return {
        pair: [(each.kind, each.written, each.expected) for each in mistakes]
        for pair, mistakes in find_shared_mistakes(documents).items()
    }


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("goverment", "government"),  # listed
        ("govrenment", "government"),  # exchanged letters of a known word
        ("libraray", ""),  # differs where words are inflected
        ("protected", ""),  # a word
        ("neighbourhood", ""),  # British
        ("travelling", ""),
        ("industrialisation", ""),
        ("trebled", ""),  # rare, one letter from "trembled"
        ("districts", ""),  # "distracts"
        ("carding", ""),  # "caring"
    ],
)
def test_that_a_misspelt_word_that_only_two_share_is_found(wrong, right):
    texts = (f"The {wrong} built a bridge over our river.", f"Nobody thanked the {wrong} for its bridge.")
    expected = {(0, 2): [(MistakeKind.SPELLING, wrong, right)]} if right else {}
    assert found(texts[0], OTHER, texts[1], OTHER, OTHER) == expected


def test_that_a_mistake_of_many_is_none_of_a_pair():
    assert found(*[f"Essay {number} says that the goverment is right about it." for number in range(4)]) == {}


def test_that_a_word_of_the_class_explains_a_word_that_is_in_no_dictionary():
    common = ["The trebuchet stands in the yard of the castle of the town."] * 3
    odd = ["A trebuhcet stands near the gate.", "We saw the trebuhcet from the tower of the church."]
    assert found(*common, *odd) == {(3, 4): [(MistakeKind.SPELLING, "trebuhcet", "trebuchet")]}


def test_that_a_mistake_of_the_task_is_none():
    texts = ["The goverment built a bridge over our river.", "Nobody thanked the goverment for its bridge."]
    documents = dict(enumerate(map(document_of, texts)))
    assert list(find_shared_mistakes(documents)) == [(0, 1)]
    assert find_shared_mistakes(documents, [document_of("Write about the goverment of the town.")]) == {}


def test_that_names_and_beginnings_of_sentences_are_no_mistakes():
    assert found("Govrenment is what Mr Govrenment said.", OTHER, "Here Govrenment stands for a name.") == {}


def test_that_a_wrong_character_is_found_but_not_across_words():
    texts = (
        "我们因该保护这座石桥。它必竟已经很老了。",
        "他自己经常说起那座桥，因为他们因该记得它。",
        "桥很老。",
    )
    assert found(*texts) == {(0, 1): [(MistakeKind.SPELLING, "因该", "应该")]}
    assert found("他自己经过那座石桥回家去。", "我自己经历过那一次大水。", "桥很老了。") == {}


def test_that_a_wrong_idiom_is_found_after_any_word():
    texts = ("老先生常被说成默守成规，其实他心里有一杆秤。", "我并不想默守成规。", "桥很老了。")
    assert found(*texts) == {(0, 1): [(MistakeKind.SPELLING, "默守成规", "墨守成规")]}


def test_that_the_places_are_those_of_the_paragraphs():
    texts = ("第一段没有错。\n我们因该保护石桥。", "他们因该记得这座桥。\n还是一段。\n我们因该去看它。")
    (mistake,) = find_shared_mistakes({5: document_of(texts[0]), 7: document_of(texts[1])})[5, 7]
    assert [anchor.paragraph for anchor in mistake.left] == [2]
    assert [anchor.paragraph for anchor in mistake.right] == [1, 3]


def with_list(*entries):
    heading = "这是一篇关于石桥的文章，写得不长，但有参考文献。\n参考文献\n"
    return heading + "\n".join(entries)


def test_that_the_same_unusual_reference_is_found_with_the_form_of_others():
    odd = BOOKS[0].replace("2015", "2051")
    texts = (with_list(odd), *[with_list(*BOOKS)] * 3, with_list(f"{odd} "))
    expected = (MistakeKind.REFERENCE, odd.removeprefix("[1] "), BOOKS[0].removeprefix("[1] "))
    assert found(*texts) == {(0, 4): [expected]}


def test_that_references_alike_or_of_other_works_are_no_mistakes():
    other = "[1] 李四. 木桥的修建与保护[J]. 建筑史学刊, 2019, 1(1): 1-9."
    assert found(with_list(*BOOKS), with_list(*BOOKS), with_list(other), with_list(other)) == {}


def test_that_a_reference_that_stands_in_the_task_is_no_mistake():
    odd = BOOKS[0].replace("2015", "2051")
    texts = (with_list(odd), *[with_list(*BOOKS)] * 3, with_list(f"{odd} "))
    documents = dict(enumerate(map(document_of, texts)))
    assert list(find_shared_mistakes(documents)) == [(0, 4)]
    task = document_of(f"写一篇关于石桥的作文。请阅读：{odd.removeprefix('[1] ')}")
    assert find_shared_mistakes(documents, [task]) == {}
    assert list(find_shared_mistakes(documents, [document_of(with_list(*BOOKS))])) == [(0, 4)]
