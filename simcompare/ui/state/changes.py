"""Changes of settings and comparison: the parts they affect, and undo steps.

Views skip changes of parts that they do not show.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Flag, auto
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.comparison.comparison_result import EXCLUSIONS, Comparison, Matches
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.support.i18n import N_, _


class SettingsPart(Flag):
    THRESHOLDS = auto()
    EXCLUSIONS = auto()
    METHOD = auto()
    """Word stage, thesaurus, own words, passages, fingerprint recipe."""
    ALL = THRESHOLDS | EXCLUSIONS | METHOD


class ComparisonPart(Flag):
    """Parts of a comparison: those that depend on the settings, and the texts, on which all others depend."""

    TEXTS = auto()
    """Another pair, or no comparison before or after."""
    MATCHES = auto()
    EXCLUSIONS = auto()
    PASSAGES = auto()
    ALL = TEXTS | MATCHES | EXCLUSIONS | PASSAGES


def follow_parts(receiver: QObject, changed: SignalInstance, parts: Flag, act: Callable[[], object]) -> None:
    """Call a method of the receiver when a signal with changed parts has some of these."""
    _Follower(receiver, changed, parts, act)


class _Follower(QObject):
    def __init__(
        self, receiver: QObject, changed: SignalInstance, parts: Flag, act: Callable[[], object]
    ) -> None:
        super().__init__(receiver)  # Qt disconnects it when the receiver is deleted
        self._parts, self._act = parts, act
        changed.connect(self._take)

    def _take(self, changed: Flag) -> None:
        if changed & self._parts:
            self._act()


_THRESHOLDS = SettingsPart.THRESHOLDS, N_("strictness")
_SETTINGS = {
    "similar_weight": _THRESHOLDS,
    "right_weight": _THRESHOLDS,
    "word_stage": (SettingsPart.METHOD, N_("finding reworded sentences")),
    "thesaurus": (SettingsPart.METHOD, N_("thesaurus")),
    "recipe": (SettingsPart.METHOD, N_("kind of fingerprint")),
    "user_words": (SettingsPart.METHOD, N_("own words")),
    "passages": (SettingsPart.METHOD, N_("finding passages")),
    "meaning": (SettingsPart.METHOD, N_("finding what was rewritten")),
    **{
        name: (SettingsPart.EXCLUSIONS, exclusion.step)
        for exclusion in EXCLUSIONS.values()
        for name in exclusion.settings
    },
}
"""The part of each setting, and what a step of undo calls its change."""


def changed_settings(before: ComparisonSettings, after: ComparisonSettings) -> SettingsPart:
    """Parts in which two settings differ."""
    changed = SettingsPart(0)
    for field in fields(after):
        if getattr(before, field.name) != getattr(after, field.name):
            changed |= _SETTINGS[field.name][0]
    return changed


def changed_comparison(before: Comparison | None, after: Comparison | None) -> ComparisonPart:
    """Parts in which two comparisons differ; all of them if the texts differ."""
    if before is None or after is None or before.matrix is not after.matrix:
        return ComparisonPart.ALL
    if before.left is not after.left or before.right is not after.right:
        return ComparisonPart.ALL
    changed = ComparisonPart(0)
    if not _are_equal(before.matches, after.matches):
        changed |= ComparisonPart.MATCHES
    if before.excluded != after.excluded:
        changed |= ComparisonPart.EXCLUSIONS
    if before.passages != after.passages:
        changed |= ComparisonPart.PASSAGES
    return changed


def _are_equal(first: Matches, second: Matches) -> bool:
    """Compare matches of the same matrix; equal cells and kinds imply equal scores."""
    columns = ((m.cells.rows, m.cells.columns, m.kinds) for m in (first, second))
    return all(np.array_equal(a, b) for a, b in zip(*columns, strict=True))


class UndoStep(QUndoCommand):
    """Undo command whose text is marked with N_ and translated when it is shown."""

    def label(self) -> str:
        return _(self.text())


def step_label(history: QUndoStack, place: int) -> str:
    """Return the translated text of the step at an index of the undo stack; empty if there is none."""
    step = history.command(place) if 0 <= place < history.count() else None
    if isinstance(step, UndoStep):
        return step.label()
    return _(step.text()) if step is not None else ""  # a macro of several steps


class ValueChange(UndoStep):
    """Undo step that sets a value; `names` completes its text."""

    def __init__(
        self, text: str, names: str, use: Callable[[Any], None], before: object, after: object
    ) -> None:
        super().__init__(text)
        self._names = names
        self._use = use
        self._before, self._after = before, after

    def label(self) -> str:
        return _(self.text()).format(names=self._names)

    def redo(self) -> None:
        self._use(self._after)

    def undo(self) -> None:
        self._use(self._before)


_SLIDE_ID = 2
_PRESET_FIELDS = ("similar_weight", "right_weight", "passages")


class SettingsChange(UndoStep):
    """Undo step that sets some settings. Settings changed later by other steps are kept when it is undone.

    slide: number of the slider movement, whose changes are merged into one step; None for other changes.
    is_done: the change is already in effect, so the first redo does nothing.
    """

    def __init__(
        self,
        use: Callable[[Mapping[str, Any]], None],
        before: ComparisonSettings,
        after: ComparisonSettings,
        *,
        slide: int | None = None,
        is_done: bool = False,
    ) -> None:
        super().__init__()
        self._use = use
        names = [field.name for field in fields(after)]
        changed = [name for name in names if getattr(before, name) != getattr(after, name)]
        self.before = {name: getattr(before, name) for name in changed}
        self.after = {name: getattr(after, name) for name in changed}
        self.slide = slide
        self._is_done = is_done
        self.setText(_change_text(changed, before, after))

    def id(self) -> int:
        """Qt's id of steps that can be merged: those of a slider; -1 for all others."""
        return -1 if self.slide is None else _SLIDE_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, SettingsChange) or other.slide != self.slide:
            return False
        self.before = other.before | self.before
        self.after = self.after | other.after
        self.setObsolete(self.after == self.before)
        return True

    def redo(self) -> None:
        if not self._is_done:
            self._use(self.after)
        self._is_done = False

    def undo(self) -> None:
        self._use(self.before)


def _change_text(changed: list[str], before: ComparisonSettings, after: ComparisonSettings) -> str:
    """Untranslated name of the change; a preset is recognised by all its values."""
    preset_values = {tuple(getattr(preset, name) for name in _PRESET_FIELDS) for preset in PRESETS.values()}
    is_preset = tuple(getattr(after, name) for name in _PRESET_FIELDS) in preset_values
    if is_preset and changed != ["passages"] and set(changed) <= set(_PRESET_FIELDS):
        return N_("strictness")
    if changed == ["left_out"] and len(after.left_out) < len(before.left_out):
        is_one = len(before.left_out) - len(after.left_out) == 1
        return N_("count sentence again") if is_one else N_("count sentences again")
    return _SETTINGS[changed[0]][1] if changed else ""
