"""SPDX expressions of licences."""

import html
import re
from collections.abc import Set as AbstractSet

_NAME = re.compile(r"[\w.+-]+")
_YES, _NO = "accepted", "refused"
"""Results put in place of parentheses; SPDX has no such names."""


def is_accepted(expression: str, accepted: AbstractSet[str]) -> bool:
    """Return whether a licence may be chosen that is accepted: any around OR, all around AND and WITH."""
    outer = re.sub(
        r"\(([^()]*)\)", lambda inner: _YES if is_accepted(inner[1], accepted) else _NO, expression
    )
    if outer != expression:
        return is_accepted(outer, accepted)
    return any(
        set(re.split(" (?:AND|WITH) ", choice)) <= {*accepted, _YES} for choice in expression.split(" OR ")
    )


def with_links(expression: str, texts: AbstractSet[str], folder: str) -> str:
    """Write an expression as HTML; the names of `texts` are linked to NAME.txt in the folder."""
    return _NAME.sub(
        lambda name: f'<a href="{folder}/{name[0]}.txt">{name[0]}</a>' if name[0] in texts else name[0],
        html.escape(expression),
    )
