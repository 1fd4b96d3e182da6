"""Lines of a page in which a pseudonym is wider than the name: what stands beside it makes room."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from simcompare.loading.formats.pdf.pdf_lines import Boxes
from simcompare.redaction.pdf_pages.characters import Mask, PageCharacters, Places
from simcompare.redaction.pdf_pages.lettering import Style, lettered
from simcompare.redaction.pdf_pages.named import Part
from simcompare.report.annotated.pdf_annotator import Rectangle

# In sizes of a letter: the gap that parts cells and columns, and what is left free beside the next of them.
_CELL_GAP, _FREE = 1.2, 0.5
_LEVEL_SHARE = 0.5
# Points by which letters reach over the edge of their cell.
_TOUCHING = 0.5
# A line that begins so far, in sizes of a letter, from the left edge of the text is set right or centred.
_SET_RIGHT = 4.0
# Twice how far, in sizes of a letter, the middle of a line may be from that of the text where it is centred.
_CENTRED = 3.0
# A line that filled its column is widened again by so little that nobody sees it.
_LEAST_WIDENED = 0.93
# Narrower letters are read badly: the pseudonym becomes smaller then.
_NARROWEST, _SMALLEST = 0.65, 0.55
_MEASURED_PX = 100.0

_Cut = tuple[float, float, str | None, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands from x0 to x1 goes to [new_x0, new_x1], in points; `by`, unless None, stands in its place.

    `like` is the place of the character that it looks like.
    """

    x0: float
    x1: float
    new_x0: float
    new_x1: float
    by: str | None = None
    like: int = 0


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line that is set anew, in points of the turned page. `box` is around all that stood in it."""

    places: Places
    box: Rectangle
    pieces: Sequence[Piece]
    letter_size: float
    """That of the pseudonyms."""
    baseline: float

    def moved(self, x: Boxes) -> Boxes:
        """Return where places across the line went."""
        old = [edge for piece in self.pieces for edge in (piece.x0, piece.x1)]
        new = [edge for piece in self.pieces for edge in (piece.new_x0, piece.new_x1)]
        return np.interp(x, old, new)


def new_lines(
    characters: PageCharacters, parts: Sequence[Part], page: Rectangle, edges: Boxes
) -> list[NewLine]:
    """Return the lines in which parts of names run across.

    `page` and `edges`, the lines and areas that it draws, are in points of the turned page.
    """
    across = [part for part in parts if part.runs_across]
    lines: list[tuple[set[int], list[Part]]] = []
    for part in across:
        line = set(_line_of(characters, part.places, edges).tolist())
        own = [part]
        for other in [one for one in lines if one[0] & line]:
            lines.remove(other)
            line |= other[0]
            own += other[1]
        lines.append((line, own))
    return [_new_line(characters, np.array(sorted(line)), own, page, edges) for line, own in lines]


def _line_of(characters: PageCharacters, places: Places, edges: Boxes) -> Places:
    """Return the characters that stand in one line, or cell, with these."""
    level = np.flatnonzero(_level_with(characters, places))
    level = level[np.argsort(characters.boxes[level, 0], kind="stable")]
    boxes = characters.boxes[level]
    ends, begins = np.maximum.accumulate(boxes[:, 2])[:-1], boxes[1:, 0]
    is_apart = begins - ends > _CELL_GAP * (boxes[1:, 3] - boxes[1:, 1])
    walls = _walls(boxes, edges)
    is_parted = np.searchsorted(walls, ends - _TOUCHING) < np.searchsorted(walls, begins + _TOUCHING)
    cells = np.split(level, np.flatnonzero(is_apart | is_parted) + 1)
    return np.concatenate([cell for cell in cells if np.isin(cell, places).any()])


def _walls(boxes: Boxes, edges: Boxes) -> Boxes:
    """Return where lines and the edges of areas cross a line of characters, from left to right."""
    middle = float(np.median(boxes[:, [1, 3]]))
    crossing = edges[(edges[:, 1] < middle) & (edges[:, 3] > middle)]
    walls: Boxes = np.unique(crossing[:, [0, 2]])
    return walls


def _level_with(characters: PageCharacters, places: Places) -> Mask:
    low, high = characters.boxes[places, 1].min(), characters.boxes[places, 3].max()
    bottoms, tops = characters.boxes[:, 1], characters.boxes[:, 3]
    shared = np.minimum(tops, high) - np.maximum(bottoms, low)
    least = _LEVEL_SHARE * np.minimum(tops - bottoms, high - low)
    level: Mask = characters.upright & (shared >= np.maximum(least, 0.01))
    return level


def _new_line(
    characters: PageCharacters, line: Places, parts: Sequence[Part], page: Rectangle, edges: Boxes
) -> NewLine:
    boxes = characters.boxes[line]
    box = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
    named = min(int(part.places[0]) for part in parts)
    size = _size(characters, named)
    cut = _cut(characters, line, parts)
    left, right = _limits(characters, line, box, size, page, edges)
    natural = _widths(characters, cut, size)
    room = right - left
    if sum(natural) * _NARROWEST > room:
        size *= max(_SMALLEST, room / (_NARROWEST * sum(natural)))
        natural = _widths(characters, cut, size)
    begin, share = _setting(characters, box, sum(natural), size, (left, right))
    ends = begin + share * np.cumsum([0.0, *natural])
    pieces = [
        Piece(x0, x1, float(new_x0), float(new_x1), by, like)
        for (x0, x1, by, like), new_x0, new_x1 in zip(cut, ends[:-1], ends[1:], strict=True)
    ]
    return NewLine(line, box, pieces, size, characters.baseline(named))


def _setting(
    characters: PageCharacters, box: Rectangle, natural: float, size: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Return where a line begins, and by how much it is narrowed or widened; it is set as it was."""
    texts = characters.boxes[characters.upright]
    left, right = float(texts[:, 0].min()), float(texts[:, 2].max())
    share = min(1.0, (limits[1] - limits[0]) / natural)
    width, ends_right = natural * share, right - box[2] < size
    if box[0] - left > _SET_RIGHT * size:
        is_centred = abs(box[0] + box[2] - left - right) < _CENTRED * size
        begin = box[2] - width if ends_right else (box[0] + box[2] - width) / 2 if is_centred else box[0]
    else:
        begin = box[0]
        if ends_right and box[2] - box[0] > width > _LEAST_WIDENED * (box[2] - box[0]):
            share = (box[2] - box[0]) / natural
    return max(limits[0], min(begin, limits[1] - width)), share


