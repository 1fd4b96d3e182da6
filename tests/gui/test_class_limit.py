"""The limit of a class: count, sentence, graph and groups follow it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from simcompare.cohort import pair_scores
from simcompare.cohort.cohort_scoring import NO_GROUP, Cohort
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import percent
from simcompare.ui.cohort.overview.histogram_panel import HistogramPanel
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.workspace_sources import class_snapshot
from simcompare.ui.main_window import MainWindow
from tests.gui.class_pictures import click_at
from tests.gui.class_samples import ESSAYS, class_text, pairs_of, write_class
from tests.gui.class_windows import (
    COPY,
    document_index,
    document_key,
    pairs_listed,
    settle_class_page,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells


def limit_place(panel: HistogramPanel, share: float) -> QPoint:
    return QPoint(round(panel.histogram.x_of(share)), panel.histogram.height() // 2)


def test_that_the_graph_links_the_pairs_above_the_limit_and_filters(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    page = school_class.class_page
    qtbot.mouseClick(page.maps.graph_button, LEFT_BUTTON)
    assert page.maps.graph.isVisible()
    assert not page.maps.map.isVisible()
    page.histogram.limit_box.setFocus()
    page.histogram.limit_box.selectAll()
    qtbot.keyClicks(page.histogram.limit_box, "90")
    qtbot.keyClick(page.histogram.limit_box, Qt.Key.Key_Return)
    settle_class_page(school_class, qtbot)
    assert page.maps.graph.summary == "2 linked · 5 unlinked"
    node = page.maps.graph._point_of(document_index(school_class, "王伟")).toPoint()
    click_at(page.maps.graph, qtbot, node)
    assert len(pairs_listed(school_class)) == 6


def test_that_another_proposed_limit_is_told_and_the_one_before_can_be_kept(
    school_class: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_class_page(school_class, qtbot)
    state, notice = school_class.workspace.class_state, school_class.notice
    before = state.limit
    assert notice.isHidden()
    monkeypatch.setattr(pair_scores, "LEAST_LIMIT", 0.2)
    school_class.workspace.set_settings(replace(school_class.workspace.settings, minimum_units=8))
    settle_class_page(school_class, qtbot)
    assert percent(state.limit) != percent(before)
    assert notice.label.text() == (
        f"The proposed limit is now {percent(state.limit)}; it was {percent(before)} before the texts that "
        "count changed."
    )
    qtbot.mouseClick(notice.show_button, LEFT_BUTTON)
    assert percent(state.limit) == percent(before)


def test_that_the_limit_is_moved_by_arrows_and_keys_not_by_a_click_and_its_pairs_are_listed(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    # a click on the limit does not choose it
    panel, state = school_class.class_page.histogram, school_class.workspace.class_state
    qtbot.mouseClick(panel.histogram, LEFT_BUTTON, pos=limit_place(panel, state.limit))
    assert state.chosen_limit is None

    # the arrows of the limit move it
    box = school_class.class_page.histogram.limit_box
    for place in (QPoint(box.width() - 10, 8), QPoint(box.width() - 10, box.height() - 8)):
        before = school_class.workspace.class_state.limit
        qtbot.mouseClick(box, LEFT_BUTTON, pos=place)
        settle_class_page(school_class, qtbot)
        assert abs(school_class.workspace.class_state.limit - before) == pytest.approx(0.01)
    assert school_class.workspace.class_state.limit == 0.12

    # the number of pairs above the limit lists them
    panel = school_class.class_page.histogram
    for _step in range(9):
        qtbot.keyClick(panel.histogram, Qt.Key.Key_PageUp)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_state.limit == 1
    assert panel.count_button.text() == "1 pair"
    qtbot.mouseClick(panel.count_button, LEFT_BUTTON)
    assert pairs_listed(school_class) == {frozenset({"王伟", "赵娜"})}
    assert "100% or more" in school_class.pairs_view.filter.chips.shares.text()
    qtbot.mouseClick(panel.proposed_button, LEFT_BUTTON)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_state.chosen_limit is None
    assert "12% or more" in school_class.pairs_view.filter.chips.shares.text()
    assert not panel.proposed_button.isVisible()


def test_that_count_and_sentence_speak_of_the_same_limit_and_pairs(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    half_copy = tmp_path / "2025008-黄强.txt"
    half_copy.write_text(class_text(f"{ESSAYS[1][:200]}{ESSAYS[7]}"), "utf-8")
    school_class.workspace.documents.add([half_copy])
    settle_class_page(school_class, qtbot)
    panel = school_class.class_page.histogram
    assert panel.count_button.text() == "2 pairs"
    assert panel.verdict.text() == "2 pairs are unusual."
    review, pairs = school_class.workspace.review, sorted(pairs_of(school_class.workspace))
    review.decide_pairs(pairs, Decision.FINE)
    settle_class_page(school_class, qtbot)
    cleared = "2 pairs are unusual. Decisions have cleared 2 of them."
    assert panel.verdict.text() == cleared
    review.decide_pairs(pairs, None)
    settle_class_page(school_class, qtbot)
    copy = document_key(school_class, COPY)
    school_class.workspace.class_state.set_role([copy], DocumentRole.OLD)
    settle_class_page(school_class, qtbot)
    assert panel.count_button.text() == "2 pairs"
    assert panel.verdict.text() == "2 pairs are unusual, 1 of them with earlier work."
    assert not panel.proposed_button.isVisible()
    histogram = panel.histogram
    qtbot.mousePress(histogram, LEFT_BUTTON, pos=limit_place(panel, 0.12))
    qtbot.mouseMove(histogram, limit_place(panel, 0.9))
    assert panel.count_button.text() == "1 pair"
    assert panel.verdict.text() == "1 pair is unusual, 1 of them with earlier work."
    assert panel.proposed_button.text() == "proposed limit 12%: 2 pairs"
    qtbot.mouseRelease(histogram, LEFT_BUTTON, pos=limit_place(panel, 0.9))


def test_that_nothing_is_concluded_before_all_pairs_are_compared(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    page, said = window.class_page, set[str]()
    window.workspace.documents.add(write_class(tmp_path))

    def is_complete() -> bool:
        if page._picture is not None and not page._is_complete:
            said.add(f"{page.histogram.verdict.text()}{page.histogram.alarms.text()}")
            said.add(page._student_count.text())
        return page._is_complete

    qtbot.waitUntil(is_complete, timeout=TIMEOUT_MS)
    settle_class_page(window, qtbot)
    assert said - {""} <= {
        *(
            "Not all pairs are compared yet: no conclusion.",
            "Students",
            "Students · provisional",
            "6 students",
        ),
    }
    assert "Not all pairs are compared yet: no conclusion." in said
    assert page.histogram.verdict.text().startswith("No pair is unusual")
    assert page.histogram.alarms.text() != ""


def links_shown(window: MainWindow) -> dict[frozenset[str], str]:
    """Group of each pair of the table that has one."""
    sides = zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True)
    pairs = map(frozenset, sides)
    numbers = cells(window, PairColumn.GROUP)
    return {pair: number for pair, number in zip(pairs, numbers, strict=True) if number != "–"}


def links_in(cohort: Cohort) -> dict[frozenset[str], str]:
    """Group of each pair of an exported cohort that has one."""
    names = [name.removesuffix(".txt").partition("-")[2] for name in cohort.names]
    return {
        frozenset((names[pair.left], names[pair.right])): str(pair.group)
        for pair in cohort.pairs
        if pair.group != NO_GROUP
    }


def tip_of_groups(window: MainWindow) -> str:
    model = window.pairs_view.table.model()
    return str(model.headerData(PairColumn.GROUP, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole))


def test_that_groups_follow_the_limit_in_table_exports_and_pictures(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    part_copy = tmp_path / "2025008-黄强.txt"
    part_copy.write_text(class_text(f"{ESSAYS[1][:100]}{ESSAYS[7]}"), "utf-8")
    school_class.workspace.documents.add([part_copy])
    settle_class_page(school_class, qtbot)
    page, copies = school_class.class_page, {frozenset({"王伟", "赵娜"}): "1"}
    both = copies | {frozenset({"李芳", "黄强"}): "2"}
    panel = page.histogram
    for limit, links in ((0.12, both), (0.9, copies), (0.12, both)):
        if school_class.workspace.class_state.limit != limit:
            places = [
                limit_place(panel, share) for share in (school_class.workspace.class_state.limit, limit)
            ]
            qtbot.mousePress(panel.histogram, LEFT_BUTTON, pos=places[0])
            qtbot.mouseMove(panel.histogram, places[1])
            qtbot.mouseRelease(panel.histogram, LEFT_BUTTON, pos=places[1])
            settle_class_page(school_class, qtbot)
        assert school_class.workspace.class_state.limit == limit
        assert links_shown(school_class) == links
        assert f"of {limit:.0%} or more".replace("%", "%") in tip_of_groups(school_class)
        assert page.maps.map._group_sizes == [2] * len(links)
        exported = class_snapshot(school_class.workspace)
        assert links_in(exported.cohort(exported.rows, with_notes=False)) == links
        assert links_in(exported.check(with_notes=False).cohort) == links


def test_that_a_limit_is_undone_by_a_key_that_says_so(school_class: MainWindow, qtbot: QtBot) -> None:
    state, spin = school_class.workspace.class_state, school_class.class_page.histogram.histogram
    for _step in range(3):
        qtbot.keyClick(spin, Qt.Key.Key_PageUp)
    settle_class_page(school_class, qtbot)
    assert state.chosen_limit is not None
    school_class.activateWindow()
    qtbot.keyClick(school_class, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert state.chosen_limit is None, "of several in a row"
    assert school_class.status_line.message.text() == "Undone: limit"
    qtbot.keyClick(school_class, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert state.chosen_limit is not None
    assert school_class.status_line.message.text() == "Redone: limit"
    state.set_limit(0.5)
    assert not school_class.status_line.message.text()
    school_class.workspace.history.undo()


def test_that_roles_exclusions_and_strictness_are_undone_with_what_was_said_of_them(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    workspace = school_class.workspace
    key = document_key(school_class, COPY)
    school_class.activateWindow()
    for change in (
        lambda: workspace.class_state.set_role([key], DocumentRole.TEMPLATE),
        lambda: workspace.set_settings(replace(workspace.settings, exclude_quotations=False)),
        school_class.tool_bar.strictness.presets["sensitive"].trigger,
        lambda: workspace.set_settings(replace(workspace.settings, exclude_common=False)),
    ):
        shown, roles = workspace.settings, dict(workspace.class_state.chosen_roles)
        change()
        settle_class_page(school_class, qtbot)
        assert (shown, roles) != (workspace.settings, workspace.class_state.chosen_roles)
        qtbot.keyClick(school_class, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settle_class_page(school_class, qtbot)
        assert (shown, roles) == (workspace.settings, workspace.class_state.chosen_roles)
        assert school_class.status_line.message.text().startswith("Undone: ")
