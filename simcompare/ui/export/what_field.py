"""What is exported: a button for each thing that can be."""

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from simcompare.report.phrases import named
from simcompare.ui.export.sources import Source
from simcompare.ui.looks.elided_label import elided_name
from simcompare.ui.looks.quiet_label import QuietLabel
from simcompare.ui.looks.theme import GRID_PX
from simcompare.ui.state.names import names_of

_MOST_PX = 296
_BETWEEN = " ↔ "


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
            column.addWidget(QuietLabel(sources[0].names or sources[0].title))
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
    shown = _shortened(button.fontMetrics(), words)
    button.setText(shown.replace("&", "&&"))
    button.setToolTip(source.names)
    button.setAccessibleName(named(source.title, source.names) if source.names else source.title)
    return button


def _shortened(metrics: QFontMetrics, words: str) -> str:
    """Return what fits; of two names as much of each as tells them apart."""
    if metrics.horizontalAdvance(words) <= _MOST_PX:
        return words
    names = names_of([PurePath(name) for name in words.split(_BETWEEN)])
    widths = [metrics.horizontalAdvance(name.text) for name in names]
    room = _MOST_PX - metrics.horizontalAdvance(_BETWEEN) * (len(names) - 1)
    rooms = [max(room // len(names), room - sum(widths) + width) for width in widths]  # what others leave
    return _BETWEEN.join(
        elided_name(metrics, name.text, own_room, name.shared)
        for name, own_room in zip(names, rooms, strict=True)
    )
