"""Load a file as a Document: detect the format, read, join lines that were cut, and lay out the text."""

import codecs
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

from simcompare.loading.archive import bytes_of, decrypted
from simcompare.loading.archive_members import EncryptedArchiveError, is_encrypted_archive
from simcompare.loading.extraction import (
    DEFAULT_OPTIONS,
    FORMULA,
    FORMULA_END,
    DroppedText,
    Extraction,
    PastedText,
    Piece,
    Reader,
    ReadingOptions,
    Source,
    clean,
    clean_pieces,
    mark_title,
    merged,
    nothing_to_compare,
    opening_title,
)
from simcompare.loading.formats.libreoffice_converter import (
    can_convert,
    libreoffice_program,
    read_by_libreoffice,
    rescue,
)
from simcompare.loading.formats.reader_registry import reader_of
from simcompare.loading.inspection import inspect, mostly_dropped, visible_count
from simcompare.loading.shared.reference_lists import mark_references
from simcompare.loading.shared.title_lines import is_never_title, labelled_title, letters_and_digits
from simcompare.loading.sniffing import ARCHIVES, FORMAT_NAMES, NO_ESSAYS, sniff
from simcompare.model.document import (
    Anchor,
    Block,
    BlockKind,
    CharacterBoxes,
    Document,
    DropReason,
    ExtractionReceipt,
    Note,
    Place,
    Span,
    join_blocks,
)
from simcompare.model.errors import (
    ArchiveOfFilesError,
    DamagedFileError,
    EmptyFileError,
    FileError,
    FileTooLargeError,
    InstallationError,
    NotAnEssayError,
    UnsupportedFormatError,
)
from simcompare.support.i18n import N_
from simcompare.support.lazy import LazyPattern
from simcompare.support.plugins import READERS, Plugin, cause_of, plugins

_HAN_CHARACTER = "[\u3400-\u9fff\uf900-\ufaff]"
_MARKS_INSIDE = LazyPattern("[，、；。！？…,;!?]")
_END_INSIDE = LazyPattern("[。！？…]")

_ENDS_OPEN = LazyPattern(r"[^\W_][,\-–—]?$|[)\]”’\"'],$")
"""Ends in a letter, a digit or a comma: no mark ends a sentence there."""
_BEGINS_AS_SENTENCE = LazyPattern(r"[\"'“‘(\[]?(?:[A-Z]|\d)")
_CONTINUES = LazyPattern(r"[\"'“‘(\[]?(?!https?:|www\.)(?!\(?[a-z]{1,3}[.)]\s)[a-zà-öø-ÿ]")
"""Begins in lower case; not an address, nor an item such as "b) " or "ii. "."""
_FEWEST_WORDS = 3

_ENDS_SENTENCE = LazyPattern("[.。！？!?…][\"'”’」』）)]*$")
_ENDS_OPEN_IN_HAN = LazyPattern(rf"(?:{_HAN_CHARACTER}|[，、])$")
_CONTINUES_IN_HAN = LazyPattern(
    rf"[“‘《（「]?(?!第?[一二三四五六七八九十百\d]+[、.．章节節]|[（(][一二三四五六七八九十\d]+[）)]|[图圖表]\s?\d){_HAN_CHARACTER}"
)
_LABELLED = LazyPattern(r".{1,8}[:：]|(?:\S+\s){0,4}\S+:(?:\s\S+){1,3}$")
_NUMBERED = LazyPattern(r"第?[一二三四五六七八九十百\d]+[、.．章节節]|[（(][一二三四五六七八九十\d]+[）)]")
# "岁月如歌，青春如诗" may be a heading.
_SHORTEST_CUT = 12
# Lines of a hard wrap are full but for a word or a punctuation mark that may not begin a line.
_FEWEST_WRAPPED, _NARROWEST, _MOST_MISSING = 3, 8, 2
_FULL_SHARE = 0.7
# In wrapped English about one line in seven begins with a capital letter; below a heading every one does.
_FEWEST_CUT, _LEAST_CUT_SHARE = 5, 0.6


