"""What leaves a text by way of the clipboard: its words, without the marks that only guide a layout."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit

from simcompare.i18n import N_, _

_SOFT_MARKS = "\u00ad\u200b\u2060\ufeff\ufffc"
"""Soft hyphen, zero-width space, word joiner, byte order mark, and what Qt puts for a picture."""
_LINE_ENDS = "\u2028\u2029"
_PLAIN = str.maketrans(dict.fromkeys(_SOFT_MARKS) | dict.fromkeys(_LINE_ENDS, "\n"))


def plain_text(text: str) -> str:
    """Return the words of a text with plain line ends, and without marks that nobody sees."""
    return text.translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class Quotes:
    """What can be quoted of a place in a text; each is empty where there is no such thing."""

    sentence: str = ""
    pair: str = ""
    """The sentence and the one it matches, each below the name of its file."""


class CopyMenu(QObject):
    """The context menu of a page, and its commands; those that need no place are shortcuts, too."""

    find_requested = Signal()

    def __init__(self, page: QTextEdit) -> None:
        super().__init__(page)
        self._page = page
        self._copy = self._command(N_("Copy"), self.copy_selected, QKeySequence.StandardKey.Copy)
        self._sentence = self._command(N_("Copy the sentence"), lambda: _copy(self._quotes.sentence))
        self._pair = self._command(N_("Copy the matched pair"), lambda: _copy(self._quotes.pair))
        self._all = self._command(N_("Select all"), page.selectAll, QKeySequence.StandardKey.SelectAll)
        self._find = self._command(N_("Find…"), self.find_requested.emit)
        self._quotes = Quotes()
        page.copyAvailable.connect(self._copy.setEnabled)
        self._copy.setEnabled(False)
        self.retranslate()

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

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        for action in (self._copy, self._sentence, self._pair, self._all, self._find):
            action.setText(_(action.data()))

    def show(self, quotes: Quotes, place: QPoint) -> None:
        """Offer what can be done at a place of the screen."""
        self._quotes = quotes
        self._sentence.setEnabled(bool(quotes.sentence))
        self._pair.setEnabled(bool(quotes.pair))
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._copy, self._sentence, self._pair])
        menu.addSeparator()
        menu.addActions([self._all, self._find])
        menu.popup(place)

    def copy_selected(self) -> None:
        """Copy the essay's words without this window's looks.

        Not by way of createMimeDataFromSelection: a QMimeData made in Python and left on the clipboard
        crashes the process when it ends.
        """
        _copy(self._page.textCursor().selectedText())


def _copy(text: str) -> None:
    if text:
        QApplication.clipboard().setText(plain_text(text))
