"""What a page shows besides lines of text: fingerprints, the matrix with its axes, samples of kinds."""

import base64
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simcompare.report.heat_picture import LIGHT, scale_colour
from simcompare.report.pdf.canvas import Canvas
from simcompare.report.pdf.file import PdfFile, dictionary
from simcompare.report.pdf.typesetting import TextLine
from simcompare.report.print_marks import BIT_DIFFERS, BIT_OFF, BIT_ON, MUTED, RULE

HEAT_PICTURE = "Heat"
_BIT_HEIGHT_PT, _STRIP_HEIGHT_PT = 9, 16
_TICK_PT, _TICK_WIDTH_PT = 3, 0.6
_SCALE_HEIGHT_PT = 7
_SCALE_STEPS = 48
# neighbours overlap, or their edges would show
_OVERLAP_PT = 0.2


@dataclass(frozen=True, slots=True)
class BitStrip:
    """The bits of a fingerprint; those in which the other differs are framed and a little higher."""

    bits: Sequence[tuple[bool, bool]]
    width_pt: float
    height_pt: float = _STRIP_HEIGHT_PT

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with its upper left corner at a point."""
        step = self.width_pt / len(self.bits)
        wide = step * 0.72
        top = y + (_STRIP_HEIGHT_PT - _BIT_HEIGHT_PT) / 2
        for place, (is_one, _differs) in enumerate(self.bits):
            canvas.fill(x + place * step, top, wide, _BIT_HEIGHT_PT, BIT_ON if is_one else BIT_OFF)
        for place, (_is_one, differs) in enumerate(self.bits):
            if differs:
                canvas.frame(x + place * step, top - 1.5, wide, _BIT_HEIGHT_PT + 3, BIT_DIFFERS, 0.9)


@dataclass(frozen=True, slots=True)
class HeatPicture:
    """The matrix: left sentences downwards, right sentences across. Ticks are of counts from 1."""

    size_pt: tuple[float, float]
    shape: tuple[int, int]
    row_labels: Sequence[tuple[int, TextLine]]
    column_labels: Sequence[tuple[int, TextLine]]
    label_room_pt: tuple[float, float]

    @property
    def height_pt(self) -> float:
        """The room it takes with the labels above it."""
        return self.size_pt[1] + self.label_room_pt[1]

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with the upper left corner of its labels at a point."""
        (width, height), (rows, columns) = self.size_pt, self.shape
        left, top = x + self.label_room_pt[0], y + self.label_room_pt[1]
        canvas.picture(left, top, width, height, HEAT_PICTURE)
        canvas.frame(left, top, width, height, RULE, 0.5)
        for count, label in self.column_labels:
            at = left + (count - 0.5) / columns * width
            canvas.fill(at - _TICK_WIDTH_PT / 2, top - _TICK_PT, _TICK_WIDTH_PT, _TICK_PT, MUTED)
            label.draw(canvas, at - label.width_pt / 2, top - _TICK_PT - label.height_pt)
        for count, label in self.row_labels:
            at = top + (count - 0.5) / rows * height
            canvas.fill(left - _TICK_PT, at - _TICK_WIDTH_PT / 2, _TICK_PT, _TICK_WIDTH_PT, MUTED)
            label.draw(canvas, left - _TICK_PT - 2 - label.width_pt, at - label.height_pt / 2)


@dataclass(frozen=True, slots=True)
class Scale:
    """The colours from nothing in common to all in common."""

    width_pt: float
    height_pt: float = _SCALE_HEIGHT_PT + 2

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with its upper left corner at a point."""
        step = self.width_pt / _SCALE_STEPS
        for place in range(_SCALE_STEPS):
            colour = scale_colour(LIGHT.stops, place / (_SCALE_STEPS - 1))
            canvas.fill(x + place * step, y, step + _OVERLAP_PT, _SCALE_HEIGHT_PT, colour)


@dataclass(frozen=True, slots=True)
class Gap:
    """Room between lines."""

    height_pt: float

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw nothing."""


def add_png(file: PdfFile, data_uri: str) -> int:
    """Add a PNG with a palette, as `heat_picture` makes it, to a file: both pack their rows alike."""
    chunks = dict(_chunks(base64.b64decode(data_uri.partition(",")[2])))
    columns, rows = struct.unpack(">II", chunks[b"IHDR"][:8])
    palette = chunks[b"PLTE"]
    entries = {
        "Type": b"/XObject",
        "Subtype": b"/Image",
        "Width": b"%d" % columns,
        "Height": b"%d" % rows,
        "BitsPerComponent": b"8",
        "ColorSpace": b"[/Indexed /DeviceRGB %d <%s>]" % (len(palette) // 3 - 1, palette.hex().encode()),
        "DecodeParms": dictionary({"Predictor": b"15", "Colors": b"1", "Columns": b"%d" % columns}),
    }
    return file.add_packed(chunks[b"IDAT"], entries)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12
