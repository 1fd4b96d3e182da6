"""Dialog that computes a case file again, and says what is equal and what differs."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from simcompare.export.case_proof import outcome_in_words, verify_case
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.load import load_document
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submitter
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.state.task import Background
from simcompare.ui.style.dialogs import Dialog, default_button
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.text_labels import WrappedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = (560, 400)


class CaseDialog(Dialog):
    """Computes a case file again beside the window; nothing follows once it is closed."""

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(_("Verify a case file"), parent)
        self.resize(*_SIZE_PX)
        name = display_name(path.name)
        self.outcome = WrappedLabel(_("Computing the figures of {name} again…").format(name=name), "pairName")
        self.text = QPlainTextEdit()
        self.text.document().setDocumentMargin(2 * GRID_PX)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(_("Parts of the case file"))
        close = default_button(_("Close"))
        close.clicked.connect(self.reject)
        parts = (self.outcome, (self.text, 1), row_of(None, None, close))
        column_of(self, *parts, spacing_px=3 * GRID_PX, margins_px=5 * GRID_PX)
        background = Background(self, QThreadPool.globalInstance())
        self.finished.connect(background.close)
        background.start(partial(_verified, path), self._show, lambda error: self.outcome.setText(str(error)))

    def _show(self, proof: tuple[str, str]) -> None:
        outcome, lines = proof
        self.outcome.setText(outcome)
        self.text.setPlainText(lines)


def _verified(path: Path) -> tuple[str, str]:
    checks = list(verify_case(path, _read))
    return outcome_in_words(checks), "\n".join(line for check in checks for line in check.lines)


def _read(path: Path, whole_page: bool) -> Document | SimcompareError:
    with ReaderPool(1) as pool:
        try:
            return submitter(pool, load_document, ReadingOptions(whole_page=whole_page))(path).result()
        except SimcompareError as error:
            return error
