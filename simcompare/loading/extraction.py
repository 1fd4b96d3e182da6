"""Input and output types of the readers, the normalisation of extracted text, and what is left out."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.loading.shared.title_lines import (
    is_cover_line,
    is_never_title,
    is_section_heading,
    looks_like_title,
    opening_line,
    title_heading,
)
from simcompare.model.document import (
    UNKNOWN_ORIGIN,
    BlockKind,
    CharacterBoxes,
    Dropped,
    DropReason,
    FilePicture,
    Flag,
    FlagName,
    Origin,
    Place,
)
from simcompare.model.errors import EmptyFileError, HiddenTextError, OnlyMarginTextError
from simcompare.model.settings import UserWords
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_

_EXCERPT_CHARACTERS = 80
_MAX_PLACES = 20
# Hidden text, which a reader of the file cannot see: the receipt counts it and also gives its places.
_HIDDEN_REASONS = {
    DropReason.HIDDEN_TEXT: FlagName.HIDDEN_TEXT,
    DropReason.WHITE_TEXT: FlagName.WHITE_TEXT,
    DropReason.TINY_TEXT: FlagName.TINY_TEXT,
    DropReason.COVERED_TEXT: FlagName.COVERED_TEXT,
    DropReason.OUTSIDE_PAGE: FlagName.OUTSIDE_PAGE,
}

_CAUSES = {
    FlagName.HIDDEN_TEXT: N_("hidden"),
    FlagName.WHITE_TEXT: N_("in the colour of the page"),
    FlagName.TINY_TEXT: N_("too small to be seen"),
    FlagName.COVERED_TEXT: N_("covered"),
    FlagName.OUTSIDE_PAGE: N_("beyond the edge of the page"),
}
_VISIBLE_PARTS = {
    DropReason.PAGE_HEADER: N_("page headers"),
    DropReason.PAGE_FOOTER: N_("page footers"),
    DropReason.DELETED_REVISION: N_("deleted text"),
    DropReason.COMMENT: N_("comments"),
}
_FULL_STOPS = frozenset("。．.｡！？!?；;")
_LONGEST_FULL_STOP = 2
# Fewer may be the end of a heading or of a word that is white for its looks.
_DOUBTFUL_FULL_STOPS = 3
# A file with only a page number or a class name is empty.
_MIN_REPORTED_CHARACTERS = 20


def nothing_to_compare(path: Path, flags: Iterable[Flag], dropped: Iterable[Dropped]) -> EmptyFileError:
    """Return the error for a file without text; it names hidden text, or text in headers and comments."""
    hidden = [flag for flag in flags if flag.name in _CAUSES and flag.doubtful]
    if not hidden:
        return _empty_file_error(path, dropped)
    most = max(hidden, key=lambda flag: flag.count)
    characters = sum(flag.count for flag in hidden)
    return HiddenTextError(
        path, cause=_CAUSES[most.name], characters=f"{characters:,}", excerpt=escape_invisible(most.excerpt)
    )


def _empty_file_error(path: Path, dropped: Iterable[Dropped]) -> EmptyFileError:
    beside = [
        drop
        for drop in dropped
        if drop.reason in _VISIBLE_PARTS and drop.characters >= _MIN_REPORTED_CHARACTERS
    ]
    if not beside:
        return EmptyFileError(path)
    most = max(beside, key=lambda drop: drop.characters)
    return OnlyMarginTextError(
        path,
        cause=_VISIBLE_PARTS[most.reason],
        characters=f"{most.characters:,}",
        excerpt=escape_invisible(most.excerpt),
    )


def merged(dropped: Iterable[Dropped]) -> list[Dropped]:
    """Return one entry per reason, with the first excerpt and the sum of the characters."""
    by_reason: dict[DropReason, Dropped] = {}
    for drop in dropped:
        before = by_reason.get(drop.reason)
        by_reason[drop.reason] = (
            drop if before is None else replace(before, characters=before.characters + drop.characters)
        )
    return list(by_reason.values())


class DroppedText:
    """Count dropped characters by reason, and keep their places and the beginning of their text."""

    def __init__(self) -> None:
        self.characters: Counter[DropReason] = Counter()
        self._excerpts: dict[DropReason, str] = {}
        self._places: dict[DropReason, dict[Place, None]] = {}
        self._with_words: set[DropReason] = set()
        self._full_stops: Counter[DropReason] = Counter()

    def add(self, reason: DropReason, text: str, place: Place | None = None) -> None:
        """Add a dropped text; one without visible characters is ignored."""
        characters = visible_length(text)
        if not characters:
            return
        self.characters[reason] += characters
        if any(map(str.isalnum, text)):
            self._with_words.add(reason)
        elif len(text) <= _LONGEST_FULL_STOP and not _FULL_STOPS.isdisjoint(text):
            self._full_stops[reason] += 1
        # Later texts extend the excerpt, because many formats split a sentence into runs.
        excerpt = self._excerpts.get(reason, "")
        if len(excerpt) < _EXCERPT_CHARACTERS:
            self._excerpts[reason] = clean(f"{excerpt} {text}")[:_EXCERPT_CHARACTERS]
        if place is not None:
            self._places.setdefault(reason, {})[place] = None

    def dropped(self) -> list[Dropped]:
        """Return the receipt entries, one per reason."""
        return [
            Dropped(reason, characters, self._excerpts[reason])
            for reason, characters in self.characters.items()
        ]

    def flags(self) -> list[Flag]:
        """Return a flag for each reason that means hidden text; counted in characters.

        Punctuation alone, for instance in a white placeholder line, is not doubtful, but single full stops
        are, which cut sentences.
        """
        flags = []
        for reason, name in _HIDDEN_REASONS.items():
            if reason in self.characters:
                places = tuple(self._places.get(reason, {}))[:_MAX_PLACES]
                doubtful = reason in self._with_words or self._full_stops[reason] >= _DOUBTFUL_FULL_STOPS
                flags.append(Flag(name, self.characters[reason], places, self._excerpts[reason], doubtful))
        return flags


def gap_of(reason: DropReason | None, text: str) -> str:
    """Return the text in place of a dropped one: white words still separate their neighbours."""
    if reason is DropReason.TINY_TEXT:
        return GAP
    if reason is not DropReason.WHITE_TEXT:
        return ""
    if "\n" in text:
        return "\n"
    return " " if text[:1].isspace() or text[-1:].isspace() else GAP


SPACES = re.compile(r"\s+")
NOT_TABS = re.compile(r"[^\S\t]+")
# Control characters, lone surrogates and non-characters. Unicode format characters (zero-width space,
# joiners, direction marks) are kept: the inspection reports them.
UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
GAP = "\ufdd1"
"""Character in place of unseen text, of which `clean` makes a blank or nothing."""
# Marks of notes are non-characters too, so that `clean` removes them wherever they do not matter.
_NOTE_MARK = re.compile("\ufdd2([\ufdd4-\ufddd]+)")
FORMULA, FORMULA_END = -1, -2
"""Numbers of the marks before and behind a formula; those of notes are not negative."""
_FORMULA_MARKS = {"\ufdde": FORMULA, "\ufddf": FORMULA_END}
_MARK = re.compile(f"{_NOTE_MARK.pattern}|[{''.join(_FORMULA_MARKS)}]")
_DIGITS = {ord("0") + digit: 0xFDD4 + digit for digit in range(10)}
_DIGITS_OF_MARK = {mark: digit for digit, mark in _DIGITS.items()}
_LAST_MARK = "\ufddf"
# No essay has as many; a hostile file, which may be made of nothing else, is read in time.
_MOST_MARKS_IN_PIECE = 100_000
_LONGEST_COMPOSED = 8
_LETTER = "[^\\W_\u2e80-\u9fff\uf900-\ufaff]"
_JOINED_WORDS = re.compile(rf"(?<!{_LETTER}){_LETTER}++(?:{GAP}++{_LETTER}++)++")
# English words have 4.7 letters on average, two joined ones 9.4.
_MOST_LETTERS_OF_WORD = 8


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a block before it has an offset in the document.

    `places` has one row per character of the text, which is then already clean. `marks` are the marks of
    notes and formulas that `cleaned` found: offset in the text and number; the text of a note begins with
    its mark, too.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    places: CharacterBoxes | None = field(default=None, repr=False, compare=False)
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """Result of a reader. `title` is None if the file has none."""

    reader: str
    pieces: Sequence[Piece] = field(repr=False)
    title: str | None = None
    pages: int | None = None
    encoding: str | None = None
    dropped: Sequence[Dropped] = ()
    flags: Sequence[Flag] = ()
    origin: Origin = UNKNOWN_ORIGIN
    pictures: Sequence[FilePicture] = ()


def clean(text: str, *, keep_tabs: bool = False) -> str:
    """Return `text` as one line: NFC, stripped, runs of whitespace as one space, no unprintable characters.

    With `keep_tabs`, tabs are kept: they separate the cells of a table row.
    """
    if GAP in text:
        text = _without_gaps(text)
    if text.isprintable() and "  " not in text:
        # most texts: their only whitespace is single spaces
        return unicodedata.normalize("NFC", text).strip()
    if keep_tabs and "\t" in text:
        return "\t".join(map(clean, text.split("\t"))).strip(" ")
    text = unicodedata.normalize("NFC", UNPRINTABLE.sub("", text))
    return SPACES.sub(" ", text).strip()


def note_mark(number: int) -> str:
    """Return what a reader writes where the mark of a note stands, and at the beginning of the note."""
    return "\ufdd2" + str(number).translate(_DIGITS)


def marked_formula(text: str) -> str:
    """Return what a reader writes for a formula, of which the document remembers where it is."""
    return text and text.join(_FORMULA_MARKS)


def note_marks_in(text: str) -> list[str]:
    """Return the marks of notes as they are written in the text that a reader has made."""
    return [found[0] for found in _NOTE_MARK.finditer(text)]


def cleaned(piece: Piece) -> Piece:
    """Return the piece with clean text; marks in it are remembered."""
    keep_tabs = piece.kind is BlockKind.TABLE_ROW
    text = clean(piece.text, keep_tabs=keep_tabs)
    if text == piece.text:
        return piece
    marks = tuple(_marks_in(piece.text, keep_tabs=keep_tabs))
    return replace(piece, text=text, marks=marks or piece.marks)


def _marks_in(text: str, *, keep_tabs: bool) -> Iterator[tuple[int, int]]:
    """Yield the place of each mark in the clean text, and its number.

    Only what is behind the mark before is cleaned, after the end of what was, which may compose with it.
    """
    if GAP in text:
        text = _without_gaps(text)
    begun, length, end = 0, 0, ""
    for found in islice(_MARK.finditer(text), _MOST_MARKS_IN_PIECE):
        start = "." * bool(length)  # keeps the blank at the begin and the end, as what is around does
        part = f"{start}{end}{text[begun : found.start()]}."
        added = clean(part, keep_tabs=keep_tabs)[len(start) : -1]
        begun, length, end = found.start(), length - len(end) + len(added), added[-_LONGEST_COMPOSED:]
        number = int(found[1].translate(_DIGITS_OF_MARK)) if found[1] else _FORMULA_MARKS[found[0]]
        yield length - end.endswith(" "), number


def _without_gaps(text: str) -> str:
    """Replace each gap by a blank if unseen text was put for blanks, and by nothing if it was put in words.

    Without the gaps, the letters around them form long words in the first case.
    """
    joined = [len(match.replace(GAP, "")) for match in _JOINED_WORDS.findall(text)]
    if sum(joined) > _MOST_LETTERS_OF_WORD * len(joined):
        text = _JOINED_WORDS.sub(lambda match: match[0].replace(GAP, " "), text)
    return text.replace(GAP, "")


def is_visible(text: str) -> bool:
    """Return whether `text` has a character other than whitespace, format characters, gaps and marks."""
    return text[:1].isalnum() or any(
        not GAP <= char <= _LAST_MARK and not char.isspace() and unicodedata.category(char) != "Cf"
        for char in text
    )


def clean_pieces(pieces: Iterable[Piece]) -> list[Piece]:
    """Clean every piece and drop those without a visible character."""
    return [piece for piece in map(cleaned, pieces) if is_visible(piece.text)]


def mark_title(pieces: Sequence[Piece], title: str) -> list[Piece]:
    """Set the kind of the first piece whose text equals `title` to TITLE."""
    for number, piece in enumerate(pieces):
        if piece.text == title:
            return [*pieces[:number], replace(piece, kind=BlockKind.TITLE), *pieces[number + 1 :]]
    return list(pieces)


def opening_title(pieces: Sequence[Piece]) -> str | None:
    """Return the first line that may be a title if more text follows."""
    return opening_line(piece.text for piece in pieces) if len(pieces) > 1 else None


def visible_length(text: str) -> int:
    """Return the number of characters without whitespace."""
    return len("".join(text.split()))


if TYPE_CHECKING:
    from simcompare.loading.formats.ocr.ocr_engine import RecognisedPage


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Settings of a read, besides the file.

    password: tried on encrypted files, never shown. whole_page: read all text of a web page, not the
    article alone. recognised: results of text recognition by page number, None for a page that could not
    be recognised; while the mapping itself is None, recognition is off and no page is requested.
    user_words, meaning: for preparing the text then.
    """

    password: str | None = field(default=None, repr=False)
    whole_page: bool = False
    recognised: "Mapping[int, RecognisedPage | None] | None" = field(default=None, repr=False, hash=False)
    user_words: UserWords | None = field(default=None, repr=False)
    meaning: bool = field(default=False, repr=False)


