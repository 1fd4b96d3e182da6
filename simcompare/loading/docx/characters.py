"""Runs, fields and signs: how the line of a paragraph is written."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from lxml import etree

from simcompare.loading.common.elements import NO_PROPERTIES, attribute, local_name, properties_of
from simcompare.loading.docx.equations import linear
from simcompare.loading.docx.fields import Field, Fields
from simcompare.loading.docx.story import Around, Found, Story, Unseen
from simcompare.loading.docx.symbols import sign_of
from simcompare.loading.left_out import gap_of
from simcompare.receipt import DropReason

LINE_END = "\n"
_SIGN_OF_A_FONT = re.compile("[\uf020-\uf0ff]")
_PRIVATE_USE = range(0xE000, 0xF900)
# Commands of deleted fields and properties hold no text of the reader's.
_SKIPPED = (
    *("delInstrText", "rPr", "tblPr", "tblGrid", "tcPr", "trPr", "pPr", "sectPr", "sdtPr", "sdtEndPr"),
    *("binData", "ffData", "Fallback"),
)


class CharacterWalk:
    """Walks over what stands in a paragraph and writes its line; what is no character is for its heirs."""

    def __init__(self, story: Story) -> None:
        self.found: list[Found] = []
        self.unseen: list[Unseen] = []
        self._story = story
        self._around = Around(story.styles.default_ink, story.ground)
        self._line: list[str] = []
        self._fields = Fields()
        self._contents_field: Field | None = None
        self._contents_end: int | None = None
        self._in_references = False
        self._row_begins: int | None = None
        self._run_properties = NO_PROPERTIES
        self._handlers: dict[str, Callable[[etree._Element], None]] = {
            **dict.fromkeys(_SKIPPED, self._skip),
            "r": self._run,
            "rt": self._reading,
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
    def _standing_in(self, around: Around) -> Iterator[None]:
        outer, self._around = self._around, around
        try:
            yield
        finally:
            self._around = outer

    def _leave_out(self, reason: DropReason, text: str) -> None:
        before = len(self.found) if self._row_begins is None else self._row_begins
        self.unseen.append(Unseen(reason, text, before))

    def _skip(self, element: etree._Element) -> None:
        """Pass over what holds no text."""

    def _reading(self, element: etree._Element) -> None:
        """Leave out what says above a word how it is read."""
        texts = (node.text or "" for node in element.iter() if local_name(node) == "t")
        self._leave_out(DropReason.PHONETIC_GUIDE, "".join(texts))

    def _run(self, run: etree._Element) -> None:
        outer, self._run_properties = self._run_properties, properties_of(run, "rPr")
        ink = self._story.styles.run_ink(self._run_properties, self._around.ink)
        reason = self._around.unseen or ink.unseen(self._around.ground)
        if reason is None:
            self._enter(run)
        else:
            self._unseen_run(run, reason)
        self._run_properties = outer

    def _unseen_run(self, run: etree._Element, reason: DropReason) -> None:
        """Leave out the characters of a run. Drawings are hidden with it; they are not white with it."""
        line, self._line = self._line, []
        is_hidden = reason is DropReason.HIDDEN_TEXT
        with self._standing_in(replace(self._around, unseen=reason) if is_hidden else self._around):
            self._enter(run)
        text, self._line = "".join(self._line), line
        if text:
            self._leave_out(reason, text)
            self._write(gap_of(reason, text))

    def _write(self, text: str) -> None:
        if self._fields.hides_text:
            self._fields.keep(text)
        else:
            self._fields.show(text)
            self._line.append(text)

    def _text(self, element: etree._Element) -> None:
        text = element.text or ""
        if _SIGN_OF_A_FONT.search(text):
            font = attribute(self._run_properties.get("rFonts"), "ascii")
            text = _SIGN_OF_A_FONT.sub(lambda sign: sign_of(font, ord(sign[0])) or sign[0], text)
        self._write(text)

    def _line_break(self, _element: etree._Element) -> None:
        self._write(LINE_END)

    def _space(self, _element: etree._Element) -> None:
        self._write(" ")

    def _hyphen(self, _element: etree._Element) -> None:
        self._write("-")

    def _symbol(self, element: etree._Element) -> None:
        """Take a sign of a symbol font, which has a place in that font and perhaps one in Unicode."""
        try:
            code = int(attribute(element, "char") or "0", 16)
        except ValueError:
            return
        sign = sign_of(attribute(element, "font"), code)
        if sign is not None:
            self._write(sign)
        elif code in _PRIVATE_USE or not 0x20 <= code <= 0x10FFFF:
            self._leave_out(DropReason.SYMBOL_FONT, "\ufffd")
        else:
            self._write(chr(code))

    def _equation(self, element: etree._Element) -> None:
        if self._around.unseen is None:
            self._write(linear(element))
        else:
            self._leave_out(self._around.unseen, linear(element))

    def _note(self, element: etree._Element) -> None:
        kind = local_name(element).removesuffix("Reference")
        self._story.notes[kind, attribute(element, "id") or ""] = None

    def _note_within(self, element: etree._Element) -> None:
        self._story.notes_within.append(element)

    def _field_mark(self, element: etree._Element) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            self._fields.begin()
        elif kind == "separate":
            self._fields.separate()
            self._meet_field()
        elif kind == "end":
            self._line.append(self._fields.end())
            self._leave_field()

    def _simple_field(self, element: etree._Element) -> None:
        self._fields.begin(attribute(element, "instr") or "")
        self._meet_field()
        self._enter(element)
        self._line.append(self._fields.end())
        self._leave_field()

    def _field_command(self, element: etree._Element) -> None:
        self._fields.command(element.text or "")

    def _meet_field(self) -> None:
        self._contents_field = self._contents_field or self._fields.contents
        self._in_references = self._in_references or self._fields.in_references

    def _leave_field(self) -> None:
        """Note where in the line a table of contents ends: the rest may be a paragraph of the text."""
        if self._contents_field is not None and self._contents_field.is_closed and self._contents_end is None:
            self._contents_end = len(self._line)
