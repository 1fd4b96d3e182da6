"""Parts of the settings and of a comparison affected by a change, so that views skip all others."""

from dataclasses import fields
from enum import Flag, auto

import numpy as np

from simcompare.comparison.comparison_result import Comparison, Matches
from simcompare.model.settings import ComparisonSettings


class SettingsPart(Flag):
    """Groups of settings."""

    THRESHOLDS = auto()
    EXCLUSIONS = auto()
    METHOD = auto()
    """Word stage, thesaurus, passages, fingerprint recipe."""
    ALL = THRESHOLDS | EXCLUSIONS | METHOD


class ComparisonPart(Flag):
    """Parts of a comparison that depend on the settings, and the texts, on which everything depends."""

    TEXTS = auto()
    """Another pair, or no comparison before or after."""
    MATCHES = auto()
    EXCLUSIONS = auto()
    PASSAGES = auto()
    ALL = TEXTS | MATCHES | EXCLUSIONS | PASSAGES


_PARTS = {
    "similar_weight": SettingsPart.THRESHOLDS,
    "right_weight": SettingsPart.THRESHOLDS,
    "word_stage": SettingsPart.METHOD,
    "thesaurus": SettingsPart.METHOD,
    "recipe": SettingsPart.METHOD,
    "passages": SettingsPart.METHOD,
    "exclude_quotations": SettingsPart.EXCLUSIONS,
    "exclude_references": SettingsPart.EXCLUSIONS,
    "exclude_name_lines": SettingsPart.EXCLUSIONS,
    "minimum_units": SettingsPart.EXCLUSIONS,
    "prompt": SettingsPart.EXCLUSIONS,
}


def changed_settings(before: ComparisonSettings, after: ComparisonSettings) -> SettingsPart:
    """Parts in which two settings differ."""
    changed = SettingsPart(0)
    for field in fields(after):
        if getattr(before, field.name) != getattr(after, field.name):
            changed |= _PARTS[field.name]
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
