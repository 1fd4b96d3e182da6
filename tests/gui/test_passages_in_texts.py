"""Passages in one text: tint, bar and number in the margin, words in common."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.document import Span
from simcompare.session.decisions import Decision
from simcompare.session.passage_decisions import DECISION_OF_CODE, Decided
from simcompare.ui.compare.text_pane.text_painting import SentenceDecisions
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT, Theme
from tests.gui.panes import ESSAY, SPANS, bars, image_of, page, show_passages
from tests.gui.pixels import colours_of, is_colour, rgb_of
from tests.gui.widgets import show_widget

LEFT_BUTTON = Qt.MouseButton.LeftButton
FIRST = Span(SPANS[1].start, SPANS[5].end)
"""Five sentences in two paragraphs."""

FINE, COPIED = map(DECISION_OF_CODE.index, (Decision.FINE, Decision.COPIED))


@pytest.fixture
def pane(qtbot: QtBot) -> TextPane:
    pane = TextPane()
    pane.set_document(ESSAY)
    show_widget(pane, qtbot, 420, 500)
    return pane


def margin(pane: TextPane) -> QImage:
    return bars(pane).grab().toImage()


def rows_of_ink(pane: TextPane, kind: PassageKind, x: int, theme: Theme = LIGHT) -> list[int]:
    """Rows of the margin in which a column has the colour of a kind."""
    column = is_colour(margin(pane), theme.passages[kind].ink)[:, x]
    return list(np.flatnonzero(column).tolist())


def columns_of_bars(pane: TextPane, kind: PassageKind) -> list[int]:
    """Columns of the margin that have the colour of a kind, right of the numbers."""
    width = bars(pane).width()
    return [x for x in range(width - 14, width) if rows_of_ink(pane, kind, x)]


def rows_of_number(pane: TextPane, kind: PassageKind) -> list[int]:
    """Rows of the margin in which a number of this kind is painted."""
    distances = np.abs(rgb_of(margin(pane)) - QColor(LIGHT.passages[kind].ink).getRgb()[:3]).sum(axis=2)
    return list(np.flatnonzero((distances < 90)[:, 8:-14].any(axis=1)).tolist())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_each_kind_of_passage_has_a_bar_with_a_pattern_of_its_own(pane: TextPane, theme: Theme):
    APPEARANCE.use(theme)
    patterns = set()
    for kind in PassageKind:
        show_passages(pane, [(FIRST, kind)])
        rows = rows_of_ink(pane, kind, bars(pane).width() - 3, theme)
        assert rows[-1] - rows[0] > 100
        patterns.add(tuple(np.diff(rows[:40])))
        assert (kind is PassageKind.IDENTICAL) == (len(rows) == rows[-1] - rows[0] + 1)
    assert len(patterns) == len(PassageKind)


def test_that_bar_and_number_are_beside_the_lines_of_the_passage(pane: TextPane):
    show_passages(pane, [(SPANS[0], PassageKind.EDITED), (FIRST, PassageKind.IDENTICAL)])
    rows = rows_of_ink(pane, PassageKind.IDENTICAL, bars(pane).width() - 3)
    assert abs(rows[0] - pane.viewport_y_of(FIRST)) < 12
    assert pane.viewport_y_of(SPANS[5]) < rows[-1] < pane.viewport_y_of(SPANS[6]) + 40
    number = rows_of_number(pane, PassageKind.IDENTICAL)
    assert number
    assert pane.viewport_y_of(FIRST) < number[0] < number[-1] < pane.viewport_y_of(FIRST) + 32


def test_that_the_number_stays_in_sight_while_the_beginning_is_scrolled_away(pane: TextPane, qtbot: QtBot):
    long = Span(SPANS[1].start, SPANS[30].end)
    show_passages(pane, [(long, PassageKind.IDENTICAL)])
    for _ in range(12):
        qtbot.keyClick(page(pane), Qt.Key.Key_Down)
    assert pane.viewport_y_of(long) < -50
    assert 0 <= rows_of_number(pane, PassageKind.IDENTICAL)[0] < 40


def test_that_a_passage_is_one_tinted_stretch_without_gaps(pane: TextPane):
    show_passages(pane, [(FIRST, PassageKind.REWORDED)])
    image = image_of(pane)
    top, bottom = pane.viewport_y_of(FIRST) + 10, pane.viewport_y_of(SPANS[5])
    edge = {image.pixelColor(1, y).name() for y in range(top, bottom)}
    assert len(edge) == 1
    assert edge != {LIGHT.surface}
    assert image.pixelColor(1, top - 40).name() == LIGHT.surface


def test_that_bars_of_overlapping_passages_are_beside_each_other_and_their_tints_do_not_add_up(
    pane: TextPane,
):
    kinds = [PassageKind.IDENTICAL, PassageKind.SUMMARY]
    inner = Span(SPANS[2].start, SPANS[4].end)
    show_passages(pane, list(zip([FIRST, inner], kinds, strict=True)))
    lanes = [columns_of_bars(pane, kind) for kind in kinds]
    assert lanes[0]
    assert lanes[1]
    assert not set(lanes[0]) & set(lanes[1])
    darkest = min(QColor(LIGHT.passages[kind].tint).lightness() for kind in kinds)
    image = image_of(pane)
    assert all(image.pixelColor(1, y).lightness() >= darkest for y in range(image.height()))


def test_that_a_third_overlapping_passage_shares_a_lane(pane: TextPane):
    spans = [FIRST, Span(SPANS[2].start, SPANS[4].end), Span(SPANS[3].start, SPANS[4].end)]
    show_passages(pane, [(span, PassageKind.IDENTICAL) for span in spans])
    assert len(columns_of_bars(pane, PassageKind.IDENTICAL)) <= 10
    assert rows_of_number(pane, PassageKind.IDENTICAL)


def test_that_a_passage_of_no_concern_is_faint_and_a_copied_one_has_a_flag(pane: TextPane):
    passages = [(FIRST, PassageKind.IDENTICAL), (SPANS[8], PassageKind.EDITED)]
    show_passages(pane, passages)
    plain, plain_text = margin(pane), image_of(pane)
    pane.set_passage_decisions(Decided(np.array([FINE, COPIED], np.int8)))
    assert not rows_of_ink(pane, PassageKind.IDENTICAL, bars(pane).width() - 3)
    y = pane.viewport_y_of(FIRST) + 40
    faint, usual = (image.pixelColor(1, y).lightness() for image in (image_of(pane), plain_text))
    assert usual < faint < 255
    rows = 0, pane.viewport_y_of(SPANS[8]), 12, 30
    assert plain.copy(*rows) != margin(pane).copy(*rows)


def flags_in(pane: TextPane) -> list[int]:
    """Tops of the flags in the margin."""
    left = rgb_of(margin(pane))[:, :14]
    rows = np.flatnonzero((left[..., 0] - left[..., 1] > 80).any(axis=1)).tolist()
    return [y for y in rows if not {y - 1, y - 2, y - 3} & set(rows)]


def test_that_a_copied_passage_has_one_flag_at_its_number_and_none_at_its_sentences(pane: TextPane):
    inside = Span(SPANS[1].start, SPANS[3].end)
    show_passages(pane, [(FIRST, PassageKind.REWORDED), (inside, PassageKind.REWORDED)])
    pane.set_highlights(np.array([[span.start, span.end] for span in SPANS[1:6]]), np.zeros(5, np.int8))
    pane.set_decisions(SentenceDecisions(np.zeros(5, np.bool_), np.ones(5, np.bool_)))
    pane.set_passage_decisions(Decided(np.array([COPIED, 0], np.int8)))
    QApplication.processEvents()
    first = flags_in(pane)
    assert len(first) == 1
    pane.set_passage_decisions(Decided(np.array([0, COPIED], np.int8)))
    QApplication.processEvents()
    other = flags_in(pane)
    assert other[0] > first[0], "at the number below the other"
    pane.set_passage_decisions(Decided(np.zeros(2, np.int8)))
    QApplication.processEvents()
    assert len(flags_in(pane)) > 1, "sentences decided alone"


def test_that_common_words_are_emphasised_in_a_passage(pane: TextPane):
    words = Span(SPANS[3].start, SPANS[3].start + 4)
    pane.set_passage_sources(lambda _index: np.array([[words.start, words.end]]), lambda _index: "")
    show_passages(pane, [(FIRST, PassageKind.REWORDED)])
    seen = colours_of(image_of(pane))
    pane.set_passage_sources(lambda _index: np.zeros((0, 2), np.int32), lambda _index: "")
    pane.repaint_passages()
    without = colours_of(image_of(pane))
    new = {QColor(colour).lightness() for colour in seen - without}
    assert new
    assert max(new) < QColor(image_of(pane).pixelColor(1, pane.viewport_y_of(FIRST) + 40)).lightness()


def test_that_clicking_a_bar_reports_its_passage(pane: TextPane, qtbot: QtBot):
    show_passages(pane, [(SPANS[0], PassageKind.EDITED), (FIRST, PassageKind.IDENTICAL)])
    with qtbot.waitSignal(pane.passage_clicked) as clicked:
        place = QPoint(bars(pane).width() - 3, pane.viewport_y_of(SPANS[4]) + 10)
        qtbot.mouseClick(bars(pane), LEFT_BUTTON, pos=place)
    assert clicked.args[0] == 1


# --- two texts
