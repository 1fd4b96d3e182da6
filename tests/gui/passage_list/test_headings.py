"""Headings that are equal in both texts are hidden in the list of passages, and counted."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, RIGHT_TEXT, wait_for_comparison
from tests.gui.passage_list.passage_rows import label_texts

HEADING = "一、问题的提出与研究背景"


def write(path: Path, first: str, last: str) -> Path:
    path.write_text(f"{first}\n{HEADING}\n{last}", "utf-8")
    return path


def test_that_an_equal_heading_is_no_passage_to_read_but_counted_and_shown_on_demand(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    left = write(tmp_path / "a.txt", LEFT_TEXT, "山上的树到了秋天便开始落叶。")
    right = write(tmp_path / "b.txt", "校门口新开了一家面馆。", RIGHT_TEXT)
    window.workspace.documents.add([left, right])
    wait_for_comparison(window, qtbot)
    workspace, selection = window.workspace, window.workspace.selection
    found = [
        workspace.comparison.left.document.text[start:end]
        for start, end in workspace.passages.left_spans.tolist()
    ]
    assert HEADING in found
    listed = [found[index] for index in selection.listed]
    assert listed
    assert HEADING not in listed
    assert f"{len(found) - 1} of {len(found)}" in label_texts(window.sidebar.passages)

    # once all others are decided, the decision on the pair is asked for
    for index in selection.listed.tolist():
        workspace.review.decide_passages([index], Decision.FINE)
    assert window.compare_view.header.question_bar.isVisibleTo(window)

    switch = window.sidebar.passages._decision_filter._hides_headings
    assert switch.text() == "Headings that are the same in both texts (1)"
    switch.trigger()
    assert len(selection.listed) == len(found)
