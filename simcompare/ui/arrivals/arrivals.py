"""Drop and paste: files and texts from other programs become documents."""
# ruff: noqa: N802 - Qt names the methods it calls

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QPlainTextEdit, QTextEdit

from simcompare.i18n import N_, _
from simcompare.ui.actions import Command
from simcompare.ui.arrivals.contents import Contents, contents_of, is_link, link_refusal, text_of
from simcompare.ui.arrivals.overlay import DropOverlay
from simcompare.ui.arrivals.paste_dialog import PasteDialog
from simcompare.ui.looks.theme import Theme
from simcompare.ui.state.documents import Documents

_DRAGS = frozenset(
    {QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.DragLeave, QEvent.Type.Drop},
)


class Arrivals(QObject):
    """Takes what is dragged over the window before any part of it can, and what is pasted.

    A text that is dropped on a field is the field's.
    """

    refused = Signal(str)
    """Why something was not added, and what to do."""

    def __init__(
        self, window: QMainWindow, documents: Documents, add_files: Callable[[Iterable[Path]], object]
    ) -> None:
        super().__init__(window)
        self.overlay = DropOverlay(window)
        self._window = window
        self._documents = documents
        self._add_files = add_files
        self._contents = Contents()
        window.setAcceptDrops(True)
        window.winId()  # else there is no handle yet
        window.windowHandle().installEventFilter(self)

    def commands(self) -> list[Command]:
        """Return the commands for a menu."""
        return [
            Command("paste", N_("Paste as a document"), QKeySequence.StandardKey.Paste, self.paste),
            Command("paste_text", N_("Paste text…"), "Ctrl+Shift+V", self.ask_for_text),
        ]

    # --- dropping

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take drags that come from other programs."""
        if event.type() not in _DRAGS:
            return False
        if not isinstance(event, QDropEvent):
            self.overlay.hide()
            return False
        if event.type() == QEvent.Type.DragEnter:
            self._contents = contents_of(event.mimeData())
        if not self._is_ours(event):
            self.overlay.hide()
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # a move would take it away where it comes from
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.overlay.hide()
            self._take(event.mimeData())
        elif not self.overlay.isVisible():
            self.overlay.invite(self._contents)
        return True

    def _is_ours(self, event: QDropEvent) -> bool:
        if event.source() is not None or self._is_blocked():
            return False
        return not (self._contents.has_text and self._is_on_field(event))

    def _is_blocked(self) -> bool:
        """Whether a dialog waits for an answer before anything else can be done in the window."""
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            return False
        parent = dialog.parentWidget()
        everywhere = dialog.windowModality() is Qt.WindowModality.ApplicationModal
        return everywhere or (parent is not None and parent.window() is self._window)

    def _is_on_field(self, event: QDropEvent) -> bool:
        """Whether there is a field below that takes a text."""
        widget = self._window.childAt(event.position().toPoint())
        while widget is not None and not isinstance(widget, (QLineEdit, QTextEdit, QPlainTextEdit)):
            widget = widget.parentWidget()
        return widget is not None and widget.isEnabled() and not widget.isReadOnly()

    # --- pasting

    def paste(self) -> None:
        """Add what the clipboard holds."""
        self._take(_copied())

    def ask_for_text(self) -> None:
        """Let a person paste or type a text; what the clipboard holds stands there already."""
        data = _copied()
        text = data.text() if contents_of(data).has_text else ""
        dialog = PasteDialog(text, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._documents.add_pasted)
        dialog.open()

    def _take(self, data: QMimeData) -> None:
        """Add what can be added, and say what cannot."""
        contents = contents_of(data)
        if contents.files:
            self._add_files(contents.files)
        elif contents.has_text:
            self._take_text(data)
        if contents.refusal:
            self.refused.emit(contents.refusal)

    def _take_text(self, data: QMimeData) -> None:
        pasted = text_of(data)
        if pasted is None:
            self.refused.emit(_("There is no text in what was copied. Copy a text or files and try again."))
        elif is_link(pasted, data):
            self.refused.emit(link_refusal())
        else:
            self._documents.add_pasted(pasted)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.overlay.apply_theme(theme)


def _copied() -> QMimeData:
    """Return what the clipboard holds; some platforms have nothing at all for an empty one."""
    copied: QMimeData | None = QGuiApplication.clipboard().mimeData()
    return QMimeData() if copied is None else copied
