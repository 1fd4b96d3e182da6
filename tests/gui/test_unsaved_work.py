"""Unsaved work: what is asked before it is left, and what happens while files are written and read."""

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.session.session_data import Session
from simcompare.session.session_reader import read_session
from simcompare.session.session_writer import write_session
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import OTHER_TEXT, READING_TIMEOUT_MS, Essay
from tests.gui.session_steps import choose_file, drop, names, save_to, trigger, unsaved_dialog

# --- leaving unsaved work


def test_that_closing_asks_and_esc_stays(judged: MainWindow, qtbot: QtBot) -> None:
    assert not judged.close()
    dialog = unsaved_dialog(judged)
    assert dialog.focusWidget() is dialog.save_button
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert judged.isVisible()
    assert judged.workspace.review.pairs()
    assert unsaved_dialog(judged) is None


def test_that_closing_without_saving_closes(judged: MainWindow) -> None:
    judged.close()
    unsaved_dialog(judged).discard_button.click()
    assert not judged.isVisible()


def test_that_closing_with_saving_asks_where_saves_and_closes(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    judged.close()
    unsaved_dialog(judged).save_button.click()
    assert judged.isVisible()
    choose_file(judged, session_path)
    qtbot.waitUntil(lambda: not judged.isVisible(), timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).reviews) == 1


def test_that_a_window_stays_where_saving_before_closing_fails(
    judged: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    judged.close()
    unsaved_dialog(judged).save_button.click()
    choose_file(judged, tmp_path / "gone" / "a.simcompare")
    qtbot.waitUntil(judged.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert judged.isVisible()
    assert not judged.close()


def test_that_closing_waits_for_what_is_being_saved(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    judged.sessions.keeper.save(session_path)
    assert not judged.close()
    assert unsaved_dialog(judged) is None
    qtbot.waitUntil(lambda: not judged.isVisible(), timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).reviews) == 1


def test_that_files_without_a_decision_are_no_unsaved_work(compared: MainWindow) -> None:
    assert not compared.isWindowModified()
    assert compared.close()


def test_that_settings_of_ones_own_are_unsaved_work_until_they_are_taken_back(compared: MainWindow) -> None:
    presets = compared.tool_bar.settings_bar.presets
    presets.activated.emit(presets.findData("paper"))
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


# --- what happens while files are written and read


def test_that_a_save_that_ends_after_another_session_was_begun_is_not_its_save(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(judged, session_path, qtbot)
    with qtbot.waitSignal(judged.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        judged.sessions.keeper.save_again()
        judged.sessions.keeper.reset()
    assert judged.sessions.keeper.path is None
    assert not judged.isWindowModified()
    assert "四班" not in judged.windowTitle()


def test_that_a_session_is_not_saved_over_by_the_one_that_was_opened_meanwhile(
    judged: MainWindow, session_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "五班.simcompare"
    write_session(Session(), other)
    save_to(judged, session_path, qtbot)
    drop(judged, other)
    trigger(judged, "save")
    qtbot.waitUntil(lambda: judged.sessions.keeper.path == other, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: not judged.sessions.keeper.is_saving, timeout=READING_TIMEOUT_MS)
    assert judged.sessions.keeper.path == other
    assert not judged.isWindowModified()
    assert len(read_session(session_path).reviews) == 1


def test_that_what_is_judged_while_it_is_saved_before_closing_is_asked_about_again(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    judged.close()
    unsaved_dialog(judged).save_button.click()
    choose_file(judged, session_path)
    judged.workspace.review.note(judged.workspace.selection.cell, "one more word")
    qtbot.waitUntil(lambda: unsaved_dialog(judged) is not None, timeout=READING_TIMEOUT_MS)
    assert judged.isVisible()
    unsaved_dialog(judged).save_button.click()
    qtbot.waitUntil(lambda: not judged.isVisible(), timeout=READING_TIMEOUT_MS)
    [review] = read_session(session_path).reviews.values()
    assert [judgement.note for judgement in review.matches.values()] == ["one more word"]


def test_that_what_is_judged_while_a_session_is_opened_stays(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    write_session(Session(), session_path)
    drop(judged, session_path)
    unsaved_dialog(judged).discard_button.click()
    judged.workspace.review.note(judged.workspace.selection.cell, "one more word")
    qtbot.waitUntil(judged.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "四班.simcompare was not opened" in judged.notice.label.text()
    assert names(judged) == ["left.txt", "right.txt"]
    assert judged.workspace.review.pairs()


def test_that_other_files_are_added_also_where_the_session_among_them_cannot_be_opened(
    window: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    session_path.write_bytes(b"no session")
    drop(window, essay("more.txt", OTHER_TEXT), session_path)
    qtbot.waitUntil(lambda: names(window) == ["more.txt"], timeout=READING_TIMEOUT_MS)
    assert "cannot be opened as a session" in window.notice.label.text()
