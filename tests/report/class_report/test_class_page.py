"""Report of a class as a web page, as a PDF and as a bundle with the reports of its pairs."""

import csv
import re
from dataclasses import replace
from urllib.parse import unquote

import numpy as np
import pypdfium2
import pytest
from lxml import html

from simcompare.cohort.class_figures import ClassFigures, are_crossing, diagonals_of
from simcompare.cohort.cohort_scoring import UnreadDocument
from simcompare.cohort.pair_scores import rare_share
from simcompare.comparison.figures import SIDES
from simcompare.export.export_tasks import begin_report
from simcompare.model.errors import DamagedFileError
from simcompare.model.progress import no_tick
from simcompare.report.class_report import class_view
from simcompare.report.class_report import student_rows as module_of_rows
from simcompare.report.class_report.class_forms import (
    grades_as_csv,
    grades_as_xlsx,
    render_class,
    render_class_pdf,
    write_class_bundle,
)
from simcompare.report.class_report.class_pictures import PRINT, WEB, group_graph, histogram, matrix_picture
from simcompare.report.class_report.class_view import counts_of
from simcompare.report.class_report.student_rows import ClassLabels
from simcompare.report.cohort.check_output import check_as_dict, check_as_text
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, PassageKey
from simcompare.support.display_text import percent
from simcompare.support.i18n import set_language
from tests.report.class_report.checked_class import (
    COPIER,
    DAMAGED,
    FOLDER,
    SOURCE,
    STORIES,
    checked,
    class_files,
    class_with_a_cleared_pair,
    class_with_a_copied_sentence,
    class_with_copies,
    clean_class,
    handed_in,
    with_limit,
)
from tests.report.cohort.workbooks import Workbook


def page_of(check, *arguments):
    return html.fromstring(render_class(check, *arguments))


def rows_of(page, heading):
    """Return the cells of the table below a heading."""
    (section,) = [each for each in page.xpath("//section") if (each.findtext("h2") or "").startswith(heading)]
    rows = section.xpath(".//tbody/tr")
    return [[re.sub(r"[ \n]+", " ", cell.text_content()).strip() for cell in row] for row in rows]


def squashed(element):
    return " ".join(element.text_content().split())


def words_of_pdf(data):
    with pypdfium2.PdfDocument(data) as file:
        return [page.get_textpage().get_text_bounded() for page in file]


def test_that_the_first_sentence_counts_compared_and_unusual_pairs():
    (result,) = page_of(class_with_copies()).find_class("result")
    assert result.text_content() == (
        "9 essays were compared with each other and with 1 earlier document. "
        "4 of 45 pairs are unusual: 12% or more of one text is also in the other. "
        "Decisions have cleared 1 of them."
    )


def test_that_a_file_of_nobody_is_no_student_and_the_class_list_is_counted_by_itself():
    torn = [FOLDER / "torn.docx", FOLDER / "20260011-何静.docx"]
    files = class_files(STORIES)
    unread = (UnreadDocument(path, DamagedFileError(path, cause="torn")) for path in torn)
    files = replace(files, unread=(*files.unread, *unread))
    of_list = "10 in the class list: 8 compared, the files of 1 could not be read, 1 not handed in"
    assert counts_of(clean_class(), 8)[0] == ("Students", "10", of_list)
    check = checked(files)
    of_list = (
        "10 in the class list, 1 not in it: 8 compared, the files of 2 could not be read, 1 not handed in"
    )
    assert counts_of(check, 8)[0] == ("Students", "11", of_list)
    (unread,) = (
        each.getparent() for each in page_of(check).iter("h2") if "Not checked" in each.text_content()
    )
    how = str(DamagedFileError("it", cause="torn")).replace("it is", "This file is", 1)
    assert [squashed(each) for each in unread.iter("li")] == [
        f"杨磊 20260009: {DAMAGED} handed in, could not be read: {how}",
        f"torn.docx {how}",
        f"何静 20260011: 20260011-何静.docx handed in, could not be read: {how}",
    ]


