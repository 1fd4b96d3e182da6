"""The button in the pair's header with what the teacher makes of the pair as a whole."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from simcompare.i18n import N_, _
from simcompare.report.phrases import named
from simcompare.session.review import Decision
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import LIGHT, Theme
from simcompare.ui.matches.decisions import DECISION_ICONS, NOTE_ICON, decision_colour, decision_name
from simcompare.ui.matches.note_popup import NotePopup
from simcompare.ui.matches.review_filter import small_menu_button_style
from simcompare.ui.state.review import Review

_TEXTS = {
    None: N_("Pair: undecided"),
    Decision.FINE: N_("Pair: fine"),
    Decision.COPIED: N_("Pair: copied"),
}
_ICON_PX = 16


class PairVerdict(QToolButton):
    """Says what was decided about the pair; its menu decides, and opens a field for a note.

    `note_sign` is to stand beside it: it is there where something was noted, and opens the field too.
    """

    def __init__(self, review: Review, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review = review
        self._theme = LIGHT
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._decisions: dict[Decision | None, QAction] = {}
        self.setMenu(self._made_menu())
        self._popup = NotePopup()
        self.note = self._popup.field
        self.note.note_changed.connect(self._write)
        self._popup.closed.connect(self._end_note)
        self.note_sign = self._made_note_sign()
        review.changed.connect(self.show_review)

    def _made_note_sign(self) -> QToolButton:
        sign = QToolButton()
        sign.setIconSize(QSize(_ICON_PX, _ICON_PX))
        sign.setAutoRaise(True)
        sign.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        sign.clicked.connect(self.open_note)
        sign.hide()
        return sign

    def _made_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for decision in _TEXTS:
            action = menu.addAction("", partial(self._decide, decision))
            action.setCheckable(True)
            group.addAction(action)
            self._decisions[decision] = action
        menu.addSeparator()
        self._open_note = menu.addAction("", self.open_note)
        return menu

    def _decide(self, decision: Decision | None) -> None:
        if self._review.pair is not None:
            self._review.judge_pair(*self._review.pair, decision)

    def _write(self, note: str) -> None:
        if self._review.pair is not None:
            self._review.note_pair(*self._review.pair, note)

    def open_note(self) -> None:
        """Open the field under the button."""
        self._popup.open_at(self, self.rect())

    def _end_note(self) -> None:
        self._review.end_typing()
        if self.note.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_review(self) -> None:
        """Show what is made of the pair under comparison; nothing can be while there is none."""
        overall = self._review.overall
        self.setEnabled(self._review.pair is not None)
        self._decisions[overall.decision].setChecked(True)
        self.note.show_note(overall.note)
        self.setText(_(_TEXTS[overall.decision]))
        tip = _("What you make of the pair as a whole")
        self.setToolTip("\n".join(part for part in (tip, overall.note.strip()) if part))
        self.setAccessibleDescription(overall.note.strip())
        self._show_note_sign(overall.note.strip())
        self._show_icon()

    def _show_note_sign(self, note: str) -> None:
        self.note_sign.setVisible(bool(note) and self.isEnabled())
        self.note_sign.setToolTip(named(_("Note"), note))
        self.note_sign.setAccessibleName(_("Note"))
        self.note_sign.setAccessibleDescription(note)

    def _show_icon(self) -> None:
        decision = self._review.overall.decision
        shown = (
            icon(DECISION_ICONS[decision], decision_colour(decision, self._theme)) if decision else QIcon()
        )
        self.setIcon(shown)
        self.note_sign.setIcon(icon(NOTE_ICON, self._theme.ink))

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        for decision, action in self._decisions.items():
            action.setText(decision_name(decision))
        self._open_note.setText(_("Note…"))
        self.note.retranslate()
        self.show_review()

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self._theme = theme
        self._popup.apply_theme(theme)
        self.setStyleSheet(small_menu_button_style(theme, theme.ink, "transparent"))
        self._show_icon()
