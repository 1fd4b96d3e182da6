"""References that are listed and never cited, and citations that are not listed."""

from pathlib import Path

import pytest

from simcompare.comparison.citations.citation import check_references
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import ReferenceCheck

NUMBERED = [
    "[1] 王小明. 石桥的历史与保护[J]. 建筑学报, 2015, 3(2): 15-20.",
    "[2] 李四方. 木桥的修建与维护[J]. 建筑史学刊, 2019, 1(1): 1-9.",
    "[3] 赵六顺. 中国铁桥史话[M]. 北京: 人民出版社, 2001.",
]
KUHN = "Kuhn, T. S. (1962). The structure of scientific revolutions. University of Chicago Press."
MILLER = "Miller, J. (2001). Bridges of the old towns. Journal of Bridges, 3(2), 11-20."


def checked(body, *entries, heading="参考文献"):
    text = "\n".join(["关于桥的文章", body, heading, *entries])
    found = check_references(load_pasted(Path("pasted"), PastedText(text)))
    return found.uncited, found.unlisted


def test_that_numbers_are_compared_in_ranges_and_lists():
    assert checked("石桥的历史很长[1]。有人认为它建于宋代[2,3]。", *NUMBERED) == ((), ())
    assert checked("石桥的历史很长[1]。有人反对这种说法[5-6]。", *NUMBERED) == (
        tuple(NUMBERED[1:]),
        ("[5]", "[6]"),
    )


def test_that_a_list_whose_numbers_the_text_does_not_use_is_compared_by_names():
    assert checked("王小明（2015）认为石桥很老，赵六顺也这样说。", *NUMBERED) == ((NUMBERED[1],), ())


@pytest.mark.parametrize(
    ("body", "uncited", "unlisted"),
    [
        ("The bridge is old (Kuhn, 1962), and Miller (2001) agrees.", (), ()),
        ("The bridge is old, as Kuhn (1962) shows to all of us.", (MILLER,), ()),
        ("The bridge is old (Kuhn, 1962; Miller, 2001), but Smith (1999) doubts it.", (), ("Smith (1999)",)),
        ("Miller (2001) and Kuhn write about the bridge, which was built in 1962.", (), ()),
    ],
)
def test_that_names_are_compared_in_english_texts(body, uncited, unlisted):
    assert checked(body, KUHN, MILLER, heading="References") == (uncited, unlisted)


def test_that_an_entry_without_an_author_is_not_taken_for_uncited():
    entry = "The history of the bridge. (2010). Town Press, Oldtown, 2nd edition."
    body = "The bridge is old, as Kuhn (1962) shows to all of us."
    assert checked(body, KUHN, entry, heading="References") == ((), ())


def test_that_given_names_may_come_first():
    entry = "Thomas Kuhn and Ann Baker. 2001. Bridges of the old towns. Town Press."
    body = "The bridge is old (Baker, 2001), as Miller (2001) shows to all of us."
    assert checked(body, entry, MILLER, heading="References") == ((), ())


def test_that_a_text_without_a_list_has_nothing_to_compare():
    document = load_pasted(Path("pasted"), PastedText("The bridge is old, as Kuhn (1962) shows."))
    assert check_references(document) == ReferenceCheck()
