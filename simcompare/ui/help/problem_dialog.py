"""Dialog that shows the report of a problem and writes it to a file."""

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from simcompare import PROJECT_PAGE
from simcompare.model.errors import cause_of_writing
from simcompare.support.atomic_file import write_atomically
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.desktop.file_dialogs import ask_where_to_save_text
from simcompare.ui.help.problem_report import problem_report
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = (680, 560)


class ProblemDialog(QDialog):
    """Shows all that the file will contain before it is written. Nothing is sent."""

    def __init__(self, workspace: Workspace, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Report a problem"))
        self.resize(*_SIZE_PX)
        self.explanation = explanation = QLabel(
            _(
                "Save this report and send it {recipient}, with a few words about what happened. simcompare "
                "sends nothing itself. The file contains exactly what you see here, and nothing of your "
                "documents: no texts, names, file names or folders."
            ).format(recipient=_recipient())
        )
        explanation.setWordWrap(True)
        explanation.setTextFormat(Qt.TextFormat.PlainText)
        explanation.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = QPlainTextEdit(problem_report(workspace, preferences, window))
        self.text.document().setDocumentMargin(2 * GRID_PX)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(_("Content of the report"))
        self.message = MutedLabel()
        self.save_button, self.close_button = QPushButton(_("Save the report…")), QPushButton(_("Close"))
        self.save_button.setObjectName("primary")
        self.save_button.setDefault(True)
        self.close_button.setAutoDefault(False)
        self.save_button.clicked.connect(self.ask_where_to_save)
        self.close_button.clicked.connect(self.reject)
        buttons = row_of(None, (self.message, 1), self.close_button, self.save_button, spacing_px=2 * GRID_PX)
        column = column_of(self, explanation, (self.text, 1), spacing_px=3 * GRID_PX, margins_px=5 * GRID_PX)
        column.addLayout(buttons)
        self.save_button.setFocus()

    def ask_where_to_save(self) -> None:
        """Ask for the file and write it."""
        name = f"simcompare-problem-{datetime.now():%Y-%m-%d-%H%M}.txt"
        dialog = ask_where_to_save_text(self, _("Save the report"), name)
        dialog.fileSelected.connect(lambda path: self.save(Path(path)))

    def save(self, path: Path) -> None:
        """Write the shown text, and say that it was written or why not."""
        content = self.text.toPlainText().encode()
        try:
            write_atomically(path, lambda file: file.write(content))
        except OSError as error:
            words = _("{name} was not written: {reason}. Choose another folder.")
            reason = _(cause_of_writing(path, error))
            self.message.setText(words.format(name=display_name(path.name), reason=reason))
        else:
            self.message.setText(_("Written: {name}").format(name=display_name(path.name)))


def _recipient() -> str:
    if PROJECT_PAGE:
        return _("by the page of the project, {page}").format(page=PROJECT_PAGE)
    return _("to the person who gave you simcompare")
