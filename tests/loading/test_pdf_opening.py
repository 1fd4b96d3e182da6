"""PDF files that are encrypted, unusually compressed or broken: opened, or one clear error."""

import zlib

import pikepdf
import pytest

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.formats.pdf import pdf_reader as reader
from simcompare.loading.formats.pdf.pdf_reader import decompress_corrupted
from simcompare.model.errors import (
    DamagedFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from tests.helpers.locked_files import write_locked_pdf
from tests.helpers.pdf_files import drawn, write_pdf


@pytest.fixture(params=["pdfium", "pdfminer"])
def _read_by(request, monkeypatch):
    if request.param == "pdfminer":
        monkeypatch.setattr(reader, "opened_by_pdfium", lambda *_arguments: None)


@pytest.mark.usefixtures("_read_by")
def test_that_the_password_opens_a_locked_file(tmp_path):
    path = write_locked_pdf(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    assert load_document(path, ReadingOptions(password="swordfish")).text == "Here we are."


@pytest.mark.usefixtures("_read_by")
@pytest.mark.parametrize(("revision", "aes"), [(3, False), (4, True), (6, True)])
@pytest.mark.parametrize("user", ["", "sword"])
def test_that_the_password_of_the_owner_opens_a_locked_file(tmp_path, revision, aes, user):
    path = write_pdf(tmp_path / "essay.pdf", drawn("Here we are.", 72, 500))
    encryption = pikepdf.Encryption(owner="maître", user=user, R=revision, aes=aes, metadata=aes)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.save(path, encryption=encryption)
    assert load_document(path, ReadingOptions(password="maître")).text == "Here we are."


@pytest.mark.usefixtures("_read_by")
def test_that_a_locked_file_asks_for_its_password(tmp_path):
    path = write_locked_pdf(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    with pytest.raises(PasswordNeededError) as caught:
        load_document(path)
    assert type(caught.value) is PasswordNeededError


@pytest.mark.usefixtures("_read_by")
@pytest.mark.parametrize("password", ["sword", "密码", "x" * 200])
def test_that_a_wrong_password_raises_its_own_error(tmp_path, password):
    path = write_locked_pdf(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    with pytest.raises(WrongPasswordError):
        load_document(path, ReadingOptions(password=password))


@pytest.mark.usefixtures("_read_by")
@pytest.mark.parametrize("password", [None, "anything"])
def test_that_a_file_protected_only_against_changes_opens(tmp_path, password):
    path = write_locked_pdf(tmp_path / "essay.pdf", "Here we are.", "")
    assert load_document(path, ReadingOptions(password=password)).text == "Here we are."


def test_that_a_broken_file_read_after_a_locked_one_does_not_ask_for_a_password(tmp_path):
    with pytest.raises(PasswordNeededError):
        load_document(write_locked_pdf(tmp_path / "locked.pdf", "Here we are.", "swordfish"))
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF")
    with pytest.raises(DamagedFileError):
        load_document(broken)


def test_that_an_unknown_compression_is_named(tmp_path):
    path = tmp_path / "essay.pdf"
    path.write_bytes(
        b"%PDF-2.0\n1 0 obj << /Type /XRef /Size 2 /W [1 2 1] /Root 2 0 R /Filter /BrotliDecode /Length 4 >> "
        b"stream\nabcd\nendstream endobj\nstartxref\n9\n%%EOF\n"
    )
    with pytest.raises(UnsupportedFormatError, match="Brotli"):
        load_document(path)


def test_that_an_unreadable_page_is_flagged_and_the_others_are_read(tmp_path):
    path = write_pdf(tmp_path / "essay.pdf", drawn("Here we are.", 72, 700), drawn("Lost.", 72, 700))
    data = path.read_bytes()
    path.write_bytes(data.replace(b"/Kids [7 0 R 9 0 R]", b"/Kids [7 0 R 6 0 R]"))
    document = load_document(path)
    assert document.text == "Here we are."


def test_that_a_damaged_stream_is_read_as_far_as_it_goes():
    whole = " ".join(f"willow {number}," for number in range(20_000)).encode()
    packed = zlib.compress(whole)
    broken = packed[: len(packed) // 2] + b"\xff" * 40 + packed[len(packed) // 2 + 40 :]
    decompressed = decompress_corrupted(broken)
    assert len(decompressed) > 10_000
    assert whole.startswith(decompressed[:10_000])
