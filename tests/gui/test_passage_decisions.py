"""Whole passages are selected and decided, with and without matched sentences in them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from simcompare.comparison.decided_shares import DecidedShares
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decision
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.review.match_decisions import DecisionFilter
from simcompare.ui.state.workspace import Workspace
from tests.comparison.test_shares import with_words_replaced
from tests.helpers.documents import own_texts
from tests.helpers.passages import GARDEN, LIBRARY, METRO, ORCHARD, TRAFFIC, chinese, english

COPIED, FINE = Decision.COPIED, Decision.FINE
KEEPER = own_texts("en")[1]
REPLACED = with_words_replaced(KEEPER, lambda word: word % 2)
COPY, REWORDED, LONE = range(3)
"""Passages: four copied sentences, a reworded text without matched sentences, a single copied sentence."""


@pytest.fixture
def workspace(qtbot: QtBot, essay: Callable[[str, str], Path]) -> Iterator[Workspace]:
    workspace = Workspace()
    left = f"{chinese(METRO)}\n{chinese(LIBRARY)}\n{KEEPER}\n{ORCHARD[0]}"
    right = f"{chinese(METRO)}\n{english(GARDEN)}\n{REPLACED}\n{english(TRAFFIC)}\n{ORCHARD[0]}"
    workspace.documents.add([essay("left.txt", left), essay("right.txt", right)])
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    yield workspace
    workspace.close()


def matches_of(workspace: Workspace, passage: int) -> list[int]:
    return workspace.passages.matches_of(passage).tolist()


def decisions(workspace: Workspace, passage: int) -> list[Decision | None]:
    return [workspace.review.matches.decision(match) for match in matches_of(workspace, passage)]


def shares(workspace: Workspace) -> tuple[float, float]:
    return workspace.review.shares.left_in_right, workspace.review.shares.right_in_left


def test_that_the_fixture_has_the_three_passages(workspace):
    passages = workspace.passages
    assert [len(passages.matches_of(passage)) for passage in range(len(passages))] == [4, 0, 1]
    assert PASSAGE_KINDS[passages.kinds[REWORDED]] is PassageKind.REWORDED


@pytest.mark.parametrize("passage", [COPY, REWORDED, LONE])
def test_that_a_passage_of_no_concern_leaves_the_share_until_it_is_undone(workspace, passage):
    before, review = shares(workspace), workspace.review
    review.decide_passages([passage], FINE)
    assert review.passage_decision(passage).decision is FINE
    assert decisions(workspace, passage) == [FINE] * len(matches_of(workspace, passage))
    passages, comparison = workspace.passages, workspace.comparison
    counted = comparison.left.prepared.unit_count
    expected = before[0] - passages.left_units[passage] / counted
    assert shares(workspace)[0] == pytest.approx(expected)
    workspace.history.undo()
    assert shares(workspace) == before
    assert review.passage_decision(passage).decision is None
    workspace.history.redo()
    assert workspace.selection.passage == passage
    assert shares(workspace)[0] == pytest.approx(expected)


def test_that_several_passages_are_decided_in_one_step(workspace):
    workspace.review.decide_passages([COPY, REWORDED, LONE], FINE)
    assert workspace.review.shares == DecidedShares(0.0, 0.0)
    assert workspace.review.passages.fine.all()
    workspace.history.undo()
    assert not workspace.review.passages.fine.any()
    assert not workspace.history.canUndo()


def test_that_deciding_a_passage_replaces_decisions_on_its_matches_and_keeps_their_notes(workspace):
    first = workspace.comparison.matches[matches_of(workspace, COPY)[0]]
    cell = first.left, first.right
    workspace.review.note(cell, "from the sheet")
    workspace.review.decide(cell, COPIED)
    assert workspace.review.passages.partly[COPY]
    workspace.review.decide_passages([COPY], FINE)
    assert decisions(workspace, COPY) == [FINE] * 4
    assert workspace.review.decision_of(cell).note == "from the sheet"


def test_that_a_match_may_differ_from_its_passage(workspace):
    workspace.review.decide_passages([COPY], FINE)
    second = workspace.comparison.matches[matches_of(workspace, COPY)[1]]
    without = shares(workspace)[0]
    workspace.review.decide((second.left, second.right), COPIED)
    assert decisions(workspace, COPY) == [FINE, COPIED, FINE, FINE]
    units = workspace.comparison.left.prepared
    counted = units.sentence_lengths[second.left] / units.unit_count
    assert shares(workspace)[0] - without == pytest.approx(counted)


def test_that_withdrawing_from_a_match_leaves_the_decision_to_the_others(workspace):
    workspace.review.decide_passages([COPY], FINE)
    second = workspace.comparison.matches[matches_of(workspace, COPY)[1]]
    workspace.review.decide((second.left, second.right), None)
    assert decisions(workspace, COPY) == [FINE, None, FINE, FINE]
    assert workspace.review.passage_decision(COPY).decision is None
    assert workspace.review.passages.partly[COPY]
    workspace.history.undo()
    assert decisions(workspace, COPY) == [FINE] * 4


def test_that_a_decision_on_a_passage_survives_other_thresholds_and_swapped_sides(workspace, qtbot):
    workspace.review.decide_passages([COPY, REWORDED], FINE)
    workspace.set_settings(replace(workspace.settings, similar_weight=0.9, right_weight=0.95))
    assert workspace.review.passages.fine.tolist() == [True, True, False]
    before = shares(workspace)
    workspace.documents.swap()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert sorted(workspace.review.passages.fine.tolist()) == [False, True, True]
    assert shares(workspace) == pytest.approx(before[::-1])


def test_that_a_note_on_a_passage_is_one_undo_step_and_listed(workspace):
    for note in ("s", "se", "see the sheet"):
        workspace.review.note_passage(REWORDED, note)
    workspace.review.note_passage(LONE, "quoted")
    assert workspace.review.passages.notes == {REWORDED: "see the sheet", LONE: "quoted"}
    workspace.selection.show(DecisionFilter.NOTED)
    assert workspace.selection.listed.tolist() == [REWORDED, LONE]
    workspace.review.end_typing()
    workspace.history.undo()
    assert LONE not in workspace.review.passages.notes
    workspace.history.undo()
    assert not workspace.review.passages.notes


# --- selection


def test_that_steps_visit_passages_and_the_matches_in_them(workspace):
    selection = workspace.selection
    visited = []
    for _step in range(4):
        selection.step_passage(1)
        visited.append((selection.passage, selection.selected))
    (only,) = matches_of(workspace, LONE)
    assert visited == [(COPY, None), (REWORDED, None), (LONE, only), (LONE, only)]
    assert not selection.can_step_passage(1)
    selection.select_passage(COPY)
    first, second, *_rest = matches_of(workspace, COPY)
    for step, expected in ((1, first), (1, second), (-1, first), (-1, None)):
        selection.step_match(step)
        assert (selection.passage, selection.selected) == (COPY, expected)
    assert not selection.can_step_match(-1)
    selection.select_passage(REWORDED)
    assert not selection.can_step_match(1)


def test_that_only_passages_of_the_shown_kinds_are_visited(workspace):
    workspace.selection.show_kinds(frozenset({PassageKind.REWORDED}))
    assert workspace.selection.listed.tolist() == [REWORDED]
    workspace.selection.step_passage(1)
    assert workspace.selection.passage == REWORDED


def test_that_a_click_selects_the_passage_and_the_next_one_the_sentence(workspace):
    selection, matches = workspace.selection, workspace.comparison.matches
    inside = workspace.comparison.left.document.text.index("盾构机")
    selection.select_at(Side.LEFT, inside)
    assert (selection.passage, selection.cell) == (COPY, None)
    selection.select_at(Side.LEFT, inside)
    assert matches[selection.selected].left == 1
    selection.select_at(Side.LEFT, inside)
    assert (selection.passage, selection.cell) == (COPY, None)
    reworded = int(workspace.passages.right_spans[REWORDED].mean())
    selection.select_at(Side.RIGHT, reworded)
    assert (selection.passage, selection.cell) == (REWORDED, None)


def test_that_decisions_lead_to_the_next_undecided(workspace):
    selection, review = workspace.selection, workspace.review
    selection.select_passage(COPY)
    review.decide_passages([COPY], FINE)
    selection.advance()
    assert selection.passage == REWORDED
    review.decide_passages([REWORDED], COPIED)
    selection.advance()
    assert selection.passage == LONE
    review.decide_passages([COPY], None)
    assert selection.has_undecided
    selection.select(matches_of(workspace, COPY)[0])
    match = workspace.comparison.matches[selection.selected]
    review.decide((match.left, match.right), COPIED)
    selection.advance()
    assert selection.selected == matches_of(workspace, COPY)[1]


def test_that_the_selected_passage_is_found_again_with_other_settings_and_sides(workspace, qtbot):
    workspace.selection.select_passage(REWORDED)
    workspace.set_settings(replace(workspace.settings, similar_weight=0.9, right_weight=0.95))
    assert workspace.selection.passage == REWORDED
    workspace.documents.swap()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    selected = workspace.passages[workspace.selection.passage]
    assert selected.kind is PassageKind.REWORDED
    workspace.compare_again()
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    assert workspace.passages[workspace.selection.passage].kind is PassageKind.REWORDED


def test_that_columns_fit_the_lists(workspace):
    review = workspace.review
    assert len(review.passages.copied) == len(workspace.passages)
    assert len(review.matches.copied) == len(workspace.comparison.matches)
    assert not np.any(review.passages.copied & review.passages.fine)
