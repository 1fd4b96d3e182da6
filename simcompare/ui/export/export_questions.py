"""What is asked about an export: whether to replace files, and whether to give up what is on its way."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, ngettext
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 440


class _Question(QDialog):
    """A question, what must be known to answer it, and buttons; Esc and Cancel leave all as it is."""

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

    def _lay_out(self, left: Sequence[QPushButton], right: Sequence[QPushButton], usual: QPushButton) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX * 2)
        for button in left:
            buttons.addWidget(button)
        buttons.addStretch()
        for button in right:
            buttons.addWidget(button)
        for button in (*left, *right):
            button.setAutoDefault(False)
        usual.setDefault(True)
        usual.setFocus()
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 2)
        column.addWidget(self.question)
        column.addWidget(self.explanation)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)


class ReplaceDialog(_Question):
    """Accepted where the files are to be replaced."""

    def __init__(self, places: Sequence[Path], parent: QWidget) -> None:
        super().__init__(_("Replace?"), _replace_question(places), _replace_explanation(places), parent)
        self.replace_button = QPushButton(_("Replace"))
        self.replace_button.clicked.connect(self.accept)
        self._lay_out((), (self.cancel_button, self.replace_button), self.cancel_button)


class ClosingDialog(_Question):
    """Asks what becomes of reports that are being written; it is closed before it tells."""

    wait_chosen = Signal()
    stop_chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(
            _("Reports are being written"),
            _("{name} is still being written.").format(name=display_name(name)),
            _("If that is stopped, nothing of it is left."),
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


def _replace_question(places: Sequence[Path]) -> str:
    if len(places) == 1:
        return _("{name} is there already. Replace it?").format(name=display_name(places[0].name))
    text = ngettext(
        "{count} file is there already. Replace it?",
        "{count} files are there already. Replace them?",
        len(places),
    )
    return text.format(count=f"{len(places):,}")


def _replace_explanation(places: Sequence[Path]) -> str:
    folder = escape_invisible(str(places[0].parent))
    if len(places) == 1:
        return folder
    return "\n".join([folder, *(display_name(place.name) for place in places)])
