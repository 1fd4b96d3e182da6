"""The list of the students of a class: figures, decisions, missing students, texts to check."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QLabel
from pytestqt.qtbot import QtBot

from simcompare.report.class_report.class_view import counts_of
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.cohort.class_table import SIDE_PX
from simcompare.ui.cohort.overview.student_list import StudentColumn, StudentList, StudentListRow
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.documents.document_list import ProblemMenu
from simcompare.ui.export.workspace_sources import class_snapshot
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.theme import current_theme
from tests.gui.anonymous_exports import open_anonymous
from tests.gui.class_samples import ABSENT, ESSAYS, NAMES, class_text, write_roster
from tests.gui.class_windows import (
    COPY,
    click_student,
    document_key,
    pairs_listed,
    settle_class_page,
    students,
)
from tests.gui.loading_samples import write_docx_with_white_text
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS, cells, pair_at
from tests.gui.pixels import rgb_of

NO_KEY = Qt.KeyboardModifier.NoModifier
ESSAY = "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去。"


def test_that_students_are_listed_sorted_and_chosen(school_class: MainWindow, qtbot: QtBot) -> None:
    # students are listed with highest share nearest and files
    assert set(students(school_class)[:2]) == {"王伟", "赵娜"}
    assert set(students(school_class)) == {*NAMES[:6], "赵娜"}
    row = students(school_class).index("王伟")
    assert students(school_class, StudentColumn.HIGHEST)[row] == "100%"
    assert students(school_class, StudentColumn.NEAREST)[row] == "赵娜"
    assert students(school_class, StudentColumn.FILES)[row] == "2 files"
    alone = students(school_class, StudentColumn.HIGHEST).index("0%")
    assert students(school_class, StudentColumn.NEAREST)[alone] == "–"
    others = students(school_class, StudentColumn.FILES)
    assert others[:row] + others[row + 1 :] == [""] * 6

    # a click on a student lists their pairs and a chip ends it
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

    # enter on a student filters and escape lists all
    view = school_class.class_page.students
    school_class.activateWindow()
    view.setFocus()
    view.setCurrentIndex(view.model().index(students(school_class).index("陈静"), 0))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert len(pairs_listed(school_class)) == 6
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert len(pairs_listed(school_class)) == 21

    # the list of students is sorted by its headings
    header = school_class.class_page.students.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(StudentColumn.STUDENT) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    assert students(school_class) == [*NAMES[:6], "赵娜"]  # by number
    qtbot.mouseClick(header.viewport(), LEFT_BUTTON, pos=place)
    assert students(school_class) == ["赵娜", *NAMES[5::-1]]


def test_that_no_heading_is_cut_off_and_decisions_have_a_column_once_there_are_some(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    # no heading is cut off and empty columns take no width
    view = school_class.class_page.students
    metrics = view.fontMetrics()
    narrowest_px = 14 * metrics.horizontalAdvance("Most similar")  # more for a wide font
    for size in ((max(1024, narrowest_px), 640), (max(1280, narrowest_px), 720), (1920, 1080)):
        school_class.resize(*size)
        qtbot.waitUntil(lambda size=size: school_class.width() == size[0] and view.width() > size[0] // 5)
        for column in visible_columns(school_class):
            heading = str(view.model().headerData(column, Qt.Orientation.Horizontal))
            assert metrics.horizontalAdvance(heading) < view.columnWidth(column)

    # a decision moves no column
    school_class.resize(1920, 1080)
    qtbot.waitUntil(lambda: StudentColumn.DECISIONS in visible_columns(school_class))
    widths = [view.columnWidth(column) for column in visible_columns(school_class)]
    review, pair = school_class.workspace.review, pair_at(school_class, 0)
    review.decide_pair(*pair, Decision.COPIED)

    # decisions are counted by student
    settle_class_page(school_class, qtbot)
    assert students(school_class, StudentColumn.DECISIONS)[:3] == ["1 copied", "1 copied", ""]
    assert [view.columnWidth(column) for column in visible_columns(school_class)] == widths


def test_that_students_who_have_not_handed_in_unfold(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    school_class.workspace.class_state.use_roster(write_roster(tmp_path, 7))
    qtbot.waitUntil(lambda: bool(school_class.workspace.class_state.school.missing), timeout=TIMEOUT_MS)
    settle_class_page(school_class, qtbot)
    view = school_class.class_page.students
    folded, unfolded = ["▸ Not handed in (1)"], ["▾ Not handed in (1)", f"\N{EM SPACE}{ABSENT} 2025008"]
    assert lines_below(school_class) == folded
    assert school_class.class_page.missing_button.text() == "1 not handed in"
    # the window and the report have one number of students
    counted = counts_of(class_snapshot(school_class.workspace).check(with_notes=False), 7)[0][1]
    assert school_class.class_page._student_count.text() == f"{counted} students" == "8 students"
    qtbot.mouseClick(school_class.class_page.missing_button, LEFT_BUTTON)
    assert lines_below(school_class) == unfolded
    absent = view.model().index(view.model().rowCount() - 1, 0)
    assert view.viewport().rect().contains(view.visualRect(absent))
    assert view.visualRect(absent).width() > view.viewport().width() * 0.9, "across all columns"
    assert absent.data(Qt.ItemDataRole.AccessibleTextRole) == f"{ABSENT} 2025008"
    for shown in (folded, unfolded):
        group = view.model().index(len(students(school_class)), 0)
        view.scrollTo(group)
        qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=view.visualRect(group).center())
        assert lines_below(school_class) == shown
        assert view.currentIndex().row() == group.row()
    school_class.workspace.review.decide_pair(1, 2, Decision.FINE)
    settle_class_page(school_class, qtbot)
    assert lines_below(school_class) == unfolded


def lines_below(window: MainWindow) -> list[str]:
    """Texts of the rows below the students."""
    model = window.class_page.students.model()
    rows = range(len(students(window)), model.rowCount())
    return [model.index(row, 0).data() for row in rows]


def test_that_a_text_to_check_is_marked_at_the_name_of_its_student(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    doubtful = write_docx_with_white_text(tmp_path / "2025008-黄强.docx")
    school_class.workspace.documents.add([doubtful])
    settle_class_page(school_class, qtbot)
    assert key_is_doubtful(school_class, doubtful.name)
    rows, place = school_class.class_page.students.model(), students(school_class).index("黄强")
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


def test_that_a_student_whose_only_file_could_not_be_read_keeps_a_row(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    empty, picture = tmp_path / "2025008-黄强.txt", tmp_path / "2025009-何琳.jpg"
    attachment, nobody = tmp_path / "2025001-王伟-附图.jpg", tmp_path / "IMG_0001.jpg"
    for path in (empty, picture, attachment, nobody):
        path.write_bytes(b"")
    school_class.workspace.documents.add([empty, picture, attachment, nobody])
    settle_class_page(school_class, qtbot)
    shown = dict(zip(students(school_class), students(school_class, StudentColumn.FILES), strict=True))
    assert shown.keys() == {*NAMES[:6], "赵娜", "黄强", "何琳"}
    assert (shown["黄强"], shown["何琳"]) == ("could not be read", "could not be read")
    assert shown["王伟"] == "3 files, 1 could not be read"
    row = students(school_class).index("黄强")
    for column in (StudentColumn.HIGHEST, StudentColumn.NEAREST, StudentColumn.RARE_TEXT):
        assert students(school_class, column)[row] == "–"
    assert school_class.class_page._student_count.text() == "9 students · the files of 2 could not be read"
    name = school_class.class_page.students.model().index(row, StudentColumn.STUDENT)
    assert f"{empty.name} is empty" in name.data(Qt.ItemDataRole.ToolTipRole)

    # it has no sources, but a reason
    view = school_class.class_page.students
    view.setCurrentIndex(name)
    view.sources_action.trigger()
    assert not school_class.pages.shows_sources
    assert f"{empty.name} is empty" in school_class.notice.label.text()


def test_that_the_student_with_the_smaller_share_of_an_unusual_pair_is_not_dimmed(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    longer = tmp_path / "2025008-黄强.txt"
    longer.write_text(class_text("\n".join([ESSAYS[3], *ESSAYS[8:]])), "utf-8")
    school_class.workspace.documents.add([longer])
    school_class.workspace.class_state.set_limit(0.9)
    settle_class_page(school_class, qtbot)
    rows = {row.label: row for row in school_class.class_page.students.model_of_rows.rows}
    assert rows["黄强"].highest < 0.8
    assert [name for name, row in rows.items() if row.is_unusual] == ["王伟", "赵娜", "刘洋", "黄强"]


def key_is_doubtful(window: MainWindow, file_name: str) -> bool:
    return window.workspace.documents.entries[document_key(window, file_name)].is_doubtful


def has_colour(view: QAbstractItemView, index: QModelIndex, colour: str) -> bool:
    """Return whether a cell has a pixel of nearly a colour."""
    image = view.viewport().grab(view.visualRect(index)).toImage()
    wanted = QColor(colour).getRgb()[:3]
    return bool((np.abs(rgb_of(image) - wanted).max(axis=2) < 24).any())


def visible_columns(window: MainWindow) -> list[StudentColumn]:
    view = window.class_page.students
    return [column for column in StudentColumn if not view.isColumnHidden(column)]


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_the_menu_of_unread_files_names_their_students(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    bodies = ("渔船慢慢地从芦苇旁边划过去。", "老师吹响了哨子，比赛马上开始。", "城里的街道总是很吵。", "")
    names = ("王伟_1201_assignsubmission_file", "李芳_1202_assignsubmission_file")
    names += ("张敏_1203_assignsubmission_file", "刘洋_1204_assignsubmission_file")
    for name, body in zip(names, bodies, strict=True):
        (tmp_path / name).mkdir()
        (tmp_path / name / "作文.txt").write_text(body, "utf-8")
    window.workspace.documents.add([tmp_path])
    settle_class_page(window, qtbot)
    menu = window.findChild(ProblemMenu)
    menu.open_at(window.status_line.problems_button)
    (action,) = menu.actions()
    assert "刘洋" in action.text().split("\t")[0]
    assert "作文.txt" in action.text()
    menu.hide()


def test_that_a_student_has_the_written_name_and_a_mark_if_there_is_another(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    texts = {
        "20250003-张敏之": "",
        "20250030-萧敏之": "姓名：张敏之\n学号：20250003\n",
        "20250012-孙杰": "张敏之说：\n",
    }
    paths = [tmp_path / f"{name}.txt" for name in texts]
    for path, opening, body in zip(paths, texts.values(), (ESSAYS[0], ESSAYS[0], ESSAYS[1]), strict=True):
        path.write_text(opening + body, "utf-8")
    window.workspace.documents.add(paths)
    settle_class_page(window, qtbot)
    assert set(students(window)) == {"张敏之", "萧敏之", "孙杰"}
    assert frozenset({"张敏之", "萧敏之"}) in pairs_listed(window)
    model = window.class_page.students.model()
    index = model.index(students(window).index("萧敏之"), 0)
    assert "Another name in the file or the class list: 张敏之" in index.data(Qt.ItemDataRole.ToolTipRole)
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert ["to check" in text for text in spoken].count(True) == 1


def test_that_students_of_one_name_are_told_apart_and_have_a_pseudonym_each(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    names = ("A/Smith, Emma.txt", "B/Smith, Emma.txt", "C/Emma Smith 20250003.txt")
    for name in names:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(f"{ESSAY * 3}{name[0]}", "utf-8")
    window.workspace.documents.add([tmp_path / name for name in names])
    qtbot.waitUntil(lambda: len(window.workspace.pairs.table) == len(names), timeout=TIMEOUT_MS)
    settle_class_page(window, qtbot)
    assert sorted(students(window)) == [*names[:2], "Emma Smith 20250003"]
    dialog = open_anonymous(window, qtbot)
    pseudonyms = dialog.names.pseudonyms
    assert pseudonyms is not None
    owners = [pseudonyms.owner_of(tmp_path / name) for name in names]
    assert sorted(owner.number for owner in owners if owner is not None) == [1, 2, 3]


def test_that_a_share_before_decisions_has_space_in_whichever_row_it_is(qtbot: QtBot) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    usual = [StudentListRow(f"{key}", f"{key}", "", (key,), 0.5, 0.5, "0") for key in range(150)]
    decided = StudentListRow("last", "last", "", (150,), 0.031, 0.62, "0")
    listed.show_students([*usual, decided], [], has_library=False)
    index = listed.model().index(150, StudentColumn.HIGHEST)
    assert index.data() == "62 → 3.1%"
    assert listed.columnWidth(index.column()) > QFontMetrics(listed.font()).horizontalAdvance(index.data())


@pytest.mark.parametrize(
    ("share", "nearest", "words"),
    [(0.0, "高翔", "高翔, possibly rewritten"), (0.05, "王伟", "王伟, possibly rewritten: 高翔")],
)
def test_that_only_without_a_share_the_partner_is_whose_text_was_possibly_rewritten(
    share: float, nearest: str, words: str, qtbot: QtBot
) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    row = StudentListRow("1", "李芳", "", (1,), share, share, "王伟", limit=0.12, rewritten="高翔")
    listed.show_students([row], (), has_library=False)
    cell = listed.model_of_rows.index(0, StudentColumn.NEAREST)
    assert cell.data() == nearest
    assert words in cell.data(Qt.ItemDataRole.AccessibleTextRole)


def test_that_students_who_are_not_on_the_class_list_are_counted(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    school_class.workspace.class_state.use_roster(write_roster(tmp_path, 5))

    def titles() -> list[str]:
        return [label.text() for label in school_class.class_page.findChildren(QLabel, "panelTitle")]

    qtbot.waitUntil(lambda: "7 students · 2 not on the class list" in titles(), timeout=TIMEOUT_MS)


def test_that_a_share_has_its_own_partner_even_where_more_text_was_possibly_rewritten(qtbot: QtBot) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    row = StudentListRow("1", "Zara Hussain", "", (1,), 0.2, 0.2, "D. Kowalski", rewritten="S. Adeyemi")
    listed.show_students([row], (), has_library=False)
    cell = listed.model_of_rows.index(0, StudentColumn.NEAREST)
    assert cell.data() == "D. Kowalski"
    assert "possibly rewritten: S. Adeyemi" in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_that_in_a_narrow_list_surnames_are_whole_rather_than_shares_in_the_library(qtbot: QtBot) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    row = StudentListRow("1", "Emma Clarke", "", (1,), 0.63, 0.71, "Jack Robinson", in_library=0.0)
    listed.show_students([row], (), has_library=True)
    for width_px in (280, 440):
        listed.resize(width_px, 200)
        listed.show()
        advance = QFontMetrics(listed.font()).horizontalAdvance
        assert listed.columnWidth(StudentColumn.NEAREST) >= advance("Robinson") + 2 * SIDE_PX
        assert not listed.isColumnHidden(StudentColumn.HIGHEST), "the figure that people read"
    for column in (StudentColumn.RARE_TEXT, StudentColumn.LIBRARY):
        assert not listed.isColumnHidden(column), "with space for all"


def test_that_a_table_names_all_persons_in_one_form(qtbot: QtBot) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    people = ("Emma Clarke", "Fay Robinson", "Lou Ng")
    rows = [
        StudentListRow(f"{place}", each, "", (place,), 0.6, 0.7, people[place - 1])
        for place, each in enumerate(people)
    ]
    listed.show_students(rows, (), has_library=False)
    listed.resize(900, 200)
    listed.show()
    advance = QFontMetrics(listed.font()).horizontalAdvance
    beside_px = listed.margins_px
    shown = []
    for width in ("Fay W. Robinson", "F. Robinson", "Robinson"):
        for column in (StudentColumn.STUDENT, StudentColumn.NEAREST):
            listed.setColumnWidth(column, advance(width) + beside_px)
        shown.append([listed.form_of_names(each) for each in (*people, "essay.docx")])
    assert shown == [
        [*people, "essay.docx"],
        ["E. Clarke", "F. Robinson", "L. Ng", "essay.docx"],
        ["Clarke", "Robinson", "Ng", "essay.docx"],
    ]


def test_that_a_mark_beside_the_most_similar_student_cuts_no_name_and_hides_the_files_first(
    qtbot: QtBot,
) -> None:
    listed = StudentList()
    qtbot.addWidget(listed)
    values = {"decisions": Counter({Decision.COPIED: 1}), "rank_score": 1.0}
    rows = [
        StudentListRow("1", "吴诗涵", "", (1,), 0.0, 0.24, rewritten="林晓彤", **values),
        StudentListRow(
            "2", "林晓彤", "", (2,), 0.28, 0.28, "王伟", doubts=("zero-width characters",), **values
        ),
    ]
    listed.show_students(rows, (), has_library=False)
    listed.show()
    advance = QFontMetrics(listed.font()).horizontalAdvance
    columns = range(listed.model_of_rows.columnCount())
    listed.resize(sum(listed._widths_px[each] for each in columns if each != StudentColumn.LIBRARY) - 10, 200)
    assert listed.isColumnHidden(StudentColumn.FILES)
    assert not listed.isColumnHidden(StudentColumn.DECISIONS)
    assert listed.columnWidth(StudentColumn.NEAREST) > advance("林晓彤") + advance("rewritten") + 2 * SIDE_PX


def test_that_columns_are_dragged_and_fitted_by_a_double_click(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    tables = (
        (school_class.class_page.students, StudentColumn.NEAREST),
        (school_class.pairs_view.table, PairColumn.A),
    )
    for table, column in tables:
        header, before_px = table.horizontalHeader(), table.columnWidth(column)
        part = header.viewport()
        assert header.length() == part.width()

        def border(shift_px: int = 0, header: QHeaderView = header, column: int = column) -> QPoint:
            right_px = header.sectionViewportPosition(column) + header.sectionSize(column)
            return QPoint(right_px - 1 + shift_px, header.height() // 2)

        qtbot.mousePress(part, LEFT_BUTTON, pos=border())
        for place in (border(20), border(40)):
            qtbot.mouseMove(part, place)
            move = QMouseEvent(
                QEvent.Type.MouseMove, place, part.mapToGlobal(place), LEFT_BUTTON, LEFT_BUTTON, NO_KEY
            )
            QApplication.sendEvent(part, move)
        qtbot.mouseRelease(part, LEFT_BUTTON, pos=border())
        assert table.columnWidth(column) > before_px + 20
        dragged_px = table.columnWidth(column)
        table.fit_columns()
        school_class.resize(school_class.width() + 50, school_class.height())
        assert table.columnWidth(column) == dragged_px, "it is remembered"
        qtbot.mouseDClick(part, LEFT_BUTTON, pos=border())
        names = {str(table.model().index(row, column).data()) for row in range(table.model().rowCount())}
        widest_px = max(map(table.fontMetrics().horizontalAdvance, names))
        assert widest_px < table.columnWidth(column) != dragged_px


def test_that_a_file_handed_in_again_replaces_no_essay_whose_pairs_are_decided(
    school_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    state, documents = school_class.workspace.class_state, school_class.workspace.documents
    own, other = document_key(school_class, COPY), next(iter(documents.entries))

    def hand_in_again(folder: str) -> int:
        again = tmp_path / folder / COPY
        again.parent.mkdir()
        again.write_bytes(documents.entries[own].path.read_bytes())
        documents.add([again])
        settle_class_page(school_class, qtbot)
        return max(documents.entries)

    first = hand_in_again("again")
    assert (state.role_of(own), state.role_of(first)) == (DocumentRole.CURRENT, DocumentRole.DRAFT)
    school_class.workspace.review.decide_pair(other, first, Decision.FINE)
    hand_in_again("and again")
    assert (state.role_of(own), state.role_of(first)) == (DocumentRole.DRAFT, DocumentRole.CURRENT)
