"""Sliders for the two thresholds, which act while they are dragged."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QSlider, QWidget

from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, PRESETS, ComparisonSettings
from simcompare.support.i18n import _
from simcompare.ui.state.changes import SettingsPart
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import row_of
from simcompare.ui.style.theme import GRID_PX

_STEPS = 100
_MIN_DIFFERENCE = 1
_PAGE = 5


class ThresholdSliders(QWidget):
    """Two sliders whose thresholds never cross: moving one pushes the other.

    weights_changed: thresholds for similar and right, at every step of a drag.
    settled: a slider was released by the mouse or lost the keyboard focus.
    """

    weights_changed = Signal(float, float)
    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make the sliders with the default thresholds."""
        super().__init__(parent)
        lowest = round(LOWEST_SIMILAR_WEIGHT * _STEPS)
        self._similar = LabelledSlider(lowest, _STEPS - _MIN_DIFFERENCE)
        self._right = LabelledSlider(lowest + _MIN_DIFFERENCE, _STEPS)
        row_of(self, self._similar, self._right, spacing_px=4 * GRID_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._similar.slider.valueChanged.connect(self._push_right)
        self._right.slider.valueChanged.connect(self._push_similar)
        for labelled in (self._similar, self._right):
            labelled.slider.settled.connect(self.settled)
        usual = ComparisonSettings()
        self.set_weights(usual.similar_weight, usual.right_weight)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    @property
    def weights(self) -> tuple[float, float]:
        """Thresholds for similar and right."""
        return self._similar.slider.value() / _STEPS, self._right.slider.value() / _STEPS

    def set_weights(self, similar: float, right: float) -> None:
        """Show two thresholds, shares in (0, 1] with similar < right, without a signal."""
        for labelled, weight in ((self._similar, similar), (self._right, right)):
            with QSignalBlocker(labelled.slider):
                labelled.slider.setValue(round(weight * _STEPS))
            labelled.show_value()

    def enable_similar(self, *, enabled: bool) -> None:
        """Enable the slider for similar; without the word stage it has no effect."""
        self._similar.setEnabled(enabled)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(_STYLE.format(theme=theme))

    def _retranslate(self) -> None:
        self._similar.set_texts(
            _("Possible from"),
            _("Threshold for possible matches"),
            _(
                "Sentences that agree less than this are never marked. Lower it to find heavier rewriting; "
                "raise it if too much is marked by chance."
            ),
        )
        self._right.set_texts(
            _("Sure from"),
            _("Threshold for sure matches"),
            _(
                "Sentences that agree this much are always marked. Between the two values, their words and "
                "synonyms decide."
            ),
        )

    def _push_right(self, similar: int) -> None:
        self._push(self._right, max(self._right.slider.value(), similar + _MIN_DIFFERENCE))

    def _push_similar(self, right: int) -> None:
        self._push(self._similar, min(self._similar.slider.value(), right - _MIN_DIFFERENCE))

    def _push(self, other: "LabelledSlider", value: int) -> None:
        """Move the other slider if needed and emit both thresholds."""
        with QSignalBlocker(other.slider):
            other.slider.setValue(value)
        self._similar.show_value()
        self._right.show_value()
        self.weights_changed.emit(*self.weights)


class SettlingSlider(QSlider):
    """Slider with a signal for the end of a change."""

    settled = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End a change by the keyboard, if there was one."""
        self.settled.emit()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End the change."""
        super().mouseReleaseEvent(event)
        self.settled.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """End the change."""
        super().focusOutEvent(event)
        self.settled.emit()


class LabelledSlider(QWidget):
    """Slider between its label and its value."""

    def __init__(self, lowest: int, highest: int) -> None:
        super().__init__()
        self.name = QLabel()
        self.name.setObjectName("name")
        self.slider = SettlingSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(lowest, highest)
        self.slider.setPageStep(_PAGE)
        self.slider.setMinimumWidth(17 * GRID_PX)
        self.name.setBuddy(self.slider)
        self.value = QLabel()
        self.value.setObjectName("value")
        row_of(self, self.name, (self.slider, 1), self.value, spacing_px=2 * GRID_PX)

    def set_texts(self, name: str, accessible_name: str, explanation: str) -> None:
        """Set label and explanation."""
        self.name.setText(name)
        self.slider.setAccessibleName(accessible_name)
        self.slider.setAccessibleDescription(explanation)
        # a tool tip wraps only rich text
        self.setToolTip(f"<qt>{explanation}</qt>")

    def show_value(self) -> None:
        """Show the value beside the slider."""
        self.value.setText(f"{self.slider.value() / _STEPS:.2f}")


# a tool tip inherits the style sheet of its widget, so the rules for labels use object names
_STYLE = """
QLabel#name {{ color: {theme.muted}; background: transparent; }}
QLabel#value {{ color: {theme.ink}; background: transparent; }}
QSlider {{ min-height: 20px; background: transparent; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {theme.line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {theme.accent}; }}
QSlider::handle:horizontal {{
    width: 12px; height: 12px; margin: -6px 0; border-radius: 8px;
    border: 2px solid {theme.accent}; background: {theme.surface};
}}
QSlider::handle:horizontal:hover {{ background: {theme.accent_tint}; }}
QSlider::handle:horizontal:focus {{ background: {theme.accent}; }}
QSlider::handle:horizontal:disabled {{ border-color: {theme.muted}; }}
QSlider::sub-page:horizontal:disabled {{ background: {theme.muted}; }}
"""


_CUSTOM = "custom"


class ThresholdBar(QWidget):
    """Shows and changes the thresholds; views follow while a slider is dragged."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._label = QLabel()
        self.presets = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label.setBuddy(self.presets)
        self.sliders = ThresholdSliders()
        row_of(self, self._label, self.presets, self.sliders, spacing_px=GRID_PX * 2)
        for name in (*PRESETS, _CUSTOM):
            self.presets.addItem("", name)
        self.presets.activated.connect(self._choose_preset)
        self.sliders.weights_changed.connect(self._choose_weights)
        self.sliders.settled.connect(workspace.end_sliding)
        workspace.settings_changed.connect(self._follow)
        follow_language(self._retranslate)
        self._show()

    def _follow(self, changed: SettingsPart) -> None:
        if changed & (SettingsPart.THRESHOLDS | SettingsPart.METHOD):
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

    def _retranslate(self) -> None:
        names = {
            "balanced": _("Balanced"),
            "sensitive": _("Sensitive"),
            "paper": _("As in the paper"),
            _CUSTOM: _("Custom"),
        }
        for index in range(self.presets.count()):
            self.presets.setItemText(index, names[self.presets.itemData(index)])
        self._label.setText(_("Preset"))
        self.presets.setToolTip(_("How strictly sentences are compared"))
        self.presets.setAccessibleName(_("Preset"))
