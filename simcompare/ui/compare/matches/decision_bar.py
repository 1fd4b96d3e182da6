"""Switches for a teacher's decision, and the button for the note on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from simcompare.session.decisions import NO_DECISION, OUTCOMES, REASONS, Decision, NotedDecision, outcome_of
from simcompare.support.i18n import N_, _
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, decision_colour, decision_name
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.icons import icon
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.text_labels import as_tooltip
from simcompare.ui.style.theme import GRID_PX, Theme, current_theme, follow_theme

_ICON_PX = 16
_WITH_TEXT = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly


@dataclass(frozen=True)
class DecisionBarTexts:
    """Texts of a decision bar, as gettext ids: what it decides on, accessible names and tooltips."""

    subject: str
    names: Mapping[Decision, str]
    tips: Mapping[Decision, str]
    note_name: str
    note_tip: str


PASSAGE_TEXTS = DecisionBarTexts(
    N_("This passage"),
    {Decision.FINE: N_("No concern"), Decision.COPIED: N_("Copied")},
    {
        Decision.FINE: N_("Mark as no concern; press again to undo (F, with a reason 1 to 4)"),
        Decision.COPIED: N_("Mark as copied; press again to undo (C or 5)"),
    },
    N_("Note"),
    N_("Write a note (M)"),
)
REASON_KEYS = {reason: str(1 + place) for place, reason in enumerate(REASONS)}


class DecisionBar(QWidget):
    """Two switches of which at most one is on, and a button for the note, checked if there is one.

    A label before them says what is decided on. The switch for no concern has a menu of reasons, and shows
    the one that was given.
    """

    decided = Signal(object)
    """The Decision that was switched on; None if one was switched off."""
    note_requested = Signal()

    def __init__(self, texts: DecisionBarTexts, padding_px: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts, self._padding_px = texts, padding_px
        self._subject = texts.subject
        self._noted = NO_DECISION
        self.subject = QLabel()
        self.subject.setObjectName("muted")
        self._icons: dict[tuple[Decision, bool], QIcon] = {}
        """Icon of each switch, on and off."""
        self.switches = {decision: self._button() for decision in OUTCOMES}
        self.note_button = translated(self._button(), N_("Note…"), accessibleName=texts.note_name)
        for decision, switch in self.switches.items():
            translated(switch, tip=texts.tips[decision], accessibleName=texts.names[decision])
            switch.clicked.connect(lambda is_on, made=decision: self.decided.emit(made if is_on else None))
        menu = QMenu(self)
        # digits decide on passages
        keys = REASON_KEYS if texts is PASSAGE_TEXTS else dict.fromkeys(REASONS, "")
        self.reasons = {reason: self._entry(menu, reason, key) for reason, key in keys.items()}
        self.switches[Decision.FINE].setMenu(menu)
        self.switches[Decision.FINE].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.note_button.clicked.connect(self._request_note)
        row_of(self, self.subject, *self._buttons, spacing_px=GRID_PX)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        return (*self.switches.values(), self.note_button)

    def _button(self) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the text or the list
        button.setToolButtonStyle(_WITH_TEXT)
        return button

    def _entry(self, menu: QMenu, reason: Decision, key: str) -> QAction:
        shown = f"\t{key}" if key else ""
        entry = NamedAction(lambda: decision_name(reason) + shown, menu, checkable=True)
        entry.triggered.connect(lambda is_on: self.decided.emit(reason if is_on else Decision.FINE))
        return entry

    def show_subject(self, subject: str) -> None:
        """Show the object of the decision; subject: a gettext id."""
        self._subject = subject
        self.subject.setText(_(subject))

    def set_compact(self, is_compact: bool) -> None:
        for button in self._buttons:
            button.setToolButtonStyle(_ICON_ONLY if is_compact else _WITH_TEXT)

    def _request_note(self) -> None:
        self._show_note()  # the click has toggled the button
        self.note_requested.emit()

    def show_decision(self, noted: NotedDecision) -> None:
        """Show decision and note, without a signal."""
        self._noted = noted
        for decision, switch in self.switches.items():
            switch.setChecked(decision is outcome_of(noted.decision))
        for reason, entry in self.reasons.items():
            entry.setChecked(reason is noted.decision)
        self._show_names()
        self._show_note()
        self._show_icons()

    def _show_names(self) -> None:
        for decision, switch in self.switches.items():
            is_shown = decision is outcome_of(self._noted.decision)
            switch.setText(decision_name(self._noted.decision if is_shown else decision))

    def _show_note(self) -> None:
        note = self._noted.note.strip()
        tip = _(self._texts.note_tip)
        self.note_button.setChecked(bool(note))
        self.note_button.setAccessibleDescription(note)
        self.note_button.setToolTip(as_tooltip(f"{tip}\n{note}" if note else tip))

    def _show_icons(self) -> None:
        for decision, switch in self.switches.items():
            switch.setIcon(self._icons[decision, switch.isChecked()])

    def _retranslate(self) -> None:
        self.subject.setText(_(self._subject))
        self._show_names()
        self._show_note()

    def _apply_theme(self) -> None:
        theme = current_theme()
        for decision in OUTCOMES:
            drawing = DECISION_ICONS[decision]
            self._icons[decision, True] = icon(drawing, decision_colour(decision, theme))
            self._icons[decision, False] = icon(drawing, theme.muted)
            line = theme.danger if decision is Decision.COPIED else theme.accent
            self.switches[decision].setStyleSheet(_switch_style(theme, line, self._padding_px))
        self.note_button.setIcon(icon(NOTE_ICON, theme.muted))
        self.note_button.setStyleSheet(_switch_style(theme, theme.accent, self._padding_px))
        self._show_icons()


def button_style(theme: Theme) -> str:
    """Style sheet of a quiet button."""
    return f"""
        QPushButton {{ color: {theme.ink}; background: {theme.surface}; border: 1px solid {theme.line};
                       border-radius: 6px; padding: {GRID_PX}px {2 * GRID_PX}px; }}
        QPushButton:hover {{ background: {theme.raised}; border-color: {theme.muted}; }}
        QPushButton:pressed {{ background: {theme.accent_tint}; }}
        QPushButton:focus {{ border-color: {theme.accent}; }}
        QPushButton:disabled {{ color: {theme.muted}; border-style: dashed; }}
    """


def _switch_style(theme: Theme, line: str, padding_px: int) -> str:
    """Style sheet of a switch; line: colour of its border while it is on."""
    return f"""
        QToolButton {{ color: {theme.ink}; background: {theme.surface}; border: 1px solid {theme.line};
                       border-radius: 6px; padding: {padding_px}px {2 * padding_px}px; }}
        QToolButton:hover {{ background: {theme.raised}; border-color: {theme.muted}; }}
        QToolButton:checked {{ background: {theme.accent_tint}; border-color: {line}; }}
        QToolButton:focus {{ border: 2px solid {theme.accent};
                             padding: {padding_px - 1}px {2 * padding_px - 1}px; }}
        QToolButton:disabled {{ color: {theme.muted}; }}
        QToolButton[popupMode="1"] {{ padding-right: {6 * GRID_PX}px; }}
        QToolButton::menu-button {{ border: none; width: {5 * GRID_PX}px; }}
    """
