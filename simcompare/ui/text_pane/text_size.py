"""How large the letters of the texts are, and the commands that change it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from simcompare.i18n import N_, _
from simcompare.ui.state.preferences import USUAL_TEXT_PERCENT, Preferences

_PERCENTS = (80, 90, 100, 110, 125, 150, 175, 200, 225, 250)


class TextSize(QObject):
    """The size of the letters in per cent of the usual one, remembered between two starts."""

    changed = Signal(int)

    def __init__(self, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.percent = preferences.text_percent
        key = QKeySequence.StandardKey
        self._larger = self._action(N_("Larger text"), lambda: self.step(1), key.ZoomIn, "Ctrl+=")
        self._smaller = self._action(N_("Smaller text"), lambda: self.step(-1), key.ZoomOut)
        self._usual = self._action(N_("Usual text size"), lambda: self._set(USUAL_TEXT_PERCENT), "Ctrl+0")
        self.actions = (self._larger, self._smaller, self._usual)
        self._enable()

    def _action(
        self, text: str, do: Callable[[], None], *shortcuts: QKeySequence.StandardKey | str
    ) -> QAction:
        action = QAction(self)
        action.setData(text)
        action.setShortcuts([QKeySequence(each) for each in shortcuts])
        action.triggered.connect(do)
        return action

    def step(self, by: int) -> None:
        """Go to the next larger (1) or smaller (-1) size; it rests at either end."""
        if by > 0:
            self._set(min((each for each in _PERCENTS if each > self.percent), default=self.percent))
        else:
            self._set(max((each for each in _PERCENTS if each < self.percent), default=self.percent))

    def _set(self, percent: int) -> None:
        if percent == self.percent:
            return
        self.percent = self._preferences.text_percent = percent
        self._enable()
        self.changed.emit(percent)

    def _enable(self) -> None:
        self._larger.setEnabled(self.percent < _PERCENTS[-1])
        self._smaller.setEnabled(self.percent > _PERCENTS[0])
        self._usual.setEnabled(self.percent != USUAL_TEXT_PERCENT)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        for action in self.actions:
            action.setText(_(action.data()))
