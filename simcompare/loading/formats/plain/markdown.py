"""Markdown as its reader sees it rendered: headings, lists, quotations, tables, code; no marks."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.extraction import Piece
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason

HARD_BREAK = "\x1e"
"""Stands where a line is broken within a paragraph."""

_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]++)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_PICTURE = re.compile(r"!\[([^\[\]]*+)\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]]*+\])")
_LINK = re.compile(r"\[([^\[\]]++)\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]]*+\])")
_FOOTNOTE_SIGN = re.compile(r"\[\^[^\[\]\s]{1,50}\]")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]++)>")
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*+>[^<]*+</\1>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w-]*+(?:[ \t][^<>]*+)?/?>")
_DELIMITER = re.compile(r"\*{1,3}|_{1,3}|~~|==")
# Literal characters are set aside as characters for private use, which come back at the end.
_ASIDE = 0x10F000
_FROM_ASIDE = re.compile("[\U0010f000-\U0010f07f]")


@dataclass(slots=True)
class _Opener:
    mark: str
    place: int


def rendered(line: str) -> str:
    """Return what a reader sees of a line."""
    line = _ESCAPE.sub(lambda match: _aside(match[1]), line)
    line = _CODE.sub(lambda match: "".join(map(_aside, match[2])), line)
    line = _AUTOLINK.sub(lambda match: "".join(map(_aside, match[1])), line)
    line = _PICTURE.sub("", _FOOTNOTE_SIGN.sub("", line))
    # a picture within a link is gone by now; a link within brackets comes free when it is read
    line = _LINK.sub(r"\1", line)
    line = _TAG.sub("", _UNSEEN.sub("", _BREAK.sub(HARD_BREAK, line)))
    return _FROM_ASIDE.sub(lambda match: chr(ord(match.group()) - _ASIDE), html.unescape(_unmarked(line)))


def _aside(character: str) -> str:
    return chr(_ASIDE + ord(character)) if character.isascii() else character


def _unmarked(line: str) -> str:
    """Take out the marks of emphasis that come in pairs; others are signs of their own."""
    openers: list[_Opener] = []
    gone: set[int] = set()
    marks = list(_DELIMITER.finditer(line))
    for number, match in enumerate(marks):
        before, after = line[match.start() - 1 : match.start()], line[match.end() : match.end() + 1]
        within = match.group()[0] == "_" and before.isalnum() and after.isalnum()
        closes = bool(before.strip()) and not within
        opens = bool(after.strip()) and not within
        # with another kind of mark in between, emphasis crosses emphasis: only the last one counts
        if closes and openers and openers[-1].mark == match.group():
            gone |= {openers.pop().place, number}
        elif opens:
            openers.append(_Opener(match.group(), number))
    kept, end = [], 0
    for number, match in enumerate(marks):
        if number in gone:
            kept.append(line[end : match.start()])
            end = match.end()
    return "".join(kept) + line[end:]


_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
# What hardly a plain text has: two headings, or one beside fenced code, links, strong words, a table.
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*")
_CLEAR_MARKS = re.compile(
    r"^(?:```|~~~)|\]\((?:https?://|[./#])|\*\*\S[^*\n]{0,200}\*\*|^ {0,3}\|?[ :-]*-{3,}[ :-]*\|[ :|-]*$",
    re.MULTILINE,
)
_HEADING_LINES = re.compile(r"^#{1,6} \S", re.MULTILINE)

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n((?:[\w-]+:.*\n|[ \t]+.*\n|- .*\n|#.*\n|\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_LONGEST_FRONT = 20_000
_FRONT_TITLE = re.compile(r"^title:[ \t]*([\"']?)(.+?)\1[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_QUOTE = re.compile(r"(?: {0,3}>[ \t]?)++")
_BULLET = re.compile(r"[ \t]*[-*+•·●][ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_NUMBERED = re.compile(r"[ \t]*(\d{1,9}[.)][ \t]+.*)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]{1,50}\]:[ \t]*(.*)")
_LINK_TARGET = re.compile(r" {0,3}\[[^\]]{1,200}\]:[ \t]*<?\S+>?(?:[ \t]+[\"'(].*[\"')])?[ \t]*")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_SENTENCE_END = re.compile(r"[。！？…；][”’」』）]?\Z")
_CJK_BETWEEN = re.compile("(?<=[\u2e80-\uffef])\n(?=[\u2e80-\uffef])")

_Line = tuple[BlockKind, str]


def is_markdown(path: Path, text: str) -> bool:
    """Return whether a text is Markdown, by its suffix or by marks that a plain text does not have."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    headings = len(_HEADING_LINES.findall(text))
    return headings >= 1 and _CLEAR_MARKS.search(text) is not None


