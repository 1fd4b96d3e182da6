"""However a sheet lies and whichever way its text runs, it is read as by someone who turns the sheet."""

import pytest

from simcompare.loading import load_document
from tests.helpers.pdf_files import write_pdf

LINES = ("The willows turn green by the river.", "Children fly kites on the bank until dusk.")
# the text as a whole, turned by so many degrees about a corner of the sheet and moved back onto it
TURNS = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 595 0", 180: "-1 0 0 -1 595 842", 270: "0 -1 1 0 0 842"}


@pytest.mark.parametrize("shown", [0, 90, 180, 270])
@pytest.mark.parametrize("written", TURNS)
def test_that_lines_are_read_forwards_however_the_sheet_lies(tmp_path, written, shown):
    first, second = LINES
    text = f"BT /F 12 Tf 100 500 Td ({first}) Tj 0 -16 Td ({second}) Tj ET"
    path = write_pdf(tmp_path / "turned.pdf", f"q {TURNS[written]} cm {text} Q", turn=shown)
    assert load_document(path).text.split() == " ".join(LINES).split()
