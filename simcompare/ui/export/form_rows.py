"""Fields below each other with what they are called beside them, and what is offered in lists."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QWidget

from simcompare.ui.style.theme import GRID_PX

Row = tuple[QLabel | None, QWidget]


def grid_of(rows: Sequence[Row], *, at_top: QWidget) -> QGridLayout:
    """Return fields with their labels, which stand in the middle of them but for the one that is `at_top`."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(GRID_PX * 3)
    grid.setVerticalSpacing(GRID_PX * 2)
    grid.setColumnStretch(1, 1)
    for row, (label, field) in enumerate(rows):
        if label is not None:
            side = Qt.AlignmentFlag.AlignTop if field is at_top else Qt.AlignmentFlag.AlignVCenter
            grid.addWidget(label, row, 0, side)
            label.setBuddy(field)
        grid.addWidget(field, row, 1)
    return grid


def at_right(*buttons: QWidget) -> QHBoxLayout:
    """Return buttons beside each other, at the right."""
    row = QHBoxLayout()
    row.setSpacing(GRID_PX * 2)
    row.addStretch()
    for button in buttons:
        row.addWidget(button)
    return row


def keep_room(widget: QWidget) -> None:
    """Have a widget keep its room while it is hidden, so that nothing jumps when it comes."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def offer(box: QComboBox, options: Sequence[tuple[str, str]], chosen: str) -> None:
    """Fill a list without telling of it."""
    box.blockSignals(True)
    box.clear()
    for value, text in options:
        box.addItem(text, value)
    box.setCurrentIndex(max(box.findData(chosen), 0) if options else -1)
    box.blockSignals(False)
