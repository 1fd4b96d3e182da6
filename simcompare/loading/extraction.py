"""What a reader is given, what it hands back, and the one place where its text is made clean."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from simcompare.document import BlockKind, CharacterBoxes
from simcompare.receipt import UNKNOWN_ORIGIN, Dropped, Flag, Origin

SPACES = re.compile(r"\s+")
NOT_TABS = re.compile(r"[^\S\t]+")
# Control characters, surrogates without a partner and non-characters: nobody sees them. What Unicode
# calls format characters (zero-width space, joiners, marks of direction) stays: later stages reveal it.
UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_SENTENCE_ENDS = tuple(".。!！?？;；:：,，、…")
_TITLE_MAX_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Source:
    """A file's path and its bytes."""

    path: Path
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a block before it has a place in the document.

    `places` has a row for each character of the text, which is clean then.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    places: CharacterBoxes | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader found. `title` is None where the file names none."""

    reader: str
    pieces: Sequence[Piece] = field(repr=False)
    title: str | None = None
    pages: int | None = None
    encoding: str | None = None
    dropped: Sequence[Dropped] = ()
    flags: Sequence[Flag] = ()
    origin: Origin = UNKNOWN_ORIGIN


def clean(text: str, *, keep_tabs: bool = False) -> str:
    """Return `text` as a line: NFC, stripped, runs of whitespace as one space, nothing unseen.

    With `keep_tabs` the tabs stay, which part the cells of a table row.
    """
    text = unicodedata.normalize("NFC", UNSEEN.sub("", text))
    if keep_tabs:
        return "\t".join(NOT_TABS.sub(" ", cell).strip() for cell in text.split("\t")).strip(" ")
    return SPACES.sub(" ", text).strip()


def is_visible(text: str) -> bool:
    """Return whether `text` holds a character that leaves ink."""
    return any(not char.isspace() and unicodedata.category(char) != "Cf" for char in text)


def clean_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Clean every piece and leave out those in which nothing can be seen."""
    cleaned = (replace(p, text=clean(p.text, keep_tabs=p.kind is BlockKind.TABLE_ROW)) for p in pieces)
    return [piece for piece in cleaned if is_visible(piece.text)]


def mark_title(pieces: Sequence[Piece], title: str) -> list[Piece]:
    """Make the first piece that reads exactly like `title` the TITLE."""
    for number, piece in enumerate(pieces):
        if piece.text == title:
            return [*pieces[:number], replace(piece, kind=BlockKind.TITLE), *pieces[number + 1 :]]
    return list(pieces)


def looks_like_title(text: str) -> bool:
    """Return whether a line is short and does not end as a sentence does."""
    return 0 < len(text) <= _TITLE_MAX_CHARACTERS and not text.endswith(_SENTENCE_ENDS)


def opening_title(pieces: Sequence[Piece]) -> str | None:
    """Return the first line where it looks like a title and more follows."""
    return pieces[0].text if len(pieces) > 1 and looks_like_title(pieces[0].text) else None


def visible_length(text: str) -> int:
    """Return the number of characters, spaces not counted."""
    return len("".join(text.split()))
