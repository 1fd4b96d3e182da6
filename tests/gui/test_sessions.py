"""Sessions as a teacher meets them: saved and opened, also in two windows at once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.loading.extraction import PastedText
from simcompare.model.errors import DamagedFileError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import Decision
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_reader import read_session
from simcompare.session.session_writer import write_session
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import OTHER_TEXT, READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.session_steps import choose_file, drop, names, save_to, trigger, unsaved_dialog
from tests.helpers.documents import make_document

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
    assert workspace.review.decision_of(workspace.selection.cell).decision is Decision.COPIED
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
    assert judged.status_line.message.text() == "Saved: 四班.simcompare"
    cell = judged.workspace.selection.cell
    judged.workspace.selection.select_step(1)
    trigger(judged, "swap")
    trigger(judged, "swap")
    wait_for_comparison(judged, qtbot)
    assert not judged.isWindowModified()
    judged.workspace.review.decide(cell, None)
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
    assert entry.pending_options is None
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
