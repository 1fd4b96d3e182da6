"""What the control words of Rich Text mean that change looks, or stand for characters."""

from collections.abc import Callable
from dataclasses import replace

from simcompare.loading.flow import LINE_END
from simcompare.loading.rtf.state import Characters, ParagraphState

SHOWN = {
    "line": LINE_END,
    "page": LINE_END,
    "column": LINE_END,
    "tab": " ",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "zwbo": "\u200b",
    "zwnbo": "\u2060",
    "~": "\xa0",
    "_": "-",
}
# Signs that are bytes like any other once they are escaped.
ESCAPED = frozenset("\\{}")
# An escaped line end ends a paragraph.
PARAGRAPH_ENDS = frozenset({"par", "sect", "\n", "\r"})

_CharacterChange = Callable[[Characters, int | None], Characters]
_ParagraphChange = Callable[[ParagraphState, int | None], ParagraphState]

# A switch without a number is on, a value without one is 0.
CHARACTER_WORDS: dict[str, _CharacterChange] = {
    "plain": lambda _now, _by: Characters(),
    "f": lambda now, by: replace(now, font=by),
    "fs": lambda now, by: replace(now, half_points=24 if by is None else by),
    "b": lambda now, by: replace(now, bold=by != 0),
    "dbch": lambda now, _by: replace(now, tells_of_chinese=True),
    "loch": lambda now, _by: replace(now, tells_of_chinese=False),
    "hich": lambda now, _by: replace(now, tells_of_chinese=False),
    "rtlch": lambda now, _by: replace(now, tells_of_chinese=False),
    "ltrch": lambda now, _by: replace(now, tells_of_chinese=False),
    "afs": lambda now, by: replace(now, chinese_half_points=by) if now.tells_of_chinese else now,
    "ab": lambda now, by: replace(now, chinese_bold=by != 0) if now.tells_of_chinese else now,
    "v": lambda now, by: replace(now, hidden=by != 0),
    "deleted": lambda now, by: replace(now, deleted=by != 0),
    "cf": lambda now, by: replace(now, colour=by or 0),
    "cb": lambda now, by: replace(now, ground=by or 0),
    "chcbpat": lambda now, by: replace(now, ground=by or 0),
    "highlight": lambda now, by: replace(now, ground=by or 0),
    "chshdng": lambda now, by: replace(now, pattern=by or 0),
}
PARAGRAPH_WORDS: dict[str, _ParagraphChange] = {
    "pard": lambda _now, _by: ParagraphState(),
    "s": lambda now, by: replace(now, style=by or 0),
    "outlinelevel": lambda now, by: replace(now, level=by or 0),
    "qc": lambda now, _by: replace(now, centred=True),
    "ql": lambda now, _by: replace(now, centred=False),
    "qr": lambda now, _by: replace(now, centred=False),
    "qj": lambda now, _by: replace(now, centred=False),
    "qd": lambda now, _by: replace(now, centred=False),
    "ls": lambda now, by: replace(now, is_listed=bool(by)),
    "cbpat": lambda now, by: replace(now, ground=by or 0),
    "shading": lambda now, by: replace(now, pattern=by or 0),
    "dropcapt": lambda now, by: replace(now, is_drop_cap=bool(by)),
    "intbl": lambda now, by: replace(now, depth=max(now.depth, 1) if by != 0 else 0),
    "itap": lambda now, by: replace(now, depth=max(by or 0, 0)),
}
