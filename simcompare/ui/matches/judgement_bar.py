"""The row under a match on which the teacher decides: fine, copied, a note."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.session.review import NO_JUDGEMENT, Decision, Judgement
from simcompare.ui.looks.elided_label import ElidedLabel
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.palette import muted_palette
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.decisions import DECISION_ICONS, NOTE_ICON, decision_colour, decision_name

_ICON_PX = 16


class JudgementBar(QWidget):
    """Two switches of which one at most is on, a button for the note, and the note in one line."""

    decided = Signal(object)
    """The Decision that was switched on, None where one was switched off."""
    note_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._judgement = NO_JUDGEMENT
        self._marks: dict[tuple[Decision, bool], QIcon] = {}
        """The icon of each switch, on and off."""
        self._switches = {decision: QPushButton(self) for decision in Decision}
        self._note = QPushButton(self)
        self._excerpt = ElidedLabel(self)
        self._excerpt.cut = Qt.TextElideMode.ElideRight
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID_PX)
        for decision, switch in self._switches.items():
            switch.setCheckable(True)
            switch.toggled.connect(partial(self._decide, decision))
        for button in (*self._switches.values(), self._note):
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
            row.addWidget(button)
        row.addWidget(self._excerpt, 1)
        self._note.clicked.connect(self.note_requested)
        self.apply_theme(LIGHT)
        self.retranslate()

    def _decide(self, decision: Decision, on: bool) -> None:
        self.decided.emit(decision if on else None)

    def show_judgement(self, judgement: Judgement) -> None:
        """Show what was decided and noted, without a signal."""
        self._judgement = judgement
        for decision, switch in self._switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(decision is judgement.decision)
        self._excerpt.setText(" ".join(judgement.note.split()))
        self._excerpt.setToolTip(judgement.note.strip())
        self._show_icons()

    def _show_icons(self) -> None:
        for decision, switch in self._switches.items():
            switch.setIcon(self._marks[decision, decision is self._judgement.decision])

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        tips = {
            Decision.FINE: _("Judge the match as fine; once more takes it back (F)"),
            Decision.COPIED: _("Judge the match as copied; once more takes it back (C)"),
        }
        for decision, switch in self._switches.items():
            switch.setText(decision_name(decision))
            switch.setToolTip(tips[decision])
        self._note.setText(_("Note…"))
        self._note.setToolTip(_("Write a note on the match (M)"))
        self._excerpt.setAccessibleName(_("Note"))

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        for decision, drawing in DECISION_ICONS.items():
            self._marks[decision, True] = icon(drawing, decision_colour(decision, theme))
            self._marks[decision, False] = icon(drawing, theme.muted)
        self._note.setIcon(icon(NOTE_ICON, theme.muted))
        self._excerpt.setPalette(muted_palette(theme))
        self._note.setStyleSheet(button_style(theme))
        for decision, switch in self._switches.items():
            switch.setStyleSheet(button_style(theme) + _checked_style(decision, theme))
        self._show_icons()


def button_style(theme: Theme) -> str:
    """Return the style sheet of a quiet button."""
    return f"""
        QPushButton {{ color: {theme.ink}; background: {theme.surface}; border: 1px solid {theme.line};
                       border-radius: 6px; padding: {GRID_PX}px {2 * GRID_PX}px; }}
        QPushButton:hover {{ background: {theme.raised}; border-color: {theme.muted}; }}
        QPushButton:pressed {{ background: {theme.accent_tint}; }}
        QPushButton:focus {{ border-color: {theme.accent}; }}
        QPushButton:disabled {{ color: {theme.muted}; border-style: dashed; }}
    """


def _checked_style(decision: Decision, theme: Theme) -> str:
    line = theme.danger if decision is Decision.COPIED else theme.accent
    return f"""
        QPushButton:checked {{ background: {theme.accent_tint}; border: 1px solid {line};
                               font-weight: 600; }}
        QPushButton:checked:focus {{ border: 2px solid {line};
                               padding: {GRID_PX - 1}px {2 * GRID_PX - 1}px; }}
    """
