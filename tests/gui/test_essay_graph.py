"""Graph of the similar essays of a class, through clicks and keys."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from simcompare.ui.cohort.overview.essay_graph import NODE_PX, EssayGraph
from simcompare.ui.style.theme import current_theme
from tests.gui.class_pictures import LEFT_BUTTON, click_at, picture_of, with_rewritten
from tests.gui.widgets import looks_different_with_focus, show_widget


@pytest.fixture
def graph(qtbot: QtBot, application_looks: None) -> EssayGraph:
    view = EssayGraph()
    show_widget(view, qtbot, 480, 300)
    view.show_class(picture_of())
    return view


def node_place(view: EssayGraph, document: int) -> QPoint:
    return view._point_of(document).toPoint()


def test_that_the_graph_shows_essays_linked_at_the_limit(graph: EssayGraph) -> None:
    assert graph.summary == "5 linked · 1 unlinked"
    graph.show_limit(0.4)
    assert graph.summary == "2 linked · 4 unlinked"


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
    assert graph.accessibleDescription() == "刘洋: 王伟 52%, 陈静 30%"


def test_that_possibly_rewritten_pairs_are_linked_by_a_dashed_line_without_a_share(
    graph: EssayGraph, qtbot: QtBot
) -> None:
    graph.show_class(with_rewritten(picture_of(), (2, 3)))
    assert graph.summary == "6 linked · dashed: rewritten?"
    with qtbot.waitSignal(graph.pair_chosen) as chosen:
        click_at(graph, qtbot, (node_place(graph, 2) + node_place(graph, 3)) / 2)
    assert sorted(chosen.args) == [2, 3]
    click_at(graph, qtbot, node_place(graph, 2))
    assert graph.accessibleDescription() == "张敏: 刘洋 possibly rewritten"


def test_that_names_of_nodes_do_not_overlap(graph: EssayGraph) -> None:
    points = sorted((round(y), round(x)) for x, y in graph._points.tolist())
    height = graph.fontMetrics().height()
    for first, second in pairwise(points):
        assert second[0] - first[0] >= height or abs(second[1] - first[1]) >= 40


@pytest.mark.parametrize(("width", "are_whole"), [(1000, True), (220, False)])
def test_that_names_are_whole_where_there_is_room_and_never_cover_each_other(
    graph: EssayGraph, qtbot: QtBot, width: int, are_whole: bool
) -> None:
    labels = tuple(f"{name} from the class of the next room" for name in picture_of().labels)
    graph.resize(width, 300)
    graph.show_class(replace(picture_of(), labels=labels))
    qtbot.wait(1)
    names = graph._names(graph.fontMetrics())
    assert all(text in labels for text, _box in names) == are_whole
    dots = [QRectF(x - NODE_PX, y - NODE_PX, 2 * NODE_PX, 2 * NODE_PX) for x, y in graph._points.tolist()]
    for place, (_text, box) in enumerate(names):
        others = [*dots[:place], *dots[place + 1 :], *(other for _name, other in names[:place])]
        assert not any(box.intersects(other) for other in others)


def test_that_the_link_of_a_cleared_pair_has_its_share_before_the_decision(graph: EssayGraph) -> None:
    picture = picture_of()
    none = np.where(picture.figures.left == 0, 0.0, picture.figures.larger)
    graph.show_class(replace(picture, after=replace(picture.after, left_in_right=none, right_in_left=none)))
    labels = [text for text, _box in graph._share_labels(graph.fontMetrics(), graph._edges()[::-1])]
    assert any(text.endswith("→ 0%") for text in labels)
    assert "0%" not in labels
    # of no concern as a whole, without passages that could be
    graph.show_class(replace(picture, is_fine=picture.figures.left == 0))
    labels = [text for text, _box in graph._share_labels(graph.fontMetrics(), graph._edges()[::-1])]
    assert any(text.endswith("% no concern") for text in labels)


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
        assert QRectF(graph.rect()).contains(box)


def test_that_a_share_stands_beside_its_edge(graph: EssayGraph) -> None:
    edges = graph._edges()[::-1]
    labels = graph._share_labels(graph.fontMetrics(), edges)
    assert labels
    middles = [(graph._point_of(first) + graph._point_of(second)) / 2 for first, second, _share in edges]
    assert not any(box.contains(middle) for _text, box in labels for middle in middles)


def test_that_a_limit_that_no_pair_reaches_is_said(graph: EssayGraph) -> None:
    with_nodes = graph.grab().toImage()
    graph.show_limit(0.9)
    assert graph.summary == "0 linked · 6 unlinked"
    assert graph.grab().toImage() != with_nodes


def test_that_the_focus_is_seen(graph: EssayGraph, qtbot: QtBot) -> None:
    assert looks_different_with_focus(graph, qtbot)
    assert graph.accessibleName()


def test_that_the_ring_of_the_cursor_is_gone_once_another_part_has_the_focus(
    graph: EssayGraph, qtbot: QtBot
) -> None:
    graph.clearFocus()
    before = graph.grab().toImage()
    click_at(graph, qtbot, node_place(graph, 3))
    assert graph.hasFocus()
    graph.clearFocus()
    assert graph.grab().toImage() == before


def test_that_a_line_is_seen_beside_the_letters_of_a_name(graph: EssayGraph) -> None:
    graph.show_class(replace(picture_of(), labels=tuple(f"{place} Bennett" for place in range(6))))
    image, surface = graph.grab().toImage(), QColor(current_theme().surface)
    names = graph._names(graph.fontMetrics())
    edges = [(graph._point_of(first), graph._point_of(second)) for first, second, _share in graph._edges()]
    crossed = hidden = 0
    for _name, box in names:
        for start, end in edges:
            steps = (start + (end - start) * part / 200 for part in range(1, 200))
            inside = [place.toPoint() for place in steps if box.contains(place)]
            crossed += len(inside)
            hidden += sum(image.pixelColor(place) == surface for place in inside)
    assert hidden <= crossed / 2
