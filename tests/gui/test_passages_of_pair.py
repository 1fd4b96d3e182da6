"""Passages of a pair: connectors between both texts, selection by a click, menus and tool tips."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QSplitter, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.model.document import Span
from simcompare.session.decisions import Decision
from simcompare.support.resources import resource_path
from simcompare.ui.compare.text_feed import _span_key
from simcompare.ui.compare.text_pane.connectors import Connectors
from simcompare.ui.compare.text_pane.typography import line_boxes
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import LIGHT
from tests.gui.conftest import wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.panes import bars, image_of, overview, page
from tests.gui.pixels import is_colour
from tests.gui.test_text_menu import choose, menu_at, place_in

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def bridges(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Window with two essays that share three reworded passages."""
    samples = resource_path("samples")
    window.workspace.documents.add([Path(samples / name) for name in ("家乡的石桥.docx", "心中的桥.html")])
    wait_for_comparison(window, qtbot)
    assert len(window.workspace.passages) == 3
    return window


def connectors(window: MainWindow) -> Connectors:
    return window.compare_view.findChild(Connectors)


def edge_rows(window: MainWindow, x: int) -> list[int]:
    """Rows of the connectors in which a column is not plain background."""
    image = connectors(window).grab().toImage()
    return [y for y in range(image.height()) if image.pixelColor(x, y).name() != LIGHT.surface]


