"""Fields of Word, of which a reader sees the result and not the command."""

import re
from dataclasses import dataclass, field

# The commands whose text stands in the command itself: enclosed characters and readings above characters.
_EQUATION = re.compile(r"\s*eq\s", re.IGNORECASE)
_SWITCH = re.compile(r"\\\*\s*(?:\"[^\"]*\"|\w+)|\\[a-z]+\d*", re.IGNORECASE)
_OVERSTRIKE = re.compile(r"\\o\b", re.IGNORECASE)
_CONTENTS = re.compile(r"\s*(?:toc|index|toa)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Field:
    code: list[str] = field(default_factory=list)
    has_result: bool = False


class Fields:
    """The fields that are open at a place in a text."""

    def __init__(self) -> None:
        self._open: list[_Field] = []

    def begin(self) -> None:
        """Begin a field, perhaps within the command or the result of another."""
        self._open.append(_Field())

    def separate(self) -> None:
        """End the command; what follows is the result."""
        if self._open:
            self._open[-1].has_result = True

    def end(self) -> str:
        """End a field; return the text of the reader's that its command holds."""
        if not self._open:
            return ""
        ended = self._open.pop()
        return "" if ended.has_result else _shown_of_equation("".join(ended.code))

    def takes(self, text: str) -> bool:
        """Take `text` for a command where one is open; return whether it was."""
        inside = next((one for one in reversed(self._open) if not one.has_result), None)
        if inside is not None:
            inside.code.append(text)
        return inside is not None

    def in_contents(self) -> bool:
        """Return whether the text here is the result of a table of contents."""
        return any(one.has_result and _CONTENTS.match("".join(one.code)) for one in self._open)


def _shown_of_equation(code: str) -> str:
    r"""Return the characters that `EQ \o\ac(○,字)` shows in their circle, or below their reading."""
    match = _EQUATION.match(code)
    if match is None:
        return ""
    arguments = code[match.end() :]
    if _OVERSTRIKE.search(arguments) and "," in arguments:
        arguments = re.split("[,，;；]", arguments)[-1]
    return re.sub(r"[(),;]", "", _SWITCH.sub("", arguments)).strip()
