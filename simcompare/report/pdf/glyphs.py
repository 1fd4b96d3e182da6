"""Glyphs as Qt shapes them, each with the text that it stands for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
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


def are_told_apart(runs: Sequence[QGlyphRun]) -> bool:
    """Whether each place in the text belongs to one run.

    Where a word needs several fonts, Qt (6.11) counts its places anew with each of them.
    """
    if len(runs) == 1:
        return True
    places = [run.stringIndexes() for run in runs]
    return len(set().union(*map(set, places))) == sum(len(set(some)) for some in places)


def clusters_of(runs: Sequence[QGlyphRun], all_runs: Sequence[QGlyphRun], line: QTextLine) -> list[Cluster]:
    """Return the clusters of some runs of a line."""
    starts = sorted({place for glyphs in all_runs for place in glyphs.stringIndexes()})
    ends = dict(pairwise([*starts, line.textStart() + line.textLength()]))
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
