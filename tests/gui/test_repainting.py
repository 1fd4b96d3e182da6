"""Views follow a change with as little painting as needed: once a turn, and only where it can be seen."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.session.decisions import Decision
from simcompare.ui.compare.text_pane.text_overview import PassageBars
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import LEFT_TEXT, RIGHT_TEXT, Essay, wait_for_comparison
from tests.gui.match_list_samples import LEFT, document, sentences_of
from tests.gui.panes import bars, page, show_highlights, show_passages, shown_pane
from tests.gui.window_parts import wait_until_still

LONG = document("长.txt", LEFT * 100)
SENTENCES = [sentences_of(LONG).sentence_span(n) for n in (0, 1, 2, 500, 501)]


class PaintEvents(QObject):
    """Counts the paint events of widgets."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._counts: Counter[QObject] = Counter()
        self._widgets = widgets
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._counts[watched] += event.type() is QEvent.Type.Paint
        return False

    def take(self) -> list[int]:
        """Let the widgets paint; return how often each has painted since the last call."""
        for _ in range(5):
            QApplication.processEvents()
        counts, self._counts = self._counts, Counter()
        return [counts[widget] for widget in self._widgets]


@pytest.fixture
def pane(qtbot: QtBot) -> TextPane:
    pane = shown_pane(qtbot, LONG)
    qtbot.waitUntil(lambda: page(pane).lines.is_finished)
    return pane


@pytest.fixture
def painted(pane: TextPane) -> PaintEvents:
    painted = PaintEvents(page(pane).viewport(), bars(pane))
    first, second, _third, _far, last = SENTENCES
    show_highlights(pane, [first, last])
    show_passages(pane, [(second, PassageKind.EDITED), (last, PassageKind.EDITED)])
    painted.take()
    return painted


def test_that_changes_out_of_sight_are_not_painted(pane: TextPane, painted: PaintEvents):
    first, second, _third, far, last = SENTENCES
    show_highlights(pane, [first, far])
    show_passages(
        pane, [(second, PassageKind.EDITED), (far, PassageKind.SUMMARY), (last, PassageKind.EDITED)]
    )
    assert painted.take() == [0, 0]
    pane.bring_to(far, 50)
    assert min(painted.take()) > 0
    show_highlights(pane, [first])
    assert painted.take()[0] == 1


def test_that_changes_in_sight_are_painted_once(pane: TextPane, painted: PaintEvents):
    first, second, third, _far, last = SENTENCES
    for sentences in ([second, last], [third, last], [first, second, last]):
        show_highlights(pane, sentences)
    assert painted.take() == [1, 0]
    show_passages(pane, [(second, PassageKind.REWORDED), (last, PassageKind.EDITED)])
    pane.set_selected_passage(0)
    assert painted.take() == [1, 1]
    show_passages(pane, [(third, PassageKind.REWORDED), (last, PassageKind.EDITED)])
    excluded = sentences_of(LONG).sentence_spans[:1], ["a quotation"]
    pane.set_excluded(*excluded)
    assert painted.take() == [1, 1]
    pane.set_excluded(*excluded)
    assert painted.take() == [0, 0]


def test_that_another_number_of_a_passage_is_painted_beside_the_text_only(
    pane: TextPane, painted: PaintEvents
):
    _first, second, _third, far, last = SENTENCES
    passages = [(second, PassageKind.EDITED), (last, PassageKind.EDITED)]
    show_passages(pane, [(far, PassageKind.EDITED), *passages])
    assert painted.take() == [0, 1]


def test_that_figures_come_at_once_and_the_explanation_follows(compared: MainWindow, qtbot: QtBot):
    workspace, inspector = compared.workspace, compared.compare_view.inspector
    workspace.selection.select_passage(0)
    compared.compare_view.inspector.clear("not explained yet")
    workspace.set_settings(replace(workspace.settings, similar_weight=0.4))
    assert workspace.comparison.settings.similar_weight == 0.4
    assert inspector.line.isHidden()
    qtbot.waitUntil(lambda: not inspector.line.isHidden())


def test_that_the_heatmap_is_painted_once_for_all_changes_of_a_turn(compared: MainWindow, qtbot: QtBot):
    compared.resize(1600, 900)
    view = compared.compare_view
    qtbot.waitUntil(view.heatmap.isVisible)
    workspace = compared.workspace
    workspace.selection.select_passage(0)
    wait_until_still(compared, qtbot)
    painted = PaintEvents(view.heatmap)
    painted.take()
    workspace.set_settings(replace(workspace.settings, similar_weight=0.4, exclude_quotations=False))
    workspace.selection.select_passage(1)
    assert painted.take() == [1]


def test_that_connectors_are_painted_only_if_bands_change(compared: MainWindow, qtbot: QtBot):
    compared.resize(1600, 900)
    workspace, connectors = compared.workspace, compared.compare_view.connectors
    qtbot.waitUntil(connectors.isVisible)
    workspace.selection.select_passage(0)
    wait_until_still(compared, qtbot)
    painted = PaintEvents(connectors)
    painted.take()
    for similar_weight in (0.36, 0.37):
        workspace.set_settings(replace(workspace.settings, similar_weight=similar_weight))
    workspace.review.note_passage(0, "a note")
    assert painted.take() == [0]
    workspace.review.decide_passages([0], Decision.FINE)
    assert painted.take() == [1]


def test_that_a_decision_is_seen_although_a_notice_painted_a_part_before(compared: MainWindow, qtbot: QtBot):
    compared.resize(1600, 900)
    view, workspace = compared.compare_view, compared.workspace
    parts = (view.connectors, *view.findChildren(PassageBars))
    qtbot.waitUntil(view.connectors.isVisible)
    workspace.selection.select_passage(0)
    wait_until_still(compared, qtbot)
    painted = PaintEvents(*parts)
    painted.take()
    workspace.review.decide_passages([0], Decision.FINE)
    for part in parts:
        part.repaint(0, part.height() - 9, 9, 9)
    assert painted.take() == [2, 2, 2]


def test_that_a_window_is_painted_whose_language_changes_when_it_opens(
    another_window: Callable[[], MainWindow], essay: Essay, qtbot: QtBot
) -> None:
    window = another_window()
    window.use_language("zh")
    window.workspace.documents.add([essay("1.txt", LEFT_TEXT), essay("2.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    wait_until_still(window, qtbot)
    painted = PaintEvents(page(window.compare_view.panes[Side.LEFT]).viewport())
    window.workspace.selection.select(0)
    qtbot.waitUntil(lambda: painted.take() != [0])
