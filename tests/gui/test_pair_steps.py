"""Stepping from pair to pair of the table from inside Compare, and deciding on the open pair."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.support.resources import resource_path
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.bars.pair_header import PairStepBar
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.text_labels import ElidedName
from tests.gui.class_windows import students
from tests.gui.conftest import OTHER_TEXT, Essay
from tests.gui.pair_table import (
    LEFT_BUTTON,
    TIMEOUT_MS,
    chosen_rows,
    click,
    click_header,
    names,
    pair_at,
    settle,
    side_names,
)
from tests.gui.review_steps import CTRL, SHIFT, press
from tests.gui.session_steps import save_to
from tests.helpers.patience import PATIENCE_MS

ON, BACK = Qt.Key.Key_Right, Qt.Key.Key_Left


def opened(window: MainWindow) -> str:
    return "".join(name[0] for name in side_names(window))


def open_row(window: MainWindow, qtbot: QtBot, row: int) -> None:
    """Open a row of the table by keyboard, and wait until it is compared."""
    window.pages.show_pairs()
    click(window, qtbot, row)
    window.activateWindow()
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Return)
    settle(window, qtbot)


def step_bar(window: MainWindow) -> PairStepBar:
    return window.compare_view.header.step_bar


def position(window: MainWindow) -> str:
    return step_bar(window).position.text()


def enabled(window: MainWindow) -> tuple[bool, bool]:
    """Return whether the buttons for the previous and the next pair are enabled; the commands agree."""
    buttons = step_bar(window).previous_button, step_bar(window).next_button
    commands = (window.commands.actions[name] for name in ("previous_pair", "next_pair"))
    states = tuple(button.isEnabled() for button in buttons)
    assert states == tuple(command.isEnabled() for command in commands)
    return states


def next_button(window: MainWindow) -> QToolButton:
    return step_bar(window).next_button


def switch(window: MainWindow, decision: Decision) -> QToolButton:
    return window.compare_view.header.decision_bar.switches[decision]


def decision_on(window: MainWindow, pair: str) -> Decision | None:
    keys = {entry.path.name[0]: key for key, entry in window.workspace.documents.entries.items()}
    return window.workspace.review.pair_review(*(keys[name] for name in pair)).overall.decision


def test_that_ctrl_and_arrows_open_the_pairs_in_the_order_of_the_table_from_every_part(
    four: MainWindow, qtbot: QtBot
) -> None:
    # ctrl and arrows open the pairs in the order of the table
    order = names(four)
    open_row(four, qtbot, 0)
    assert (position(four), enabled(four)) == ("1 of 6", (False, True))
    for index, pair in enumerate(order[1:], start=2):
        press(four, qtbot, ON, CTRL)
        assert (opened(four), position(four)) == (pair, f"{index} of 6")
    assert enabled(four) == (True, False)
    press(four, qtbot, ON, CTRL)
    assert opened(four) == order[-1]
    press(four, qtbot, BACK, CTRL)
    assert opened(four) == order[-2]
    assert four.pages.shows_compare

    # the steps work from every part of compare
    open_row(four, qtbot, 0)
    order = names(four)
    view = four.compare_view
    for index, part in enumerate((view.heatmap, *view.panes.values(), four.sidebar.passages), start=1):
        part.setFocus()
        press(four, qtbot, ON, CTRL)
        assert opened(four) == order[index], part
        settle(four, qtbot)

    # the table selects the pair that was stepped to
    open_row(four, qtbot, 0)
    for _step in range(3):
        press(four, qtbot, ON, CTRL)
    press(four, qtbot, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert four.pairs_view.isVisible()
    assert chosen_rows(four) == [3]
    assert four.pairs_view.table.currentIndex().row() == 3

    # swapped sides keep the position
    open_row(four, qtbot, 1)
    pair = opened(four)
    press(four, qtbot, Qt.Key.Key_T, CTRL)
    assert opened(four) == pair[::-1]
    qtbot.waitUntil(lambda: not four.pair_steps._updating.isActive())
    assert position(four) == "2 of 6"

    # the buttons have 24 pixels and name their keys
    open_row(four, qtbot, 1)
    for button, key in ((step_bar(four).previous_button, "Ctrl+←"), (next_button(four), "Ctrl+→")):
        assert min(button.width(), button.height()) >= 24
        assert key in button.toolTip()


def test_that_steps_follow_the_filter_and_the_sorting_of_the_table(four: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(four.pairs_view.filter.text, "c.t")
    click_header(four, qtbot, PairColumn.B)
    click_header(four, qtbot, PairColumn.B)
    order = names(four)
    assert order[0] == "cd"
    assert set(order) == {"ac", "bc", "cd"}
    open_row(four, qtbot, 0)
    assert position(four) == "1 of 3"
    seen = [opened(four)]
    for _step in range(2):
        qtbot.mouseClick(next_button(four), LEFT_BUTTON)
        seen.append(opened(four))
    assert seen == order
    qtbot.mouseClick(step_bar(four).previous_button, LEFT_BUTTON)
    assert (opened(four), position(four)) == (order[1], "2 of 3")


def test_that_from_a_pair_that_is_not_listed_the_next_one_is_the_first(
    four: MainWindow, qtbot: QtBot
) -> None:
    open_row(four, qtbot, 0)
    assert opened(four) == "ab"
    four.pages.show_pairs()
    qtbot.keyClicks(four.pairs_view.filter.text, "d.t")
    four.pages.show_compare()
    assert (position(four), enabled(four)) == ("– of 3", (False, True))
    press(four, qtbot, ON, CTRL)
    assert (opened(four), position(four)) == (names(four)[0], "1 of 3")


def open_compare(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.page_switch.compare_button, LEFT_BUTTON)
    settle(window, qtbot)


def test_that_compare_opens_with_the_most_similar_pair(four: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    four.workspace.documents.add([essay("e.txt", OTHER_TEXT + "结尾。")])
    settle(four, qtbot)
    assert names(four)[0] == "ce"
    open_compare(four, qtbot)
    assert (opened(four), position(four)) == ("ce", "1 of 10")
    four.pages.show_pairs()
    assert chosen_rows(four) == [0]
    click(four, qtbot, 3)
    open_compare(four, qtbot)
    assert opened(four) == "ce", "a pair that was open stays open"


def test_that_compare_opens_with_the_selected_pair(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 3)
    open_compare(four, qtbot)
    assert opened(four) == names(four)[3]


def test_that_compare_opens_with_the_most_similar_pair_of_a_reopened_class(
    four: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    four.workspace.documents.add([essay("e.txt", OTHER_TEXT + "结尾。")])
    settle(four, qtbot)
    path = tmp_path / "class.simcompare"
    save_to(four, path, qtbot)
    with qtbot.waitSignal(four.sessions.keeper.opened, timeout=TIMEOUT_MS):
        four.sessions.keeper.open(path)
    settle(four, qtbot)
    open_compare(four, qtbot)
    assert opened(four) == "ce"


def test_that_a_text_field_keeps_its_own_keys(four: MainWindow, qtbot: QtBot) -> None:
    open_row(four, qtbot, 0)
    for action in four.compare_view.finder.actions[:1]:
        action.trigger()
    field = four.compare_view.finder.bar.field
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "two words")
    press(four, qtbot, BACK, CTRL)
    assert field.cursorPosition() == len("two ")
    press(four, qtbot, Qt.Key.Key_F, SHIFT)
    assert len(field.text()) == len("two words") + 1
    four.compare_view.header.decision_bar.open_note()
    note = four.compare_view.header.decision_bar.note
    qtbot.waitUntil(note.hasFocus)
    qtbot.keyClicks(note, "Copied, For sure")
    press(four, qtbot, BACK, CTRL)
    assert note.textCursor().position() == len("Copied, For ")
    assert opened(four) == names(four)[0]
    assert decision_on(four, "ab") is None


def test_that_in_the_table_the_keys_act_on_its_rows(four: MainWindow, qtbot: QtBot) -> None:
    open_row(four, qtbot, 0)
    four.pages.show_pairs()
    click(four, qtbot, 2)
    row = names(four)[2]
    for key in (ON, BACK):
        press(four, qtbot, key, CTRL)
    assert opened(four) == "ab"
    press(four, qtbot, Qt.Key.Key_F, SHIFT)
    assert (decision_on(four, "ab"), decision_on(four, row)) == (None, Decision.FINE)
    assert chosen_rows(four) == [2]
    assert not any(four.commands.actions[name].isEnabled() for name in ("next_pair", "pair_fine"))


def test_that_one_pair_has_no_position(compared: MainWindow) -> None:
    assert not step_bar(compared).isVisible()
    assert not any(compared.commands.actions[name].isEnabled() for name in ("next_pair", "previous_pair"))
    assert compared.commands.actions["pair_copied"].isEnabled()


@pytest.mark.parametrize("way", ["keys", "keys in the list", "mouse"])
def test_that_a_decision_offers_the_next_undecided_pair_and_does_not_open_it(
    four: MainWindow, qtbot: QtBot, way: str
) -> None:
    order = names(four)
    keys = [pair_at(four, row) for row in range(2)]
    four.workspace.review.decide_pair(*keys[1], Decision.FINE)
    open_row(four, qtbot, 0)
    assert "Next undecided" not in next_button(four).toolTip()
    if way == "keys in the list":
        table = four.sidebar.passages._table
        qtbot.waitUntil(lambda: table.model().rowCount() > 0 and table.isVisible())
        table.setFocus()
        table.selectRow(0)
        assert four.focusWidget() is table
    if way != "mouse":
        press(four, qtbot, Qt.Key.Key_C, SHIFT)
    else:
        qtbot.mouseClick(switch(four, Decision.COPIED), LEFT_BUTTON)
    assert decision_on(four, order[0]) is Decision.COPIED
    assert opened(four) == order[0]
    third = " ↔ ".join(f"{name}.txt" for name in order[2])
    assert third in next_button(four).toolTip()
    assert third in next_button(four).accessibleName()
    assert "Ctrl+→" not in next_button(four).toolTip()
    if way != "mouse":
        press(four, qtbot, Qt.Key.Key_Return)
    else:
        qtbot.mouseClick(next_button(four), LEFT_BUTTON)
    assert opened(four) == order[2], "the second pair has a decision"
    assert "Next undecided" not in next_button(four).toolTip()


def test_that_an_offered_pair_takes_no_space_from_the_names(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1257, 707)
    window.workspace.documents.add(sorted(resource_path("samples", "Sample class").iterdir()))
    settle(window, qtbot)
    open_row(window, qtbot, 1)
    header = window.compare_view.header
    window.workspace.review.decide_passages([0], Decision.FINE)
    for decision in (Decision.FINE, Decision.COPIED):
        qtbot.mouseClick(switch(window, decision), LEFT_BUTTON)
        assert "Next undecided" in next_button(window).toolTip()
        # the column beside it may take another width first
        qtbot.waitUntil(lambda: header.minimumSizeHint().width() < header.width(), timeout=PATIENCE_MS)
        assert not [name.text() for name in header.findChildren(ElidedName) if name.is_shortened]


def test_that_after_a_decision_ctrl_and_arrow_still_open_the_next_pair_of_the_table(
    four: MainWindow, qtbot: QtBot
) -> None:
    order = names(four)
    four.workspace.review.decide_pair(*pair_at(four, 1), Decision.FINE)
    open_row(four, qtbot, 0)
    press(four, qtbot, Qt.Key.Key_C, SHIFT)
    assert "Next undecided" in next_button(four).toolTip()
    press(four, qtbot, ON, CTRL)
    assert opened(four) == order[1]


def test_that_the_offer_is_hidden_when_the_decision_is_withdrawn_or_undone(
    four: MainWindow, qtbot: QtBot
) -> None:
    open_row(four, qtbot, 0)
    for key, modifiers in ((Qt.Key.Key_C, SHIFT), (Qt.Key.Key_Z, CTRL)):
        press(four, qtbot, Qt.Key.Key_C, SHIFT)
        assert "Next undecided" in next_button(four).toolTip()
        press(four, qtbot, key, modifiers)
        assert decision_on(four, "ab") is None
        qtbot.waitUntil(lambda: "Next undecided" not in next_button(four).toolTip())


def test_that_a_pair_that_its_decision_takes_out_of_the_list_is_followed_by_the_one_after_it(
    four: MainWindow, qtbot: QtBot
) -> None:
    four.pairs_view.filter.decision.setCurrentIndex(1)
    order = names(four)
    open_row(four, qtbot, 2)
    press(four, qtbot, Qt.Key.Key_F, SHIFT)
    assert position(four) == "– of 5"
    qtbot.waitUntil(lambda: not four.pair_steps._updating.isActive())
    press(four, qtbot, ON, CTRL)
    assert (opened(four), position(four)) == (order[3], "3 of 5")


def test_that_the_last_pair_offers_an_undecided_one_before_it_and_then_none(
    four: MainWindow, qtbot: QtBot
) -> None:
    order = names(four)
    for row in range(1, 5):
        four.workspace.review.decide_pair(*pair_at(four, row), Decision.FINE)
    open_row(four, qtbot, 5)
    assert enabled(four) == (True, False)
    press(four, qtbot, Qt.Key.Key_F, SHIFT)
    press(four, qtbot, ON, CTRL)
    assert opened(four) == order[5]
    qtbot.mouseClick(next_button(four), LEFT_BUTTON)
    assert opened(four) == order[0]
    press(four, qtbot, Qt.Key.Key_F, SHIFT)
    assert "Next undecided" not in next_button(four).toolTip()
    assert "Ctrl+→" in next_button(four).toolTip()
    press(four, qtbot, ON, CTRL)
    assert opened(four) == order[1]


def test_that_the_pairs_to_read_are_counted_by_themselves_until_all_are_asked_for(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    lead = school_class.class_page.histogram.lead_button
    assert lead.text().startswith("Read 1 pair")
    qtbot.mouseClick(lead, LEFT_BUTTON)
    settle(school_class, qtbot)
    assert (position(school_class), enabled(school_class)) == ("1 of 1", (False, False))
    pairs = school_class.workspace.pairs
    pairs.table.rows["rewritten_units"] = 50  # as if rewriting was found in all
    pairs.changed.emit()
    qtbot.waitUntil(lambda: position(school_class) == "1 of 21")
    assert lead.text().startswith("Read 1 pair"), "the class page is hidden"
    pairs.table.rows["rewritten_units"] = 0
    school_class.pair_steps.read([school_class.workspace.review.pair])
    qtbot.waitUntil(lambda: position(school_class) == "1 of 1")
    place = step_bar(school_class).position
    assert "all 21 pairs" in place.toolTip()
    qtbot.mouseClick(place, LEFT_BUTTON)
    assert position(school_class) == "1 of 21"
    assert not place.isEnabled()
    qtbot.mouseClick(next_button(school_class), LEFT_BUTTON)
    assert position(school_class) == "2 of 21"


@pytest.mark.parametrize("size", [(1366, 768), (1060, 600), (1920, 1040)])
def test_that_the_buttons_of_a_decision_stay_in_place(
    school_class: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    school_class.resize(*size)
    open_row(school_class, qtbot, 0)
    settle(school_class, qtbot)
    button, workspace = switch(school_class, Decision.COPIED), school_class.workspace
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    place = button.mapTo(school_class, QPoint())
    qtbot.mouseClick(button, LEFT_BUTTON)
    qtbot.waitUntil(lambda: bool(step_bar(school_class).offered))
    assert button.mapTo(school_class, QPoint()) == place
    workspace.review.decide_passages([0], Decision.FINE)
    settle(school_class, qtbot)
    assert button.mapTo(school_class, QPoint()) == place
    assert next_button(school_class).width() == next_button(school_class).sizeHint().width(), "no gap in it"


def test_that_the_offered_pair_is_named_after_its_students(school_class: MainWindow, qtbot: QtBot) -> None:
    open_row(school_class, qtbot, 0)
    qtbot.mouseClick(switch(school_class, Decision.COPIED), LEFT_BUTTON)
    qtbot.waitUntil(lambda: bool(step_bar(school_class).offered))
    first, _arrow, second = step_bar(school_class).offered.split()
    assert {first, second} < set(students(school_class))
