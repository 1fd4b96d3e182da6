"""Reclassification in the background: the latest settings win."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from simcompare.comparison.compare_documents import compare
from simcompare.model.settings import PRESETS
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import comparison_run


@pytest.fixture
def large_window(compared: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """Window whose matrix counts as too large to be reclassified at once."""
    monkeypatch.setattr(comparison_run, "_MAX_CELLS_AT_ONCE", 0)
    return compared


def test_that_the_last_position_of_a_slider_is_used(large_window: MainWindow, qtbot: QtBot) -> None:
    workspace = large_window.workspace
    slider = large_window.tool_bar.strictness.sliders.findChildren(QSlider)[0]
    for value in (40, 45, 50, 42):
        slider.setValue(value)
    assert slider.value() == 42
    qtbot.waitUntil(lambda: workspace.comparison.settings == workspace.settings)
    assert workspace.comparison.settings.similar_weight == 0.42


def test_that_a_reclassification_of_an_old_comparison_is_not_shown(
    large_window: MainWindow, qtbot: QtBot
) -> None:
    workspace, before = large_window.workspace, large_window.workspace.comparison
    workspace.set_settings(replace(workspace.settings, similar_weight=0.4))
    workspace.compare_again()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert workspace.comparison.matrix is not before.matrix
    assert workspace.comparison.settings.similar_weight == 0.4


def test_that_a_preset_scores_nothing_again_and_updates_the_passages(
    large_window: MainWindow, qtbot: QtBot
) -> None:
    workspace, before = large_window.workspace, large_window.workspace.comparison
    for name in ("sensitive", "paper", "balanced"):
        workspace.set_settings(PRESETS[name])
        qtbot.waitUntil(lambda: workspace.comparison.settings == workspace.settings)
        assert workspace.comparison.matrix is before.matrix
        expected = compare(before.left, before.right, PRESETS[name], workspace.thesaurus)
        assert workspace.comparison.passages == expected.passages
        assert workspace.comparison.share == expected.share


def test_that_matches_follow_a_preset_before_its_passages_are_detected(
    compared: MainWindow, qtbot: QtBot
) -> None:
    workspace, before = compared.workspace, compared.workspace.comparison.settings
    workspace.set_settings(PRESETS["sensitive"])
    current = workspace.comparison.settings
    assert (current.similar_weight, current.passages) == (
        PRESETS["sensitive"].similar_weight,
        before.passages,
    )
    qtbot.waitUntil(lambda: workspace.comparison.settings == PRESETS["sensitive"])


def test_that_passages_grown_before_are_reused(compared: MainWindow, qtbot: QtBot) -> None:
    workspace = compared.workspace
    workspace.set_settings(PRESETS["sensitive"])
    qtbot.waitUntil(lambda: workspace.comparison.settings == PRESETS["sensitive"])
    for name in ("balanced", "sensitive", "paper", "sensitive"):
        workspace.set_settings(PRESETS[name])
        assert workspace.comparison.settings == PRESETS[name]


def test_that_name_lines_of_long_texts_are_excluded_in_the_background(
    compared: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(comparison_run, "_MAX_SENTENCES_SEARCHED_AT_ONCE", 0)
    workspace = compared.workspace
    workspace.set_settings(replace(workspace.settings, exclude_quotations=False))
    assert workspace.comparison.settings == workspace.settings
    workspace.set_settings(replace(workspace.settings, exclude_name_lines=False))
    assert workspace.comparison.settings != workspace.settings
    qtbot.waitUntil(lambda: workspace.comparison.settings == workspace.settings)
