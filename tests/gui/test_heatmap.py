"""The heatmap as a person sees it and works it."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from simcompare.comparison.values import MatchKind, Passage
from simcompare.document import Span
from simcompare.ui.heatmap.geometry import Axis, fitted_geometry
from simcompare.ui.heatmap.passages import PassageBoxes
from simcompare.ui.heatmap.view import HeatmapView
from simcompare.ui.looks.theme import DARK, LIGHT, THEMES
from tests.gui.match_list_samples import LEFT, document, sentences_of

NO_MATCHES = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))


@pytest.fixture
def view(qtbot):
    view = HeatmapView()
    qtbot.addWidget(view)
    view.resize(400, 440)
    view.show()
    qtbot.waitExposed(view)
    return view


# what the offscreen platform says whenever a tool tip appears
tool_tips = pytest.mark.qt_log_ignore("does not support raise")


def fill(view, cells, matches=NO_MATCHES):
    view.begin(*cells.shape)
    view.put_block(0, cells)
    view.set_matches(*matches)


def cold(rows, columns):
    return np.zeros((rows, columns), dtype=np.uint8)


def matches(*cells):
    rows, columns, kinds = zip(*cells, strict=True)
    return np.array(rows, np.int32), np.array(columns, np.int32), np.array(kinds, np.int8)


def pixels_of(view, colour):
    """Return where a colour is seen, beside the colour bar and its labels."""
    image = view.grab().toImage()
    ink = QColor(colour).rgb()
    right = image.width() - 60
    return [(x, y) for y in range(image.height()) for x in range(right) if image.pixel(x, y) == ink]


def middle(pixels):
    xs, ys = zip(*pixels, strict=True)
    return QPoint((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)


def click(view, position):
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=position)


def wheel(view, position, notches):
    event = QWheelEvent(
        QPointF(position),
        QPointF(view.mapToGlobal(position)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def hover(view, position):
    """Return the cell under a position, in the view's own words to its listeners."""
    heard = []
    view.cell_hovered.connect(lambda *cell: heard.append(cell))
    QTest.mouseMove(view, QPoint(1, 1))
    QTest.mouseMove(view, position)
    return heard[-1]


def assert_near(cell, other):
    """Cells of about a pixel stand within a pixel of where they stood."""
    assert max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) <= 1


def choices_of(view):
    heard = []
    view.cell_chosen.connect(lambda *cell: heard.append(cell))
    return heard


def tool_tip_at(view, position):
    help_event = QHelpEvent(QEvent.Type.ToolTip, position, view.mapToGlobal(position))
    QApplication.sendEvent(view, help_event)
    return QToolTip.text()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("cell", [(0, 0), (700, 333), (2999, 2499)])
def test_that_a_lone_hot_cell_stays_visible_when_all_is_shown(view, theme, cell):
    cells = cold(3000, 2500)
    cells[cell] = 255
    view.apply_theme(theme)
    fill(view, cells)
    assert len(pixels_of(view, theme.heat[-1])) >= 1


def test_that_a_click_chooses_the_cell_under_it_and_shows_it_as_selected(view):
    cells = cold(38, 42)
    cells[19, 30] = 255
    fill(view, cells)
    chosen = choices_of(view)
    click(view, middle(pixels_of(view, LIGHT.heat[-1])))
    assert chosen == [(19, 30)]
    assert "row 20, column 31" in view.accessibleDescription()
    assert "1.00" in view.accessibleDescription()


def test_that_a_click_beside_the_map_chooses_nothing(view):
    fill(view, cold(38, 42))
    chosen = choices_of(view)
    click(view, QPoint(3, 3))
    click(view, QPoint(view.width() - 3, 100))
    assert chosen == []


def test_that_a_click_near_the_marker_of_a_tiny_cell_chooses_the_match(view):
    fill(view, cold(3000, 2500), matches((700, 1200, MatchKind.SYNONYM)))
    chosen = choices_of(view)
    marker = middle(pixels_of(view, LIGHT.kinds[MatchKind.SYNONYM].ink))
    click(view, marker + QPoint(2, -1))
    assert chosen == [(700, 1200)]


