"""Table of pairs as CSV and as a workbook."""

import csv
import io
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from simcompare.cohort.cohort_scoring import (
    Cohort,
    CohortPair,
    UnreadDocument,
    sorted_by_rank,
    with_detected_groups,
)
from simcompare.comparison.comparison_result import PairShares, Share
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.prepared_document import with_recipe
from simcompare.model.errors import DamagedFileError
from simcompare.report.cohort.cohort_rows import document_rows, pairs_as_csv
from simcompare.report.cohort.report_bundle import narrowed, restricted
from simcompare.report.cohort.workbook import WorkbookFullError, pairs_as_xlsx
from simcompare.session.decisions import NotedDecision, PairReview
from simcompare.support.i18n import set_language
from tests.report.cohort.class_of_essays import ESSAYS, compared_essays, renamed
from tests.report.cohort.workbooks import SPACES, Workbook


def lines_of(cohort: Cohort) -> list[list[str]]:
    return list(csv.reader(io.StringIO(pairs_as_csv(cohort).decode("utf-8-sig"), newline="")))


def by_title(cohort: Cohort) -> list[dict[str, str]]:
    head, *lines = lines_of(cohort)
    return [dict(zip(head, line, strict=True)) for line in lines]


def with_pair(pair: CohortPair) -> Cohort:
    return replace(compared_essays(), pairs=(pair,))


def test_that_the_csv_of_pairs_starts_with_a_byte_order_mark():
    assert pairs_as_csv(compared_essays()).startswith(b"\xef\xbb\xbfA,B,")


def test_that_every_pair_has_a_row_with_its_figures():
    head, first, *others = lines_of(compared_essays())
    assert head[2:8] == [
        "Share of A (%)",
        "Share of B (%)",
        "Share of A before exclusions (%)",
        "Share of B before exclusions (%)",
        "Sentence share of A (%)",
        "Sentence share of B (%)",
    ]
    assert first[:2] == [ESSAYS[0], ESSAYS[2]]
    summary = compared_essays().pairs[0].summary
    assert float(first[2]) == round(summary.share.left_in_right.after_exclusions * 100, 1)
    assert float(first[5]) == round(summary.share.right_in_left.raw * 100, 1)
    assert float(first[6]) == round(summary.after_exclusions_sentence_left_in_right * 100, 1)
    row = by_title(compared_essays())[0]
    assert row["Longest passage (characters or words)"] == str(summary.longest_passage_units)
    assert row["Matches"] == str(summary.matches)
    assert len(others) == 5


def test_that_decision_and_note_are_in_the_row_of_their_pair():
    [judged] = [row for row in by_title(compared_essays()) if row["Decision"] == "copied"]
    assert (judged["A"], judged["B"]) == (ESSAYS[0], ESSAYS[2])
    assert judged["Note"] == "same bridge,\nsame “words”"


def test_that_titles_are_in_the_language_of_the_program():
    set_language("zh")
    assert lines_of(compared_essays())[0][2] == "A 的重复率（%）"
    assert "判定" in Workbook(pairs_as_xlsx(compared_essays())).strings


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", "\r", " =", "＝", "＋", "－", "＠"])
def test_that_no_text_becomes_a_formula(begin):
    text = f"{begin}cmd|' /C calc'!A0"
    pair = replace(compared_essays().pairs[0], review=PairReview(NotedDecision(None, f"x\n{text}")))
    hostile = renamed(with_pair(pair), f"{text}.docx", "b", "c", "d")
    _head, line = lines_of(hostile)
    assert line[0].startswith("'") or not line[0].lstrip().startswith(tuple("=+-@＝＋－＠"))
    book = Workbook(pairs_as_xlsx(hostile))
    assert b"<f>" not in book.parts.read("xl/worksheets/sheet1.xml")
    assert b"hyperlink" not in book.parts.read("xl/worksheets/sheet1.xml")


def test_that_a_pair_that_failed_is_named_with_the_reason():
    failed = CohortPair(0, 3, None, cause="memory ran out")
    [row] = by_title(with_pair(failed))
    assert (row["Not compared"], row["Share of A (%)"], row["Matches"]) == ("memory ran out", "", "")
    assert by_title(with_pair(replace(failed, cause="")))[0]["Not compared"] == "the comparison failed"


def test_that_the_reason_is_in_the_language_of_the_table():
    set_language("zh")
    failed = CohortPair(0, 3, None, cause="the comparison failed")
    assert lines_of(with_pair(failed))[1][-1] == "比对中断"


