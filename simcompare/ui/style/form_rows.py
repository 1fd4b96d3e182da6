"""Layout helpers of forms: labelled fields in a grid, lists of options."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from simcompare.ui.style.theme import GRID_PX

Row = tuple[QLabel | None, QWidget]


def grid_of(rows: Sequence[Row], *, at_top: QWidget) -> QGridLayout:
    """Return a grid of labels and fields; labels are centred vertically, except that of `at_top`."""
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


def keep_size_when_hidden(widget: QWidget) -> None:
    """Keep the space of a widget while it is hidden, so that the layout does not move."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def set_options(box: QComboBox, options: Sequence[tuple[str, str]], chosen: str) -> None:
    """Fill a combo box with (value, label) without emitting signals."""
    box.blockSignals(True)
    box.clear()
    for value, text in options:
        box.addItem(text, value)
    box.setCurrentIndex(max(box.findData(chosen), 0) if options else -1)
    box.blockSignals(False)
