"""Structures of PDF pages besides paragraphs: notes, contents, tables, lists, quotations."""

import math
from random import Random

import pytest

from simcompare.loading import load_document
from simcompare.model.document import BlockKind, DropReason
from tests.helpers.pdf_files import drawn, write_pdf

LINE = "the willows turn green and children fly kites on the bank of the river"
WORDS = ("river", "house", "water", "field", "stone")


def _column(count, top, *, x=72, size=12, pitch=16, text=LINE):
    return "".join(drawn(f"{text} {WORDS[n % 5]}", x, top - n * pitch, size=size) for n in range(count))


def _load(tmp_path, *contents):
    return load_document(write_pdf(tmp_path / "essay.pdf", *contents))


def _kinds(document):
    return [(block.kind.value, block.span.of(document.text)) for block in document.blocks]


def test_that_a_footnote_does_not_split_a_paragraph_across_pages(tmp_path):
    first = (
        _column(19, 740)
        + drawn(f"{LINE} house", 72, 436)
        + drawn("1", 463, 441, size=7)
        + drawn("1 See Rivers of Home,", 72, 110, size=9)
    )
    first += drawn("the second chapter of it.", 72, 98, size=9) + drawn("2 The same.", 72, 86, size=9)
    second = _column(3, 740) + drawn("at last.", 72, 692)
    blocks = _kinds(_load(tmp_path, first, second))
    assert [kind for kind, _text in blocks] == ["paragraph", "footnote", "footnote"]
    assert blocks[0][1].count("willows") == 23
    assert "1" not in blocks[0][1]
    assert blocks[0][1].endswith("at last.")
    assert [text for _kind, text in blocks[1:]] == [
        "1 See Rivers of Home, the second chapter of it.",
        "2 The same.",
    ]


def test_that_small_print_in_the_middle_of_a_page_is_not_a_footnote(tmp_path):
    content = _column(5, 740) + drawn("1 is the number of it", 72, 640, size=9) + _column(10, 600)
    assert "footnote" not in dict(_kinds(_load(tmp_path, content)))


def test_that_a_raised_number_without_a_note_is_kept(tmp_path):
    content = _column(5, 740) + drawn("an area of 25 m", 72, 660) + drawn("2", 156, 665, size=7)
    assert "25 m2" in _load(tmp_path, content).text.replace("m 2", "m2")


ENTRIES = [("The river", 1), ("The bridge of our village", 2), ("The end of the road", 4)]


def _contents(leader):
    return "".join(
        drawn(f"{title}{leader}{page}", 72, 720 - 16 * n) for n, (title, page) in enumerate(ENTRIES)
    )


@pytest.mark.parametrize(
    "contents",
    [
        drawn("Contents", 72, 750) + _contents(" . . . . . . . . . "),
        drawn("Contents", 72, 750) + _contents("     "),
        _contents(" .............. "),
        drawn("Contents", 72, 750) + _contents("-----------"),
    ],
    ids=["heading and leaders", "heading alone", "leaders alone", "hyphens"],
)
def test_that_a_table_of_contents_is_dropped_and_counted(tmp_path, contents):
    document = _load(tmp_path, contents, _column(20, 740), _column(5, 740))
    assert "bridge" not in document.text
    assert "Contents" not in document.text
    (dropped,) = document.receipt.dropped
    assert dropped.reason == "table_of_contents"
    assert not document.receipt.doubtful


def test_that_a_document_that_is_mostly_contents_keeps_them(tmp_path):
    document = _load(tmp_path, drawn("Contents", 72, 750) + _contents(" ....... "))
    assert "The bridge of our village" in document.text
    assert not document.receipt.dropped


def test_that_numbered_lines_of_a_form_are_not_contents(tmp_path):
    lines = "".join(drawn(f"Wages of kind {n} ........... {n}", 72, 780 - 16 * n) for n in range(20, 30))
    assert _load(tmp_path, lines + _column(20, 300)).text.count("Wages") == 10


def test_that_cells_side_by_side_are_rows_with_tabs(tmp_path):
    table = "".join(
        drawn(name, 72, 600 - 16 * n) + drawn(place, 220, 600 - 16 * n) + drawn(str(count), 400, 600 - 16 * n)
        for n, (name, place, count) in enumerate(
            [("Name", "Village", "Kites"), ("Anna", "Northam", 3), ("Ben", "Southam", 4)]
        )
    )
    blocks = _kinds(_load(tmp_path, _column(5, 740) + table + _column(5, 500)))
    assert [text for kind, text in blocks if kind == "table_row"] == [
        "Name\tVillage\tKites",
        "Anna\tNortham\t3",
        "Ben\tSoutham\t4",
    ]


def test_that_a_cell_of_several_lines_is_one_cell(tmp_path):
    table = "".join(
        drawn("A rule", 72, 600 - 40 * n)
        + drawn("what it says in", 220, 600 - 40 * n)
        + drawn("two lines", 220, 586 - 40 * n)
        for n in (1, 2)
    )
    blocks = _kinds(_load(tmp_path, _column(5, 740) + table))
    assert [text for kind, text in blocks if kind == "table_row"] == [
        "A rule\twhat it says in two lines",
        "A rule\twhat it says in two lines",
    ]


