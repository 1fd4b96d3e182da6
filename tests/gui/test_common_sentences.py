"""Sentences common to the class: the bar, the view, the menu of exclusions, the context menu of a text."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.session.school_class import DocumentRole
from simcompare.ui.cohort.common_dialog import CommonSentencesDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.class_samples import (
    DECLARATION,
    QUESTION,
    class_text,
    settle_class,
    write_class,
    write_draft,
    write_roster,
)
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS, button_of, open_menu
from tests.gui.pair_table import settle, side_names
from tests.gui.session_steps import drop
from tests.gui.test_left_out import choose_at

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def class_window(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with six essays below one question and declaration, and a draft."""
    drop(window, *write_class(tmp_path, 6), write_draft(tmp_path))
    settle_common(window, qtbot)
    return window


def settle_common(window: MainWindow, qtbot: QtBot) -> None:
    settle_class(window.workspace, qtbot)
    qtbot.waitUntil(lambda: bool(window.workspace.class_state.common))
    settle_class(window.workspace, qtbot)


def opened(window: MainWindow, qtbot: QtBot) -> CommonSentencesDialog:
    qtbot.mouseClick(window.common_bar.also_button, LEFT_BUTTON)
    dialog = window.common_sentences
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def sentences(dialog: CommonSentencesDialog) -> list[str]:
    model = dialog.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def ticks(dialog: CommonSentencesDialog) -> list[bool]:
    model, role = dialog.table.model(), Qt.ItemDataRole.CheckStateRole
    values = [model.index(row, 0).data(role) for row in range(model.rowCount())]
    return [Qt.CheckState(value) is Qt.CheckState.Checked for value in values]


def holders(dialog: CommonSentencesDialog) -> list[str]:
    return [dialog.holders.item(row).text() for row in range(dialog.holders.count())]


def click_tick(dialog: CommonSentencesDialog, qtbot: QtBot, row: int) -> None:
    index, option = dialog.table.model().index(row, 0), QStyleOptionViewItem()
    dialog.table.initViewItemOption(option)
    dialog.table.itemDelegate().initStyleOption(option, index)
    option.rect = dialog.table.visualRect(index)
    part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    place = dialog.style().subElementRect(part, option, dialog.table).center()
    qtbot.mouseClick(dialog.table.viewport(), LEFT_BUTTON, pos=place)


def first_shares(window: MainWindow) -> tuple[float, float]:
    row = window.workspace.pairs.table.rows[0]
    return float(row["after_exclusions_left_in_right"]), float(row["after_exclusions_right_in_left"])


