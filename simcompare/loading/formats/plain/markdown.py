"""Convert Markdown to blocks of text as rendered: headings, lists, quotations, tables, code, footnotes.

The syntax is CommonMark with GFM tables, strikethrough and task lists, plus YAML front matter, footnotes and
the markup of note programs: callouts, `[[links]]`, `==marks==`, `%%comments%%`, `$formulas$`. Two deviations
serve Chinese texts: a line that ends with a sentence end ends its paragraph, and `**` beside a CJK character
may be next to punctuation. Indented text is text, not code.
"""

import html
import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from simcompare.loading.extraction import DroppedText, Piece, marked_formula
from simcompare.model.document import BlockKind, DropReason

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n((?:[\w-]++:.*+\n|[ \t].*+\n|- .*+\n|#.*+\n|\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_LONGEST_FRONT = 20_000
_FRONT_TITLE = re.compile(r"^title:[ \t]*([\"']?)(.+?)\1[ \t]*$", re.MULTILINE)

# Comments are matched first so that nothing within them is changed.
_SENTENCE_END_LINE = re.compile(
    r"(?s:<!--.*?(?:-->|\Z))|(?<=[。！？…；])([”’」』）]?)\n(?=(?![=-]+[ \t]*$)[^\n|]*$)", re.MULTILINE
)
_OTHER_BULLET = re.compile(r"^([ \t]*)[•·●](?=[ \t])", re.MULTILINE)
_CJK = "\u2e80-\uffef"
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_CJK_BETWEEN = re.compile(f"(?<=[{_CJK}])\n(?=[{_CJK}])")
_TASK_BOX = re.compile(r"^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ xX/<>!?*-]\][ \t]+", re.MULTILINE)
# Each alternative ends with its own group. Code, comments and escaped characters come first and are kept.
_NOTE_MARKUP = re.compile(
    r"(?P<kept>^[ \t>]*+(?P<fence>`{3,}|~{3,})(?s:.*?)(?:^[ \t>]*+(?P=fence)|\Z)|`[^`\n]+`"
    r"|(?s:<!--.*?(?:-->|\Z))|\\[^\w\s])"
    r"|%%(?P<comment>(?s:.*?))%%"
    r"|(?P<navigation>!\[\[[^\[\]\n]{1,300}\]\]|\{\{[^{}\n]{1,300}\}\}|\(\([0-9a-f-]{36}\)\)"
    r"|(?<![^\s])\^(?!\d{1,2}\b)[A-Za-z0-9-]{1,40}(?=[ \t]*+$)|^\[{1,2}_?(?i:toc)_?\]{1,2}(?=[ \t]*+$))"
    r"|^[ \t]*+(?P<front_matter>(?:id|collapsed)::[^\n]*)"
    r"|^(?P<quote>[ \t]*+(?:>[ \t]?)*)(?P<title>\[![\w|-]{1,99}\][+-]?|:{3,}[ \t]*[\w-]*)(?=[ \t]|$)"
    r"|\[\[(?P<link>[^\[\]\n]{1,300})\]\]|\^\[(?P<note>[^\[\]\n]{1,1000})\]"
    r"|(?<![$A-Za-z0-9])(?:\$\$(?P<block>[^$]{1,3000})\$\$|\$(?!\s)(?P<formula>[^$\n]{1,300})(?<!\s)\$(?![$A-Za-z0-9]))"
    r"|==(?=[^\s=])(?P<mark>[^=\n]+(?:=[^=\n]+)*)(?<!\s)=="
    r"|(?<=[A-Za-z])~(?P<lowered>\d{1,3}[+-]?)~|(?<=[^\W_])\^(?P<raised>[A-Za-z0-9+-]{1,10})\^",
    re.MULTILINE,
)
_SPECIAL = re.compile(r"[\\`*_\[\]<>~=^]")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,50}\]:[ \t]*")
_DEFINITION = re.compile(r"\[[^\]]{1,200}\]:")
_FOOTNOTE_SIGN = re.compile(r"\[\^[^\[\]\s]{1,50}\]")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*+>[^<]*+</\1>", re.IGNORECASE)
_UNSEEN_TAG = re.compile(r"<(/?)(?:script|style)\b", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w-]*+(?:[ \t\n][^<>]*+)?/?>")