DEFAULT_OPTIONS = ReadingOptions()


@dataclass(frozen=True, slots=True)
class PastedText:
    """Pasted text: plain, or with `is_html` the markup that programs put on the clipboard beside it."""

    text: str = field(repr=False)
    is_html: bool = False


# A title is among the first lines; names of schools, classes and kinds of papers do not count.
_TITLE_LINES = 4
_MUCH_LARGER = 1.3


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """Text and appearance of a paragraph at the beginning of a document, a candidate for the title."""

    text: str
    half_points: float
    bold: bool
    centred: bool


def title_of(
    pieces: Sequence[Piece], lines: Iterable[OpeningLine], body_half_points: float, core_title: str
) -> str | None:
    """Choose the title: title style, prominent line, heading, core property or opening line.

    Lines that are known not to be titles, such as 摘要 or a university's name, are never chosen.
    A prominent line is preferred to a heading only if it is above it. The core property counts only if it
    equals a line of the text, the opening line only if it is an ordinary paragraph, as in plain text.
    `lines` are the paragraphs from the first one with text.
    """
    for piece in pieces:
        if piece.kind is BlockKind.TITLE and not is_never_title(piece.text):
            return piece.text
    heading = title_heading(piece.text for piece in pieces if piece.kind is BlockKind.HEADING)
    prominent = _prominent_line(lines, body_half_points, heading)
    if prominent or heading:
        return prominent or heading
    if any(piece.text == core_title for piece in pieces) and not is_never_title(core_title):
        return core_title
    seen = clean_pieces(pieces)
    return opening_title(seen) if seen and seen[0].kind is BlockKind.PARAGRAPH else None


def _prominent_line(lines: Iterable[OpeningLine], body: float, heading: str | None) -> str | None:
    """Return the largest opening line that is centred and bold or large, or much larger than the body."""
    best, best_score = None, 0.0
    above = takewhile(lambda line: line.text != heading and not is_section_heading(line.text), lines)
    for line in islice((line for line in above if not is_cover_line(line.text)), _TITLE_LINES):
        is_prominent = line.half_points >= _MUCH_LARGER * body or (
            line.centred and (line.bold or line.half_points > body)
        )
        score = line.half_points + line.bold + line.centred
        if is_prominent and looks_like_title(line.text) and score > best_score:
            best, best_score = line.text, score
    return best


Reader = Callable[[Source, ReadingOptions], Extraction]
ReaderOf = Callable[[str], Reader | None]
"""Look up the reader of a format by the machine word that `sniff` returns."""
