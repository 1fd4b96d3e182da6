"""Drop and paste: files and texts from other programs become documents."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from simcompare.loading.extraction import PastedText
from simcompare.loading.inspection import visible_count
from simcompare.session.school_class import DocumentRole
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.actions import Command
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import FocusFrame, column_of, default_button, other_button, row_of
from simcompare.ui.style.theme import GRID_PX, current_theme, icon

_LINK = re.compile(r"\s*(?:https?|ftp)://\S+\s*", re.I)


@dataclass(frozen=True, slots=True)
class DropContents:
    """Properties known without reading the text, which another program may have to create first."""

    files: tuple[Path, ...] = ()
    has_links: bool = False
    has_text: bool = False
    is_empty: bool = False

    @property
    def can_be_added(self) -> bool:
        return bool(self.files) or self.has_text

    @property
    def summary(self) -> str:
        if not self.files:
            return _("The text becomes a document.")
        count = len(self.files)
        return ngettext("{count} file or folder", "{count} files or folders", count)

    @property
    def refusal(self) -> str:
        """The part that cannot be added, the reason, and what to do; "" if everything can be added."""
        if self.has_links:
            return link_refusal()
        if self.is_empty:
            return _("Nothing was copied yet. Copy a text or files, then paste.")
        if not self.can_be_added:
            return _(
                "Only files, folders and text can be added. Save the content as a file and add the file."
            )
        return ""


def contents_of(data: QMimeData) -> DropContents:
    """Classify a drag or the clipboard; a text that comes with links is ignored, as it repeats them."""
    urls = data.urls()
    files = tuple(Path(url.toLocalFile()) for url in urls if url.isLocalFile())
    return DropContents(
        files=files,
        has_links=len(files) < len(urls),
        has_text=not urls and (data.hasText() or data.hasHtml()),
        is_empty=not data.formats(),
    )


def text_of(data: QMimeData) -> PastedText | None:
    """Return the text of a drag or the clipboard, as HTML if available, or None if it is blank."""
    plain = data.text()
    if data.hasHtml() and (plain.strip() or not data.hasFormat("text/plain")):
        return PastedText(data.html(), is_html=True)
    return PastedText(plain) if plain.strip() else None


def is_link(pasted: PastedText, data: QMimeData) -> bool:
    """Return whether a text is only the address of a web page."""
    return _LINK.fullmatch(data.text() if pasted.is_html else pasted.text) is not None


def link_refusal() -> str:
    """Return why a link is not added, and what to do."""
    return _(
        "A link cannot be added, as simcompare never goes online. "
        "Save the page in your browser and add the saved file."
    )


_CARD_WIDTH_PX = 420
_ICON_PX = 40
_COVER_OPACITY = 0.8
_MARGIN_PX = 6 * GRID_PX
_SIZE_PX = QSize(600, 480)
_DRAG_EVENTS = frozenset(
    {QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.DragLeave, QEvent.Type.Drop},
)


class DropAndPaste(QObject):
    """Handles drops on the window before its widgets do, and pasting.

    A text dropped on an input field is left to the field.
    """

    refused = Signal(str)
    """Reason why something was not added, and what to do."""
    accepted = Signal(str)
    """Something was added after all; the last reason."""

    def __init__(
        self,
        window: QMainWindow,
        workspace: Workspace,
        add_files: Callable[[Iterable[Path]], object],
        add_own: Callable[[Callable[[], object]], object],
        store_files: Callable[[Iterable[Path]], object],
        shows_library: Callable[[], bool],
    ) -> None:
        """add_own: calls a function that adds a text.

        store_files: adds files to the library, if they are dropped while it is shown.
        """
        super().__init__(window)
        self.overlay = DropOverlay(window, shows_library)
        self._store_files, self._shows_library = store_files, shows_library
        self._window = window
        self._documents = workspace.documents
        self._add_files, self._add_own = add_files, add_own
        self._contents = DropContents()
        self._refusal = ""
        window.setAcceptDrops(True)
        window.winId()  # creates the native handle
        window.windowHandle().installEventFilter(self)

    def commands(self) -> list[Command]:
        return [
            Command("paste", N_("Paste as a document"), QKeySequence.StandardKey.Paste, self.paste),
            Command("paste_text", N_("Paste text…"), "Ctrl+Shift+V", self.ask_for_text),
        ]

    # --- drop

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _DRAG_EVENTS:
            return False
        if not isinstance(event, QDropEvent):
            self.overlay.hide()
            return False
        if event.type() == QEvent.Type.DragEnter:
            self._contents = contents_of(event.mimeData())
        if not self._handles_drop(event):
            self.overlay.hide()
            return False
        event.setDropAction(Qt.DropAction.CopyAction)  # with a move, the source would delete it
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.overlay.hide()
            no_text = _("What you dropped contains no text. Drop files, folders or a text.")
            self._add_contents(event.mimeData(), no_text)
        elif not self.overlay.isVisible():
            self.overlay.show_contents(self._contents)
        return True

    def _handles_drop(self, event: QDropEvent) -> bool:
        if event.source() is not None or self._is_blocked():
            return False
        return not (self._contents.has_text and self._is_on_field(event))

    def _is_blocked(self) -> bool:
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            return False
        parent = dialog.parentWidget()
        everywhere = dialog.windowModality() is Qt.WindowModality.ApplicationModal
        return everywhere or (parent is not None and parent.window() is self._window)

    def _is_on_field(self, event: QDropEvent) -> bool:
        """Return whether there is an input field for text below the pointer."""
        widget = self._window.childAt(event.position().toPoint())
        while widget is not None and not isinstance(widget, (QLineEdit, QTextEdit, QPlainTextEdit)):
            widget = widget.parentWidget()
        return widget is not None and widget.isEnabled() and not widget.isReadOnly()

    # --- paste

    def paste(self) -> None:
        no_text = _("What you copied contains no text. Copy a text or files and try again.")
        self._add_contents(_clipboard_data(), no_text)

    def ask_for_text(self) -> None:
        """Ask for a text; the field starts with the clipboard's."""
        data = _clipboard_data()
        text = data.text() if contents_of(data).has_text else ""
        dialog = PasteDialog(text, self._window)
        dialog.chosen.connect(
            lambda pasted, title: self._add_own(partial(self._documents.add_pasted, pasted, title))
        )
        dialog.template_chosen.connect(
            lambda pasted, title: self._documents.add_pasted(pasted, title, DocumentRole.TEMPLATE)
        )
        dialog.open()

    def _add_contents(self, data: QMimeData, no_text: str) -> None:
        contents = contents_of(data)
        self.accepted.emit(self._refusal)
        if contents.files and self._shows_library():
            self._store_files(contents.files)
        elif contents.files:
            self._add_files(contents.files)
        elif contents.has_text:
            pasted = text_of(data)
            if pasted is None:
                self._refuse(no_text)
            elif is_link(pasted, data):
                self._refuse(link_refusal())
            else:
                self._add_own(partial(self._documents.add_pasted, pasted))
        if contents.refusal:
            self._refuse(contents.refusal)

    def _refuse(self, reason: str) -> None:
        self._refusal = reason
        self.refused.emit(reason)


