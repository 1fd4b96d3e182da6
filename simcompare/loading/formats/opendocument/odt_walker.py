"""The walk over an OpenDocument text: every text that its reader sees, in reading order.

Elements are known by their local names, which OpenOffice 1 shares, and what is not known is entered.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from lxml import etree

from simcompare.loading.formats.opendocument.odt_formulas import linear
from simcompare.loading.formats.opendocument.odt_numbering import Count, Numbering
from simcompare.loading.formats.opendocument.odt_parts import (
    Parts,
    formula_in,
    is_far_away,
    is_large_picture,
    is_short,
    is_skipped,
    nearest,
    without_anchor,
    written_text,
)
from simcompare.loading.formats.opendocument.odt_styles import ParagraphStyle, Styles
from simcompare.loading.left_out_text import LeftOut
from simcompare.loading.shared.text_flow import LINE_END, Flow, Format, Look
from simcompare.loading.shared.visibility import SILENT, UNKNOWN, Hue, Ink
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason

_CONTENTS = (
    *("table-of-content", "illustration-index", "table-index", "object-index", "user-index"),
    "alphabetical-index",
)
_SHAPES = (
    *("text-box", "custom-shape", "rect", "ellipse", "circle", "line", "polyline", "polygon", "path"),
    *("regular-polygon", "connector", "measure", "caption", "image"),
)
_ANCHORED = frozenset({"frame", "g", *_SHAPES})
_MOST_COPIES = 5000


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around an element; `reason` is why all within is left out, `depth` counts tables."""

    ink: Ink = SILENT
    ground: Hue = (255, 255, 255)
    kind: BlockKind | None = None
    reason: DropReason | None = None
    depth: int = 0


@dataclass(slots=True)
class _List:
    """A list that is open: its style and its level, and the label for the next paragraph."""

    count: Count
    style: str
    level: int
    waiting: bool = False
    start: str | None = None