def test_that_a_match_of_a_tiny_cell_is_marked_four_pixels_wide_and_high(view):
    fill(view, cold(3000, 2500), matches((0, 0, MatchKind.EXACT), (2999, 2499, MatchKind.EXACT)))
    assert len(pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)) == 2 * 4 * 4


def test_that_the_stronger_of_two_marks_lies_on_top(view):
    fill(view, cold(3000, 2500), matches((9, 9, MatchKind.EXACT), (9, 9, MatchKind.SYNONYM)))
    assert pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)
    assert not pixels_of(view, LIGHT.kinds[MatchKind.SYNONYM].ink)


def test_that_a_match_of_a_large_cell_is_outlined_and_keeps_its_heat(view):
    cells = cold(12, 12)
    cells[5, 5] = 255
    fill(view, cells, matches((5, 5, MatchKind.EXACT)))
    outline = pixels_of(view, LIGHT.kinds[MatchKind.EXACT].ink)
    heat = pixels_of(view, LIGHT.heat[-1])
    assert outline
    assert middle(outline) == middle(heat)


def test_that_the_wheel_zooms_about_the_pointer_and_back_to_all(view):
    fill(view, cold(300, 300))
    at = QPoint(200, 200)
    cell = hover(view, at)
    all_of_it = view.grab().toImage()
    wheel(view, at, 8)
    assert_near(hover(view, at), cell)
    assert view.grab().toImage() != all_of_it
    wheel(view, at, -50)
    assert view.grab().toImage() == all_of_it


def test_that_zooming_in_ends_where_cells_are_large(view):
    cells = cold(300, 300)
    cells[150, 150] = 255
    fill(view, cells)
    wheel(view, middle(pixels_of(view, LIGHT.heat[-1])), 200)
    xs, _ys = zip(*pixels_of(view, LIGHT.heat[-1]), strict=True)
    assert 28 < max(xs) - min(xs) < 80


def test_that_dragging_pans_and_does_not_choose(view):
    fill(view, cold(300, 300))
    chosen = choices_of(view)
    at = QPoint(200, 200)
    wheel(view, at, 8)
    cell = hover(view, at)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    for step in range(1, 7):
        QTest.mouseMove(view, at - QPoint(10 * step, 5 * step))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at - QPoint(60, 30))
    assert chosen == []
    assert_near(hover(view, at - QPoint(60, 30)), cell)


@pytest.mark.parametrize("way", ["double click", "0", "Home"])
def test_that_all_is_shown_again_on_demand(view, way):
    fill(view, cold(300, 300))
    at = QPoint(200, 200)
    first_cell = QPoint(view.width() // 2, 60)
    before = hover(view, first_cell)
    wheel(view, at, 8)
    assert hover(view, first_cell) != before
    if way == "double click":
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
    else:
        QTest.keyClick(view, Qt.Key.Key_0 if way == "0" else Qt.Key.Key_Home)
    assert hover(view, first_cell) == before


def test_that_plus_and_minus_zoom(view):
    cells = cold(40, 40)
    cells[20, 20] = 255
    fill(view, cells)
    seen = [len(pixels_of(view, LIGHT.heat[-1]))]
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Minus):
        QTest.keyClick(view, key)
        seen.append(len(pixels_of(view, LIGHT.heat[-1])))
    assert seen[0] < seen[1] < seen[2] > seen[3] > seen[4] == seen[0]


def test_that_arrows_move_the_selection_cell_by_cell_and_stop_at_the_border(view):
    fill(view, cold(3, 3))
    chosen = choices_of(view)
    view.set_selected(1, 1)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(view, key)
    assert chosen == [(0, 1), (0, 2), (1, 2), (1, 1)]


def test_that_the_first_arrow_selects_the_first_cell(view):
    fill(view, cold(3, 3))
    chosen = choices_of(view)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert chosen == [(0, 0)]


