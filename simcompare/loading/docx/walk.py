"""The walk over a Word document: every text that its reader sees, in reading order.

Elements are known by their local names, and what is not known is entered: a text in an element of a
later Word is found rather than lost.
"""

from collections.abc import Callable, Iterator

from lxml import etree

from simcompare.document import BlockKind
from simcompare.loading.docx.parts import attribute, child, local_name
from simcompare.loading.docx.styles import Styles, is_on
from simcompare.loading.extraction import Piece, clean
from simcompare.loading.left_out import LeftOut
from simcompare.receipt import DropReason

_TEXT = frozenset({"t"})
_BREAKS = frozenset({"br", "cr"})
_SPACES = frozenset({"tab", "ptab"})
_DELETED = frozenset({"del", "moveFrom"})
# Commands of fields, the reading above a word, and properties, which hold no text of the reader's.
_SKIPPED = frozenset(
    {"instrText", "delInstrText", "rt", "rPr", "tblPr", "tcPr", "sectPr", "pPr", "trPr", "sdtPr"}
)
_TEXT_BOX = "txbxContent"
_LINE_END = "\n"


class Walk:
    """Collects the pieces of a part; what it leaves out goes to `left_out`."""

    def __init__(self, styles: Styles, left_out: LeftOut) -> None:
        self.pieces: list[Piece] = []
        self.first_paragraphs: list[tuple[str, etree._Element]] = []
        self.left_out = left_out
        self._styles = styles
        self._carried = ""
        self._boxes: list[etree._Element] = []
        self._handlers: dict[str, Callable[[etree._Element], None]] = {
            "p": self._paragraph,
            "tbl": self._table,
            "AlternateContent": self._alternate,
        } | dict.fromkeys(_DELETED, self._deleted)

    def blocks(self, parent: etree._Element) -> None:
        """Collect the paragraphs and tables below `parent`."""
        for element in parent:
            name = local_name(element)
            if name not in _SKIPPED:
                self._handlers.get(name, self.blocks)(element)

    def _paragraph(self, paragraph: etree._Element) -> None:
        properties = child(paragraph, "pPr")
        text = self._carried + self._inline(paragraph)
        self._carried = ""
        if is_on(child(properties, "rPr"), "del"):
            # The paragraph mark itself was deleted: what follows stands on the same line.
            self._carried = text
            return
        kind = self._styles.kind(properties)
        self.first_paragraphs.append((clean(text), paragraph))
        self.pieces += [Piece(kind, line) for line in text.split(_LINE_END)]
        self._text_boxes()

    def _text_boxes(self) -> None:
        """Collect the text boxes anchored in the paragraph just read, and those within them."""
        while self._boxes:
            boxes, self._boxes = self._boxes, []
            for box in boxes:
                self.blocks(box)

    def _table(self, table: etree._Element) -> None:
        for row in _nearest(table, "tr"):
            properties = child(row, "trPr")
            if child(properties, "del") is not None:
                self.left_out.add(DropReason.DELETED_REVISION, written_text(row))
            else:
                self._row(row)

    def _row(self, row: etree._Element) -> None:
        cells = list(_nearest(row, "tc"))
        if len(cells) == 1:
            # A table of one column is a frame around text, not a row of cells.
            self.blocks(cells[0])
            return
        texts = [self._cell(cell) for cell in cells]
        self.pieces.append(Piece(BlockKind.TABLE_ROW, "\t".join(texts)))

    def _cell(self, cell: etree._Element) -> str:
        inner = Walk(self._styles, self.left_out)
        inner.blocks(cell)
        return " ".join(filter(None, (clean(piece.text) for piece in inner.pieces)))

    def _alternate(self, element: etree._Element) -> None:
        self.blocks(_choice(element))

    def _deleted(self, element: etree._Element) -> None:
        self.left_out.add(DropReason.DELETED_REVISION, written_text(element))

    def _inline(self, parent: etree._Element) -> str:
        """Return the text of a paragraph, its text boxes put aside."""
        return "".join(self._inline_parts(parent))

    def _inline_parts(self, parent: etree._Element) -> Iterator[str]:
        for element in parent:
            name = local_name(element)
            if name in _TEXT:
                yield element.text or ""
            elif name in _BREAKS:
                yield _LINE_END
            elif name in _SPACES:
                yield " "
            elif name == "noBreakHyphen":
                yield "-"
            elif name == "sym":
                yield self._symbol(element)
            elif name in _DELETED:
                self._deleted(element)
            elif name == _TEXT_BOX:
                self._boxes.append(element)
            elif name == "AlternateContent":
                yield from self._inline_parts(_choice(element))
            elif name == "r" and is_on(child(element, "rPr"), "vanish"):
                self.left_out.add(DropReason.HIDDEN_TEXT, written_text(element))
            elif name not in _SKIPPED:
                yield from self._inline_parts(element)

    def _symbol(self, element: etree._Element) -> str:
        """Count a sign of a symbol font, which has a place in that font and no Unicode of its own."""
        code = int(attribute(element, "char") or "0", 16)
        if 0xE000 <= code <= 0xF8FF or code < 0x20:
            self.left_out.add(DropReason.SYMBOL_FONT, chr(code))
            return ""
        return chr(code)


def _choice(alternate: etree._Element) -> etree._Element:
    """Take the new of the same content, which is there twice, for new and for old programs."""
    chosen = child(alternate, "Choice")
    return chosen if chosen is not None else next(iter(alternate), alternate)


def _nearest(parent: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the rows of a table, the cells of a row: within content controls too, not within inner tables."""
    for element in parent:
        if local_name(element) == name:
            yield element
        elif local_name(element) not in _DELETED and local_name(element) not in _SKIPPED | {"tbl", "p"}:
            yield from _nearest(element, name)


def written_text(element: etree._Element) -> str:
    """Return the characters that an element holds, deleted ones too."""
    return "".join(text.text or "" for text in element.iter("{*}t", "{*}delText"))
