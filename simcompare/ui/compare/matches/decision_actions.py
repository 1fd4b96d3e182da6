"""Decisions on the selected match: connects inspector and commands with the review."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer

from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.actions import Command, Commands
from simcompare.ui.compare.matches.inspector import Inspector
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.workspace import Workspace


class MatchDecisionActions(QObject):
    """Shows the decision on the selected match in the inspector, and stores the teacher's decisions."""

    def __init__(self, workspace: Workspace, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._workspace = workspace
        self._review, self._selection = workspace.review, workspace.selection
        self._inspector = inspector
        self._cell = self._selection.cell
        self.entries = [
            Command("fine", N_("Mark as no concern"), "F", partial(self._toggle, Decision.FINE)),
            Command("copied", N_("Mark as copied"), "C", partial(self._toggle, Decision.COPIED)),
            Command("note", N_("Note…"), "M", inspector.toggle_note),
            Command("undecided", N_("Next undecided match"), "U", self._selection.select_undecided),
        ]
        self._commands: Commands | None = None
        # one check after several changes, as it scans all matches
        self._enabling = QTimer(self, singleShot=True, interval=0)
        self._enabling.timeout.connect(self._enable)
        inspector.installEventFilter(self)
        inspector.decided.connect(self._decide)
        inspector.note_changed.connect(self._store_note)
        inspector.note_closed.connect(self._review.end_typing)
        self._selection.changed.connect(self._show)
        self._selection.listed_changed.connect(self._enabling.start)
        self._review.changed.connect(self._show)
        self._review.changed_elsewhere.connect(self._notice)
        workspace.comparison_changed.connect(self._follow)

    def enable(self, commands: Commands) -> None:
        """Keep the commands enabled or disabled from now on."""
        self._commands = commands
        self._enable()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Disable the commands while another page hides the match."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._enabling.start()
        return super().eventFilter(watched, event)

    def _decide(self, decision: Decision | None) -> None:
        if self._selection.cell is not None:
            self._review.decide(self._selection.cell, decision)

    def _toggle(self, decision: Decision) -> None:
        held = self._review.decision_of(self._selection.cell).decision
        self._decide(None if held is decision else decision)

    def _store_note(self, note: str) -> None:
        if self._selection.cell is not None:
            self._review.note(self._selection.cell, note)

    def _follow(self, changed: ComparisonPart) -> None:
        if ComparisonPart.TEXTS in changed:
            self._show()
        elif ComparisonPart.MATCHES in changed:
            self._enabling.start()

    def _show(self) -> None:
        if self._selection.cell != self._cell:
            self._inspector.close_note()
            self._cell = self._selection.cell
        self._inspector.show_decision(self._review.decision_of(self._cell))
        self._enabling.start()

    def _notice(self, *keys: int) -> None:
        """Show a notice when undo or redo changed another pair."""
        left, right = (self._workspace.documents.name_of(key) or "–" for key in keys)
        changed = _("Changed in another pair: {left} ↔ {right}").format(left=left, right=right)
        self._workspace.noticed.emit(changed)

    def _enable(self) -> None:
        if self._commands is None:
            return
        seen = self._inspector.isVisible()
        is_match = seen and self._selection.selected is not None
        for name in ("fine", "copied", "note"):
            self._commands.actions[name].setEnabled(is_match)
        self._commands.actions["undecided"].setEnabled(seen and self._selection.has_undecided)
