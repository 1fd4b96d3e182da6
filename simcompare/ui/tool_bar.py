"""Tool bar: menus, buttons and settings above the documents, in one row or, with large text, in several."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from simcompare.support.i18n import N_
from simcompare.ui.actions import Commands
from simcompare.ui.state.language import translated
from simcompare.ui.style.layouts import WrappingRow, column_of, row_of, tool_button
from simcompare.ui.style.theme import GRID_PX, icon

if TYPE_CHECKING:
    from simcompare.ui.compare.bars.settings_menus import (
        ExclusionButton,
        MethodButton,
        SettingsButton,
        StrictnessButton,
    )

_MARGINS_PX = (GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
_GAP_PX = 2 * GRID_PX


class ToolBar(QWidget):
    """Row of menus, buttons and settings.

    If it is narrow, some buttons show only their icons, then Swap, which the menu has too, is hidden, the
    settings become one menu, and the documents show only their icon; if that is not enough, there is a second
    row.
    `use_commands` and `add_settings` make it usable after the first painting.
    """

    strictness: "StrictnessButton"
    exclusions: "ExclusionButton"
    method: "MethodButton"

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        add_tip = N_("Add files to compare, or drop them anywhere (Ctrl+O)")
        self.add_button = tool_button(
            icon("add", "accent_ink"), "primary", N_("Add"), add_tip, accessibleName=N_("Add documents")
        )
        swap_tip = N_("Swap the two texts (Ctrl+T)")
        self.swap_button = tool_button(icon("swap"), "barButton", N_("Swap"), swap_tip)
        export_tip = N_("Write a report, a table or marked copies (Ctrl+E)")
        self.export_button = tool_button(icon("export"), "barButton", N_("Export"), export_tip)
        for button in (self.swap_button, self.export_button):
            button.setEnabled(False)
        self._steps: tuple[Callable[[bool], object], ...] = (
            lambda is_shown: _show_texts((self.swap_button, self.export_button), is_shown),
            lambda is_shown: _show_texts((self.add_button,), is_shown),
            self.swap_button.setVisible,
            self._show_settings,
            self._show_words_of_navigation,
        )
        """What is hidden one after the other if the window is narrow."""
        self._step = 0
        self._texts_px: list[int] = []
        menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        buttons = (self.add_button, self.swap_button, self.export_button)
        for button in buttons:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._menus, self._buttons = menus, QWidget()
        row_of(self._buttons, *buttons, spacing_px=_GAP_PX, margins_px=(GRID_PX, 0, GRID_PX, 0))
        self.navigation = QWidget()
        """Place of the controls that a narrow window moves here."""
        self.navigation.hide()
        self.navigation.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._parts: tuple[QWidget, ...] = (self._buttons, self.navigation)
        self._row = WrappingRow(self._menus, self._buttons, None, self.navigation, spacing_px=_GAP_PX)
        self._row.may_wrap = False
        tip = N_("How strictly sentences are compared, what is left out, and the method")
        self.settings_button = translated(QToolButton(), N_("Settings"), tip)
        """Has the menus of the settings while there is no room for their buttons."""
        self.settings_button.setObjectName("barButton")
        self.settings_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.settings_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.settings_button.hide()
        self._settings: tuple[SettingsButton, ...] = ()
        column_of(self, self._row, margins_px=_MARGINS_PX)

    def use_commands(self, commands: Commands) -> None:
        self.add_button.clicked.connect(commands.actions["add"].trigger)
        _follow(self.swap_button, commands.actions["swap"])
        _follow(self.export_button, commands.actions["export"])

    def add_settings(
        self, strictness: "StrictnessButton", exclusions: "ExclusionButton", method: "MethodButton"
    ) -> None:
        self.strictness, self.exclusions, self.method = self._settings = (strictness, exclusions, method)
        self._parts = (self._buttons, *self._settings, self.settings_button, self.navigation)
        self._row.removeWidget(self.navigation)
        for part in self._parts[1:]:
            self._row.addWidget(part)
        menu = QMenu(self.settings_button)
        for button in self._settings:
            menu.addMenu(button.menu())
        menu.aboutToShow.connect(self._name_settings)
        self.settings_button.setMenu(menu)

    def minimumSizeHint(self) -> QSize:
        widest_px = max(part.minimumSizeHint().width() for part in self._parts if not part.isHidden())
        widest_px = max(widest_px, self._menus.sizeHint().width())
        return QSize(widest_px + _MARGINS_PX[0] + _MARGINS_PX[2], super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as much as fits in a row."""
        needed_px = self._needed_px()
        while self._step < len(self._steps) and needed_px > self.width():
            self._show(self._step, False)
            self._step += 1
            self._texts_px.append(needed_px - self._needed_px())
            needed_px = self._needed_px()
        while self._step and needed_px + self._texts_px[-1] <= self.width():
            self._texts_px.pop()
            self._step -= 1
            self._show(self._step, True)
            needed_px = self._needed_px()
            if needed_px > self.width():  # the texts may be longer in another language
                self._fit()
        may_wrap = self._step == len(self._steps) and needed_px > self.width()
        if may_wrap is not self._row.may_wrap:
            self._row.may_wrap = may_wrap
            self._row.update()
        for part in (self._buttons, self):
            layout = part.layout()
            if layout is not None:
                layout.activate()  # or parts would overlap until the next turn

    def _needed_px(self) -> int:
        parts = [part for part in self._parts if not part.isHidden()]
        widths_px = self._menus.sizeHint().width() + sum(each.minimumSizeHint().width() for each in parts)
        return widths_px + len(parts) * _GAP_PX + _MARGINS_PX[0] + _MARGINS_PX[2]

    def _show(self, step: int, is_shown: bool) -> None:
        self._steps[step](is_shown)
        for part in (self._buttons, self.navigation):
            part.updateGeometry()  # now, not in the next turn

    def _show_settings(self, is_shown: bool) -> None:
        for button in self._settings:
            button.setVisible(is_shown)
        self.settings_button.setVisible(bool(self._settings) and not is_shown)

    def _show_words_of_navigation(self, is_shown: bool) -> None:
        buttons = self.navigation.findChildren(QToolButton, "barButton")
        _show_texts(buttons, is_shown, Qt.ToolButtonStyle.ToolButtonTextOnly)

    def _name_settings(self) -> None:
        for button in self._settings:
            button.menu().setTitle(button.text())


def _show_texts(
    buttons: Iterable[QToolButton],
    is_shown: bool,
    worded: Qt.ToolButtonStyle = Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
) -> None:
    for button in buttons:
        button.setToolButtonStyle(worded if is_shown else Qt.ToolButtonStyle.ToolButtonIconOnly)


def _follow(button: QToolButton, action: QAction) -> None:
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)
