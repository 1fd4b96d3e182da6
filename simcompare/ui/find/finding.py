"""What ties the search to its bar and to both texts, and its commands."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from simcompare.document import Document
from simcompare.i18n import N_, _
from simcompare.ui.find.bar import FindBar
from simcompare.ui.find.search import Search, SearchableText
from simcompare.ui.looks.theme import Theme
from simcompare.ui.state.side import Side
from simcompare.ui.text_pane.pane import TextPane


class Finding(QObject):
    """Finds words in the texts of two panes; it selects no match, and scrolls to hits alone.

    A search begins where the person is: in the text that has the keyboard, at the words selected there or
    at what is in sight.
    """

    def __init__(self, panes: Mapping[Side, TextPane], view: QWidget) -> None:
        """`view` holds the panes; the bar's Esc works in all of it."""
        super().__init__(view)
        self._panes = panes
        self.search = Search()
        self._start = (Side.LEFT, 0)
        self._view = view
        self.bar = FindBar()
        self.open_action = self._action(N_("Find in the texts…"), QKeySequence.StandardKey.Find, self.open)
        self.next_action = self._action(N_("Find next"), "F3", lambda: self.step(1))
        self.previous_action = self._action(N_("Find previous"), "Shift+F3", lambda: self.step(-1))
        self.actions = (self.open_action, self.next_action, self.previous_action)
        self._escape = QShortcut(QKeySequence("Esc"), view, self.close)
        self._escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._escape.setEnabled(False)
        self.bar.words_changed.connect(self._find)
        self.bar.step_requested.connect(self.step)
        self.bar.left.connect(self.close)
        for pane in panes.values():
            pane.find_requested.connect(self.open)
        view.installEventFilter(self)
        self._enable()

    def _action(self, text: str, shortcut: str | QKeySequence.StandardKey, do: Callable[[], None]) -> QAction:
        action = QAction(self)
        action.setData(text)
        action.setShortcut(shortcut)
        action.triggered.connect(do)
        return action

    # --- what is searched

    def show_document(self, side: Side, document: Document | None) -> None:
        """Search another text on one side from now on."""
        self.search.texts[side] = SearchableText(document.text if document else "")
        if self.is_open:
            self._start = (side, 0)
            self._look_up()
            self._show()
        self._enable()

    def _enable(self) -> None:
        can_search = self._view.isVisible() and not all(t.is_empty for t in self.search.texts.values())
        for action in self.actions:
            action.setEnabled(can_search)

    # --- what a person asks for

    @property
    def is_open(self) -> bool:
        """Whether the bar is there."""
        return not self.bar.isHidden()

    def open(self) -> None:
        """Show the bar with what is selected in a text, or with the last words, to be typed over."""
        side = self._side_with_keyboard()
        if side is not None or not self.is_open:
            self._show_bar()
            self._begin_at(side or self._start[0])
        self.bar.field.selectAll()
        self.bar.field.setFocus()

    def _show_bar(self) -> None:
        self.bar.show()
        self._escape.setEnabled(True)
        for text in self.search.texts.values():  # folded before a letter is typed, each in its own turn
            QTimer.singleShot(0, text.form)

    def _begin_at(self, side: Side) -> None:
        pane = self._panes[side]
        start, words = pane.selected_words
        self._start = (side, start if words else pane.first_in_sight)
        with QSignalBlocker(self.bar.field):
            self.bar.field.setText(words or self.bar.field.text())
        self._find()

    def close(self) -> None:
        """Hide the bar, mark nothing, and give the keyboard to the text of the current hit."""
        if not self.is_open:
            return
        current = self.search.current
        had_keyboard = self._has_keyboard(self.bar)
        self.bar.hide()
        self._escape.setEnabled(False)
        self.search.find("", *self._start)
        self._show()
        if had_keyboard:
            self._panes[current.side if current else self._start[0]].setFocus()

    def step(self, by: int) -> None:
        """Go to the next (1) or to the hit before (-1); without the bar, show it first."""
        if not self.is_open:
            self.open()
            return
        around = by if self.search.step(by) else 0
        if self.search.current is not None and self.search.span is not None:
            self._start = (self.search.current.side, self.search.span.start)
        self._show(around)
        self._reveal()
        self.bar.announce()

    # --- the search

    def _find(self) -> None:
        self._look_up()
        self._show()
        self._reveal()
        self.bar.announce()

    def _look_up(self) -> None:
        self.search.find(self.bar.field.text(), *self._start)

    def _show(self, around: int = 0) -> None:
        current = self.search.current
        for side, pane in self._panes.items():
            here = current.index if current and current.side is side else None
            pane.set_found(self.search.hits[side], here)
        self.bar.show_search(self.search, around)

    def _reveal(self) -> None:
        if self.search.current is not None and self.search.span is not None:
            self._panes[self.search.current.side].reveal(self.search.span)

    def _side_with_keyboard(self) -> Side | None:
        return next((side for side, pane in self._panes.items() if self._has_keyboard(pane)), None)

    def _has_keyboard(self, part: QWidget) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and part.isAncestorOf(focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Offer the commands while the texts are there."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._enable()
        return super().eventFilter(watched, event)

    # --- looks

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self.bar.apply_theme(theme)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        for action in self.actions:
            action.setText(_(action.data()))
        self.bar.retranslate()
