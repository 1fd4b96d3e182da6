"""XML elements by local name, as editions of an office format differ only in namespaces; formulas as text."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
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


_NOT_DISPLAYED = frozenset({"annotation", "annotation-xml", "mphantom"})
_SIGNS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
INVISIBLE_OPERATORS = dict.fromkeys(range(0x2061, 0x2065))
"""Invisible application and multiplication, in the form of `str.translate`."""
ROOTS = {"2": "√", "3": "∛", "4": "∜"}
_FORMS = {"mfrac": "{}/{}", "msqrt": "√{}", "msubsup": "{}_{}^{}", "munderover": "{}_{}^{}"}
_FORMS |= dict.fromkeys(("msup", "mover"), "{}^{}") | dict.fromkeys(("msub", "munder"), "{}_{}")


def linear(element: etree._Element) -> str:
    """Return a formula, or a part of one, as a line of text."""
    name = local_name(element)
    if name in _SIGNS:
        return "".join(map(str, element.itertext())).strip().translate(INVISIBLE_OPERATORS)
    if not name or name in _NOT_DISPLAYED:
        return ""
    parts = [linear(inner) for inner in element if local_name(inner)]
    if name == "mtable":
        return f"[{'; '.join(parts)}]"
    if name == "mroot" and len(parts) == 2:
        return ROOTS.get(parts[1], f"{parts[1]}√") + grouped(parts[0])
    form = _FORMS.get(name, "")
    if form and form.count("{}") == len(parts):
        return form.format(*map(grouped, parts))
    return (" " if name == "mtr" else "").join(parts)


def grouped(text: str) -> str:
    """Put brackets around an operand that is more than one term."""
    is_simple = len(text) < 2 or text.isalnum() or (text[0] == "(" and text[-1] == ")")
    return text if is_simple else f"({text})"


_DELETED = frozenset({"del", "moveFrom"})


def linear_of_word(element: etree._Element) -> str:
    """Return an equation, or a part of one, as a line of text."""
    return "".join(_linear_part(inner) for inner in element)


def _linear_part(element: etree._Element) -> str:
    name = local_name(element)
    if name == "t":
        return (element.text or "").translate(INVISIBLE_OPERATORS)
    if name in _DELETED or name.endswith("Pr"):
        return ""
    return _WRITERS.get(name, linear_of_word)(element)


def _within(element: etree._Element, name: str) -> str:
    inner = child(element, name)
    return "" if inner is None else linear_of_word(inner)


def _scripts(element: etree._Element) -> str:
    below, above = _within(element, "sub"), _within(element, "sup")
    return (f"_{grouped(below)}" if below else "") + (f"^{grouped(above)}" if above else "")


def _delimited(element: etree._Element) -> str:
    properties = child(element, "dPr")
    signs = [value_of(properties, name) for name in ("begChr", "sepChr", "endChr")]
    begin, between, end = (sign if s is None else s for s, sign in zip(signs, "(|)", strict=True))
    return begin + between.join(_rows(element, "e")) + end


def _matrix(element: etree._Element) -> str:
    lines = [" ".join(_rows(row, "e")) for row in element if local_name(row) == "mr"]
    return f"[{'; '.join(lines)}]"


def _function(element: etree._Element) -> str:
    name, argument = _within(element, "fName"), _within(element, "e")
    return f"{name} {argument}" if argument[:1].isalnum() else name + argument


def _rows(element: etree._Element, name: str) -> list[str]:
    return [linear_of_word(inner) for inner in element if local_name(inner) == name]


def _radical(element: etree._Element) -> str:
    degree = _within(element, "deg") or "2"
    return ROOTS.get(degree, f"{degree}√") + grouped(_within(element, "e"))


def _nary(element: etree._Element) -> str:
    sign = value_of(child(element, "naryPr"), "chr")
    return f"{'∫' if sign is None else sign}{_scripts(element)} {_within(element, 'e')}"


_WRITERS: dict[str, Callable[[etree._Element], str]] = {
    "f": lambda part: f"{grouped(_within(part, 'num'))}/{grouped(_within(part, 'den'))}",
    **dict.fromkeys(("sSup", "sSub", "sSubSup"), lambda part: grouped(_within(part, "e")) + _scripts(part)),
    "sPre": lambda part: _scripts(part) + grouped(_within(part, "e")),
    "nary": _nary,
    "rad": _radical,
    "d": _delimited,
    "m": _matrix,
    "eqArr": lambda part: "; ".join(_rows(part, "e")),
    "func": _function,
    **dict.fromkeys(
        ("limLow", "limUpp"), lambda part: f"{_within(part, 'e')}_{grouped(_within(part, 'lim'))}"
    ),
}
