"""Tool bar: menus, buttons and settings above the documents, in one row or, with large text, in two."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QMenuBar, QSizePolicy, QToolButton, QWidget

from simcompare.support.i18n import _
from simcompare.ui.actions import Commands
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.ui.compare.bars.exclusion_menu import ExclusionButton
    from simcompare.ui.compare.bars.method_menu import MethodButton
    from simcompare.ui.compare.bars.thresholds import StrictnessButton

_ICON_PX = 16
_MARGINS_PX = (GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
_GAP_PX = 3 * GRID_PX
_AT_LEFT, _AT_RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


class ToolBar(QWidget):
    """Row of menus, buttons and settings.

    If it is narrow, some buttons show only their icons; if that is not enough, the settings get a second row.
    `use_commands` and `add_settings` make it usable after the first painting.
    """

    strictness: "StrictnessButton"
    exclusions: "ExclusionButton"
    method: "MethodButton"

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.add_button = self._button("primary")
        self.swap_button, self.export_button = self._button("barButton"), self._button("barButton")
        for button in (self.swap_button, self.export_button):
            button.setEnabled(False)
        self._steps = ((self.swap_button, self.export_button), (self.add_button,))
        """Buttons whose texts are hidden one after the other if the window is narrow."""
        self._step = 0
        self._texts_px: list[int] = []
        menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        buttons = (self.add_button, self.swap_button, self.export_button)
        self._menus, self._buttons, self._settings = menus, QWidget(), QWidget()
        row_of(self._buttons, *buttons, spacing_px=GRID_PX * 2)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(*_MARGINS_PX)
        self._grid.setSpacing(_GAP_PX)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(menus, 0, 0)
        self._grid.addWidget(self._buttons, 0, 1, _AT_LEFT)
        self._has_two_rows = True
        self._split(False)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def use_commands(self, commands: Commands) -> None:
        """Let the buttons trigger commands from now on."""
        self.add_button.clicked.connect(commands.actions["add"].trigger)
        _follow(self.swap_button, commands.actions["swap"])
        _follow(self.export_button, commands.actions["export"])

    def add_settings(
        self, strictness: "StrictnessButton", exclusions: "ExclusionButton", method: "MethodButton"
    ) -> None:
        """Add the settings."""
        self.strictness, self.exclusions, self.method = strictness, exclusions, method
        row_of(self._settings, strictness, exclusions, method, spacing_px=GRID_PX * 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the width of the wider row of two."""
        first = self._menus.sizeHint().width() + _GAP_PX + self._buttons.minimumSizeHint().width()
        widest = max(first, self._settings.minimumSizeHint().width())
        return QSize(widest + _MARGINS_PX[0] + _MARGINS_PX[2], self._grid.minimumSize().height())

    def _split(self, has_two_rows: bool) -> None:
        """Put the settings into a row of their own, or behind the buttons."""
        if has_two_rows == self._has_two_rows:
            return
        self._has_two_rows = has_two_rows
        if has_two_rows:
            self._grid.addWidget(self._settings, 1, 0, 1, 3, _AT_LEFT)
        else:
            self._grid.addWidget(self._settings, 0, 2, _AT_RIGHT)
        self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Adapt button texts when a part changes its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt button texts to the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the texts of as many buttons as fit: of all, of Add only, or of none; then use two rows."""
        needed_px = self._needed_px()
        while self._step < len(self._steps) and needed_px > self.width():
            self._show_texts(self._step, shown=False)
            self._step += 1
            self._texts_px.append(needed_px - self._needed_px())
            needed_px = self._needed_px()
        while self._step and needed_px + self._texts_px[-1] <= self.width():
            self._texts_px.pop()
            self._step -= 1
            self._show_texts(self._step, shown=True)
            needed_px = self._needed_px()
            if needed_px > self.width():  # the texts may be longer in another language
                self._fit()
        self._split(self._step == len(self._steps) and needed_px > self.width())

    def _needed_px(self) -> int:
        """Width that all parts need in one row."""
        parts = (self._menus.sizeHint(), self._buttons.minimumSizeHint(), self._settings.minimumSizeHint())
        return sum(size.width() for size in parts) + 2 * _GAP_PX + _MARGINS_PX[0] + _MARGINS_PX[2]

    def _show_texts(self, step: int, *, shown: bool) -> None:
        style = Qt.ToolButtonStyle
        for button in self._steps[step]:
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon if shown else style.ToolButtonIconOnly)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.add_button.setIcon(icon("add", theme.accent_ink))
        self.swap_button.setIcon(icon("swap", theme.ink))
        self.export_button.setIcon(icon("export", theme.ink))

    def _retranslate(self) -> None:
        self.add_button.setText(_("Add"))
        self.add_button.setAccessibleName(_("Add documents"))
        self.add_button.setToolTip(_("Add files to compare, or drop them anywhere (Ctrl+O)"))
        self.swap_button.setText(_("Swap"))
        self.swap_button.setToolTip(_("Swap the two texts (Ctrl+T)"))
        self.export_button.setText(_("Export"))
        self.export_button.setToolTip(_("Write a report, a table or marked copies (Ctrl+E)"))


def _follow(button: QToolButton, action: QAction) -> None:
    """Let a button trigger an action, and be enabled as it is."""
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)
