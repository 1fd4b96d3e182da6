"""Find bar above the texts: words to find, number of hits in each text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from simcompare.model.document import Document, Span
from simcompare.support.confusables import fold_to_latin
from simcompare.support.i18n import N_, _
from simcompare.text.comparable import FoldedText, fold_for_search
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.layouts import tool_button
from simcompare.ui.style.text_labels import announce
from simcompare.ui.style.theme import GRID_PX, follow_theme, icon, scaled, use_look

HitRanges = NDArray[np.int64]
"""Shape (n, 2): start and end (exclusive) of each hit in code points, sorted and without overlaps."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Hit number `index` in the text of one side."""

    side: Side
    index: int


class SearchableText:
    """Text that is searched repeatedly; it is folded once, at the first search."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: FoldedText | None = None

    @property
    def is_empty(self) -> bool:
        return not self._text

    def find_hits(self, words: str) -> HitRanges:
        """Find words regardless of case, width, look-alike letters, simplified or traditional characters."""
        wanted = fold_for_search(words, folds_look_alikes=True).characters
        if not wanted:
            return np.zeros((0, 2), np.int64)
        folded = self.folded()
        # what surrounds a word wholly of look-alike letters in the text tells its script
        pattern = f"{re.escape(wanted)}|{re.escape(fold_to_latin(wanted))}"
        found = [match.start() for match in re.finditer(pattern, folded.characters)]
        firsts = np.array(found, np.int64)
        places = np.stack([folded.starts[firsts], folded.ends[firsts + len(wanted) - 1]], axis=1)
        return _without_overlaps(places.astype(np.int64))

    def folded(self) -> FoldedText:
        if self._folded is None:
            self._folded = fold_for_search(self._text, folds_look_alikes=True)
        return self._folded


def _without_overlaps(places: HitRanges) -> HitRanges:
    """Drop hits that start inside the hit before: both are parts of one character, such as “…”."""
    apart = np.ones(len(places), np.bool_)
    apart[1:] = places[1:, 0] >= places[:-1, 1]
    return places[apart]


@dataclass
class PairSearch:
    """Hits in both texts and the current one.

    Steps go through the hits of the side where the search started, then through those of the other side,
    and wrap around.
    """

    texts: dict[Side, SearchableText] = field(
        default_factory=lambda: {side: SearchableText("") for side in Side}
    )
    hits: dict[Side, HitRanges] = field(
        default_factory=lambda: {side: np.zeros((0, 2), np.int64) for side in Side}
    )
    current: SearchHit | None = None
    _starting_side: Side = Side.LEFT

    @property
    def count(self) -> int:
        return sum(map(len, self.hits.values()))

    @property
    def number(self) -> int:
        """Number of the current hit, counted from 1, left text first; 0 without a hit."""
        if self.current is None:
            return 0
        before = len(self.hits[Side.LEFT]) if self.current.side is Side.RIGHT else 0
        return before + self.current.index + 1

    @property
    def span(self) -> Span | None:
        if self.current is None:
            return None
        return Span(*self.hits[self.current.side][self.current.index].tolist())

    def find(self, words: str, side: Side, offset: int) -> None:
        """Search for words; the first hit of a side at or after a code point becomes the current one."""
        self._starting_side = side
        self.hits = {each: self.texts[each].find_hits(words) for each in Side}
        after = int(np.searchsorted(self.hits[side][:, 0], offset))
        self.current = self._hit_at(after % self.count) if self.count else None

    def step(self, by: int) -> bool:
        """Make the next (1) or previous (-1) hit the current one; return True if that wrapped around."""
        if self.current is None:
            return False
        place = self._place_of(self.current) + by
        self.current = self._hit_at(place % self.count)
        return not 0 <= place < self.count

    def _hit_at(self, place: int) -> SearchHit:
        own = len(self.hits[self._starting_side])
        return (
            SearchHit(self._starting_side, place)
            if place < own
            else SearchHit(self._starting_side.other, place - own)
        )

    def _place_of(self, hit: SearchHit) -> int:
        return hit.index + (0 if hit.side is self._starting_side else len(self.hits[self._starting_side]))


_FIELD_WIDTH_PX = 70 * GRID_PX
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QWidget):
    """Input for words to find; Enter goes to the next hit, Shift+Enter to the previous one, Esc closes."""

    step_requested = Signal(int)
    """1 for the next hit, -1 for the previous one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._search: PairSearch | None = None
        self._wrapped = 0
        find = N_("Find in both texts")
        self.field = translated(QLineEdit(), placeholderText=find, accessibleName=find)
        self.previous_button = self._button("previous", N_("Previous hit"), "Shift+F3")
        self.next_button = self._button("next", N_("Next hit"), "F3")
        self.close_button = self._button("cancel", N_("Close the search"), "Esc")
        self._counts, self._notice = QLabel(), QLabel()
        self._notice.setObjectName("muted")
        self._counts.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * GRID_PX, GRID_PX, 3 * GRID_PX, GRID_PX)
        row.setSpacing(GRID_PX)
        for part in (self.field, self.previous_button, self.next_button):
            row.addWidget(part)
        row.addSpacing(2 * GRID_PX)
        row.addWidget(self._counts)
        row.addSpacing(3 * GRID_PX)
        row.addWidget(self._notice)
        row.addStretch(1)
        row.addWidget(self.close_button)
        self.field.installEventFilter(self)
        self.previous_button.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next_button.clicked.connect(lambda: self.step_requested.emit(1))
        follow_theme(self._fit)
        follow_language(self._retranslate)
        self.hide()

    def _button(self, drawing: str, name: str, keys: str) -> QToolButton:
        return tool_button(
            icon(drawing), "quietButton", tip=lambda: f"{_(name)} ({keys})", accessibleName=name
        )

    # --- contents

    def show_search(self, search: PairSearch, wrapped: int = 0) -> None:
        """Show the number of hits; `wrapped`: direction of a step that wrapped around, otherwise 0."""
        self._search, self._wrapped = search, wrapped
        self._counts.setText(self._counts_text(search))
        self._notice.setText(self._notice_text(wrapped))
        finds_nothing = self._search is not None and self._search.count == 0 and bool(self.field.text())
        use_look(self._counts, "danger" if finds_nothing else "")
        for button in (self.previous_button, self.next_button):
            button.setEnabled(search.count > 0)

    def announce(self) -> None:
        words = " ".join(filter(None, (self._counts.text(), self._notice.text())))
        if words:
            announce(self.field, words)

    def _counts_text(self, search: PairSearch) -> str:
        if not self.field.text():
            return ""
        if not search.count:
            return _("Not found in either text.")
        left, right = (f"{len(search.hits[side]):,}" for side in Side)
        words = _("{number} of {count}: left {left} · right {right}")
        return words.format(number=f"{search.number:,}", count=f"{search.count:,}", left=left, right=right)

    def _notice_text(self, wrapped: int) -> str:
        if wrapped == 0:
            return ""
        return _("Continued from the first hit.") if wrapped > 0 else _("Continued from the last hit.")

    def _fit(self) -> None:
        self.field.setFixedWidth(scaled(_FIELD_WIDTH_PX))

    def _retranslate(self) -> None:
        if self._search is not None:
            self.show_search(self._search, self._wrapped)

    # --- the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Step with Enter, which QLineEdit would consume."""
        if event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        assert isinstance(event, QKeyEvent)
        if event.key() not in _ENTER_KEYS:
            return False
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.step_requested.emit(-1 if back else 1)
        return True


