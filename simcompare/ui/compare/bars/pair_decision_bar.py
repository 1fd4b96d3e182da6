"""Decision on the pair as a whole and the note on it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.decision_bar import DecisionBar, DecisionBarTexts
from simcompare.ui.compare.matches.note_popup import NotePopup
from simcompare.ui.state.review.review_history import ReviewHistory

_TEXTS = DecisionBarTexts(
    N_("Whole pair"),
    {Decision.FINE: N_("Pair: no concern"), Decision.COPIED: N_("Pair: copied")},
    {
        Decision.FINE: N_("Mark the pair as no concern; press again to undo (Shift+F)"),
        Decision.COPIED: N_("Mark the pair as copied; press again to undo (Shift+C)"),
    },
    N_("Note on the pair"),
    N_("Write a note on the pair (Shift+M)"),
)
_PADDING_PX = 2


def decision_tip(decision: Decision) -> str:
    """Tooltip of a button for a decision on the pair, with its key."""
    return _(_TEXTS.tips[decision])


class PairDecisionBar(DecisionBar):
    """Decision bar of the pair in the review, with the pop-up for its note."""

    stored = Signal(object)
    """The Decision that the review has now; None if it was withdrawn."""

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(_TEXTS, _PADDING_PX, parent)
        self._review = review
        self._popup = NotePopup(_TEXTS.note_name, self)
        self.note = self._popup.field
        self.decided.connect(self._store)
        self.note_requested.connect(self.open_note)
        self.note.note_changed.connect(self._store_note)
        self._popup.closed.connect(self._end_note)
        review.changed.connect(self.show_review)
        self.show_review()

    def toggle(self, decision: Decision) -> None:
        """Decide on the pair, or withdraw the decision if the pair has it already."""
        self._store(None if self._review.overall.decision is decision else decision)

    def _store(self, decision: Decision | None) -> None:
        if self._review.pair is not None:
            self._review.decide_pair(*self._review.pair, decision)
            self.stored.emit(decision)

    def _store_note(self, note: str) -> None:
        if self._review.pair is not None:
            self._review.note_pair(*self._review.pair, note)

    def open_note(self) -> None:
        """Open the note field below its button."""
        self._popup.open_at(self.note_button, self.note_button.rect())

    def _end_note(self) -> None:
        self._review.end_typing()
        if self._popup.has_focus:
            self.note_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_review(self) -> None:
        """Show decision and note of the pair; disabled without a pair."""
        self.setEnabled(self._review.pair is not None)
        self.show_decision(self._review.overall)
        self.note.show_note(self._review.overall.note)