def join_cut_lines(pieces: Sequence[Piece], *, joins_clauses: bool = True) -> list[Piece]:
    """Join a paragraph without an end mark to the following one that continues its sentence.

    Continues: begins in lower case, if the first one begins as a sentence does; or in a Chinese character, if
    the first one ends at a comma, has more sentences or clauses, or is as full as its neighbours; or in a
    capital letter, if most lines of the text are cut. Headings, items and labels ("Name: ...") stay as they
    are, as do pieces with places on a page, whose lines the PDF reader joins.

    joins_clauses: also join a line of clauses that no mark and no width shows to be cut off.
    """
    wrapped = _wrapped(pieces)
    joined: list[Piece] = []
    for number, piece in enumerate(pieces):
        if (
            joined
            and _may_join(joined[-1], piece)
            and (
                _is_cut(joined[-1].text, pieces[number - 1].text, piece.text, joins_clauses=joins_clauses)
                or number in wrapped
            )
        ):
            text = _joined(joined[-1].text, piece.text)
            moved = len(text) - len(piece.text)
            marks = (*joined[-1].marks, *((moved + place, number) for place, number in piece.marks))
            joined[-1] = replace(joined[-1], text=text, marks=marks)
        else:
            joined.append(piece)
    return joined


def is_cut_line(pieces: Sequence[Piece], title: str) -> bool:
    if len(pieces) < 2 or pieces[0].text != title or not _may_join(*pieces[:2]):
        return False
    joined = join_cut_lines(pieces, joins_clauses=False)[0].text  # a title may have clauses
    return joined != title and _ENDS_SENTENCE.search(joined) is not None


def _may_join(before: Piece, piece: Piece) -> bool:
    return (
        before.kind is piece.kind is BlockKind.PARAGRAPH
        and before.page == piece.page
        and before.places is None
        and piece.places is None
    )


def _is_cut(paragraph: str, line: str, following: str, *, joins_clauses: bool) -> bool:
    """Return whether the last line of a paragraph is cut off before the following line."""
    if _CONTINUES.match(following):
        words = len(line.split())
        return bool(
            words >= _FEWEST_WORDS
            and _BEGINS_AS_SENTENCE.match(paragraph)
            and _ENDS_OPEN.search(line[-2:])
            and not _LABELLED.match(line)
            # otherwise a list below its heading
            and (_MARKS_INSIDE.search(line) or line[-1] in ",-–—" or _ENDS_SENTENCE.search(following))
        )
    if not _is_open(line, following):
        return False
    # verses and points have no end mark either, and a paragraph below its heading is longer
    is_clause = (
        joins_clauses
        and len(line) >= _SHORTEST_CUT
        and len(following) <= 2 * len(line)
        and not _NUMBERED.match(line)
        and _MARKS_INSIDE.search(line)
        and _END_INSIDE.search(following)
    )
    return bool(line[-1] in "，、" or _END_INSIDE.search(line) or is_clause)


def _is_open(line: str, following: str) -> bool:
    """Return whether a line ends and the following one begins as Chinese text within a sentence does."""
    return bool(
        _ENDS_OPEN_IN_HAN.search(line[-1:])
        and _CONTINUES_IN_HAN.match(following)
        and not _LABELLED.match(line)
    )


def _wrapped(pieces: Sequence[Piece]) -> set[int]:
    """Return the indices of the pieces before which a hard wrap broke the line."""
    found: set[int] = set()
    for start, stop in _runs(pieces):
        if stop - start == 1:
            continue
        lines = [piece.text for piece in pieces[start:stop]]
        found |= {start + number for number in _wrapped_at_words(lines)}
        open_lines = [
            (start + number, len(line), len(following))
            for number, (line, following) in enumerate(pairwise(lines), start=1)
            if len(line) >= _NARROWEST and _is_open(line, following)
        ]
        width = _usual_width([length for _number, length, _next in open_lines])
        full = {
            number
            for number, length, following in open_lines
            # behind a heading the line is longer
            if width - _MOST_MISSING <= length <= width and following <= width + 1
        }
        if len(full) < _FEWEST_WRAPPED:
            continue
        if 2 * sum(bool(_MARKS_INSIDE.search(line)) for line in lines) >= len(lines):
            found |= full
    return found


