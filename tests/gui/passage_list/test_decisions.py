"""Decisions and notes in the passage list, and the filter by decision."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.session.decisions import Decision
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import PassageRow
from simcompare.ui.state.review.found_decisions import DecisionFilter
from simcompare.ui.state.workspace import Workspace
from tests.gui.passage_list.passage_rows import (
    FIRST_MATCH,
    choose_decision_filter,
    decision_filter,
    label_texts,
    listed,
    rows,
    spoken,
    table,
)
from tests.gui.passage_samples import COPY, LONE, REWORDED


@pytest.fixture
def decided(workspace: Workspace, passages: PassageList) -> PassageList:
    workspace.review.decide_passages([COPY], Decision.COPIED)
    workspace.review.decide_passages([LONE], Decision.FINE)
    workspace.review.note_passage(COPY, "与课文相同")
    workspace.review.note_passage(REWORDED, "问他")
    return passages


def test_that_the_list_shows_how_many_passages_are_decided(decided: PassageList):
    assert decision_filter(decided).text() == "2 of 3 decided"
    actions = decision_filter(decided).menu().actions()
    entries = [a.text() for a in actions if a.text() and a.isVisible() and not QMenu.menuInAction(a)]
    assert entries == ["All passages\t3", "Undecided\t1", "Copied\t1", "No concern\t1", "With a note\t2"]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("Undecided", [REWORDED]),
        ("Copied", [COPY]),
        ("No concern", [LONE]),
        ("With a note", [COPY, REWORDED]),
        ("All", [COPY, REWORDED, LONE]),
    ],
)
def test_that_passages_are_filtered_by_decision(decided: PassageList, words: str, numbers: list[int]):
    choose_decision_filter(decided, words)
    assert [row.passage for row in listed(decided)] == numbers


def test_that_a_passage_leaves_the_list_of_undecided_ones_once_it_is_decided(
    workspace: Workspace, decided: PassageList
):
    choose_decision_filter(decided, "Undecided")
    assert decision_filter(decided).text() == "Undecided"
    workspace.review.decide_passages([REWORDED], Decision.FINE)
    assert listed(decided) == []
    assert "No such passage. “All passages” above lists them all." in label_texts(decided)


def test_that_a_row_describes_decision_and_note(decided: PassageList):
    assert spoken(decided, 0).splitlines()[1:] == ["Copied", "与课文相同"]
    assert "\nCopied\n与课文相同" in rows(decided).index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_that_a_partly_decided_passage_says_so(workspace: Workspace, passages: PassageList):
    match = workspace.comparison.matches[FIRST_MATCH]
    workspace.review.decide((match.left, match.right), Decision.FINE)
    assert spoken(passages, 0).splitlines()[1:] == ["Partly decided"]
    workspace.selection.select(FIRST_MATCH)
    assert spoken(passages, 1).splitlines()[1:] == ["No concern"]


def marks_in(passages: PassageList, row: int) -> set[tuple[int, int]]:
    """Pixels right of the chip and left of the share that differ from the background."""
    area = table(passages).visualRect(rows(passages).index(row, 0))
    image = table(passages).viewport().grab(area).toImage()
    ground = image.pixelColor(image.width() - 2, 2)
    wide = range(image.width() - 105, image.width() - 62)
    return {(x, y) for x in wide for y in range(8, 28) if image.pixelColor(x, y) != ground}


def test_that_each_decision_has_a_mark_of_another_shape(workspace: Workspace, passages: PassageList):
    match, shapes = workspace.comparison.matches[FIRST_MATCH], [marks_in(passages, COPY)]
    review = workspace.review
    for change in (
        lambda: review.decide((match.left, match.right), Decision.FINE),
        lambda: review.decide_passages([COPY], Decision.FINE),
        lambda: review.decide_passages([COPY], Decision.COPIED),
        lambda: review.note_passage(COPY, "同"),
    ):
        change()
        shapes.append(marks_in(passages, COPY))
    assert not shapes[0]
    assert all(shapes[1:])
    assert len({frozenset(shape) for shape in shapes}) == len(shapes)


def test_that_a_sentence_pair_has_a_mark_only_if_it_differs_from_its_passage(
    workspace: Workspace, passages: PassageList
):
    match = workspace.comparison.matches[FIRST_MATCH]
    table(passages).set_unfolded(COPY, True)

    def looks() -> list[QImage]:
        areas = [table(passages).visualRect(rows(passages).index(row, 0)) for row in (1, 2)]
        return [table(passages).viewport().grab(area).toImage() for area in areas]

    plain = looks()
    workspace.review.decide_passages([COPY], Decision.COPIED)
    assert looks() == plain
    workspace.review.decide((match.left, match.right), Decision.FINE)
    decided = looks()
    assert decided[0] != plain[0]
    assert decided[1] != plain[1], "each is decided on its own now"


def test_that_the_filter_by_decision_is_shared_with_the_selection(workspace: Workspace, decided: PassageList):
    workspace.selection.show(DecisionFilter.COPIED)
    assert listed(decided) == [PassageRow(COPY)]
    assert decision_filter(decided).text() == "Copied"


def arrange(passages: PassageList, menu: str, words: str) -> None:
    entries = {action.text(): action for action in decision_filter(passages).menu().actions()}
    next(each for each in QMenu.menuInAction(entries[menu]).actions() if each.text() == words).trigger()


def test_that_passages_are_listed_and_stepped_through_by_length(
    workspace: Workspace, passages: PassageList
) -> None:
    found = workspace.passages
    units = np.minimum(found.left_units, found.right_units)
    by_length = sorted((COPY, REWORDED, LONE), key=lambda index: -units[index])
    assert by_length != [COPY, REWORDED, LONE]
    arrange(passages, "Order", "Longest first")
    assert [row.passage for row in listed(passages)] == by_length
    stepped = []
    for _step in by_length:
        workspace.selection.step_passage(1)
        stepped.append(workspace.selection.passage)
    assert stepped == by_length
    assert not workspace.selection.can_step_passage(1)
    workspace.review.decide_passages(by_length[:1], Decision.FINE)
    workspace.selection.select_undecided()
    assert workspace.selection.passage == by_length[1]
    arrange(passages, "Order", "By place in the text")
    assert [row.passage for row in listed(passages)] == [COPY, REWORDED, LONE]


def test_that_short_passages_are_hidden_and_counted(workspace: Workspace, passages: PassageList) -> None:
    found = workspace.passages
    units = np.minimum(found.left_units, found.right_units)
    counts = {least: int(np.count_nonzero(units >= least)) for least in (10, 20, 50, 100)}
    least = next(least for least, count in counts.items() if 0 < count < 3)
    arrange(passages, "Hide short ones", f"Under {least} characters or words")
    assert [row.passage for row in listed(passages)] == np.flatnonzero(units >= least).tolist()
    assert f"{counts[least]} of 3" in label_texts(passages)
    workspace.selection.show(DecisionFilter.COPIED)
    assert any("above lists them all" in text for text in label_texts(passages))
    workspace.review.decide_passages([int(units.argmin())], Decision.COPIED)
    assert any("hides short ones" in text for text in label_texts(passages))
    workspace.selection.show_kinds(frozenset())
    assert "No passages of the selected kinds." in label_texts(passages)
    workspace.selection.show_kinds(frozenset(PassageKind))
    workspace.selection.show(DecisionFilter.ALL)
    arrange(passages, "Hide short ones", "Show all")
    assert len(listed(passages)) == 3
