"""Pictures that two documents have in common: facts beside the wording, which count for no share and rank.

Two pictures are alike if two perceptual hashes differ in few bits, and edges and colours are at the same
places. One is a part of the other, or turned, if points with distinct surroundings (ORB) are at the same
places but for scale, turn and shift, and then the edges, too. Pictures of many documents, such as the badge
of a school, and those of templates do not count.
"""

import importlib.util
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.shared_facts import most_holders
from simcompare.model.document import PICTURE_SIDE, FilePicture
from simcompare.session.school_class import Pair

MOST_P_BITS, MOST_D_BITS = 10, 12
LEAST_COMMON_EDGES, MOST_OTHER_COLOUR = 0.82, 0.3
# Measured: of tables with the same lines at most .96 of what is between them, of copies at least .98.
_SAME_EDGES, _LEAST_BETWEEN_LINES = 0.95, 0.97
MOST_P_BITS_OF_SAME, _MOST_D_BITS_OF_SAME = 14, 18
_WEAK_EDGE, _LEAST_COLOUR = 8, 6.0
_ROWS_AT_ONCE = 256
# With 15, tables with the same lines are alike.
LEAST_COMMON_POINTS, MOST_POINT_BITS = 25, 48
# Above this number of pictures, parts are not looked for: it would take too long.
MOST_PICTURES_FOR_PARTS = 250
_MOST_POINTS, _ENLARGED = 500, 2
# Corners of a grid and equal letters are like others of the same picture, and tell nothing.
_LEAST_DISTINCT_BITS, _NEAR_PX = 40, 10
_PARTS_OF_POINT, _NEXT_COMPARED = 16, 8
_MOST_OFF_PX, _MOST_SCALE, _LEAST_OVERLAP, _LEAST_OVERLAP_PX = 4.0, 4.0, 0.5, 16


class Likeness(StrEnum):
    """How two pictures are alike, as a stable machine word; the same one has the same size and pixels."""

    SAME = "same"
    SIMILAR = "similar"
    MIRRORED = "mirrored"
    PART = "part"


@dataclass(frozen=True, slots=True)
class SharedPicture:
    """A picture of the left document and one of the right that is like it."""

    left: FilePicture
    right: FilePicture
    kind: Likeness


SharedPictures = tuple[SharedPicture, ...]


def mirrored_pictures(pictures: SharedPictures) -> SharedPictures:
    return tuple(replace(each, left=each.right, right=each.left) for each in pictures)


def without_thumbnails(pictures: SharedPictures) -> SharedPictures:
    """Return the facts alone, as pictures may show names."""
    return tuple(
        replace(each, left=replace(each.left, thumbnail=b""), right=replace(each.right, thumbnail=b""))
        for each in pictures
    )


