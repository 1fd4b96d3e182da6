"""The left column: the documents above, the matches of the chosen pair below."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from simcompare.comparison.subject import Subject
from simcompare.i18n import _
from simcompare.report.receipts import flag_in_words
from simcompare.report.wording import units_count
from simcompare.ui.document_list.view import DocumentList, DocumentRow
from simcompare.ui.labels import doubts_in_short, waiting_text
from simcompare.ui.looks.theme import GRID_PX, Theme
from simcompare.ui.matches.list_view import MatchList
from simcompare.ui.state.documents import Entry
from simcompare.ui.state.side import Side
from simcompare.ui.state.workspace import Workspace
from simcompare.visible import visible, visible_name

_NARROWEST_PX = 55 * GRID_PX


class _Halves(QSplitter):
    """Gives the documents the room that the matches do not need, until a person moves the border."""

    def __init__(self, documents: DocumentList, matches: MatchList) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._matches = matches
        self._was_moved = False
        self.addWidget(documents)
        self.addWidget(matches)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._remember_move)

    def _remember_move(self) -> None:
        self._was_moved = True

    def share_room(self) -> None:
        """Let the matches have what they need, half of the room at most."""
        room = self.height() - self.handleWidth()
        if not self._was_moved and room > 0:
            wanted = min(self._matches.wanted_height(), room // 2)
            self.setSizes([room - wanted, wanted])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_room()


class Sidebar(QWidget):
    """Listens to the workspace and passes on what is chosen."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(_NARROWEST_PX)
        self._workspace = workspace
        self._details: dict[Subject, str] = {}
        self.documents, self.matches = DocumentList(), MatchList()
        self._halves = _Halves(self.documents, self.matches)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._halves)
        self.documents.side_chosen.connect(lambda key, side: workspace.documents.choose(Side(side), key))
        self.documents.remove_requested.connect(workspace.documents.remove)
        self.documents.reading_again_requested.connect(workspace.documents.read_again)
        self.documents.whole_page_requested.connect(
            lambda keys, whole: workspace.documents.read_again(keys, whole_page=whole)
        )
        self.matches.match_chosen.connect(workspace.selection.select)
        self.matches.kinds_changed.connect(workspace.selection.show_kinds)
        self.matches.shown_changed.connect(workspace.selection.show)
        workspace.selection.listed_changed.connect(self._show_listed)
        workspace.review.changed.connect(
            lambda: self.matches.set_judgements(workspace.review.matches)
        )
        workspace.documents_changed.connect(self._show_documents)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.selection.changed.connect(lambda: self.matches.set_selected(workspace.selection.selected))

    def _show_documents(self) -> None:
        sides = {key: side.value for side, key in self._workspace.documents.sides.items()}
        entries = self._workspace.documents.entries.values()
        # what is said of a text takes a walk through all of it: once, not with every document that comes
        self._details = {e.subject: self._detail_of(e.subject) for e in entries if e.subject is not None}
        self.matches.show_waiting(waiting_text(self._workspace))
        self.documents.set_rows([self._row_of(entry, sides.get(entry.key)) for entry in entries])
        if len(sides) < len(Side):
            self._halves.share_room()

    def _row_of(self, entry: Entry, side: str | None) -> DocumentRow:
        name, path = visible_name(entry.path.name), visible(str(entry.path))
        if entry.asked is not None:
            return DocumentRow(entry.key, name, "reading", _("reading…"), side, path)
        if entry.error is not None:
            state, reason = "locked" if entry.is_locked else "problem", str(entry.error)
            return DocumentRow(entry.key, name, state, reason, side, f"{path}\n{reason}")
        assert entry.subject is not None, "what is neither read nor being read has an error"
        state = "doubtful" if entry.is_doubtful else "ready"
        doubts = (flag for flag in entry.subject.document.receipt.flags if flag.doubtful)
        tip = "\n".join([path, *(visible(flag_in_words(flag)) for flag in doubts)])
        whole = entry.options.whole_page
        return DocumentRow(
            entry.key,
            name,
            state,
            self._details[entry.subject],
            side,
            tip,
            whole if whole or entry.is_part_of_page else None,
        )

    def _detail_of(self, subject: Subject) -> str:
        return self._details.get(subject) or _detail(subject)

    def _show_listed(self) -> None:
        selection = self._workspace.selection
        self.matches.show_listed(selection.shown_kinds, selection.shown)

    def _show_comparison(self) -> None:
        self.matches.set_comparison(self._workspace.comparison, self._workspace.review.matches)
        if self._workspace.comparison is not None:  # else another is on its way, and the border waits for it
            self._halves.share_room()
        self.matches.set_selected(self._workspace.selection.selected)

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self.documents.apply_theme(theme)
        self.matches.apply_theme(theme)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self._details.clear()
        self.documents.retranslate()
        self.matches.retranslate()
        self._show_documents()


def _detail(subject: Subject) -> str:
    receipt = subject.document.receipt
    if receipt.doubtful:
        return doubts_in_short(receipt)
    parts = [units_count(subject)]
    if receipt.dropped:
        count = sum(dropped.characters for dropped in receipt.dropped)
        parts.append(_("{count} left out").format(count=f"{count:,}"))
    return " · ".join(parts)
