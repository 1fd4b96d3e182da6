"""Notices about documents (doubts, changed files, removals), and the menu of those to check."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.support.i18n import _, ngettext
from simcompare.ui.documents.document_list import DocumentList
from simcompare.ui.labels import escape_menu_text, problem_in_words, problems_notice, slow_files_notice
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.document_store import Removal, removed_label
from simcompare.ui.state.workspace import Workspace


class ProblemMenu(QMenu):
    """Lists the documents that need attention; choosing one shows it in the list of documents."""

    def __init__(self, workspace: Workspace, show_document: Callable[[int], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._documents = workspace.documents
        self._class = workspace.class_state
        self._show_document = show_document

    def open_at(self, widget: QWidget) -> None:
        self.clear()
        self.setAccessibleName(_("Files to check"))
        for key in self._documents.problems:
            entry = self._documents.entries[key]
            text = f"{escape_menu_text(self._label_of(key))}\t{problem_in_words(entry)}"
            self.addAction(text, partial(self._show_document, key))
        self.popup(widget.mapToGlobal(QPoint(0, widget.height())))

    def _label_of(self, key: int) -> str:
        """Name of the file, after that of its student if the file does not name the student."""
        name, student = self._documents.name_of(key), self._class.student_of(key)
        is_named = student is None or not student.name or student.name in name
        return name if is_named or student is None else f"{student.name} – {name}"


class DocumentNotices(QObject):
    """Shows notices about documents, with the actions they offer."""

    def __init__(
        self, workspace: Workspace, bar: NoticeBar, listed: DocumentList, problem_menu: ProblemMenu
    ) -> None:
        super().__init__(bar)
        self._documents = workspace.documents
        self._history = workspace.history
        self._review = workspace.review
        self._bar = bar
        self._list = listed
        self._problem_menu = problem_menu
        workspace.settled.connect(bar.withdraw)
        self._removal_words = ""
        self._problem_words = ""
        self._documents.problems_found.connect(self._show_problems)
        self._documents.changed.connect(self._withdraw_problems)
        self._documents.files_changed.connect(self._show_changes)
        self._documents.text_changed.connect(self._warn_of_earlier_decisions)
        self._documents.removed.connect(self._show_removal)
        self._history.indexChanged.connect(self._forget_removal)

    def _show_problems(self, keys: list[int], slow: list[int]) -> None:
        slow_words = slow_files_notice(self._documents, slow) if slow else ""
        if not keys:
            self._bar.show_notice(slow_words, passes=True)
            return
        self._problem_words = f"{problems_notice(self._documents, keys)}\n{slow_words}".rstrip()
        if len(self._documents.problems) == 1:
            self._bar.show_notice(self._problem_words, lambda: self._list.select_next(keys))
        else:
            show = partial(self._problem_menu.open_at, self._bar.show_button)
            self._bar.show_notice(self._problem_words, show, _("Show the files"))

    def _withdraw_problems(self) -> None:
        done, total = self._documents.reading_count
        if self._problem_words and done == total and not self._documents.problems:
            self._bar.withdraw(self._problem_words)
            self._problem_words = ""

    def _show_changes(self, keys: list[int]) -> None:
        text = ngettext(
            "{name} changed on disk after it was read.",
            "{count} files changed on disk after they were read.",
            len(keys),
            name=self._documents.name_of(keys[0]),
        )
        self._bar.show_notice(
            text, self._read_changes_again, _("Read again") if len(keys) == 1 else _("Read all again")
        )

    def _read_changes_again(self) -> None:
        self._bar.hide()
        self._documents.read_again(self._documents.changed_files)

    def _warn_of_earlier_decisions(self, key: int) -> None:
        """Warn that decisions were made on an earlier text; those on a whole pair are kept."""
        if any(key in pair for pair in self._review.pairs()):
            words = _(
                "The text of {name} has changed. Check its pairs again: your decisions and notes were"
                " made on the earlier text."
            )
            self._bar.show_notice(words.format(name=self._documents.name_of(key)))

    def _show_removal(self, removal: Removal) -> None:
        self._removal_words = _("Removed: {names}").format(names=removed_label(removal.entries))
        self._bar.show_notice(self._removal_words, self._history.undo, _("Undo"))

    def _forget_removal(self) -> None:
        """Withdraw the offer to undo a removal after the next step of the history."""
        words, self._removal_words = self._removal_words, ""
        self._bar.withdraw(words)
