"""Reader of Word 97-2003 documents (.doc), and of the text of Word 6 and 95 documents."""

import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from simcompare.loading.archive import decrypted
from simcompare.loading.extraction import (
    DroppedText,
    Extraction,
    ReadingOptions,
    Source,
    clean,
    note_mark,
    title_of,
)
from simcompare.loading.formats.doc.doc_storage import (
    CompoundFile,
    DocShapes,
    DocText,
    FileInformationBlock,
    TooMuchTextError,
    TruncatedTextError,
    plc_entries,
    read_fib,
    read_pieces,
    whole_text,
)
from simcompare.loading.formats.doc.doc_styles import (
    CharacterFormat,
    DocParagraphFormat,
    DocStyles,
    FormattedRanges,
    changed_characters,
    changed_paragraph,
    number_in,
    read_characters,
    read_paragraphs,
)
from simcompare.loading.formats.plain.encodings import encoding_of_language
from simcompare.loading.shared.file_origin import LARGE_TWIPS, flags_of_pictures
from simcompare.loading.shared.list_numbers import FORMS_BY_CODE, LEVELS, CountedList, ListLevel
from simcompare.loading.shared.text_flow import (
    LINE_END,
    FlowParagraph,
    ParagraphFormat,
    TextFlow,
    as_footnotes,
    opening_lines,
    pieces_of,
    written_text,
)
from simcompare.loading.shared.word_fields import WordFields
from simcompare.model.document import BlockKind, DropReason
from simcompare.model.errors import DamagedFileError, FileTooLargeError, UnsupportedFormatError
from simcompare.support.i18n import N_

_IS_SIMPLE, _IN_DIGITS, _NEVER_RESTARTS = 0x01, 0x04, 0x08
_SETS_START, _SETS_LEVEL = 0x10, 0x20
_TAB, _SPACE, _NOTHING = 0, 1, 2
_SUFFIXES = {_TAB: " ", _SPACE: " ", _NOTHING: ""}
_NO_NUMBER = "none"


@dataclass(slots=True)
class _ListStream:
    """A position in bytes that are read sequentially; raises struct.error at their end."""

    data: bytes
    place: int = 0

    def values(self, form: str) -> tuple[Any, ...]:
        """Read values in the notation of struct."""
        found = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return found

    def level(self, number: int) -> ListLevel:
        start, code, flags, _places, suffix, _indents, characters, paragraph, limit, _hint = self.values(
            "<iBB9sB8s4B"
        )
        self.place += paragraph + characters
        (length,) = self.values("<H")
        text = self.data[self.place : self.place + 2 * length].decode("utf-16-le", "replace")
        self.place += 2 * length
        return ListLevel(
            start=start,
            form=FORMS_BY_CODE.get(code, _NO_NUMBER),
            parts=[ord(char) if ord(char) < LEVELS else char for char in text],
            restarts_after=limit if flags & _NEVER_RESTARTS else number,
            in_digits=bool(flags & _IN_DIGITS),
            suffix=_SUFFIXES.get(suffix, " "),
        )


class DocLists:
    def __init__(self, lists: bytes, instances: bytes) -> None:
        self._lists: dict[int, CountedList] = {}
        self._instances: list[CountedList] = []
        try:
            stream = _ListStream(lists)
            (count,) = stream.values("<H")
            heads = [stream.values("<2i18s2B") for _list in range(count)]
            for number, _template, _styles, flags, _hint in heads:
                levels = 1 if flags & _IS_SIMPLE else LEVELS
                self._lists[number] = CountedList({level: stream.level(level) for level in range(levels)})
            self._read_instances(_ListStream(instances))
        except struct.error:
            # Paragraphs of a broken list have no label; their text is kept.
            return

    def label(self, instance: int, level: int) -> str:
        """Count a paragraph of a list, numbered from 1, and return its label."""
        if 0 < instance <= len(self._instances):
            return self._instances[instance - 1].next_label(level)
        return ""

    def _read_instances(self, stream: _ListStream) -> None:
        """Read the list instances that paragraphs refer to; the overrides follow after all of them."""
        (count,) = stream.values("<I")
        heads = [stream.values("<i8s4B") for _instance in range(min(count, len(stream.data)))]
        for number, _unused, *_counts in heads:
            counted = self._lists.get(number, CountedList({}))
            self._instances.append(CountedList(dict(counted.levels), {}, counted.numbers))
        for instance, head in zip(self._instances, heads, strict=True):
            stream.values("<I")
            for _override in range(head[2]):
                start, flags = stream.values("<iI")
                level = flags & 0xF
                if flags & _SETS_LEVEL:
                    instance.levels = {**instance.levels, level: stream.level(level)}
                if flags & _SETS_START:
                    instance.restart_numbers[level] = start


