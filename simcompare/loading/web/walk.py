"""The walk over a web page: its visible text in blocks, in reading order."""

import re
from typing import Self

from lxml import etree, html

from simcompare.document import BlockKind
from simcompare.loading.extraction import Piece, clean
from simcompare.loading.left_out import LeftOut
from simcompare.receipt import DropReason

_KINDS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), BlockKind.HEADING) | {
    "li": BlockKind.LIST_ITEM,
    "dt": BlockKind.LIST_ITEM,
    "dd": BlockKind.LIST_ITEM,
    "blockquote": BlockKind.QUOTATION,
}
_BLOCKS = frozenset(_KINDS) | {
    *("html", "body", "div", "section", "article", "main", "header", "footer", "nav", "aside", "hgroup"),
    *("p", "pre", "address", "center", "hr", "figure", "figcaption", "details", "summary", "title"),
    *("ul", "ol", "dl", "menu", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"),
    *("form", "fieldset", "legend"),
}
_UNSEEN = frozenset(
    {
        *("head", "script", "style", "noscript", "template", "object", "iframe"),
        *("select", "option", "textarea", "button", "input"),
        # The reading above a word.
        *("rt", "rp"),
    }
)
_DELETED = frozenset({"del", "s", "strike"})
# LibreOffice writes the headers and footers of its pages so.
_PAGE_MARGINS = {"header": DropReason.PAGE_HEADER, "footer": DropReason.PAGE_FOOTER}
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# A cell with more blocks than this, or with a table or heading, lays out a page rather than a table.
_MOST_BLOCKS_IN_CELL = 3
_LINE_END = re.compile(r"\r\n?|\n")


class Walk:
    """Collects the pieces of a page and what it leaves out.

    It does not recurse: broken pages nest thousands of elements.
    """

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.first_headings: list[str] = []
        self.left_out = LeftOut()
        self._text: list[str] = []
        self._open: list[etree._Element] = []

    @classmethod
    def over(cls, root: html.HtmlElement) -> Self:
        """Return a walk that has been over the whole of `root`."""
        walk = cls()
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "end":
                walk._leave(element)
            elif walk._enter(element):
                events.skip_subtree()
        walk._flush()
        return walk

    def _enter(self, element: etree._Element) -> bool:
        """Begin an element; return whether all below it is done with."""
        tag = _tag(element)
        if self._is_left_out(element, tag):
            return True
        if tag == "br":
            self._flush()
        if tag in _BLOCKS:
            self._flush()
            self._open.append(element)
        if tag == "tr" and _is_row_of_cells(element):
            self._row(element)
            return True
        self._append(element.text)
        return False

    def _leave(self, element: etree._Element) -> None:
        if self._open and self._open[-1] is element:
            self._flush()
            self._open.pop()
        if element.getparent() is not None:
            self._append(element.tail)

    def _is_left_out(self, element: etree._Element, tag: str) -> bool:
        reason = _reason_to_leave_out(element, tag)
        if reason is not None:
            self.left_out.add(reason, _all_text(element))
            return True
        return not tag or tag in _UNSEEN

    def _append(self, text: str | None) -> None:
        if not text:
            return
        if any(_tag(element) == "pre" for element in self._open):
            first, *others = _LINE_END.split(text)
            self._text.append(first)
            for line in others:
                self._flush()
                self._text.append(line)
        else:
            self._text.append(text)

    def _flush(self) -> None:
        text = clean("".join(self._text))
        self._text.clear()
        if not text:
            return
        kinds = (_KINDS.get(_tag(element)) for element in reversed(self._open))
        self.pieces.append(Piece(next((kind for kind in kinds if kind), BlockKind.PARAGRAPH), text))
        if any(_tag(element) == "h1" for element in self._open):
            self.first_headings.append(text)

    def _row(self, row: etree._Element) -> None:
        cells = [clean(_all_text(cell)) for cell in row if _tag(cell) in {"td", "th"}]
        if any(cells):
            self.pieces.append(Piece(BlockKind.TABLE_ROW, "\t".join(cells)))


def _tag(element: etree._Element) -> str:
    return element.tag.lower() if isinstance(element.tag, str) else ""


def _reason_to_leave_out(element: etree._Element, tag: str) -> DropReason | None:
    if tag in _DELETED:
        return DropReason.DELETED_REVISION
    if element.get("hidden") is not None or _HIDDEN_STYLE.search(element.get("style") or ""):
        return DropReason.HIDDEN_TEXT
    return _PAGE_MARGINS.get(element.get("title") or "") if tag == "div" else None


def _is_row_of_cells(row: etree._Element) -> bool:
    cells = [cell for cell in row if _tag(cell) in {"td", "th"}]
    return len(cells) > 1 and not any(_lays_out_a_page(cell) for cell in cells)


def _lays_out_a_page(cell: etree._Element) -> bool:
    inside = [_tag(element) for element in cell.iterdescendants()]
    blocks = sum(tag in _BLOCKS for tag in inside)
    return blocks > _MOST_BLOCKS_IN_CELL or any(
        tag == "table" or _KINDS.get(tag) is BlockKind.HEADING for tag in inside
    )


def _all_text(element: etree._Element) -> str:
    """All visible text below an element; blocks and line breaks are set apart by a space."""
    inner = [element.text or ""]
    for below in element:
        tag = _tag(below)
        apart = " " if tag in _BLOCKS or tag == "br" else ""
        inner += [
            apart,
            "" if not tag or tag in _UNSEEN | _DELETED else _all_text(below),
            apart,
            below.tail or "",
        ]
    return "".join(inner)
