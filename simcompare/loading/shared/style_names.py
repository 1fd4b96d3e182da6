"""What the names of styles say of their paragraphs, in the languages of those who made the styles."""

import re
from collections.abc import Collection

from simcompare.model.document import BlockKind

# Word stores the English names of its own styles in every language; WPS, Pages and templates their own.
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
_CONTENTS = re.compile(r"(?:toc|contents|目录|目錄|wpsoffice手动目录)\s?(?:[1-9]|10)")


def kind_by_names(names: Collection[str]) -> BlockKind | None:
    """Return what the paragraphs are whose style, and what it is based on, have these names.

    Names are in small letters. A title goes before a heading: styles of titles are based on those.
    """
    if any(name in _TITLE for name in names):
        return BlockKind.TITLE
    if any(_HEADING.fullmatch(name) for name in names):
        return BlockKind.HEADING
    if any(name in _REFERENCES for name in names):
        return BlockKind.REFERENCE
    return BlockKind.QUOTATION if any(name in _QUOTATION for name in names) else None


def is_of_contents(name: str) -> bool:
    """Return whether a style, named in small letters, is for the lines of a table of contents."""
    return _CONTENTS.fullmatch(name) is not None
