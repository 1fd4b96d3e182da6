"""What blocks are to each other, whatever the format: references, a table of contents, sheets of squares."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from simcompare.loading.extraction import Piece, clean
from simcompare.loading.left_out_text import LeftOut
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason, Place

_HEADINGS = frozenset({BlockKind.TITLE, BlockKind.HEADING})

# headings without blanks and signs: "五、参考文献：", "[參考文獻]", "6. Works Cited"
_NUMBER = r"(?:第?[\d一二三四五六七八九十]+[章节節]?|[ivx]+)?"
_LIST_BEGINS = re.compile(
    _NUMBER
    + r"(?:主要)?(?:(?:[参參]考|引用|引[证證])(?:文[献獻]|[资資]料|[书書]目)|references|reference(?:s?)list"
    r"|listofreferences|(?:selected|annotated)?bibliography|(?:works|literature)cited)"
)
_LIST_MAY_BEGIN = re.compile(r"[献獻料目]|refer|biblio|cited", re.IGNORECASE)
# a plain text has no headings but lines like these
_LIST_ENDS = re.compile(_NUMBER + r"(?:附[录錄]|致[谢謝]|appendix|acknowledge?ments?)\w?")
_LONGEST_HEADING = 60
_SIGNS = re.compile(r"[\W_]+")

_CONTENTS_BEGIN = re.compile(r"(?:目[录錄次]|(?:table ?of ?)?contents)", re.IGNORECASE)
# "第一章 绪论 ……… 1", "2.1 Method . . . . 14"
_ENTRY = re.compile(
    r"(?P<words>\S.*?)(?P<leader>[\s.…·•⋯・_─—-]+)[(（]?(?P<page>\d{1,4}|[ivxlc]{1,6})[)）]?", re.IGNORECASE
)
_LONGEST_ENTRY = 120
_FEWEST_ENTRIES = 2

# A line of paper for compositions has ten squares and more, and a character or two in each.
_FEWEST_SQUARES = 10
_MOST_IN_SQUARE = 2
_FEWEST_WRITTEN = 20
_HAN = re.compile("[\u3400-\u9fff]")


def marked_references(kinds: Sequence[BlockKind], texts: Sequence[str]) -> list[BlockKind]:
    """Return the kinds with REFERENCE for each block of a list of references, its heading too.

    A list goes from its heading to the next one; before the first there must be text of the essay. Where
    two such headings follow each other, the former stands in a table of contents.
    """
    marked = list(kinds)
    for blocks in _reference_lists(kinds, texts):
        marked[blocks.start : blocks.stop] = [BlockKind.REFERENCE] * len(blocks)
    return marked


def mark_references(pieces: Sequence[Piece]) -> list[Piece]:
    """Make the blocks of reference lists REFERENCE."""
    kinds = marked_references([piece.kind for piece in pieces], [piece.text for piece in pieces])
    return [
        piece if piece.kind is kind else replace(piece, kind=kind)
        for piece, kind in zip(pieces, kinds, strict=True)
    ]


def _reference_lists(kinds: Sequence[BlockKind], texts: Sequence[str]) -> Iterator[range]:
    begin: int | None = None
    text_before = False
    for number, (kind, text) in enumerate(zip(kinds, texts, strict=True)):
        if text_before and _begins_list(text):
            begin = number
        elif begin is not None and (kind in _HEADINGS or _LIST_ENDS.fullmatch(_words_alone(text))):
            yield range(begin, number)
            begin = None
        text_before = text_before or kind not in _HEADINGS
    if begin is not None:
        yield range(begin, len(texts))


def _begins_list(text: str) -> bool:
    # hardly a line goes on to the second question
    may_begin = len(text) <= _LONGEST_HEADING and _LIST_MAY_BEGIN.search(text)
    return bool(may_begin and _LIST_BEGINS.fullmatch(_words_alone(text)))


def _words_alone(text: str) -> str:
    """Return the letters and digits of a line in a row, nothing where it is too long for a heading."""
    if len(text) > _LONGEST_HEADING:
        return ""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())


def without_contents(pieces: Sequence[Piece], left_out: LeftOut) -> list[Piece]:
    """Leave out a table of contents in the text: its heading, and lines that end with ascending numbers.

    What is nothing but such a table is the text itself and stays.
    """
    for number, piece in enumerate(pieces):
        if is_contents_heading(piece.text):
            end = _contents_end(pieces, number + 1)
            contents, rest = pieces[number:end], [*pieces[:number], *pieces[end:]]
            if end > number + _FEWEST_ENTRIES and _length(rest) >= _length(contents):
                for entry in contents:
                    left_out.add(DropReason.TABLE_OF_CONTENTS, entry.text, Place(entry.page))
                return rest
    return list(pieces)


def is_contents_heading(text: str) -> bool:
    """Return whether a line stands above a table of contents."""
    if len(text) > _LONGEST_HEADING:
        return False
    return _CONTENTS_BEGIN.fullmatch(_SIGNS.sub("", unicodedata.normalize("NFKC", text))) is not None


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _contents_end(pieces: Sequence[Piece], start: int) -> int:
    """Return the place behind the last entry."""
    last_page = 0
    for number in range(start, len(pieces)):
        page = _page_of(pieces[number].text)
        if page is None or page < last_page:
            return number
        last_page = page
    return len(pieces)


def _page_of(text: str) -> int | None:
    """Return the page an entry names, 0 for a Roman number; None for what is no entry."""
    match = _ENTRY.fullmatch(text) if len(text) <= _LONGEST_ENTRY else None
    if match is None:
        return None
    return int(match["page"]) if match["page"].isdecimal() else 0


def read_from_squares(pieces: Sequence[Piece]) -> list[Piece]:
    """Make paragraphs of tables that are paper for compositions: a Chinese character in every cell."""
    read: list[Piece] = []
    for is_paper, group in groupby(pieces, _is_line_of_squares):
        lines = list(group)
        read += _paragraphs_in_squares(lines) if is_paper and _is_chinese(lines) else lines
    return read


def _is_line_of_squares(piece: Piece) -> bool:
    if piece.kind is not BlockKind.TABLE_ROW or piece.page is not None:
        return False
    squares = piece.text.split("\t")
    return len(squares) >= _FEWEST_SQUARES and all(len(square) <= _MOST_IN_SQUARE for square in squares)


def _is_chinese(lines: Sequence[Piece]) -> bool:
    written = "".join("".join(piece.text.split()) for piece in lines)
    return len(written) >= _FEWEST_WRITTEN and 2 * len(_HAN.findall(written)) > len(written)


def _paragraphs_in_squares(lines: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the paragraphs: they begin behind two empty squares, or where the line before ends early."""
    paragraph: list[str] = []
    ended = False
    for line in lines:
        squares = line.text.split("\t")
        if paragraph and (ended or not any(squares[:2])):
            yield _written(paragraph)
            paragraph = []
        paragraph += [square or " " for square in squares]
        ended = not any(squares[-2:])
    yield _written(paragraph)


def _written(squares: Sequence[str]) -> Piece:
    return Piece(BlockKind.PARAGRAPH, clean("".join(squares)))
