"""One text of a comparison: page, passages, highlights, overview."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QWheelEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenu, QWidget

from simcompare.loading.inspection import disguises
from simcompare.model.document import Document, Span
from simcompare.session.decisions import Decided, Decision
from simcompare.support.arrays import Int64Array
from simcompare.support.i18n import _
from simcompare.ui.compare.text_pane.highlights import NO_RANGES, ExcludedRanges, TextRanges, Utf16Map
from simcompare.ui.compare.text_pane.passage_ranges import PassageRanges, ShownPassages
from simcompare.ui.compare.text_pane.text_overview import GUTTER_PX, Shares, TextOverview
from simcompare.ui.compare.text_pane.text_painting import SearchHits, SentenceDecisions
from simcompare.ui.compare.text_pane.text_view import CopyableTexts, PassageEntries, TextView, plain_text
from simcompare.ui.compare.text_pane.typography import (
    SIDE_PX,
    BlockStyle,
    apply_typography,
    block_styles,
    muted_blocks,
)
from simcompare.ui.labels import disguise_in_words
from simcompare.ui.preferences import USUAL_TEXT_PERCENT
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.layouts import column_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import (
    APPEARANCE,
    GRID_PX,
    follow_theme,
    on_surface,
    scaled,
    use_look,
    use_quotes,
)

_WIDEST_TEXT_PX = 760
_DEFAULT_POINTS = 12.0
_WIDE = 10_000  # large enough that the margins get nothing before the page has its full width


class TextPane(QWidget):
    """Shows a document with its matched sentences; all offsets are code points of the document's text."""

    offset_clicked = Signal(int)
    """Code point of a clicked character."""
    hovered = Signal(int)
    """Code point of the character below the pointer, or -1."""
    passage_clicked = Signal(int, int)
    """Index of a passage whose mark or bar was clicked, and the code point there."""
    passage_decided = Signal(int, object)
    """Index of a passage, and the Decision on it that was chosen in the menu, or None."""
    scrolled = Signal()
    """Scrolled, resized or laid out."""
    scrolled_by_user = Signal()
    """Scrolled by wheel, key or overview, not by the program."""
    passages_changed = Signal()
    """Passages, decisions on them or the selected one."""
    size_turned = Signal(int)
    """Angle of the wheel turned with Ctrl, in eighths of a degree."""

    def __init__(self, overview_first: bool = False, parent: QWidget | None = None) -> None:
        """`overview_first`: the overview is to the left of the text."""
        super().__init__(parent)
        self._document: Document | None = None
        self._styles: list[BlockStyle] = []
        self._prepared: tuple[Document | None, list[BlockStyle]] = (None, [])
        self._utf16 = Utf16Map("")
        self._menu_passage: int | None = None
        self._found = SearchHits.none()
        self.copyable_texts_at: Callable[[int], CopyableTexts] = lambda _offset: CopyableTexts()
        """Returns the texts to copy at a code point."""
        self.extend_menu: Callable[[QMenu, int | None], None] = lambda _menu, _offset: None
        """Adds entries to the context menu at a code point, or outside the text."""
        self._text_percent, self._fitted_points = USUAL_TEXT_PERCENT, 0.0
        self._selected: Span | None = None
        self._view = TextView(self)
        self.menu = self._view.menu
        self._invitation = MutedLabel()
        self._invitation.setObjectName("dropPlace")
        self._invitation.setMargin(8 * GRID_PX)
        self._invitation.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._invitation.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._invitation.hide()
        column_of(self._view.viewport(), None, self._invitation, None, margins_px=(8 * GRID_PX,) * 4)
        self._overview = TextOverview(self)
        row = QHBoxLayout(self)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(self._view, _WIDE)
        row.addStretch(1)
        row.insertWidget(0 if overview_first else -1, self._overview)
        row.setContentsMargins(*((GRID_PX, 0, 0, 0) if overview_first else (0, 0, GRID_PX, 0)))
        self._view.character_clicked.connect(
            lambda position: self.offset_clicked.emit(self._utf16.to_code_point(position))
        )
        self._view.passage_clicked.connect(lambda index: self._report_passage(index, 0))
        self._view.menu_requested.connect(self._show_menu)
        self._view.menu.decided.connect(self._decide_menu_passage)
        self._view.size_turned.connect(self.size_turned)
        self._view.hovered.connect(lambda place: self.hovered.emit(self._utf16.to_code_point(place)))
        self._view.reflowed.connect(self._update_after_layout)
        self._view.verticalScrollBar().valueChanged.connect(self._show_view)
        # the bar reports an action before it is done; several may come in one turn
        self._user_scroll_timer = QTimer(self, singleShot=True, interval=0)
        self._user_scroll_timer.timeout.connect(self.scrolled_by_user)
        self._view.verticalScrollBar().actionTriggered.connect(self._user_scroll_timer.start)
        self._overview.mark_clicked.connect(self._report_mark)
        self._overview.scroll_requested.connect(self._scroll_to_share)
        on_surface(self)
        self.setFocusProxy(self._view)
        follow_theme(self._fit_text)
        follow_language(self._show_name)

    # --- contents

    def clear(self) -> None:
        self._prepared = None, []
        self._document, self._styles = self._prepared
        self._show_text("")

    def say(self, words: str, *, is_invitation: bool) -> None:
        """Show in the empty pane what to drop there, or that its text is being read; "" for nothing."""
        use_look(self._invitation, "dropPlace" if is_invitation else "muted")
        self._invitation.setText(words)
        self._invitation.setVisible(bool(words))

    def is_prepared_for(self, document: Document) -> bool:
        return self._prepared[0] is document

    def prepare(self, document: Document) -> None:
        self._prepared = document, block_styles(document)

    def set_document(self, document: Document) -> None:
        """Show a document from its beginning, without highlights."""
        if not self.is_prepared_for(document):
            self.prepare(document)
        self._document, self._styles = self._prepared
        self._show_text(document.text)

    def _show_text(self, text: str) -> None:
        self._utf16 = Utf16Map(text)
        self.set_selected(None)
        self.set_framed(())
        self.set_highlights(NO_RANGES)
        self.set_passages(NO_RANGES, np.zeros(0, np.int8))
        self.set_hits(NO_RANGES, None)
        self.set_excluded(NO_RANGES, ())
        blocks = self._document.blocks if self._document else ()
        self._view.set_muted(muted_blocks(blocks, self._styles, self._utf16))
        found = disguises(self._document) if self._document else []
        places = np.array([(span.start, span.end) for span, _name in found], np.int64).reshape(-1, 2)
        text = self._document.text if self._document else ""
        self._view.set_disguises(
            TextRanges(places, self._utf16), lambda n: disguise_in_words(*found[n], text)
        )
        self._view.relayout(lambda: self._replace_text(text))
        self._view.scroll_to(0)
        self._show_name()

    def _replace_text(self, text: str) -> None:
        self._view.setPlainText(text)
        self._apply_typography()

    def _apply_typography(self) -> None:
        if self._document:
            apply_typography(self._view.document(), self._document, self._styles, self._utf16)

    def set_decisions(self, decisions: SentenceDecisions) -> None:
        self._view.set_decisions(decisions)

    def set_highlights(self, spans: NDArray[np.integer]) -> None:
        """Show these sentences as matched, shape (n, 2) and sorted, and no others."""
        self._view.set_highlights(TextRanges(spans.astype(np.int64), self._utf16))

    # --- passages

    @property
    def shown_passages(self) -> ShownPassages:
        return self._view.shown_passages

    def set_passages(self, spans: NDArray[np.integer], kinds: NDArray[np.integer]) -> None:
        """Show these passages, shape (n, 2) with indices into PASSAGE_KINDS, and no others."""
        self.shown_passages.passages = PassageRanges(spans, kinds, self._utf16)
        self._menu_passage = None
        self._view.menu.disable_decisions()
        self.set_selected_passage(None)
        self._show_marks()

    def passage_at(self, offset: int) -> int | None:
        return self.shown_passages.passages.at(self._utf16.to_utf16(offset))

    def set_passage_decisions(self, decided: Decided) -> None:
        """Fade or flag the passages by the decisions on them."""
        self.shown_passages.passages.decide(decided)
        self.repaint_passages()

    def set_selected_passage(self, index: int | None) -> None:
        self.shown_passages.selected = index
        self._show_selected_mark()
        self.repaint_passages()

    def set_passage_sources(
        self,
        changes: Callable[[int], NDArray[np.integer]],
        in_words: Callable[[int], str],
        synonyms_at: Callable[[int], str] = lambda _offset: "",
    ) -> None:
        """Set functions that return changed words, the name of a passage and the synonyms at a place."""

        def changes_in(index: int, start: int, end: int) -> Int64Array:
            words = changes(index).astype(np.int64)
            start, end = self._utf16.to_code_point(start), self._utf16.to_code_point(end)
            words = words[(words[:, 0] < end) & (words[:, 1] > start)]
            words[:, :2] = self._utf16.all_to_utf16(words[:, :2])
            return words

        self._view.changes_in_passage, self._view.passage_in_words = changes_in, in_words
        self._view.synonyms_at = lambda position: synonyms_at(self._utf16.to_code_point(position))

    def repaint_passages(self) -> None:
        self._view.repaint_passages()
        self.passages_changed.emit()

    # --- hits, excluded text, selection, text size

    def set_hits(self, places: Int64Array, current: int | None) -> None:
        """Mark these hits, shape (n, 2) and sorted, and outline the one at index `current`."""
        self._found = SearchHits(places, current, self._utf16)
        self._view.set_hits(self._found)
        self._overview.set_hits(self._shares(self._found.starts), current)

    def set_excluded(self, spans: NDArray[np.integer], words: Sequence[str]) -> None:
        """Grey these sentences, shape (n, 2), and no others; `words` are their tool tips."""
        self._view.set_excluded(ExcludedRanges(spans.astype(np.int64), words, self._utf16))

    def set_selected(self, span: Span | None) -> None:
        self._selected = span
        self._view.set_selected(self._positions(span) if span else None)
        self._show_selected_mark()

    def set_framed(self, spans: Sequence[Span]) -> None:
        """Frame these places beside the selected sentence, and no others."""
        self._view.set_framed([self._positions(span) for span in spans])

    def _positions(self, span: Span) -> tuple[int, int]:
        return self._utf16.to_utf16(span.start), self._utf16.to_utf16(span.end)

    def set_text_percent(self, percent: int) -> None:
        self._text_percent = percent
        self._fit_text()

    def _fit_text(self) -> None:
        points = _DEFAULT_POINTS * self._text_percent / 100 * APPEARANCE.text_scale
        self._view.setMaximumWidth(scaled(_WIDEST_TEXT_PX) + 2 * SIDE_PX + GUTTER_PX)
        if points != self._fitted_points:
            self._fitted_points = points
            self.set_font_size(points)

    def set_font_size(self, points: float) -> None:
        """Set the text size in points; the visible text stays in place."""
        font = self.font()
        font.setPointSizeF(points)
        use_quotes(font, latin=False)  # those of Latin texts are from a Latin font
        self._view.keep_place(lambda: self._view.relayout(lambda: self._replace_font(font)))

    def _replace_font(self, font: QFont) -> None:
        self._view.setFont(font)
        self._view.document().setDefaultFont(font)
        self._apply_typography()

    def _show_name(self) -> None:
        name = self._document.path.name if self._document else ""
        self._view.setAccessibleName(_("Text of {name}").format(name=name) if name else _("No text"))

    # --- positions

    def page_y_of(self, span: Span) -> int:
        """Y of a span's first line on the page, in pixels."""
        return self._view.page_top_of(self._utf16.to_utf16(span.start))

    def page_ys_of(self, offsets: Int64Array) -> Shares:
        """Y of sorted code points on the page, in pixels; estimated if not laid out yet."""
        return self._shares(self._utf16.all_to_utf16(offsets)) * self._page_extent()

    @property
    def page_px(self) -> int:
        return self._view.lines.page_height()

    @property
    def scrolled_px(self) -> int:
        return self._view.verticalScrollBar().value()

    def scroll_page_to(self, value_px: int) -> None:
        self._view.scroll_to(max(0, min(value_px, self.page_px - self._view.viewport().height())))

    def viewport_y_of(self, span: Span) -> int:
        """Y of a span's first line in the viewport, in pixels; may be outside."""
        return self.page_y_of(span) - self._view.verticalScrollBar().value()

    def bring_to(self, span: Span, y: int) -> None:
        """Scroll until a span's first line is at `y` of the viewport, limited to the viewport."""
        self._view.bring_to(self._utf16.to_utf16(span.start), y)

    def reveal(self, span: Span) -> None:
        self._view.reveal(*self._positions(span))

    @property
    def first_visible(self) -> int:
        """Code point of the first visible character."""
        return self._utf16.to_code_point(self._view.first_visible())

    @property
    def selected_words(self) -> tuple[int, str]:
        """Start of the selected text and its first line, which may be empty."""
        cursor = self._view.textCursor()
        lines = plain_text(cursor.selectedText()).strip().splitlines()
        return self._utf16.to_code_point(cursor.selectionStart()), lines[0] if lines else ""

    # --- the overview

    def _update_after_layout(self) -> None:
        self._show_marks()
        self._show_view()

    def _shares(self, positions: Int64Array) -> Shares:
        return self._view.estimated_ys(positions) / self._page_extent()

    def _page_extent(self) -> int:
        return max(self._view.lines.page_height(), self._view.viewport().height(), 1)

    def _show_marks(self) -> None:
        passages = self.shown_passages.passages
        self._overview.set_marks(self._shares(passages.starts), self._shares(passages.ends), passages.kinds)
        self._overview.set_hits(self._shares(self._found.starts), self._found.current)
        self._show_selected_mark()

    def _show_selected_mark(self) -> None:
        if self._selected is not None:
            place = self._positions(self._selected)[0]
            part = place, place
        elif self.shown_passages.selected is not None:
            part = self.shown_passages.passages.range_of(self.shown_passages.selected)
        else:
            self._overview.set_selected(None)
            return
        first, last = self._shares(np.array(part)).tolist()
        self._overview.set_selected((first, last))

    def _show_view(self) -> None:
        top = self._view.verticalScrollBar().value()
        extent = self._page_extent()
        self._overview.set_view(top / extent, (top + self._view.viewport().height()) / extent)
        self.scrolled.emit()

    # --- mouse and keyboard

    def _show_menu(self, position: int | None, place: QPoint) -> None:
        offset = None if position is None else self._utf16.to_code_point(position)
        passage = None if position is None else self.shown_passages.passages.at(position)
        self._menu_passage = passage
        texts = CopyableTexts() if offset is None else self.copyable_texts_at(offset)
        entries = None if passage is None else self._menu_entries(passage)
        self._view.menu.show(texts, entries, place, lambda menu: self.extend_menu(menu, offset))

    def _menu_entries(self, passage: int) -> PassageEntries:
        decision = self.shown_passages.passages.decision_on(passage)
        return PassageEntries(self._view.passage_in_words(passage), decision)

    def _decide_menu_passage(self, decision: Decision | None) -> None:
        if self._menu_passage is not None:
            self.passage_decided.emit(self._menu_passage, decision)

    def _report_mark(self, index: int, share: float) -> None:
        """Scroll to the place first, so that it is in view when the passage is selected."""
        self._scroll_to_share(share)
        self._report_passage(index, self._view.viewport().height() // 2)

    def _report_passage(self, index: int, y: int) -> None:
        """Report a passage with its text at a height of the viewport, or its visible text nearest to that."""
        passages = self.shown_passages.passages
        position = max(self._view.position_at(0, y), int(passages.starts[index]))
        offset = self._utf16.to_code_point(min(position, int(passages.ends[index]) - 1))
        self.passage_clicked.emit(index, offset)

    def _scroll_to_share(self, share: float) -> None:
        self._view.verticalScrollBar().setValue(
            round(share * self._page_extent() - self._view.viewport().height() / 2)
        )
        self._user_scroll_timer.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the text from its margins and the overview, too; Ctrl + wheel changes the text size."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.size_turned.emit(event.angleDelta().y())
            event.accept()
        else:
            QApplication.sendEvent(self._view.verticalScrollBar(), event)
