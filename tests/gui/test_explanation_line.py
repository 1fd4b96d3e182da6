"""Explanation of a passage in one line: two lines of words, shortened only beyond these."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.ui.compare.matches.inspector import ExplanationLine
from simcompare.ui.style.text_labels import TwoLineLabel
from tests.gui.widgets import show_widget

WORDS = "80% of the words in common, nearly all in the same order, 6 pairs of synonyms: main ~ leading"
CHINESE = "百分之五十七的词语相同，五十二对同义词：如果与要是、𠮷与吉、可以与能够，语序也几乎完全一致"


@pytest.fixture
def label(qtbot: QtBot) -> TwoLineLabel:
    label = TwoLineLabel()
    label.cut = Qt.TextElideMode.ElideRight
    show_widget(label, qtbot, 420, 60)
    return label


@pytest.mark.parametrize("words", [WORDS, CHINESE])
def test_that_words_are_wrapped_into_two_lines_before_they_are_shortened(
    label: TwoLineLabel, words: str
) -> None:
    width_px = label.fontMetrics().horizontalAdvance(words) * 2 // 3
    label.resize(width_px, 60)
    label.setText(words)
    lines = label._shortened().split("\n")
    assert len(lines) == 2
    assert "".join(lines).rstrip("…").startswith(words[: len(lines[0]) + 5])
    label.setText(words * 5)
    lines = label._shortened().split("\n")
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(label.fontMetrics().horizontalAdvance(line) <= width_px + 8 for line in lines)


def test_that_a_sentence_is_not_cut_for_few_letters(label: TwoLineLabel) -> None:
    label.setText("在任何浏览器中都能打开，不需要网络。")
    label.resize(label.fontMetrics().horizontalAdvance(label.text()) - 2, label.height())
    assert not label.is_shortened


def test_that_few_words_stay_in_one_line(label: TwoLineLabel) -> None:
    label.setText("identical")
    assert label._shortened() == "identical"
    label.setText("")
    assert label._shortened() == ""


def test_that_the_line_has_the_height_of_two_lines_and_the_whole_text_as_tool_tip(qtbot: QtBot) -> None:
    line = ExplanationLine()
    show_widget(line, qtbot, 1366, 60)
    line.show_facts("1 of 1", PassageKind.EDITED, WORDS, "This passage")
    assert WORDS in line._summary.toolTip()
    assert line._summary.height() >= 2 * line.fontMetrics().lineSpacing() - 1
