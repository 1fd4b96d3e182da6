"""Block kinds by style name, in the languages of Word, WPS and templates."""

import re
from collections.abc import Callable, Collection
from typing import TypeVar

from simcompare.model.document import BlockKind

Style = TypeVar("Style")

# Word stores the English names of built-in styles in every language; WPS, Pages and templates localised ones.
_HEADING = re.compile(
    r"(?:heading|标题|標題|見出し|제목|заголовок|titre|überschrift|título|titolo)\s?(?:[1-9]|10)?"
    r"|[1-9一二三四五][级級](?:标题|標題)|[章节節]标题|subtitle|副标题|副標題|toc heading"
)
_TITLE = frozenset({"title", "标题", "標題", "文档标题", "论文标题", "论文题目"})
_QUOTATION = frozenset(
    {
        *("quote", "intense quote", "block text", "block quote", "block quotation", "quotations"),
        *("引用", "明显引用", "鮮明引文", "引文"),
    }
)
_REFERENCES = frozenset({"bibliography", "endnote bibliography", "书目", "書目", "参考文献", "參考文獻"})
_MAX_ANCESTORS = 50
_CONTENTS = re.compile(r"(?:toc|contents|目录|目錄|wpsoffice手动目录)\s?(?:[1-9]|10)")


def style_chain(style: Style | None, base_of: Callable[[Style], Style | None]) -> list[Style]:
    """Return a style followed by its ancestors; a style may be its own ancestor."""
    chain: list[Style] = []
    while style is not None and style not in chain and len(chain) < _MAX_ANCESTORS:
        chain.append(style)
        style = base_of(style)
    return chain


def kind_by_names(names: Collection[str]) -> BlockKind | None:
    """Return the block kind for a style whose own and inherited names, in lower case, are `names`.

    A title takes precedence over a heading: title styles are based on heading styles.
    """
    if any(name in _TITLE for name in names):
        return BlockKind.TITLE
    if any(_HEADING.fullmatch(name) for name in names):
        return BlockKind.HEADING
    if any(name in _REFERENCES for name in names):
        return BlockKind.REFERENCE
    return BlockKind.QUOTATION if any(name in _QUOTATION for name in names) else None


def is_contents_style(name: str) -> bool:
    """Return whether a style name, in lower case, is for the lines of a table of contents."""
    return _CONTENTS.fullmatch(name) is not None
