"""Formulas (MathML) as one line of text, in the same linear form as equations of Word documents."""

from collections.abc import Callable

from lxml import etree

from simcompare.loading.shared.xml_elements import local_name

_NOT_DISPLAYED = frozenset({"annotation", "annotation-xml", "mphantom"})
INVISIBLE_OPERATORS = dict.fromkeys(range(0x2061, 0x2065))
"""Invisible application and multiplication, in the form of `str.translate`."""
_SIGNS = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def linear(element: etree._Element) -> str:
    """Return a formula, or a part of one, as a line of text."""
    name = local_name(element)
    if name in _SIGNS:
        return "".join(map(str, element.itertext())).strip().translate(INVISIBLE_OPERATORS)
    if not name or name in _NOT_DISPLAYED:
        return ""
    parts = [linear(inner) for inner in element if local_name(inner)]
    if name == "mtr":
        return " ".join(parts)
    if name == "mtable":
        return f"[{'; '.join(parts)}]"
    writer, count = _WRITERS.get(name, (_row, len(parts)))
    return writer(parts) if len(parts) == count else _row(parts)


def grouped(text: str) -> str:
    """Put brackets around an operand that is more than one term."""
    is_simple = len(text) < 2 or text.isalnum() or (text[0] == "(" and text[-1] == ")")
    return text if is_simple else f"({text})"


def _row(parts: list[str]) -> str:
    return "".join(parts)


def _fraction(parts: list[str]) -> str:
    return f"{grouped(parts[0])}/{grouped(parts[1])}"


def _above(parts: list[str]) -> str:
    return f"{grouped(parts[0])}^{grouped(parts[1])}"


def _below(parts: list[str]) -> str:
    return f"{grouped(parts[0])}_{grouped(parts[1])}"


def _below_and_above(parts: list[str]) -> str:
    return f"{_below(parts[:2])}^{grouped(parts[2])}"


def _root(parts: list[str]) -> str:
    return f"√{grouped(parts[0])}"


def _root_of_degree(parts: list[str]) -> str:
    degree = parts[1]
    return {"2": "√", "3": "∛", "4": "∜"}.get(degree, f"{degree}√") + grouped(parts[0])


_WRITERS: dict[str, tuple[Callable[[list[str]], str], int]] = {
    "mfrac": (_fraction, 2),
    "msup": (_above, 2),
    "msub": (_below, 2),
    "mover": (_above, 2),
    "munder": (_below, 2),
    "msubsup": (_below_and_above, 3),
    "munderover": (_below_and_above, 3),
    "msqrt": (_root, 1),
    "mroot": (_root_of_degree, 2),
}
