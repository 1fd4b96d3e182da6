"""Paths of files that ship with the program, and of the user's data folder."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import platformdirs

DATA_FOLDER_VARIABLE = "SIMCOMPARE_DATA"
"""Environment variable with another folder for the user's data."""
_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def _resources_root() -> Path:
    """Return the resources folder: beside the package in a checkout, inside it once installed."""
    installed = _PACKAGE / "resources_data"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


def resource_path(*parts: str) -> Path:
    """Return the path of a file or folder of resources/."""
    return _resources_root().joinpath(*parts)


def user_data_path(*parts: str) -> Path:
    """Return a path in the user's data folder and create its parent folders, if they can be created."""
    folder = os.environ.get(DATA_FOLDER_VARIABLE) or platformdirs.user_data_dir("simcompare", appauthor=False)
    path = Path(folder).joinpath(*parts)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


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
