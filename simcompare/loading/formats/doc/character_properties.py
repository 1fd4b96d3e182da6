"""Character properties ([MS-DOC] 2.6.1)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from simcompare.loading.formats.doc.doc_properties import (
    WHITE_INDEX,
    is_shaded,
    is_shaded_by_index,
    is_white,
    number_in,
    properties,
)
from simcompare.loading.shared.text_flow import TextFormat

_STYLE, _PLAIN = 0x4A30, 0x2A33
_NOT_DARK = frozenset({0, WHITE_INDEX})


@dataclass(frozen=True, slots=True)
class CharacterFormat:
    """Format of characters.

    `shaded` is their own dark background, `symbol` a character of a symbol font, `picture` the offset of
    a picture in the data stream.
    """

    half_points: float = 20
    bold: bool = False
    white: bool = False
    hidden: bool = False
    deleted: bool = False
    shaded: bool = False
    symbol: int | None = None
    picture: int | None = None

    def text_format(self) -> TextFormat:
        """Return the format as far as it determines visibility."""
        return TextFormat(
            self.half_points, self.bold, self.white and not self.shaded, self.hidden, self.deleted
        )


def _toggled(value: int, of_style: bool) -> bool:
    """Return a toggle: 0 and 1 are off and on, 0x80 is as in the style, 0x81 the opposite."""
    return of_style != bool(value & 1) if value & 0x80 else bool(value & 1)


_Change = Callable[[CharacterFormat, CharacterFormat, bytes], CharacterFormat]
_CHANGES: dict[int, _Change] = {
    0x0800: lambda current, _base, operand: replace(current, deleted=bool(number_in(operand) & 1)),
    0x083C: lambda current, base, operand: replace(current, hidden=_toggled(number_in(operand), base.hidden)),
    0x0835: lambda current, base, operand: replace(current, bold=_toggled(number_in(operand), base.bold)),
    0x4A43: lambda current, _base, operand: replace(current, half_points=number_in(operand)),
    0x2A42: lambda current, _base, operand: replace(current, white=number_in(operand) == WHITE_INDEX),
    0x6870: lambda current, _base, operand: replace(current, white=is_white(number_in(operand))),
    0x2A0C: lambda current, _base, operand: replace(current, shaded=number_in(operand) not in _NOT_DARK),
    0x4866: lambda current, _base, operand: replace(current, shaded=is_shaded_by_index(operand)),
    0xCA71: lambda current, _base, operand: replace(current, shaded=is_shaded(operand)),
    0x6A03: lambda current, _base, operand: replace(current, picture=number_in(operand)),
    0x6A09: lambda current, _base, operand: replace(current, symbol=number_in(operand) >> 16),
}


def changed(
    base: CharacterFormat, grpprl: bytes, styles: Callable[[int, CharacterFormat], CharacterFormat]
) -> CharacterFormat:
    """Return `base`, the format of the paragraph style, with changes; `styles` applies a character style."""
    current = base
    for number, operand in properties(grpprl):
        if number == _STYLE:
            current = base = styles(number_in(operand), base)
        elif number == _PLAIN:
            current = base
        elif number in _CHANGES:
            current = _CHANGES[number](current, base, operand)
    return current
