"""Method of comparison, chosen in the menu of the tool bar."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSlider
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.fingerprint.simhash import RECIPES, make_fingerprint
from simcompare.ui.compare.bars.settings_menus import MethodButton
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.one_window

ENGLISH = "The old stone bridge stands near the village. Children play on it every summer evening."


def choose(button: MethodButton, action: QAction, qtbot: QtBot) -> None:
    """Choose an entry with the mouse, in the menu or in one of its submenus."""
    menu = next(
        menu for menu in (button.menu(), *button.menu().findChildren(QMenu)) if action in menu.actions()
    )
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def similar_slider(window: MainWindow) -> QSlider:
    return window.tool_bar.strictness.sliders.findChildren(QSlider)[0]


def synonym_count(window: MainWindow) -> int:
    return window.workspace.comparison.matches.kinds.tolist().count(MatchKind.SYNONYM)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_stages_can_be_switched_off_and_on_at_once(compared: MainWindow, qtbot: QtBot) -> None:
    # the stage for rewording can be switched off and on at once
    method, before = compared.tool_bar.method, compared.workspace.comparison
    assert synonym_count(compared) > 0
    choose(method, method.word_stage, qtbot)
    assert synonym_count(compared) == 0
    assert compared.workspace.comparison.matrix is before.matrix
    choose(method, method.word_stage, qtbot)
    assert synonym_count(compared) > 0

    # settings without effect are disabled with the word stage off
    method = compared.tool_bar.method
    choose(method, method.word_stage, qtbot)
    assert not similar_slider(compared).isEnabled()
    thesaurus = next(menu for menu in method.menu().findChildren(QMenu) if menu.title() == "Thesaurus")
    assert not thesaurus.isEnabled()
    choose(method, method.word_stage, qtbot)
    assert similar_slider(compared).isEnabled()
    assert thesaurus.isEnabled()

    # without passage detection runs of matches are passages
    method = compared.tool_bar.method
    assert compared.workspace.comparison.detected_passages is not None
    choose(method, method.passages, qtbot)
    qtbot.waitUntil(lambda: compared.workspace.comparison is not None, timeout=READING_TIMEOUT_MS)
    assert compared.workspace.comparison.detected_passages is None
    choose(method, method.passages, qtbot)
    qtbot.waitUntil(lambda: compared.workspace.comparison is not None, timeout=READING_TIMEOUT_MS)
    assert compared.workspace.comparison.detected_passages is not None


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_another_recipe_recomputes_all_fingerprints_without_comparing_again(
    compared: MainWindow, qtbot: QtBot
) -> None:
    before = compared.workspace.comparison
    compared.workspace.selection.select(0)
    method, header = compared.tool_bar.method, compared.compare_view.header
    for recipe in [name for name in RECIPES if name != "improved"]:
        choose(method, method.recipes[recipe], qtbot)
        qtbot.waitUntil(
            lambda recipe=recipe: compared.workspace.settings.recipe == recipe, timeout=READING_TIMEOUT_MS
        )
        after = compared.workspace.comparison
        assert after.matrix is before.matrix
        assert compared.workspace.selection.selected == 0
        for prepared_document in (after.left, after.right):
            assert prepared_document.fingerprint == make_fingerprint(
                prepared_document.document, prepared_document.prepared, recipe
            )
        assert f"of {RECIPES[recipe].size_bits} bits" in header.fingerprints.distance.text()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_files_added_later_have_fingerprints_of_the_current_recipe(
    compared: MainWindow, qtbot: QtBot, essay: Callable[[str, str], Path]
) -> None:
    method = compared.tool_bar.method
    choose(method, method.recipes["tfidf"], qtbot)
    compared.workspace.documents.add([essay("later.txt", ENGLISH)])
    qtbot.waitUntil(
        lambda: (
            not compared.workspace.is_busy
            and {
                prepared_document.fingerprint.recipe_name
                for prepared_document in compared.workspace.documents.prepared_documents
            }
            == {"tfidf"}
        ),
        timeout=READING_TIMEOUT_MS,
    )
    assert len(compared.workspace.documents.prepared_documents) == 3


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_another_recipe_can_be_chosen_after_a_new_session_was_begun(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.sessions.reset()
    choose(window.tool_bar.method, window.tool_bar.method.recipes["tfidf"], qtbot)
    qtbot.waitUntil(lambda: window.workspace.settings.recipe == "tfidf", timeout=READING_TIMEOUT_MS)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_a_recipe_that_cannot_fingerprint_a_text_is_refused_with_its_name(
    compared: MainWindow, qtbot: QtBot, essay: Callable[[str, str], Path]
) -> None:
    compared.workspace.documents.add([essay("english.txt", ENGLISH)])
    qtbot.waitUntil(lambda: not compared.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    method = compared.tool_bar.method
    with qtbot.waitSignal(compared.workspace.recipe_refused, timeout=READING_TIMEOUT_MS):
        choose(method, method.recipes["md5-32"], qtbot)
    assert "english.txt" in compared.notice.label.text()
    assert method.recipes["improved"].isChecked()
    assert {
        prepared_document.fingerprint.recipe_name
        for prepared_document in compared.workspace.documents.prepared_documents
    } == {"improved"}
