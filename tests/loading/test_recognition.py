"""Reading with text recognition: requests, progress, cancellation, failing pages."""

import os
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from simcompare.loading import ReaderPool, load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.formats.ocr import ocr_engine as engine
from simcompare.loading.formats.ocr import ocr_task as task
from simcompare.loading.formats.ocr.ocr_engine import RecognisedPage
from simcompare.loading.formats.pdf.pdf_lines import PdfLine, PdfPage
from simcompare.loading.workers import text_recognition as recognition
from simcompare.model.document import FlagName, Place
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    NoTextError,
    RecognitionMissingError,
    RecognitionNeededError,
)
from tests.helpers.patience import PATIENCE_S
from tests.helpers.pdf_files import drawn, write_pdf

_SQUARE = "q 400 0 0 400 90 200 cm BI /W 1 /H 1 /CS /G /BPC 8 ID A EI Q"
_WORDS = "Here we are, said the river."


def recognised(number: int, *texts: str, confidence: float = 0.99) -> RecognisedPage:
    lines = [
        PdfLine(number, text, 72, 700 - 20 * row, 400, 712 - 20 * row, 12) for row, text in enumerate(texts)
    ]
    return RecognisedPage(PdfPage(number, 0, 842, lines), confidence)


def _install(monkeypatch, *, there: bool) -> None:
    monkeypatch.setattr("simcompare.loading.formats.ocr.ocr_engine.available", lambda: there)


def _png(path: Path) -> Path:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU"
    path.write_bytes(
        header + b"\0\0\0\nIDATx\x9cc\xf8\x0f\0\x01\x01\x01\0\x1b\xb6\xeeV\0\0\0\0IEND\xaeB`\x82"
    )
    return path


def test_that_a_scan_explains_what_can_be_done_without_text_recognition(monkeypatch, tmp_path):
    _install(monkeypatch, there=False)
    scan = write_pdf(tmp_path / "scan.pdf", _SQUARE, _SQUARE)
    with pytest.raises(RecognitionMissingError, match=r"scan\.pdf .*pictures of pages.*\(OCR\)"):
        load_document(scan, ReadingOptions(recognised={}))


