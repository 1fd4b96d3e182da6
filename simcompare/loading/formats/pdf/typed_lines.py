"""Put typed text into the lines of its page: beside the words on its level, or below the line above."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from simcompare.loading.formats.pdf.pdf_lines import Boxes, PdfLine, PdfPage, TypedText, is_cjk
from simcompare.loading.formats.pdf.pdf_paragraphs import ends_sentence, paragraphs_of

# Font size of a field that leaves it to the program: at most this, and this share of the height of its box.
_AUTOMATIC_POINTS = 12.0
_SHARE_OF_BOX = 0.7
# In font sizes: distance of lines, most of double-spaced ones, the highest box of one line, gap to words of
# the same line, gap of cells.
_PITCH = 1.2
_MAX_PITCH = 2.5
_MAX_SINGLE_HEIGHT = 2.5
_MAX_GAP = 8.0
_CELL_GAP = 1.5
_LATIN_WIDTH = 0.5
_LABEL_ENDS = (":", "：", "_", "＿")
_LONGEST_LABEL = 24
# Share of the height of the lower of two boxes that is level with the other.
_LEVEL_SHARE = 0.5


def with_typed_text(page: PdfPage) -> PdfPage:
    """Return a page with its typed text among its lines; the boxes of typed characters are estimated."""
    lines, boxes = list(page.lines), [page.boxes]
    for typed in sorted(page.typed, key=lambda typed: (-typed.box[3], typed.box[0])):
        new = _lines_of(page.number, typed, sum(map(len, boxes)))
        boxes += (_character_boxes(line, typed) for line in new)
        beside = _beside(lines, new[0]) if len(new) == 1 else None
        if beside is not None and not typed.is_field and not _is_label(beside, new[0]):
            lines += new  # a remark beside a line of running text, in which it would be read
        elif beside is not None:
            lines[lines.index(beside)] = _merged(beside, new[0])
        else:
            place = _place_below(lines, new[0])
            lines[place:place] = new
    return replace(page, lines=lines, boxes=np.concatenate(boxes), typed=())


def typed_after_paragraphs(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Move typed lines from within a sentence of running text to the end of its paragraph: remarks on it."""
    printed = [line for line in lines if not line.typed]
    if len(printed) == len(lines):
        return list(lines)
    going_on = {
        id(line)
        for paragraph in paragraphs_of(printed)
        for line, following in pairwise(paragraph.lines)
        if line.page != following.page or line.y0 - following.y0 < _MAX_PITCH * line.size
    }
    found: list[PdfLine] = []
    remarks: list[PdfLine] = []
    is_inside = False
    for line in lines:
        if line.typed:
            (remarks if is_inside else found).append(line)
            continue
        found.append(line)
        if id(line) not in going_on:
            found += remarks
            remarks = []
        # below a label the typed text belongs to it
        is_inside = id(line) in going_on and not ends_sentence(line) and len(line.text) > _LONGEST_LABEL
    return found


def _lines_of(number: int, typed: TypedText, first: int) -> list[PdfLine]:
    """Return a line for each typed line; the index of the box of the first character is `first`."""
    x0, low, x1, high = typed.box
    size = typed.size or max(1.0, min(_AUTOMATIC_POINTS, _SHARE_OF_BOX * (high - low)))
    pitch = min(_PITCH * size, (high - low) / len(typed.lines))
    top = (low + high + size) / 2 if high - low < _MAX_SINGLE_HEIGHT * size else high
    found = []
    for row, text in enumerate(typed.lines):
        y1 = top - row * pitch
        end = min(x1, x0 + _width(text, size))
        origins = range(first, first + len(text))
        found.append(PdfLine(number, text, x0, y1 - size, end, y1, size, origins=origins, typed=True))
        first += len(text)
    return found


def _width(text: str, size: float) -> float:
    return sum(size if is_cjk(char) else _LATIN_WIDTH * size for char in text)


def _character_boxes(line: PdfLine, typed: TypedText) -> Boxes:
    """Return a box for each character, on the unrotated page: the whole box for wrapped and rotated text."""
    count = len(line.text)
    if typed.box != typed.page_box or _width(line.text, line.size) > typed.box[2] - typed.box[0]:
        return np.tile(np.array(typed.page_box, dtype=np.float64), (count, 1))
    sides = np.linspace(line.x0, line.x1, count + 1)
    rows = np.tile(np.array([line.y0, line.y1]), (count, 1))
    return np.stack([sides[:-1], rows[:, 0], sides[1:], rows[:, 1]], axis=1)


