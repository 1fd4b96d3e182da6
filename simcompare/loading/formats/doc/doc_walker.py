"""Convert the characters of a .doc to a TextFlow: marks, fields, formats and paragraphs."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from simcompare.loading.formats.doc import character_properties as characters
from simcompare.loading.formats.doc import paragraph_properties as paragraphs
from simcompare.loading.formats.doc.character_properties import CharacterFormat
from simcompare.loading.formats.doc.doc_lists import DocLists
from simcompare.loading.formats.doc.doc_styles import DocStyles, FormattedRanges
from simcompare.loading.formats.doc.paragraph_properties import DocParagraphFormat
from simcompare.loading.formats.doc.piece_table import DocText
from simcompare.loading.shared.text_flow import LINE_END, FlowParagraph, ParagraphFormat, TextFlow, TextFormat
from simcompare.loading.shared.word_fields import WordFields
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason

_CELL_END, _PARAGRAPH = "\x07", "\r"
_PARAGRAPH_END = re.compile("[\x07\x0c\r]")
_FIELD_BEGINS, _RESULT_BEGINS, _FIELD_ENDS, _ANCHOR = "\x13", "\x14", "\x15", "\x08"
_SYMBOL = "("
_MARKS = re.compile("([\x08\x13-\x15])")
_FIELD_MARKS = re.compile("[\x13\x15]")
# Line and column breaks, tabs, and non-breaking hyphens.
_REPLACED = {"\x0b": LINE_END, "\x0e": LINE_END, "\t": " ", "\x1e": "-"}
# Pictures, note numbers, marks, and optional hyphens.
_REMOVED = dict.fromkeys("\0\x01\x02\x03\x04\x05\x06\x07\x0c\r\x1f", "")
_CHARACTERS = str.maketrans(_REPLACED | _REMOVED)
_BODY_LEVEL = 9
_PRIVATE = range(0xE000, 0xF900)


class DocFormatting:
    """Formats of the characters and paragraphs of a document."""

    def __init__(
        self, styles: DocStyles, character: FormattedRanges, paragraph: FormattedRanges, data: bytes
    ) -> None:
        self.styles = styles
        self._character = character
        self._paragraph = paragraph
        self._data = data
        self.character_format = lru_cache(maxsize=4096)(self._character_format)
        self.paragraph_format = lru_cache(maxsize=4096)(self._paragraph_format)

    def paragraph_at(self, offset: int) -> tuple[int, DocParagraphFormat]:
        """Return style and format of the paragraph whose mark is at `offset`."""
        formatted = self._paragraph.at(offset)
        return formatted.style, self.paragraph_format(formatted.style, formatted.properties)

    def formats(
        self, text: DocText, start: int, end: int, style: int
    ) -> Iterator[tuple[int, int, CharacterFormat]]:
        """Yield (start, end, format) for characters [start, end) of a paragraph of that style."""
        for part in text.stretches(start, end):
            last = part.offset + (part.end - part.start) * part.width
            position = part.start
            for begins, ends, changes in self._character.within(part.offset, last):
                # A two-byte character belongs to the range of its first byte.
                after = part.start + -(-(ends - part.offset) // part.width)
                if begins < ends and position < after:
                    yield position, after, self.character_format(style, changes + part.properties)
                    position = after

    def _character_format(self, style: int, changes: bytes) -> CharacterFormat:
        return characters.changed(self.styles.characters(style), changes, self.styles.with_style)

    def _paragraph_format(self, style: int, changes: bytes) -> DocParagraphFormat:
        return paragraphs.changed(self.styles.paragraph(style), changes, self._data)


@dataclass(frozen=True, slots=True)
class _PartState:
    """State while a text part is read. `stray` are the positions of fields that never end."""

    stray: frozenset[int]
    flow: TextFlow = field(default_factory=TextFlow)
    fields: WordFields = field(default_factory=WordFields)


@dataclass(frozen=True, slots=True)
class DocWalker:
    """Reads text parts of a document. `box` returns the text box anchored at a character."""

    text: DocText
    formatting: DocFormatting
    lists: DocLists
    box: Callable[[int], Sequence[FlowParagraph]] = lambda _position: ()

    def paragraphs(self, start: int, end: int) -> list[FlowParagraph]:
        """Return the paragraphs of characters [start, end)."""
        end = min(end, len(self.text.characters))
        part = _PartState(_stray_fields(self.text.characters, start, end))
        while start < end:
            match = _PARAGRAPH_END.search(self.text.characters, start, end)
            after = match.end() if match else end
            self._paragraph(part, start, after)
            start = after
        return part.flow.finish()

    def _paragraph(self, part: _PartState, start: int, end: int) -> None:
        """Read a paragraph with its end mark, which may be missing at the end of a part."""
        style, paragraph_format = self.formatting.paragraph_at(self.text.offset(end - 1))
        is_contents = self.formatting.styles.is_contents(style)
        mark, mark_format = self.text.characters[end - 1], CharacterFormat()
        if paragraph_format.list and not paragraph_format.ends_row:
            self._number(part.flow, paragraph_format, self.formatting.formats(self.text, end - 1, end, style))
        for first, last, mark_format in self.formatting.formats(self.text, start, end, style):
            self._run(part, (first, last), mark_format, is_contents=is_contents)
        if mark == _CELL_END and paragraph_format.depth == 0 and end - start == 1:
            # Without properties, a cell mark directly after another one ends the row.
            paragraph_format = replace(
                paragraph_format, ends_row=self.text.characters[start - 1 : start] == _CELL_END
            )
        is_in_command = mark == _PARAGRAPH and part.fields.absorbs(mark)
        if _PARAGRAPH_END.match(mark) and not is_in_command:
            self._end(
                part.flow,
                mark,
                style,
                paragraph_format,
                continues=mark_format.deleted or paragraph_format.is_drop_cap,
            )

    def _number(
        self,
        flow: TextFlow,
        paragraph_format: DocParagraphFormat,
        mark_formats: Iterator[tuple[int, int, CharacterFormat]],
    ) -> None:
        """Add the list label before a paragraph; it has the format of the paragraph mark."""
        label = self.lists.label(paragraph_format.list, paragraph_format.list_level)
        for _first, _last, mark_format in mark_formats:
            flow.text(label, mark_format.text_format())

    def _run(
        self,
        part: _PartState,
        place: tuple[int, int],
        character_format: CharacterFormat,
        *,
        is_contents: bool,
    ) -> None:
        """Add characters of one format."""
        flow, fields = part.flow, part.fields
        position, text_format = place[0], character_format.text_format()
        for some in _MARKS.split(self.text.characters[position : place[1]]):
            text = "" if _MARKS.match(some) else some
            if some == _FIELD_BEGINS and position not in part.stray:
                fields.begin()
            elif some == _RESULT_BEGINS:
                fields.separate()
            elif some == _FIELD_ENDS:
                text = fields.end()
            elif some == _ANCHOR:
                flow.add_text_box(self.box(position))
            position += len(some)
            if text and not fields.absorbs(text):
                in_contents = is_contents or fields.in_contents()
                reason = DropReason.TABLE_OF_CONTENTS if in_contents else None
                _add_text(flow, text.translate(_CHARACTERS), character_format, text_format, reason)

    def _end(
        self, flow: TextFlow, mark: str, style: int, paragraph_format: DocParagraphFormat, *, continues: bool
    ) -> None:
        block_format = ParagraphFormat(
            self._kind(style, paragraph_format),
            paragraph_format.centred,
            paragraph_format.shaded,
            paragraph_format.depth,
        )
        if paragraph_format.ends_row:
            flow.end_row(
                paragraph_format.depth,
                shaded=paragraph_format.cells_shaded,
                merged=paragraph_format.cells_merged,
            )
        elif mark == _CELL_END or paragraph_format.ends_cell:
            flow.end_cell(block_format)
        elif not continues:
            flow.end_paragraph(block_format)

    def _kind(self, style: int, paragraph_format: DocParagraphFormat) -> BlockKind:
        kind = self.formatting.styles.kind(style)
        if paragraph_format.level < _BODY_LEVEL and kind is not BlockKind.TITLE:
            return BlockKind.HEADING
        return kind or (BlockKind.LIST_ITEM if paragraph_format.list else BlockKind.PARAGRAPH)


def _stray_fields(characters: str, start: int, end: int) -> frozenset[int]:
    """Return the positions of field begins without an end; the text after them is no command."""
    open_fields: list[int] = []
    for mark in _FIELD_MARKS.finditer(characters, start, end):
        if mark[0] == _FIELD_BEGINS:
            open_fields.append(mark.start())
        elif open_fields:
            open_fields.pop()
    return frozenset(open_fields)


def _add_text(
    flow: TextFlow,
    text: str,
    character_format: CharacterFormat,
    text_format: TextFormat,
    reason: DropReason | None,
) -> None:
    """Add characters; a placeholder is replaced by its symbol font character."""
    if character_format.symbol is not None and text == _SYMBOL:
        text = chr(character_format.symbol)
        reason = DropReason.SYMBOL_FONT if character_format.symbol in _PRIVATE or text < " " else reason
    flow.text(text, text_format, reason)
