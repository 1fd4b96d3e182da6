"""Regular expression that is compiled at its first use."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar

_END = sys.maxsize


class LazyPattern:
    """Regular expression with the methods of `re.Pattern`, for modules with large patterns.

    Compiling all of them on import took a fifth of the start of the window, which needs none of them.
    """

    all: ClassVar[list["LazyPattern"]] = []
    """All patterns of the modules that are imported."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern, self._flags = pattern, flags
        self.all.append(self)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self.compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def search(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        """Find the first match."""
        return self.compiled.search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = _END) -> Iterator[re.Match[str]]:
        """Find all matches that do not overlap."""
        return self.compiled.finditer(text, start, end)

    def findall(self, text: str) -> list[Any]:
        """Find the texts, or groups, of all matches."""
        return self.compiled.findall(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Replace all matches."""
        return self.compiled.sub(replacement, text)

    def split(self, text: str) -> list[Any]:
        """Split a text at all matches."""
        return self.compiled.split(text)