def test_that_two_columns_of_text_are_not_a_table(tmp_path):
    short = "the willows turn green and children"
    left, right = (_column(30, 780, x=x, text=short) for x in (60, 320))
    document = _load(tmp_path, left + right)
    assert {kind for kind, _text in _kinds(document)} == {"paragraph"}


@pytest.mark.parametrize("is_right_aligned", [False, True])
def test_that_columns_of_text_whose_lines_are_drawn_in_turn_are_not_a_table(tmp_path, is_right_aligned):
    # letters of one width, and of half of it
    left = [
        "adobe bandage one bog and a pad",
        "pan pond bodega. An open engaged",
        "one gap engaged on a bond open",
    ]
    right = [
        "agenda pond bone deep and a dog",
        "dope pan bandage on one pagoda",
        "obone pagoda gap. Deb open and",
    ]
    lines = ""
    for row, (first, second) in enumerate(zip(left * 3, right * 3, strict=True)):
        width = sum(3.336 if letter in " ." else 6.672 for letter in second)
        x = 540 - width if is_right_aligned else 320
        lines += drawn(first, 72, 700 - 16 * row) + drawn(second, x, 700 - 16 * row)
    document = _load(tmp_path, lines)
    assert "table_row" not in dict(_kinds(document))
    assert document.text.replace("\n", " ") == " ".join([*left * 3, *right * 3])


def test_that_a_long_table_with_cells_of_uneven_width_is_one(tmp_path):
    cells = [
        ("The kites of the village", "three of paper and one of silk"),
        ("Ropes", "two"),
        ("Poles", "six"),
    ]
    table = "".join(
        drawn(name, 72, 700 - 16 * row) + drawn(count, 320, 700 - 16 * row)
        for row, (name, count) in enumerate(cells * 3)
    )
    assert [text for kind, text in _kinds(_load(tmp_path, table))] == list(map("\t".join, cells * 3))


def test_that_an_indented_item_continues_on_the_next_page_and_another_begins_below(tmp_path):
    full = f"{LINE} river the"
    above = "".join(drawn(full, 72, 740 - n * 16) for n in range(4))
    item = (
        drawn(f"1. {LINE} river", 72, 660) + drawn(f"{LINE} river", 90, 644) + drawn(f"{LINE} house", 90, 628)
    )
    below = drawn("and their end.", 90, 740) + drawn("2. The bridge.", 72, 724)
    below += "".join(drawn(full, 72, 690 - n * 16) for n in range(4))
    _paragraph, first, second, *_others = _load(tmp_path, above + item, below).text.split("\n")
    assert first.startswith("1. the willows")
    assert first.endswith("house and their end.")
    assert second == "2. The bridge."


@pytest.mark.parametrize("item", ["1. The river", r"2\) The bridge", r"\225 The field", "(3) The stone"])
def test_that_an_item_below_a_full_line_is_not_part_of_the_paragraph(tmp_path, item):
    full = "".join(drawn(f"{LINE} river", 72, 740 - n * 16) for n in range(4))
    content = full + drawn(f"{LINE} rive.", 72, 676) + drawn(item, 72, 660)
    paragraph, below = _load(tmp_path, content).text.split("\n")
    assert paragraph.endswith("rive.")
    assert below == item.removeprefix(r"\225 ").replace("\\", "")


@pytest.mark.parametrize(
    "opening", ["3.5 miles of it", "1 of the houses", "[2] says as much", "(2004) as well"]
)
def test_that_a_number_at_the_beginning_of_a_line_does_not_make_an_item(tmp_path, opening):
    full = "".join(drawn(f"{LINE} river", 72, 740 - n * 16) for n in range(4))
    content = full + drawn(f"{LINE} rive.", 72, 676) + drawn(opening, 72, 660)
    assert len(_kinds(_load(tmp_path, content))) == 1


def test_that_numbered_paragraphs_in_a_row_are_items_of_a_list(tmp_path):
    items = "".join(drawn(f"{n}. {word} and more", 72, 600 - 30 * n) for n, word in enumerate(WORDS, 1))
    blocks = _kinds(_load(tmp_path, _column(5, 740) + items))
    assert [text for kind, text in blocks if kind == "list_item"] == [
        f"{n}. {word} and more" for n, word in enumerate(WORDS, 1)
    ]


def test_that_a_block_indented_on_both_sides_is_a_quotation(tmp_path):
    quoted = _column(4, 680, x=110, text="we flew our kites until it was dark over the")
    content = _column(6, 776) + quoted + drawn("said Anna.", 110, 616) + _column(6, 590)
    blocks = _kinds(_load(tmp_path, content))
    assert [kind for kind, _text in blocks] == ["paragraph", "quotation", "paragraph"]
    assert blocks[1][1].endswith("said Anna.")


