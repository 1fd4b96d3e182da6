"""The button in the pair's header with what the teacher makes of the pair as a whole."""
# ruff: noqa: N802 - Qt names the methods it calls

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFocusEvent, QHideEvent, QIcon
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QVBoxLayout, QWidget

from simcompare.i18n import N_, _
from simcompare.session.review import Decision
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.decisions import DECISION_ICONS, NOTE_ICON, decision_colour, decision_name
from simcompare.ui.matches.note_edit import NoteEdit
from simcompare.ui.matches.review_filter import small_menu_button_style
from simcompare.ui.state.review import Review

_TEXTS = {
    None: N_("Pair: undecided"),
    Decision.FINE: N_("Pair: fine"),
    Decision.COPIED: N_("Pair: copied"),
}
_NOTE_PX = (80 * GRID_PX, 28 * GRID_PX)
_ICON_PX = 16
# another window, or the menu of the field itself
_STILL_THERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class _NotePopup(QFrame):
    """A field for a note that lies over the window until the keyboard leaves it."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notePopup")
        self.field = NoteEdit(self)
        self.field.close_requested.connect(self.hide)
        self.field.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[2 * GRID_PX] * 4)
        column.addWidget(self.field)
        self.resize(*_NOTE_PX)
        self.hide()

    def open_under(self, button: QWidget) -> None:
        """Lie under a button, in the middle."""
        self.setParent(button.window())
        left = (button.width() - self.width()) // 2
        self.move(button.mapTo(button.window(), QPoint(left, button.height() + GRID_PX)))
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.setVisible(event.reason() in _STILL_THERE)
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()


class PairVerdict(QToolButton):
    """Says what was decided about the pair; its menu decides, and opens a field for a note."""

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
        self._popup = _NotePopup()
        self.note = self._popup.field
        self.note.note_changed.connect(self._write)
        self._popup.closed.connect(self._end_note)
        review.changed.connect(self.show_review)

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
        self._popup.open_under(self)

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
        self._show_icon()

    def _show_icon(self) -> None:
        overall = self._review.overall
        if overall.decision is not None:
            colour = decision_colour(overall.decision, self._theme)
            self.setIcon(icon(DECISION_ICONS[overall.decision], colour))
        else:
            self.setIcon(icon(NOTE_ICON, self._theme.muted) if overall.note else QIcon())

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
        self._popup.setStyleSheet(
            f"#notePopup {{ background: {theme.raised}; border: 1px solid {theme.muted}; }}"
        )
        self.note.apply_theme(theme)
        self.setStyleSheet(small_menu_button_style(theme, theme.ink, "transparent"))
        self._show_icon()