def _wrapped_at_words(lines: Sequence[str]) -> set[int]:
    """Return the indices of the lines before which a hard wrap broke the line between words, if most did."""
    open_breaks = [
        number
        for number, (line, following) in enumerate(pairwise(lines), start=1)
        if len(line) >= _NARROWEST
        and _ENDS_OPEN.search(line[-2:])
        and not _is_han(line[-1])
        and not _LABELLED.match(line)
        and (_CONTINUES.match(following) or _BEGINS_AS_SENTENCE.match(following))
    ]
    cut = [len(lines[number - 1]) for number in open_breaks if _CONTINUES.match(lines[number])]
    if len(cut) < max(_FEWEST_CUT, _LEAST_CUT_SHARE * len(open_breaks)):
        return set()
    full = _FULL_SHARE * sorted(cut)[len(cut) // 2]
    return {number for number in open_breaks if len(lines[number - 1]) >= full}


def _usual_width(lengths: Sequence[int]) -> int:
    """Return the width at which most lines are full, 0 for no lines."""
    counts = Counter(lengths)

    def full_lines(width: int) -> int:
        return sum(counts[width - missing] for missing in range(_MOST_MISSING + 1))

    return max(counts, key=full_lines, default=0)


def _runs(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive paragraphs, as (first, one after the last)."""
    start = 0
    for number in range(1, len(pieces) + 1):
        if number == len(pieces) or not _may_join(pieces[number - 1], pieces[number]):
            yield start, number
            start = number


def _joined(before: str, after: str) -> str:
    """Join two lines: with a blank between words, without one in Chinese or behind a hyphen."""
    is_hyphenated = before.endswith("-") and before[-2:-1].isalpha()
    return before + ("" if is_hyphenated or _is_han(max(before[-1], after[0])) else " ") + after


def _is_han(character: str) -> bool:
    return character >= "\u2e80"


_MAX_HEADING_LENGTH = 60
_LONGEST_NOTE_NUMBER = 6
_CONTENTS_BEGIN = re.compile(r"目[录錄次]|(?:tableof)?contents")
# "第一章 绪论 ……… 1", "2.1 Method . . . . 14"
_ENTRY = re.compile(
    r"(?P<words>\S(?:.*[^\s.…·•⋯・_─—-])?)(?P<leader>[\s.…·•⋯・_─—-]++)[(（]?(?P<page>\d{1,4}|[ivxlc]{1,6}|[Ⅰ-ⅿ]{1,4})[)）]?",
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
        is_short = len(piece.text) <= _MAX_HEADING_LENGTH
        if is_short and _CONTENTS_BEGIN.fullmatch(letters_and_digits(piece.text)):
            end = _contents_end(pieces, number + 1)
            contents, rest = pieces[number:end], [*pieces[:number], *pieces[end:]]
            if end > number + _MIN_ENTRIES and _length(rest) >= _length(contents):
                for entry in contents:
                    dropped_text.add(DropReason.TABLE_OF_CONTENTS, entry.text, Place(entry.page))
                return rest
    return list(pieces)


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


# Reading and preparing this much takes 5 to 15 seconds and 490 MB; ReaderPool allows 20 seconds and 600 MB.
_MAX_TEXT_BYTES = 10_000_000
# A book has 20,000. Blocks and sentences cost more than characters.
_MAX_LINES = 300_000
_TOO_MANY_LINES = N_("more than 300,000 lines")
_TOO_MUCH_TEXT = N_("more than 10 MB of text")
_WORKBOOKS = frozenset({".xlsx", ".xls", ".et", ".ods", ".numbers"})
_DAMAGED_WORKBOOK = N_("damaged workbook; if it is the class list, save it again in Excel")
# Menus and reader comments on a web page are often longer than the article.
_WEB_FORMATS = frozenset({"html", "mhtml"})
_EMBEDDED_PICTURE = re.compile(rb"(data:[\w.+/-]+;base64,)[\w+/=%-]+")


def load_document(path: Path, options: ReadingOptions = DEFAULT_OPTIONS) -> Document:
    """Read a file of any supported format, detected from its content, into a Document.

    Raises a FileError, and nothing else, if the file cannot be read: FileNotReadableError, EmptyFileError,
    NoTextError, UnsupportedFormatError, DamagedFileError, PasswordNeededError or FileTooLargeError.
    """
    source = Source(path, bytes_of(path))
    if not source.data.strip(b"\0 \t\r\n\f"):
        raise EmptyFileError(path)
    kind = sniff(source.data)
    opened = source
    if kind == "encrypted":
        opened = decrypted(source, options.password)
        kind = sniff(opened.data)
    try:
        return _load(source, opened, kind, options)
    except ImportError as error:
        raise InstallationError(path, cause=str(error)) from error
    except FileError as error:
        error.values["kind"] = kind  # shown in the error details
        if isinstance(error, DamagedFileError) and path.suffix.lower() in _WORKBOOKS:
            raise NotAnEssayError(path, cause=_DAMAGED_WORKBOOK, kind=kind) from error
        raise


def load_pasted(path: Path, pasted: PastedText, options: ReadingOptions = DEFAULT_OPTIONS) -> Document:
    """Read a text that is in no file into a Document; `path` is the name it is given.

    The format is not sniffed: `pasted` states it. Raises EmptyFileError, HiddenTextError, DamagedFileError or
    FileTooLargeError.
    """
    if not pasted.text.strip():
        raise EmptyFileError(path)
    # the byte order mark takes precedence over the encoding that an HTML page declares
    source = Source(path, codecs.BOM_UTF8 + pasted.text.encode("utf-8", "replace"))
    return _load(source, source, "html" if pasted.is_html else "text", options)


def _load(source: Source, opened: Source, kind: str, options: ReadingOptions) -> Document:
    """Read a file whose format is known; `opened` is the decrypted source."""
    path = source.path
    if kind == "html" and len(opened.data) > _MAX_TEXT_BYTES:
        # a page with 80 MB of pictures takes 700 MB to parse
        opened = Source(path, _EMBEDDED_PICTURE.sub(rb"\1", opened.data))
    if kind == "text" and max(map(opened.data.count, (b"\n", b"\r"))) > _MAX_LINES:
        raise FileTooLargeError(path, cause=_TOO_MANY_LINES)
    if kind in {"text", "html"} and len(opened.data) > _MAX_TEXT_BYTES:
        raise FileTooLargeError(path, cause=_TOO_MUCH_TEXT)
    extraction = _read(opened, kind, options)
    if len(extraction.pieces) > _MAX_LINES:
        raise FileTooLargeError(path, cause=_TOO_MANY_LINES)
    pieces = join_grid_cells(clean_pieces(extraction.pieces))
    if not pieces:
        raise nothing_to_compare(path, extraction.flags, extraction.dropped)
    # a small file may unpack to more text than a text file may have
    if sum(len(piece.text.encode()) + 1 for piece in pieces) > _MAX_TEXT_BYTES:
        raise FileTooLargeError(path, cause=_TOO_MUCH_TEXT)
    dropped_text = DroppedText()
    pieces = without_contents(pieces, dropped_text)
    title = clean(extraction.title or "")
    if is_never_title(title) if title else dropped_text.characters:
        title = opening_title(pieces) or ""
    title = labelled_title([piece.text for piece in pieces]) or title
    if not title or is_cut_line(pieces, title):
        title = path.stem
    pieces = join_cut_lines(mark_references(mark_title(pieces, title)))
    extraction = replace(extraction, dropped=merged([*extraction.dropped, *dropped_text.dropped()]))
    return _document(source, kind, extraction, pieces, title)


class PluginReadingError(FileError):
    template = N_("{name} cannot be read by the plug-in {plugin}: {cause}. Tell its authors.")


def _read_by(plugin: Plugin, source: Source, options: ReadingOptions) -> Extraction:
    """Read a file by a plug-in, which the receipt names."""
    try:
        extraction: Extraction = plugin.function(source, options)
        return replace(extraction, reader=f"{extraction.reader} ({plugin.package})")
    except (FileError, MemoryError):
        raise
    except Exception as error:
        raise PluginReadingError(source.path, plugin=plugin.package, cause=cause_of(error)) from error


def _read(source: Source, kind: str, options: ReadingOptions) -> Extraction:
    plugin = plugins(READERS).get(source.path.suffix.lower().removeprefix("."))
    if plugin is not None:
        return _read_by(plugin, source, options)
    reader = reader_of(kind)
    if reader is None:
        if kind in NO_ESSAYS or source.path.suffix.lower() in _WORKBOOKS:
            raise NotAnEssayError(source.path, cause=FORMAT_NAMES[kind])
        if can_convert(source, kind):
            return read_by_libreoffice(source, kind, options)
        if kind == "zip" and is_encrypted_archive(source.data):
            raise EncryptedArchiveError(source.path)
        error = ArchiveOfFilesError if kind in ARCHIVES else UnsupportedFormatError
        raise error(source.path, format=FORMAT_NAMES[kind])
    try:
        return _read_with(source, reader, options)
    except DamagedFileError as error:
        if not can_convert(source, kind):
            raise
        extraction = rescue(source, kind, options)
        if extraction is None:
            error.values["rescue"] = "tried" if libreoffice_program() else "missing"
            raise
        return extraction


def _read_with(source: Source, reader: Reader, options: ReadingOptions) -> Extraction:
    try:
        return reader(source, options)
    except (FileError, MemoryError, ImportError):
        # After a MemoryError the process is unreliable; the pool ends it. Imports fail for want of a part.
        raise
    except Exception as error:
        # the words of a library say nothing to a teacher
        raise DamagedFileError(source.path, cause=N_("its structure is broken")) from error


def _document(source: Source, kind: str, extraction: Extraction, pieces: list[Piece], title: str) -> Document:
    placed = _with_anchors(pieces)
    text, blocks = join_blocks(placed)
    known = {flag.name for flag in extraction.flags}
    found = inspect(placed, known, size_bytes=len(source.data), pages=extraction.pages)
    if kind not in _WEB_FORMATS:
        found += mostly_dropped(text, extraction.dropped)
    receipt = ExtractionReceipt(
        reader=extraction.reader,
        format=kind,
        characters_kept=visible_count(text),
        paragraphs=len(blocks),
        pages=extraction.pages,
        encoding=extraction.encoding,
        dropped=tuple(extraction.dropped),
        flags=(*extraction.flags, *found),
        origin=extraction.origin,
    )
    sha256 = hashlib.sha256(source.data).hexdigest()
    return Document(
        source.path,
        title,
        text,
        blocks,
        receipt,
        sha256,
        len(source.data),
        _boxes(pieces),
        _notes(pieces, blocks),
        tuple(extraction.pictures),
        formulas=tuple(_formulas(pieces, blocks)),
    )


def _notes(pieces: Sequence[Piece], blocks: Sequence[Block]) -> tuple[Note, ...]:
    """Return the notes whose mark and text were both read: the text begins where its number comes again."""
    places: dict[int, int] = {}
    spans: dict[int, Span] = {}
    note = None
    for piece, block in zip(pieces, blocks, strict=True):
        begins = None
        for offset, number in piece.marks:
            if number in {FORMULA, FORMULA_END}:
                continue
            if number not in places:
                places[number] = block.span.start + offset
            elif offset <= _LONGEST_NOTE_NUMBER and number not in spans:
                begins, spans[number] = number, block.span
        if begins is None and note is not None and block.kind is BlockKind.FOOTNOTE:
            spans[note] = Span(spans[note].start, block.span.end)
        else:
            note = begins
    found = (Note(places[number], span) for number, span in spans.items())
    return tuple(sorted(found, key=lambda each: (each.place, each.span)))


def _formulas(pieces: Sequence[Piece], blocks: Sequence[Block]) -> Iterator[Span]:
    for piece, block in zip(pieces, blocks, strict=True):
        marks = [each for each in piece.marks if each[1] in {FORMULA, FORMULA_END}]
        for (start, first), (end, last) in pairwise(marks):
            if (first, last) == (FORMULA, FORMULA_END) and start < end:
                yield Span(block.span.start + start, block.span.start + end)


def _boxes(pieces: list[Piece]) -> CharacterBoxes | None:
    """Return the page positions of the characters, or None if no piece has any."""
    if all(piece.places is None for piece in pieces):
        return None
    # imports numpy, which only formats with pages need
    from simcompare.loading.shared.character_alignment import places_in_text  # noqa: PLC0415

    return places_in_text(pieces)


def _with_anchors(pieces: list[Piece]) -> list[tuple[BlockKind, str, Anchor]]:
    """Assign paragraph numbers; with pages, numbering restarts on every page."""
    numbers: Counter[int | None] = Counter()
    placed = []
    for piece in pieces:
        numbers[piece.page] += 1
        placed.append((piece.kind, piece.text, Anchor(numbers[piece.page], piece.page)))
    return placed