def test_that_ctrl_and_an_arrow_go_to_the_next_match_that_way(view):
    marked = matches((2, 3, 2), (10, 11, 1), (10, 30, 0), (20, 5, 2))
    fill(view, cold(38, 42), marked)
    chosen = choices_of(view)
    down, right, left, up = Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up
    for key in (down, down, right, down, left, up, up):
        QTest.keyClick(view, key, Qt.KeyboardModifier.ControlModifier)
    assert chosen == [(2, 3), (10, 11), (10, 30), (20, 5), (2, 3)]


def test_that_enter_chooses_the_selected_cell_again(view):
    fill(view, cold(38, 42))
    chosen = choices_of(view)
    QTest.keyClick(view, Qt.Key.Key_Return)
    view.set_selected(4, 7)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [(4, 7)]


def test_that_being_given_a_selection_is_not_reported_as_a_choice(view):
    fill(view, cold(38, 42))
    chosen = choices_of(view)
    view.set_selected(4, 7)
    view.set_selected(None, None)
    assert chosen == []


def test_that_a_selection_out_of_sight_is_brought_into_sight(view):
    cells = cold(3000, 2500)
    cells[2990, 12] = 255
    fill(view, cells)
    wheel(view, QPoint(200, 60), 30)
    assert not pixels_of(view, LIGHT.heat[-1])
    view.set_selected(2990, 12)
    assert pixels_of(view, LIGHT.heat[-1])


def test_that_a_selection_beyond_the_matrix_is_refused(view):
    fill(view, cold(3, 3))
    with pytest.raises(IndexError):
        view.set_selected(3, 0)


def test_that_the_selection_draws_a_crosshair_over_the_whole_map(view):
    fill(view, cold(38, 42))
    view.clearFocus()
    assert not pixels_of(view, LIGHT.accent)
    view.set_selected(20, 20)
    xs, ys = zip(*pixels_of(view, LIGHT.accent), strict=True)
    assert max(xs) - min(xs) > 250
    assert max(ys) - min(ys) > 250


def test_that_the_pointer_tells_its_cell_and_that_it_left(view):
    fill(view, cold(38, 42))
    heard = []
    view.cell_hovered.connect(lambda *cell: heard.append(cell))
    QTest.mouseMove(view, QPoint(150, 150))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert len(heard) == 2
    assert min(heard[0]) >= 0
    assert heard[1] == (-1, -1)


@tool_tips
def test_that_the_tool_tip_shows_the_describers_words_as_they_stand(view):
    fill(view, cold(38, 42))
    view.set_describer(lambda row, column: f"<b>{row}</b> & {column}")
    assert "&lt;b&gt;" in tool_tip_at(view, QPoint(150, 150))
    QToolTip.hideText()


@tool_tips
def test_that_without_a_describer_the_tool_tip_tells_place_and_similarity(view):
    view.begin(38, 42)
    view.put_block(0, np.full((5, 42), 51, dtype=np.uint8))
    assert "similarity 0.20" in tool_tip_at(view, QPoint(150, 45))
    assert "not compared yet" in tool_tip_at(view, QPoint(150, 300))
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


def test_that_keyboard_focus_can_be_seen(view, qtbot):
    fill(view, cold(38, 42))
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.clearFocus()
    without = view.grab().toImage()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert view.grab().toImage() != without


def test_that_an_empty_heatmap_leaves_keys_and_wheel_alone(view):
    chosen = choices_of(view)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    wheel(view, QPoint(100, 100), 3)
    click(view, QPoint(100, 100))
    assert chosen == []


def test_that_the_dark_theme_is_dark_all_over(view):
    view.apply_theme(DARK)
    fill(view, cold(38, 42))
    view.clearFocus()
    image = view.grab(QRect(0, 0, 400, 440)).toImage()
    for position in (QPoint(2, 2), QPoint(397, 437), QPoint(200, 200)):
        assert image.pixelColor(position).lightness() < 60


