"""Formulas, in MathML or Word's own markup, as a line of text, the form in which Word saves plain text."""

from collections.abc import Callable

from lxml import etree

from simcompare.loading.shared.xml_elements import child, local_name, value_of

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
