"""The page of a class: views that filter each other, students, what is unusual."""

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QAbstractItemView, QToolButton
from pytestqt.qtbot import QtBot

from simcompare.cohort.class_check import DocumentRole
from simcompare.session.decisions import Decision
from simcompare.ui.cohort.overview.histogram_panel import HistogramPanel
from simcompare.ui.cohort.overview.student_rows import StudentColumn
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.documents.document_rows import ROW_ROLE
from simcompare.ui.main_window import MainWindow, tab_stops
from simcompare.ui.style.appearance import current_theme
from tests.gui.class_pictures import cell_centre, click_at
from tests.gui.class_samples import ABSENT, ESSAYS, NAMES, class_text, write_class, write_draft, write_roster
from tests.gui.document_rows import view as list_view
from tests.gui.loading_samples import write_docx_with_white_text
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells, settle, side_names

COPY = "2025007-赵娜.txt"


@pytest.fixture
def school_class(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with six students, one of whom has a draft, and a seventh who has copied from the first."""
    paths = write_class(tmp_path)
    copy = tmp_path / COPY
    copy.write_text(paths[0].read_text("utf-8"), "utf-8")
    window.workspace.documents.add([*paths, write_draft(tmp_path), copy])
    settle_class_page(window, qtbot)
    return window


def settle_class_page(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until everything is compared and shown."""
    settle(window, qtbot)
    page = window.class_page
    qtbot.waitUntil(
        lambda: not page._update_delay.isActive() and not page._stepping.isActive(), timeout=TIMEOUT_MS
    )


def students(window: MainWindow, column: StudentColumn = StudentColumn.STUDENT) -> list[str]:
    model = window.class_page.students.rows
    return [str(model.index(row, column).data()) for row in range(len(model.rows))]


def click_student(window: MainWindow, qtbot: QtBot, name: str) -> None:
    view = window.class_page.students
    place = view.visualRect(view.rows.index(students(window).index(name), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=place)


def pairs_listed(window: MainWindow) -> set[frozenset[str]]:
    both = zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True)
    return {frozenset(pair) for pair in both}


def document_index(window: MainWindow, name: str) -> int:
    picture = window.class_page._picture
    assert picture is not None
    return picture.labels.index(name)


def document_key(window: MainWindow, file_name: str) -> int:
    entries = window.workspace.documents.entries
    return next(key for key, entry in entries.items() if entry.path.name == file_name)


def shown_sides(window: MainWindow) -> list[str]:
    rows = list_view(window.sidebar.documents).model()
    sides = [rows.index(row, 0).data(ROW_ROLE).side for row in range(rows.rowCount())]
    return sorted(filter(None, sides))


def limit_place(panel: HistogramPanel, share: float) -> QPoint:
    return QPoint(round(panel.histogram.x_of(share)), panel.histogram.height() // 2)


def test_that_a_class_opens_with_its_page(school_class: MainWindow) -> None:
    assert school_class.pages.currentWidget() is school_class.class_page
    page = school_class.class_page
    assert page.histogram.isVisible()
    assert page.maps.map.isVisible()
    assert len(pairs_listed(school_class)) == 21  # of seven students; the draft has no pairs


def test_that_students_are_listed_with_highest_share_nearest_and_files(school_class: MainWindow) -> None:
    assert set(students(school_class)[:2]) == {"王伟", "赵娜"}
    assert set(students(school_class)) == {*NAMES[:6], "赵娜"}
    row = students(school_class).index("王伟")
    assert students(school_class, StudentColumn.HIGHEST)[row] == "100 %"
    assert students(school_class, StudentColumn.NEAREST)[row] == "赵娜"
    assert students(school_class, StudentColumn.FILES)[row] == "2 files"
    alone = students(school_class, StudentColumn.HIGHEST).index("0 %")
    assert students(school_class, StudentColumn.NEAREST)[alone] == "–"
    others = students(school_class, StudentColumn.FILES)
    assert others[:row] + others[row + 1 :] == [""] * 6


def test_that_decisions_are_counted_by_student(school_class: MainWindow, qtbot: QtBot) -> None:
    review, pair = school_class.workspace.review, school_class.pairs_view._rows.pair_at(0)
    review.decide_pair(*pair, Decision.COPIED)
    settle_class_page(school_class, qtbot)
    assert students(school_class, StudentColumn.DECISIONS)[:3] == ["1 copied", "1 copied", ""]


def test_that_a_click_on_a_student_lists_their_pairs_and_a_chip_ends_it(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    click_student(school_class, qtbot, "张敏")
    assert pairs_listed(school_class) == {frozenset({"张敏", name}) for name in students(school_class)} - {
        frozenset({"张敏"})
    }
    chip = school_class.pairs_view.filter.chips.documents
    assert "张敏" in chip.text()
    assert "张敏" in chip.accessibleName()
    qtbot.mouseClick(chip, LEFT_BUTTON)
    assert len(pairs_listed(school_class)) == 21
    assert not chip.isVisible()


def test_that_enter_on_a_student_filters_and_escape_lists_all(school_class: MainWindow, qtbot: QtBot) -> None:
    view = school_class.class_page.students
    school_class.activateWindow()
    view.setFocus()
    view.setCurrentIndex(view.rows.index(students(school_class).index("陈静"), 0))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert len(pairs_listed(school_class)) == 6
    qtbot.keyClick(view, Qt.Key.Key_Escape)
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
    assert page.maps.graph.summary == "2 essays linked · 5 without a link"
    node = page.maps.graph._point_of(document_index(school_class, "王伟")).toPoint()
    click_at(page.maps.graph, qtbot, node)
    assert len(pairs_listed(school_class)) == 6


def test_that_the_number_of_pairs_above_the_limit_lists_them(school_class: MainWindow, qtbot: QtBot) -> None:
    panel = school_class.class_page.histogram
    for _step in range(9):
        qtbot.keyClick(panel.histogram, Qt.Key.Key_PageUp)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_state.limit == 1
    assert panel.count_button.text() == "1 pair"
    qtbot.mouseClick(panel.count_button, LEFT_BUTTON)
    assert pairs_listed(school_class) == {frozenset({"王伟", "赵娜"})}
    assert "100 % or more" in school_class.pairs_view.filter.chips.shares.text()
    qtbot.mouseClick(panel.proposed_button, LEFT_BUTTON)
    settle_class_page(school_class, qtbot)
    assert school_class.workspace.class_state.chosen_limit is None
    assert "12 % or more" in school_class.pairs_view.filter.chips.shares.text()
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
    assert panel.proposed_button.text() == "proposed limit 12 %: 2 pairs"
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
    assert said - {""} <= {"Not all pairs are compared yet: no conclusion.", "Students", "6 students"}
    assert "Not all pairs are compared yet: no conclusion." in said
    assert page.histogram.verdict.text().startswith("Nothing unusual")
    assert page.histogram.alarms.text() != ""


def test_that_escape_clears_the_name_and_then_lists_all(school_class: MainWindow, qtbot: QtBot) -> None:
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


def test_that_nothing_looks_like_a_filter_once_it_has_ended(school_class: MainWindow, qtbot: QtBot) -> None:
    bar, view = school_class.pairs_view.filter, school_class.class_page.students
    before = view.viewport().grab().toImage()
    click_student(school_class, qtbot, "张敏")
    qtbot.keyClicks(bar.text, "2025001")
    sign = bar.text.findChild(QToolButton)
    assert sign.isVisibleTo(bar.text)
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    qtbot.mouseClick(bar.chips.documents, LEFT_BUTTON)
    assert view.viewport().grab().toImage() == before
    qtbot.waitUntil(lambda: sign.property("opacity") == 0, timeout=TIMEOUT_MS)


def test_that_a_filter_for_nothing_is_ended_by_the_button_in_the_table(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    click_student(school_class, qtbot, "张敏")
    school_class.pairs_view.filter.text.setText("nobody")
    assert pairs_listed(school_class) == set()
    qtbot.mouseClick(school_class.pairs_view._hint_button, LEFT_BUTTON)
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


def test_that_students_who_have_not_handed_in_unfold(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    school_class.workspace.class_state.use_roster(write_roster(tmp_path, 7))
    qtbot.waitUntil(lambda: bool(school_class.workspace.class_state.missing), timeout=TIMEOUT_MS)
    settle_class_page(school_class, qtbot)
    view = school_class.class_page.students
    group = view.rows.index(len(view.rows.rows), 0)
    assert "Not handed in (1)" in group.data()
    assert not view.isExpanded(group)
    assert school_class.class_page.missing_button.text() == "1 not handed in"
    qtbot.mouseClick(school_class.class_page.missing_button, LEFT_BUTTON)
    assert view.isExpanded(group)
    place = view.visualRect(view.rows.index(0, 0, group))
    assert view.viewport().rect().contains(place)
    view.collapse(group)
    view.scrollTo(group)
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=view.visualRect(group).center())
    assert view.isExpanded(group)
    assert ABSENT in view.rows.index(0, 0, group).data()
    school_class.workspace.review.decide_pair(1, 2, Decision.FINE)
    settle_class_page(school_class, qtbot)
    assert view.isExpanded(view.rows.index(len(view.rows.rows), 0, QModelIndex()))


def test_that_the_list_of_students_is_sorted_by_its_headings(school_class: MainWindow, qtbot: QtBot) -> None:
    header = school_class.class_page.students.header()
    place = QPoint(header.sectionViewportPosition(StudentColumn.STUDENT) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    assert students(school_class) == [*NAMES[:6], "赵娜"]  # by number
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    assert students(school_class) == ["赵娜", *NAMES[5::-1]]


def test_that_the_table_says_how_unusual_a_pair_is(school_class: MainWindow) -> None:
    assert cells(school_class, PairColumn.UNUSUAL)[0].endswith("×")
    model = school_class.pairs_view.table.model()
    tip = model.index(0, PairColumn.UNUSUAL).data(Qt.ItemDataRole.ToolTipRole)
    assert "times the class" in tip
    assert cells(school_class, PairColumn.A)[0] == "王伟"
    tip = model.index(0, PairColumn.A).data(Qt.ItemDataRole.ToolTipRole)
    assert "2025001-王伟.txt" in tip


def test_that_pairs_are_found_by_the_number_of_a_student(school_class: MainWindow) -> None:
    school_class.pairs_view.filter.text.setText("2025003")
    assert len(pairs_listed(school_class)) == 6
    assert all("张敏" in pair for pair in pairs_listed(school_class))


def test_that_a_wide_window_shows_heatmap_and_graph(school_class: MainWindow, qtbot: QtBot) -> None:
    maps = school_class.class_page.maps
    assert not maps.graph.isVisible()
    school_class.resize(1920, 1080)
    qtbot.waitUntil(lambda: maps.graph.isVisible() and maps.map.isVisible())
    assert not maps.map_button.isVisible()


def test_that_three_documents_have_a_class_page(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.documents.remove([4])
    settle_class_page(four, qtbot)
    assert four.class_page.maps.map._cells.shape == (3, 3)
    assert students(four)[0] in {"a.txt", "b.txt"}


def test_that_the_smallest_window_leaves_names_their_width(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.resize(school_class.minimumSize())
    page = school_class.class_page
    qtbot.waitUntil(lambda: page._rows[0].sizes() == page._rows[1].sizes())
    metrics = page.fontMetrics()
    for view, column in ((page.pairs.table, PairColumn.B), (page.students, StudentColumn.NEAREST)):
        assert view.columnWidth(column) >= metrics.horizontalAdvance("司马相如") + 16
    assert page.histogram.histogram._area.height() >= 40


def test_that_all_that_takes_the_focus_has_a_name(school_class: MainWindow, qtbot: QtBot) -> None:
    click_student(school_class, qtbot, "王伟")
    for language in ("en", "zh"):
        school_class.use_language(language)
        stops = [stop for stop in tab_stops(school_class.class_page) if stop.isVisible()]
        assert school_class.class_page.maps.map in stops
        names = [QAccessible.queryAccessibleInterface(stop).text(QAccessible.Text.Name) for stop in stops]
        assert all(name.strip() for name in names)


def test_that_escape_in_the_table_lists_all_pairs(school_class: MainWindow, qtbot: QtBot) -> None:
    click_student(school_class, qtbot, "李芳")
    assert len(pairs_listed(school_class)) == 6
    qtbot.keyClick(school_class.pairs_view.table, Qt.Key.Key_Escape)
    assert len(pairs_listed(school_class)) == 21


def test_that_the_title_names_the_class_and_no_pair_that_nobody_chose(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    assert school_class.windowTitle() == f"{tmp_path.name} – Class[*] – simcompare"
    assert shown_sides(school_class) == []
    qtbot.mouseClick(school_class.page_switch.compare_button, LEFT_BUTTON)
    assert "↔" in school_class.windowTitle()
    assert shown_sides(school_class) == ["left", "right"]
    qtbot.mouseClick(school_class.page_switch.pairs_button, LEFT_BUTTON)
    assert "↔" not in school_class.windowTitle()
    assert shown_sides(school_class) == []


def test_that_a_text_to_check_is_marked_at_the_name_of_its_student(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    doubtful = write_docx_with_white_text(tmp_path / "2025008-黄强.docx")
    school_class.workspace.documents.add([doubtful])
    settle_class_page(school_class, qtbot)
    assert key_is_doubtful(school_class, doubtful.name)
    rows, place = school_class.class_page.students.rows, students(school_class).index("黄强")
    name = rows.index(place, StudentColumn.STUDENT)
    assert "to check" in name.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "white" in name.data(Qt.ItemDataRole.ToolTipRole)
    school_class.class_page.students.scrollTo(name)
    assert has_colour(school_class.class_page.students, name, current_theme().caution)
    other = rows.index(students(school_class).index("李芳"), StudentColumn.STUDENT)
    school_class.class_page.students.scrollTo(other)
    assert not has_colour(school_class.class_page.students, other, current_theme().caution)
    table = school_class.pairs_view.table
    row = cells(school_class, PairColumn.B).index("黄强")
    index = table.model().index(row, PairColumn.B)
    table.scrollTo(index)
    assert "white" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert has_colour(table, index, current_theme().caution)
    assert not has_colour(table, index.siblingAtColumn(PairColumn.A), current_theme().caution)


def key_is_doubtful(window: MainWindow, file_name: str) -> bool:
    return window.workspace.documents.entries[document_key(window, file_name)].is_doubtful


def has_colour(view: QAbstractItemView, index: QModelIndex, colour: str) -> bool:
    """Return whether a cell has a pixel of nearly a colour."""
    image = view.viewport().grab(view.visualRect(index)).toImage()
    wanted = QColor(colour)
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return any(
        max(abs(a - b) for a, b in zip(pixel.getRgb()[:3], wanted.getRgb()[:3], strict=True)) < 24
        for pixel in pixels
    )
