"""Glyphs drawn out of order, for instance quotation marks from another font, are read in position."""

import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.loading import load_document
from simcompare.loading.formats.pdf import pdfium_pages as pdfium
from tests.helpers.pdf_files import drawn, write_pdf

# These letters of Helvetica have the same width, so positions can be counted in letters.
WIDTH = 0.556 * 12
OPEN, CLOSE = r"\223", r"\224"


def _at(text, column, y=700.0, **looks):
    """Draw a text with its first letter at this column of the line."""
    return drawn(text, 72 + column * WIDTH, y, 12, **looks)


def _mark(mark, column, y=700.0):
    return _at(mark, column, y, font="B")


def _with_gaps(*texts, y=700.0):
    """Draw texts with a gap of one letter between them, as if a glyph were missing."""
    return f"BT /F 12 Tf 72 {y} Td [{' -556 '.join(f'({text})' for text in texts)}] TJ ET\n"


def _read(folder, *contents, **options):
    return load_document(write_pdf(folder / "essay.pdf", "".join(contents), **options))


def _line(folder, *contents, **options):
    return _read(folder, *contents, **options).text


QUOTED = (_with_gaps("andapage", "bonded", "and.on"), _mark(OPEN, 8), _mark(CLOSE, 15))
SHOWN = "andapage“bonded”and.on"


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_that_marks_drawn_after_the_line_are_put_into_it(tmp_path, turn):
    assert _line(tmp_path, *QUOTED, turn=turn) == SHOWN


def test_that_marks_drawn_before_the_line_are_put_into_it(tmp_path):
    assert _line(tmp_path, *reversed(QUOTED)) == SHOWN


def test_that_a_mark_at_the_beginning_of_a_line_is_kept_there(tmp_path):
    below = (_with_gaps("", "bonded", "and.on", y=685), _mark(OPEN, 0, 685), _mark(CLOSE, 7, 685))
    assert _line(tmp_path, *QUOTED, *below) == f"{SHOWN} “bonded”and.on"


def test_that_words_stay_separated(tmp_path):
    words = (_with_gaps("an", "page", "bonded"), _mark(OPEN, 7))
    assert _line(tmp_path, *words) == "an page“bonded"


def test_that_a_superscript_stays_beside_its_word(tmp_path):
    raised = drawn("2", 72 + 3 * WIDTH, 705, 7)
    assert _line(tmp_path, _at("and", 0), raised, _at("on", 3.6)) == "and2on"


def test_that_a_rising_watermark_stays_a_line(tmp_path):
    rising = "BT /F 40 Tf 0.7 0.7 -0.7 0.7 100 300 Tm (unopened) Tj ET\n"
    assert "unopened" in _line(tmp_path, *QUOTED, rising)


# Every second column is drawn upwards, so that the next one begins beside its end.
VERTICAL = "".join(
    _at(letter, 10 - 1.5 * column, 700 - 14 * row)
    for column, letters in enumerate(("bonded", "opaque", "unopen"))
    for row, letter in list(enumerate(letters))[:: (-1) ** column]
)
UPRIGHT = "".join(_at("bonded", 0, y) for y in range(600, 720, 15))
UPSIDE_DOWN = f"BT /F 12 Tf -1 0 0 -1 {72 + 30 * WIDTH} 400 Tm (upended) Tj ET\n"
HEBREW = _at("bonded", 10) + _at("page", 6)
TO_HEBREW = " endbfchar 1 beginbfchar ".join(
    f"<{ord(letter):02X}> <{0x5D0 + number:04X}>" for number, letter in enumerate("bondepag")
)


@pytest.mark.parametrize(
    ("content", "to_unicode"),
    [
        (VERTICAL, ""),
        (UPRIGHT + UPSIDE_DOWN, ""),
        (HEBREW, TO_HEBREW),
        (_at("bonded", 0) + _at("bonded", 0.05), ""),
        (_at("bonded", 0) + _at("pagu", 1), ""),
        (_at("page", 20) + _at("an", 0) + _at("bonded", 40), ""),
    ],
    ids=["vertical", "upside down", "right to left", "drawn twice", "on top of another", "cells"],
)
def test_that_text_that_is_not_one_line_is_not_reordered(tmp_path, monkeypatch, content, to_unicode):
    found = _line(tmp_path, content, to_unicode=to_unicode)
    monkeypatch.setattr(pdfium, "put_in_order", lambda _characters: None)
    assert found == _line(tmp_path, content, to_unicode=to_unicode)


def test_that_boxes_are_reordered_with_their_characters(tmp_path):
    document = _read(tmp_path, *QUOTED)
    boxes = document.character_boxes.boxes
    assert (np.diff(boxes[:, 0]) > 0).all()
    with pypdfium2.PdfDocument(tmp_path / "essay.pdf") as pdf:
        textpage = pdf[0].get_textpage()
        for char, box in zip(document.text, boxes.tolist(), strict=True):
            assert char in textpage.get_text_bounded(*box)


@settings(max_examples=40)
@given(st.data())
def test_that_the_order_of_drawing_makes_no_difference(tmp_path_factory, data):
    words = data.draw(st.lists(st.text("abdegnopqu", min_size=2, max_size=6), min_size=2, max_size=8))
    starts = np.cumsum([0, *map(len, words)]).tolist()
    runs = data.draw(st.permutations([_at(word, x) for word, x in zip(words, starts[:-1], strict=True)]))
    assert _line(tmp_path_factory.mktemp("pdf"), *runs) == "".join(words)


LEFT, RIGHT, WORDS = 60, 310, "the willows turn green and children"


def _column(name, count, x, top, *, step=14):
    return "".join(drawn(f"{name}{n} {WORDS}", x, top - step * n, 10) for n in range(count))


@pytest.mark.parametrize(
    ("drawing", "order"),
    [
        ([("right", 30, RIGHT, 740), ("left", 15, LEFT, 530)], "left right"),
        ([("left", 30, LEFT, 740), ("right", 15, RIGHT, 530)], "left right"),
        ([("right", 15, RIGHT, 530), ("left", 30, LEFT, 740)], "left right"),
        (
            [("b", 12, RIGHT, 740), ("a", 12, LEFT, 740), ("d", 12, RIGHT, 400), ("c", 12, LEFT, 400)],
            "a b c d",
        ),
        ([("a", 10, LEFT, 740), ("b", 30, RIGHT, 740), ("c", 15, LEFT, 560)], "a b c"),
        ([("c", 20, 480, 740), ("a", 20, 60, 740), ("b", 12, 270, 600)], "a b c"),
        ([("title", 1, 150, 780), ("right", 30, RIGHT, 740), ("left", 15, LEFT, 530)], "title left right"),
    ],
    ids=["over left", "over right", "right drawn first", "between", "second part", "three", "below a title"],
)
def test_that_the_left_column_comes_first_below_pictures(tmp_path, drawing, order):
    text = _read(tmp_path, *(_column(*column) for column in drawing)).text
    found = [(word.rstrip("0123456789"), word) for word in text.split() if word[-1].isdigit()]
    expected = [
        (name, f"{name}{n}")
        for name in order.split()
        for drawn_name, count, _x, _y in drawing
        if drawn_name == name
        for n in range(count)
    ]
    assert found == expected


def test_that_a_narrow_note_on_the_left_stays_after_the_text_beside_it(tmp_path):
    note = "".join(drawn(f"note{n}", 60, 700 - 14 * n, 10) for n in range(6))
    assert _read(tmp_path, _column("text", 20, 220, 740), note).text.startswith("text0")
