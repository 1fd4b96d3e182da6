"""Runs, fields and symbols of a paragraph."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from lxml import etree

from simcompare.loading.dropped_text import gap_of
from simcompare.loading.formats.docx.docx_equations import linear
from simcompare.loading.formats.docx.docx_fields import DocxField, DocxFields
from simcompare.loading.formats.docx.docx_walk_state import DocxContext, DocxDroppedText, DocxPiece, DocxState
from simcompare.loading.shared.xml_elements import NO_PROPERTIES, attribute, local_name, properties_of
from simcompare.model.receipt import DropReason

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


class DocxCharacterWalker:
    """Reads the content of a paragraph into a line; blocks are handled by the subclass."""

    def __init__(self, state: DocxState) -> None:
        self.found: list[DocxPiece] = []
        self.hidden_reason: list[DocxDroppedText] = []
        self._state = state
        self._context = DocxContext(state.styles.default_appearance, state.background)
        self._line: list[str] = []
        self._fields = DocxFields()
        self._contents_field: DocxField | None = None
        self._contents_end: int | None = None
        self._in_references = False
        self._row_begins: int | None = None
        self._run_properties = NO_PROPERTIES
        self._handlers: dict[str, Callable[[etree._Element], None]] = {
            **dict.fromkeys(_SKIPPED, self._skip),
            "r": self._run,
            "rt": self._phonetic_guide,
            "t": self._text,
            "br": self._line_break,
            "cr": self._line_break,
            "tab": self._space,
            "ptab": self._space,
            "noBreakHyphen": self._hyphen,
            "sym": self._symbol,
            "oMath": self._equation,
            "fldChar": self._field_mark,
            "fldSimple": self._simple_field,
            "instrText": self._field_command,
            "footnoteReference": self._note,
            "endnoteReference": self._note,
            "footnote": self._note_within,
            "endnote": self._note_within,
        }

    def _enter(self, parent: etree._Element) -> None:
        for element in parent:
            self._handlers.get(local_name(element), self._enter)(element)

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

    def _skip(self, element: etree._Element) -> None:
        """Skip an element without text."""

    def _phonetic_guide(self, element: etree._Element) -> None:
        """Drop the phonetic guide above a word."""
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
            replace(self._context, hidden_reason=reason) if is_hidden else self._context
        ):
            self._enter(run)
        text, self._line = "".join(self._line), line
        if text:
            self._drop(reason, text)
            self._write(gap_of(reason, text))

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

    def _line_break(self, _element: etree._Element) -> None:
        self._write(LINE_END)

    def _space(self, _element: etree._Element) -> None:
        self._write(" ")

    def _hyphen(self, _element: etree._Element) -> None:
        self._write("-")

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
            self._write(linear(element))
        else:
            self._drop(self._context.hidden_reason, linear(element))

    def _note(self, element: etree._Element) -> None:
        kind = local_name(element).removesuffix("Reference")
        self._state.notes[kind, attribute(element, "id") or ""] = None

    def _note_within(self, element: etree._Element) -> None:
        self._state.notes_within.append(element)

    def _field_mark(self, element: etree._Element) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate()
            self._update_field_context()
        elif kind == "end":
            self._line.append(self._fields.end())
            self._leave_field()

    def _simple_field(self, element: etree._Element) -> None:
        self._fields.begin(attribute(element, "instr") or "")
        self._update_field_context()
        self._enter(element)
        self._line.append(self._fields.end())
        self._leave_field()

    def _field_command(self, element: etree._Element) -> None:
        self._fields.command(element.text or "")

    def _update_field_context(self) -> None:
        self._contents_field = self._contents_field or self._fields.contents
        self._in_references = self._in_references or self._fields.in_references

    def _leave_field(self) -> None:
        """Record where in the line a table of contents ends: the rest may be body text."""
        if self._contents_field is not None and self._contents_field.is_closed and self._contents_end is None:
            self._contents_end = len(self._line)
