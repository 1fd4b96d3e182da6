"""Real files, compared with the results of independent readers (expected.tsv beside them)."""

import csv
from functools import cache
from pathlib import Path

import pytest

from simcompare.loading import load_document
from simcompare.model.document import Document, Place
from simcompare.model.errors import DamagedFileError, FileError, PasswordNeededError, UnsupportedFormatError

FILES = Path(__file__).parents[2].parent / "shared" / "docs"
# The rows of these files count more characters than the pages show: line ends between vertical characters
# and blanks between the characters of a table of contents are included.
FEWER_CHARACTERS = {"kampo.pdf": 2600, "XiaoBiaoSong.pdf": 340}
# Word and LibreOffice display numbers before 86 of its paragraphs ("3.2.2.5.1.4.1."), not counted there.
MORE_CHARACTERS = {"bug65649.docx": 244000}


def _rows() -> list[dict[str, str]]:
    table = FILES / "expected.tsv"
    if not table.exists():
        return []
    with table.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _named(rows: list[dict[str, str]]) -> list[object]:
    if not rows:
        return [pytest.param({}, marks=pytest.mark.skip(reason="the folder of real files is not here"))]
    return [pytest.param(row, id=row["file"]) for row in rows]


def _visible(text: str) -> int:
    return len("".join(text.split()))


@cache
def _load(name: str) -> Document:
    if not (FILES / name).exists():
        pytest.skip("the folder of real files is not here")
    return load_document(FILES / name)


@pytest.mark.parametrize("row", _named(_rows()))
def test_that_a_real_file_yields_its_visible_text(row):
    path = FILES / row["file"]
    if row["state"] == "error":
        with pytest.raises(FileError) as caught:
            load_document(path)
        assert type(caught.value) in {DamagedFileError, PasswordNeededError, UnsupportedFormatError}
        assert row["file"] in str(caught.value)
        return
    document = _load(row["file"])
    least = FEWER_CHARACTERS.get(row["file"], int(row["min_chars"] or 1))
    most = MORE_CHARACTERS.get(row["file"], int(row["max_chars"] or 10**9))
    assert least <= _visible(document.text) <= most
    assert row["contains"] in document.text
    assert not row["lacks"] or row["lacks"] not in document.text
    assert document.receipt.doubtful == (row["state"] == "doubtful")


def test_that_words_broken_at_line_ends_of_two_columns_are_joined():
    text = _load("naacl06-shinyama.pdf").text
    assert "Existing IE systems require a lot of time and human effort to tune for a new scenario." in text
    assert "discovers all possible relations from texts and presents them as tables" in text
    assert text.index("1 Background") < text.index("2 Basic Idea") < text.index("References")


def test_that_vertical_writing_is_not_read_as_lines_of_one_character():
    lines = _load("kampo.pdf").text.split("\n")
    assert sum(len(line) > 2 for line in lines) > 0.8 * len(lines)
    assert any("道路交通法施行令の一部を改正する政令" in line for line in lines)


def test_that_letters_drawn_twice_for_bold_count_once():
    text = _load("issue-71-duplicate-chars.pdf").text
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
    assert chinese == pytest.approx(882, abs=2)


def test_that_garbled_pages_are_flagged():
    receipt = _load("TAMReview.pdf").receipt
    flag = next(flag for flag in receipt.flags if flag.name == "garbled_page")
    assert Place(page=2) in flag.places
    assert Place(page=1) not in flag.places
    assert flag.count == len(flag.places) == 21


def test_that_footnotes_have_their_own_block_kind():
    document = _load("footnotes.docx")
    assert [b.kind for b in document.blocks] == ["paragraph", "footnote", "footnote"]