def span_of_passage(window: MainWindow, index: int, side: Side) -> Span:
    passages = window.workspace.passages
    spans = passages.left_spans if side is Side.LEFT else passages.right_spans
    return Span(*spans[index].tolist())


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_connector_joins_the_passage_on_both_sides_and_tool_tips_describe_it(bridges: MainWindow):
    # a connector joins the passage on both sides
    panes = bridges.compare_view.panes
    for side, x in ((Side.LEFT, 0), (Side.RIGHT, connectors(bridges).width() - 1)):
        top = panes[side].viewport_y_of(span_of_passage(bridges, 0, side))
        assert abs(edge_rows(bridges, x)[0] - top) < 30

    # tool tips of text bar and connector describe the passage
    view, point = place_in(bridges, Side.LEFT, "它没有美丽")
    band = connectors(bridges)
    middle = QPoint(band.width() // 2, edge_rows(bridges, band.width() // 2)[0] + 40)
    beside = QPoint(bars(bridges.compare_view.panes[Side.LEFT]).width() - 3, point.y() + 30)
    share = f"{bridges.workspace.passages.common_words[0]:.0%}".rstrip("%")
    for widget, place in (
        (view.viewport(), point),
        (band, middle),
        (bars(bridges.compare_view.panes[Side.LEFT]), beside),
    ):
        QToolTip.hideText()
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
        assert QToolTip.text() == f"Passage 1 · reworded · {share}% in common"

    # the menu decides nothing outside of passages
    view, point = place_in(bridges, Side.RIGHT, "每个人都有")
    entries = menu_at(view, point)
    assert "No concern" not in entries
    QApplication.activePopupWidget().close()


def test_that_connectors_follow_the_scroll_bar_of_either_text(bridges: MainWindow, qtbot: QtBot):
    bridges.compare_view.linked_scrolling.action.setChecked(False)
    for side in Side:
        x = 0 if side is Side.LEFT else connectors(bridges).width() - 1
        other = connectors(bridges).width() - 1 - x
        before, kept = edge_rows(bridges, x)[0], edge_rows(bridges, other)[0]
        for _ in range(3):
            qtbot.keyClick(page(bridges.compare_view.panes[side]), Qt.Key.Key_Down)
        moved = bridges.compare_view.panes[side].scrolled_px
        assert moved > 20
        assert abs(edge_rows(bridges, x)[0] - (before - moved)) <= 2
        assert abs(edge_rows(bridges, other)[0] - kept) <= 1


def test_that_a_connector_to_text_out_of_sight_is_clipped(bridges: MainWindow, qtbot: QtBot):
    bridges.compare_view.linked_scrolling.action.setChecked(False)
    qtbot.keyClick(page(bridges.compare_view.panes[Side.RIGHT]), Qt.Key.Key_End)
    assert edge_rows(bridges, 0)[0] > 20
    assert edge_rows(bridges, connectors(bridges).width() * 3 // 4)[0] == 0


def test_that_a_click_on_a_connector_selects_the_passage(bridges: MainWindow, qtbot: QtBot):
    band = connectors(bridges)
    y = (edge_rows(bridges, band.width() // 2)[0]) + 40
    qtbot.mouseClick(band, LEFT_BUTTON, pos=QPoint(band.width() // 2, y))
    assert bridges.workspace.selection.passage == 0
    before = band.grab().toImage()
    bridges.workspace.selection.select_passage(2)
    assert before != band.grab().toImage()


def test_that_the_border_between_the_texts_can_be_dragged_at_a_connector(bridges: MainWindow, qtbot: QtBot):
    band, splitter = connectors(bridges), bridges.compare_view.findChild(QSplitter, "panes")
    before = splitter.sizes()[0]
    start = QPoint(band.width() // 2, edge_rows(bridges, band.width() // 2)[0] + 40)
    qtbot.mousePress(band, LEFT_BUTTON, pos=start)
    qtbot.mouseMove(band, start + QPoint(30, 0))
    qtbot.mouseRelease(band, LEFT_BUTTON, pos=start)
    assert bridges.workspace.selection.passage is None
    assert splitter.sizes()[0] != before


def test_that_a_click_in_a_text_selects_the_passage_and_brings_the_same_sentence_to_its_height(
    bridges: MainWindow, qtbot: QtBot
):
    comparison, panes = bridges.workspace.comparison, bridges.compare_view.panes
    match = comparison.matches[int(bridges.workspace.passages.matches_of(0)[5])]
    start = comparison.left_span(match).start
    words = comparison.left.document.text[start : start + 6]
    view, point = place_in(bridges, Side.LEFT, words)
    before = panes[Side.LEFT].viewport_y_of(comparison.left_span(match))
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=point)
    selection = bridges.workspace.selection
    assert (selection.passage, selection.cell) == (0, None)
    assert panes[Side.LEFT].viewport_y_of(comparison.left_span(match)) == before
    assert abs(panes[Side.RIGHT].viewport_y_of(comparison.right_span(match)) - before) <= 2


def test_that_esc_selects_the_whole_passage_again(bridges: MainWindow, qtbot: QtBot):
    comparison, selection = bridges.workspace.comparison, bridges.workspace.selection
    start = comparison.left_span(comparison.matches[int(bridges.workspace.passages.matches_of(0)[5])]).start
    view, point = place_in(bridges, Side.LEFT, comparison.left.document.text[start : start + 6])
    for _click in range(2):
        qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=point)
    assert selection.is_inside_passage
    qtbot.keyClick(view, Qt.Key.Key_C)
    assert "this pair of sentences only" in bridges.status_line.message.text()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert (selection.passage, selection.cell) == (0, None)


def test_that_a_click_on_a_sentence_without_match_brings_the_same_part_of_the_passage_to_its_height(
    bridges: MainWindow, qtbot: QtBot
):
    comparison, panes = bridges.workspace.comparison, bridges.compare_view.panes
    own, other = (span_of_passage(bridges, 1, side) for side in Side)
    prepared, best = comparison.left.prepared, comparison.matches.best_of_left
    sentence = next(
        n
        for n in range(prepared.sentence_count)
        if best[n] < 0 and own.start < prepared.sentence_span(n).start < own.end
    )
    span = prepared.sentence_span(sentence)
    panes[Side.LEFT].bring_to(span, 200)
    words = comparison.left.document.text[span.start : span.start + 6]
    view, point = place_in(bridges, Side.LEFT, words)
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=point)
    assert bridges.workspace.selection.passage == 1
    across = other.start + round((span.start - own.start) / (own.end - own.start) * (other.end - other.start))
    y = panes[Side.RIGHT].viewport_y_of(Span(across, across + 1))
    assert abs(y - panes[Side.LEFT].viewport_y_of(span)) <= 30


def test_that_a_click_on_the_overview_selects_the_passage_in_both_texts(bridges: MainWindow, qtbot: QtBot):
    panes = bridges.compare_view.panes
    bar = overview(panes[Side.RIGHT])
    qtbot.mouseClick(bar, LEFT_BUTTON, pos=QPoint(7, bar.height() - 30))
    assert bridges.workspace.selection.passage == 2
    for side, pane in panes.items():
        assert pane.viewport_y_of(span_of_passage(bridges, 2, side)) < pane.height()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_menu_of_a_text_decides_the_passage_below_the_mouse(bridges: MainWindow):
    view, point = place_in(bridges, Side.RIGHT, "儿时到对面")
    choose(menu_at(view, point), "No concern\tF")
    review = bridges.workspace.review
    assert review.passage_decision(0).decision is Decision.FINE
    entries = menu_at(view, point)
    assert entries["No concern\tF"].isChecked()
    choose(entries, "No concern\tF")
    assert review.passage_decision(0).decision is None
    choose(menu_at(view, point), "Copied\tC")
    assert review.passage_decision(0).decision is Decision.COPIED


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_an_open_menu_decides_nothing_once_the_passages_are_others(bridges: MainWindow):
    view, point = place_in(bridges, Side.LEFT, "它没有美丽")
    entries = menu_at(view, point)
    comparison = bridges.workspace.comparison
    others = Passages.of(list(comparison.detected_passages)[1:])
    bridges.workspace._set_comparison(replace(comparison, passages=others, detected_passages=others))
    assert not entries["No concern\tF"].isEnabled()
    choose(entries, "No concern\tF")
    assert not bridges.workspace.review.passages.fine.any()
    QApplication.activePopupWidget().close()
    choose(menu_at(view, point), "No concern\tF")
    assert bridges.workspace.review.passages.fine.any()


def test_that_changes_are_found_for_visible_passages_only(bridges: MainWindow, qtbot: QtBot):
    changes, passages = bridges.compare_view.text_feed._changes, bridges.workspace.passages
    first, last = (_span_key(passages, index) for index in (0, 2))
    qtbot.waitUntil(lambda: first in changes._kept)
    assert last not in changes._kept
    bridges.workspace.selection.select_passage(2)
    qtbot.waitUntil(lambda: last in changes._kept)
    assert PASSAGE_KINDS[passages.kinds[2]] is PassageKind.REWORDED


@pytest.fixture
def overlapping(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> MainWindow:
    """Window with a left text of which the right text has the whole, and later a part of it once more."""
    sentences = [
        "村口的石桥站了一百多年，桥面被行人的脚步磨得发亮。",
        "每年夏天的傍晚，老人们搬着竹椅到桥头乘凉聊天。",
        "爷爷说这座桥是外地来的石匠带着全村人修起来的。",
        "有一年洪水冲坏了中间的桥墩，大家凑钱把它补好。",
        "后来镇上修了新的公路，汽车一辆接一辆地开过去。",
        "石桥渐渐安静下来，只有清晨卖菜的人还从上面走。",
    ]
    own = [
        "城里的超市每天早上八点开门，货架上摆满了进口水果。",
        "我们学校的足球队上个月得了全市比赛第三名。",
    ] * 4
    right = ["桥", *sentences, *own, *sentences[2:5]]
    paths = [essay("left.txt", "".join(sentences)), essay("right.txt", "\n".join(right))]
    window.workspace.documents.add(paths)
    wait_for_comparison(window, qtbot)
    return window


def test_that_the_smaller_of_two_overlapping_connectors_can_be_clicked(overlapping: MainWindow, qtbot: QtBot):
    passages, band = overlapping.workspace.passages, connectors(overlapping)
    lengths = np.diff(passages.left_spans)[:, 0].tolist()
    assert len(lengths) > 1
    smaller = lengths.index(min(lengths))
    overlapping.workspace.selection.select_passage(lengths.index(max(lengths)))
    pane = overlapping.compare_view.panes[Side.LEFT]
    start = span_of_passage(overlapping, smaller, Side.LEFT).start
    qtbot.mouseClick(band, LEFT_BUTTON, pos=QPoint(1, pane.viewport_y_of(Span(start, start + 1)) + 40))
    assert overlapping.workspace.selection.passage == smaller


def place_at(window: MainWindow, side: Side, span: Span) -> tuple[QWidget, QPoint]:
    """Viewport of a text, and a point on the first letter of a span in it."""
    view = page(window.compare_view.panes[side])
    window.compare_view.panes[side].bring_to(span, 100)
    box = next(line_boxes(view.document(), span.start, span.start + 1))
    return view.viewport(), QPoint(round(box.left()) + 4, 104)


def has_frame(window: MainWindow, side: Side) -> bool:
    return bool(is_colour(image_of(window.compare_view.panes[side]), LIGHT.accent).any())


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_synonym_under_the_mouse_names_its_partner_and_frames_it(bridges: MainWindow, qtbot: QtBot):
    feed, text = bridges.compare_view.text_feed, bridges.workspace.comparison.left.document.text
    changes = feed._changes.of(0, at_once=True)
    left, _right = next(pair for pair in changes.synonyms if pair[0].of(text) == "美丽")
    viewport, point = place_at(bridges, Side.LEFT, left)
    assert not has_frame(bridges, Side.RIGHT)
    qtbot.mouseMove(viewport, point)
    assert has_frame(bridges, Side.RIGHT)
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    assert QToolTip.text().splitlines()[0] == "美丽 ~ 漂亮"
    QApplication.sendEvent(viewport, QEvent(QEvent.Type.Leave))
    assert not has_frame(bridges, Side.RIGHT)


def test_that_shift_n_frames_one_difference_after_the_other(bridges: MainWindow, qtbot: QtBot):
    selection, feed = bridges.workspace.selection, bridges.compare_view.text_feed
    selection.select_passage(1)
    places = feed._changes.of(1, at_once=True).places
    seen = []
    for key in (Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_P):
        qtbot.keyClick(bridges, key, Qt.KeyboardModifier.ShiftModifier)
        seen.append(tuple(map(feed._place.get, Side)))
        panes = bridges.compare_view.panes
        for side, span in feed._place.items():
            assert 0 <= panes[side].viewport_y_of(span) < panes[side].height()
            assert has_frame(bridges, side)
    assert seen == [places[0], places[1], places[0], places[0]]
    assert selection.passage == 1
    selection.select_passage(0)
    assert not any(has_frame(bridges, side) for side in Side)
