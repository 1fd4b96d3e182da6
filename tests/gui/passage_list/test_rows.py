"""Rows of the passage list: figures, kinds, colours, filter by kind, speed."""

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.model.settings import ComparisonSettings
from simcompare.support import i18n
from simcompare.ui.compare.matches.inspector_sentences import KindChip
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import KindSwitch, PassageRow
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT
from tests.gui.match_list_samples import Marked
from tests.gui.passage_list.passage_rows import (
    FIRST_MATCH,
    LEFT_BUTTON,
    click_row,
    decision_filter,
    label_texts,
    listed,
    press,
    rows,
    selected,
    spoken,
    switch,
    table,
    unfolded_copy,
)
from tests.gui.passage_samples import COPY, LONE, REWORDED, workspace_with
from tests.gui.pixels import colours_of
from tests.gui.widgets import show_widget
from tests.helpers.documents import compare_texts
from tests.helpers.passages import METRO


def test_that_every_passage_has_a_row_with_its_figures_and_the_beginning_of_its_text(passages: PassageList):
    assert listed(passages) == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]
    assert rows(passages).index(0, 0).data().startswith(METRO[0])
    assert "Passages" in label_texts(passages)
    assert decision_filter(passages).text() == "0 of 3 decided"
    switch(passages, PassageKind.IDENTICAL).click()
    assert "1 of 3" in label_texts(passages)
    assert decision_filter(passages).text() == "0 decided", "the total stands beside it"
    switch(passages, PassageKind.IDENTICAL).click()
    assert spoken(passages, 0) == ("Passage 1: identical, 88 ch., 100% in common, 4 sentence pairs")
    kind, length, *_rest = spoken(passages, 1).removeprefix("Passage 2: ").split(", ")
    assert (kind, length.split(" ")[1]) == ("reworded", "words"), "only Chinese is counted in characters"


def test_that_the_length_is_that_of_the_shorter_side_as_in_the_list_of_pairs(qtbot: QtBot):
    workspace = workspace_with(compare_texts(METRO[0], f"{METRO[0][:-1]}，真的。"))
    [passage] = workspace.passages
    assert passage.right_units == passage.left_units + 2
    widget = PassageList(workspace)
    qtbot.addWidget(widget)
    assert spoken(widget, 0).startswith(f"Passage 1: edited, {passage.left_units} ch., ")
    workspace.close()


def test_that_a_row_begins_with_the_first_sentence_that_counts(tmp_path: Path, qtbot: QtBot):
    settings, sides = ComparisonSettings(), []
    for name in ("王伟", "李芳"):
        path = tmp_path / f"{name}.txt"
        path.write_text(f"{name}\n真的。\n家乡的小河\n{''.join(METRO)}", "utf-8")
        sides.append(read_prepared_document(path, settings.recipe))
    workspace = workspace_with(compare(*sides, settings, None))
    comparison = workspace.comparison
    assert comparison is not None
    begin = workspace.passages.left_spans[0, 0]
    assert comparison.left.document.text[begin:].startswith("真的"), (
        "the passage begins with an excluded line"
    )
    widget = PassageList(workspace)
    qtbot.addWidget(widget)
    assert rows(widget).index(0, 0).data().startswith("家乡的小河")
    workspace.close()


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


def test_that_an_empty_list_explains_why_it_is_empty(workspace: Workspace, passages: PassageList):
    workspace._set_comparison(compare_texts(METRO[0], "A robin follows her spade."))
    assert "No passages." in label_texts(passages)
    quoted = "The heron had stood in that water since the first king of the valley was crowned and fed."
    both = (
        f'We walked there along the river in the morning, and nobody said a word. "{quoted}" (Lee, 2001).',
        f'A robin follows her spade. "{quoted}" [3].',
    )
    workspace._set_comparison(compare_texts(*both, ComparisonSettings()))
    said = "All that the two texts have in common is excluded: 18 words (quotation)."
    assert any(text.startswith(said) for text in label_texts(passages)), label_texts(passages)
    workspace._set_comparison(None)
    assert "Not compared yet" in label_texts(passages), "what there is is not known yet"
    assert not table(passages).isVisible()


def test_that_three_hundred_thousand_sentence_pairs_are_listed_with_their_passages(
    workspace: Workspace, passages: PassageList, qtbot: QtBot, record_property
):
    count, matches = 1_000, 300_000
    bounds = np.linspace(0, matches, count + 1).astype(np.intp)
    spans = np.tile(workspace.passages.left_spans[:1], (count, 1))
    ones = np.ones(count)
    many = NumberedPassages(
        *(spans, spans, np.zeros(count, np.int8), ones > 0, ones > 0, spans[:, 1], spans[:, 1]),
        *(ones, ones, ones, bounds, np.zeros(matches, np.intp), np.zeros(count, np.float32)),
    )
    workspace.passages = many
    workspace.review.follow(workspace.comparison, many)
    workspace.selection.follow(workspace.comparison, many)
    workspace.comparison_changed.emit(ComparisonPart.ALL)
    table(passages).set_unfolded(7, True)
    started = time.perf_counter()
    for _step in range(10):
        workspace.comparison_changed.emit(ComparisonPart.MATCHES)
    record_property("update_ms", round((time.perf_counter() - started) * 100, 1))
    assert len(listed(passages)) == count + 300
    workspace.selection.select_passage(5)
    press(passages, qtbot, Qt.Key.Key_End)
    assert workspace.selection.passage == count - 1


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_rows_show_their_kinds_in_the_colours_of_the_theme(passages: PassageList, theme):
    APPEARANCE.use(theme)
    seen = colours_of(table(passages).viewport().grab().toImage())
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


def test_that_a_sentence_pair_says_in_words_what_it_has_in_common(
    workspace: Workspace, passages: PassageList
):
    table(passages).set_unfolded(COPY, True)
    words = spoken(passages, 1)
    assert words.startswith("identical: sentence 1 on the left, 1 on the right, word for word, ")
    assert words.endswith(" characters (P = 1.00)")
