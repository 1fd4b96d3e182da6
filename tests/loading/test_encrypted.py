"""Word files that need a password."""

import io
import zipfile

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import (
    DamagedFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, write_docx

PASSWORD = "秘密 1"


def _encrypt(path, content):
    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(content)).encrypt(PASSWORD, locked)
    path.write_bytes(locked.getvalue())
    return path


@pytest.fixture
def essay(tmp_path):
    return write_docx(tmp_path / "essay.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)


@pytest.fixture
def locked_essay(tmp_path, essay):
    return _encrypt(tmp_path / "locked.docx", essay.read_bytes())


def test_that_the_password_opens_a_word_file(essay, locked_essay):
    opened = load_document(locked_essay, ReadingOptions(password=PASSWORD))
    plain = load_document(essay)
    assert opened.text == plain.text
    assert opened.receipt == plain.receipt
    assert opened.sha256 != plain.sha256


def test_that_a_locked_word_file_asks_for_its_password(locked_essay):
    with pytest.raises(PasswordNeededError, match=r"locked\.docx") as caught:
        load_document(locked_essay)
    assert type(caught.value) is PasswordNeededError


def test_that_a_wrong_password_raises_its_own_error(locked_essay):
    with pytest.raises(WrongPasswordError, match=r"locked\.docx"):
        load_document(locked_essay, ReadingOptions(password="guess"))


def test_that_an_encrypted_workbook_is_named(tmp_path):
    workbook = io.BytesIO()
    with zipfile.ZipFile(workbook, "w") as package:
        package.writestr(
            "[Content_Types].xml",
            "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
        )
        package.writestr("xl/workbook.xml", f"<workbook>{' ' * 5000}</workbook>")
    path = _encrypt(tmp_path / "table.docx", workbook.getvalue())
    with pytest.raises(UnsupportedFormatError, match="xlsx"):
        load_document(path, ReadingOptions(password=PASSWORD))


def test_that_broken_encryption_is_damage(tmp_path, locked_essay):
    data = locked_essay.read_bytes()
    key = data.index(b"<keyData")
    path = tmp_path / "broken.docx"
    path.write_bytes(data[:key] + b"<keyBase" + data[key + 8 :])
    with pytest.raises(DamagedFileError, match="password protection"):
        load_document(path, ReadingOptions(password=PASSWORD))
