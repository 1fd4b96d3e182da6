"""A hit of a sentence says whether the stored one has the same words, as its share is always the whole."""

from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_facts import NO_FACTS
from simcompare.ui.library.stored_view import FoundRow, HitsView, _share


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


def test_that_the_same_sentence_comes_before_changed_ones(qtbot: QtBot) -> None:
    def hit(number: int, excerpt: str) -> SimpleNamespace:
        entry = SimpleNamespace(entry=number, tags=(), name=f"{number}.txt", language="zh")
        entry.named, entry.added_at = entry, "2026-01-02"
        summary = SimpleNamespace(after_exclusions=(1.0, 0.2), longest_passage_units=9, rewritten_units=0)
        return SimpleNamespace(
            entry=entry, share=1.0, summary=summary, excerpt=excerpt, is_same_file=False, facts=NO_FACTS
        )

    view = HitsView()
    qtbot.addWidget(view)
    changed, same = hit(1, "河水哺育了全村的儿童。"), hit(2, "河水养大了全村的孩子。")
    view.show_sentence("河水养大了全村的孩子", [changed, same], 0, "")
    shown = view.table.model_of_rows
    assert [shown.index(row, 3).data() for row in range(2)] == ["identical", "with changes"]
    view.table.sort_by(3)
    assert shown.index(0, 3).data() == "identical"