def find_shared_pictures(
    pictures_of: Mapping[int, Sequence[FilePicture]],
    handed_out: Sequence[FilePicture] = (),
    *,
    with_parts: bool = True,
) -> dict[Pair, SharedPictures]:
    """Find the pairs of documents with pictures in common, the lower key first.

    Those that are like one `handed_out`, or that more than 3 documents and 10% of the documents hold, do not
    count. Parts of pictures take longest to find.
    """
    listed = [(key, picture) for key in sorted(pictures_of) for picture in pictures_of[key]]
    if not listed:
        return {}
    keys = np.array([key for key, _picture in listed])
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    hashes = _Hashes.of([picture for _key, picture in listed])
    most = most_holders(len(pictures_of))
    telling = _differences(hashes, _Hashes.of(list(handed_out))).min(axis=1, initial=_UNLIKE) == _UNLIKE
    holders = np.zeros(len(listed), np.int64)
    found: list[tuple[int, int, int]] = []
    for first in range(0, len(listed), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        differences = _differences(hashes.at(rows), hashes)
        is_held = np.logical_or.reduceat(differences < _UNLIKE, starts, axis=1)
        holders[rows] = is_held.sum(axis=1)
        telling[rows] &= holders[rows] <= most
        differences[~telling[rows][:, None] | (keys[rows][:, None] >= keys)] = _UNLIKE
        lefts, rights = np.nonzero(differences < _UNLIKE)
        found += zip(
            differences[lefts, rights].tolist(), (lefts + first).tolist(), rights.tolist(), strict=True
        )
    if with_parts:
        pairs = _common_parts([*(picture for _key, picture in listed), *handed_out])
        parts = set(pairs) - {(left, right) for _difference, left, right in found}
        others = defaultdict[int, set[int]](set)
        for left, right in parts:
            if right >= len(listed) > left:
                telling[left] = False
            elif right < len(listed) and keys[left] != keys[right]:
                others[left].add(keys[right])
                others[right].add(keys[left])
                found.append((_PART, left, right))
        for place, held_by in others.items():
            telling[place] &= holders[place] + len(held_by) <= most
    return _by_pair(listed, [each for each in found if telling[each[1]] and telling[each[2]]])


def _by_pair(
    listed: Sequence[tuple[int, FilePicture]], found: Iterable[tuple[int, int, int]]
) -> dict[Pair, SharedPictures]:
    """Give each picture one of the other document, those that differ least first."""
    taken: set[tuple[int, int]] = set()
    shared: dict[Pair, list[SharedPicture]] = {}

    def order(each: tuple[int, int, int]) -> tuple[int, bool, int, int]:
        difference, left, right = each
        return difference, listed[left][1].thumbnail != listed[right][1].thumbnail, left, right

    for difference, left, right in sorted(found, key=order):
        pair = listed[left][0], listed[right][0]
        ends = {(left, pair[1]), (right, pair[0])}
        if taken.isdisjoint(ends):
            taken |= ends
            pictures = listed[left][1], listed[right][1]
            shared.setdefault(pair, []).append(SharedPicture(*pictures, _likeness(*pictures, difference)))
    return {
        pair: tuple(sorted(shared[pair], key=lambda each: (each.left.number, each.right.number)))
        for pair in sorted(shared)
    }


def _likeness(left: FilePicture, right: FilePicture, difference: int) -> Likeness:
    if difference >= _MIRRORED:
        return Likeness.PART if difference == _PART else Likeness.MIRRORED
    facts = ((each.width, each.height, each.pixels, each.thumbnail) for each in (left, right))
    return Likeness.SAME if next(facts) == next(facts) else Likeness.SIMILAR


_MIRRORED, _PART, _UNLIKE = 100, 200, 255
"""Added to the difference of a mirrored picture, so that it comes later; that of a part; of one too large."""


@dataclass(frozen=True, slots=True)
class _Hashes:
    """Values of n pictures, (n, 32, 32, 3), and the hashes of them and of their mirrored ones, (n, 2).

    pHash has the signs of low frequencies, dHash those of the differences between neighbours.
    """

    pixels: NDArray[np.uint8]
    p: NDArray[np.uint64]
    d: NDArray[np.uint64]

    @classmethod
    def of(cls, pictures: Sequence[FilePicture]) -> "_Hashes":
        joined = np.frombuffer(b"".join(picture.pixels for picture in pictures), np.uint8)
        pixels = joined.reshape(-1, PICTURE_SIDE, PICTURE_SIDE, 3)
        grey = pixels[..., 0]
        both = np.stack([grey, grey[..., ::-1]], axis=1).astype(np.float32)
        frequencies = (_WAVES @ both @ _WAVES.T).reshape(len(pixels), 2, _BITS_A_SIDE**2)
        coarse = _ROWS @ both @ _COLUMNS.T
        return cls(
            pixels,
            _packed(frequencies > np.median(frequencies, axis=-1, keepdims=True)),
            _packed(coarse[..., 1:] > coarse[..., :-1]),
        )

    def at(self, rows: slice) -> "_Hashes":
        return _Hashes(self.pixels[rows], self.p[rows], self.d[rows])


def picture_hashes(pictures: Sequence[FilePicture]) -> NDArray[np.uint64]:
    """Return the pHash of each picture and of its mirrored one, (n, 2)."""
    return _Hashes.of(pictures).p


def _averages(count: int) -> NDArray[np.float32]:
    """Return the matrix that reduces a side of a picture to this number of values."""
    edges = np.linspace(0, PICTURE_SIDE, count + 1)
    starts = np.arange(PICTURE_SIDE)
    covered = np.minimum(starts + 1, edges[1:, None]) - np.maximum(starts, edges[:-1, None])
    shares: NDArray[np.float32] = (np.clip(covered, 0, 1) * count / PICTURE_SIDE).astype(np.float32)
    return shares


_BITS_A_SIDE = 8
_WAVES = np.cos(
    np.pi / PICTURE_SIDE * np.arange(_BITS_A_SIDE)[:, None] * (np.arange(PICTURE_SIDE) + 0.5)
).astype(np.float32)
_ROWS, _COLUMNS = _averages(_BITS_A_SIDE), _averages(_BITS_A_SIDE + 1)


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return 64 bits of each picture and of its mirrored one as a number, (n, 2)."""
    flat = bits.reshape(len(bits), 2, _BITS_A_SIDE**2)
    return np.packbits(flat, axis=-1).view(np.uint64).reshape(len(bits), 2)


def _edges(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the edges of pictures as vectors of length 1; a strong edge counts little more than a weak one.

    The hashes alone, and brightness alone, take round diagrams of different shares for the same one.
    """
    values = pixels[..., 0].astype(np.float32)
    count = PICTURE_SIDE * (PICTURE_SIDE - 1)
    steps = np.concatenate(
        [np.diff(values, axis=axis).reshape(len(values), count) for axis in (1, 2)], axis=1
    )
    edges: NDArray[np.float32] = np.sign(steps) * np.log1p(np.abs(steps) / _WEAK_EDGE)
    edges /= np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), 1.0)
    return edges


