"""A hit of a sentence says whether the stored one has the same words, as its share is always the whole."""

from types import SimpleNamespace

import pytest

from simcompare.ui.library.stored_view import FoundRow, _share


@pytest.mark.parametrize(
    ("excerpt", "shown"),
    [
        ("他常说，河水养大了全村的孩子。", "identical"),
        ("他常讲河水哺育了全村的儿童。", "with changes"),
    ],
)
def test_that_a_reworded_sentence_is_not_called_a_share_of_100_percent(excerpt: str, shown: str) -> None:
    hit = SimpleNamespace(summary=SimpleNamespace(after_exclusions=(1.0, 0.2)), excerpt=excerpt)
    assert _share(FoundRow(0, "", hit, "河水养大了全村的孩子")) == shown
    assert _share(FoundRow(1, "张三", hit)) == "100%"
