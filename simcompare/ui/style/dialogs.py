"""What dialogs and pop-ups share: they are deleted when closed, Esc closes, one button is the default."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QPlainTextEdit, QPushButton, QWidget

from simcompare.support.i18n import _
from simcompare.ui.style.layouts import FocusFrame, column_of, grid_of, other_button, press_by_enter, row_of
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX

QUESTION_MARGIN_PX = 5 * GRID_PX


class PopUp(QFrame):
    """Frame that Esc hides."""

    closed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()


class ButtonKeysDialog(QDialog):
    """Dialog in which Enter presses the button with the focus; Qt presses the default button instead."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(event, self.focusWidget(), QPushButton):
            super().keyPressEvent(event)


class Dialog(ButtonKeysDialog):
    """Dialog with a title, of a fixed width if one is given; Qt deletes it when it is closed."""

    def __init__(self, title: str, parent: QWidget, *, width_px: int | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        if width_px is not None:
            self.setFixedWidth(width_px)


_LINES_PX = QSize(560, 420)


class LinesDialog(Dialog):
    """A heading, an explanation and lines to read; Esc closes it."""

    def __init__(self, title: str, heading: str, explanation: str, lines: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.resize(_LINES_PX.boundedTo(parent.size()))
        self.heading, self.explanation = WrappedLabel(heading, "pairName"), MutedLabel(explanation)
        self.explanation.setVisible(bool(explanation))
        self.lines = QPlainTextEdit(lines)
        self.lines.document().setDocumentMargin(2 * GRID_PX)
        self.lines.setReadOnly(True)
        self.lines.setTabChangesFocus(True)
        self.lines.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.lines.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.lines.setAccessibleName(heading)
        FocusFrame(self.lines)
        self.close_button = QPushButton(_("Close"))
        self.close_button.clicked.connect(self.reject)
        self.buttons = row_of(None, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self.heading, self.explanation, (self.lines, 1), self.buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)


class QuestionDialog(Dialog):
    """A question, an explanation and buttons, of which subclasses lay out theirs; Esc and Cancel reject."""

    def __init__(self, title: str, question: str, explanation: str, parent: QWidget, width_px: int) -> None:
        super().__init__(title, parent, width_px=width_px)
        self.question, self.explanation = WrappedLabel(question, "pairName"), MutedLabel(explanation)
        self.cancel_button = other_button(_("Cancel"), self.reject)

    def lay_out(self, aside: QPushButton | None, accepting: QPushButton, default: QPushButton) -> None:
        """Place Cancel and the button that accepts at the right, another one at the left."""
        left = () if aside is None else (aside,)
        buttons = row_of(None, *left, None, self.cancel_button, accepting, spacing_px=GRID_PX * 2)
        for button in (*left, self.cancel_button, accepting):
            button.setAutoDefault(False)
        default.setDefault(True)
        default.setFocus()
        texts = (self.question, self.explanation)
        column = column_of(self, *texts, spacing_px=GRID_PX * 2, margins_px=QUESTION_MARGIN_PX)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)


def form_of(fields: Mapping[str, QWidget], *, at_top: QWidget) -> QGridLayout:
    """Return a grid of fields with their names, which assistive programs get too; see `grid_of`."""
    for name, field in fields.items():
        field.setAccessibleName(name)
    return grid_of([(QLabel(name), field) for name, field in fields.items()], at_top=at_top)
