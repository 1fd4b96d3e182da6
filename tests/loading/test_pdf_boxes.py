"""Positions of PDF characters: the boxes of a word cover the drawn word."""

import re

import numpy as np
import pypdfium2
import pytest

from simcompare.loading import load_document
from simcompare.loading.formats.pdf import pdf_reader as reader
from tests.helpers import essay_files as files
from tests.helpers.documents import SHARED
from tests.helpers.pdf_files import drawn, write_pdf

REAL = ("issue-71-duplicate-chars.pdf", "naacl06-shinyama.pdf", "prefilled_f1040.pdf", "kampo.pdf")
needs_libreoffice = pytest.mark.skipif(files.soffice() is None, reason="LibreOffice is not installed")
CONTENT = drawn("The willows turn green,", 72, 700) + drawn("children fly kites.", 300, 200, scale=0.5)


def _words(document, least=1):
    """Yield words on one line of one page: text, page and the union of their boxes."""
    places = document.character_boxes
    for match in re.finditer(r"[A-Za-z]+|[\u4e00-\u9fff]{2,5}", document.text):
        rows = slice(*match.span())
        boxes = places.boxes[rows]
        one_line = len(set(places.pages[rows].tolist())) == 1 and np.ptp((boxes[:, 1] + boxes[:, 3]) / 2) < 4
        if len(match[0]) >= least and one_line:
            around = (*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0))
            yield match[0], int(places.pages[match.start()]), tuple(map(float, around))


def _text_within(pdf, page, box):
    textpage = pdf[page - 1].get_textpage()
    return textpage.get_text_bounded(*box)


def _recovered_share(path, document, least=3):
    pdf = pypdfium2.PdfDocument(path)
    words = list(_words(document, least))[::3]
    found = [word in re.sub(r"\s", "", _text_within(pdf, page, box)) for word, page, box in words]
    pdf.close()
    assert len(found) > 0
    return sum(found) / len(found)


def _ink(path, page, box, turn):
    """Return the share of dark pixels in a box of the unrotated page, as rendered."""
    pdf = pypdfium2.PdfDocument(path)
    shown = pdf[page - 1].render(scale=4, grayscale=True).to_numpy().squeeze()
    left, low, _right, _high = pdf[page - 1].get_mediabox()
    upright = np.rot90(shown, turn // 90)
    x0, y0, x1, y1 = ((value - corner) * 4 for value, corner in zip(box, (left, low) * 2, strict=True))
    height = upright.shape[0]
    crop = upright[int(height - y1) : int(height - y0) + 1, int(x0) : int(x1) + 1]
    pdf.close()
    return (crop < 128).mean()


@pytest.mark.parametrize("corner", [(0, 0), (50, -30)])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("by", ["pdfium", "pdfminer"])
def test_that_the_boxes_of_a_word_cover_its_drawn_pixels(tmp_path, monkeypatch, by, turn, corner):
    box = (*corner, corner[0] + 595, corner[1] + 842)
    path = write_pdf(tmp_path / "essay.pdf", CONTENT, turn=turn, box=box)
    if by == "pdfminer":
        monkeypatch.setattr(reader, "opened_by_pdfium", lambda *_arguments: None)
    words = list(_words(load_document(path)))
    assert {word for word, _page, _box in words} == {
        *["The", "willows", "turn", "green", "children", "fly", "kites"]
    }
    for word, page, around in words:
        assert _ink(path, page, around, turn) > 0.05, word
    assert _recovered_share(path, load_document(path)) == 1


def test_that_every_character_except_line_ends_has_a_position(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", CONTENT, CONTENT.replace("willows", "branches"))
    document = load_document(path)
    places = document.character_boxes
    assert len(places.pages) == len(places.boxes) == len(document.text)
    nowhere = [char for char, page in zip(document.text, places.pages, strict=True) if not page]
    assert set(nowhere) == {"\n"}
    assert np.isnan(places.boxes[places.pages == 0]).all()
    assert not np.isnan(places.boxes[places.pages > 0]).any()


def test_that_a_word_broken_at_a_line_end_has_a_box_on_both_lines(tmp_path):
    lines = [("We wrote all of it down about the wil-", 72, 700), ("lows of our home.", 72, 680)]
    path = write_pdf(tmp_path / "essay.pdf", "".join(drawn(*line) for line in lines))
    document = load_document(path)
    start = document.text.index("willows")
    assert document.character_boxes.boxes[start : start + 7, 1].round().tolist() == pytest.approx(
        [697] * 3 + [677] * 4, abs=2
    )


@needs_libreoffice
@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_words_of_an_essay_from_libreoffice_have_correct_positions(tmp_path, language):
    source = files.write_docx(tmp_path / "essay.docx", *files.long_essay(language))
    path = files.convert_by_libreoffice(source, "pdf")
    assert _recovered_share(path, load_document(path)) > 0.99


@pytest.mark.parametrize("name", REAL)
def test_that_words_of_real_files_have_correct_positions(name):
    path = SHARED / "docs" / name
    if not path.exists():
        pytest.skip("the folder of real files is not here")
    assert _recovered_share(path, load_document(path), least=2 if name == "kampo.pdf" else 3) > 0.9
