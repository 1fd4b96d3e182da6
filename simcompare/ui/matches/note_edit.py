"""A small field for a note of several lines; what is typed is kept at once, so leaving it loses nothing."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from simcompare.i18n import _
from simcompare.ui.looks.palette import slim_scroll_bar, surface_palette
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteEdit(QPlainTextEdit):
    """Tells every change; Esc and Ctrl + Enter ask to close it."""

    note_changed = Signal(str)
    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped on it are the window's
        self.textChanged.connect(lambda: self.note_changed.emit(self.toPlainText()))
        self.apply_theme(LIGHT)
        self.retranslate()

    def show_note(self, note: str) -> None:
        """Show a note without a signal; what is being typed stays, with the cursor in it."""
        if note.strip() != self.toPlainText().strip():
            with QSignalBlocker(self):
                self.setPlainText(note)
                self.moveCursor(QTextCursor.MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc and Ctrl + Enter; anything else is typed."""
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (ctrl and event.key() in _ENTER):
            self.close_requested.emit()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        self.setAccessibleName(_("Note"))
        self.setPlaceholderText(_("What speaks for it? Esc closes; the text is kept."))

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.setPalette(surface_palette(theme))
        self.verticalScrollBar().setStyleSheet(slim_scroll_bar(theme))
        self.setStyleSheet(f"""
            QPlainTextEdit {{ background: {theme.surface}; color: {theme.ink};
                placeholder-text-color: {theme.muted}; border: 1px solid {theme.line};
                border-radius: 6px; padding: {GRID_PX}px; }}
            QPlainTextEdit:focus {{ border-color: {theme.accent}; }}
        """)
