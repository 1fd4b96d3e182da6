"""The line that offers work which a crash left behind."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.ui.looks.theme import GRID_PX


class RecoveryBar(QWidget):
    """Asks what to do with unsaved work, and asks again before it is deleted; hidden while there is none."""

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._written: Sequence[datetime] = ()
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.restore_button, self.discard_button = QPushButton(), QPushButton()
        # the second click of a double click on "Discard" meets "Keep"
        self.for_good_button, self.keep_button = QPushButton(), QPushButton()
        self.restore_button.setObjectName("primary")
        self.restore_button.clicked.connect(self.restore_requested)
        self.discard_button.clicked.connect(lambda: self._ask(True))
        self.keep_button.clicked.connect(lambda: self._ask(False))
        self.for_good_button.clicked.connect(self.discard_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.setSpacing(GRID_PX * 2)
        row.addWidget(self.label, 1)
        for button in (self.restore_button, self.for_good_button, self.discard_button, self.keep_button):
            row.addWidget(button)
        self._ask(False)
        self.hide()

    def offer(self, written: Sequence[datetime]) -> None:
        """Offer the first of some copies of work, of these local times; without any no more."""
        self._written = written
        self._ask(False)
        self.setVisible(bool(written))

    def _ask(self, whether: bool) -> None:
        """Ask whether it is to be deleted, or what is to be done with it."""
        has_focus = self.discard_button.hasFocus() or self.keep_button.hasFocus()
        self._is_asking = whether
        for button in (self.for_good_button, self.keep_button):
            button.setVisible(whether)
        for button in (self.restore_button, self.discard_button):
            button.setVisible(not whether)
        if has_focus:
            (self.keep_button if whether else self.discard_button).setFocus()
        self.retranslate()

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.restore_button.setText(_("Restore"))
        self.discard_button.setText(_("Discard"))
        self.for_good_button.setText(_("Discard for good"))
        self.keep_button.setText(_("Keep"))
        if self._written:
            self.label.setText(self._words().format(time=_moment(self._written[0]), count=len(self._written)))

    def _words(self) -> str:
        if self._is_asking:
            return _("Discard the work of {time} for good? It cannot be brought back.")
        if len(self._written) == 1:
            return _("Work of {time} was not saved.")
        return _("Work of {time} was not saved, the latest of {count} that were not.")


def _moment(moment: datetime) -> str:
    """Return the time, with the date where that is not today's."""
    today = moment.date() == datetime.now().astimezone().date()
    return f"{moment:%H:%M}" if today else f"{moment:%Y-%m-%d %H:%M}"
