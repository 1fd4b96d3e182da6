"""Incremental layout of long texts."""

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QImage,
)
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.document import Span
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.style.theme import (
    APPEARANCE,
    DARK,
    LIGHT,
    Theme,
    apply_theme_to_application,
    current_application,
)
from tests.gui.exclusion_samples import grey_ranges
from tests.gui.match_list_samples import LEFT, document, sentences_of
from tests.gui.panes import (
    ESSAY,
    SPANS,
    image_of,
    is_mark,
    overview,
    page,
    show_highlights,
    show_passages,
    shown_pane,
)
from tests.gui.pixels import is_colour


def test_that_eight_thousand_sentences_are_restyled(qtbot: QtBot, record_property):
    long = document("long.txt", LEFT * 1000)
    prepared = sentences_of(long)
    spans = [prepared.sentence_span(n) for n in range(8000)]
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.set_document(long)
    pane.show()
    began = time.perf_counter()
    show_highlights(pane, spans)
    pane.repaint()
    record_property("restyle_ms", round((time.perf_counter() - began) * 1000, 1))
    pane.bring_to(spans[7999], 100)
    assert abs(pane.viewport_y_of(spans[7999]) - 100) <= 2


LONG = document("长.txt", LEFT * 500)
LONG_SPANS = [LONG.blocks[n].span for n in (0, 20, 1000, -1)]


@pytest.fixture
def long_pane(qtbot: QtBot) -> TextPane:
    """Make a pane in which a long text has just been opened."""
    return shown_pane(qtbot, LONG)


def is_laid_out(pane: TextPane) -> bool:
    return page(pane).lines.is_finished


def wait_for_layout(pane: TextPane, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: is_laid_out(pane))


def longest_turn(pane: TextPane) -> float:
    """Run the event loop until the layout is complete; return its longest turn as a share of them all."""
    turns = []
    while not is_laid_out(pane):
        began = time.thread_time()
        QApplication.processEvents()
        turns.append(time.thread_time() - began)
    return max(turns) / sum(turns)


def test_that_a_long_text_is_laid_out_in_small_steps(long_pane: TextPane):
    assert not is_laid_out(long_pane)
    assert longest_turn(long_pane) < 0.2
    bar = page(long_pane).verticalScrollBar()
    height = page(long_pane).document().size().height()
    assert abs(bar.maximum() + page(long_pane).viewport().height() - height) <= 1


@pytest.mark.parametrize(
    "change",
    [lambda p: p.set_font_size(15), lambda p: p.resize(700, 500)],
    ids=["letters", "width"],
)
def test_that_a_layout_change_lays_out_a_long_text_again_in_small_steps(
    long_pane: TextPane, qtbot: QtBot, change
):
    wait_for_layout(long_pane, qtbot)
    change(long_pane)
    assert not is_laid_out(long_pane)
    assert longest_turn(long_pane) < 0.2


@pytest.mark.usefixtures("application_looks")
def test_that_a_theme_change_recolours_a_long_text_at_once_and_moves_nothing(
    long_pane: TextPane, qtbot: QtBot
):
    wait_for_layout(long_pane, qtbot)
    long_pane.bring_to(LONG_SPANS[-1], 200)
    before = shape_of_letters(image_of(long_pane), LIGHT)
    apply_theme_to_application(current_application(), DARK)
    current_application().processEvents()
    APPEARANCE.use(DARK)
    assert is_laid_out(long_pane)
    assert shape_of_letters(image_of(long_pane), DARK) == before


def shape_of_letters(image: QImage, theme: Theme) -> bytes:
    """Pixels of a page without highlights that are not background."""
    return (~is_colour(image, theme.surface)).tobytes()


@pytest.mark.parametrize("span", LONG_SPANS)
def test_that_a_position_not_laid_out_yet_can_be_scrolled_to(long_pane: TextPane, qtbot: QtBot, span: Span):
    assert not is_laid_out(long_pane)
    long_pane.bring_to(span, 200)
    assert abs(long_pane.viewport_y_of(span) - 200) <= 2
    wait_for_layout(long_pane, qtbot)
    assert abs(long_pane.viewport_y_of(span) - 200) <= 2


def test_that_a_page_is_painted_the_same_during_and_after_layout(long_pane: TextPane, qtbot: QtBot):
    show_highlights(long_pane, [block.span for block in LONG.blocks])
    for _ in range(40):
        qtbot.keyClick(page(long_pane), Qt.Key.Key_Down)
    before = image_of(long_pane)
    assert not is_laid_out(long_pane)
    wait_for_layout(long_pane, qtbot)
    assert image_of(long_pane) == before


def test_that_the_overview_is_correct_during_and_after_layout(long_pane: TextPane, qtbot: QtBot):
    span = LONG.blocks[len(LONG.blocks) // 2].span
    show_passages(long_pane, [(span, PassageKind.EDITED)])
    for _ in range(2):
        ys = [y for y in range(500) if is_mark(overview(long_pane), y, PassageKind.EDITED)]
        assert abs(ys[0] - 250) < 25
        wait_for_layout(long_pane, qtbot)
    share = long_pane.page_y_of(span) / page(long_pane).document().size().height()
    assert abs(ys[0] / 500 - share) < 0.03


def test_that_excluded_text_is_grey_after_layout(long_pane: TextPane, qtbot: QtBot):
    spans = [(LONG.blocks[n].span.start, LONG.blocks[n].span.end) for n in (1, -1)]
    long_pane.set_excluded(np.array(spans), ["why", "why"])
    assert not is_laid_out(long_pane)
    wait_for_layout(long_pane, qtbot)
    assert len(grey_ranges(page(long_pane))) == 2


def test_that_a_new_text_can_be_set_during_layout(long_pane: TextPane, qtbot: QtBot):
    long_pane.set_document(ESSAY)
    wait_for_layout(long_pane, qtbot)
    assert page(long_pane).toPlainText() == ESSAY.text
    long_pane.bring_to(SPANS[-1], 100)
    assert abs(long_pane.viewport_y_of(SPANS[-1]) - 100) <= 2
