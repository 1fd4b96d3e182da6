"""HTML tags by their function, and markup parsed into a tree, text boxes in comments of Word included."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator

from lxml import etree

from simcompare.loading.archive import with_prefixes
from simcompare.loading.extraction import marked_formula
from simcompare.loading.shared.xml_elements import linear, linear_of_word
from simcompare.model.document import BlockKind

KINDS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), BlockKind.HEADING) | {
    "li": BlockKind.LIST_ITEM,
    "dt": BlockKind.LIST_ITEM,
    "dd": BlockKind.LIST_ITEM,
    "blockquote": BlockKind.QUOTATION,
}
BLOCKS = frozenset(KINDS) | {
    *("html", "body", "div", "section", "article", "main", "header", "footer", "nav", "aside", "hgroup"),
    *("p", "pre", "address", "center", "hr", "figure", "figcaption", "details", "summary", "dialog"),
    *("ul", "ol", "dl", "menu", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"),
    *("form", "fieldset", "legend", "search", "listing", "plaintext", "xmp", "marquee", "dir", "text"),
}
PREFORMATTED = frozenset({"pre", "listing", "plaintext", "xmp"})
CELLS = frozenset({"td", "th"})
# Controls of the page: their labels are not text of the author.
CONTROLS = frozenset({"button", "select", "datalist", "input", "progress", "meter"})
NO_TEXT = frozenset(
    {
        *("head", "title", "script", "style", "template", "link", "meta", "base"),
        # Their text is shown only if the browser cannot display the embedded content.
        *("object", "embed", "applet", "audio", "video", "canvas", "map", "noframes", "noembed"),
        # Fallbacks of phonetic guides, and descriptions and sources of drawings and formulas.
        *("rp", "desc", "metadata", "defs", "annotation", "annotation-xml"),
        # Document properties that Word writes into the page.
        *("xml", "w:sdtpr", "w:worddocument", "w:latentstyles", "o:documentproperties"),
    }
)


def tag_of(element: etree._Element) -> str:
    """Return the tag in lower case, "" for comments and other nodes that are no elements."""
    return element.tag.lower() if isinstance(element.tag, str) else ""


def written_text(element: etree._Element) -> str:
    """Return all text within an element, visible or not; blocks and line breaks are separated by a space."""
    parts: list[str] = []
    for node in element.iter():
        tag = tag_of(node)
        parts.append(" " if tag in BLOCKS or tag == "br" else "")
        if tag and tag not in NO_TEXT:
            parts.append(node.text or "")
        if node is not element:
            parts.append(node.tail or "")
    return "".join(parts)


# KaTeX, MathJax 2, Wikipedia and 知乎; MathJax 3 has elements of its own.
_CONTAINERS = frozenset(
    {
        *("katex", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_svg_display", "mathjax_chtml"),
        *("mjx-chtml", "mwe-math-element", "ztext-math"),
    }
)
# Looked for in lower case one by one, which is many times faster than an expression for any of them.
_ANY = ("math", "mjx-", "katex", "latex", "tex=", "eeimg", "formula=")
_CLASS = re.compile("class=.?tex")
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
    lowered = markup.lower()
    if not any(name in lowered for name in _ANY) and not _CLASS.search(lowered):
        return
    walk = etree.iterwalk(root, ("start",), ("span", "div", "mjx-container", "math", "img", "script"))
    for _event, element in walk:
        text = _formula(element)
        if text is not None:
            walk.skip_subtree()
            tail, tag = element.tail, element.tag
            element.clear()
            element.text, element.tail, element.tag = (
                marked_formula(text),
                tail,
                "div" if tag == "div" else "span",
            )
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
    return marked_formula(html.escape(linear_of_word(with_prefixes(root))))


TEXT_BOX = "x-text-box"
"""Tag for a text box that Word wrote into a comment meant for itself."""

# Characters that a tree cannot contain, also as character references.
_CONTROLS = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROL_REFERENCES = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])(?!\d)|x0*(?:[0-8bcef]|1[0-9a-f])(?![0-9a-f]));?", re.IGNORECASE
)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_CDATA = ("<![CDATA[", "]]>")
_DRAWING = ("<!--[if gte vml 1]>", "<![endif]-->")
_WORD_FORMULA = ("<!--[if gte msEquation 12]>", "<![endif]-->")
_BOX = ("<v:textbox", "</v:textbox>")
_GROUP = re.compile(r"(?i)<(?P<end>/)?(?P<name>div|span|font|strong|em|b|i|u)(?:(?P<bare>\s*>)|\s[^<>]*>)")
_TAG_OR_SPACE = re.compile(r"<[^<>]*>|\s+")
# Of the draft that Chromium implemented, of the standard, and of its web archives.
_SHADOW_MODES = ("shadowroot", "shadowrootmode", "shadowmode")
# The words of a shorter box may occur in the text by chance.
_LEAST_REPEATED_CHARACTERS = 10


class TooDeepError(ValueError):
    """The elements of a page are nested too deeply for the parser."""


def parsed(markup: str) -> etree._Element:
    """Return the tree of a page. Raises TooDeepError.

    Its elements are not those of lxml.html, which take twice as long to walk over.
    """
    markup = _CONTROL_REFERENCES.sub("", _CONTROLS.sub("", markup)).removeprefix("\ufeff")
    if declaration := _XML_DECLARATION.match(markup):
        markup = replaced(markup[declaration.end() :], *_CDATA, html.escape)
    if "<v:textbox" in markup:
        markup = _with_text_boxes(markup)
    markup = replaced(markup, *_WORD_FORMULA, word_formula)
    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(f"<html>{markup}", parser)
    if root.find("head") is None:
        root.insert(0, etree.Element("head"))
    if root.find("body") is None:
        root.append(etree.Element("body"))
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        # The parser silently drops elements that are nested more deeply.
        if (less := _less_deep(markup)) == markup:
            raise TooDeepError
        return parsed(less)
    _show_shadow_trees(root)
    write_formulas(root, markup)
    return root


def _less_deep(markup: str) -> str:
    """Remove the elements without attributes that group text; a block becomes a new line."""
    kept: dict[str, list[bool]] = {}

    def shown(tag: re.Match[str]) -> str:
        stack = kept.setdefault(tag["name"].lower(), [])
        stack += [] if tag["end"] else [not tag["bare"]]
        is_kept = (stack.pop() if stack else True) if tag["end"] else stack[-1]
        return tag[0] if is_kept else "<br>" * (tag["name"].lower() == "div")

    return _GROUP.sub(shown, markup)


def _show_shadow_trees(root: etree._Element) -> None:
    """Put declared shadow trees in place of the content of their elements, which goes into their slots."""
    slots_around: list[list[etree._Element]] = []
    found: list[tuple[etree._Element, list[etree._Element]]] = []
    for event, element in etree.iterwalk(root, ("start", "end"), ("template", "slot", "style")):
        if element.tag == "template" and event == "start":
            slots_around.append([])
        elif element.tag == "template":
            found.append((element, slots_around.pop()))
        elif event == "start" and slots_around and element.tag == "slot":
            slots_around[-1].append(element)
        elif slots_around and element.tag == "style":
            element.text = None  # it would apply to the whole page
    for template, slots in found:
        host = template.getparent()
        modes = ((template.get(name) or "").lower() for name in _SHADOW_MODES)
        if host is not None and not {"open", "closed"}.isdisjoint(modes):
            _show_shadow_tree(host, template, slots)


def _show_shadow_tree(host: etree._Element, template: etree._Element, slots: list[etree._Element]) -> None:
    contents = {"": etree.Element("span")}
    contents[""].text = f"{host.text or ''}{template.tail or ''}"
    host.remove(template)
    for child in host.iterchildren(etree.Element):
        contents.setdefault(child.get("slot") or "", etree.Element("span")).append(child)
    host.text, host[:] = template.text, list(template)
    for slot in slots:
        slot.tag = "span"
        content = contents.pop(slot.get("name") or "", None)
        if content is not None and (len(content) or (content.text or "").strip()):
            slot.text, slot[:] = content.text, list(content)
    for content in contents.values():
        content.set("hidden", "")
        host.append(content)


def replaced(text: str, opening: str, closing: str, replace: Callable[[str], str]) -> str:
    """Replace each text between two delimiters, and the delimiters; unclosed text is kept."""
    parts: list[str] = []
    done = 0
    for start, inside, end in _enclosed(text, opening, closing):
        parts += [text[done:start], replace(inside)]
        done = end
    return "".join([*parts, text[done:]])


def _enclosed(text: str, opening: str, closing: str) -> Iterator[tuple[int, str, int]]:
    """Yield (start, text between the delimiters, end) of each occurrence, in one pass over the text."""
    end = 0
    while (start := text.find(opening, end)) >= 0:
        inside = start + len(opening)
        close = text.find(closing, inside)
        if close < 0:
            return
        end = close + len(closing)
        yield start, text[inside:close], end


def _with_text_boxes(markup: str) -> str:
    """Move text boxes out of the comments that only Word reads, unless their text is in the page already."""
    outside = _TAG_OR_SPACE.sub("", replaced(markup, *_DRAWING, lambda _drawing: ""))

    def boxes(drawing: str) -> str:
        found = (inside.partition(">")[2] for _start, inside, _end in _enclosed(drawing, *_BOX))
        texts = ((box, _TAG_OR_SPACE.sub("", box)) for box in found)
        new = (box for box, text in texts if len(text) < _LEAST_REPEATED_CHARACTERS or text not in outside)
        return "".join(f"<{TEXT_BOX}>{box}</{TEXT_BOX}>" for box in new)

    return replaced(markup, *_DRAWING, boxes)
