"""Switches for a teacher's decision, and the pop-up for the note on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QHideEvent, QIcon, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPlainTextEdit, QToolButton, QWidget

from simcompare.session.decisions import NO_DECISION, OUTCOMES, REASONS, Decision, NotedDecision, outcome_of
from simcompare.support.i18n import N_, _
from simcompare.ui.labels import DECISION_ICONS, DECISION_INKS, DECISION_KEYS, NOTE_ICON, decision_name
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.style.dialogs import PopUp
from simcompare.ui.style.layouts import column_of, place_below, push_button, row_of, tool_button
from simcompare.ui.style.text_labels import as_tooltip
from simcompare.ui.style.theme import GRID_PX, bold, icon

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteEdit(QPlainTextEdit):
    """Note field that emits every change; Esc and Ctrl + Enter ask to close it."""

    note_changed = Signal(str)
    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tabChangesFocus=True)
        self.setAcceptDrops(False)  # files dropped on it are handled by the window
        self.textChanged.connect(lambda: self.note_changed.emit(self.toPlainText()))
        self.verticalScrollBar().setObjectName("slim")
        translated(self, placeholderText=N_("Reason for the decision"))

    def show_note(self, note: str) -> None:
        """Show a note without a signal; text that is being typed and its cursor stay."""
        if note.strip() != self.toPlainText().strip():
            with QSignalBlocker(self):
                self.setPlainText(note)
                self.moveCursor(QTextCursor.MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (ctrl and event.key() in _ENTER):
            self.close_requested.emit()
        else:
            super().keyPressEvent(event)


_SIZE_PX = (84 * GRID_PX, 44 * GRID_PX)
# focus goes to another window, or to the context menu of the field
_STILL_THERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class NotePopup(PopUp):
    """Pop-up with a title, a note field and a button that closes it; `field` emits what is typed."""

    def __init__(self, title: str, parent: QWidget) -> None:
        """title: what the note is on, a gettext id; "" until `set_title`."""
        super().__init__(parent)
        self.setObjectName("notePopup")
        self._title = translated(QLabel(), title)
        self._hint = translated(QLabel(), N_("Saved as you type. Esc closes."))
        self.done_button = push_button(N_("Done"), self.hide)
        self._title.setFont(bold(self.font()))
        self._hint.setObjectName("muted")
        self.done_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._before: QWidget | None = None
        self.field = NoteEdit(self)
        self.field.close_requested.connect(self.hide)
        for part in (self.field, self.done_button):
            part.installEventFilter(self)
        below = row_of(None, (self._hint, 1), self.done_button, spacing_px=2 * GRID_PX)
        margins_px = 2 * GRID_PX
        column_of(self, self._title, (self.field, 1), below, spacing_px=2 * GRID_PX, margins_px=margins_px)
        self.resize(*_SIZE_PX)
        self.hide()
        translated(self.field, accessibleName=title)

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self.field.setAccessibleName(title)

    @property
    def has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def open_at(self, widget: QWidget, place: QRect) -> None:
        """Open below a rectangle of a widget, centred; above it at the bottom of the window."""
        if not self.has_focus:
            self._before = QApplication.focusWidget()
        window = widget.window()
        self.setParent(window)
        self.move(window.mapFromGlobal(place_below(widget, place, self.size())))
        self.field.document().clearUndoRedoStacks()  # of what was typed in another note
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the focus back to what had it, so that Enter leads on to the next pair."""
        if self.has_focus and self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        super().hideEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.setVisible(event.reason() in _STILL_THERE or self.has_focus)
        return super().eventFilter(watched, event)


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


class DecisionBar(QWidget):
    """Two switches of which at most one is on, and a button for the note, checked if there is one.

    A label before them says what is decided on. The switch for no concern has a menu of reasons, and shows
    the one that was given.
    """

    decided = Signal(object)
    """The Decision that was switched on; None if one was switched off."""
    note_requested = Signal()

    def __init__(
        self, texts: DecisionBarTexts, parent: QWidget | None = None, *, is_dense: bool = False
    ) -> None:
        super().__init__(parent)
        self._texts, self._is_dense = texts, is_dense
        self._subject = texts.subject
        self._noted = NO_DECISION
        self.subject = QLabel()
        self.subject.setObjectName("muted")
        self.switches = {decision: self._button(_switch_icon(decision)) for decision in OUTCOMES}
        self.switches[Decision.COPIED].setProperty("warns", True)
        note = self._button(icon(NOTE_ICON, "muted"))
        self.note_button = translated(note, N_("Note…"), accessibleName=texts.note_name)
        for decision, switch in self.switches.items():
            translated(switch, tip=texts.tips[decision], accessibleName=texts.names[decision])
            switch.clicked.connect(lambda is_on, made=decision: self.decided.emit(made if is_on else None))
        menu = QMenu(self)
        # digits decide on passages
        keys = DECISION_KEYS if texts is PASSAGE_TEXTS else dict.fromkeys(REASONS, "")
        self.reasons = {reason: self._entry(menu, reason, keys[reason]) for reason in REASONS}
        self.switches[Decision.FINE].setMenu(menu)
        self.switches[Decision.FINE].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.note_button.clicked.connect(self._request_note)
        row_of(self, self.subject, *self._buttons, spacing_px=GRID_PX)
        follow_language(self._retranslate)

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        return (*self.switches.values(), self.note_button)

    def _button(self, drawing: QIcon) -> QToolButton:
        button = tool_button(drawing, "switch")
        button.setProperty("dense", self._is_dense)
        button.setCheckable(True)
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

    def set_compact(self, is_compact: bool, has_note_text: bool = True) -> None:
        for button in self._buttons:
            has_text = not is_compact and (has_note_text or button is not self.note_button)
            button.setToolButtonStyle(_WITH_TEXT if has_text else _ICON_ONLY)

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

    def _retranslate(self) -> None:
        self.subject.setText(_(self._subject))
        self._show_names()
        self._show_note()


def _switch_icon(decision: Decision) -> QIcon:
    drawing = DECISION_ICONS[decision]
    return icon(drawing, "muted", checked=(drawing, DECISION_INKS[decision]))
