"""Mark sheet as CSV and workbook, and the workbook of a check."""

import csv
import io
from dataclasses import replace

from simcompare.cohort.class_check import ClassFiles
from simcompare.cohort.cohort_scoring import UnreadDocument
from simcompare.model.errors import DamagedFileError
from simcompare.redaction.redacted_class import anonymous_check, class_pseudonyms, order_of_documents
from simcompare.report.class_report.class_forms import (
    check_as_xlsx,
    class_pairs_as_csv,
    grades_as_csv,
    grades_as_xlsx,
    render_class,
)
from simcompare.report.class_report.class_view import result_in_words
from simcompare.report.class_report.student_rows import ClassLabels, student_rows
from simcompare.report.cohort.check_output import check_as_dict, check_as_text
from simcompare.support.display_text import percent
from tests.helpers.documents import DATA
from tests.report.class_report.checked_class import (
    ATTACHMENT,
    DAMAGED,
    FOLDER,
    HOSTILE,
    LISTED,
    NAMES,
    STORIES,
    checked,
    class_files,
    class_with_a_copied_sentence,
    class_with_a_damaged_attachment,
    class_with_copies,
    clean_class,
    handed_in,
    with_limit,
)
from tests.report.cohort.workbooks import SPACES, Workbook

HEAD = [
    "Student number",
    "Student",
    "File",
    "Drafts and other files",
    "Highest share",
    "Most similar",
    "Unusual",
    "Longest passage (characters or words)",
    "Decisions",
    "Note",
    "Remark",
]


def lines_of(check):
    text = grades_as_csv(check).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def row_of(lines, number):
    (row,) = [line for line in lines if line[0] == number]
    return row


def test_that_each_student_has_a_row_sorted_by_number_also_the_missing_one():
    lines = lines_of(class_with_copies())
    assert lines[0] == [
        title.replace("share", "share (%)") if title == "Highest share" else title for title in HEAD
    ]
    assert [line[0] for line in lines[1:]] == [f"{20260000 + n}" for n in range(1, 11)] + [""]


def test_that_figures_are_those_of_the_json():
    check = class_with_copies()
    lines = lines_of(check)
    for student in check_as_dict(check)["students"]:
        if student["name"]:
            assert float(row_of(lines, student["id"])[4]) == round(100 * student["highest_share"], 1)


def test_that_a_copier_a_draft_a_damaged_file_and_a_missing_student_are_distinguished():
    lines = lines_of(class_with_copies())
    copier = row_of(lines, "20260006")
    assert copier[1:4] == ["周杰", "20260006-周杰.txt", ""]
    assert copier[5:10] == [
        "王小明 20260001",
        "yes",
        "35",
        "1 copied",
        "王小明 20260001: =1+1 <b>see page 2</b>",
    ]
    drafted = row_of(lines, "20260002")
    assert drafted[3] == "20260002-李雷（初稿）.txt (draft)"
    assert drafted[5:7] == ["", "no"]
    damaged = row_of(lines, "20260009")
    assert damaged[2:8] == [DAMAGED, "", "", "", "", ""]
    assert damaged[10].startswith("handed in, could not be read: This file is damaged")
    assert row_of(lines, "20260010")[1:] == ["陈静", *[""] * 8, "not handed in"]


def test_that_an_attachment_that_could_not_be_read_is_named_with_its_student():
    check = class_with_a_damaged_attachment()
    row = row_of(lines_of(check), "20260003")
    assert row[3] == f"{ATTACHMENT} (not checked)"
    assert row[10].startswith(f"handed in, could not be read: {ATTACHMENT} is damaged")
    label = row[1] + " 20260003: "
    assert f"{label}{ATTACHMENT} is damaged" in check_as_text(check)
    assert f"{label}{ATTACHMENT}" in render_class(check).decode()


def test_that_a_student_whose_only_file_could_not_be_read_has_a_row_without_a_class_list():
    scrap = FOLDER / "scan0001.jpg"
    files = class_files(STORIES)
    unread = (*files.unread, UnreadDocument(scrap, DamagedFileError(scrap, cause="torn")))
    check = checked(replace(files, unread=unread, listed=()))
    row = row_of(lines_of(check), "20260009")
    assert row[1:8] == ["杨磊", DAMAGED, "", "", "", "", ""]
    assert row[10].startswith("handed in, could not be read: ")
    page = render_class(check).decode()
    assert page.count("杨磊 20260009") == 1
    assert "8 compared, the files of 1 could not be read" in page, "a file of nobody is no student"


