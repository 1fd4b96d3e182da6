"""Settings: invalid values are refused at construction."""

import dataclasses
import math
import pickle

import pytest

from simcompare.model.errors import SettingsError
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, PRESETS, ComparisonSettings


@pytest.mark.parametrize(
    ("similar_weight", "right_weight"),
    [
        (0.8, 0.8),
        (0.8, 0.6),
        (0.0, 0.8),
        (-0.1, 0.8),
        (0.29, 0.8),
        (0.6, 1.01),
        (1.0, 1.0),
        (math.nan, 0.8),
        (0.6, math.nan),
        (0.6, math.inf),
    ],
)
def test_that_impossible_thresholds_are_refused(similar_weight, right_weight):
    with pytest.raises(SettingsError) as caught:
        ComparisonSettings(similar_weight=similar_weight, right_weight=right_weight)
    assert str(similar_weight) in str(caught.value)
    assert str(right_weight) in str(caught.value)


@pytest.mark.parametrize(
    ("similar_weight", "right_weight"), [(LOWEST_SIMILAR_WEIGHT, 1.0), (0.99, 1.0), (0.30, 0.31), (0.6, 0.8)]
)
def test_that_thresholds_up_to_the_limits_are_allowed(similar_weight, right_weight):
    settings = ComparisonSettings(similar_weight=similar_weight, right_weight=right_weight)
    assert (settings.similar_weight, settings.right_weight) == (similar_weight, right_weight)


def test_that_a_changed_copy_is_checked_too():
    with pytest.raises(SettingsError):
        dataclasses.replace(ComparisonSettings(), right_weight=0.3)


def test_that_settings_are_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ComparisonSettings().similar_weight = 0.9


def test_that_the_paper_preset_has_the_thresholds_of_the_paper():
    assert (PRESETS["paper"].similar_weight, PRESETS["paper"].right_weight) == (0.6, 0.8)


def test_that_the_default_settings_are_the_balanced_preset():
    assert PRESETS["balanced"] == ComparisonSettings()


def test_that_settings_survive_pickling():
    settings = ComparisonSettings(similar_weight=0.45, thesaurus="none", recipe="md5-32")
    assert pickle.loads(pickle.dumps(settings)) == settings
