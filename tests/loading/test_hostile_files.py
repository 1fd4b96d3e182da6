"""Hostile files: each raises one clear error, reads nothing else and leaves nothing behind."""

import gzip
import os
import socket
import tempfile
import zipfile
import zlib
from pathlib import Path

import pytest
from pdfminer.pdfparser import PDFSyntaxError

from simcompare.loading import ReaderPool, load, load_document
from simcompare.loading.archive_members import list_files
from simcompare.loading.extraction import DEFAULT_OPTIONS, Source
from simcompare.loading.formats.pdf.pdf_reader import opened_by_miner
from simcompare.loading.formats.pdf.pdfminer_pages import miner_pages
from simcompare.model import errors
from simcompare.support.clock import ProcessorDeadline
from tests.helpers import essay_files as files
from tests.helpers.patience import PATIENCE_S
from tests.helpers.pdf_files import drawn, write_pdf

ENTITY = '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY {name} {value}>]>'


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(1) as pool:
        yield pool


@pytest.fixture
def error_of(pool):
    """Read a file in the pool and return its error message on one line."""

    def read(path):
        with pytest.raises(errors.FileError) as caught:
            pool.submit(load_document, path).result(PATIENCE_S)
        assert "\n" not in str(caught.value)
        assert "Error" not in str(caught.value)
        return caught.value

    return read


def document_xml(start, text):
    return (
        f'{start}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>"
    )


def test_that_a_zip_bomb_is_too_large(tmp_path, error_of):
    path = files.write_docx(tmp_path / "bomb.docx", *files.ESSAYS["zh"])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/media/zeros.xml", bytes(120_000_000))
    assert isinstance(error_of(path), errors.FileTooLargeError)


def test_that_an_entity_bomb_is_not_expanded(tmp_path, error_of):
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    start = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a0 "lol">{entities}]>'
    path = tmp_path / "laughs.docx"
    files.write_body_xml(path, "", **{"word/document.xml": document_xml(start, "&a11;")})
    assert isinstance(error_of(path), errors.DamagedFileError)


def test_that_an_external_entity_is_never_read(tmp_path, error_of):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    start = ENTITY.format(name="x", value=f'SYSTEM "{secret.as_uri()}"')
    path = tmp_path / "entity.docx"
    files.write_body_xml(path, "", **{"word/document.xml": document_xml(start, "&x;")})
    assert "secret" not in str(error_of(path))


def test_that_a_page_fetches_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_arguments, **_options: pytest.fail("it asked the network"))
    path = tmp_path / "page.html"
    path.write_text(
        '<!DOCTYPE html SYSTEM "http://localhost:9/x.dtd"><html><head><link rel=stylesheet href="http://localhost:9/">'
        '<base href="http://localhost:9/"></head><body><p>We walked home.</p><img src="http://localhost:9/a.png">'
        '<iframe src="file:///etc/hostname"></iframe><script src="http://localhost:9/x.js"></script></body></html>'
    )
    assert load_document(path).text == "We walked home."


@pytest.mark.skipif(os.name == "nt", reason="files there are written in full")
def test_that_a_file_of_two_gigabytes_is_refused_unread(tmp_path, error_of):
    path = tmp_path / "huge.docx"
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(2 * 1024**3)
    assert isinstance(error_of(path), errors.FileTooLargeError)


def test_that_a_file_of_zeros_is_empty(tmp_path, error_of):
    path = tmp_path / "zeros.txt"
    path.write_bytes(bytes(1_000_000))
    assert isinstance(error_of(path), errors.EmptyFileError)


def test_that_a_hundred_thousand_nested_elements_do_not_crash(tmp_path, error_of):
    path = tmp_path / "deep.html"
    path.write_text("<html><body><p>first</p>" + '<div id="a">' * 100_000 + "deep down")
    assert isinstance(error_of(path), errors.DamagedFileError)


@pytest.mark.parametrize("times", [1_000, 50_000])
def test_that_a_deeply_nested_word_file_does_not_crash(tmp_path, pool, times):
    body = "<w:ins>" * times + files.paragraph_xml("deep down") + "</w:ins>" * times
    start = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    document = f"{start}{body}</w:body></w:document>"
    path = files.write_body_xml(tmp_path / "deep.docx", "", **{"word/document.xml": document})
    future = pool.submit(load_document, path)
    error = future.exception(60)
    if error is None:
        assert future.result().text == "deep down"
    else:
        assert isinstance(error, errors.DamagedFileError)
        assert "Error" not in str(error)
        assert "recursion" not in str(error)


