"""Fields: a command that nobody sees, and its result, from a mark to a mark and possibly over paragraphs."""

import re
from dataclasses import dataclass, field

_CONTENTS = re.compile(r"\s*TOC\b", re.IGNORECASE)
# Word's own, then those of Zotero, EndNote, Mendeley, NoteExpress and Citavi.
_REFERENCES = re.compile(
    r"\s*(?:BIBLIOGRAPHY\b|ADDIN\s+(?:ZOTERO_BIBL|EN\.REFLIST|Mendeley Bibliography|NE\.Bib"
    r"|CitaviPlaceholder\w*Bibliography|CSL_BIBLIOGRAPHY))",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"\s*EQ\b", re.IGNORECASE)
_SWITCH = re.compile(r"\\(?:\*\s*\S+|[a-z]+\d*\s*)", re.IGNORECASE)
_OPENING = re.compile(r"\\(?P<name>[ofr])(?![a-z])[^(]*\(", re.IGNORECASE)


@dataclass(eq=False, slots=True)
class Field:
    """A field while it is read. `unplaced` is text that stands where only commands should."""

    command: list[str] = field(default_factory=list)
    shows_result: bool = False
    is_closed: bool = False
    unplaced: list[str] = field(default_factory=list)

    @property
    def is_contents(self) -> bool:
        """Whether the result is a table of contents."""
        return bool(_CONTENTS.match(self._command()))

    @property
    def is_references(self) -> bool:
        """Whether the result is a list of references."""
        return bool(_REFERENCES.match(self._command()))

    def drawn(self) -> str:
        """Return what an EQ field shows, which is drawn from its command and stored nowhere else."""
        command = self._command()
        return _drawn(_EQUATION.sub("", command, count=1)) if _EQUATION.match(command) else ""

    def _command(self) -> str:
        return "".join(self.command)


def _drawn(command: str) -> str:
    r"""Return the text of an equation: of \o, which prints signs over each other, the last that is plain.

    Word writes ringed characters and the reading above a word with it: \o\ac(○,1), \o\ad(\s\up 9(zi),字).
    """
    match = _OPENING.search(command)
    if match is None:
        return _plain(command)
    end = _closing(command, match.end())
    parts = _split(command[match.end() : end])
    name = match["name"].lower()
    if name == "o":
        drawn = _plain(parts[-1])
    else:
        drawn = {"f": "/", "r": "√"}.get(name, "").join(_plain(part) for part in parts)
    return _plain(command[: match.start()]) + drawn + _plain(command[end + 1 :])


def _plain(text: str) -> str:
    return re.sub(r"[()]", "", _SWITCH.sub("", text)).strip()


def _closing(command: str, start: int) -> int:
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
        if char in ",;，；" and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


class Fields:
    """The fields that are open at a place, the outermost first."""

    def __init__(self) -> None:
        self._open: list[Field] = []

    @property
    def hides_text(self) -> bool:
        """Whether the place is within a command."""
        return any(not opened.shows_result for opened in self._open)

    def outermost(self, *, contents: bool = False, references: bool = False) -> Field | None:
        """Return the field whose result holds the place, of a table of contents or of references."""
        for opened in self._open:
            if opened.shows_result and (
                (contents and opened.is_contents) or (references and opened.is_references)
            ):
                return opened
        return None

    def begin(self, command: str | None = None) -> None:
        """Open a field; one whose command is known shows its result at once."""
        self._open.append(Field([command or ""], shows_result=command is not None))

    def separate(self) -> None:
        """End the command of the innermost field."""
        if self._open:
            self._open[-1].shows_result = True

    def end(self) -> str:
        """Close the innermost field and return what is drawn from its command alone."""
        if not self._open:
            return ""
        closed = self._open.pop()
        closed.is_closed = True
        return "" if closed.shows_result or self.hides_text else closed.drawn()

    def command(self, text: str) -> None:
        """Take a part of the command of the innermost field."""
        if self._open and not self._open[-1].shows_result:
            self._open[-1].command.append(text)

    def keep(self, text: str) -> None:
        """Keep a text that stands within a command, for the case that the command never ends."""
        self._open[-1].unplaced.append(text)

    def give_up_commands(self) -> str:
        """Return the texts within commands that the end of the paragraph finds open: they are no commands."""
        texts = []
        for opened in self._open:
            if not opened.shows_result:
                texts += opened.unplaced
                opened.shows_result = True
        return "".join(texts)
