"""Reports of a pair and its class say the shares after decisions that the window says, then those before."""

import csv
import io
import json
import re
from dataclasses import dataclass, replace

import pytest
from lxml import html
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.export.export_tasks import (
    dump_chunked,
    load_chunked,
    render_class_report,
    render_grade_sheet,
    render_pages,
    render_report,
    render_table,
    run_on,
    with_decided_shares,
)
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.report.class_report.student_rows import ClassLabels, student_rows
from simcompare.report.cohort.cohort_rows import table_of
from simcompare.report.report_forms import NAMED_FORMS
from simcompare.session.decisions import Decision
from simcompare.support.display_text import percent
from simcompare.ui.cohort.overview.class_words import shares_in_words
from simcompare.ui.cohort.overview.student_list import StudentColumn
from simcompare.ui.cohort.pair_order import SHARES, PairColumn
from simcompare.ui.export.workspace_sources import class_snapshot, pair_source
from simcompare.ui.main_window import MainWindow
from tests.gui.class_samples import settle_class
from tests.gui.conftest import OTHER_TEXT, Essay
from tests.gui.passage_samples import COPY, LEFT_ESSAY, LONE, REWORDED, RIGHT_ESSAY
from tests.report.cohort.workbooks import Workbook
from tests.report.words import WORDS, squeezed

Shares = tuple[tuple[str, str], tuple[str, str]]
"""Of the left and the right text: after and before decisions."""


