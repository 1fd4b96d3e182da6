"""Classify XML attributes of a Word file: user text, user-defined labels, or values defined by Word.

After ECMA-376, parts 1 and 4: names of fonts and built-in styles, sizes and colours are not user text, even
if a font has the name of a student. Attributes of vocabularies other than Word's may contain anything.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from lxml import etree

from simcompare.loading.shared.xml_elements import local_name, without_namespace

Element = etree._Element
_WORD_NAMESPACES = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/",
    "urn:schemas-microsoft-com:",
    "http://www.w3.org/XML/",
)
_TEXT_ATTRIBUTES = frozenset(
    {"descr", "title", "alt", "string", "tooltip", "instr", "displayText", "href", "src", "ed", "aria-label"}
)
# elements whose w:val is text
_TEXT_ELEMENTS = frozenset(
    {"alias", "tag", "tblCaption", "tblDescription", "helpText", "statusText", "default", "listEntry"}
    | {"lvlText", "attr"}
)
_DRAWING_ELEMENTS = frozenset({"docPr", "cNvPr"})
# elements and attributes
_NAMES = frozenset({("bookmarkStart", "name"), ("hyperlink", "anchor")})
_STYLE_NAMES = frozenset({("style", "styleId"), ("name", "val")})
_STYLE_REFERENCES = frozenset({"pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "numStyleLink"})


def is_text(element: Element, name: str) -> bool:
    """Return whether an attribute contains user text."""
    return _is_text(str(element.tag), name)


# tens of thousands of attributes have a few hundred different names
@lru_cache(maxsize=4096)
def _is_text(full_tag: str, name: str) -> bool:
    if not _is_word_attribute(full_tag, name):
        return True
    local, tag = without_namespace(name), without_namespace(full_tag)
    if local == "val":
        return tag in _TEXT_ELEMENTS
    if local == "value":
        return tag == "listItem"
    return local in _TEXT_ATTRIBUTES or (local == "name" and tag in _DRAWING_ELEMENTS | {"attr"})


def is_label(element: Element, name: str, own_styles: Collection[str]) -> bool:
    """Return whether an attribute is a user-defined label, such as a bookmark, or a reference to one.

    `own_styles`: names and identifiers of the user-defined styles.
    """
    local, tag = without_namespace(name), local_name(element)
    if (tag, local) in _NAMES:
        return True
    around = element.getparent()
    if (tag, local) == ("name", "val") and around is not None and local_name(around) == "ffData":
        return True
    is_of_style = (tag, local) in _STYLE_NAMES
    refers = tag in _STYLE_REFERENCES and local == "val"
    return (is_of_style or refers) and element.get(name) in own_styles


def own_styles(styles: Element) -> Iterator[str]:
    """Yield the names and identifiers of the user-defined styles in word/styles.xml."""
    for style in styles:
        if local_name(style) == "style" and _value(style, "customStyle") in {"1", "true", "on"}:
            yield _value(style, "styleId")
            yield from (_value(child, "val") for child in style if local_name(child) == "name")


def _value(element: Element, local: str) -> str:
    return next((str(v) for k, v in element.attrib.items() if without_namespace(str(k)) == local), "")


def _is_word_attribute(full_tag: str, name: str) -> bool:
    """Return whether an attribute, or its element if it has no namespace, is in a namespace of Word."""
    namespace = etree.QName(name).namespace or etree.QName(full_tag).namespace
    return namespace is not None and namespace.startswith(_WORD_NAMESPACES)
