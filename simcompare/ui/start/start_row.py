"""Button of two lines: what it opens, and a few words about it."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolTip, QWidget

from simcompare.ui.style.box_layouts import column_of
from simcompare.ui.style.elided_label import ElidedLabel
from simcompare.ui.style.theme import GRID_PX
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

_MARGINS_PX = (2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)


class StartRow(QPushButton):
    """Opens a sample or a session; texts longer than the row are shortened, the tool tip has them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("startRow")
        self.title, self.detail = ElidedLabel(), ElidedLabel()
        self.title.setObjectName("startRowTitle")
        self.detail.setObjectName("muted")
        self.detail.cut = Qt.TextElideMode.ElideRight
        for label in (self.title, self.detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column_of(self, self.title, self.detail, margins_px=_MARGINS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_texts(self, title: str, detail: str, tip: str = "") -> None:
        """Show both lines, which a screen reader reads as name and description."""
        self.title.setText(title)
        self.detail.setText(detail)
        self.setAccessibleName(title)
        self.setAccessibleDescription(detail)
        self.setToolTip(tip)

    def event(self, event: QEvent) -> bool:
        """Show shortened texts as a tool tip, unless there is another one."""
        if isinstance(event, QHelpEvent) and self._is_shortened and not self.toolTip():
            texts = f"{self.title.text()}\n{self.detail.text()}"
            QToolTip.showText(event.globalPos(), as_tooltip(texts), self)
            return True
        return super().event(event)

    @property
    def _is_shortened(self) -> bool:
        return self.title.is_shortened or self.detail.is_shortened

    def sizeHint(self) -> QSize:
        """Height of both lines with their margins; a button without a text would be one line high."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Both lines, shortened to a few characters."""
        layout = self.layout()
        return super().minimumSizeHint() if layout is None else layout.minimumSize()


def heading(parent: QWidget | None = None) -> QLabel:
    """Make the heading above a column of rows."""
    label = QLabel(parent)
    label.setObjectName("panelTitle")
    label.setContentsMargins(2 * GRID_PX, 0, 0, GRID_PX)
    return label
