"""A text pane by itself, as tests of the pane and of the search in it need it."""

from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.document import Document
from simcompare.ui.text_pane.pane import TextPane


def shown_pane(qtbot: QtBot, document: Document) -> TextPane:
    """Return a pane in which a text has just been opened; a long one is not laid out yet."""
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.resize(420, 500)
    pane.show()
    qtbot.waitExposed(pane)
    pane.set_document(document)
    return pane


def page(pane: TextPane) -> QTextEdit:
    """Return the page of a pane, on which its text stands."""
    return pane.findChild(QTextEdit)
