"""SVG charts and text tables: ticks, positions of values, escaping of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from simcompare.evaluation.experiment import Chart, Series, render_svg, tick_values
from simcompare.report.pair_tables import elided, terminal_width, text_table

SVG = "{http://www.w3.org/2000/svg}"


@given(st.floats(1e-6, 1e9))
def test_that_ticks_are_few_evenly_spaced_and_reach_the_highest_value(top):
    ticks = tick_values(top)
    assert ticks[0] == 0
    assert ticks[-1] >= top * (1 - 1e-6)
    assert ticks[-2] < top
    assert 3 <= len(ticks) <= 7
    assert all(tick == pytest.approx(ticks[1] * i) for i, tick in enumerate(ticks))


def test_that_shares_have_ticks_up_to_1():
    assert tick_values(1.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert tick_values(0) == [0, 1]


def panels_of(*charts):
    return etree.fromstring(render_svg(charts).encode()).findall(f"{SVG}g")


def test_that_the_height_of_a_bar_is_proportional_and_missing_values_have_no_bar():
    series = (Series("one", (0.5, None)), Series("two", (1.0, 0.0)))
    (panel,) = panels_of(Chart("Recall", "group", "Recall", ("a", "b"), series, "bars", top=1.0))
    bars = [rect for rect in panel.findall(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    assert [bar[0].text for bar in bars] == ["one, a: 0.5", "two, a: 1", "two, b: 0"]
    heights = [float(bar.get("height")) for bar in bars]
    assert heights == pytest.approx([heights[1] / 2, heights[1], 0])
    assert len({bar.get("fill") for bar in bars}) == 2


def test_that_a_line_connects_its_values():
    chart = Chart("Time", "documents", "seconds", ("1", "2", "3"), (Series("s", (1.0, None, 4.0)),), "lines")
    (panel,) = panels_of(chart)
    (line,) = panel.findall(f"{SVG}polyline")
    dots = [(dot.get("cx"), dot.get("cy")) for dot in panel.findall(f"{SVG}circle")]
    assert line.get("points") == " ".join(f"{x},{y}" for x, y in dots)
    assert len(dots) == 2


def test_that_there_are_two_charts_per_row():
    chart = Chart("Time", "x", "y", ("1",), (Series("s", (1.0,)),), "lines")
    transforms = [panel.get("transform") for panel in panels_of(chart, chart, chart)]
    assert len(set(transforms)) == 3
    assert transforms[2].startswith("translate(0 ")


def test_that_names_are_escaped():
    name = '<a href="x">&\x1b\u202e'
    (panel,) = panels_of(Chart(name, name, name, (name,), (Series(name, (1.0,)),), "bars"))
    assert panel.findall(f"{SVG}text")[0].text == '<a href="x">&␛[U+202E]'
    assert panel.findall(f".//{SVG}a") == []


def test_that_columns_with_chinese_and_english_are_aligned():
    table = text_table([["Group", "one", "two"], ["石桥", "0.5", "—"], ["a river", "1.000", "0.25"]])
    assert table.split("\n") == [
        "Group       one    two",
        "石桥        0.5      —",
        "a river   1.000   0.25",
    ]


@given(st.text(alphabet="abc石桥河（", max_size=20), st.integers(2, 15))
def test_that_a_shortened_name_fits_and_ends_with_an_ellipsis(text, width):
    short = elided(text, width)
    assert terminal_width(short) <= width
    assert short == text if terminal_width(text) <= width else short.endswith("…")
