"""Access to XML elements by local name: editions of an office format differ only in namespaces."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from lxml import etree

Properties = Mapping[str, etree._Element]
"""Property elements by local name."""

NO_PROPERTIES: Properties = {}
_OFF = frozenset({"0", "false", "off", "none"})


@lru_cache(maxsize=4096)
def without_namespace(name: object) -> str:
    """Return the name of a tag or an attribute without its namespace, "" for the tag of a comment."""
    return name.rpartition("}")[2] if isinstance(name, str) else ""


def local_name(element: etree._Element) -> str:
    """Return the tag without its namespace, "" for comments and processing instructions."""
    return without_namespace(element.tag)


def attribute(element: etree._Element | None, name: str) -> str | None:
    if element is not None:
        for key, value in element.items():
            if without_namespace(key) == name:
                return str(value)
    return None


def child(element: etree._Element | None, name: str) -> etree._Element | None:
    if element is not None:
        for inner in element:
            if without_namespace(inner.tag) == name:
                return inner
    return None


def nearest(
    parent: etree._Element, names: Collection[str], around: Collection[str]
) -> Iterator[etree._Element]:
    """Yield the elements of these names below `parent` that are not within one of the names `around`."""
    for element in parent:
        name = local_name(element)
        if name in names:
            yield element
        elif name not in around:
            yield from nearest(element, names, around)


def value_of(element: etree._Element | None, name: str) -> str | None:
    """Return the "val" attribute of the child with that name."""
    return attribute(child(element, name), "val")


def properties_of(element: etree._Element | None, name: str) -> Properties:
    """Return the children of the child with that name ("pPr", "rPr" ...)."""
    return children_of(child(element, name))


def children_of(element: etree._Element | None) -> Properties:
    """Return the children of an element by local name; of equal names the first."""
    if element is None or not len(element):
        return NO_PROPERTIES
    return {without_namespace(inner.tag): inner for inner in reversed(element)}


def value(properties: Properties, name: str) -> str | None:
    """Return the value of a property, or None if it is unspecified."""
    return attribute(properties.get(name), "val")


def is_on(properties: Properties, name: str) -> bool | None:
    """Return a switch such as bold: on, off, or None if it is unspecified."""
    switch = properties.get(name)
    if switch is None:
        return None
    return (attribute(switch, "val") or "1") not in _OFF


def number_of(text: str | None, default: int) -> int:
    """Return a number, or `default` if the text is not one."""
    try:
        return int(float(text)) if text else default
    except (ValueError, OverflowError):
        return default


_NAMED_ONLY = re.compile(rb"<!DOCTYPE\s[^\[\]<>]*>", re.IGNORECASE)
_PROLOGUE_BYTES = 4096


def without_doctype(data: bytes) -> bytes:
    """Remove a document type that only names a DTD; one that declares entities is kept."""
    return _NAMED_ONLY.sub(b"", data[:_PROLOGUE_BYTES], count=1) + data[_PROLOGUE_BYTES:]
