"""Sessions as a teacher meets them: saved, opened, left with unsaved work, and back after a crash."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QSplitter
from pytestqt.qtbot import QtBot

from simcompare.errors import DamagedFileError
from simcompare.loading.pasted import PastedText
from simcompare.resources import user_data_path
from simcompare.session.reading import read_session
from simcompare.session.review import Decision
from simcompare.session.values import Session, SessionDocument
from simcompare.session.writing import write_session
from simcompare.settings import ComparisonSettings
from simcompare.ui import app
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session.unsaved_dialog import UnsavedDialog
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.side import Side
from tests.gui import dropping
from tests.gui.conftest import OTHER_TEXT, READING_TIMEOUT_MS, close_unsaved, wait_for_comparison
from tests.helpers.documents import make_document

Essay = Callable[[str, str], Path]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def another_window(qtbot: QtBot, application_looks: None) -> Iterator[Callable[[], MainWindow]]:
    """Windows that begin as the program does, closed without a question after the test."""
    windows: list[MainWindow] = []

    def start(*names: str) -> MainWindow:
        window = MainWindow(Preferences())
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        app._begin(window, [Path(name) for name in names])
        return window

    yield start
    for window in windows:
        close_unsaved(window)


def choose_file(window: MainWindow, path: Path) -> None:
    """Choose a file in the dialog that is open."""
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.done(QFileDialog.DialogCode.Accepted)


def trigger(window: MainWindow, name: str) -> None:
    window.commands.actions[name].trigger()


def save_to(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(window, "save_as")
        choose_file(window, path)


def judge_first(window: MainWindow) -> tuple[int, int]:
    """Decide about the first match, and return its cell."""
    match = window.workspace.comparison.matches[0]
    cell = (match.left, match.right)
    window.workspace.selection.select_cell(*cell)
    window.workspace.review.judge(cell, Decision.COPIED)
    return cell


def drop(window: MainWindow, *paths: Path) -> None:
    dropping.drop(window, dropping.files(paths))


def unsaved_dialog(window: MainWindow) -> UnsavedDialog | None:
    return next((d for d in window.findChildren(UnsavedDialog) if d.isVisible()), None)


def names(window: MainWindow) -> list[str]:
    return [entry.path.name for entry in window.workspace.documents.entries.values()]


@pytest.fixture
def session_path(tmp_path: Path) -> Path:
    return tmp_path / "四班.simcompare"


@pytest.fixture
def judged(compared: MainWindow) -> MainWindow:
    """A window with a decision that is not saved."""
    judge_first(compared)
    return compared


# --- saving and opening


def test_that_a_saved_session_opens_where_the_files_are_gone(
    judged: MainWindow,
    pair: tuple[Path, Path],
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    cell = judged.workspace.selection.cell
    judged.workspace.documents.swap()
    wait_for_comparison(judged, qtbot)
    qtbot.waitUntil(lambda: judged.workspace.selection.cell == cell[::-1])
    save_to(judged, session_path, qtbot)
    for path in pair:
        path.unlink()
    window = another_window(str(session_path))
    wait_for_comparison(window, qtbot)
    workspace = window.workspace
    assert [workspace.documents.entry_on(side).path.name for side in Side] == ["right.txt", "left.txt"]
    assert workspace.selection.cell == cell[::-1]
    assert workspace.review.judgement_of(workspace.selection.cell).decision is Decision.COPIED
    assert all(entry.error is None for entry in workspace.documents.entries.values())
    assert not window.isWindowModified()
    assert window.windowTitle() == "四班[*] – right.txt ↔ left.txt – simcompare"


def test_that_settings_come_back(judged: MainWindow, session_path: Path, qtbot: QtBot) -> None:
    window = judged
    sliders = window.tool_bar.settings_bar.sliders
    sliders.weights_changed.emit(0.42, 0.77)
    save_to(window, session_path, qtbot)
    trigger(window, "new_session")
    assert window.workspace.settings.right_weight != 0.77
    assert not window.workspace.documents.entries
    assert window.pages.currentWidget() is window.empty_view
    drop(window, session_path)
    wait_for_comparison(window, qtbot)
    assert (window.workspace.settings.similar_weight, window.workspace.settings.right_weight) == (0.42, 0.77)
    assert window.workspace.comparison.settings == window.workspace.settings


def test_that_a_prompt_comes_back_also_where_its_exclusion_is_off(
    compared: MainWindow, essay: Essay, session_path: Path, qtbot: QtBot
) -> None:
    prompt = essay("prompt.txt", "他说河水养大了全村的孩子！我非常喜欢看爷爷补网。")
    compared.workspace.prompt.read(prompt)
    qtbot.waitUntil(lambda: compared.workspace.prompt.path == prompt, timeout=READING_TIMEOUT_MS)
    save_to(compared, session_path, qtbot)
    prompt.unlink()
    trigger(compared, "new_session")
    assert compared.workspace.prompt.path is None
    drop(compared, session_path)
    wait_for_comparison(compared, qtbot)
    qtbot.waitUntil(lambda: compared.workspace.prompt.path == prompt, timeout=READING_TIMEOUT_MS)
    assert compared.workspace.settings.prompt == str(prompt)
    qtbot.waitUntil(
        lambda: compared.workspace.comparison.grounds[0].prompt is not None, timeout=READING_TIMEOUT_MS
    )
    assert not compared.isWindowModified()


def test_that_a_session_is_opened_through_add_documents_with_other_files(
    judged: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    save_to(judged, session_path, qtbot)
    trigger(judged, "new_session")
    trigger(judged, "add")
    dialog = judged.findChild(QFileDialog)
    dialog.filesSelected.emit([str(essay("more.txt", OTHER_TEXT)), str(session_path)])
    dialog.close()
    wait_for_comparison(judged, qtbot)
    assert names(judged) == ["left.txt", "right.txt", "more.txt"]


def test_that_a_saved_session_is_unmodified_until_something_is_decided_and_again_when_undone(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    assert judged.isWindowModified()
    save_to(judged, session_path, qtbot)
    assert not judged.isWindowModified()
    assert judged.status_line.said.text() == "Saved: 四班.simcompare"
    cell = judged.workspace.selection.cell
    judged.workspace.selection.select_step(1)
    trigger(judged, "swap")
    trigger(judged, "swap")
    wait_for_comparison(judged, qtbot)
    assert not judged.isWindowModified()
    judged.workspace.review.judge(cell, None)
    assert judged.isWindowModified()
    judged.workspace.history.undo()
    assert not judged.isWindowModified()


def test_that_save_writes_to_the_same_file_again(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(judged, session_path, qtbot)
    judged.workspace.review.note(judged.workspace.selection.cell, "问过他了")
    with qtbot.waitSignal(judged.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(judged, "save")
    [review] = read_session(session_path).reviews.values()
    assert [judgement.note for judgement in review.matches.values()] == ["问过他了"]


def test_that_a_name_with_a_date_in_it_is_a_session_all_the_same(
    judged: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    save_to(judged, tmp_path / "四班 2026.11.21", qtbot)
    assert judged.sessions.keeper.path == tmp_path / "四班 2026.11.21.simcompare"
    before = judged.sessions.keeper.path.read_bytes()
    judged.workspace.review.note(judged.workspace.selection.cell, "one")
    trigger(judged, "save_as")
    choose_file(judged, tmp_path / "四班 2026.11.21")
    asked = [dialog for dialog in judged.findChildren(QFileDialog) if dialog.isVisible()]
    assert [Path(name).name for name in asked[0].selectedFiles()] == ["四班 2026.11.21.simcompare"]
    assert judged.sessions.keeper.path.read_bytes() == before
    asked[0].reject()


def test_that_what_is_chosen_as_a_session_is_opened_as_one_whatever_it_is_called(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "四班 2026.11.21"
    write_session(Session(), path)
    trigger(window, "open_session")
    choose_file(window, path)
    qtbot.waitUntil(lambda: window.sessions.keeper.path == path, timeout=READING_TIMEOUT_MS)
    assert not window.workspace.documents.entries


def test_that_a_failing_save_says_so_and_leaves_the_work_unsaved(
    judged: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(judged.sessions.keeper.not_saved, timeout=READING_TIMEOUT_MS):
        judged.sessions.keeper.save(tmp_path / "gone" / "a.simcompare")
    assert "a.simcompare cannot be saved: its folder is not there" in judged.notice.label.text()
    assert judged.isWindowModified()
    assert judged.sessions.keeper.path is None


def test_that_a_damaged_session_says_so_and_leaves_what_there_is(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    session_path.write_bytes(b"no session")
    drop(judged, session_path)
    unsaved_dialog(judged).discard_button.click()
    qtbot.waitUntil(judged.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "cannot be opened as a session" in judged.notice.label.text()
    assert names(judged) == ["left.txt", "right.txt"]
    assert judged.workspace.review.pairs()


def test_that_a_file_with_an_error_keeps_it_and_can_be_read_again(
    window: MainWindow, essay: Essay, session_path: Path, qtbot: QtBot
) -> None:
    mended = essay("mended.txt", OTHER_TEXT)
    gone = mended.with_name("gone.docx")
    damaged = (DamagedFileError(path, cause="a part of it is broken") for path in (mended, gone))
    documents = tuple(SessionDocument(error.path, error=error) for error in damaged)
    write_session(Session(documents), session_path)
    drop(window, session_path)
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == 2, timeout=READING_TIMEOUT_MS)
    entries = list(window.workspace.documents.entries.values())
    assert all("is damaged" in str(entry.error) for entry in entries)
    window.workspace.documents.read_again([entry.key for entry in entries])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert entries[0].subject is not None
    assert "gone.docx cannot be opened" in str(entries[1].error)


def test_that_a_text_that_is_not_ready_yet_is_saved_all_the_same(
    window: MainWindow, session_path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    texts = [make_document(f"第{number}篇作文。", "河面上飘着一层薄薄的雾。") for number in range(12)]
    write_session(Session(tuple(SessionDocument(t.path, document=t) for t in texts)), session_path)
    with qtbot.waitSignal(window.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        drop(window, session_path)
    assert window.workspace.is_busy
    copy = tmp_path / "copy.simcompare"
    save_to(window, copy, qtbot)
    assert read_session(copy).documents == read_session(session_path).documents
    window.workspace.cancel()
    assert len(names(window)) == 12
    assert not window.isWindowModified()
    stopped = [key for key, entry in window.workspace.documents.entries.items() if entry.error is not None]
    window.workspace.documents.read_again(stopped)
    entries = window.workspace.documents.entries.values()
    # new processes take the places of those that were stopped
    qtbot.waitUntil(lambda: all(entry.subject for entry in entries), timeout=2 * READING_TIMEOUT_MS)


def test_that_nothing_is_looked_for_on_another_computer(
    window: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    write_session(Session((SessionDocument(Path("//server/share/a.docx")),)), session_path)
    drop(window, session_path)
    qtbot.waitUntil(lambda: names(window) == ["a.docx"], timeout=READING_TIMEOUT_MS)
    [entry] = window.workspace.documents.entries.values()
    assert entry.asked is None
    assert "another computer" in str(entry.error)


@pytest.mark.parametrize("thesaurus", ["//server/share/words.txt", "/dev/zero", "gone/words.txt"])
def test_that_a_thesaurus_that_is_not_here_is_told_of_and_not_looked_for(
    window: MainWindow, session_path: Path, thesaurus: str, qtbot: QtBot
) -> None:
    write_session(Session(settings=ComparisonSettings(thesaurus=thesaurus)), session_path)
    drop(window, session_path)
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert thesaurus.rpartition("/")[2] in window.notice.label.text()
    assert window.workspace.settings.thesaurus == "starter"


def test_that_sessions_in_a_dropped_folder_are_passed_over(
    window: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    essay("left.txt", OTHER_TEXT)
    write_session(Session(), session_path)
    drop(window, session_path.parent)
    assert names(window) == ["left.txt"]


def test_that_pasted_texts_come_back_with_what_they_were_made_of(
    window: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    window.workspace.documents.add_pasted(PastedText(OTHER_TEXT), "操场")
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert window.isWindowModified()
    save_to(window, session_path, qtbot)
    trigger(window, "new_session")
    drop(window, session_path)
    qtbot.waitUntil(lambda: names(window) == ["操场"], timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    [entry] = window.workspace.documents.entries.values()
    window.workspace.documents.read_again([entry.key])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert "跳绳" in entry.subject.document.text
    assert entry.error is None


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
        judged.sessions.keeper.begin_anew()
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


# --- two windows on one file


def test_that_the_decisions_of_another_window_are_not_saved_over(
    judged: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    save_to(judged, session_path, qtbot)
    other = another_window(str(session_path))
    wait_for_comparison(other, qtbot)
    cell = judged.workspace.selection.cell
    judged.workspace.review.note(cell, "of the first window")
    with qtbot.waitSignal(judged.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(judged, "save")
    other.workspace.review.note(cell, "of the second window")
    trigger(other, "save")
    qtbot.waitUntil(other.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "四班.simcompare was changed elsewhere" in other.notice.label.text()
    assert other.isWindowModified()
    [review] = read_session(session_path).reviews.values()
    assert [judgement.note for judgement in review.matches.values()] == ["of the first window"]
    save_to(other, session_path, qtbot)
    [review] = read_session(session_path).reviews.values()
    assert [judgement.note for judgement in review.matches.values()] == ["of the second window"]


# --- what is remembered


def test_that_recent_sessions_are_listed_the_latest_first_and_the_missing_grey(
    judged: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / f"class & {number}.simcompare" for number in range(10)]
    for path in paths:
        save_to(judged, path, qtbot)
    paths[8].unlink()
    menu = judged.sessions.recent.menu
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if action.data()]
    assert texts == [f"class && {number}" for number in range(9, 1, -1)]
    qtbot.waitUntil(lambda: not menu.actions()[1].isEnabled())
    assert menu.actions()[0].isEnabled()
    trigger(judged, "new_session")
    menu.actions()[2].trigger()
    wait_for_comparison(judged, qtbot)
    assert judged.sessions.keeper.path == paths[7]
    menu.actions()[-1].trigger()
    menu.aboutToShow.emit()
    assert not [action for action in menu.actions() if action.data()]


def test_that_moved_borders_are_remembered(
    compared: MainWindow, another_window: Callable[..., MainWindow], pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    body = compared.findChild(QSplitter, "body")
    body.setSizes([400, 880])
    body.splitterMoved.emit(400, 1)
    sizes = body.sizes()
    assert sizes[0] == 400
    window = another_window(*map(str, pair))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "body").sizes() == sizes


def test_that_the_borders_of_a_session_come_with_it(
    compared: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    texts = compared.findChild(QSplitter, "texts")
    texts.setSizes([300, 500, 240])
    texts.splitterMoved.emit(300, 1)
    sizes = texts.sizes()
    save_to(compared, session_path, qtbot)
    Preferences().splitters = {}
    window = another_window(str(session_path))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "texts").sizes() == sizes


def test_that_dialogs_begin_where_a_file_was_chosen_last(window: MainWindow, tmp_path: Path) -> None:
    trigger(window, "open_session")
    dialog = window.findChild(QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.accepted.emit()
    dialog.close()
    assert Preferences().last_folder == str(tmp_path)
    trigger(window, "add")
    opened = [d for d in window.findChildren(QFileDialog) if d.isVisible()]
    assert [d.directory().absolutePath() for d in opened] == [str(tmp_path)]
    opened[0].close()


def test_that_a_spoilt_memory_is_passed_over(window: MainWindow) -> None:
    preferences = Preferences()
    for spoilt in ("[", "7", '[7, [], [1], ["texts", "wide"]]'):
        for name in ("recent_files", "splitters"):
            preferences._store.setValue(name, spoilt)
        assert preferences.recent_files == []
        assert preferences.splitters in ({}, {"texts": ()})


# --- against a crash


def recovery_files() -> list[Path]:
    return sorted(user_data_path("recovery", "copy").parent.glob("*.simcompare"))


def keep_copy(window: MainWindow, qtbot: QtBot) -> None:
    """Let the timer run out that keeps a copy of unsaved work."""
    with qtbot.waitSignal(window.sessions.recovery._written, timeout=READING_TIMEOUT_MS):
        window.sessions.recovery.every.timeout.emit()


def test_that_a_copy_is_kept_after_a_decision_and_taken_away_when_it_is_saved(
    judged: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    assert judged.sessions.recovery.soon.isActive()
    keep_copy(judged, qtbot)
    [copy] = recovery_files()
    assert copy.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert len(read_session(copy).reviews) == 1
    save_to(judged, session_path, qtbot)
    qtbot.waitUntil(lambda: not recovery_files(), timeout=READING_TIMEOUT_MS)


def test_that_no_copy_is_left_by_a_clean_close(judged: MainWindow, qtbot: QtBot) -> None:
    keep_copy(judged, qtbot)
    close_unsaved(judged)
    assert not list(user_data_path("recovery", "copy").parent.iterdir())


def test_that_the_copy_of_a_window_at_work_is_offered_to_no_other(
    judged: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    keep_copy(judged, qtbot)
    other = another_window()
    assert not other.sessions.recovery_bar.isVisible()
    assert len(recovery_files()) == 1


def test_that_a_copy_that_cannot_be_written_is_told_once(judged: MainWindow, qtbot: QtBot) -> None:
    keep_copy(judged, qtbot)
    folder = user_data_path("recovery", "copy").parent
    shutil.rmtree(folder)
    judged.workspace.review.note(judged.workspace.selection.cell, "one")
    judged.sessions.recovery.every.timeout.emit()
    qtbot.waitUntil(judged.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "cannot be kept against a crash" in judged.notice.label.text()
    folder.mkdir()


def test_that_a_place_where_no_copy_can_be_kept_is_told_and_stops_nothing(
    judged: MainWindow, another_window: Callable[..., MainWindow]
) -> None:
    folder = user_data_path("recovery", "copy").parent
    shutil.rmtree(folder)
    folder.write_bytes(b"a file where the folder should be")
    judged.sessions.recovery.every.timeout.emit()
    assert "cannot be kept against a crash" in judged.notice.label.text()
    assert another_window().isVisible()
    folder.unlink()


def test_that_a_copy_that_cannot_be_opened_is_not_lost(
    another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    copy = user_data_path("recovery", "copy.simcompare")
    copy.write_bytes(b"no session")
    window = another_window()
    qtbot.mouseClick(window.sessions.recovery_bar.restore_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "cannot be opened as a session" in window.notice.label.text()
    window.close()
    assert another_window().sessions.recovery_bar.isVisible()


@pytest.fixture
def left_behind(judged: MainWindow, session_path: Path, qtbot: QtBot) -> Path:
    """A copy that a crash left behind: of work with a decision that belongs to a saved session."""
    save_to(judged, session_path, qtbot)
    judged.workspace.review.note(judged.workspace.selection.cell, "kept against a crash")
    keep_copy(judged, qtbot)
    [copy] = recovery_files()
    content = copy.read_bytes()
    close_unsaved(judged)
    left_behind = copy.with_name("left.simcompare")
    left_behind.write_bytes(content)
    return left_behind


def test_that_work_being_restored_is_not_lost_where_a_new_session_is_begun_meanwhile(
    left_behind: Path, another_window: Callable[..., MainWindow]
) -> None:
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    trigger(window, "new_session")
    window.close()
    assert recovery_files() == [left_behind]
    assert another_window().sessions.recovery_bar.isVisible()


def test_that_restored_work_is_not_saved_over_what_was_saved_later(
    left_behind: Path, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    later = Session((SessionDocument(Path("later.docx")),))
    write_session(later, session_path)
    os.utime(left_behind, (0, 0))
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    wait_for_comparison(window, qtbot)
    trigger(window, "save")
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "was changed elsewhere" in window.notice.label.text()
    assert read_session(session_path).documents == later.documents
    assert recovery_files() == [left_behind]


def test_that_several_copies_are_offered_one_after_the_other(
    left_behind: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    for number in (1, 2):
        copy = left_behind.with_name(f"left{number}.simcompare")
        shutil.copy(left_behind, copy)
        os.utime(copy, (number, number))
    window = another_window()
    bar = window.sessions.recovery_bar
    assert "the latest of 3" in bar.label.text()
    bar.restore_button.click()
    wait_for_comparison(window, qtbot)
    assert bar.isVisible()
    bar.discard_button.click()
    bar.for_good_button.click()
    assert bar.isVisible()
    assert "latest" not in bar.label.text()
    bar.restore_button.click()
    unsaved_dialog(window).discard_button.click()
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=READING_TIMEOUT_MS)
    last = left_behind.with_name("left1.simcompare")
    qtbot.waitUntil(lambda: recovery_files() == [last], timeout=READING_TIMEOUT_MS)


@pytest.fixture
def crashed(pair: tuple[Path, Path], tmp_path: Path) -> Callable[[str], None]:
    """Let another process judge a match, keep a copy, and be killed; its session has the file given."""

    def crash(file: str) -> None:
        script = f"""
            import sys, time
            from pathlib import Path
            from PySide6.QtCore import QTimer
            from PySide6.QtWidgets import QApplication
            from simcompare.session.review import Decision
            from simcompare.ui.main_window import MainWindow
            from simcompare.ui.state.preferences import Preferences

            if __name__ == "__main__":
                application = QApplication([])
                window = MainWindow(Preferences())
                window.show()
                window.workspace.documents.add([Path({str(pair[0])!r}), Path({str(pair[1])!r})])

                def judge():
                    comparison = window.workspace.comparison
                    if comparison is None or window.workspace.review.pairs():
                        return
                    keeper = window.sessions.keeper
                    if {file!r} and keeper.path is None:
                        if not keeper.is_saving:
                            keeper.save(Path({file!r}))
                        return
                    match = comparison.matches[0]
                    window.workspace.selection.select_cell(match.left, match.right)
                    window.sessions.recovery.soon.setInterval(1)
                    window.workspace.review.judge((match.left, match.right), Decision.COPIED)

                window.sessions.recovery._written.connect(lambda _done: print("kept", flush=True))
                timer = QTimer(interval=20)
                timer.timeout.connect(judge)
                timer.start()
                application.exec()
        """
        program = tmp_path / "crashing.py"
        program.write_text(textwrap.dedent(script), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, str(program)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()

    return crash


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_that_work_of_a_killed_program_is_offered_and_restored(
    crashed: Callable[[str], None],
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    crashed(str(session_path))
    assert len(recovery_files()) == 1
    window, other = another_window(), another_window()
    assert window.sessions.recovery_bar.isVisible()
    assert not other.sessions.recovery_bar.isVisible()
    assert f"Work of {datetime.now():%H}" in window.sessions.recovery_bar.label.text()
    qtbot.mouseClick(window.sessions.recovery_bar.restore_button, Qt.MouseButton.LeftButton)
    wait_for_comparison(window, qtbot)
    assert not window.sessions.recovery_bar.isVisible()
    assert len(window.workspace.review.pairs()) == 1
    assert window.isWindowModified()
    assert window.sessions.keeper.path == session_path
    window.workspace.review.note(window.workspace.selection.cell, "one more word")
    keep_copy(window, qtbot)
    assert len(recovery_files()) == 1, "it goes on with the same copy"
    with qtbot.waitSignal(window.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(window, "save")
    qtbot.waitUntil(lambda: not recovery_files(), timeout=READING_TIMEOUT_MS)
    assert len(read_session(session_path).reviews) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_that_work_of_a_killed_program_can_be_discarded_or_left_for_later(
    crashed: Callable[[str], None], another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    crashed("")
    undecided = another_window()
    assert undecided.sessions.recovery_bar.isVisible()
    undecided.close()
    window = another_window()
    assert window.sessions.recovery_bar.isVisible()
    bar = window.sessions.recovery_bar
    place = bar.discard_button.geometry().center()
    qtbot.mouseClick(bar.discard_button, Qt.MouseButton.LeftButton)
    assert "cannot be brought back" in bar.label.text()
    assert not bar.restore_button.isVisible()
    qtbot.waitUntil(lambda: bar.childAt(place) is bar.keep_button)
    qtbot.mouseClick(bar.keep_button, Qt.MouseButton.LeftButton)
    assert bar.restore_button.isVisible()
    assert len(recovery_files()) == 1
    qtbot.mouseClick(bar.discard_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.for_good_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert not list(user_data_path("recovery", "copy").parent.iterdir())
