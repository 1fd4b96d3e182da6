"""Dialog that asks for the library on the server of a school."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.library.store.library_place import LibraryServer, library_place, library_server
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import _
from simcompare.ui.library.library_words import error_in_words
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.form_rows import grid_of, set_options
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 480
_LAST_PORT = 65_535
_USUAL_PORT = "5432"
_USUAL_ENCRYPTION = "require"


class ServerDialog(QDialog):
    """Server, port, database, user, password and encryption, or an address that fills them in.

    The password is kept only until the program is closed; it is neither saved nor displayed.
    """

    confirmed = Signal(object)
    """The LibraryServer, with the password."""

    def __init__(self, known: LibraryServer | None, parent: QWidget) -> None:
        """known: a server whose connection is to be changed."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("The server of a school"))
        self.setFixedWidth(_WIDTH_PX)
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
        self.open_button, self.cancel_button = QPushButton(_("Open")), QPushButton(_("Cancel"))
        self._lay_out()
        self._fill_in({} if known is None else dict(known.parameters))
        self._host_before = self.host.text()
        self.host.textEdited.connect(self._follow_host)
        self.host.editingFinished.connect(self._split_address)
        for field in self._fields.values():
            field.textChanged.connect(self._explain)
        self.open_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)
        self._explain()
        (self.host if known is None else self.password).setFocus()

    def _lay_out(self) -> None:
        self.open_button.setObjectName("primary")
        self.open_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        fields: dict[str, QWidget] = {
            _("Server"): self.host,
            _("Port"): self.port,
            _("Database"): self.database,
            _("User"): self.user,
            _("Password"): self.password,
            _("Encryption"): self.encryption,
        }
        for name, field in fields.items():
            field.setAccessibleName(name)
        grid = grid_of([(QLabel(name), field) for name, field in fields.items()], at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.open_button, spacing_px=GRID_PX * 2)
        column_of(self, grid, self.explanation, buttons, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)

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
