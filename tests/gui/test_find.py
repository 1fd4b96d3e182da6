"""Find bar: searching words in both texts with real key events."""

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.model.document import Span
from simcompare.ui.compare.find_bar import PairSearch, SearchableText
from simcompare.ui.compare.text_pane.text_overview import TextOverview
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import DARK, LIGHT, Theme
from tests.gui.conftest import LEFT_TEXT, RIGHT_TEXT, wait_for_comparison
from tests.gui.match_list_samples import LEFT, document
from tests.gui.panes import page, shown_pane
from tests.gui.pixels import is_colour
from tests.gui.review_steps import note_field

Key, Modifier = Qt.Key, Qt.KeyboardModifier
SHIFT, CONTROL = Modifier.ShiftModifier, Modifier.ControlModifier


def found_in(text: str, words: str) -> list[str]:
    return [text[start:end] for start, end in SearchableText(text).find_hits(words).tolist()]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("The Bus and ＢＵＳ, a busy bus", "bus", ["Bus", "ＢＵＳ", "bus", "bus"]),
        ("石橋與石桥", "石桥", ["石橋", "石桥"]),
        ("石桥", "石橋", ["石桥"]),
        ("乾坤与干净", "乾", ["乾", "干"]),
        ("他说，（是）", "(是)", ["（是）"]),
        ("石\u00ad桥", "石桥", ["石\u00ad桥"]),
        ("😀𠮷家湾😀的桥", "湾😀的", ["湾😀的"]),
        ("……", ".", ["…", "…"]),
        ("cafe\u0301 café", "CAFÉ", ["cafe\u0301", "café"]),
        ("a.c abc", "a.c", ["a.c"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("Josiah Wеdgwооd of a kind", "wedgwood", ["Wеdgwооd"]),
        ("Wedg\u200bwood’s", "Wedgwood", ["Wedg\u200bwood"]),
        ("a wedgwood", "Wеdgwооd", ["wedgwood"]),
        ("а реасе of а kind", "a peace", ["а реасе"]),
        ("a peace of a kind", "реасе", ["peace"]),
        ("мир и труд", "мир", ["мир"]),
        ("石桥", "河", []),
        ("石桥", "", []),
        ("石桥", "\u200b", []),
        ("", "石", []),
    ],
)
def test_that_words_are_found_at_their_exact_positions(text: str, words: str, found: list[str]):
    assert found_in(text, words) == found


def search_in(left: str, right: str) -> PairSearch:
    return PairSearch({Side.LEFT: SearchableText(left), Side.RIGHT: SearchableText(right)})


def walk(search: PairSearch, by: int, steps: int) -> list[tuple[Side, int, bool]]:
    visited = []
    for _ in range(steps):
        around = search.step(by)
        assert search.current is not None
        visited.append((search.current.side, search.current.index, around))
    return visited


def test_that_steps_go_through_the_first_side_then_the_other_and_wrap_around():
    search = search_in("桥 桥", "桥")
    search.find("桥", Side.RIGHT, 0)
    assert search.span == Span(0, 1)
    assert walk(search, 1, 3) == [(Side.LEFT, 0, False), (Side.LEFT, 1, False), (Side.RIGHT, 0, True)]
    assert walk(search, -1, 2) == [(Side.LEFT, 1, True), (Side.LEFT, 0, False)]


def test_that_a_search_starts_at_the_given_position():
    search = search_in("桥 桥 桥", "桥")
    search.find("桥", Side.LEFT, 1)
    assert (search.number, search.count) == (2, 4)
    search.find("桥", Side.LEFT, 5)
    assert search.number == 4
    search.find("河", Side.LEFT, 0)
    assert (search.number, search.count, search.span, search.step(1)) == (0, 0, None, False)


# --- window


def bar_of(window: MainWindow):
    return window.compare_view.finder.bar


def page_of(window: MainWindow, side: Side) -> QTextEdit:
    return window.compare_view.panes[side].findChild(QTextEdit)


def open_bar(window: MainWindow, qtbot: QtBot) -> QLineEdit:
    qtbot.keyClick(window, Key.Key_F, CONTROL)
    assert bar_of(window).isVisible()
    return bar_of(window).field


def search_for(window: MainWindow, qtbot: QtBot, words: str) -> QLineEdit:
    field = open_bar(window, qtbot)
    field.clear()
    qtbot.keyClicks(field, words) if words.isascii() else field.insert(words)
    return field


def read_opening(window: MainWindow) -> str:
    return " ".join(label.text() for label in bar_of(window).findChildren(QLabel) if label.text())


