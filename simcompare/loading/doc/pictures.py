"""The large pictures of a document ([MS-DOC] 2.9.190 PICF, 2.9.253 SPA)."""

import re
import struct

from simcompare.loading.common.pictures import LARGE_TWIPS
from simcompare.loading.doc.boxes import ANCHOR_BYTES
from simcompare.loading.doc.pieces import Text
from simcompare.loading.doc.ranges import entries
from simcompare.loading.doc.shapes import Shapes
from simcompare.loading.doc.walk import Layout

_PICTURE = re.compile("\x01")
_SIZE_AT, _THOUSANDTHS = 28, 1000


def large_pictures_in_line(text: Text, layout: Layout, part: tuple[int, int], data: bytes) -> int:
    """Return how many large pictures stand as characters among the others."""
    places = [mark.start() for mark in _PICTURE.finditer(text.characters, *part)]
    looks = (look for place in places for _start, _end, look in layout.looks(text, place, place + 1, 0))
    return sum(look.picture is not None and _is_large(data, look.picture) for look in looks)


def _is_large(data: bytes, place: int) -> bool:
    """Return whether the picture that is described there has two long sides, as it is scaled."""
    if place + _SIZE_AT + 8 > len(data):
        return False
    width, height, width_scale, height_scale = struct.unpack_from("<2h2H", data, place + _SIZE_AT)
    return bool(min(width * width_scale, height * height_scale) >= LARGE_TWIPS * _THOUSANDTHS)


def large_floating_pictures(anchors: bytes, shapes: Shapes) -> int:
    """Return how many large pictures stand beside the characters."""
    found = 0
    for _start, _end, entry in entries(anchors, ANCHOR_BYTES):
        number, left, top, right, bottom = struct.unpack_from("<I4i", entry)
        found += shapes.is_picture(number) and min(right - left, bottom - top) >= LARGE_TWIPS
    return found
