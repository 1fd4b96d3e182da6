"""Rules for grouping the lines of PDF pages into paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading import load_document
from simcompare.loading.extraction import DroppedText
from simcompare.loading.formats.pdf.page_margins import without_margins
from simcompare.loading.formats.pdf.pdf_lines import (
    Glyph,
    PdfLine,
    PdfPage,
    WordStatistics,
    joined_text,
    line_of,
)
from simcompare.loading.formats.pdf.pdf_paragraphs import paragraphs_of
from simcompare.loading.formats.pdf.text_repairs import (
    without_doubles,
    without_layout_spaces,
    without_mojibake,
    without_radicals,
)
from tests.helpers.pdf_files import drawn, write_pdf

LEFT, RIGHT, SIZE, PITCH = 72.0, 524.0, 12.0, 18.0


def _line(text, y, *, x0=LEFT, x1=RIGHT, page=1, size=SIZE, hyphenated=False, spaced=False):
    return PdfLine(page, text, x0, y, x1, y + size, size, hyphenated=hyphenated, spaced=spaced)


def _column(*ends, top=700.0, page=1):
    """Return lines below each other, each given with its text, start and end."""
    return [_line(text, top - n * PITCH, x0=x0, x1=x1, page=page) for n, (text, x0, x1) in enumerate(ends)]


def _repaired(repair, texts):
    return [line.text for line in repair([_line(text, 700) for text in texts])]


def _texts(lines):
    words = WordStatistics(lines)
    return [joined_text(paragraph.lines, words).text for paragraph in paragraphs_of(lines)]


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


def test_that_a_paragraph_continues_across_pages():
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
def test_that_a_broken_word_is_joined_as_the_document_writes_it(elsewhere, joined):
    lines = [
        _line(f"{elsewhere} here", 700),
        _line("a rela-", 682, hyphenated=True),
        _line("tion of it", 664),
    ]
    assert joined_text(lines[1:], WordStatistics(lines)).text == joined


def test_that_two_words_of_the_document_keep_their_hyphen():
    lines = [
        _line("known and well done", 700),
        _line("a well-", 682, hyphenated=True),
        _line("known river", 664),
    ]
    assert joined_text(lines[1:], WordStatistics(lines)).text == "a well-known river"


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("in 1990-", "1995 of it", "in 1990-1995 of it"),
        ("pages 10–", "12 of it", "pages 10–12 of it"),
        ("the town—", "a port", "the town—a port"),
        ("an Anglo-", "American crew", "an Anglo-American crew"),
        ("of COVID-", "19 here", "of COVID-19 here"),
        ("the INFOR-", "MATION here", "the INFORMATION here"),
        ("from 5 -", "so they say", "from 5 - so they say"),
    ],
)
def test_that_hyphens_beside_digits_and_before_capitals_are_kept(before, after, joined):
    lines = [
        _line(before, 682, hyphenated=before[-2].isalpha() and before[-1] == "-"),
        _line(after, 664),
        # Words that occur elsewhere.
        _line("covid and anglo here", 646),
    ]
    assert joined_text(lines[:2], WordStatistics(lines)).text == joined


def test_that_a_full_line_of_one_paragraph_before_another_does_not_hide_the_indent():
    lines = _column(
        *[
            ("甲甲", LEFT + 24, RIGHT),
            ("乙乙", LEFT + 24, RIGHT),
            ("丙丙", LEFT, RIGHT),
            ("丁丁", LEFT, RIGHT),
        ]
        * 3
    )
    assert _texts(lines) == ["甲甲", "乙乙丙丙丁丁"] * 3


def test_that_a_line_is_not_short_if_the_next_word_is_too_wide_for_it(tmp_path):
    full = "the willows turn green and children fly kites here"
    # "Mammoth" is twice as wide as seven average letters of its line.
    lines = [full, full, full, full.removesuffix(" kites here"), f"Mammoth {'il ' * 25}".strip(), full]
    content = "".join(drawn(text, 72, 700 - 18 * n) for n, text in enumerate(lines))
    assert load_document(write_pdf(tmp_path / "essay.pdf", content)).text == " ".join(lines)


def _pages(count):
    return [
        PdfPage(
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


def test_that_repeated_headers_and_page_numbers_are_dropped_and_counted():
    pages = without_margins(_pages(3), dropped_text := DroppedText())
    assert [line.text for page in pages for line in page.lines] == ["body 1", "body 2", "body 3"]
    assert dict(dropped_text.characters) == {"page_header": 42, "page_number": 9}


def test_that_a_first_line_that_no_other_page_repeats_is_kept():
    pages = without_margins(_pages(1), DroppedText())
    assert [line.text for line in pages[0].lines] == ["Essays of class 3", "body 1"]


def _page(number, *lines):
    return PdfPage(number, 0.0, 842.0, [_line(text, y, page=number) for text, y in lines])


def _kept(*pages):
    return [[line.text for line in page.lines] for page in without_margins(pages, DroppedText())]


@pytest.mark.parametrize(
    "texts", [("Page 1", "Page 2"), ("The river", "The river"), ("Rivers 1", "Rivers 2")]
)
def test_that_lines_in_the_top_margin_are_text_if_there_are_no_others(texts):
    assert _kept(*(_page(n, (text, 800), ("7", 30)) for n, text in enumerate(texts, 1))) == [
        [text] for text in texts
    ]


def test_that_titles_of_slides_are_kept_where_other_pages_have_text():
    slides = [_page(n, ("Agenda", 800)) for n in (1, 2)]
    assert _kept(*slides, _page(3, ("Why rivers matter", 500))) == [["Agenda"]] * 2 + [["Why rivers matter"]]


def test_that_a_header_is_dropped_from_a_page_that_has_nothing_else():
    pages = [_page(n, ("Rivers of Home", 800), (f"body {n}", 500)) for n in (1, 2)]
    assert _kept(*pages, _page(3, ("Rivers of Home", 800))) == [["body 1"], ["body 2"], []]


def test_that_a_header_at_two_heights_is_dropped():
    first = _page(1, ("Rivers of Home", 790), ("body 1", 500))
    assert _kept(first, _page(2, ("Rivers of Home", 806), ("body 2", 500))) == [["body 1"], ["body 2"]]


def test_that_a_line_of_the_text_at_the_top_of_two_pages_is_kept():
    line = "people sit on the bridge in the sun and tell well-known stories, and nobody"
    first = _page(1, (line, 790), ("body 1", 500))
    second = _page(2, (line, 774), ("body 2", 500))
    assert _kept(first, second) == [[line, "body 1"], [line, "body 2"]]


def test_that_a_header_that_occurs_once_is_dropped_where_other_pages_have_theirs():
    names = ["Rivers of Home", "Rivers of Home", "The Sea", "Rivers of Home", "The Sources"]
    pages = [_page(n, (name, 800), (f"body {n}", 500)) for n, name in enumerate(names, 1)]
    assert _kept(*pages) == [[f"body {n}"] for n in range(1, 6)]


def test_that_a_first_line_at_the_height_of_no_header_is_kept():
    pages = [_page(n, ("Rivers of Home", 806), (f"body {n}", 500)) for n in range(1, 5)]
    assert _kept(*pages, _page(5, ("A new chapter", 770), ("body 5", 500)))[-1] == ["A new chapter", "body 5"]


def test_that_text_off_the_page_is_dropped():
    page = PdfPage(1, 0.0, 842.0, [_line("seen", 500), _line("cut off", 900)])
    (kept,) = without_margins([page], dropped_text := DroppedText())
    assert [line.text for line in kept.lines] == ["seen"]
    assert dict(dropped_text.characters) == {"outside_page": 6}


def test_that_letters_drawn_twice_with_a_small_offset_count_once():
    once = [Glyph(char, n * 12.0, 0, n * 12.0 + 12, 12) for n, char in enumerate("粗体粗")]
    again = [glyph._replace(x0=glyph.x0 + 0.4, x1=glyph.x1 + 0.4) for glyph in once]
    assert without_doubles([*once, *again]) == once


@given(st.text(alphabet="甲乙ab", min_size=1, max_size=40))
def test_that_letters_side_by_side_all_count(text):
    glyphs = [Glyph(char, n * 12.0, 0, n * 12.0 + 12, 12) for n, char in enumerate(text)]
    assert without_doubles(glyphs) == glyphs


def test_that_justified_chinese_has_no_spaces_but_columns_keep_theirs():
    space = Glyph(" ", 0, 0, 0, 0, generated=True)
    glyphs = [Glyph("甲", 0, 0, 12, 12), space, Glyph("乙", 15, 0, 27, 12), space, Glyph("丙", 80, 0, 92, 12)]
    line = line_of(1, glyphs, 12.0, bold=False, spaces_drawn=True)
    assert line is not None
    assert line.text == "甲乙 丙"


def test_that_spaces_between_all_chinese_characters_are_removed():
    assert _repaired(without_layout_spaces, ["关 于 红 军", "作 战 abc 原 则"]) == [
        "关于红军",
        "作战 abc 原则",
    ]
    assert _repaired(without_layout_spaces, ["一、 引言，这里只有一处空格，别的地方没有"]) == [
        "一、 引言，这里只有一处空格，别的地方没有"
    ]


def test_that_chinese_in_a_western_font_is_decoded_again():
    assert _repaired(without_mojibake, ["目录".encode("gb18030").decode("latin-1")]) == ["目录"]
    assert _repaired(without_mojibake, ["河边，春天来了".encode("gb18030").decode("latin-1")]) == [
        "河边，春天来了"
    ]
    for letters in ("éèàçùêîôûëïü", "ÀÁÂÃÄÅÆÇÈÉ", "ñáéíóú¿¡üÑ", "ïðèâåò ìèð"):
        assert _repaired(without_mojibake, [letters]) == [letters]
    assert _repaired(without_mojibake, ["Voilà l'été à la fenêtre"]) == ["Voilà l'été à la fenêtre"]


def test_that_radicals_are_read_as_the_ideographs_they_look_like():
    assert _repaired(without_radicals, ["⼀条⼩河，⻛筝⾛⼀⾛"]) == ["一条小河，风筝走一走"]


@pytest.mark.parametrize("order", ["{radical}{ideograph}", "{ideograph}{radical}"], ids=["first", "last"])
def test_that_a_radical_beside_its_ideograph_is_the_same_character(order):
    texts = [
        f"{order.format(radical=radical, ideograph=ideograph)}很好"
        for radical, ideograph in ("⼈人", "⾔言", "⼾户")
    ]
    assert _repaired(without_radicals, texts) == ["人很好", "言很好", "户很好"]


def test_that_two_ideographs_of_a_page_without_doubled_radicals_are_kept():
    assert _repaired(without_radicals, ["⼈⼈都⾔⽽有信", "⽇⽇夜夜", "⼈人"]) == [
        "人人都言而有信",
        "日日夜夜",
        "人人",
    ]


def test_that_a_glyph_with_radical_and_ideograph_is_one_character_with_its_position(tmp_path):
    meanings = "<41> <2f084eba> <42> <4eec> <43> <9ad82fbc>"
    path = write_pdf(tmp_path / "essay.pdf", drawn("ABCBA", 72, 700), to_unicode=meanings)
    document = load_document(path)
    assert document.text == "人们高们人"
    boxes = document.character_boxes.boxes[:5]
    assert (boxes[:, 2] > boxes[:, 0] + 5).all()


def test_that_a_table_of_radicals_keeps_them():
    assert _repaired(without_radicals, ["部首：⼀ ⼁ ⼂ ⼃ ⼄ ⼅"]) == ["部首：⼀ ⼁ ⼂ ⼃ ⼄ ⼅"]


@st.composite
def _scattered_letters(draw):
    return [
        Glyph(draw(st.sampled_from("ab")), x, y, x + 6.0, y + 10.0)
        for x, y in draw(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 30)), max_size=40))
    ]


@given(_scattered_letters())
def test_that_doubled_letters_are_those_found_by_comparing_each_with_all_before(glyphs):
    kept = []
    for glyph in glyphs:
        if not any(_overlap(glyph, other) for other in kept):
            kept.append(glyph)
    assert without_doubles(glyphs) == kept


@given(st.floats(0, 600), st.floats(0, 800), st.floats(-1.7, 1.7), st.floats(-2.9, 2.9))
def test_that_a_doubled_letter_is_found_at_any_position(x, y, right, up):
    once = Glyph("甲", x, y, x + 6.0, y + 10.0)
    again = once._replace(x0=x + right, x1=x + right + 6.0, y0=y + up, y1=y + up + 10.0)
    assert without_doubles([once, again]) == [once]


def _overlap(first, second):
    return first.char == second.char and abs(first.x0 - second.x0) < 1.8 and abs(first.y0 - second.y0) < 3.0


@pytest.mark.parametrize("scale", [1.0, 0.12])
def test_that_an_indented_paragraph_begins_after_a_last_line_of_one_word(tmp_path, scale):
    lines = [
        ("It was such a long day for all of us that I forgot I was", 72, 700),
        *(("cold", 72, 676), (".", 94, 676)),
        *(("At", 101, 652), ("twenty past nine we all saw the bright lights of a", 117, 652)),
        ("bus that came around the corner of the quiet street and", 72, 628),
        ("stopped.", 72, 604),
    ]
    content = "".join(drawn(*line, scale=scale) for line in lines)
    document = load_document(write_pdf(tmp_path / "essay.pdf", content))
    assert document.text.splitlines() == [
        "It was such a long day for all of us that I forgot I was cold.",
        "At twenty past nine we all saw the bright lights of a bus that came around the corner of the quiet "
        "street and stopped.",
    ]


def test_that_rising_text_is_one_line(tmp_path):
    content = "BT /F 40 Tf 0.7 0.7 -0.7 0.7 100 200 Tm (DRAFT) Tj ET\n"
    assert load_document(write_pdf(tmp_path / "essay.pdf", content)).text == "DRAFT"


@pytest.mark.parametrize("scale", ["1000000000000.0", "99999999999999999999.0"])
def test_that_letters_at_impossible_positions_do_not_affect_the_others(tmp_path, scale):
    far = f"{scale} 0 0 {scale} 0 0 cm BT /F 12 Tf {scale} 0 0 1 20 20 Tm (far) Tj ET\n"
    document = load_document(write_pdf(tmp_path / "essay.pdf", drawn("Here we are.", 72, 700) + far))
    assert document.text.splitlines()[0] == "Here we are."


def test_that_a_character_outside_the_basic_plane_is_kept(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", drawn("abc", 72, 700), to_unicode="<62> <D842DFB7>")
    assert load_document(path).text == "a𠮷c"


def test_that_invalid_codes_do_not_affect_the_others(tmp_path):
    spaces = "2 begincodespacerange <00> <1F> <20000000> <7FFFFFFF> endcodespacerange"
    codes = f"begincmap /CMapName /Wide def {spaces} 1 begincidrange <0000> <D7FF> 0 endcidrange endcmap"
    system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    objects = [
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding 8 0 R /DescendantFonts [9 0 R] >>",
        f"<< /Type /CMap /CMapName /Wide /Length {len(codes)} >> stream\n{codes}\nendstream",
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X {system} >>",
    ]
    content = drawn("Here we are.", 72, 700) + "BT /G 12 Tf 72 600 Td <317EFF3301E094F4> Tj ET\n"
    path = write_pdf(
        tmp_path / "essay.pdf", content, resources="/Font << /F 4 0 R /G 7 0 R >>", objects=objects
    )
    assert load_document(path).text.startswith("Here we are.")
