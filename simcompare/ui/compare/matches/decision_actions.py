"""Decisions on what is selected: connects inspector, list and commands with the review."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer

from simcompare.comparison.comparison_result import Comparison
from simcompare.session.decisions import NO_DECISION, Decision, NotedDecision
from simcompare.session.school_class import Pair
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.actions import Command, CommandGroup, MenuEntry
from simcompare.ui.compare.matches.inspector import Inspector
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import PassageRow
from simcompare.ui.labels import DECISION_KEYS, searching_text
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.workspace import Workspace

_COMMAND_TEXTS = {
    Decision.TASK_TEXT: N_("No concern: task text"),
    Decision.CITED: N_("No concern: cited"),
    Decision.COMMON_SOURCE: N_("No concern: common source"),
    Decision.JOINT_WORK: N_("No concern: joint work permitted"),
}


class PassageDecisionActions(QObject):
    """Shows the decision on the selected passage or sentences, and stores the teacher's decisions.

    A decision applies to the selected rows of the list if there are several, else to the selected pair of
    sentences in a passage, else to the whole passage; without any passage, a key decides the pair.
    """

    def __init__(
        self,
        workspace: Workspace,
        inspector: Inspector,
        passages: PassageList,
        preferences: Preferences,
        show_message: Callable[[str], None],
        notice: NoticeBar,
    ) -> None:
        super().__init__(inspector)
        self._show_message, self._notice = show_message, notice
        self._told: tuple[str, Pair | None] = "", None
        """Notice on other pairs, and the pair that was shown."""
        self._workspace, self._labels = workspace, StudentLabels(workspace)
        self._review, self._selection = workspace.review, workspace.selection
        self._inspector = inspector
        self._list = passages
        self._shown = self._selection.passage, self._selection.cell
        inspector.why_action.setChecked(preferences.shows_reasons)
        inspector.why_action.toggled.connect(partial(setattr, preferences, "shows_reasons"))
        fine = Command("fine", N_("Mark as no concern"), "F", partial(self._toggle, Decision.FINE))
        reasons = tuple(
            Command(str(reason), text, DECISION_KEYS[reason], partial(self._toggle, reason))
            for reason, text in _COMMAND_TEXTS.items()
        )
        copied = Command("copied", N_("Mark as copied"), ("C", "5"), partial(self._toggle, Decision.COPIED))
        self._decisions = (fine, *reasons, copied)
        self._note = Command("note", N_("Note…"), "M", inspector.toggle_note)
        self._undecided = Command("undecided", N_("Next undecided passage"), "U", self._go_to_undecided)
        why = CommandGroup(N_("Why no concern"), reasons)
        self.entries: list[MenuEntry] = [
            *(fine, why, copied, self._note, self._undecided),
            inspector.why_action,
        ]
        passages.add_actions([*self._decisions, self._note])
        # one check after several changes, as it scans all passages
        self._enabling = QTimer(self, singleShot=True, interval=0)
        self._enabling.timeout.connect(self._enable)
        inspector.installEventFilter(self)
        inspector.line.decisions.decided.connect(self._decide)
        inspector.note_popup.field.note_changed.connect(self._store_note)
        inspector.note_requested.connect(self._selection.return_to_decided)
        inspector.note_closed.connect(self._review.end_typing)
        inspector.note_closed.connect(self._selection.go_on)
        passages.rows_selected.connect(self._enabling.start)
        self._selection.changed.connect(self._show)
        self._selection.listed_changed.connect(self._enabling.start)
        self._review.changed.connect(self._show)
        self._review.changed_elsewhere.connect(self._tell)
        workspace.comparison_changed.connect(self._follow)
        self._enable()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._enabling.start()
        if event.type() == QEvent.Type.Hide and not event.spontaneous():
            self._notice.withdraw(self._told[0])
        return super().eventFilter(watched, event)

    # deciding

    @property
    def _is_sentence_pair(self) -> bool:
        """True if decisions apply to the selected sentences, not to their passage."""
        return self._selection.is_inside_passage or self._selection.passage is None

    @property
    def _can_decide(self) -> bool:
        selection = self._selection
        is_near_miss = selection.cell is not None and selection.selected is None
        return selection.are_counterparts or not (selection.is_empty or is_near_miss)

    @property
    def _can_decide_pair(self) -> bool:
        passages = self._workspace.passages
        return passages is not None and not len(passages) and self._selection.is_empty

    @property
    def _noted(self) -> NotedDecision:
        if not self._can_decide:
            return NO_DECISION
        if self._is_sentence_pair or self._selection.passage is None:
            return self._review.decision_of(self._selection.cell)
        return self._review.passage_decision(self._selection.passage)

    def _decide(self, decision: Decision | None) -> None:
        if not self._can_decide:
            return
        if self._is_sentence_pair and self._selection.cell is not None:
            self._review.decide(self._selection.cell, decision)
        elif self._selection.passage is not None:
            self._review.decide_passages([self._selection.passage], decision)

    def _go_to_undecided(self) -> None:
        passages = self._workspace.passages
        if passages is None or not len(passages):
            self._show_message(searching_text(self._workspace) or _("No passages."))
        elif not self._review.passages.undecided.any():
            self._show_message(_("Every passage is decided."))
        else:
            self._selection.select_undecided()

    def _toggle(self, decision: Decision) -> None:
        """Decide and go on to what is undecided; withdraw the same decision and stay."""
        rows, comparison = self._list.several_selected, self._workspace.comparison
        if rows and comparison is not None:
            self._decide_rows(comparison, rows, decision)
        elif self._can_decide_pair and (pair := self._review.pair) is not None:
            is_same = self._review.overall.decision is decision
            self._review.decide_pair(*pair, None if is_same else decision)
        elif not self._can_decide:
            self._show_message(_("Choose a passage first."))
        elif self._noted.decision is decision:
            self._decide(None)
        else:
            self._decide(decision)
            if self._selection.is_inside_passage:
                self._show_message(
                    _("Decided for this pair of sentences only. Esc selects the whole passage.")
                )
            self._selection.advance()

    def _decide_rows(self, comparison: Comparison, rows: Sequence[PassageRow], decision: Decision) -> None:
        passages = [row.passage for row in rows if row.match is None]
        others = [row.match for row in rows if row.match is not None and row.passage not in passages]
        matches = self._review.matches
        held = {self._review.passage_decision(passage).decision for passage in passages}
        held |= {matches.decision(match) for match in others}
        made = None if held == {decision} else decision
        found = [comparison.matches[match] for match in others]
        self._review.decide_all([(match.left, match.right) for match in found], passages, made)

    def _store_note(self, note: str) -> None:
        if not self._can_decide:
            return
        if self._is_sentence_pair and self._selection.cell is not None:
            self._review.note(self._selection.cell, note)
        elif self._selection.passage is not None:
            self._review.note_passage(self._selection.passage, note)

    # following

    def _follow(self, changed: ComparisonPart) -> None:
        if ComparisonPart.TEXTS in changed:
            if self._review.pair != self._told[1]:
                self._notice.withdraw(self._told[0])
            self._show()
        else:
            self._enabling.start()

    def _show(self) -> None:
        shown = self._selection.passage, self._selection.cell
        if shown != self._shown:
            self._inspector.close_note()
            self._shown = shown
        self._inspector.show_decision(self._noted)
        self._enabling.start()

    def _tell(self, pairs: Sequence[Pair]) -> None:
        """Say what undo or redo changed outside the shown pair: in Compare by a notice until it is left."""
        words = ngettext(
            "Decision or note changed on {count} pair",
            "Decisions or notes changed on {count} pairs",
            len(pairs),
        )
        if not self._inspector.isVisible():
            self._show_message(words)
            return
        show = None
        if len(pairs) == 1:
            show = partial(self._workspace.documents.choose_pair, *pairs[0])
            left, right = (self._labels.text_of(key) or "–" for key in pairs[0])
            words = _("Changed in another pair: {left} ↔ {right}").format(left=left, right=right)
        self._told = words, self._review.pair
        self._notice.show_notice(words, show, _("Show"))

    def _enable(self) -> None:
        seen = self._inspector.isVisible()
        several = bool(self._list.several_selected)
        for decision in self._decisions:  # its key says what is missing
            decision.setEnabled(seen and self._workspace.passages is not None)
        self._note.setEnabled(seen and self._can_decide and not several)
        self._undecided.setEnabled(seen)
        self._inspector.why_action.setEnabled(seen)
