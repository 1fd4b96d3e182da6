"""Formulas of web pages: each one, which is stored in up to four forms, becomes one line of text."""

import html
import re
import unicodedata

from lxml import etree

from simcompare.loading.archive import with_prefixes
from simcompare.loading.formats.docx.docx_equations import linear as linear_of_word
from simcompare.loading.shared.math_markup import linear

# KaTeX, MathJax 2, Wikipedia and 知乎; MathJax 3 has elements of its own.
_CONTAINERS = frozenset(
    {
        *("katex", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_svg_display", "mathjax_chtml"),
        *("mjx-chtml", "mwe-math-element", "ztext-math"),
    }
)
_ANY = re.compile(r"math|mjx-|katex|latex|tex=|eeimg|formula=|class=.?tex", re.IGNORECASE)
_PICTURE = re.compile(
    r"(?:^|\s)(?:mwe-math|tex|latex|mathcode|math-(?:inline|block)|ee_img)(?:\s|-|$)"
    r"|latex[./]|[?&](?:tex|formula)=",
    re.IGNORECASE,
)
_DISPLAY_STYLE = re.compile(r"\{\\(?:display|text)style (.*)\}", re.DOTALL)
_GLYPH = re.compile(r"(?:mjx-c)?([0-9A-F]{2,5})(?![0-9A-F])")
_OTHER_TAG = re.compile(r"<(?!/?m:)[^<>]*>|<m:rPr>[^<>]*(?:<m:(?!r)[^<>]*>[^<>]*)*</m:rPr>")


def write_formulas(root: etree._Element, markup: str) -> None:
    """Replace the formulas of a page by text in the linear form of those in Word documents."""
    if not _ANY.search(markup):
        return
    walk = etree.iterwalk(root, ("start",), ("span", "div", "mjx-container", "math", "img", "script"))
    for _event, element in walk:
        text = _formula(element)
        if text is not None:
            walk.skip_subtree()
            tail, tag = element.tail, element.tag
            element.clear()
            element.text, element.tail, element.tag = text, tail, "div" if tag == "div" else "span"
            element.set("data-formula", text and "1")


def _formula(element: etree._Element) -> str | None:
    """Return a formula as text, "" for a repeated one; None for any other element."""
    text: str | None = None
    if element.tag == "math":
        text = _linear(element)
    elif element.tag == "img":
        look = f"{element.get('class') or ''} {(element.get('src') or '')[:200]}"
        if element.get("eeimg") or _PICTURE.search(look):
            text = _DISPLAY_STYLE.sub(r"\1", element.get("alt") or "") or None
    elif element.tag == "script":
        if (element.get("type") or "").startswith("math/tex"):
            before = element.getprevious()
            is_shown = before is not None and (before.get("data-formula") or _is_container(before))
            text = "" if is_shown else element.text
    elif element.get("class") == "MathJax_Preview":
        text = ""
    elif _is_container(element):
        math = next(element.iter("math"), None)
        if math is None and (stored := element.get("data-mathml")):
            math = etree.fromstring(f"<p>{stored}", etree.HTMLParser()).find(".//math")
        text = _linear(math) if math is not None else element.get("data-tex") or _of_glyphs(element) or None
    return text


def _is_container(element: etree._Element) -> bool:
    names = (element.get("class") or "").lower().split()
    return element.tag == "mjx-container" or not _CONTAINERS.isdisjoint(names)


def _linear(math: etree._Element) -> str:
    try:
        text = linear(math)
    except RecursionError:
        text = ""
    return text or "".join(map(str, math.itertext())).strip()


def _of_glyphs(element: etree._Element) -> str:
    """Return the characters of a formula that MathJax 3 drew without text."""
    glyphs = element.iter("mjx-c", "use", "path")
    names = [_GLYPH.match(glyph.get("data-c") or glyph.get("class") or "") for glyph in glyphs]
    return unicodedata.normalize("NFKC", "".join(chr(int(name[1], 16)) for name in names if name))


def word_formula(markup: str) -> str:
    """Return the markup of a formula that Word writes into a comment as text."""
    inside = _OTHER_TAG.sub("", markup).replace("m:r>", "m:t>")
    root = etree.fromstring(f"<m>{inside}</m>", etree.XMLParser(recover=True, resolve_entities=False))
    return html.escape(linear_of_word(with_prefixes(root)))
