"""The net share says of what it is a share: how much was left out, and why."""

from simcompare.ui.main_window import MainWindow
from tests.gui.exclusion_samples import button_of, shares


def test_that_the_net_share_says_how_much_of_each_text_is_left_out_and_why(excluding: MainWindow) -> None:
    left, right = shares(excluding)
    assert "Excluded: quotation: 1 sentence (12 characters), reference list: 2 sentences " in left
    assert "short sentence: 2 sentences (" in left
    assert "short sentence: 2 sentences (" in right


def test_that_nothing_is_said_of_exclusions_where_nothing_is_excluded(excluding: MainWindow) -> None:
    for action in button_of(excluding).ticks.values():
        if action.isChecked():
            action.trigger()
    assert not any("Excluded" in share for share in shares(excluding))
