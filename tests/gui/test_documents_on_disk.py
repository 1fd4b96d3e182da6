"""Files that change on disk after they were read, and duplicate documents."""

import hashlib
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialog, QListView
from pytestqt.qtbot import QtBot

from simcompare.loading.archive import bytes_of
from simcompare.loading.archive_members import list_members
from simcompare.support.atomic_file import change_stamp
from simcompare.ui.documents.document_rows import DocumentRow, offer_rect
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_entry import DocumentEntry, FileState, KnownFile, check_file
from tests.gui import dropping
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.helpers.archives import write_zip


def entry(window: MainWindow, key: int) -> DocumentEntry:
    return window.workspace.documents.entries[key]


def row(window: MainWindow, key: int) -> DocumentRow:
    return window.sidebar.documents._rows.row_of(key)


def wait_for_state(window: MainWindow, qtbot: QtBot, key: int, state: FileState) -> None:
    qtbot.waitUntil(lambda: entry(window, key).file_state is state, timeout=READING_TIMEOUT_MS)


def wait_until_read(window: MainWindow, qtbot: QtBot) -> None:
    def all_read() -> bool:
        done, total = window.workspace.documents.reading_count
        return done == total

    qtbot.waitUntil(all_read, timeout=2 * READING_TIMEOUT_MS)


def click_offer(window: MainWindow, qtbot: QtBot, key: int, number: int = 0) -> None:
    view = window.sidebar.documents.findChild(QListView)
    place = view.visualRect(view.model().index(window.sidebar.documents._rows.ids.index(key), 0))
    target = offer_rect(place, row(window, key), view.font(), number).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=target)


