"""Reader of OpenDocument texts (.odt, .ott, flat .fodt) and OpenOffice 1 texts (.sxw)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from simcompare.loading.extraction import (
    DroppedText,
    Extraction,
    Piece,
    ReadingOptions,
    Source,
    clean,
    marked_formula,
    title_of,
    visible_length,
)
from simcompare.loading.formats.opendocument.odt_parts import (
    OdtParagraphStyle,
    OdtParts,
    OdtStyles,
    formula_in,
    is_large_picture,
    is_outside_page,
    is_short,
    is_skipped,
    parts_of,
    without_anchor,
    written_text,
)
from simcompare.loading.shared.list_numbers import CountedList, ListLevel, label_parts
from simcompare.loading.shared.text_flow import (
    LINE_END,
    ParagraphFormat,
    TextFlow,
    TextFormat,
    as_footnotes,
    opening_lines,
    pieces_of,
)
from simcompare.loading.shared.visibility import UNKNOWN, UNSPECIFIED, ColourOrUnknown, TextAppearance
from simcompare.loading.shared.xml_elements import attribute, child, linear, local_name, nearest, number_of
from simcompare.model.document import BlockKind, DropReason, Flag, FlagName
from simcompare.model.errors import DamagedFileError
from simcompare.support.i18n import N_

_PLACE = re.compile(r"%(\d+)%")
_MAX_LEVELS = 10
# Limit for hostile files: the label is repeated before every item.
_MAX_LABEL_LENGTH = 100
# A number format is named by its first number.
_FORMS = {
    "1": "decimal", "i": "lowerRoman", "I": "upperRoman", "a": "lowerLetter", "A": "upperLetter",
    "一": "chineseCounting", "壹": "chineseLegalSimplified", "①": "decimalEnclosedCircle",
    "甲": "ideographTraditional", "子": "ideographZodiac", "１": "decimalFullWidth", "〇": "ideographDigital",
}  # fmt: skip
_SUFFIXES = {"space": " ", "nothing": ""}


class OdtNumbering:
    """Counts list items and headings in document order; a list has a dict with its current numbers."""

    def __init__(self, roots: list[etree._Element]) -> None:
        self._styles: dict[str, dict[int, ListLevel]] = {}
        self._outline: dict[int, ListLevel] = {}
        for root in reversed(roots):
            for style in root.iter("{*}list-style"):
                self._styles[attribute(style, "name") or ""] = _levels(style)
            for style in root.iter("{*}outline-style"):
                self._outline = _levels(style)
        self._headings: dict[int, int] = {}
        self._by_id: dict[str, dict[int, int]] = {}
        self._last: dict[str, dict[int, int]] = {}

    def begin(self, element: etree._Element, style: str) -> dict[int, int]:
        """Return the numbers of a top-level list, or of an earlier one that it continues."""
        earlier = attribute(element, "continue-list")
        numbers: dict[int, int] = {}
        if earlier in self._by_id:
            numbers = self._by_id[earlier]
        elif attribute(element, "continue-numbering") == "true":
            numbers = self._last.get(style, numbers)
        self._by_id[attribute(element, "id") or ""] = self._last[style] = numbers
        return numbers

    def next_label(self, numbers: dict[int, int], style: str, level: int, start: str | None) -> str:
        """Count a list item and return its label; "" for a bullet."""
        return _next_label(numbers, self._styles.get(style, {}), level, start)

    def heading_label(self, heading: etree._Element) -> str:
        if attribute(heading, "is-list-header") == "true":
            return ""
        level = number_of(attribute(heading, "outline-level") or attribute(heading, "level"), 1)
        start = attribute(heading, "start-value") if attribute(heading, "restart-numbering") else None
        return _next_label(self._headings, self._outline, level, start)


def _next_label(numbers: dict[int, int], levels: dict[int, ListLevel], level: int, start: str | None) -> str:
    """Count an item of a level, from 1, with `start` as its number if one is given."""
    restart_numbers = {} if start is None else {level - 1: number_of(start, 1)}
    label = CountedList(levels, restart_numbers, numbers).next_label(level - 1)[:_MAX_LABEL_LENGTH]
    return label if label.strip() else ""


def _levels(style: etree._Element) -> dict[int, ListLevel]:
    """Return the numbered levels, from 0; bullets and pictures have no number."""
    return {
        level - 1: _level(element, level)
        for element in style
        if local_name(element) in {"list-level-style-number", "outline-level-style"}
        and 1 <= (level := number_of(attribute(element, "level"), 0)) <= _MAX_LEVELS
    }


def _level(element: etree._Element, level: int) -> ListLevel:
    form = attribute(element, "num-format") or ""
    alignment = child(child(element, "list-level-properties"), "list-level-label-alignment")
    text = attribute(element, "num-list-format") or _text(element, level, form)
    return ListLevel(
        start=number_of(attribute(element, "start-value"), 1),
        form=_FORMS.get(form[:1], "decimal") if form else "",
        parts=label_parts(text[:_MAX_LABEL_LENGTH], _PLACE),
        restarts_after=level - 1,
        in_digits=False,
        suffix=_SUFFIXES.get(attribute(alignment, "label-followed-by") or "", " "),
    )


def _text(element: etree._Element, level: int, form: str) -> str:
    """Return the label text of a level from prefix, displayed levels and suffix (before ODF 1.3)."""
    display_levels = min(max(number_of(attribute(element, "display-levels"), 1), 1), level)
    numbers = ".".join(f"%{number}%" for number in range(level - display_levels + 1, level + 1))
    before, suffix = (attribute(element, name) or "" for name in ("num-prefix", "num-suffix"))
    return f"{before}{numbers if form else ''}{suffix}"


_CONTENTS = (
    *("table-of-content", "illustration-index", "table-index", "object-index", "user-index"),
    "alphabetical-index",
)
_SHAPES = (
    *("text-box", "custom-shape", "rect", "ellipse", "circle", "line", "polyline", "polygon", "path"),
    *("regular-polygon", "connector", "measure", "caption", "image"),
)
_ANCHORED = frozenset({"frame", "g", *_SHAPES})
_NOT_IN_ROWS = frozenset({"table", "p", "h", "list"})
_MAX_COPIES = 5000


@dataclass(frozen=True, slots=True)
class _OdtContext:
    """Inherited context of an element; with `reason` all of it is dropped, `depth` counts tables."""

    appearance: TextAppearance = UNSPECIFIED
    background: ColourOrUnknown = (255, 255, 255)
    kind: BlockKind | None = None
    reason: DropReason | None = None
    depth: int = 0


@dataclass(slots=True)
class _OdtList:
    """An open list: its numbers, style, level, and whether the next paragraph gets a label."""

    numbers: dict[int, int]
    style: str
    level: int
    awaits_label: bool = False
    start: str | None = None


class OdtWalker:
    """Collects body and notes of a text; dropped text is added to `dropped_text`."""

    def __init__(self, parts: OdtParts, styles: OdtStyles, dropped_text: DroppedText) -> None:
        self.body, self.footnotes, self.endnotes = TextFlow(), TextFlow(), TextFlow()
        self.large_pictures = 0
        self._parts = parts
        self._styles = styles
        self._dropped_text = dropped_text
        self._numbering = OdtNumbering(parts.styles)
        self._flow = self.body
        self._notes = 0
        self._lists: list[_OdtList] = []
        self._copies = _MAX_COPIES
        self._bold = False
        self._hides_paragraphs = parts.text.find(".//{*}hidden-paragraph") is not None
        # A picture may be behind a frame without a fill, so that white text is visible.
        has_pictures = next(parts.text.iter("{*}image"), None) is not None
        self._frame_background: ColourOrUnknown | None = UNKNOWN if has_pictures else None
        self._handlers: dict[str, Callable[[etree._Element, _OdtContext], None]] = {
            **dict.fromkeys(("p", "h"), self._paragraph),
            **dict.fromkeys(("list", "ordered-list", "unordered-list"), self._list),
            "list-item": self._list_item,
            "list-header": self._list_header,
            "numbered-paragraph": self._numbered_paragraph,
            "table": self._table,
            "section": self._section,
            "bibliography": self._bibliography,
            "index-title": lambda title, around: self._blocks(title, replace(around, kind=BlockKind.HEADING)),
            "tracked-changes": self._tracked_changes,
            "annotation": self._annotation,
            "frame": self._frame,
            **dict.fromkeys(_CONTENTS, self._contents),
            **dict.fromkeys(_SHAPES, self._shape),
        }
        self._inline_handlers: dict[str, Callable[[etree._Element, _OdtContext], None]] = {
            **dict.fromkeys(("s", "tab", "tab-stop"), lambda _element, around: self._add_text(" ", around)),
            "line-break": lambda _element, _around: self._flow.text(LINE_END, TextFormat()),
            **dict.fromkeys(("note", "footnote", "endnote"), self._note),
            "annotation": self._annotation,
            "hidden-text": self._hidden_text,
            "ruby-text": self._phonetic_guide,
            "frame": self._frame,
            **dict.fromkeys(_SHAPES, self._shape),
        }

    def read(self) -> None:
        self._blocks(self._parts.text, _OdtContext(background=self._styles.page_background))

    def _blocks(self, parent: etree._Element, context: _OdtContext) -> None:
        for element in parent:
            if not is_skipped(element):
                self._handlers.get(local_name(element), self._blocks)(element, context)

    def _paragraph(self, paragraph: etree._Element, context: _OdtContext) -> None:
        style = self._styles.paragraph(attribute(paragraph, "style-name") or "")
        label = self._label(paragraph, style)
        if style.contents:
            self._dropped_text.add(DropReason.TABLE_OF_CONTENTS, written_text(paragraph))
            return
        inner_context = replace(
            context,
            appearance=style.appearance,
            background=context.background if style.background is None else style.background,
            reason=DropReason.HIDDEN_TEXT if self._is_hidden(paragraph) else context.reason,
        )
        self._bold = style.bold
        self._add_text(label, inner_context)
        self._inline(paragraph, inner_context)
        kind = style.kind or (BlockKind.HEADING if local_name(paragraph) == "h" else None)
        in_list = BlockKind.LIST_ITEM if self._lists else BlockKind.PARAGRAPH
        self._flow.end_paragraph(
            ParagraphFormat(context.kind or kind or in_list, centred=style.centred, depth=context.depth)
        )

    def _is_hidden(self, paragraph: etree._Element) -> bool:
        return self._hides_paragraphs and any(
            attribute(mark, "is-hidden") == "true" for mark in paragraph.iter("{*}hidden-paragraph")
        )

    def _label(self, paragraph: etree._Element, style: OdtParagraphStyle) -> str:
        """Count the paragraph in its list, if it is the first of an item, or among the headings."""
        if self._lists:
            item = self._lists[-1]
            if not item.awaits_label:
                return ""
            item.awaits_label = False
            name = item.style or style.list_style
            return self._numbering.next_label(item.numbers, name, item.level, item.start)
        return self._numbering.heading_label(paragraph) if local_name(paragraph) == "h" else ""

    def _inline(self, parent: etree._Element, context: _OdtContext) -> None:
        """Add the text of a paragraph; notes and text boxes are read separately."""
        text = parent.text
        for element in parent:
            name = local_name(element)
            self._add_text(without_anchor(text) if name in _ANCHORED else text, context)
            text = element.tail
            if name and not is_skipped(element):
                handler = self._inline_handlers.get(name)
                if handler is not None:
                    handler(element, context)
                else:
                    self._inline(element, self._inline_context(element, context))
        self._add_text(text, context)

    def _inline_context(self, element: etree._Element, context: _OdtContext) -> _OdtContext:
        if not element.attrib:
            return context
        hidden = context.reason is None and attribute(element, "display") == "none"
        name = attribute(element, "style-name")
        if name is None:
            return replace(context, reason=DropReason.HIDDEN_TEXT) if hidden else context
        return replace(
            context,
            appearance=self._styles.nested_appearance(context.appearance, "text", name),
            reason=DropReason.HIDDEN_TEXT if hidden else context.reason,
        )

    def _add_text(self, text: str | None, context: _OdtContext) -> None:
        if text:
            reason = context.reason or context.appearance.hidden_reason(context.background)
            look = TextFormat(half_points=max(context.appearance.half_points or 24, 4), bold=self._bold)
            self._flow.text(text.replace(LINE_END, " "), look, reason)

    def _note(self, note: etree._Element, context: _OdtContext) -> None:
        is_endnote = local_name(note) == "endnote" or attribute(note, "note-class") == "endnote"
        body = next((inner for inner in note if local_name(inner).endswith("-body")), None)
        if body is not None:
            inner_context = _OdtContext(background=self._styles.page_background, reason=context.reason)
            flow = self.endnotes if is_endnote else self.footnotes
            for marked in (self._flow, flow):
                marked.note(self._notes)
            self._notes += 1
            self._read_apart(body, inner_context, flow)

    def _read_apart(self, element: etree._Element, context: _OdtContext, flow: TextFlow) -> None:
        before = self._flow, self._lists, self._bold
        self._flow, self._lists = flow, []
        self._blocks(element, context)
        self._flow, self._lists, self._bold = before

    def _annotation(self, annotation: etree._Element, _around: _OdtContext) -> None:
        self._dropped_text.add(DropReason.COMMENT, written_text(annotation))

    def _phonetic_guide(self, element: etree._Element, _around: _OdtContext) -> None:
        self._dropped_text.add(DropReason.PHONETIC_GUIDE, "".join(map(str, element.itertext())))

    def _hidden_text(self, element: etree._Element, context: _OdtContext) -> None:
        if attribute(element, "is-hidden") == "true":
            hidden = attribute(element, "string-value") or "".join(map(str, element.itertext()))
            self._add_text(hidden, replace(context, reason=DropReason.HIDDEN_TEXT))
        else:
            self._add_text("".join(map(str, element.itertext())), context)

    def _frame(self, frame: etree._Element, context: _OdtContext) -> None:
        """Read a frame: a text box, a picture, or a formula in the line."""
        self.large_pictures += is_large_picture(frame)
        for inner in frame:
            formula = formula_in(inner, self._parts.formulas) if local_name(inner) == "object" else None
            if formula is not None:
                self._add_text(marked_formula(linear(formula)), context)
                return
        self._shape(frame, context)

    def _shape(self, definition: etree._Element, context: _OdtContext) -> None:
        """Add the text of a frame or shape as a text box after its paragraph."""
        own = self._styles.background("graphic", attribute(definition, "style-name") or "")
        background = own or (
            self._frame_background if self._frame_background is not None else context.background
        )
        reason = DropReason.OUTSIDE_PAGE if is_outside_page(definition) else context.reason
        box = TextFlow()
        self._read_apart(definition, _OdtContext(background=background, reason=reason), box)
        self._flow.add_text_box(box.finish())

    def _list(self, element: etree._Element, context: _OdtContext) -> None:
        outer = self._lists[-1] if self._lists else None
        style = attribute(element, "style-name") or (outer.style if outer else "")
        numbers = outer.numbers if outer else self._numbering.begin(element, style)
        self._lists.append(_OdtList(numbers, style, outer.level + 1 if outer else 1))
        self._blocks(element, context)
        self._lists.pop()

    def _list_item(self, item: etree._Element, context: _OdtContext) -> None:
        if self._lists:
            self._lists[-1].awaits_label = True
            self._lists[-1].start = attribute(item, "start-value")
        self._blocks(item, context)

    def _list_header(self, header: etree._Element, context: _OdtContext) -> None:
        if self._lists:
            self._lists[-1].awaits_label = False
        self._blocks(header, context)

    def _numbered_paragraph(self, element: etree._Element, context: _OdtContext) -> None:
        style = attribute(element, "style-name") or ""
        numbers = self._numbering.begin(element, style)
        level = number_of(attribute(element, "level"), 1)
        self._lists.append(
            _OdtList(numbers, style, level, awaits_label=True, start=attribute(element, "start-value"))
        )
        self._blocks(element, context)
        self._lists.pop()

    def _table(self, table: etree._Element, context: _OdtContext) -> None:
        inner_context = replace(self._with_background(table, "table", context), depth=context.depth + 1)
        lists, self._lists = self._lists, []
        for row in nearest(table, {"table-row"}, _NOT_IN_ROWS):
            for _copy in range(self._copies_of(row, "number-rows-repeated")):
                self._row(row, self._with_background(row, "table-row", inner_context))
        self._lists = lists

    def _row(self, row: etree._Element, context: _OdtContext) -> None:
        covered_cells = 0
        for cell in nearest(row, {"table-cell", "covered-table-cell"}, _NOT_IN_ROWS):
            if local_name(cell) == "covered-table-cell":
                self._dropped_text.add(DropReason.HIDDEN_TEXT, written_text(cell))
                # A cell spanning columns counts once; below a cell spanning rows there is an empty cell.
                if not covered_cells:
                    self._flow.end_cell(ParagraphFormat(depth=context.depth))
                covered_cells = max(covered_cells - 1, 0)
                continue
            covered_cells = number_of(attribute(cell, "number-columns-spanned"), 1) - 1
            for _copy in range(self._copies_of(cell, "number-columns-repeated")):
                self._blocks(cell, self._with_background(cell, "table-cell", context))
                self._flow.end_cell(ParagraphFormat(depth=context.depth))
        self._flow.end_row(context.depth)

    def _with_background(self, element: etree._Element, family: str, context: _OdtContext) -> _OdtContext:
        background = self._styles.background(family, attribute(element, "style-name") or "")
        return context if background is None else replace(context, background=background)

    def _copies_of(self, element: etree._Element, name: str) -> int:
        """Return how often a row or cell is repeated; long content is not, and the total is limited."""
        times = number_of(attribute(element, name), 1)
        if times <= 1 or not is_short(element):
            return 1
        times = min(times, 1 + self._copies)
        self._copies -= times - 1
        return times

    def _section(self, section: etree._Element, context: _OdtContext) -> None:
        hidden = attribute(section, "is-hidden") == "true" or attribute(section, "display") == "none"
        self._blocks(section, replace(context, reason=DropReason.HIDDEN_TEXT) if hidden else context)

    def _contents(self, index: etree._Element, _around: _OdtContext) -> None:
        body = child(index, "index-body")
        if body is not None:
            self._dropped_text.add(DropReason.TABLE_OF_CONTENTS, written_text(body))

    def _bibliography(self, index: etree._Element, context: _OdtContext) -> None:
        body = child(index, "index-body")
        if body is not None:
            self._blocks(body, replace(context, kind=BlockKind.REFERENCE))

    def _tracked_changes(self, changes: etree._Element, _around: _OdtContext) -> None:
        for deletion in changes.iter("{*}deletion"):
            self._dropped_text.add(DropReason.DELETED_REVISION, written_text(deletion))


# Fewer characters are only a name and a class: the text is in the pictures.
_MIN_BESIDE_PICTURES = 40


def read_odt(source: Source, options: ReadingOptions) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes."""
    parts = parts_of(source, options.password)
    try:
        return _extraction(parts)
    except RecursionError as error:
        raise DamagedFileError(source.path, cause=N_("its parts are nested too deeply")) from error


