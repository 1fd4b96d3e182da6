"""The page of a class: views that filter each other, keys, sizes and titles."""

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.access.rows_table import NO_FIGURE
from simcompare.ui.cohort.class_page import reading_time
from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.documents.document_rows import ROW_ROLE
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.cohort.class_filter import ShareRange
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.style.layouts import tab_stops
from simcompare.ui.style.theme import current_theme
from tests.gui.class_pictures import cell_centre, click_at
from tests.gui.class_windows import (
    COPY,
    click_student,
    document_index,
    document_key,
    pairs_listed,
    settle_class_page,
    students,
)
from tests.gui.conftest import OTHER_TEXT, Essay, wait_for_comparison
from tests.gui.document_rows import view as list_view
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells, side_names


def shown_sides(window: MainWindow) -> list[str]:
    rows = list_view(window.sidebar.documents).model()
    sides = [rows.index(row, 0).data(ROW_ROLE).side for row in range(rows.rowCount())]
    return sorted(filter(None, sides))


def test_that_a_class_opens_with_its_page_and_filters_of_its_pairs_are_ended_by_keys_and_buttons(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    # a class opens with its page
    assert school_class.pages.currentWidget() is school_class.class_page
    page = school_class.class_page
    assert page.histogram.isVisible()
    assert page.maps.map.isVisible()
    assert len(pairs_listed(school_class)) == 21  # of seven students; the draft has no pairs

    # the table says how unusual a pair is; there is no multiple of a usual share below 1%
    assert cells(school_class, PairColumn.UNUSUAL)[0] == NO_FIGURE
    model = school_class.pairs_view.table.model()
    tip = model.index(0, PairColumn.UNUSUAL).data(Qt.ItemDataRole.ToolTipRole)
    assert "unrelated pair" in tip
    heading = model.headerData(PairColumn.UNUSUAL, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "below 1%" in heading
    assert cells(school_class, PairColumn.A)[0] == "王伟"
    tip = model.index(0, PairColumn.A).data(Qt.ItemDataRole.ToolTipRole)
    assert "2025001-王伟.txt" in tip

    # pairs are found by the number of a student
    school_class.pairs_view.filter.text.setText("2025003")
    assert len(pairs_listed(school_class)) == 6
    assert all("张敏" in pair for pair in pairs_listed(school_class))
    school_class.pairs_view.filter.text.clear()

    # escape in the table lists all pairs
    click_student(school_class, qtbot, "李芳")
    assert len(pairs_listed(school_class)) == 6
    qtbot.keyClick(school_class.pairs_view.table, Qt.Key.Key_Escape)
    assert len(pairs_listed(school_class)) == 21

    # escape clears the name and then lists all
    click_student(school_class, qtbot, "张敏")
    name = school_class.pairs_view.filter.text
    school_class.activateWindow()
    name.setFocus()
    qtbot.keyClicks(name, "2025001")
    assert len(pairs_listed(school_class)) == 1
    qtbot.keyClick(name, Qt.Key.Key_Escape)
    assert name.text() == ""
    assert len(pairs_listed(school_class)) == 6
    qtbot.keyClick(name, Qt.Key.Key_Escape)
    assert len(pairs_listed(school_class)) == 21

    # a filter for nothing is ended by the button in the table
    click_student(school_class, qtbot, "张敏")
    school_class.pairs_view.filter.text.setText("nobody")
    assert pairs_listed(school_class) == set()
    qtbot.mouseClick(school_class.pairs_view._hint_button, LEFT_BUTTON)
    assert len(pairs_listed(school_class)) == 21


def test_that_a_cell_of_the_heatmap_filters_and_a_double_click_opens_the_pair(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    view = school_class.class_page.maps.map
    first, second = (document_index(school_class, name) for name in ("王伟", "李芳"))
    click_at(view, qtbot, cell_centre(view, first, second))
    assert pairs_listed(school_class) == {frozenset({"王伟", "李芳"})}
    qtbot.mouseDClick(view, LEFT_BUTTON, pos=cell_centre(view, first, second))
    assert school_class.pages.currentWidget() is school_class.compare_view
    assert side_names(school_class) == ["2025001-王伟.txt", "2025002-李芳.txt"]
    school_class.activateWindow()
    qtbot.keyClick(school_class, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert school_class.pages.currentWidget() is school_class.class_page
    assert len(pairs_listed(school_class)) == 21  # the first click of the two no longer filters


def test_that_next_pair_follows_the_filtered_table(school_class: MainWindow, qtbot: QtBot) -> None:
    click_student(school_class, qtbot, "刘洋")
    school_class.activateWindow()
    table = school_class.pairs_view.table
    table.setFocus()
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    for _step in range(5):
        assert "2025004-刘洋.txt" in side_names(school_class)
        qtbot.keyClick(school_class, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert "2025004-刘洋.txt" in side_names(school_class)
    assert not school_class.commands.actions["next_pair"].isEnabled()


def test_that_nothing_looks_like_a_filter_once_it_has_ended(school_class: MainWindow, qtbot: QtBot) -> None:
    bar, view = school_class.pairs_view.filter, school_class.class_page.students
    before = view.viewport().grab().toImage()
    click_student(school_class, qtbot, "张敏")
    qtbot.keyClicks(bar.text, "2025001")
    _magnifier, sign = bar.text.findChildren(QToolButton)
    assert sign.isVisibleTo(bar.text)
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    qtbot.mouseClick(bar.chips.documents, LEFT_BUTTON)
    assert view.viewport().grab().toImage() == before
    qtbot.waitUntil(lambda: sign.property("opacity") == 0, timeout=TIMEOUT_MS)


@pytest.mark.parametrize("role", [DocumentRole.TEMPLATE, DocumentRole.DRAFT])
def test_that_a_document_that_becomes_a_template_or_a_draft_filters_no_longer(
    school_class: MainWindow, role: DocumentRole, qtbot: QtBot
) -> None:
    school_class.workspace.class_filter.show_shares(ShareRange(0.0))
    click_student(school_class, qtbot, "赵娜")
    school_class.workspace.class_state.set_role([document_key(school_class, COPY)], role)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_filter.documents == frozenset()
    assert school_class.workspace.class_filter.shares == ShareRange(0.0)
    assert len(pairs_listed(school_class)) == 15


def test_that_a_document_filters_no_longer_once_another_file_of_the_student_is_chosen(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    click_student(school_class, qtbot, "王伟")
    state = school_class.workspace.class_state
    (student,) = (student for student in state.school.students if student.name == "王伟")
    state.set_role(list(student.files)[1:], DocumentRole.CURRENT)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_filter.is_empty
    assert len(pairs_listed(school_class)) == 21


def test_that_a_removed_document_filters_no_longer(school_class: MainWindow, qtbot: QtBot) -> None:
    click_student(school_class, qtbot, "赵娜")
    entries = school_class.workspace.documents.entries
    school_class.workspace.documents.remove(
        [key for key, entry in entries.items() if entry.path.name == COPY]
    )
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_filter.is_empty
    assert len(pairs_listed(school_class)) == 15


def test_that_both_tables_begin_at_one_height_and_parts_fit_at_any_size(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    # a wide window shows heatmap and graph
    maps = school_class.class_page.maps
    assert not maps.graph.isVisible()
    school_class.resize(1920, 1080)
    qtbot.waitUntil(lambda: maps.graph.isVisible() and maps.map.isVisible())
    assert not maps.map_button.isVisible()

    # both tables begin at one height and the rows are divided at one place
    page = school_class.class_page
    for size in ((1060, 600), (1366, 768), (1920, 1080)):
        school_class.resize(*size)
        settle_class_page(school_class, qtbot)
        qtbot.waitUntil(lambda: page._rows[0].sizes() == page._rows[1].sizes(), timeout=TIMEOUT_MS)
        views = (page.students, page.pairs.table)
        qtbot.waitUntil(lambda views=views: len({view.mapTo(page, QPoint()).y() for view in views}) == 1)

    # a window in which nothing is folded leaves names their width
    school_class.resize(1024, 600)
    page = school_class.class_page
    qtbot.waitUntil(lambda: page._rows[0].sizes() == page._rows[1].sizes())
    metrics = page.fontMetrics()
    for view, column in ((page.pairs.table, PairColumn.B), (page.students, StudentColumn.NEAREST)):
        assert view.columnWidth(column) >= metrics.horizontalAdvance("司马相如") + 16
    qtbot.waitUntil(lambda: page.histogram.histogram._area.height() >= 40)


def test_that_figures_are_grey_and_called_provisional_while_the_class_is_read(
    school_class: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    page, table = school_class.class_page, school_class.pairs_view.table
    share = table.model().index(0, PairColumn.SHARE_A)
    school_class.resize(2600, 900)  # bars are shown also with a wide font
    qtbot.waitUntil(lambda: table.bar_px > 0)

    def inks() -> set[str]:
        cell = table.viewport().grab(table.visualRect(share)).toImage()
        return {cell.pixelColor(x, y).name() for x in range(cell.width()) for y in range(cell.height())}

    count = school_class.pairs_view.filter._count
    assert "provisional" not in count.text()
    assert current_theme().accent in inks()
    with monkeypatch.context() as held:
        held.setattr(DocumentStore, "is_listing", True)
        school_class.workspace.progress_changed.emit()
        qtbot.waitUntil(lambda: page.students.is_provisional)
        assert school_class.compare_view.header._left._share.property("provisional")
        assert count.text() == "21 pairs · provisional"
        assert page._student_count.text() == "Students · provisional"
        assert current_theme().accent not in inks()
        assert "Provisional" in share.data(Qt.ItemDataRole.ToolTipRole)
        assert "provisional" in share.data(Qt.ItemDataRole.AccessibleTextRole)
    school_class.workspace.progress_changed.emit()
    qtbot.waitUntil(lambda: not page.students.is_provisional)
    assert count.text() == "21 pairs"
    assert current_theme().accent in inks()


def test_that_ten_pairs_are_listed_on_a_laptop(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.resize(1366, 768)
    settle_class_page(school_class, qtbot)
    table = school_class.pairs_view.table
    below = table.rowAt(table.viewport().height() - 1)
    assert below == -1 or below >= 10  # the last one may be seen in part


def test_that_three_documents_have_a_class_page(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.documents.remove([4])
    settle_class_page(four, qtbot)
    assert four.class_page.maps.map._cells.shape == (3, 3)
    assert students(four)[0] in {"a.txt", "b.txt"}


def test_that_all_that_takes_the_focus_has_a_name(school_class: MainWindow, qtbot: QtBot) -> None:
    click_student(school_class, qtbot, "王伟")
    for language in ("en", "zh"):
        school_class.use_language(language)
        stops = [stop for stop in tab_stops(school_class.class_page) if stop.isVisible()]
        assert school_class.class_page.maps.map in stops
        names = [QAccessible.queryAccessibleInterface(stop).text(QAccessible.Text.Name) for stop in stops]
        assert all(name.strip() for name in names)


def test_that_the_title_names_the_class_and_no_pair_before_one_is_open(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    assert school_class.windowTitle() == f"{tmp_path.name} – Class[*] – simcompare"
    assert shown_sides(school_class) == []
    qtbot.mouseClick(school_class.page_switch.compare_button, LEFT_BUTTON)
    settle_class_page(school_class, qtbot)
    assert "↔" in school_class.windowTitle()
    assert shown_sides(school_class) == ["left", "right"]
    qtbot.mouseClick(school_class.page_switch.pairs_button, LEFT_BUTTON)
    assert "↔" not in school_class.windowTitle()
    school_class.pages.show_library()
    assert school_class.windowTitle() == "Library[*] – simcompare"
    school_class.pages.show_pairs()
    assert shown_sides(school_class) == ["left", "right"]  # this pair is open now


def test_that_long_reading_is_told_in_hours() -> None:
    assert [reading_time(minutes) for minutes in (1, 119, 120, 1700)] == ["1 min", "119 min", "2 h", "28 h"]


def test_that_a_class_leads_from_its_unusual_pair_to_the_export(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    page, review = school_class.class_page, school_class.workspace.review
    lead = page.histogram.lead_button
    qtbot.waitUntil(lead.isVisible, timeout=TIMEOUT_MS)
    assert re.fullmatch(r"Read 1 pair · \d+ min", lead.text())
    school_class.activateWindow()
    for given in (page.pairs.filter.findChildren(QLineEdit)[0], page.histogram.count_button):
        given.setFocus()
        qtbot.keyClick(given, Qt.Key.Key_Return)
        assert not school_class.pages.shows_compare
    page.students.setFocus()
    qtbot.keyClick(page, Qt.Key.Key_Return)
    wait_for_comparison(school_class, qtbot)
    assert school_class.pages.shows_compare
    assert {name.split("-")[-1] for name in side_names(school_class)} == {"王伟.txt", COPY.split("-")[-1]}
    found = school_class.workspace.passages
    longest = np.minimum(found.left_units, found.right_units).argmax()
    assert school_class.workspace.selection.passage == longest

    school_class.compare_view.header.decision_bar.toggle(Decision.COPIED)
    told = "All decided. 1 unusual pair: 1 as copied."
    assert school_class.notice.shows(told)
    school_class.workspace.history.undo()
    assert not school_class.notice.shows(told)
    school_class.compare_view.header.decision_bar.toggle(Decision.COPIED)
    assert school_class.notice.shows(told)
    qtbot.mouseClick(school_class.notice.also_button, LEFT_BUTTON)
    assert school_class.pages.currentWidget() is page
    assert school_class.notice.isHidden(), "the class offers the export itself"
    qtbot.waitUntil(lambda: lead.text() == "Export…", timeout=TIMEOUT_MS)
    qtbot.mouseClick(lead, LEFT_BUTTON)
    dialog = school_class.findChild(ExportDialog)
    assert dialog is not None
    dialog.reject()
    assert review.pairs()

    usual = school_class.workspace.pairs.table.rows[["left", "right"]].tolist()
    school_class.workspace.documents.choose_pair(*next(pair for pair in usual if pair not in review.pairs()))
    wait_for_comparison(school_class, qtbot)
    school_class.compare_view.header.decision_bar.toggle(Decision.FINE)
    assert school_class.notice.isHidden()


def test_that_one_document_invites_the_second(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    invitation = window.compare_view.panes[Side.RIGHT]._invitation
    for number, is_shown in ((1, True), (2, False)):
        window.workspace.documents.add([essay(f"{number}.txt", OTHER_TEXT)])
        qtbot.waitUntil(lambda is_shown=is_shown: invitation.isVisible() is is_shown, timeout=TIMEOUT_MS)


def test_that_an_empty_text_and_matrix_say_what_they_wait_for(
    window: MainWindow, essay: Essay, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    view, said = window.compare_view, []
    say = TextPane.say

    def listen(pane: TextPane, words: str, *, is_invitation: bool) -> None:
        said.append((words, view.heatmap.empty_words()))
        say(pane, words, is_invitation=is_invitation)

    monkeypatch.setattr(TextPane, "say", listen)
    window.workspace.documents.add([essay("0.txt", OTHER_TEXT)])
    assert said[0] == ("Reading 0.txt…", "Reading the text…")
    window.workspace.documents.add([essay("1.txt", OTHER_TEXT)])
    wait_for_comparison(window, qtbot)
    assert ("Reading 1.txt…", "Reading the texts…") in said
    assert said[-1][0] == ""
    assert not any(pane._invitation.isVisible() for pane in view.panes.values())


def test_that_filters_that_become_known_late_leave_the_students_their_width(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    page, bar = school_class.class_page, school_class.pairs_view.filter
    school_class.resize(1178, 700)
    for count in (0, 3):
        bar.show_facts(count, count)
        bar.show_groups(school_class.pairs_view._rows.groups if count else [])
        settle_class_page(school_class, qtbot)
        left, right = page._rows[1].sizes()
        assert left == pytest.approx((left + right) * 10 / 25, abs=2)
        assert bar.group.isVisible()
