"""PDF files that take too long: what was read in time is kept, with a doubt."""

import pytest

from simcompare.loading import load_document
from simcompare.loading.formats.pdf import pdf_reader as reader
from simcompare.model.document import FlagName, Place
from simcompare.model.errors import ReadingTimeoutError
from simcompare.report.receipts import doubts_in_words
from simcompare.support.clock import ProcessorDeadline
from tests.helpers.pdf_files import drawn, write_pdf

PAGES = [
    drawn(f"The river of page {name} runs to the sea.", 72, 500) for name in ("one", "two", "three", "four")
]


@pytest.fixture(params=["pdfium", "pdfminer"])
def _read_by(request, monkeypatch):
    if request.param == "pdfminer":
        monkeypatch.setattr(reader, "opened_by_pdfium", lambda *_arguments: None)


@pytest.fixture
def stop_after(monkeypatch):
    """Let the time of the pages, or of the second reading, end after some looks at the clock."""

    def put(looks, seconds):
        class Deadline(ProcessorDeadline):
            def __init__(self, given):
                super().__init__(given)
                self.left = looks if given == seconds else 10_000

            @property
            def is_past(self):
                self.left -= 1
                return self.left < 0

        monkeypatch.setattr(reader, "ProcessorDeadline", Deadline)

    return put


def test_that_pages_read_before_the_limit_are_kept_and_the_others_named(tmp_path, stop_after):
    stop_after(2, reader._PAGES_SECONDS)
    document = load_document(write_pdf(tmp_path / "essay.pdf", *PAGES))
    assert "page two" in document.text
    assert "page three" not in document.text
    (flag,) = document.receipt.flags
    assert (flag.name, flag.count, flag.places) == (FlagName.UNREAD_PAGE, 2, (Place(3), Place(4)))
    assert document.receipt.pages == 4
    assert doubts_in_words(document.receipt) == (
        "pages not read, as reading took too long (2 pages): pages 3–4"
    )


def test_that_pages_read_by_pdfminer_alone_are_kept_too(tmp_path, monkeypatch, stop_after):
    monkeypatch.setattr(reader, "opened_by_pdfium", lambda *_arguments: None)
    path = write_pdf(tmp_path / "essay.pdf", *PAGES)
    stop_after(1 + len("The river of page one runs to the sea.") + 5, reader._PAGES_SECONDS)
    document = load_document(path)
    assert document.text == "The river of page one runs to the sea."
    assert [flag.count for flag in document.receipt.flags if flag.name is FlagName.UNREAD_PAGE] == [3]


@pytest.mark.usefixtures("_read_by")
def test_that_a_file_of_which_nothing_was_read_in_time_is_an_error(tmp_path, stop_after):
    stop_after(0, reader._PAGES_SECONDS)
    with pytest.raises(ReadingTimeoutError, match="longer than 12 seconds"):
        load_document(write_pdf(tmp_path / "essay.pdf", *PAGES))


@pytest.mark.parametrize(("looks", "readers"), [(100, "pypdfium2, pdfminer.six"), (5, "pypdfium2")])
def test_that_a_second_reading_that_takes_too_long_is_given_up_within_a_page(
    tmp_path, monkeypatch, stop_after, looks, readers
):
    stop_after(looks, reader._SECOND_READING_SECONDS)
    monkeypatch.setattr(reader, "_is_vertical", lambda _page: True)  # read again
    monkeypatch.setattr(reader, "is_better", lambda *_pages, vertical: vertical)
    columns = "".join(drawn("abcdefghijklmnopqrst"[number], 300, 700 - 14 * number) for number in range(20))
    document = load_document(write_pdf(tmp_path / "column.pdf", columns))
    assert document.receipt.reader == readers
    assert set("abcdefghijklmnopqrst") <= set(document.text)
