"""Histogram, heatmap and graph of a class, through clicks, drags and keys."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics
from pytestqt.qtbot import QtBot

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.cohort.unusual import ClassShares
from simcompare.support.i18n import set_language
from simcompare.ui.cohort.overview.class_words import range_in_words
from simcompare.ui.cohort.overview.essay_graph import EssayGraph
from simcompare.ui.cohort.overview.essay_map import EssayMap
from simcompare.ui.cohort.overview.histogram_panel import HistogramPanel
from simcompare.ui.cohort.overview.share_histogram import ShareHistogram
from simcompare.ui.state.cohort.class_filter import ShareRange, bin_range
from simcompare.ui.style.appearance import current_theme
from tests.gui.class_pictures import LEFT_BUTTON, cell_centre, click_at, picture_of
from tests.gui.widgets import looks_different_with_focus, show_widget


@pytest.fixture(autouse=True)
def english() -> None:
    set_language("en")


@pytest.fixture
def histogram(qtbot: QtBot, application_looks: None) -> ShareHistogram:
    view = ShareHistogram()
    show_widget(view, qtbot, 460, 180)
    view.show_class(picture_of())
    return view


@pytest.fixture
def essay_map(qtbot: QtBot, application_looks: None) -> EssayMap:
    view = EssayMap()
    show_widget(view, qtbot, 420, 300)
    view.show_class(picture_of())
    return view


@pytest.fixture
def graph(qtbot: QtBot, application_looks: None) -> EssayGraph:
    view = EssayGraph()
    show_widget(view, qtbot, 480, 300)
    view.show_class(picture_of())
    return view


def bar_place(view: ShareHistogram, share: float) -> QPoint:
    return QPoint(round(view.x_of(share)), view.height() // 2)


def node_place(view: EssayGraph, document: int) -> QPoint:
    return view._point_of(document).toPoint()


# --- names


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


# --- histogram


def test_that_the_limit_is_dragged_in_whole_percent(histogram: ShareHistogram, qtbot: QtBot) -> None:
    moved: list[float] = []
    chosen: list[float] = []
    histogram.limit_moved.connect(moved.append)
    histogram.limit_chosen.connect(chosen.append)
    qtbot.mousePress(histogram, LEFT_BUTTON, pos=bar_place(histogram, 0.12))
    for share in (0.2, 0.302):
        qtbot.mouseMove(histogram, bar_place(histogram, share))
    assert moved == [0.2, 0.3]
    assert chosen == []
    qtbot.mouseRelease(histogram, LEFT_BUTTON, pos=bar_place(histogram, 0.302))
    assert chosen == [0.3]
    assert histogram.limit == 0.3


def test_that_a_class_that_arrives_during_a_drag_leaves_the_limit_alone(
    histogram: ShareHistogram, qtbot: QtBot
) -> None:
    qtbot.mousePress(histogram, LEFT_BUTTON, pos=bar_place(histogram, 0.12))
    qtbot.mouseMove(histogram, bar_place(histogram, 0.4))
    histogram.show_class(picture_of())
    assert histogram.limit == 0.4
    qtbot.mouseRelease(histogram, LEFT_BUTTON, pos=bar_place(histogram, 0.4))


@pytest.mark.parametrize(
    ("key", "limit"),
    [
        (Qt.Key.Key_Right, 0.13),
        (Qt.Key.Key_Left, 0.11),
        (Qt.Key.Key_PageUp, 0.22),
    ],
)
def test_that_keys_move_the_limit(histogram: ShareHistogram, qtbot: QtBot, key: Qt.Key, limit: float) -> None:
    with qtbot.waitSignal(histogram.limit_chosen) as chosen:
        qtbot.keyClick(histogram, key)
    assert chosen.args == [limit]


def test_that_home_returns_to_the_proposed_limit_and_end_does_not_jump(
    histogram: ShareHistogram, qtbot: QtBot
) -> None:
    qtbot.keyClick(histogram, Qt.Key.Key_PageUp)
    with qtbot.assertNotEmitted(histogram.limit_chosen):
        qtbot.keyClick(histogram, Qt.Key.Key_End)
    assert histogram.limit == 0.22
    with qtbot.waitSignal(histogram.limit_chosen) as chosen:
        qtbot.keyClick(histogram, Qt.Key.Key_Home)
    assert chosen.args == [None]
    assert histogram.limit == 0.12


def test_that_limit_and_bars_are_described(histogram: ShareHistogram, qtbot: QtBot) -> None:
    for _step in range(9):
        qtbot.keyClick(histogram, Qt.Key.Key_PageUp)
    words = histogram.accessibleDescription().splitlines()
    assert words[0] == "0 pairs at 100 % or more"
    assert words[1:-1] == [
        "0 to 1.9 %: 11 pairs",
        "6 to 7.9 %: 1 pair",
        "20 to 21 %: 1 pair",
        "30 to 31 %: 1 pair",
        "52 to 53 %: 1 pair",
    ]


def test_that_a_click_on_a_bar_lists_its_pairs_and_again_all(histogram: ShareHistogram, qtbot: QtBot) -> None:
    with qtbot.waitSignal(histogram.range_chosen) as chosen:
        click_at(histogram, qtbot, bar_place(histogram, 0.53))
    assert chosen.args == [ShareRange(0.52, 0.54)]
    histogram.show_chosen(ShareRange(0.52, 0.54))
    with qtbot.waitSignal(histogram.range_chosen) as chosen:
        click_at(histogram, qtbot, bar_place(histogram, 0.53))
    assert chosen.args == [None]
    with qtbot.assertNotEmitted(histogram.range_chosen):
        click_at(histogram, qtbot, bar_place(histogram, 0.75))  # no pair is there


def test_that_a_bar_lists_the_pairs_that_it_counts() -> None:
    figures = picture_of().figures
    figures.left_in_right[:4] = 0.117, 0.1349, 0.0796, 1
    counts = [int(bin_range(number).holds(figures.larger).sum()) for number in range(BIN_COUNT)]
    assert counts == figures.histogram.tolist()
    assert bin_range(6).holds(figures.larger).tolist()[:4] == [True, True, False, False]
    assert [range_in_words(bin_range(number)) for number in (4, 6, 49)] == [
        "8 to 9.9 %",
        "12 to 13 %",
        "98 % or more",
    ]


def test_that_enter_lists_the_pairs_above_the_limit(histogram: ShareHistogram, qtbot: QtBot) -> None:
    with qtbot.waitSignal(histogram.range_chosen) as chosen:
        qtbot.keyClick(histogram, Qt.Key.Key_Return)
    assert chosen.args == [ShareRange(0.12)]


@pytest.mark.parametrize("limit", [0.2, 0.21, 0.22])
def test_that_the_limit_divides_the_colours_of_the_bars(
    histogram: ShareHistogram, qtbot: QtBot, limit: float
) -> None:
    qtbot.mousePress(histogram, LEFT_BUTTON, pos=bar_place(histogram, 0.12))
    qtbot.mouseMove(histogram, bar_place(histogram, limit))
    qtbot.mouseRelease(histogram, LEFT_BUTTON, pos=bar_place(histogram, limit))
    image, foot = histogram.grab().toImage(), histogram._area.bottom() - 1
    colours = [image.pixelColor(round(histogram.x_of(share)), foot).name() for share in (0.204, 0.216)]
    accent = QColor(current_theme().accent).name()
    assert [colour == accent for colour in colours] == [limit < 0.205, limit < 0.215]


def test_that_a_single_pair_is_visible_beside_thousands(histogram: ShareHistogram) -> None:
    many = picture_of()
    many.figures.histogram[0] = 40_000
    histogram.show_class(many)
    assert histogram._height_of(1, histogram._area) >= 3
    assert histogram._height_of(0, histogram._area) == 0
    assert histogram._height_of(40_000, histogram._area) <= histogram._area.height() + 1


# --- heatmap


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
    assert hovered.args == ["王伟 52 % · 刘洋 41 %"]


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


# --- graph


def test_that_the_graph_shows_essays_linked_at_the_limit(graph: EssayGraph) -> None:
    assert graph.summary == "5 essays linked · 1 without a link"
    graph.show_limit(0.4)
    assert graph.summary == "2 essays linked · 4 without a link"


def test_that_a_click_on_a_node_or_its_name_chooses_the_essay(graph: EssayGraph, qtbot: QtBot) -> None:
    for beside in (QPoint(0, 0), QPoint(0, 14)):
        with qtbot.waitSignal(graph.essay_chosen) as chosen:
            click_at(graph, qtbot, node_place(graph, 4) + beside)
        assert chosen.args == [4]


def test_that_a_click_on_an_edge_chooses_the_pair_and_two_open_it(graph: EssayGraph, qtbot: QtBot) -> None:
    middle = (node_place(graph, 1) + node_place(graph, 5)) / 2
    with qtbot.waitSignal(graph.pair_chosen) as chosen:
        click_at(graph, qtbot, middle)
    assert sorted(chosen.args) == [1, 5]
    with qtbot.waitSignal(graph.pair_opened) as opened:
        qtbot.mouseDClick(graph, LEFT_BUTTON, pos=middle)
    assert sorted(opened.args) == [1, 5]


def test_that_arrow_keys_reach_every_node_and_enter_chooses_it(graph: EssayGraph, qtbot: QtBot) -> None:
    reached = set()
    graph.essay_chosen.connect(reached.add)
    keys = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up)
    for turn in range(5):
        for key in (*keys[turn % 4 :], *keys[: turn % 4]):
            qtbot.keyClick(graph, key)
            qtbot.keyClick(graph, Qt.Key.Key_Return)
    assert reached == {0, 1, 3, 4, 5}


def test_that_a_node_is_described_with_those_that_it_is_linked_with(graph: EssayGraph, qtbot: QtBot) -> None:
    click_at(graph, qtbot, node_place(graph, 3))
    assert graph.accessibleDescription() == "刘洋: 王伟 52 %, 陈静 30 %"


def test_that_names_of_nodes_do_not_overlap(graph: EssayGraph) -> None:
    points = sorted((round(y), round(x)) for x, y in graph._points.tolist())
    height = graph.fontMetrics().height()
    for first, second in pairwise(points):
        assert second[0] - first[0] >= height or abs(second[1] - first[1]) >= 40


@pytest.mark.parametrize("width", [220, 300, 480])
def test_that_shares_cover_neither_names_nor_nodes_nor_each_other(
    graph: EssayGraph, qtbot: QtBot, width: int
) -> None:
    graph.show_limit(0.04)
    graph.resize(width, 160)
    qtbot.wait(1)
    metrics = graph.fontMetrics()
    shares = [box for _text, box in graph._share_labels(metrics, graph._edges()[::-1])]
    names = [box for _text, box in graph._names(metrics)]
    for place, box in enumerate(shares):
        assert not any(box.intersects(other) for other in [*names, *shares[:place]])


def test_that_a_limit_that_no_pair_reaches_is_said(graph: EssayGraph) -> None:
    with_nodes = graph.grab().toImage()
    graph.show_limit(0.9)
    assert graph.summary == "0 essays linked · 6 without a link"
    assert graph.grab().toImage() != with_nodes


@pytest.mark.parametrize("name", ["histogram", "essay_map", "graph"])
def test_that_the_focus_is_seen(name: str, qtbot: QtBot, request: pytest.FixtureRequest) -> None:
    view = request.getfixturevalue(name)
    assert looks_different_with_focus(view, qtbot)
    assert view.accessibleName()


def test_that_the_rate_of_false_alarms_has_the_height_of_its_lines(qtbot: QtBot) -> None:
    panel = HistogramPanel()
    show_widget(panel, qtbot, 900, 500)
    panel.show_class(picture_of(), ClassShares(picture_of().figures.larger))
    heights = []
    for width in (900, panel.minimumSizeHint().width(), 900):
        panel.resize(width, 500)
        heights.append(panel.alarms.minimumHeight())
    assert heights[0] == heights[2] < heights[1]
