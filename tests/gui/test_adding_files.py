"""Adding files to the window: dropped, chosen, twice, damaged, missing."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
)
from pytestqt.qtbot import QtBot

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.comparison_result import MatchKind
from simcompare.session.school_class import DocumentRole
from simcompare.ui.documents import document_rows as words
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import document_store
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.session_steps import drop
from tests.gui.window_parts import labels, texts
from tests.helpers.archives import write_zip


def test_that_two_dropped_files_are_compared(
    window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(window, *pair)
    wait_for_comparison(window, qtbot)
    assert texts(window) == ["left.txt", "right.txt"]
    kinds = {window.workspace.comparison.matches[i].kind for i in range(3)}
    assert kinds == {MatchKind.EXACT, MatchKind.EDITED, MatchKind.SYNONYM}
    assert window.pages.currentWidget() is window.compare_view


def test_that_a_dropped_folder_adds_the_files_in_it(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    folder = essay("b.txt", LEFT_TEXT).parent
    essay("a.txt", OTHER_TEXT)
    essay(".hidden", OTHER_TEXT)
    drop(window, folder)
    wait_for_comparison(window, qtbot)
    assert [e.path.name for e in window.workspace.documents.entries.values()] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("file", ["", ".DS_Store"])
def test_that_a_notice_names_a_folder_without_files_to_compare(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, file: str
) -> None:
    folder = tmp_path / "空文件夹"
    folder.mkdir()
    if file:
        (folder / file).write_bytes(b"x")
    drop(window, folder)
    qtbot.waitUntil(window.notice.isVisible)
    expected = "There are no files to compare in 空文件夹. Add a folder or an archive with essays."
    assert window.notice.label.text() == expected
    assert not window.workspace.documents.entries


def test_that_a_notice_names_only_the_folders_without_files_to_compare(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    empty, filled = tmp_path / "空文件夹", tmp_path / "四班"
    empty.mkdir()
    filled.mkdir()
    essay("四班/a.txt", LEFT_TEXT)
    drop(window, filled, empty)
    qtbot.waitUntil(window.notice.isVisible)
    expected = "There are no files to compare in 空文件夹. Add a folder or an archive with essays."
    assert window.notice.label.text() == expected
    assert [entry.path.name for entry in window.workspace.documents.entries.values()] == ["a.txt"]


def test_that_a_dropped_archive_adds_its_members_and_says_why_one_is_not_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    members = {"张三/作文.txt": LEFT_TEXT, "李四/作文.txt": OTHER_TEXT, "../王五.txt": OTHER_TEXT}
    encoded = {name: text.encode() for name, text in members.items()}
    archive = write_zip(tmp_path / "class.zip", encoded, "gb18030")
    drop(window, archive)
    wait_for_comparison(window, qtbot)
    entries = list(window.workspace.documents.entries.values())
    qtbot.waitUntil(lambda: entries[2].error is not None, timeout=READING_TIMEOUT_MS)
    paths = [e.path.relative_to(archive).as_posix() for e in entries]
    assert paths == ["张三/作文.txt", "李四/作文.txt", "王五.txt"]
    assert str(entries[2].error).startswith("王五.txt in class.zip is not read")


def test_that_many_files_are_reported_together_and_measured_once(
    window: MainWindow, essay: Essay, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, document_changes, keys = [], [], []
    monkeypatch.setattr(
        words, "units_count", lambda prepared_document: measured.append(prepared_document) or "5 words"
    )
    monkeypatch.setattr(window.workspace._reading, "read_submitted", lambda key, *_how: keys.append(key))
    path = essay("00.txt", OTHER_TEXT)
    drop(window, path, *(essay(f"{i:02}.txt", OTHER_TEXT) for i in range(1, 40)))
    qtbot.waitUntil(lambda: len(keys) == 40, timeout=READING_TIMEOUT_MS)
    window.workspace.documents_changed.connect(lambda: document_changes.append(True))
    for key in keys:
        window.workspace._reading.finished.emit(
            key, read_prepared_document(path, window.workspace.settings.recipe)
        )
    assert len(document_changes) == 3, "both texts that are shown, and the last one with all others"
    assert len(measured) == 40
    assert {row.detail for row in window.sidebar.documents._rows._rows} == {"5 words · 操场"}


def test_that_a_first_line_that_repeats_the_name_of_the_file_is_not_shown_as_title(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    body = "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去。"
    window.workspace.documents.add(
        [essay("2025001-王伟.txt", f"王伟\n{body}"), essay("2025002-李芳.txt", f"家乡的小河\n{body}")]
    )
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    details = [row.detail for row in window.sidebar.documents._rows._rows]
    assert ["王伟" in detail for detail in details] == [False, False]
    assert ["家乡的小河" in detail for detail in details] == [False, True]


def test_that_files_waiting_for_a_reader_can_be_cancelled(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    drop(window, *(essay(f"{i:02}.txt", OTHER_TEXT) for i in range(25)))
    window.workspace.cancel()
    qtbot.wait(50)
    assert window.workspace.documents.entries == {}
    assert not window.workspace.is_busy


def test_that_a_button_compares_the_samples(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.start_page.class_row, Qt.MouseButton.LeftButton)
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert all(entry.error is None for entry in window.workspace.documents.entries.values())
    assert window.pages.currentWidget() is window.class_page
    assert QApplication.focusWidget() is window.pairs_view.table


def test_that_a_corrupt_file_is_named_and_the_others_are_read(
    window: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    drop(window, broken, *pair)
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    errors = [e for e in window.workspace.documents.entries.values() if e.error is not None]
    assert [e.path.name for e in errors] == ["broken.docx"]
    assert "broken.docx" in str(errors[0].error)
    assert texts(window) == ["left.txt", "right.txt"]


def test_that_a_file_added_twice_is_listed_once_with_a_notice(
    compared: MainWindow, pair: tuple[Path, Path]
) -> None:
    drop(compared, pair[0])
    assert len(compared.workspace.documents.entries) == 2
    assert compared.notice.isVisible()
    assert "left.txt" in compared.notice.label.text()


def test_that_a_notice_counts_many_files_added_twice(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    folder = essay("10.txt", LEFT_TEXT).parent
    for number in range(11, 50):
        essay(f"{number}.txt", OTHER_TEXT)
    drop(window, folder)
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == 40, timeout=READING_TIMEOUT_MS)
    drop(window, folder)
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    expected = "40 files are already in the list: 10.txt, 11.txt, 12.txt, and 37 more"
    assert window.notice.label.text() == expected


def test_that_a_missing_file_is_one_clear_problem(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.workspace.documents.add([tmp_path / "gone.docx"])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    (entry,) = window.workspace.documents.entries.values()
    assert str(entry.error).startswith("gone.docx cannot be opened")


def test_that_a_single_document_asks_for_a_second_one(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    drop(window, essay("a.txt", LEFT_TEXT))
    asked = "Add a second document to compare this one with."
    assert asked in labels(window.compare_view.inspector)
    assert asked in labels(window.sidebar.passages)
    drop(window, essay("b.txt", OTHER_TEXT))
    assert "No passages." not in labels(window.sidebar.passages), "it is not known yet"
    wait_for_comparison(window, qtbot)
    assert "No passages." in labels(window.sidebar.passages)
    assert asked not in labels(window)


def test_that_a_document_that_was_not_read_does_not_count_as_the_second_one(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    parts = (window.compare_view.inspector, window.sidebar.passages)
    drop(window, broken)
    both = "Add two documents that can be read."
    qtbot.waitUntil(lambda: all(both in labels(part) for part in parts), timeout=READING_TIMEOUT_MS)
    drop(window, essay("a.txt", LEFT_TEXT))
    second = "Add a second document to compare this one with."
    qtbot.waitUntil(lambda: all(second in labels(part) for part in parts), timeout=READING_TIMEOUT_MS)


def test_that_a_folder_is_chosen_and_all_of_its_files_are_added(
    window: MainWindow, essay: Essay, qtbot: QtBot, tmp_path: Path
) -> None:
    for number in range(3):
        essay(f"{number}.txt", OTHER_TEXT)
    window.commands.actions["add_folder"].trigger()
    [dialog] = window.findChildren(QFileDialog)
    dialog.setDirectory(str(tmp_path.parent))
    dialog.selectFile(str(tmp_path))
    dialog.accept()
    qtbot.waitUntil(
        lambda: len(window.workspace.documents.prepared_documents) == 3, timeout=READING_TIMEOUT_MS
    )


def test_that_a_folder_with_too_many_files_is_refused_with_one_sentence_but_as_earlier_work(
    window: MainWindow, essay: Essay, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_store, "MOST_FILES", 2)
    paths = [essay(f"{number}.txt", LEFT_TEXT) for number in range(3)]
    drop(window, *paths)
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.label.text().startswith(
        "3 files cannot be compared each with all others, 2 at most."
    )
    assert not window.workspace.documents.entries
    window.workspace.documents.add(paths, DocumentRole.OLD)
    assert len(window.workspace.documents.entries) == 3
