"""The left column: the documents above, the matches of the chosen pair below."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from simcompare.comparison.subject import Subject
from simcompare.i18n import _
from simcompare.report.wording import units_count
from simcompare.ui.document_list import DocumentList, DocumentRow
from simcompare.ui.labels import waiting_text
from simcompare.ui.match_list import MatchList
from simcompare.ui.side import Side
from simcompare.ui.theme import GRID_PX, Theme
from simcompare.ui.workspace import Entry, Workspace

_NARROWEST_PX = 55 * GRID_PX


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
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(self.documents)
        halves.addWidget(self.matches)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        halves.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(halves)
        self.documents.side_chosen.connect(lambda key, side: workspace.choose(Side(side), key))
        self.documents.remove_requested.connect(workspace.remove)
        self.matches.match_chosen.connect(workspace.selection.select)
        self.matches.kinds_changed.connect(workspace.selection.show_kinds)
        workspace.selection.shown_kinds_changed.connect(
            lambda: self.matches.show_kinds(workspace.selection.shown_kinds)
        )
        workspace.documents_changed.connect(self._show_documents)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.selection.changed.connect(lambda: self.matches.set_selected(workspace.selection.selected))

    def _show_documents(self) -> None:
        sides = {key: side.value for side, key in self._workspace.sides.items()}
        entries = self._workspace.entries.values()
        # what is said of a text takes a walk through all of it: once, not with every document that comes
        self._details = {e.subject: self._detail_of(e.subject) for e in entries if e.subject is not None}
        self.matches.show_waiting(waiting_text(self._workspace))
        self.documents.set_rows([self._row_of(entry, sides.get(entry.key)) for entry in entries])

    def _row_of(self, entry: Entry, side: str | None) -> DocumentRow:
        if entry.error is not None:
            state, detail, tooltip = "problem", str(entry.error), str(entry.error)
        elif entry.subject is None:
            state, detail, tooltip = "reading", _("reading…"), str(entry.path)
        else:
            state, detail, tooltip = "ready", self._details[entry.subject], str(entry.path)
        return DocumentRow(entry.key, entry.path.name, state, detail, side, tooltip)

    def _detail_of(self, subject: Subject) -> str:
        return self._details.get(subject) or _ready_detail(subject)

    def _show_comparison(self) -> None:
        self.matches.set_comparison(self._workspace.comparison)
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


def _ready_detail(subject: Subject) -> str:
    receipt = subject.document.receipt
    parts = [units_count(subject)]
    if receipt.doubtful:
        parts.append(_("doubtful, look at it"))
    elif receipt.dropped:
        characters = sum(dropped.characters for dropped in receipt.dropped)
        parts.append(_("{count} characters left out").format(count=characters))
    return " · ".join(parts)
