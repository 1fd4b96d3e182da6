"""Texts set in lines by Qt, which knows scripts, line breaks and the fonts of the machine."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, pairwise
from operator import itemgetter, lt
from typing import cast

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QGlyphRun, QRawFont, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from simcompare.report.pdf.canvas import Canvas
from simcompare.report.pdf.fonts import UNITS_PER_POINT, EmbeddedFont, FontBook
from simcompare.report.pdf.runs import JOINER, LINE_BREAK, Measure, Run, Style

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


_UNDRAWN_PATTERN = re.compile(f"[{UNDRAWN}]")
_CHARACTERS_A_LAYOUT = 4_000
_ABOVE_BASELINE, _TINT_ABOVE, _TINT_BELOW = 0.36, 0.98, 0.32
_UNDERLINE_BELOW, _UNDERLINE_PT = 0.24, 0.9
_TAB_PT = 80
_WHOLE_RUN = QTextLayout.GlyphRunRetrievalFlag.RetrieveAll


class Typesetter:
    """Sets lines, and draws them with glyphs from one book of fonts."""

    def __init__(self, book: FontBook) -> None:
        self._book = book

    def lines(self, runs: Sequence[Run], measure: Measure) -> "list[TextLine]":
        """Return the lines of a paragraph."""
        lines: list[TextLine] = []
        rest = [run for run in runs if run.text]
        while rest:
            head, tail = _split(rest, _CHARACTERS_A_LAYOUT)
            layout = _SetLayout(self._book, head, measure, is_first=not lines)
            count = layout.line_count
            if tail and count > 1:
                # the last line is not full yet; it begins the next layout
                count -= 1
                tail = _split(rest, layout.start_of(count))[1]
            lines += [TextLine(layout, number) for number in range(count)]
            rest = tail
        return lines


def _split(runs: Sequence[Run], at: int) -> tuple[list[Run], list[Run]]:
    """Cut runs behind `at` characters."""
    head: list[Run] = []
    for number, run in enumerate(runs):
        if len(run.text) > at:
            before = [Run(run.text[:at], run.style, run.link, run.place)] if at else []
            after = Run(run.text[at:], run.style, run.link, "" if at else run.place)
            return [*head, *before], [after, *runs[number + 1 :]]
        head.append(run)
        at -= len(run.text)
    return head, []


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a layout."""

    layout: "_SetLayout"
    number: int

    @property
    def height_pt(self) -> float:
        """The way to the next line."""
        return self.layout.measure.leading_pt

    @property
    def width_pt(self) -> float:
        """The room its text takes, without spaces at the end."""
        return self.layout.width_pt(self.number)

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the line with its upper left corner at a point."""
        self.layout.draw(self.number, canvas, x, y)


class _SetLayout:
    """A stretch of a paragraph in lines. Places within it count in UTF-16, as Qt does."""

    def __init__(self, book: FontBook, runs: Sequence[Run], measure: Measure, *, is_first: bool) -> None:
        self.measure = measure
        self._book = book
        self._runs = runs
        self._text = "".join(run.text for run in runs)
        self._wide = self._text.encode("utf-16-le", "surrogatepass")
        self._is_plain = len(self._wide) == 2 * len(self._text)
        lengths = [len(run.text.encode("utf-16-le", "surrogatepass")) // 2 for run in runs]
        self._starts = [0, *accumulate(lengths)]
        self._layout = self._set(is_first=is_first)

    @property
    def line_count(self) -> int:
        return self._layout.lineCount()

    def width_pt(self, number: int) -> float:
        return self._layout.lineAt(number).naturalTextWidth() / UNITS_PER_POINT

    def start_of(self, number: int) -> int:
        """Return how many characters stand before a line."""
        start = self._layout.lineAt(number).textStart()
        return start if self._is_plain else len(self._between(0, start))

    def _between(self, start: int, end: int) -> str:
        if self._is_plain:
            return self._text[start:end]
        return self._wide[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")

    def _set(self, *, is_first: bool) -> QTextLayout:
        base = self._font(self._runs[0].style)
        layout = QTextLayout(self._text, base)
        layout.setTextOption(_option(is_centred=self.measure.is_centred))
        layout.setFormats(list(self._formats(base)))
        layout.beginLayout()
        indent = self.measure.indent_pt if is_first else 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth((self.measure.width_pt - indent) * UNITS_PER_POINT)
            line.setPosition(QPointF(indent * UNITS_PER_POINT, 0))
            indent = 0.0
        layout.endLayout()
        return layout

    def _font(self, style: Style) -> QFont:
        return self._book.font(
            self.measure.language, style.size_pt, is_bold=style.is_bold, is_fixed=style.is_fixed
        )

    def _formats(self, base: QFont) -> Iterator[QTextLayout.FormatRange]:
        for run, (start, end) in zip(self._runs, pairwise(self._starts), strict=True):
            font = self._font(run.style)
            if font is base:
                continue
            span = QTextLayout.FormatRange()
            span.start, span.length = start, end - start
            form = QTextCharFormat()
            form.setFont(font)
            span.format = form
            yield span

    def draw(self, number: int, canvas: Canvas, x: float, y: float) -> None:
        line = self._layout.lineAt(number)
        shares = self._runs_of(line)
        size = max(run.style.size_pt for run, _start, _end in shares)
        baseline = y + self.measure.leading_pt / 2 + _ABOVE_BASELINE * size
        for run, start, end in shares:
            self._draw_ground(canvas, line, run, (start, end), (x, baseline))
        clusters = self._draw_simple_runs(canvas, line, (x, baseline))
        self._draw_clusters(canvas, clusters, (x, baseline), line.y() + line.ascent())

    def _draw_simple_runs(
        self, canvas: Canvas, line: QTextLine, origin: tuple[float, float]
    ) -> "list[Cluster]":
        """Show what is simple of a line, and return the rest."""
        runs = line.glyphRuns(-1, -1, _WHOLE_RUN)
        places = [glyphs.stringIndexes() for glyphs in runs]
        if not are_told_apart(places):
            return self._clusters_one_by_one(line)
        ends = ends_of(places, line)
        rest = [
            glyphs
            for glyphs, starts in zip(runs, places, strict=True)
            if not self._draw_simple(canvas, glyphs, (starts, ends), origin)
        ]
        return clusters_of(rest, ends) if rest else []

    def _runs_of(self, line: QTextLine) -> list[tuple[Run, int, int]]:
        """Return the runs that a line shows, and where their share of it begins and ends."""
        first, last = line.textStart(), line.textStart() + line.textLength()
        at = bisect_right(self._starts, first) - 1
        found: list[tuple[Run, int, int]] = []
        while at < len(self._runs) and (self._starts[at] < last or not found):
            found.append((self._runs[at], max(first, self._starts[at]), min(last, self._starts[at + 1])))
            at += 1
        return found

    def _draw_ground(
        self, canvas: Canvas, line: QTextLine, run: Run, share: tuple[int, int], origin: tuple[float, float]
    ) -> None:
        """Draw what stands behind and under a run, and note where it leads."""
        style, (x, baseline) = run.style, origin
        if run.place:
            canvas.mark(baseline - 2 * style.size_pt, run.place)
        if not (style.tint or style.underline or run.link):
            return
        left, right = (_x_at(line, place) / UNITS_PER_POINT + x for place in share)
        top, height = baseline - _TINT_ABOVE * style.size_pt, (_TINT_ABOVE + _TINT_BELOW) * style.size_pt
        if style.tint:
            canvas.fill(left, top, right - left, height, style.tint)
        if style.underline:
            level = baseline + _UNDERLINE_BELOW * style.size_pt
            canvas.line(left, level, right - left, style.underline_colour, _UNDERLINE_PT, style.underline)
        if run.link:
            canvas.link(left, top - style.rise_pt, right - left, height, run.link)

    def _draw_simple(
        self,
        canvas: Canvas,
        glyphs: QGlyphRun,
        places: tuple[Sequence[int], Mapping[int, int]],
        origin: tuple[float, float],
    ) -> bool:
        """Show glyphs that stand for a stretch of text each, from left to right on one line, as most do.

        `places` are where the text of each begins, and where it ends. Returns False, and shows nothing, where
        the glyphs are not so simple.
        """
        starts, ends = places
        points = glyphs.positions()
        if not self._is_in_order(starts, ends) or len(set(map(QPointF.y, points))) > 1:
            return False
        raw = glyphs.rawFont()
        face = self._book.embedded(raw)
        codes = face.codes(glyphs.glyphIndexes(), self._texts_between(starts, ends))
        xs = list(map(QPointF.x, points))
        first = 0
        while first < len(codes):
            number = bisect_right(self._starts, starts[first]) - 1
            style, stop = self._runs[number].style, bisect_left(starts, self._starts[number + 1])
            shown = row_of(face, codes[first:stop], xs[first:stop], EM / raw.pixelSize())
            x = origin[0] + xs[first] / UNITS_PER_POINT
            show(canvas, face, style, (x, origin[1] - style.rise_pt), shown)
            first = stop
        return True

    def _is_in_order(self, starts: Sequence[int], ends: Mapping[int, int]) -> bool:
        """Whether each glyph stands for a stretch of text that is drawn, one behind the other."""
        return (
            self._is_plain
            and bool(starts)
            and all(map(lt, starts, starts[1:]))
            and _UNDRAWN_PATTERN.search(self._text, starts[0], ends[starts[-1]]) is None
        )

    def _texts_between(self, starts: Sequence[int], ends: Mapping[int, int]) -> Sequence[str]:
        first, end = starts[0], ends[starts[-1]]
        if end - first == len(starts):
            return self._text[first:end]
        return [self._text[start : ends[start]] for start in starts]

    def _clusters_one_by_one(self, line: QTextLine) -> "list[Cluster]":
        """Return the clusters of a line of which Qt does not say where the glyphs of some font stand."""
        clusters: list[Cluster] = []
        at, end = line.textStart(), line.textStart() + line.textLength()
        while at < end:
            after = min(max(self._layout.nextCursorPosition(at), at + 1), end)
            for glyphs in line.glyphRuns(at, after - at, _WHOLE_RUN):
                shaped = list(zip(glyphs.glyphIndexes(), glyphs.positions(), strict=True))
                if clusters and clusters[-1].shaped == shaped:  # both are of one ligature
                    at = clusters.pop().start
                clusters.append(Cluster(glyphs.rawFont(), at, after, shaped))
            at = after
        return clusters

    def _draw_clusters(
        self, canvas: Canvas, clusters: "Sequence[Cluster]", origin: tuple[float, float], level: float
    ) -> None:
        """Show glyphs each at its place: kerned, joined, from right to left, or none of their own."""
        for row in map(list, map(itemgetter(1), groupby(clusters, key=lambda cluster: id(cluster.raw)))):
            pen = Pen(canvas, self._book.embedded(row[0].raw), origin[1])
            for cluster in row:
                style = self._runs[bisect_right(self._starts, cluster.start) - 1].style
                text = self._between(cluster.start, cluster.end)
                for said, (glyph, point) in shared_out(text, cluster.shaped):
                    x, fall = point.x() / UNITS_PER_POINT, (point.y() - level) / UNITS_PER_POINT
                    pen.show(glyph, said, style, origin[0] + x, fall)
            pen.finish()


def _x_at(line: QTextLine, place: int) -> float:
    # Qt answers with the place as well, which its stubs do not know
    x, _place = cast(tuple[float, int], line.cursorToX(place))
    return x


@cache
def _option(*, is_centred: bool) -> QTextOption:
    option = QTextOption(Qt.AlignmentFlag.AlignHCenter if is_centred else Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setTabStopDistance(_TAB_PT * UNITS_PER_POINT)
    return option
