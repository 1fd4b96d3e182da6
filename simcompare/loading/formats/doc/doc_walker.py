"""The walk over the characters of a document: marks, fields, looks and paragraphs into a Flow."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from simcompare.loading.formats.doc import character_properties as characters
from simcompare.loading.formats.doc import paragraph_properties as paragraphs
from simcompare.loading.formats.doc.character_properties import CharacterLook
from simcompare.loading.formats.doc.doc_lists import Lists
from simcompare.loading.formats.doc.doc_styles import Formatting, Styles
from simcompare.loading.formats.doc.paragraph_properties import ParagraphLook
from simcompare.loading.formats.doc.piece_table import Text
from simcompare.loading.shared.text_flow import LINE_END, Flow, Format, Look, Paragraph
from simcompare.loading.shared.word_fields import Fields
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason

_CELL_END, _PARAGRAPH = "\x07", "\r"
_PARAGRAPH_END = re.compile("[\x07\x0c\r]")
_FIELD_BEGINS, _RESULT_BEGINS, _FIELD_ENDS, _ANCHOR = "\x13", "\x14", "\x15", "\x08"
_SYMBOL = "("
_MARKS = re.compile("([\x08\x13-\x15])")
_FIELD_MARKS = re.compile("[\x13\x15]")
# Breaks of lines and columns, tabs, and hyphens that do not break.
_SHOWN = {"\x0b": LINE_END, "\x0e": LINE_END, "\t": " ", "\x1e": "-"}
# Pictures, the numbers of notes, marks, and hyphens that show only at a line's end.
_NOT_SHOWN = dict.fromkeys("\0\x01\x02\x03\x04\x05\x06\x07\x0c\r\x1f", "")
_CHARACTERS = str.maketrans(_SHOWN | _NOT_SHOWN)
_BODY_LEVEL = 9
_PRIVATE = range(0xE000, 0xF900)


class Layout:
    """What the characters and the paragraphs of a document look like."""

    def __init__(self, styles: Styles, character: Formatting, paragraph: Formatting, data: bytes) -> None:
        self.styles = styles
        self._character = character
        self._paragraph = paragraph
        self._data = data
        self.character_look = lru_cache(maxsize=4096)(self._character_look)
        self.paragraph_look = lru_cache(maxsize=4096)(self._paragraph_look)

    def paragraph_at(self, offset: int) -> tuple[int, ParagraphLook]:
        """Return the style and the look of the paragraph whose mark stands there."""
        stretch = self._paragraph.at(offset)
        return stretch.style, self.paragraph_look(stretch.style, stretch.properties)

    def looks(self, text: Text, start: int, end: int, style: int) -> Iterator[tuple[int, int, CharacterLook]]:
        """Yield characters [start, end) of a paragraph of that style in parts that look alike."""
        for part in text.stretches(start, end):
            last = part.offset + (part.end - part.start) * part.width
            position = part.start
            for begins, ends, changes in self._character.within(part.offset, last):
                # A character of two bytes belongs to where its first one does.
                after = part.start + -(-(ends - part.offset) // part.width)
                if begins < ends and position < after:
                    yield position, after, self.character_look(style, changes + part.properties)
                    position = after

    def _character_look(self, style: int, changes: bytes) -> CharacterLook:
        return characters.changed(self.styles.characters(style), changes, self.styles.with_style)

    def _paragraph_look(self, style: int, changes: bytes) -> ParagraphLook:
        return paragraphs.changed(self.styles.paragraph(style), changes, self._data)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a document while it is read. `stray` are the fields that begin and never end."""

    stray: frozenset[int]
    flow: Flow = field(default_factory=Flow)
    fields: Fields = field(default_factory=Fields)