def test_that_each_pair_is_marked_as_unusual_or_not_with_its_multiple_and_group():
    check = class_with_a_copied_sentence()
    rows = list(csv.reader(io.StringIO(class_pairs_as_csv(check).decode("utf-8-sig"), newline="")))
    assert rows[0][:6] == [
        "A",
        "B",
        "Share of A (%)",
        "Share of B (%)",
        "Unusual (12% or more)",
        "Times the usual share",
    ]
    group = rows[0].index("Group (links of 12% or more)")
    assert [(row[4], row[group]) for row in rows[1:]] == [("yes", "1")] + [("no", "")] * 27
    assert rows[1][5] == "", "the usual share is below 1%"
    head, first, *_others = book_rows(check, 2)
    assert (head[4], head[5]) == ("Unusual (12% or more)", "Times the usual share")
    assert first[4] == "yes"
    assert "copied" in {cell for row in book_rows(class_with_copies(), 2) for cell in row}


def test_that_a_share_written_as_the_limit_is_unusual_everywhere():
    """The highest share is 42.6% or so, written as 43%."""
    check = class_with_a_copied_sentence()
    share = max(share for share, _other in check.nearest.values())
    limit = float(percent(share).removesuffix("%")) / 100
    assert 0.1 < share < limit
    check = with_limit(check, limit)
    assert [row[6] for row in lines_of(check)].count("yes") == 2, "also with less of the other student's text"
    assert render_class(check).decode().count('<td class="cover unusual"') == 2
    assert [len(group) for group in check.cohort.groups] == [2]
    words = result_in_words(check)
    assert f"1 of 28 pairs is unusual: {percent(limit)} or more" in words
    assert len(check.above(limit).cohort.pairs) == 1


def test_that_text_and_workbook_count_the_essays_with_a_sentence_and_no_drafts():
    check = clean_class()
    cover = "第一中学语文作业"
    assert f"   8  {cover}" in check_as_text(check)  # a draft has it too
    assert book_rows(check, 3)[1] == [8.0, cover, "all essays"]
    rare = replace(check.school.common[0], documents=(1, 2))
    assert book_rows(replace(check, school=replace(check.school, common=(rare,))), 3)[1] == [
        2.0,
        cover,
        "20260002-李雷.txt, 20260003-韩梅梅.txt",
    ]


def book_rows(check, sheet):
    return Workbook(check_as_xlsx(check)).cells(sheet)


def test_that_a_text_that_looks_like_a_formula_stays_text():
    check = class_with_copies()
    unread = (
        replace(
            check.cohort.unread[0],
            path=FOLDER / "=1+1.docx",
            error=DamagedFileError(FOLDER / "=1+1.docx", cause="x"),
        ),
    )
    students = tuple(
        each if check.is_read(each.current) else replace(each, number="", name="=HYPERLINK(1)")
        for each in check.school.students
    )
    school = replace(check.school, students=students)
    hostile = replace(check, cohort=replace(check.cohort, unread=unread), school=school)
    (row,) = [line for line in lines_of(hostile) if "HYPERLINK(1)" in line[1]]
    assert row[1:3] == ["'=HYPERLINK(1)", "'=1+1.docx"]
    book = Workbook(grades_as_xlsx(hostile))
    assert not list(book.xml("xl/worksheets/sheet1.xml").iterfind(".//s:f", SPACES))
    assert "=HYPERLINK(1)" in book.strings


def number_formats(book):
    formats = book.xml("xl/styles.xml").iterfind(".//s:numFmt", SPACES)
    return {each.get("numFmtId"): each.get("formatCode") for each in formats}


def test_that_the_workbook_has_numbers_percentages_and_a_frozen_header():
    book = Workbook(grades_as_xlsx(class_with_copies()))
    head, first, *_others = book.cells(1)
    assert head == HEAD
    assert (first[0], first[1]) == ("20260001", "王小明")
    assert (first[3], first[6]) == (1.0, 35.0)  # empty cells are left out
    sheet = book.xml("xl/worksheets/sheet1.xml")
    pane = sheet.find(".//s:pane", SPACES)
    assert (pane.get("ySplit"), pane.get("xSplit"), pane.get("state")) == ("1", "2", "frozen")
    assert "[<0.0995]0.0%;[<0.995]0%;0.0%" in number_formats(book).values()


