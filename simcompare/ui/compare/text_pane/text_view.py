"""Page of a text: read-only, with tints, marked words and frames; positions are UTF-16."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QRegion,
    QResizeEvent,
    QTextCharFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QTextEdit, QToolTip, QWidget

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.session.decisions import Decision
from simcompare.support.arrays import Int64Array
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.text_pane.highlights import NO_RANGES, ExcludedRanges, TextRanges, Utf16Map
from simcompare.ui.compare.text_pane.page_layout import DrawnRange, ScrolledPage
from simcompare.ui.compare.text_pane.passage_ranges import ShownPassages
from simcompare.ui.compare.text_pane.text_overview import GUTTER_PX, PassageBars
from simcompare.ui.compare.text_pane.text_painting import (
    LINE_PX,
    SearchHits,
    SentenceDecisions,
    paint_disguise,
    paint_frame,
    paint_passage,
    paint_words,
    passage_ground,
    word_looks,
)
from simcompare.ui.compare.text_pane.typography import SIDE_PX, PageLines, character_at
from simcompare.ui.labels import DECISION_KEYS, add_decisions, decision_name
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import NamedAction
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import current_theme

_SOFT_MARKS = "\u00ad\u200b\u2060\ufeff\ufffc"
"""Soft hyphen, zero-width space, word joiner, byte order mark, and Qt's placeholder of a picture."""
_LINE_ENDS = "\u2028\u2029"
_PLAIN = str.maketrans(dict.fromkeys(_SOFT_MARKS) | dict.fromkeys(_LINE_ENDS, "\n"))


def plain_text(text: str) -> str:
    """Text with plain line ends and without invisible characters."""
    return text.translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class CopyableTexts:
    """Texts that can be copied at a position; empty if there is no such text."""

    sentence: str = ""
    pair: str = ""
    """The sentence and the one it matches, each below the name of its file."""


@dataclass(frozen=True, slots=True)
class PassageEntries:
    """Passage under the mouse: its title in the menu, and the decision on it."""

    title: str
    decision: Decision | None


class TextMenu(QObject):
    """Context menu of a page and its commands; those that need no position also have shortcuts."""

    find_requested = Signal()
    search_requested = Signal(str)
    """Search the library for the sentence under the mouse."""
    decided = Signal(object)
    """Decision on the passage under the mouse; None if the present one was chosen again."""

    def __init__(self, page: QTextEdit) -> None:
        super().__init__(page)
        self._page = page
        self._copy = self._command(N_("Copy"), self.copy_selected, QKeySequence.StandardKey.Copy)
        self._sentence = self._command(N_("Copy the sentence"), lambda: _copy(self._texts.sentence))
        self._pair = self._command(N_("Copy the matched pair"), lambda: _copy(self._texts.pair))
        self._all = self._command(N_("Select all"), page.selectAll, QKeySequence.StandardKey.SelectAll)
        self._find = self._command(N_("Find…"), self.find_requested.emit)
        self._search = self._command(N_("Search the library for this sentence"), self._search_sentence)
        self._decisions = {decision: self._decision_action(decision) for decision in Decision}
        self._texts = CopyableTexts()
        page.copyAvailable.connect(self._copy.setEnabled)
        self._copy.setEnabled(False)

    def _command(
        self, text: str, do: Callable[[], None], shortcut: QKeySequence.StandardKey | None = None
    ) -> QAction:
        action = NamedAction(text, self, do)
        if shortcut is not None:
            action.setShortcuts(shortcut)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._page.addAction(action)
        return action

    def _decision_action(self, decision: Decision) -> QAction:
        key = DECISION_KEYS[decision]  # of the window
        action = NamedAction(lambda: f"{decision_name(decision)}\t{key}", self, checkable=True)
        action.triggered.connect(lambda checked: self.decided.emit(decision if checked else None))
        return action

    def show(
        self,
        quotes: CopyableTexts,
        passage: PassageEntries | None,
        place: QPoint,
        extend: Callable[[QMenu], None],
    ) -> None:
        """Open the menu at a place of the screen; `extend` adds entries for the sentence there."""
        self._texts = quotes
        self._sentence.setEnabled(bool(quotes.sentence))
        self._pair.setEnabled(bool(quotes.pair))
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if passage is not None:
            menu.addAction(passage.title).setEnabled(False)
            for decision, action in self._decisions.items():
                action.setEnabled(True)
                action.setChecked(decision is passage.decision)
            add_decisions(menu, self._decisions)
            menu.addSeparator()
        menu.addActions([self._copy, self._sentence, self._pair])
        extend(menu)
        menu.addSeparator()
        self._search.setEnabled(bool(quotes.sentence))
        menu.addActions([self._all, self._find, self._search])
        menu.popup(place)

    def disable_decisions(self) -> None:
        """Disable the decisions in an open menu, as its passage may not exist any more."""
        for action in self._decisions.values():
            action.setEnabled(False)

    def _search_sentence(self) -> None:
        self.search_requested.emit(" ".join(plain_text(self._texts.sentence).split()))

    def copy_selected(self) -> None:
        """Copy the selection as plain text.

        Not by createMimeDataFromSelection: a QMimeData made in Python and left on the clipboard crashes the
        process at its end.
        """
        _copy(self._page.textCursor().selectedText())