@dataclass(frozen=True, slots=True)
class Walk:
    """Reads parts of a document's text. `box` gives the text box that is anchored at a character."""

    text: Text
    layout: Layout
    lists: Lists
    box: Callable[[int], Sequence[Paragraph]] = lambda _position: ()

    def paragraphs(self, start: int, end: int) -> list[Paragraph]:
        """Return the paragraphs of characters [start, end)."""
        end = min(end, len(self.text.characters))
        part = _Part(_stray_fields(self.text.characters, start, end))
        while start < end:
            match = _PARAGRAPH_END.search(self.text.characters, start, end)
            after = match.end() if match else end
            self._paragraph(part, start, after)
            start = after
        return part.flow.finish()

    def _paragraph(self, part: _Part, start: int, end: int) -> None:
        """Read a paragraph with the mark that ends it; at the very end of a part there may be none."""
        style, look = self.layout.paragraph_at(self.text.offset(end - 1))
        is_contents = self.layout.styles.is_contents(style)
        mark, mark_look = self.text.characters[end - 1], CharacterLook()
        if look.list and not look.ends_row:
            self._number(part.flow, look, self.layout.looks(self.text, end - 1, end, style))
        for first, last, mark_look in self.layout.looks(self.text, start, end, style):
            self._run(part, (first, last), mark_look, is_contents=is_contents)
        if mark == _CELL_END and look.depth == 0 and end - start == 1:
            # Where nothing is said of it, a cell's mark right behind another's ends the row.
            look = replace(look, ends_row=self.text.characters[start - 1 : start] == _CELL_END)
        is_in_command = mark == _PARAGRAPH and part.fields.takes(mark)
        if _PARAGRAPH_END.match(mark) and not is_in_command:
            self._end(part.flow, mark, style, look, goes_on=mark_look.deleted or look.is_drop_cap)

    def _number(
        self, flow: Flow, look: ParagraphLook, mark_looks: Iterator[tuple[int, int, CharacterLook]]
    ) -> None:
        """Put the number before a paragraph of a list, which looks as the paragraph's mark does."""
        label = self.lists.label(look.list, look.list_level)
        for _first, _last, mark_look in mark_looks:
            flow.text(label, mark_look.look())

    def _run(self, part: _Part, place: tuple[int, int], seen: CharacterLook, *, is_contents: bool) -> None:
        """Take characters that look alike."""
        flow, fields = part.flow, part.fields
        position, look = place[0], seen.look()
        for some in _MARKS.split(self.text.characters[position : place[1]]):
            text = "" if _MARKS.match(some) else some
            if some == _FIELD_BEGINS and position not in part.stray:
                fields.begin()
            elif some == _RESULT_BEGINS:
                fields.separate()
            elif some == _FIELD_ENDS:
                text = fields.end()
            elif some == _ANCHOR:
                flow.put_aside(self.box(position))
            position += len(some)
            if text and not fields.takes(text):
                in_contents = is_contents or fields.in_contents()
                reason = DropReason.TABLE_OF_CONTENTS if in_contents else None
                _take(flow, text.translate(_CHARACTERS), seen, look, reason)

    def _end(self, flow: Flow, mark: str, style: int, look: ParagraphLook, *, goes_on: bool) -> None:
        form = Format(self._kind(style, look), look.centred, look.shaded, look.depth)
        if look.ends_row:
            flow.end_row(look.depth, shaded=look.cells_shaded, merged=look.cells_merged)
        elif mark == _CELL_END or look.ends_cell:
            flow.end_cell(form)
        elif not goes_on:
            flow.end_paragraph(form)

    def _kind(self, style: int, look: ParagraphLook) -> BlockKind:
        kind = self.layout.styles.kind(style)
        if look.level < _BODY_LEVEL and kind is not BlockKind.TITLE:
            return BlockKind.HEADING
        return kind or (BlockKind.LIST_ITEM if look.list else BlockKind.PARAGRAPH)


def _stray_fields(characters: str, start: int, end: int) -> frozenset[int]:
    """Return where fields begin that have no end: what follows them is no command."""
    begun: list[int] = []
    for mark in _FIELD_MARKS.finditer(characters, start, end):
        if mark[0] == _FIELD_BEGINS:
            begun.append(mark.start())
        elif begun:
            begun.pop()
    return frozenset(begun)


def _take(flow: Flow, text: str, seen: CharacterLook, look: Look, reason: DropReason | None) -> None:
    """Take characters, or the sign of a symbol font that stands for one."""
    if seen.symbol is not None and text == _SYMBOL:
        text = chr(seen.symbol)
        reason = DropReason.SYMBOL_FONT if seen.symbol in _PRIVATE or text < " " else reason
    flow.text(text, look, reason)
