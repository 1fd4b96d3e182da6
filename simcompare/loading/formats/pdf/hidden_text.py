"""Detection of hidden text on a page: transparent, white, covered, tiny or off the page.

Colours and areas rule out hidden text on nearly all pages. The others are rendered with and without the
suspect text: text that makes no difference is hidden.
"""

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from simcompare.loading.formats.pdf.page_drawing import (
    FilledAreas,
    PageObjects,
    areas_of,
    set_active,
    text_colours,
)
from simcompare.loading.formats.pdf.pdf_lines import Boxes, is_cjk
from simcompare.loading.formats.pdf.pdfium_characters import PdfCharacters
from simcompare.model.document import DropReason

_Reasons = NDArray[np.int8]
_Mask = NDArray[np.bool_]

REASONS = (
    None,
    DropReason.HIDDEN_TEXT,
    DropReason.WHITE_TEXT,
    DropReason.COVERED_TEXT,
    DropReason.TINY_TEXT,
    DropReason.OUTSIDE_PAGE,
    DropReason.SYMBOL_FONT,
)
_HIDDEN, _WHITE, _COVERED, _TINY, _OUTSIDE, _SYMBOL = range(1, 7)

# The smallest print in contracts has 4 points; 2 are unreadable.
_TINY_POINTS = 2.0
# A page this many letters high is scaled down from a larger sheet.
_LETTERS_PER_PAGE = 300
_LIGHT = 200
_FAINT = 64
_SAME_COLOUR = 40
# Of 255 steps: a smaller difference from the background is invisible.
_MIN_VISIBLE_DIFFERENCE = 16
# Text recognised from a scan is invisible on its picture, and is nearly all text of the page.
_RECOGNISED_SHARE = 0.8
_PIXELS_PER_POINT = 1.5
_FIRST_NOT_ASCII = 0x80
_MAX_PIXELS = 4_000_000


class RenderBudget:
    """Number of pages of a document that may still be rendered; each takes about 50 ms."""

    def __init__(self, most: int = 60) -> None:
        self._left = most

    def take(self) -> bool:
        """Use one page; return whether one was left."""
        self._left -= 1
        return self._left >= 0


def hidden_reasons(
    page: pypdfium2.PdfPage, characters: PdfCharacters, objects: PageObjects, budget: RenderBudget
) -> _Reasons:
    """Return for each character why it is hidden, as an index of `REASONS`; 0 if it is visible."""
    reasons = np.zeros(len(characters.codes), dtype=np.int8)
    if not characters.nonblank.any():
        return reasons
    reasons[_is_tiny(page, characters)] = _TINY
    _find_hidden(page, characters, objects, reasons, budget)
    reasons[_is_outside(page, characters)] = _OUTSIDE
    return reasons


def _is_outside(page: pypdfium2.PdfPage, characters: PdfCharacters) -> _Mask:
    ((x0, y0, x1, y1),) = characters.turned(np.array([page.get_bbox()]))
    x, y = _centres(characters.boxes)
    inside: _Mask = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    return characters.nonblank & ~inside


def _is_tiny(page: pypdfium2.PdfPage, characters: PdfCharacters) -> _Mask:
    heights = characters.boxes[:, 3] - characters.boxes[:, 1]
    low = characters.nonblank & (heights > 0) & (heights < _TINY_POINTS)
    tiny = np.zeros(len(low), dtype=np.bool_)
    if not low.any():
        return tiny
    left, bottom, right, top = page.get_bbox()
    limit = min(_TINY_POINTS, max(right - left, top - bottom) / _LETTERS_PER_PAGE)
    for place in np.flatnonzero(low).tolist():
        tiny[place] = characters.size(place) < limit
    return tiny


def _find_hidden(
    page: pypdfium2.PdfPage,
    characters: PdfCharacters,
    objects: PageObjects,
    reasons: _Reasons,
    budget: RenderBudget,
) -> None:
    """Set the reasons of transparent, low-contrast or covered text, unless it was recognised from a scan."""
    nonblank = np.flatnonzero(characters.nonblank)
    _x0, y0, _x1, y1 = characters.boxes[nonblank].T if objects.others else np.zeros((4, 1))
    areas = areas_of(objects, float(np.median(y1 - y0)) / 2)
    if _shows_all(objects, characters, areas):
        return
    boxes = characters.page_boxes[nonblank]
    addresses, owners = np.unique(characters.text_objects(nonblank), return_inverse=True)
    rgba = text_colours(addresses)[owners]
    numbers = dict(zip(objects.addresses, range(len(objects.addresses)), strict=True))
    orders = np.array([numbers.get(address, -1) for address in addresses.tolist()])[owners]
    hidden = rgba[:, 3] < _MIN_VISIBLE_DIFFERENCE
    on_picture, covered, low_contrast = _by_areas(boxes, rgba, orders, areas)
    white = _are_white(rgba) | low_contrast
    suspect = (covered | white) & ~hidden
    if _is_recognised(hidden | (covered & on_picture), on_picture):
        return
    if suspect.any() and budget.take():
        suspect[suspect] = _render_unchanged(page, addresses[np.unique(owners[suspect])], boxes[suspect])
    else:
        suspect[:] = False
    found = np.where(hidden, _HIDDEN, np.where(covered, _COVERED, _WHITE))
    places = nonblank[hidden | suspect]
    reasons[places] = found[hidden | suspect]
    reasons[[place for place in places.tolist() if _is_layer_of_emoji(characters, place)]] = _SYMBOL


