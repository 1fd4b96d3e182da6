"""PDF files that are encrypted, unusually compressed or broken: opened, or one clear error."""

import hashlib
import zlib

import pytest

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.formats.pdf import pdf_reader as reader
from simcompare.loading.formats.pdf.pdf_opening import decompress_corrupted
from simcompare.model.errors import (
    DamagedFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from tests.helpers.pdf_files import drawn, write_pdf

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def _rc4(key, data):
    state, at = list(range(256)), 0
    for place in range(256):
        at = (at + state[place] + key[place % len(key)]) % 256
        state[place], state[at] = state[at], state[place]
    result, one, other = bytearray(), 0, 0
    for byte in data:
        one = (one + 1) % 256
        other = (other + state[one]) % 256
        state[one], state[other] = state[other], state[one]
        result.append(byte ^ state[(state[one] + state[other]) % 256])
    return bytes(result)


def _locked(path, text, password):
    """Write a page of text with standard 40-bit encryption (PDF 1.7, section 7.6.3)."""
    padded = (password.encode() + _PADDING)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    rights, number = (-4 & 0xFFFFFFFF).to_bytes(4, "little"), b"0123456789abcdef"
    key = hashlib.md5(padded + owner + rights + number).digest()[:5]
    page_key = hashlib.md5(key + bytes([4, 0, 0, 0, 0])).digest()[:10]
    content = _rc4(page_key, drawn(text, 72, 700).encode())
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F " + font + b" >> >> >>",
        b"<< /Length %d >> stream\n%s\nendstream" % (len(content), content),
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>"
        % (owner.hex().encode(), _rc4(key, _PADDING).hex().encode()),
    ]
    objects = b"\n".join(b"%d 0 obj %s endobj" % numbered for numbered in enumerate(bodies, 1))
    ids = number.hex().encode()
    trailer = b"trailer << /Root 1 0 R /Encrypt 5 0 R /ID [<%s> <%s>] >>" % (ids, ids)
    path.write_bytes(b"%PDF-1.4\n" + objects + b"\n" + trailer + b"\n%%EOF\n")
    return path


@pytest.fixture(params=["pdfium", "pdfminer"])
def _read_by(request, monkeypatch):
    if request.param == "pdfminer":
        monkeypatch.setattr(reader, "opened_by_pdfium", lambda *_arguments: None)


@pytest.mark.usefixtures("_read_by")
def test_that_the_password_opens_a_locked_file(tmp_path):
    path = _locked(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    assert load_document(path, ReadingOptions(password="swordfish")).text == "Here we are."


@pytest.mark.usefixtures("_read_by")
def test_that_a_locked_file_asks_for_its_password(tmp_path):
    path = _locked(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    with pytest.raises(PasswordNeededError) as caught:
        load_document(path)
    assert type(caught.value) is PasswordNeededError


@pytest.mark.usefixtures("_read_by")
@pytest.mark.parametrize("password", ["sword", "密码", "x" * 200])
def test_that_a_wrong_password_raises_its_own_error(tmp_path, password):
    path = _locked(tmp_path / "essay.pdf", "Here we are.", "swordfish")
    with pytest.raises(WrongPasswordError):
        load_document(path, ReadingOptions(password=password))


@pytest.mark.usefixtures("_read_by")
@pytest.mark.parametrize("password", [None, "anything"])
def test_that_a_file_protected_only_against_changes_opens(tmp_path, password):
    path = _locked(tmp_path / "essay.pdf", "Here we are.", "")
    assert load_document(path, ReadingOptions(password=password)).text == "Here we are."


def test_that_a_broken_file_read_after_a_locked_one_does_not_ask_for_a_password(tmp_path):
    with pytest.raises(PasswordNeededError):
        load_document(_locked(tmp_path / "locked.pdf", "Here we are.", "swordfish"))
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
    given = decompress_corrupted(broken)
    assert len(given) > 10_000
    assert whole.startswith(given[:10_000])