def _beside(lines: Sequence[PdfLine], typed: PdfLine) -> PdfLine | None:
    """Return the nearest line on the same level; one that is typed too may be any distance away."""
    level = [line for line in lines if _are_level(line, typed)]
    near = [line for line in level if line.typed or _gap(line, typed) < _MAX_GAP * line.size]
    return min(near, key=partial(_gap, typed), default=None)


def _is_label(line: PdfLine, typed: PdfLine) -> bool:
    """Return whether typed text belongs to the line beside it: a label, a gap to fill in, or typed too."""
    middle = (typed.x0 + typed.x1) / 2
    is_in_gap = any(left <= middle <= right for _origin, left, right in line.gaps)
    return line.typed or is_in_gap or line.text.endswith(_LABEL_ENDS) or len(line.text) <= _LONGEST_LABEL


def _are_level(line: PdfLine, other: PdfLine) -> bool:
    common = min(line.y1, other.y1) - max(line.y0, other.y0)
    return common >= _LEVEL_SHARE * min(line.y1 - line.y0, other.y1 - other.y0)


def _gap(line: PdfLine, other: PdfLine) -> float:
    return max(0.0, line.x0 - other.x1, other.x0 - line.x1)


def _place_below(lines: Sequence[PdfLine], typed: PdfLine) -> int:
    """Return the index after the lowest line above, or before the highest line below."""
    overlapping = [line for line in lines if line.x0 < typed.x1 and line.x1 > typed.x0]
    for candidates in (overlapping, lines):
        above = [line for line in candidates if line.y0 >= typed.y0]
        if above:
            return lines.index(min(above, key=lambda line: line.y0)) + 1
        if candidates:
            return lines.index(max(candidates, key=lambda line: line.y0))
    return 0


def _merged(line: PdfLine, typed: PdfLine) -> PdfLine:
    """Insert typed text into a line, at the end, at the beginning, or into the gap in which it is."""
    place, left, right = _place_in(line, typed)
    before, after = line.text[:place].rstrip(), line.text[place:].lstrip()
    start = len(line.text) - len(after)
    text, origins = before, list(line.origins[: len(before)])
    gaps = [gap for gap in line.gaps if gap[0] not in line.origins[start : start + 1]]
    for added, added_origins, gap in (
        (typed.text, list(typed.origins), (left, typed.x0)),
        (after, list(line.origins[start:]), (typed.x1, right)),
    ):
        if text and added:
            if gap[1] - gap[0] > _CELL_GAP * line.size:
                gaps.append((added_origins[0], *gap))
            if not (is_cjk(text[-1]) or is_cjk(added[0])):
                text, origins = f"{text} ", [*origins, -1]
        text, origins = text + added, origins + added_origins
    return replace(
        line,
        text=text,
        origins=origins,
        gaps=sorted(gaps, key=lambda gap: gap[1]),
        x0=min(line.x0, typed.x0),
        x1=max(line.x1, typed.x1),
        hyphenated=line.hyphenated and bool(after),
    )


def _place_in(line: PdfLine, typed: PdfLine) -> tuple[int, float, float]:
    """Return where in a line typed text belongs, and the ends of the words on both sides."""
    for origin, left, right in line.gaps:
        if origin in line.origins and left <= (typed.x0 + typed.x1) / 2 <= right:
            return list(line.origins).index(origin), left, right
    if typed.x0 >= line.x1 - line.size / 2:
        return len(line.text), line.x1, typed.x1
    if typed.x0 <= line.x0:
        return 0, typed.x0, line.x0
    share = (typed.x0 - line.x0) / (line.x1 - line.x0)
    borders = [
        place
        for place, (before, after) in enumerate(pairwise(line.text), start=1)
        if not (before.isalnum() and after.isalnum()) or is_cjk(before) or is_cjk(after)
    ]
    nearest = min(borders, key=lambda place: abs(place - share * len(line.text)), default=len(line.text))
    return nearest, typed.x0, typed.x1
