"""Drawing of the heatmap: cells, marks, tool tips, and outlines of passages."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QToolTip

from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.model.document import Span
from simcompare.ui.compare.heatmap.heatmap_geometry import PassageBoxes
from simcompare.ui.compare.heatmap.heatmap_picture import MapPainter, heat_palette
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT, THEMES
from tests.gui.contrast import contrast
from tests.gui.heatmaps import (
    cold,
    fill,
    hover,
    make_heatmap,
    matches,
    middle,
    pixels_of,
    tool_tip_at,
    tool_tips,
)
from tests.gui.match_list_samples import LEFT, document, sentences_of
from tests.gui.widgets import looks_different_with_focus


@pytest.fixture
def view(qtbot):
    return make_heatmap(qtbot)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("cell", [(0, 0), (700, 333), (2999, 2499)])
def test_that_an_isolated_hot_cell_stays_visible_at_zoom_one(view, theme, cell):
    cells = cold(3000, 2500)
    cells[cell] = 255
    APPEARANCE.use(theme)
    fill(view, cells)
    assert len(pixels_of(view, theme.heat[-1])) >= 1


def test_that_a_match_in_a_tiny_cell_has_a_marker_of_four_by_four_pixels(view):
    fill(view, cold(3000, 2500), matches((0, 0, MatchKind.EXACT), (2999, 2499, MatchKind.EXACT)))
    assert len(pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)) == 2 * 4 * 4


def test_that_the_stronger_of_two_marks_is_on_top(view):
    fill(view, cold(3000, 2500), matches((9, 9, MatchKind.EXACT), (9, 9, MatchKind.SYNONYM)))
    assert pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)
    assert not pixels_of(view, LIGHT.kinds[MatchKind.SYNONYM].ink)


def test_that_a_match_in_a_large_cell_is_outlined_and_keeps_its_heat_colour(view):
    cells = cold(12, 12)
    cells[5, 5] = 255
    fill(view, cells, matches((5, 5, MatchKind.EXACT)))
    outline = pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)
    heat = pixels_of(view, LIGHT.heat[-1])
    assert outline
    assert middle(outline) == middle(heat)


def test_that_the_selection_draws_a_crosshair_over_the_whole_map(view):
    fill(view, cold(38, 42))
    view.clearFocus()
    assert not pixels_of(view, LIGHT.accent)
    view.set_selected(20, 20)
    xs, ys = zip(*pixels_of(view, LIGHT.accent), strict=True)
    assert max(xs) - min(xs) > 250
    assert max(ys) - min(ys) > 250


@tool_tips
def test_that_the_tool_tip_shows_the_description_as_plain_text(view):
    fill(view, cold(38, 42))
    describe = "<b>{}</b> & {}".format
    view.set_describer(describe, describe)
    assert "&lt;b&gt;" in tool_tip_at(view, QPoint(150, 150))
    QToolTip.hideText()


def test_that_cells_below_the_threshold_are_paler(view):
    cells = cold(12, 12)
    cells[6, 6] = 128
    view.set_similar_weight(0.4)
    fill(view, cells)
    above = view.grab().toImage()
    blue = middle(pixels_of(view, QColor(LIGHT.heat[1])))
    view.set_similar_weight(0.6)
    below = view.grab().toImage()
    assert below.pixelColor(blue).lightness() > above.pixelColor(blue).lightness() + 20


def test_that_rows_not_yet_computed_are_hatched(view):
    view.begin(38, 42)
    view.put_block(0, cold(19, 42))
    hatched = pixels_of(view, LIGHT.line)
    assert hatched
    view.put_block(19, cold(19, 42))
    assert len(pixels_of(view, LIGHT.line)) < len(hatched) / 10


def test_that_clearing_shows_the_empty_state_again(view):
    empty = view.grab().toImage()
    fill(view, cold(38, 42), matches((1, 1, 2)))
    view.set_selected(1, 1)
    assert view.grab().toImage() != empty
    view.clear()
    assert view.grab().toImage() == empty


def test_that_a_text_without_sentences_shows_the_empty_state(view):
    empty = view.grab().toImage()
    view.begin(0, 12)
    view.put_block(0, np.empty((0, 12), dtype=np.uint8))
    assert view.grab().toImage() == empty


def test_that_keyboard_focus_is_visible(view, qtbot):
    fill(view, cold(38, 42))
    assert looks_different_with_focus(view, qtbot)


def test_that_the_dark_theme_is_dark_everywhere(view):
    APPEARANCE.use(DARK)
    fill(view, cold(38, 42))
    view.clearFocus()
    image = view.grab(QRect(0, 0, 400, 440)).toImage()
    for position in (QPoint(2, 2), QPoint(397, 437), QPoint(200, 200)):
        assert image.pixelColor(position).lightness() < 60


def passages(*boxes):
    table = np.array(boxes, np.intp)
    return PassageBoxes(table[:, 0], table[:, 1])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("heat", [0, 255], ids=["cold", "hot"])
def test_that_passages_are_outlined_on_cold_and_hot_cells(view, theme, heat):
    APPEARANCE.use(theme)
    fill(view, cold(40, 40) + np.uint8(heat))
    numbers = len(pixels_of(view, theme.muted))
    view.set_passages(passages(((2, 20), (5, 25))))
    assert len(pixels_of(view, theme.muted)) >= numbers + 200


def test_that_the_passage_of_the_selection_is_outlined_more_strongly(view):
    fill(view, cold(40, 40))
    view.set_passages(passages(((2, 20), (5, 25)), ((30, 38), (1, 9))))
    view.set_selected(35, 30)
    outside = len(pixels_of(view, LIGHT.accent))
    view.set_selected(35, 5)
    assert len(pixels_of(view, LIGHT.accent)) >= outside + 100
    plain = len(pixels_of(view, LIGHT.muted))
    view.set_selected(None, None)
    assert len(pixels_of(view, LIGHT.muted)) > plain


@pytest.mark.parametrize("box", [((0, 2), (0, 2)), ((1500, 1502), (700, 702)), ((2998, 3000), (2998, 3000))])
def test_that_a_short_passage_is_visible_at_zoom_one(view, box):
    fill(view, cold(3000, 3000))
    numbers = set(pixels_of(view, LIGHT.muted))
    view.set_passages(passages(box))
    assert len(set(pixels_of(view, LIGHT.muted)) - numbers) >= 16


@pytest.mark.parametrize("side", [300, 3000])
def test_that_an_outline_does_not_hide_an_isolated_hot_cell(view, side):
    cells = cold(side, side)
    first, end = side // 3, side // 2
    cells[first - 1, first + 5] = cells[end, first + 9] = cells[first + 9, end] = 255
    fill(view, cells)
    seen = len(pixels_of(view, LIGHT.heat[-1]))
    view.set_passages(passages(((first, end), (first, end))))
    view.set_similar_weight(0.45)
    assert len(pixels_of(view, LIGHT.heat[-1])) == seen >= 3


@tool_tips
def test_that_the_tool_tip_names_the_smallest_passage_under_the_mouse(view):
    fill(view, cold(40, 42))
    boxes = passages(((0, 40), (0, 42)), ((11, 18), (29, 35)), ((1, 2), (3, 4)))
    view.set_passages(boxes)
    view.set_selected(14, 31)
    at = middle(pixels_of(view, LIGHT.accent))
    words = "Passage 2: sentences 12–18 on the left, 30–35 on the right"
    row, column = hover(view, at)
    assert (words in tool_tip_at(view, at)) == (11 <= row < 18 and 29 <= column < 35)
    assert boxes.name_of(boxes.containing(14, 31)) == words
    assert boxes.name_of(boxes.containing(1, 3)) == "Passage 3: sentence 2 on the left, 4 on the right"
    assert passages(((1, 2), (3, 4))).containing(5, 5) is None


def test_that_passages_span_the_sentences_that_they_touch():
    left, right = (document(name, LEFT) for name in ("left.txt", "right.txt"))
    sides = [SimpleNamespace(prepared=sentences_of(text)) for text in (left, right)]
    spans = sides[0].prepared.sentence_spans.tolist()
    inside = Passage(Span(spans[1][0] + 1, spans[3][1]), Span(spans[2][0], spans[2][1]))
    comparison = SimpleNamespace(left=sides[0], right=sides[1], passages=Passages.of([inside]))
    boxes = PassageBoxes.of(comparison)
    assert boxes.rows.tolist() == [[1, 4]]
    assert boxes.columns.tolist() == [[2, 3]]


def test_that_hundreds_of_passages_are_drawn_quickly(view):
    fill(view, cold(8000, 8000))
    boxes = [((8 * n, 8 * n + 30), (71 * n % 7900, 71 * n % 7900 + 30)) for n in range(900)]
    view.set_passages(passages(*boxes))
    times = []
    for _ in range(5):
        view.set_similar_weight(0.3 + len(times) / 100)
        begin = time.thread_time()
        view.repaint()
        times.append(time.thread_time() - begin)
    assert min(times) < 0.05


def test_that_a_resized_map_is_soon_as_sharp_as_a_new_one(view, qtbot):
    made_so = HeatmapView()
    qtbot.addWidget(made_so)
    made_so.resize(523, 611)
    made_so.show()
    heat = np.random.default_rng(1).integers(0, 256, (300, 300)).astype(np.uint8)
    for each in (view, made_so):
        each.begin(300, 300)
        each.put_block(0, heat)
        each.grab()
    view.resize(523, 611)
    assert view.grab().toImage().size() == made_so.size()
    qtbot.waitUntil(lambda: view.grab().toImage() == made_so.grab().toImage())


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_excluded_cells_are_quieter_than_every_match(view, theme):
    APPEARANCE.use(theme)
    cells = cold(12, 12)
    cells[2, 2] = cells[5, 5] = cells[7, 9] = 255
    fill(view, cells, matches((5, 5, MatchKind.EXACT)))
    hot = len(pixels_of(view, theme.heat[-1]))
    excluded = np.arange(12) == 2
    view.set_excluded(excluded, np.arange(12) == 9)
    assert 0 < len(pixels_of(view, theme.heat[-1])) <= hot / 3, "of three hot cells two are excluded"
    quiet = f"#{heat_palette(theme, 0.5).excluded[-1] & 0xFFFFFF:06x}"
    assert pixels_of(view, quiet)
    inks = (theme.heat[-1], *(look.ink for look in theme.kinds.values()))
    assert all(contrast(quiet, theme.heat[0]) < contrast(ink, theme.heat[0]) / 1.5 for ink in inks)


def test_that_excluded_sentences_are_quiet_in_a_map_of_tiny_cells(view):
    cells = cold(3000, 2500)
    cells[750, 333] = 255
    fill(view, cells)
    assert pixels_of(view, LIGHT.heat[-1])
    view.set_excluded(np.arange(3000) // 100 == 7, np.zeros(2500, np.bool_))
    assert not pixels_of(view, LIGHT.heat[-1])


def test_that_a_step_that_resizes_the_map_draws_it_once_it_is_at_rest(view, qtbot, monkeypatch):
    fill(view, cold(40, 40), matches((3, 3, MatchKind.EDITED), (9, 9, MatchKind.EDITED)))
    view.grab()
    drawn, draw = [], MapPainter.paint
    monkeypatch.setattr(MapPainter, "paint", lambda *given: drawn.append(given) or draw(*given))
    view.set_selected(9, 9)
    view.resize(523, 611)
    view.grab()
    assert not drawn
    qtbot.waitUntil(lambda: len(drawn) == 1)
