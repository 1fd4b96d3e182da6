"""Collect the visible text of a Word document in reading order.

Elements are matched by local name, and unknown ones are entered: text in an element of a later Word
version is kept.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from simcompare.loading.extraction import (
    SPACES,
    OpeningLine,
    Piece,
    clean,
    gap_of,
    marked_formula,
    note_mark,
    note_marks_in,
)
from simcompare.loading.formats.docx.docx_drawings import (
    NOT_IN_ROWS,
    TableFormat,
    background_of,
    drawing_hidden_reason,
    edges_of,
    is_row_without_height,
    large_pictures,
    lays_out_a_page,
    paragraph_hidden_reason,
    shape_around,
    shape_hidden_reason,
)
from simcompare.loading.formats.docx.docx_styles import (
    DocxNumbering,
    DocxParagraphStyle,
    DocxStyles,
    kind_of,
    shading,
)
from simcompare.loading.shared.visibility import UNSPECIFIED, WHITE, ColourOrUnknown, TextAppearance
from simcompare.loading.shared.word_fields import WordField, WordFields
from simcompare.loading.shared.xml_elements import (
    NO_PROPERTIES,
    Properties,
    attribute,
    child,
    children_of,
    is_on,
    linear_of_word,
    local_name,
    nearest,
    properties_of,
    value_of,
)
from simcompare.model.document import BlockKind, DropReason


class DocxPiece(NamedTuple):
    """A piece, and whether it may be a table of contents entry: by style or by position.

    `field` is the contents field around it, if any.
    """

    piece: Piece
    styled_as_contents: bool = False
    part_of_contents: bool = False
    field: WordField | None = None


@dataclass(frozen=True, slots=True)
class DocxDroppedText:
    """Dropped text, and the number of pieces before it."""

    reason: DropReason
    text: str
    pieces_before: int


class DocxContext(NamedTuple):
    """Inherited context of the text at a position; with `hidden_reason` all of it is hidden."""

    appearance: TextAppearance
    background: ColourOrUnknown
    contents: bool = False
    references: bool = False
    hidden_reason: DropReason | None = None


@dataclass(slots=True)
class DocxState:
    """State shared by all walkers over a document.

    `open_part` reads a part that an element refers to; `page_twips` is the width of the widest page;
    `background` is that of the page, `unfilled_box_background` that of text boxes without a fill.
    Collected during the walk: numbers of referenced notes by kind and id, inline notes (Word 2003), whose
    numbers are odd, and the number of pictures large enough for text.
    """

    styles: DocxStyles
    numbering: DocxNumbering
    open_part: Callable[[etree._Element], list[Piece]]
    page_twips: int
    background: ColourOrUnknown = WHITE
    unfilled_box_background: ColourOrUnknown = WHITE
    notes: dict[tuple[str, str], int] = field(default_factory=dict)
    notes_within: list[etree._Element] = field(default_factory=list)
    large_pictures: int = 0


_FIRST_OF_FONT = 0xF000
_SYMBOL = dict(
    zip(
        (*range(0x41, 0x5B), *range(0x61, 0x7B)),
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
    0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷",
    0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪",
    0xC9: "⊃", 0xCA: "⊇", 0xCB: "⊄", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDE: "⇒",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {0x81 + place: chr(ord("①") + place) for place in range(10)} | {
    0x8C + place: chr(ord("❶") + place) for place in range(10)
} | {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x74: "◆",
    0x75: "❖", 0x76: "❖", 0x77: "•", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xB6: "☆",
    0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓",
    0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def symbol_character(font: str | None, code: int) -> str | None:
    """Return the Unicode character for a code in a symbol font, or None if it has none."""
    signs = _FONTS.get((font or "").lower())
    place = code - _FIRST_OF_FONT if code >= _FIRST_OF_FONT else code
    if signs is None:
        return None
    own = chr(place) if signs is _SYMBOL and 0x20 <= place < 0x7F else None
    return signs.get(place, own)


LINE_END = "\n"
_SYMBOL_CHARACTER = re.compile("[\uf020-\uf0ff]")
_PRIVATE_USE = range(0xE000, 0xF900)
# Properties and commands of deleted fields hold no visible text.
_SKIPPED = (
    *("delInstrText", "rPr", "tblPr", "tblGrid", "tcPr", "trPr", "pPr", "sectPr", "sdtPr", "sdtEndPr"),
    *("binData", "ffData", "Fallback"),
)
_DELETED = ("del", "moveFrom")
_SET_ASIDE = ("txbxContent", "txBody", "relIds", "textpath")
_GALLERIES = {"Table of Contents": "contents", "Bibliographies": "references"}
_REMOVED_MARK_PROPERTIES = ("del", "moveFrom", "vanish")
_HEADINGS = frozenset({BlockKind.TITLE, BlockKind.HEADING})
# The title is searched among the first lines.
_FIRST_LINES = 12


class DocxWalker:
    def __init__(self, state: DocxState) -> None:
        self.first_lines: list[OpeningLine] = []
        self.found: list[DocxPiece] = []
        self.hidden_reason: list[DocxDroppedText] = []
        self._state = state
        self._context = DocxContext(state.styles.default_appearance, state.background)
        self._line: list[str] = []
        self._fields = WordFields()
        self._contents_field: WordField | None = None
        self._contents_end: int | None = None
        self._in_references = False
        self._row_begins: int | None = None
        self._run_properties = NO_PROPERTIES
        self._carried: list[str] = []
        self._in_paragraph = False
        self._set_aside: list[tuple[etree._Element, DocxContext]] = []
        self._handlers: dict[str, Callable[[etree._Element], None]] = {
            **dict.fromkeys(_SKIPPED, lambda _element: None),
            **dict.fromkeys(_DELETED, self._deleted),
            **dict.fromkeys(_SET_ASIDE, self._set_element_aside),
            "r": self._run,
            "rt": self._phonetic_guide,
            "t": self._text,
            **dict.fromkeys(("br", "cr"), lambda _element: self._write(LINE_END)),
            **dict.fromkeys(("tab", "ptab"), lambda _element: self._write(" ")),
            "noBreakHyphen": lambda _element: self._write("-"),
            "sym": self._symbol,
            "oMath": self._equation,
            "fldChar": self._field_mark,
            "fldSimple": self._simple_field,
            "instrText": lambda element: self._fields.command(element.text or ""),
            **dict.fromkeys(("footnoteReference", "endnoteReference"), self._note),
            **dict.fromkeys(("footnote", "endnote"), self._note_within),
            "p": self._paragraph,
            "tbl": self._table,
            "sdt": self._content_control,
            "altChunk": self._embedded,
            "drawing": self._drawing,
            "pict": self._drawing,
            "AlternateContent": self._alternate,
            "annotation": self._annotation,
        }

    def over(self, root: etree._Element) -> "DocxWalker":
        self._enter(root)
        self._end_loose_text()
        return self

    # Characters

    def _enter(self, parent: etree._Element) -> None:
        handlers, enter = self._handlers, self._enter
        for element in parent:
            handlers.get(local_name(element), enter)(element)

    @contextmanager
    def _within_context(self, context: DocxContext) -> Iterator[None]:
        outer, self._context = self._context, context
        try:
            yield
        finally:
            self._context = outer

    def _drop(self, reason: DropReason, text: str) -> None:
        before = len(self.found) if self._row_begins is None else self._row_begins
        self.hidden_reason.append(DocxDroppedText(reason, text, before))

    def _phonetic_guide(self, element: etree._Element) -> None:
        texts = (node.text or "" for node in element.iter() if local_name(node) == "t")
        self._drop(DropReason.PHONETIC_GUIDE, "".join(texts))

    def _run(self, run: etree._Element) -> None:
        outer, self._run_properties = self._run_properties, properties_of(run, "rPr")
        appearance = self._state.styles.run_appearance(self._run_properties, self._context.appearance)
        reason = self._context.hidden_reason or appearance.hidden_reason(self._context.background)
        if reason is None:
            self._enter(run)
        else:
            self._drop_run(run, reason)
        self._run_properties = outer

    def _drop_run(self, run: etree._Element, reason: DropReason) -> None:
        """Drop the characters of a run. Drawings are hidden with it, but not white with it."""
        line, self._line = self._line, []
        is_hidden = reason is DropReason.HIDDEN_TEXT
        with self._within_context(
            self._context._replace(hidden_reason=reason) if is_hidden else self._context
        ):
            self._enter(run)
        text, self._line = "".join(self._line), line
        marks = note_marks_in(text)
        for mark in marks:
            text = text.replace(mark, "")
        if text:
            self._drop(reason, text)
            self._write(gap_of(reason, text))
        self._line += marks

    def _write(self, text: str) -> None:
        if self._fields.in_command:
            self._fields.keep_command_text(text)
        else:
            self._fields.show(text)
            self._line.append(text)

    def _text(self, element: etree._Element) -> None:
        text = element.text or ""
        if _SYMBOL_CHARACTER.search(text):
            font = attribute(self._run_properties.get("rFonts"), "ascii")
            text = _SYMBOL_CHARACTER.sub(lambda sign: symbol_character(font, ord(sign[0])) or sign[0], text)
        self._write(text)

    def _symbol(self, element: etree._Element) -> None:
        """Add a symbol, which has a code in its font and perhaps a Unicode character."""
        try:
            code = int(attribute(element, "char") or "0", 16)
        except ValueError:
            return
        sign = symbol_character(attribute(element, "font"), code)
        if sign is not None:
            self._write(sign)
        elif code in _PRIVATE_USE or not 0x20 <= code <= 0x10FFFF:
            self._drop(DropReason.SYMBOL_FONT, "\ufffd")
        else:
            self._write(chr(code))

    def _equation(self, element: etree._Element) -> None:
        if self._context.hidden_reason is None:
            self._write(marked_formula(linear_of_word(element)))
        else:
            self._drop(self._context.hidden_reason, linear_of_word(element))

    def _note(self, element: etree._Element) -> None:
        kind = local_name(element).removesuffix("Reference")
        numbers, name = self._state.notes, (kind, attribute(element, "id") or "")
        self._line.append(note_mark(numbers.setdefault(name, 2 * len(numbers))))

    def _note_within(self, element: etree._Element) -> None:
        self._line.append(note_mark(2 * len(self._state.notes_within) + 1))
        self._state.notes_within.append(element)

    def _field_mark(self, element: etree._Element) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate()
            self._update_field_context()
        elif kind == "end":
            self._leave_field()

    def _simple_field(self, element: etree._Element) -> None:
        self._fields.begin(attribute(element, "instr") or "")
        self._update_field_context()
        self._enter(element)
        self._leave_field()

    def _update_field_context(self) -> None:
        self._contents_field = self._contents_field or self._fields.contents
        self._in_references = self._in_references or self._fields.in_references

    def _leave_field(self) -> None:
        """Close a field; record where in the line a table of contents ends: the rest may be body text."""
        drawn = self._fields.end()
        self._line.append("" if self._fields.in_command else drawn)
        if self._contents_field is not None and self._contents_field.is_closed and self._contents_end is None:
            self._contents_end = len(self._line)

    # Paragraphs

    def _paragraph(self, paragraph: etree._Element) -> None:
        if self._in_paragraph:
            self._set_element_aside(paragraph)
            return
        carried, self._carried = self._carried, []
        self._end_loose_text()
        properties = properties_of(paragraph, "pPr")
        style = self._state.styles.paragraph(properties)
        outer, self._context = self._context, self._paragraph_context(properties, style)
        self._line = carried
        self._read_paragraph_text(paragraph)
        if _joins_next_paragraph(properties.get("rPr")) or _is_drop_cap(properties):
            self._line, self._carried = [], self._line
        else:
            self._end_paragraph(paragraph, properties, style)
        self._context = outer
        self._read_set_aside()

    def _paragraph_context(self, properties: Properties, style: DocxParagraphStyle) -> DocxContext:
        context = self._context
        background = shading(properties)
        if background is None:
            background = style.background
        hidden_reason = paragraph_hidden_reason(properties, self._state.page_twips)
        if background is None and style.appearance is UNSPECIFIED and hidden_reason is None:
            return context
        return context._replace(
            appearance=style.appearance.over(context.appearance),
            background=context.background if background is None else background,
            hidden_reason=context.hidden_reason or hidden_reason,
        )

    def _read_paragraph_text(self, paragraph: etree._Element) -> None:
        self._contents_field = self._fields.contents
        self._contents_end = None
        self._in_references = self._fields.in_references
        self._in_paragraph = True
        self._enter(paragraph)
        self._in_paragraph = False
        self._line.append(self._fields.end_commands())

    def _end_paragraph(
        self, paragraph: etree._Element, properties: Properties, style: DocxParagraphStyle
    ) -> None:
        field = None if self._continues_after_contents() else self._contents_field
        part_of_contents = self._context.contents or field is not None
        label = self._state.numbering.label(properties, style)
        text = ("" if self._context.hidden_reason else label) + "".join(self._line)
        self._line = []
        kind = kind_of(properties, style)
        if (self._context.references or self._in_references) and kind not in _HEADINGS:
            kind = BlockKind.REFERENCE
        self.found += [
            DocxPiece(Piece(kind, line), style.is_contents, part_of_contents, field)
            for line in text.split(LINE_END)
        ]
        if len(self.first_lines) < _FIRST_LINES and not part_of_contents and (seen := clean(text)):
            self.first_lines.append(self._state.styles.opening_line(paragraph, seen))

    def _continues_after_contents(self) -> bool:
        """Return whether the line has more text after a table of contents that ends in it than within."""
        if self._contents_end is None:
            return False
        within, suffix = self._line[: self._contents_end], self._line[self._contents_end :]
        return len("".join(suffix).strip()) > len("".join(within).strip())

    def _read_set_aside(self) -> None:
        """Collect the text boxes anchored in the paragraph just read, and those nested in them."""
        while self._set_aside and not self._in_paragraph:
            pending, self._set_aside = self._set_aside, []
            for element, context in pending:
                with self._within_context(context):
                    self._read_aside(element)

    def _end_loose_text(self) -> None:
        """End text outside of paragraphs, and text carried over to a paragraph that does not follow."""
        if (self._carried or self._line) and (text := "".join([*self._carried, *self._line])):
            self.found += [DocxPiece(Piece(BlockKind.PARAGRAPH, line)) for line in text.split(LINE_END)]
        self._carried, self._line = [], []
        self._read_set_aside()

    # Tables

    def _table(self, table: etree._Element) -> None:
        if self._in_paragraph:
            self._set_element_aside(table)
            return
        self._end_loose_text()
        table_format = TableFormat(table, self._state.styles)
        rows = list(nearest(table, {"tr"}, NOT_IN_ROWS))
        for number, row in enumerate(rows):
            properties = properties_of(row, "trPr")
            if "del" in properties:
                self._deleted(row)
                continue
            hidden_reason = self._context.hidden_reason or (
                DropReason.HIDDEN_TEXT if is_row_without_height(properties) else None
            )
            with self._within_context(self._context._replace(hidden_reason=hidden_reason)):
                self._row(row, table_format, number, len(rows))

    def _row(self, row: etree._Element, table_format: TableFormat, number: int, rows: int) -> None:
        cells = [cell for cell in nearest(row, {"tc"}, NOT_IN_ROWS) if not self._is_deleted_cell(cell)]
        texts: list[list[DocxPiece]] = []
        is_layout = self._is_layout(cells)
        for column, cell in enumerate(cells):
            inside = table_format.cell(cell, edges_of(number, rows, column, len(cells)))
            appearance = inside.appearance.over(self._state.styles.default_appearance)
            background = self._context.background if inside.background is None else inside.background
            with self._within_context(self._context._replace(appearance=appearance, background=background)):
                if is_layout:
                    self._enter(cell)
                    self._end_loose_text()
                else:
                    texts.append(self._cell(cell))
        if texts:
            self.found.append(_row_of(texts))

    def _is_layout(self, cells: list[etree._Element]) -> bool:
        """Return whether a row holds body text; a table nested in a row of cells is part of that row."""
        if self._row_begins is not None:
            return False
        return len(cells) == 1 or any(lays_out_a_page(cell) for cell in cells)

    def _is_deleted_cell(self, cell: etree._Element) -> bool:
        is_deleted = child(child(cell, "tcPr"), "cellDel") is not None
        if is_deleted:
            self._deleted(cell)
        return is_deleted

    def _cell(self, cell: etree._Element) -> list[DocxPiece]:
        outer, self.found = self.found, []
        outer_begin = self._row_begins
        self._row_begins = len(outer) if outer_begin is None else outer_begin
        self._enter(cell)
        self._end_loose_text()
        self._row_begins = outer_begin
        inner, self.found = self.found, outer
        return inner

    # Containers

    def _content_control(self, control: etree._Element) -> None:
        properties = child(control, "sdtPr")
        context = self._context
        for part in properties if properties is not None else ():
            role = _GALLERIES.get(value_of(part, "docPartGallery") or "")
            if role == "contents":
                context = context._replace(contents=True)
            elif role == "references" or local_name(part) == "bibliography":
                context = context._replace(references=True)
        with self._within_context(context):
            self._enter(control)

    def _alternate(self, element: etree._Element) -> None:
        """Read the first Choice: content for new and for old programs is there twice."""
        chosen = child(element, "Choice")
        if chosen is None:
            chosen = next(iter(element), None)
        if chosen is not None:
            self._enter(chosen)

    def _annotation(self, element: etree._Element) -> None:
        """Read an annotation of Word 2003 XML: revisions and comments share one element."""
        kind = attribute(element, "type")
        if kind == "Word.Deletion":
            self._deleted(element)
        elif kind == "Word.Comment":
            self._drop(DropReason.COMMENT, written_text(element))
        else:
            self._enter(element)

    def _deleted(self, element: etree._Element) -> None:
        self._drop(DropReason.DELETED_REVISION, written_text(element))

    # Drawings and other parts

    def _drawing(self, drawing: etree._Element) -> None:
        # Lines without height do not clip drawings anchored in them.
        clipped = self._context.hidden_reason is DropReason.TINY_TEXT
        hidden_reason = (None if clipped else self._context.hidden_reason) or drawing_hidden_reason(drawing)
        if hidden_reason is None:
            self._state.large_pictures += large_pictures(drawing)
        with self._within_context(self._context._replace(hidden_reason=hidden_reason)):
            self._enter(drawing)

    def _set_element_aside(self, element: etree._Element) -> None:
        self._set_aside.append((element, self._context))
        if not self._in_paragraph:
            self._end_loose_text()

    def _read_aside(self, element: etree._Element) -> None:
        name = local_name(element)
        if name == "relIds":
            self._embedded(element)
        elif name in {"p", "tbl"}:
            self._handlers[name](element)
        else:
            self._box(element)

    def _box(self, box: etree._Element) -> None:
        shape = shape_around(box)
        background = background_of(shape)
        hidden_reason = self._context.hidden_reason or shape_hidden_reason(shape)
        context = self._context._replace(
            appearance=self._state.styles.default_appearance,
            background=self._state.unfilled_box_background if background is None else background,
            hidden_reason=hidden_reason,
        )
        drawn_text = attribute(box, "string") if local_name(box) == "textpath" else None
        if drawn_text and hidden_reason:
            self._drop(hidden_reason, drawn_text)
        elif drawn_text:
            self._line.append(drawn_text)
        with self._within_context(context):
            self._enter(box)
            self._end_loose_text()

    def _embedded(self, element: etree._Element) -> None:
        """Add another part of the package: an embedded document or the text of a diagram."""
        if self._context.hidden_reason is None:
            self.found += [DocxPiece(piece) for piece in self._state.open_part(element)]


def _joins_next_paragraph(mark: etree._Element | None) -> bool:
    """Return whether a paragraph mark is deleted or hidden, so that the next paragraph continues the line."""
    properties = children_of(mark)
    return any(is_on(properties, name) for name in _REMOVED_MARK_PROPERTIES if name in properties)


def _is_drop_cap(properties: Properties) -> bool:
    """Return whether a paragraph is the large initial of the next one."""
    return (attribute(properties.get("framePr"), "dropCap") or "none") != "none"


def _row_of(cells: list[list[DocxPiece]]) -> DocxPiece:
    filled = [[found for found in cell if clean(found.piece.text)] for cell in cells]
    texts = [" ".join(SPACES.sub(" ", found.piece.text) for found in cell) for cell in filled]
    parts = [found for cell in filled for found in cell]
    is_contents = bool(parts) and all(found.part_of_contents for found in parts)
    piece = Piece(BlockKind.TABLE_ROW, "\t".join(texts))
    return DocxPiece(piece, part_of_contents=is_contents, field=parts[0].field if is_contents else None)


def written_text(element: etree._Element) -> str:
    """Return all characters in an element, deleted ones too; Fallback copies are skipped."""
    if local_name(element) in {"t", "delText"}:
        return element.text or ""
    return "".join(written_text(inner) for inner in element if local_name(inner) != "Fallback")
