"""Files that are not essays: each raises one clear error, whatever its name."""

import contextlib
import io
import os
import sys
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading import load_document, sniff
from simcompare.model import errors
from simcompare.text.comparable import comparable_units
from tests.helpers import essay_files as files


@pytest.mark.parametrize(
    "content", [b"", b" \r\n\t ", b"\xef\xbb\xbf\n", "\u200b\n".encode(), b"<html><body></body></html>"]
)
def test_that_a_file_without_text_raises_the_empty_file_error(tmp_path, content):
    path = tmp_path / "essay.txt"
    path.write_bytes(content)
    with pytest.raises(errors.EmptyFileError):
        load_document(path)


def test_that_a_folder_and_a_missing_file_cannot_be_opened(tmp_path):
    for path in (tmp_path, tmp_path / "missing.docx"):
        with pytest.raises(errors.FileNotReadableError) as caught:
            load_document(path)
        assert path.name in str(caught.value)


def test_that_a_truncated_word_file_is_reported_as_damaged(tmp_path):
    path = files.write_docx(tmp_path / "essay.docx", *files.ESSAYS["zh"])
    path.write_bytes(path.read_bytes()[:-3000])
    with pytest.raises(errors.DamagedFileError):
        load_document(path)


def test_that_a_word_file_with_a_broken_part_is_reported_as_damaged(tmp_path):
    path = files.write_body_xml(tmp_path / "essay.docx", "", **{"word/document.xml": "<w:document><w:body>"})
    with pytest.raises(errors.DamagedFileError, match="a part of it is broken"):
        load_document(path)


def test_that_an_archive_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = files.write_body_xml(tmp_path / "bomb.docx", files.paragraph_xml("x"))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/media/zeros.bin", bytes(20_000_000))
    with pytest.raises(errors.FileTooLargeError):
        load_document(path)


@pytest.mark.parametrize("name", ["essay.txt", "essay.pdf", "essay", "essay.html"])
def test_that_a_word_file_is_detected_by_its_content(tmp_path, name):
    assert load_document(files.write_docx(tmp_path / name, *files.ESSAYS["zh"])).receipt.format == "docx"


def test_that_a_web_page_named_like_a_word_file_is_read_as_a_web_page(tmp_path):
    document = load_document(files.write_html(tmp_path / "essay.docx", *files.ESSAYS["en"]))
    assert document.receipt.format == "html"


def test_that_binary_data_is_not_taken_for_text(tmp_path):
    path = tmp_path / "essay.txt"
    path.write_bytes(os.urandom(5000))
    with pytest.raises(errors.UnsupportedFormatError):
        load_document(path)


def packed(name):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(name, "The river sings.")
    return held.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        packed("essay.txt"),
        packed("word/essay.docx"),
        packed("xl/essay.txt"),
        b"PK\x05\x06" + bytes(18),
        b"Rar!\x1a\x07\x01\0" + bytes(40),
        b"7z\xbc\xaf\x27\x1c\0\4",
    ],
    ids=["zip", "folder called word", "folder called xl", "empty zip", "rar", "7z"],
)
def test_that_an_archive_of_essays_raises_the_packed_files_error(tmp_path, data):
    path = tmp_path / "class.zip"
    path.write_bytes(data)
    with pytest.raises(errors.ArchiveOfFilesError, match="Unpack it"):
        load_document(path)


@pytest.mark.parametrize("name", ["essay.docx", "essay.odt", "class.zip", "essay"])
@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04" + bytes(range(256)) * 8, packed("essay.txt")[:-30], packed("essay.txt")[:20]],
    ids=["rubbish", "no directory", "no name"],
)
def test_that_an_unreadable_archive_is_reported_as_damaged(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(errors.DamagedFileError, match=r"cut short or broken.*save it again") as caught:
        load_document(path)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"{\\rtf1 hello}", "rtf"),
        (b"\x89PNG\r\n\x1a\n....", "image"),
        (b"\xff\xd8\xff\xe0....", "image"),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\nx", "mhtml"),
        (b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>', "wordml"),
        (b"junk %PDF-1.4", "pdf"),
        (b"<!-- a -->\n<!DOCTYPE html><p>x", "html"),
        ("<P>x".encode("utf-16"), "html"),
        (b"Less < more, and <b> is not a page", "text"),
    ],
)
def test_that_the_first_bytes_determine_the_format(start, kind):
    assert sniff(start) == kind


def test_that_a_file_of_pictures_raises_the_no_text_error(tmp_path):
    with pytest.raises(errors.NoTextError) as caught:
        load_document(files.write_pdf_of_pictures(tmp_path / "scan.pdf", pages=3))
    assert caught.value.values["pages"] == 3


@settings(max_examples=60)
@given(
    start=st.sampled_from([b"", b"%PDF-1.4\n", b"PK\x03\x04", b"<html>", b"\xff\xfe", b"{\\rtf"]),
    rest=st.binary(max_size=200),
)
def test_that_any_bytes_give_a_document_or_a_file_error(tmp_path, start, rest):
    path = tmp_path / "any"
    path.write_bytes(start + rest)
    with contextlib.suppress(errors.FileError):
        assert load_document(path).text


def test_that_an_archive_with_a_truncated_mimetype_is_detected_by_its_other_parts():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        package.writestr("META-INF/container.xml", "<container/>")
        package.writestr("mimetype", "application/epub+zip")
    data = bytearray(buffer.getvalue())
    sizes = data.rindex(b"PK\x01\x02") + 20  # in the directory entry of the last part
    data[sizes : sizes + 8] = (1 << 20).to_bytes(4, "little") * 2
    with (
        pytest.raises((EOFError, zipfile.BadZipFile)),  # the latter by Python 3.13
        zipfile.ZipFile(io.BytesIO(data)) as package,
        package.open("mimetype") as part,
    ):
        part.read(200)
    assert sniff(bytes(data)) == "epub"


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_that_an_essay_whose_name_is_not_utf_8_is_read_and_prepared(tmp_path):
    path = tmp_path / os.fsdecode("张三的國文".encode("gbk") + "國文.txt".encode())
    path.write_text("村口有一座石桥。桥下的水很清。", encoding="utf-8")
    prepared_document = prepare_document(load_document(path), "improved")
    assert prepared_document.document.path == path
    assert "国" in comparable_units(prepared_document.document.title).texts
