"""Line numbers in the margins of PDF pages are left out; other numbers beside lines are not."""

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from simcompare.loading import load_document
from simcompare.model.document import DropReason
from tests.helpers import essay_files as files
from tests.helpers.pdf_files import drawn, write_pdf

WORDS = "the willows turn green and children fly kites on the bank of the old"
ENDS = ("river", "house", "water", "field", "stone", "bridge", "well-")
LINES = 34
RIGHT = 520


def _text(line):
    """Return a line; every seventh ends within a compound, and every ninth ends a paragraph."""
    return f"{WORDS[:30]}." if line % 9 == 8 else f"{WORDS} {ENDS[line % 7]}"


def _number(value, x, y, size, *, ends_at):
    return drawn(str(value), x - ends_at * 0.556 * size * len(str(value)), y, size)


def _page(first, *, left=None, right=None, step=1, start=0, apart=False, count=LINES, x=90, size=8):
    """Draw a page of lines; `first` is the index of its first line, which has the number after `start`."""
    text, numbers = [], []
    for n in range(count):
        y, value, beside = 740 - 18 * n, n + 1 + start, []
        if value % step == 0:
            beside += [_number(value, left, y, size, ends_at=1)] if left else []
            beside += [_number(value, right, y, size, ends_at=0)] if right else []
        text.append(drawn(_text(first + n), x, y))
        (numbers if apart else text).extend(beside)
    return "".join([*text, *numbers])


def _read(tmp_path, *pages):
    document = load_document(write_pdf(tmp_path / "essay.pdf", *pages))
    return document.text, {drop.reason: drop.characters for drop in document.receipt.dropped}


def _digits(values):
    return sum(len(str(value)) for value in values)


@pytest.mark.parametrize("apart", [False, True], ids=["with the line", "after the text"])
@pytest.mark.parametrize("continued", [True, False], ids=["continued", "restarting"])
@pytest.mark.parametrize("step", [1, 5])
@pytest.mark.parametrize("margins", [{"left": 70}, {"right": RIGHT}, {"left": 70, "right": RIGHT}], ids=str)
def test_that_line_numbers_are_left_out_and_counted(tmp_path, margins, step, continued, apart):
    counts = (LINES, LINES, 6)
    starts = (0, LINES, 2 * LINES) if continued else (0, 0, 0)
    pages = [
        _page(LINES * n, start=start, step=step, apart=apart, count=count, **margins)
        for n, (start, count) in enumerate(zip(starts, counts, strict=True))
    ]
    plain, _none = _read(tmp_path, *(_page(LINES * n, count=count) for n, count in enumerate(counts)))
    text, dropped = _read(tmp_path, *pages)
    assert text == plain
    values = [
        n for start, count in zip(starts, counts, strict=True) for n in range(start + 1, start + count + 1)
    ]
    expected = len(margins) * _digits(value for value in values if value % step == 0)
    assert dropped == {DropReason.LINE_NUMBER: expected}


@pytest.mark.parametrize("step", [1, 5])
def test_that_line_numbers_of_two_columns_are_left_out(tmp_path, step):
    def column(x, number_x, start):
        return "".join(
            drawn("children fly kites on the bank", x, 740 - 18 * n)
            + (_number(n + start, number_x, 740 - 18 * n, 8, ends_at=1) if (n + start) % step == 0 else "")
            for n in range(LINES)
        )

    text, dropped = _read(tmp_path, column(90, 70, 1) + column(330, 312, LINES + 1))
    assert not any(map(str.isdigit, text))
    assert list(dropped) == [DropReason.LINE_NUMBER]


needs_libreoffice = pytest.mark.skipif(files.soffice() is None, reason="LibreOffice is not installed")


@needs_libreoffice
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("attributes", "columns"),
    [('w:countBy="1" w:restart="continuous"', 1), ('w:countBy="5" w:restart="newPage"', 2)],
)
def test_that_line_numbers_of_word_are_left_out(tmp_path, language, attributes, columns):
    title, paragraphs = files.long_essay(language)
    source = files.write_docx(tmp_path / "essay.docx", title, paragraphs)
    document = docx.Document(source)
    column = document.sections[0]._sectPr.find(qn("w:cols"))
    column.addprevious(parse_xml(f"<w:lnNumType {nsdecls('w')} {attributes}/>"))
    column.set(qn("w:num"), str(columns))
    document.save(source)
    read = load_document(files.convert_by_libreoffice(source, "pdf"))
    # Whether a blank beside Chinese was drawn depends on the fonts, and a compound may end a line.
    # A title in a wide font takes two lines.
    assert "".join(filter(str.isalnum, read.text)) == "".join(
        filter(str.isalnum, "".join((title, *paragraphs)))
    )
    assert read.receipt.dropped[0].reason is DropReason.LINE_NUMBER


def _rows(*texts, x=110, left=90, start=1, number_ends=0):
    return "".join(
        _number(n + start, left, 740 - 18 * n, 12, ends_at=number_ends) + drawn(text, x, 740 - 18 * n)
        for n, text in enumerate(texts)
    )


SHORT = [WORDS[: 20 + 13 * n % 41] for n in range(LINES)]
NUMBERED = {
    "list": _rows(*[f"{WORDS[:60]}"] * LINES),
    "short lines of a listing": _rows(*(WORDS[: 5 + 37 * n % 59] for n in range(LINES)), number_ends=1),
    "answers, aligned on the right": _rows(*(f"{WORDS[: 50 + n % 9]}." for n in range(LINES)), number_ends=1),
    "verses, aligned on the right": _rows(
        *(f"{WORDS[: 50 + n % 9]}{',;!?'[n % 4]}" for n in range(14)), number_ends=1
    ),
    "answers of one or two lines": _rows(*(f"{WORDS}." for _n in range(20)), number_ends=1)
    + "".join(
        drawn(str(n), 70, 380 - 30 * (n - 21))
        + drawn(WORDS, 110, 380 - 30 * (n - 21))
        + drawn("so.", 110, 366 - 30 * (n - 21))
        for n in range(21, 26)
    ),
    "years": _rows(*SHORT, start=1980, x=130),
    "verses": "".join(drawn(f"{n + 1} {_text(n)}", 90, 740 - 18 * n) for n in range(LINES)),
    "table": _rows(*[WORDS[:20]] * LINES, number_ends=1)
    + "".join(drawn(f"{60 + n} points", 400, 740 - 18 * n) for n in range(LINES)),
    "table in a text": _page(0, count=12)
    + "".join(drawn(f"{n}", 90, 520 - 18 * n) + drawn(WORDS[:30], 120, 520 - 18 * n) for n in range(1, 9))
    + "".join(drawn(_text(n), 90, 340 - 18 * n) for n in range(12)),
    "items of several lines": "".join(
        (drawn(str(n // 3 + 1), 90, 740 - 18 * n) if n % 3 == 0 else "") + drawn(WORDS, 115, 740 - 18 * n)
        for n in range(LINES)
    ),
}


@pytest.mark.parametrize("content", NUMBERED.values(), ids=NUMBERED)
def test_that_other_numbers_beside_lines_are_kept(tmp_path, content):
    _text_read, dropped = _read(tmp_path, content)
    assert DropReason.LINE_NUMBER not in dropped