# The parser recurses for each level; more deeply nested texts are read line by line.
_MOST_LEVELS = 30
_LINE_BREAK = "\f"
_BREAKS = {"softbreak": "\n", "hardbreak": _LINE_BREAK}

_Line = tuple[BlockKind, str]


def read_markdown(text: str, dropped_text: DroppedText) -> tuple[list[Piece], str | None]:
    """Return the pieces of a text, and its title if the front matter has one."""
    title = None
    if (front := _FRONT_MATTER.match(text[:_LONGEST_FRONT])) is not None:
        named = _FRONT_TITLE.search(front[1])
        title = named[2] if named else None
        dropped_text.add(DropReason.FRONT_MATTER, front[1])
        text = text[front.end() :]
    tokens = _parser().parse(_as_common_mark(_without_note_markup(text, dropped_text)))
    if any(token.nesting > 0 and token.level >= _MOST_LEVELS - 1 for token in tokens):
        return [Piece(BlockKind.PARAGRAPH, line) for line in text.split("\n")], title
    pieces = [
        Piece(kind, part)
        for kind, block in _Blocks(dropped_text).of(tokens)
        for part in block.split(_LINE_BREAK)
    ]
    return pieces, title


def _without_note_markup(text: str, dropped_text: DroppedText) -> str:
    """Replace the markup of note programs by what they display; what they do not display is counted."""
    notes: list[str] = []

    def displayed(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        content = match[kind]
        if kind in {"comment", "navigation", "front_matter"}:
            dropped_text.add(DropReason(kind), content)
        elif kind == "note":
            notes.append(content)
        elif kind == "title":
            return f"{match['quote']}###### "  # its text is a block of its own
        elif kind in {"block", "formula"}:
            return marked_formula(_SPECIAL.sub(r"\\\g<0>", content))
        elif kind == "link":
            _target, bar, label = content.rpartition("|")
            return label if bar else label.partition("#^")[0].strip("#").replace("#", " > ")
        else:
            return content
        return ""

    text = _NOTE_MARKUP.sub(displayed, text)
    return text + "".join(f"\n\n[^{number}]: {note}" for number, note in enumerate(notes))


def _as_common_mark(text: str) -> str:
    """Add an empty line after each line that ends a Chinese sentence; unify bullets; remove task boxes."""
    text = _SENTENCE_END_LINE.sub(lambda match: match[0] if match[1] is None else f"{match[1]}\n\n", text)
    return _TASK_BOX.sub(r"\1", _OTHER_BULLET.sub(r"\1-", text))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _MOST_LEVELS}).enable(["table", "strikethrough"])
    # without text_join, escaped characters are not merged with text that contains marks
    parser.disable(["code", "text_join"])
    parser.block.ruler.before("reference", "footnote", _footnote, {"alt": ["paragraph"]})
    parser.inline.ruler.before("emphasis", "cjk_emphasis", _cjk_emphasis)
    return parser