def _copy(text: str) -> None:
    if text:
        QApplication.clipboard().setText(plain_text(text))


def copyable_texts_at(workspace: Workspace, side: Side, offset: int) -> CopyableTexts:
    """Texts that can be copied at a code point of one side's text."""
    entry = workspace.documents.entry_on(side)
    prepared_document = entry.prepared_document if entry else None
    sentence = prepared_document.prepared.sentence_at(offset) if prepared_document else None
    if prepared_document is None or sentence is None:
        return CopyableTexts()
    return CopyableTexts(_sentence(prepared_document, sentence), _pair_of(workspace, side, sentence))


def _pair_of(workspace: Workspace, side: Side, sentence: int) -> str:
    comparison = workspace.comparison
    if comparison is None:
        return ""
    match = _match_of(comparison, side, sentence, workspace.selection.selected)
    return "" if match is None else _pair_in_words(comparison, match)


def _pair_in_words(comparison: Comparison, match: int) -> str:
    left, right = comparison.matches[match].left, comparison.matches[match].right
    left_name, right_name = comparison.names
    left_text = _with_source(left_name, comparison.left, left)
    return f"{left_text}\n\n{_with_source(right_name, comparison.right, right)}"


def _match_of(comparison: Comparison, side: Side, sentence: int, selected: int | None) -> int | None:
    """Index of the selected match if it belongs to the sentence, otherwise of the sentence's best match."""
    matches = comparison.matches
    found = matches.of_left(sentence) if side is Side.LEFT else matches.of_right(sentence)
    if selected in found:
        return selected
    best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
    return int(best[sentence]) if found else None


def _with_source(name: str, prepared_document: PreparedDocument, sentence: int) -> str:
    title = _("{name}, sentence {number}:").format(name=name, number=f"{sentence + 1:,}")
    return f"{title}\n{_sentence(prepared_document, sentence)}"


def _sentence(prepared_document: PreparedDocument, sentence: int) -> str:
    return prepared_document.prepared.sentence_span(sentence).of(prepared_document.document.text).strip()


_NO_WORDS: Int64Array = np.zeros((0, 3), np.int64)


def _outside(words: Int64Array, start: int, end: int) -> Int64Array:
    return words[(words[:, 1] <= start) | (words[:, 0] >= end)]


