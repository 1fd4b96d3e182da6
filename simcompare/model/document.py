"""Shared immutable data types of a document after loading."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A number of characters, pages or places; the bounds are checked when a session file is read."""
EditingId = Annotated[str, Meta(pattern=r"\A[0-9A-F]{8}\Z")]
PICTURE_SIDE = 32
PicturePixels = Annotated[bytes, Meta(min_length=3 * PICTURE_SIDE**2, max_length=3 * PICTURE_SIDE**2)]
MOST_EDITING_IDS, MOST_PICTURES, MOST_COMPARED_PICTURES = 10_000, 20, 60


class DropReason(StrEnum):
    """Reason why text of a file is not in the document. The values are stable machine words."""

    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    PAGE_NUMBER = "page_number"
    LINE_NUMBER = "line_number"
    WATERMARK = "watermark"
    TABLE_OF_CONTENTS = "table_of_contents"
    NAVIGATION = "navigation"
    FRONT_MATTER = "front_matter"
    DELETED_REVISION = "deleted_revision"
    COMMENT = "comment"
    FORM_FIELD = "form_field"
    SYMBOL_FONT = "symbol_font"
    PHONETIC_GUIDE = "phonetic_guide"
    HIDDEN_TEXT = "hidden_text"
    WHITE_TEXT = "white_text"
    TINY_TEXT = "tiny_text"
    COVERED_TEXT = "covered_text"
    OUTSIDE_PAGE = "outside_page"


class FlagName(StrEnum):
    """Properties of a text that a reader should know. The values are stable machine words."""

    GARBLED_PAGE = "garbled_page"
    PAGE_WITHOUT_TEXT = "page_without_text"
    UNDECODABLE_CHARACTERS = "undecodable_characters"
    GUESSED_ENCODING = "guessed_encoding"
    HIDDEN_TEXT = "hidden_text"
    WHITE_TEXT = "white_text"
    TINY_TEXT = "tiny_text"
    COVERED_TEXT = "covered_text"
    OUTSIDE_PAGE = "outside_page"
    ZERO_WIDTH_CHARACTERS = "zero_width_characters"
    LOOK_ALIKE_LETTERS = "look_alike_letters"
    PRIVATE_USE_CHARACTERS = "private_use_characters"
    PICTURES = "pictures"
    ALMOST_EMPTY = "almost_empty"
    MOSTLY_LEFT_OUT = "mostly_left_out"
    RECOGNISED_TEXT = "recognised_text"
    RESCUED = "rescued"
    UNREAD_PART = "unread_part"
    UNREAD_PAGE = "unread_page"
    UNREAD_PICTURE = "unread_picture"
    NAMES_REPLACED = "names_replaced"


@dataclass(frozen=True, slots=True)
class Place:
    """Position in a file, counted from 1 as a reader counts; a whole page has no paragraph."""

    page: Count | None = None
    paragraph: Count | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """Text of the file that is not in the document; `excerpt` is the start of its first occurrence."""

    reason: DropReason
    characters: Count
    excerpt: str = ""

    @property
    def is_in_margin(self) -> bool:
        """Whether it is a page header or footer."""
        return self.reason in {DropReason.PAGE_HEADER, DropReason.PAGE_FOOTER}


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a reader should know before trusting the text.

    `places` holds the first places where it was found, possibly none; `excerpt` shows the first. Harmless
    information (a legitimate joiner, pictures beside the text) is not `doubtful`.
    """

    name: FlagName
    count: Count = 1
    places: tuple[Place, ...] = ()
    excerpt: str = ""
    doubtful: bool = True


@dataclass(frozen=True, slots=True)
class Origin:
    """Unverified file metadata: author, times, program ...; "", None or () for missing values.

    Anyone with the file can change it. Times are in ISO 8601, with an offset if the file has one.
    revision: how often it was saved; template: its file name; pictures: file names of inserted pictures.
    editing_ids: random ids of the sessions in which Word or WPS changed the file (w:rsid), ascending.
    """

    author: str = ""
    last_saved_by: str = ""
    created: str = ""
    last_saved: str = ""
    program: str = ""
    template: str = ""
    revision: Count | None = None
    edit_minutes: Count | None = None
    pictures: Annotated[tuple[str, ...], Meta(max_length=MOST_PICTURES)] = ()
    editing_ids: Annotated[tuple[EditingId, ...], Meta(max_length=MOST_EDITING_IDS)] = ()


UNKNOWN_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class ExtractionReceipt:
    """Result of loading a file: text kept, text dropped and why, flags, and the file's metadata."""

    reader: str
    format: str
    characters_kept: Count
    paragraphs: Count
    pages: Count | None = None
    encoding: str | None = None
    dropped: tuple[Dropped, ...] = ()
    flags: tuple[Flag, ...] = ()
    origin: Origin = UNKNOWN_ORIGIN

    @property
    def state(self) -> str:
        """Outcome of loading as a stable machine word: "doubtful" or "ok"."""
        return "doubtful" if self.doubtful else "ok"

    @property
    def doubtful(self) -> bool:
        """True if any flag marks that the text may differ from what a reader of the file sees."""
        return any(flag.doubtful for flag in self.flags)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range [start, end) of code points in `Document.text`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters of `text` that the span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class FilePicture:
    """A picture of a file, by its number among those that can be compared, from 1.

    width, height: in pixels; pixels: brightness and colour (YCbCr) of the picture without its borders, by
    which it is compared, as a square of PICTURE_SIDE; page: None for formats without fixed pages;
    thumbnail: a small JPEG, empty if it must not be shown.
    """

    number: Count
    width: Count
    height: Count
    pixels: PicturePixels = field(repr=False)
    page: Count | None = None
    thumbnail: bytes = field(default=b"", repr=False)