@pytest.fixture
def decided(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with three essays; of the passages of the first two one is copied, one of no concern."""
    texts = {"left.txt": LEFT_ESSAY, "right.txt": RIGHT_ESSAY, "other.txt": OTHER_TEXT}
    window.workspace.documents.add([essay(name, text) for name, text in texts.items()])
    settle_class(window.workspace, qtbot)
    left, right, _other = window.workspace.documents.entries
    window.workspace.documents.choose_pair(left, right)
    qtbot.waitUntil(lambda: window.workspace.comparison is not None)
    window.workspace.review.decide_passages([COPY], Decision.FINE)
    window.workspace.review.decide_passages([REWORDED], Decision.COPIED)
    window.workspace.review.note_passage(REWORDED, "ask both")
    return window


def header_of(window: MainWindow) -> list[str]:
    return [label.text() for label in window.compare_view.header.findChildren(QLabel)]


def header_tips(window: MainWindow) -> str:
    return "\n".join(label.toolTip() for label in window.compare_view.header.findChildren(QLabel))


def shares_in(header: list[str]) -> Shares:
    found = [text for text in header if re.fullmatch(r"(before decisions: |was )?\d+%", text)]
    after, before, right_after, right_before = (re.search(r"\d+%", text)[0] for text in found)
    return (after, before), (right_after, right_before)


def in_window(window: MainWindow) -> Shares:
    """Shares in the header of the pair."""
    return shares_in(header_of(window))


def squeezed_shares(shares: Shares) -> list[str]:
    return [squeezed(f"{after} before decisions: {before}") for after, before in shares]


def percentages(shares: Shares) -> list[str]:
    return [share.replace("%", "") for after_before in zip(*shares, strict=True) for share in after_before]


@dataclass(frozen=True)
class Snapshot:
    """Packed contents of the exports of the pair, the table and the class; the header of the pair."""

    header: list[str]
    pair: bytes
    table: bytes
    report_of_class: bytes

    @classmethod
    def of(cls, window: MainWindow) -> "Snapshot":
        school_class = class_snapshot(window.workspace)
        parts = (
            pair_source(window.workspace).freeze(with_notes=True),
            school_class.cohort(school_class.rows, with_notes=True),
            school_class.check(with_notes=True),
        )
        return cls(header_of(window), *(dump_chunked((part, None)) for part in parts))


@pytest.fixture(scope="module")
def made() -> dict[str, Snapshot]:
    return {}


@pytest.fixture
def snapshots(made: dict[str, Snapshot], request: pytest.FixtureRequest) -> dict[str, Snapshot]:
    """Snapshots of the window after different decisions; made once for all tests."""
    if not made:
        window = request.getfixturevalue("decided")
        decide = window.workspace.review.decide_passages
        made["partly"] = Snapshot.of(window)
        decide([COPY], None)
        made["nothing of no concern"] = Snapshot.of(window)
        decide([COPY, REWORDED, LONE], Decision.FINE)
        made["all of no concern"] = Snapshot.of(window)
        decide([REWORDED, LONE], Decision.COPIED)
        made["by passages"] = Snapshot.of(window)
    return made


@pytest.fixture
def partly(snapshots: dict[str, Snapshot]) -> Snapshot:
    return snapshots["partly"]


def test_that_decisions_change_the_shares_of_the_window(decided):
    shares = in_window(decided)
    assert [after for after, _before in shares] == list(map(percent, decided.workspace.review.shares))
    assert all(after != before for after, before in shares)


@pytest.mark.parametrize("suffix", [".html", ".pdf", ".docx"])
def test_that_the_reports_of_a_pair_begin_with_the_shares_of_the_window(partly, suffix):
    words = WORDS[suffix](run_on(partly.pair, "en", render_report, suffix))
    for phrase in squeezed_shares(shares_in(partly.header)):
        assert words.count(phrase) == 1, phrase
    (left, left_before), (_right, right_before) = shares_in(partly.header)
    assert squeezed(f"{left} of the text of “left.txt” is also in that of “right.txt”") in words
    assert squeezed(f"Before decisions, it was {left_before} and {right_before}.") in words
    assert words.index("Shareafterdecisions") < words.index("Shareafterexclusions")
    assert squeezed(f"{left_before} of “left.txt”") not in words


def test_that_text_and_json_of_a_pair_have_the_shares_of_the_window(partly):
    text, values = (run_on(partly.pair, "en", NAMED_FORMS[form].render).decode() for form in ("text", "json"))
    for side, (after, before) in zip(("left", "right"), shares_in(partly.header), strict=True):
        assert squeezed(f"Share of {side} {after} (before decisions: {before})") in squeezed(text)
    share = json.loads(values)["share"]
    sides = [share["left_in_right"], share["right_in_left"]]
    shown = tuple((percent(each["after_decisions"]), percent(each["after_exclusions"])) for each in sides)
    assert shown == shares_in(partly.header)


def test_that_the_tables_of_pairs_have_columns_of_both(partly):
    table = run_on(partly.table, "en", render_table, ".csv").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0][2:6] == [
        "Share of A after decisions (%)", "Share of B after decisions (%)", "Share of A (%)", "Share of B (%)"
    ]  # fmt: skip
    row = next(row for row in rows if row[:2] == ["left.txt", "right.txt"])
    assert [str(round(float(cell))) for cell in row[2:6]] == percentages(shares_in(partly.header))
    lines = Workbook(run_on(partly.table, "en", render_table, ".xlsx")).cells(1)
    line = next(line for line in lines if line[:2] == row[:2])
    assert [str(round(100 * cell)) for cell in line[2:6]] == percentages(shares_in(partly.header))
    other = next(line for line in rows if "other.txt" in line[:2])
    assert other[2:4] == other[4:6], "nothing is decided on it"


def test_that_the_index_of_a_bundle_has_the_shares_of_the_window(partly):
    pages = run_on(partly.table, "en", render_pages, ["reports/1.html"] * 3, "")
    cells = [squeezed(cell.text_content()) for cell in html.fromstring(pages["index.html"]).iter("td")]
    for phrase in squeezed_shares(shares_in(partly.header)):
        assert phrase in cells
    assert b"after decisions" in pages["pairs.csv"]


@pytest.mark.parametrize("suffix", [".html", ".pdf"])
def test_that_the_class_report_has_the_shares_of_the_window(partly, suffix):
    shares = shares_in(partly.header)
    words = WORDS[suffix](run_on(partly.report_of_class, "en", render_class_report, suffix, "4b"))
    of_pair = squeezed_shares(shares)
    highest = max(shares, key=lambda share: int(share[0].split("%")[0]))
    remark = squeezed(f"before decisions: {max(before for _, before in shares)}")
    of_student = squeezed(highest[0]) + remark
    for phrase in {*of_pair, of_student}:
        assert phrase in words
    assert words.count(remark) >= 3, "the count, the pair and the student"
    assert squeezed("Decisions on the pairs: partly 1.") in words


@pytest.mark.parametrize("suffix", [".html", ".pdf"])
def test_that_the_class_report_says_that_all_passages_of_a_pair_are_decided(snapshots, suffix):
    packed = snapshots["by passages"].report_of_class
    words = WORDS[suffix](run_on(packed, "en", render_class_report, suffix, "4b"))
    assert squeezed("Decisions on the pairs: by passages 1.") in words
    assert squeezed("by passages: 2 copied, 1 no concern") in words


def test_that_a_table_of_pairs_says_that_all_passages_are_decided(snapshots):
    cohort, _pseudonyms = load_chunked(snapshots["by passages"].table)
    for pseudonyms in (None, make_pseudonyms(())):
        table = run_on(dump_chunked((cohort, pseudonyms)), "en", render_table, ".csv")
        assert table.count(b"by passages: 2 copied, 1 no concern") == 1


def test_that_the_table_of_the_window_says_that_all_passages_are_decided_also_of_a_pair_not_open(
    decided, qtbot
):
    workspace, model = decided.workspace, decided.pairs_view.table.model()

    def shown():
        return [model.index(row, PairColumn.DECISION).data() for row in range(model.rowCount())]

    left, _right, other = workspace.documents.entries
    workspace.review.decide_passages([LONE], Decision.COPIED)
    qtbot.waitUntil(lambda: "By passages" in shown())
    workspace.documents.choose_pair(left, other)
    qtbot.waitUntil(lambda: workspace.comparison is not None)
    decision = decided.pairs_view.filter.decision
    decision.setCurrentIndex(decision.findText("By passages"))
    assert shown() == ["By passages"]
    decision.setCurrentIndex(decision.findText("Undecided"))
    assert shown() == ["–", "–"]
    workspace.history.undo()
    decision.setCurrentIndex(decision.findText("All decisions"))
    qtbot.waitUntil(lambda: sorted(shown()) == ["Partly", "–", "–"])


def test_that_the_grade_sheet_has_the_highest_share_after_decisions_and_before(partly):
    sheet = run_on(partly.report_of_class, "en", render_grade_sheet, ".csv", "4b").decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(sheet))
    assert head[4:6] == ["Highest share after decisions (%)", "Highest share (%)"]
    figures = [share.replace("%", "") for share in map(max, zip(*shares_in(partly.header), strict=True))]
    row = next(row for row in rows if "left.txt" in row)
    assert [str(round(float(cell))) for cell in row[4:6]] == figures


def test_that_the_bundle_of_a_class_has_the_shares_of_the_window(partly):
    pages = run_on(partly.report_of_class, "en", render_pages, [], "4b")
    for phrase in squeezed_shares(shares_in(partly.header)):
        assert phrase in squeezed(html.fromstring(pages["index.html"]).text_content())
    assert b"after decisions" in pages["students.csv"]


def test_that_a_report_without_such_decisions_says_one_share(snapshots):
    snapshot = snapshots["nothing of no concern"]
    assert "afterdecisions" not in WORDS[".html"](run_on(snapshot.pair, "en", render_report, ".html"))
    table = run_on(snapshot.table, "en", render_table, ".csv")
    assert b"after decisions" not in table


def test_that_all_is_of_no_concern_is_said_in_words(snapshots):
    words = WORDS[".html"](run_on(snapshots["all of no concern"].pair, "en", render_report, ".html"))
    assert (
        squeezed("All that the two texts have in common is marked as no concern. Before decisions,") in words
    )


def test_that_a_copied_pair_says_that_its_passages_are_of_no_concern(decided, qtbot):
    workspace, words = decided.workspace, "passages: no concern"
    workspace.review.decide_passages([COPY, REWORDED, LONE], Decision.FINE)
    assert words not in header_tips(decided)
    workspace.review.decide_pair(*workspace.review.pair, Decision.COPIED)
    assert words in header_tips(decided)
    after = Snapshot.of(decided)
    for suffix in (".html", ".pdf", ".docx"):
        report = WORDS[suffix](run_on(after.pair, "en", render_report, suffix))
        assert squeezed(f"copied ({words})") in report
    report = WORDS[".html"](run_on(after.report_of_class, "en", render_class_report, ".html", "4b"))
    assert squeezed(f"copied ({words})") in report
    workspace.review.decide_passages([COPY], None)
    assert words not in header_tips(decided)


def rows_of_table(window, *columns):
    model = window.pairs_view.table.model()
    return [tuple(model.index(row, column).data() for column in columns) for row in range(model.rowCount())]


def test_that_the_table_of_the_window_has_the_shares_of_the_header_and_those_before_beside_them(decided):
    shares, model = in_window(decided), decided.pairs_view.table.model()
    before = tuple(before for _after, before in shares)
    shown = tuple(f"{before[:-1]} → {after}" for after, before in shares)
    assert rows_of_table(decided, *SHARES)[0] == shown
    for column in SHARES:
        text, index = shown[column - SHARES[0]], model.index(0, column)
        assert text in index.data(Qt.ItemDataRole.AccessibleTextRole)
        assert text.endswith(percent(model.columns[column].look(model.rows[0]).bar)), "the bar"
        width_px = QFontMetrics(decided.pairs_view.table.font()).horizontalAdvance(text)
        assert decided.pairs_view.table.columnWidth(column) > width_px
    assert "was" not in "".join("".join(row) for row in rows_of_table(decided, *SHARES)[1:])
    decided.workspace.review.decide_passages([COPY], None)
    assert rows_of_table(decided, *SHARES)[0] == before


def test_that_the_table_of_the_window_is_sorted_and_filtered_by_the_shares_that_it_shows(decided):
    decided.workspace.review.decide_passages([COPY, REWORDED, LONE], Decision.FINE)
    (_, before), _right = in_window(decided)
    view = decided.pairs_view
    shown = [cell.split(" → ")[-1] for cell in rows_of_table(decided, *SHARES)[0]]
    assert shown == ["0%", "0%"], "first, as in reports"
    view.sort_by(PairColumn.SHARE_A)
    cells = [share for (share,) in rows_of_table(decided, PairColumn.SHARE_A)]
    shares = [int(share.split(" → ")[-1].rstrip("%")) for share in cells]
    assert shares == sorted(shares, reverse=True)
    view.filter.least.setCurrentIndex(view.filter.least.findData(5))
    assert ("left.txt", "right.txt") not in rows_of_table(decided, PairColumn.A, PairColumn.B)
    assert int(before.split("%")[0]) > 5


def test_that_the_students_and_the_graph_of_the_window_have_the_shares_of_the_class_report(decided, qtbot):
    shares, page = in_window(decided), decided.class_page
    page._update()
    qtbot.waitUntil(lambda: not page._stepping.isActive())
    students = page.students.model()
    texts = [students.index(row, StudentColumn.HIGHEST).data() for row in range(students.rowCount())]
    assert texts[:2] == [f"{before[:-1]} → {after}" for after, before in shares], "each of its own text"
    words = shares_in_words(page._picture, 0, 1)
    assert all(f"{first[:-1]} → {after}" in words for after, first in shares)
    decided.workspace.review.decide_passages([COPY, REWORDED, LONE], Decision.FINE)
    page._update()
    qtbot.waitUntil(lambda: not page._stepping.isActive())
    (left,) = (row for row in students.rows if row.label == "left.txt")
    check = class_snapshot(decided.workspace).check(with_notes=False)
    check = replace(check, cohort=with_decided_shares(check.cohort))
    (reported,) = (row for row in student_rows(check, ClassLabels(check)) if row.label == "left.txt")
    assert left.nearest == (reported.nearest or left.nearest)
    assert percent(left.highest) == percent(reported.share)


def test_that_a_pair_says_what_was_decided_on_its_passages(decided):
    def said(role):
        index = decided.pairs_view.table.model().index(0, PairColumn.DECISION)
        return re.sub(r"<[^>]*>", "", str(index.data(role)))

    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "Partly: 1 copied, 1 no concern, 1 undecided" in said(role)
    decided.workspace.review.decide_passages([LONE], Decision.COPIED)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert "By passages: 2 copied, 1 no concern" in said(role)


def test_that_a_pair_none_of_whose_decided_passages_is_left_is_undecided(decided, qtbot):
    workspace = decided.workspace
    workspace.set_settings(replace(workspace.settings, minimum_units=400))
    settle_class(workspace, qtbot)
    texts = [text for (text,) in rows_of_table(decided, PairColumn.DECISION)]
    assert texts == ["–"] * 3
    cohort = with_decided_shares(
        class_snapshot(workspace).cohort(workspace.pairs.table.rows, with_notes=True)
    )
    columns, rows = table_of(cohort)
    decision = [title for title, _kind in columns].index("Decision")
    assert [row[decision] for row in rows] == [""] * 3
