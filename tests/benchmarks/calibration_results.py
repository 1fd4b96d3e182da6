"""Results of the calibration: table and plot of the reported share over the true share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

FRACTIONS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


@dataclass(frozen=True)
class Measured:
    """Shares of one suspicious text: of its counted units, of all, and of the counted ones in matches."""

    true: float
    share: float
    true_raw: float
    raw_share: float
    sentence_share: float


Results = dict[str, dict[int, list[Measured]]]


def mean_error(cell: Iterable[Measured]) -> float:
    """Mean absolute error in points of 100."""
    return 100 * fmean(abs(m.share - m.true) for m in cell)


def mean_raw_error(cell: Iterable[Measured]) -> float:
    """Mean absolute error of the share without exclusions."""
    return 100 * fmean(abs(m.raw_share - m.true_raw) for m in cell)


def table(results: Results, unrelated: Sequence[float]) -> str:
    """Make the Markdown table: median share and, in brackets, mean absolute error by kind and fraction."""
    lines = [
        "| kind | " + " | ".join(f"{percent}%" for percent in FRACTIONS) + " | largest | raw |",
        "|---|" + "--:|" * (len(FRACTIONS) + 2),
    ]
    for label, cells in results.items():
        shown = [
            f"{100 * median(m.share for m in cell):.1f} ({mean_error(cell):.1f})" for cell in cells.values()
        ]
        shown += [f"{max(map(error, cells.values())):.1f}" for error in (mean_error, mean_raw_error)]
        lines.append(f"| {label} | {' | '.join(shown)} |")
    above = sum(share > 0.02 for share in unrelated)
    return (
        "Median share after exclusions and mean absolute error in points; the largest error of a cell, and"
        " that of the share without exclusions.\n\n"
        + "\n".join(lines)
        + f"\n\nOf {len(unrelated)} pairs without reuse {above} have a share above 2%;"
        + f" the greatest share is {100 * max(unrelated):.1f}%.\n"
    )


_COLUMNS, _SIDE, _GAP_X, _GAP_Y, _LEFT, _TOP = 4, 150, 34, 56, 44, 62
_STYLE = """
text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}.small{font-size:10px;fill:#59636e}
.page{fill:#fff}.frame{fill:none;stroke:#d1d9e0}.true{stroke:#818b98;stroke-dasharray:3 3;fill:none}
.band{fill:#0969da;opacity:.2}.share{stroke:#0969da;stroke-width:2;fill:none}
.sentences{stroke:#bc4c00;stroke-width:1.5;fill:none;stroke-dasharray:6 2}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.small{fill:#9198a1}.page{fill:#0d1117}
.frame{stroke:#3d444d}.true{stroke:#9198a1}.band{fill:#4493f8}.share{stroke:#4493f8}.sentences{stroke:#f0883e}}
"""


def plot(results: Results) -> str:
    """Draw one panel for each kind: reported share over true share, as SVG that follows the colour scheme."""
    rows = -(-len(results) // _COLUMNS)
    width = _LEFT + _COLUMNS * (_SIDE + _GAP_X)
    height = _TOP + rows * (_SIDE + _GAP_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>Reported share over true share, by kind of reuse</title>'
        f'<style>{_STYLE}</style><rect class="page" width="{width}" height="{height}"/>',
        _legend(),
    ]
    for place, (label, cells) in enumerate(results.items()):
        row, column = divmod(place, _COLUMNS)
        x, y = _LEFT + column * (_SIDE + _GAP_X), _TOP + row * (_SIDE + _GAP_Y)
        parts.append(f'<g transform="translate({x} {y})">{_panel(label, cells)}</g>')
    return "\n".join([*parts, "</svg>\n"])


def _legend() -> str:
    entries = (
        ("share", "share (median; tinted: 10th to 90th percentile)"),
        ("sentences", "matched sentences only"),
        ("true", "true share"),
    )
    shown = []
    for (name, label), x in zip(entries, (_LEFT, _LEFT + 330, _LEFT + 520), strict=True):
        shown.append(f'<path class="{name}" d="M{x} 20h26"/><text x="{x + 32}" y="24">{label}</text>')
    axes = "across: true share, up: reported share, in %"
    return "".join(shown) + f'<text class="small" x="{_LEFT}" y="40">{axes}</text>'


def _panel(label: str, cells: dict[int, list[Measured]]) -> str:
    def at(percent: float, share: float) -> str:
        return f"{percent / 100 * _SIDE:.1f} {(1 - share) * _SIDE:.1f}"

    def line(points: Iterable[str]) -> str:
        return "M" + "L".join(points)

    shares = {percent: sorted(m.share for m in cell) for percent, cell in cells.items()}
    lower = [at(p, values[round(0.1 * (len(values) - 1))]) for p, values in shares.items()]
    upper = [at(p, values[round(0.9 * (len(values) - 1))]) for p, values in shares.items()]
    share = line(at(p, median(values)) for p, values in shares.items())
    sentences = line(at(p, median(m.sentence_share for m in cell)) for p, cell in cells.items())
    ticks = "".join(
        f'<text class="small" x="{t / 100 * _SIDE:.0f}" y="{_SIDE + 14}" text-anchor="middle">{t}</text>'
        f'<text class="small" x="-5" y="{(1 - t / 100) * _SIDE + 4:.0f}" text-anchor="end">{t}</text>'
        for t in (0, 50, 100)
    )
    return (
        f'<text y="-8">{label}</text><rect class="frame" width="{_SIDE}" height="{_SIDE}"/>{ticks}'
        f'<path class="band" d="{line([*lower, *reversed(upper)])}Z"/>'
        f'<path class="true" d="M0 {_SIDE}L{_SIDE} 0"/>'
        f'<path class="sentences" d="{sentences}"/><path class="share" d="{share}"/>'
    )