_CELL_END, _PARAGRAPH = "\x07", "\r"
_PARAGRAPH_END = re.compile("[\x07\x0c\r]")
_FIELD_BEGINS, _RESULT_BEGINS, _FIELD_ENDS, _ANCHOR = "\x13", "\x14", "\x15", "\x08"
_SYMBOL = "("
_MARKS = re.compile("([\x08\x13-\x15])")
_NOTE_NUMBER = "\x02"
_FIELD_MARKS = re.compile("[\x13\x15]")
# Line and column breaks, tabs, and non-breaking hyphens.
_REPLACED = {"\x0b": LINE_END, "\x0e": LINE_END, "\t": " ", "\x1e": "-"}
# Pictures, note numbers, marks, and optional hyphens.
_REMOVED = dict.fromkeys("\0\x01\x02\x03\x04\x05\x06\x07\x0c\r\x1f", "")
_CHARACTERS = str.maketrans(_REPLACED | _REMOVED)
_BODY_LEVEL = 9
_PRIVATE = range(0xE000, 0xF900)


class DocFormatting:
    def __init__(
        self, styles: DocStyles, character: FormattedRanges, paragraph: FormattedRanges, data: bytes
    ) -> None:
        self.styles = styles
        self._character = character
        self._paragraph = paragraph
        self.character_format = lru_cache(maxsize=4096)(
            lambda style, changes: changed_characters(styles.characters(style), changes, styles.with_style)
        )
        self.paragraph_format = lru_cache(maxsize=4096)(
            lambda style, changes: changed_paragraph(styles.paragraph(style), changes, data)
        )

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


@dataclass(frozen=True, slots=True)
class _PartState:
    """State while a text part is read. `stray` are the positions of fields that never end."""

    stray: frozenset[int]
    flow: TextFlow = field(default_factory=TextFlow)
    fields: WordFields = field(default_factory=WordFields)


@dataclass(frozen=True, slots=True)
class DocWalker:
    """Reads text parts of a document.

    `box` returns the text box anchored at a character; `notes` are the marks of notes by position.
    """

    text: DocText
    formatting: DocFormatting
    lists: DocLists
    box: Callable[[int], Sequence[FlowParagraph]] = lambda _position: ()
    notes: Mapping[int, str] = field(default_factory=dict)

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
            # The list label has the format of the paragraph mark.
            label = self.lists.label(paragraph_format.list, paragraph_format.list_level)
            for _first, _last, label_format in self.formatting.formats(self.text, end - 1, end, style):
                part.flow.text(label, label_format.text_format())
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

    def _run(
        self,
        part: _PartState,
        place: tuple[int, int],
        character_format: CharacterFormat,
        *,
        is_contents: bool,
    ) -> None:
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
                in_contents = is_contents or fields.contents is not None
                reason = DropReason.TABLE_OF_CONTENTS if in_contents else None
                for at in range(position - len(some), position) if _NOTE_NUMBER in text else ():
                    text = text.replace(_NOTE_NUMBER, self.notes.get(at, ""), at in self.notes)
                text, symbol = text.translate(_CHARACTERS), character_format.symbol
                if symbol is not None and text == _SYMBOL:
                    # a placeholder of a character of a symbol font
                    text = chr(symbol)
                    reason = DropReason.SYMBOL_FONT if symbol in _PRIVATE or text < " " else reason
                flow.text(text, text_format, reason)

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
    found = 0
    for _start, _end, entry in plc_entries(anchors, ANCHOR_BYTES):
        number, left, top, right, bottom = struct.unpack_from("<I4i", entry)
        found += shapes.is_picture(number) and min(right - left, bottom - top) >= LARGE_TWIPS
    return found


_HEADER, _FOOTER = DropReason.PAGE_HEADER, DropReason.PAGE_FOOTER
# Six note separators come first; then every section has six texts, for even, odd and first pages.
_SEPARATORS = 6
_HEADERS = (_HEADER, _HEADER, _FOOTER, _FOOTER, _HEADER, _FOOTER)
_NORMAL = 0


