"""Fields of .docx: hidden command, visible result; they may extend over paragraphs."""

import re
from dataclasses import dataclass, field

from simcompare.loading.shared.word_fields import CONTENTS_COMMAND, eq_text

# Word's own field, then those of Zotero, EndNote, Mendeley, NoteExpress and Citavi.
_REFERENCES = re.compile(
    r"\s*(?:BIBLIOGRAPHY\b|ADDIN\s+(?:ZOTERO_BIBL|EN\.REFLIST|Mendeley Bibliography|NE\.Bib"
    r"|CitaviPlaceholder\w*Bibliography|CSL_BIBLIOGRAPHY))",
    re.IGNORECASE,
)


@dataclass(eq=False, slots=True)
class DocxField:
    """State of a field while it is read."""

    command: list[str] = field(default_factory=list)
    shows_result: bool = False
    shows_text: bool = False
    is_closed: bool = False


class DocxFields:
    """The open fields, the outermost first."""

    def __init__(self) -> None:
        self._open: list[DocxField] = []
        self._commands = 0
        self._unplaced: list[str] = []
        self._contents: list[DocxField] = []
        self._references: list[DocxField] = []

    @property
    def in_command(self) -> bool:
        """True within a command."""
        return self._commands > 0

    @property
    def contents(self) -> DocxField | None:
        """The outermost open field whose result is a table of contents, or None."""
        return self._contents[0] if self._contents else None

    @property
    def in_references(self) -> bool:
        """True in the result of a bibliography field."""
        return bool(self._references)

    def begin(self, command: str | None = None) -> None:
        """Open a field; one whose command is known begins with its result."""
        self._open.append(DocxField([command or ""]))
        self._commands += 1
        if command is not None:
            self.separate()

    def separate(self) -> None:
        """End the command of the innermost field."""
        if self._open and not self._open[-1].shows_result:
            opened = self._open[-1]
            self._show_result(opened)
            command = "".join(opened.command)
            if CONTENTS_COMMAND.match(command):
                self._contents.append(opened)
            elif _REFERENCES.match(command):
                self._references.append(opened)

    def end(self) -> str:
        """Close the innermost field and return the text that its command draws, if its result has none."""
        if not self._open:
            return ""
        closed = self._open.pop()
        closed.is_closed = True
        for fields in (self._contents, self._references):
            if fields and fields[-1] is closed:
                fields.pop()
        if not closed.shows_result:
            self._show_result(closed)
        return "" if self.in_command or closed.shows_text else eq_text("".join(closed.command))

    def command(self, text: str) -> None:
        """Add to the command of the innermost field."""
        if self._open and not self._open[-1].shows_result:
            self._open[-1].command.append(text)

    def show(self, text: str) -> None:
        """Record that the results of all open fields have text."""
        if text.strip():
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
            if not opened.shows_result:
                self._show_result(opened)
        return text

    def _show_result(self, opened: DocxField) -> None:
        opened.shows_result = True
        self._commands -= 1
        if not self._commands:
            self._unplaced = []
