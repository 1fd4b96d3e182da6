"""The marks by which Word, WPS, LibreOffice, Google Docs and Wikipedia say what a paragraph is."""

import re
from itertools import islice

from lxml import etree

from simcompare.document import BlockKind
from simcompare.loading.web.cascade import Declarations
from simcompare.loading.web.tags import BLOCKS
from simcompare.receipt import DropReason

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
    "comment": DropReason.COMMENT,
    "comment-list": DropReason.COMMENT,
    "footnote": BlockKind.FOOTNOTE,
    "endnote": BlockKind.FOOTNOTE,
}
_ROLES: dict[str, Role] = {
    "doc-toc": DropReason.TABLE_OF_CONTENTS,
    "toc": DropReason.TABLE_OF_CONTENTS,
    "doc-footnote": BlockKind.FOOTNOTE,
    "doc-endnote": BlockKind.FOOTNOTE,
    "doc-endnotes": BlockKind.FOOTNOTE,
    "footnote": BlockKind.FOOTNOTE,
    "footnotes": BlockKind.FOOTNOTE,
    "endnote": BlockKind.FOOTNOTE,
    "endnotes": BlockKind.FOOTNOTE,
    "rearnote": BlockKind.FOOTNOTE,
    "rearnotes": BlockKind.FOOTNOTE,
}
# LibreOffice names the parts of a page so; "header" and "footer" are titles, the others ids.
_PAGE_MARGINS = {"header": DropReason.PAGE_HEADER, "footer": DropReason.PAGE_FOOTER}
_CONTENTS_ID = re.compile(r"(?:table of contents|内容目录|目录|目錄)\d*(?:_head)?|toc", re.IGNORECASE)
_LISTS = frozenset({"div", "nav", "ul", "ol", "aside", "section"})
_OUTLINE_LEVEL = re.compile(r"[1-9]")
_LIST_LEVEL = re.compile(r"\w+ level\d")
# Google Docs and others begin the note itself with the target of its mark.
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
_NUMBER = re.compile(r"[\[［(（]?\s*(?:\d{1,3}|[a-z*†‡§①-⑳↩^])\s*[\]］)）]?", re.IGNORECASE)
_MOST_PARTS_OF_NUMBER = 8
_MOST_CHARACTERS_OF_NUMBER = 40
# Bullets are letters of a symbol font: l, o, n.
_LIST_NUMBER = re.compile(r"\d|[\u4e00-\u9fff]|[a-z][.):、）]", re.IGNORECASE)


def role_of(element: etree._Element, tag: str, declared: Declarations) -> Role | None:
    """Return what the writer of a page says of an element: a kind of text, or why it is no part of it."""
    if tag == "del":
        return DropReason.DELETED_REVISION
    if tag not in BLOCKS:
        role = _by_class(element) if tag == "span" else None
        return role if isinstance(role, DropReason) else None
    return (
        _by_style(declared)
        or _by_class(element)
        or _by_role(element)
        or (_by_name(element, tag) if tag in _LISTS else None)
        or (_by_first_link(element) if tag == "p" else None)
    )


def is_counted(element: etree._Element, tag: str, declared: Declarations) -> bool:
    """Return whether an element holds the number of a note, which is counted anew, or a bullet."""
    if "mso-footnote-id" in declared or "mso-endnote-id" in declared:
        return True
    if declared.get("mso-list") == "ignore":
        return not _LIST_NUMBER.search(_beginning(element))
    if not element.attrib:
        return False
    classes = (element.get("class") or "").lower().split()
    if not _COUNTED_CLASSES.isdisjoint(classes) or not _COUNTED_ROLES.isdisjoint(_roles(element)):
        return True
    return tag == "a" and _is_link_to_note(element)


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
    """Return the text of an element as far as a number goes; broken pages put everything into a link."""
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
    for name in (element.get("class") or "").lower().split():
        for pattern, role in _CLASSES:
            if pattern.fullmatch(name):
                return role
    return None


def _by_role(element: etree._Element) -> Role | None:
    return next((_ROLES[name] for name in _roles(element) if name in _ROLES), None)


def _roles(element: etree._Element) -> list[str]:
    names = f"{element.get('role') or ''} {element.get('epub:type') or ''}"
    return names.lower().split()


def _by_name(element: etree._Element, tag: str) -> Role | None:
    if tag == "div" and (margin := _PAGE_MARGINS.get(element.get("title") or "")):
        return margin
    names = [element.get("id") or "", *(element.get("class") or "").split()]
    return DropReason.TABLE_OF_CONTENTS if any(map(_CONTENTS_ID.fullmatch, names)) else None


def _by_first_link(paragraph: etree._Element) -> Role | None:
    first = next(iter(paragraph), None)
    if first is None or first.tag != "a" or (paragraph.text or "").strip():
        return None
    name = first.get("id") or first.get("name") or ""
    return next((role for pattern, role in _NOTE_TARGETS if pattern.fullmatch(name)), None)
