"""The list of passages and the kind chip, by mouse and keyboard."""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.comparison.compare_documents import reclassify
from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.report.wording import passage_kind_name
from simcompare.session.decisions import Decision
from simcompare.support import i18n
from simcompare.ui.compare.matches.kind_chip import KindChip
from simcompare.ui.compare.matches.passage_filter import DecisionFilterButton, KindSwitch
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import PassageRow, PassageRows
from simcompare.ui.compare.matches.passage_table import PassageTable
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.state.review.match_decisions import DecisionFilter
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.appearance import APPEARANCE
from simcompare.ui.style.theme import DARK, LIGHT
from tests.gui.match_list_samples import Marked
from tests.gui.passage_samples import COPY, LONE, REWORDED, essays_compared, workspace_with
from tests.gui.widgets import show_widget
from tests.helpers.documents import compare_texts
from tests.helpers.passages import METRO

LEFT_BUTTON = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
COMPARISON = essays_compared()
FIRST_MATCH = 0


@pytest.fixture
def workspace(qtbot: QtBot) -> Iterator[Workspace]:
    workspace = workspace_with(COMPARISON)
    yield workspace
    workspace.close()


@pytest.fixture
def passages(workspace: Workspace, qtbot: QtBot) -> PassageList:
    widget = PassageList(workspace)
    show_widget(widget, qtbot, 240, 600)
    return widget


def table(passages: PassageList) -> PassageTable:
    return passages.findChild(PassageTable)


def rows(passages: PassageList) -> PassageRows:
    return passages.findChild(PassageRows)


def listed(passages: PassageList) -> list[PassageRow]:
    return [rows(passages).at(row) for row in range(rows(passages).rowCount())]


def selected(passages: PassageList) -> list[PassageRow]:
    return [rows(passages).at(index.row()) for index in table(passages).selectionModel().selectedIndexes()]


def row_middle(passages: PassageList, row: int) -> QPoint:
    return table(passages).visualRect(rows(passages).index(row)).center()


def click_row(
    passages: PassageList, qtbot: QtBot, row: int, modifiers: Qt.KeyboardModifier | None = None
) -> None:
    place = row_middle(passages, row)
    held = modifiers or Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(table(passages).viewport(), LEFT_BUTTON, held, place)


def click_arrow(passages: PassageList, qtbot: QtBot, row: int) -> None:
    place = QPoint(9, row_middle(passages, row).y())
    qtbot.mouseClick(table(passages).viewport(), LEFT_BUTTON, pos=place)


def press(passages: PassageList, qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(table(passages), key)


def unfolded_copy(workspace: Workspace) -> list[PassageRow]:
    """Rows of all passages with the sentence pairs of the copied one."""
    pairs = [PassageRow(COPY, match) for match in workspace.passages.matches_of(COPY).tolist()]
    return [PassageRow(COPY), *pairs, PassageRow(REWORDED), PassageRow(LONE)]


def switch(passages: PassageList, kind: PassageKind) -> KindSwitch:
    names = passage_kind_name(kind)
    return next(s for s in passages.findChildren(KindSwitch) if s.accessibleName().startswith(names))


def decision_filter(passages: PassageList) -> DecisionFilterButton:
    return passages.findChild(DecisionFilterButton)


def choose_decision_filter(passages: PassageList, words: str) -> None:
    action = next(a for a in decision_filter(passages).menu().actions() if a.text().startswith(words))
    action.trigger()


def label_texts(passages: PassageList) -> list[str]:
    return [label.text() for label in passages.findChildren(QLabel)]


def spoken(passages: PassageList, row: int) -> str:
    return rows(passages).index(row).data(Qt.ItemDataRole.AccessibleTextRole)


# --- rows


def test_that_every_passage_has_a_row_with_its_figures_and_the_beginning_of_its_text(passages: PassageList):
    assert listed(passages) == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]
    assert rows(passages).index(0).data().startswith(METRO[0])
    assert "Passages" in label_texts(passages)
    assert decision_filter(passages).text() == "0 of 3 decided"
    assert spoken(passages, 0) == (
        "Passage 1: identical, 88 ch., 100 % of the words in common, 4 sentence pairs"
    )
    kind, length, *_rest = spoken(passages, 1).removeprefix("Passage 2: ").split(", ")
    assert (kind, length.split(" ")[1]) == ("reworded", "words"), "only Chinese is counted in characters"


