"""The window as a teacher meets it: files in, comparison on screen, through real events."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QListView,
    QMenu,
    QSplitterHandle,
    QTableView,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from simcompare.comparison.subject import read_subject
from simcompare.comparison.values import MatchKind
from simcompare.settings import PRESETS
from simcompare.ui.document_list import words
from simcompare.ui.main_window import MainWindow
from simcompare.ui.matches.list_filter import KindSwitch
from simcompare.ui.state.side import Side
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.loading_samples import write_docx_with_white_text

Essay = Callable[[str, str], Path]


def drop(window: MainWindow, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place = QPointF(200, 200)
    enter = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, data, buttons, modifiers)
    QApplication.sendEvent(window.windowHandle(), enter)
    assert enter.isAccepted()
    QApplication.sendEvent(
        window.windowHandle(), QDropEvent(place, Qt.DropAction.CopyAction, data, buttons, modifiers)
    )


def match_view(window: MainWindow) -> QTableView:
    view = window.sidebar.matches.findChild(QTableView)
    assert isinstance(view, QTableView)
    return view


def all_labels(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def texts(window: MainWindow) -> list[str]:
    comparison = window.workspace.comparison
    assert comparison is not None
    return [comparison.left.name, comparison.right.name]


def test_that_an_empty_window_says_what_to_do_and_offers_the_samples(window: MainWindow) -> None:
    assert window.pages.currentWidget() is window.empty_view
    assert window.empty_view.samples_button.isVisible()
    assert not window.sidebar.isVisible()


def test_that_two_dropped_files_are_compared(
    window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(window, list(pair))
    wait_for_comparison(window, qtbot)
    assert texts(window) == ["left.txt", "right.txt"]
    kinds = {window.workspace.comparison.matches[i].kind for i in range(3)}
    assert kinds == {MatchKind.EXACT, MatchKind.EDITED, MatchKind.SYNONYM}
    assert window.pages.currentWidget() is window.compare_view


def test_that_a_dropped_folder_adds_the_files_in_it(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    folder = essay("b.txt", LEFT_TEXT).parent
    essay("a.txt", OTHER_TEXT)
    essay(".hidden", OTHER_TEXT)
    drop(window, [folder])
    wait_for_comparison(window, qtbot)
    assert [e.path.name for e in window.workspace.documents.entries.values()] == ["a.txt", "b.txt"]


def test_that_many_files_in_a_row_are_told_of_together_and_measured_once(
    window: MainWindow, essay: Essay, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, told, keys = [], [], []
    monkeypatch.setattr(words, "units_count", lambda subject: measured.append(subject) or "5 words")
    monkeypatch.setattr(window.workspace._reading, "read", lambda key, *_how: keys.append(key))
    path = essay("00.txt", OTHER_TEXT)
    drop(window, [path, *(essay(f"{i:02}.txt", OTHER_TEXT) for i in range(1, 40))])
    qtbot.waitUntil(lambda: len(keys) == 40, timeout=READING_TIMEOUT_MS)
    window.workspace.documents_changed.connect(lambda: told.append(True))
    for key in keys:
        window.workspace._reading.finished.emit(key, read_subject(path, window.workspace.settings.recipe))
    assert len(told) == 3, "both texts that are shown, and the last one with all others"
    assert len(measured) == 40
    assert {row.detail for row in window.sidebar.documents._rows._rows} == {"5 words · 操场"}


def test_that_files_not_yet_handed_to_a_reader_can_be_cancelled(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    drop(window, [essay(f"{i:02}.txt", OTHER_TEXT) for i in range(25)])
    window.workspace.cancel()
    qtbot.wait(50)
    assert window.workspace.documents.entries == {}
    assert not window.workspace.is_busy


def test_that_the_samples_are_compared_at_a_click(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.empty_view.samples_button, Qt.MouseButton.LeftButton)
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert all(entry.error is None for entry in window.workspace.documents.entries.values())
    assert window.pages.currentWidget() is window.pairs_view
    assert QApplication.focusWidget() is window.pairs_view.table


def test_that_a_corrupt_file_among_good_ones_is_named_and_the_rest_goes_on(
    window: MainWindow, pair: tuple[Path, Path], tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 this is no zip file")
    drop(window, [broken, *pair])
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    errors = [e for e in window.workspace.documents.entries.values() if e.error is not None]
    assert [e.path.name for e in errors] == ["broken.docx"]
    assert "broken.docx" in str(errors[0].error)
    assert texts(window) == ["left.txt", "right.txt"]


def test_that_the_same_file_is_not_listed_twice_and_that_is_said(
    compared: MainWindow, pair: tuple[Path, Path]
) -> None:
    drop(compared, [pair[0]])
    assert len(compared.workspace.documents.entries) == 2
    assert compared.notice.isVisible()
    assert "left.txt" in compared.notice.label.text()


def test_that_a_file_that_vanished_is_one_clear_problem(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window.workspace.documents.add([tmp_path / "gone.docx"])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    (entry,) = window.workspace.documents.entries.values()
    assert str(entry.error).startswith("gone.docx cannot be opened")


def test_that_clicking_a_heatmap_cell_selects_the_match_everywhere(
    compared: MainWindow, qtbot: QtBot
) -> None:
    view = compared.compare_view
    match = compared.workspace.comparison.matches[1]
    view.heatmap.cell_chosen.emit(match.left, match.right)
    assert compared.workspace.selection.selected == 1
    assert match_view(compared).currentIndex().row() == 1
    assert "Match 2 of" in all_labels(view.inspector)


def test_that_next_and_previous_walk_through_all_matches_and_rest_at_the_ends(
    compared: MainWindow, qtbot: QtBot
) -> None:
    total = len(compared.workspace.comparison.matches)
    seen = []
    for _ in range(total + 1):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        seen.append(compared.workspace.selection.selected)
    assert seen == [*range(total), total - 1]
    for _ in range(total + 1):
        qtbot.keyClick(compared, Qt.Key.Key_P)
    assert compared.workspace.selection.selected == 0


def test_that_steps_pass_over_the_kinds_that_the_list_hides(compared: MainWindow, qtbot: QtBot) -> None:
    workspace = compared.workspace
    kinds = [MatchKind(kind) for kind in workspace.comparison.matches.kinds.tolist()]
    (hidden,) = (s for s in compared.findChildren(KindSwitch) if "edited" in s.accessibleName())
    qtbot.mouseClick(hidden, Qt.MouseButton.LeftButton)
    listed = [index for index, kind in enumerate(kinds) if kind is not MatchKind.EDITED]
    assert match_view(compared).model().rowCount() == len(listed) < len(kinds)
    for key, order in ((Qt.Key.Key_N, listed), (Qt.Key.Key_P, listed[-2::-1])):
        for index in order:
            qtbot.keyClick(compared, key)
            assert workspace.selection.selected == index
    assert not workspace.selection.can_step(-1)
    workspace.selection.select(kinds.index(MatchKind.EDITED))
    qtbot.keyClick(compared, Qt.Key.Key_N)
    assert workspace.selection.selected in listed
    for switch in compared.findChildren(KindSwitch):
        switch.setChecked(False)
    assert not compared.commands.actions["next"].isEnabled()


def test_that_sentences_that_do_not_match_can_be_looked_at_and_say_why_not(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.compare_view.heatmap.cell_chosen.emit(0, 1)
    assert compared.workspace.selection.selected is None
    assert "No match" in all_labels(compared.compare_view.inspector)
    reasons = [view.toPlainText() for view in compared.compare_view.inspector.findChildren(QTextEdit)]
    assert any("below 0.35" in text for text in reasons)
    qtbot.keyClick(compared, Qt.Key.Key_N)
    match = compared.workspace.comparison.matches[compared.workspace.selection.selected]
    assert (match.left, match.right) > (0, 1)


def test_that_the_inspector_takes_the_room_that_its_words_need(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.resize(1280, 800)
    start, rest = "下课以后，我和同桌一起去操场上跑步，", "太阳晒得我们满头大汗，可是谁也不愿意先停下来。"
    long = start + "一圈又一圈，" * 40 + rest
    paths = [essay("a.txt", f"题目\n{long}"), essay("b.txt", f"题目\n{long}我们笑了。")]
    window.workspace.documents.add(paths)
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select(len(window.workspace.comparison.matches) - 1)
    inspector = window.compare_view.inspector
    qtbot.waitUntil(lambda: inspector.height() > 200)
    assert inspector.height() <= round(window.compare_view.height() * 0.4)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_nothing_of_a_match_lies_below_the_fold(
    compared: MainWindow, qtbot: QtBot, size: tuple[int, int], language: str
) -> None:
    compared.resize(*size)
    compared.use_language(language)
    for _ in range(len(compared.workspace.comparison.matches)):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        views = compared.compare_view.inspector.findChildren(QTextEdit)
        assert [view.verticalScrollBar().maximum() for view in views] == [0, 0]


def test_that_documents_take_the_room_that_few_matches_leave(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    documents, matches = window.sidebar.documents, window.sidebar.matches
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", "The rain fell all night.")])
    wait_for_comparison(window, qtbot)
    assert not window.workspace.comparison.matches
    assert documents.height() > 2 * matches.height()
    window.resize(window.width(), window.height() + 100)
    qtbot.waitUntil(lambda: documents.height() > 3 * matches.height())


def test_that_a_person_who_moves_the_border_below_the_documents_has_the_last_word(
    compared: MainWindow, qtbot: QtBot
) -> None:
    (handle,) = (h for h in compared.sidebar.findChildren(QSplitterHandle) if h.isVisible())
    middle = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, QPoint(middle.x(), middle.y() - 60))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    height = compared.sidebar.documents.height()
    compared.workspace.compare_afresh()
    wait_for_comparison(compared, qtbot)
    assert compared.sidebar.documents.height() == height


def test_that_a_person_who_moves_the_splitter_has_the_last_word(compared: MainWindow, qtbot: QtBot) -> None:
    inspector = compared.compare_view.inspector
    (handle,) = (
        h
        for h in compared.compare_view.findChildren(QSplitterHandle)
        if h.orientation() is Qt.Orientation.Vertical and h.isVisible()
    )
    middle = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, QPoint(middle.x(), middle.y() + 50))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    height = inspector.height()
    for _ in range(3):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        assert inspector.height() == height


def test_that_a_tool_tip_and_the_inspector_show_the_same_figure(compared: MainWindow) -> None:
    comparison, view = compared.workspace.comparison, compared.compare_view
    rows, columns = comparison.matrix.heat.shape
    for row in range(rows):
        for column in range(columns):
            compared.workspace.selection.select_cell(row, column)
            (figure,) = re.findall(r"P = [\d.]+", all_labels(view.inspector))
            assert figure in view.heatmap._describer(row, column)


def test_that_both_texts_bring_the_selected_pair_to_one_height(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_N)
    comparison, panes = compared.workspace.comparison, compared.compare_view.panes
    match = comparison.matches[compared.workspace.selection.selected]
    left = panes[Side.LEFT].height_of(comparison.left_span(match))
    right = panes[Side.RIGHT].height_of(comparison.right_span(match))
    assert abs(left - right) <= 2


def test_that_a_moved_threshold_changes_list_percentages_and_highlights_at_once(
    compared: MainWindow,
) -> None:
    before = compared.workspace.comparison
    sliders = compared.tool_bar.settings_bar.sliders
    sliders.weights_changed.emit(0.98, 0.99)
    after = compared.workspace.comparison
    assert after.matrix is before.matrix
    assert len(after.matches) < len(before.matches)
    assert after.similarity.left_in_right < before.similarity.left_in_right
    assert match_view(compared).model().rowCount() == len(after.matches)


def test_that_a_preset_sets_both_thresholds(compared: MainWindow, qtbot: QtBot) -> None:
    box = compared.tool_bar.settings_bar.presets
    box.setCurrentIndex(box.findData("paper"))
    box.activated.emit(box.currentIndex())
    assert compared.workspace.settings == PRESETS["paper"]


def test_that_the_selected_pair_stays_selected_while_thresholds_move(compared: MainWindow) -> None:
    exact = next(
        i
        for i in range(len(compared.workspace.comparison.matches))
        if compared.workspace.comparison.matches[i].kind is MatchKind.EXACT
    )
    compared.workspace.selection.select(exact)
    cell = compared.workspace.selection.cell
    compared.tool_bar.settings_bar.sliders.weights_changed.emit(0.9, 0.95)
    assert compared.workspace.selection.cell == cell


def test_that_swapping_sides_swaps_the_percentages(compared: MainWindow, qtbot: QtBot) -> None:
    before = compared.workspace.comparison.similarity
    qtbot.mouseClick(compared.tool_bar.swap_button, Qt.MouseButton.LeftButton)
    wait_for_comparison(compared, qtbot)
    after = compared.workspace.comparison.similarity
    assert texts(compared) == ["right.txt", "left.txt"]
    assert (after.left_in_right, after.right_in_left) == (before.right_in_left, before.left_in_right)


def test_that_swapping_sides_keeps_the_selected_pair(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_N)
    left, right = compared.workspace.selection.cell
    qtbot.mouseClick(compared.tool_bar.swap_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: compared.workspace.selection.cell is not None, timeout=READING_TIMEOUT_MS)
    assert compared.workspace.selection.cell == (right, left)
    assert compared.workspace.selection.selected is not None


def test_that_one_document_alone_asks_for_a_second_one(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    drop(window, [essay("a.txt", LEFT_TEXT)])
    asked = "Add a second document to compare this one with."
    assert asked in all_labels(window.compare_view.inspector)
    assert asked in all_labels(window.sidebar.matches)
    drop(window, [essay("b.txt", OTHER_TEXT)])
    assert "No matches." not in all_labels(window.sidebar.matches), "it is not known yet"
    wait_for_comparison(window, qtbot)
    assert "No matches." in all_labels(window.sidebar.matches)
    assert asked not in all_labels(window)


def test_that_the_file_menu_removes_the_documents_selected(compared: MainWindow, qtbot: QtBot) -> None:
    view = compared.sidebar.documents.findChild(QListView)
    action = compared.sidebar.documents.remove_action
    (menu,) = (m for m in compared.menuBar().findChildren(QMenu) if action in m.actions())
    assert menu.title() == "&File"
    assert not action.isEnabled()
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert len(compared.workspace.documents.entries) == 1
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    action.trigger()
    assert compared.workspace.documents.entries == {}


def test_that_every_stop_of_the_keyboard_is_framed(compared: MainWindow, qtbot: QtBot) -> None:
    compared.activateWindow()
    lists = {compared.sidebar.documents.findChild(QListView), match_view(compared)}
    wanted = {compared.tool_bar.add_button, *lists, *compared.findChildren(KindSwitch)}
    bare = {widget: widget.grab().toImage() for widget in wanted}
    met = set()
    for _ in range(30):
        qtbot.keyClick(QApplication.focusWidget() or compared, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        if widget in wanted:
            met.add(widget)
            assert widget.grab().toImage() != bare[widget]
    assert met == wanted


def test_that_the_window_stays_large_enough_for_its_tool_bar(compared: MainWindow, qtbot: QtBot) -> None:
    compared.resize(300, 200)
    assert compared.width() >= 1000
    assert compared.height() >= 600
    assert compared.sidebar.width() >= 200


def test_that_a_third_document_can_be_put_on_a_side(compared: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    drop(compared, [essay("third.txt", OTHER_TEXT)])
    qtbot.waitUntil(lambda: not compared.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    compared.sidebar.documents.side_chosen.emit(3, "right")
    wait_for_comparison(compared, qtbot)
    assert texts(compared) == ["left.txt", "third.txt"]


def test_that_removing_a_compared_document_clears_its_comparison(compared: MainWindow) -> None:
    compared.sidebar.documents.remove_requested.emit([2])
    assert compared.workspace.comparison is None
    assert match_view(compared).model().rowCount() == 0
    assert "%" not in all_labels(compared.compare_view.header)


def test_that_the_comparison_goes_on_visibly_without_a_thesaurus(compared: MainWindow, qtbot: QtBot) -> None:
    compared.tool_bar.method.thesauri["none"].trigger()
    wait_for_comparison(compared, qtbot)
    kinds = compared.workspace.comparison.matches.kinds.tolist()
    assert MatchKind.SYNONYM not in kinds
    assert "Thesaurus: none" in all_labels(compared.status_line)


def test_that_a_broken_thesaurus_is_named_and_the_comparison_still_made(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.dat"
    broken.write_bytes(b"\x00\x01\x02")
    compared.tool_bar.method.use_thesaurus(str(broken))
    wait_for_comparison(compared, qtbot)
    assert "broken.dat" in compared.notice.label.text()


def test_that_cancelling_while_files_are_read_leaves_no_file_half_read(
    window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(window, list(pair))
    assert window.status_line.cancel_button.isVisible()
    qtbot.mouseClick(window.status_line.cancel_button, Qt.MouseButton.LeftButton)
    assert not window.workspace.is_busy
    assert window.workspace.documents.entries == {}
    drop(window, list(pair))
    wait_for_comparison(window, qtbot)


def test_that_a_cancelled_comparison_can_be_made_again(compared: MainWindow, qtbot: QtBot) -> None:
    before = compared.workspace.comparison
    compared.workspace.compare_afresh()
    compared.workspace.cancel()
    assert compared.workspace.comparison is None
    assert compared.notice.isVisible()
    compared.commands.actions["again"].trigger()
    wait_for_comparison(compared, qtbot)
    assert compared.workspace.comparison.similarity == before.similarity


def test_that_a_cancelled_comparison_stays_cancelled_while_files_come_and_go(
    compared: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    workspace = compared.workspace
    workspace.compare_afresh()
    workspace.documents.add([essay("unread.txt", OTHER_TEXT)])
    qtbot.mouseClick(compared.status_line.cancel_button, Qt.MouseButton.LeftButton)
    assert [entry.path.name for entry in workspace.documents.entries.values()] == ["left.txt", "right.txt"]
    assert not workspace.is_busy
    workspace.documents.add([essay("another.txt", OTHER_TEXT)])
    qtbot.waitUntil(lambda: not workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert workspace.comparison is None
    workspace.documents.choose_pair(1, 2)
    wait_for_comparison(compared, qtbot)


@pytest.mark.parametrize("delay_seconds", [0.0, 0.05, 0.3, 1.0])
def test_that_closing_the_window_during_work_ends_quietly(
    window: MainWindow, essay: Essay, qtbot: QtBot, delay_seconds: float
) -> None:
    many = [essay(f"{i}.txt", (LEFT_TEXT + str(i) + OTHER_TEXT) * 200) for i in range(6)]
    window.workspace.documents.add(many)
    end = time.monotonic() + delay_seconds
    while time.monotonic() < end:
        qtbot.wait(5)
    window.close()
    assert not window.isVisible()


def test_that_the_language_changes_without_a_restart(compared: MainWindow) -> None:
    compared.commands.actions["language:zh"].trigger()
    assert compared.tool_bar.swap_button.text() == "互换"
    compared.commands.actions["language:en"].trigger()
    assert compared.tool_bar.swap_button.text() == "Swap"


def test_that_a_notice_does_not_outlive_its_language(compared: MainWindow, pair: tuple[Path, Path]) -> None:
    drop(compared, [pair[0]])
    assert compared.notice.isVisible()
    compared.commands.actions["language:zh"].trigger()
    assert not compared.notice.isVisible()


def test_that_the_dark_theme_darkens_the_window(compared: MainWindow) -> None:
    compared.use_theme("light")
    light = compared.grab().toImage().pixelColor(QPoint(4, 300)).lightness()
    compared.use_theme("dark")
    dark = compared.grab().toImage().pixelColor(QPoint(4, 300)).lightness()
    assert dark < 60
    assert light > 200


def test_that_a_folder_is_chosen_and_all_of_its_files_are_added(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot, tmp_path: Path
) -> None:
    for number in range(3):
        essay(f"{number}.txt", OTHER_TEXT)
    window.commands.actions["add_folder"].trigger()
    [dialog] = window.findChildren(QFileDialog)
    dialog.setDirectory(str(tmp_path.parent))
    dialog.selectFile(str(tmp_path))
    dialog.accept()
    qtbot.waitUntil(lambda: len(window.workspace.documents.subjects) == 3, timeout=READING_TIMEOUT_MS)


def test_that_what_is_selected_stays_so_when_all_is_compared_again(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.workspace.selection.select(1)
    cell = compared.workspace.selection.cell
    qtbot.keyClick(compared, Qt.Key.Key_F5)
    wait_for_comparison(compared, qtbot)
    assert compared.workspace.selection.cell == cell


def test_that_the_notice_of_problems_leads_to_each_of_them(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot, tmp_path: Path
) -> None:
    white, broken = write_docx_with_white_text(tmp_path / "white.docx"), tmp_path / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 cut short")
    window.workspace.documents.add([essay("fine.txt", OTHER_TEXT), white, broken])
    qtbot.waitUntil(window.notice.isVisible, timeout=READING_TIMEOUT_MS)
    view, led_to = window.sidebar.documents.findChild(QListView), []
    for _click in range(3):
        qtbot.mouseClick(window.notice.show_button, Qt.MouseButton.LeftButton)
        led_to.append(view.currentIndex().row())
    assert led_to == [1, 2, 1]


def test_that_the_panel_says_so_where_nothing_matches(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("left.txt", LEFT_TEXT), essay("other.txt", OTHER_TEXT)])
    wait_for_comparison(window, qtbot)
    assert "No two sentences are similar" in all_labels(window.compare_view.inspector)
