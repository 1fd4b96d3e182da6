"""Author that two files have in common; default names of programs do not count."""

import pytest

from simcompare.model.document import UNKNOWN_ORIGIN, Origin
from simcompare.report.receipts import common_author


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Origin("李小明"), Origin("李小明")),
        (Origin("李小明", "王芳"), Origin("赵磊", "李小明")),
        (Origin("李小明"), Origin(last_saved_by=" 李小明")),
        (Origin("Li Xiaoming"), Origin("li xiaoming")),
    ],
)
def test_that_an_author_or_editor_of_both_files_is_named(left, right):
    assert common_author(left, right).casefold().strip() in {"李小明", "li xiaoming"}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Origin("李小明"), Origin("王芳")),
        (UNKNOWN_ORIGIN, UNKNOWN_ORIGIN),
        (Origin("Administrator"), Origin("Administrator")),
        (Origin("微软用户"), Origin("微软用户")),
        (Origin("python-docx", "User"), Origin("python-docx", "user")),
        (Origin("Lenovo"), Origin("lenovo")),
        (Origin("Windows 用户"), Origin("Windows 用户")),
    ],
)
def test_that_no_name_is_given_without_a_common_author(left, right):
    assert common_author(left, right) == ""
