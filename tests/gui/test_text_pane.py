"""The text pane by real mouse, wheel and key events, and the positions behind it."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.values import MatchKind
from simcompare.document import BlockKind, Span
from simcompare.ui.looks.theme import DARK, LIGHT, Theme
from simcompare.ui.main_window import MainWindow
from simcompare.ui.matches.inspector_sentences import SentencesView
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.side import Side
from simcompare.ui.text_pane.highlights import Highlights, Utf16Map
from simcompare.ui.text_pane.minimap import Minimap
from simcompare.ui.text_pane.pane import TextPane
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.match_list_samples import LEFT, document, sentences_of
from tests.gui.panes import page, shown_pane

ESSAY = document("桥.docx", LEFT * 12)
SPANS = [sentences_of(ESSAY).sentence_span(n) for n in range(sentences_of(ESSAY).sentence_count)]
NO_MODIFIER = Qt.KeyboardModifier.NoModifier
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot) -> TextPane:
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.resize(420, 500)
    pane.set_document(ESSAY)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def overview(pane: TextPane) -> Minimap:
    return pane.findChild(Minimap)


def point_of(pane: TextPane, offset: int) -> QPoint:
    """The middle of a character in the viewport, as Qt itself tells it."""
    cursor = QTextCursor(page(pane).document())
    cursor.setPosition(Utf16Map(ESSAY.text).to_utf16(offset))
    here = page(pane).cursorRect(cursor)
    return QPoint(here.left() + 5, here.center().y())


def image_of(pane: TextPane) -> QImage:
    return page(pane).viewport().grab().toImage()


def colours_of(image: QImage) -> set[str]:
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {image.pixelColor(x, y).name() for x, y in points}


@given(st.text(st.characters(blacklist_categories=["Cs"])))
def test_that_offsets_and_positions_lead_to_each_other_in_any_text(text: str):
    utf16 = Utf16Map(text)
    for offset in range(len(text) + 1):
        position = len(text[:offset].encode("utf-16-le")) // 2
        assert utf16.to_utf16(offset) == position
        assert utf16.to_code_point(position) == offset


def test_that_a_position_within_a_surrogate_pair_belongs_to_its_character():
    assert Utf16Map("桥😀𠮷桥").to_code_point(2) == 1
    assert Utf16Map("桥😀𠮷桥").to_code_point(4) == 2
    assert list(Utf16Map("桥😀𠮷桥").all_to_utf16(np.array([0, 1, 2, 3]))) == [0, 1, 3, 5]


def test_that_highlights_are_found_by_position_whatever_order_they_were_given_in():
    spans = [(Span(7, 9), MatchKind.EDITED), (Span(0, 3), MatchKind.EXACT), (Span(3, 5), MatchKind.SYNONYM)]
    found = Highlights(spans, Utf16Map("😀" * 10))
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
    assert found.range_of(2) == (14, 18, MatchKind.EDITED)


def test_that_the_text_shown_is_the_text_of_the_document_with_its_markup_as_text(pane: TextPane):
    assert page(pane).toPlainText() == ESSAY.text
    assert "<b>1 < 2 && 3</b>" in page(pane).toPlainText()


def test_that_clear_leaves_an_empty_page(pane: TextPane):
    pane.set_highlights([(SPANS[1], MatchKind.EXACT)])
    pane.set_selected(SPANS[1])
    pane.clear()
    assert page(pane).toPlainText() == ""


@pytest.mark.parametrize("words", ["家乡", "村口", "桥面被", "𠮷家湾", "<b>1", "有些"])
def test_that_a_click_reports_the_character_under_it(pane: TextPane, qtbot: QtBot, words: str):
    offset = ESSAY.text.index(words)
    pane.set_highlights([(span, MatchKind.EDITED) for span in SPANS])
    with qtbot.waitSignal(pane.offset_clicked) as clicked:
        qtbot.mouseClick(page(pane).viewport(), LEFT_BUTTON, pos=point_of(pane, offset))
    assert clicked.args == [offset]


def test_that_a_click_beside_the_text_reports_nothing(pane: TextPane, qtbot: QtBot):
    with qtbot.assertNotEmitted(pane.offset_clicked):
        qtbot.mouseClick(page(pane).viewport(), LEFT_BUTTON, pos=QPoint(3, 200))


def test_that_dragging_selects_text_to_copy_and_is_no_click(pane: TextPane, qtbot: QtBot):
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
    pane.set_highlights([(SPANS[1], MatchKind.EXACT)])
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
        heights.append(-pane.height_of(SPANS[0]))
    down, page_down, end, up, home = heights
    assert home < down < page_down < up < end


@pytest.mark.parametrize("sentence", [0, 1, 2, 20, len(SPANS) // 2, len(SPANS) - 2, len(SPANS) - 1])
@pytest.mark.parametrize("y", [0, 37, 240, 400])
def test_that_a_sentence_comes_to_the_height_asked_for_even_at_the_ends(
    pane: TextPane, sentence: int, y: int
):
    pane.bring_to(SPANS[sentence], y)
    assert abs(pane.height_of(SPANS[sentence]) - y) <= 2
    cursor = QTextCursor(page(pane).document())
    cursor.setPosition(Utf16Map(ESSAY.text).to_utf16(SPANS[sentence].start))
    assert y - 2 <= page(pane).cursorRect(cursor).top() <= y + 12


def test_that_a_height_outside_the_pane_is_clamped_into_it(pane: TextPane):
    pane.bring_to(SPANS[20], 5000)
    assert 400 < pane.height_of(SPANS[20]) < page(pane).viewport().height()
    pane.bring_to(SPANS[20], -50)
    assert pane.height_of(SPANS[20]) == 0


def test_that_the_room_past_an_end_is_gone_once_scrolled_back(pane: TextPane, qtbot: QtBot):
    pane.bring_to(SPANS[0], 300)
    for _ in range(3):
        qtbot.keyClick(page(pane), Qt.Key.Key_PageDown)
    qtbot.keyClick(page(pane), Qt.Key.Key_Home)
    assert pane.height_of(SPANS[0]) < 60


def test_that_what_is_read_stays_in_its_place_when_the_width_or_the_letters_change(pane: TextPane):
    pane.set_selected(SPANS[30])
    pane.bring_to(SPANS[30], 150)
    pane.resize(640, 500)
    assert pane.height_of(SPANS[30]) == 150
    pane.set_font_size(17)
    assert abs(pane.height_of(SPANS[30]) - 150) <= 2
    pane.apply_theme(DARK)
    assert abs(pane.height_of(SPANS[30]) - 150) <= 2


def test_that_a_wide_pane_keeps_its_lines_short_and_in_the_middle(pane: TextPane):
    pane.resize(1600, 500)
    area = page(pane).geometry()
    assert area.width() <= 808
    assert abs(area.center().x() - 800) < 20


def test_that_the_empty_sides_scroll_as_well(pane: TextPane, qtbot: QtBot):
    pane.resize(1600, 500)
    before = pane.height_of(SPANS[0])
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
    assert pane.height_of(SPANS[0]) < before


def test_that_blocks_are_set_as_their_kind_asks(pane: TextPane):
    title, body = page(pane).document().begin(), page(pane).document().findBlockByNumber(1)
    assert title.blockFormat().alignment() & Qt.AlignmentFlag.AlignHCenter
    assert title.begin().fragment().charFormat().fontWeight() == 700
    assert body.blockFormat().textIndent() > 20
    assert body.blockFormat().lineHeightType() == QTextBlockFormat.LineHeightTypes.FixedHeight.value


def test_that_an_english_paragraph_is_not_indented(qtbot: QtBot):
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.set_document(document("bridge.txt", ["The bridge", "It has stood there for a hundred years 桥."]))
    assert page(pane).document().findBlockByNumber(1).blockFormat().textIndent() == 0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_kinds_differ_by_tint_and_line_and_the_chosen_one_has_a_frame(pane: TextPane, theme):
    pane.apply_theme(theme)
    kinds = [MatchKind.EXACT, MatchKind.EDITED, MatchKind.SYNONYM]
    pane.set_highlights(list(zip(SPANS[1:4], kinds, strict=True)))
    pane.set_selected(SPANS[3])
    seen = colours_of(image_of(pane))
    for kind in kinds:
        assert {QColor(theme.kinds[kind].tint).name(), QColor(theme.kinds[kind].ink).name()} <= seen
    assert QColor(theme.accent).name() in seen
    pane.set_highlights([])
    pane.set_selected(None)
    assert QColor(theme.kinds[MatchKind.EXACT].tint).name() not in colours_of(image_of(pane))


def test_that_scrolling_bit_by_bit_paints_the_same_as_painting_at_once(pane: TextPane, qtbot: QtBot):
    pane.set_highlights([(span, MatchKind(n % 3)) for n, span in enumerate(SPANS)])
    for _ in range(9):
        qtbot.keyClick(page(pane), Qt.Key.Key_Down)
        QApplication.processEvents()
    step_by_step = pane.screen().grabWindow(pane.winId()).toImage()
    pane.repaint()
    assert step_by_step == pane.screen().grabWindow(pane.winId()).toImage()


def test_that_a_mark_of_the_overview_shows_and_reports_its_sentence(pane: TextPane, qtbot: QtBot):
    pane.set_highlights([(SPANS[2], MatchKind.EXACT), (SPANS[40], MatchKind.EDITED)])
    ys = [y for y in range(overview(pane).height()) if _is_mark(overview(pane), y, MatchKind.EDITED)]
    assert 1 <= len(ys) <= 6
    share = pane.height_of(SPANS[40]) / page(pane).document().size().height()
    assert abs(ys[0] / overview(pane).height() - share) < 0.03
    with qtbot.waitSignal(pane.offset_clicked) as clicked:
        qtbot.mouseClick(overview(pane), LEFT_BUTTON, pos=QPoint(7, ys[len(ys) // 2]))
    assert clicked.args == [SPANS[40].start]
    assert 150 < pane.height_of(SPANS[40]) < 350


def _is_mark(minimap: Minimap, y: int, kind: MatchKind) -> bool:
    return minimap.grab().toImage().pixelColor(7, y).name() == LIGHT.kinds[kind].ink


def test_that_pressing_and_dragging_the_overview_scrolls(pane: TextPane, qtbot: QtBot):
    height = overview(pane).height()
    qtbot.mousePress(overview(pane), LEFT_BUTTON, pos=QPoint(7, height - 5))
    assert pane.height_of(SPANS[-1]) < page(pane).viewport().height()
    qtbot.mouseMove(overview(pane), QPoint(7, 5))
    assert pane.height_of(SPANS[0]) >= 0
    qtbot.mouseRelease(overview(pane), LEFT_BUTTON, pos=QPoint(7, 5))


def test_that_eight_thousand_sentences_are_restyled(qtbot: QtBot, record_property):
    long = document("long.txt", LEFT * 1000)
    prepared = sentences_of(long)
    spans = [prepared.sentence_span(n) for n in range(8000)]
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.set_document(long)
    pane.show()
    began = time.perf_counter()
    pane.set_highlights([(span, MatchKind(n % 3)) for n, span in enumerate(spans)])
    pane.repaint()
    record_property("restyle_ms", round((time.perf_counter() - began) * 1000, 1))
    pane.bring_to(spans[7999], 100)
    assert abs(pane.height_of(spans[7999]) - 100) <= 2


def test_that_names_for_assistive_technology_tell_which_text_it_is(pane: TextPane):
    assert "桥.docx" in page(pane).accessibleName()
    assert overview(pane).accessibleName()
    assert overview(pane).toolTip()


LONG = document("长.txt", LEFT * 1000)
LONG_SPANS = [LONG.blocks[n].span for n in (0, 20, 2000, -1)]


@pytest.fixture
def long_pane(qtbot: QtBot) -> TextPane:
    """A pane in which a long text has just been opened."""
    return shown_pane(qtbot, LONG)


def is_laid_out(pane: TextPane) -> bool:
    return page(pane).lines.is_finished


def wait_for_layout(pane: TextPane, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: is_laid_out(pane))


def longest_turn_seconds(pane: TextPane) -> float:
    """The longest turn of the event loop until all is laid out, in time of this process alone."""
    longest = 0.0
    while not is_laid_out(pane):
        began = time.process_time()
        QApplication.processEvents()
        longest = max(longest, time.process_time() - began)
    return longest


def test_that_a_long_text_is_laid_out_bit_by_bit(long_pane: TextPane):
    assert not is_laid_out(long_pane)
    assert longest_turn_seconds(long_pane) < 0.05
    bar = page(long_pane).verticalScrollBar()
    height = page(long_pane).document().size().height()
    assert abs(bar.maximum() + page(long_pane).viewport().height() - height) <= 1


@pytest.mark.parametrize(
    "change",
    [lambda p: p.set_font_size(15), lambda p: p.resize(700, 500)],
    ids=["letters", "width"],
)
def test_that_a_long_text_is_set_anew_bit_by_bit(long_pane: TextPane, qtbot: QtBot, change):
    wait_for_layout(long_pane, qtbot)
    change(long_pane)
    assert not is_laid_out(long_pane)
    assert longest_turn_seconds(long_pane) < 0.05


def test_that_a_theme_colours_a_long_text_at_once_and_moves_nothing(long_pane: TextPane, qtbot: QtBot):
    wait_for_layout(long_pane, qtbot)
    long_pane.bring_to(LONG_SPANS[-1], 200)
    before = shape_of_letters(image_of(long_pane), LIGHT)
    long_pane.apply_theme(DARK)
    assert is_laid_out(long_pane)
    assert shape_of_letters(image_of(long_pane), DARK) == before


def shape_of_letters(image: QImage, theme: Theme) -> list[tuple[int, int]]:
    """Where a page without highlights is not empty."""
    ground = QColor(theme.surface)
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return [point for point in points if image.pixelColor(*point) != ground]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.QUOTATION, BlockKind.FOOTNOTE])
def test_that_quotations_and_footnotes_are_quiet_in_either_theme(
    pane: TextPane, kind: BlockKind, theme: Theme
):
    plain = document("桥.docx", LEFT)
    pane.set_document(replace(plain, blocks=tuple(replace(block, kind=kind) for block in plain.blocks)))
    pane.apply_theme(theme)
    inks = {True: theme.ink, False: theme.muted}
    seen = colours_of(image_of(pane))
    assert inks[kind is BlockKind.PARAGRAPH] in seen
    assert inks[kind is not BlockKind.PARAGRAPH] not in seen


@pytest.mark.parametrize("span", LONG_SPANS)
def test_that_a_place_not_yet_laid_out_can_be_gone_to(long_pane: TextPane, qtbot: QtBot, span: Span):
    assert not is_laid_out(long_pane)
    long_pane.bring_to(span, 200)
    assert abs(long_pane.height_of(span) - 200) <= 2
    wait_for_layout(long_pane, qtbot)
    assert abs(long_pane.height_of(span) - 200) <= 2


def test_that_a_page_being_laid_out_is_painted_as_it_stays(long_pane: TextPane, qtbot: QtBot):
    long_pane.set_highlights([(block.span, MatchKind(n % 3)) for n, block in enumerate(LONG.blocks)])
    for _ in range(40):
        qtbot.keyClick(page(long_pane), Qt.Key.Key_Down)
    before = image_of(long_pane)
    assert not is_laid_out(long_pane)
    wait_for_layout(long_pane, qtbot)
    assert image_of(long_pane) == before


def test_that_the_overview_is_right_while_and_after_laying_out(long_pane: TextPane, qtbot: QtBot):
    span = LONG.blocks[len(LONG.blocks) // 2].span
    long_pane.set_highlights([(span, MatchKind.EDITED)])
    for _ in range(2):
        ys = [y for y in range(500) if _is_mark(overview(long_pane), y, MatchKind.EDITED)]
        assert abs(ys[0] - 250) < 25
        wait_for_layout(long_pane, qtbot)
    share = long_pane.page_height_of(span) / page(long_pane).document().size().height()
    assert abs(ys[0] / 500 - share) < 0.03


def test_that_excluded_text_is_greyed_once_all_is_laid_out(long_pane: TextPane, qtbot: QtBot):
    spans = [(LONG.blocks[n].span.start, LONG.blocks[n].span.end) for n in (1, -1)]
    long_pane.set_excluded(np.array(spans), ["why", "why"])
    assert not is_laid_out(long_pane)
    wait_for_layout(long_pane, qtbot)
    assert len(page(long_pane).extraSelections()) == 2


def test_that_another_text_may_come_while_one_is_laid_out(long_pane: TextPane, qtbot: QtBot):
    long_pane.set_document(ESSAY)
    wait_for_layout(long_pane, qtbot)
    assert page(long_pane).toPlainText() == ESSAY.text
    long_pane.bring_to(SPANS[-1], 100)
    assert abs(long_pane.height_of(SPANS[-1]) - 100) <= 2


# --- what is copied


@pytest.mark.parametrize(
    ("shown", "copied"),
    [("石\u00ad桥\u200b记\ufeff\u2060", "石桥记"), ("一\u2028二", "一\n二"), ("一\u00a0二", "一\u00a0二")],
)
def test_that_what_is_copied_has_no_marks_that_nobody_sees(qtbot: QtBot, shown: str, copied: str):
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.show()
    pane.set_document(document("a.txt", [shown, "二。"]))
    qtbot.keyClick(page(pane), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page(pane), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"{copied}\n二。"


menus = pytest.mark.qt_log_ignore(NO_POPUPS)


def menu_at(view: QTextEdit, point: QPoint, reason=QContextMenuEvent.Reason.Mouse) -> dict[str, QAction]:
    """The commands of the context menu that opens at a point, by their text."""
    wish = QContextMenuEvent(reason, point, view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), wish)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.text(): action for action in menu.actions() if action.text()}


def choose(commands: dict[str, QAction], text: str) -> str:
    """What is on the clipboard once a command was chosen in an open menu."""
    QApplication.clipboard().setText("before")
    menu = QApplication.activePopupWidget()
    menu.setActiveAction(commands[text])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    return QApplication.clipboard().text()


def place_in(window: MainWindow, side: Side, words: str) -> tuple[QTextEdit, QPoint]:
    view = page(window.compare_view.panes[side])
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.toPlainText().index(words))
    here = view.cursorRect(cursor)
    return view, QPoint(here.left() + 5, here.center().y())


@menus
def test_that_the_menu_copies_a_sentence_and_a_matched_pair(compared: MainWindow):
    view, point = place_in(compared, Side.RIGHT, "祖父补网")
    assert choose(menu_at(view, point), "Copy the sentence") == "我十分喜爱看祖父补网。"
    view, point = place_in(compared, Side.RIGHT, "清晨")
    assert choose(menu_at(view, point), "Copy the matched pair") == (
        "left.txt, sentence 2:\n清晨的河面上飘着一层薄薄的雾。\n\n"
        "right.txt, sentence 4:\n清晨的河面上飘着一层薄薄的雾。"
    )


@menus
def test_that_the_menu_offers_no_pair_where_nothing_matches_and_no_sentence_beside_the_text(
    compared: MainWindow,
):
    view, point = place_in(compared, Side.RIGHT, "城里")
    commands = menu_at(view, point)
    assert [text for text, action in commands.items() if action.isEnabled()] == [
        "Copy the sentence",
        "Select all",
        "Find…",
    ]
    QApplication.activePopupWidget().close()
    assert not menu_at(view, QPoint(2, 2))["Copy the sentence"].isEnabled()
    QApplication.activePopupWidget().close()


@menus
def test_that_the_menu_key_offers_the_framed_sentence(compared: MainWindow):
    compared.workspace.selection.select(0)
    view = page(compared.compare_view.panes[Side.LEFT])
    commands = menu_at(view, QPoint(0, 0), QContextMenuEvent.Reason.Keyboard)
    assert choose(commands, "Copy the sentence") == "清晨的河面上飘着一层薄薄的雾。"


@menus
def test_that_the_menu_leads_to_the_search(compared: MainWindow):
    view, point = place_in(compared, Side.LEFT, "清晨")
    commands = menu_at(view, point)
    choose(commands, "Find…")
    assert compared.compare_view.finding.bar.isVisible()


# --- the size of the letters


def letter_px(window: MainWindow) -> list[float]:
    return [page(pane).document().defaultFont().pointSizeF() for pane in window.compare_view.panes.values()]


def sentence_points(window: MainWindow) -> float:
    (view,) = window.compare_view.inspector.findChildren(SentencesView)
    return max(
        fragment.fragment().charFormat().fontPointSize()
        for block in _blocks(view.document())
        for fragment in block
    )


def _blocks(made: QTextDocument) -> list[QTextBlock]:
    return [made.findBlockByNumber(number) for number in range(made.blockCount())]


def test_that_ctrl_plus_minus_and_nought_size_texts_and_sentences(compared: MainWindow, qtbot: QtBot):
    compared.workspace.selection.select(0)
    usual, sentence = letter_px(compared), sentence_points(compared)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(compared, Qt.Key.Key_Plus, control)
    assert letter_px(compared) == [pytest.approx(points * 1.1) for points in usual]
    assert sentence_points(compared) == pytest.approx(sentence * 1.1)
    for _ in range(20):
        qtbot.keyClick(compared, Qt.Key.Key_Equal, control)
    assert letter_px(compared) == [points * 2.5 for points in usual]
    qtbot.keyClick(compared, Qt.Key.Key_0, control)
    assert letter_px(compared) == usual
    for _ in range(20):
        qtbot.keyClick(compared, Qt.Key.Key_Minus, control)
    assert letter_px(compared) == [pytest.approx(points * 0.8) for points in usual]


def test_that_the_size_is_remembered(compared: MainWindow, qtbot: QtBot):
    qtbot.keyClick(compared, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    another = MainWindow(Preferences())
    qtbot.addWidget(another)
    assert letter_px(another) == letter_px(compared)
    another.close()


def test_that_a_size_nobody_can_have_chosen_is_the_usual_one():
    preferences = Preferences()
    for stored in ("huge", "-5", "1000000", ""):
        preferences._store.setValue("text_percent", stored)
        assert preferences.text_percent == 100


def turn_wheel(over: QWidget, angle: int) -> None:
    where = QPointF(over.rect().center())
    turn = QWheelEvent(
        where,
        QPointF(over.mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(over, turn)


def test_that_ctrl_and_wheel_size_the_letters_over_a_text_and_not_over_the_heatmap(compared: MainWindow):
    usual = letter_px(compared)
    view = page(compared.compare_view.panes[Side.RIGHT]).viewport()
    turn_wheel(view, 60)
    assert letter_px(compared) == usual
    turn_wheel(view, 60)
    assert letter_px(compared) == [pytest.approx(points * 1.1) for points in usual]
    turn_wheel(compared.compare_view.panes[Side.LEFT], -240)
    assert letter_px(compared) == [pytest.approx(points) for points in usual]
    turn_wheel(compared.compare_view.heatmap, 240)
    assert letter_px(compared) == [pytest.approx(points) for points in usual]
