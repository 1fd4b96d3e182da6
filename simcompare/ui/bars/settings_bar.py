"""Preset and thresholds, in the tool bar."""

from dataclasses import replace

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from simcompare.i18n import _
from simcompare.settings import PRESETS
from simcompare.ui.bars.thresholds import ThresholdSliders
from simcompare.ui.looks.theme import GRID_PX, Theme
from simcompare.ui.state.workspace import Workspace

_CUSTOM = "custom"


class SettingsBar(QWidget):
    """Shows and changes the thresholds; views follow while a slider is dragged."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._label = QLabel()
        self.presets = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label.setBuddy(self.presets)
        self.sliders = ThresholdSliders()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX * 2)
        for widget in (self._label, self.presets, self.sliders):
            row.addWidget(widget)
        for name in (*PRESETS, _CUSTOM):
            self.presets.addItem("", name)
        self.presets.activated.connect(self._choose_preset)
        self.sliders.weights_changed.connect(self._choose_weights)
        self.sliders.settled.connect(workspace.end_sliding)
        workspace.settings_changed.connect(self._show)
        self.retranslate()
        self._show()

    def _show(self) -> None:
        settings = self._workspace.settings
        self.sliders.set_weights(settings.similar_weight, settings.right_weight)
        self.sliders.enable_similar(enabled=settings.word_stage)
        weights = (settings.similar_weight, settings.right_weight)
        named = [n for n, p in PRESETS.items() if (p.similar_weight, p.right_weight) == weights]
        self.presets.setCurrentIndex(self.presets.findData(named[0] if named else _CUSTOM))

    def _choose_preset(self, index: int) -> None:
        preset = PRESETS.get(self.presets.itemData(index))
        if preset is None:
            self._show()
            return
        self._workspace.set_settings(
            replace(
                self._workspace.settings,
                similar_weight=preset.similar_weight,
                right_weight=preset.right_weight,
                passages=preset.passages,
            )
        )

    def _choose_weights(self, similar: float, right: float) -> None:
        settings = replace(self._workspace.settings, similar_weight=similar, right_weight=right)
        self._workspace.set_settings(settings, sliding=True)

    def apply_theme(self, theme: Theme) -> None:
        """Use the theme's colours."""
        self.sliders.apply_theme(theme)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        names = {
            "balanced": _("Balanced"),
            "sensitive": _("Sensitive"),
            "paper": _("As in the paper"),
            _CUSTOM: _("Own thresholds"),
        }
        for index in range(self.presets.count()):
            self.presets.setItemText(index, names[self.presets.itemData(index)])
        self._label.setText(_("Preset"))
        self.presets.setToolTip(_("Thresholds that go well together"))
        self.presets.setAccessibleName(_("Preset"))
        self.sliders.retranslate()