def test_that_the_number_of_students_and_their_list_agree():
    for check in (clean_class(), class_with_copies()):
        page = page_of(check)
        (counts,) = page.find_class("counts")
        found = re.search(
            r"Students(\d+) .* (\d+) compared, .* of (\d+) could .*, (\d+) not handed", squashed(counts)
        )
        total, compared, apart, missing = map(int, found.groups())
        assert compared + apart + missing == total
        [heading] = [text for each in page.iter("h2") if "Students" in (text := each.text_content())]
        assert heading == f"Students compared {compared}"
        assert f"{compared} essays were compared" in squashed(page)


def test_that_a_clean_class_is_said_to_have_nothing_unusual_and_has_no_pairs():
    page = page_of(clean_class())
    (result,) = page.find_class("result")
    assert "No pair is unusual: in none of the 28 pairs" in result.text_content()
    assert not page.find_class("graph")
    headings = [heading.text_content() for heading in page.iter("h2")]
    assert not any(heading.startswith(("Pairs to read", "Groups")) for heading in headings)


def test_that_pairs_and_students_have_the_figures_of_the_json():
    check = class_with_copies()
    value = check_as_dict(check)
    unusual = [pair for pair in value["pairs"] if pair["unusual"]]
    pairs = rows_of(page_of(check), "Pairs to read")
    shares = [[percent(pair["left_in_right"]), percent(pair["right_in_left"])] for pair in unusual]
    assert [row[2:4] for row in pairs] == shares
    assert [row[5] for row in pairs] == [percent(rare_share(pair["rank_score"])) for pair in unusual]
    assert [row[6] for row in pairs] == [f"{pair['longest_passage_units']} characters" for pair in unusual]
    students = {row[0]: row for row in rows_of(page_of(check), "Students compared")}
    assert len(students) == len(value["students"])
    for student in value["students"]:
        label = f"{student['name']} {student['id']}" if student["name"] else student["id"]
        row = next(row for name, row in students.items() if label[:8] in name)
        assert row[1].removesuffix(" unusual") == percent(student["highest_share"])
        is_unusual = student["highest_share"] >= check.limit and not row[2].startswith("1 no concern")
        assert row[1].endswith("unusual") == is_unusual


def groups_of(page):
    """Return the number of each group, and the names of its members."""
    return {
        int(item.findtext("span")): {name.text_content() for name in item.iter("bdi")}
        for items in page.find_class("groups")
        for item in items
    }


def test_that_the_groups_of_the_page_are_those_of_the_table_also_below_a_share_of_a_half():
    check = class_with_a_copied_sentence()
    value = check_as_dict(check)
    (pair,) = [pair for pair in value["pairs"] if pair["group"]]
    assert value["limit"] <= max(pair["left_in_right"], pair["right_in_left"]) < 0.5
    assert {pair["left"], pair["right"]} == {f"20260001-{SOURCE}.txt", f"20260006-{COPIER}.txt"}
    assert groups_of(page_of(check)) == {pair["group"]: {f"{SOURCE} 20260001", f"{COPIER} 20260006"}}
    assert f"unusual pairs, of {100 * value['limit']:.0f}% or more" in page_of(check).text_content()


def test_that_the_listed_pairs_are_counted_by_why_they_are_listed(monkeypatch):
    check = class_with_copies()
    likely = next(pair for pair in check.cohort.pairs if not check.is_unusual(pair))
    monkeypatch.setattr(class_view, "rewritten_units", lambda _cohort, pair: 40 * (pair is likely))
    (heading,) = (each for each in page_of(check).iter("h2") if "Pairs to read" in each.text_content())
    unusual = sum(map(check.is_unusual, check.cohort.pairs))
    assert squashed(heading) == f"Pairs to read {unusual} unusual, 1 only possibly rewritten"