def read_doc(source: Source, options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    compound_file = CompoundFile(source.path, source.data)
    stream = compound_file.stream("WordDocument")
    fib = _fib(source.path, stream)
    if fib.is_encrypted:
        if fib.is_obfuscated and options.password:
            raise UnsupportedFormatError(source.path, format=N_("an unusual encryption"))
        compound_file = CompoundFile(source.path, decrypted(source, options.password).data)
        stream = compound_file.stream("WordDocument")
        # All but the first bytes of the file information block were encrypted too.
        fib = _fib(source.path, stream)
    try:
        return _DocFile(source.path, compound_file, stream, fib).read()
    except TooMuchTextError as error:
        raise FileTooLargeError(source.path, cause=N_("more than 10 MB of text")) from error
    except (TruncatedTextError, struct.error, IndexError, ValueError) as error:
        raise DamagedFileError(source.path, cause=N_("it is cut short or broken")) from error


def _fib(path: Path, stream: bytes) -> FileInformationBlock:
    try:
        fib = read_fib(stream)
    except struct.error as error:
        raise DamagedFileError(path, cause=N_("the text is missing from the file")) from error
    if not fib.is_known:
        raise UnsupportedFormatError(path, format=N_("Word before Word 6"))
    return fib


class _DocFile:
    def __init__(
        self, path: Path, compound_file: CompoundFile, stream: bytes, fib: FileInformationBlock
    ) -> None:
        self._path = path
        self._compound_file = compound_file
        self._fib = fib
        self._table = compound_file.stream(fib.table_stream) if fib.is_word_97 else stream
        encoding = "cp1252" if fib.is_word_97 else encoding_of_language(fib.language)
        has_pieces = fib.is_word_97 or fib.is_complex
        pieces = read_pieces(fib, self._table) if has_pieces else whole_text(fib)
        self._text = DocText(stream, pieces, encoding)
        if len(self._text.characters) < fib.counts["body"]:
            raise TruncatedTextError
        self._data = compound_file.stream("Data")
        self._styles = DocStyles(self._structure("styles"), self._data)
        character = read_characters(self._structure("characters"), stream)
        paragraph = read_paragraphs(self._structure("paragraphs"), stream)
        self._formatting = DocFormatting(self._styles, character, paragraph, self._data)
        # The levels of the lists follow after the stated length of the structure.
        self._lists = DocLists(
            self._table[fib.places.get("lists", (0, 0))[0] :], self._structure("list_instances")
        )

    def read(self) -> Extraction:
        marks = self._note_marks()
        walker = DocWalker(self._text, self._formatting, self._lists, notes=marks)
        shapes = DocShapes(self._structure("drawings"))
        places = self._structure("shapes"), self._structure("boxes")
        boxes = DocTextBoxes(*places, self._fib.part("boxes"), walker, shapes)
        body = DocWalker(self._text, self._formatting, self._lists, boxes.at, marks).paragraphs(
            *self._fib.part("body")
        )
        body += boxes.rest()
        if shapes.page_is_dark:
            body = [paragraph.with_white_text() for paragraph in body]
        notes = [p for name in ("footnotes", "endnotes") for p in walker.paragraphs(*self._fib.part(name))]
        dropped_text = DroppedText()
        pieces = pieces_of([*body, *as_footnotes(notes)], dropped_text)
        for reason, start, end in self._dropped_parts():
            dropped_text.add(reason, written_text(walker.paragraphs(start, end)))
        body_half_points = self._styles.characters(_NORMAL).half_points
        pictures = large_pictures_in_line(self._text, self._formatting, self._fib.part("body"), self._data)
        pictures += large_floating_pictures(self._structure("shapes"), shapes)
        flags = [*dropped_text.flags(), *flags_of_pictures(self._path, pictures, pieces)]
        summary = self._compound_file.summary()
        title = title_of(pieces, opening_lines(body), body_half_points, clean(summary.title))
        return Extraction(
            "doc", pieces, title, dropped=dropped_text.dropped(), flags=flags, origin=summary.origin
        )

    def _structure(self, name: str) -> bytes:
        """Return a structure that the file information block points to; nothing if there is none."""
        place, length = self._fib.places.get(name, (0, 0))
        return self._table[place : place + length]

    def _note_marks(self) -> dict[int, str]:
        """Return the marks of notes by the positions of their numbers, in the body and before the notes."""
        marks: dict[int, str] = {}
        for kind, part in enumerate(("footnote", "endnote")):
            references = list(plc_entries(self._structure(f"{part}_marks"), 2))
            texts = plc_entries(self._structure(f"{part}s"), 0)
            start, _end = self._fib.part(f"{part}s")
            for number, (reference, text) in enumerate(zip(references, texts, strict=False)):
                marks[reference[0]] = marks[start + text[0]] = note_mark(2 * number + kind)
        return marks

    def _dropped_parts(self) -> Iterator[tuple[DropReason, int, int]]:
        """Yield the text parts that are dropped: headers, footers and comments."""
        start, end = self._fib.part("headers")
        for number, (first, last, _nothing) in enumerate(plc_entries(self._structure("headers"), 0)):
            if number >= _SEPARATORS:
                reason = _HEADERS[number % len(_HEADERS)]
                yield reason, start + first, min(start + last, end)
        yield _HEADER, *self._fib.part("header_boxes")
        yield DropReason.COMMENT, *self._fib.part("comments")