def _is_layer_of_emoji(characters: PdfCharacters, place: int) -> bool:
    """Return whether a character draws a layer of an emoji, which other layers cover.

    Microsoft Print to PDF draws each colour of an emoji as a glyph that has no meaning of its own.
    """
    code = int(characters.codes[place])
    return not (code < _FIRST_NOT_ASCII or is_cjk(chr(code))) and characters.is_emoji(place)


def _shows_all(objects: PageObjects, characters: PdfCharacters, areas: FilledAreas) -> bool:
    """Return whether no text is light or faint or has an area before or behind it, as on nearly all pages.

    That takes a look at each text object, and asking for the object of each character takes longer.
    """
    if not objects.is_complete or _are_white(text_colours(objects.texts)).any():
        return False
    if not len(areas.boxes):
        return True
    x, y = _centres(characters.page_boxes[characters.nonblank])
    return not any(_are_within(x, y, box).any() for box in areas.boxes)


def _are_white(rgba: NDArray[np.int64]) -> _Mask:
    """Return which colours are light, faint or transparent."""
    white: _Mask = (rgba[:, :3].min(axis=1) >= _LIGHT) | (rgba[:, 3] < _FAINT)
    return white


def _are_within(x: NDArray[np.float64], y: NDArray[np.float64], box: NDArray[np.float64]) -> _Mask:
    within: _Mask = (x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])
    return within


def _by_areas(
    boxes: Boxes, rgba: NDArray[np.int64], orders: NDArray[np.int64], areas: FilledAreas
) -> tuple[_Mask, _Mask, _Mask]:
    """Return which characters are on or under a picture, below an area, and on their own colour."""
    x, y = _centres(boxes)
    on_picture, covered, low_contrast = (np.zeros(len(boxes), dtype=np.bool_) for _ in range(3))
    for box, order, colour, is_picture in zip(
        areas.boxes, areas.orders, areas.colours, areas.pictures, strict=True
    ):
        within = _are_within(x, y, box)
        if not within.any():
            continue
        on_picture |= within & is_picture
        covered |= within & (orders >= 0) & (orders < order)
        if not is_picture:
            low_contrast |= within & (np.abs(rgba[:, :3] - colour).max(axis=1) < _SAME_COLOUR)
    return on_picture, covered, low_contrast


def _is_recognised(hidden: _Mask, on_picture: _Mask) -> bool:
    return bool(
        hidden.sum() >= _RECOGNISED_SHARE * len(hidden)
        and (hidden & on_picture).sum() >= _RECOGNISED_SHARE * hidden.sum()
    )


def _render_unchanged(page: pypdfium2.PdfPage, addresses: NDArray[np.int64], boxes: Boxes) -> _Mask:
    """Return in which boxes the page looks the same without these text objects."""
    whole = rendered(page)
    for address in addresses.tolist():
        set_active(address, active=False)
    difference = np.abs(whole - rendered(page)).max(axis=2)
    for address in addresses.tolist():
        set_active(address, active=True)
    left, low, right, high = page.get_bbox()
    height, width = difference.shape
    scales = (width / (right - left), -height / (high - low))
    places = np.nan_to_num((boxes - (left, high, left, high)) * (scales * 2))
    return np.array([_is_same(difference, place) for place in places])


def _is_same(difference: NDArray[np.int16], place: NDArray[np.float64]) -> bool:
    x0, y1, x1, y0 = place.clip(0).astype(int).tolist()
    part = difference[y0 : y1 + 1, x0 : x1 + 1]
    return part.size == 0 or int(part.max()) < _MIN_VISIBLE_DIFFERENCE


def rendered(page: pypdfium2.PdfPage) -> NDArray[np.int16]:
    """Return the unrotated page rendered on white, shape (height, width, 3)."""
    width, height = page.get_size()
    scale = min(_PIXELS_PER_POINT, (_MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
    upright = -page.get_rotation() % 360
    bitmap = page.render(scale=scale, rotation=upright, may_draw_forms=False, draw_annots=False)
    pixels: NDArray[np.int16] = bitmap.to_numpy()[:, :, :3].astype(np.int16)
    bitmap.close()
    return pixels


def _centres(boxes: Boxes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
