"""HTML tags by their function, and the full text of an element."""

from lxml import etree

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
