"""The shapes of a document: which group each belongs to, and what is behind its text ([MS-ODRAW] 2.2)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from simcompare.loading.doc.properties import is_white

_HEAD_BYTES, _LABEL_BYTES, _PROPERTY_BYTES = 8, 1, 6
_GROUP, _SHAPE, _IDENTITY, _OPTIONS = 0xF003, 0xF004, 0xF00A, 0xF00B
_PROPERTY_NUMBER = 0x3FFF
_PICTURE, _FILL_KIND, _FILL_COLOUR, _FILL_SWITCHES = 0x0104, 0x0180, 0x0181, 0x01BF
_IS_FILLED, _SAYS_WHETHER_FILLED = 0x10, 0x100000
_IS_PAGE = 0x400
_SOLID, _WHITE = 0, 0xFFFFFF


@dataclass(slots=True)
class _Shape:
    """A shape; `group` is the number of the outermost group around it, or its own."""

    group: int
    is_page: bool = False
    is_picture: bool = False
    is_dark: bool = False


class Shapes:
    """The shapes by their numbers. What is broken of them is as if it were not there."""

    def __init__(self, drawings: bytes) -> None:
        self._shapes: dict[int, _Shape] = {}
        for drawing in _drawings(drawings):
            self._read(drawing)
        self.page_is_dark = any(shape.is_page and shape.is_dark for shape in self._shapes.values())
        # LibreOffice parts a shape from its text: either may be the ground of any text box.
        self.boxes_may_be_dark = any(shape.is_dark for shape in self._shapes.values())

    def group(self, number: int) -> int:
        """Return the outermost group that a shape belongs to, or the shape itself."""
        return self._shapes.get(number, _Shape(number)).group

    def is_picture(self, number: int) -> bool:
        """Return whether a shape shows a picture."""
        return number in self._shapes and self._shapes[number].is_picture

    def _read(self, drawing: bytes) -> None:
        shape, heads = _Shape(0), dict[int, int]()
        for kind, content, group in _records(drawing):
            if kind == _IDENTITY and len(content) >= _HEAD_BYTES:
                number, flags = struct.unpack_from("<2I", content)
                head = heads.setdefault(group, number) if group else number
                shape = self._shapes[number] = _Shape(head, bool(flags & _IS_PAGE))
            elif kind == _OPTIONS:
                said = _said(content)
                shape.is_picture = _PICTURE in said
                shape.is_dark = shape.is_picture or _is_dark(said)


def _drawings(data: bytes) -> Iterator[bytes]:
    """Yield the drawings of the body and of the headers, which stand behind what they share."""
    place = _end(data, 0)
    while place + _LABEL_BYTES + _HEAD_BYTES <= len(data):
        end = _end(data, place + _LABEL_BYTES)
        yield data[place + _LABEL_BYTES + _HEAD_BYTES : end]
        place = end


def _end(data: bytes, place: int) -> int:
    if place + _HEAD_BYTES > len(data):
        return len(data)
    return place + _HEAD_BYTES + int.from_bytes(data[place + 4 : place + 8], "little")


def _records(drawing: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield kind and content of what shapes consist of, and where the group began that a person made, or 0.

    All of a drawing stands in one group; those that a person made are within it.
    """
    place, groups = 0, [(len(drawing), 0)]
    while place + _HEAD_BYTES <= len(drawing):
        instance, kind = struct.unpack_from("<2H", drawing, place)
        end = _end(drawing, place)
        groups = [group for group in groups[:3] if place < group[0]]
        if kind == _GROUP:
            groups.append((end, place))
        if kind in {_GROUP, _SHAPE}:
            place += _HEAD_BYTES
            continue
        # Behind so many properties stand the long values of some.
        end_of_properties = place + _HEAD_BYTES + (instance >> 4) * _PROPERTY_BYTES
        content = drawing[place + _HEAD_BYTES : end_of_properties if kind == _OPTIONS else end]
        yield kind, content, groups[2][1] if len(groups) > 2 else 0
        place = end


def _said(options: bytes) -> dict[int, int]:
    whole = options[: len(options) // _PROPERTY_BYTES * _PROPERTY_BYTES]
    return {number & _PROPERTY_NUMBER: value for number, value in struct.iter_unpack("<HI", whole)}


def _is_dark(said: dict[int, int]) -> bool:
    """Return whether a shape is filled with anything but white; without a word of it, it is white."""
    switches = said.get(_FILL_SWITCHES, 0)
    is_filled = bool(switches & _IS_FILLED) or not switches & _SAYS_WHETHER_FILLED
    coloured = said.get(_FILL_KIND, _SOLID) != _SOLID or not is_white(said.get(_FILL_COLOUR, _WHITE))
    return is_filled and coloured
