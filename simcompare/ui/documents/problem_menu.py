"""Menu of the documents that need attention: not read, locked, or with doubts about their text."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.support.i18n import _
from simcompare.ui.labels import escape_menu_text, problem_in_words
from simcompare.ui.state.document_store import DocumentStore


class ProblemMenu(QMenu):
    """Lists the documents that need attention; choosing one shows it in the list of documents."""

    def __init__(
        self, documents: DocumentStore, show_document: Callable[[int], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._show_document = show_document

    def open_at(self, widget: QWidget) -> None:
        """Open beside a widget, on the side that has room."""
        self.clear()
        self.setAccessibleName(_("Files to check"))
        for key in self._documents.problems:
            entry = self._documents.entries[key]
            text = f"{escape_menu_text(self._documents.name_of(key))}\t{problem_in_words(entry)}"
            self.addAction(text, partial(self._show_document, key))
        self.popup(widget.mapToGlobal(QPoint(0, widget.height())))
