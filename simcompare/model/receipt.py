"""Extraction receipt: what loading kept, what it dropped and why, and what to check in the text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A number of characters, pages or places; the bounds are checked when a session file is read."""


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
    """Unverified file metadata: author, times and program; "" for missing values.

    Anyone with the file can change it. Times are in ISO 8601, with an offset if the file has one.
    """

    author: str = ""
    last_saved_by: str = ""
    created: str = ""
    last_saved: str = ""
    program: str = ""


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
