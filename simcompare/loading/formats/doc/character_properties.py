"""What a list of properties makes of characters ([MS-DOC] 2.6.1)."""

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
from simcompare.loading.shared.text_flow import Look

_STYLE, _PLAIN = 0x4A30, 0x2A33
_NOT_DARK = frozenset({0, WHITE_INDEX})


@dataclass(frozen=True, slots=True)
class CharacterLook:
    """How characters look, and what one stands for.

    `shaded` is whether their own ground is dark, `symbol` a sign of a symbol font, `picture` where the
    picture stands among the data.
    """

    half_points: float = 20
    bold: bool = False
    white: bool = False
    hidden: bool = False
    deleted: bool = False
    shaded: bool = False
    symbol: int | None = None
    picture: int | None = None

    def look(self) -> Look:
        """Return what decides whether the characters are read."""
        return Look(self.half_points, self.bold, self.white and not self.shaded, self.hidden, self.deleted)


def _switched(value: int, of_style: bool) -> bool:
    """0 and 1 are off and on, 0x80 is as the style has it, 0x81 the opposite."""
    return of_style != bool(value & 1) if value & 0x80 else bool(value & 1)


_Change = Callable[[CharacterLook, CharacterLook, bytes], CharacterLook]
_CHANGES: dict[int, _Change] = {
    0x0800: lambda now, _base, by: replace(now, deleted=bool(number_in(by) & 1)),
    0x083C: lambda now, base, by: replace(now, hidden=_switched(number_in(by), base.hidden)),
    0x0835: lambda now, base, by: replace(now, bold=_switched(number_in(by), base.bold)),
    0x4A43: lambda now, _base, by: replace(now, half_points=number_in(by)),
    0x2A42: lambda now, _base, by: replace(now, white=number_in(by) == WHITE_INDEX),
    0x6870: lambda now, _base, by: replace(now, white=is_white(number_in(by))),
    0x2A0C: lambda now, _base, by: replace(now, shaded=number_in(by) not in _NOT_DARK),
    0x4866: lambda now, _base, by: replace(now, shaded=is_shaded_by_index(by)),
    0xCA71: lambda now, _base, by: replace(now, shaded=is_shaded(by)),
    0x6A03: lambda now, _base, by: replace(now, picture=number_in(by)),
    0x6A09: lambda now, _base, by: replace(now, symbol=number_in(by) >> 16),
}


def changed(
    base: CharacterLook, grpprl: bytes, styles: Callable[[int, CharacterLook], CharacterLook]
) -> CharacterLook:
    """Return `base`, which the paragraph's style gives, changed; `styles` adds a style of characters."""
    now = base
    for number, operand in properties(grpprl):
        if number == _STYLE:
            now = base = styles(number_in(operand), base)
        elif number == _PLAIN:
            now = base
        elif number in _CHANGES:
            now = _CHANGES[number](now, base, operand)
    return now
