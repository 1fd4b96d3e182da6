"""Roles and list numbers of paragraphs in the markup of Word, WPS, LibreOffice, Google Docs and Wikipedia."""

import math
import re
from functools import lru_cache
from itertools import islice

from lxml import etree

from simcompare.loading.formats.web.css_cascade import CONTENT_BEFORE, Declarations
from simcompare.loading.formats.web.html_parsing import BLOCKS, CELLS, KINDS, tag_of, written_text
from simcompare.loading.shared.list_numbers import written_number
from simcompare.model.document import BlockKind, DropReason

Role = BlockKind | DropReason

_CLASSES: tuple[tuple[re.Pattern[str], Role], ...] = (
    (re.compile(r"mso(?:toc(?:\d|heading)|tof)|mw-toc"), DropReason.TABLE_OF_CONTENTS),
    (re.compile(r"mso(?:foot|end)notetext|sd(?:foot|end)note|(?:foot|end)notes?"), BlockKind.FOOTNOTE),
    (re.compile(r"msotitle"), BlockKind.TITLE),
    (re.compile(r"msosubtitle|msoheading\d"), BlockKind.HEADING),
    (re.compile(r"mso(?:intense)?quote"), BlockKind.QUOTATION),
    (re.compile(r"msolist(?:bullet|number)\w*"), BlockKind.LIST_ITEM),
    (re.compile(r"msocommenttext|msocomtxt"), DropReason.COMMENT),
    (re.compile(r"msodel"), DropReason.DELETED_REVISION),
    (re.compile(r"mw-editsection"), DropReason.NAVIGATION),
)
_STYLE_NAMES: tuple[tuple[re.Pattern[str], Role], ...] = (
    (re.compile(r"(?:toc|目录|目錄) ?\d|toc heading"), DropReason.TABLE_OF_CONTENTS),
    (re.compile(r"(?:footnote|endnote) text|(?:脚注|尾注)文本"), BlockKind.FOOTNOTE),
    (re.compile(r"title|标题|標題"), BlockKind.TITLE),
    (re.compile(r"(?:heading|标题|標題) ?\d"), BlockKind.HEADING),
    (re.compile(r"(?:intense )?quote|引用|明显引用"), BlockKind.QUOTATION),
)
_MSO_ELEMENTS: dict[str, Role] = {
    "header": DropReason.PAGE_HEADER,
    "footer": DropReason.PAGE_FOOTER,
    **dict.fromkeys(("comment", "comment-list"), DropReason.COMMENT),
    **dict.fromkeys(("footnote", "endnote"), BlockKind.FOOTNOTE),
}
_ROLES: dict[str, Role] = {
    **dict.fromkeys(("doc-toc", "toc"), DropReason.TABLE_OF_CONTENTS),
    **dict.fromkeys(("doc-footnote", "footnote", "footnotes"), BlockKind.FOOTNOTE),
    **dict.fromkeys(("doc-endnote", "doc-endnotes", "endnote", "endnotes"), BlockKind.FOOTNOTE),
    **dict.fromkeys(("rearnote", "rearnotes"), BlockKind.FOOTNOTE),
}
# Names that LibreOffice gives to parts of a page: "header" and "footer" are titles, the others ids.
_PAGE_MARGINS = {"header": DropReason.PAGE_HEADER, "footer": DropReason.PAGE_FOOTER}
_CONTENTS_ID = re.compile(r"(?:table of contents|内容目录|目录|目錄)\d*(?:_head)?|toc", re.IGNORECASE)
_LISTS = frozenset({"div", "nav", "ul", "ol", "aside", "section"})
_OUTLINE_LEVEL = re.compile(r"[1-9]")
_LIST_LEVEL = re.compile(r"\w+ level\d")
# Google Docs and others put the link target of a note's mark at the beginning of the note.
_NOTE_TARGETS: tuple[tuple[re.Pattern[str], Role], ...] = (
    (re.compile(r"ftnt\d+|_(?:ftn|edn)\d+|sd(?:foot|end)note\d+sym"), BlockKind.FOOTNOTE),
    (re.compile(r"cmnt\d+"), DropReason.COMMENT),
)
_COUNTED_CLASSES = frozenset(
    {
        *("msofootnotereference", "msoendnotereference", "sdfootnoteanc", "sdfootnotesym"),
        *("sdendnoteanc", "sdendnotesym", "footnote-ref", "footnote-back", "footnote-backref"),
        *("footnoteref", "footnote-reference", "mw-cite-backlink", "msocomanchor"),
    }
)
_COUNTED_ROLES = frozenset({"doc-noteref", "doc-backlink", "noteref", "backlink"})
_COUNTED_TARGET = re.compile(r"#_?(?:ftnt?|edn|cmnt)(?:_?ref)?\d+$")
_LINE_NUMBERS = re.compile(r"numbering|gutter|line-?n(?:um|o)|ln-n", re.IGNORECASE)
_NUMBER = re.compile(r"[\[［(（]?\s*(?:\d{1,3}|[a-z*†‡§①-⑳↩^])\s*[\]］)）]?", re.IGNORECASE)
_MOST_PARTS_OF_NUMBER = 8
_MOST_CHARACTERS_OF_NUMBER = 40
# Single letters are bullets in a symbol font: l, o, n.
_LIST_NUMBER = re.compile(r"\d|[\u4e00-\u9fff]|[a-z][.):、）]", re.IGNORECASE)


