"""Convert the tokens of a Rich Text file to text flows: groups, formats, paragraphs and cells."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from simcompare.loading.extraction import DroppedText, Extraction, ReadingOptions, Source, clean, title_of
from simcompare.loading.formats.plain.encodings import encoding_of_code_page
from simcompare.loading.formats.rtf import rtf_state as rtf
from simcompare.loading.formats.rtf.rtf_state import (
    ROW_WORDS,
    ControlWord,
    Destination,
    RtfCharacterFormat,
    RtfColours,
    RtfFonts,
    RtfGroupState,
    RtfParagraphFormat,
    RtfRow,
    RtfStyle,
    RtfStyles,
    Token,
    tokens,
)
from simcompare.loading.shared.file_origin import LARGE_TWIPS, flags_of_pictures, origin_from
from simcompare.loading.shared.text_flow import (
    FlowParagraph,
    ParagraphFormat,
    TextFlow,
    TextFormat,
    as_footnotes,
    opening_lines,
    pieces_of,
    written_text,
)
from simcompare.loading.shared.word_fields import WordField
from simcompare.model.document import BlockKind, DropReason, Flag, FlagName, Origin
from simcompare.model.errors import DamagedFileError
from simcompare.support.i18n import N_

_CODE_PAGES = {"ansi": 1252, "mac": 10000, "pc": 437, "pca": 850}
_OTHER_STYLE_WORDS = frozenset({"cs", "ds", "ts"})
_TIME_WORDS = ("yr", "mo", "dy", "hr", "min")
HEADER_WORDS = frozenset({*_CODE_PAGES, *_OTHER_STYLE_WORDS, *_TIME_WORDS, "red", "green", "blue"}) | {
    *("ansicpg", "deff", "fcharset", "cpg", "sbasedon")
}
PROPERTY_DESTINATIONS = frozenset(
    {Destination.TITLE, Destination.AUTHOR, Destination.LAST_AUTHOR, Destination.PROGRAM}
)
TIME_DESTINATIONS = frozenset({Destination.CREATED, Destination.LAST_SAVED})


class RtfHeader:
    """Collects control words and text of the destinations that concern the whole file."""

    def __init__(self) -> None:
        self.fonts = RtfFonts()
        self.colours = RtfColours()
        self.styles = RtfStyles()
        self._properties = dict.fromkeys(PROPERTY_DESTINATIONS, "")
        self._times: dict[Destination, dict[str, int]] = {
            destination: {} for destination in TIME_DESTINATIONS
        }
        self._font = 0
        self._style: RtfStyle | None = None

    @property
    def title(self) -> str:
        return self._properties[Destination.TITLE]

    @property
    def origin(self) -> Origin:
        return origin_from(
            author=self._properties[Destination.AUTHOR],
            last_saved_by=self._properties[Destination.LAST_AUTHOR],
            created=_time(self._times[Destination.CREATED]),
            last_saved=_time(self._times[Destination.LAST_SAVED]),
            program=self._properties[Destination.PROGRAM].strip().removesuffix(";"),
        )

    def begin_style(self) -> bool:
        """Begin a style unless one is open; return whether it was begun."""
        if self._style is not None:
            return False
        self._style = RtfStyle()
        return True

    def end_style(self) -> None:
        if self._style is not None:
            self.styles.add(self._style)
        self._style = None

    def text(self, destination: Destination, text: str) -> None:
        if destination is Destination.COLOURS:
            self.colours.end(text.count(";"))
        elif destination is Destination.STYLES and self._style is not None:
            self._style.name += text
        elif destination in PROPERTY_DESTINATIONS:
            self._properties[destination] += text

    def set_code_page(self, name: str, number: int | None) -> bool:
        """Apply a control word for the default encoding; return whether it was one."""
        if name == "ansicpg" and number:
            self.fonts.default = encoding_of_code_page(number)
        elif name in _CODE_PAGES:
            self.fonts.default = encoding_of_code_page(_CODE_PAGES[name])
        elif name == "deff":
            self.fonts.first = number
        else:
            return False
        return True

    def word(self, destination: Destination, name: str, number: int) -> None:
        if destination is Destination.COLOURS:
            self.colours.part(name, number)
        elif destination is Destination.FONTS:
            self._font_word(name, number)
        elif destination is Destination.STYLES and self._style is not None:
            _style_word(self._style, name, number)
        elif destination in TIME_DESTINATIONS and name in _TIME_WORDS:
            self._times[destination][name] = number

    def _font_word(self, name: str, number: int) -> None:
        if name == "f":
            self._font = number
        elif name == "fcharset":
            self.fonts.set_charset(self._font, number)
        elif name == "cpg":
            self.fonts.set_code_page(self._font, number)


def _time(parts: dict[str, int]) -> str:
    year, month, day, hour, minute = (parts.get(part, 0) for part in _TIME_WORDS)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"


def _style_word(style: RtfStyle, name: str, number: int) -> None:
    if name == "s":
        style.number = number
    elif name == "sbasedon":
        style.base = number
    elif name == "outlinelevel":
        style.level = number
    elif name == "fs":
        style.half_points = number
    elif name in _OTHER_STYLE_WORDS:
        style.is_of_paragraphs = False


_MAX_GROUP_DEPTH = 2000
_IGNORABLE = "*"
_CHINESE_FROM = "\u2e80"
_SYMBOL_FONT_CODES = range(0xF000, 0xF100)
_PICTURE_SIDES = (("picwgoal", "picscalex"), ("pichgoal", "picscaley"))
_KNOWN_WORDS = (
    rtf.GROUP_WORDS
    | {
        *rtf.CHARACTER_WORDS,
        *rtf.PARAGRAPH_WORDS,
        *rtf.CHARACTER_OF_WORD,
        *rtf.PARAGRAPH_ENDS,
        *ROW_WORDS,
        *HEADER_WORDS,
    }
    | {word for side in _PICTURE_SIDES for word in side}
    | {"u", "uc", "cell", "nestcell", "row", "nestrow", "ftnalt"}
)
_HEADER_DESTINATIONS = frozenset(
    {Destination.FONTS, Destination.COLOURS, Destination.STYLES, *PROPERTY_DESTINATIONS, *TIME_DESTINATIONS}
)
_FILL = "fillColor"
_WHITE_FILL = 0xF0


class BrokenGroupsError(ValueError):
    """Groups are nested too deeply, or the file ends within them."""


class RtfWalker:
    def __init__(self) -> None:
        self.header = RtfHeader()
        self.body = TextFlow()
        self.footnotes: list[FlowParagraph] = []
        self.endnotes: list[FlowParagraph] = []
        self.dropped_paragraphs: list[tuple[DropReason, list[FlowParagraph]]] = []
        self.undecodable = 0
        self._notes = 0
        self.large_pictures = 0
        self.page_is_dark = False
        self._boxes_may_be_dark = False
        self._state = RtfGroupState(self.body)
        self._outer_states: list[RtfGroupState] = []
        self._bytes = bytearray()
        self._to_skip = 0
        self._is_ignorable = self._is_listed = False
        self._row = RtfRow(self.header.colours)
        self._shape_property = ""
        self._picture: dict[str, int] = {}
        self._text_format = lru_cache(maxsize=1024)(self._make_text_format)

    def read(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            if isinstance(token, bytes):
                self._take_bytes(token)
            elif token is rtf.OPEN:
                self._open()
            elif token is rtf.CLOSE:
                self._close()
            else:
                self._word(token)
        self._flush()
        # Some programs omit the last brace.
        if len(self._outer_states) > 1:
            raise BrokenGroupsError

    def _open(self) -> None:
        self._flush()
        self._to_skip = 0
        if len(self._outer_states) >= _MAX_GROUP_DEPTH:
            raise BrokenGroupsError
        self._outer_states.append(self._state)
        self._state = self._state.inner_state()
        if self._state.destination is Destination.STYLES and self.header.begin_style():
            self._state.at_end = lambda _ended: self.header.end_style()

    def _close(self) -> None:
        self._flush()
        self._to_skip = 0
        if not self._outer_states:
            return
        ended, self._state = self._state, self._outer_states.pop()
        if ended.at_end is not None:
            ended.at_end(ended)

    def _word(self, word: ControlWord) -> None:
        name, number = word.name, word.number
        ignorable, self._is_ignorable = self._is_ignorable, name == _IGNORABLE
        if name in rtf.ESCAPED_BYTES:
            self._take_bytes(name.encode())
        elif name in rtf.CHARACTER_OF_WORD and self._to_skip:
            self._to_skip -= 1
        elif self._state.destination is not Destination.OUT and (
            name in _KNOWN_WORDS or ignorable or self._state.in_equation
        ):
            self._flush()
            self._to_skip = 0
            if not self._begin_destination(name, ignorable=ignorable):
                self._apply_word(name, number)

    def _apply_word(self, name: str, number: int | None) -> None:
        """Apply a control word that changes the format or represents a character."""
        state = self._state
        if name == "u":
            self._unicode(number or 0)
        elif name == "uc":
            state.skipped_after_unicode = max(number or 0, 0)
        elif state.destination is Destination.PICTURE:
            self._picture[name] = number or 0
        elif state.destination in _HEADER_DESTINATIONS:
            self.header.word(state.destination, name, number or 0)
        elif name in rtf.CHARACTER_WORDS:
            state.characters = rtf.CHARACTER_WORDS[name](state.characters, number)
        elif name in rtf.PARAGRAPH_WORDS:
            state.paragraph = rtf.PARAGRAPH_WORDS[name](state.paragraph, number)
        elif name in ROW_WORDS:
            self._row.word(name, number or 0)
        elif name in rtf.CHARACTER_OF_WORD:
            self._text(rtf.CHARACTER_OF_WORD[name])
        elif name == "ftnalt":
            state.is_endnote = True
        elif not self.header.set_code_page(name, number) and state.destination is Destination.TEXT:
            self._end_block(name)

    def _end_block(self, name: str) -> None:
        state = self._state
        depth = state.paragraph.depth
        if name in rtf.PARAGRAPH_ENDS:
            if not state.characters.deleted and not state.paragraph.is_drop_cap:
                state.flow.end_paragraph(self._format(depth))
        elif name == "cell":
            state.flow.end_cell(self._format(1))
        elif name == "nestcell":
            state.flow.end_cell(self._format(max(depth, 2)))
        elif name == "row":
            state.flow.end_row(1, shaded=self._row.shaded, merged=self._row.merged)
        elif name == "nestrow":
            state.flow.end_row(max(depth, 2), shaded=self._row.shaded, merged=self._row.merged)

    def _format(self, depth: int) -> ParagraphFormat:
        paragraph = self._state.paragraph
        shaded = self.header.colours.is_dark(paragraph.background) or paragraph.pattern > 0
        paragraph_format = ParagraphFormat(self._kind(paragraph), paragraph.centred, shaded, depth)
        self._is_listed = False
        return paragraph_format

    def _kind(self, paragraph: RtfParagraphFormat) -> BlockKind:
        kind = self.header.styles.kind(paragraph.style)
        if paragraph.is_heading and kind is not BlockKind.TITLE:
            return BlockKind.HEADING
        is_listed = self._is_listed or paragraph.is_listed
        return kind or (BlockKind.LIST_ITEM if is_listed else BlockKind.PARAGRAPH)

    def _begin_destination(self, name: str, *, ignorable: bool) -> bool:
        """Begin the destination that a control word names; return whether it names one."""
        state = self._state
        if ignorable and (state.has_text or len(self._outer_states) == 1):
            # A destination begins a group; some programs write one in the middle of text.
            return True
        if state.destination is Destination.COMMAND and name != "fldinst":
            return ignorable
        if name in rtf.LIST_NUMBERS:
            self._begin_list_number(state.flow, self._text_format(state.characters))
        elif name in rtf.DROPPED_DESTINATIONS:
            reason = rtf.DROPPED_DESTINATIONS[name]
            self._begin_flow(lambda ended: self.dropped_paragraphs.append((reason, ended.flow.finish())))
        elif name == rtf.NOTES:
            state.flow.note(self._notes)
            self._begin_flow(self._end_note)
            self._state.flow.note(self._notes)
            self._notes += 1
        elif name in rtf.BOXES:
            self._begin_box(state.flow)
        elif name == "field":
            state.destination, state.field, state.at_end = Destination.NOTHING, WordField(), self._end_field
        elif name == "upr":
            state.outer_destination, state.destination = state.destination, Destination.NOTHING
        elif name == "ud":
            state.destination = state.outer_destination
        elif name in rtf.DESTINATIONS:
            self._begin_known_destination(name, rtf.DESTINATIONS[name])
        elif ignorable or (state.in_equation and name.startswith("m") and name.endswith("Pr")):
            state.destination = Destination.OUT
        else:
            return False
        return True

    def _begin_known_destination(self, name: str, destination: Destination) -> None:
        state = self._state
        state.destination = destination
        state.in_equation = state.in_equation or name in rtf.EQUATIONS
        state.is_page = state.is_page or name == "background"
        if destination is Destination.PICTURE:
            self._picture = {}
            state.at_end = self._end_picture
        if name == "fldrslt" and state.field is not None:
            state.field.has_result = True
            state.in_contents = state.in_contents or state.field.in_contents()

    def _begin_flow(self, at_end: Callable[[RtfGroupState], None]) -> None:
        """Begin a separate text; its paragraphs do not inherit the surrounding format."""
        flow = TextFlow()
        self._state = RtfGroupState(
            flow,
            skipped_after_unicode=self._state.skipped_after_unicode,
            is_page=self._state.is_page,
            at_end=at_end,
        )

    def _end_picture(self, _ended: RtfGroupState) -> None:
        sides = (
            self._picture.get(size, 0) * self._picture.get(scale, 100) / 100 for size, scale in _PICTURE_SIDES
        )
        self.large_pictures += min(sides) >= LARGE_TWIPS

    def _begin_box(self, outer: TextFlow) -> None:
        def end(ended: RtfGroupState) -> None:
            paragraphs = ended.flow.finish()
            dark = self._boxes_may_be_dark
            outer.add_text_box(
                [paragraph.with_white_text() if dark else paragraph for paragraph in paragraphs]
            )

        self._begin_flow(end)

    def _begin_list_number(self, outer: TextFlow, text_format: TextFormat) -> None:
        """Keep the number before a list item, which other formats count, but not a bullet."""

        def end(ended: RtfGroupState) -> None:
            number = " ".join(paragraph.text().strip() for paragraph in ended.flow.finish())
            if any(char.isalnum() for char in number):
                outer.text(f"{number} ", text_format)

        self._is_listed = True
        self._begin_flow(end)

    def _end_note(self, ended: RtfGroupState) -> None:
        (self.endnotes if ended.is_endnote else self.footnotes).extend(ended.flow.finish())

    def _end_field(self, ended: RtfGroupState) -> None:
        if ended.field is not None:
            self._text(ended.field.text_without_result())

    def _unicode(self, number: int) -> None:
        code = number + 0x10000 if number < 0 else number
        if 0 <= code <= 0x10FFFF:
            self._text(chr(code))
        self._to_skip = self._state.skipped_after_unicode

    def _take_bytes(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        if self._state.destination not in {Destination.OUT, Destination.NOTHING, Destination.PICTURE}:
            self._bytes += data[skipped:]
            self._state.has_text = self._state.has_text or self._state.destination is Destination.TEXT

    def _flush(self) -> None:
        """Decode the collected bytes: those of one character are never separated by a control word."""
        if self._bytes:
            text = self.header.fonts.decoded(bytes(self._bytes), self._state.characters.font)
            self._bytes.clear()
            self._text(text)

    def _text(self, text: str) -> None:
        state = self._state
        if state.destination is Destination.TEXT:
            self._visible_text(text)
        elif state.destination is Destination.COMMAND and state.field is not None:
            state.field.command.append(text)
        elif state.destination is Destination.SHAPE_NAME:
            self._shape_property = text
        elif state.destination is Destination.SHAPE_VALUE:
            self._shape_value(text)
        elif state.destination in _HEADER_DESTINATIONS:
            self.header.text(state.destination, text)

    def _visible_text(self, text: str) -> None:
        state = self._state
        if state.field is not None and text.strip():
            state.field.shows_text = True
        self.undecodable += text.count("\ufffd")
        reason = None
        if state.in_contents or self.header.styles.is_contents(state.paragraph.style):
            reason = DropReason.TABLE_OF_CONTENTS
        elif text and ord(text[0]) in _SYMBOL_FONT_CODES:
            reason = DropReason.SYMBOL_FONT
        is_chinese = text[:1] >= _CHINESE_FROM
        state.flow.text(text, self._text_format(state.characters, is_chinese), reason)

    def _make_text_format(self, characters: RtfCharacterFormat, is_chinese: bool = False) -> TextFormat:
        characters = characters.for_chinese() if is_chinese else characters
        colours = self.header.colours
        shaded = characters.pattern > 0 or colours.is_dark(characters.background)
        white = colours.is_white(characters.colour) and not shaded
        return TextFormat(
            characters.half_points, characters.bold, white, characters.hidden, characters.deleted
        )

    def _shape_value(self, text: str) -> None:
        """Read the fill of text boxes and of the page; shape properties come in any order."""
        if self._shape_property.strip() != _FILL or not text.strip().isdecimal():
            return
        colour = int(text)
        if any(colour >> shift & 0xFF < _WHITE_FILL for shift in (0, 8, 16)):
            self._boxes_may_be_dark = True
            self.page_is_dark = self.page_is_dark or self._state.is_page


_BEGIN = b"{\\rtf"


def read_rtf(source: Source, _options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    walker = RtfWalker()
    try:
        walker.read(tokens(source.data[max(source.data.find(_BEGIN), 0) :]))
    except BrokenGroupsError as error:
        raise DamagedFileError(source.path, cause=N_("it is cut short or broken")) from error
    body = walker.body.finish()
    if walker.page_is_dark:
        body = [paragraph.with_white_text() for paragraph in body]
    dropped_text = DroppedText()
    pieces = pieces_of([*body, *as_footnotes(walker.footnotes), *as_footnotes(walker.endnotes)], dropped_text)
    for reason, paragraphs in walker.dropped_paragraphs:
        dropped_text.add(reason, written_text(paragraphs))
    header = walker.header
    title = title_of(pieces, opening_lines(body), header.styles.body_half_points(), clean(header.title))
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, walker.undecodable)] if walker.undecodable else []
    return Extraction(
        "rtf",
        pieces,
        title,
        encoding=header.fonts.default,
        dropped=dropped_text.dropped(),
        flags=[*dropped_text.flags(), *flags, *flags_of_pictures(source.path, walker.large_pictures, pieces)],
        origin=header.origin,
    )