class TextFinder(QObject):
    """Finds words in the texts of two panes; it selects no match and scrolls only to hits.

    A search starts in the focused text, at its selection or at the first visible character.
    """

    revealed = Signal(Side, Span)
    """A hit was scrolled to: its side and its span."""

    def __init__(self, panes: Mapping[Side, TextPane], view: QWidget) -> None:
        """`view` contains the panes; Esc closes the bar anywhere in it."""
        super().__init__(view)
        self._panes = panes
        self.search = PairSearch()
        self._start = (Side.LEFT, 0)
        self._view = view
        self.bar = FindBar()
        self.open_action = NamedAction(
            N_("Find in the texts…"), self, self.open, QKeySequence.StandardKey.Find
        )
        self.next_action = NamedAction(N_("Find next"), self, lambda: self.step(1), "F3")
        self.previous_action = NamedAction(N_("Find previous"), self, lambda: self.step(-1), "Shift+F3")
        self.actions = (self.open_action, self.next_action, self.previous_action)
        self._escape = QShortcut(QKeySequence("Esc"), view, self.close)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
        self.bar.field.textChanged.connect(self._find)
        self.bar.step_requested.connect(self.step)
        self.bar.close_button.clicked.connect(self.close)
        for pane in panes.values():
            pane.menu.find_requested.connect(self.open)
        view.installEventFilter(self)
        self._enable()

    # --- texts to search

    def show_document(self, side: Side, document: Document | None) -> None:
        self.search.texts[side] = SearchableText(document.text if document else "")
        if self.is_open:
            self._start = (side, 0)
            self._run_search()
            self._show()
        self._enable()

    def _enable(self) -> None:
        can_search = self._view.isVisible() and not all(t.is_empty for t in self.search.texts.values())
        for action in self.actions:
            action.setEnabled(can_search)

    # --- commands

    @property
    def is_open(self) -> bool:
        return not self.bar.isHidden()

    def open(self) -> None:
        """Show the bar with the words selected in a text, or the last words, selected for typing."""
        side = next((side for side, pane in self._panes.items() if self._has_focus(pane)), None)
        if side is not None or not self.is_open:
            self.bar.show()
            self._escape.setEnabled(True)
            for text in self.search.texts.values():  # case-folded before the first key press
                QTimer.singleShot(0, text.folded)
            self._begin_at(side or self._start[0])
        self.bar.field.selectAll()
        self.bar.field.setFocus()

    def _begin_at(self, side: Side) -> None:
        pane = self._panes[side]
        start, words = pane.selected_words
        self._start = (side, start if words else pane.first_visible)
        with QSignalBlocker(self.bar.field):
            self.bar.field.setText(words or self.bar.field.text())
        self._find()

    def close(self) -> None:
        """Hide the bar, remove the marks, and focus the text with the current hit."""
        if not self.is_open:
            return
        current = self.search.current
        had_focus = self._has_focus(self.bar)
        self.bar.hide()
        self._escape.setEnabled(False)
        self.search.find("", *self._start)
        self._show()
        if had_focus:
            self._panes[current.side if current else self._start[0]].setFocus()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) hit; open the bar first if it is closed."""
        if not self.is_open:
            self.open()
            return
        wrapped = by if self.search.step(by) else 0
        if self.search.current is not None and self.search.span is not None:
            self._start = (self.search.current.side, self.search.span.start)
        self._show(wrapped)
        self._reveal()
        self.bar.announce()

    # --- the search

    def _find(self) -> None:
        self._run_search()
        self._show()
        self._reveal()
        self.bar.announce()

    def _run_search(self) -> None:
        self.search.find(self.bar.field.text(), *self._start)

    def _show(self, wrapped: int = 0) -> None:
        current = self.search.current
        for side, pane in self._panes.items():
            here = current.index if current and current.side is side else None
            pane.set_hits(self.search.hits[side], here)
        self.bar.show_search(self.search, wrapped)

    def _reveal(self) -> None:
        if self.search.current is not None and self.search.span is not None:
            self._panes[self.search.current.side].reveal(self.search.span)
            self.revealed.emit(self.search.current.side, self.search.span)

    def _has_focus(self, part: QWidget) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and part.isAncestorOf(focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._enable()
        return super().eventFilter(watched, event)
