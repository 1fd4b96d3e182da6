"""The dialog in which a text is pasted or typed, to be compared like a file."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.i18n import _, ngettext
from simcompare.loading.inspection import visible_count
from simcompare.loading.pasted import PastedText
from simcompare.ui.looks.theme import GRID_PX

_SIZE_PX = QSize(600, 480)


class PasteDialog(QDialog):
    """Takes a title and a text; the title may stay empty, the text may not."""

    chosen = Signal(object, str)
    """The PastedText, and its title, which may be empty."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Paste text"))
        self.title = QLineEdit()
        self.title.setAccessibleName(_("Title"))
        self.title.setPlaceholderText(_("Title (may stay empty)"))
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName(_("Text"))
        self.text.setPlaceholderText(_("Paste or type the text here."))
        self.text.setTabChangesFocus(True)
        self.count = QLabel()
        self.count.setObjectName("muted")
        self.cancel_button, self.add_button = QPushButton(_("Cancel")), QPushButton(_("Add"))
        self.add_button.setObjectName("primary")
        self.add_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        self._lay_out()
        self.text.textChanged.connect(self._follow_text)
        self.add_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.accept)
        self.text.selectAll()
        self.text.setFocus()
        self._follow_text()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX * 2)
        buttons.addWidget(self.count, 1)
        for button in (self.cancel_button, self.add_button):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 3)
        column.addWidget(self.title)
        column.addWidget(self.text, 1)
        column.addLayout(buttons)
        self.resize(_SIZE_PX)

    def _follow_text(self) -> None:
        text = self.text.toPlainText()
        count = visible_count(text)
        words = ngettext("{count} character", "{count} characters", count)
        self.count.setText(words.format(count=f"{count:,}"))
        self.add_button.setEnabled(bool(text.strip()))

    def accept(self) -> None:
        """Hand over the text, unless there is none."""
        if self.add_button.isEnabled():
            self.chosen.emit(PastedText(self.text.toPlainText()), self.title.text())
            super().accept()
