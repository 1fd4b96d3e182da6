"""The text pane: contents, clicks, keys, and scrolling to a sentence."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.model.document import BlockKind, Span
from simcompare.ui.compare.text_pane.highlights import TextRanges, Utf16Map
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.style.theme import (
    APPEARANCE,
    DARK,
    LIGHT,
    Theme,
    apply_theme_to_application,
    current_application,
)
from tests.gui.match_list_samples import LEFT, document
from tests.gui.panes import ESSAY, SPANS, image_of, is_mark, overview, page, show_highlights, show_passages
from tests.gui.pixels import colours_of, is_colour
from tests.gui.widgets import show_widget

NO_MODIFIER = Qt.KeyboardModifier.NoModifier
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot) -> TextPane:
    pane = TextPane()
    pane.set_document(ESSAY)
    show_widget(pane, qtbot, 420, 500)
    return pane


def point_of(pane: TextPane, offset: int) -> QPoint:
    """Middle of a character in the viewport, as computed by Qt."""
    cursor = QTextCursor(page(pane).document())
    cursor.setPosition(Utf16Map(ESSAY.text).to_utf16(offset))
    here = page(pane).cursorRect(cursor)
    return QPoint(here.left() + 5, here.center().y())


@given(st.text(st.characters(blacklist_categories=["Cs"])))
def test_that_offsets_and_utf16_positions_convert_both_ways_in_any_text(text: str):
    utf16 = Utf16Map(text)
    for offset in range(len(text) + 1):
        position = len(text[:offset].encode("utf-16-le")) // 2
        assert utf16.to_utf16(offset) == position
        assert utf16.to_code_point(position) == offset


def test_that_a_position_within_a_surrogate_pair_belongs_to_its_character():
    assert Utf16Map("桥😀𠮷桥").to_code_point(2) == 1
    assert Utf16Map("桥😀𠮷桥").to_code_point(4) == 2
    assert list(Utf16Map("桥😀𠮷桥").all_to_utf16(np.array([0, 1, 2, 3]))) == [0, 1, 3, 5]


def test_that_ranges_are_found_by_position():
    found = TextRanges(np.array([(0, 3), (3, 5), (7, 9)]), Utf16Map("😀" * 10))
    assert [found.at(position) for position in (0, 5, 6, 9, 10, 13, 14, 18)] == [
        0,
        0,
        1,
        1,
        None,
        None,
        2,
        None,
    ]
    assert list(found.touching(10, 14)) == [2]


def test_that_markup_in_a_document_is_shown_as_plain_text(pane: TextPane):
    assert page(pane).toPlainText() == ESSAY.text
    assert "<b>1 < 2 && 3</b>" in page(pane).toPlainText()


def test_that_clear_leaves_an_empty_page(pane: TextPane):
    show_highlights(pane, [SPANS[1]])
    pane.set_selected(SPANS[1])
    pane.clear()
    assert page(pane).toPlainText() == ""


@pytest.mark.parametrize("words", ["家乡", "村口", "桥面被", "𠮷家湾", "<b>1", "有些"])
def test_that_a_click_reports_the_character_under_it(pane: TextPane, qtbot: QtBot, words: str):
    offset = ESSAY.text.index(words)
    show_highlights(pane, SPANS)
    with qtbot.waitSignal(pane.offset_clicked) as clicked:
        qtbot.mouseClick(page(pane).viewport(), LEFT_BUTTON, pos=point_of(pane, offset))
    assert clicked.args == [offset]


def test_that_a_click_beside_the_text_reports_nothing(pane: TextPane, qtbot: QtBot):
    with qtbot.assertNotEmitted(pane.offset_clicked):
        qtbot.mouseClick(page(pane).viewport(), LEFT_BUTTON, pos=QPoint(3, 200))


def test_that_dragging_selects_text_and_does_not_count_as_a_click(pane: TextPane, qtbot: QtBot):
    view = page(pane).viewport()
    start, end = ESSAY.text.index("村口"), ESSAY.text.index("，桥面")
    with qtbot.assertNotEmitted(pane.offset_clicked):
        qtbot.mousePress(view, LEFT_BUTTON, pos=point_of(pane, start) - QPoint(4, 0))
        qtbot.mouseMove(view, point_of(pane, end) - QPoint(20, 0))
        qtbot.mouseMove(view, point_of(pane, end) - QPoint(4, 0))
        qtbot.mouseRelease(view, LEFT_BUTTON, pos=point_of(pane, end) - QPoint(4, 0))
    qtbot.keyClick(page(pane), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "村口的石桥站了一百多年😀"
    assert not QApplication.clipboard().mimeData().hasHtml()


def test_that_hovering_a_highlight_shows_a_hand_and_other_text_a_text_cursor(pane: TextPane, qtbot: QtBot):
    show_highlights(pane, [SPANS[1]])
    view = page(pane).viewport()
    qtbot.mouseMove(view, point_of(pane, SPANS[1].start))
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseMove(view, point_of(pane, SPANS[2].start + 1))
    assert view.cursor().shape() is Qt.CursorShape.IBeamCursor


def test_that_the_keyboard_scrolls(pane: TextPane, qtbot: QtBot):
    heights = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Home):
        with qtbot.waitSignal(pane.scrolled):
            qtbot.keyClick(page(pane), key)
        heights.append(-pane.viewport_y_of(SPANS[0]))
    down, page_down, end, up, home = heights
    assert home < down < page_down < up < end


def test_that_a_sentence_can_be_scrolled_to_any_height_even_at_the_ends(pane: TextPane):
    for sentence in (0, 1, 2, 20, len(SPANS) // 2, len(SPANS) - 2, len(SPANS) - 1):
        for y in (0, 37, 240, 400):
            pane.bring_to(SPANS[sentence], y)
            assert abs(pane.viewport_y_of(SPANS[sentence]) - y) <= 2
            cursor = QTextCursor(page(pane).document())
            cursor.setPosition(Utf16Map(ESSAY.text).to_utf16(SPANS[sentence].start))
            assert y - 2 <= page(pane).cursorRect(cursor).top() <= y + 12


def test_that_a_height_outside_the_pane_is_limited_to_it(pane: TextPane):
    pane.bring_to(SPANS[20], 5000)
    assert 400 < pane.viewport_y_of(SPANS[20]) < page(pane).viewport().height()
    pane.bring_to(SPANS[20], -50)
    assert pane.viewport_y_of(SPANS[20]) == 0


def test_that_the_margin_beyond_an_end_disappears_when_scrolled_back(pane: TextPane, qtbot: QtBot):
    pane.bring_to(SPANS[0], 300)
    for _ in range(3):
        qtbot.keyClick(page(pane), Qt.Key.Key_PageDown)
    qtbot.keyClick(page(pane), Qt.Key.Key_Home)
    assert pane.viewport_y_of(SPANS[0]) < 60


def test_that_the_visible_text_stays_in_place_when_width_or_font_size_change(pane: TextPane):
    pane.set_selected(SPANS[30])
    pane.bring_to(SPANS[30], 150)
    pane.resize(640, 500)
    assert pane.viewport_y_of(SPANS[30]) == 150
    pane.set_font_size(17)
    assert abs(pane.viewport_y_of(SPANS[30]) - 150) <= 2
    APPEARANCE.use(DARK)
    assert abs(pane.viewport_y_of(SPANS[30]) - 150) <= 2


def test_that_a_wide_pane_keeps_its_lines_short_and_centred(pane: TextPane):
    pane.resize(1600, 500)
    area = page(pane).geometry()
    assert area.width() <= 760 + 64  # text and margins
    assert abs(area.center().x() - 800) < 20


def test_that_the_wheel_over_the_margins_scrolls_the_text(pane: TextPane, qtbot: QtBot):
    pane.resize(1600, 500)
    before = pane.viewport_y_of(SPANS[0])
    where = QPointF(20, 200)
    turn = QWheelEvent(
        where,
        QPointF(pane.mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NO_MODIFIER,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(pane, turn)
    assert pane.viewport_y_of(SPANS[0]) < before


def test_that_blocks_are_formatted_by_their_kind(pane: TextPane):
    title, body = page(pane).document().begin(), page(pane).document().findBlockByNumber(1)
    assert title.blockFormat().alignment() & Qt.AlignmentFlag.AlignHCenter
    assert title.begin().fragment().charFormat().fontWeight() == 700
    assert body.blockFormat().textIndent() > 20
    assert body.blockFormat().lineHeightType() == QTextBlockFormat.LineHeightTypes.FixedHeight.value


def test_that_a_chinese_line_with_a_long_number_is_indented_like_its_neighbours(qtbot: QtBot):
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.set_document(document("a.txt", ["作文", "姓名：吕涛", "学号：20250040", "班级：高一（5）班"]))
    lines = [page(pane).document().findBlockByNumber(number) for number in range(1, 4)]
    assert len({line.blockFormat().textIndent() for line in lines}) == 1
    assert lines[1].blockFormat().textIndent() > 20


def test_that_an_english_paragraph_is_not_indented(qtbot: QtBot):
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.set_document(document("bridge.txt", ["The bridge", "It has stood there for a hundred years 桥."]))
    assert page(pane).document().findBlockByNumber(1).blockFormat().textIndent() == 0


def test_that_the_selected_sentence_and_other_places_have_frames(pane: TextPane):
    pane.set_selected(SPANS[3])
    one = (image_of(pane), LIGHT.accent)
    pane.set_framed([Span(SPANS[1].start, SPANS[1].start + 2), Span(SPANS[5].start, SPANS[5].start)])
    both = image_of(pane)
    assert is_colour(*one).any()
    assert is_colour(both, LIGHT.accent).sum() > is_colour(*one).sum()
    pane.set_selected(None)
    pane.set_framed([])
    assert not is_colour(image_of(pane), LIGHT.accent).any()


def test_that_scrolling_in_small_steps_paints_the_same_as_painting_at_once(pane: TextPane, qtbot: QtBot):
    show_highlights(pane, SPANS[::3])
    stretches = [Span(SPANS[n].start, SPANS[n + 2].end) for n in range(0, len(SPANS) - 4, 4)]
    show_passages(pane, [(span, PASSAGE_KINDS[n % 5]) for n, span in enumerate(stretches)])
    for _ in range(9):
        qtbot.keyClick(page(pane), Qt.Key.Key_Down)
        QApplication.processEvents()
    step_by_step = pane.screen().grabWindow(pane.winId()).toImage()
    pane.repaint()
    assert step_by_step == pane.screen().grabWindow(pane.winId()).toImage()


def test_that_clicking_a_mark_of_the_overview_scrolls_to_its_passage_and_reports_it(
    pane: TextPane, qtbot: QtBot
):
    passage = Span(SPANS[40].start, SPANS[43].end)
    show_passages(pane, [(SPANS[2], PassageKind.IDENTICAL), (passage, PassageKind.EDITED)])
    ys = [y for y in range(overview(pane).height()) if is_mark(overview(pane), y, PassageKind.EDITED)]
    page_px, overview_px = page(pane).document().size().height(), overview(pane).height()
    assert abs(ys[0] / overview_px - pane.page_y_of(passage) / page_px) < 0.03
    assert abs(ys[-1] / overview_px - pane.page_y_of(SPANS[44]) / page_px) < 0.03
    with qtbot.waitSignal(pane.passage_clicked) as clicked:
        qtbot.mouseClick(overview(pane), LEFT_BUTTON, pos=QPoint(7, ys[len(ys) // 2]))
    index, offset = clicked.args
    assert index == 1
    assert passage.start <= offset < passage.end
    assert 0 < pane.viewport_y_of(SPANS[41]) < 500


def test_that_a_single_sentence_has_a_mark_that_can_be_seen(pane: TextPane):
    show_passages(pane, [(Span(SPANS[40].start, SPANS[40].start + 4), PassageKind.SUMMARY)])
    ys = [y for y in range(overview(pane).height()) if is_mark(overview(pane), y, PassageKind.SUMMARY)]
    assert len(ys) >= 2


def test_that_pressing_and_dragging_the_overview_scrolls(pane: TextPane, qtbot: QtBot):
    height = overview(pane).height()
    qtbot.mousePress(overview(pane), LEFT_BUTTON, pos=QPoint(7, height - 5))
    assert pane.viewport_y_of(SPANS[-1]) < page(pane).viewport().height()
    qtbot.mouseMove(overview(pane), QPoint(7, 5))
    assert pane.viewport_y_of(SPANS[0]) >= 0
    qtbot.mouseRelease(overview(pane), LEFT_BUTTON, pos=QPoint(7, 5))


def test_that_accessible_names_contain_the_file_name(pane: TextPane):
    assert "桥.docx" in page(pane).accessibleName()
    assert overview(pane).accessibleName()
    assert overview(pane).toolTip()


@pytest.mark.usefixtures("application_looks")
@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.QUOTATION, BlockKind.FOOTNOTE])
def test_that_quotations_and_footnotes_are_muted_in_both_themes(
    pane: TextPane, kind: BlockKind, theme: Theme
):
    plain = document("桥.docx", LEFT)
    pane.set_document(replace(plain, blocks=tuple(replace(block, kind=kind) for block in plain.blocks)))
    apply_theme_to_application(current_application(), theme)
    current_application().processEvents()
    APPEARANCE.use(theme)
    inks = {True: theme.ink, False: theme.muted}
    seen = colours_of(image_of(pane))
    assert inks[kind is BlockKind.PARAGRAPH] in seen
    assert inks[kind is not BlockKind.PARAGRAPH] not in seen
