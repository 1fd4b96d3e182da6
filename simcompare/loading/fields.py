"""Fields of Word, of which a reader sees the result and not the command."""

import re
from dataclasses import dataclass, field

_CONTENTS = re.compile(r"\s*(?:toc|index|toa)\b", re.IGNORECASE)
# The commands whose text stands in the command itself: enclosed characters and readings above characters.
_EQUATION = re.compile(r"\s*eq\s", re.IGNORECASE)
_SWITCH = re.compile(r"\\\*\s*(?:\"[^\"]*\"|\w+)|\\[a-z]+\d*", re.IGNORECASE)
_OVERSTRIKE = re.compile(r"\\o(?![a-z])", re.IGNORECASE)
_SEPARATORS = re.compile("[,，;；]")
_MARKS = re.compile("[(),;]")


@dataclass(slots=True)
class Field:
    """A field that is open: its command so far, and whether the result has begun."""

    command: list[str] = field(default_factory=list)
    has_result: bool = False

    def in_contents(self) -> bool:
        """Return whether the text here is that of a table of contents."""
        return self.has_result and _CONTENTS.match("".join(self.command)) is not None

    def shown(self) -> str:
        r"""Return what is seen of a field without a result: `EQ \o\ac(○,字)` is a character in a circle."""
        command = "".join(self.command)
        match = _EQUATION.match(command)
        if match is None or self.has_result:
            return ""
        arguments = command[match.end() :]
        if _OVERSTRIKE.search(arguments):
            # What stands over or around it comes first, the character itself last.
            arguments = _SEPARATORS.split(arguments)[-1]
        return _MARKS.sub("", _SWITCH.sub("", arguments)).strip()


class Fields:
    """The fields that are open at a place in a text, the outermost first."""

    def __init__(self) -> None:
        self._open: list[Field] = []

    def begin(self) -> None:
        """Begin a field, perhaps within the command or the result of another."""
        self._open.append(Field())

    def separate(self) -> None:
        """End the command; what follows is the result."""
        if self._open:
            self._open[-1].has_result = True

    def end(self) -> str:
        """End a field; return what is seen of it where it has no result."""
        return self._open.pop().shown() if self._open else ""

    def takes(self, text: str) -> bool:
        """Take `text` for a command where one is open; return whether it was."""
        inside = next((one for one in reversed(self._open) if not one.has_result), None)
        if inside is not None:
            inside.command.append(text)
        return inside is not None

    def in_contents(self) -> bool:
        """Return whether the text here is the result of a table of contents."""
        return any(one.in_contents() for one in self._open)
