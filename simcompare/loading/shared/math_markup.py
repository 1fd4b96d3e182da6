"""Formulas (MathML) as one line of text, in the same linear form as equations of Word documents."""

from lxml import etree

from simcompare.loading.shared.xml_elements import local_name

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
