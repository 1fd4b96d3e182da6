"""Context menu of a text, and the texts that can be copied from it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.labels import decision_name
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace

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

    def _decision_action(self, decision: Decision) -> QAction:
        action = QAction(self, checkable=True)
        action.triggered.connect(lambda checked: self.decided.emit(decision if checked else None))
        return action

    def _retranslate(self) -> None:
        for action in (self._copy, self._sentence, self._pair, self._all, self._find, self._search):
            action.setText(_(action.data()))
        for decision, action in self._decisions.items():
            action.setText(decision_name(decision))

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
                menu.addAction(action)
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
