"""Text boxes and large pictures of a document ([MS-DOC] 2.9.190 PICF, 2.9.253 SPA)."""

import re
import struct

from simcompare.loading.formats.doc.doc_properties import number_in
from simcompare.loading.formats.doc.doc_storage import DocShapes, plc_entries
from simcompare.loading.formats.doc.doc_walker import DocFormatting, DocWalker
from simcompare.loading.formats.doc.piece_table import DocText
from simcompare.loading.shared.file_origin import LARGE_TWIPS
from simcompare.loading.shared.text_flow import FlowParagraph

ANCHOR_BYTES = 26
_BOX_BYTES, _SHAPE_IN_BOX = 22, 14


class DocTextBoxes:
    """Text boxes of the body; each is returned once, at its anchor or at the end."""

    def __init__(
        self, anchors: bytes, boxes: bytes, part: tuple[int, int], walker: DocWalker, shapes: DocShapes
    ) -> None:
        self._shapes = {start: number_in(entry) for start, _end, entry in plc_entries(anchors, ANCHOR_BYTES)}
        self._paragraphs: dict[int, list[FlowParagraph]] = {}
        for start, end, entry in plc_entries(boxes, _BOX_BYTES):
            shape = number_in(entry[_SHAPE_IN_BOX:])
            first, last = part[0] + start, min(part[0] + end, part[1])
            paragraphs = walker.paragraphs(first, last)
            if shapes.boxes_may_be_dark:
                paragraphs = [paragraph.with_white_text() for paragraph in paragraphs]
            self._paragraphs.setdefault(shapes.group(shape), []).extend(paragraphs)

    def at(self, position: int) -> list[FlowParagraph]:
        """Return the text box that is anchored at a character of the body."""
        return self._paragraphs.pop(self._shapes.get(position, -1), [])

    def rest(self) -> list[FlowParagraph]:
        """Return the text boxes whose anchor was not reached, for instance in a damaged file."""
        return [paragraph for box in self._paragraphs.values() for paragraph in box]


_PICTURE = re.compile("\x01")
_SIZE_AT, _THOUSANDTHS = 28, 1000


def large_pictures_in_line(
    text: DocText, formatting: DocFormatting, part: tuple[int, int], data: bytes
) -> int:
    """Count the large pictures that are characters of the text."""
    places = [mark.start() for mark in _PICTURE.finditer(text.characters, *part)]
    formats = (
        character_format
        for place in places
        for _start, _end, character_format in formatting.formats(text, place, place + 1, 0)
    )
    return sum(
        character_format.picture is not None and _is_large(data, character_format.picture)
        for character_format in formats
    )


def _is_large(data: bytes, place: int) -> bool:
    """Return whether the picture described at `place` has two long sides after scaling."""
    if place + _SIZE_AT + 8 > len(data):
        return False
    width, height, width_scale, height_scale = struct.unpack_from("<2h2H", data, place + _SIZE_AT)
    return bool(min(width * width_scale, height * height_scale) >= LARGE_TWIPS * _THOUSANDTHS)


def large_floating_pictures(anchors: bytes, shapes: DocShapes) -> int:
    """Count the large pictures that are anchored beside the text."""
    found = 0
    for _start, _end, entry in plc_entries(anchors, ANCHOR_BYTES):
        number, left, top, right, bottom = struct.unpack_from("<I4i", entry)
        found += shapes.is_picture(number) and min(right - left, bottom - top) >= LARGE_TWIPS
    return found
