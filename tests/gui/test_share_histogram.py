"""Histogram of the shares of a class, through clicks, drags and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.cohort.pair_scores import ClassShares
from simcompare.ui.cohort.overview.class_words import MeaningSearch, range_in_words
from simcompare.ui.cohort.overview.histogram_panel import HistogramPanel, ShareHistogram
from simcompare.ui.state.cohort.class_filter import ShareRange, bin_range
from simcompare.ui.style.theme import current_theme
from tests.gui.class_pictures import LEFT_BUTTON, click_at, picture_of
from tests.gui.widgets import looks_different_with_focus, show_widget


@pytest.fixture
def histogram(qtbot: QtBot, application_looks: None) -> ShareHistogram:
    view = ShareHistogram()
    show_widget(view, qtbot, 460, 180)
    view.show_class(picture_of())
    return view


def bar_place(view: ShareHistogram, share: float) -> QPoint:
    return QPoint(round(view.x_of(share)), view.height() // 2)


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


def test_that_its_heading_is_whole_short_or_not_there(qtbot: QtBot, application_looks: None) -> None:
    panel = HistogramPanel()
    show_widget(panel, qtbot, 700, 300)
    panel.show_lead("Read 7 pairs · 7 min")
    words = set()
    for width in range(700, 200, -20):
        panel.resize(width, 300)
        words.add(panel.title._shortened())
    assert words <= {"How similar are the pairs?", "How similar?", ""}
    assert "How similar?" in words


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
    assert words[0] == "0 pairs at 100% or more"
    assert words[1:-1] == [
        "0 to 1.9%: 11 pairs",
        "6 to 7.9%: 1 pair",
        "20 to 21%: 1 pair",
        "30 to 31%: 1 pair",
        "52 to 53%: 1 pair",
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
        "8 to 9.9%",
        "12 to 13%",
        "98% or more",
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


def test_that_the_focus_is_seen(histogram: ShareHistogram, qtbot: QtBot) -> None:
    assert looks_different_with_focus(histogram, qtbot)
    assert histogram.accessibleName()


def test_that_the_verdict_stays_beside_an_offer_to_search_in_a_low_panel(qtbot: QtBot) -> None:
    panel = HistogramPanel()
    show_widget(panel, qtbot, 294, 228)
    panel.show_class(picture_of(), ClassShares(picture_of().figures.larger), search=MeaningSearch.NONE)
    for limit in (0.12, 0.9):
        panel.histogram._move_to(limit)
        assert panel.verdict.isVisible()
        assert panel.search_button.isVisible()
    assert panel.verdict.text() == "No pair is unusual: none reaches 90%."
    panel.layout().activate()
    assert panel.verdict.height() >= panel.verdict.heightForWidth(panel.verdict.width())


def test_that_the_rate_of_false_alarms_has_the_height_of_its_lines(qtbot: QtBot) -> None:
    panel = HistogramPanel()
    show_widget(panel, qtbot, 900, 500)
    panel.show_class(picture_of(), ClassShares(picture_of().figures.larger))
    heights = []
    for width in (900, panel.minimumSizeHint().width(), 900):
        panel.resize(width, 500)
        heights.append(panel.alarms.minimumHeight())
    assert heights[0] == heights[2] < heights[1]