def test_that_a_student_without_a_share_is_beside_whose_text_was_possibly_rewritten(monkeypatch):
    check = class_with_copies()
    labels = ClassLabels(check)
    sharing = {place for pair in check.cohort.pairs if any(pair.shares) for place in (pair.left, pair.right)}
    alone = next(pair for pair in check.cohort.pairs if sharing.isdisjoint({pair.left, pair.right}))
    monkeypatch.setattr(module_of_rows, "rewritten_units", lambda _cohort, pair: 40 * (pair is alone))
    nearest = {row.label: row.nearest for row in module_of_rows.student_rows(check, labels)}
    left, right = labels.document(alone.left), labels.document(alone.right)
    for own, other in ((left, right), (right, left)):
        assert nearest[own] == f"{other} (possibly rewritten)"


def test_that_a_chosen_limit_decides_which_pairs_are_in_a_group():
    check = with_limit(class_with_a_copied_sentence(), 0.9)
    assert not any(pair["group"] for pair in check_as_dict(check)["pairs"])
    assert groups_of(page_of(check)) == {}


def test_that_decisions_notes_drafts_and_missing_students_are_shown():
    page = page_of(class_with_copies())
    pairs = rows_of(page, "Pairs to read")
    copied = next(row for row in pairs if SOURCE in row[1])
    assert COPIER in copied[1]
    assert copied[4] == "copied Note: =1+1 <b>see page 2</b>"
    text = " ".join(page.text_content().split())
    assert "Decisions on the pairs: copied 1, no concern 1, undecided 2." in text
    assert "20260002-李雷（初稿）.txt (draft)" in text
    assert "Not handed in 1 陈静 20260010" in text
    assert "20260009-杨磊.docx handed in, could not be read: This file is damaged" in text
    assert "旧作.txt (earlier work)" in text


def test_that_notes_on_passages_are_in_the_class_report():
    check = class_with_copies()
    first, *others = check.cohort.pairs
    noted = {PassageKey(*"abcd"): NotedDecision(note="ask about line 3")}
    pairs = replace(first, review=replace(first.review, passages=noted)), *others
    page = page_of(replace(check, cohort=replace(check.cohort, pairs=pairs)))
    assert sum("ask about line 3" in row[4] for row in rows_of(page, "Pairs to read")) == 1


def test_that_a_student_whose_only_unusual_pair_is_of_no_concern_is_not_unusual():
    check = class_with_a_cleared_pair()
    page = page_of(check)
    before = check_as_dict(check)["pairs"][0]
    names = f"{SOURCE} 20260001", f"{COPIER} 20260006"
    link = f"{percent(max(before['left_in_right'], before['right_in_left'])).removesuffix('%')} → 0%"
    assert not page.xpath("//td[contains(@class, 'unusual')]")
    (pair,) = rows_of(page, "Pairs to read")
    students = {row[0]: row for row in rows_of(page, "Students compared")}
    for name in names:
        assert re.fullmatch(r"0% before decisions: \d+%", students[name][1])
        assert students[name][2] == "1 no concern"
        assert students[name][5] == pair[6] != "0", "the longest passage is that of the pair"
    (group,) = page.find_class("groups")
    assert squashed(group) == f"1 {', '.join(names)} 2 essays · {link}"
    assert link in page.xpath("//svg[contains(@class, 'graph')]//text()")
    (result,) = page.find_class("result")
    assert result.text_content().endswith("Decisions have cleared 1 of them.")
    assert "Decisions have cleared 1 of them." in check_as_text(check)
    assert link in "".join(words_of_pdf(render_class_pdf(check)))
    rows = csv.reader(grades_as_csv(check).decode("utf-8-sig").splitlines()[1:])
    assert {row[7] for row in rows} <= {"", "no"}


def test_that_a_decision_on_a_whole_pair_that_leaves_its_share_is_named_where_the_share_is():
    check = class_with_a_cleared_pair(decided=None)
    page = page_of(check)
    assert not page.xpath("//td[contains(@class, 'unusual')]")
    (group,) = page.find_class("groups")
    (link,) = re.findall(r"· (\d+% no concern)$", squashed(group))
    assert link in page.xpath("//svg[contains(@class, 'graph')]//text()")
    assert "Decisions have cleared 1 of them." in check_as_text(check)


