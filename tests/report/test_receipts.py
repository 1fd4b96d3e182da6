"""Receipts in words: kept, dropped and flagged text, with places and excerpts."""

from dataclasses import replace

import pytest

from simcompare.model.document import Dropped, DropReason, ExtractionReceipt, Flag, FlagName, Place
from simcompare.report import receipts
from simcompare.report.plain_text import comparison_as_text
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of

RECEIPT = ExtractionReceipt(
    reader="pdfium",
    format="pdf",
    characters_kept=1204,
    paragraphs=1,
    pages=3,
    dropped=(Dropped(DropReason.PAGE_FOOTER, 7, "Class 3"),),
    flags=(
        Flag(FlagName.HIDDEN_TEXT, 12, (Place(3, 2),), "copied from"),
        Flag(FlagName.PICTURES, 2, doubtful=False),
    ),
)


@pytest.mark.parametrize("name", list(FlagName))
def test_that_every_flag_has_words(name):
    assert "_" not in receipts.flag_in_words(Flag(name))


@pytest.mark.parametrize("reason", list(DropReason))
def test_that_every_reason_has_words(reason):
    assert "_" not in receipts.dropped_in_words(Dropped(reason, 2))


def test_that_a_receipt_is_listed_line_by_line():
    assert list(receipts.receipt_lines(RECEIPT)) == [
        ("Read", "PDF, 3 pages, 1 paragraph, 1,204 characters with punctuation"),
        ("Left out", "page footers (7 characters): “Class 3”"),
        ("To be checked", "hidden text (12 characters): page 3, near paragraph 2 (“copied from”)"),
        ("Worth knowing", "pictures (2)"),
        ("Technical", "read by pdfium"),
    ]


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        (Flag(FlagName.GARBLED_PAGE, 2, (Place(3), Place(4))), "garbled pages (2 pages): pages 3–4"),
        (Flag(FlagName.ZERO_WIDTH_CHARACTERS), "zero-width characters (1)"),
        (
            Flag(FlagName.LOOK_ALIKE_LETTERS, 3),
            "look-alike letters or characters (3 places)",
        ),
        (Flag(FlagName.ALMOST_EMPTY), "hardly any text"),
    ],
)
def test_that_counts_are_given_in_their_unit(flag, words):
    assert receipts.flag_in_words(flag) == words


@pytest.mark.parametrize("name", [FlagName.ZERO_WIDTH_CHARACTERS, FlagName.LOOK_ALIKE_LETTERS])
def test_that_doubts_show_invisible_characters_as_bars(name):
    flag = Flag(name, 2, (), "one [U+200B][U+FEFF]day")
    assert "“one |day”" in receipts.doubts_in_words(replace(RECEIPT, flags=(flag,)))


def test_that_consecutive_pages_are_joined_to_a_range():
    places = [Place(n) for n in (2, 3, 4, 9, 11, 12)]
    assert receipts.places_in_words(places) == "pages 2–4; page 9; pages 11–12"


def test_that_consecutive_paragraphs_are_joined_to_a_range():
    places = [Place(None, n) for n in (5, 6, 7, 8, 12, 7)]
    assert receipts.places_in_words(places) == "near paragraphs 5–8; near paragraph 12"


def test_that_only_the_first_places_are_named():
    places = [Place(None, n) for n in range(1, 18, 2)]
    assert receipts.places_in_words(places).endswith("; near paragraph 9; near paragraph 11; 3 more places")


def test_that_a_comparison_lists_doubtful_files_first(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    right = replace(comparison.right, document=replace(comparison.right.document, receipt=RECEIPT))
    doubtful = replace(comparison, right=right)
    lines = comparison_as_text(doubtful, None).split("\n")
    assert (
        lines[0]
        == "Please check right.txt: hidden text (12 characters): page 3, near paragraph 2 (“copied from”)"
    )
    assert "Left out           page footers (7 characters): “Class 3”" in lines
    assert "Worth knowing      pictures (2)" in lines


def test_that_slow_files_are_named_with_their_times_the_slowest_first():
    assert receipts.slow_files_in_words({"a.pdf": 20.6, "b.docx": 1062.0}, 10.0) == (
        "2 files took longer than 10 seconds: b.docx 1,062 s, a.pdf 21 s"
    )
    assert (
        receipts.slow_files_in_words({"a.pdf": 20.0}, 10.0)
        == "1 file took longer than 10 seconds: a.pdf 20 s"
    )
    many = {f"{number}.pdf": 100.0 - number for number in range(14)}
    assert receipts.slow_files_in_words(many, 10.0).endswith("9.pdf 91 s, and 4 more")
    del many["13.pdf"], many["12.pdf"], many["11.pdf"]
    assert receipts.slow_files_in_words(many, 10.0).endswith("9.pdf 91 s, 10.pdf 90 s"), "not “and 1 more”"
