"""Sentence splitting: at 。！？；…!?; and paragraph ends, and nowhere else."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.model.document import BlockKind
from simcompare.text.comparable import comparable_units
from simcompare.text.prepared_text import _END, _LONGEST_ABBREVIATION, _token_before, split_sentences
from tests.helpers.documents import bench_text, document_of, make_document, own_text


def sentences_of(*paragraphs, kind=BlockKind.PARAGRAPH):
    document = make_document(*paragraphs, kind=kind)
    return [document.text[start:end] for start, end, _block in split_sentences(document).tolist()]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            ["天亮了。", "雨停了！", "谁来了？", "风小了；", "路还长……", "走吧"], id="Chinese marks"
        ),
        pytest.param(["It rains.", "Really!", "Why?", "One;", "two"], id="English marks"),
        pytest.param(["他说：“走吧。”", "我没动。"], id="closing quote"),
        pytest.param(["他说：「走吧！」", "我没动。"], id="corner quote"),
        pytest.param(["他想（也许不该想。）", "雨停了。"], id="closing bracket"),
        pytest.param(["《他是谁？》", "是一本书。"], id="title mark"),
        pytest.param(["“你好吗？”", "他问。", "“好！”", "我说。"], id="dialogue"),
        pytest.param(["真的？！", "真的!!", "好吧。。。", "嗯"], id="runs of marks"),
        pytest.param(["等等．．．", "好"], id="full-width dots as an ellipsis"),
        pytest.param(["我等啊等......", "他没来"], id="ASCII dots as an ellipsis"),
        pytest.param(["我喜欢编程。", "python很好。", "对吗？", "java也行"], id="a small letter after 。"),
        pytest.param(["今天很好.", "python很好.", "明天呢"], id="ASCII dots in Chinese"),
        pytest.param(["天很好!", "ipad坏了?", "对"], id="ASCII marks in Chinese"),
        pytest.param(["他说OK。", "Then we left.", "天黑了。", "Good night."], id="mixed languages"),
        pytest.param(["1. 先洗菜。", "2. 再切菜。"], id="numbered"),
        pytest.param(["(3) Wash it.", "(4) Cut it."], id="numbers in brackets"),
        pytest.param(["He said “Go.”", "She went."], id="English quote"),
        pytest.param(['"Is it true?"', "No."], id="straight quotes"),
    ],
)
def test_that_a_sentence_ends_where_a_reader_sees_its_end(parts):
    chinese_inside = any("\u4e00" <= c <= "\u9fff" for part in parts for c in part)
    text = ("" if chinese_inside else " ").join(parts)
    assert sentences_of(text) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "圆周率约是3.14，不是3。",
        "Pi is about 3.14 and not 3.",
        "This holds, e.g. for rivers, i.e. for water.",
        "E.g. Paris is old.",
        "The U.S. Army left.",
        "As Fig. 2 shows, it grows.",
        "See Eq. (3) and Sec. 4 of Vol. 2.",
        "Dr. Wu met Mrs. Li and Prof. Zhang.",
        "J. K. Rowling wrote it.",
        "It was No. 5 of them.",
        "We met at 10 a.m. on Monday.",
        "The file is at www.example.org/a.html now.",
        "“Really?” he asked.",
        "Wait... what was that?",
        "“走吧，”他说，“天黑了。”",
        "Apples, pears, etc. are fruit.",
        "2.1 Results of the test",
        "版本 2.0.1 更新了。",
        "Smith et al. (2020) found it.",
    ],
)
def test_that_a_sentence_continues_after_an_apparent_end(sentence):
    assert sentences_of(sentence) == [sentence]


def test_that_a_paragraph_ends_a_sentence_without_a_mark():
    assert sentences_of("没有句号的一段", "另一段", "A line", "another") == [
        "没有句号的一段",
        "另一段",
        "A line",
        "another",
    ]


def test_that_the_cells_of_a_table_row_are_sentences_of_their_own():
    assert sentences_of("姓名\t王小明。他好\t\t 三班 ", kind=BlockKind.TABLE_ROW) == [
        "姓名",
        "王小明。",
        "他好",
        "三班",
    ]


def test_that_blanks_around_a_sentence_belong_to_none():
    assert sentences_of("\u3000\u3000天亮了。 \u3000雨停了。 ") == ["天亮了。", "雨停了。"]


def test_that_a_sentence_has_the_index_of_its_paragraph():
    document = make_document("一。二。", "三", "四。")
    assert split_sentences(document)[:, 2].tolist() == [0, 0, 1, 2]


def assert_sentences_tile(document):
    end_before = 0
    covered = set()
    for start, end, index in split_sentences(document).tolist():
        assert end_before <= start < end
        block = document.blocks[index].span
        assert block.start <= start
        assert end <= block.end
        end_before = end
        covered.update(range(start, end))
    starts = comparable_units(document.text).spans[:, 0].tolist()
    assert covered.issuperset(starts)


PARAGRAPHS = st.lists(
    st.text(st.sampled_from("天地 a1.。!！?？;…\"”）.．\t'“（eg3，"), min_size=1, max_size=30).filter(
        str.strip
    ),
    min_size=1,
    max_size=4,
)


@given(PARAGRAPHS)
def test_that_sentences_are_in_order_and_leave_no_unit_out(paragraphs):
    assert_sentences_tile(make_document(*paragraphs))
    assert_sentences_tile(make_document(*paragraphs, kind=BlockKind.TABLE_ROW))


@pytest.mark.parametrize("text_of", [own_text, bench_text])
def test_that_real_articles_are_split_without_loss(text_of):
    document = document_of(text_of(100_000))
    assert_sentences_tile(document)
    spans = split_sentences(document)[:, :2]
    # sentences of essays and news have some tens of characters
    assert 15 < np.diff(spans).mean() < 80


def test_that_a_text_without_blanks_is_not_searched_from_its_beginning_at_every_dot():
    # at a dot every other character, a search back to the beginning would take hours
    text = "字.文" * 100_000
    assert_sentences_tile(make_document(text))


PLAIN_END = re.compile(
    r"(?:[。！？；!?;…⋯｡‼⁇⁈⁉]+[.。！？!?…⋯]*|[.．]{2,}[!?]*|(?P<dot>[.．]))[\"'”’」』）)】》〉\]}＂＇｣﹂﹄〕〗]*"
)


@given(st.text(st.sampled_from("a字 .．。！？；!?;…⋯｡‼⁇⁈⁉\"”）)'」("), max_size=30))
def test_that_ends_equal_those_of_the_plain_pattern(text):
    found, expected = ([(m.span(), m["dot"] is None) for m in p.finditer(text)] for p in (_END, PLAIN_END))
    assert found == expected


def plain_token_before(text, start, end):
    token = ""
    for character in reversed(text[max(start, end - _LONGEST_ABBREVIATION) : end]):
        if character.isspace() or character in "(（[“‘\"'":
            break
        token = character + token
    return token


@given(st.text(st.sampled_from("ab字.(（[“‘\"' \n\u3000\u00a0\x1c"), max_size=40), st.integers(0, 10))
def test_that_the_token_before_an_end_equals_that_of_a_plain_search(text, start):
    start = min(start, len(text))
    assert _token_before(text, start, len(text)) == plain_token_before(text, start, len(text))


def test_that_a_chinese_paragraph_cut_into_scraps_has_sentences_of_the_usual_length():
    text = "石桥下面的水在夏天总是很浅我们常常卷起裤腿去摸田螺爷爷坐在桥头的石狮子旁边一边编竹篮一边看着我们"
    cut = "。".join(re.findall(".{1,4}", text)) + "。"
    found = sentences_of(cut)
    assert "".join(found) == cut
    assert min(map(len, found[:-1])) > 40


@pytest.mark.parametrize("text", [
    "人之初，性本善。性相近，习相远。苟不教，性乃迁。教之道，贵以专。"
    "昔孟母，择邻处。子不学，断机杼。窦燕山，有义方。教五子，名俱扬。",
    "好。走吧。等等。来了。快点。",
    "Yes. No. Why? Go. Stop. Run. Sit. Wait. Eat. Now.",
])  # fmt: skip
def test_that_short_sentences_stay_as_they_are(text):
    assert len(sentences_of(text)) == len(re.findall("[。.?]", text))
