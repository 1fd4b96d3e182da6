"""The rules by which the lines of a page become paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading.pdf_lines import (
    Glyph,
    Line,
    Page,
    line_of,
    without_doubles,
    without_layout_spaces,
    without_mojibake,
)
from simcompare.loading.pdf_margins import without_margins
from simcompare.loading.pdf_paragraphs import paragraphs_of
from simcompare.loading.pdf_words import Words, joined_text

LEFT, RIGHT, SIZE, PITCH = 72.0, 524.0, 12.0, 18.0


def _line(text, y, *, x0=LEFT, x1=RIGHT, page=1, size=SIZE, hyphenated=False, spaced=False):
    return Line(page, text, x0, y, x1, y + size, size, hyphenated=hyphenated, spaced=spaced)


def _column(*ends, top=700.0, page=1):
    """Lines one below the other, each with its text and where it begins and ends."""
    return [_line(text, top - n * PITCH, x0=x0, x1=x1, page=page) for n, (text, x0, x1) in enumerate(ends)]


def _texts(lines):
    words = Words(lines)
    return [joined_text(paragraph.lines, words) for paragraph in paragraphs_of(lines)]


def test_that_an_indent_begins_a_paragraph():
    lines = _column(
        ("甲甲", LEFT + 24, RIGHT), ("乙乙", LEFT, RIGHT), ("丙丙", LEFT + 24, RIGHT), ("丁丁", LEFT, RIGHT)
    )
    assert _texts(lines) == ["甲甲乙乙", "丙丙丁丁"]


def test_that_a_short_line_ends_a_paragraph():
    lines = _column(
        ("甲甲", LEFT, RIGHT), ("乙乙。", LEFT, 300), ("丙丙", LEFT, RIGHT), ("丁丁", LEFT, RIGHT)
    )
    assert _texts(lines) == ["甲甲乙乙。", "丙丙丁丁"]


def test_that_a_paragraph_goes_on_across_pages():
    first = _column(
        ("甲甲", LEFT + 24, RIGHT), ("乙乙", LEFT, RIGHT), ("丙丙", LEFT, RIGHT), ("丁丁", LEFT, RIGHT)
    )
    second = _column(
        ("戊戊", LEFT, RIGHT), ("己己", LEFT, 200), ("庚庚", LEFT + 24, RIGHT), ("辛辛", LEFT, RIGHT), page=2
    )
    assert _texts([*first, *second]) == ["甲甲乙乙丙丙丁丁戊戊己己", "庚庚辛辛"]


def test_that_the_second_column_is_read_after_the_first():
    left = _column(*[(f"left{n}", 72.0, 290.0) for n in range(6)])
    right = _column(*[(f"right{n}", 310.0, 528.0) for n in range(6)])
    text = " ".join(_texts([*left, *right]))
    assert text.split() == [f"left{n}" for n in range(6)] + [f"right{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("elsewhere", "joined"),
    [
        ("a known relation", "a relation of it"),
        ("the rela-tion", "a rela-tion of it"),
        ("nothing", "a relation of it"),
    ],
)
def test_that_a_broken_word_joins_as_the_document_writes_it(elsewhere, joined):
    lines = [
        _line(f"{elsewhere} here", 700),
        _line("a rela-", 682, hyphenated=True),
        _line("tion of it", 664),
    ]
    assert joined_text(lines[1:], Words(lines)) == joined


def test_that_words_that_both_stand_alone_keep_their_hyphen():
    lines = [
        _line("known and well done", 700),
        _line("a well-", 682, hyphenated=True),
        _line("known river", 664),
    ]
    assert joined_text(lines[1:], Words(lines)) == "a well-known river"


def _pages(count):
    return [
        Page(
            n,
            0.0,
            842.0,
            [
                _line("Essays of class 3", 800, page=n),
                _line(f"body {n}", 500, page=n),
                _line(f"- {n} -", 30, page=n),
            ],
        )
        for n in range(1, count + 1)
    ]


def test_that_repeated_headers_and_page_numbers_are_left_out_and_counted():
    pages, left_out = without_margins(_pages(3))
    assert [line.text for page in pages for line in page.lines] == ["body 1", "body 2", "body 3"]
    assert left_out == {"page_header": 42, "page_number": 9}


def test_that_a_first_line_that_no_other_page_repeats_stays():
    pages, _left_out = without_margins(_pages(1))
    assert [line.text for line in pages[0].lines] == ["Essays of class 3", "body 1"]


def test_that_what_stands_beyond_the_page_is_left_out():
    page = Page(1, 0.0, 842.0, [_line("seen", 500), _line("cut off", 900)])
    (kept,), left_out = without_margins([page])
    assert [line.text for line in kept.lines] == ["seen"]
    assert left_out == {"outside_page": 6}


def test_that_letters_drawn_again_a_little_aside_count_once():
    once = [Glyph(char, n * 12.0, 0, n * 12.0 + 12, 12) for n, char in enumerate("粗体粗")]
    again = [glyph._replace(x0=glyph.x0 + 0.4, x1=glyph.x1 + 0.4) for glyph in once]
    assert without_doubles([*once, *again]) == once


@given(st.text(alphabet="甲乙ab", min_size=1, max_size=40))
def test_that_letters_side_by_side_all_count(text):
    glyphs = [Glyph(char, n * 12.0, 0, n * 12.0 + 12, 12) for n, char in enumerate(text)]
    assert without_doubles(glyphs) == glyphs


def test_that_stretched_chinese_gains_no_spaces_and_columns_keep_theirs():
    space = Glyph(" ", 0, 0, 0, 0, generated=True)
    glyphs = [Glyph("甲", 0, 0, 12, 12), space, Glyph("乙", 15, 0, 27, 12), space, Glyph("丙", 80, 0, 92, 12)]
    line = line_of(1, glyphs, 12.0, bold=False, spaces_drawn=True)
    assert line is not None
    assert line.text == "甲乙 丙"


def test_that_chinese_set_apart_throughout_is_closed_up():
    assert without_layout_spaces(["关 于 红 军", "作 战 abc 原 则"]) == ["关于红军", "作战 abc 原则"]
    assert without_layout_spaces(["一、 引言，这里只有一处空格，别的地方没有"]) == [
        "一、 引言，这里只有一处空格，别的地方没有"
    ]


def test_that_chinese_in_a_western_font_is_read_again():
    assert without_mojibake(["目录".encode("gb18030").decode("latin-1")]) == ["目录"]
    assert without_mojibake(["Voilà l'été à la fenêtre"]) == ["Voilà l'été à la fenêtre"]
