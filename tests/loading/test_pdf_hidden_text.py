"""Hidden text of PDF files is dropped and flagged; ordinary pages are not."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import Place
from simcompare.model.errors import HiddenTextError
from tests.helpers.pdf_files import drawn, write_pdf

SEEN = "".join(drawn(f"The willows turn green, said the {n}. of us.", 72, 700 - 20 * n) for n in range(8))
PICTURE = (
    "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 "
    "/Filter /ASCIIHexDecode /Length 9 >> stream\nA0A0A0A0>\nendstream"
)
FORM = (
    "<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Matrix [0.5 0 0 0.5 0 0] "
    "/Resources << /Font << /F 4 0 R >> >> /Length {} >> stream\n{}\nendstream"
)
RESOURCES = "/XObject << /P 7 0 R /O 8 0 R >> /ExtGState << /T << /ca 0 >> >>"


def _load(tmp_path, *contents, form="", **options):
    objects = (PICTURE, FORM.format(len(form), form))
    path = write_pdf(tmp_path / "essay.pdf", *contents, resources=RESOURCES, objects=objects, **options)
    return load_document(path)


def _picture(x, y, width, height):
    return f"q {width} 0 0 {height} {x} {y} cm /P Do Q\n"


def _filled(x, y, width, height, grey):
    return f"q {grey} g {x} {y} {width} {height} re f Q\n"


HIDING = {
    "white": ("white_text", "1 1 1 rg " + drawn("copied words", 72, 300)),
    "nearly white": ("white_text", "0.98 1 0.99 rg " + drawn("copied words", 72, 300)),
    "white by stroke": ("white_text", "1 G 1 Tr " + drawn("copied words", 72, 300)),
    "grey on the same grey": (
        "white_text",
        _filled(60, 290, 300, 30, 0.3) + "0.3 g " + drawn("copied words", 72, 300),
    ),
    "invisible": ("hidden_text", "3 Tr " + drawn("copied words", 72, 300)),
    "transparent": ("hidden_text", "/T gs " + drawn("copied words", 72, 300)),
    "below a white area": ("covered_text", drawn("copied words", 72, 300) + _filled(60, 290, 300, 30, 1)),
    "below a picture": ("covered_text", drawn("copied words", 72, 300) + _picture(60, 290, 300, 30)),
    "tiny": ("tiny_text", drawn("copied words", 72, 300, size=1)),
    "tiny by scale": ("tiny_text", "q 0.05 0 0 0.05 0 0 cm " + drawn("copied words", 1440, 6000) + "Q\n"),
    "above the page": ("outside_page", drawn("copied words", 72, 900)),
    "beside the page": ("outside_page", drawn("copied words", -300, 300)),
}


@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(("reason", "content"), HIDING.values(), ids=HIDING)
def test_that_hidden_text_is_dropped_and_flagged(tmp_path, reason, content, turn):
    document = _load(tmp_path, SEEN, SEEN + content, turn=turn)
    assert "copied" not in document.text
    assert document.text.count("willows") == 16
    (dropped,) = document.receipt.dropped
    assert (dropped.reason, dropped.characters, dropped.excerpt) == (reason, 11, "copied words")
    (flag,) = document.receipt.flags
    assert (flag.name, flag.count, flag.places) == (reason, 11, (Place(2),))
    assert document.receipt.doubtful


HONEST = {
    "white on a dark table head": _filled(60, 290, 300, 30, 0.2) + "1 g " + drawn("seen words", 72, 300),
    "white on a picture": _picture(60, 290, 300, 30) + "1 g " + drawn("seen words", 72, 300),
    "on a white area": _filled(60, 290, 300, 30, 1) + drawn("seen words", 72, 300),
    "light grey": "0.8 g " + drawn("seen words", 72, 300),
    "under a frame that is not filled": drawn("seen words", 72, 300) + "60 290 300 30 re S\n",
    "beside an area": drawn("seen words", 72, 300) + _filled(300, 290, 300, 30, 1),
    "underlined": drawn("seen words", 72, 300) + _filled(72, 298, 80, 0.5, 0),
    "4 points": drawn("seen words", 72, 300, size=4),
    "in a form": "/O Do\n",
}


@pytest.mark.parametrize("content", HONEST.values(), ids=HONEST)
def test_that_visible_text_is_kept_and_not_flagged(tmp_path, content):
    form = _filled(120, 580, 600, 60, 0.2) + "1 g " + drawn("seen words", 144, 600)
    document = _load(tmp_path, SEEN + content, form=form)
    assert "seen words" in document.text
    assert not document.receipt.flags
    assert not document.receipt.dropped


def test_that_words_in_a_form_are_visible_at_the_position_of_the_form(tmp_path):
    form = _filled(120, 580, 600, 60, 1) + "1 g " + drawn("copied words", 144, 600)
    document = _load(tmp_path, SEEN + "/O Do\n", form=form)
    assert [dropped.reason for dropped in document.receipt.dropped] == ["white_text"]


@pytest.mark.parametrize("page", ["3 Tr " + SEEN + _picture(0, 0, 595, 842), SEEN + _picture(0, 0, 595, 842)])
def test_that_recognised_text_of_a_scanned_page_is_kept(tmp_path, page):
    document = _load(tmp_path, page)
    assert document.text.count("willows") == 8
    assert not document.receipt.doubtful


def test_that_hidden_words_on_a_page_of_text_over_a_picture_are_found(tmp_path):
    document = _load(tmp_path, _picture(0, 0, 595, 842) + SEEN + "3 Tr " + drawn("copied words", 72, 300))
    assert [dropped.reason for dropped in document.receipt.dropped] == ["hidden_text"]


def test_that_white_letters_between_words_do_not_affect_the_words(tmp_path):
    letters = "BT /F 12 Tf 72 700 Td (will) Tj 1 g (xxx) Tj 0 g (ows turn) Tj ET\n"
    assert _load(tmp_path, letters).text.replace(" ", "") == "willowsturn"


def test_that_a_file_with_only_hidden_text_is_empty(tmp_path):
    with pytest.raises(HiddenTextError):
        _load(tmp_path, "1 g " + SEEN)


def _with_emoji(tmp_path, hidden):
    """Load a page with white text in a font of emoji, as Microsoft Print to PDF draws the layers of one."""
    path = write_pdf(tmp_path / "essay.pdf", SEEN + "1 1 1 rg " + drawn(hidden, 72, 300, font="B"))
    path.write_bytes(path.read_bytes().replace(b"/Helvetica-Bold", b"/SegoeUIEmoji "))
    return load_document(path)


def test_that_the_covered_layers_of_emoji_are_no_hidden_text(tmp_path):
    receipt = _with_emoji(tmp_path, r"\344\366").receipt
    assert not receipt.doubtful
    assert [(drop.reason, drop.characters) for drop in receipt.dropped] == [("symbol_font", 2)]


def test_that_white_words_in_a_font_of_emoji_are_flagged(tmp_path):
    receipt = _with_emoji(tmp_path, "copied words").receipt
    assert [(flag.name, flag.count) for flag in receipt.flags] == [("white_text", 11)]
