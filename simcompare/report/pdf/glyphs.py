"""Glyphs as Qt shapes them, each with the text that it stands for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from PySide6.QtCore import QPointF
from PySide6.QtGui import QGlyphRun, QRawFont, QTextLine

from simcompare.report.pdf.canvas import Canvas
from simcompare.report.pdf.fonts import EmbeddedFont
from simcompare.report.pdf.runs import JOINER, LINE_BREAK, Style

UNDRAWN = f"{LINE_BREAK}{JOINER}\t\n"
EM = 1000
_SEEN_GAP = 4

Shaped = tuple[int, QPointF]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Glyphs that stand for a stretch of text together."""

    raw: QRawFont
    start: int
    end: int
    shaped: Sequence[Shaped]


def are_told_apart(places: Sequence[Sequence[int]]) -> bool:
    """Whether each place in the text belongs to one run; `places` are those of each run.

    Where a word needs several fonts, Qt (6.11) counts its places anew with each of them.
    """
    if len(places) == 1:
        return True
    return len(set().union(*places)) == sum(len(set(some)) for some in places)


def ends_of(places: Sequence[Sequence[int]], line: QTextLine) -> dict[int, int]:
    """Return where the text of each cluster of a line ends, by where it begins."""
    starts = sorted(set().union(*places))
    return dict(zip(starts, [*starts[1:], line.textStart() + line.textLength()], strict=True))


def clusters_of(runs: Sequence[QGlyphRun], ends: Mapping[int, int]) -> list[Cluster]:
    """Return the clusters of some runs of a line."""
    clusters: list[Cluster] = []
    for glyphs in runs:
        raw = glyphs.rawFont()
        found = zip(glyphs.stringIndexes(), glyphs.glyphIndexes(), glyphs.positions(), strict=True)
        for place, some in groupby(found, key=itemgetter(0)):
            shaped = [(glyph, point) for _place, glyph, point in some]
            clusters.append(Cluster(raw, place, ends[place], shaped))
    return clusters


def shared_out(text: str, shaped: Sequence[Shaped]) -> Iterator[tuple[str, Shaped]]:
    """Yield each glyph of a cluster with its share of the text: a character, the last one the rest.

    What is not drawn has its glyph at the end. A glyph beyond the text stands for a joiner: where a reader
    of the file finds nothing, it makes something up.
    """
    said = text.strip(UNDRAWN)
    shown = shaped[: max(len(shaped) - (len(text) - len(said)), 1)] if said else ()
    for number, glyph in enumerate(shown):
        share = said[number:] if number == len(shown) - 1 else said[number : number + 1]
        yield share or JOINER, glyph


def show(canvas: Canvas, face: EmbeddedFont, style: Style, origin: tuple[float, float], shown: str) -> None:
    """Show glyphs in a style; one without a colour takes room and is not shown."""
    if not style.colour:
        return
    canvas.text(
        *origin,
        face.name,
        style.size_pt,
        shown,
        colour=style.colour,
        thickened=style.is_bold and not face.is_bold,
    )


def row_of(face: EmbeddedFont, codes: Sequence[int], xs: Sequence[float], per_em: float) -> str:
    """Return glyphs, each `xs` from one origin, as strings and shifts.

    `per_em` are the thousandths of an em in a unit of xs. Done without a call a glyph: a long report has
    millions.
    """
    widths, digits = face.widths, face.code_digits
    parts = ["<"]
    at = xs[0] * per_em
    for code, x in zip(codes, xs, strict=True):
        gap = x * per_em - at
        if not -_SEEN_GAP < gap < _SEEN_GAP:
            shift = round(gap)
            parts.append(f">{-shift}<")
            at += shift
        parts.append(digits[code])
        at += widths[code]
    return "".join(parts) + ">"


class Pen:
    """Gathers glyphs that stand in a row in one style, and shows them at once."""

    def __init__(self, canvas: Canvas, face: EmbeddedFont, baseline: float) -> None:
        self._canvas = canvas
        self._face = face
        self._baseline = baseline
        self._parts: list[str] = []
        self._style = Style()
        self._start = self._next = self._fall = 0.0

    def show(self, glyph: int, text: str, style: Style, x: float, fall: float) -> None:
        """Add a glyph; `fall` is how far below the baseline it stands."""
        if style is not self._style or fall != self._fall or not self._parts:
            self.finish()
            self._start = self._next = x
            self._style, self._fall = style, fall
        gap = (x - self._next) * EM / style.size_pt
        if abs(gap) >= _SEEN_GAP:
            self._parts.append(f">{-gap:.0f}<")
            self._next += round(gap) * style.size_pt / EM
        code = self._face.code(glyph, text)
        self._parts.append(f"{code:04X}")
        self._next += self._face.widths[code] * style.size_pt / EM

    def finish(self) -> None:
        """Show what was gathered."""
        if not self._parts:
            return
        level = self._baseline - self._style.rise_pt + self._fall
        shown = f"<{''.join(self._parts)}>"
        show(self._canvas, self._face, self._style, (self._start, level), shown)
        self._parts = []
