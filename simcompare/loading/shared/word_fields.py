"""Fields of .doc, .rtf and .docx: the result is visible text, the command is not."""

import re
from dataclasses import dataclass, field

CONTENTS_COMMAND = re.compile(r"\s*TOC\b", re.IGNORECASE)
# EQ holds its text in the command: enclosed characters, phonetic guides.
_EQUATION = re.compile(r"\s*EQ\b", re.IGNORECASE)
_SWITCH = re.compile(r"\\(?:\*\s*(?:\"[^\"]*\"|\S+)|[a-z]+\d*\s*)", re.IGNORECASE)
_OPENING = re.compile(r"\\(?P<name>[ofr])(?![a-z])[^(]{0,40}\(", re.IGNORECASE)
_SEPARATORS = ",;，；"
# Word accepts no longer commands.
_MAX_EQ_COMMAND = 1000


@dataclass(eq=False, slots=True)
class WordField:
    """A field while it is read: its command so far, whether the result has begun, and whether it has text."""

    command: list[str] = field(default_factory=list)
    has_result: bool = False
    shows_text: bool = False
    is_closed: bool = False

    def in_contents(self) -> bool:
        return self.has_result and CONTENTS_COMMAND.match("".join(self.command)) is not None

    def text_without_result(self) -> str:
        r"""Return the visible text without a result: `EQ \o\ac(○,字)` is a ringed character."""
        return "" if self.shows_text else _eq_text("".join(self.command))


def _eq_text(command: str) -> str:
    r"""Return the text that an EQ command draws, "" for another command.

    Of \o, which overlays characters, it is the last operand: Word uses it for ringed characters and
    phonetic guides, \o\ac(○,1) and \o\ad(\s\up 9(zi),字). \f is a fraction.
    """
    equation = _EQUATION.match(command)
    if equation is None:
        return ""
    is_short = len(command) <= _MAX_EQ_COMMAND
    command = command[equation.end() :]
    match = _OPENING.search(command) if is_short else None
    if match is None:
        return _without_switches(command)
    end = _closing_bracket(command, match.end())
    parts = [_without_switches(part) for part in _split(command[match.end() : end])]
    name = match["name"].lower()
    operand_text = {"o": parts[-1], "f": "/".join(parts), "r": f"{''.join(parts[:-1])}√{parts[-1]}"}[name]
    return _without_switches(command[: match.start()]) + operand_text + _without_switches(command[end + 1 :])


def _without_switches(text: str) -> str:
    return re.sub(r"[()]", "", _SWITCH.sub("", text)).strip()


def _closing_bracket(command: str, start: int) -> int:
    depth = 1
    for place in range(start, len(command)):
        depth += {"(": 1, ")": -1}.get(command[place], 0)
        if depth == 0:
            return place
    return len(command)


def _split(inner: str) -> list[str]:
    parts, depth = [""], 0
    for char in inner:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char in _SEPARATORS and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


# Word's own field, then those of Zotero, EndNote, Mendeley, NoteExpress and Citavi.
_REFERENCES = re.compile(
    r"\s*(?:BIBLIOGRAPHY\b|ADDIN\s+(?:ZOTERO_BIBL|EN\.REFLIST|Mendeley Bibliography|NE\.Bib"
    r"|CitaviPlaceholder\w*Bibliography|CSL_BIBLIOGRAPHY))",
    re.IGNORECASE,
)


class WordFields:
    """The open fields of a .doc or .docx file, the outermost first; they may extend over paragraphs."""

    def __init__(self) -> None:
        self._open: list[WordField] = []
        self._commands = 0
        self._unplaced: list[str] = []
        self._contents: list[WordField] = []
        self._references: list[WordField] = []

    @property
    def in_command(self) -> bool:
        return self._commands > 0

    @property
    def contents(self) -> WordField | None:
        """The outermost open field whose result is a table of contents, or None."""
        return self._contents[0] if self._contents else None

    @property
    def in_references(self) -> bool:
        """True in the result of a bibliography field."""
        return bool(self._references)

    def begin(self, command: str | None = None) -> None:
        """Open a field; one whose command is known begins with its result."""
        self._open.append(WordField([command or ""]))
        self._commands += 1
        if command is not None:
            self.separate()

    def separate(self) -> None:
        if self._open and not self._open[-1].has_result:
            opened = self._open[-1]
            self._show_result(opened)
            command = "".join(opened.command)
            if CONTENTS_COMMAND.match(command):
                self._contents.append(opened)
            elif _REFERENCES.match(command):
                self._references.append(opened)

    def end(self) -> str:
        """Close the innermost field; return what its command draws if its result has no text."""
        if not self._open:
            return ""
        closed = self._open.pop()
        closed.is_closed = True
        for fields in (self._contents, self._references):
            if fields and fields[-1] is closed:
                fields.pop()
        if not closed.has_result:
            self._show_result(closed)
        return closed.text_without_result()

    def command(self, text: str) -> None:
        """Add to the command of the innermost field."""
        if self._open and not self._open[-1].has_result:
            self._open[-1].command.append(text)

    def absorbs(self, text: str) -> bool:
        """Add `text` to the innermost command, if one is open; return whether it was."""
        if not self.in_command:
            self.show(text)
            return False
        next(opened for opened in reversed(self._open) if not opened.has_result).command.append(text)
        return True

    def show(self, text: str) -> None:
        """Record that the results of all open fields have text."""
        if self._open and text.strip():
            for opened in self._open:
                opened.shows_text = True

    def keep_command_text(self, text: str) -> None:
        """Keep text within a command in case the command never ends."""
        self._unplaced.append(text)

    def end_commands(self) -> str:
        """Return the text within commands still open at the end of the paragraph: they are no commands."""
        text = "".join(self._unplaced)
        for opened in reversed(self._open):
            if not self._commands:
                break
            if not opened.has_result:
                self._show_result(opened)
        return text

    def _show_result(self, opened: WordField) -> None:
        opened.has_result = True
        self._commands -= 1
        if not self._commands:
            self._unplaced = []