def current_of(window: MainWindow) -> tuple[Side, str] | None:
    texts = {Side.LEFT: LEFT_TEXT, Side.RIGHT: RIGHT_TEXT}
    search = window.compare_view.finder.search
    return (search.current.side, search.span.of(texts[search.current.side])) if search.current else None


def ink_seen(window: MainWindow, side: Side, colour: str) -> bool:
    return bool(is_colour(page_of(window, side).viewport().grab().toImage(), colour).any())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_ctrl_f_marks_words_in_both_texts_and_counts_them(
    compared: MainWindow, qtbot: QtBot, theme: Theme
):
    compared.use_theme(theme.name)
    assert not bar_of(compared).isVisible()
    field = search_for(compared, qtbot, "雾")
    assert field.hasFocus()
    assert read_opening(compared) == "1 of 2: left 1 · right 1"
    for side in Side:
        assert ink_seen(compared, side, theme.found_tint)
    field.clear()
    assert read_opening(compared) == ""
    assert not ink_seen(compared, Side.LEFT, theme.found_tint)


def test_that_every_typed_letter_updates_the_search(compared: MainWindow, qtbot: QtBot, essay):
    compared.workspace.documents.add([essay("english.txt", "The bus. A busy street.")])
    key = max(compared.workspace.documents.entries)
    qtbot.waitUntil(lambda: compared.workspace.documents.entries[key].prepared_document is not None)
    compared.workspace.documents.choose(Side.LEFT, key)
    compared.pages.show_compare()
    qtbot.waitUntil(lambda: "busy" in page_of(compared, Side.LEFT).toPlainText())
    field = open_bar(compared, qtbot)
    openings = []
    for letter in "BUSY":
        qtbot.keyClick(field, letter)
        openings.append(read_opening(compared))
    assert openings == ["1 of 2: left 2 · right 0"] * 3 + ["1 of 1: left 1 · right 0"]


def test_that_a_search_steps_through_its_hits_and_says_when_it_wraps_around_or_finds_nothing(
    compared: MainWindow, qtbot: QtBot
):
    # the find commands follow the language
    menu_texts = [action.text() for action in compared.compare_view.finder.actions]
    assert menu_texts == ["Find in the texts…", "Find next", "Find previous"]
    open_bar(compared, qtbot)
    assert bar_of(compared).field.accessibleName() == "Find in both texts"

    # enter and f3 step and report wrapping around
    field = search_for(compared, qtbot, "雾")
    assert current_of(compared) == (Side.LEFT, "雾")
    qtbot.keyClick(field, Key.Key_Return)
    assert current_of(compared) == (Side.RIGHT, "雾")
    assert "Continued" not in read_opening(compared)
    qtbot.keyClick(field, Key.Key_F3)
    assert current_of(compared) == (Side.LEFT, "雾")
    assert read_opening(compared) == "1 of 2: left 1 · right 1 Continued from the first hit."
    qtbot.keyClick(field, Key.Key_Return, SHIFT)
    assert read_opening(compared) == "2 of 2: left 1 · right 1 Continued from the last hit."
    qtbot.keyClick(compared, Key.Key_F3, SHIFT)
    assert current_of(compared) == (Side.LEFT, "雾")
    qtbot.mouseClick(bar_of(compared).next_button, Qt.MouseButton.LeftButton)
    assert current_of(compared) == (Side.RIGHT, "雾")

    # a search without hits says so
    search_for(compared, qtbot, "海洋")
    assert read_opening(compared) == "Not found in either text."
    assert current_of(compared) is None
    qtbot.keyClick(bar_of(compared).field, Key.Key_Return)
    assert not bar_of(compared).next_button.isEnabled()

    # a hit in a match selects nothing
    field = search_for(compared, qtbot, "渔船")
    qtbot.keyClick(field, Key.Key_Return)
    assert compared.workspace.selection.cell is None


def test_that_the_text_with_the_focus_and_selected_words_are_searched_first(
    compared: MainWindow, qtbot: QtBot
):
    # the text with the focus is searched first
    page_of(compared, Side.RIGHT).setFocus()
    search_for(compared, qtbot, "雾")
    assert current_of(compared) == (Side.RIGHT, "雾")

    # selected words are searched
    page = page_of(compared, Side.RIGHT)
    page.setFocus()
    cursor = QTextCursor(page.document())
    cursor.setPosition(RIGHT_TEXT.index("渔船"))
    cursor.setPosition(RIGHT_TEXT.index("渔船") + 2, QTextCursor.MoveMode.KeepAnchor)
    page.setTextCursor(cursor)
    field = open_bar(compared, qtbot)
    assert field.text() == field.selectedText() == "渔船"
    assert current_of(compared) == (Side.RIGHT, "渔船")