def test_that_the_bar_says_how_many_sentences_are_left_out_and_is_asked_once(
    class_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    bar = class_window.common_bar
    assert bar.isVisible()
    assert bar.label.text() == "2 sentences are in nearly all essays and are left out."
    qtbot.mouseClick(bar.dismiss_button, LEFT_BUTTON)
    assert not bar.isVisible()
    class_window.use_language("zh")
    late = tmp_path / "2025009-周杰.txt"
    late.write_text(class_text("周末的早晨，我一个人去了图书馆。"), "utf-8")
    drop(class_window, late)
    settle_class(class_window.workspace, qtbot)
    assert not bar.isVisible()


def test_that_the_bar_is_on_the_page_of_the_class_and_undo_leaves_sentences_out_again(
    class_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    # the bar is on the page of the class alone
    class_window.pages.show_compare()
    assert not class_window.common_bar.isVisible()
    class_window.pages.show_pairs()
    assert class_window.common_bar.isVisible()

    # the bar counts them and undo leaves them out again
    assert first_shares(class_window) == (0, 0)
    qtbot.mouseClick(class_window.common_bar.show_button, LEFT_BUTTON)
    settle(class_window, qtbot)
    assert min(first_shares(class_window)) > 0
    assert not class_window.common_bar.isVisible()
    class_window.workspace.history.undo()
    settle(class_window, qtbot)
    assert first_shares(class_window) == (0, 0)
    assert class_window.common_bar.isVisible()

    # a file that could not be read is no essay with or without a sentence
    (tmp_path / "torn.docx").write_bytes(b"")
    drop(class_window, tmp_path / "torn.docx")
    settle_common(class_window, qtbot)
    assert opened(class_window, qtbot).holders_title.text() == "In 6 of 6 essays"


def test_that_equal_lines_of_a_form_are_left_out_of_two_documents(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    drop(window, *write_class(tmp_path, 2))
    wait_for_comparison(window, qtbot)
    bar, workspace = window.common_bar, window.workspace
    qtbot.waitUntil(bar.isVisible)
    assert bar.label.text() == "2 sentences of the task, cover or declaration are in both and are left out."
    qtbot.waitUntil(lambda: workspace.comparison.share.left_in_right.after_exclusions == 0)
    dialog = opened(window, qtbot)
    assert sentences(dialog) == [QUESTION, DECLARATION]
    assert not dialog.filter_button.isVisible()
    dialog.reject()
    qtbot.mouseClick(bar.show_button, LEFT_BUTTON)
    qtbot.waitUntil(lambda: workspace.comparison.share.left_in_right.after_exclusions > 0)
    assert not bar.isVisible()


def test_that_the_view_shows_counts_and_finds_the_common_sentences_and_who_has_them(
    class_window: MainWindow, qtbot: QtBot
) -> None:
    # the view shows each sentence with its essays and who has it
    dialog = opened(class_window, qtbot)
    assert sorted(sentences(dialog)) == sorted([QUESTION, DECLARATION])
    assert ticks(dialog) == [True, True]
    assert dialog.table.model().index(0, 1).data() == "6"
    assert dialog.holders_title.text() == "In 6 of 6 essays"
    assert len(holders(dialog)) == 7
    assert holders(dialog)[-1] == "2025001-王伟-初稿.txt · Draft"

    # the button to open a pair says what to choose
    assert not dialog.open_button.isEnabled()
    assert dialog.open_button.toolTip().startswith("Choose two essays")
    place = dialog.holders.visualItemRect(dialog.holders.item(2)).center()
    qtbot.mouseClick(dialog.holders.viewport(), LEFT_BUTTON, pos=place)
    assert dialog.open_button.isEnabled()
    assert not dialog.open_button.toolTip()

    # a click on a tick shows who has that sentence
    assert dialog.sentence.text() == sentences(dialog)[0]
    click_tick(dialog, qtbot, 1)
    assert ticks(dialog) == [True, False]
    assert dialog.sentence.text() == sentences(dialog)[1]
    assert [index.row() for index in dialog.table.selectionModel().selectedRows()] == [1]
    class_window.workspace.history.undo()

    # a sentence is counted by a click on its tick
    click_tick(dialog, qtbot, 0)
    settle(class_window, qtbot)
    assert ticks(dialog) == [False, True]
    assert dialog.count.text() == "2 sentences · 1 not in the shares"
    assert min(first_shares(class_window)) > 0
    click_tick(dialog, qtbot, 0)
    settle(class_window, qtbot)
    assert ticks(dialog) == [True, True]
    assert first_shares(class_window) == (0, 0)

    # the space bar counts all selected sentences
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert ticks(dialog) == [False, False]
    class_window.workspace.history.undo()
    assert ticks(dialog) == [True, True], "one step"

    # the search finds a sentence by its words and by who has it
    dialog.search.insert(DECLARATION[:6])
    assert sentences(dialog) == [DECLARATION]
    dialog.search.clear()
    dialog.search.insert("李芳")
    assert len(sentences(dialog)) == 2
    qtbot.keyClicks(dialog.search, "nobody")
    assert sentences(dialog) == []
    assert holders(dialog) == []


def test_that_the_class_is_filtered_by_the_essays_with_a_sentence(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "2025009-周杰.txt"
    other.write_text("周末的早晨，我一个人去了图书馆，读了一本关于星空的书。" * 5, "utf-8")
    drop(class_window, other)
    settle_common(class_window, qtbot)
    class_window.workspace.documents.choose_pair(1, 2)
    class_window.pages.show_compare()
    button_of(class_window).open_common.trigger()
    dialog = class_window.common_sentences
    qtbot.mouseClick(dialog.filter_button, LEFT_BUTTON)
    assert not dialog.isVisible()
    assert class_window.pages.currentWidget() is class_window.class_page
    assert class_window.workspace.class_filter.documents == frozenset(range(1, 7))  # not the draft
    assert class_window.pairs_view.table.model().rowCount() == 15


def test_that_all_are_counted_at_once_and_nothing_can_be_ticked_meanwhile(
    class_window: MainWindow, qtbot: QtBot
) -> None:
    dialog = opened(class_window, qtbot)
    qtbot.mouseClick(dialog.exclude_box, LEFT_BUTTON, pos=QPoint(8, dialog.exclude_box.height() // 2))
    assert not class_window.workspace.settings.exclude_common
    assert ticks(dialog) == [False, False]
    click_tick(dialog, qtbot, 0)
    assert ticks(dialog) == [False, False]


def test_that_a_double_click_on_an_essay_opens_it_beside_another_that_has_the_sentence(
    class_window: MainWindow, qtbot: QtBot
) -> None:
    dialog = opened(class_window, qtbot)
    place = dialog.holders.visualItemRect(dialog.holders.item(2)).center()
    qtbot.mouseClick(dialog.holders.viewport(), LEFT_BUTTON, pos=place)
    qtbot.mouseDClick(dialog.holders.viewport(), LEFT_BUTTON, pos=place)
    assert class_window.pages.shows_compare
    assert side_names(class_window) == ["2025003-张敏.txt", "2025001-王伟.txt"]


def test_that_the_menu_of_exclusions_counts_common_sentences(class_window: MainWindow, qtbot: QtBot) -> None:
    open_menu(class_window)
    tick = button_of(class_window).ticks[ExclusionReason.COMMON]
    assert tick.isVisible()
    assert tick.isChecked()
    tick.trigger()
    assert not class_window.workspace.settings.exclude_common
    button_of(class_window).open_common.trigger()
    assert class_window.common_sentences.isVisible()


def test_that_two_essays_have_no_entry_for_common_sentences(compared: MainWindow) -> None:
    open_menu(compared)
    assert not button_of(compared).ticks[ExclusionReason.COMMON].isVisible()
    assert not button_of(compared).open_common.isVisible()


def test_that_compare_says_that_a_sentence_is_common_and_counts_it_again(
    class_window: MainWindow, qtbot: QtBot
) -> None:
    # compare says that a sentence is common to the class
    class_window.workspace.documents.choose_pair(1, 2)
    class_window.pages.show_compare()
    wait_for_comparison(class_window, qtbot)
    class_window.compare_view.heatmap.cell_chosen.emit(0, 0)
    views = class_window.compare_view.inspector.findChildren(QTextEdit)
    words = "The left sentence is excluded: common text."
    qtbot.waitUntil(lambda: any(words in view.toPlainText() for view in views))

    # a common sentence is counted and left out again from its text
    comparison = class_window.workspace.comparison
    assert (0, ExclusionReason.COMMON) in comparison.left_excluded.sentences()
    choose_at(class_window, Side.LEFT, QUESTION[:8], "Count this sentence again")
    qtbot.waitUntil(lambda: 0 not in dict(class_window.workspace.comparison.left_excluded.sentences()))
    assert 0 not in dict(class_window.workspace.comparison.right_excluded.sentences())
    choose_at(class_window, Side.RIGHT, QUESTION[:8], "Leave this sentence out everywhere")
    qtbot.waitUntil(lambda: 0 in dict(class_window.workspace.comparison.left_excluded.sentences()))
    assert not class_window.workspace.settings.left_out


def test_that_a_template_among_the_essays_is_proposed_and_used(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    template = tmp_path / "作文要求.txt"
    template.write_text(f"{QUESTION}\n{DECLARATION}", "utf-8")
    drop(class_window, template)
    bar = class_window.common_bar
    words = "This looks like the question, not an essay: 作文要求.txt. Use it as a template?"
    qtbot.waitUntil(lambda: bar.label.text() == words)
    qtbot.mouseClick(bar.show_button, LEFT_BUTTON)
    settle_common(class_window, qtbot)
    assert class_window.workspace.class_state.role_of(8) is DocumentRole.TEMPLATE
    assert bar.label.text() == "2 sentences are in nearly all essays and are left out."
    assert len(class_window.workspace.pairs.table) == 15


def test_that_the_question_is_asked_beside_the_notice_on_a_class_list(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    task = tmp_path / "Essay question.txt"
    task.write_text("Some say that answers are easy to find. Do we still need to ask?", "utf-8")
    drop(class_window, task, write_roster(tmp_path))
    bar, notice = class_window.common_bar, class_window.notice
    qtbot.waitUntil(lambda: notice.isVisible() and bar.isVisible(), timeout=READING_TIMEOUT_MS)
    assert "Essay question.txt. Use it as a template?" in bar.label.text()
    assert "students. Not handed in:" in notice.label.text()
    qtbot.mouseClick(bar.show_button, LEFT_BUTTON)
    qtbot.waitUntil(lambda: not bar.isVisible())  # what matters less waits for the notice to be closed
    assert bar.label.text().endswith("left out.")
    qtbot.mouseClick(notice.dismiss_button, LEFT_BUTTON)
    qtbot.waitUntil(bar.isVisible)


def test_that_a_file_called_the_question_is_proposed_though_no_essay_repeats_it(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    task = tmp_path / "Essay question.txt"
    task.write_text("Some say that answers are easy to find. Do we still need to ask?", "utf-8")
    drop(class_window, task)
    bar = class_window.common_bar
    qtbot.waitUntil(lambda: "Essay question.txt. Use it as a template?" in bar.label.text())
    qtbot.mouseClick(bar.show_button, LEFT_BUTTON)
    settle_common(class_window, qtbot)
    assert class_window.workspace.class_state.role_of(8) is DocumentRole.TEMPLATE


def test_that_a_refused_proposal_is_not_repeated(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    empty_form = tmp_path / "2025009-周杰.txt"
    empty_form.write_text(f"{QUESTION}\n{DECLARATION}", "utf-8")
    drop(class_window, empty_form)
    bar = class_window.common_bar
    qtbot.waitUntil(lambda: "Is it a template?" in bar.label.text())
    qtbot.mouseClick(bar.dismiss_button, LEFT_BUTTON)
    assert bar.label.text() == "2 sentences are in nearly all essays and are left out."
    assert class_window.workspace.class_state.role_of(8) is DocumentRole.CURRENT


def test_that_a_reopened_session_does_not_ask_again(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot, another_window: Callable[..., MainWindow]
) -> None:
    session = tmp_path / "三班.simcompare"
    with qtbot.waitSignal(class_window.sessions.keeper.saved):
        class_window.sessions.keeper.save(session)
    reopened = another_window(str(session))
    settle_common(reopened, qtbot)
    assert not reopened.common_bar.isVisible()
    open_menu(reopened)
    assert button_of(reopened).open_common.text() == "Common sentences…\t2 not in the shares"
    assert button_of(reopened).ticks[ExclusionReason.COMMON].isChecked()