class Walk:
    """Collects the paragraphs of a text in `body`, its notes apart; what it leaves out goes to `left_out`."""

    def __init__(self, parts: Parts, styles: Styles, left_out: LeftOut) -> None:
        self.body, self.footnotes, self.endnotes = Flow(), Flow(), Flow()
        self.large_pictures = 0
        self._parts = parts
        self._styles = styles
        self._left_out = left_out
        self._numbering = Numbering(parts.styles)
        self._flow = self.body
        self._lists: list[_List] = []
        self._copies = _MOST_COPIES
        self._bold = False
        self._hides_paragraphs = parts.text.find(".//{*}hidden-paragraph") is not None
        # White text may stand on a picture that lies below its own frame.
        self._frame_ground: Hue | None = UNKNOWN if self._has_pictures() else None
        self._handlers: dict[str, Callable[[etree._Element, _Around], None]] = {
            "p": self._paragraph,
            "h": self._paragraph,
            "list": self._list,
            "ordered-list": self._list,
            "unordered-list": self._list,
            "list-item": self._list_item,
            "list-header": self._list_header,
            "numbered-paragraph": self._numbered_paragraph,
            "table": self._table,
            "section": self._section,
            "bibliography": self._bibliography,
            "index-title": self._index_title,
            "tracked-changes": self._tracked_changes,
            "annotation": self._annotation,
            "frame": self._frame,
            **dict.fromkeys(_CONTENTS, self._contents),
            **dict.fromkeys(_SHAPES, self._shape),
        }
        self._inline_handlers: dict[str, Callable[[etree._Element, _Around], None]] = {
            "s": self._spaces,
            "tab": self._spaces,
            "tab-stop": self._spaces,
            "line-break": self._line_break,
            "note": self._note,
            "footnote": self._note,
            "endnote": self._note,
            "annotation": self._annotation,
            "hidden-text": self._hidden_text,
            "ruby-text": self._reading,
            "frame": self._frame,
            **dict.fromkeys(_SHAPES, self._shape),
        }

    def read(self) -> None:
        """Read the whole text."""
        self._blocks(self._parts.text, _Around(ground=self._styles.page_ground))

    def _blocks(self, parent: etree._Element, around: _Around) -> None:
        for element in parent:
            if not is_skipped(element):
                self._handlers.get(local_name(element), self._blocks)(element, around)

    def _paragraph(self, paragraph: etree._Element, around: _Around) -> None:
        style = self._styles.paragraph(attribute(paragraph, "style-name") or "")
        label = self._label(paragraph, style)
        if style.contents:
            self._left_out.add(DropReason.TABLE_OF_CONTENTS, written_text(paragraph))
            return
        inside = replace(
            around,
            ink=style.ink,
            ground=around.ground if style.ground is None else style.ground,
            reason=DropReason.HIDDEN_TEXT if self._is_hidden(paragraph) else around.reason,
        )
        self._bold = style.bold
        self._say(label, inside)
        self._inline(paragraph, inside)
        kind = style.kind or (BlockKind.HEADING if local_name(paragraph) == "h" else None)
        in_list = BlockKind.LIST_ITEM if self._lists else BlockKind.PARAGRAPH
        self._flow.end_paragraph(
            Format(around.kind or kind or in_list, centred=style.centred, depth=around.depth)
        )

    def _is_hidden(self, paragraph: etree._Element) -> bool:
        return self._hides_paragraphs and any(
            attribute(mark, "is-hidden") == "true" for mark in paragraph.iter("{*}hidden-paragraph")
        )

    def _label(self, paragraph: etree._Element, style: ParagraphStyle) -> str:
        """Count the paragraph in its list, if it is the first of an item, or among the headings."""
        if self._lists:
            item = self._lists[-1]
            if not item.waiting:
                return ""
            item.waiting = False
            name = item.style or style.list_style
            return self._numbering.next_label(item.count, name, item.level, item.start)
        return self._numbering.heading_label(paragraph) if local_name(paragraph) == "h" else ""

    def _inline(self, parent: etree._Element, around: _Around) -> None:
        """Take the text of a paragraph, its notes and text boxes put aside."""
        text = parent.text
        for element in parent:
            name = local_name(element)
            self._say(without_anchor(text) if name in _ANCHORED else text, around)
            text = element.tail
            if name and not is_skipped(element):
                handler = self._inline_handlers.get(name)
                if handler is not None:
                    handler(element, around)
                else:
                    self._inline(element, self._inside(element, around))
        self._say(text, around)

    def _inside(self, element: etree._Element, around: _Around) -> _Around:
        """Return what is around the text of a span, a link or a field."""
        if not element.attrib:
            return around
        hidden = around.reason is None and attribute(element, "display") == "none"
        name = attribute(element, "style-name")
        if name is None:
            return replace(around, reason=DropReason.HIDDEN_TEXT) if hidden else around
        return replace(
            around,
            ink=self._styles.inside(around.ink, "text", name),
            reason=DropReason.HIDDEN_TEXT if hidden else around.reason,
        )

    def _say(self, text: str | None, around: _Around) -> None:
        if text:
            reason = around.reason or around.ink.unseen(around.ground)
            look = Look(half_points=max(around.ink.half_points or 24, 4), bold=self._bold)
            self._flow.text(text.replace(LINE_END, " "), look, reason)

    def _spaces(self, _element: etree._Element, around: _Around) -> None:
        self._say(" ", around)

    def _line_break(self, _element: etree._Element, _around: _Around) -> None:
        self._flow.text(LINE_END, Look())

    def _note(self, note: etree._Element, around: _Around) -> None:
        is_endnote = local_name(note) == "endnote" or attribute(note, "note-class") == "endnote"
        body = next((inner for inner in note if local_name(inner).endswith("-body")), None)
        if body is not None:
            inside = _Around(ground=self._styles.page_ground, reason=around.reason)
            self._apart(body, inside, self.endnotes if is_endnote else self.footnotes)

    def _apart(self, element: etree._Element, around: _Around, flow: Flow) -> None:
        """Read what stands apart from the paragraph that is being read."""
        before = self._flow, self._lists, self._bold
        self._flow, self._lists = flow, []
        self._blocks(element, around)
        self._flow, self._lists, self._bold = before

    def _annotation(self, annotation: etree._Element, _around: _Around) -> None:
        self._left_out.add(DropReason.COMMENT, written_text(annotation))

    def _reading(self, element: etree._Element, _around: _Around) -> None:
        """Leave out what says above a word how it is read."""
        self._left_out.add(DropReason.PHONETIC_GUIDE, "".join(map(str, element.itertext())))

    def _hidden_text(self, element: etree._Element, around: _Around) -> None:
        if attribute(element, "is-hidden") == "true":
            hidden = attribute(element, "string-value") or "".join(map(str, element.itertext()))
            self._say(hidden, replace(around, reason=DropReason.HIDDEN_TEXT))
        else:
            self._say("".join(map(str, element.itertext())), around)

    def _frame(self, frame: etree._Element, around: _Around) -> None:
        """Take what a frame shows: a text box, a picture, or a formula that stands in the line."""
        self.large_pictures += is_large_picture(frame)
        for inner in frame:
            formula = formula_in(inner, self._parts.formulas) if local_name(inner) == "object" else None
            if formula is not None:
                self._say(linear(formula), around)
                return
        self._shape(frame, around)

    def _shape(self, shape: etree._Element, around: _Around) -> None:
        """Put the text of a frame or a shape aside; it stands after its paragraph."""
        own = self._styles.ground("graphic", attribute(shape, "style-name") or "")
        ground = own or (self._frame_ground if self._frame_ground is not None else around.ground)
        reason = DropReason.OUTSIDE_PAGE if is_far_away(shape) else around.reason
        box = Flow()
        self._apart(shape, _Around(ground=ground, reason=reason), box)
        self._flow.put_aside(box.finish())

    def _has_pictures(self) -> bool:
        return next(self._parts.text.iter("{*}image"), None) is not None

    def _list(self, element: etree._Element, around: _Around) -> None:
        outer = self._lists[-1] if self._lists else None
        style = attribute(element, "style-name") or (outer.style if outer else "")
        count = outer.count if outer else self._numbering.begin(element, style)
        self._lists.append(_List(count, style, outer.level + 1 if outer else 1))
        self._blocks(element, around)
        self._lists.pop()

    def _list_item(self, item: etree._Element, around: _Around) -> None:
        if self._lists:
            self._lists[-1].waiting = True
            self._lists[-1].start = attribute(item, "start-value")
        self._blocks(item, around)

    def _list_header(self, header: etree._Element, around: _Around) -> None:
        if self._lists:
            self._lists[-1].waiting = False
        self._blocks(header, around)

    def _numbered_paragraph(self, element: etree._Element, around: _Around) -> None:
        style = attribute(element, "style-name") or ""
        count = self._numbering.begin(element, style)
        level = number_of(attribute(element, "level"), 1)
        self._lists.append(_List(count, style, level, waiting=True, start=attribute(element, "start-value")))
        self._blocks(element, around)
        self._lists.pop()

    def _table(self, table: etree._Element, around: _Around) -> None:
        inside = replace(self._on_ground(table, "table", around), depth=around.depth + 1)
        lists, self._lists = self._lists, []
        for row in nearest(table, {"table-row"}):
            for _copy in range(self._copies_of(row, "number-rows-repeated")):
                self._row(row, self._on_ground(row, "table-row", inside))
        self._lists = lists

    def _row(self, row: etree._Element, around: _Around) -> None:
        beside = 0
        for cell in nearest(row, {"table-cell", "covered-table-cell"}):
            if local_name(cell) == "covered-table-cell":
                self._left_out.add(DropReason.HIDDEN_TEXT, written_text(cell))
                # A cell that reaches over its neighbours is one, one that reaches down is empty below.
                if not beside:
                    self._flow.end_cell(Format(depth=around.depth))
                beside = max(beside - 1, 0)
                continue
            beside = number_of(attribute(cell, "number-columns-spanned"), 1) - 1
            for _copy in range(self._copies_of(cell, "number-columns-repeated")):
                self._blocks(cell, self._on_ground(cell, "table-cell", around))
                self._flow.end_cell(Format(depth=around.depth))
        self._flow.end_row(around.depth)

    def _on_ground(self, element: etree._Element, family: str, around: _Around) -> _Around:
        ground = self._styles.ground(family, attribute(element, "style-name") or "")
        return around if ground is None else replace(around, ground=ground)

    def _copies_of(self, element: etree._Element, name: str) -> int:
        """Return how often a row or a cell is shown; nothing long is repeated, and nothing without end."""
        times = number_of(attribute(element, name), 1)
        if times <= 1 or not is_short(element):
            return 1
        times = min(times, 1 + self._copies)
        self._copies -= times - 1
        return times

    def _section(self, section: etree._Element, around: _Around) -> None:
        hidden = attribute(section, "is-hidden") == "true" or attribute(section, "display") == "none"
        self._blocks(section, replace(around, reason=DropReason.HIDDEN_TEXT) if hidden else around)

    def _contents(self, index: etree._Element, _around: _Around) -> None:
        body = child(index, "index-body")
        if body is not None:
            self._left_out.add(DropReason.TABLE_OF_CONTENTS, written_text(body))

    def _bibliography(self, index: etree._Element, around: _Around) -> None:
        body = child(index, "index-body")
        if body is not None:
            self._blocks(body, replace(around, kind=BlockKind.REFERENCE))

    def _index_title(self, title: etree._Element, around: _Around) -> None:
        self._blocks(title, replace(around, kind=BlockKind.HEADING))

    def _tracked_changes(self, changes: etree._Element, _around: _Around) -> None:
        for deletion in changes.iter("{*}deletion"):
            self._left_out.add(DropReason.DELETED_REVISION, written_text(deletion))