def _size(characters: PageCharacters, place: int) -> float:
    box = characters.boxes[place]
    return characters.size(place) or float(box[3] - box[1])


def _cut(characters: PageCharacters, line: Places, parts: Sequence[Part]) -> list[_Cut]:
    """Cut a line into names and what stands between them, from its left end to its right one."""
    owner = {place: number for number, part in enumerate(parts) for place in part.places.tolist()}
    ordered = line[np.argsort(characters.boxes[line, 0], kind="stable")]
    runs = [(owner.get(place), place) for place in ordered.tolist()]
    found: list[_Cut] = []
    for number, run in groupby(runs, lambda one: one[0]):
        boxes = characters.boxes[[place for _number, place in run]]
        x0, x1 = float(boxes[:, 0].min()), float(boxes[:, 2].max())
        end = found[-1][1] if found else x0
        if number is None:
            # nor is a blank behind the rest of a name that the line began with
            begins = len(found) == 1 and found[0][2] == ""
            found.append((x0 if begins else end, max(end, x1), None, 0))
        else:
            # what is blank before a name is kept
            if end < x0:
                found.append((end, x0, None, 0))
            found.append((max(end, x0), max(end, x1), parts[number].by, int(parts[number].places[0])))
    return found


def _widths(characters: PageCharacters, cut: Sequence[_Cut], size: float) -> list[float]:
    """Return how wide everything is; where the rest of a name was, nothing is left."""
    return [x1 - x0 if by is None else _width(by, size, characters.style(like)) for x0, x1, by, like in cut]


def _width(words: str, size: float, style: Style) -> float:
    if not words:
        return 0.0
    cover, _line = lettered(words, _MEASURED_PX, style)
    return float(cover.shape[1] / _MEASURED_PX * size)


def _limits(
    characters: PageCharacters, line: Places, box: Rectangle, size: float, page: Rectangle, edges: Boxes
) -> tuple[float, float]:
    """Return how far a line may go to the left and to the right."""
    texts = characters.boxes[characters.upright]
    others = _level_with(characters, line)
    others[line] = False
    left, right = float(texts[:, 0].min()), float(texts[:, 2].max())
    beside = characters.boxes[others]
    walls = _walls(characters.boxes[line], edges)
    rights = [*(beside[:, 0] - _FREE * size), *(walls - _FREE * size / 2), right, page[2]]
    lefts = [*(beside[:, 2] + _FREE * size), *(walls + _FREE * size / 2), left, page[0]]
    furthest = min((x for x in rights if x >= box[2]), default=box[2])
    begin = max((x for x in lefts if x <= box[0]), default=box[0])
    is_set_right = box[0] - left > _SET_RIGHT * size
    return (begin if is_set_right else box[0]), furthest