def test_that_the_length_is_that_of_the_longer_side(qtbot: QtBot):
    workspace = workspace_with(compare_texts(METRO[0], f"{METRO[0][:-1]}，真的。"))
    [passage] = workspace.passages
    assert passage.right_units == passage.left_units + 2
    widget = PassageList(workspace)
    qtbot.addWidget(widget)
    assert spoken(widget, 0).startswith(f"Passage 1: edited, {passage.right_units} ch., ")
    workspace.close()


def test_that_the_arrow_unfolds_and_folds_a_passage_and_selects_nothing(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_arrow(passages, qtbot, 0)
    assert listed(passages) == unfolded_copy(workspace)
    assert workspace.selection.is_empty
    assert spoken(passages, 1) == "identical: sentence 1 on the left, 1 on the right, P = 1.00"
    assert rows(passages).index(2).data() == METRO[1]
    click_arrow(passages, qtbot, 0)
    assert listed(passages) == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]


@pytest.mark.parametrize("row", [REWORDED, LONE])
def test_that_a_passage_of_at_most_one_sentence_pair_has_no_arrow(
    workspace: Workspace, passages: PassageList, qtbot: QtBot, row: int
):
    click_arrow(passages, qtbot, row)
    assert len(listed(passages)) == 3
    assert workspace.selection.passage == row
    press(passages, qtbot, Qt.Key.Key_Right)
    assert len(listed(passages)) == 3


