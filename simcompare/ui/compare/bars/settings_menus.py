"""Tool bar buttons for what is excluded, the method, and how strictly sentences are compared."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QSlider, QToolButton, QWidget

from simcompare.comparison.comparison_result import EXCLUSIONS, SWITCHES, ExclusionReason
from simcompare.model.errors import FileError, MeaningModelMissingError
from simcompare.model.settings import (
    DEFAULT_MINIMUM_UNITS,
    LOWEST_SIMILAR_WEIGHT,
    PRESETS,
    ComparisonSettings,
    LeftOutSentence,
)
from simcompare.report.wording import RECIPE_NAMES, named, sentences_left_out, user_words_in_words
from simcompare.support.i18n import N_, _, ngettext
from simcompare.text.sentence_meaning import is_meaning_available
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.text.words import read_user_words
from simcompare.ui.compare.left_out_sentences import count_again, count_all_again, leave_out
from simcompare.ui.file_dialogs import ask_for_prompt, ask_for_thesaurus, ask_for_words
from simcompare.ui.labels import escape_menu_text
from simcompare.ui.state.changes import ComparisonPart, SettingsPart, follow_parts
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.language import NamedAction, Words, follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, place_below, row_of
from simcompare.ui.style.text_labels import as_tooltip
from simcompare.ui.style.theme import GRID_PX, scaled

_Value = TypeVar("_Value")


class KeepOpenMenu(QMenu):
    """Stays open while entries are ticked with the mouse; a choice of one of several closes it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is None or not (action.isCheckable() and action.isEnabled()) or action.actionGroup():
            super().mouseReleaseEvent(event)
        else:
            action.trigger()


class SettingsButton(QToolButton):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setObjectName("barButton")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(KeepOpenMenu(self))
        self.menu().aboutToHide.connect(self._end_hover)

    def _end_hover(self) -> None:
        """Look as without the mouse: a button is not told that it left over its open menu."""
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        self.update()

    def _tick(self, menu: QMenu, text: Words, switch: Callable[[bool], None]) -> QAction:
        action = NamedAction(text, self, checkable=True)
        action.triggered.connect(switch)
        menu.addAction(action)
        return action

    def _choices(
        self, menu: QMenu, values: Mapping[_Value, Words], choose: Callable[[_Value], None]
    ) -> dict[_Value, QAction]:
        group = QActionGroup(self)
        actions = {}
        for value, text in values.items():

            def take(_ticked: bool, value: _Value = value) -> None:
                choose(value)

            actions[value] = self._tick(menu, text, take)
            group.addAction(actions[value])
        return actions


_FILE = "file"
_THESAURI = {
    STARTER: N_("Starter list"),
    CILIN: N_("Cilin (optional package)"),
    _FILE: N_("From a file…"),
    NONE: N_("None"),
}


_MEANINGS: dict[bool | None, Words] = {
    None: N_("In earlier work and small libraries"),
    True: N_("In all pairs (takes longer)"),
    False: N_("Not at all"),
}


