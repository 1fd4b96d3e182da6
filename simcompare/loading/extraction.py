"""What a reader is given, what it hands back, and the one place where its text is made clean."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.model.document import BlockKind, CharacterBoxes
from simcompare.model.receipt import UNKNOWN_ORIGIN, Dropped, Flag, Origin

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


if TYPE_CHECKING:
    from simcompare.loading.formats.ocr.ocr_pages import RecognisedPage


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What reading depends on beside the file.

    password: tried where a file asks for one, and never shown. whole_page: of a web page all text, not the
    article alone. recognised: the pages of which text recognition has read the text, None for one that it
    could not read; no page is asked for while this is None.
    """

    password: str | None = field(default=None, repr=False)
    whole_page: bool = False
    recognised: "Mapping[int, RecognisedPage | None] | None" = field(default=None, repr=False, hash=False)


DEFAULT_OPTIONS = ReadingOptions()


@dataclass(frozen=True, slots=True)
class PastedText:
    """What was pasted, as plain text or, with `is_html`, as the markup that programs copy beside it."""

    text: str = field(repr=False)
    is_html: bool = False


# A title stands among the first lines, below a name or a class at most.
_TITLE_AMONG = 4
_FAR_BIGGER = 1.3


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph as the eye first meets it."""

    text: str
    half_points: float
    bold: bool
    centred: bool


def title_of(
    pieces: Sequence[Piece], lines: Iterable[Line], body_half_points: float, core_title: str
) -> str | None:
    """Title style, else the line that stands out, the first heading, the property, the opening line.

    The last is what a plain text of the same words has as title. A line that stands out goes before a
    heading only where it stands above it; the property counts only where the text has a line that reads so.
    `lines` are the paragraphs from the first that has text.
    """
    for piece in pieces:
        if piece.kind is BlockKind.TITLE:
            return piece.text
    heading = next((piece.text for piece in pieces if piece.kind is BlockKind.HEADING), None)
    outstanding = _outstanding(islice(lines, _TITLE_AMONG), body_half_points, heading)
    if outstanding or heading:
        return outstanding or heading
    if any(piece.text == core_title for piece in pieces):
        return core_title
    seen = clean_pieces(pieces)
    return opening_title(seen) if seen and seen[0].kind is BlockKind.PARAGRAPH else None


def _outstanding(lines: Iterable[Line], body: float, heading: str | None) -> str | None:
    """Return the biggest of the first lines that are centred and bold or big, or far bigger than the body."""
    best, best_score = None, 0.0
    for line in lines:
        if line.text == heading:
            break
        stands_out = line.half_points >= _FAR_BIGGER * body or (
            line.centred and (line.bold or line.half_points > body)
        )
        score = line.half_points + line.bold + line.centred
        if stands_out and looks_like_title(line.text) and score > best_score:
            best, best_score = line.text, score
    return best


Reader = Callable[[Source, ReadingOptions], Extraction]
ReaderOf = Callable[[str], Reader | None]
"""Find the reader of a format, named as `sniff` names it."""
