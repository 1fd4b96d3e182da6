"""Walk over an HTML tree: collect the visible text in blocks, in reading order."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Self
from zlib import crc32

from lxml import etree

from simcompare.loading.extraction import (
    SPACES,
    DroppedText,
    Piece,
    cleaned,
    gap_of,
    is_visible,
    note_mark,
    note_marks_in,
    visible_length,
)
from simcompare.loading.formats.web.css_cascade import Cascade, Declarations, HtmlLook, reason_to_hide
from simcompare.loading.formats.web.html_parsing import (
    BLOCKS,
    CELLS,
    CONTROLS,
    KINDS,
    NO_TEXT,
    PREFORMATTED,
    TEXT_BOX,
    parsed,
    tag_of,
    written_text,
)
from simcompare.loading.formats.web.office_marks import ListNumbers, is_counted, is_row_of_cells, role_of
from simcompare.model.document import BlockKind, DropReason, Place

_BLOCK_DISPLAYS = frozenset({"block", "flex", "grid", "list-item", "table", "table-row", "table-caption"})
_LINE_END = re.compile(r"\r\n?|\n")
# Text in <noscript> belongs to the page only if it is at least this long and most of the text.
_LEAST_NOSCRIPT_CHARACTERS = 200
_MOST_PAGES_WITHIN = 3
# A hidden element with at least this share of the text is shown by a script after loading.
_SHOWN_BY_SCRIPT_SHARE = 0.5
_FADED_IN = frozenset({"opacity", "visibility"})  # scripts of web sites fade in one paragraph after another
_SHOWN_BY_SCRIPT_ID = "js_content"  # articles on WeChat


class HtmlWalker:
    """Collect the pieces and the dropped text of a page.

    It does not recurse into elements, because broken pages nest thousands of them.
    """

    def __init__(
        self,
        cascade: Cascade,
        dropped_text: DroppedText,
        *,
        on_site: bool,
        depth: int = 0,
        pieces_before: int = 0,
    ) -> None:
        self.pieces: list[Piece] = []
        self.first_headings: list[str] = []
        self.dropped_text = dropped_text
        # Invisible content: whole elements, and single texts ("text" or "tail") of an element.
        self.hidden_elements: list[etree._Element] = []
        self.hidden_texts: list[tuple[etree._Element, str]] = []
        self._cascade = cascade
        self._on_site = on_site
        # Web sites and unavailable style sheets may show lists without numbers.
        self._numbers = None if on_site or cascade.has_unknown_sheets else ListNumbers()
        self._number = ""
        self._depth = depth
        self._pieces_before = pieces_before
        self._text: list[str] = []
        self._note_targets: set[str] = set()
        self._waiting_drops: list[tuple[DropReason, str]] = []
        self._looks: list[HtmlLook] = [HtmlLook()]
        self._open: list[tuple[etree._Element, BlockKind | None]] = []
        self._preformatted: list[etree._Element] = []
        # The open table row, and the text of its cells so far.
        self._row: etree._Element | None = None
        self._cells: list[str] = []
        self._boxes: list[Piece] = []
        self._page_characters: int | None = None

    @classmethod
    def over(
        cls,
        root: etree._Element,
        sheets: Iterable[str] = (),
        frames: Iterable[str] = (),
        *,
        on_site: bool = False,
    ) -> Self:
        """Walk over all of `root` and then over its frames, and return the walker.

        `sheets` and `frames` are the style sheets and frame pages stored with the page; `on_site` means
        that it is a web page with menus rather than a document.
        """
        # Scripts of web sites undo many rules of their style sheets, so only inline styles count there.
        cascade = Cascade([], has_unknown_sheets=True) if on_site else Cascade.of(root, sheets)
        walk = cls(cascade, DroppedText(), on_site=on_site)
        if any(True for _script in root.iter("script")):
            body = root.find("body")
            walk._page_characters = visible_length(written_text(root if body is None else body))
        walk._over(root)
        for frame in frames:
            walk._page_within(frame)
        return walk

    def _over(self, root: etree._Element) -> None:
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "end":
                self._leave(element)
                if element is not root:
                    self._append(element, "tail", self._looks[-1])
            elif self._enter(element):
                events.skip_subtree()
        self._flush()

    def _enter(self, element: etree._Element) -> bool:
        """Enter an element; return whether its content needs no further processing."""
        tag = tag_of(element)
        around = self._looks[-1]
        self._looks.append(around)
        if not tag or tag in NO_TEXT:
            return True
        declared = self._cascade.enter(element)
        if tag == "rt":
            self._leave_out(DropReason.PHONETIC_GUIDE, element)
            return True
        if declared and self._on_site and self._page_characters is not None:
            declared = {name: value for name, value in declared.items() if name not in _FADED_IN}
        look = around.inside(element, declared, may_be_styled=self._may_be_styled(element))
        reason = reason_to_hide(element, declared)
        if (reason or look.visible is not around.visible) and self._is_shown_by_script(element):
            reason, look = None, replace(look, visible=True)
        if reason is not None:
            self._leave_out(reason, element)
            return True
        self._looks[-1] = look
        return self._enter_seen(element, tag, declared)

    def _enter_seen(self, element: etree._Element, tag: str, declared: Declarations) -> bool:
        role = role_of(element, tag, declared)
        if isinstance(role, DropReason):
            self._leave_out(role, element)
            return True
        self._mark_note(element)
        if is_counted(element, tag, declared):
            for link in element.iter("a"):
                if target := (link.get("href") or "").partition("#")[2]:
                    self._note_targets.add(target)
                    self._text.append(self._note_mark(target))
            self.hidden_elements.append(element)
            return True
        if self._is_done(element, tag):
            return True
        if tag in BLOCKS or declared.get("display") in _BLOCK_DISPLAYS:
            self._flush()
            self._open.append((element, role or KINDS.get(tag)))
        self._number = self._number_before(element, tag, declared) or self._number
        if tag in PREFORMATTED:
            self._preformatted.append(element)
        if tag == "tr" and self._row is None and is_row_of_cells(element):
            self._row = element
        elif tag in CELLS and self._row is not None and element.getparent() is self._row:
            self._cells.append("")
        self._append(element, "text", self._looks[-1])
        return False

    def _mark_note(self, element: etree._Element) -> None:
        """Mark the beginning of the note to which a mark before linked."""
        names = {element.get("id"), element.get("name")} if self._note_targets else set()
        for target in self._note_targets & names:
            self._note_targets.remove(target)
            self._text.append(self._note_mark(target))

    def _note_mark(self, target: str) -> str:
        # pages within the page may use the same names
        return note_mark(crc32(f"{self._pieces_before} {target}".encode()))

    def _number_before(self, element: etree._Element, tag: str, declared: Declarations) -> str:
        """Return the number of a list item; note numbers are dropped, as their marks in the text are."""
        number = self._numbers.enter(element, tag, declared) if self._numbers else ""
        return "" if number and self._kind() is BlockKind.FOOTNOTE else number

    def _is_done(self, element: etree._Element, tag: str) -> bool:
        """Process an element whose text is not simply its content; return False for any other element."""
        if tag == "br":
            self._flush()
        elif tag == "input" and not self._on_site and (element.get("type") or "text").lower() == "text":
            # Text typed into a form.
            self._text.append(f" {element.get('value') or ''} ")
        elif tag in CONTROLS:
            self._leave_out(DropReason.NAVIGATION, element)
        elif tag == "textarea":
            self._lines(element.text or "")
        elif tag == "iframe":
            self._page_within(element.get("srcdoc") or "")
        elif tag == TEXT_BOX:
            element.tag = "div"
            self._boxes += self._within(element, self._cascade)
        elif tag == "noscript":
            return not _is_page_itself(element)
        else:
            return False
        return True

    def _leave(self, element: etree._Element) -> None:
        self._looks.pop()
        if tag_of(element) not in NO_TEXT:
            self._cascade.leave()
        if self._open and self._open[-1][0] is element:
            self._flush()
            self._open.pop()
        if self._numbers is not None:
            self._numbers.leave(element)
            self._number = "" if element.tag == "li" else self._number
        if self._preformatted and self._preformatted[-1] is element:
            self._preformatted.pop()
        if self._row is element:
            cells, self._row, self._cells = self._cells, None, []
            if any(map(is_visible, cells)):
                self._add(cleaned(Piece(BlockKind.TABLE_ROW, "\t".join(cells))))
            self._place_dropped()

    def _may_be_styled(self, element: etree._Element) -> bool:
        return self._cascade.has_unknown_sheets and (
            element.get("class") is not None or element.get("id") is not None
        )

    def _is_shown_by_script(self, element: etree._Element) -> bool:
        if self._page_characters is None:
            return False
        characters = visible_length(written_text(element))
        return characters > 0 and (
            element.get("id") == _SHOWN_BY_SCRIPT_ID
            or characters >= _SHOWN_BY_SCRIPT_SHARE * self._page_characters
        )

    def _leave_out(self, reason: DropReason, element: etree._Element) -> None:
        self.hidden_elements.append(element)
        self._waiting_drops.append((reason, written_text(element)))

    def _append(self, element: etree._Element, place: str, look: HtmlLook) -> None:
        text = element.text if place == "text" else element.tail
        if not text:
            return
        reason = None if text.isspace() else look.hidden_reason()
        if reason is not None:
            self.hidden_texts.append((element, place))
            self._waiting_drops.append((reason, text))
            self._text.append(gap_of(reason, _LINE_END.sub(" ", text)))
        elif self._preformatted:
            self._lines(text)
        else:
            self._text.append(text)

    def _lines(self, text: str) -> None:
        first, *others = _LINE_END.split(text)
        self._text.append(first)
        for line in others:
            self._flush()
            self._text.append(line)

    def _flush(self) -> None:
        text = "".join(self._text)
        self._text.clear()
        piece = cleaned(Piece(self._kind(), text)) if text and not text.isspace() else None
        if self._row is not None:
            if piece and piece.text:
                self._cells[-1:] = [f"{' '.join(self._cells[-1:])} {SPACES.sub(' ', text)}"]
            return
        if piece and is_visible(piece.text):
            marks = tuple((len(self._number) + place, number) for place, number in piece.marks)
            self._add(replace(piece, text=self._number + piece.text, marks=marks) if self._number else piece)
            self._number = ""
        elif piece:
            self._text += note_marks_in(text)
        self._place_dropped()
        if self._boxes:
            self.pieces += self._boxes
            self._boxes = []

    def _kind(self) -> BlockKind:
        """Return the kind of the innermost open element that has one; everything within a note is a note."""
        kinds = [kind for _element, kind in reversed(self._open) if kind]
        return BlockKind.FOOTNOTE if BlockKind.FOOTNOTE in kinds else next(iter(kinds), BlockKind.PARAGRAPH)

    def _add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        if any(element.tag == "h1" for element, _kind in self._open):
            self.first_headings.append(piece.text)

    def _place_dropped(self) -> None:
        """Place waiting dropped text at its own paragraph, or else at the paragraph before it."""
        if not self._waiting_drops:
            return
        place = Place(paragraph=max(1, self._pieces_before + len(self.pieces)))
        for reason, text in self._waiting_drops:
            self.dropped_text.add(reason, text, place)
        self._waiting_drops.clear()

    def _page_within(self, markup: str) -> None:
        """Read a page that is embedded as an attribute (`srcdoc`)."""
        if markup.strip() and self._depth < _MOST_PAGES_WITHIN:
            root = parsed(markup)
            self._flush()
            self.pieces += self._within(root, Cascade.of(root))

    def _within(self, root: etree._Element, cascade: Cascade) -> list[Piece]:
        before = self._pieces_before + len(self.pieces)
        walk = HtmlWalker(
            cascade,
            self.dropped_text,
            on_site=self._on_site,
            depth=self._depth + 1,
            pieces_before=before,
        )
        walk._over(root)
        return walk.pieces


def _is_page_itself(noscript: etree._Element) -> bool:
    characters = visible_length(written_text(noscript))
    if characters < _LEAST_NOSCRIPT_CHARACTERS:
        return False
    body = noscript.getroottree().getroot().find("body")
    return body is not None and characters * 2 > visible_length(written_text(body))
