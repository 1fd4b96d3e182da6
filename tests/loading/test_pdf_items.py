"""Numbered paragraphs, list items and references of PDF pages stay whole and apart from each other."""

import pytest

from simcompare.loading import load_document
from simcompare.loading.formats.pdf.pdf_lines import PdfLine, WordStatistics, joined_text
from simcompare.loading.formats.pdf.pdf_paragraphs import paragraphs_of
from tests.helpers.pdf_files import drawn, write_pdf

LEFT, RIGHT, SIZE, PITCH = 72.0, 528.0, 12.0, 18.0
INDENT = LEFT + 2 * SIZE
FULL = "河水清清的，一年四季都在唱歌，孩子们在河边放风筝，大人们忙着播种，说着"


def _column(*texts, page=1, top=740.0, left=LEFT):
    """Return lines below each other, each with its text and start; the end of a full one is the margin."""
    return [
        PdfLine(page, text, x0, top - n * PITCH, RIGHT if full else x0 + SIZE * len(text), 0.0, SIZE)
        for n, (text, x0, full) in enumerate(
            (text, left if x0 is None else x0, full) for text, x0, full in texts
        )
    ]


def _texts(lines):
    words = WordStatistics(lines)
    return [joined_text(paragraph.lines, words).text for paragraph in paragraphs_of(lines)]


RUNNING = [(FULL, INDENT, True), (FULL, None, True), (FULL, None, True), ("从前的故事。", None, False)]


@pytest.mark.parametrize("marker", ["（1）", "(2) ", "4、", "5. ", "[6] ", "（二）", "三、", "•"])
@pytest.mark.parametrize("second", [LEFT, INDENT, INDENT + SIZE], ids=["margin", "level", "hanging"])
def test_that_an_item_with_an_indented_first_line_stays_whole(marker, second):
    item = [(marker + FULL, INDENT, True), (FULL, second, True), ("说完了。", second, False)]
    running = "".join(text for text, _x0, _full in RUNNING)
    whole = "".join(text for text, _x0, _full in item)
    assert _texts(_column(*RUNNING, *item, *RUNNING)) == [running, whole, running]


@pytest.mark.parametrize("form", ["（{}）", "[{}] ", "{}、", "{}. "])
@pytest.mark.parametrize("hanging", [LEFT, INDENT], ids=["flush", "hanging"])
def test_that_items_without_full_stop_at_the_end_are_apart(form, hanging):
    items = [[(form.format(n) + FULL, LEFT, True), (FULL, hanging, True)] for n in (1, 2, 3)]
    found = _texts(_column(*RUNNING, *[line for item in items for line in item]))
    assert found[1:] == ["".join(text for text, _x0, _full in item) for item in items]


@pytest.mark.parametrize("opening", ["（2）：383-392．", "10.1000/585497", "[9]也这样说，", "3.5 公里"])
@pytest.mark.parametrize("second", [LEFT, INDENT], ids=["margin", "hanging"])
def test_that_a_number_at_the_beginning_of_a_line_does_not_cut_an_item(opening, second):
    start = INDENT if second == LEFT else LEFT
    item = [("[5] " + FULL, start, True), (opening + FULL, second, True), ("完。", second, False)]
    found = _texts(_column(*RUNNING, *item, *RUNNING))
    assert "".join(found[1].split()) == "".join("".join(text for text, _x0, _full in item).split())


def test_that_an_item_continues_indented_in_the_next_column():
    item = [("（1）" + FULL, LEFT, True), (FULL, INDENT, True), (FULL, INDENT, True)]
    rest = [
        (FULL, INDENT, True),
        ("腊本土。", INDENT, False),
        ("（2）" + FULL, LEFT, True),
        ("完。", INDENT, False),
    ]
    found = _texts([*_column(*RUNNING * 3, *item), *_column(*rest, *RUNNING * 3, page=2)])
    assert found[3] == "（1）" + FULL * 4 + "腊本土。"
    assert found[4] == "（2）" + FULL + "完。"


def test_that_lines_between_two_tables_have_the_margins_of_the_page():
    rows = [PdfLine(1, "甲 乙", LEFT, 400.0, RIGHT, 412.0, SIZE, row=1)]
    between = _column(("三 河流", None, False), ("河水清清的。", None, False), top=380.0)
    texts = _texts([*_column(*RUNNING * 3), *rows, *between])
    assert texts[-2:] == ["三 河流", "河水清清的。"]


LINE = "the willows turn green and children fly kites on the bank of the river"


@pytest.mark.parametrize(
    ("before", "x", "after"),
    [
        ("the willows turn green", 198, "and so on to the bank of the river and so on"),
        (LINE[:57], 388, "river"),
    ],
    ids=["middle", "end"],
)
def test_that_a_raised_mark_in_a_line_does_not_cut_the_paragraph(tmp_path, before, x, after):
    rows = [drawn(f"{LINE} house", 72, 740 - 16 * n) for n in range(6)]
    rows[3] = drawn(before, 72, 692) + drawn("[25, 26, 27, 28, 29]", x, 697, size=7)
    rows[3] += drawn(after, x + 66, 692)
    (paragraph,) = load_document(write_pdf(tmp_path / "essay.pdf", "".join(rows))).text.split("\n")
    assert "29]" in paragraph


def test_that_a_short_last_line_that_ends_with_a_raised_mark_belongs_to_its_paragraph(tmp_path):
    rows = [drawn(f"{LINE} house", 72, 740 - 16 * n) for n in range(5)]
    rows += [drawn("so", 72, 660), drawn("[25]", 85, 665, size=7), drawn(".", 98, 660)]
    assert len(load_document(write_pdf(tmp_path / "essay.pdf", "".join(rows))).text.split("\n")) == 1
