"""Rotated pages and rotated text are read upright."""

import random

import pytest

from simcompare.loading import load_document
from simcompare.model.document import DropReason
from tests.helpers.pdf_files import write_pdf

LINES = ("The willows turn green by the river.", "Children fly kites on the bank until dusk.")
# the whole text, rotated about a corner of the sheet and moved back onto it
TURNS = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 595 0", 180: "-1 0 0 -1 595 595", 270: "0 -1 1 0 0 595"}
SQUARE = (0, 0, 595, 595)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("written", TURNS)
def test_that_lines_are_read_forwards_for_any_rotation(tmp_path, written, turn):
    first, second = LINES
    text = f"BT /F 12 Tf 100 500 Td ({first}) Tj 0 -16 Td ({second}) Tj ET"
    path = write_pdf(tmp_path / "turned.pdf", f"q {TURNS[written]} cm {text} Q", turn=turn, box=SQUARE)
    assert load_document(path).text.split() == " ".join(LINES).split()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("written", TURNS)
def test_that_header_and_footer_are_distinguished_for_any_rotation(tmp_path, written, turn):
    words = " ".join(LINES).split()
    pages = []
    for number in (1, 2, 3):
        made = random.Random(number)
        body = "".join(
            f"1 0 0 1 100 {height} Tm ({' '.join(made.sample(words, 8))}) Tj "
            for height in range(140, 560, 18)
        )
        pages.append(f"q {TURNS[written]} cm BT /F 12 Tf {body} 1 0 0 1 250 575 Tm (School essays) Tj ET Q")
    document = load_document(write_pdf(tmp_path / "turned.pdf", *pages, turn=turn, box=SQUARE))
    [dropped] = document.receipt.dropped
    assert (dropped.reason, dropped.characters) == (DropReason.PAGE_HEADER, 3 * len("Schoolessays"))
