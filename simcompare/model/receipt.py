"""What loading tells of a file: what it kept, what it left out and why, and what to look at before trust."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A number of characters, pages or places; the bounds are checked when a session file is read."""


class DropReason(StrEnum):
    """Why text that a file holds is not in the document. The values are stable machine words."""

    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    PAGE_NUMBER = "page_number"
    TABLE_OF_CONTENTS = "table_of_contents"
    NAVIGATION = "navigation"
    FRONT_MATTER = "front_matter"
    DELETED_REVISION = "deleted_revision"
    COMMENT = "comment"
    SYMBOL_FONT = "symbol_font"
    PHONETIC_GUIDE = "phonetic_guide"
    HIDDEN_TEXT = "hidden_text"
    WHITE_TEXT = "white_text"
    TINY_TEXT = "tiny_text"
    COVERED_TEXT = "covered_text"
    OUTSIDE_PAGE = "outside_page"


class FlagName(StrEnum):
    """What a reader should know of a text. The values are stable machine words."""

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
    NAMES_REPLACED = "names_replaced"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, counted from 1 as a reader counts; a whole page has no paragraph."""

    page: Count | None = None
    paragraph: Count | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """Text that the file holds and the document leaves out; `excerpt` is how the first of it begins."""

    reason: DropReason
    characters: Count
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a reader should know before trusting the text.

    `places` are where it was found, the first of them, possibly none; `excerpt` shows the first. What is
    only worth knowing (an honest joiner, pictures beside the text) is not `doubtful`.
    """

    name: FlagName
    count: Count = 1
    places: tuple[Place, ...] = ()
    excerpt: str = ""
    doubtful: bool = True


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made a file, when and with what, as the file itself says; "" where it says nothing.

    Whoever has the file can change it. Moments are in ISO 8601, with an offset where the file tells it.
    """

    author: str = ""
    last_saved_by: str = ""
    created: str = ""
    last_saved: str = ""
    program: str = ""


UNKNOWN_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class ExtractionReceipt:
    """What loading kept, what it dropped and why, and what the file says of its origin."""

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
        """What became of the file in a stable machine word: "doubtful" or "ok"."""
        return "doubtful" if self.doubtful else "ok"

    @property
    def doubtful(self) -> bool:
        """Whether any flag says that the text may not be what the reader of the file sees."""
        return any(flag.doubtful for flag in self.flags)