def test_that_a_picture_explains_what_can_be_done_without_text_recognition(monkeypatch, tmp_path):
    _install(monkeypatch, there=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(RecognitionMissingError, match=r"photo\.png .*pictures of pages.*\(OCR\)"):
        load_document(_png(tmp_path / "photo.png"), ReadingOptions(recognised={}))


def test_that_picture_pages_are_requested_if_recognition_is_on(monkeypatch, tmp_path):
    _install(monkeypatch, there=True)
    mixed = write_pdf(tmp_path / "mixed.pdf", drawn(_WORDS, 72, 700), _SQUARE)
    with pytest.raises(RecognitionNeededError) as caught:
        load_document(mixed, ReadingOptions(recognised={}))
    assert caught.value.numbers == (2,)
    assert load_document(mixed).receipt.flags[0].name == FlagName.PAGE_WITHOUT_TEXT


def test_that_recognised_pages_are_inserted_at_their_page(tmp_path):
    mixed = write_pdf(tmp_path / "mixed.pdf", drawn(_WORDS, 72, 700), _SQUARE, drawn("The end.", 72, 700))
    document = load_document(mixed, ReadingOptions(recognised={2: recognised(2, "It sang.")}))
    assert document.text.split("\n") == [_WORDS, "It sang.", "The end."]
    (flag,) = [flag for flag in document.receipt.flags if flag.name == FlagName.RECOGNISED_TEXT]
    assert (flag.places, flag.excerpt, flag.doubtful) == ((Place(2),), "99%", False)
    assert document.receipt.reader == "pypdfium2, RapidOCR"
    assert not any(flag.name == FlagName.PAGE_WITHOUT_TEXT for flag in document.receipt.flags)


def test_that_low_confidence_is_doubtful(tmp_path):
    scan = write_pdf(tmp_path / "scan.pdf", _SQUARE)
    document = load_document(scan, ReadingOptions(recognised={1: recognised(1, _WORDS, confidence=0.8)}))
    assert document.receipt.doubtful


def test_that_a_page_that_could_not_be_recognised_is_still_flagged(tmp_path):
    mixed = write_pdf(tmp_path / "mixed.pdf", drawn(_WORDS, 72, 700), _SQUARE)
    document = load_document(mixed, ReadingOptions(recognised={2: None}))
    assert [flag.name for flag in document.receipt.flags if flag.doubtful] == [FlagName.PAGE_WITHOUT_TEXT]


def test_that_a_scan_of_blank_sheets_is_empty(tmp_path):
    scan = write_pdf(tmp_path / "scan.pdf", _SQUARE)
    with pytest.raises(EmptyFileError):
        load_document(scan, ReadingOptions(recognised={1: recognised(1)}))


# --- pool tasks: replacements of text recognition must be importable by the workers ---


def _needing(path: Path, word: str, options: ReadingOptions) -> str:
    """Request three pages; return their recognised texts."""
    known = options.recognised
    if known == {}:
        raise RecognitionNeededError(path, pages=3, numbers=[1, 2, 3])
    if known is None or not any(known.values()):
        raise NoTextError(path, pages=3)
    return word + "".join("-" if known[number] is None else str(number) for number in sorted(known))


def _quick(path: Path, options: ReadingOptions) -> str:
    return path.name


def _page(path: Path, number: int, options: ReadingOptions) -> RecognisedPage:
    return recognised(number, "text")


def _page_but_second(path: Path, number: int, options: ReadingOptions) -> RecognisedPage:
    if number == 2:
        os._exit(3)
    return recognised(number, "text")


def _no_page(path: Path, number: int, options: ReadingOptions) -> RecognisedPage:
    raise DamagedFileError(path, cause="of a reason")


def _slow_page(path: Path, number: int, options: ReadingOptions) -> RecognisedPage:
    time.sleep(600)
    return recognised(number)


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(max_workers=1) as pool:
        yield pool


def _submit(pool, monkeypatch, page, tick=lambda done, total: None):
    monkeypatch.setattr(recognition, "_recognise_page", page)
    return recognition.submit(pool, _needing, Path("scan.pdf"), "read:", options=ReadingOptions(), tick=tick)


def test_that_a_file_is_read_again_with_its_recognised_pages(pool, monkeypatch):
    ticks = []
    reading = _submit(pool, monkeypatch, _page, lambda done, total: ticks.append((done, total)))
    assert reading.result(PATIENCE_S) == "read:123"
    assert ticks == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_that_a_page_that_kills_its_process_does_not_affect_other_pages(pool, monkeypatch):
    assert _submit(pool, monkeypatch, _page_but_second).result(PATIENCE_S) == "read:1-3"


def test_that_a_file_without_any_recognised_page_raises_the_reason(pool, monkeypatch):
    with pytest.raises(DamagedFileError, match="of a reason"):
        _submit(pool, monkeypatch, _no_page).result(PATIENCE_S)


def test_that_other_files_are_read_between_two_pages(pool, monkeypatch):
    order, is_asked = [], threading.Event()

    def wait_after_first_page(done, _total):
        if done == 1:
            is_asked.wait(PATIENCE_S)

    scan = _submit(pool, monkeypatch, _page, wait_after_first_page)
    scan.add_done_callback(lambda _done: order.append("scan"))
    other = recognition.submit(pool, _quick, Path("quick.txt"), options=ReadingOptions())
    other.add_done_callback(lambda _done: order.append("quick"))
    is_asked.set()
    assert (scan.result(PATIENCE_S), other.result(PATIENCE_S)) == ("read:123", "quick.txt")
    assert order == ["quick", "scan"]


def test_that_cancelling_stops_the_current_page(pool, monkeypatch):
    begun = threading.Event()
    reading = _submit(pool, monkeypatch, _slow_page, lambda done, total: begun.set())
    assert begun.wait(PATIENCE_S)
    assert reading.cancel()
    with pytest.raises(CancelledError):
        reading.result(PATIENCE_S)
    assert pool.submit(_quick, Path("next.txt"), ReadingOptions()).result(PATIENCE_S) == "next.txt"


def test_that_closing_the_pool_cancels_running_recognition(monkeypatch):
    begun = threading.Event()
    with ReaderPool(max_workers=1) as pool:
        reading = _submit(pool, monkeypatch, _slow_page, lambda done, total: begun.set())
        assert begun.wait(PATIENCE_S)
    assert reading.cancelled()


def test_that_missing_text_recognition_is_detected_without_imports(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert not engine.available()


def test_that_a_missing_page_is_an_error(tmp_path):
    scan = write_pdf(tmp_path / "scan.pdf", _SQUARE)
    with pytest.raises(DamagedFileError):
        task.recognise_page(scan, 2, ReadingOptions())
