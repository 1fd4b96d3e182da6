"""Removal of documents, and its undo."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui import dropping
from tests.gui.conftest import (
    LEFT_TEXT,
    OTHER_TEXT,
    Essay,
    close_unsaved,
    wait_for_comparison,
    wait_until_read,
)
from tests.gui.session_steps import names


@pytest.fixture
def three(compared: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    compared.workspace.documents.add([essay("third.txt", OTHER_TEXT)])
    wait_until_read(compared, qtbot)
    return compared


def test_that_undoing_a_removal_restores_the_position_without_reading(
    three: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    before = three.workspace.documents.entries[1].prepared_document
    three.workspace.documents.remove([1])
    pair[0].unlink()
    assert names(three) == ["right.txt", "third.txt"]
    assert three.notice.label.text() == "Removed: left.txt"
    qtbot.mouseClick(three.notice.show_button, Qt.MouseButton.LeftButton)
    assert names(three) == ["left.txt", "right.txt", "third.txt"]
    assert three.workspace.documents.entries[1].prepared_document is before
    assert three.workspace.documents.sides == {Side.LEFT: 1, Side.RIGHT: 2}
    assert not three.notice.isVisible()
    wait_for_comparison(three, qtbot)
    assert three.workspace.comparison.left is before


def test_that_removing_all_documents_can_be_undone_and_redone(three: MainWindow, qtbot: QtBot) -> None:
    three.sidebar.documents.remove_all_action.trigger()
    assert names(three) == []
    assert three.pages.currentWidget() is three.start_page
    assert three.notice.label.text() == "Removed: 3 documents"
    history = three.workspace.history
    history.undo()
    assert len(names(three)) == 3
    assert three.workspace.documents.sides == {Side.LEFT: 1, Side.RIGHT: 2}
    history.redo()
    assert names(three) == []
    assert three.workspace.documents.sides == {}


def test_that_undo_keeps_a_pair_chosen_after_the_removal(three: MainWindow) -> None:
    documents = three.workspace.documents
    documents.remove([1])
    documents.choose_pair(3, 2)
    three.workspace.history.undo()
    assert documents.sides == {Side.LEFT: 3, Side.RIGHT: 2}


def test_that_undo_does_not_list_a_file_twice(
    three: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    three.workspace.documents.remove([1])
    three.workspace.documents.add([pair[0]])
    three.workspace.history.undo()
    assert sorted(names(three)) == ["left.txt", "right.txt", "third.txt"]
    wait_until_read(three, qtbot)


@pytest.mark.parametrize("undone", [False, True])
def test_that_decisions_return_with_a_file_that_is_added_again(
    compared: MainWindow, pair: tuple[Path, Path], undone: bool, qtbot: QtBot
) -> None:
    workspace = compared.workspace
    match = workspace.comparison.matches[0]
    workspace.review.decide((match.left, match.right), Decision.COPIED)
    workspace.review.decide_pair(1, 2, Decision.COPIED)
    before = workspace.review.pairs()
    workspace.documents.remove([1])
    assert not workspace.review.pairs()
    dropping.drop(compared, dropping.files([pair[0]]))
    if undone:
        workspace.history.undo()
    wait_until_read(compared, qtbot)
    wait_for_comparison(compared, qtbot)
    assert names(compared) == ["left.txt", "right.txt"]
    assert workspace.review.pairs() == before
    assert workspace.review.decision_of((match.left, match.right)).decision is Decision.COPIED


def test_that_a_restored_text_keeps_its_name_beside_one_pasted_since(
    window: MainWindow, qtbot: QtBot
) -> None:
    dropping.drop(window, dropping.text(OTHER_TEXT))
    window.workspace.documents.remove([1])
    dropping.drop(window, dropping.text(LEFT_TEXT))
    window.workspace.history.undo()
    wait_until_read(window, qtbot)
    texts = [entry.prepared_document.document.text for entry in window.workspace.documents.entries.values()]
    assert [text[:2] for text in texts] == ["操场", "家乡"]
    assert names(window) == ["Pasted text 1", "Pasted text 2"]


def test_that_a_document_removed_while_it_was_read_is_read_after_undo(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    dropping.drop(window, dropping.files([essay(f"{number}.txt", OTHER_TEXT) for number in range(30)]))
    window.workspace.documents.remove(range(1, 31))
    window.workspace.history.undo()
    wait_until_read(window, qtbot)
    assert all(entry.prepared_document is not None for entry in window.workspace.documents.entries.values())


def test_that_removing_a_pasted_text_can_be_undone(window: MainWindow, qtbot: QtBot) -> None:
    dropping.drop(window, dropping.text(OTHER_TEXT))
    window.workspace.documents.remove([1])
    window.workspace.history.undo()
    wait_until_read(window, qtbot)
    assert window.workspace.documents.entries[1].prepared_document.document.text.startswith("操场")


def test_that_a_restored_text_is_prepared_by_the_current_recipe(three: MainWindow, qtbot: QtBot) -> None:
    three.workspace.documents.remove([3])
    three.workspace._reading.recipe = "traditional"
    three.workspace.history.undo()
    wait_until_read(three, qtbot)
    assert three.workspace.documents.entries[3].prepared_document.fingerprint.recipe_name == "traditional"


def test_that_the_notice_disappears_after_the_removal_was_undone_elsewhere(three: MainWindow) -> None:
    three.workspace.documents.remove([1])
    assert three.notice.isVisible()
    three.workspace.history.undo()
    assert not three.notice.isVisible()


def test_that_a_cancelled_reading_cannot_be_undone(window: MainWindow, essay: Essay) -> None:
    dropping.drop(window, dropping.files([essay("a.txt", OTHER_TEXT)]))
    window.workspace.cancel()
    assert not window.workspace.history.canUndo()


def test_that_nothing_can_be_undone_after_the_window_is_closed(three: MainWindow) -> None:
    three.workspace.documents.remove([1])
    close_unsaved(three)
    assert not three.workspace.history.canUndo()
    three.workspace.history.undo()
    assert names(three) == ["right.txt", "third.txt"]
