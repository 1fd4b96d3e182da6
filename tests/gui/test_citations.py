"""How passages are marked as taken from a source, in the reasons of Compare and as a filter of the list."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from simcompare.session.school_class import DocumentRole
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import DecisionFilterButton
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.review.found_decisions import DecisionFilter
from simcompare.ui.state.workspace import Workspace
from tests.gui.passage_list.passage_rows import choose_decision_filter, listed
from tests.helpers.passages import GARDEN, LIGHTHOUSE, ORCHARD, TRAFFIC, chinese, english

SENTENCES = (
    "Scientists in a mature field rarely question the tools they were once trained with at their schools.",
    "The village did not lose its memory in a single night, it lost it slowly with each long funeral.",
    "Taxes on salt were paid by everyone and remembered by everyone, which explains so many revolts there.",
)
OWN = english(GARDEN), english(LIGHTHOUSE), english(TRAFFIC)
MARKED = (f"“{SENTENCES[0]}” (Harlow, 1974, p. 31)", f"{SENTENCES[1][:-1]} (Mbeki 88).", SENTENCES[2])


@pytest.fixture
def workspace(qtbot: QtBot, essay: Callable[[str, str], Path]) -> Iterator[Workspace]:
    workspace = Workspace()
    workspace.set_settings(replace(workspace.settings, exclude_quotations=False))
    own = "\n".join(line for pair in zip(MARKED, OWN, strict=True) for line in pair)
    book = f"\n{chinese(ORCHARD)}\n".join(SENTENCES)
    workspace.documents.add([essay("essay.txt", own), essay("book.txt", book)])
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    yield workspace
    workspace.close()


@pytest.fixture
def passages(workspace: Workspace, qtbot: QtBot) -> PassageList:
    passages = PassageList(workspace)
    qtbot.addWidget(passages)
    return passages


def offered(passages: PassageList) -> list[str]:
    button = passages.findChild(DecisionFilterButton)
    button.menu().aboutToShow.emit()
    actions = [action for action in button.menu().actions() if action.text() and action.isVisible()]
    return [action.text() for action in actions if not QMenu.menuInAction(action)][5:]


def test_that_the_passages_are_filtered_by_citation(workspace: Workspace, passages: PassageList):
    assert "how a source is cited" in passages.findChild(DecisionFilterButton).toolTip()
    assert offered(passages) == [
        "Quoted and cited\t1",
        "Cited without quotation marks\t1",
        "Quoted without a source\t0",
        "Neither quoted nor cited\t1",
    ]
    for words, number in (("Quoted and cited", 0), ("Cited without quotation marks", 1), ("Neither", 2)):
        choose_decision_filter(passages, words)
        assert [row.passage for row in listed(passages)] == [number]
    choose_decision_filter(passages, "Quoted without a source")
    assert listed(passages) == []
    workspace.selection.show(DecisionFilter.ALL)
    assert len(listed(passages)) == 3


def test_that_only_what_may_be_copied_from_a_source_has_citations(
    workspace: Workspace, passages: PassageList, essay: Callable[[str, str], Path], qtbot: QtBot
):
    book = workspace.documents.sides[Side.RIGHT]
    workspace.documents.add([essay("other.txt", "Quite another essay that has not a word of these at all.")])
    qtbot.waitUntil(lambda: workspace.comparison.copying == (False, False))
    assert offered(passages) == []
    workspace.class_state.set_role([book], DocumentRole.OLD)
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert workspace.comparison.copying == (True, False)
    assert len(offered(passages)) == 4
    workspace.documents.swap()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert workspace.comparison.copying == (False, True)
