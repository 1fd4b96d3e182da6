"""Heatmap of a class, through clicks, the wheel and keys, and the names beside it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFontInfo, QFontMetrics, QPainter
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import HEAT_SCALE
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.ui.access.picture_table import PictureTableDialog
from simcompare.ui.cohort.overview.essay_map import EssayMap, palette
from simcompare.ui.style.theme import THEMES, Theme, current_theme
from tests.gui.class_pictures import LEFT_BUTTON, cell_centre, click_at, picture_of, with_rewritten
from tests.gui.contrast import distance
from tests.gui.widgets import looks_different_with_focus, show_widget


@pytest.fixture
def essay_map(qtbot: QtBot, application_looks: None) -> EssayMap:
    view = EssayMap()
    show_widget(view, qtbot, 420, 300)
    view.show_class(picture_of())
    return view


@pytest.mark.parametrize(("width", "height"), [(480, 430), (560, 300), (300, 300)])
def test_that_the_map_leaves_space_for_the_names_of_its_rows(
    essay_map: EssayMap, width: int, height: int
) -> None:
    picture = picture_of()
    names = ("Chloe Dunn", "Daniel Ellis", "Ava Brooks", "Ben Carter", "Ella Frost", "Finn Grant")
    essay_map.resize(width, height)
    essay_map.show_class(replace(picture, labels=names))
    longest = max(map(essay_map.fontMetrics().horizontalAdvance, names))
    assert essay_map._map_rect.left() >= longest
    assert essay_map._map_rect.width() >= 0.7 * min(width, height)


def test_that_names_of_two_characters_are_painted_in_the_space_left_for_them(essay_map: EssayMap) -> None:
    essay_map.resize(440, 460)
    essay_map.show_class(replace(picture_of(), labels=("王伟", "李芳", "张敏", "刘洋", "陈静", "杨磊")))
    essay_map.clearFocus()  # whose frame is beside the map, too
    space = essay_map._map_rect.left() - 4
    beside = essay_map.grab().toImage().copy(0, 0, space, essay_map.height())
    assert len({beside.pixel(x, y) for x in range(space) for y in range(beside.height())}) > 1


def test_that_names_of_forty_essays_stand_at_the_edge_and_both_hovered_ones_do(
    essay_map: EssayMap, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    painted: list[str] = []
    elided = QFontMetrics.elidedText

    class Metrics(QFontMetrics):
        def elidedText(self, text: str, *how: object) -> str:  # noqa: N802 - Qt's name
            painted.append(text)
            return elided(self, text, *how)

    names = tuple(f"学生{number:02}" for number in range(40))
    essay_map.resize(480, 300)
    essay_map.show_class(replace(picture_of(40), labels=names))
    monkeypatch.setattr(essay_map, "fontMetrics", lambda: Metrics(essay_map.font()))
    essay_map.grab()
    assert 10 < len(painted) < 40
    boxes: list[QRectF] = []
    module = "simcompare.ui.cohort.overview.essay_map.draw_name"
    monkeypatch.setattr(module, lambda _painter, box, _flags, _name: boxes.append(box))
    essay_map.grab()
    assert all(QRectF(essay_map.rect()).contains(box) for box in boxes)
    order = picture_of(40).order.tolist()
    assert {names[order[0]], names[order[-1]]} <= set(painted)
    painted.clear()
    with qtbot.waitSignal(essay_map.hovered):
        qtbot.mouseMove(essay_map, cell_centre(essay_map, 3, 30))
    essay_map.grab()
    assert {"学生03", "学生30"} <= set(painted)


def test_that_all_rows_are_named_in_a_smaller_font_where_they_are_low(
    essay_map: EssayMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[tuple[str, int]] = []

    def record(painter: QPainter, _box: QRectF, _flags: int, name: str) -> None:
        named.append((name, QFontInfo(painter.font()).pixelSize()))

    monkeypatch.setattr("simcompare.ui.cohort.overview.essay_map.draw_name", record)
    names = tuple(f"学生{number:02}" for number in range(18))
    essay_map.resize(480, 216)
    essay_map.show_class(replace(picture_of(18), labels=names))
    essay_map.grab()
    assert sorted(name for name, _size in named) == list(names)
    assert {size for _name, size in named} == {11}


def test_that_a_move_over_the_map_measures_no_names(
    essay_map: EssayMap, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    class ObservedMetrics(QFontMetrics):
        def horizontalAdvance(self, text: str) -> int:  # noqa: N802 - Qt's name
            measured.append(text)
            return super().horizontalAdvance(text)

    monkeypatch.setattr(essay_map, "fontMetrics", lambda: ObservedMetrics(essay_map.font()))
    with qtbot.waitSignal(essay_map.hovered):
        qtbot.mouseMove(essay_map, cell_centre(essay_map, 1, 5))
    essay_map.grab()
    assert not measured
    essay_map.show_class(picture_of())
    assert measured == list(picture_of().labels)  # so they would have been noticed


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_each_tenth_of_a_share_differs_from_the_next_one_and_from_none(theme: Theme) -> None:
    places = (np.sqrt(np.linspace(0, 1, 11)) * HEAT_SCALE).round().astype(int)
    *shares, none = (f"#{colour & 0xFFFFFF:06x}" for colour in palette(theme)[[*places, -1]].tolist())
    assert min(distance(*each) for each in pairwise(shares)) > 5
    assert min(distance(each, none) for each in shares[1:]) > 20


def test_that_an_essay_is_struck_out_beside_itself(essay_map: EssayMap) -> None:
    own = essay_map.grab().toImage().pixelColor(cell_centre(essay_map, 2, 2)).name()
    assert distance(own, current_theme().background) > 20


def test_that_similar_essays_are_neighbours_in_the_heatmap(essay_map: EssayMap) -> None:
    order = picture_of().order.tolist()
    assert set(order[:3]) == {0, 3, 4}
    assert set(order[3:5]) == {1, 5}
    assert order[5] == 2


def test_that_a_click_chooses_the_pair_of_the_cell_and_a_second_one_opens_it(
    essay_map: EssayMap, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(essay_map.pair_chosen) as chosen:
        click_at(essay_map, qtbot, cell_centre(essay_map, 3, 0))
    assert chosen.args == [3, 0]
    with qtbot.waitSignal(essay_map.pair_opened) as opened:
        qtbot.mouseDClick(essay_map, LEFT_BUTTON, pos=cell_centre(essay_map, 1, 5))
    assert opened.args == [1, 5]


def test_that_a_click_among_tiny_cells_chooses_the_highest_share_nearby(
    essay_map: EssayMap, qtbot: QtBot
) -> None:
    essay_map.show_class(picture_of(200))
    assert essay_map._geometry.rows.cell_px < 2
    with qtbot.waitSignal(essay_map.pair_chosen) as chosen:
        click_at(essay_map, qtbot, cell_centre(essay_map, 3, 0) + QPoint(2, 2))
    assert sorted(chosen.args) == [0, 3]


def test_that_names_and_both_shares_are_said_of_the_hovered_cell(essay_map: EssayMap, qtbot: QtBot) -> None:
    with qtbot.waitSignal(essay_map.hovered) as hovered:
        qtbot.mouseMove(essay_map, cell_centre(essay_map, 0, 3))
    assert hovered.args == ["王伟 52% · 刘洋 41%"]


def test_that_a_possibly_rewritten_pair_is_dotted_and_said(essay_map: EssayMap, qtbot: QtBot) -> None:
    essay_map.show_class(with_rewritten(picture_of(), (1, 2)))
    place, other = cell_centre(essay_map, 1, 2), cell_centre(essay_map, 0, 1)
    colours = [essay_map.grab().toImage().pixelColor(each).name() for each in (place, other)]
    assert colours[0] == current_theme().passages[PassageKind.MEANING].ink != colours[1]
    essay_map.show_chosen({13})  # whose row and column are outlined, not covered
    assert essay_map.grab().toImage().pixelColor(cell_centre(essay_map, 2, 4)).name() != colours[0]
    with qtbot.waitSignal(essay_map.hovered) as hovered:
        qtbot.mouseMove(essay_map, place)
    assert hovered.args == ["李芳 1% · 张敏 1% · possibly rewritten"]
    qtbot.keyClick(essay_map, Qt.Key.Key_T)
    [dialog] = essay_map.findChildren(PictureTableDialog)
    order = picture_of().order.tolist()
    index = dialog.view.model().index(order.index(2), order.index(1))
    assert index.data() == "1% · possibly rewritten"
    assert dialog.view.fontMetrics().horizontalAdvance(index.data()) < dialog.view.columnWidth(0)
    dialog.reject()


def test_that_arrow_keys_move_a_cursor_that_space_chooses_and_enter_opens(
    essay_map: EssayMap, qtbot: QtBot
) -> None:
    order = picture_of().order.tolist()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(essay_map, key)
    with qtbot.waitSignal(essay_map.pair_chosen) as chosen:
        qtbot.keyClick(essay_map, Qt.Key.Key_Space)
    assert chosen.args == [order[1], order[2]]
    with qtbot.waitSignal(essay_map.pair_opened) as opened:
        qtbot.keyClick(essay_map, Qt.Key.Key_Return)
    assert opened.args == [order[1], order[2]]
    names = picture_of().labels
    assert names[order[1]] in essay_map.accessibleDescription()


def test_that_the_cursor_stays_at_its_pair_when_the_order_changes(essay_map: EssayMap, qtbot: QtBot) -> None:
    click_at(essay_map, qtbot, cell_centre(essay_map, 1, 5))
    other = picture_of()
    other.figures.left_in_right[:] = 0.9  # all are one group now
    essay_map.show_class(other)
    with qtbot.waitSignal(essay_map.pair_opened) as opened:
        qtbot.keyClick(essay_map, Qt.Key.Key_Return)
    assert opened.args == [1, 5]


def test_that_wheel_and_keys_zoom_and_zero_shows_all(essay_map: EssayMap, qtbot: QtBot) -> None:
    essay_map.show_class(picture_of())
    whole = essay_map._geometry.rows.cell_px
    assert whole * 6 == pytest.approx(essay_map._map_rect.width(), abs=1)
    qtbot.keyClick(essay_map, Qt.Key.Key_Plus)
    zoomed = essay_map._geometry.rows.cell_px
    assert zoomed > whole
    qtbot.keyClick(essay_map, Qt.Key.Key_0)
    assert essay_map._geometry.rows.cell_px == whole


def test_that_a_zoomed_map_is_as_wide_as_the_view(essay_map: EssayMap, qtbot: QtBot) -> None:
    essay_map.resize(640, 200)
    essay_map.show_class(picture_of(80))
    whole = essay_map._map_rect
    assert whole.width() == whole.height() >= 190
    assert abs(whole.center().x() - 320) <= 1
    click_at(essay_map, qtbot, cell_centre(essay_map, 3, 0))
    for _step in range(20):
        qtbot.keyClick(essay_map, Qt.Key.Key_Plus)
    assert essay_map._map_rect.width() >= 640 - 144 - 12
    assert essay_map._map_rect.right() >= 630
    with qtbot.waitSignal(essay_map.pair_chosen) as chosen:
        click_at(essay_map, qtbot, cell_centre(essay_map, 0, 3))
    assert chosen.args == [0, 3]
    qtbot.keyClick(essay_map, Qt.Key.Key_0)
    assert essay_map._map_rect == whole


def test_that_the_diagonal_chooses_one_essay(essay_map: EssayMap, qtbot: QtBot) -> None:
    with qtbot.waitSignal(essay_map.pair_chosen) as chosen:
        click_at(essay_map, qtbot, cell_centre(essay_map, 2, 2))
    assert chosen.args == [2, 2]
    with qtbot.assertNotEmitted(essay_map.pair_opened):
        qtbot.keyClick(essay_map, Qt.Key.Key_Return)


def test_that_the_focus_is_seen(essay_map: EssayMap, qtbot: QtBot) -> None:
    assert looks_different_with_focus(essay_map, qtbot)
    assert essay_map.accessibleName()