def test_that_right_and_left_unfold_enter_leave_and_fold(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    workspace.selection.select_passage(COPY)
    press(passages, qtbot, Qt.Key.Key_Right)
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY)]
    press(passages, qtbot, Qt.Key.Key_Right)
    assert selected(passages) == [PassageRow(COPY, 0)]
    assert workspace.selection.selected == 0
    press(passages, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert workspace.selection.selected == 2
    press(passages, qtbot, Qt.Key.Key_Left)
    assert (workspace.selection.passage, workspace.selection.cell) == (COPY, None)
    press(passages, qtbot, Qt.Key.Key_Left)
    assert len(listed(passages)) == 3


def test_that_folding_with_the_mouse_moves_the_selection_from_a_sentence_pair_to_the_passage(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    workspace.selection.select(2)
    assert selected(passages) == [PassageRow(COPY, 2)]
    click_arrow(passages, qtbot, 0)
    assert selected(passages) == [PassageRow(COPY)]
    assert (workspace.selection.passage, workspace.selection.cell) == (COPY, None)


# --- selection


def test_that_clicking_a_row_selects_its_passage_and_clicking_again_selects_it_again(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_row(passages, qtbot, REWORDED)
    assert workspace.selection.passage == REWORDED
    workspace.selection.passage = None
    click_row(passages, qtbot, REWORDED)
    assert workspace.selection.passage == REWORDED


def test_that_the_arrow_keys_select_the_neighbours(workspace: Workspace, passages: PassageList, qtbot: QtBot):
    workspace.selection.select_passage(COPY)
    visited = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        press(passages, qtbot, key)
        visited.append(workspace.selection.passage)
    assert visited == [REWORDED, LONE, REWORDED]


def test_that_focus_alone_selects_nothing_and_enter_selects_the_current_row(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    passages.activateWindow()
    table(passages).setFocus(Qt.FocusReason.TabFocusReason)
    assert workspace.selection.is_empty
    press(passages, qtbot, Qt.Key.Key_Return)
    assert workspace.selection.passage == COPY


def test_that_a_sentence_pair_selected_elsewhere_is_shown_in_its_unfolded_passage(
    workspace: Workspace, passages: PassageList
):
    match = workspace.comparison.matches[2]
    workspace.selection.select_cell(match.left, match.right)
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY, 2)]
    workspace.selection.select_passage(LONE)
    assert selected(passages) == [PassageRow(LONE)]


def test_that_a_sentence_pair_of_several_passages_is_selected_in_the_one_that_was_clicked(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    # the reworded passage holds the first two pairs of the copied one, too
    bounds, indices = workspace.passages.match_bounds, workspace.passages.match_indices
    overlapping = replace(
        workspace.passages,
        match_bounds=bounds + np.array([0, 0, 2, 2]),
        match_indices=np.insert(indices, [bounds[1]] * 2, [0, 1]),
    )
    workspace.passages = overlapping
    workspace.selection.follow(COMPARISON, overlapping)
    workspace.comparison_changed.emit(ComparisonPart.ALL)
    click_arrow(passages, qtbot, 1)
    assert listed(passages)[2:4] == [PassageRow(REWORDED, 0), PassageRow(REWORDED, 1)]
    click_row(passages, qtbot, 3)
    assert (workspace.selection.passage, workspace.selection.selected) == (REWORDED, 1)
    assert selected(passages) == [PassageRow(REWORDED, 1)]


def test_that_several_rows_are_selected_with_ctrl_and_shift(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_row(passages, qtbot, COPY)
    click_row(passages, qtbot, LONE, CTRL)
    assert passages.several_selected == [PassageRow(COPY), PassageRow(LONE)]
    assert workspace.selection.passage == COPY
    click_row(passages, qtbot, COPY)
    assert passages.several_selected == []
    click_row(passages, qtbot, LONE, SHIFT)
    assert passages.several_selected == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]


def test_that_selected_and_unfolded_passages_stay_so_with_other_thresholds(
    workspace: Workspace, passages: PassageList
):
    workspace.selection.select(1)
    settings = replace(COMPARISON.settings, similar_weight=0.9, right_weight=0.95)
    workspace._set_comparison(reclassify(COMPARISON, settings))
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY, 1)]


# --- filters


def test_that_a_switched_off_kind_is_hidden(workspace: Workspace, passages: PassageList, qtbot: QtBot):
    qtbot.mouseClick(switch(passages, PassageKind.IDENTICAL), LEFT_BUTTON)
    assert listed(passages) == [PassageRow(REWORDED)]
    assert "1 of 3" in label_texts(passages)
    click_row(passages, qtbot, 0)
    assert workspace.selection.passage == REWORDED
    workspace.selection.select_passage(COPY)
    assert selected(passages) == []
    qtbot.keyClick(switch(passages, PassageKind.REWORDED), Qt.Key.Key_Space)
    assert "No passages of the selected kinds." in label_texts(passages)


def test_that_a_hidden_passage_gets_no_rows_until_it_is_listed_again(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    QAbstractItemModelTester(  # its warnings fail the test
        rows(passages), QAbstractItemModelTester.FailureReportingMode.Warning, passages
    )
    qtbot.mouseClick(switch(passages, PassageKind.IDENTICAL), LEFT_BUTTON)
    workspace.selection.select(FIRST_MATCH + 1)
    assert workspace.selection.passage == COPY
    assert (listed(passages), selected(passages)) == ([PassageRow(REWORDED)], [])
    qtbot.mouseClick(switch(passages, PassageKind.IDENTICAL), LEFT_BUTTON)
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY, FIRST_MATCH + 1)]


def test_that_there_is_a_switch_for_each_kind_of_which_there_are_passages(passages: PassageList):
    visible = [each for each in passages.findChildren(KindSwitch) if each.isVisible()]
    assert [each.accessibleName() for each in visible] == ["identical 2", "reworded 1"]


def test_that_a_single_kind_has_no_switch_unless_it_is_hidden(qtbot: QtBot):
    workspace = workspace_with(compare_texts(METRO[0], METRO[0]))
    widget = PassageList(workspace)
    show_widget(widget, qtbot, 240, 400)
    only = switch(widget, PassageKind.IDENTICAL)
    assert not only.isVisible()
    workspace.selection.show_kinds(frozenset({PassageKind.SUMMARY}))
    assert only.isVisible()
    workspace.close()


@pytest.fixture
def decided(workspace: Workspace, passages: PassageList) -> PassageList:
    workspace.review.decide_passages([COPY], Decision.COPIED)
    workspace.review.decide_passages([LONE], Decision.FINE)
    workspace.review.note_passage(COPY, "与课文相同")
    workspace.review.note_passage(REWORDED, "问他")
    return passages


