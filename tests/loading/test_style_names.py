"""Style names have the same meaning in every format."""

import pytest

from simcompare.loading.shared.visibility import is_contents_style, kind_by_names
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
def test_that_style_names_determine_block_kinds(names, kind):
    assert kind_by_names(names) is kind


@pytest.mark.parametrize(("name", "expected"), [("toc 1", True), ("目录 3", True), ("contents", False)])
def test_that_contents_lines_are_detected_by_their_style(name, expected):
    assert is_contents_style(name) is expected
