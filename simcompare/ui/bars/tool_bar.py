"""The row of buttons and settings above the documents."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from simcompare.i18n import _
from simcompare.ui.actions import Commands
from simcompare.ui.bars.exclusion_menu import ExclusionButton
from simcompare.ui.bars.method_menu import MethodButton
from simcompare.ui.bars.settings_bar import SettingsBar
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, Theme
from simcompare.ui.state.workspace import Workspace

_ICON_PX = 16


class ToolBar(QWidget):
    """Add, swap, preset, thresholds, exclusions and method."""

    def __init__(self, workspace: Workspace, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.add_button = self._button("primary")
        self.add_button.clicked.connect(commands.actions["add"].trigger)
        self.swap_button = self._button("barButton")
        swap = commands.actions["swap"]
        self.swap_button.clicked.connect(swap.trigger)
        swap.enabledChanged.connect(self.swap_button.setEnabled)
        self.settings_bar = SettingsBar(workspace)
        self.exclusions = ExclusionButton(workspace)
        self.method = MethodButton(workspace)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.setSpacing(GRID_PX * 3)
        row.addWidget(self.add_button)
        row.addWidget(self.swap_button)
        row.addStretch(1)
        row.addWidget(self.settings_bar)
        row.addWidget(self.exclusions)
        row.addWidget(self.method)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self.add_button.setIcon(icon("add", theme.accent_ink))
        self.swap_button.setIcon(icon("swap", theme.ink))
        self.settings_bar.apply_theme(theme)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.add_button.setText(_("Add"))
        self.add_button.setAccessibleName(_("Add documents"))
        self.add_button.setToolTip(_("Add files to compare, or drop them anywhere (Ctrl+O)"))
        self.swap_button.setText(_("Swap"))
        self.swap_button.setToolTip(_("Let the two texts change places (Ctrl+T)"))
        self.settings_bar.retranslate()
        self.exclusions.retranslate()
        self.method.retranslate()