def test_that_a_pdf_of_millions_of_objects_in_one_stream_is_refused_at_once(tmp_path, error_of):
    objects = zlib.compress(b"1 0 << /Type /Catalog >> " + b"(a) 1 [2] " * 6_000_000)
    body = (
        b"%%PDF-1.5\n2 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >> stream\n%b\n"
    )
    body = body % (len(objects), objects) + b"endstream endobj\n"
    rows = [(0, 0, 255), (2, 2, 0), (1, 9, 0), (1, len(body), 0)]
    table = b"".join(b"%c%b%c" % (kind, place.to_bytes(3), rest) for kind, place, rest in rows)
    body += (
        b"3 0 obj << /Type /XRef /Size 4 /W [1 3 1] /Root 1 0 R /Length 20 >> stream\n%b\nendstream" % table
    )
    path = tmp_path / "objects.pdf"
    path.write_bytes(body + b" endobj\nstartxref\n%d\n%%%%EOF\n" % rows[-1][1])
    assert isinstance(error_of(path), errors.DamagedFileError)


def test_that_a_pdf_whose_font_declares_billions_of_glyphs_is_refused_at_once(tmp_path):
    ranges = "<62> <0062> endbfchar 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange 0 beginbfchar"
    path = write_pdf(tmp_path / "font.pdf", drawn("abc", 72, 700), to_unicode=ranges)
    document = opened_by_miner(Source(path, path.read_bytes()), DEFAULT_OPTIONS)
    with pytest.raises(PDFSyntaxError):
        list(miner_pages(document, ProcessorDeadline(60)))


def test_that_a_file_of_nothing_but_lines_is_refused_before_it_is_read(tmp_path, error_of):
    path = tmp_path / "lines.txt"
    path.write_text("家\n" * 400_000)
    assert error_of(path).values["cause"] == "more than 300,000 lines"


def test_that_a_page_of_nothing_but_lines_is_refused_too(tmp_path, monkeypatch):
    monkeypatch.setattr(load, "_MAX_LINES", 300)
    path = tmp_path / "lines.html"
    path.write_text(f"<html><body>{'a<br>' * 400}</body></html>")
    with pytest.raises(errors.FileTooLargeError):
        load_document(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_that_a_pipe_and_a_device_are_not_waited_for(tmp_path, error_of):
    os.mkfifo(tmp_path / "pipe.txt")
    for path in (tmp_path / "pipe.txt", Path("/dev/zero")):
        assert "a device or a pipe" in str(error_of(path))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions hold back")
def test_that_a_file_without_permission_raises_a_clear_error(tmp_path, error_of):
    path = files.write_text(tmp_path / "essay.txt", *files.ESSAYS["zh"])
    path.chmod(0)
    assert "access to it is not allowed" in str(error_of(path))


def test_that_a_vanished_file_raises_a_clear_error(tmp_path, error_of):
    path = files.write_text(tmp_path / "essay.txt", *files.ESSAYS["zh"])
    path.unlink()
    assert isinstance(error_of(path), errors.FileNotReadableError)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_that_circular_links_raise_a_clear_error(tmp_path, error_of):
    (tmp_path / "a.txt").symlink_to(tmp_path / "b.txt")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    assert isinstance(error_of(tmp_path / "a.txt"), errors.FileNotReadableError)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_that_a_link_to_a_file_that_is_gone_is_not_skipped_in_a_folder(tmp_path, error_of):
    link = tmp_path / "essay.docx"
    link.symlink_to(tmp_path / "gone.docx")
    assert list_files([tmp_path]).files == (link,)
    assert isinstance(error_of(link), errors.FileNotReadableError)


def test_that_compressed_data_named_like_a_word_file_is_unsupported(tmp_path, error_of):
    path = tmp_path / "essay.docx"
    path.write_bytes(gzip.compress(b"words " * 10_000))
    assert isinstance(error_of(path), errors.UnsupportedFormatError)


@pytest.mark.skipif(os.name == "nt", reason="such names are not possible there")
@pytest.mark.parametrize(
    "name", ["two\nlines.docx", "a\u202ecod.exe", "\x1b[31mred.txt", "长" * 80 + ".txt", "a" * 300 + ".txt"]
)
def test_that_a_name_does_not_break_the_sentence(tmp_path, error_of, name):
    path = tmp_path / name
    if len(name) < 255:
        path.write_bytes(b"\x89PNG\r\n\x1a\n....")
    sentence = str(error_of(path))
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_that_nothing_is_left_in_the_folder_for_temporary_files(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    docx = files.write_docx(tmp_path / "essay.docx", *files.ESSAYS["zh"])
    paths = [
        docx,
        files.write_html(tmp_path / "essay.html", *files.ESSAYS["en"]),
        files.write_text(tmp_path / "essay.txt", *files.ESSAYS["en"]),
        files.write_pdf_of_pictures(tmp_path / "pictures.pdf", 1),
        tmp_path / "missing.odt",
    ]
    (tmp_path / "broken.docx").write_bytes(docx.read_bytes()[:2000])
    with ReaderPool(1) as pool:
        for future in [pool.submit(load_document, path) for path in [*paths, tmp_path / "broken.docx"]]:
            future.exception(60)
    assert [path.name for path in folder.iterdir()] == []
