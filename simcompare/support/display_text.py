"""Characters that would act on a page or a terminal instead of being read, made readable."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

# Control characters but tab and line feed; surrogates without a partner; line and paragraph separators;
# zero-width characters and those that change the direction of writing, which hide or reorder text.
# A joiner within an emoji stays, as it is part of a picture.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
    "|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
)
_CONTROL_PICTURES = 0x2400
_FIRST_PRINTABLE = 0x20
_LONGEST_NAME = 80


def escape_invisible(text: str) -> str:
    """Return `text` with every unseen character replaced by what names it.

    ESC becomes "␛" and a right-to-left override "[U+202E]": nothing in the result moves a cursor, hides
    or reorders text, and it can be encoded in UTF-8.
    """
    return _UNSEEN.sub(lambda match: _name(ord(match.group())), text)


def display_name(name: str) -> str:
    """Return a file name on one line, one of more than 80 characters without its middle."""
    shown = escape_invisible(name).replace("\n", _name(10)).replace("\t", _name(9))
    if len(shown) <= _LONGEST_NAME:
        return shown
    return f"{shown[: _LONGEST_NAME // 2]}…{shown[-_LONGEST_NAME // 2 + 1 :]}"


def file_name(path: str) -> str:
    """Return the name of a file without its folders, whatever system the path is from."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def distinct_labels(paths: Sequence[PurePath]) -> list[str]:
    """Return what each file is called: its name, after as many folders as tell it from the others."""
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
    """Give those that still have one name a number, as two copies of one file in a list have."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = count = seen.get(name, 0) + 1
        yield name if count == 1 else f"{name} ({count})"


def _name(code: int) -> str:
    return chr(_CONTROL_PICTURES + code) if code < _FIRST_PRINTABLE else f"[U+{code:04X}]"


def percentage(share: float) -> float:
    """Return a share as 62.1 for 62.1 %; never 0 for something, nor 100 for less than all."""
    number = round(share * 100, 1)
    return min(max(number, 0.1), 99.9) if 0 < share < 1 else number
