"""CSV tables of a pair: Chinese, complete, and without formulas."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, ComparisonSettings
from simcompare.report.pair_tables import as_csv
from simcompare.report.report_forms import FORMS, NAMED_FORMS
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.i18n import set_language
from tests.report.essays import (
    BRIDGE,
    BRIDGE_REWORDED,
    QUOTING,
    comparison_of,
    evidence_of,
    put_chinese_catalogue,
    review_of_passage,
)

HEAD = [
    "No.",
    "Kind",
    "P",
    "w",
    "Left file",
    "Left no.",
    "Left sentence",
    "Right file",
    "Right no.",
    "Right sentence",
    "Excluded",
    "Decision",
    "Note",
]


def read(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def matches_of(evidence):
    head, *rows = read(FORMS[".csv"].render(evidence))
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)


def test_that_the_csv_starts_with_a_byte_order_mark(bridges):
    data = FORMS[".csv"].render(evidence_of(bridges))
    assert data.startswith(b"\xef\xbb\xbfNo.,Kind,P,w,")
    assert data.count(b"\r\n") == 4
    assert "每到夏天傍晚" in data.decode("utf-8-sig")


def test_that_every_match_has_a_row_with_its_sentences_and_scores(bridges):
    rows = read(FORMS[".csv"].render(evidence_of(bridges)))
    assert rows[0] == HEAD
    assert [row[:6] for row in rows[1:]] == [
        ["1", "identical", "1.0", "", "left.txt", "2"],
        ["2", "edited", "0.9", "", "left.txt", "3"],
        ["3", "reworded", "0.5", "1.0", "left.txt", "4"],
    ]
    assert rows[3][6] == "它没有美丽的花纹，也没有著名的来历，可是大家都非常喜欢它。"
    assert rows[3][7:9] == ["right.txt", "5"]


def test_that_excluded_matches_are_listed_with_the_reason(tmp_path):
    comparison = comparison_of(tmp_path, QUOTING, QUOTING)
    excluded = [(row["No."], row["Excluded"]) for row in matches_of(evidence_of(comparison))]
    assert excluded == [
        ("1", ""),
        ("2", ""),
        ("", "left: quotation; right: quotation"),
        ("", "left: short sentence; right: short sentence"),
        ("", "left: reference list; right: reference list"),
        ("", "left: reference list; right: reference list"),
    ]


def test_that_decisions_and_notes_of_several_lines_are_in_their_rows(bridges):
    left, right = (index_sentences(side.prepared).keys for side in (bridges.left, bridges.right))
    key = MatchKey(left[bridges.matches[1].left], right[bridges.matches[1].right])
    review = PairReview(matches={key: NotedDecision(Decision.COPIED, "Seen in\n“The River”, p. 3, too")})
    rows = matches_of(evidence_of(bridges, review=review))
    assert [row["Decision"] for row in rows] == ["", "copied", ""]
    assert rows[1]["Note"] == "Seen in\n“The River”, p. 3, too"


def test_that_the_note_on_a_passage_is_once_with_its_first_match(bridges):
    noted = NotedDecision(Decision.FINE, "from the question sheet")
    several, single = (
        [
            (row["Decision"], row["Note"])
            for row in matches_of(evidence_of(bridges, review=review_of_passage(bridges, index, noted)))
        ]
        for index in (0, 1)
    )
    assert several == [
        ("no concern", "Passage 1: from the question sheet"),
        ("no concern", ""),
        ("", ""),
    ]
    assert single == [("", ""), ("", ""), ("no concern", "from the question sheet")]


def test_that_a_noted_passage_without_a_match_is_a_row_at_the_end(tmp_path):
    settings = ComparisonSettings(similar_weight=0.97, right_weight=0.99)
    reworded = BRIDGE.replace("，", "，而且").replace("家乡的石桥", "石桥记").replace("小时候", "小时候也")
    comparison = comparison_of(tmp_path, BRIDGE, reworded, settings=settings)
    noted = NotedDecision(Decision.COPIED, "the order")
    *others, row = matches_of(evidence_of(comparison, review=review_of_passage(comparison, 0, noted)))
    assert [other["Note"] for other in others] == [""] * len(others)
    assert (row["Kind"], row["Decision"], row["Note"]) == (
        "Passage 1",
        "copied",
        "Passage 1: the order",
    )
    assert row["Left sentence"][:8] in BRIDGE
    assert row["Right sentence"][:8] in reworded
    assert matches_of(evidence_of(comparison)) == others


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://127.0.0.1/?"&A1,"read this sentence")',
        "+1 is what I give to this sentence, and two more",
        "-2+3+cmd|' /C calc'!A0 stands at the beginning here",
        "@SUM(1+9)*cmd|' /C calc'!A0 is another one to see",
        "  =1+1 stands behind blanks in this sentence here",
        "＝1+1 stands here in the width of Chinese characters",
        "＋1 is what I give to this sentence, and two more",
        "－2+3+cmd|' /C calc'!A0 stands at the beginning here",
        "＠SUM(1+9)*cmd|' /C calc'!A0 is another one to see",
    ],
)
def test_that_a_text_starting_like_a_formula_stays_a_text(bridges, tmp_path, text):
    left, right = (index_sentences(side.prepared).keys for side in (bridges.left, bridges.right))
    key = MatchKey(left[bridges.matches[0].left], right[bridges.matches[0].right])
    review = PairReview(matches={key: NotedDecision(None, text)})
    assert matches_of(evidence_of(bridges, review=review))[0]["Note"] == f"'{text.strip()}"
    path = replace(bridges.left.document, path=tmp_path / "=1+1.txt")
    named = replace(bridges, left=replace(bridges.left, document=path))
    assert matches_of(evidence_of(named))[0]["Left file"] == "'=1+1.txt"


def test_that_control_characters_are_shown_by_name_and_numbers_stay_numbers():
    assert read(as_csv([["a\u202etxt\x00", "\t=1", 0.25, 7, None]])) == [
        ["a[U+202E]txt␀", "'\t=1", "0.25", "7", ""]
    ]


@given(st.text(st.characters(exclude_categories=()), max_size=12))
def test_that_no_text_becomes_a_formula_or_another_cell(text):
    [[cell, after]] = read(as_csv([[text, "after"]]))
    assert not cell.lstrip().startswith(tuple("=+-@＝＋－＠"))
    assert after == "after"


def test_that_a_sentence_too_long_for_a_cell_does_not_spill_into_the_next_rows():
    [[cell]] = read(as_csv([["很" * 40_000]]))
    assert len(cell) == 32_767
    assert cell.endswith("很…")
    [[cell]] = read(as_csv([["=" * 32_767]]))
    assert len(cell) == 32_767


def test_that_the_table_of_the_matrix_lists_the_cells_a_threshold_could_reach(bridges):
    head, *rows = read(NAMED_FORMS["matrix-csv"].render(evidence_of(bridges)))
    assert head == ["Left no.", "Right no.", "LCS", "P", "w", "Kind"]
    cells = bridges.matrix.cells
    assert len(rows) == len(cells) < bridges.matrix.heat.size
    assert all(float(row[3]) >= LOWEST_SIMILAR_WEIGHT for row in rows)
    assert [row[:4] + row[5:] for row in rows if row[5]] == [
        ["2", "3", "24", "1.0", "identical"],
        ["3", "4", "18", "0.9", "edited"],
        ["4", "5", "13", "0.5", "reworded"],
    ]


def test_that_a_matrix_without_such_cells_is_only_a_header_row(tmp_path):
    comparison = comparison_of(tmp_path, "The river froze early this year.", BRIDGE)
    assert len(read(NAMED_FORMS["matrix-csv"].render(evidence_of(comparison)))) == 1
    assert len(read(FORMS[".csv"].render(evidence_of(comparison)))) == 1


def test_that_the_tables_follow_the_language(bridges, tmp_path, monkeypatch):
    put_chinese_catalogue(tmp_path / "i18n", monkeypatch, Left_sentence="左句", identical="完全相同")
    set_language("zh")
    [first, *_rest] = matches_of(evidence_of(bridges))
    assert first["左句"] == "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。"
    assert first["Kind"] == "完全相同"
