"""Structure across blocks, in any format: tables of contents and composition grids."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.extraction import Piece, clean
from simcompare.loading.shared.title_lines import letters_and_digits
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason, Place

_MAX_HEADING_LENGTH = 60
_CONTENTS_BEGIN = re.compile(r"目[录錄次]|(?:tableof)?contents")
# "第一章 绪论 ……… 1", "2.1 Method . . . . 14"
_ENTRY = re.compile(
    r"(?P<words>\S.*?)(?P<leader>[\s.…·•⋯・_─—-]+)[(（]?(?P<page>\d{1,4}|[ivxlc]{1,6}|[Ⅰ-ⅿ]{1,4})[)）]?",
    re.IGNORECASE,
)
_MAX_ENTRY_LENGTH = 120
_MIN_ENTRIES = 2

# A row of a composition grid has at least ten squares with one or two characters each.
_MIN_SQUARES = 10
_MAX_IN_SQUARE = 2
_MIN_CHARACTERS = 20
_HAN = re.compile("[\u3400-\u9fff]")


def without_contents(pieces: Sequence[Piece], dropped_text: DroppedText) -> list[Piece]:
    """Drop a table of contents: its heading and the lines that end with ascending page numbers.

    A text that consists mostly of such a table is kept.
    """
    for number, piece in enumerate(pieces):
        if _is_contents_heading(piece.text):
            end = _contents_end(pieces, number + 1)
            contents, rest = pieces[number:end], [*pieces[:number], *pieces[end:]]
            if end > number + _MIN_ENTRIES and _length(rest) >= _length(contents):
                for entry in contents:
                    dropped_text.add(DropReason.TABLE_OF_CONTENTS, entry.text, Place(entry.page))
                return rest
    return list(pieces)


def _is_contents_heading(text: str) -> bool:
    """Return whether a line is the heading of a table of contents."""
    if len(text) > _MAX_HEADING_LENGTH:
        return False
    return _CONTENTS_BEGIN.fullmatch(letters_and_digits(text)) is not None


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _contents_end(pieces: Sequence[Piece], start: int) -> int:
    """Return the index after the last entry."""
    last_page = 0
    for number in range(start, len(pieces)):
        page = _page_of(pieces[number].text)
        if page is None or page < last_page:
            return number
        last_page = page
    return len(pieces)


def _page_of(text: str) -> int | None:
    """Return the page number of an entry, 0 if it is Roman; None if the text is no entry."""
    match = _ENTRY.fullmatch(text) if len(text) <= _MAX_ENTRY_LENGTH else None
    if match is None:
        return None
    return int(match["page"]) if match["page"].isdecimal() else 0


def join_grid_cells(pieces: Sequence[Piece]) -> list[Piece]:
    """Join table rows that form a composition grid, one Chinese character per cell, into paragraphs."""
    result: list[Piece] = []
    for is_grid, group in groupby(pieces, _is_line_of_squares):
        lines = list(group)
        result += _paragraphs_in_squares(lines) if is_grid and _is_chinese(lines) else lines
    return result


def _is_line_of_squares(piece: Piece) -> bool:
    if piece.kind is not BlockKind.TABLE_ROW or piece.page is not None:
        return False
    squares = piece.text.split("\t")
    return len(squares) >= _MIN_SQUARES and all(len(square) <= _MAX_IN_SQUARE for square in squares)


def _is_chinese(lines: Sequence[Piece]) -> bool:
    characters = "".join("".join(piece.text.split()) for piece in lines)
    return len(characters) >= _MIN_CHARACTERS and 2 * len(_HAN.findall(characters)) > len(characters)


def _paragraphs_in_squares(lines: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the paragraphs: they begin after two empty squares, or if the line before ends early."""
    paragraph: list[str] = []
    ended = False
    for line in lines:
        squares = line.text.split("\t")
        if paragraph and (ended or not any(squares[:2])):
            yield _paragraph_piece(paragraph)
            paragraph = []
        paragraph += [square or " " for square in squares]
        ended = not any(squares[-2:])
    yield _paragraph_piece(paragraph)


def _paragraph_piece(squares: Sequence[str]) -> Piece:
    return Piece(BlockKind.PARAGRAPH, clean("".join(squares)))
