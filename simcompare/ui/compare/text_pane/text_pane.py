"""One text of a comparison: the page, its highlights, and the overview that scrolls it."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QWheelEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document, Span
from simcompare.support.i18n import _
from simcompare.ui.compare.text_pane.highlights import ExcludedRanges, Highlights, IntArray, Utf16Map
from simcompare.ui.compare.text_pane.minimap import Minimap, Shares
from simcompare.ui.compare.text_pane.text_painting import FoundWords, JudgedSentences
from simcompare.ui.compare.text_pane.text_view import Quotes, TextView, plain_text
from simcompare.ui.compare.text_pane.typography import MARGIN_PX, BlockLook, looks_of, muted_blocks, set_type
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import GRID_PX, LIGHT, Theme, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls


_WIDEST_TEXT_PX = 760
_DEFAULT_POINTS = 12.0
_WHEEL_NOTCH = 120
_WIDE = 1000  # any stretch that leaves the empty sides nothing until the page is at its widest


class TextPane(QWidget):
    """Shows a document with its matched sentences; all offsets are code points of the document's text."""

    offset_clicked = Signal(int)
    """A plain click on a character, or on the mark of a highlight (its first character)."""
    scrolled = Signal()
    scrolled_by_hand = Signal()
    """By wheel, key or overview; not where the program brought the text."""
    find_requested = Signal()
    size_step_requested = Signal(int)
    """1 for larger letters, -1 for smaller ones."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._looks: list[BlockLook] = []
        self._prepared: tuple[Document | None, list[BlockLook]] = (None, [])
        self._utf16 = Utf16Map("")
        self._highlights = Highlights((), self._utf16)
        self._found = FoundWords.none()
        self._quotes_at: Callable[[int], Quotes] = _nothing_to_quote
        self._turned = 0
        self._selected: Span | None = None
        self._block_tops: tuple[Shares, Shares] | None = None
        self._view = TextView(self)
        self._view.setMaximumWidth(_WIDEST_TEXT_PX + 2 * MARGIN_PX)
        self._minimap = Minimap(self)
        self._lay_out()
        self._connect()
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._view)
        self.set_font_size(_DEFAULT_POINTS)
        self.apply_theme(LIGHT)
        self.retranslate()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, GRID_PX, 0)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(self._view, _WIDE)
        row.addStretch(1)
        row.addWidget(self._minimap)

    def _connect(self) -> None:
        self._view.character_clicked.connect(self._report_click)
        self._view.menu_requested.connect(self._show_menu)
        self._view.menu.find_requested.connect(self.find_requested)
        self._view.size_turned.connect(self._turn)
        self._view.reflowed.connect(self._show_moved)
        self._view.verticalScrollBar().valueChanged.connect(self._show_scrolled)
        # the bar tells of an action before it is done; many may come in one turn
        self._by_hand = QTimer(self, singleShot=True, interval=0)
        self._by_hand.timeout.connect(self.scrolled_by_hand)
        self._view.verticalScrollBar().actionTriggered.connect(self._by_hand.start)
        self._minimap.mark_clicked.connect(self._report_mark)
        self._minimap.scroll_requested.connect(self._scroll_to_share)

    # --- what is shown

    def clear(self) -> None:
        """Show nothing."""
        self._prepared = None, []
        self._document, self._looks = self._prepared
        self._show_text("")

    def is_prepared_for(self, document: Document) -> bool:
        """Whether it is known how the paragraphs of a document look."""
        return self._prepared[0] is document

    def prepare(self, document: Document) -> None:
        """Find out how the paragraphs of a document look, which is then shown the sooner."""
        self._prepared = document, looks_of(document)

    def set_document(self, document: Document) -> None:
        """Show a document from its beginning, without highlights."""
        if not self.is_prepared_for(document):
            self.prepare(document)
        self._document, self._looks = self._prepared
        self._show_text(document.text)

    def _show_text(self, text: str) -> None:
        self._utf16 = Utf16Map(text)
        self.set_selected(None)
        self.set_highlights(())
        self.set_found(np.zeros((0, 2), np.int64), None)
        self.set_excluded(np.zeros((0, 2), np.int64), ())
        blocks = self._document.blocks if self._document else ()
        self._view.set_muted(muted_blocks(blocks, self._looks, self._utf16))
        self._view.relay(lambda: self._take_text(text))
        self._view.scroll_to(0)
        self.retranslate()

    def _take_text(self, text: str) -> None:
        self._view.setPlainText(text)
        self._set_type()

    def _set_type(self) -> None:
        if self._document:
            set_type(self._view.document(), self._document, self._looks, self._utf16)

    def set_highlights(self, spans_and_kinds: Sequence[tuple[Span, MatchKind]]) -> None:
        """Tint and underline these sentences by their kind, and no others."""
        self._take_highlights(Highlights(spans_and_kinds, self._utf16))

    def set_judged(self, judged: JudgedSentences) -> None:
        """Fade or flag the highlights by what was made of them."""
        self._view.set_judged(judged)

    def set_highlight_columns(self, spans: NDArray[np.integer], kinds: NDArray[np.integer]) -> None:
        """Do the same for spans of shape (n, 2) and MatchKind values: many, at each step of a slider."""
        self._take_highlights(Highlights.of_columns(spans, kinds, self._utf16))

    def _take_highlights(self, highlights: Highlights) -> None:
        self._highlights = highlights
        self._view.set_highlights(highlights)
        self._show_marks()

    def set_found(self, places: IntArray, current: int | None) -> None:
        """Mark these words, shape (n, 2) and in order, and outline the one at an index."""
        self._found = FoundWords(places, current, self._utf16)
        self._view.set_found(self._found)
        self._minimap.set_found(self._shares(self._found.starts), current)

    def set_quoter(self, quotes_at: Callable[[int], Quotes]) -> None:
        """Let the context menu offer what this tells of a code point."""
        self._quotes_at = quotes_at

    def set_excluded(self, spans: NDArray[np.integer], words: Sequence[str]) -> None:
        """Grey these sentences, of shape (n, 2), and no others; the words say why, under the mouse."""
        self._view.set_excluded(ExcludedRanges(spans.astype(np.int64), words, self._utf16))

    def set_selected(self, span: Span | None) -> None:
        """Draw a frame round one sentence, or round none."""
        self._selected = span
        self._view.set_selected(self._positions(span) if span else None)
        self._show_selected_mark()

    def _positions(self, span: Span) -> tuple[int, int]:
        return self._utf16.to_utf16(span.start), self._utf16.to_utf16(span.end)

    def set_text_percent(self, percent: int) -> None:
        """Set the text larger or smaller than usual."""
        self.set_font_size(_DEFAULT_POINTS * percent / 100)

    def set_font_size(self, points: float) -> None:
        """Set the text in another size, keeping what is read where it is."""
        font = self.font()
        font.setPointSizeF(points)
        self._view.keep_place(lambda: self._view.relay(lambda: self._take_font(font)))

    def _take_font(self, font: QFont) -> None:
        self._view.setFont(font)
        self._view.document().setDefaultFont(font)
        self._set_type()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.setPalette(surface_palette(theme))
        self._view.apply_theme(theme)
        self._minimap.apply_theme(theme)

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        name = self._document.path.name if self._document else ""
        self._view.setAccessibleName(_("Text of {name}").format(name=name) if name else _("No text"))
        self._view.menu.retranslate()
        self._minimap.retranslate()

    # --- where things are

    def page_height_of(self, span: Span) -> int:
        """Return how far a span's first line stands below the top of the page, in pixels."""
        return self._view.page_top_of(self._utf16.to_utf16(span.start))

    def page_heights_of(self, offsets: IntArray) -> Shares:
        """Return the same for many code points in order; where nothing is laid out yet, an estimate."""
        return self._shares(self._utf16.all_to_utf16(offsets)) * self._extent()

    @property
    def page_px(self) -> int:
        """How high the page is."""
        return self._view.lines.page_height()

    @property
    def scrolled_px(self) -> int:
        """How far the page is scrolled down."""
        return self._view.verticalScrollBar().value()

    def scroll_page_to(self, value_px: int) -> None:
        """Scroll so far down, at most to an end."""
        self._view.scroll_to(max(0, min(value_px, self.page_px - self._view.viewport().height())))

    def height_of(self, span: Span) -> int:
        """Return the y of a span's first line in the viewport, in pixels; it may lie outside."""
        return self.page_height_of(span) - self._view.verticalScrollBar().value()

    def bring_to(self, span: Span, y: int) -> None:
        """Scroll so that a span's first line stands at `y` of the viewport, clamped into it."""
        self._view.bring_to(self._utf16.to_utf16(span.start), y)

    def reveal(self, span: Span) -> None:
        """Bring a span into sight, and leave the text where it is if it is so already."""
        self._view.reveal(*self._positions(span))

    @property
    def first_in_sight(self) -> int:
        """The code point at which what is in sight begins."""
        return self._utf16.to_code_point(self._view.first_in_sight())

    @property
    def selected_words(self) -> tuple[int, str]:
        """Where the text begins that a person has selected, and its first line; that may be empty."""
        cursor = self._view.textCursor()
        lines = plain_text(cursor.selectedText()).strip().splitlines()
        return self._utf16.to_code_point(cursor.selectionStart()), lines[0] if lines else ""

    # --- the overview

    def _show_moved(self) -> None:
        self._block_tops = None
        self._show_marks()
        self._show_view()

    def _shares(self, positions: IntArray) -> Shares:
        """Where positions stand on the page: lines of a block are taken to be equally full."""
        if self._block_tops is None:
            self._block_tops = self._view.lines.block_tops()
        places: Shares = np.interp(positions, *self._block_tops) / self._extent()
        return places

    def _extent(self) -> int:
        return max(self._view.lines.page_height(), self._view.viewport().height(), 1)

    def _show_marks(self) -> None:
        self._minimap.set_marks(self._shares(self._highlights.starts), self._highlights.kinds)
        self._minimap.set_found(self._shares(self._found.starts), self._found.current)
        self._show_selected_mark()

    def _show_selected_mark(self) -> None:
        if self._selected is None:
            self._minimap.set_selected(None)
        else:
            start, _end = self._positions(self._selected)
            self._minimap.set_selected(float(self._shares(np.array([start]))[0]))

    def _show_view(self) -> None:
        top = self._view.verticalScrollBar().value()
        extent = self._extent()
        self._minimap.set_view(top / extent, (top + self._view.viewport().height()) / extent)

    def _show_scrolled(self) -> None:
        self._show_view()
        self.scrolled.emit()

    # --- people

    def _report_click(self, position: int) -> None:
        self.offset_clicked.emit(self._utf16.to_code_point(position))

    def _show_menu(self, position: int | None, place: QPoint) -> None:
        offset = None if position is None else self._utf16.to_code_point(position)
        self._view.menu.show(Quotes() if offset is None else self._quotes_at(offset), place)

    def _report_mark(self, index: int) -> None:
        """Bring the sentence into sight first, so that it is read where it was found."""
        start = int(self._highlights.starts[index])
        self._view.bring_to(start, self._view.viewport().height() // 2)
        self._report_click(start)

    def _scroll_to_share(self, share: float) -> None:
        self._view.verticalScrollBar().setValue(
            round(share * self._extent() - self._view.viewport().height() / 2)
        )
        self._by_hand.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text from its empty sides and from the overview, too; with Ctrl ask for a size."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._turn(event.angleDelta().y())
            event.accept()
        else:
            QApplication.sendEvent(self._view.verticalScrollBar(), event)

    def _turn(self, angle: int) -> None:
        """Add up what a fine wheel reports until it is a notch."""
        self._turned += angle
        notches = int(self._turned / _WHEEL_NOTCH)
        self._turned -= notches * _WHEEL_NOTCH
        if notches:
            self.size_step_requested.emit(1 if notches > 0 else -1)


def _nothing_to_quote(_offset: int) -> Quotes:
    return Quotes()


def quotes_at(workspace: Workspace, side: Side, offset: int) -> Quotes:
    """Return what can be quoted at a code point of one side's text."""
    entry = workspace.documents.entry_on(side)
    prepared_document = entry.prepared_document if entry else None
    sentence = prepared_document.prepared.sentence_at(offset) if prepared_document else None
    if prepared_document is None or sentence is None:
        return Quotes()
    return Quotes(_sentence(prepared_document, sentence), _pair_of(workspace, side, sentence))


def _pair_of(workspace: Workspace, side: Side, sentence: int) -> str:
    comparison = workspace.comparison
    if comparison is None:
        return ""
    match = _match_of(comparison, side, sentence, workspace.selection.selected)
    return "" if match is None else _pair_in_words(comparison, match)


def _pair_in_words(comparison: Comparison, match: int) -> str:
    left, right = comparison.matches[match].left, comparison.matches[match].right
    names = comparison.names
    return f"{_quoted(names[0], comparison.left, left)}\n\n{_quoted(names[1], comparison.right, right)}"


def _match_of(comparison: Comparison, side: Side, sentence: int, selected: int | None) -> int | None:
    """Return the selected match of a sentence, or its best."""
    matches = comparison.matches
    found = matches.of_left(sentence) if side is Side.LEFT else matches.of_right(sentence)
    if selected in found:
        return selected
    best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
    return int(best[sentence]) if found else None


def _quoted(name: str, prepared_document: PreparedDocument, sentence: int) -> str:
    title = _("{name}, sentence {number}:").format(name=name, number=f"{sentence + 1:,}")
    return f"{title}\n{_sentence(prepared_document, sentence)}"


def _sentence(prepared_document: PreparedDocument, sentence: int) -> str:
    return prepared_document.prepared.sentence_span(sentence).of(prepared_document.document.text).strip()