_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class TextView(ScrolledPage):
    """Page of text that paints its highlights itself.

    Qt's underlines are one pixel thin, so that dots and dashes look alike. Only visible text is painted,
    so a slider may change any number of sentences.
    """

    character_clicked = Signal(int)
    passage_clicked = Signal(int)
    """Index of a passage whose bar was clicked."""
    menu_requested = Signal(object, QPoint)
    """Position of the character below the pointer, or None; and the place on the screen."""
    size_turned = Signal(int)
    """Angle of the wheel turned with Ctrl, in eighths of a degree."""
    hovered = Signal(int)
    """Position of the character below the pointer, or -1."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlights = TextRanges(NO_RANGES, Utf16Map(""))
        self._decisions = SentenceDecisions.none()
        self.shown_passages = ShownPassages(self)
        self.changes_in_passage: Callable[[int, int, int], Int64Array] = lambda *_place: _NO_WORDS
        """Returns the changed words of a passage between two positions: start, end, index of their look."""
        self.synonyms_at: Callable[[int], str] = lambda _position: ""
        """Returns "big ~ large" at a synonym."""
        self.passage_in_words: Callable[[int], str] = lambda _index: ""
        """Describes a passage in its tool tip."""
        self._found = SearchHits.none()
        self._excluded = ExcludedRanges.none()
        self._muted = self._disguises = TextRanges(NO_RANGES, Utf16Map(""))
        self._disguise_in_words: Callable[[int], str] = lambda _index: ""
        self._selected: tuple[int, int] | None = None
        self._framed: Sequence[tuple[int, int]] = ()
        self._pressed_at: QPoint | None = None
        self._focused_by_keyboard = False
        self.setReadOnly(True)
        self.setAcceptDrops(False)  # files dropped on a text are handled by the window
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self.menu = TextMenu(self)
        self._bars = PassageBars(self.shown_passages, self._flagged, self._describe_passage, self)
        self._bars.clicked.connect(self.passage_clicked)
        self.setViewportMargins(GUTTER_PX, 0, 0, 0)
        self._painted: tuple[tuple[int, int], object] | None = None
        """Range of the text that was painted last, and its marks, if these can be compared."""
        self._marks_timer = QTimer(self, singleShot=True, interval=0)
        self._marks_timer.timeout.connect(self._repaint_changed_marks)
        for moved in (self.verticalScrollBar().valueChanged, self.reflowed):
            moved.connect(self._forget_painted)
            moved.connect(self._bars.update)

    # --- contents

    def set_highlights(self, highlights: TextRanges) -> None:
        self._highlights = highlights
        self._decisions = SentenceDecisions.none(len(highlights))
        self.repaint_passages()

    def set_decisions(self, decisions: SentenceDecisions) -> None:
        """Fade or flag the highlights by the decisions on them."""
        if not decisions.same_as(self._decisions):  # a typed note changes nothing here
            self._decisions = decisions
            self.repaint_passages()

    def repaint_passages(self) -> None:
        """Paint again, after the shown passages or the changed words changed, if this can be seen.

        Once for all changes in a turn of the event loop: a setting changes several marks.
        """
        self._marks_timer.start()

    def _repaint_changed_marks(self) -> None:
        if self._painted is None or self._marks_between(*self._painted[0]) != self._painted[1]:
            self.viewport().update()
        self._bars.update_changed()

    def _forget_painted(self) -> None:
        self._painted = None

    def _marks_between(self, first: int, last: int) -> object:
        """Return all that is painted for highlights, passages and exclusions between two positions."""
        passages = self.shown_passages.passages
        sentences = self._highlights.touching(first, last - 1)
        chosen = slice(sentences.start, sentences.stop)
        highlights = self._highlights.starts, self._highlights.ends, self._decisions.fine
        return (
            [column[chosen].tobytes() for column in highlights],
            [
                (
                    *passages.range_of(index),
                    passages.kind_of(index),
                    bool(passages.fine[index]),
                    self.changes_in_passage(index, first, last).tobytes(),
                )
                for index in self.shown_passages.between(first, last)
            ],
            self._excluded.touching(first, last),
        )

    def set_hits(self, found: SearchHits) -> None:
        self._found = found
        self.viewport().update()

    def set_excluded(self, excluded: ExcludedRanges) -> None:
        self._excluded = excluded
        self.repaint_passages()

    def set_disguises(self, disguises: TextRanges, in_words: Callable[[int], str]) -> None:
        """Mark invisible characters and disguised words; `in_words` returns the tool tip of each."""
        self._disguises, self._disguise_in_words = disguises, in_words
        self.viewport().update()

    def set_muted(self, muted: TextRanges) -> None:
        """Draw these paragraphs in a muted colour, and no others."""
        self._muted = muted
        self.viewport().update()

    def _drawn_ranges(self, start: int, end: int) -> list[DrawnRange]:
        """Character formats between two positions that differ from the text's own; a selection comes last.

        Not passed to Qt as extra selections: it would compute the position of each at once, and of all of
        them at each paint.
        """
        grey = self._excluded.char_format(current_theme())
        # text drawn twice in one colour would look bold
        ranges = [(start, end)] if self._muted.at(start) is not None else self._excluded.touching(start, end)
        drawn = [(first, last, grey) for first, last in ranges]
        cursor = self.textCursor()
        if cursor.hasSelection():
            drawn.append((cursor.selectionStart(), cursor.selectionEnd(), self._selection_format()))
        return drawn

    def _selection_format(self) -> QTextCharFormat:
        group = QPalette.ColorGroup.Active if self.hasFocus() else QPalette.ColorGroup.Inactive
        selection_format = QTextCharFormat()
        selection_format.setBackground(self.palette().brush(group, QPalette.ColorRole.Highlight))
        selection_format.setForeground(self.palette().brush(group, QPalette.ColorRole.HighlightedText))
        return selection_format

    def set_selected(self, selected: tuple[int, int] | None) -> None:
        self._selected = selected
        self.viewport().update()

    def set_framed(self, framed: Sequence[tuple[int, int]]) -> None:
        """Frame these ranges, beside the selected one, and no others."""
        if framed != self._framed:
            self._framed = framed
            self.viewport().update()

    # --- positions

    def character_at(self, point: QPoint) -> int | None:
        on_page = QPointF(point.x(), point.y() + self.verticalScrollBar().value())
        return character_at(self.document(), on_page, self.lines.position_at(on_page))

    def _anchor(self) -> int:
        if self._selected:
            y = self.page_top_of(self._selected[0]) - self.verticalScrollBar().value()
            if 0 <= y < self.viewport().height():
                return self._selected[0]
        return super()._anchor()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        top = self.verticalScrollBar().value()
        self.lines.lay_out_between(top, top + self.viewport().height())
        shown = self._paint_highlights(event.rect().top(), event.rect().bottom())
        is_whole = event.rect().contains(self.viewport().rect())
        self._painted = (shown, self._marks_between(*shown)) if is_whole else None
        super().paintEvent(event)
        with self._page_painter() as painter:
            for part in (*([self._selected] if self._selected else []), *self._framed):
                paint_frame(painter, self.document(), part, current_theme())
            self._paint_focus(painter)

    def _page_painter(self) -> QPainter:
        painter = QPainter(self.viewport())
        painter.translate(0, -self.verticalScrollBar().value())
        return painter

    def _paint_highlights(self, top: int, bottom: int) -> tuple[int, int]:
        """Paint what is below the text of a strip; return the range of its text."""
        # a tint exceeds the letters of its line, so the lines next to the strip count as well
        first = self.position_at(0, top - self._line_px())
        last = self.position_at(self.viewport().width(), bottom + self._line_px())
        lines = PageLines(self.document(), first, last + 1)
        with self._page_painter() as painter:
            for index in self.shown_passages.between(first, last + 1):
                self._paint_passage(painter, lines, index, (first, last + 1))
            self._paint_changes(painter, lines, (first, last + 1))
            for index in self._disguises.touching(first, last):
                part = int(self._disguises.starts[index]), int(self._disguises.ends[index])
                paint_disguise(painter, lines, part, current_theme())
            self._found.paint(painter, lines, (first, last), current_theme())
        return first, last + 1

    def _paint_passage(
        self, painter: QPainter, lines: PageLines, index: int, within: tuple[int, int]
    ) -> None:
        passages, theme = self.shown_passages.passages, current_theme()
        kind, fine = passages.kind_of(index), bool(passages.fine[index])
        start, end = passages.range_of(index)
        part = max(start, within[0]), min(end, within[1])
        ground = passage_ground(theme, kind, fine=fine)
        paint_passage(painter, lines, part, self.viewport().width(), ground)
        ground = passage_ground(theme, kind, fine=fine, matched=False)
        if self._highlights.touching(start, end - 1):  # otherwise it was found by its words
            for gap in self._highlights.gaps_in(*part, self._decisions.fine):
                paint_passage(painter, lines, gap, self.viewport().width(), ground)

    def _paint_changes(self, painter: QPainter, lines: PageLines, within: tuple[int, int]) -> None:
        """Underline the changed words, and let them be drawn in their colours."""
        looks = word_looks(current_theme())
        regions = [QRegion() for _look in looks]
        for start, end, look in self._changes_between(*within).tolist():
            part = max(start, within[0]), min(end, within[1])
            regions[look] += paint_words(painter, lines, part, looks[look])
        regions[0] -= regions[1]
        both = zip(looks, regions, strict=True)
        self.lines.inks = [(QColor(look.ink), region) for look, region in both if not region.isEmpty()]

    def _changes_between(self, first: int, last: int) -> Int64Array:
        """Return the changed words that are shown: where passages overlap, those of the one painted last."""
        found, passages = _NO_WORDS, self.shown_passages.passages
        for index in self.shown_passages.between(first, last):
            start, end = passages.range_of(index)
            found = _outside(found, start, end)
            if not passages.fine[index]:
                own = self.changes_in_passage(index, max(start, first), min(end, last))
                found = np.concatenate([found, own])
        muted = self._muted.touching(first, last)
        grey = zip(self._muted.starts[muted].tolist(), self._muted.ends[muted].tolist(), strict=True)
        for part in (*self._excluded.touching(first, last), *grey):
            found = _outside(found, *part)
        return found

    def _flagged(self, first: int, last: int) -> Iterable[int]:
        """Positions of the sentences in a part of the text that are copied, and no copied passage holds."""
        sentences, passages = self._highlights.touching(first, last), self.shown_passages.passages
        for index in sentences:
            start, end = int(self._highlights.starts[index]), int(self._highlights.ends[index])
            is_in_copied = any(passages.copied[passage] for passage in passages.touching(start, end))
            if start >= first and self._decisions.copied[index] and not is_in_copied:
                yield start

    def _paint_focus(self, painter: QPainter) -> None:
        if self._focused_by_keyboard:
            painter.resetTransform()
            painter.setPen(QPen(QColor(current_theme().accent), LINE_PX))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    # --- mouse and keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus mark if the focus came by keyboard, also when a key opened the pair."""
        super().focusInEvent(event)
        self._focused_by_keyboard = event.reason() in _BY_KEYBOARD
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focused_by_keyboard = False
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        plain = event.button() is Qt.MouseButton.LeftButton and not event.modifiers()
        self._pressed_at = event.position().toPoint() if plain else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed_at, self._pressed_at = self._pressed_at, None
        if pressed_at is None or self.textCursor().hasSelection():
            return
        way = (event.position().toPoint() - pressed_at).manhattanLength()
        position = self.character_at(pressed_at)
        if way < QApplication.startDragDistance() and position is not None:
            self.character_clicked.emit(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        position = self.character_at(event.position().toPoint())
        self.hovered.emit(-1 if position is None else position)
        over_mark = position is not None and (
            self._highlights.at(position) is not None or self.shown_passages.passages.at(position) is not None
        )
        shape = Qt.CursorShape.PointingHandCursor if over_mark else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.hovered.emit(-1)
        if event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        assert isinstance(event, QHelpEvent)
        position = self.character_at(event.pos())
        words = "" if position is None else self._words_at(position)
        QToolTip.showText(event.globalPos(), words, self.viewport())
        return True

    def _describe_passage(self, index: int) -> str:
        return self.passage_in_words(index)

    def _words_at(self, position: int) -> str:
        passage = self.shown_passages.passages.at(position)
        lines = [
            *map(self._disguise_in_words, self._disguises.touching(position - 1, position + 1)),
            self.synonyms_at(position),
            "" if passage is None else self._describe_passage(passage),
            self._excluded.words_at(position),
        ]
        return "\n".join(line for line in lines if line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bars.setGeometry(QRect(0, 0, GUTTER_PX, self.height()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Report Ctrl + wheel: QTextEdit would change the font of this text only."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.size_turned.emit(event.angleDelta().y())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.menu.copy_selected()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            position = self._anchor()
            top = self.page_top_of(position) - self.verticalScrollBar().value()
            at = self.viewport().mapToGlobal(QPoint(SIDE_PX, top + self._line_px()))
            self.menu_requested.emit(position, at)
        else:
            self.menu_requested.emit(self.character_at(event.pos()), event.globalPos())