@pytest.mark.parametrize(
    ("review", "said"),
    [
        (PairReview(NotedDecision(Decision.CITED)), "1 no concern (1 cited)"),
        (PairReview(matches={MatchKey("a", "b"): NotedDecision(Decision.FINE)}), "1 by passages"),
    ],
)
def test_that_a_decided_pair_is_counted_in_the_rows_of_both_students_though_it_is_not_unusual(review, said):
    check = class_with_a_copied_sentence()
    pairs = check.cohort.pairs
    (unusual,) = filter(check.is_unusual, pairs)
    pair = next(each for each in pairs if {each.left, each.right}.isdisjoint((unusual.left, unusual.right)))
    reviewed = replace(pair, review=review)
    cohort = replace(check.cohort, pairs=tuple(reviewed if each is pair else each for each in pairs))
    check = replace(check, cohort=cohort)
    labels = [ClassLabels(check).document(place) for place in (pair.left, pair.right)]
    students = rows_of(page_of(check), "Students compared")
    assert {row[0]: row[2] for row in students if row[2]} == dict.fromkeys(labels, said)
    assert " ".join(" ".join(words_of_pdf(render_class_pdf(check))).split()).count(said) == 2
    lines = [*csv.reader(grades_as_csv(check).decode("utf-8-sig").splitlines())]
    assert {" ".join(line[1::-1]): line[8] for line in lines[1:] if line[8]} == dict.fromkeys(labels, said)
    cells = [cell for row in Workbook(grades_as_xlsx(check)).cells(1) for cell in row]
    assert cells.count(said) == 2


def test_that_the_decisions_on_students_are_beside_the_share_and_left_out_if_there_are_none():
    students = {row[0]: row for row in rows_of(page_of(class_with_copies()), "Students compared")}
    assert students[f"{COPIER} 20260006"][2].startswith("1 copied 王小明")
    (row,) = {len(row) for row in rows_of(page_of(clean_class()), "Students compared")}
    assert row == 6
    head = [cell.text_content() for cell in page_of(clean_class()).xpath("//table[last()]//th[@scope='col']")]
    assert "Decisions" not in head
    assert "Decision" not in " ".join(words_of_pdf(render_class_pdf(clean_class())))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_heads_of_the_tables_of_the_pdf_break_only_between_words(language):
    set_language(language)
    text = "\n".join(words_of_pdf(render_class_pdf(class_with_copies())))
    heads = {"zh": ("序号", "最高重复率", "通常的倍数"), "en": ("No.", "Highest", "Longest")}[language]
    lines = [line.split() for line in text.splitlines()]
    assert all(any(head in line for line in lines) for head in heads)


def test_that_common_sentences_are_counted_by_essays():
    rows = rows_of(page_of(class_with_copies()), "Common sentences")
    assert ["8", "题目：请写一件你亲身经历的事，不少于三百字，不得抄袭。"] in rows
    assert any(text.startswith("姓名：…") for _count, text in rows)