@given(
    st.integers(1, 900), st.integers(1, 900), st.floats(1, 40), st.floats(0, 1), st.sampled_from([1, 1.5, 2])
)
def test_that_every_cell_in_sight_is_shown_by_a_pixel(count, room, zoom, place, ratio):
    geometry = fitted_geometry(count, count, room, room, ratio).zoomed(zoom, 0, 0)
    axis = geometry.rows.starting_at(place * count)
    for side in (1, 4):
        first, last = axis.pixel_cells(side)
        assert first[0] == axis.visible.start // side
        assert last[-1] == (axis.visible.stop - 1) // side
        assert (first[1:] <= last[:-1] + 1).all()


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(100, 900), st.integers(100, 900))
def test_that_cells_are_near_to_squares_unless_the_map_would_be_a_line(rows, columns, width, height):
    geometry = fitted_geometry(rows, columns, width, height, 1)
    down, across = geometry.rows, geometry.columns
    near_square = 0.49 < down.cell_px / across.cell_px < 2.01
    assert near_square or min(down.shown_px, across.shown_px) <= 96
    assert down.cell_px <= 28
    assert down.shown_px <= height
    assert across.shown_px <= width


@given(st.integers(1, 200), st.integers(20, 400))
def test_that_a_pixel_is_the_sentence_it_shows(count, room):
    axis = fitted_geometry(count, count, room, room, 1).rows
    assert isinstance(axis, Axis)
    _first, last = axis.pixel_cells(1)
    assert [axis.index_at(pixel) for pixel in range(axis.shown_px)] == last.tolist()


@pytest.mark.parametrize(
    ("cell_px", "first", "expected"),
    [
        (28, 0, [0, 1, 2, 3, 4, 5]),
        (10, 0, [0, 4, 9, 14]),
        (5, 0, [0, 9, 19, 29]),
        (0.5, 0, [0, 99, 199, 299]),
        (10, 6.5, [9, 14, 19]),
    ],
)
def test_that_ticks_stand_at_the_first_and_at_round_numbers(cell_px, first, expected):
    axis = Axis(400, 168, cell_px, 0, 1, first)
    assert list(axis.ticks(24))[: len(expected)] == expected


def passages(*boxes):
    table = np.array(boxes, np.intp)
    return PassageBoxes(table[:, 0], table[:, 1])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("heat", [0, 255], ids=["cold", "hot"])
def test_that_passages_are_outlined_on_cold_and_hot_cells(view, theme, heat):
    view.apply_theme(theme)
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
def test_that_a_short_passage_is_seen_when_all_is_shown(view, box):
    fill(view, cold(3000, 3000))
    numbers = set(pixels_of(view, LIGHT.muted))
    view.set_passages(passages(box))
    assert len(set(pixels_of(view, LIGHT.muted)) - numbers) >= 16


@pytest.mark.parametrize("side", [300, 3000])
def test_that_an_outline_does_not_hide_a_lone_hot_cell(view, side):
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
    assert boxes.name_of(boxes.holding(14, 31)) == words
    assert boxes.name_of(boxes.holding(1, 3)) == "Passage 3: sentence 2 on the left, 4 on the right"
    assert passages(((1, 2), (3, 4))).holding(5, 5) is None


def test_that_passages_span_the_sentences_that_they_touch():
    left, right = (document(name, LEFT) for name in ("left.txt", "right.txt"))
    sides = [SimpleNamespace(prepared=sentences_of(one)) for one in (left, right)]
    spans = sides[0].prepared.sentence_spans.tolist()
    inside = Passage(Span(spans[1][0] + 1, spans[3][1]), Span(spans[2][0], spans[2][1]))
    comparison = SimpleNamespace(left=sides[0], right=sides[1], passages=(inside,))
    boxes = PassageBoxes.of(comparison)
    assert boxes.rows.tolist() == [[1, 4]]
    assert boxes.columns.tolist() == [[2, 3]]


def test_that_hundreds_of_passages_are_drawn_at_once(view):
    fill(view, cold(8000, 8000))
    boxes = [((8 * n, 8 * n + 30), (71 * n % 7900, 71 * n % 7900 + 30)) for n in range(900)]
    view.set_passages(passages(*boxes))
    times = []
    for _ in range(5):
        view.set_similar_weight(0.3 + len(times) / 100)
        begin = time.perf_counter()
        view.repaint()
        times.append(time.perf_counter() - begin)
    assert min(times) < 0.05


def test_that_a_map_of_another_size_is_soon_as_sharp_as_one_made_so(view, qtbot):
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
