"""Passages in one text: tint, bar and number in the margin, changed and disguised words."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.document import Flag, FlagName, Span
from simcompare.session.decisions import DECISION_OF_CODE, Decided, Decision
from simcompare.ui.compare.text_pane.text_painting import SentenceDecisions
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.compare.text_pane.typography import line_boxes
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT, Theme
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.match_list_samples import document
from tests.gui.panes import ESSAY, SPANS, bars, image_of, page, show_highlights, show_passages
from tests.gui.pixels import is_colour, pixels_of, rgb_of
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
    show_highlights(pane, SPANS[1:6])
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


CHANGED, PAIRED = range(2)


def show_changes(pane: TextPane, *changes: tuple[Span, int]) -> None:
    """Show one reworded passage in which words are changed, or one of a pair of synonyms."""
    words = np.array([(span.start, span.end, look) for span, look in changes], np.int32).reshape(-1, 3)
    pane.set_passage_sources(lambda _index: words, lambda _index: "")
    show_highlights(pane, SPANS[1:6])
    show_passages(pane, [(FIRST, PassageKind.REWORDED)])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_changed_words_and_synonyms_have_colours_and_lines_of_their_own(
    pane: TextPane, theme: Theme, chinese_font: None
):
    APPEARANCE.use(theme)
    inks = theme.changed, theme.kinds[MatchKind.SYNONYM].ink
    show_changes(pane)
    assert not any(is_colour(image_of(pane), ink).any() for ink in inks), "unchanged text is plain"
    places = [Span(SPANS[n].start, SPANS[n].start + 4) for n in (2, 3)]
    show_changes(pane, (places[0], CHANGED), (places[1], PAIRED))
    lines = []
    for ink, place in zip(inks, places, strict=True):
        rows = is_colour(image_of(pane), ink)
        lines.append(rows[rows.sum(axis=1).argmax()])
        assert rows.sum() > 2 * lines[-1].sum(), "of the letters, too"
        assert abs(int(np.flatnonzero(rows.any(axis=1))[0]) - pane.viewport_y_of(place)) < 20
    solid, dotted = (np.flatnonzero(line) for line in lines)
    assert np.diff(solid).max() == 1
    assert np.diff(dotted).max() > 1
    pane.set_passage_decisions(Decided(np.array([FINE], np.int8)))
    assert not is_colour(image_of(pane), inks[0]).any(), "of no concern"


def test_that_an_excluded_sentence_has_no_changed_words(pane: TextPane):
    show_changes(pane, (Span(SPANS[2].start, SPANS[2].start + 4), CHANGED))
    pane.set_excluded(np.array([[SPANS[2].start, SPANS[2].end]]), ["a quotation"])
    assert not is_colour(image_of(pane), LIGHT.changed).any()


def test_that_of_overlapping_passages_the_words_of_the_shorter_one_are_shown(pane: TextPane):
    words = {0: Span(SPANS[2].start, SPANS[2].start + 4), 1: Span(SPANS[2].start + 6, SPANS[2].start + 7)}
    pane.set_passage_sources(
        lambda index: np.array([[words[index].start, words[index].end, CHANGED]]), lambda _index: ""
    )
    show_passages(pane, [(FIRST, PassageKind.REWORDED)])
    long = is_colour(image_of(pane), LIGHT.changed).sum()
    show_passages(pane, [(FIRST, PassageKind.REWORDED), (SPANS[2], PassageKind.REWORDED)])
    assert 0 < is_colour(image_of(pane), LIGHT.changed).sum() < long / 2


def test_that_a_sentence_without_a_match_is_paler_than_the_rest_of_its_passage(pane: TextPane):
    show_passages(pane, [(FIRST, PassageKind.REWORDED)])
    show_highlights(pane, SPANS[1:6])
    alike = image_of(pane)
    show_highlights(pane, [SPANS[1], *SPANS[3:6]])
    differing = pixels_of(alike) != pixels_of(image_of(pane))
    rows = np.flatnonzero(differing.any(axis=1))
    assert abs(int(rows[0]) - pane.viewport_y_of(SPANS[2])) < 20
    assert rows[-1] < pane.viewport_y_of(SPANS[3]) + 40
    show_highlights(pane, [])
    assert image_of(pane) == alike, "words, not sentences, are the evidence"


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_invisible_characters_and_disguised_words_are_marked_and_named(qtbot: QtBot):
    pane, lines = TextPane(), ["The\u200b\u200b old b\u0430dge is kept.", "他⼀人走来走去。"]
    plain = document("plain.txt", ["The old badge is kept.", "他一人走来走去。"])
    flagged = document("flagged.txt", lines)
    flags = tuple(map(Flag, (FlagName.ZERO_WIDTH_CHARACTERS, FlagName.LOOK_ALIKE_LETTERS)))
    flagged = replace(flagged, receipt=replace(flagged.receipt, flags=flags))
    show_widget(pane, qtbot, 420, 500)
    for shown, is_marked in ((plain, False), (flagged, True)):
        pane.set_document(shown)
        assert is_colour(image_of(pane), LIGHT.caution).any() == is_marked
    tips = {}
    for words in ("kept", " old", "dge", "⼀"):
        box = next(line_boxes(page(pane).document(), *(flagged.text.index(words) + n for n in (0, 1))))
        point = box.center().toPoint()
        place = page(pane).viewport().mapToGlobal(point)
        QApplication.sendEvent(page(pane).viewport(), QHelpEvent(QEvent.Type.ToolTip, point, place))
        tips[words] = QToolTip.text()
    assert tips == {
        "kept": "",
        " old": "2 invisible characters here, often put in to defeat comparison",
        "dge": "Letters of another script in this word, often put in to defeat comparison\n"
        "“а” is Cyrillic and looks like Latin “a”",
        "⼀": "“⼀” is not the character “一” but U+2F00, which looks the same.\n"
        "Text copied from some PDF files is so; it is also done to defeat comparison.",
    }


def test_that_clicking_a_bar_reports_its_passage(pane: TextPane, qtbot: QtBot):
    show_passages(pane, [(SPANS[0], PassageKind.EDITED), (FIRST, PassageKind.IDENTICAL)])
    with qtbot.waitSignal(pane.passage_clicked) as clicked:
        place = QPoint(bars(pane).width() - 3, pane.viewport_y_of(SPANS[4]) + 10)
        qtbot.mouseClick(bars(pane), LEFT_BUTTON, pos=place)
    assert clicked.args[0] == 1


# --- two texts