def test_that_the_page_loads_nothing_and_runs_nothing():
    page = page_of(class_with_copies(), "甲班", ["reports/1 a.html"], ["class.xlsx"])
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not page.xpath("//script | //link | //img | //iframe | //@style | //@onclick | //@src")
    addresses = [str(each) for each in page.xpath("//@href")]
    assert {each.partition(":")[0] for each in addresses if ":" in each} == {"data"}
    assert [each for each in addresses if ":" not in each] == ["#how", "class.xlsx", "reports/1%20a.html"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_names_are_escaped_in_text_and_pictures(language):
    set_language(language)
    data = render_class(class_with_copies(), "<img src=x>").decode()
    assert "<script" not in data
    assert "<img" not in data
    assert "\u202e" not in data
    assert "&lt;script src=x&gt;&amp;" in data


def test_that_the_page_is_in_chinese():
    set_language("zh")
    page = page_of(class_with_copies())
    assert page.get("lang") == "zh-Hans"
    (result,) = page.find_class("result")
    assert not re.search("[A-Za-z]", result.text_content())
    assert not re.findall("[一-龥]+[。？！] .*", page.text_content())


def test_that_every_report_of_a_bundle_is_linked_and_has_the_figures_of_the_page(tmp_path):
    place, check = tmp_path / "out", class_with_copies()
    outcomes = write_class_bundle(check, "", ".html", place, no_tick, begin_report)
    assert len(outcomes) == 4
    page = html.fromstring((place / "index.html").read_bytes())
    links = [unquote(link) for link in page.xpath("//main//a/@href") if not link.startswith("#")]
    assert links == list(outcomes)
    for link, row in zip(links, rows_of(page, "Pairs to read"), strict=True):
        report = html.fromstring((place / link).read_bytes())
        shares = [each.findtext("strong") for each in report.xpath("//section[contains(@class, 'card')]/p")]
        assert {shares[0], shares[2]} == set(row[2:4])
    for name in page.xpath("//header//a/@href"):
        assert name.startswith("#") or (place / name).is_file()


def test_that_the_pdf_says_the_same(tmp_path):
    check = class_with_copies()
    pages = words_of_pdf(render_class_pdf(check, "甲班"))
    first = " ".join(pages[0].split())
    assert "甲班" in first
    assert "9 essays were compared with each other and with 1 earlier document. 4 of 45 pairs" in first
    text = " ".join(" ".join(pages).split())
    for words in (
        "see page 2",
        "陈静 20260010",
        "20260009-杨磊.docx",
        "This file is damaged",
        "What this does not mean",
    ):
        assert words in text
    assert "<script src=x>&" in text


def class_of(count, seed=1):
    """Return the figures of a class: low random shares, and three groups."""
    random = np.random.default_rng(seed)
    left, right = np.triu_indices(count, 1)
    shares = random.random((2, len(left))) * 0.04
    close = (left // 3 == right // 3) & (left < 9)
    shares[:, close] = 0.7
    return ClassFigures(count, left, right, *shares)


def test_that_the_histogram_has_a_bar_for_each_bin_and_marks_those_above_the_limit():
    figures = class_of(20)
    drawing = histogram(figures, 0.12, WEB)
    bars = [shape for shape in drawing.shapes if type(shape).__name__ == "Box"]
    assert len(bars) == np.count_nonzero(figures.histogram)
    assert [shape.role for shape in bars] == ["usual"] * (len(bars) - 1) + ["unusual"]
    assert "9 at or above it" in drawing.in_words


def test_that_a_limit_within_a_bar_divides_its_colours():
    drawing = histogram(class_of(20), 0.71, WEB)
    *others, left, right = [shape for shape in drawing.shapes if type(shape).__name__ == "Box"]
    assert {shape.role for shape in (*others, left)} == {"usual"}
    assert (right.role, right.y, right.height) == ("unusual", left.y, left.height)
    assert right.x == pytest.approx(left.x + left.width)
    assert right.width == pytest.approx(left.width)


def test_that_the_matrix_of_200_essays_is_small_and_frames_each_group():
    figures = class_of(200)
    drawing = matrix_picture(figures, figures.groups(0.12), 0.12, str, PRINT)
    picture = drawing.shapes[0]
    assert len(picture.light) + len(picture.dark) < 60_000
    frames = [shape for shape in drawing.shapes if type(shape).__name__ == "Box"]
    assert [round(frame.width / drawing.width * 200) for frame in frames] == [3, 3, 3]


def test_that_the_graph_names_the_essays_of_the_groups_and_no_other():
    drawing = group_graph(class_of(20), lambda _pair: "70%", 0.12, lambda place: f"essay {place}", WEB)
    texts = {shape.text for shape in drawing.shapes if type(shape).__name__ == "Label"}
    assert {text for text in texts if text.startswith("essay")} == {f"essay {n}" for n in range(9)}
    assert "70%" in texts
    assert drawing.width <= WEB.page_px


def test_that_a_dashed_line_and_dots_mark_essays_that_were_possibly_rewritten():
    figures = class_of(20)
    found = (figures.left == 17) & (figures.right == 18)
    links = {}
    for rewritten in (None, found):
        matrix = matrix_picture(replace(figures, rewritten=rewritten), [], 0.12, str, WEB)
        left, dots = matrix.shapes[0].x, [shape for shape in matrix.shapes if shape.kind == "dot"]
        places = [(round(dot.x - left), round(dot.y)) for dot in dots]
        assert len(dots) == 2 * (rewritten is not None) == 2 * ("A dot marks" in matrix.caption)
        assert sorted(places) == sorted((y, x) for x, y in places), "one for each of the two essays"
        drawing = group_graph(replace(figures, rewritten=rewritten), str, 0.12, str, WEB)
        links[rewritten is None] = [shape.role for shape in drawing.shapes if shape.kind == "line"]
        assert ("dashed" in drawing.caption) == (rewritten is not None)
    assert links[False] == ["rewritten", *links[True]]


def edges_of(shapes, kind):
    """Return left, top, right and bottom of the boxes of names or of the shares of a graph."""
    if kind == "names":
        boxes = [shape for shape in shapes if type(shape).__name__ == "Box"]
        return [(box.x, box.y, box.x + box.width, box.y + box.height) for box in boxes]
    labels = [shape for shape in shapes if type(shape).__name__ == "Label" and shape.role == "halo"]
    half = 12
    return [(each.x - half, each.y - 8, each.x + half, each.y) for each in labels]


def test_that_no_share_of_the_graph_is_struck_by_the_line_of_another_pair():
    figures = class_of(20)
    shares = np.where(np.maximum(figures.left, figures.right) < 6, 0.5, 0.01)
    figures = replace(figures, left_in_right=shares, right_in_left=shares)
    shapes = group_graph(figures, lambda _pair: "50%", 0.12, str, WEB).shapes
    lines = np.array([(each.x1, each.y1, each.x2, each.y2) for each in shapes if each.kind == "line"])
    labels = edges_of(shapes, "shares")
    assert labels
    for box in labels:
        assert are_crossing(lines, diagonals_of(*box)).any(axis=1).sum() <= 1, "its own line"


def test_that_long_names_of_files_differ_in_pictures():
    def label_of(place):
        return f"essay_on_uniforms_and_dress_{place}_final.docx"

    shapes = group_graph(class_of(20), str, 0.12, label_of, WEB).shapes
    names = [shape.text for shape in shapes if shape.kind == "label" and shape.role == "ink"]
    assert len(set(names)) == len(names) == 9
    assert all(len(name) <= 15 for name in names)


def test_that_no_dot_covers_the_number_of_a_group():
    figures = class_of(20)
    rewritten = (figures.left == 1) & (figures.right == 3)
    drawing = matrix_picture(replace(figures, rewritten=rewritten), figures.groups(0.12), 0.12, str, WEB)
    dots = [shape for shape in drawing.shapes if shape.kind == "dot"]
    for number in (shape for shape in drawing.shapes if getattr(shape, "role", "") == "strong"):
        for dot in dots:
            is_beside = abs(number.x + 3 - dot.x) > dot.radius + 3
            assert is_beside or not number.y - 8 - dot.radius < dot.y < number.y + dot.radius


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("sizes", [WEB, PRINT])
def test_that_no_share_of_the_graph_covers_a_name_or_another_share_and_lines_run_below_names(seed, sizes):
    random = np.random.default_rng(seed)
    first, second = np.triu_indices(12, 1)
    shares = np.where(random.random(len(first)) < 0.3, 0.5, 0.01)
    figures = ClassFigures(12, first, second, shares, shares)
    shapes = group_graph(
        figures, lambda _pair: "50%", 0.12, lambda place: f"欧阳文{place} 2025000{place}", sizes
    ).shapes
    names, labels = edges_of(shapes, "names"), edges_of(shapes, "shares")
    assert labels
    areas = [*names, *labels]
    for number, (left, top, right, bottom) in enumerate(labels):
        others = [area for place, area in enumerate(areas) if place != len(names) + number]
        assert all(
            right <= area[0] or area[2] <= left or bottom <= area[1] or area[3] <= top for area in others
        )
    kinds = [type(shape).__name__ for shape in shapes]
    assert len(kinds) - kinds[::-1].index("Line") <= kinds.index("Box")  # boxes hide the lines below names


@pytest.mark.parametrize("sizes", [WEB, PRINT])
def test_that_the_numbers_of_small_groups_in_the_matrix_have_space(sizes):
    left, right = np.triu_indices(80, 1)
    shares = np.where((left // 2 == right // 2) & (left < 30), 0.9, 0.01)
    figures = ClassFigures(80, left, right, shares, shares)
    drawing = matrix_picture(figures, figures.groups(0.12), 0.12, str, sizes)
    baselines = [
        shape.y for shape in drawing.shapes if type(shape).__name__ == "Label" and shape.role == "strong"
    ]
    assert 5 <= len(baselines) < 15
    assert min(np.diff(baselines)) >= 15


def test_that_a_chosen_limit_decides_which_pairs_are_unusual():
    check = with_limit(class_with_copies(), 0.99)
    page = page_of(check)
    assert "The limit of 99% was set by hand." in page.text_content()
    shares = [float(share["left_in_right"]) for share in check_as_dict(check)["pairs"] if share["unusual"]]
    assert len(rows_of(page, "Pairs to read")) == len(shares)


@pytest.mark.parametrize("name", ["Callum Drummond", "Gwen Mommm", "欧阳娜娜娜娜娜娜", "W" * 15])
def test_that_the_names_beside_the_matrix_have_space_in_a_wide_font(name):
    figures = ClassFigures(2, np.array([0]), np.array([1]), np.array([0.5]), np.array([0.5]))
    drawing = matrix_picture(figures, [], 0.9, lambda _place: name, WEB)
    (label, _other) = (shape for shape in drawing.shapes if shape.kind == "label")
    ems = {"C": 0.7, "G": 0.78, "D": 0.77, "W": 0.99, "m": 0.97, "w": 0.82, "l": 0.28, " ": 0.32}
    needed_px = 11 * sum(ems.get(each, 1.0 if each > "\u2e80" else 0.64) for each in label.text)
    assert label.x >= needed_px


def test_that_the_words_at_the_limit_stay_in_the_histogram():
    figures = ClassFigures(2, np.array([0]), np.array([1]), np.array([0.5]), np.array([0.5]))
    (words,) = (shape for shape in histogram(figures, 1.0, PRINT).shapes if shape.role == "strong")
    assert words.anchor == "end"


def test_that_no_name_of_a_file_runs_over_the_margin_of_the_pdf():
    long = handed_in(0, STORIES[0], "_a_very_long_name_v2_" + "x" * 60)
    files = class_files(STORIES)
    data = render_class_pdf(checked(replace(files, submitted=(long, *files.submitted[1:]))))
    with pypdfium2.PdfDocument(data) as file:
        for page in file:
            text = page.get_textpage()
            right = max(text.get_charbox(place)[2] for place in range(text.count_chars()))
            assert right < page.get_width() - 56


def test_that_a_pair_without_a_share_has_no_multiple_of_the_usual_one():
    check = class_with_copies()
    none = {f"{part}{side}": 0.0 for part in ("", "after_exclusions_") for side in SIDES}
    pairs = tuple(replace(pair, summary=replace(pair.summary, **none)) for pair in check.cohort.pairs)
    page = page_of(replace(check, cohort=replace(check.cohort, pairs=pairs)))
    assert page.find_class("pairs")
    assert not page.xpath("//td[@data-label='Times the usual share']")
