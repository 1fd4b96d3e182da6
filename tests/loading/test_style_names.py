"""A style's name means the same in every format."""

import pytest

from simcompare.loading.shared.style_names import is_contents_style, kind_by_names
from simcompare.model.document import BlockKind


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["title", "heading"], BlockKind.TITLE),
        (["论文题目"], BlockKind.TITLE),
        (["heading 3"], BlockKind.HEADING),
        (["标题 10"], BlockKind.HEADING),
        (["mine", "subtitle"], BlockKind.HEADING),
        (["一级标题"], BlockKind.HEADING),
        (["bibliography"], BlockKind.REFERENCE),
        (["intense quote"], BlockKind.QUOTATION),
        (["normal"], None),
        (["heading 1 char"], None),
        ([], None),
    ],
)
def test_that_names_tell_what_paragraphs_are(names, kind):
    assert kind_by_names(names) is kind


@pytest.mark.parametrize(("name", "expected"), [("toc 1", True), ("目录 3", True), ("contents", False)])
def test_that_the_lines_of_a_table_of_contents_are_known_by_their_style(name, expected):
    assert is_contents_style(name) is expected