class BlockKind(StrEnum):
    TITLE = "title"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    QUOTATION = "quotation"
    FOOTNOTE = "footnote"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Position of a block in its file, counted from 1 as a reader counts.

    `page` is None for formats without fixed pages (DOCX, HTML, text).
    """

    paragraph: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list item, table row or note: a line of `Document.text`."""

    kind: BlockKind
    span: Span
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote or endnote: where in `Document.text` its mark stands, and the blocks that are its text."""

    place: int
    span: Span


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A place where a source is named; in running text, or in brackets or by a number behind what is cited.

    note: text of the note whose mark stands there, "" for any other place.
    """

    span: Span
    is_running: bool
    note: str = ""

    def moved(self, places: int) -> "NamedSource":
        return replace(self, span=Span(self.span.start + places, self.span.end + places))


@dataclass(frozen=True, slots=True)
class ReferenceCheck:
    """Entries of a list that the text does not cite, and citations without an entry, as they are written."""

    uncited: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CharacterBoxes:
    """Positions of the characters of a text on their pages, for highlights in the file itself.

    pages: shape (n,), from 1, 0 for a character that is not on a page (a line end); boxes: shape (n, 4),
    x0, y0, x1, y1 in points of the unrotated page, as in an annotation's rectangle (PDF user space), NaN
    where pages is 0.
    """

    pages: "NDArray[np.int32]"
    boxes: "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Document:
    r"""A file as text.

    `text` is the text that a reader sees, NFC with `\n` line ends; every block is one line of it, and every
    offset in the program is an offset into it, in code points. `character_boxes` has a row for each code
    point if the format has pages and positions. `sha256` and `size_bytes` describe the file; "" and 0 if the
    file must not be identifiable. `notes` are in the order of their marks, which are not in the text.
    `pictures` are those that can be compared with others, `formulas` those of which the file says that they
    are formulas. `sources` and `references` were found before names
    in the text were replaced, which may be those of authors; None if none were replaced.
    """

    path: Path
    title: str
    text: str = field(repr=False)
    blocks: Sequence[Block] = field(repr=False)
    receipt: ExtractionReceipt
    sha256: str
    size_bytes: int
    character_boxes: CharacterBoxes | None = field(default=None, repr=False, compare=False)
    notes: tuple[Note, ...] = field(default=(), repr=False)
    pictures: tuple[FilePicture, ...] = field(default=(), repr=False, compare=False)
    sources: tuple[NamedSource, ...] | None = field(default=None, repr=False)
    references: ReferenceCheck | None = field(default=None, repr=False)
    formulas: tuple[Span, ...] = field(default=(), repr=False)

    @property
    def stated_title(self) -> str:
        """The title if a line of the text is or ends with it; "" if the file name alone has it."""
        is_name = self.title == self.path.stem
        return "" if is_name and f"{self.title}\n" not in f"{self.text}\n" else self.title

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled one by one, 290,000 blocks take 5 s, and 590 instead of 250 bytes each where they are read.
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return _document_from, (values | {"blocks": _BlockColumns.of(self.blocks)},)


def join_blocks(pieces: Sequence[tuple[BlockKind, str, Anchor]]) -> tuple[str, tuple[Block, ...]]:
    """Join the texts of blocks into one text, a line each, and compute the span of every block.

    Pieces must not contain line ends or be blank; loaders clean them first.
    """
    blocks: list[Block] = []
    start = 0
    for kind, piece, anchor in pieces:
        blocks.append(Block(kind, Span(start, start + len(piece)), anchor))
        start += len(piece) + 1
    return "\n".join(piece for _, piece, _ in pieces), tuple(blocks)


_KINDS = tuple(BlockKind)
_NO_PAGE = -1


@dataclass(frozen=True, slots=True, eq=False)
class _BlockColumns(Sequence[Block]):
    """Blocks in columns: index of the kind, start, end, paragraph, page."""

    kinds: bytes
    starts: "array[int]"
    ends: "array[int]"
    paragraphs: "array[int]"
    pages: "array[int]"

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "_BlockColumns":
        if isinstance(blocks, _BlockColumns):
            return blocks
        numbers = {kind: number for number, kind in enumerate(_KINDS)}
        return cls(
            bytes(numbers[block.kind] for block in blocks),
            array("i", (block.span.start for block in blocks)),
            array("i", (block.span.end for block in blocks)),
            array("i", (block.anchor.paragraph for block in blocks)),
            array("i", (_NO_PAGE if (page := block.anchor.page) is None else page for block in blocks)),
        )

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, place: Any) -> Any:
        columns = (self.kinds, self.starts, self.ends, self.paragraphs, self.pages)
        make = _BlockColumns if isinstance(place, slice) else _block
        return make(*(column[place] for column in columns))

    def __iter__(self) -> Iterator[Block]:
        return map(_block, self.kinds, self.starts, self.ends, self.paragraphs, self.pages)


def _block(kind: int, start: int, end: int, paragraph: int, page: int) -> Block:
    return Block(_KINDS[kind], Span(start, end), Anchor(paragraph, None if page == _NO_PAGE else page))


_MOST_SEPARATE = 50_000


def _document_from(values: dict[str, Any]) -> Document:
    blocks = values["blocks"]
    # separate ones take ten times the room
    return Document(**values | {"blocks": blocks if len(blocks) > _MOST_SEPARATE else tuple(blocks)})
