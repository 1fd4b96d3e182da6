"""Dialogs of a document: its extraction receipt or why it could not be read, and its password."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from simcompare.model.document import Document, Dropped, Flag
from simcompare.model.errors import RecognitionMissingError
from simcompare.report.receipts import (
    dropped_in_words,
    flag_in_words,
    origin_lines,
    places_in_words,
    receipt_in_words,
    seconds_in_words,
    technical_in_words,
)
from simcompare.report.wording import first_of, quoted
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, joined_items, joined_sentences, ngettext
from simcompare.ui.compare.matches.inspector_sentences import QuietText
from simcompare.ui.documents.document_rows import source_in_words, tried_in_words
from simcompare.ui.documents.recognition_dialog import RecognitionDialog
from simcompare.ui.file_dialogs import open_on_desktop
from simcompare.ui.labels import doubts_meaning, rounded_size
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import ButtonKeysDialog, Dialog
from simcompare.ui.style.layouts import column_of, default_button, other_button, push_button, row_of
from simcompare.ui.style.text_labels import ElidedName, MutedLabel
from simcompare.ui.style.theme import GRID_PX, Theme, current_theme, follow_theme, icon, use_look

_WIDTH_PX = 420
_MOST_NAMES = 3


class PasswordDialog(Dialog):
    """Reads the locked files with the password entered, and asks again for those that it does not open.

    The password is passed only to the reading process; it is neither stored nor logged.
    """

    def __init__(self, workspace: Workspace, key: int, parent: QWidget) -> None:
        super().__init__(_("Enter password"), parent, width_px=_WIDTH_PX)
        self._documents = workspace.documents
        self._key = key
        self._tried: list[int] = []
        self.name = name = ElidedName()
        name.setObjectName("pairName")
        self._show_name()
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Password"))
        self.field.setPlaceholderText(_("Password"))
        self.show_box = QCheckBox(_("Show the password"))
        self.for_all = QCheckBox()
        self.for_all.setChecked(True)
        self._show_count()
        self.message = MutedLabel()
        self.open_button = default_button(_("Open"), self._try)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        buttons = row_of(None, None, self.cancel_button, self.open_button, spacing_px=GRID_PX * 2)
        fields = (name, self.field, self.message, self.show_box, self.for_all)
        column = column_of(self, *fields, spacing_px=GRID_PX * 2, margins_px=GRID_PX * 5)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)
        self.field.textEdited.connect(self._enable_open)
        self.show_box.toggled.connect(self._show_letters)
        workspace.documents_changed.connect(self._follow)
        self._show_message(_("It is kept only until the program is closed, and never saved."))
        self._enable_open()

    def _locked(self) -> list[int]:
        return [key for key, entry in self._documents.entries.items() if entry.is_locked]

    # --- actions

    def _show_letters(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)

    def _enable_open(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()) and self.field.isEnabled())

    def _try(self) -> None:
        self._tried = self._locked() if self.for_all.isChecked() else [self._key]
        self._set_waiting(True)
        self._show_message(_("Trying the password…"))
        self._documents.read_again(self._tried, password=self.field.text())

    def _set_waiting(self, waiting: bool) -> None:
        for widget in (self.field, self.for_all):
            widget.setEnabled(not waiting)
        self._enable_open()

    # --- result

    def _follow(self) -> None:
        """Close if all files are read or removed; ask again for those that another password opens."""
        entries, is_trying = self._documents.entries, not self.field.isEnabled()
        keys = [key for key in (self._tried if is_trying else [self._key]) if key in entries]
        if any(entries[key].pending_options is not None for key in keys):
            return
        left = [key for key in keys if entries[key].is_locked]
        if not left:
            self.accept()
        elif is_trying:
            opened, self._key = len(keys) - len(left), left[0]
            self._set_waiting(False)
            self._show_name()
            self._show_count()
            self._show_message(self._left_in_words(opened, left), wrong=True)
            self.field.selectAll()
            self.field.setFocus()

    def _left_in_words(self, opened: int, left: Sequence[int]) -> str:
        if not opened and len(left) == 1:
            return _("This password does not open the file. Try another one.")
        names = first_of([self._documents.name_of(key) for key in left], _MOST_NAMES)
        words = _("It does not open {names}. Enter another password.").format(names=joined_items(names))
        if not opened:
            return words
        done = ngettext("{count} file is open.", "{count} files are open.", opened)
        return joined_sentences([done, words])

    def _show_name(self) -> None:
        named = self._documents.names[self._key]
        self.name.show_name(named.text, named.shared)
        self.name.setToolTip(named.text)

    def _show_count(self) -> None:
        count = len(self._locked())
        self.for_all.setText(_("Try it on all {count} locked files").format(count=f"{count:,}"))
        self.for_all.setVisible(count > 1)

    def _show_message(self, words: str, *, wrong: bool = False) -> None:
        use_look(self.message, "danger" if wrong else "muted")
        self.message.setText(words)


_OPENING_CHARACTERS = 400
_Fact = tuple[str, str]
_SIZE_PX = QSize(600, 540)
_ICON_PX = 4 * GRID_PX


class ReceiptDialog(ButtonKeysDialog):
    """Receipt of a document, or why it was not read.

    Modeless: follows the current document, the language and the theme while it is open.
    """

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._documents = workspace.documents
        self._key = 0
        self._page = ""
        self._name, self._state_icon, self._state = ElidedName(), QLabel(), QLabel()
        self._name.setObjectName("pairName")
        self.text = translated(QuietText(), accessibleName=N_("What was read"))
        self.text.document().setDocumentMargin(3 * GRID_PX)
        self.whole_page = translated(QCheckBox(), N_("Read the whole page, not only the article"))
        self.again_button = push_button(N_("Try again"), lambda: self._documents.read_again([self._key]))
        self.recognition_button = push_button(N_("Install text recognition…"), self._ask_for_recognition)
        self.folder_button = push_button(N_("Open its folder"), self._open_folder)
        self.copy_button = push_button(N_("Copy"), self._copy)
        self.close_button = push_button(N_("Close"), self.close)
        self.whole_page.clicked.connect(
            lambda wanted: self._documents.read_again([self._key], whole_page=wanted)
        )
        left = (self.recognition_button, self.again_button, self.folder_button, self.copy_button)
        for button in (*left, self.close_button):
            button.setAutoDefault(False)
        state_row = row_of(None, self._state_icon, (self._state, 1), spacing_px=GRID_PX * 2)
        buttons = row_of(None, *left, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self._name, state_row, (self.text, 1), self.whole_page, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 2, margins_px=GRID_PX * 4)
        self.resize(_SIZE_PX)
        workspace.documents_changed.connect(self._refresh)
        follow_theme(self._refresh)
        follow_language(self._refresh)

    # --- what is shown

    def show_receipt(self, key: int) -> None:
        self._key = key
        self._refresh()
        self.text.verticalScrollBar().setValue(0)
        self.show()
        self.activateWindow()
        self.text.setFocus()

    def follow(self, key: int) -> None:
        """Show another document, if the dialog is open and that document has been read."""
        entry = self._documents.entries.get(key)
        if self.isVisible() and entry is not None and entry.has_result:
            self._key = key
            self._refresh()

    def _refresh(self) -> None:
        entry = self._documents.entries.get(self._key)
        if entry is None or not entry.has_result:
            self.hide()
            return
        named = self._documents.names[self._key]
        name = named.text
        self.setWindowTitle(_("What was read of {name}").format(name=name))
        self._name.show_name(name, named.shared)
        self._name.setToolTip(source_in_words(entry))
        self.folder_button.setVisible(entry.path.is_absolute())
        self._show_state(entry)
        self.whole_page.setVisible(entry.options.whole_page or entry.is_part_of_page)
        self.whole_page.setChecked((entry.pending_options or entry.options).whole_page)
        self.again_button.setVisible(entry.error is not None)
        self.recognition_button.setVisible(isinstance(entry.error, RecognitionMissingError))
        self.again_button.setEnabled(entry.pending_options is None)
        page = _page_of(entry)
        if page != self._page:  # keep the user's selection of text while other documents arrive
            self._page = page
            self.text.setHtml(page)

    def _show_state(self, entry: DocumentEntry) -> None:
        theme, doubtful = current_theme(), entry.is_doubtful or entry.error is not None
        state_icon = icon("warning", "caution") if doubtful else icon("check", "accent")
        self._state_icon.setPixmap(state_icon.pixmap(_ICON_PX, _ICON_PX))
        self._state.setText(_state_text(entry))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.caution if doubtful else theme.muted))
        self._state.setPalette(palette)

    # --- actions

    def _ask_for_recognition(self) -> None:
        dialog = RecognitionDialog(self)
        dialog.installed.connect(self._read_scans)
        dialog.open()

    def _read_scans(self) -> None:
        """Read all files again that were not read for want of text recognition."""
        entries = self._documents.entries.items()
        self._documents.read_again(
            [key for key, entry in entries if isinstance(entry.error, RecognitionMissingError)]
        )

    def _open_folder(self) -> None:
        open_on_desktop(self._documents.entries[self._key].path.parent)

    def _copy(self) -> None:
        text = f"{self._name.text()}\n{self.text.toPlainText()}"
        QGuiApplication.clipboard().setText(text)

    # --- language


def _page_of(entry: DocumentEntry) -> str:
    theme = current_theme()
    if entry.prepared_document is not None:
        seconds = entry.reading_seconds if entry.took_long else None
        return receipt_page(entry.prepared_document.document, theme, seconds)
    return reason_page(str(entry.error), tried_in_words(entry), theme)


def _state_text(entry: DocumentEntry) -> str:
    if entry.pending_options is not None:
        return _("reading…")
    if entry.error is not None:
        return _("This file could not be read.")
    if entry.is_doubtful:
        return _("Check this file before you rely on its text.")
    return _("Read; nothing to check.")


def receipt_page(document: Document, theme: Theme, seconds: float | None = None) -> str:
    """Return the receipt of a document as rich text, in the current language.

    `seconds`: the reading time, if it was notably long.
    """
    receipt = document.receipt
    doubts = [flag for flag in receipt.flags if flag.doubtful]
    notes = [flag for flag in receipt.flags if not flag.doubtful]
    meaning = doubts_meaning(receipt)
    advice = [(joined_sentences([meaning, _("Ask the student how the text was written.")]), "")]
    return "".join(
        [
            _section(_("To check"), map(_flag_lines, doubts), theme, theme.caution),
            _section(_("What this means"), advice if meaning else [], theme),
            _section(_("Kept"), [(receipt_in_words(receipt), "")], theme),
            _facts(document, theme, seconds),
            _section(_("Left out"), map(_dropped_lines, receipt.dropped), theme),
            _section(_("Worth knowing"), map(_flag_lines, notes), theme),
            _section(_("How the text begins"), [("", opening(document.text))], theme),
        ]
    )


def reason_page(reason: str, tried: Sequence[str], theme: Theme) -> str:
    """Return why a file could not be read and what was tried, as rich text."""
    why = f'<p style="margin:0; color:{theme.ink}">{_visible_html(reason)}</p>'
    return why + _section(_("Tried so far"), [(words, "") for words in tried], theme)


def opening(text: str) -> str:
    if len(text) <= _OPENING_CHARACTERS:
        return text
    return text[:_OPENING_CHARACTERS].rstrip() + "…"


def _flag_lines(flag: Flag) -> _Fact:
    details = [places_in_words(flag.places), quoted(flag.excerpt) if flag.excerpt else ""]
    return flag_in_words(replace(flag, places=(), excerpt="")), "\n".join(filter(None, details))


def _dropped_lines(dropped: Dropped) -> _Fact:
    words = dropped_in_words(replace(dropped, excerpt=""))
    return words, quoted(dropped.excerpt) if dropped.excerpt else ""


def _section(title: str, entries: Iterable[_Fact], theme: Theme, colour: str = "") -> str:
    """Return a heading and its entries, each with a muted line below; "" without entries."""
    parts = [_entry(words, detail, theme) for words, detail in entries]
    if not parts:
        return ""
    style = f"margin:{4 * GRID_PX}px 0 {GRID_PX}px 0; font-weight:600; color:{colour or theme.muted}"
    return f'<p style="{style}">{escape(title)}</p>{"".join(parts)}'


def _entry(words: str, detail: str, theme: Theme) -> str:
    lines = [f'<p style="margin:0; color:{theme.ink}">{_visible_html(words)}</p>'] if words else []
    if detail:
        style = f"margin:0 0 {GRID_PX}px 0; color:{theme.ink if not words else theme.muted}"
        lines.append(f'<p style="{style}">{_visible_html(detail)}</p>')
    return "".join(lines)


def _facts(document: Document, theme: Theme, seconds: float | None) -> str:
    facts = [
        (_("Folder"), _folder(document)),
        (_("Title"), document.title),
        (_("Size"), _size(document)),
        (_("Reading took"), "" if seconds is None else seconds_in_words(seconds)),
        *origin_lines(document.receipt.origin),
        ("SHA-256", document.sha256),
        (_("Technical"), technical_in_words(document.receipt)),
    ]
    rows = "".join(_fact_row(name, value, theme) for name, value in facts if value)
    return f'<table cellspacing="0" cellpadding="0" style="margin-top:{GRID_PX}px">{rows}</table>'


def _folder(document: Document) -> str:
    """Return the folder of the file; "" for a pasted text."""
    return escape_invisible(str(document.path.parent)) if document.path.is_absolute() else ""


def _fact_row(name: str, value: str, theme: Theme) -> str:
    quiet = f"color:{theme.muted}; padding-right:{3 * GRID_PX}px; white-space:pre"
    cells = (
        f'<td style="{quiet}">{escape(name)}</td><td style="color:{theme.ink}">{_visible_html(value)}</td>'
    )
    return f"<tr>{cells}</tr>"


def _size(document: Document) -> str:
    """Return the file size in words; "" if the file is gone."""
    try:
        size_bytes = document.path.stat().st_size
    except OSError:
        return ""
    return rounded_size(size_bytes)


def _visible_html(text: str) -> str:
    return escape(escape_invisible(text)).replace("\n", "<br>")
