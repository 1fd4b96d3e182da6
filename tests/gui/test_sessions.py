"""Saving and opening sessions, also in two windows at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.loading.extraction import PastedText
from simcompare.model.errors import DamagedFileError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import Decision
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session import session_keeper
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.session_steps import choose_file, drop, names, save_to, trigger, unsaved_dialog
from tests.gui.window_parts import wait_until_still
from tests.helpers.documents import make_document

# --- saving and opening


def test_that_a_saved_session_opens_without_its_files(
    decided: MainWindow,
    pair: tuple[Path, Path],
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    cell = decided.workspace.selection.cell
    decided.workspace.documents.swap()
    wait_for_comparison(decided, qtbot)
    qtbot.waitUntil(lambda: decided.workspace.selection.cell == cell[::-1])
    save_to(decided, session_path, qtbot)
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


def test_that_the_selected_passage_of_a_reopened_session_is_in_sight(
    window: MainWindow,
    essay: Essay,
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    beginnings = ("第一篇文章的开头讲的是别的事情。\n" * 60, "另一篇作文先写了一段完全不同的话。\n" * 80)
    names = ("a.txt", "b.txt", "c.txt")
    texts = (beginnings[0] + LEFT_TEXT, beginnings[1] + LEFT_TEXT, OTHER_TEXT)
    window.workspace.documents.add([essay(*file) for file in zip(names, texts, strict=True)])
    wait_for_comparison(window, qtbot)
    window.workspace.documents.choose_pair(2, 1)
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select_passage(0)
    window.pages.show_pairs()
    save_to(window, session_path, qtbot)
    again = another_window(str(session_path))
    qtbot.waitUntil(lambda: again.workspace.selection.passage == 0)
    again.pages.show_compare()
    wait_until_still(again, qtbot)
    passage = again.workspace.passages[0]
    for side, span in ((Side.LEFT, passage.left), (Side.RIGHT, passage.right)):
        pane = again.compare_view.panes[side]
        assert 0 <= pane.viewport_y_of(span) < pane.height() // 2


@pytest.mark.parametrize("saved_on", ["library", "sources"])
def test_that_a_class_with_a_chosen_pair_never_opens_on_the_start_page(
    four: MainWindow,
    saved_on: str,
    session_path: Path,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    four.workspace.documents.choose_pair(*list(four.workspace.documents.entries)[:2])
    four.pages.show_compare()
    if saved_on == "library":
        qtbot.keyClick(four, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    else:
        four.class_page.sources_requested.emit(next(iter(four.workspace.documents.entries)))
    assert four.pages.currentWidget().objectName() == saved_on
    save_to(four, session_path, qtbot)
    window = another_window(str(session_path))
    shown = {"library": "library", "sources": "pairs"}[saved_on]
    qtbot.waitUntil(lambda: len(names(window)) == 4, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: window.pages.currentWidget().objectName() == shown, timeout=READING_TIMEOUT_MS)


def test_that_a_new_session_leaves_the_library(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert compared.pages.shows_library
    trigger(compared, "new_session")
    assert compared.pages.currentWidget() is compared.start_page
    drop(compared, *pair)
    assert names(compared) == [path.name for path in pair]


def test_that_settings_are_restored(decided: MainWindow, session_path: Path, qtbot: QtBot) -> None:
    window = decided
    sliders = window.tool_bar.strictness.sliders
    sliders.weights_changed.emit(0.42, 0.77)
    save_to(window, session_path, qtbot)
    trigger(window, "new_session")
    assert window.workspace.settings.right_weight != 0.77
    assert not window.workspace.documents.entries
    assert window.pages.currentWidget() is window.start_page
    drop(window, session_path)
    wait_for_comparison(window, qtbot)
    assert (window.workspace.settings.similar_weight, window.workspace.settings.right_weight) == (0.42, 0.77)
    assert window.workspace.comparison.settings == window.workspace.settings


def test_that_a_prompt_is_restored_even_if_its_exclusion_is_off(
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
        lambda: compared.workspace.comparison.exclusion_candidates[0].prompt is not None,
        timeout=READING_TIMEOUT_MS,
    )
    assert not compared.isWindowModified()


def test_that_a_session_is_opened_through_add_documents_with_other_files(
    decided: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    save_to(decided, session_path, qtbot)
    trigger(decided, "new_session")
    trigger(decided, "add")
    dialog = decided.findChild(QFileDialog)
    dialog.filesSelected.emit([str(essay("more.txt", OTHER_TEXT)), str(session_path)])
    dialog.close()
    wait_for_comparison(decided, qtbot)
    assert names(decided) == ["left.txt", "right.txt", "more.txt"]


def test_that_a_saved_session_is_modified_by_a_decision_and_unmodified_after_undo(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    assert decided.isWindowModified()
    save_to(decided, session_path, qtbot)
    assert not decided.isWindowModified()
    assert decided.status_line.message.text() == "Saved: 四班.simcompare"
    cell = decided.workspace.selection.cell
    decided.workspace.selection.step_passage(1)
    trigger(decided, "swap")
    trigger(decided, "swap")
    wait_for_comparison(decided, qtbot)
    assert not decided.isWindowModified()
    decided.workspace.review.decide(cell, None)
    assert decided.isWindowModified()
    decided.workspace.history.undo()
    assert not decided.isWindowModified()


def test_that_save_writes_to_the_same_file_again(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(decided, session_path, qtbot)
    decided.workspace.review.note(decided.workspace.selection.cell, "问过他了")
    with qtbot.waitSignal(decided.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(decided, "save")
    [review] = read_session(session_path).reviews.values()
    assert [noted_decision.note for noted_decision in review.matches.values()] == ["问过他了"]


def test_that_a_file_name_with_a_date_gets_the_suffix_of_sessions(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    save_to(decided, tmp_path / "四班 2026.11.21", qtbot)
    assert decided.sessions.keeper.path == tmp_path / "四班 2026.11.21.simcompare"
    before = decided.sessions.keeper.path.read_bytes()
    decided.workspace.review.note(decided.workspace.selection.cell, "one")
    trigger(decided, "save_as")
    choose_file(decided, tmp_path / "四班 2026.11.21")
    asked = [dialog for dialog in decided.findChildren(QFileDialog) if dialog.isVisible()]
    assert [Path(name).name for name in asked[0].selectedFiles()] == ["四班 2026.11.21.simcompare"]
    assert decided.sessions.keeper.path.read_bytes() == before
    asked[0].reject()


def test_that_a_file_chosen_as_session_is_opened_whatever_its_name(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "四班 2026.11.21"
    write_session(Session(), path)
    trigger(window, "open_session")
    choose_file(window, path)
    qtbot.waitUntil(lambda: window.sessions.keeper.path == path, timeout=READING_TIMEOUT_MS)
    assert not window.workspace.documents.entries


def test_that_a_failed_save_is_reported_and_leaves_the_work_unsaved(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(decided.sessions.keeper.not_saved, timeout=READING_TIMEOUT_MS):
        decided.sessions.keeper.save(tmp_path / "gone" / "a.simcompare")
    assert (
        f"a.simcompare cannot be saved in {tmp_path / 'gone'}: its folder is not there"
        in decided.notice.label.text()
    )
    assert decided.isWindowModified()
    assert decided.sessions.keeper.path is None
    with qtbot.waitSignal(decided.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        decided.sessions.keeper.save(tmp_path / "a.simcompare")
    assert not decided.notice.isVisible(), "it was about the failure"


def test_that_a_damaged_session_is_reported_and_changes_nothing(
    decided: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    session_path.write_bytes(b"no session")
    drop(decided, session_path)
    unsaved_dialog(decided).discard_button.click()
    qtbot.waitUntil(decided.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "cannot be opened as a session" in decided.notice.label.text()
    assert names(decided) == ["left.txt", "right.txt"]
    assert decided.workspace.review.pairs()


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
    assert entries[0].prepared_document is not None
    assert "gone.docx cannot be opened" in str(entries[1].error)


def test_that_a_text_that_is_not_prepared_yet_is_saved(
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
    # stopped processes are replaced by new ones
    qtbot.waitUntil(lambda: all(entry.prepared_document for entry in entries), timeout=2 * READING_TIMEOUT_MS)


def test_that_no_file_is_accessed_on_another_computer(
    window: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    write_session(Session((SessionDocument(Path("//server/share/a.docx")),)), session_path)
    drop(window, session_path)
    qtbot.waitUntil(lambda: names(window) == ["a.docx"], timeout=READING_TIMEOUT_MS)
    [entry] = window.workspace.documents.entries.values()
    assert entry.pending_options is None
    assert "another computer" in str(entry.error)


@pytest.mark.parametrize("thesaurus", ["//server/share/words.txt", "/dev/zero", "gone/words.txt"])
def test_that_a_missing_thesaurus_is_reported_and_not_accessed(
    window: MainWindow, session_path: Path, thesaurus: str, qtbot: QtBot
) -> None:
    write_session(Session(settings=ComparisonSettings(thesaurus=thesaurus)), session_path)
    drop(window, session_path)
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert thesaurus.rpartition("/")[2] in window.notice.label.text()
    assert window.workspace.settings.thesaurus == "starter"


def test_that_sessions_in_a_dropped_folder_are_ignored(
    window: MainWindow, session_path: Path, essay: Essay, qtbot: QtBot
) -> None:
    essay("left.txt", OTHER_TEXT)
    write_session(Session(), session_path)
    drop(window, session_path.parent)
    qtbot.waitUntil(lambda: names(window) == ["left.txt"])


def test_that_pasted_texts_are_restored_with_their_source(
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
    assert "跳绳" in entry.prepared_document.document.text
    assert entry.error is None


# --- two windows on one file


def test_that_of_two_windows_that_save_at_once_one_is_refused(
    decided: MainWindow, session_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_to(decided, session_path, qtbot)
    work, session = decided.sessions.keeper._work, decided.sessions.keeper.session()
    may_write = Barrier(2)

    def write_late(content: Session, path: Path) -> None:
        with suppress(BrokenBarrierError):
            may_write.wait(1)
        write_session(content, path)

    monkeypatch.setattr(session_keeper, "write_session", write_late)
    entries = tuple(decided.workspace.documents.entries.values())
    save = partial(session_keeper._write, session, entries, lambda: None, session_path, work, work)
    with ThreadPoolExecutor() as windows:
        errors = [each.exception() for each in [windows.submit(save), windows.submit(save)]]
    assert sorted(type(error).__name__ for error in errors) == ["NoneType", "SessionChangedError"]


def test_that_decisions_saved_by_another_window_are_not_overwritten(
    decided: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    save_to(decided, session_path, qtbot)
    other = another_window(str(session_path))
    wait_for_comparison(other, qtbot)
    cell = decided.workspace.selection.cell
    decided.workspace.review.note(cell, "of the first window")
    with qtbot.waitSignal(decided.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(decided, "save")
    other.workspace.review.note(cell, "of the second window")
    trigger(other, "save")
    qtbot.waitUntil(other.notice.isVisible, timeout=READING_TIMEOUT_MS)
    assert "四班.simcompare was changed elsewhere" in other.notice.label.text()
    assert other.isWindowModified()
    [review] = read_session(session_path).reviews.values()
    assert [noted_decision.note for noted_decision in review.matches.values()] == ["of the first window"]
    save_to(other, session_path, qtbot)
    [review] = read_session(session_path).reviews.values()
    assert [noted_decision.note for noted_decision in review.matches.values()] == ["of the second window"]