def _extraction(parts: OdtParts) -> Extraction:
    styles, dropped_text = OdtStyles(parts.styles), DroppedText()
    walker = OdtWalker(parts, styles, dropped_text)
    walker.read()
    body = walker.body.finish()
    notes = [*walker.footnotes.finish(), *walker.endnotes.finish()]
    pieces = pieces_of([*body, *as_footnotes(notes)], dropped_text)
    for reason, margin in _margins(parts.styles):
        dropped_text.add(reason, written_text(margin))
    title = title_of(pieces, opening_lines(body), styles.body_half_points(), clean(parts.title))
    unread = [Flag(FlagName.UNREAD_PART, parts.unread)] if parts.unread else []
    flags = [*dropped_text.flags(), *unread, *_picture_flags(walker.large_pictures, pieces)]
    return Extraction(
        "odt",
        pieces,
        title,
        dropped=dropped_text.dropped(),
        flags=[*flags, *parts.pictures.flags()],
        origin=parts.origin,
        pictures=parts.pictures.found,
    )


def _picture_flags(pictures: int, pieces: Sequence[Piece]) -> Iterator[Flag]:
    if pictures:
        characters = sum(visible_length(piece.text) for piece in pieces)
        yield Flag(FlagName.PICTURES, pictures, doubtful=characters < _MIN_BESIDE_PICTURES)


def _margins(roots: list[etree._Element]) -> Iterator[tuple[DropReason, etree._Element]]:
    """Yield the displayed headers and footers of all page styles."""
    for page in (page for root in roots for page in root.iter("{*}master-page")):
        for margin in page:
            name = local_name(margin)
            if name.startswith(("header", "footer")) and attribute(margin, "display") != "false":
                is_header = name.startswith("header")
                yield DropReason.PAGE_HEADER if is_header else DropReason.PAGE_FOOTER, margin
