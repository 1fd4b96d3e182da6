"""What is exported: a button for each thing that can be."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QVBoxLayout, QWidget

from simcompare.report.phrases import named
from simcompare.ui.export.sources import Source
from simcompare.ui.looks.theme import GRID_PX

_MOST_PX = 270


class WhatField(QWidget):
    """Buttons of which one is chosen; where there is but one thing, its name alone."""

    changed = Signal()

    def __init__(self, sources: Sequence[Source], first: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self.buttons = [_button(source) for source in sources]
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2 * GRID_PX)
        column.setSpacing(GRID_PX)
        for button, source in zip(self.buttons, sources, strict=True):
            group.addButton(button)
            button.setChecked(source.key == first)
            column.addWidget(button)
        if self.is_plain:
            self.buttons[0].hide()
            column.addWidget(_about(sources[0]))
        group.buttonClicked.connect(self.changed)

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self._sources) == 1

    @property
    def source(self) -> Source:
        """What is chosen."""
        return self._sources[next(n for n, button in enumerate(self.buttons) if button.isChecked())]


def _button(source: Source) -> QRadioButton:
    """Return what chooses something; one that is about two texts names them, as far as there is room."""
    button = QRadioButton()
    words = source.names or source.title
    shown = button.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _MOST_PX)
    button.setText(shown.replace("&", "&&"))
    button.setToolTip(source.names)
    button.setAccessibleName(named(source.title, source.names) if source.names else source.title)
    return button


def _about(source: Source) -> QLabel:
    label = QLabel(source.names or source.title)
    label.setObjectName("muted")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
