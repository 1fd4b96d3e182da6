"""The quiet line over a list: what it holds, and how many."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from simcompare.ui.looks.palette import muted_palette
from simcompare.ui.looks.theme import GRID_PX, Theme

SIDE_PX = 4 * GRID_PX


class ListHeader(QWidget):
    """A title at the left, a number at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(self)
        self._count = QLabel(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE_PX, 3 * GRID_PX, SIDE_PX, 2 * GRID_PX)
        row.setSpacing(GRID_PX)
        row.addWidget(self._title)
        row.addStretch()
        row.addWidget(self._count)

    def add_control(self, control: QWidget) -> None:
        """Let a control stand at the right end."""
        row = self.layout()
        assert row is not None, "laid out when it was made"
        row.addWidget(control)

    def show_count(self, title: str, count: str) -> None:
        """Show these words."""
        self._title.setText(title)
        self._count.setText(count)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        for label in (self._title, self._count):
            label.setPalette(muted_palette(theme))
