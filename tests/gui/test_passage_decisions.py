"""Whole passages are selected and decided, with and without matched sentences in them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decision, NotedDecision, PairReview, PassageKeys, index_sentences
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.review.found_decisions import DecisionFilter, FoundDecisions
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
    return workspace.review.shares


def test_that_the_fixture_has_the_three_passages(workspace):
    passages = workspace.passages
    assert [len(passages.matches_of(passage)) for passage in range(len(passages))] == [4, 0, 1]
    assert PASSAGE_KINDS[passages.kinds[REWORDED]] is PassageKind.REWORDED


@pytest.mark.parametrize("decision", [FINE, Decision.CITED])
@pytest.mark.parametrize("passage", [COPY, REWORDED, LONE])
def test_that_a_passage_of_no_concern_leaves_the_share_until_it_is_undone(workspace, passage, decision):
    before, review = shares(workspace), workspace.review
    review.decide_passages([passage], decision)
    assert review.passage_decision(passage).decision is decision
    assert decisions(workspace, passage) == [decision] * len(matches_of(workspace, passage))
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


def test_that_a_passage_whose_sentences_have_several_reasons_is_of_no_concern_without_one(workspace):
    for match, decision in zip(
        matches_of(workspace, COPY), (Decision.CITED, FINE, *[Decision.CITED] * 2), strict=True
    ):
        found = workspace.comparison.matches[match]
        workspace.review.decide((found.left, found.right), decision)
    assert workspace.review.passage_decision(COPY).decision is FINE
    found = workspace.comparison.matches[matches_of(workspace, COPY)[1]]
    workspace.review.decide((found.left, found.right), Decision.CITED)
    assert workspace.review.passage_decision(COPY).decision is Decision.CITED


def test_that_several_passages_are_decided_in_one_step(workspace):
    workspace.review.decide_passages([COPY, REWORDED, LONE], FINE)
    assert workspace.review.shares == (0.0, 0.0)
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


@pytest.fixture
def shortened(workspace: Workspace) -> Workspace:
    """Workspace whose first passage was judged before its first sentence was left out."""
    workspace.review.decide_passages([COPY], COPIED)
    workspace.review.note_passage(COPY, "word for word")
    sentence = left_out_sentence(workspace.comparison.left, 0)
    workspace.set_settings(replace(workspace.settings, left_out=(sentence,)))
    assert len(matches_of(workspace, COPY)) == 3
    return workspace


def test_that_a_passage_stays_judged_when_its_first_sentence_is_left_out(shortened):
    assert shortened.review.passages.copied.tolist() == [True, False, False]
    assert shortened.review.passages.notes == {COPY: "word for word"}
    assert decisions(shortened, COPY) == [COPIED] * 3


@pytest.mark.parametrize("verdict", [FINE, None])
def test_that_a_later_decision_replaces_that_on_the_passage_with_other_sentences(shortened, verdict):
    review = shortened.review
    review.decide_passages([COPY], verdict)
    assert review.passage_decision(COPY) == NotedDecision(verdict, "word for word")
    shortened.set_settings(replace(shortened.settings, left_out=()))
    assert review.passage_decision(COPY) == NotedDecision(verdict, "word for word")
    for _step in range(2):
        shortened.history.undo()
    assert review.passage_decision(COPY) == NotedDecision(COPIED, "word for word")


def test_that_a_note_is_typed_on_a_passage_judged_with_other_sentences(shortened):
    for note in ("w", "wo"):
        shortened.review.note_passage(COPY, note)
    assert shortened.review.passage_decision(COPY) == NotedDecision(COPIED, "wo")
    shortened.history.undo()
    assert shortened.review.passage_decision(COPY) == NotedDecision(COPIED, "word for word")


def test_that_a_match_of_a_passage_judged_with_other_sentences_is_withdrawn(shortened):
    first = shortened.comparison.matches[matches_of(shortened, COPY)[0]]
    shortened.review.decide((first.left, first.right), None)
    assert decisions(shortened, COPY) == [None, COPIED, COPIED]
    assert shortened.review.passages.partly[COPY]


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


def cells_of(workspace: Workspace, passage: int) -> list[tuple[int, int]]:
    found = (workspace.comparison.matches[match] for match in matches_of(workspace, passage))
    return [(match.left, match.right) for match in found]


def test_that_a_passage_has_the_decision_on_which_all_its_sentences_agree(workspace):
    review = workspace.review
    review.decide_passages([COPY], COPIED)
    for cell in cells_of(workspace, COPY)[:3]:
        review.decide(cell, FINE)
        assert review.passages.partly[COPY]
        assert review.passage_decision(COPY).decision is None
    review.decide(cells_of(workspace, COPY)[3], FINE)
    assert review.passage_decision(COPY).decision is FINE
    assert not review.passages.partly[COPY]
    without = shares(workspace)
    review.decide_passages([COPY], FINE)
    assert shares(workspace) == without


def test_that_a_passage_with_a_sentence_decided_otherwise_is_listed_as_undecided(workspace):
    review = workspace.review
    review.decide_passages([COPY], FINE)
    review.decide(cells_of(workspace, COPY)[1], COPIED)
    assert review.passage_decision(COPY).decision is None
    assert review.passages.partly[COPY]
    workspace.selection.show(DecisionFilter.UNDECIDED)
    assert COPY in workspace.selection.listed
    review.decide_passages([COPY], FINE)
    assert review.passage_decision(COPY).decision is FINE
    assert decisions(workspace, COPY) == [FINE] * 4


def test_that_sentences_and_passages_are_decided_together_in_one_step(workspace):
    review, cells = workspace.review, cells_of(workspace, COPY)
    changes = []
    review.changed.connect(lambda: changes.append(None))
    review.decide_all(cells[:2], [REWORDED, LONE], FINE)
    assert decisions(workspace, COPY) == [FINE, FINE, None, None]
    assert review.passages.fine.tolist() == [False, True, True]
    assert len(changes) == workspace.history.count() == 1
    review.decide_passages([COPY], FINE)
    review.decide_all(cells[:2], (), None)
    assert decisions(workspace, COPY) == [None, None, FINE, FINE]


def found_in(workspace: Workspace, *lone_matches: int) -> FoundDecisions:
    """Decisions on the passages of the workspace, of which the last one has other matches."""
    passages, comparison = workspace.passages, workspace.comparison
    copied = passages.match_indices.tolist()[:4]
    shared = replace(
        passages,
        match_indices=np.array([*copied, *lone_matches]),
        match_bounds=np.array([0, 4, 4, 4 + len(lone_matches)]),
    )
    texts = comparison.left.prepared, comparison.right.prepared
    return FoundDecisions(comparison, shared, lambda: (index_sentences(texts[0]), index_sentences(texts[1])))


@pytest.mark.parametrize("indices", [(COPY, LONE), (LONE, COPY)])
def test_that_overlapping_passages_are_decided_in_any_order(workspace, indices):
    found = found_in(workspace, matches_of(workspace, COPY)[0])
    found.put(found.decide([(0, 0)], (), COPIED))
    found.put(found.decide((), indices, FINE))
    assert found.passages.fine.tolist() == [True, False, True]


@pytest.mark.parametrize("inside", [1, 2, 4])
def test_that_a_passage_inside_another_one_is_undecided_when_its_decision_is_withdrawn(workspace, inside):
    matches = matches_of(workspace, COPY)
    found = found_in(workspace, *matches[:inside])
    found.put(found.decide((), [COPY], COPIED))
    assert found.passages.decision(LONE) is COPIED
    found.put(found.decide((), [LONE], None))
    assert found.passages.decision(LONE) is None
    assert not found.passages.partly[LONE]
    assert found.matches.copied[matches].tolist() == [False] * inside + [True] * (4 - inside)
    assert found.passages.decision(COPY) is None
    assert found.passages.partly[COPY] == (inside < 4), "the other sentences stay decided"


def test_that_a_passage_partly_inside_another_one_leaves_the_decision_on_that_one(workspace):
    found = found_in(workspace, matches_of(workspace, COPY)[0], matches_of(workspace, LONE)[0])
    found.put(found.decide((), [COPY, LONE], COPIED))
    found.put(found.decide((), [LONE], None))
    assert found.passages.decision(COPY) is COPIED
    assert found.passages.decision(LONE) is None


def hold_by_key(workspace: Workspace, passage: int, noted: NotedDecision) -> None:
    """Store a decision on a passage that had several matches with other settings."""
    left, right = workspace.comparison.left.prepared, workspace.comparison.right.prepared
    keys = PassageKeys(
        workspace.comparison, workspace.passages, index_sentences(left), index_sentences(right)
    )
    documents = workspace.documents.sides
    pair = documents[Side.LEFT], documents[Side.RIGHT]
    workspace.review.restore({pair: PairReview(passages={keys.key(passage): noted})})


def test_that_a_note_of_a_passage_that_has_one_match_now_can_be_deleted(workspace):
    hold_by_key(workspace, LONE, NotedDecision(None, "old"))
    [cell], review = cells_of(workspace, LONE), workspace.review
    review.note(cell, "mine")
    review.end_typing()
    assert review.passages.notes == {LONE: "mine\nold"}
    for note in ("mine\nolde", "mine\nolder"):
        review.note_passage(LONE, note)
    assert review.passages.notes == {LONE: "mine\nolder"}
    review.note_passage(LONE, "")
    assert not review.passages.notes
    workspace.history.undo()
    assert review.passages.notes == {LONE: "mine\nold"}


def test_that_the_match_decides_a_passage_that_has_one_match_now(workspace):
    hold_by_key(workspace, LONE, NotedDecision(FINE))
    [cell], review = cells_of(workspace, LONE), workspace.review
    assert review.passage_decision(LONE).decision is FINE
    review.decide(cell, COPIED)
    assert review.passage_decision(LONE).decision is COPIED
    review.decide(cell, None)
    assert review.passage_decision(LONE).decision is None
    workspace.history.undo()
    workspace.history.undo()
    assert review.passage_decision(LONE).decision is FINE


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


def test_that_the_first_click_in_a_selected_passage_keeps_it(workspace):
    selection, matches = workspace.selection, workspace.comparison.matches
    inside = workspace.comparison.left.document.text.index("盾构机")
    selection.select_passage(COPY)
    selection.select_at(Side.LEFT, inside)
    assert (selection.passage, selection.cell) == (COPY, None)
    selection.select_at(Side.LEFT, inside)
    assert matches[selection.selected].left == 1


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