def _clipboard_data() -> QMimeData:
    """Contents of the clipboard; some platforms return None for an empty one."""
    copied: QMimeData | None = QGuiApplication.clipboard().mimeData()
    return QMimeData() if copied is None else copied


class DropOverlay(QWidget):
    """Overlay on the window while files are dragged over it; transparent for the mouse."""

    def __init__(self, window: QWidget, shows_library: Callable[[], bool]) -> None:
        super().__init__(window)
        self._shows_library = shows_library
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._contents = DropContents()
        self._icon_label, self.title, self.text = QLabel(), QLabel(), QLabel()
        self.title.setObjectName("share")
        self.text.setWordWrap(True)
        self.text.setFixedWidth(_CARD_WIDTH_PX - 2 * _MARGIN_PX)
        self._window = window
        self._card = QWidget(self)
        labels = (self._icon_label, self.title, self.text)
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column_of(self._card, *labels, spacing_px=3 * GRID_PX, margins_px=_MARGIN_PX)
        self.hide()

    def show_contents(self, contents: DropContents) -> None:
        self._contents = contents
        is_stored = bool(contents.files) and self._shows_library()
        title = _("Drop to add to the library") if is_stored else _("Drop to add")
        self.title.setText(title if contents.can_be_added else _("This cannot be added"))
        parts = (contents.summary if contents.can_be_added else "", contents.refusal)
        self.text.setText("\n".join(filter(None, parts)))
        can_be_added = self._contents.can_be_added
        symbol = icon("add", "accent") if can_be_added else icon("warning", "caution")
        self._icon_label.setPixmap(symbol.pixmap(_ICON_PX, _ICON_PX))
        self.setGeometry(self._window.rect())
        # a wrapped label computes its height only for a given width
        self.text.setFixedHeight(self.text.heightForWidth(self.text.width()))
        self._card.resize(_CARD_WIDTH_PX, self._card.sizeHint().height())
        card = self._card.rect()
        card.moveCenter(self.rect().center())
        self._card.move(card.topLeft())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cover = QColor(current_theme().background)
        cover.setAlphaF(_COVER_OPACITY)
        painter.fillRect(event.rect(), cover)
        frame = current_theme().accent if self._contents.can_be_added else current_theme().caution
        painter.setPen(QPen(QColor(frame), 2, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(current_theme().surface))
        painter.drawRoundedRect(QRectF(self._card.geometry()), 3 * GRID_PX, 3 * GRID_PX)


class PasteDialog(Dialog):
    """Asks for a text, its title and whether it is a template; only the title may stay empty."""

    chosen = Signal(object, str)
    """The PastedText, and its title, which may be empty."""
    template_chosen = Signal(object, str)
    """The same of a template."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(_("Paste text"), parent)
        self.title = QLineEdit()
        self.title.setAccessibleName(_("Title"))
        self.title.setPlaceholderText(_("Title (may stay empty)"))
        self.text = QPlainTextEdit(text)
        self.text.document().setDocumentMargin(2 * GRID_PX)
        self.text.setAccessibleName(_("Text"))
        self.text.setPlaceholderText(_("Paste or type the text here."))
        self.text.setTabChangesFocus(True)
        FocusFrame(self.text)
        self.template_box = QCheckBox(_("Use as template: its sentences are left out of all essays"))
        self.count = QLabel()
        self.count.setObjectName("muted")
        self.cancel_button = other_button(_("Cancel"), self.reject)
        self.add_button = default_button(_("Add"), self.accept)
        buttons = row_of(None, (self.count, 1), self.cancel_button, self.add_button, spacing_px=GRID_PX * 2)
        parts = (self.title, (self.text, 1), self.template_box, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        self.resize(_SIZE_PX)
        self.text.textChanged.connect(self._follow_text)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.accept)
        self.text.selectAll()
        self.text.setFocus()
        self._follow_text()

    def _follow_text(self) -> None:
        text = self.text.toPlainText()
        count = visible_count(text)
        self.count.setText(ngettext("{count} character", "{count} characters", count))
        self.add_button.setEnabled(bool(text.strip()))

    def accept(self) -> None:
        if self.add_button.isEnabled():
            chosen = self.template_chosen if self.template_box.isChecked() else self.chosen
            chosen.emit(PastedText(self.text.toPlainText()), self.title.text())
            super().accept()
