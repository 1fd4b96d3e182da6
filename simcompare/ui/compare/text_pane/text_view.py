"""Page of a text: read-only, with tints, underlines and a frame; positions are UTF-16."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
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
    QTextCharFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QTextEdit, QToolTip, QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.compare.text_pane.highlights import ExcludedRanges, Highlights, TextRanges, Utf16Map
from simcompare.ui.compare.text_pane.page_layout import DrawnRange
from simcompare.ui.compare.text_pane.page_scrolling import ScrolledPage
from simcompare.ui.compare.text_pane.text_lines import character_at
from simcompare.ui.compare.text_pane.text_painting import (
    FAINT_OPACITY,
    LINE_PX,
    SearchHits,
    SentenceDecisions,
    flag_icon,
    paint_flag,
    paint_frame,
    paint_tints,
)
from simcompare.ui.compare.text_pane.typography import MARGIN_PX
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.theme import surface_palette

# ruff: noqa: N802 - Qt names the methods it calls

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


class CopyMenu(QObject):
    """Context menu of a page and its commands; those that need no position also have shortcuts."""

    find_requested = Signal()

    def __init__(self, page: QTextEdit) -> None:
        super().__init__(page)
        self._page = page
        self._copy = self._command(N_("Copy"), self.copy_selected, QKeySequence.StandardKey.Copy)
        self._sentence = self._command(N_("Copy the sentence"), lambda: _copy(self._texts.sentence))
        self._pair = self._command(N_("Copy the matched pair"), lambda: _copy(self._texts.pair))
        self._all = self._command(N_("Select all"), page.selectAll, QKeySequence.StandardKey.SelectAll)
        self._find = self._command(N_("Find…"), self.find_requested.emit)
        self._texts = CopyableTexts()
        page.copyAvailable.connect(self._copy.setEnabled)
        self._copy.setEnabled(False)
        follow_language(self._retranslate)

    def _command(
        self, text: str, do: Callable[[], None], shortcut: QKeySequence.StandardKey | None = None
    ) -> QAction:
        action = QAction(self)
        action.setData(text)
        action.triggered.connect(do)
        if shortcut is not None:
            action.setShortcuts(shortcut)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._page.addAction(action)
        return action

    def _retranslate(self) -> None:
        for action in (self._copy, self._sentence, self._pair, self._all, self._find):
            action.setText(_(action.data()))

    def show(self, quotes: CopyableTexts, place: QPoint, extend: Callable[[QMenu], None]) -> None:
        """Open the menu at a place of the screen; `extend` adds entries for the sentence there."""
        self._texts = quotes
        self._sentence.setEnabled(bool(quotes.sentence))
        self._pair.setEnabled(bool(quotes.pair))
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._copy, self._sentence, self._pair])
        extend(menu)
        menu.addSeparator()
        menu.addActions([self._all, self._find])
        menu.popup(place)

    def copy_selected(self) -> None:
        """Copy the selection as plain text.

        Not by createMimeDataFromSelection: a QMimeData made in Python and left on the clipboard crashes the
        process at its end.
        """
        _copy(self._page.textCursor().selectedText())


def _copy(text: str) -> None:
    if text:
        QApplication.clipboard().setText(plain_text(text))


_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class TextView(ScrolledPage):
    """Page of text that paints its highlights itself.

    Qt's underlines are one pixel thin, so that dots and dashes look alike. Only visible text is painted,
    so a slider may change any number of sentences.
    """

    character_clicked = Signal(int)
    menu_requested = Signal(object, QPoint)
    """Position of the character below the pointer, or None; and the place on the screen."""
    size_turned = Signal(int)
    """Angle of the wheel turned with Ctrl, in eighths of a degree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._highlights = Highlights((), Utf16Map(""))
        self._decisions = SentenceDecisions.none()
        self._found = SearchHits.none()
        self._excluded = ExcludedRanges.none()
        self._muted = TextRanges(np.zeros((0, 2), np.int64), Utf16Map(""))
        self._selected: tuple[int, int] | None = None
        self._pressed_at: QPoint | None = None
        self._focused_by_keyboard = False
        self.setReadOnly(True)
        self.setAcceptDrops(False)  # files dropped on a text are handled by the window
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self.menu = CopyMenu(self)
        follow_theme(self._apply_theme)

    # --- contents

    def set_highlights(self, highlights: Highlights) -> None:
        """Tint and underline these ranges, and no others."""
        self._highlights = highlights
        self._decisions = SentenceDecisions.none(len(highlights))
        self.viewport().update()

    def set_decisions(self, decisions: SentenceDecisions) -> None:
        """Fade or flag the highlights by the decisions on them."""
        if not decisions.same_as(self._decisions):  # a typed note changes nothing here
            self._decisions = decisions
            self.viewport().update()

    def set_hits(self, found: SearchHits) -> None:
        """Mark these hits, and no others."""
        self._found = found
        self.viewport().update()

    def set_excluded(self, excluded: ExcludedRanges) -> None:
        """Grey these ranges, and no others."""
        self._excluded = excluded
        self.viewport().update()

    def set_muted(self, muted: TextRanges) -> None:
        """Draw these paragraphs in a muted colour, and no others."""
        self._muted = muted
        self.viewport().update()

    def extraSelections(self) -> list[QTextEdit.ExtraSelection]:
        """Return the selections that are drawn in grey.

        Not passed to Qt, which would compute the position of each at once, and of all of them at each
        paint.
        """
        return self._excluded.selections(self.document(), current_theme())

    def _drawn_ranges(self, start: int, end: int) -> list[DrawnRange]:
        """Character formats between two positions that differ from the text's own; a selection comes last."""
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
        """Frame the text between two positions."""
        self._selected = selected
        self.viewport().update()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._flag = flag_icon(theme)
        self.setPalette(surface_palette(theme))
        self.viewport().update()

    # --- positions

    def character_at(self, point: QPoint) -> int | None:
        """Position of the character at a point of the viewport, or None."""
        on_page = QPointF(point.x(), point.y() + self.verticalScrollBar().value())
        return character_at(self.document(), on_page, self.lines.position_at(on_page))

    def _anchor(self) -> int:
        """Start of the visible frame, or of the first visible line."""
        if self._selected:
            y = self.page_top_of(self._selected[0]) - self.verticalScrollBar().value()
            if 0 <= y < self.viewport().height():
                return self._selected[0]
        return super()._anchor()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint tints and lines below the text, the frame above it."""
        top = self.verticalScrollBar().value()
        self.lines.lay_out_between(top, top + self.viewport().height())
        self._paint_highlights(event.rect().top(), event.rect().bottom())
        super().paintEvent(event)
        with self._page_painter() as painter:
            if self._selected is not None:
                paint_frame(painter, self.document(), self._selected, current_theme())
            self._paint_focus(painter)

    def _page_painter(self) -> QPainter:
        painter = QPainter(self.viewport())
        painter.translate(0, -self.verticalScrollBar().value())
        return painter

    def _paint_highlights(self, top: int, bottom: int) -> None:
        # a tint exceeds the letters of its line, so the lines next to the strip count as well
        first = self._position_at(0, top - self._line_px())
        last = self._position_at(self.viewport().width(), bottom + self._line_px())
        with self._page_painter() as painter:
            for index in self._highlights.touching(first, last):
                start, end, kind = self._highlights.range_of(index)
                part = max(start, first), min(end, last + 1)
                painter.setOpacity(FAINT_OPACITY if self._decisions.fine[index] else 1.0)
                paint_tints(painter, self.document(), part, current_theme().kinds[kind])
                if self._decisions.copied[index] and start >= first:
                    paint_flag(painter, self.document(), start, self._flag)
            painter.setOpacity(1.0)
            self._found.paint(painter, self.document(), (first, last), current_theme())

    def _paint_focus(self, painter: QPainter) -> None:
        if self._focused_by_keyboard:
            painter.resetTransform()
            painter.setPen(QPen(QColor(current_theme().accent), LINE_PX))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    # --- mouse and keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus mark if the focus came by keyboard."""
        super().focusInEvent(event)
        self._focused_by_keyboard = event.reason() in _BY_KEYBOARD
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the focus mark."""
        super().focusOutEvent(event)
        self._focused_by_keyboard = False
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Store the position of a press, to distinguish a click from a selection."""
        super().mousePressEvent(event)
        plain = event.button() is Qt.MouseButton.LeftButton and not event.modifiers()
        self._pressed_at = event.position().toPoint() if plain else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report a plain click on a character."""
        super().mouseReleaseEvent(event)
        pressed_at, self._pressed_at = self._pressed_at, None
        if pressed_at is None or self.textCursor().hasSelection():
            return
        way = (event.position().toPoint() - pressed_at).manhattanLength()
        position = self.character_at(pressed_at)
        if way < QApplication.startDragDistance() and position is not None:
            self.character_clicked.emit(position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a pointing hand over what can be clicked."""
        super().mouseMoveEvent(event)
        position = self.character_at(event.position().toPoint())
        over_highlight = position is not None and self._highlights.at(position) is not None
        shape = Qt.CursorShape.PointingHandCursor if over_highlight else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show why a sentence is excluded, as a tool tip."""
        if event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        assert isinstance(event, QHelpEvent)
        position = self.character_at(event.pos())
        words = "" if position is None else self._excluded.words_at(position)
        QToolTip.showText(event.globalPos(), words, self.viewport())
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Report Ctrl + wheel: QTextEdit would change the font of this text only."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.size_turned.emit(event.angleDelta().y())
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy plain text; all other keys scroll."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.menu.copy_selected()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu for the character under the mouse; by keyboard, for the framed sentence."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            position = self._anchor()
            top = self.page_top_of(position) - self.verticalScrollBar().value()
            at = self.viewport().mapToGlobal(QPoint(MARGIN_PX, top + self._line_px()))
            self.menu_requested.emit(position, at)
        else:
            self.menu_requested.emit(self.character_at(event.pos()), event.globalPos())
