"""Strictness: presets in a menu, and a pop-up with sliders for both thresholds, which act while dragged."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QSlider, QWidget

from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, PRESETS, ComparisonSettings
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.bars.settings_menus import SettingsButton
from simcompare.ui.state.changes import SettingsPart
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.popup_place import place_below
from simcompare.ui.style.theme import GRID_PX, scaled

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
        super().__init__(parent)
        lowest = round(LOWEST_SIMILAR_WEIGHT * _STEPS)
        self._similar = LabelledSlider(
            lowest,
            _STEPS - _MIN_DIFFERENCE,
            N_("Possible from"),
            N_("Threshold for possible matches"),
            N_(
                "Sentences that agree less than this are never marked. Lower it to find heavier rewriting; "
                "raise it if too much is marked by chance."
            ),
        )
        self._right = LabelledSlider(
            lowest + _MIN_DIFFERENCE,
            _STEPS,
            N_("Sure from"),
            N_("Threshold for sure matches"),
            N_(
                "Sentences that agree this much are always marked. Between the two values, their words and "
                "synonyms decide."
            ),
        )
        column_of(self, self._similar, self._right, spacing_px=4 * GRID_PX)
        self._similar.slider.valueChanged.connect(self._push_right)
        self._right.slider.valueChanged.connect(self._push_similar)
        for labelled in (self._similar, self._right):
            labelled.slider.settled.connect(self.settled)
        usual = ComparisonSettings()
        self.set_weights(usual.similar_weight, usual.right_weight)

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

    def _push_right(self, similar: int) -> None:
        self._push(self._right, max(self._right.slider.value(), similar + _MIN_DIFFERENCE))

    def _push_similar(self, right: int) -> None:
        self._push(self._similar, min(self._similar.slider.value(), right - _MIN_DIFFERENCE))

    def _push(self, other: "LabelledSlider", value: int) -> None:
        with QSignalBlocker(other.slider):
            other.slider.setValue(value)
        self._similar.show_value()
        self._right.show_value()
        self.weights_changed.emit(*self.weights)


class SettlingSlider(QSlider):
    """Slider with a signal for the end of a change."""

    settled = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.settled.emit()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mouseReleaseEvent(event)
        self.settled.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.settled.emit()


class LabelledSlider(QWidget):
    """Slider below its label and its value, and above its explanation."""

    def __init__(self, lowest: int, highest: int, text: str, name: str, explanation: str) -> None:
        """Take gettext ids; name: of the slider, for screen readers."""
        super().__init__()
        self.name = translated(QLabel(), text)
        self.slider = SettlingSlider(Qt.Orientation.Horizontal)
        translated(self.slider, accessibleName=name, accessibleDescription=explanation)
        self.slider.setRange(lowest, highest)
        self.slider.setPageStep(_PAGE)
        self.name.setBuddy(self.slider)
        self.value = QLabel()
        self.value.setObjectName("value")
        self.explanation = translated(QLabel(wordWrap=True), explanation)
        self.explanation.setObjectName("muted")
        figures = row_of(None, self.name, None, self.value)
        column_of(self, figures, self.slider, self.explanation, spacing_px=GRID_PX)

    def show_value(self) -> None:
        self.value.setText(f"{self.slider.value() / _STEPS:.2f}")


_POPUP_WIDTH_PX = 85 * GRID_PX
_PRESETS = {
    "balanced": N_("Balanced"),
    "sensitive": N_("Sensitive"),
    "paper": N_("As in the paper"),
}


class StrictnessButton(SettingsButton):
    """Shows the preset in use; its menu chooses another one or opens the sliders."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        menu = self.menu()
        self.presets = self._choices(menu, _PRESETS, self._choose_preset)
        menu.addSeparator()
        self.advanced = NamedAction(N_("Advanced…"), menu, self.open_sliders)
        self.sliders = ThresholdSliders()
        self.popup = QFrame(self, Qt.WindowType.Popup)
        self.popup.setObjectName("popup")
        column_of(self.popup, self.sliders, margins_px=4 * GRID_PX)
        self.sliders.weights_changed.connect(self._choose_weights)
        self.sliders.settled.connect(workspace.end_sliding)
        workspace.settings_changed.connect(self._follow)
        tip = N_("How strictly sentences are compared")
        translated(self, tip=tip, accessibleDescription=tip)
        follow_language(self._translate)

    def open_sliders(self) -> None:
        # not adjustSize: it takes the width of texts that are not wrapped
        width_px = scaled(_POPUP_WIDTH_PX)
        self.popup.setFixedSize(width_px, self.popup.heightForWidth(width_px))
        self.popup.move(place_below(self, self.rect(), self.popup.size(), is_centred=False))
        self.popup.show()
        self.popup.focusNextChild()

    def _follow(self, changed: SettingsPart) -> None:
        if changed & (SettingsPart.THRESHOLDS | SettingsPart.METHOD):
            self._show()

    def _translate(self) -> None:
        self._words, self._custom = _("Strictness: {preset}"), _("Custom")  # once: a drag shows many steps
        self._show()

    def _show(self) -> None:
        settings = self._workspace.settings
        weights = (settings.similar_weight, settings.right_weight)
        self.sliders.set_weights(*weights)
        self.sliders.enable_similar(enabled=settings.word_stage)
        chosen = ""
        for name, action in self.presets.items():
            preset = PRESETS[name]
            action.setChecked(weights == (preset.similar_weight, preset.right_weight))
            chosen = action.text() if action.isChecked() else chosen
        text = self._words.format(preset=chosen or self._custom)
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)

    def _choose_preset(self, name: str) -> None:
        preset = PRESETS[name]
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
