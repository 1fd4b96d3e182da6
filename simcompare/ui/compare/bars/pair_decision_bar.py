"""Buttons for the decision on the pair as a whole and the note on it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from simcompare.report.wording import named
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.decision_bar import NotePopup
from simcompare.ui.labels import (
    DECISION_ICONS,
    NOTE_ICON,
    as_tooltip,
    decision_colour,
    decision_name,
)
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, Theme

_NAMES = {Decision.FINE: N_("Pair: no concern"), Decision.COPIED: N_("Pair: copied")}
_TIPS = {
    Decision.FINE: N_("Mark the pair as no concern; press again to undo (Shift+F)"),
    Decision.COPIED: N_("Mark the pair as copied; press again to undo (Shift+C)"),
}


def decision_tip(decision: Decision) -> str:
    """Tooltip of a button for a decision on the pair, with its key."""
    return _(_TIPS[decision])


_ICON_PX = 16
_WITH_TEXT = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly


class PairDecisionBar(QWidget):
    """Two switches of which at most one is on, and a button for the note, checked if there is one."""

    decided = Signal(object)
    """The Decision made here; None if it was withdrawn."""

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review = review
        self.switches = {decision: self._button() for decision in Decision}
        self.note_button = self._button()
        for decision, switch in self.switches.items():
            switch.clicked.connect(lambda _on, decision=decision: self.toggle(decision))
        self.note_button.clicked.connect(self.open_note)
        row_of(self, *self._buttons, spacing_px=GRID_PX)
        self._popup = NotePopup()
        self.note = self._popup.field
        self.note.note_changed.connect(self._store_note)
        self._popup.closed.connect(self._end_note)
        review.changed.connect(self.show_review)
        follow_language(self._retranslate)
        follow_theme(self._apply_theme)

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        return (*self.switches.values(), self.note_button)

    def _button(self) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolButtonStyle(_WITH_TEXT)
        return button

    def set_compact(self, is_compact: bool) -> None:
        """Show icons only, or icons with texts."""
        for button in self._buttons:
            button.setToolButtonStyle(_ICON_ONLY if is_compact else _WITH_TEXT)

    def toggle(self, decision: Decision) -> None:
        """Decide on the pair, or withdraw the decision if the pair has it already."""
        if self._review.pair is not None:
            made = None if self._review.overall.decision is decision else decision
            self._review.decide_pair(*self._review.pair, made)
            self.decided.emit(made)

    def _store_note(self, note: str) -> None:
        if self._review.pair is not None:
            self._review.note_pair(*self._review.pair, note)

    def open_note(self) -> None:
        """Open the note field below its button."""
        self.show_review()  # the click has toggled the button
        self._popup.open_at(self.note_button, self.note_button.rect())

    def _end_note(self) -> None:
        self._review.end_typing()
        if self.note.hasFocus():
            self.note_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_review(self) -> None:
        """Show decision and note of the pair; disabled without a pair."""
        overall = self._review.overall
        note = overall.note.strip()
        self.setEnabled(self._review.pair is not None)
        for decision, switch in self.switches.items():
            switch.setChecked(decision is overall.decision)
        self.note.show_note(overall.note)
        self.note_button.setChecked(bool(note))
        tip = _("Write a note on the pair (Shift+M)")
        self.note_button.setToolTip(as_tooltip("\n".join(part for part in (tip, note) if part)))
        self.note_button.setAccessibleDescription(named(_("Note"), note) if note else "")
        self._show_icons()

    def _show_icons(self) -> None:
        theme, decided = current_theme(), self._review.overall.decision
        for decision, switch in self.switches.items():
            colour = decision_colour(decision, theme) if decision is decided else theme.muted
            switch.setIcon(icon(DECISION_ICONS[decision], colour))
        self.note_button.setIcon(icon(NOTE_ICON, theme.ink if self.note_button.isChecked() else theme.muted))

    def _retranslate(self) -> None:
        for decision, switch in self.switches.items():
            switch.setText(decision_name(decision))
            switch.setToolTip(decision_tip(decision))
            switch.setAccessibleName(_(_NAMES[decision]))
        self.note_button.setText(_("Note"))
        self.note_button.setAccessibleName(_("Note on the pair"))
        self.show_review()

    def _apply_theme(self) -> None:
        theme = current_theme()
        lines = {Decision.FINE: theme.accent, Decision.COPIED: theme.danger}
        for decision, switch in self.switches.items():
            switch.setStyleSheet(_switch_style(theme, lines[decision]))
        self.note_button.setStyleSheet(_switch_style(theme, theme.line))
        self._show_icons()


def _switch_style(theme: Theme, line: str) -> str:
    """Style sheet of a switch; line: colour of its border while it is on."""
    return f"""
        QToolButton {{ color: {theme.ink}; background: {theme.surface}; border: 1px solid {theme.line};
                       border-radius: 6px; padding: 2px {GRID_PX}px; }}
        QToolButton:hover {{ background: {theme.raised}; border-color: {theme.muted}; }}
        QToolButton:checked {{ background: {theme.accent_tint}; border-color: {line}; }}
        QToolButton:focus {{ border: 2px solid {theme.accent}; padding: 1px {GRID_PX - 1}px; }}
        QToolButton:disabled {{ color: {theme.muted}; }}
    """