def role_of(element: etree._Element, tag: str, declared: Declarations) -> Role | None:
    """Return the role that the markup gives an element: a block kind, a reason to drop it, or None."""
    if tag == "del":
        return DropReason.DELETED_REVISION
    if tag not in BLOCKS:
        role = _by_class(element) if tag == "span" else None
        return role if isinstance(role, DropReason) else None
    return (
        _by_style(declared)
        or _by_class(element)
        or next((_ROLES[name] for name in _roles(element) if name in _ROLES), None)
        or (_by_name(element, tag) if tag in _LISTS else None)
        or (_by_first_link(element) if tag == "p" else None)
    )


def is_counted(element: etree._Element, tag: str, declared: Declarations) -> bool:
    """Return whether an element is a note number, a bullet or line numbers, which programs generate."""
    if "mso-footnote-id" in declared or "mso-endnote-id" in declared:
        return True
    if declared.get("mso-list") == "ignore":
        return not _LIST_NUMBER.search(_beginning(element))
    if not element.attrib:
        return False
    classes = element.get("class")
    if classes and not _COUNTED_CLASSES.isdisjoint(classes.lower().split()):
        return True
    if _LINE_NUMBERS.search(classes or "") and "".join(written_text(element).split()).isdigit():
        return True
    return not _COUNTED_ROLES.isdisjoint(_roles(element)) or (tag == "a" and _is_link_to_note(element))


def _is_link_to_note(link: etree._Element) -> bool:
    href = link.get("href") or ""
    if "#" not in href:
        return False
    if not _NUMBER.fullmatch(_beginning(link)):
        return False
    parent = link.getparent()
    raised = (parent is not None and parent.tag == "sup") or link.find("sup") is not None
    return raised or bool(_COUNTED_TARGET.search(href))


def _beginning(element: etree._Element) -> str:
    """Return the first characters of an element, enough for a number: broken pages link whole texts."""
    parts = islice(element.itertext(), _MOST_PARTS_OF_NUMBER)
    return "".join(map(str, parts)).strip()[:_MOST_CHARACTERS_OF_NUMBER]


def _by_style(declared: Declarations) -> Role | None:
    if not declared:
        return None
    if _LIST_LEVEL.match(declared.get("mso-list", "")) and not _is_outline(declared):
        return BlockKind.LIST_ITEM
    name = declared.get("mso-style-name", "").strip("\"'").replace("\\", "")
    return (
        _MSO_ELEMENTS.get(declared.get("mso-element", ""))
        or next((role for pattern, role in _STYLE_NAMES if pattern.fullmatch(name)), None)
        or (BlockKind.HEADING if _is_outline(declared) else None)
    )


def _is_outline(declared: Declarations) -> bool:
    return bool(_OUTLINE_LEVEL.fullmatch(declared.get("mso-outline-level", "")))


def _by_class(element: etree._Element) -> Role | None:
    classes = element.get("class")
    return _role_of_classes(classes) if classes else None


@lru_cache(maxsize=4096)
def _role_of_classes(classes: str) -> Role | None:
    for name in classes.lower().split():
        for pattern, role in _CLASSES:
            if pattern.fullmatch(name):
                return role
    return None


def _roles(element: etree._Element) -> list[str]:
    role, epub_type = element.get("role"), element.get("epub:type")
    return f"{role or ''} {epub_type or ''}".lower().split() if role or epub_type else []


def _by_name(element: etree._Element, tag: str) -> Role | None:
    if tag == "div" and (margin := _PAGE_MARGINS.get(element.get("title") or "")):
        return margin
    if not element.attrib:
        return None
    names = [element.get("id") or "", *(element.get("class") or "").split()]
    return DropReason.TABLE_OF_CONTENTS if any(map(_CONTENTS_ID.fullmatch, names)) else None


def _by_first_link(paragraph: etree._Element) -> Role | None:
    first = next(iter(paragraph), None)
    if first is None or first.tag != "a" or (paragraph.text or "").strip():
        return None
    name = first.get("id") or first.get("name") or ""
    return next((role for pattern, role in _NOTE_TARGETS if pattern.fullmatch(name)), None)


