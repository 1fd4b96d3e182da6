"""All pairs in the window: the table as a teacher meets it, through real events."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QListView
from pytestqt.qtbot import QtBot

from simcompare.session.review import Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.pairs.arrangement import Column
from simcompare.ui.pairs.rows import RENEWING_ROLE
from simcompare.ui.state.pair_table import PairState
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.side import Side
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, wait_for_comparison

Essay = Callable[[str, str], Path]
TIMEOUT_MS = 60_000
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def four(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """A window with four essays, all pairs compared: a and b share much, c and d nothing with anybody."""
    window.workspace.documents.add(
        [
            essay("a.txt", LEFT_TEXT),
            essay("b.txt", RIGHT_TEXT),
            essay("c.txt", OTHER_TEXT),
            essay("d.txt", "The rain fell all night. Nobody went out to look for the boat."),
        ]
    )
    settle(window, qtbot)
    return window


def settle(window: MainWindow, qtbot: QtBot) -> None:
    pairs = window.workspace.pairs
    qtbot.waitUntil(
        lambda: not window.workspace.is_busy and not pairs._telling.isActive(), timeout=TIMEOUT_MS
    )


def cells(window: MainWindow, column: Column) -> list[str]:
    model = window.pairs_view.table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def names(window: MainWindow) -> list[str]:
    both = zip(cells(window, Column.A), cells(window, Column.B), strict=True)
    return [f"{a[0]}{b[0]}" for a, b in both]


def middle(window: MainWindow, row: int) -> QPoint:
    table = window.pairs_view.table
    return table.visualRect(table.model().index(row, 1)).center()


def click(window: MainWindow, qtbot: QtBot, row: int) -> None:
    qtbot.mouseClick(window.pairs_view.table.viewport(), LEFT_BUTTON, pos=middle(window, row))


def click_header(window: MainWindow, qtbot: QtBot, column: Column) -> None:
    header = window.pairs_view.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)


def words(window: MainWindow) -> str:
    labels = window.pairs_view.findChildren(QLabel)
    return "\n".join(label.text() for label in labels if label.isVisible())


def side_names(window: MainWindow) -> list[str]:
    return [window.workspace.documents.entry_on(side).path.name for side in Side]


# --- which page is shown


def test_that_two_documents_are_compared_and_a_third_shows_the_table(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    assert window.pages.currentWidget() is window.compare_view
    assert not window.page_switch.isVisible()
    assert len(window.workspace.pairs.table) == 0
    window.workspace.documents.add([essay("c.txt", OTHER_TEXT)])
    assert window.pages.currentWidget() is window.pairs_view
    assert window.page_switch.isVisible()
    settle(window, qtbot)
    assert names(window)[0] == "ab"
    window.workspace.documents.remove([3])
    assert window.pages.currentWidget() is window.compare_view
    assert not window.page_switch.isVisible()
    assert not window.commands.actions["page_pairs"].isEnabled()


def test_that_texts_chosen_by_hand_stay_in_front_when_documents_are_added(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    qtbot.mouseClick(window.tool_bar.swap_button, LEFT_BUTTON)
    window.workspace.documents.add([essay("c.txt", OTHER_TEXT)])
    assert window.pages.currentWidget() is window.compare_view
    settle(window, qtbot)


def test_that_the_next_class_begins_with_the_table_whatever_was_chosen_before(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    click(four, qtbot, 0)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    documents = four.workspace.documents
    documents.remove(list(documents.entries))
    documents.add([essay(f"next-{number}.txt", LEFT_TEXT) for number in range(3)])
    assert four.pages.currentWidget() is four.pairs_view


def test_that_the_switch_and_its_keys_lead_to_both_pages(four: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(four.page_switch.compare_button, LEFT_BUTTON)
    assert four.pages.currentWidget() is four.compare_view
    assert four.sidebar.matches.isVisible()
    four.activateWindow()
    qtbot.keyClick(four, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert four.pages.currentWidget() is four.pairs_view
    assert four.page_switch.pairs_button.isChecked()
    assert not four.sidebar.matches.isVisible()
    qtbot.keyClick(four, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert four.pages.currentWidget() is four.compare_view


def test_that_a_document_put_on_a_side_is_shown_there(four: MainWindow) -> None:
    four.workspace.documents.choose(Side.LEFT, 3)
    four.sidebar.documents.side_chosen.emit(4, "right")
    assert four.pages.currentWidget() is four.compare_view


# --- what the table shows


def test_that_the_table_shows_the_figures_of_compare(window: MainWindow, qtbot: QtBot) -> None:
    window.open_samples()
    settle(window, qtbot)
    table = window.workspace.pairs.table
    assert len(table) == 10
    for left, right in [(1, 2), (1, 3), (3, 5)]:
        window.workspace.documents.choose(Side.LEFT, left)
        window.workspace.documents.choose(Side.RIGHT, right)
        wait_for_comparison(window, qtbot)
        comparison, row = window.workspace.comparison, table.rows[table.place_of((left, right))]
        assert row["left_in_right"] == comparison.similarity.left_in_right
        assert row["net_right_in_left"] == comparison.net_similarity.right_in_left
        assert row["distance_bits"] == comparison.hamming_distance_bits
        assert row["matches"] == len(comparison.matches)


def test_that_the_pair_with_most_in_common_stands_first(four: MainWindow) -> None:
    assert names(four)[0] == "ab"
    assert len(names(four)) == 6
    assert cells(four, Column.A_IN_B)[0].endswith(" %")
    assert cells(four, Column.MATCHES)[0] == "3"
    assert "6 pairs" in words(four)


def test_that_the_headings_say_how_rows_are_sorted_before_anybody_sorts_them(four: MainWindow) -> None:
    def heading(column: Column) -> str:
        return str(four.pairs_view.table.model().headerData(column, Qt.Orientation.Horizontal))

    assert {column for column in Column if "▼" in heading(column)} == {Column.NET_A_IN_B, Column.NET_B_IN_A}
    four.pairs_view.sort_by(Column.MATCHES)
    assert not any("▼" in heading(column) for column in Column)  # the header draws its own mark


def test_that_headings_sort_and_sort_the_other_way_round(four: MainWindow, qtbot: QtBot) -> None:
    click_header(four, qtbot, Column.A)
    assert [pair[0] for pair in names(four)] == list("aaabbc")
    click_header(four, qtbot, Column.A)
    assert [pair[0] for pair in names(four)] == list("cbbaaa")
    click_header(four, qtbot, Column.DISTANCE)
    distances = [int(bits) for bits in cells(four, Column.DISTANCE)]
    assert distances == sorted(distances)
    four.pairs_view.menu.show_state(True, Column.DISTANCE)
    (by_matches,) = (a for a in four.pairs_view.menu.sort_menu.actions() if a.text() == "Matches")
    by_matches.trigger()
    assert cells(four, Column.MATCHES)[0] == "3"


def test_that_a_filter_lists_what_is_asked_for_and_says_how_many(four: MainWindow, qtbot: QtBot) -> None:
    bar = four.pairs_view.filter
    qtbot.keyClicks(bar.text, "D.T")
    assert sorted(names(four)) == ["ad", "bd", "cd"]
    assert "3 of 6 pairs" in words(four)
    qtbot.mouseClick(bar.only_matches, LEFT_BUTTON, pos=QPoint(8, bar.only_matches.height() // 2))
    assert names(four) == []
    assert "No pair fits what is asked for above." in words(four)
    qtbot.mouseClick(four.pairs_view._hint_button, LEFT_BUTTON)
    assert len(names(four)) == 6
    assert not bar.clear_button.isEnabled()
    bar.least.setCurrentIndex(bar.least.findData(30))
    assert names(four) == ["ab"]
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    assert len(names(four)) == 6


def test_that_what_comes_first_is_seen_to_come_where_no_row_was_chosen(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    four.resize(1060, 600)
    four.pairs_view.table.setFocus()
    four.workspace.documents.add([essay(f"more-{n}.txt", f"{OTHER_TEXT}{n}") for n in range(8)])
    four.workspace.documents.add([essay("copy.txt", LEFT_TEXT)])
    settle(four, qtbot)
    assert four.pairs_view.table.rowAt(0) == 0


# --- opening, deciding, copying


def test_that_enter_opens_the_pair_and_alt_left_comes_back_to_its_row(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 3)
    pair = names(four)[3]
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    assert four.pages.currentWidget() is four.compare_view
    assert [name[0] for name in side_names(four)] == list(pair)
    four.activateWindow()
    qtbot.keyClick(four, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert four.pages.currentWidget() is four.pairs_view
    (row,) = four.pairs_view._chosen_rows()
    assert names(four)[row] == pair
    assert four.pairs_view.table.currentIndex().row() == row


def test_that_a_double_click_opens_and_the_menu_opens_the_other_way_round(
    four: MainWindow, qtbot: QtBot
) -> None:
    pair = names(four)[0]
    click(four, qtbot, 0)
    qtbot.mouseDClick(four.pairs_view.table.viewport(), LEFT_BUTTON, pos=middle(four, 0))
    assert [name[0] for name in side_names(four)] == list(pair)
    four.pages.show_pairs()
    four.pairs_view.menu.swapped_action.trigger()
    assert [name[0] for name in side_names(four)] == list(reversed(pair))


def test_that_an_opened_pair_begins_at_its_first_match_and_is_seen_in_the_list(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    fillers = [essay(f"m{number:02}.txt", f"{OTHER_TEXT}{number}") for number in range(20)]
    window.resize(1060, 600)
    window.workspace.documents.add(
        [*fillers, essay("y.txt", LEFT_TEXT * 12), essay("z.txt", RIGHT_TEXT * 12)]
    )
    settle(window, qtbot)
    qtbot.keyClicks(window.pairs_view.filter.text, "z.t")
    click(window, qtbot, 0)
    assert names(window)[0] == "yz"
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Return)
    wait_for_comparison(window, qtbot)
    selection, comparison = window.workspace.selection, window.workspace.comparison
    qtbot.waitUntil(lambda: selection.selected == 0)
    for side, span in ((Side.LEFT, comparison.left_span), (Side.RIGHT, comparison.right_span)):
        pane = window.compare_view.panes[side]
        assert 0 <= pane.height_of(span(comparison.matches[0])) < pane.height()
    view = window.sidebar.documents.findChild(QListView)
    for row in (20, 21):
        assert view.viewport().rect().intersects(view.visualRect(view.model().index(row, 0)))
    selection.select(2)
    window.pages.show_pairs()
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Return)
    assert selection.selected == 2, "where one was reading is not left"


def test_that_a_row_stays_chosen_when_rows_are_sorted(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    for column in (Column.B, Column.MATCHES, Column.DISTANCE):
        click_header(four, qtbot, column)
        (row,) = four.pairs_view._chosen_rows()
        assert names(four)[row] == "ab"


def test_that_f_and_c_decide_about_the_chosen_pairs_and_undo_takes_it_back(
    four: MainWindow, qtbot: QtBot
) -> None:
    click(four, qtbot, 0)
    four.activateWindow()
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C)
    assert cells(four, Column.DECISION)[0] == "Copied"
    assert four.workspace.review.pair_review(1, 2).overall.decision is Decision.COPIED
    assert not four.workspace.review.pair_review(1, 2).matches, "the match behind is left alone"
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C)
    assert cells(four, Column.DECISION)[0] == "–"
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_F)
    assert cells(four, Column.DECISION) == ["Fine"] * 6
    four.workspace.history.undo()
    assert cells(four, Column.DECISION) == ["–"] * 6


def test_that_deciding_what_is_decided_already_is_no_step_of_the_history(
    four: MainWindow, qtbot: QtBot
) -> None:
    four.pairs_view.table.selectAll()
    four.pairs_view.menu.decisions[None].trigger()
    assert not four.workspace.history.canUndo()


def test_that_a_pair_is_opened_at_once_and_is_compared_once(four: MainWindow, qtbot: QtBot) -> None:
    started: list[bool] = []
    four.workspace.comparison_started.connect(lambda: started.append(True))
    row = names(four).index("cd")
    click(four, qtbot, row)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    settle(four, qtbot)
    assert side_names(four) == ["c.txt", "d.txt"]
    assert len(started) == 1


def test_that_a_prompt_of_a_session_counts_in_the_table_as_before(
    four: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    four.workspace.prompt.read(essay("prompt.txt", RIGHT_TEXT))
    qtbot.waitUntil(lambda: four.workspace.prompt.prepared is not None, timeout=TIMEOUT_MS)
    settle(four, qtbot)
    before = dict(zip(names(four), cells(four, Column.NET_A_IN_B), strict=True))
    keeper = four.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(tmp_path / "class.simcompare")
    keeper.begin_anew()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(tmp_path / "class.simcompare")
    qtbot.waitUntil(lambda: four.workspace.prompt.prepared is not None, timeout=TIMEOUT_MS)
    settle(four, qtbot)
    assert dict(zip(names(four), cells(four, Column.NET_A_IN_B), strict=True)) == before


def test_that_decisions_on_matches_are_counted(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    wait_for_comparison(four, qtbot)
    match = four.workspace.comparison.matches[0]
    four.workspace.review.judge((match.left, match.right), Decision.FINE)
    four.pages.show_pairs()
    assert cells(four, Column.DECISION)[0] == "1 of 3"
    decision = four.pairs_view.filter.decision
    decision.setCurrentIndex(1)
    assert len(names(four)) == 6, "the pair as a whole is undecided"


def test_that_rows_are_copied_with_their_headings(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    four.activateWindow()
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    heading, row = QGuiApplication.clipboard().text().splitlines()
    assert heading.split("\t")[:3] == ["A", "B", "A covered by B"]
    assert row.split("\t")[:2] == ["a.txt", "b.txt"]
    assert len(row.split("\t")) == len(heading.split("\t")) == len(Column)


def test_that_every_cell_and_heading_is_said_in_words(four: MainWindow) -> None:
    model = four.pairs_view.table.model()
    spoken = model.index(0, Column.NET_A_IN_B).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("A covered by B, net: ")
    assert "Undecided" in model.index(0, Column.DECISION).data(Qt.ItemDataRole.AccessibleTextRole)
    tips = [
        model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) for column in Column
    ]
    assert all(tips)
    assert four.pairs_view.table.accessibleName() == "All pairs"


# --- the keyboard, groups and twins


@pytest.mark.parametrize(
    ("key", "row"),
    [
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Down, 0),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_PageDown, 0),
        (Qt.Key.Key_End, 5),
    ],
)
def test_that_a_key_that_walks_chooses_a_row_where_none_is_chosen(
    four: MainWindow, qtbot: QtBot, key: Qt.Key, row: int
) -> None:
    table = four.pairs_view.table
    table.setFocus()
    assert four.pairs_view._chosen_rows() == []
    qtbot.keyClick(table, key)
    assert four.pairs_view._chosen_rows() == [row]
    qtbot.keyClick(table, Qt.Key.Key_Up if row else Qt.Key.Key_Down)
    assert four.pairs_view._chosen_rows() == [row - 1 if row else 1]


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_the_menu_opens_no_pair_that_a_filter_hides(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    bar, menu = four.pairs_view.filter, four.pairs_view.menu
    qtbot.keyClicks(bar.text, "d.t")
    four.pairs_view._open_menu(QPoint(5, 5))
    assert not menu.open_action.isEnabled()
    assert not menu.copy_action.isEnabled()
    menu.close()
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    assert len(names(four)) == 6
    assert four.pairs_view._chosen
    four.pairs_view._open_menu(QPoint(5, 5))
    assert menu.open_action.isEnabled()
    menu.close()


def test_that_those_who_share_one_essay_are_seen_as_a_group(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    assert four.pairs_view.table.model().index(0, Column.GROUP).data() == "1", "a and b share more than half"
    four.workspace.documents.add(
        [essay("e.txt", LEFT_TEXT + "结尾。"), essay("f.txt", OTHER_TEXT + "大家都笑了。")]
    )
    settle(four, qtbot)
    groups = dict(zip(names(four), cells(four, Column.GROUP), strict=True))
    assert [groups[pair] for pair in ("ab", "ae", "be")] == ["1"] * 3
    assert groups["cf"] == "2"
    assert groups["ac"] == groups["cd"] == "–"
    (row,) = (row for row, pair in enumerate(names(four)) if pair == "be")
    tip = four.pairs_view.table.model().index(row, Column.GROUP).data(Qt.ItemDataRole.ToolTipRole)
    assert "Group 1: 3 documents\na.txt\nb.txt\ne.txt" in tip
    click_header(four, qtbot, Column.GROUP)
    assert cells(four, Column.GROUP)[:4] == ["1", "1", "1", "2"]
    group = four.pairs_view.filter.group
    assert [group.itemText(place) for place in range(group.count())] == [
        "All groups",
        "In a group",
        "Group 1 (3)",
        "Group 2 (2)",
    ]
    group.setCurrentIndex(1)
    assert len(names(four)) == 4
    group.setCurrentIndex(3)
    assert names(four) == ["cf"]
    four.workspace.documents.remove([6])
    settle(four, qtbot)
    assert len(names(four)) == 10, "with its group the choice of it is gone"


def test_that_the_same_file_and_the_same_text_are_marked(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    four.workspace.documents.add([essay("e.txt", LEFT_TEXT), essay("f.txt", LEFT_TEXT + "\n\n")])
    settle(four, qtbot)
    model, rows = four.pairs_view.table.model(), {pair: row for row, pair in enumerate(names(four))}
    for pair, words in (("ae", "same file"), ("af", "same text"), ("ab", "")):
        index = model.index(rows[pair], Column.B)
        assert four.pairs_view._rows.look(rows[pair], Column.B).same == words
        assert (words in index.data(Qt.ItemDataRole.AccessibleTextRole)) or not words
    tip = model.index(rows["ae"], Column.B).data(Qt.ItemDataRole.ToolTipRole)
    assert "same file as a.txt" in tip


def test_that_the_order_is_remembered_and_comes_with_a_session(
    four: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    click_header(four, qtbot, Column.A)
    click_header(four, qtbot, Column.A)
    assert Preferences().pair_order == "-a"
    keeper = four.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=TIMEOUT_MS):
        keeper.save(tmp_path / "class.simcompare")
    click_header(four, qtbot, Column.MATCHES)
    other = MainWindow(Preferences())
    qtbot.addWidget(other)
    assert other.pairs_view.order_word == "-matches"
    assert other.pairs_view.table.horizontalHeader().sortIndicatorSection() == Column.MATCHES
    other.close()
    with qtbot.waitSignal(keeper.opened, timeout=TIMEOUT_MS):
        keeper.open(tmp_path / "class.simcompare")
    settle(four, qtbot)
    assert [pair[0] for pair in names(four)] == list("cbbaaa")
    four.pairs_view.use_order("-nonsense")
    assert four.pairs_view.order_word == "-a"


# --- following documents and settings


def test_that_a_document_added_or_removed_costs_only_its_own_pairs(
    four: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pairs = four.workspace.pairs
    before = dict(pairs._scores)
    four.workspace.documents.add([essay("e.txt", LEFT_TEXT)])
    settle(four, qtbot)
    assert len(pairs.table) == 10
    assert all(pairs._scores[pair] is held for pair, held in before.items())
    four.workspace.documents.remove([1])
    settle(four, qtbot)
    assert len(names(four)) == 6
    assert "a.txt" not in cells(four, Column.A)


def test_that_a_threshold_judges_again_and_figures_on_the_way_look_so(four: MainWindow, qtbot: QtBot) -> None:
    pairs, before = four.workspace.pairs, dict(four.workspace.pairs._scores)
    four.tool_bar.settings_bar.sliders.weights_changed.emit(0.98, 0.99)
    cell = four.pairs_view.table.model().index(0, Column.A_IN_B)
    assert cell.data(RENEWING_ROLE)
    assert "being renewed" in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    settle(four, qtbot)
    assert not four.pairs_view.table.model().index(0, Column.A_IN_B).data(RENEWING_ROLE)
    assert pairs._scores == before
    assert cells(four, Column.MATCHES)[0] == "1"


def test_that_the_latest_of_many_thresholds_wins(four: MainWindow, qtbot: QtBot) -> None:
    sliders = four.tool_bar.settings_bar.sliders
    for percent in range(40, 98):
        sliders.weights_changed.emit(percent / 100, percent / 100 + 0.01)
        QApplication.processEvents()
    sliders.weights_changed.emit(0.35, 0.55)
    settle(four, qtbot)
    assert cells(four, Column.MATCHES)[0] == "3"
    assert (four.workspace.pairs.table.rows["state"] == PairState.CURRENT).all()


def test_that_another_thesaurus_scores_all_pairs_anew(four: MainWindow, qtbot: QtBot) -> None:
    before = dict(four.workspace.pairs._scores)
    four.workspace.set_settings(replace(four.workspace.settings, thesaurus="none"))
    assert four.workspace.pairs.is_comparing
    settle(four, qtbot)
    scores = four.workspace.pairs._scores
    assert scores.keys() == before.keys()
    assert all(scores[pair] is not held for pair, held in before.items())
    assert cells(four, Column.MATCHES)[0] == "2"


def test_that_cancelling_keeps_what_is_known_and_the_rest_can_be_taken_up(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    texts = [LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT]
    window.workspace.documents.add([essay(f"{i:02}.txt", texts[i % 3] * 20) for i in range(12)])
    pairs = window.workspace.pairs
    qtbot.waitUntil(
        lambda: len(pairs.table) == 66 and window.workspace.documents.reading_count == (12, 12),
        timeout=TIMEOUT_MS,
    )
    assert pairs.is_comparing
    qtbot.waitUntil(lambda: "Pairs " in window.status_line._activity.text(), timeout=TIMEOUT_MS)
    qtbot.mouseClick(window.status_line.cancel_button, LEFT_BUTTON)
    assert not pairs.is_comparing
    known = len(pairs._scores)
    assert pairs.left_out_count == 66 - known > 0
    assert f"{66 - known} not compared" in words(window)
    qtbot.mouseClick(window.pairs_view.filter.rest_button, LEFT_BUTTON)
    settle(window, qtbot)
    assert pairs.left_out_count == 0
    assert not window.pairs_view.filter.rest_button.isVisible()
    assert (pairs.table.rows["state"] == PairState.CURRENT).all()


def test_that_a_pair_that_cannot_be_compared_says_so(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.pairs.table.fail((1, 2), "not enough memory")
    four.workspace.pairs.changed.emit()
    (row,) = (row for row, pair in enumerate(names(four)) if pair == "ab")
    model = four.pairs_view.table.model()
    assert model.index(row, Column.A_IN_B).data() == "–"
    assert "not enough memory" in model.index(row, Column.A_IN_B).data(Qt.ItemDataRole.ToolTipRole)


def test_that_another_language_takes_over(four: MainWindow) -> None:
    four.use_language("zh")
    assert four.pairs_view.table.model().headerData(8, Qt.Orientation.Horizontal) == "匹配"


def test_that_a_class_of_three_hundred_is_listed_while_it_is_compared(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    letters = [chr(0x4E00 + i) for i in range(600)]
    rng = np.random.default_rng(3)
    paths = [
        essay(f"{i:03}.txt", "。".join("".join(rng.choice(letters, 12)) for _ in range(3)))
        for i in range(300)
    ]
    window.workspace.documents.add(paths)
    pairs = window.workspace.pairs
    qtbot.waitUntil(lambda: len(pairs.table) == 44_850, timeout=4 * TIMEOUT_MS)
    qtbot.waitUntil(lambda: window.pairs_view.table.model().rowCount() == 44_850, timeout=TIMEOUT_MS)
    for column in Column:
        window.pairs_view.sort_by(column)
        shown = window.pairs_view._rows._shown
        assert len(np.unique(shown)) == 44_850
    window.pairs_view.table.selectAll()
    window.pairs_view.sort_by(None)
    assert len(window.pairs_view._chosen_rows()) == 44_850
    window.workspace.cancel()
    window.workspace.documents.remove(list(range(3, 301)))
    assert window.pages.currentWidget() is window.compare_view
