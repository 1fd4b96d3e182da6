"""Questions about exports: replace files, and close the window while reports are written."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, ngettext
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 440


class _QuestionDialog(QDialog):
    """Base of dialogs with a question, an explanation and buttons; Esc and Cancel reject."""

    def __init__(self, title: str, question: str, explanation: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setFixedWidth(_WIDTH_PX)
        self.question, self.explanation = QLabel(question), QLabel(explanation)
        self.question.setObjectName("pairName")
        self.explanation.setObjectName("muted")
        for label in (self.question, self.explanation):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.cancel_button = QPushButton(_("Cancel"))
        self.cancel_button.clicked.connect(self.reject)

    def _lay_out(
        self, left: Sequence[QPushButton], right: Sequence[QPushButton], default: QPushButton
    ) -> None:
        buttons = row_of(None, *left, None, *right, spacing_px=GRID_PX * 2)
        for button in (*left, *right):
            button.setAutoDefault(False)
        default.setDefault(True)
        default.setFocus()
        texts = (self.question, self.explanation)
        column = column_of(self, *texts, spacing_px=GRID_PX * 2, margins_px=GRID_PX * 5)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)


class ReplaceDialog(_QuestionDialog):
    """Asks whether existing files are to be replaced."""

    def __init__(self, paths: Sequence[Path], parent: QWidget) -> None:
        super().__init__(_("Replace?"), _replace_question(paths), _replace_explanation(paths), parent)
        self.replace_button = QPushButton(_("Replace"))
        self.replace_button.clicked.connect(self.accept)
        self._lay_out((), (self.cancel_button, self.replace_button), self.cancel_button)


class ClosingDialog(_QuestionDialog):
    """Asks what to do with exports that are being written; closes before it emits a signal."""

    wait_chosen = Signal()
    stop_chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(
            _("Reports are being saved"),
            _("{name} is still being saved.").format(name=display_name(name)),
            _("If you stop now, nothing is saved."),
            parent,
        )
        self.wait_button, self.stop_button = (
            QPushButton(_("Close when done")),
            QPushButton(_("Stop and close")),
        )
        self.wait_button.setObjectName("primary")
        for button, chosen in ((self.wait_button, self.wait_chosen), (self.stop_button, self.stop_chosen)):
            button.clicked.connect(self.accept)
            button.clicked.connect(chosen)
        self._lay_out((self.stop_button,), (self.cancel_button, self.wait_button), self.wait_button)


def _replace_question(paths: Sequence[Path]) -> str:
    if len(paths) == 1:
        return _("{name} already exists. Replace it?").format(name=display_name(paths[0].name))
    return ngettext(
        "{count} file already exists. Replace it?",
        "{count} files already exist. Replace them?",
        len(paths),
    )


def _replace_explanation(paths: Sequence[Path]) -> str:
    folder = escape_invisible(str(paths[0].parent))
    if len(paths) == 1:
        return folder
    return "\n".join([folder, *(display_name(path.name) for path in paths)])
