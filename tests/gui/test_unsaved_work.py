"""Unsaved work: questions before it is lost, and changes while files are written and read."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session.session_commands import UnsavedDialog
from simcompare.ui.session.session_keeper import WorkPart
from tests.gui.class_samples import settle_class, write_class, write_roster
from tests.gui.conftest import OTHER_TEXT, READING_TIMEOUT_MS, Essay
from tests.gui.session_steps import choose_file, drop, names, save_to, trigger, unsaved_dialog

# --- leaving unsaved work


def test_that_closing_asks_and_esc_cancels(decided: MainWindow, qtbot: QtBot) -> None:
    assert not decided.close()
    dialog = unsaved_dialog(decided)
    assert dialog.focusWidget() is dialog.save_button
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert decided.isVisible()
    assert decided.workspace.review.pairs()
    assert unsaved_dialog(decided) is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_that_a_key_presses_the_button_with_the_focus(decided: MainWindow, key: Qt.Key, qtbot: QtBot) -> None:
    decided.close()
    dialog = unsaved_dialog(decided)
    dialog.activateWindow()
    while dialog.focusWidget() is not dialog.cancel_button:
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(dialog.cancel_button, key)
    assert decided.isVisible()
    assert unsaved_dialog(decided) is None
    assert decided.findChild(QFileDialog) is None, "nothing is saved"


def test_that_the_question_names_only_what_is_lost(decided: MainWindow) -> None:
    decided.close()
    explanation = unsaved_dialog(decided).explanation.text()
    assert explanation == "You will lose this if you don't save: decisions and notes."
    unsaved_dialog(decided).reject()
    decided.tool_bar.strictness.presets["paper"].trigger()
    decided.use_language("zh")
    decided.close()
    assert "判定和备注、设置。" in unsaved_dialog(decided).explanation.text()


def test_that_the_question_names_no_settings_after_a_folder_with_a_class_list(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    write_class(tmp_path)
    write_roster(tmp_path)
    drop(window, tmp_path)
    qtbot.waitUntil(lambda: bool(window.workspace.class_state.rosters), timeout=READING_TIMEOUT_MS)
    settle_class(window.workspace, qtbot)
    assert not window.close()
    explanation = unsaved_dialog(window).explanation.text()
    assert explanation == "You will lose this if you don't save: the comparison of the class."


def test_that_all_lines_of_the_question_are_visible(window: MainWindow) -> None:
    for language in ("en", "zh"):
        window.use_language(language)
        dialog = UnsavedDialog("Class 10B, second term", set(WorkPart), window)
        dialog.open()
        for label in (dialog.question, dialog.explanation):
            assert label.height() >= label.heightForWidth(label.width())
        dialog.reject()


def test_that_closing_without_saving_closes(decided: MainWindow) -> None:
    decided.close()
    unsaved_dialog(decided).discard_button.click()
    assert not decided.isVisible()


def test_that_closing_with_saving_asks_for_a_file_saves_and_closes(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    decided.close()
    unsaved_dialog(decided).save_button.click()
    assert decided.isVisible()
    choose_file(decided, session_path)
    qtbot.waitUntil(lambda: not decided.isVisible(), timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).reviews) == 1


def test_that_a_window_stays_open_if_saving_before_closing_fails(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    decided.close()
    unsaved_dialog(decided).save_button.click()
    choose_file(decided, tmp_path / "gone" / "a.simcompare")
    qtbot.waitUntil(decided.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert decided.isVisible()
    assert not decided.close()


def test_that_closing_waits_for_a_running_save(decided: MainWindow, session_path: Path, qtbot: QtBot) -> None:
    decided.sessions.keeper.save(session_path)
    assert not decided.close()
    assert unsaved_dialog(decided) is None
    qtbot.waitUntil(lambda: not decided.isVisible(), timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).reviews) == 1


def test_that_files_without_a_decision_are_not_unsaved_work(compared: MainWindow) -> None:
    assert not compared.isWindowModified()
    assert compared.close()


def test_that_changed_settings_are_unsaved_work_until_they_are_restored(compared: MainWindow) -> None:
    compared.tool_bar.strictness.presets["paper"].trigger()
    assert compared.isWindowModified()
    assert not compared.close()
    unsaved_dialog(compared).reject()
    compared.workspace.history.undo()
    assert not compared.isWindowModified()
    assert compared.close()


def test_that_a_changed_session_file_is_asked_about_even_without_a_decision(
    compared: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    save_to(compared, session_path, qtbot)
    drop(compared, essay("more.txt", OTHER_TEXT))
    trigger(compared, "new_session")
    assert "四班" in unsaved_dialog(compared).question.text()
    unsaved_dialog(compared).save_button.click()
    qtbot.waitUntil(lambda: not compared.workspace.documents.entries, timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).documents) == 3


# --- changes while files are written and read


def test_that_a_save_that_ends_after_a_new_session_was_started_does_not_count_for_it(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(decided, session_path, qtbot)
    with qtbot.waitSignal(decided.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        decided.sessions.keeper.save_again()
        decided.sessions.keeper.reset()
    assert decided.sessions.keeper.path is None
    assert not decided.isWindowModified()
    assert "四班" not in decided.windowTitle()


def test_that_a_session_is_not_overwritten_by_one_opened_meanwhile(
    decided: MainWindow, session_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "五班.simcompare"
    write_session(Session(), other)
    save_to(decided, session_path, qtbot)
    drop(decided, other)
    trigger(decided, "save")
    qtbot.waitUntil(lambda: decided.sessions.keeper.path == other, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: not decided.sessions.keeper.is_saving, timeout=READING_TIMEOUT_MS)
    assert decided.sessions.keeper.path == other
    assert not decided.isWindowModified()
    assert len(read_session(session_path).reviews) == 1


def test_that_a_decision_during_the_save_before_closing_is_asked_about_again(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    decided.close()
    unsaved_dialog(decided).save_button.click()
    choose_file(decided, session_path)
    decided.workspace.review.note(decided.workspace.selection.cell, "one more word")
    qtbot.waitUntil(lambda: unsaved_dialog(decided) is not None, timeout=READING_TIMEOUT_MS)
    assert decided.isVisible()
    unsaved_dialog(decided).save_button.click()
    qtbot.waitUntil(lambda: not decided.isVisible(), timeout=READING_TIMEOUT_MS)
    [review] = read_session(session_path).reviews.values()
    assert [noted_decision.note for noted_decision in review.matches.values()] == ["one more word"]


def test_that_a_decision_while_a_session_is_opened_is_kept(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    write_session(Session(), session_path)
    drop(decided, session_path)
    unsaved_dialog(decided).discard_button.click()
    decided.workspace.review.note(decided.workspace.selection.cell, "one more word")
    qtbot.waitUntil(decided.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "四班.simcompare was not opened" in decided.notice.label.text()
    assert names(decided) == ["left.txt", "right.txt"]
    assert decided.workspace.review.pairs()


def test_that_other_files_are_added_even_if_the_session_among_them_cannot_be_opened(
    window: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    session_path.write_bytes(b"no session")
    drop(window, essay("more.txt", OTHER_TEXT), session_path)
    qtbot.waitUntil(lambda: names(window) == ["more.txt"], timeout=READING_TIMEOUT_MS)
    assert "cannot be opened as a session" in window.notice.label.text()
