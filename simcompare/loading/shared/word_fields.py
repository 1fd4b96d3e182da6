"""Fields of Word, of which a reader sees the result and not the command."""

import re
from dataclasses import dataclass, field

CONTENTS_COMMAND = re.compile(r"\s*TOC\b", re.IGNORECASE)
# The command whose text stands in the command itself: enclosed characters, readings above characters.
_EQUATION = re.compile(r"\s*EQ\b", re.IGNORECASE)
_SWITCH = re.compile(r"\\(?:\*\s*(?:\"[^\"]*\"|\S+)|[a-z]+\d*\s*)", re.IGNORECASE)
_OPENING = re.compile(r"\\(?P<name>[ofr])(?![a-z])[^(]*\(", re.IGNORECASE)
_SEPARATORS = ",;，；"
# Word itself takes no longer commands.
_LONGEST_DRAWING = 1000


@dataclass(slots=True)
class Field:
    """A field that is open: its command so far, whether the result has begun, and whether it holds text."""

    command: list[str] = field(default_factory=list)
    has_result: bool = False
    shows_text: bool = False

    def in_contents(self) -> bool:
        """Return whether the text here is that of a table of contents."""
        return self.has_result and CONTENTS_COMMAND.match("".join(self.command)) is not None

    def shown(self) -> str:
        r"""Return what is seen without text in the result: `EQ \o\ac(○,字)` is a ringed character."""
        return "" if self.shows_text else drawn_by("".join(self.command))


def drawn_by(command: str) -> str:
    r"""Return the text that an EQ command draws, nothing for another command.

    Of \o, which draws signs over each other, it is the last sign: Word writes ringed characters and the
    readings above characters with it, \o\ac(○,1) and \o\ad(\s\up 9(zi),字). Of \f it is a fraction.
    """
    match = _EQUATION.match(command)
    if match is None:
        return ""
    return (
        _drawn(command[match.end() :]) if len(command) <= _LONGEST_DRAWING else _plain(command[match.end() :])
    )


def _drawn(command: str) -> str:
    match = _OPENING.search(command)
    if match is None:
        return _plain(command)
    end = _closing(command, match.end())
    parts = [_plain(part) for part in _split(command[match.end() : end])]
    name = match["name"].lower()
    drawn = {"o": parts[-1], "f": "/".join(parts), "r": f"{''.join(parts[:-1])}√{parts[-1]}"}[name]
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
        if char in _SEPARATORS and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


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
        """End a field; return what is seen of it where its result holds no text."""
        return self._open.pop().shown() if self._open else ""

    def takes(self, text: str) -> bool:
        """Take `text` for a command where one is open; return whether it was."""
        inside = next((one for one in reversed(self._open) if not one.has_result), None)
        if inside is not None:
            inside.command.append(text)
        elif text.strip():
            for one in self._open:
                one.shows_text = True
        return inside is not None

    def in_contents(self) -> bool:
        """Return whether the text here is the result of a table of contents."""
        return any(one.in_contents() for one in self._open)
