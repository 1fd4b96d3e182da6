"""Text made safe for display: invisible and control characters escaped, and file labels."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath

from simcompare.support.resources import resource_path

# Control characters except tab and line feed; unpaired surrogates; two codes that are no characters, which a
# PDF and XML must not contain; line and paragraph separators; zero-width characters and those that change the
# direction of writing, which hide or reorder text.
# A joiner within an emoji is kept, because it is part of the glyph.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufffe\uffff]"
    "|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
)
_CONTROL_PICTURES = 0x2400
_FIRST_PRINTABLE = 0x20
_LONGEST_NAME = 80


def escape_invisible(text: str) -> str:
    """Replace every invisible character by a visible escape.

    ESC becomes "␛" and a right-to-left override "[U+202E]": nothing in the result moves a cursor, hides
    or reorders text, and it can be encoded in UTF-8.
    """
    return _INVISIBLE.sub(lambda match: _escape(ord(match.group())), text)


def display_name(name: str) -> str:
    """Escape a file name and shorten it in the middle to 80 characters, on one line."""
    escaped = escape_invisible(name).replace("\n", _escape(10)).replace("\t", _escape(9))
    if len(escaped) <= _LONGEST_NAME:
        return escaped
    return f"{escaped[: _LONGEST_NAME // 2]}…{escaped[-_LONGEST_NAME // 2 + 1 :]}"


def file_name(path: str) -> str:
    """Return the file name of a path without its folders, for paths of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def distinct_labels(paths: Sequence[PurePath]) -> list[str]:
    """Label each file by its name, preceded by as many folders as distinguish it from the others."""
    parts = [path.parts for path in paths]
    names = ["/".join(own[-1:]) for own in parts]
    for length in range(2, max(map(len, parts), default=0) + 1):
        counts = Counter(names)
        names = [
            "/".join(own[-length:]) if counts[name] > 1 else name
            for own, name in zip(parts, names, strict=True)
        ]
    return list(_numbered(map(display_name, names)))


def _numbered(names: Iterable[str]) -> Iterator[str]:
    """Add numbers to labels that are still equal, such as those of two copies of one file."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = count = seen.get(name, 0) + 1
        yield name if count == 1 else f"{name} ({count})"


def _escape(code: int) -> str:
    return chr(_CONTROL_PICTURES + code) if code < _FIRST_PRINTABLE else f"[U+{code:04X}]"


def common_folder_name(paths: Iterable[Path]) -> str:
    """Return the name of the folder that the files of all students have in common, or "" if there is none.

    It is the folder they are in, or its parent if each student has a folder. The folder of all samples of
    the program names no class.
    """
    folders = {path.parent for path in paths if path.is_absolute()}
    if resource_path("samples") in folders:
        return ""
    for common in [*folders, *(folder.parent for folder in folders)]:
        if common.name and all(common in {folder, folder.parent} for folder in folders):
            return common.name
    return ""
