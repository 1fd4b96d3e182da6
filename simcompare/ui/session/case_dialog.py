"""Dialog that computes a case file again, and says what is equal and what differs."""

from pathlib import Path

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QWidget

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


class CaseDialog(LinesDialog):
    """Computes a case file again beside the window; nothing follows once it is closed."""

    def __init__(self, path: Path, parent: QWidget) -> None:
        name = display_name(path.name)
        heading = _("Computing the figures of {name} again…").format(name=name)
        super().__init__(_("Verify a case file"), heading, "", "", parent)
        background = Background(self, QThreadPool.globalInstance())
        self.finished.connect(background.close)
        background.start(
            lambda: list(verify_case(path, _read)), self._show, lambda error: self.heading.setText(str(error))
        )

    def _show(self, checks: list[Check]) -> None:
        self.heading.setText(outcome_in_words(checks))
        self.lines.setPlainText("\n".join(line for check in checks for line in check.lines))


def _read(path: Path, whole_page: bool) -> Document | SimcompareError:
    with ReaderPool(1) as pool:
        try:
            return submitter(pool, load_document, ReadingOptions(whole_page=whole_page))(path).result()
        except SimcompareError as error:
            return error