def test_that_shares_are_never_rounded_to_0_or_100():
    summary = PairSummary.of(*[PairShares(Share(0.0001, None), Share(0.99999, 1.0))] * 2, 3, 1)
    _head, line = lines_of(with_pair(CohortPair(0, 1, summary)))
    assert line[2:6] == ["", "100", "0.1", "99.9"]
    assert line[6:8] == ["", "100"]


def test_that_pairs_that_link_documents_have_their_group_number():
    cohort = with_detected_groups(compared_essays(), 0.5)
    assert [(row["A"], row["B"], row["Group"]) for row in by_title(cohort)] == [
        (ESSAYS[0], ESSAYS[2], "1"),
        (ESSAYS[0], ESSAYS[1], "1"),
        (ESSAYS[1], ESSAYS[2], ""),
        (ESSAYS[1], ESSAYS[3], ""),
        (ESSAYS[2], ESSAYS[3], ""),
        (ESSAYS[0], ESSAYS[3], ""),
    ]
    assert [pair.group for pair in narrowed(cohort, cohort.pairs[1:3]).pairs] == [1, 0]


def test_that_a_cohort_of_some_pairs_keeps_their_order_and_only_their_documents():
    pairs = compared_essays().pairs[2::-2]
    some = restricted(compared_essays(), pairs)
    assert [pair.summary for pair in some.pairs] == [pair.summary for pair in pairs]
    assert set(some.names) == {*ESSAYS} - {"The last bus.docx"}
    assert some.unread == ()


def test_that_fingerprints_of_different_recipes_have_no_distance():
    first, second, *_others = compared_essays().documents
    cohort = replace(with_pair(compared_essays().pairs[1]), documents=(first, with_recipe(second, "tfidf")))
    assert lines_of(cohort)[1][8] == ""
    assert sorted_by_rank(cohort.documents, cohort.pairs) == cohort.pairs


def test_that_documents_of_the_same_name_are_distinguished():
    cohort = renamed(compared_essays(), "/2a/essay.docx", "/2b/essay.docx", "x.docx", "x.docx")
    assert cohort.names == ("2a/essay.docx", "2b/essay.docx", "x.docx", "x.docx (2)")
    alone = next(pair for pair in cohort.pairs if (pair.left, pair.right) == (0, 2))
    assert narrowed(cohort, [alone]).names == ("2a/essay.docx", "x.docx")


def test_that_an_unread_document_of_the_same_name_is_distinguished():
    cohort = renamed(compared_essays(), "/2a/broken.docx", *ESSAYS[1:])
    unread = UnreadDocument(Path("/2b/broken.docx"), DamagedFileError(Path("/2b/broken.docx"), cause="torn"))
    rows = document_rows(replace(cohort, unread=(unread,)))
    assert (rows[0].name, rows[-1].name) == ("2a/broken.docx", "2b/broken.docx")


def test_that_control_characters_in_tables_are_shown_by_name():
    cohort = renamed(compared_essays(), "a\u202efdp.docx", "b\udce4.txt", "c\nd.txt", "e\x07.txt")
    text = pairs_as_csv(cohort).decode("utf-8")
    assert "a[U+202E]fdp.docx" in text
    assert "c␊d.txt" in text
    assert pairs_as_xlsx(cohort)


def test_that_the_workbook_has_percentages_as_numbers():
    head, first, *_others = Workbook(pairs_as_xlsx(compared_essays())).cells(1)
    assert head[:3] == ["A", "B", "Share of A"]
    share = compared_essays().pairs[0].summary.share.left_in_right.after_exclusions
    assert first[2] == pytest.approx(share)


def test_that_the_header_row_is_frozen_and_has_filters():
    sheet = Workbook(pairs_as_xlsx(compared_essays())).xml("xl/worksheets/sheet1.xml")
    last = chr(ord("A") + len(lines_of(compared_essays())[0]) - 1)
    assert sheet.find(".//s:pane", SPACES).get("state") == "frozen"
    assert sheet.find("s:autoFilter", SPACES).get("ref") == f"A1:{last}7"


def test_that_the_workbook_names_documents_with_their_digests_and_problems():
    book = Workbook(pairs_as_xlsx(compared_essays()))
    _head, *documents = book.cells(2)
    assert [row[0] for row in documents] == [*ESSAYS, "broken.docx"]
    assert documents[0][4] == compared_essays().documents[0].document.sha256
    assert documents[0][1] == compared_essays().documents[0].prepared.unit_count
    assert "damaged" in documents[4][1]


