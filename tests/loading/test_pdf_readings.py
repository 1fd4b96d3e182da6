"""The better of two readings of a page: vertical writing, and fonts that one of the readers knows better."""

import pytest

from simcompare.loading import load_document
from simcompare.loading.formats.pdf.pdf_lines import PdfLine, PdfPage
from simcompare.loading.formats.pdf.pdf_reader import is_better
from simcompare.loading.formats.pdf.pdfminer_pages import miner_pages
from tests.helpers.pdf_files import drawn, write_pdf

SIZE = 12
HAN = "我家门前有一条小河水清四季都在唱歌春天柳树发芽了孩子们放风筝大人忙着播种老坐桥头边晒太阳说从"
CODES = [code for code in range(0x21, 0x7F) if chr(code) not in "()\\<>"][: len(HAN)]
MEANINGS = " ".join(f"<{code:02x}> <{ord(char):04x}>" for code, char in zip(CODES, HAN, strict=True))
CODE_OF = {char: chr(code) for code, char in zip(CODES, HAN, strict=True)}


def _text(text, x, y):
    """Draw characters of the size of Chinese ones, in cells of 12 points."""
    return "".join(drawn(CODE_OF[char], x + n * SIZE, y, SIZE) for n, char in enumerate(text))


def _read(folder, *contents):
    return load_document(write_pdf(folder / "essay.pdf", "".join(contents), to_unicode=MEANINGS))


def test_that_labels_of_a_chart_do_not_make_a_page_vertical(tmp_path):
    rows = [drawn(f"{n}", 90 + 150 * (n % 3), 600 - 18 * n) for n in range(30)]
    lines = [drawn("the willows turn green and children fly kites", 72, 740 - 20 * n) for n in range(5)]
    document = load_document(write_pdf(tmp_path / "essay.pdf", "".join(lines + rows)))
    assert document.receipt.reader == "pypdfium2"
    assert document.text.startswith("the willows turn green")


def test_that_names_of_cells_beside_a_text_do_not_make_a_page_vertical(tmp_path):
    cells = [HAN[n : n + 2] for n in range(0, 48, 2)]
    content = [_text(cell, 80 + 200 * (n % 2), 550 - 20 * n) for n, cell in enumerate(cells)]
    lines = [_text(HAN[:30], 80, 740 - 20 * n) for n in range(8)]
    document = _read(tmp_path, *lines, *content)
    assert document.receipt.reader == "pypdfium2"
    assert document.text.replace("\n", "").startswith(HAN[:30] * 8)


def _page(*texts, unreadable=0.0):
    lines = [PdfLine(1, text, 72, 700 - 16 * n, 500, 712 - 16 * n, SIZE) for n, text in enumerate(texts)]
    return PdfPage(1, 0.0, 842.0, lines, unreadable=unreadable)


@pytest.mark.parametrize(
    ("first", "second", "better"),
    [
        ("les élèves étudient à l’école", "les e´le`ves e´tudient a` l’e´cole", False),
        ("les élèves étudient à l’école", "les élèves étudient à l’école", True),
        ("les \ufffdl\ufffdves \ufffdtudient", "les e´le`ves e´tudient", True),
        ("the \ue012\ue013\ue014 turn green", "the willows turn green", True),
    ],
    ids=["accents apart", "equal", "fewer unknown", "private use"],
)
def test_that_the_reading_with_fewer_unlikely_characters_is_better(first, second, better):
    assert is_better(_page(second), _page(first, unreadable=0.1), vertical=False) is better


COLUMNS = ("我家门前有一条小河", "河水清清的四季都在", "唱歌春天柳树发芽了", "孩子们在河边放风筝")


def _vertical(*columns):
    """Return pdfium's reading of vertical writing: a line for each character."""
    return _page(*(char for column in columns for char in column))


def test_that_columns_drawn_downwards_are_vertical_writing():
    assert is_better(_page(*COLUMNS), _vertical(*COLUMNS), vertical=True)


@pytest.mark.parametrize(
    "second",
    [("我河唱孩家水歌子门清春们", "前清天在有的柳河一四树边"), tuple("".join(COLUMNS))],
    ids=["across", "as before"],
)
def test_that_another_order_than_that_of_drawing_is_not_better(second):
    assert not is_better(_page(*second), _vertical(*COLUMNS), vertical=True)


def test_that_cells_in_reverse_order_are_not_better():
    cells = [column[n : n + 2] for column in COLUMNS for n in range(0, 8, 2)]
    assert not is_better(_page(*reversed(cells)), _page(*cells), vertical=True)


def test_that_pdfminer_alone_finds_columns_drawn_downwards(tmp_path, monkeypatch):
    # pdfium knows no characters of fonts that neither the file nor the machine has
    monkeypatch.setattr("simcompare.loading.formats.pdf.pdf_reader.opened_by_pdfium", lambda *_: None)
    columns = "willowsturngreen", "childrenflykites"
    glyphs = [
        drawn(char, 400 - 30 * number, 740 - SIZE * n, SIZE)
        for number, column in enumerate(columns)
        for n, char in enumerate(column)
    ]
    document = load_document(write_pdf(tmp_path / "essay.pdf", "".join(glyphs)))
    assert document.text.split() == list(columns)


def test_that_pages_in_fonts_that_no_reader_knows_are_not_all_read_twice(tmp_path, monkeypatch):
    read = []

    def counted(*arguments, **options):
        for page in miner_pages(*arguments, **options):
            read.append(page.number)
            yield page

    monkeypatch.setattr("simcompare.loading.formats.pdf.pdf_reader.miner_pages", counted)
    unknown = " ".join(f"<{code:02x}> <fffd>" for code in CODES)
    pages = [_text(HAN[:30], 80, 700)] * 8
    document = load_document(write_pdf(tmp_path / "essay.pdf", *pages, to_unicode=unknown))
    assert read == [1, 2, 3]
    assert document.receipt.pages == 8
