"""Charts in one SVG image: grouped bars and lines, with axes and legends."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from simcompare.report.csv_text import elided, terminal_width
from simcompare.support.display_text import escape_invisible
from simcompare.support.resources import resource_path

_CHARTS_PER_ROW = 2
_PANEL_WIDTH, _PANEL_HEIGHT = 560, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 80, 92
_PLOT_WIDTH = _PANEL_WIDTH - _LEFT - _RIGHT
_PLOT_HEIGHT = _PANEL_HEIGHT - _TOP - _BOTTOM
_LEGEND_LINE = 16
_PIXELS_PER_COLUMN = 6.2
_MOST_LABEL_WIDTH = 16
_MOST_TICKS = 6
# Paul Tol's "muted" palette, safe for colour blindness; the most distant colours come first.
_COLOURS = (
    "#332288", "#cc6677", "#117733", "#88ccee", "#ddaa33", "#882255", "#44aa99", "#999933", "#aa4499",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or the bars of one colour; a value may be None."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart of categories along the x axis; the y axis ends at `top`, or above the largest value."""

    title: str
    x_label: str
    y_label: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    kind: Literal["bars", "lines"]
    top: float | None = None


def render_svg(charts: Sequence[Chart]) -> str:
    """Render the charts, two per row, on a white background."""
    rows = -(-len(charts) // _CHARTS_PER_ROW)
    return _template().render(
        width=_PANEL_WIDTH * min(len(charts), _CHARTS_PER_ROW),
        height=_PANEL_HEIGHT * rows,
        panels=[_panel(chart, number) for number, chart in enumerate(charts)],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: escape_invisible(value) if isinstance(value, str) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("plot.svg.j2")


def _panel(chart: Chart, number: int) -> dict[str, Any]:
    values = [value for series in chart.series for value in series.values if value is not None]
    ticks = tick_values(chart.top or max(values, default=0))
    slot = _PLOT_WIDTH / max(len(chart.categories), 1)
    labels = [elided(category, _MOST_LABEL_WIDTH) for category in chart.categories]
    return {
        "x": number % _CHARTS_PER_ROW * _PANEL_WIDTH,
        "y": number // _CHARTS_PER_ROW * _PANEL_HEIGHT,
        "chart": chart,
        "left": _LEFT,
        "right": _PANEL_WIDTH - _RIGHT,
        "middle": _LEFT + _PLOT_WIDTH / 2,
        "top": _TOP,
        "bottom": _TOP + _PLOT_HEIGHT,
        "height": _PANEL_HEIGHT,
        "ticks": [(_y(tick, ticks[-1]), f"{tick:g}") for tick in ticks],
        "slanted": any(terminal_width(label) * _PIXELS_PER_COLUMN > slot for label in labels),
        "categories": [(_x(index, slot), label) for index, label in enumerate(labels)],
        "legend": list(_legend(chart.series)),
        "bars": list(_bars(chart, slot, ticks[-1])) if chart.kind == "bars" else [],
        "lines": list(_lines(chart, slot, ticks[-1])) if chart.kind == "lines" else [],
    }


def tick_values(top: float) -> list[float]:
    """Return evenly spaced round numbers from 0 to `top` or just above it."""
    if top <= 0:
        return [0.0, 1.0]
    magnitude = 10 ** math.floor(math.log10(top / _MOST_TICKS))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude * _MOST_TICKS >= top * (1 - 1e-9))
    return [step * i for i in range(math.ceil(top / step * (1 - 1e-9)) + 1)]


def _x(index: int, slot: float) -> float:
    return round(_LEFT + (index + 0.5) * slot, 1)


def _y(value: float, top: float) -> float:
    return round(_TOP + _PLOT_HEIGHT * (1 - value / top), 1)


def _bars(chart: Chart, slot: float, top: float) -> Iterator[dict[str, Any]]:
    width = slot * 0.8 / len(chart.series)
    for number, series in enumerate(chart.series):
        for index, value in enumerate(series.values):
            if value is None:
                continue
            y = _y(value, top)
            yield {
                "x": round(_LEFT + (index + 0.1) * slot + number * width, 1),
                "y": y,
                "width": round(width * 0.92, 1),
                "height": round(_TOP + _PLOT_HEIGHT - y, 1),
                "colour": _colour(number),
                "tooltip": _tooltip(chart, series, index, value),
            }


def _lines(chart: Chart, slot: float, top: float) -> Iterator[dict[str, Any]]:
    for number, series in enumerate(chart.series):
        dots = [
            (_x(index, slot), _y(value, top), _tooltip(chart, series, index, value))
            for index, value in enumerate(series.values)
            if value is not None
        ]
        yield {
            "points": " ".join(f"{x},{y}" for x, y, _ in dots),
            "dots": dots,
            "colour": _colour(number),
        }


def _tooltip(chart: Chart, series: Series, index: int, value: float) -> str:
    return f"{series.label}, {chart.categories[index]}: {value:.3g}"


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _legend(series: Sequence[Series]) -> Iterator[dict[str, Any]]:
    """Yield the entries with positions, in as many lines below the title as needed."""
    x, y = float(_LEFT), 44
    for number, entry in enumerate(series):
        width = 18 + terminal_width(entry.label) * _PIXELS_PER_COLUMN + 14
        if x + width > _PANEL_WIDTH and x > _LEFT:
            x, y = float(_LEFT), y + _LEGEND_LINE
        yield {"x": round(x, 1), "y": y, "label": entry.label, "colour": _colour(number)}
        x += width
