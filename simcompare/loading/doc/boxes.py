"""Text boxes, and the characters of the body that they are anchored at ([MS-DOC] 2.8.32, 2.8.37)."""

from simcompare.loading.doc.properties import number_in
from simcompare.loading.doc.ranges import entries
from simcompare.loading.doc.shapes import Shapes
from simcompare.loading.doc.walk import Walk
from simcompare.loading.flow import Paragraph

ANCHOR_BYTES = 26
_BOX_BYTES, _SHAPE_IN_BOX = 22, 14


class Boxes:
    """The text boxes of the body. Each is given once, at its anchor or at the end."""

    def __init__(
        self, anchors: bytes, boxes: bytes, part: tuple[int, int], walk: Walk, shapes: Shapes
    ) -> None:
        self._shapes = {start: number_in(entry) for start, _end, entry in entries(anchors, ANCHOR_BYTES)}
        self._paragraphs: dict[int, list[Paragraph]] = {}
        for start, end, entry in entries(boxes, _BOX_BYTES):
            shape = number_in(entry[_SHAPE_IN_BOX:])
            first, last = part[0] + start, min(part[0] + end, part[1])
            paragraphs = walk.paragraphs(first, last)
            if shapes.boxes_may_be_dark:
                paragraphs = [paragraph.on_dark_ground() for paragraph in paragraphs]
            self._paragraphs.setdefault(shapes.group(shape), []).extend(paragraphs)

    def at(self, position: int) -> list[Paragraph]:
        """Return the text box that is anchored at a character of the body."""
        return self._paragraphs.pop(self._shapes.get(position, -1), [])

    def rest(self) -> list[Paragraph]:
        """Return the text boxes of which no anchor was met, perhaps in a file that is broken."""
        return [paragraph for box in self._paragraphs.values() for paragraph in box]
