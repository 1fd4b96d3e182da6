"""Judging anew in the background: the last settings come into force."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from simcompare.comparison.compare_documents import compare
from simcompare.model.settings import PRESETS
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import reclassification as judging


@pytest.fixture
def many(compared: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window whose matrix is too large to be judged at once."""
    monkeypatch.setattr(judging, "_MAX_CELLS_AT_ONCE", 0)
    return compared


def test_that_the_last_place_of_a_slider_comes_into_force(many: MainWindow, qtbot: QtBot) -> None:
    workspace = many.workspace
    slider = many.tool_bar.settings_bar.sliders.findChildren(QSlider)[0]
    for value in (40, 45, 50, 42):
        slider.setValue(value)
    assert slider.value() == 42
    qtbot.waitUntil(lambda: workspace.comparison.settings == workspace.settings)
    assert workspace.comparison.settings.similar_weight == 0.42


def test_that_a_judgement_of_a_comparison_that_is_gone_is_not_shown(many: MainWindow, qtbot: QtBot) -> None:
    workspace, before = many.workspace, many.workspace.comparison
    workspace.set_settings(replace(workspace.settings, similar_weight=0.4))
    workspace.compare_again()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert workspace.comparison.matrix is not before.matrix
    assert workspace.comparison.settings.similar_weight == 0.4


def test_that_a_preset_scores_nothing_again_and_its_passages_follow(many: MainWindow, qtbot: QtBot) -> None:
    workspace, before = many.workspace, many.workspace.comparison
    for name in ("sensitive", "paper", "balanced"):
        workspace.set_settings(PRESETS[name])
        qtbot.waitUntil(lambda: workspace.comparison.settings == workspace.settings)
        assert workspace.comparison.matrix is before.matrix
        anew = compare(before.left, before.right, PRESETS[name], workspace.thesaurus)
        assert workspace.comparison.passages == anew.passages
        assert workspace.comparison.similarity == anew.similarity


def test_that_matches_follow_a_preset_before_its_passages_are_grown(
    compared: MainWindow, qtbot: QtBot
) -> None:
    workspace, before = compared.workspace, compared.workspace.comparison.settings
    workspace.set_settings(PRESETS["sensitive"])
    shown = workspace.comparison.settings
    assert (shown.similar_weight, shown.passages) == (PRESETS["sensitive"].similar_weight, before.passages)
    qtbot.waitUntil(lambda: workspace.comparison.settings == PRESETS["sensitive"])


def test_that_passages_grown_once_are_there_at_once(compared: MainWindow, qtbot: QtBot) -> None:
    workspace = compared.workspace
    workspace.set_settings(PRESETS["sensitive"])
    qtbot.waitUntil(lambda: workspace.comparison.settings == PRESETS["sensitive"])
    for name in ("balanced", "sensitive", "paper", "sensitive"):
        workspace.set_settings(PRESETS[name])
        assert workspace.comparison.settings == PRESETS[name]