class MethodButton(SettingsButton):
    """Its menu switches the stages of the comparison and chooses thesaurus and fingerprint recipe."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        menu = self.menu()
        tip = N_("How sentences are compared: rewording and synonyms, passages, fingerprints")
        translated(self, N_("Method"), tip, accessibleDescription=tip)
        by_words = N_("Find reworded sentences by their words")
        self.word_stage = self._tick(menu, by_words, lambda on: self._change(word_stage=on))
        self._thesaurus_menu = translated(menu.addMenu(""), title=N_("Thesaurus"))
        self.thesauri = self._choices(self._thesaurus_menu, _THESAURI, self._choose_thesaurus)
        self._words_menu = menu.addMenu("")
        words = {name: _THESAURI[name] for name in (_FILE, NONE)}
        self.words = self._choices(self._words_menu, words, self._choose_words)
        menu.addSeparator()
        self.passages = self._tick(
            menu,
            N_("Find passages that were reworded, reordered or summarised"),
            lambda on: self._change(passages=ComparisonSettings().passages if on else None),
        )
        self._meaning_menu = translated(
            menu.addMenu(""), title=N_("Find passages that may have been rewritten")
        )
        self.meanings = self._choices(self._meaning_menu, _MEANINGS, lambda wish: self._change(meaning=wish))
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        self._recipe_menu = translated(menu.addMenu(""), title=N_("Fingerprint"))
        self.recipes = self._choices(self._recipe_menu, RECIPE_NAMES, workspace.choose_recipe)
        follow_parts(self, workspace.settings_changed, SettingsPart.METHOD, self._show)
        workspace.recipe_refused.connect(self._show)
        follow_language(self._show)

    # --- choices

    def _choose_thesaurus(self, source: str) -> None:
        if source == _FILE:
            self._show()
            ask_for_thesaurus(self.window(), lambda file: self.use_thesaurus(file.as_posix()))
            return
        self.use_thesaurus(source)

    def use_thesaurus(self, source: str) -> None:
        self._change(thesaurus=source)

    def _choose_words(self, source: str) -> None:
        if source == NONE:
            self._change(user_words=None)
            return
        self._show()
        ask_for_words(self.window(), self.use_words)

    def use_words(self, file: Path) -> None:
        try:
            words = read_user_words(file)
        except FileError as error:
            self._workspace.warn("words", str(error))
        else:
            self._workspace.settle("words")
            self._change(user_words=words)

    def _change(self, **changed: Any) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, **changed))

    # --- contents

    def _show(self) -> None:
        settings = self._workspace.settings
        self.word_stage.setChecked(settings.word_stage)
        self.passages.setChecked(settings.passages is not None)
        self.meanings[settings.meaning].setChecked(True)
        missing = "" if is_meaning_available() else str(MeaningModelMissingError())
        no_passages = "" if settings.passages is not None else _("Only with the search for passages, above.")
        self._meaning_menu.setEnabled(not missing and not no_passages)
        tip = as_tooltip(missing or no_passages or self._meaning_menu.title())
        self._meaning_menu.menuAction().setToolTip(tip)
        self._thesaurus_menu.setEnabled(settings.word_stage)
        known = settings.thesaurus if settings.thesaurus in self.thesauri else _FILE
        self.thesauri[known].setChecked(True)
        self.recipes[settings.recipe].setChecked(True)
        own, title = settings.user_words, _("Own words")
        self.words[NONE if own is None else _FILE].setChecked(True)
        self._words_menu.setTitle(title if own is None else named(title, user_words_in_words(own)))


_MOST_LISTED = 10
_WIDTH_EM = 20


class LeftOutMenu(KeepOpenMenu):
    """Lists the sentences left out by hand, the latest first; one without its tick counts again."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def show_count(self) -> None:
        """Show in the title how many there are; without any the menu is hidden."""
        settings = self._workspace.settings
        self.setTitle(sentences_left_out(settings))
        self.menuAction().setVisible(bool(settings.left_out))

    def _fill(self) -> None:
        self.clear()
        sentences = self._workspace.settings.left_out[::-1]
        for sentence in sentences[:_MOST_LISTED]:
            self._add(sentence)
        if (more := len(sentences) - _MOST_LISTED) > 0:
            self.addAction(_("and {count} more").format(count=f"{more:,}")).setEnabled(False)
        self.addSeparator()
        self.addAction(_("Count all again"), lambda: count_all_again(self._workspace))

    def _add(self, sentence: LeftOutSentence) -> None:
        metrics = self.fontMetrics()
        width_px = _WIDTH_EM * metrics.height()
        text = metrics.elidedText(sentence.text, Qt.TextElideMode.ElideRight, width_px)
        action = QAction(escape_menu_text(text), self, checkable=True, checked=True)
        action.setToolTip(as_tooltip(sentence.text))
        action.triggered.connect(
            lambda ticked: (leave_out if ticked else count_again)(self._workspace, sentence)
        )
        self.addAction(action)


