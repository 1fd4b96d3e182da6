"""Dialog that computes a case file again, and says what is equal and what differs."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from simcompare.export.case_proof import Check, outcome_in_words, verify_case
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.load import load_document
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submitter
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.state.task import Background
from simcompare.ui.style.dialogs import LinesDialog
from simcompare.ui.style.text_labels import announce


class CaseDialog(LinesDialog):
    """Computes a case file again beside the window; nothing follows once it is closed.

    If a file in it is locked, a password can be entered, with which all is computed once more.
    """

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(_("Verify a case file"), "", "", "", parent)
        self._path = path
        self.password, self.again_button = QLineEdit(), QPushButton(_("Verify again"))
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setAccessibleName(_("Password"))
        self.password.setPlaceholderText(_("Password"))
        for place, part in enumerate((self.password, self.again_button)):
            part.hide()
            self.buttons.insertWidget(place, part)
        self.again_button.clicked.connect(self._verify)
        self._background = Background(self, QThreadPool.globalInstance())
        self.finished.connect(self._background.close)
        self._verify()

    def _verify(self) -> None:
        name = display_name(self._path.name)
        self._say(_("Computing the figures of {name} again…").format(name=name))
        for part in (self.password, self.again_button):
            part.setEnabled(False)
        read = partial(_read, self.password.text() or None)
        self._background.start(lambda: list(verify_case(self._path, read)), self._show, self._refuse)

    def _refuse(self, error: Exception) -> None:
        self._say(str(error))
        self.lines.hide()
        self.resize(self.width(), self.sizeHint().height())

    def _show(self, checks: list[Check]) -> None:
        self.lines.setPlainText("\n".join(line for check in checks for line in check.lines))
        self._say(outcome_in_words(checks))
        for part in (self.password, self.again_button):
            part.setEnabled(True)
            part.setVisible(any(check.is_locked for check in checks))
        if self.password.isVisible():
            self.again_button.setDefault(True)
            self.password.selectAll()
            self.password.setFocus()

    def _say(self, outcome: str) -> None:
        self.heading.setText(outcome)
        self.lines.setAccessibleName(outcome)
        announce(self, outcome)


def _read(password: str | None, path: Path, whole_page: bool) -> Document | SimcompareError:
    options = ReadingOptions(password, whole_page)
    with ReaderPool(1) as pool:
        try:
            return submitter(pool, load_document, options)(path).result()
        except SimcompareError as error:
            return error