FORM_OF_STYLE = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    **dict.fromkeys(("lower-alpha", "lower-latin"), "lowerLetter"),
    **dict.fromkeys(("upper-alpha", "upper-latin"), "upperLetter"),
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    **dict.fromkeys(("cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal"), "chineseCounting"),
}
"""Number formats by their CSS names."""

_STEP = re.compile(r"([a-z_][\w-]*)(?:\s+([-+]?\d{1,6})(?![\d%]))?")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|counter\(\s*([\w-]+)\s*(?:,\s*([a-z-]+)\s*)?\)""", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_HIGHEST_CODE = 0x10FFFF
_FORM_OF_TYPE = {
    "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
}  # fmt: skip
_BEHIND = {"chineseCounting": "、"}
_STYLE = re.compile("|".join([*FORM_OF_STYLE, "none", "disc", "circle", "square"]))
_WHOLE_NUMBER = re.compile(r"\s*([-+]?\d{1,6})")


class ListNumbers:
    """Counts the items of numbered lists, which may be nested, and the CSS counters of a page."""

    def __init__(self) -> None:
        self._lists: list[tuple[etree._Element, str]] = []
        self._next: list[int] = []
        self._values: dict[str, int] = {}

    def enter(self, element: etree._Element, tag: str, declared: Declarations) -> str:
        """Enter an element; return the number before it, with a space, or ""."""
        counted = self._counted(declared) if declared else ""
        return self._number(element, tag, declared) or counted

    def leave(self, element: etree._Element) -> None:
        if self._lists and self._lists[-1][0] is element:
            self._lists.pop()
            self._next.pop()

    def _counted(self, declared: Declarations) -> str:
        """Update the counters and return what they insert before the element."""
        for name, value in _STEP.findall(declared.get("counter-reset", "")):
            self._values[name] = int(value or 0)
        for name, value in _STEP.findall(declared.get("counter-increment", "")):
            self._values[name] = self._values.get(name, 0) + int(value or 1)
        content = declared.get(CONTENT_BEFORE, "")
        if "counter(" not in content.lower():
            return ""
        text = "".join(
            self._value(counter, style) if counter else _ESCAPE.sub(_character, double or single)
            for double, single, counter, style in _PART.findall(content)
        )
        return f"{text.strip()} " if text.strip() else ""

    def _value(self, counter: str, style: str) -> str:
        form = FORM_OF_STYLE.get((style or "decimal").lower(), "")
        return written_number(self._values.get(counter.lower(), 0), form) or ""

    def _number(self, element: etree._Element, tag: str, declared: Declarations) -> str:
        if tag == "ol":
            self._lists.append((element, _form(element, declared) or "decimal"))
            self._next.append(_whole_number(element.get("start"), 1))
        elif tag == "li" and self._lists and element.getparent() is self._lists[-1][0]:
            number = _whole_number(element.get("value"), self._next[-1])
            self._next[-1] = number + 1
            form = _form(element, declared) or self._lists[-1][1]
            written = written_number(number, form)
            return f"{written}{_BEHIND.get(form, '.')} " if written else ""
        return ""


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    return chr(code) if 0 < code <= _HIGHEST_CODE else ""


def _form(element: etree._Element, declared: Declarations) -> str | None:
    """Return the number format, "none" for no visible numbers, None if it is not specified."""
    if declared.get("display", "list-item") != "list-item" and element.tag == "li":
        return "none"
    match = _STYLE.search(declared.get("list-style-type") or declared.get("list-style") or "")
    if match is not None:
        return FORM_OF_STYLE.get(match[0], "none")
    return _FORM_OF_TYPE.get(element.get("type") or "")


def _whole_number(value: str | None, otherwise: int) -> int:
    match = _WHOLE_NUMBER.match(value or "")
    return int(match[1]) if match else otherwise


# A cell with more blocks, a table or a heading is part of a page layout rather than a data table.
_MOST_BLOCKS_IN_CELL = 3


def is_row_of_cells(row: etree._Element) -> bool:
    """Return whether a table row has several cells, none of which lays out a page."""
    cells = [cell for cell in row if tag_of(cell) in CELLS]
    return len(cells) > 1 and not any(_lays_out_a_page(cell) for cell in cells)


def _lays_out_a_page(cell: etree._Element) -> bool:
    most_blocks = math.inf if _is_ruled(cell) else _MOST_BLOCKS_IN_CELL
    blocks = 0
    for element in cell.iterdescendants():
        tag = tag_of(element)
        blocks += tag in BLOCKS
        if blocks > most_blocks or tag == "table" or KINDS.get(tag) is BlockKind.HEADING:
            return True
    return False


def _is_ruled(cell: etree._Element) -> bool:
    """Return whether a cell has borders, which data tables need and layout tables do not."""
    if "solid" in (cell.get("style") or "").lower():
        return True
    table = next(cell.iterancestors("table"), None)
    return table is not None and (table.get("border") or "0") != "0"
