"""Comparison matrix as a small PNG, with its colours and axis ticks."""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import HEAT_SCALE, Comparison, HeatArray, MatchKind
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.support.arrays import BoolArray

MOST_CELLS_A_SIDE = 400
HEAT_LEVELS = 64
_EXCLUDED = HEAT_LEVELS + len(MatchKind)
"""The first palette index of cells of excluded sentences, which have heat only."""
_EXCLUDED_STRENGTH = 0.25
_LUMINANCE = np.array([0.299, 0.587, 0.114])
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class HeatColours:
    """Colours as #rrggbb: stops from P = 0 to P = 1, and of the levels from HEAT_LEVELS on.

    kinds: from number 0 without gaps; matched cells by their MatchKind.
    """

    stops: tuple[str, ...]
    kinds: Mapping[int, str]


LIGHT = HeatColours(
    ("#fafaf7", "#8cafd2", "#19325f"),
    {MatchKind.EXACT: "#b93042", MatchKind.EDITED: "#985500", MatchKind.SYNONYM: "#0f7277"},
)
DARK = HeatColours(
    ("#1d2026", "#2a4170", "#575d6d", "#8a8678", "#c4b56c"),
    {MatchKind.EXACT: "#ff98a3", MatchKind.EDITED: "#f0bd58", MatchKind.SYNONYM: "#62cdd0"},
)


def heat_levels(comparison: Comparison) -> NDArray[np.uint8]:
    """Return the palette index of each cell: heat, the kind of match, or heat of excluded sentences.

    Large matrices are pooled to at most MOST_CELLS_A_SIDE cells a side by maximum, so no single match is
    lost; of what is pooled, excluded sentences are shown only where no other is.
    """
    heat = comparison.matrix.heat
    step = -(-max(heat.shape) // MOST_CELLS_A_SIDE)
    kept = comparison.left_excluded.kept, comparison.right_excluded.kept
    counted, every = (
        _levels(_pooled(heat, step, *of)) for of in (kept, [np.ones_like(each) for each in kept])
    )
    rows, columns = (np.logical_or.reduceat(each, np.arange(0, len(each), step)) for each in kept)
    levels = np.where(np.logical_and.outer(rows, columns), counted, _EXCLUDED + every)
    cells = comparison.matches.cells
    kinds = HEAT_LEVELS + numbered_passages(comparison).kinds_of_matches(comparison).astype(np.uint16)
    np.maximum.at(levels, (cells.rows // step, cells.columns // step), kinds)
    return levels.astype(np.uint8)


def _levels(heat: HeatArray) -> NDArray[np.uint16]:
    return heat.astype(np.uint16) * (HEAT_LEVELS - 1) // HEAT_SCALE


def _pooled(heat: HeatArray, step: int, rows: BoolArray, columns: BoolArray) -> HeatArray:
    """Return the maximum of every square of `step` cells a side, in these rows and columns only."""
    return _strongest_rows(_strongest_rows(heat, step, rows).T, step, columns).T


def _strongest_rows(heat: HeatArray, step: int, counted: BoolArray) -> HeatArray:
    """Return the maximum of every `step` rows, with whole-row operations; rows that do not count are 0.

    numpy's maximum.reduceat gives the same 20 times slower, as it goes element by element.
    """
    strongest = heat[::step] * counted[::step, None]
    for first in range(1, min(step, len(heat))):
        rows = heat[first::step] * counted[first::step, None]
        np.maximum(strongest[: len(rows)], rows, out=strongest[: len(rows)])
    return strongest


def png(levels: NDArray[np.uint8], colours: HeatColours) -> bytes:
    """Encode palette indices of shape (rows, columns) as a PNG."""
    rows, columns = levels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)
    # each row starts with its filter type, 0 for none
    lines = np.pad(levels, ((0, 0), (1, 0))).tobytes()
    chunks = (
        _chunk(b"IHDR", header),
        _chunk(b"PLTE", _palette(colours)),
        _chunk(b"IDAT", _compressed(lines)),
        _chunk(b"IEND", b""),
    )
    return _SIGNATURE + b"".join(chunks)


@lru_cache(maxsize=1)  # a light and a dark picture differ in their palette
def _compressed(lines: bytes) -> bytes:
    return zlib.compress(lines, 9)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _palette(colours: HeatColours) -> bytes:
    kinds = [_rgb(colours.kinds[kind]) for kind in sorted(colours.kinds)]
    table = np.array([_rgb(stop) for stop in colours.stops], dtype=np.float64)
    places = np.linspace(0, len(colours.stops) - 1, HEAT_LEVELS)
    channels = [np.interp(places, np.arange(len(colours.stops)), table[:, channel]) for channel in range(3)]
    ramp = np.rint(np.stack(channels, axis=1))
    grey = np.repeat(ramp @ _LUMINANCE[:, None], 3, axis=1)
    excluded = ramp[0] + _EXCLUDED_STRENGTH * (grey - ramp[0])
    return bytes(np.rint(np.concatenate([ramp, np.array(kinds), excluded])).astype(np.uint8).tobytes())


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def ticks(count: int, most: int) -> list[int]:
    """Return the numbers to label at an axis of 1 to `count`: first, about `most` round ones, last."""
    step = next(size for size in _round_steps() if count <= size * max(most, 1))
    between = [
        number for number in range(step, count, step) if count - number > step / 2 and number > step / 2
    ]
    return sorted({1, *between, count})


def _round_steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def scale_colour(stops: Sequence[str], share: float) -> str:
    """Interpolate the colour at `share` (0 to 1) along the stops."""
    at = share * (len(stops) - 1)
    first = min(int(at), len(stops) - 2)
    channels = [
        round(int(low, 16) + (int(high, 16) - int(low, 16)) * (at - first))
        for low, high in zip(_channels(stops[first]), _channels(stops[first + 1]), strict=True)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _channels(colour: str) -> tuple[str, str, str]:
    return colour[1:3], colour[3:5], colour[5:7]
