"""Undo of settings with Ctrl+Z."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.changes import _SETTINGS
from simcompare.ui.window_assembly import whole_window
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.one_window

LEFT_BUTTON = Qt.MouseButton.LeftButton


def test_that_the_change_of_each_setting_has_a_name() -> None:
    assert {each.name for each in fields(ComparisonSettings)} == set(_SETTINGS)


@pytest.fixture
def undo(compared: MainWindow, qtbot: QtBot) -> Callable[[], None]:
    compared.activateWindow()
    return lambda: qtbot.keyClick(compared, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def redo(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)


def undo_entry(window: MainWindow) -> QAction:
    return window.undo_actions.entries[0]


def choose_preset(window: MainWindow, name: str) -> None:
    window.tool_bar.strictness.presets[name].trigger()


def opened_sliders(window: MainWindow) -> list[QSlider]:
    window.tool_bar.strictness.advanced.trigger()
    return window.tool_bar.strictness.sliders.findChildren(QSlider)


def drag(slider: QSlider, qtbot: QtBot, *by_px: int) -> None:
    """Drag the handle of a slider in steps of the given sizes."""
    share = (slider.value() - slider.minimum()) / (slider.maximum() - slider.minimum())
    place = QPoint(8 + round(share * (slider.width() - 16)), slider.height() // 2)
    qtbot.mousePress(slider, LEFT_BUTTON, pos=place)
    for step in by_px:
        place += QPoint(step, 0)
        qtbot.mouseMove(slider, place)
    qtbot.mouseRelease(slider, LEFT_BUTTON, pos=place)


def test_that_a_preset_is_named_and_undone_and_undo_keeps_settings_changed_otherwise(
    compared: MainWindow, undo: Callable[[], None], qtbot: QtBot
) -> None:
    # a drag back to the start is no undo step
    sliders = compared.tool_bar.strictness.sliders
    sliders.weights_changed.emit(0.35, 0.6)
    sliders.weights_changed.emit(0.35, 0.55)
    assert not compared.workspace.history.canUndo()

    # a preset is named and undone
    matches = len(compared.workspace.comparison.matches)
    choose_preset(compared, "paper")
    assert undo_entry(compared).text() == "Undo: strictness"
    undo()
    assert compared.workspace.settings == PRESETS["balanced"]
    assert compared.tool_bar.strictness.presets["balanced"].isChecked()
    assert compared.tool_bar.strictness.text() == "Strictness: Balanced"
    assert undo_entry(compared).text() == "Undo"
    qtbot.waitUntil(lambda: compared.workspace.comparison is not None, timeout=READING_TIMEOUT_MS)
    assert len(compared.workspace.comparison.matches) == matches
    redo(compared, qtbot)
    assert compared.workspace.settings == PRESETS["paper"]

    # undo keeps settings changed otherwise
    compared.tool_bar.method.word_stage.trigger()
    match = compared.workspace.comparison.matches[0]
    compared.workspace.review.note((match.left, match.right), "seen")
    choose_preset(compared, "sensitive")
    undo()
    assert compared.workspace.settings.word_stage is False
    assert compared.workspace.review.pairs()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_each_drag_is_one_undo_step_and_so_are_key_presses_until_the_focus_leaves(
    compared: MainWindow, undo: Callable[[], None], qtbot: QtBot
) -> None:
    # each drag is one undo step
    similar, right = opened_sliders(compared)
    before = compared.workspace.settings
    drag(right, qtbot, 4, 4, 4, 4)
    between = compared.workspace.settings
    assert between.right_weight > before.right_weight
    drag(right, qtbot, 4, 4, 4)
    drag(similar, qtbot, -4, -4)
    qtbot.keyClick(similar, Qt.Key.Key_Escape)
    assert compared.workspace.history.count() == 3
    assert undo_entry(compared).text() == "Undo: strictness"
    undo()
    undo()
    assert compared.workspace.settings == between
    undo()
    assert compared.workspace.settings == before
    assert right.value() == round(before.right_weight * 100)

    # key presses are one undo step until the focus leaves
    compared.workspace.history.clear()
    similar, right = opened_sliders(compared)
    right.setFocus()
    for _step in range(3):
        qtbot.keyClick(right, Qt.Key.Key_Right)
    similar.setFocus()
    qtbot.keyClick(similar, Qt.Key.Key_Left)
    qtbot.keyClick(similar, Qt.Key.Key_Escape)
    assert compared.workspace.history.count() == 2
    undo()
    undo()
    assert compared.workspace.settings == before


def test_that_exclusions_minimum_and_stages_are_undone_one_by_one(
    compared: MainWindow, undo: Callable[[], None], qtbot: QtBot
) -> None:
    exclude, method = compared.tool_bar.exclusions, compared.tool_bar.method
    before = compared.workspace.settings
    steps = {
        "excluding quotations": next(iter(exclude.ticks.values())),
        "excluding short sentences": exclude.minima[10],
        "finding reworded sentences": method.word_stage,
        "finding passages": method.passages,
        "thesaurus": method.thesauri["none"],
    }
    for action in steps.values():
        action.trigger()
    for words in reversed(steps):
        assert undo_entry(compared).text() == f"Undo: {words}"
        undo()
    assert compared.workspace.settings == before
    assert [units for units, action in exclude.minima.items() if action.isChecked()] == [before.minimum_units]
    assert method.word_stage.isChecked()


def test_that_another_fingerprint_recipe_is_undone_once_it_is_in_use(
    compared: MainWindow, undo: Callable[[], None], qtbot: QtBot
) -> None:
    compared.tool_bar.method.recipes["traditional"].trigger()
    assert not compared.workspace.history.canUndo()
    qtbot.waitUntil(compared.workspace.history.canUndo, timeout=READING_TIMEOUT_MS)
    assert undo_entry(compared).text() == "Undo: kind of fingerprint"
    undo()
    qtbot.waitUntil(lambda: compared.workspace.settings.recipe == "improved", timeout=READING_TIMEOUT_MS)
    assert not compared.workspace.history.canUndo()
    assert compared.workspace.comparison.left.fingerprint.recipe_name == "improved"
    redo(compared, qtbot)
    qtbot.waitUntil(lambda: compared.workspace.settings.recipe == "traditional", timeout=READING_TIMEOUT_MS)


def test_that_excluding_a_prompt_is_undone_and_redone(
    compared: MainWindow, undo: Callable[[], None], pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    prompt = compared.workspace.prompt
    prompt.read(pair[0])
    qtbot.waitUntil(lambda: compared.workspace.settings.prompt is not None, timeout=READING_TIMEOUT_MS)
    undo()
    assert compared.workspace.settings.prompt is None
    prompt.read(pair[1])
    qtbot.waitUntil(lambda: compared.workspace.settings.prompt is not None, timeout=READING_TIMEOUT_MS)
    undo()
    redo(compared, qtbot)
    assert compared.workspace.settings.prompt == str(pair[1])


def test_that_the_undo_text_follows_the_language(compared: MainWindow) -> None:
    compared.workspace.documents.remove([2])
    compared.use_language("zh")
    assert "Remove" not in undo_entry(compared).text()
    assert "right.txt" in undo_entry(compared).text()
    compared.use_language("en")
    assert undo_entry(compared).text() == "Undo: Remove right.txt"


def test_that_a_window_with_undo_steps_is_deleted_without_error(qtbot: QtBot, application_looks: None):
    window = whole_window(Preferences())
    window.workspace.set_settings(PRESETS["sensitive"])
    assert window.workspace.history.canUndo()
    with qtbot.captureExceptions() as errors:
        delete(window)
    assert errors == []
