"""The style sheet of a document ([MS-DOC] 2.9.271, STSH)."""

import struct
from dataclasses import dataclass
from functools import lru_cache

from simcompare.document import BlockKind
from simcompare.loading.common.style_names import is_of_contents, kind_by_names
from simcompare.loading.doc import characters, paragraphs
from simcompare.loading.doc.characters import CharacterLook
from simcompare.loading.doc.paragraphs import ParagraphLook

# The numbers of Word's own styles.
_HEADINGS, _TITLE, _CONTENTS, _QUOTATIONS = range(1, 10), 62, range(19, 28), {180, 181}
_OF_PARAGRAPHS, _OF_CHARACTERS = 1, 2
_MOST_ANCESTORS = 12


@dataclass(frozen=True, slots=True)
class Style:
    """A style of paragraphs or of characters as the file has it."""

    number: int
    kind: int
    base: int
    name: str
    paragraph: bytes = b""
    character: bytes = b""


class Styles:
    """The styles of a document, with what they inherit."""

    def __init__(self, sheet: bytes, data: bytes) -> None:
        self._styles = _read(sheet)
        self._data = data
        self.characters = lru_cache(maxsize=None)(self._characters)
        self.paragraph = lru_cache(maxsize=None)(self._paragraph)
        self.kind = lru_cache(maxsize=None)(self._kind)
        self.is_contents = lru_cache(maxsize=None)(self._is_contents)

    def with_style(self, index: int, base: CharacterLook) -> CharacterLook:
        """Return how characters look to which a style of characters is given."""
        for style in self._chain(index):
            if style.kind == _OF_CHARACTERS:
                base = characters.changed(base, style.character, lambda _index, look: look)
        return base

    def _characters(self, index: int) -> CharacterLook:
        look = CharacterLook()
        for style in self._chain(index):
            look = characters.changed(look, style.character, lambda _index, base: base)
        return look

    def _paragraph(self, index: int) -> ParagraphLook:
        look = ParagraphLook()
        for style in self._chain(index):
            look = paragraphs.changed(look, style.paragraph, self._data)
        return look

    def _kind(self, index: int) -> BlockKind | None:
        """Return what paragraphs of a style are, None where it says nothing of it."""
        chain = self._chain(index)
        numbers = {style.number for style in chain}
        if _TITLE in numbers:
            return BlockKind.TITLE
        named = kind_by_names([style.name.strip().lower() for style in chain])
        if named is None and not numbers.isdisjoint(_HEADINGS):
            return BlockKind.HEADING
        return named or (None if numbers.isdisjoint(_QUOTATIONS) else BlockKind.QUOTATION)

    def _is_contents(self, index: int) -> bool:
        return any(
            style.number in _CONTENTS or is_of_contents(style.name.strip().lower())
            for style in self._chain(index)[-1:]
        )

    def _chain(self, index: int) -> list[Style]:
        """Return a style's ancestors, the oldest first, and the style itself; a style may name itself."""
        chain: list[Style] = []
        while (style := self._styles.get(index)) and style not in chain and len(chain) < _MOST_ANCESTORS:
            chain.append(style)
            index = style.base
        return chain[::-1]


def _read(sheet: bytes) -> dict[int, Style]:
    """Return the styles by their index; those behind a broken place are missing."""
    styles: dict[int, Style] = {}
    try:
        head, count, base_size = struct.unpack_from("<3H", sheet)
        place = 2 + head
        for index in range(count):
            (length,) = struct.unpack_from("<H", sheet, place)
            if length:
                styles[index] = _style(sheet[place + 2 : place + 2 + length], base_size)
            place += 2 + length
    except (struct.error, IndexError):
        return styles
    return styles


def _style(description: bytes, base_size: int) -> Style:
    first, second, third = struct.unpack_from("<3H", description)
    kind, base = second & 0xF, second >> 4
    (characters_in_name,) = struct.unpack_from("<H", description, base_size)
    start = base_size + 2
    name = description[start : start + 2 * characters_in_name].decode("utf-16-le", "ignore")
    lists = _lists(description, start + 2 * characters_in_name + 2, third & 0xF)
    paragraph, character = b"", b""
    if kind == _OF_PARAGRAPHS and lists:
        paragraph, character = lists[0][2:], lists[1] if len(lists) > 1 else b""
    elif kind == _OF_CHARACTERS and lists:
        character = lists[0]
    # The aliases of a name follow it behind commas.
    return Style(first & 0xFFF, kind, base, name.partition(",")[0], paragraph, character)


def _lists(description: bytes, place: int, count: int) -> list[bytes]:
    """Return the lists of properties, each of which begins at an even place."""
    lists = []
    for _number in range(count):
        place += place % 2
        if place + 2 > len(description):
            break
        (length,) = struct.unpack_from("<H", description, place)
        lists.append(description[place + 2 : place + 2 + length])
        place += 2 + length
    return lists
