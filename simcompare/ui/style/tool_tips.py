"""Texts of tool tips; apart from `ui/labels.py`, which loads the comparison, as the start page uses them."""

import html
import unicodedata

_UNWRAPPED_COLUMNS = 60
"""Longest line of a tooltip that is not wrapped, in Latin letters; a Chinese character takes two."""


def as_tooltip(text: str) -> str:
    """Return a text as rich text, since plain tooltips are not wrapped; markup in it is escaped.

    Short lines are not wrapped, which Qt would do inside a name or before a percent sign.
    """
    if not text:
        return ""
    is_short = all(_columns(line) <= _UNWRAPPED_COLUMNS for line in text.splitlines())
    return f'<p style="white-space:{"pre" if is_short else "pre-wrap"}">{html.escape(text)}</p>'


def _columns(line: str) -> int:
    return len(line) + sum(unicodedata.east_asian_width(character) in "WF" for character in line)