def _footnote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Block rule for the text of a footnote, `[^1]: text`; also ends a paragraph before a link definition."""
    line = state.src[state.bMarks[start_line] + state.tShift[start_line] : state.eMarks[start_line]]
    if silent:
        return _DEFINITION.match(line) is not None
    if _FOOTNOTE.match(line) is None:
        return False
    paragraph(state, start_line, end_line, silent)
    opening, text, _closing = state.tokens[-3:]
    opening.type = "footnote_open"
    text.content = _FOOTNOTE.sub("", text.content, count=1)
    return True


def _cjk_emphasis(state: StateInline, silent: bool) -> bool:
    """Inline rule for `*` beside a CJK character: punctuation next to it does not decide its role.

    CommonMark would show the marks of `他说**“很好”**了`.
    """
    start = state.pos
    if silent or state.src[start] != "*":
        return False
    length = state.scanDelims(start, True).length
    before, after = state.src[start - 1 : start], state.src[start + length : start + length + 1]
    if not any(map(_CJK_CHARACTER.match, (before, after))):
        return False
    opens, closes = bool(after.strip()), bool(before.strip())
    for _mark in range(length):
        state.push("text", "", 0).content = "*"
        state.delimiters.append(Delimiter(ord("*"), length, len(state.tokens) - 1, -1, opens, closes))
    state.pos += length
    return True


class _Blocks:
    """Blocks of a token stream; only the first block of a list item is a LIST_ITEM."""

    def __init__(self, dropped_text: DroppedText) -> None:
        self._left_out = dropped_text
        self._quotations = 0
        self._around = ""
        self._number: str | None = None
        self._cells: list[str] | None = None

    def of(self, tokens: Iterable[Token]) -> Iterator[_Line]:
        for token in tokens:
            if token.type in {"fence", "html_block", "inline"}:
                yield from self._texts(token)
            elif token.type == "tr_close" and self._cells is not None:
                yield BlockKind.TABLE_ROW, "\t".join(self._cells)
                self._cells = None
            else:
                self._enter_or_leave(token)

    def _enter_or_leave(self, token: Token) -> None:
        if token.tag == "blockquote":
            self._quotations += token.nesting
        elif token.tag == "tr":
            self._cells = []
        elif token.type == "list_item_open":
            self._number = f"{token.info}{token.markup} " if token.info else ""
        elif token.type == "list_item_close":
            self._number = None
        else:
            self._around = token.type

    def _texts(self, token: Token) -> Iterator[_Line]:
        if token.type == "fence":
            kind = self._kind()
            yield from ((kind, line) for line in token.content.split("\n"))
            return
        text = self._html(token.content) if token.type == "html_block" else self._inline(token.children or [])
        text = _one_line(text)
        if self._cells is not None:
            self._cells.append(text.replace(_LINE_BREAK, " "))
            return
        kind = self._kind()
        if self._number is not None:
            text = self._number + text
            self._number = None
        yield kind, text

    def _kind(self) -> BlockKind:
        if self._around == "footnote_open":
            return BlockKind.FOOTNOTE
        if self._quotations:
            return BlockKind.QUOTATION
        if self._around == "heading_open":
            return BlockKind.HEADING
        return BlockKind.PARAGRAPH if self._number is None else BlockKind.LIST_ITEM

    def _inline(self, tokens: Iterable[Token]) -> str:
        r"""Return the text of a line as rendered; `\n` for a soft line break, _LINE_BREAK for a hard one."""
        parts: list[str] = []
        is_seen = True
        for token in tokens:
            if token.type == "html_inline":
                if tag := _UNSEEN_TAG.match(token.content):
                    is_seen = bool(tag[1])
                parts.append(self._html(token.content))
            elif token.type == "text":
                text = _FOOTNOTE_SIGN.sub("", token.content)
                parts.append(text if is_seen else "")
            elif token.type != "image":
                parts.append(_BREAKS.get(token.type, token.content))
        return "".join(parts)

    def _html(self, markup: str) -> str:
        for match in _COMMENT.finditer(markup):
            self._left_out.add(DropReason.COMMENT, match[1])
        markup = _BREAK.sub(_LINE_BREAK, _UNSEEN.sub("", _COMMENT.sub("", markup)))
        return html.unescape(_TAG.sub("", markup))


def _one_line(text: str) -> str:
    """Join the lines of a block, without a space between CJK characters."""
    lines = "\n".join(line.strip(" \t\u3000") for line in text.strip().split("\n"))
    return _CJK_BETWEEN.sub("", lines).replace("\n", " ")
