"""Buttons, note field and pop-up for the teacher's decision and note."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QIcon, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from simcompare.session.decisions import NO_DECISION, Decision, NotedDecision
from simcompare.support.i18n import _
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, as_tooltip, decision_colour, decision_name
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, Theme, slim_scroll_bar, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls

_ICON_PX = 16


class DecisionBar(QWidget):
    """Two switches of which at most one is on, and a button for the note, checked if there is one."""

    decided = Signal(object)
    """The Decision that was switched on; None if one was switched off."""
    note_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noted_decision = NO_DECISION
        self._marks: dict[tuple[Decision, bool], QIcon] = {}
        """Icon of each switch, on and off."""
        self._switches = {decision: QPushButton(self) for decision in Decision}
        self.note_button = QPushButton(self)
        self.note_button.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX)
        for decision, switch in self._switches.items():
            switch.setCheckable(True)
            switch.toggled.connect(partial(self._decide, decision))
        for button in (*self._switches.values(), self.note_button):
            button.setIconSize(QSize(_ICON_PX, _ICON_PX))
            row.addWidget(button)
        self.note_button.clicked.connect(self._request_note)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _decide(self, decision: Decision, on: bool) -> None:
        self.decided.emit(decision if on else None)

    def _request_note(self) -> None:
        self._show_note()  # the click has toggled the button
        self.note_requested.emit()

    def show_decision(self, noted_decision: NotedDecision) -> None:
        """Show decision and note, without a signal."""
        self._noted_decision = noted_decision
        for decision, switch in self._switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(decision is noted_decision.decision)
        self._show_note()
        self._show_icons()

    def _show_note(self) -> None:
        note = self._noted_decision.note.strip()
        self.note_button.setChecked(bool(note))
        self.note_button.setAccessibleDescription(note)
        self.note_button.setToolTip(as_tooltip(note or _("Write a note (M)")))

    def _show_icons(self) -> None:
        for decision, switch in self._switches.items():
            switch.setIcon(self._marks[decision, decision is self._noted_decision.decision])

    def _retranslate(self) -> None:
        tips = {
            Decision.FINE: _("Mark as no concern; press again to undo (F)"),
            Decision.COPIED: _("Mark as copied; press again to undo (C)"),
        }
        for decision, switch in self._switches.items():
            switch.setText(decision_name(decision))
            switch.setToolTip(tips[decision])
        self.note_button.setText(_("Note…"))
        self._show_note()

    def _apply_theme(self) -> None:
        theme = current_theme()
        for decision, drawing in DECISION_ICONS.items():
            self._marks[decision, True] = icon(drawing, decision_colour(decision, theme))
            self._marks[decision, False] = icon(drawing, theme.muted)
        self.note_button.setIcon(icon(NOTE_ICON, theme.muted))
        self.note_button.setStyleSheet(button_style(theme) + _checked_style(theme.accent, theme))
        for decision, switch in self._switches.items():
            line = theme.danger if decision is Decision.COPIED else theme.accent
            switch.setStyleSheet(button_style(theme) + _checked_style(line, theme))
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


def _checked_style(line: str, theme: Theme) -> str:
    return f"""
        QPushButton:checked {{ background: {theme.accent_tint}; border: 1px solid {line};
                               font-weight: 600; }}
        QPushButton:checked:focus {{ border: 2px solid {line};
                               padding: {GRID_PX - 1}px {2 * GRID_PX - 1}px; }}
    """


_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteEdit(QPlainTextEdit):
    """Note field that emits every change; Esc and Ctrl + Enter ask to close it."""

    note_changed = Signal(str)
    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped on it are handled by the window
        self.textChanged.connect(lambda: self.note_changed.emit(self.toPlainText()))
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def show_note(self, note: str) -> None:
        """Show a note without a signal; text that is being typed and its cursor stay."""
        if note.strip() != self.toPlainText().strip():
            with QSignalBlocker(self):
                self.setPlainText(note)
                self.moveCursor(QTextCursor.MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc and Ctrl + Enter."""
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (ctrl and event.key() in _ENTER):
            self.close_requested.emit()
        else:
            super().keyPressEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Note"))
        self.setPlaceholderText(_("Reason for the decision. Esc closes; the text is kept."))

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        self.verticalScrollBar().setStyleSheet(slim_scroll_bar(theme))
        self.setStyleSheet(f"""
            QPlainTextEdit {{ background: {theme.surface}; color: {theme.ink};
                placeholder-text-color: {theme.muted}; border: 1px solid {theme.line};
                border-radius: 6px; padding: {GRID_PX}px; }}
            QPlainTextEdit:focus {{ border-color: {theme.accent}; }}
        """)


_SIZE_PX = (80 * GRID_PX, 28 * GRID_PX)
# focus goes to another window, or to the context menu of the field
_STILL_THERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class NotePopup(QFrame):
    """Pop-up around a note field; `field` emits what is typed."""

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
        self.resize(*_SIZE_PX)
        self.hide()
        follow_theme(self._apply_theme)

    def open_at(self, widget: QWidget, place: QRect) -> None:
        """Open below a rectangle of a widget, centred; above it at the bottom of the window."""
        window = widget.window()
        self.setParent(window)
        middle = widget.mapTo(window, QPoint(place.center().x() - self.width() // 2, place.bottom()))
        left = max(GRID_PX, min(middle.x(), window.width() - self.width() - GRID_PX))
        top = middle.y() + GRID_PX
        if top + self.height() > window.height():
            top = middle.y() - place.height() - self.height() - GRID_PX
        self.move(left, top)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close when the focus moves elsewhere in the window."""
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.setVisible(event.reason() in _STILL_THERE)
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Emit `closed`."""
        super().hideEvent(event)
        self.closed.emit()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(f"#notePopup {{ background: {theme.raised}; border: 1px solid {theme.muted}; }}")