def read_markdown(text: str, dropped_text: DroppedText) -> tuple[list[Piece], str | None]:
    """Return the pieces of a text, and the title where the lines before it name one."""
    title = None
    if (front := _FRONT_MATTER.match(text[:_LONGEST_FRONT])) is not None:
        named = _FRONT_TITLE.search(front[1])
        title = named[2] if named else None
        dropped_text.add(DropReason.FRONT_MATTER, front[1])
        text = text[front.end() :]
    pieces = [
        Piece(kind, part) for kind, line in _blocks(text, dropped_text) for part in line.split(HARD_BREAK)
    ]
    return pieces, title


def _blocks(text: str, dropped_text: DroppedText) -> Iterator[_Line]:
    """Yield the blocks, fenced code as it stands and everything else rendered."""
    prose: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.fullmatch(line)
        if fence:
            if match and match[1].startswith(fence):
                fence = ""
            else:
                yield BlockKind.PARAGRAPH, line
        elif match:
            yield from _rendered(prose, dropped_text)
            prose, fence = [], match[1]
        else:
            prose.append(line)
    yield from _rendered(prose, dropped_text)


def _rendered(lines: list[str], dropped_text: DroppedText) -> Iterator[_Line]:
    text = "\n".join(lines)
    for match in _COMMENT.finditer(text):
        dropped_text.add(DropReason.COMMENT, match.group()[4:].removesuffix("-->"))
    for kind, block in _joined(_lines(_COMMENT.sub("", text).split("\n"))):
        if kind is BlockKind.TABLE_ROW:
            yield kind, "\t".join(rendered(cell.strip()) for cell in _cells(block))
        else:
            yield kind, rendered(block)


def _lines(lines: list[str]) -> Iterator[_Line | None]:
    """Yield each line with its kind and without its mark; None parts blocks."""
    in_table = False
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else ""
        in_table = "|" in line and (in_table or ("|" in below and _is_delimiters(below)))
        if in_table:
            if not _is_delimiters(line):
                yield BlockKind.TABLE_ROW, line
        elif not line.strip() or _RULE.fullmatch(line):
            # a rule below text that makes a heading of it was asked for by the line above
            yield None
        elif _UNDERLINE.fullmatch(below) and not _mark(line):
            yield from (None, (BlockKind.HEADING, line), None)
        elif _UNDERLINE.fullmatch(line):
            continue
        elif not _LINK_TARGET.fullmatch(line) or _FOOTNOTE.fullmatch(line):
            yield _mark(line) or (BlockKind.PARAGRAPH, line)


def _is_delimiters(line: str) -> bool:
    return "-" in line and _DELIMITERS.fullmatch(line) is not None


def _mark(line: str) -> _Line | None:
    if match := _HEADING.fullmatch(line):
        return BlockKind.HEADING, match[1]
    if match := _QUOTE.match(line):
        inner = line[match.end() :]
        inside = _BULLET.fullmatch(inner) or _HEADING.fullmatch(inner)
        return BlockKind.QUOTATION, inside[1] if inside else inner
    if match := _FOOTNOTE.fullmatch(line):
        return BlockKind.FOOTNOTE, match[1]
    if match := _BULLET.fullmatch(line) or _NUMBERED.fullmatch(line):
        return BlockKind.LIST_ITEM, match[1]
    return None


def _joined(lines: Iterable[_Line | None]) -> Iterator[_Line]:
    """Join the lines of a paragraph, an item or a quotation; a row or a heading is one line."""
    kind, block = BlockKind.PARAGRAPH, list[str]()
    for line in lines:
        if line is None or not _continues(kind, block, line):
            if block:
                yield kind, _one_line(block)
            block = []
        if line is not None:
            kind = line[0] if not block else kind
            block.append(line[1])
    if block:
        yield kind, _one_line(block)


def _continues(kind: BlockKind, block: list[str], line: _Line) -> bool:
    """Return whether a line goes on with the block; one behind a full stop in Chinese begins anew."""
    if not block or kind in {BlockKind.HEADING, BlockKind.TABLE_ROW}:
        return False
    same = line[0] is BlockKind.PARAGRAPH or (
        line[0] is kind is BlockKind.QUOTATION and line[1].strip() != ""
    )
    return same and not _SENTENCE_END.search(block[-1].rstrip())


def _one_line(block: list[str]) -> str:
    lines = [
        line.rstrip().removesuffix("\\") + HARD_BREAK if line.endswith(("  ", "\\")) else line.strip()
        for line in block[:-1]
    ]
    text = "\n".join([*lines, block[-1].strip()]).replace(f"{HARD_BREAK}\n", HARD_BREAK)
    return _CJK_BETWEEN.sub("", text).replace("\n", " ")


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|")
    return [cell.replace("\\|", "|") for cell in _CELL_END.split(inner.removesuffix("|"))]
