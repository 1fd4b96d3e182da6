"""Fields of .doc and .rtf: the result is visible text, the command is not."""

import re
from dataclasses import dataclass, field

CONTENTS_COMMAND = re.compile(r"\s*TOC\b", re.IGNORECASE)
# EQ holds its text in the command: enclosed characters, phonetic guides.
_EQUATION = re.compile(r"\s*EQ\b", re.IGNORECASE)
_SWITCH = re.compile(r"\\(?:\*\s*(?:\"[^\"]*\"|\S+)|[a-z]+\d*\s*)", re.IGNORECASE)
_OPENING = re.compile(r"\\(?P<name>[ofr])(?![a-z])[^(]*\(", re.IGNORECASE)
_SEPARATORS = ",;，；"
# Word accepts no longer commands.
_MAX_EQ_COMMAND = 1000


@dataclass(slots=True)
class WordField:
    """An open field: its command so far, whether the result has begun, and whether it has text."""

    command: list[str] = field(default_factory=list)
    has_result: bool = False
    shows_text: bool = False

    def in_contents(self) -> bool:
        """Return whether the current text belongs to a table of contents."""
        return self.has_result and CONTENTS_COMMAND.match("".join(self.command)) is not None

    def text_without_result(self) -> str:
        r"""Return the visible text without a result: `EQ \o\ac(○,字)` is a ringed character."""
        return "" if self.shows_text else eq_text("".join(self.command))


def eq_text(command: str) -> str:
    r"""Return the text that an EQ command draws, "" for another command.

    Of \o, which overlays characters, it is the last operand: Word uses it for ringed characters and
    phonetic guides, \o\ac(○,1) and \o\ad(\s\up 9(zi),字). \f is a fraction.
    """
    match = _EQUATION.match(command)
    if match is None:
        return ""
    return (
        _eq_operand_text(command[match.end() :])
        if len(command) <= _MAX_EQ_COMMAND
        else _without_switches(command[match.end() :])
    )


def _eq_operand_text(command: str) -> str:
    match = _OPENING.search(command)
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


class WordFields:
    """The open fields, the outermost first."""

    def __init__(self) -> None:
        self._open: list[WordField] = []

    def begin(self) -> None:
        """Open a field, perhaps within the command or the result of another."""
        self._open.append(WordField())

    def separate(self) -> None:
        """End the command; the result follows."""
        if self._open:
            self._open[-1].has_result = True

    def end(self) -> str:
        """Close a field; return its visible text if its result has none."""
        return self._open.pop().text_without_result() if self._open else ""

    def absorbs(self, text: str) -> bool:
        """Add `text` to the command if one is open; return whether it was."""
        open_command = next(
            (open_field for open_field in reversed(self._open) if not open_field.has_result), None
        )
        if open_command is not None:
            open_command.command.append(text)
        elif text.strip():
            for open_field in self._open:
                open_field.shows_text = True
        return open_command is not None

    def in_contents(self) -> bool:
        """Return whether the current text is the result of a table of contents."""
        return any(open_field.in_contents() for open_field in self._open)
