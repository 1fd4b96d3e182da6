"""Changes of the settings as steps of the history."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.support.i18n import N_, _


class Step(QUndoCommand):
    """A step whose text is marked with N_ and translated when it is shown."""

    def in_words(self) -> str:
        """Return what it did, in the language of the moment."""
        return _(self.text())


def step_in_words(history: QUndoStack, place: int) -> str:
    """Return what a step of a history did; nothing where there is none at that place."""
    step = history.command(place) if 0 <= place < history.count() else None
    if isinstance(step, Step):
        return step.in_words()
    return _(step.text()) if step is not None else ""  # several steps in one


# ruff: noqa: N802 - Qt names the methods it calls


_SLIDE_ID = 2
_OF_PRESETS = ("similar_weight", "right_weight", "passages")
_THRESHOLDS = N_("thresholds")
_TEXTS = {
    "similar_weight": _THRESHOLDS,
    "right_weight": _THRESHOLDS,
    "word_stage": N_("finding reworded sentences"),
    "thesaurus": N_("thesaurus"),
    "recipe": N_("kind of fingerprint"),
    "exclude_quotations": N_("excluding quotations"),
    "exclude_references": N_("excluding the reference list"),
    "exclude_name_lines": N_("excluding name lines"),
    "minimum_units": N_("excluding short sentences"),
    "prompt": N_("excluding the prompt"),
    "passages": N_("finding passages"),
}


class SettingsChange(Step):
    """Some settings that have other values. What else was changed since stays when it is undone.

    slide: by which slide of a slider, where it is one: its steps are one step. is_done: it is in force.
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
        self.setText(_what_changed(changed, after))

    def id(self) -> int:
        """Return the kind of step that can be merged: steps of a slide."""
        return -1 if self.slide is None else _SLIDE_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take another step of the same slide into this one."""
        if not isinstance(other, SettingsChange) or other.slide != self.slide:
            return False
        self.before = other.before | self.before
        self.after = self.after | other.after
        self.setObsolete(self.after == self.before)
        return True

    def redo(self) -> None:
        """Use what was chosen."""
        if not self._is_done:
            self._use(self.after)
        self._is_done = False

    def undo(self) -> None:
        """Use what was there before."""
        self._use(self.before)


def _what_changed(changed: list[str], after: ComparisonSettings) -> str:
    """Return what a person calls it; a preset is known by all its values."""
    of_presets = {tuple(getattr(preset, name) for name in _OF_PRESETS) for preset in PRESETS.values()}
    is_preset = tuple(getattr(after, name) for name in _OF_PRESETS) in of_presets
    if is_preset and changed != ["passages"] and set(changed) <= set(_OF_PRESETS):
        return N_("preset")
    return _TEXTS[changed[0]] if changed else ""
