"""Explanation of the net share: how much is excluded, and why."""

from simcompare.ui.main_window import MainWindow
from tests.gui.exclusion_samples import button_of, shares


def test_that_the_net_share_explains_how_much_of_each_text_is_excluded_and_why(excluding: MainWindow) -> None:
    left, right = shares(excluding)
    assert "Excluded: quotation: 1 sentence (12 characters), reference list: 2 sentences " in left
    assert "short sentence: 2 sentences (" in left
    assert "short sentence: 2 sentences (" in right


def test_that_exclusions_are_not_mentioned_if_nothing_is_excluded(excluding: MainWindow) -> None:
    for action in button_of(excluding).ticks.values():
        if action.isChecked():
            action.trigger()
    assert not any("Excluded" in share for share in shares(excluding))
