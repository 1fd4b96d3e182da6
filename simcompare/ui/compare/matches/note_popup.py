"""Note field and the pop-up around it."""

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPlainTextEdit, QPushButton, QWidget

from simcompare.support.i18n import N_
from simcompare.ui.state.language import translated
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.popup_place import place_below
from simcompare.ui.style.theme import (
    GRID_PX,
    bold,
)

# ruff: noqa: N802 - Qt names the methods it calls

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


class NotePopup(QFrame):
    """Pop-up with a title, a note field and a button that closes it; `field` emits what is typed."""

    closed = Signal()

    def __init__(self, title: str, parent: QWidget) -> None:
        """title: what the note is on, a gettext id; "" until `set_title`."""
        super().__init__(parent)
        self.setObjectName("notePopup")
        self._title = translated(QLabel(), title)
        self._hint = translated(QLabel(), N_("Saved as you type. Esc closes."))
        self.done_button = translated(QPushButton(), N_("Done"))
        self._title.setFont(bold(self.font()))
        self._hint.setObjectName("muted")
        self.done_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus to `closed`
        self.done_button.clicked.connect(self.hide)
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
        window = widget.window()
        self.setParent(window)
        self.move(window.mapFromGlobal(place_below(widget, place, self.size())))
        self.field.document().clearUndoRedoStacks()  # of what was typed in another note
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.setVisible(event.reason() in _STILL_THERE or self.has_focus)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()
