"""The dialog that asks what is to become of work that is not saved."""

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from simcompare.i18n import _
from simcompare.ui.looks.theme import GRID_PX

_WIDTH_PX = 420


class UnsavedDialog(QDialog):
    """Save, do not save, or cancel, as Esc does; it is closed before it tells what was chosen."""

    save_chosen = Signal()
    discard_chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Unsaved work"))
        self.setFixedWidth(_WIDTH_PX)
        question = _("Save the changes to {name}?").format(name=name) if name else _("Save your work?")
        self.question, self.explanation = QLabel(question), QLabel()
        self.explanation.setText(_("Decisions, notes and settings that are not saved are lost."))
        self.question.setObjectName("pairName")
        self.explanation.setObjectName("muted")
        for label in (self.question, self.explanation):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.save_button, self.cancel_button = QPushButton(_("Save")), QPushButton(_("Cancel"))
        self.discard_button = QPushButton(_("Don't save"))
        self.save_button.setObjectName("primary")
        self._lay_out()
        self.save_button.clicked.connect(lambda: self._choose(self.save_chosen))
        self.discard_button.clicked.connect(lambda: self._choose(self.discard_chosen))
        self.cancel_button.clicked.connect(self.reject)
        self.save_button.setFocus()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX * 2)
        buttons.addWidget(self.discard_button)
        buttons.addStretch()
        for button in (self.cancel_button, self.save_button):
            buttons.addWidget(button)
        for button in (self.discard_button, self.cancel_button):
            button.setAutoDefault(False)
        self.save_button.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 2)
        column.addWidget(self.question)
        column.addWidget(self.explanation)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)

    def _choose(self, chosen: SignalInstance) -> None:
        self.accept()
        chosen.emit()
