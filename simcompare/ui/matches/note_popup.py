"""A field for a note on a pair, which lies over the window until the keyboard leaves it."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from simcompare.ui.looks.theme import GRID_PX, Theme
from simcompare.ui.matches.note_edit import NoteEdit

_SIZE_PX = (80 * GRID_PX, 28 * GRID_PX)
# another window, or the menu of the field itself
_STILL_THERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class NotePopup(QFrame):
    """Tells by its `field` what is typed."""

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

    def open_at(self, widget: QWidget, place: QRect) -> None:
        """Lie under a place in a widget, in its middle; above it where the window ends."""
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
        """Close when the keyboard goes elsewhere in the window."""
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self.setVisible(event.reason() in _STILL_THERE)
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell of the end."""
        super().hideEvent(event)
        self.closed.emit()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.setStyleSheet(f"#notePopup {{ background: {theme.raised}; border: 1px solid {theme.muted}; }}")
        self.field.apply_theme(theme)
