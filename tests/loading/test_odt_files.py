"""OpenDocument files: flat, old, encrypted, broken, too large."""

import base64
import hashlib
import zlib

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import (
    DamagedFileError,
    FileTooLargeError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
)
from tests.helpers.open_document import (
    ODT_TYPE,
    content_xml,
    flat_xml,
    paragraphs,
    styles_xml,
    write_zip,
)
from tests.loading.odt_essays import RIVER, reading_odt
from tests.loading.readings import flagged, lines


@pytest.fixture
def load(tmp_path):
    return reading_odt(tmp_path)


def test_that_a_flat_document_is_read_without_its_pictures(tmp_path):
    picture = "<office:binary-data>" + "iVBORw0KGgo\n" * 1_000_000 + "</office:binary-data>"
    path = tmp_path / "essay.fodt"
    path.write_text(
        flat_xml(
            paragraphs(RIVER)
            + f"<text:p><draw:frame><draw:image>{picture}</draw:image></draw:frame></text:p>"
        )
    )
    document = load_document(path)
    assert document.text == RIVER
    assert document.receipt.format == "odt"


def test_that_a_template_is_read_as_a_document(tmp_path):
    parts = {"mimetype": ODT_TYPE + "-template", "content.xml": content_xml(paragraphs(RIVER))}
    assert load_document(write_zip(tmp_path / "essay.ott", parts)).text == RIVER


def test_that_a_document_of_openoffice_1_is_read(tmp_path):
    content = (
        '<?xml version="1.0"?><!DOCTYPE office:document-content PUBLIC '
        '"-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd"><office:document-content '
        'xmlns:office="http://openoffice.org/2000/office" xmlns:style="http://openoffice.org/2000/style" '
        'xmlns:text="http://openoffice.org/2000/text" xmlns:fo="http://www.w3.org/1999/XSL/Format">'
        '<office:automatic-styles><style:style style:name="T1" style:family="text">'
        '<style:properties fo:color="#ffffff"/></style:style></office:automatic-styles><office:body>'
        '<text:h text:level="1">Rivers</text:h><text:p>The river<text:footnote><text:footnote-citation>1'
        "</text:footnote-citation><text:footnote-body><text:p>A note.</text:p></text:footnote-body>"
        '</text:footnote> <text:span text:style-name="T1">mountain</text:span>sings.</text:p>'
        "<text:unordered-list><text:list-item><text:p>Boat</text:p></text:list-item></text:unordered-list>"
        "</office:body></office:document-content>"
    )
    parts = {"mimetype": "application/vnd.sun.xml.writer", "content.xml": content}
    document = load_document(write_zip(tmp_path / "essay.sxw", parts))
    assert lines(document) == ["Rivers", "The river sings.", "Boat", "A note."]
    assert "white_text" in flagged(document)


def _locked(parts, password, *, algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"):
    """Return the parts encrypted as by LibreOffice, with the manifest."""
    locked, entries = {}, ""
    for name, text in parts.items():
        vector, salt = hashlib.md5(name.encode()).digest(), b"salt" * 4
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(text.encode()) + packer.flush()
        start = hashlib.sha256(password.encode()).digest()
        key = hashlib.pbkdf2_hmac("sha1", start, salt, 1000, 32)
        padding = 16 - len(packed) % 16
        padded = packed + bytes(padding - 1) + bytes([padding])
        encryptor = Cipher(AES256(key), CBC(vector)).encryptor()
        locked[name] = encryptor.update(padded) + encryptor.finalize()
        checksum = base64.b64encode(hashlib.sha256(packed[:1024]).digest()).decode()
        entries += (
            f'<manifest:file-entry manifest:full-path="{name}"><manifest:encryption-data '
            f'manifest:checksum-type="urn:x#sha256-1k" manifest:checksum="{checksum}"><manifest:algorithm '
            f'manifest:algorithm-name="{algorithm}" '
            f'manifest:initialisation-vector="{base64.b64encode(vector).decode()}"/>'
            '<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" '
            f'manifest:iteration-count="1000" manifest:salt="{base64.b64encode(salt).decode()}"/>'
            "<manifest:start-key-generation manifest:start-key-generation-name="
            '"http://www.w3.org/2000/09/xmldsig#sha256"/></manifest:encryption-data></manifest:file-entry>'
        )
    spaces = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
    manifest = f"<manifest:manifest {spaces}>{entries}</manifest:manifest>"
    return {"mimetype": ODT_TYPE, **locked, "META-INF/manifest.xml": manifest}


@pytest.fixture
def locked_path(tmp_path):
    parts = {"content.xml": content_xml(paragraphs(RIVER)), "styles.xml": styles_xml()}
    return write_zip(tmp_path / "essay.odt", _locked(parts, "川"))


def test_that_a_locked_document_asks_for_its_password(locked_path):
    with pytest.raises(PasswordNeededError) as caught:
        load_document(locked_path)
    assert not isinstance(caught.value, WrongPasswordError)


def test_that_the_password_opens_a_locked_document(locked_path):
    assert load_document(locked_path, ReadingOptions(password="川")).text == RIVER


def test_that_a_wrong_password_raises_its_own_error(locked_path):
    with pytest.raises(WrongPasswordError):
        load_document(locked_path, ReadingOptions(password="水"))


@pytest.mark.parametrize(
    "parts",
    [
        _locked({"content.xml": "x"}, "川", algorithm="Blowfish CFB"),
        _locked({"encrypted-package": "x"}, "川", algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"),
    ],
)
def test_that_unsupported_encryption_asks_for_a_password_and_then_is_unsupported(tmp_path, parts):
    path = write_zip(tmp_path / "essay.odt", parts)
    with pytest.raises(PasswordNeededError):
        load_document(path)
    with pytest.raises(UnsupportedFormatError, match="encryption"):
        load_document(path, ReadingOptions(password="川"))


@pytest.mark.parametrize(
    "content",
    [
        "no markup",
        "<office:document-content xmlns:office='o'/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        content_xml("<text:span>" * 300 + "</text:span>" * 300),
    ],
)
def test_that_a_broken_document_is_damaged(tmp_path, content):
    path = write_zip(tmp_path / "essay.odt", {"mimetype": ODT_TYPE, "content.xml": content})
    with pytest.raises(DamagedFileError, match=r"essay\.odt"):
        load_document(path)


@pytest.mark.parametrize("element", ["text:p", "text:section", "text:span", "draw:g"])
def test_that_elements_nested_as_deeply_as_xml_allows_are_read(load, element):
    depth = 240
    body = f"<{element}>" * depth + paragraphs(RIVER) + f"</{element}>" * depth
    if element != "text:section":
        body = f"<text:p>{body}</text:p>"
    assert "river" in load(body).text


def test_that_an_archive_without_a_text_is_damaged(tmp_path):
    with pytest.raises(DamagedFileError, match="missing"):
        load_document(write_zip(tmp_path / "essay.odt", {"mimetype": ODT_TYPE}))


def test_that_a_zip_bomb_is_too_large(tmp_path):
    parts = {"mimetype": ODT_TYPE, "content.xml": content_xml("<text:p>" + " " * 20_000_000 + "</text:p>")}
    with pytest.raises(FileTooLargeError):
        load_document(write_zip(tmp_path / "essay.odt", parts))