def test_that_the_workbook_lists_the_settings():
    facts = dict(filter(None, Workbook(pairs_as_xlsx(compared_essays())).cells(3)))
    assert facts["Thresholds"] == "possible from 0.35, sure from 0.55"
    assert facts["Program"].startswith("simcompare ")
    assert facts["Date"] == "6 May 2024, 07:08"
    assert facts["Matches"] == "Number of sentence pairs that are similar and not excluded."


def test_that_the_same_cohort_gives_the_same_bytes():
    assert pairs_as_xlsx(compared_essays()) == pairs_as_xlsx(compared_essays())
    later = replace(compared_essays(), made_at=compared_essays().made_at + timedelta(days=1))
    assert pairs_as_csv(later) == pairs_as_csv(compared_essays())
    first, second = (zipfile.ZipFile(io.BytesIO(pairs_as_xlsx(c))) for c in (compared_essays(), later))
    changed = {name for name in first.namelist() if first.read(name) != second.read(name)}
    assert changed == {"docProps/core.xml", "xl/sharedStrings.xml"}


def test_that_a_note_too_long_for_a_cell_is_cut_visibly():
    pair = replace(compared_essays().pairs[0], review=PairReview(NotedDecision(None, "长" * 40_000)))
    note = Workbook(pairs_as_xlsx(with_pair(pair))).cells(1)[1][-1]
    assert len(note) == 32_767
    assert note.endswith("…")


def test_that_too_many_pairs_for_a_workbook_are_an_error(monkeypatch):
    monkeypatch.setattr("simcompare.report.cohort.workbook.MOST_PAIRS", 5)
    with pytest.raises(WorkbookFullError, match=r"^A workbook can hold 5 pairs, but there are 6\."):
        pairs_as_xlsx(compared_essays())


def test_that_a_table_without_pairs_has_only_a_header_row():
    nothing = replace(compared_essays(), pairs=(), documents=(), unread=())
    assert len(lines_of(nothing)) == 1
    assert len(Workbook(pairs_as_xlsx(nothing)).cells(1)) == 1


def test_that_a_table_contains_no_folders():
    cohort = renamed(compared_essays(), *(f"/home/teacher/secret/{name}" for name in ESSAYS))
    assert b"secret" not in pairs_as_csv(cohort)
    parts = zipfile.ZipFile(io.BytesIO(pairs_as_xlsx(cohort)))
    assert not any(b"secret" in parts.read(name) for name in parts.namelist())
    assert Path(ESSAYS[0]).name in lines_of(cohort)[1]


def with_shares(pair: CohortPair, left: float, right: float) -> CohortPair:
    shares = {"after_exclusions_left_in_right": left, "after_exclusions_right_in_left": right}
    return replace(pair, summary=replace(pair.summary, **shares))


def test_that_pairs_of_equal_rank_are_ordered_by_printed_shares_the_greater_first():
    cohort = compared_essays()
    cohort = replace(cohort, pairs=tuple(replace(pair, rank_score=0.5) for pair in cohort.pairs))
    shares = [(0.47, 1.0), (1.0, 1.0), (0.9722, 0.9), (0.9, 0.9718), (0.9, 0.3), (0.2, 0.9)]
    pairs = [with_shares(pair, *pair_shares) for pair, pair_shares in zip(cohort.pairs, shares, strict=True)]
    ordered = sorted_by_rank(cohort.documents, pairs)
    printed = [
        sorted(side.after_exclusions for side in (share.left_in_right, share.right_in_left))
        for share in (pair.summary.share for pair in ordered)
    ]
    assert printed == [[1.0, 1.0], [0.47, 1.0], *printed[2:4], [0.3, 0.9], [0.2, 0.9]]
    assert {share for _least, share in printed[2:4]} == {0.9722, 0.9718}


def test_that_pairs_with_nothing_in_common_come_after_all_others():
    cohort = compared_essays()
    shares = [(0.0, 0.0), (0.0, 0.22), (0.0, 0.0), (0.01, 0.01)]
    scores = [0.0093, 0.0001, 0.02, 0.0002]
    both = zip(cohort.pairs, shares, scores, strict=False)
    pairs = [replace(with_shares(pair, *own), rank_score=score) for pair, own, score in both]
    ordered = sorted_by_rank(cohort.documents, pairs)
    assert [pair.rank_score for pair in ordered] == [0.02, 0.0002, 0.0001, 0.0093]


def test_that_bars_show_the_emphasised_shares():
    sheet = Workbook(pairs_as_xlsx(compared_essays())).xml("xl/worksheets/sheet1.xml")
    barred = [found.getparent().getparent().get("sqref") for found in sheet.iterfind(".//s:dataBar", SPACES)]
    assert barred == ["C2:C7", "D2:D7"]
