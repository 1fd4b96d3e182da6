"""Exclusions in the window: menu, counts, greyed text, and switching them off again."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QTextEdit, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.support.display_text import percent
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import DARK
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.exclusion_samples import (
    MUTED,
    NO_POPUPS,
    PROMPT_LINE,
    QUOTING_LEFT,
    QUOTING_RIGHT,
    button_of,
    click_entry,
    entries,
    grey_ranges,
    greyed,
    listed,
    open_menu,
    page_of,
    share_labels,
    shares,
)
from tests.gui.pixels import colours_of
from tests.gui.window_parts import labels
from tests.helpers.documents import make_document


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_menu_texts_heatmap_and_shares_say_what_is_excluded_and_why(
    excluding: MainWindow, qtbot: QtBot
) -> None:
    # the menu ticks active exclusions and counts sentences of both texts
    assert button_of(excluding).text() == "Excluded: 4 kinds"
    assert entries(excluding) == {
        "Quotations": (True, "2"),
        "Reference list": (True, "4"),
        "Title, name, class and date lines": (True, "2"),
        "Short sentences": (True, "2"),
    }

    # excluded sentences are greyed and their matches excluded
    assert "“桥是会说话的，只是说得很慢。”" in greyed(excluding, Side.LEFT)
    assert "参考文献\n王小明，《中国古桥的历史》，河流出版社，二〇一九年。" in greyed(excluding, Side.RIGHT)
    assert "石桥站了一百多年" not in greyed(excluding, Side.LEFT)
    assert listed(excluding) == ["村口的石桥站了一百多年，桥面被磨得发亮。", PROMPT_LINE]

    # the tool tip of the heatmap shows why a pair is excluded
    words = excluding.compare_view.heatmap._describer(*quoted_cell(excluding))
    assert "similarity 1.00 (P) · excluded" in words
    assert "The left sentence is excluded: quotation." in words

    # the tool tip of a greyed sentence shows the reason
    page = page_of(excluding, Side.LEFT)

    def point_at(words: str) -> None:
        cursor = page.textCursor()
        cursor.setPosition(QUOTING_LEFT.index(words) + 1)
        show_tool_tip(page.viewport(), page.cursorRect(cursor).center() + QPoint(3, 0))

    point_at("桥是会说话的")
    assert QToolTip.text().splitlines()[-1] == "Excluded: quotation"
    point_at("好美")
    assert QToolTip.text().splitlines()[-1] == "Excluded: short sentence"
    point_at("我小时候")
    qtbot.waitUntil(lambda: "Excluded" not in QToolTip.text())

    # the button opens by keyboard
    button = button_of(excluding)
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert button.accessibleName() == "Excluded: 4 kinds"
    assert button.accessibleDescription()

    # the share explains how much of each text is excluded and why
    left, right = shares(excluding)
    assert "Excluded: quotation: 1 sentence (12 characters), reference list: 2 sentences " in left
    assert "title or name line: 1 sentence (" in left
    assert "title or name line: 1 sentence (" in right

    # the language of the menu and of the reasons changes
    excluding.use_language("zh")
    assert button_of(excluding).text() != ""
    excluding.use_language("en")
    assert button_of(excluding).text() == "Excluded: 4 kinds"

    # greyed sentences follow the theme
    page = page_of(excluding, Side.LEFT)
    excluding.use_theme("dark")
    colours = {drawn.foreground().color().name() for _start, _end, drawn in grey_ranges(page)}
    assert colours == {DARK.muted}


def test_that_without_a_pair_the_menu_counts_nothing(window: MainWindow) -> None:
    assert entries(window)["Quotations"] == (True, "")


def test_that_with_nothing_excluded_the_raw_share_is_shown_and_no_exclusion_mentioned(
    excluding: MainWindow,
) -> None:
    # the share after exclusions is shown and the raw one in its explanation
    share = excluding.workspace.comparison.share.left_in_right
    assert share_labels(excluding).startswith(percent(share.after_exclusions))
    assert f"Share before exclusions: {percent(share.raw)}" in shares(excluding)[0]
    for action in button_of(excluding).ticks.values():
        if action.isChecked():
            action.trigger()
    assert share_labels(excluding).startswith(percent(share.raw))

    # nothing excluded leaves a plain button
    assert button_of(excluding).text() == "Excluded: nothing"
    assert greyed(excluding, Side.LEFT) == greyed(excluding, Side.RIGHT) == ""

    # exclusions are not mentioned if nothing is excluded
    assert not any("xclu" in share for share in shares(excluding))


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_click_includes_quotations_at_once_and_a_second_one_excludes_them(
    excluding: MainWindow, qtbot: QtBot
) -> None:
    before = excluding.workspace.comparison
    open_menu(excluding)
    click_entry(excluding, ExclusionReason.QUOTATION, qtbot)
    counted = excluding.workspace.comparison
    assert counted.matrix is before.matrix
    assert "“桥是会说话的，只是说得很慢。”" in listed(excluding)
    assert "桥是会说话的" not in greyed(excluding, Side.LEFT)
    assert button_of(excluding).text() == "Excluded: 3 kinds"
    assert entries(excluding)["Quotations"] == (False, "")
    click_entry(excluding, ExclusionReason.QUOTATION, qtbot)
    assert excluding.workspace.comparison.share == before.share
    assert greyed(excluding, Side.LEFT).count("桥是会说话的") == 1


def test_that_the_minimum_sentence_length_is_chosen_in_the_menu(excluding: MainWindow) -> None:
    button = button_of(excluding)
    button.minima[10].trigger()
    assert excluding.workspace.settings.minimum_units == 10
    assert "诗人总这样说。" in greyed(excluding, Side.LEFT)
    button.ticks[ExclusionReason.SHORT].trigger()
    assert excluding.workspace.settings.minimum_units == 0
    button.ticks[ExclusionReason.SHORT].trigger()
    assert excluding.workspace.settings.minimum_units == 10
    assert [units for units, action in button.minima.items() if action.isChecked()] == [10]


def test_that_the_header_says_so_in_words_if_everything_is_excluded(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add(
        [essay("a.txt", "好。走吧。来了。对了。"), essay("b.txt", "好。再见。去吧。是的。")]
    )
    wait_for_comparison(window, qtbot)
    assert share_labels(window) == "nothing counts nothing counts"


def test_that_next_and_previous_skip_passages_of_excluded_sentences(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    bridge, quotation = "村口的石桥站了一百多年，桥面被磨得发亮。", "“桥是会说话的，只是说得很慢。”"
    between = ("体育课上大家都在练习跳绳。", "老师吹响了哨子，比赛马上开始。", "城里的街道总是很吵。")
    left, right = (
        "\n".join((bridge, *between, quotation)),
        "\n".join((quotation, "天黑了以后我才回家。", bridge)),
    )
    window.workspace.documents.add([essay("a.txt", left), essay("b.txt", right)])
    wait_for_comparison(window, qtbot)

    def framed() -> set[str]:
        seen = set()
        for key in (Qt.Key.Key_P, Qt.Key.Key_N, Qt.Key.Key_N):
            qtbot.keyClick(window, key)
            sentence, _right = window.workspace.selection.cell
            comparison = window.workspace.comparison
            seen.add(comparison.left.prepared.sentence_span(sentence).of(left))
        return seen

    assert framed() == {bridge}
    button_of(window).ticks[ExclusionReason.QUOTATION].trigger()
    assert framed() == {bridge, quotation}


def quoted_cell(window: MainWindow) -> tuple[int, int]:
    comparison = window.workspace.comparison
    sides = ((comparison.left, QUOTING_LEFT), (comparison.right, QUOTING_RIGHT))
    cell = [prepared_document.prepared.sentence_at(text.index("桥是会")) for prepared_document, text in sides]
    return cell[0], cell[1]


def test_that_an_excluded_pair_shows_its_reason_when_selected(excluding: MainWindow, qtbot: QtBot) -> None:
    excluding.compare_view.heatmap.cell_chosen.emit(*quoted_cell(excluding))
    inspector = excluding.compare_view.inspector
    assert "Excluded" in labels(inspector).split("\n")[0]
    reasons = "\n".join(view.toPlainText() for view in inspector.findChildren(QTextEdit))
    assert "The left sentence is excluded: quotation." in reasons
    assert "The right sentence is excluded: quotation." in reasons
    assert "less than" not in reasons
    button_of(excluding).ticks[ExclusionReason.QUOTATION].trigger()
    qtbot.waitUntil(lambda: "Excluded" not in labels(inspector))


def show_tool_tip(widget: QWidget, place: QPoint) -> None:
    QApplication.sendEvent(widget, QHelpEvent(QHelpEvent.Type.ToolTip, place, widget.mapToGlobal(place)))


def test_that_each_of_several_adjacent_sentences_is_greyed(qtbot: QtBot) -> None:
    """Qt does not paint the middle one of three adjacent selections."""
    sentence = "渔船慢慢地从芦苇旁边划过去谁也没有说话大家都在看着水面。"
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.resize(300, 300)
    pane.set_document(make_document(sentence * 3))
    length = len(sentence)
    pane.set_excluded(np.array([(i * length, (i + 1) * length) for i in range(3)]), ["why"] * 3)
    pane.show()
    page = pane.findChild(QTextEdit).viewport().grab().toImage()
    greys = [QColor(colour).lightness() for colour in colours_of(page)]
    assert QColor(MUTED).lightness() - 5 < min(greys) < 200


NAMED_LEFT = "家乡的石桥\n三年级2班 唐宁\n村口的石桥站了一百多年，桥面被磨得发亮。\n"
NAMED_RIGHT = "石桥记\n三年级2班 唐小宁\n我的老家在一条小河边。村口的石桥站了一百多年，桥面被磨得发亮。\n"


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_line_with_class_and_name_is_greyed_and_a_click_includes_it_again(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", NAMED_LEFT), essay("b.txt", NAMED_RIGHT)])
    wait_for_comparison(window, qtbot)
    assert entries(window)["Title, name, class and date lines"] == (True, "4")
    assert "三年级2班 唐宁" in greyed(window, Side.LEFT)
    assert listed(window) == ["村口的石桥站了一百多年，桥面被磨得发亮。"]
    open_menu(window)
    click_entry(window, ExclusionReason.NAME_LINE, qtbot)
    assert listed(window)[0] == "三年级2班 唐宁"
    assert "三年级2班 唐宁" not in greyed(window, Side.LEFT)
    window.workspace.history.undo()
    assert "三年级2班 唐宁" in greyed(window, Side.LEFT)
