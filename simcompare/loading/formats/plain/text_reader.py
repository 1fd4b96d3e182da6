"""Reader of plain text and Markdown."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from simcompare.loading.extraction import (
    DroppedText,
    Extraction,
    Piece,
    ReadingOptions,
    Source,
    clean,
    clean_pieces,
    opening_title,
)
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.shared.title_lines import title_heading
from simcompare.model.document import BlockKind, Flag, FlagName

_MARKS = (
    (re.compile(r"#{1,6}\s+(.*?)\s*#*"), BlockKind.HEADING),
    (re.compile(r"[-*+•·●]\s+(.*)"), BlockKind.LIST_ITEM),
    (re.compile(r">\s*(.*)"), BlockKind.QUOTATION),
)
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
# Rare in plain text together with a heading line: fenced code, links, bold words, a table.
_CLEAR_MARKS = re.compile(
    r"^(?:```|~~~)|\]\((?:https?://|[./#])|\*\*\S[^*\n]{0,200}\*\*|^ {0,3}\|?[ :]*-{3,}+[ :-]*+\|[ :|-]*$",
    re.MULTILINE,
)
_HEADING_LINES = re.compile(r"^#{1,6} \S", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|[\r\n\f\v\x85\u2028\u2029]")
# Mail programs and old editors break lines at a word, at a width between these.
_WRAPPED_FROM, _WRAPPED_TO = 50, 90
_WRAPPED_SHARE = 0.8
_EXCERPT_CHARACTERS = 40
# Limited length: an endless word would be searched again from each of its characters.
_FOREIGN_WORD = re.compile(r"\S{0,40}[^\x00-\x7f]\S{0,40}")


def read_text(source: Source, _options: ReadingOptions) -> Extraction:
    """Read a text file: each line is a block, except in Markdown and in hard-wrapped text."""
    decoded = decode(source.data)
    text = _LINE_END.sub("\n", decoded.text.removeprefix("\ufeff"))
    dropped_text = DroppedText()
    title = None
    if _is_markdown(source.path, text):
        # imports markdown-it, which plain text does not need
        from simcompare.loading.formats.plain.markdown import read_markdown  # noqa: PLC0415

        found, title = read_markdown(text, dropped_text)
        pieces = clean_pieces(found)
    else:
        marked = (_mark(line) or (line, BlockKind.PARAGRAPH) for line in _paragraphs(text.split("\n")))
        pieces = clean_pieces(Piece(kind, line) for line, kind in marked)
    return Extraction(
        "text",
        pieces,
        title or _title(pieces),
        encoding=decoded.encoding,
        dropped=dropped_text.dropped(),
        flags=[] if decoded.sure else [_guessed(decoded)],
    )


def _is_markdown(path: Path, text: str) -> bool:
    """Return whether a text is Markdown, by its suffix or by markup that plain text does not contain."""
    if path.suffix.lower() in _MARKDOWN_SUFFIXES:
        return True
    return bool(_HEADING_LINES.search(text) and _CLEAR_MARKS.search(text))


def _guessed(decoded: Decoded) -> Flag:
    """Return the flag for an uncertain encoding, with the first word that another encoding would change."""
    foreign = _FOREIGN_WORD.search(decoded.text)
    excerpt = clean(foreign.group())[:_EXCERPT_CHARACTERS] if foreign else ""
    return Flag(FlagName.GUESSED_ENCODING, excerpt=excerpt)


def _paragraphs(lines: list[str]) -> Iterator[str]:
    groups = [list(group) for blank, group in groupby(lines, lambda line: not line.strip()) if not blank]
    if not _are_wrapped(groups):
        yield from (line for group in groups for line in group)
        return
    for group in groups:
        yield from _joined(group)


def _are_wrapped(groups: list[list[str]]) -> bool:
    """Return whether most lines followed by another are filled to a fixed width, as in mail."""
    broken = [line.rstrip() for group in groups for line in group[:-1]]
    if len(broken) < 3 or not all(_is_latin(line) for line in broken):
        return False
    filled = sum(_WRAPPED_FROM <= len(line) <= _WRAPPED_TO for line in broken)
    return filled >= _WRAPPED_SHARE * len(broken)


def _is_latin(line: str) -> bool:
    return sum("\u2e80" <= char <= "\uffef" for char in line) * 10 <= len(line)


def _joined(group: list[str]) -> Iterator[str]:
    """Join the lines of a paragraph; a line that begins with a list or heading mark starts a new one."""
    paragraph = ""
    for line in group:
        if paragraph and (_mark(line) or (_mark(paragraph) or (None, None))[1] is BlockKind.HEADING):
            yield paragraph
            paragraph = ""
        paragraph = f"{paragraph} {line.strip()}" if paragraph else line.strip()
    yield paragraph


def _mark(line: str) -> tuple[str, BlockKind] | None:
    for pattern, kind in _MARKS:
        if match := pattern.fullmatch(line.strip()):
            return match[1], kind
    return None


def _title(pieces: list[Piece]) -> str | None:
    """Return the first line if it is short and more text follows, else the first heading."""
    headings = (piece.text for piece in pieces if piece.kind is BlockKind.HEADING)
    return opening_title(pieces) or title_heading(headings)