def test_that_esc_and_the_close_button_close_the_search_and_unmark_the_texts(
    compared: MainWindow, qtbot: QtBot
):
    # esc closes the search and unmarks the texts
    field = search_for(compared, qtbot, "雾")
    qtbot.keyClick(field, Key.Key_Return)
    qtbot.keyClick(field, Key.Key_Escape)
    assert not bar_of(compared).isVisible()
    assert page_of(compared, Side.RIGHT).hasFocus()
    for side in Side:
        assert not ink_seen(compared, side, LIGHT.found_tint)
    qtbot.keyClick(compared, Key.Key_F3)
    assert bar_of(compared).isVisible()
    assert bar_of(compared).field.text() == "雾"

    # esc in a text and the close button close the search
    search_for(compared, qtbot, "雾")
    page_of(compared, Side.LEFT).setFocus()
    qtbot.keyClick(page_of(compared, Side.LEFT), Key.Key_Escape)
    assert not bar_of(compared).isVisible()
    open_bar(compared, qtbot)
    qtbot.mouseClick(bar_of(compared).close_button, Qt.MouseButton.LeftButton)
    assert not bar_of(compared).isVisible()


def test_that_find_is_disabled_in_an_empty_window(window: MainWindow, qtbot: QtBot):
    qtbot.keyClick(window, Key.Key_F, CONTROL)
    assert bar_of(window).isHidden()
    assert not window.compare_view.finder.open_action.isEnabled()


def test_that_a_newly_shown_text_is_searched_immediately(compared: MainWindow, qtbot: QtBot):
    search_for(compared, qtbot, "城里")
    assert read_opening(compared) == "1 of 1: left 0 · right 1"
    compared.workspace.documents.swap()
    # the texts are set one after the other
    qtbot.waitUntil(lambda: read_opening(compared) == "1 of 1: left 1 · right 0")
    wait_for_comparison(compared, qtbot)


LETTERS = "npfcmuNPFCMU 0+-="


def test_that_letters_typed_into_fields_trigger_no_shortcuts(compared: MainWindow, qtbot: QtBot):
    selection, review = compared.workspace.selection, compared.workspace.review
    selection.select(0)
    before = selection.cell
    field = search_for(compared, qtbot, LETTERS)
    compared.compare_view.inspector.toggle_note()
    note = note_field(compared)
    qtbot.keyClicks(note, LETTERS)
    name = compared.pairs_view.filter.text
    compared.pages.setCurrentWidget(compared.class_page)
    qtbot.keyClicks(name, LETTERS)
    assert (field.text(), note.toPlainText(), name.text()) == (LETTERS, LETTERS, LETTERS)
    assert selection.cell == before
    assert not review.matches.fine.any()
    assert not review.matches.copied.any()
    compared.pages.show_compare()
    heatmap = compared.compare_view.heatmap
    heatmap.setFocus()
    qtbot.keyClick(heatmap, Key.Key_N)
    assert selection.cell != before


# --- long texts


LONG = document("长.txt", LEFT * 800)


@pytest.fixture
def long_pane(qtbot: QtBot) -> TextPane:
    pane = shown_pane(qtbot, LONG)
    qtbot.waitUntil(lambda: page(pane).lines.is_finished)
    return pane


def test_that_hits_of_a_long_text_are_marked_and_scrolled_to(long_pane: TextPane, record_property):
    search = search_in(LONG.text, LONG.text)
    search.find("桥", Side.LEFT, 0)
    began = time.perf_counter()
    search.find("的", Side.LEFT, 0)
    long_pane.set_hits(search.hits[Side.LEFT], 0)
    long_pane.repaint()
    record_property("keystroke_ms", round((time.perf_counter() - began) * 1000, 1))
    last = Span(*search.hits[Side.LEFT][-1].tolist())
    assert len(LONG.text) > 100_000
    long_pane.reveal(last)
    assert 0 < long_pane.viewport_y_of(last) < page(long_pane).viewport().height()
    before = long_pane.viewport_y_of(last)
    long_pane.reveal(last)
    assert long_pane.viewport_y_of(last) == before


def test_that_the_overview_shows_where_hits_are(long_pane: TextPane):
    middle = LONG.text.index("桥", len(LONG.text) // 2)
    long_pane.set_hits(SearchableText(LONG.text).find_hits("桥")[:0], None)
    overview = long_pane.findChild(TextOverview)
    assert not _notches(overview)
    long_pane.set_hits(np.array([[middle, middle + 1]], np.int64), None)
    assert all(abs(y - overview.height() / 2) < 25 for y in _notches(overview))
    assert _notches(overview)


def _notches(overview) -> list[int]:
    QApplication.processEvents()
    image = overview.grab().toImage()
    return [y for y in range(image.height()) if image.pixelColor(1, y).name() == LIGHT.found]