def test_that_the_list_shows_how_many_passages_are_decided(decided: PassageList):
    assert decision_filter(decided).text() == "2 of 3 decided"
    entries = [a.text() for a in decision_filter(decided).menu().actions() if a.text()]
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
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert rows(decided).index(0).data(role).splitlines()[1:] == ["Copied", "与课文相同"]


def test_that_a_partly_decided_passage_says_so(workspace: Workspace, passages: PassageList):
    match = workspace.comparison.matches[FIRST_MATCH]
    workspace.review.decide((match.left, match.right), Decision.FINE)
    assert spoken(passages, 0).splitlines()[1:] == ["Partly decided"]
    workspace.selection.select(FIRST_MATCH)
    assert spoken(passages, 1).splitlines()[1:] == ["No concern"]


def marks_in(passages: PassageList, row: int) -> set[tuple[int, int]]:
    """Pixels right of the chip and left of the share that differ from the background."""
    area = table(passages).visualRect(rows(passages).index(row))
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


def test_that_an_empty_list_explains_why_it_is_empty(workspace: Workspace, passages: PassageList):
    workspace._set_comparison(compare_texts(METRO[0], "A robin follows her spade."))
    assert "No passages." in label_texts(passages)
    workspace._set_comparison(None)
    assert "Not compared yet" in label_texts(passages), "what there is is not known yet"
    assert not table(passages).isVisible()


# --- speed, looks


def test_that_three_hundred_thousand_sentence_pairs_do_not_slow_the_list_down(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    count, matches = 1_000, 300_000
    bounds = np.linspace(0, matches, count + 1).astype(np.intp)
    spans = np.tile(workspace.passages.left_spans[:1], (count, 1))
    ones = np.ones(count)
    many = NumberedPassages(
        *(spans, spans, np.zeros(count, np.int8), ones > 0, ones > 0, spans[:, 1], spans[:, 1]),
        *(ones, ones, ones, bounds, np.zeros(matches, np.intp)),
    )
    workspace.passages = many
    workspace.review.follow(workspace.comparison, many)
    workspace.selection.follow(workspace.comparison, many)
    workspace.comparison_changed.emit(ComparisonPart.ALL)
    table(passages).set_unfolded(7, True)
    started = time.perf_counter()
    for _step in range(10):
        workspace.comparison_changed.emit(ComparisonPart.MATCHES)
    assert (time.perf_counter() - started) / 10 < 0.02
    assert len(listed(passages)) == count + 300
    workspace.selection.select_passage(5)
    press(passages, qtbot, Qt.Key.Key_End)
    assert workspace.selection.passage == count - 1


def colours_in(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_rows_show_their_kinds_in_the_colours_of_the_theme(passages: PassageList, theme):
    APPEARANCE.use(theme)
    seen = colours_in(table(passages).viewport().grab().toImage())
    for kind in (PassageKind.IDENTICAL, PassageKind.REWORDED):
        look = theme.passages[kind]
        assert {QColor(look.tint).name(), QColor(look.ink).name()} <= seen


def test_that_a_chip_is_as_wide_as_its_text_and_has_it_as_accessible_name(qtbot: QtBot):
    chip = KindChip()
    qtbot.addWidget(chip)
    chip.set_kind(PassageKind.REORDERED)
    wide = chip.sizeHint().width()
    assert chip.accessibleName() == "reordered"
    chip.set_kind(MatchKind.EXACT)
    assert chip.sizeHint().width() < wide
    assert chip.accessibleName() == "identical"


def test_that_the_list_follows_the_language(passages: PassageList, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert "~Passages" in label_texts(passages)
    assert table(passages).accessibleName() == "~Passages"
    names = [each.accessibleName() for each in passages.findChildren(KindSwitch)]
    assert names[0] == "~identical 2"


def test_that_the_filter_by_decision_is_shared_with_the_selection(workspace: Workspace, decided: PassageList):
    workspace.selection.show(DecisionFilter.COPIED)
    assert listed(decided) == [PassageRow(COPY)]
    assert decision_filter(decided).text() == "Copied"