def test_that_two_centred_lines_are_one_title(tmp_path):
    title = drawn("On Essays That Resemble", 118, 790, size=24, font="B") + drawn(
        "Each Other", 197, 762, size=24, font="B"
    )
    document = _load(tmp_path, title + _column(20, 720))
    assert document.title == "On Essays That Resemble Each Other"
    assert document.blocks[0].kind is BlockKind.TITLE


def test_that_the_kind_of_paper_in_larger_letters_is_not_the_title(tmp_path):
    cover = drawn("Bachelor Thesis", 118, 790, size=30) + drawn("Rivers and Bridges", 118, 720, size=20)
    assert _load(tmp_path, cover + _column(20, 640)).title == "Rivers and Bridges"
    cover = drawn("Bachelor Thesis", 118, 790, size=30) + drawn("Title: Rivers of the North", 118, 720)
    assert _load(tmp_path, cover + drawn("Name: Anna Stone", 118, 690), _column(20, 740)).title == (
        "Rivers of the North"
    )


def test_that_a_page_of_thousands_of_scattered_letters_is_read(tmp_path):
    random = Random(1)
    places = ((random.uniform(5, 580), random.uniform(5, 830)) for _letter in range(3000))
    content = "".join(drawn("w", x, y, size=6) for x, y in places)
    assert _load(tmp_path, content).text.count("w") > 2800


def _mark(text, degrees, x, y, *, size=60, looks="0.8 g"):
    """Draw a text in another direction and colour; the state /G is transparent."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = f"{cos:.4f} {sin:.4f} {-sin:.4f} {cos:.4f} {x} {y}"
    return f"q {looks} BT /F {size} Tf {matrix} Tm ({text}) Tj ET Q\n"


def _read_marked(tmp_path, *contents, **options):
    document = load_document(
        write_pdf(tmp_path / "essay.pdf", *contents, resources="/ExtGState << /G << /ca 0.3 >> >>", **options)
    )
    dropped = {drop.reason: drop.characters for drop in document.receipt.dropped}
    return document, dropped.get(DropReason.WATERMARK, 0)


BODY = _column(30, 740)


@pytest.mark.parametrize("is_first", [True, False], ids=["below", "above"])
@pytest.mark.parametrize("looks", ["0.8 g", "/G gs", "0 g"], ids=["pale", "transparent", "black"])
@pytest.mark.parametrize(("degrees", "y"), [(45, 300), (55, 300), (90, 300), (0, 500), (-45, 600)])
def test_that_a_watermark_of_all_pages_is_left_out(tmp_path, degrees, y, looks, is_first):
    mark = _mark("DRAFT COPY", degrees, 150, y, looks=looks)
    pages = [mark + BODY if is_first else BODY + mark] * 3
    document, dropped = _read_marked(tmp_path, *pages)
    assert dropped == 27
    assert document.text == _load(tmp_path, *[BODY] * 3).text


DIAGONAL = _mark("DRAFT COPY", 45, 150, 300)
TILES = "".join(_mark("Zhang San", 30, x, y, size=14) for x in (80, 250, 420) for y in range(100, 760, 130))


@pytest.mark.parametrize(
    ("pages", "characters"),
    [
        ([BODY, BODY + DIAGONAL, BODY, BODY + DIAGONAL], 18),
        ([BODY + DIAGONAL], 9),
        ([BODY + TILES], 8 * 18),
        ([BODY + _mark("DRAFT", 0, 150, 400)] * 2 + [_column(3, 740) + _mark("DRAFT", 0, 150, 400)], 15),
    ],
    ids=["some pages", "one page", "tiles", "a page with few lines"],
)
def test_that_pale_watermarks_are_left_out_on_any_page(tmp_path, pages, characters):
    assert _read_marked(tmp_path, *pages)[1] == characters


def test_that_a_chinese_watermark_is_left_out(tmp_path):
    mark = _mark("XY", 45, 150, 300)
    document, dropped = _read_marked(tmp_path, *[BODY + mark] * 2, to_unicode="<58> <673A> <59> <5BC6>")
    assert (dropped, "机密" in document.text) == (4, False)


@pytest.mark.parametrize(
    "pages",
    [
        [drawn("My Great Essay", 72, 600, size=24) + _column(20, 560)] * 3,
        ["0.7 g " + drawn("Live and learn", 72, 600, size=24) + " 0 g " + _column(20, 560)] * 3,
        [drawn("My Great Essay", 72, 740, size=30) + _column(20, 700)],
        [
            _column(10, 740)
            + _mark("Accuracy in percent", 90, 80, 300, size=9, looks="0.3 g")
            + _column(6, 200)
        ],
        [_mark("A poster", 30, 100, 300, size=40)],
    ],
    ids=["heading", "pale slogan", "title", "label of an axis", "poster"],
)
def test_that_headings_slogans_and_labels_are_no_watermarks(tmp_path, pages):
    assert _read_marked(tmp_path, *pages)[1] == 0
