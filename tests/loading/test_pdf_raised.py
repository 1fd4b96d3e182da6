"""Small characters beside and above others: superscripts stay in the line, phonetic guides are removed."""

import pytest

from simcompare.loading import load_document
from simcompare.model.document import DropReason
from tests.helpers import essay_files as files
from tests.helpers.pdf_files import drawn, write_pdf

SIZE = 12
CHARACTERS = "我家门前有一条小河，"
# All digits have the same width; stretched, they are as wide as high.
DIGITS = "0123456789"
STRETCHED = 180
MEANINGS = " ".join(
    f"<{ord(digit):02x}> <{ord(character):04x}>" for digit, character in zip(DIGITS, CHARACTERS, strict=True)
)


def _characters(digits, column=0, y=700.0):
    return f"BT /F {SIZE} Tf {STRETCHED} Tz {72 + column * SIZE} {y} Td ({digits}) Tj ET\n"


def _reading(letters, column, y=713.0, size=6.0):
    """Draw a phonetic guide centred above a character."""
    width = 0.556 * size * len(letters)
    return drawn(letters, 72 + (column + 0.5) * SIZE - width / 2, y, size, font="B")


def _read(folder, *contents):
    return load_document(write_pdf(folder / "essay.pdf", "".join(contents), to_unicode=MEANINGS))


def _dropped(document):
    return {dropped.reason: (dropped.characters, dropped.excerpt) for dropped in document.receipt.dropped}


def _interleaved(columns, texts):
    """Draw each guide directly before its character, as LibreOffice does."""
    return "".join(
        (_reading(texts[column], column) if column in texts else "") + _characters(DIGITS[column], column)
        for column in columns
    )


PINYIN = {0: "wo", 1: "ji", 2: "me", 8: "h\\351"}


def test_that_pinyin_drawn_before_each_character_is_removed_from_the_sentence(tmp_path):
    document = _read(tmp_path, _interleaved(range(10), PINYIN))
    assert document.text == CHARACTERS
    assert _dropped(document) == {DropReason.PHONETIC_GUIDE: (8, "wo ji me hé")}
    assert not document.receipt.doubtful


@pytest.mark.parametrize("first", [True, False], ids=["drawn first", "drawn last"])
def test_that_pinyin_drawn_apart_from_its_line_is_removed_from_the_sentence(tmp_path, first):
    readings = "".join(_reading(text, column) for column, text in PINYIN.items())
    line = _characters(DIGITS)
    document = _read(tmp_path, *((readings, line) if first else (line, readings)))
    assert document.text == CHARACTERS
    assert DropReason.PHONETIC_GUIDE in _dropped(document)


def test_that_a_paragraph_continues_across_the_wider_gap_above_a_line_with_pinyin(tmp_path):
    lines = [_characters(DIGITS * 3, 0, 700 - 16 * row) for row in range(3)]
    lower = [_characters(DIGITS * 3, 0, 644 - 16 * row) for row in range(3)]
    document = _read(tmp_path, *lines, _reading("men", 2, 657), *lower)
    assert document.text == CHARACTERS * 18


@pytest.mark.parametrize(
    ("text", "column", "y", "size"),
    [
        ("she sings", 2, 713, 6),
        ("12", 3, 713, 6),
        ("men", 2, 713, 11),
        ("men", 2, 735, 6),
        ("men", 14, 713, 6),
    ],
    ids=["other words", "numbers", "as large", "far above", "beside"],
)
def test_that_other_print_above_a_line_is_kept(tmp_path, text, column, y, size):
    document = _read(tmp_path, _reading(text, column, y, size), _characters(DIGITS))
    assert not _dropped(document)
    assert text in document.text
    assert CHARACTERS in document.text


def test_that_each_character_below_pinyin_has_its_position(tmp_path):
    document = _read(tmp_path, _interleaved(range(10), PINYIN))
    lefts = document.character_boxes.boxes[:, 0]
    assert lefts.round().tolist() == [72 + SIZE * column for column in range(10)]


@pytest.mark.parametrize(
    ("raised", "height"), [("2", 705), ("2", 708), ("\\(1\\)", 705), ("th", 705), ("n+1", 697)]
)
@pytest.mark.parametrize("space", [0.0, 3.3], ids=["close", "with a space"])
def test_that_a_small_sign_stays_in_its_line(tmp_path, raised, height, space):
    widths = {"2": 0.556, "th": 0.834, "n+1": 1.696, "\\(1\\)": 1.222}
    after = 72 + 12 * 3 * 0.556 + 7 * widths[raised] + space
    content = (
        drawn("one", 72, 700) + drawn(raised, 72 + 12 * 3 * 0.556, height, 7) + drawn("and on", after, 700)
    )
    text = load_document(write_pdf(tmp_path / "essay.pdf", content)).text
    assert text == f"one{raised.replace(chr(92), '')}{' ' * (space > 0)}and on"


def test_that_a_mark_before_a_line_belongs_to_it(tmp_path):
    content = drawn("1", 72, 705, 7) + drawn(" See the second chapter", 76, 700)
    assert load_document(write_pdf(tmp_path / "essay.pdf", content)).text == "1 See the second chapter"


def test_that_a_large_number_beside_small_words_is_separated_from_them(tmp_path):
    content = drawn("Form", 72, 700, 7) + drawn("1040", 91, 700, 24)
    assert load_document(write_pdf(tmp_path / "essay.pdf", content)).text == "Form 1040"


def test_that_small_print_on_a_separate_line_stays_there(tmp_path):
    content = drawn("A river in spring", 72, 700, 24) + drawn("by a pupil", 72, 676, 10)
    assert load_document(write_pdf(tmp_path / "essay.pdf", content)).text == "A river in spring\nby a pupil"


RUBY = (
    '<w:r><w:ruby><w:rubyPr><w:hps w:val="12"/><w:hpsRaise w:val="18"/><w:hpsBaseText w:val="24"/></w:rubyPr>'
    '<w:rt><w:r><w:rPr><w:sz w:val="12"/></w:rPr><w:t>{}</w:t></w:r></w:rt>'
    "<w:rubyBase><w:r><w:t>{}</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)
RAISED = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{}</w:t></w:r>'
RUN = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'


@pytest.mark.skipif(files.soffice() is None, reason="LibreOffice is not installed")
@pytest.mark.skipif(not files.has_chinese_font(), reason="LibreOffice has no font for Chinese")
def test_that_a_pdf_by_libreoffice_has_the_text_of_the_word_file(tmp_path):
    sentence = files.CHINESE_PARAGRAPHS[0]
    with_pinyin = "".join(
        RUBY.format(reading, character) if reading else RUN.format(character)
        for character in sentence
        for reading in [{"河": "hé", "唱": "chàng", "柳": "liǔ", "风": "fēng"}.get(character)]
    )
    area = (
        RUN.format("The room has 50 m") + RAISED.format("2") + RUN.format(" and the 4") + RAISED.format("th")
    )
    body = f"<w:p>{with_pinyin}</w:p><w:p>{area}{RUN.format(' of May.')}</w:p>"
    source = files.write_body_xml(tmp_path / "essay.docx", body)
    text = load_document(source).text
    assert load_document(files.convert_by_libreoffice(source, "pdf")).text == text
    assert text.endswith("50 m2 and the 4th of May.")
