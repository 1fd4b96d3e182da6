"""Dialogs of the library: tags of what is added, what is deleted, and the server of a school."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from simcompare.library.store.library_place import LibraryServer, library_place, library_server
from simcompare.library.students import StudentNaming
from simcompare.model.errors import SimcompareError
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.file_dialogs import ask_where_to_write, saved_in_words
from simcompare.ui.library.library_words import entries_in_words, error_in_words, tag_of
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.style.dialogs import Dialog, LinesDialog, form_of
from simcompare.ui.style.layouts import column_of, default_button, other_button, row_of, set_options
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX, use_sheet

if TYPE_CHECKING:
    from simcompare.library.changes import RemovalProtocol
    from simcompare.library.entries import StoredEntry


class RemovalDialog(LinesDialog):
    def __init__(self, entries: Sequence[StoredEntry], parent: QWidget, heading: str = "") -> None:
        """heading: the question, unless the entries were selected."""
        heading = heading or _("Delete {what} from the library?").format(what=entries_in_words(entries))
        explanation = _(
            "The texts, fingerprints and tags are deleted for good. Files on the disk stay as they are."
        )
        lines = "\n".join(map(_line, entries))
        super().__init__(_("Delete from the library"), heading, explanation, lines, parent)
        self.delete_button = other_button(_("Delete"), self.accept)
        self.close_button.setText(_("Cancel"))
        self.close_button.setDefault(True)
        self.buttons.insertWidget(1, self.delete_button)
        self.close_button.setFocus()


class ProtocolDialog(LinesDialog):
    def __init__(self, protocol: RemovalProtocol, parent: QWidget) -> None:
        from simcompare.report.library_text import protocol_as_text  # noqa: PLC0415 - as in LibraryAccess

        self._text = protocol_as_text(protocol)
        heading = _("Deleted: {what}").format(what=entries_in_words(protocol.entries))
        explanation = _("Keep this record if you have to prove that these texts were deleted.")
        super().__init__(_("Deletion record"), heading, explanation, self._text, parent)
        self.save_button = other_button(_("Save…"), self._ask_where)
        self.buttons.insertWidget(1, self.save_button)
        self.close_button.setFocus()

    def _ask_where(self) -> None:
        ask_where_to_write(self, _("Save the record"), _("Deletion record") + ".txt", self._save)

    def _save(self, path: Path) -> None:
        self.explanation.setText(saved_in_words(path, self._text.encode()))


def _line(entry: StoredEntry) -> str:
    """Return "张三 · essay.txt · 2025 · 3"."""
    tags = (tag_of(entry, name) for name in ("year", "class", "assignment"))
    return " · ".join(filter(None, [tag_of(entry, "student"), display_name(entry.name), *tags]))


_LAST_PORT = 65_535
_USUAL_PORT = "5432"
_USUAL_ENCRYPTION = "require"


class ServerDialog(Dialog):
    """Server, port, database, user, password and encryption, or an address that fills them in.

    The password is kept only until the program is closed; it is neither saved nor displayed.
    """

    confirmed = Signal(object)
    """The LibraryServer, with the password."""

    def __init__(self, known: LibraryServer | None, parent: QWidget) -> None:
        """known: a server whose connection is to be changed."""
        super().__init__(_("The server of a school"), parent, width_px=_WIDTH_PX)
        self._others: dict[str, str] = {}
        """Connection parameters without a field, which an address may have."""
        self.host, self.port, self.database = QLineEdit(), QLineEdit(), QLineEdit()
        self.user, self.password = QLineEdit(), QLineEdit()
        self.encryption = QComboBox()
        self._fields = {
            "host": self.host,
            "port": self.port,
            "dbname": self.database,
            "user": self.user,
            "password": self.password,
        }
        self.host.setPlaceholderText(_("Server name, or postgresql://user@host/database"))
        self.port.setPlaceholderText(_USUAL_PORT)
        self.port.setValidator(QIntValidator(1, _LAST_PORT, self.port))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.explanation = MutedLabel()
        self.open_button = default_button(_("Open"), self._confirm)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        fields = {
            _("Server"): self.host,
            _("Port"): self.port,
            _("Database"): self.database,
            _("User"): self.user,
            _("Password"): self.password,
            _("Encryption"): self.encryption,
        }
        form = form_of(fields, at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.open_button, spacing_px=GRID_PX * 2)
        column_of(self, form, self.explanation, buttons, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)
        self._fill_in({} if known is None else dict(known.parameters))
        self._host_before = self.host.text()
        self.host.textEdited.connect(self._follow_host)
        self.host.editingFinished.connect(self._split_address)
        for field in self._fields.values():
            field.textChanged.connect(self._explain)
        self._explain()
        (self.host if known is None else self.password).setFocus()

    def _fill_in(self, parameters: dict[str, str]) -> None:
        for name, field in self._fields.items():
            field.setText(parameters.pop(name, ""))
        encryption = parameters.pop("sslmode", _USUAL_ENCRYPTION)
        words = {
            "verify-full": _("Required, and the certificate is verified"),
            "require": _("Required"),
            "prefer": _("If the server offers it"),
            "disable": _("None"),
        }
        set_options(
            self.encryption,
            list((words | {encryption: words.get(encryption, encryption)}).items()),
            encryption,
        )
        self._others = parameters

    def _follow_host(self, text: str) -> None:
        """Split an address as soon as it was pasted; one that is typed is not complete yet."""
        is_pasted = len(text) > len(self._host_before) + 1
        self._host_before = text
        if is_pasted:
            self._split_address()

    def _split_address(self) -> None:
        """Fill in the fields from a whole address; a password goes where it cannot be seen."""
        address = self.host.text().strip()
        if "://" not in address:
            return
        try:
            server = library_place(address)
        except SimcompareError:
            return  # told when it is confirmed
        if isinstance(server, LibraryServer):
            self._fill_in(dict(server.parameters))

    def _server(self) -> LibraryServer:
        """Return the server. Raises LibraryAddressError, ServerDriverMissingError."""
        if "://" in self.host.text():
            library_place(self.host.text().strip())  # raises the error, as it was not split
        given = {name: field.text() for name, field in self._fields.items()}
        trimmed = {name: text if name == "password" else text.strip() for name, text in given.items()}
        own = {name: text for name, text in trimmed.items() if text}
        return library_server({**self._others, **own, "sslmode": str(self.encryption.currentData())})

    def _explain(self) -> None:
        is_complete = bool(self.host.text().strip() and self.database.text().strip())
        self.open_button.setEnabled(is_complete or "://" in self.host.text())
        self.explanation.setText(_("The password is kept only until the program is closed, and never saved."))

    def _confirm(self) -> None:
        self._split_address()
        try:
            server = self._server()
        except SimcompareError as error:
            self.explanation.setText(error_in_words(error))
            return
        self.accept()
        self.confirmed.emit(server)


_WIDTH_PX = 480


class AdditionDialog(Dialog):
    """Class, year and assignment, filled in with what is known, and how students are stored."""

    confirmed = Signal(object)
    """The AdditionTags."""

    def __init__(
        self,
        what: str,
        known: AdditionTags,
        values: Sequence[Sequence[str]],
        parent: QWidget,
        *,
        may_use_pseudonyms: bool,
        aside: str = "",
    ) -> None:
        """Take a sentence that says what is added, and years, classes and assignments as proposals.

        aside: which files are not added, "" if none.
        """
        super().__init__(_("Add to the library"), parent, width_px=_WIDTH_PX)
        self.what, self.aside = WrappedLabel(what, "pairName"), MutedLabel(aside)
        self.school_class, self.year = QLineEdit(known.school_class), QLineEdit(known.year)
        self.assignment = QLineEdit(known.assignment)
        for field, proposals in zip((self.year, self.school_class, self.assignment), values, strict=True):
            completer = QCompleter(list(proposals), field)
            popup = completer.popup()
            assert popup is not None, "a completer makes one"
            use_sheet(popup)  # as it has no parent
            field.setCompleter(completer)
        self.students = QComboBox()
        options = [(StudentNaming.NAME.value, _("By name"))]
        if may_use_pseudonyms:
            options.append((StudentNaming.PSEUDONYM.value, _("By pseudonym")))
        options.append((StudentNaming.NONE.value, _("Not stored")))
        set_options(self.students, options, known.students.value)
        self.explanation = MutedLabel()
        self.add_button = default_button(_("Add to the library"), self._confirm)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        fields = {
            _("Class"): self.school_class,
            _("Year"): self.year,
            _("Assignment"): self.assignment,
            _("Students"): self.students,
        }
        form = form_of(fields, at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.add_button, spacing_px=GRID_PX * 2)
        parts = (self.what, self.aside, form, self.explanation, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)
        self.aside.setVisible(bool(aside))
        self.students.currentIndexChanged.connect(self._explain)
        self._explain()
        self.school_class.setFocus()

    def _naming(self) -> StudentNaming:
        return StudentNaming(self.students.currentData())

    def _explain(self) -> None:
        words = {
            StudentNaming.NAME: _(
                "Names come from the class list and from the names of the files. With them, everything of a "
                "student can be deleted at once."
            ),
            StudentNaming.PSEUDONYM: _(
                "Names in texts and names of files are replaced. On this computer, everything of a student "
                "can still be deleted by name. Only this session can tell who is who, so save it."
            ),
            StudentNaming.NONE: _(
                "The essays are stored without a student; their texts and the names of their files stay as "
                "they are."
            ),
        }
        self.explanation.setText(words[self._naming()])

    def _confirm(self) -> None:
        fields = self.school_class, self.year, self.assignment
        school_class, year, assignment = (field.text().strip() for field in fields)
        self.accept()
        self.confirmed.emit(AdditionTags(school_class, year, assignment, self._naming()))