def _between_lines(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the brightness without that of whole rows and columns, such as lines, as vectors of length 1.

    Two tables with the same lines have the same edges.
    """
    values = pixels[..., 0].astype(np.float32)
    values -= values.mean(axis=1, keepdims=True)
    values -= values.mean(axis=2, keepdims=True)
    flat = values.reshape(len(values), PICTURE_SIDE**2)
    between: NDArray[np.float32] = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1.0)
    return between


def _colours(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the colours of pictures without brightness, (n, 32 · 32, 2); 0 is the most usual one."""
    colours = pixels[..., 1:].reshape(len(pixels), PICTURE_SIDE**2, 2).astype(np.float32)
    colours -= np.median(colours, axis=1, keepdims=True)
    return colours


def _have_same_colours(
    left: NDArray[np.float32],
    right: NDArray[np.float32],
    lefts: NDArray[np.intp],
    rights: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Return which pairs of rows have the same colours at the same places, or are not both coloured."""
    strength = [np.linalg.norm(side, axis=2).mean(axis=1) for side in (left, right)]
    weaker = np.minimum(strength[0][lefts], strength[1][rights])
    stronger = np.maximum(strength[0][lefts], strength[1][rights])
    same: NDArray[np.bool_] = weaker < _LEAST_COLOUR
    for place in np.flatnonzero(~same).tolist():
        difference = np.linalg.norm(left[lefts[place]] - right[rights[place]], axis=1).mean()
        same[place] = difference <= MOST_OTHER_COLOUR * stronger[place]
    return same


def _differences(left: _Hashes, right: _Hashes) -> NDArray[np.uint8]:
    """Return the number of different bits of each pair of pictures, _UNLIKE if they are too many, (n, m)."""
    least = np.full((len(left.p), len(right.p)), _UNLIKE, np.uint8)
    for turned, added in ((1, _MIRRORED), (0, 0)):
        p_bits = np.bitwise_count(left.p[:, :1] ^ right.p[:, turned])
        d_bits = np.bitwise_count(left.d[:, :1] ^ right.d[:, turned])
        rows, columns = np.nonzero((p_bits <= MOST_P_BITS_OF_SAME) & (d_bits <= _MOST_D_BITS_OF_SAME))
        own, at_own = np.unique(rows, return_inverse=True)
        others, at_others = np.unique(columns, return_inverse=True)
        shown = right.pixels[others, :, ::-1] if turned else right.pixels[others]
        edges, between = (
            (of(left.pixels[own]) @ of(shown).T)[at_own, at_others] for of in (_edges, _between_lines)
        )
        is_near = (p_bits[rows, columns] <= MOST_P_BITS) & (d_bits[rows, columns] <= MOST_D_BITS)
        is_like = is_near & (edges >= LEAST_COMMON_EDGES) & (edges < _SAME_EDGES)
        is_like |= (edges >= _SAME_EDGES) & (between >= _LEAST_BETWEEN_LINES)
        at_own, at_others, rows, columns = (each[is_like] for each in (at_own, at_others, rows, columns))
        is_like = _have_same_colours(_colours(left.pixels[own]), _colours(shown), at_own, at_others)
        rows, columns = rows[is_like], columns[is_like]
        least[rows, columns] = p_bits[rows, columns] + d_bits[rows, columns] + added
    return least


# parts


@dataclass(frozen=True, slots=True)
class _Points:
    """A thumbnail, and the places of its points and 256 bits each that describe their surroundings."""

    grey: NDArray[np.uint8]
    places: NDArray[np.float32]
    bits: NDArray[np.uint8]


def _common_parts(pictures: Sequence[FilePicture]) -> list[tuple[int, int]]:
    """Return the places of two pictures each, the lower first, of which one shows a part of the other."""
    is_possible = importlib.util.find_spec("cv2") is not None  # it comes with the extra `ocr`
    if not is_possible or not 2 <= len(pictures) <= MOST_PICTURES_FOR_PARTS:
        return []
    points = [_points(picture.thumbnail) for picture in pictures]
    return [pair for pair in _possible_parts(points) if _have_common_part(*(points[at] for at in pair))]


@lru_cache(maxsize=MOST_PICTURES_FOR_PARTS)
def _points(thumbnail: bytes) -> _Points:
    import cv2  # noqa: PLC0415 - it is an extra
    from PIL import Image  # noqa: PLC0415 - only files with pictures need it

    if not thumbnail:
        return _Points(np.zeros((1, 1), np.uint8), np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8))
    shown = Image.open(io.BytesIO(thumbnail)).convert("L")
    large = shown.resize((shown.width * _ENLARGED, shown.height * _ENLARGED), Image.Resampling.BICUBIC)
    found, bits = cv2.ORB.create(nfeatures=_MOST_POINTS).detectAndCompute(np.asarray(large), None)
    places = np.array([point.pt for point in found], np.float32).reshape(-1, 2)
    bits = np.zeros((0, 32), np.uint8) if bits is None else bits
    is_other = np.linalg.norm(places[:, None] - places[None], axis=2) > _NEAR_PX
    unlike = np.bitwise_count(bits.view(np.uint64)[:, None] ^ bits.view(np.uint64)).sum(axis=2)
    is_distinct = (~is_other | (unlike > _LEAST_DISTINCT_BITS)).all(axis=1)
    return _Points(np.asarray(shown), places[is_distinct], bits[is_distinct])


def _possible_parts(points: Sequence[_Points]) -> Iterable[tuple[int, int]]:
    """Return pairs of pictures with many points that are alike: those of which 16 of 256 bits are equal."""
    count = len(points)
    owners = np.repeat(np.arange(count), [len(each.bits) for each in points])
    bits = np.concatenate([each.bits for each in points])
    codes = [np.zeros(0, np.intp)]
    for part in bits.view(np.uint16).reshape(-1, _PARTS_OF_POINT).T:
        order = np.argsort(part, kind="stable")
        for step in range(1, _NEXT_COMPARED + 1):
            equal = np.flatnonzero(part[order[step:]] == part[order[:-step]])
            first, second = order[equal], order[equal + step]
            unlike = np.bitwise_count(bits.view(np.uint64)[first] ^ bits.view(np.uint64)[second]).sum(axis=1)
            one, other = owners[first], owners[second]
            is_alike = (unlike <= MOST_POINT_BITS) & (one != other)
            codes.append((np.minimum(one, other) * count + np.maximum(one, other))[is_alike])
    pairs, times = np.unique(np.concatenate(codes), return_counts=True)
    return (divmod(code, count) for code in pairs[times >= LEAST_COMMON_POINTS // 2].tolist())


def _have_common_part(left: _Points, right: _Points) -> bool:
    import cv2  # noqa: PLC0415 - it is an extra

    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(left.bits, right.bits)
    close = [each for each in matches if each.distance <= MOST_POINT_BITS]
    if len(close) < LEAST_COMMON_POINTS:
        return False
    turned, is_inside = cv2.estimateAffinePartial2D(
        left.places[[each.queryIdx for each in close]],
        right.places[[each.trainIdx for each in close]],
        ransacReprojThreshold=_MOST_OFF_PX,
    )
    if turned is None or is_inside.sum() < LEAST_COMMON_POINTS:
        return False
    turned[:, 2] /= _ENLARGED
    scale = float(np.hypot(*turned[0, :2]))
    return 1 / _MOST_SCALE <= scale <= _MOST_SCALE and _has_same_edges(left.grey, right.grey, turned, scale)


def _has_same_edges(
    left: NDArray[np.uint8], right: NDArray[np.uint8], turned: NDArray[np.float64], scale: float
) -> bool:
    """Return whether half of one of the pictures is in the other, with edges at the same places."""
    import cv2  # noqa: PLC0415 - it is an extra

    size, way = right.shape[::-1], cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    is_covered = cv2.warpAffine(np.full_like(left, 255), turned, size) == 255
    rows, columns = (np.flatnonzero(is_covered.mean(axis=axis) > 0.5) for axis in (1, 0))
    if min(len(rows), len(columns)) < _LEAST_OVERLAP_PX:
        return False
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    shown = (cv2.warpAffine(left, turned, size, flags=way), right)
    if is_covered.sum() < _LEAST_OVERLAP * min(right.size, left.size * scale**2):
        return False
    parts = [np.where(is_covered, each, 255).astype(np.uint8)[box] for each in shown]
    squares = [cv2.resize(each, (PICTURE_SIDE,) * 2, interpolation=cv2.INTER_AREA) for each in parts]
    one, other = _edges(np.stack(squares)[..., None])
    return float(one @ other) >= LEAST_COMMON_EDGES
