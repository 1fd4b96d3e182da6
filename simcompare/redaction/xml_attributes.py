"""Which values in the XML of a Word file are text that people read or chose, and which are Word's own.

After ECMA-376, parts 1 and 4: names of fonts, styles that Word brings, sizes and colours are no text, however
much a font is called like a student; what stands in a vocabulary that is not Word's may be anything.
"""

from collections.abc import Collection, Iterator

from lxml import etree

from simcompare.loading.shared.xml_elements import local_name

Element = etree._Element
_OF_WORD = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/",
    "urn:schemas-microsoft-com:",
    "http://www.w3.org/XML/",
)
_TEXTS = frozenset(
    {"descr", "title", "alt", "string", "tooltip", "instr", "displayText", "href", "src", "ed", "aria-label"}
)
# whose w:val is text
_TELLING = frozenset(
    {"alias", "tag", "tblCaption", "tblDescription", "helpText", "statusText", "default", "listEntry"}
    | {"lvlText", "attr"}
)
_DRAWN = frozenset({"docPr", "cNvPr"})
_STYLE_REFERENCES = frozenset({"pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "numStyleLink"})


def is_text(element: Element, name: str) -> bool:
    """Whether an attribute holds text."""
    if not _is_of_word(element, name):
        return True
    local, tag = etree.QName(name).localname, local_name(element)
    if local == "val":
        return tag in _TELLING
    if local == "value":
        return tag == "listItem"
    return local in _TEXTS or (local == "name" and tag in _DRAWN | {"attr"})


def is_label(element: Element, name: str, own_styles: Collection[str]) -> bool:
    """Whether an attribute holds a word by which a person called something, and by which others refer to it.

    `own_styles`: the names and identifiers of styles that Word did not bring.
    """
    local, tag = etree.QName(name).localname, local_name(element)
    if (tag, local) in {("bookmarkStart", "name"), ("hyperlink", "anchor")}:
        return True
    around = element.getparent()
    if (tag, local) == ("name", "val") and around is not None and local_name(around) == "ffData":
        return True
    is_of_style = (tag, local) in {("style", "styleId"), ("name", "val")}
    refers = tag in _STYLE_REFERENCES and local == "val"
    return (is_of_style or refers) and element.get(name) in own_styles


def own_styles(styles: Element) -> Iterator[str]:
    """Yield the names and identifiers of the styles in word/styles.xml that Word did not bring."""
    for style in styles:
        if local_name(style) == "style" and _value(style, "customStyle") in {"1", "true", "on"}:
            yield _value(style, "styleId")
            yield from (_value(one, "val") for one in style if local_name(one) == "name")


def _value(element: Element, local: str) -> str:
    return next((str(v) for k, v in element.attrib.items() if etree.QName(k).localname == local), "")


def _is_of_word(element: Element, name: str) -> bool:
    """Whether an attribute belongs to a vocabulary of Word's; one without a namespace is its element's."""
    namespace = etree.QName(name).namespace or etree.QName(element).namespace
    return namespace is not None and namespace.startswith(_OF_WORD)
