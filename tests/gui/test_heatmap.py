"""Clicks, keys, zoom and pan in the heatmap."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from simcompare.comparison.comparison_result import MatchKind
from simcompare.ui.compare.heatmap.heatmap_canvas import plan_frame, write_downwards
from simcompare.ui.style.theme import LIGHT
from tests.gui.heatmaps import (
    choices_of,
    click,
    cold,
    fill,
    hover,
    make_heatmap,
    matches,
    middle,
    pixels_of,
    wheel,
)
from tests.gui.pixels import is_colour


@pytest.fixture
def view(qtbot):
    return make_heatmap(qtbot)


def assert_near(cell, other):
    """Check that a pixel position has moved by at most one pixel; cells are about a pixel large."""
    assert max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) <= 1


def test_that_a_click_chooses_the_cell_under_it_and_shows_it_as_selected(view):
    cells = cold(38, 42)
    cells[19, 30] = 255
    fill(view, cells)
    view.set_describer("row {} column {}".format, "cell {} {}".format)
    chosen = choices_of(view)
    click(view, middle(pixels_of(view, LIGHT.heat[-1])))
    assert chosen == [(19, 30)]
    assert view.accessibleDescription() == "cell 19 30"


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


def test_that_the_wheel_zooms_around_the_pointer_and_back_to_the_whole_map(view):
    fill(view, cold(300, 300))
    at = QPoint(200, 200)
    cell = hover(view, at)
    all_of_it = view.grab().toImage()
    wheel(view, at, 8)
    assert_near(hover(view, at), cell)
    assert view.grab().toImage() != all_of_it
    wheel(view, at, -50)
    assert view.grab().toImage() == all_of_it


def test_that_zooming_in_stops_at_the_largest_cell_size(view):
    cells = cold(300, 300)
    cells[150, 150] = 255
    fill(view, cells)
    wheel(view, middle(pixels_of(view, LIGHT.heat[-1])), 200)
    QTest.mouseMove(view, QPoint(2, 2))  # row and column at the pointer are tinted
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
def test_that_double_click_zero_and_home_reset_the_zoom(view, way):
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


def test_that_shift_and_an_arrow_go_to_the_next_match_in_that_direction(view):
    marked = matches((2, 3, 2), (10, 11, 1), (10, 30, 0), (20, 5, 2))
    fill(view, cold(38, 42), marked)
    chosen = choices_of(view)
    down, right, left, up = Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up
    for key in (down, down, right, down, left, up, up):
        QTest.keyClick(view, key, Qt.KeyboardModifier.ShiftModifier)
    assert chosen == [(2, 3), (10, 11), (10, 30), (20, 5), (2, 3)]


def test_that_enter_chooses_the_selected_cell_again(view):
    fill(view, cold(38, 42))
    chosen = choices_of(view)
    QTest.keyClick(view, Qt.Key.Key_Return)
    view.set_selected(4, 7)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [(4, 7)]


def test_that_setting_the_selection_does_not_emit_cell_chosen(view):
    fill(view, cold(38, 42))
    chosen = choices_of(view)
    view.set_selected(4, 7)
    view.set_selected(None, None)
    assert chosen == []


def test_that_the_map_scrolls_to_a_hidden_selection(view):
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


def test_that_no_cell_is_hovered_after_leaving_the_map(view):
    fill(view, cold(38, 42))
    assert min(hover(view, QPoint(150, 150))) >= 0
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view._hovered is None


def test_that_an_empty_heatmap_ignores_keys_and_wheel(view):
    chosen = choices_of(view)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    wheel(view, QPoint(100, 100), 3)
    click(view, QPoint(100, 100))
    assert chosen == []


def test_that_the_matrix_takes_the_place_of_the_texts_with_the_sentences_at_its_edges(compared, qtbot):
    view, folding = compared.compare_view, compared.folding
    heatmap = view.heatmap
    small = heatmap.grab().toImage()
    QTest.mouseClick(view.heatmap_tabs[1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: heatmap.width() > small.width())
    assert heatmap.hasFocus()
    assert not view.panes_splitter.isVisible()
    frame, geometry = heatmap._frame, heatmap._geometry
    assert geometry.rows.cell_px == pytest.approx(geometry.columns.cell_px)
    beside = frame.map_rect(geometry)
    left_of_it = heatmap.grab(QRect(0, beside.top(), beside.left() - 40, beside.height())).toImage()
    above_it = heatmap.grab(QRect(beside.left(), 0, beside.width(), beside.top() - 40)).toImage()
    assert all(is_colour(part, LIGHT.surface).mean() < 0.99 for part in (left_of_it, above_it))
    QTest.keyClick(heatmap, Qt.Key.Key_Escape)
    assert view.panes_splitter.isVisible()
    assert not folding.matrix.isChecked()


def test_that_a_character_without_width_leaves_no_gap_in_a_sentence_written_downwards(qapp):
    images = []
    for text in ("他们走过河边的桥", "他\u200b们走\u2060过河\u200b边的桥"):
        image = QImage(30, 300, QImage.Format.Format_RGB32)
        image.fill(LIGHT.surface)
        with QPainter(image) as painter:
            write_downwards(painter, QRectF(image.rect()), text)
        images.append(image)
    assert images[0] == images[1]


def test_that_english_with_curly_marks_is_turned_as_other_english(qapp):
    lowest = []
    for text in ("It's late, and it's dark", "It’s late, and it’s dark"):
        image = QImage(20, 600, QImage.Format.Format_RGB32)
        image.fill(LIGHT.surface)
        painter = QPainter(image)
        write_downwards(painter, QRectF(image.rect()), text)
        painter.end()
        lowest.append(int(np.flatnonzero(~is_colour(image, LIGHT.surface).all(axis=1)).max()))
    assert lowest[0] == pytest.approx(lowest[1], abs=20)


def test_that_the_matrix_is_saved_as_a_picture(compared, qtbot, tmp_path):
    compared.folding.actions[2].trigger()
    dialog = compared.findChild(QFileDialog)
    with qtbot.waitSignal(compared.folding.noticed) as noticed:
        dialog.fileSelected.emit(str(tmp_path / "matrix.png"))
    dialog.reject()
    assert "matrix.png" in noticed.args[0]
    saved = QImage(str(tmp_path / "matrix.png"))
    assert saved.width() == 2 * compared.compare_view.heatmap.width()
    assert is_colour(saved, LIGHT.surface).mean() < 0.9


def test_that_a_hidden_matrix_is_shown_before_it_is_saved_and_none_without_a_pair(compared, qtbot, tmp_path):
    compared.folding.action.setChecked(False)
    compared.folding.actions[2].trigger()
    dialog = compared.findChild(QFileDialog)
    with qtbot.waitSignal(compared.folding.noticed):
        dialog.fileSelected.emit(str(tmp_path / "matrix.png"))
    dialog.reject()
    assert compared.compare_view.heatmap.isVisible()
    assert is_colour(QImage(str(tmp_path / "matrix.png")), LIGHT.surface).mean() < 0.9
    compared.workspace.documents.remove([min(compared.workspace.documents.entries)])
    assert not compared.folding.actions[2].isEnabled()


def test_that_finding_words_brings_the_texts_back(compared, qtbot):
    compared.folding.matrix.trigger()
    assert not compared.compare_view.panes_splitter.isVisible()
    compared.compare_view.finder.open_action.trigger()
    assert compared.compare_view.panes_splitter.isVisible()


@pytest.mark.parametrize("pixel_size", [12, 24, 36])
def test_that_the_large_matrix_has_half_the_height_of_its_page_with_large_text(qapp, pixel_size):
    font = QFont()
    font.setPixelSize(pixel_size)
    for size in (QSize(1300, 480), QSize(860, 300), QSize(640, 260)):
        frame = plan_frame(size, font, 40, 42, sentences_px=400)
        assert frame.map_area.height() >= size.height() / 2
        assert frame.map_area.bottom() + frame.caption_height_px < size.height()
