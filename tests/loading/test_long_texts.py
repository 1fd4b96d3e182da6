"""Long texts in child processes: read and prepared within the limits, or called too large at once."""

import base64
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
import rjieba

from simcompare.cohort import document_preparation
from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading import ReaderPool, load_document
from simcompare.loading.workers import isolation
from simcompare.model.errors import FileTooLargeError
from tests.helpers.documents import own_text
from tests.helpers.patience import PATIENCE_S


def _nothing() -> None:
    """No-op task that starts a worker."""


def _read_timed(path: Path, recipe: str) -> tuple[PreparedDocument | None, float]:
    """Return the prepared document, or None if the file is too large, and the processor time used."""
    began, prepared_document = time.process_time(), None
    with suppress(FileTooLargeError):
        prepared_document = read_prepared_document(path, recipe)
    return prepared_document, time.process_time() - began


@pytest.fixture(scope="module")
def prepared_documents():
    with ReaderPool(2, PATIENCE_S) as pool:
        pool.warm(_nothing)
        yield pool


def test_that_the_text_read_in_advance_loads_the_model_for_words_that_are_not_in_the_dictionary():
    """The model is loaded at the first such word, which takes longer than reading an essay."""
    text = document_preparation._IN_BOTH_LANGUAGES.text
    assert rjieba.cut(text) != rjieba.cut(text, False)


def test_that_a_text_of_ten_megabytes_is_read_and_prepared_within_the_limits(prepared_documents, tmp_path):
    path = tmp_path / "long.txt"
    path.write_bytes((own_text(300_000).encode() * 20)[:9_999_000])
    prepared_document, seconds = prepared_documents.submit(_read_timed, path, "improved").result(PATIENCE_S)
    assert len(prepared_document.document.text) > 3_000_000
    assert seconds < isolation.DEFAULT_TIMEOUT_SECONDS


@pytest.mark.parametrize("name", ["book.txt", "book.html"])
def test_that_a_longer_text_is_called_too_large_at_once(prepared_documents, tmp_path, name):
    path = tmp_path / name
    opening = b"<!DOCTYPE html><html><body><p>" if name.endswith("html") else b""
    path.write_bytes(opening + ("家乡的小河。" * 20 + "\n").encode() * 80_000)
    with pytest.raises(FileTooLargeError, match=r"more than 10 MB of text\). Split it"):
        prepared_documents.submit(read_prepared_document, path, "improved").result(PATIENCE_S)
    assert prepared_documents.submit(_read_timed, path, "improved").result(PATIENCE_S)[1] < 5


def test_that_the_pictures_inside_a_web_page_are_no_text(tmp_path):
    path = tmp_path / "page.html"
    picture = base64.b64encode(os.urandom(12_000_000)).decode()
    image = f'<img src="data:image/png;base64,{picture}">'
    path.write_text(f"<!DOCTYPE html><html><body><p>家乡的小河。</p>{image}</body></html>", encoding="utf-8")
    assert load_document(path).text == "家乡的小河。"