def test_that_100_percent_has_no_decimals_in_a_workbook():
    book = Workbook(grades_as_xlsx(class_with_copies()))
    styles = [style.get("numFmtId") for style in book.xml("xl/styles.xml").iterfind("s:cellXfs/s:xf", SPACES)]
    cells = book.xml("xl/worksheets/sheet1.xml").iterfind("s:sheetData/s:row/s:c", SPACES)
    shares = [cell for cell in cells if cell.get("r").startswith("E") and cell.get("t") != "s"]
    codes = number_formats(book)
    formats = {float(cell.findtext("s:v", "", SPACES)): codes[styles[int(cell.get("s"))]] for cell in shares}
    assert formats.pop(1.0) == "0%"
    assert set(formats.values()) == {"[<0.0995]0.0%;[<0.995]0%;0.0%"}


def test_that_the_workbook_of_a_check_has_four_sheets_and_fewer_pairs_above_a_share():
    check = class_with_copies()
    book = Workbook(check_as_xlsx(check))
    sheets = book.xml("xl/workbook.xml").iterfind("s:sheets/s:sheet", SPACES)
    assert [each.get("name") for each in sheets] == ["Students", "Pairs", "Common sentences", "Not checked"]
    assert [len(book.cells(sheet)) - 1 for sheet in (1, 2, 3, 4)] == [11, 45, 4, 1]
    assert book.cells(3)[1][:2] == [8.0, "第一中学语文作业"]
    assert book.cells(3)[1][2] == f"all essays but {HOSTILE}.txt".replace("\u202e", "[U+202E]")
    assert book.cells(4)[1][0] == DAMAGED
    assert len(Workbook(check_as_xlsx(check, 0.5)).cells(2)) - 1 == 4
    assert any(HOSTILE[:10] in text for text in book.strings)


def test_that_the_longest_passage_of_a_student_is_that_of_the_pair_that_the_row_names():
    long, short = "".join(STORIES[2:6]), STORIES[1]
    first, second, *_others = (path.read_text("utf-8") for path in sorted((DATA / "zh").iterdir()))
    texts = (long + first, long + short + second, short)
    check = checked(ClassFiles(tuple(handed_in(place, text) for place, text in enumerate(texts))))
    (row,) = (row for row in student_rows(check, ClassLabels(check)) if row.number == "20260002")
    assert row.nearest == f"{NAMES[0]} 20260001"
    lengths = {(pair.left, pair.right): pair.summary.longest_passage_units for pair in check.cohort.pairs}
    assert row.longest_passage_units == lengths[0, 1] > lengths[1, 2]


def test_that_the_rarest_text_of_a_student_without_a_share_has_its_partner_also_the_first_document():
    check = clean_class()
    assert not check.nearest[1][0]
    pairs = tuple(
        replace(pair, rank_score=0.5 if (pair.left, pair.right) == (0, 1) else 0.0)
        for pair in check.cohort.pairs
    )
    check = replace(check, cohort=replace(check.cohort, pairs=pairs))
    rows = {row.number: row for row in student_rows(check, ClassLabels(check))}
    assert (rows["20260001"].nearest, rows["20260001"].rarest) == ("", "李雷 20260002")
    assert (rows["20260002"].nearest, rows["20260002"].rarest) == ("", "王小明 20260001")


def test_that_a_student_all_of_whose_similar_text_is_of_no_concern_is_not_unusual():
    check = class_with_a_copied_sentence()
    pairs = tuple(replace(pair, decided=(0.0, 0.0)) for pair in check.cohort.pairs)
    decided = replace(check, cohort=replace(check.cohort, pairs=pairs))
    rows = {row.number: row for row in student_rows(decided, ClassLabels(decided))}
    copier = rows["20260006"]
    assert (copier.share, copier.is_unusual, copier.is_decided) == (0.0, False, True)


def test_that_an_anonymous_report_names_the_same_of_several_nearest_students():
    check = checked(ClassFiles(tuple(handed_in(place, STORIES[0]) for place in range(4))))
    names = class_pseudonyms(check, LISTED)
    while (places := order_of_documents(check.cohort, names)) == sorted(places):  # they are random
        names = class_pseudonyms(check, LISTED)
    hidden = anonymous_check(check, names).nearest
    nearest = {places[own]: places[other] for own, (_share, other) in hidden.items()}
    assert nearest == {0: 2, 1: 2, 2: 1, 3: 2}, f"the first by name, {NAMES[2]}"
    assert nearest == {own: other for own, (_share, other) in check.nearest.items()}
