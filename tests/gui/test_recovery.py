"""Recovery copies: written, offered, restored and discarded after a crash."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.session.review_journal import journal_of, start_journal
from simcompare.session.school_class import DocumentRole
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.support.resources import user_data_path
from simcompare.ui.main_window import MainWindow
from tests.gui.class_windows import settle_class_page
from tests.gui.conftest import (
    OTHER_TEXT,
    READING_TIMEOUT_MS,
    Essay,
    close_unsaved,
    wait_for_comparison,
    wait_until_read,
)
from tests.gui.session_steps import save_to, trigger, unsaved_dialog
from tests.helpers.programs import StartProgram

ROOT = Path(__file__).resolve().parents[2]


def recovery_files() -> list[Path]:
    return sorted(user_data_path("recovery", "copy").parent.glob("*.simcompare"))


def keep_copy(window: MainWindow, qtbot: QtBot) -> None:
    """Fire the timer that writes a recovery copy, and wait for it and for all that was written before."""
    with qtbot.waitSignal(window.sessions.recovery._written, timeout=READING_TIMEOUT_MS):
        window.sessions.recovery.every.timeout.emit()
    assert window.sessions.keeper._pool.waitForDone(READING_TIMEOUT_MS)
    QApplication.processEvents()


def test_that_a_copy_is_written_after_a_decision_and_deleted_after_saving(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    decided.workspace.review.changed.emit()  # the time after the decision may be over on a slow machine
    assert decided.sessions.recovery.soon.isActive()
    keep_copy(decided, qtbot)
    [copy] = recovery_files()
    assert copy.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert len(read_session(copy).reviews) == 1
    save_to(decided, session_path, qtbot)
    qtbot.waitUntil(lambda: not recovery_files(), timeout=READING_TIMEOUT_MS)


def test_that_a_clean_close_leaves_no_copy(decided: MainWindow, qtbot: QtBot) -> None:
    keep_copy(decided, qtbot)
    close_unsaved(decided)
    assert not list(user_data_path("recovery", "copy").parent.iterdir())


def test_that_the_copy_of_an_open_window_is_not_offered_to_others(
    decided: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    keep_copy(decided, qtbot)
    other = another_window()
    assert not other.sessions.recovery_bar.isVisible()
    assert len(recovery_files()) == 1


def test_that_a_copy_that_cannot_be_written_is_reported_once(decided: MainWindow, qtbot: QtBot) -> None:
    keep_copy(decided, qtbot)
    folder = user_data_path("recovery", "copy").parent
    shutil.rmtree(folder)
    decided.workspace.review.note(decided.workspace.selection.cell, "one")
    decided.sessions.recovery.every.timeout.emit()
    qtbot.waitUntil(decided.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "cannot be backed up" in decided.notice.label.text()
    folder.mkdir()


def test_that_an_unusable_folder_for_copies_is_reported_and_stops_nothing(
    decided: MainWindow, another_window: Callable[..., MainWindow]
) -> None:
    decided.sessions.recovery._replace_copy(None)  # one may be there already on a slow machine
    assert decided.sessions.keeper._pool.waitForDone(READING_TIMEOUT_MS)
    folder = user_data_path("recovery", "copy").parent
    shutil.rmtree(folder)
    folder.write_bytes(b"a file where the folder should be")
    decided.sessions.recovery.every.timeout.emit()
    text = decided.notice.label.text()
    assert text.startswith("Unsaved work cannot be backed up in ")
    assert "recovery: nothing can be written there. Save it to a file now." in text
    assert another_window().isVisible()
    folder.unlink()


def test_that_a_copy_that_cannot_be_opened_is_kept(
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


def test_that_decisions_after_a_copy_are_appended_to_its_journal(
    decided: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    keep_copy(decided, qtbot)
    [copy] = recovery_files()
    content, recovery = copy.read_bytes(), decided.sessions.recovery
    assert recovery.soon.interval() < 1000
    for note in ("first", "second"):
        with qtbot.waitSignal(recovery._written):
            decided.workspace.review.note(decided.workspace.selection.cell, note)
    assert copy.read_bytes() == content
    after_crash = copy.with_name("left.simcompare")
    shutil.copy(copy, after_crash)
    shutil.copy(journal_of(copy), journal_of(after_crash))
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    wait_for_comparison(window, qtbot)
    [review] = window.workspace.review.pairs().values()
    assert [noted.note for noted in review.matches.values()] == ["second"]
    assert window.isWindowModified()
    assert not window.notice.isVisible()
    window.workspace.review.note_pair(*window.workspace.review.pair, "a copy of its own")
    keep_copy(window, qtbot)
    [(_pair, review)] = read_session(after_crash).reviews.items()
    assert review.overall.note == "a copy of its own"


def test_that_the_pair_and_the_page_are_restored_and_what_was_dismissed_does_not_return(
    school_class: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    documents, recovery = school_class.workspace.documents, school_class.sessions.recovery
    keys = list(documents.entries)
    documents.choose_pair(keys[0], keys[1])
    school_class.pages.show_pairs()
    assert school_class.common_bar.isVisible()
    school_class.common_bar.dismiss_button.click()
    keep_copy(school_class, qtbot)
    with qtbot.waitSignal(recovery._written):
        documents.choose_pair(keys[0], keys[6])
        school_class.pages.show_compare()
    [copy] = recovery_files()
    after_crash = copy.with_name("left.simcompare")
    shutil.copy(copy, after_crash)
    shutil.copy(journal_of(copy), journal_of(after_crash))
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == len(keys), timeout=READING_TIMEOUT_MS)
    sides, places = window.workspace.documents.sides, list(window.workspace.documents.entries)
    assert sorted(places.index(key) for key in sides.values()) == [0, 6]
    assert window.pages.shows_compare
    window.pages.show_pairs()
    settle_class_page(window, qtbot)
    assert window.workspace.class_state.common
    assert not window.common_bar.isVisible()


@pytest.mark.parametrize("button", ["dismiss_button", "also_button"])
def test_that_an_answer_on_a_template_is_in_the_copy_at_once(
    school_class: MainWindow, essay: Essay, qtbot: QtBot, button: str
) -> None:
    documents, recovery = school_class.workspace.documents, school_class.sessions.recovery
    documents.add([essay("Essay question.txt", "Some say that answers are easy to find. Do we still ask?")])
    bar = school_class.common_bar
    qtbot.waitUntil(lambda: bar.is_urgent and bar.isVisible(), timeout=READING_TIMEOUT_MS)
    keep_copy(school_class, qtbot)
    with qtbot.waitSignal(recovery._written, timeout=5_000):
        getattr(bar, button).click()
    assert not bar.is_urgent
    [copy] = recovery_files()
    place = len(documents.entries) - 1
    assert read_session(copy).school_class.roles == {place: DocumentRole.CURRENT}
    school_class.workspace.history.undo()
    assert bar.is_urgent


def test_that_a_decision_after_another_document_was_added_makes_another_copy(
    decided: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    keep_copy(decided, qtbot)
    decided.workspace.documents.add([essay("third.txt", OTHER_TEXT)])
    wait_until_read(decided, qtbot)
    with qtbot.waitSignal(decided.sessions.recovery._written):
        decided.workspace.review.note(decided.workspace.selection.cell, "one more")
    [copy] = recovery_files()
    assert len(read_session(copy).documents) == 3


def test_that_a_damaged_journal_restores_the_decisions_before_the_damage(
    left_behind: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    start_journal(left_behind)
    with journal_of(left_behind).open("ab") as file:
        file.write(b"0a1b2c3d {")
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    wait_for_comparison(window, qtbot)
    assert len(window.workspace.review.pairs()) == 1
    assert "The end of the backup is damaged" in window.notice.label.text()


def test_that_a_journal_without_its_copy_is_deleted_at_the_next_start(
    another_window: Callable[..., MainWindow],
) -> None:
    journal = user_data_path("recovery", "copy.journal")
    journal.write_bytes(b"")
    another_window()
    assert not journal.exists()


@pytest.fixture
def left_behind(decided: MainWindow, session_path: Path, qtbot: QtBot) -> Path:
    """Recovery copy left by a crash, of work with a decision that belongs to a saved session."""
    save_to(decided, session_path, qtbot)
    decided.workspace.review.note(decided.workspace.selection.cell, "kept against a crash")
    keep_copy(decided, qtbot)
    [copy] = recovery_files()
    content = copy.read_bytes()
    close_unsaved(decided)
    left_behind = copy.with_name("left.simcompare")
    left_behind.write_bytes(content)
    return left_behind


def test_that_a_role_that_was_restored_is_unsaved_work(
    compared: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    compared.workspace.class_state.set_role([1], DocumentRole.TEMPLATE)
    assert compared.sessions.keeper.is_modified
    keep_copy(compared, qtbot)
    [copy] = recovery_files()
    content = copy.read_bytes()
    close_unsaved(compared)
    copy.with_name("left.simcompare").write_bytes(content)
    window = another_window()
    with qtbot.waitSignal(window.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        window.sessions.recovery_bar.restore_button.click()
    assert window.workspace.class_state.chosen_roles == {1: DocumentRole.TEMPLATE}
    assert window.sessions.keeper.is_modified
    close_unsaved(window)


def test_that_work_restored_from_the_page_of_the_library_is_shown(
    decided: MainWindow, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    decided.pages.show_library()
    keep_copy(decided, qtbot)
    [copy] = recovery_files()
    content = copy.read_bytes()
    close_unsaved(decided)
    copy.with_name("left.simcompare").write_bytes(content)
    window = another_window()
    with qtbot.waitSignal(window.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        window.sessions.recovery_bar.restore_button.click()
    assert not window.pages.shows_library
    close_unsaved(window)


def test_that_work_being_restored_is_kept_if_a_new_session_is_started(
    left_behind: Path, another_window: Callable[..., MainWindow]
) -> None:
    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    trigger(window, "new_session")
    window.close()
    assert recovery_files() == [left_behind]
    assert another_window().sessions.recovery_bar.isVisible()


def test_that_restored_work_does_not_overwrite_a_later_save(
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


@pytest.mark.parametrize("name", ["", "Class 3"])
def test_that_several_copies_are_offered_in_turn(
    left_behind: Path, another_window: Callable[..., MainWindow], qtbot: QtBot, name: str
) -> None:
    for number in (1, 2):
        copy = left_behind.with_name(f"left{number}.simcompare")
        shutil.copy(left_behind, copy)
        os.utime(copy, (number, number))
    window = another_window()
    bar = window.sessions.recovery_bar
    assert "the latest of 3" in bar.label.text()
    said: list[str] = []
    window.sessions._show_message = said.append
    bar.copies[0] = replace(bar.copies[0], name=name)
    bar.restore_button.click()
    assert f"Opening {name or 'unsaved work'}…" in said
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
def crashed(pair: tuple[Path, Path], tmp_path: Path, start_program: StartProgram) -> Callable[[str], None]:
    """Let another process decide on a match, write a copy, note something in its journal and be killed.

    Its session has the given file.
    """

    def crash(file: str) -> None:
        script = f"""
            import sys, time
            from pathlib import Path
            from PySide6.QtCore import QTimer
            from PySide6.QtWidgets import QApplication
            from simcompare.session.decisions import Decision
            from simcompare.ui.window_assembly import whole_window
            from simcompare.ui.preferences import Preferences

            if __name__ == "__main__":
                application = QApplication([])
                window = whole_window(Preferences())
                window.show()
                window.workspace.documents.add([Path({str(pair[0])!r}), Path({str(pair[1])!r})])

                def decide():
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
                    window.workspace.review.decide((match.left, match.right), Decision.COPIED)

                def note_or_report(_done):
                    [review] = window.workspace.review.pairs().values()
                    if review.overall.note:
                        print("kept", flush=True)
                    else:
                        window.workspace.review.note_pair(*window.workspace.review.pair, "in the journal")

                window.sessions.recovery._written.connect(note_or_report)
                timer = QTimer(interval=20)
                timer.timeout.connect(decide)
                timer.start()
                application.exec()
        """
        program = tmp_path / "crashing.py"
        program.write_text(textwrap.dedent(script), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = start_program([sys.executable, program], env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        process.send_signal(signal.SIGKILL)
        process.wait()

    return crash


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_that_work_of_a_killed_program_is_offered_and_restored(
    crashed: Callable[[str], None],
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    begun = datetime.now()
    crashed(str(session_path))
    hours = {f"Unsaved work from {time:%H}" for time in (begun, datetime.now())}
    assert len(recovery_files()) == 1
    window, other = another_window(), another_window()
    assert window.sessions.recovery_bar.isVisible()
    assert not other.sessions.recovery_bar.isVisible()
    assert any(hour in window.sessions.recovery_bar.label.text() for hour in hours)
    qtbot.mouseClick(window.sessions.recovery_bar.restore_button, Qt.MouseButton.LeftButton)
    wait_for_comparison(window, qtbot)
    assert not window.sessions.recovery_bar.isVisible()
    [review] = window.workspace.review.pairs().values()
    assert (len(review.matches), review.overall.note) == (1, "in the journal")
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
    assert "cannot be undone" in bar.label.text()
    assert not bar.restore_button.isVisible()
    qtbot.waitUntil(lambda: bar.childAt(place) is bar.keep_button)
    qtbot.mouseClick(bar.keep_button, Qt.MouseButton.LeftButton)
    assert bar.restore_button.isVisible()
    assert len(recovery_files()) == 1
    qtbot.mouseClick(bar.discard_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.for_good_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert not list(user_data_path("recovery", "copy").parent.iterdir())