_MINIMA = (3, 5, 8, 10)


def _fewer_than(units: int) -> str:
    return _("Sentences of fewer than {count} characters or words").format(count=units)


class ExclusionButton(SettingsButton):
    """Shows the number of active exclusions; its menu switches each and shows how much it excludes."""

    common_requested = Signal()
    """Show the sentences common to the class."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        tip = N_(
            "What the share leaves out: quotations, references, title and name lines, short sentences, "
            "the prompt, common text, and sentences left out by hand from their context menu. "
            "Dialogue in a story is counted."
        )
        translated(self, tip=tip, accessibleDescription=tip)
        self._minimum_units = DEFAULT_MINIMUM_UNITS
        self.shows_pair: Callable[[], bool] = lambda: True
        """Replaced once there is a view of the pair: the counts are of the pair that is shown."""
        self._fill_menu()
        self.menu().aboutToShow.connect(self._show)
        follow_parts(self, workspace.settings_changed, SettingsPart.EXCLUSIONS, self._show)
        follow_parts(self, workspace.comparison_changed, ComparisonPart.EXCLUSIONS, self._show)
        workspace.prompt.changed.connect(self._show)
        of_class = ClassPart.COMMON | ClassPart.STUDENTS
        follow_parts(self, workspace.class_state.changed, of_class, self._show)
        follow_language(self._show)

    def _fill_menu(self) -> None:
        menu = self.menu()
        self.ticks = {
            reason: self._reason_tick(menu, reason) for reason in (*SWITCHES, ExclusionReason.SHORT)
        }
        self._minima_menu = KeepOpenMenu(menu)
        menu.addMenu(self._minima_menu)
        minima = {units: partial(_fewer_than, units) for units in _MINIMA}
        self.minima = self._choices(self._minima_menu, minima, self._set_minimum)
        self.left_out = LeftOutMenu(self._workspace, menu)
        menu.addMenu(self.left_out)
        menu.addSeparator()
        self.ticks[ExclusionReason.COMMON] = self._reason_tick(menu, ExclusionReason.COMMON)
        self.open_common = menu.addAction("", self.common_requested.emit)
        menu.addSeparator()
        self.ticks[ExclusionReason.PROMPT] = self._reason_tick(menu, ExclusionReason.PROMPT)
        self.open_prompt = NamedAction(N_("Prompt or template…"), menu, self.ask_for_prompt)

    def _reason_tick(self, menu: QMenu, reason: ExclusionReason) -> QAction:
        return self._tick(menu, "", lambda ticked: self._exclude(reason, ticked=ticked))

    # --- choices

    def _exclude(self, reason: ExclusionReason, *, ticked: bool) -> None:
        settings, prompt = self._workspace.settings, self._workspace.prompt
        changed: dict[ExclusionReason, dict[str, Any]] = {
            **{each: {name: ticked} for each, name in SWITCHES.items()},
            ExclusionReason.SHORT: {"minimum_units": self._minimum_units if ticked else 0},
            ExclusionReason.COMMON: {"exclude_common": ticked},
            ExclusionReason.PROMPT: {"prompt": str(prompt.path) if ticked else None},
        }
        self._workspace.set_settings(replace(settings, **changed[reason]))

    def _set_minimum(self, units: int) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, minimum_units=units))
        self._show()

    def ask_for_prompt(self) -> None:
        ask_for_prompt(self.window(), self._workspace.prompt.read)

    # --- contents

    def _show(self) -> None:
        active = self._active()
        for reason, action in self.ticks.items():
            action.setChecked(active[reason])
            count = self._count(reason) if active[reason] else ""
            name = _(entry) if (entry := EXCLUSIONS[reason].entry) else self._prompt_name()
            action.setText(f"{name}\t{count}" if count else name)
        for action in (self.ticks[ExclusionReason.COMMON], self.open_common):
            action.setVisible(bool(self._workspace.class_state.common))
        self._show_common_count()
        self.ticks[ExclusionReason.PROMPT].setVisible(bool(self._prompt_name()))
        self.ticks[ExclusionReason.PROMPT].setEnabled(self._workspace.prompt.pending is None)
        self._show_minima()
        self.left_out.show_count()
        self._show_button(sum(active.values()) + bool(self._workspace.settings.left_out))

    def _show_common_count(self) -> None:
        state, is_excluded = self._workspace.class_state, self._workspace.settings.exclude_common
        count = sum(is_excluded and not state.is_counted(each.digest) for each in state.common)
        words = ngettext("{count} not in the shares", "{count} not in the shares", count)
        name = _("Common sentences…")
        self.open_common.setText(f"{name}\t{words}")

    def _show_minima(self) -> None:
        # remembered while short sentences count, for the next time they are excluded
        self._minimum_units = self._workspace.settings.minimum_units or self._minimum_units
        self._minima_menu.setTitle(_fewer_than(self._minimum_units))
        for units, action in self.minima.items():
            action.setChecked(units == self._minimum_units)

    def _show_button(self, count: int) -> None:
        kinds = ngettext("Excluded: {count} kind", "Excluded: {count} kinds", count)
        self.setText(kinds if count else _("Excluded: nothing"))
        self.setAccessibleName(self.text())

    def _active(self) -> dict[ExclusionReason, bool]:
        settings = self._workspace.settings
        return {
            **{reason: getattr(settings, name) for reason, name in SWITCHES.items()},
            ExclusionReason.PROMPT: settings.prompt is not None,
            ExclusionReason.SHORT: settings.minimum_units > 0,
            ExclusionReason.COMMON: settings.exclude_common and bool(self._workspace.class_state.common),
        }

    def _prompt_name(self) -> str:
        prompt = self._workspace.prompt
        if prompt.pending is not None:
            return _("{name}, reading…").format(name=escape_menu_text(prompt.pending.name))
        name = escape_menu_text(prompt.path.name) if prompt.path else ""
        others = len(self._workspace.class_state.templates.keys() - {prompt.path})
        return _("{name} and {count} more").format(name=name, count=f"{others:,}") if others else name

    def _count(self, reason: ExclusionReason) -> str:
        comparison = self._workspace.comparison
        if comparison is None or not self.shows_pair():
            return ""
        sides = (comparison.left_excluded, comparison.right_excluded)
        return f"{sum(side.count(reason).sentences for side in sides):,}"


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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.settled.emit()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.settled.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
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
    "paper": N_("Mostly verbatim"),
}


class StrictnessButton(SettingsButton):
    """Shows the preset in use; its menu chooses another one or opens the sliders."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        menu = self.menu()
        self.presets = self._choices(menu, _PRESETS, self._choose_preset)
        self._meaning: bool | None = None
        menu.addSeparator()
        self.advanced = NamedAction(N_("Advanced…"), menu, self.open_sliders)
        self.sliders = ThresholdSliders()
        self.popup = QFrame(self, Qt.WindowType.Popup)
        self.popup.setObjectName("popup")
        column_of(self.popup, self.sliders, margins_px=4 * GRID_PX)
        self.sliders.weights_changed.connect(self._choose_weights)
        self.sliders.settled.connect(workspace.end_sliding)
        follow_parts(
            self, workspace.settings_changed, SettingsPart.THRESHOLDS | SettingsPart.METHOD, self._show
        )
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
        preset, settings = PRESETS[name], self._workspace.settings
        if settings.passages is not None:  # without passages nothing is searched by meaning
            self._meaning = settings.meaning
        self._workspace.set_settings(
            replace(
                settings,
                similar_weight=preset.similar_weight,
                right_weight=preset.right_weight,
                passages=preset.passages,
                meaning=self._meaning,
            )
        )

    def _choose_weights(self, similar: float, right: float) -> None:
        settings = replace(self._workspace.settings, similar_weight=similar, right_weight=right)
        self._workspace.set_settings(settings, sliding=True)