def test_that_a_changed_file_is_reported_and_read_again_only_on_request(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    before = entry(compared, 1).prepared_document
    pair[0].write_text(OTHER_TEXT, encoding="utf-8")
    wait_for_state(compared, qtbot, 1, FileState.CHANGED)
    assert entry(compared, 1).prepared_document is before
    assert row(compared, 1).remark == "changed on disk"
    assert compared.notice.label.text() == "left.txt changed on disk after it was read."
    click_offer(compared, qtbot, 1)
    qtbot.waitUntil(lambda: entry(compared, 1).prepared_document is not before, timeout=READING_TIMEOUT_MS)
    assert entry(compared, 1).prepared_document.document.text.startswith("操场")
    assert row(compared, 1).remark == ""
    assert entry(compared, 1).file_state is FileState.SAME


def test_that_a_replaced_file_is_noticed_and_so_is_its_next_change(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    for text in (OTHER_TEXT, OTHER_TEXT * 2):
        new = pair[0].with_suffix(".tmp")
        new.write_text(text, encoding="utf-8")
        new.replace(pair[0])
        wait_for_state(compared, qtbot, 1, FileState.CHANGED)
        compared.workspace.documents.read_again([1])
        wait_for_state(compared, qtbot, 1, FileState.SAME)
        wait_until_read(compared, qtbot)
    assert entry(compared, 1).prepared_document.document.text.count("操场") == 2


def test_that_all_changed_files_are_read_again_from_the_notice(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    for path in pair:
        path.write_text(OTHER_TEXT + path.name, encoding="utf-8")
    for key in (1, 2):
        wait_for_state(compared, qtbot, key, FileState.CHANGED)
    assert compared.notice.label.text() == "2 files changed on disk after they were read."
    assert compared.notice.show_button.text() == "Read all again"
    qtbot.mouseClick(compared.notice.show_button, Qt.MouseButton.LeftButton)
    wait_until_read(compared, qtbot)
    assert compared.workspace.documents.changed_files == []
    assert not compared.notice.isVisible()


def test_that_a_file_that_was_only_touched_has_not_changed(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    os.utime(pair[0], (1_000_000_000, 1_000_000_000))
    pair[1].write_text(OTHER_TEXT, encoding="utf-8")
    wait_for_state(compared, qtbot, 2, FileState.CHANGED)
    assert entry(compared, 1).file_state is FileState.SAME


def test_that_a_deleted_file_keeps_its_text_and_may_return(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    comparison = compared.workspace.comparison
    pair[0].unlink()
    wait_for_state(compared, qtbot, 1, FileState.GONE)
    assert row(compared, 1).remark == "file gone, text kept"
    assert row(compared, 1).offers == ()
    assert compared.workspace.comparison is comparison
    pair[0].write_text(LEFT_TEXT, encoding="utf-8")
    wait_for_state(compared, qtbot, 1, FileState.SAME)


def test_that_a_drive_without_change_events_is_checked_when_the_window_gets_the_focus(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    watcher = compared.workspace.documents._watch._watcher
    other = QDialog()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    watcher.blockSignals(True)
    pair[0].write_text(OTHER_TEXT, encoding="utf-8")
    compared.activateWindow()
    wait_for_state(compared, qtbot, 1, FileState.CHANGED)


def test_that_a_file_that_cannot_be_read_again_keeps_its_text_and_its_action(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    before = entry(compared, 1).prepared_document
    pair[0].write_bytes(b"PK\x03\x04 half of a file")
    wait_for_state(compared, qtbot, 1, FileState.CHANGED)
    click_offer(compared, qtbot, 1)
    wait_until_read(compared, qtbot)
    assert entry(compared, 1).prepared_document is before
    assert "left.txt" in compared.notice.label.text()
    assert row(compared, 1).has_changed


def test_that_duplicate_files_and_texts_are_named(compared: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    compared.workspace.documents.add([essay("copy.txt", LEFT_TEXT), essay("lines.txt", LEFT_TEXT + "\n\n")])
    wait_until_read(compared, qtbot)
    assert row(compared, 3).duplicate_text == "same file as left.txt"
    assert row(compared, 4).duplicate_text == "same text as left.txt"
    assert (row(compared, 1).duplicate_of, row(compared, 2).duplicate_of) == (None, None)
    click_offer(compared, qtbot, 3)
    wait_for_comparison(compared, qtbot)
    comparison = compared.workspace.comparison
    assert (comparison.left.name, comparison.right.name) == ("left.txt", "copy.txt")


def test_that_a_text_pasted_twice_is_a_duplicate(window: MainWindow, qtbot: QtBot) -> None:
    for _time in range(2):
        dropping.drop(window, dropping.text(OTHER_TEXT))
    wait_until_read(window, qtbot)
    assert row(window, 2).duplicate_text == "same text as Pasted text 1"


def test_that_a_duplicate_is_no_longer_marked_after_the_first_is_removed(
    compared: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    compared.workspace.documents.add([essay("copy.txt", LEFT_TEXT)])
    wait_until_read(compared, qtbot)
    compared.workspace.documents.remove([1])
    assert row(compared, 3).duplicate_of is None


def test_that_a_click_beside_an_offer_only_selects(compared: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    compared.workspace.documents.add([essay("copy.txt", LEFT_TEXT)])
    wait_until_read(compared, qtbot)
    sides = dict(compared.workspace.documents.sides)
    view = compared.sidebar.documents.findChild(QListView)
    place = view.visualRect(view.model().index(2, 0))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.topLeft() + QPoint(30, 14))
    assert compared.workspace.documents.sides == sides


# --- files of a session


def save_and_reset(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    """Save to a session and start an empty one."""
    keeper = window.sessions.keeper
    with qtbot.waitSignal(keeper.saved, timeout=READING_TIMEOUT_MS):
        keeper.save(path)
    keeper.reset()


def open_session(window: MainWindow, path: Path, qtbot: QtBot) -> list[int]:
    """Open a session, and return the keys of its documents once they are read."""
    dropping.drop(window, dropping.files([path]))
    wait_for_comparison(window, qtbot)
    return list(window.workspace.documents.entries)


def test_that_members_of_a_changed_archive_are_checked(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "class.zip", {"a.txt": b"Fog.", "b.txt": b"Rain."})
    known = {
        path: KnownFile(hashlib.sha256(bytes_of(path)).hexdigest(), change_stamp(archive))
        for path in list_members(archive).members
    }
    first, second = known
    assert check_file(first, known[first]) == (FileState.SAME, known[first])
    write_zip(archive, {"a.txt": b"Fog and more."})
    assert check_file(first, known[first]) == (FileState.CHANGED, known[first])
    assert check_file(second, known[second]) == (FileState.GONE, known[second])
    archive.unlink()
    assert check_file(first, known[first]) == (FileState.GONE, known[first])


def test_that_existing_files_of_a_session_are_watched(
    compared: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    session = tmp_path / "class.simcompare"
    save_and_reset(compared, session, qtbot)
    left, _right = open_session(compared, session, qtbot)
    pair[0].write_text(OTHER_TEXT, encoding="utf-8")
    wait_for_state(compared, qtbot, left, FileState.CHANGED)
    assert compared.notice.label.text() == "left.txt changed on disk after it was read."
    click_offer(compared, qtbot, left)
    wait_for_state(compared, qtbot, left, FileState.SAME)
    assert entry(compared, left).prepared_document.document.text.startswith("操场")


def test_that_a_file_replaced_since_the_session_was_saved_is_reported(
    compared: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    session = tmp_path / "class.simcompare"
    save_and_reset(compared, session, qtbot)
    pair[1].write_text(OTHER_TEXT, encoding="utf-8")
    left, right = open_session(compared, session, qtbot)
    wait_for_state(compared, qtbot, right, FileState.CHANGED)
    assert entry(compared, left).file_state is FileState.SAME


def test_that_missing_files_of_a_session_are_not_reported(
    compared: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    session = tmp_path / "class.simcompare"
    save_and_reset(compared, session, qtbot)
    pair[0].unlink()
    left, right = open_session(compared, session, qtbot)
    pair[1].write_text(OTHER_TEXT, encoding="utf-8")
    wait_for_state(compared, qtbot, right, FileState.CHANGED)
    assert entry(compared, left).file_state is FileState.SAME
    assert row(compared, left).remark == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such pipes")
def test_that_only_regular_files_are_read_to_detect_changes(tmp_path: Path) -> None:
    pipe = tmp_path / "endless.txt"
    os.mkfifo(pipe)
    state, _known = check_file(pipe, KnownFile("0" * 64, None))
    assert state is FileState.GONE
