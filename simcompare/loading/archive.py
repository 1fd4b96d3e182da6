"""Access to files: zipped documents with size limits, safe XML, decryption, bytes of a path."""

import html
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from lxml import etree

from simcompare.loading.archive_members import (
    MAX_PART_BYTES,
    MAX_RATIO,
    RATIO_COUNTS_ABOVE_BYTES,
    member_bytes,
)
from simcompare.loading.extraction import UNPRINTABLE, Source
from simcompare.loading.formats.plain.encodings import decode
from simcompare.loading.sniffing import ZIP_STARTS
from simcompare.model.errors import (
    DamagedFileError,
    FileError,
    FileNotReadableError,
    FileTooLargeError,
    FolderInsteadOfFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
    os_errors_as,
)
from simcompare.support.i18n import N_

# Measured on 985 files: no ordinary document comes near this limit.
_MAX_TOTAL_BYTES = 300_000_000
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_BROKEN_PART = N_("a part of it is broken")
TEXT_MISSING = N_("the text is missing from the file")


class Archive:
    """The parts of a zipped document by name; case, slash direction and a leading slash are ignored."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise DamagedFileError(path, cause=N_("it is cut short or broken")) from error
        self._check_limits()
        self._names = {_normal(info.filename): info.filename for info in self._zip.infolist()}

    def __contains__(self, name: str) -> bool:
        return _normal(name) in self._names

    def __iter__(self) -> Iterator[str]:
        """Yield the names as stored."""
        return iter(self._names.values())

    def close(self) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes | None:
        stored = self._names.get(_normal(name))
        if stored is None:
            return None
        try:
            return self._zip.read(stored)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error) as error:
            raise DamagedFileError(self._path, cause=_BROKEN_PART) from error

    def parsed(self, name: str) -> etree._Element | None:
        data = self.read(name)
        return None if data is None else parsed_xml(self._path, data)

    def _check_limits(self) -> None:
        total = 0
        for info in self._zip.infolist():
            if info.flag_bits & 1:
                raise PasswordNeededError(self._path)
            total += info.file_size
            ratio = info.file_size / max(info.compress_size, 1)
            if info.file_size > MAX_PART_BYTES or total > _MAX_TOTAL_BYTES:
                raise FileTooLargeError(self._path, cause=N_("it is too large when unpacked"))
            if ratio > MAX_RATIO and info.file_size > RATIO_COUNTS_ABOVE_BYTES:
                raise FileTooLargeError(self._path, cause=N_("it is too large when unpacked"))


# An encoding that office formats do not use: often the text is UTF-8 all the same.
_OTHER_ENCODING = re.compile(rb"""\s*+<\?xml[^>]{0,99}encoding\s*=\s*["'](?!utf)""", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"(?:\s*+<\?xml\s[^>]*+\?>)*+\s*+")
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(?:#?\w{1,40};)?|\]\]>")
_UNDECLARED = re.compile("^([^{}:]+):")
# Faults that cost no text: of repeated attributes the first counts, as in browsers.
_HARMLESS = frozenset(
    {
        *("DTD_ID_REDEFINED", "DTD_XMLID_VALUE", "ERR_ATTRIBUTE_REDEFINED", "NS_ERR_ATTRIBUTE_REDEFINED"),
        *("NS_ERR_UNDEFINED_NAMESPACE", "NS_ERR_XML_NAMESPACE", "NS_ERR_QNAME", "NS_ERR_COLON", "WAR_NS_URI"),
        *("ERR_LT_IN_ATTRIBUTE", "ERR_ATTRIBUTE_WITHOUT_VALUE", "ERR_HYPHEN_IN_COMMENT", "WAR_SPACE_VALUE"),
    }
)
_parser = partial(etree.XMLParser, resolve_entities=False, no_network=True, load_dtd=False)


def parsed_xml(path: Path, data: bytes, *, long_texts: bool = False) -> etree._Element:
    """Return the root of an XML part of the file at `path`; no entity is resolved, nothing is fetched.

    Faults that cost no text are repaired: repeated ids and attributes, undeclared prefixes, control
    characters, bare ampersands, a wrong declaration of the encoding. libxml2 refuses elements nested deeper
    than 256 and, unless `long_texts`, texts above 10 MB. Raises DamagedFileError.
    """
    if any(doctype in data for doctype in _DOCTYPES):
        raise DamagedFileError(path, cause=N_("it has instructions that no ordinary document has"))
    lenient = _parser(huge_tree=long_texts, recover=True, encoding="utf-8")
    try:
        if not _OTHER_ENCODING.match(data):
            return etree.fromstring(data, _parser(huge_tree=long_texts))
    except (etree.XMLSyntaxError, ValueError) as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
    try:
        root = etree.fromstring(_repaired(data), lenient)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedFileError(path, cause=_BROKEN_PART) from error
    if root is None or any(entry.type_name not in _HARMLESS for entry in lenient.error_log):
        raise DamagedFileError(path, cause=_BROKEN_PART)
    return with_prefixes(root)


def _repaired(data: bytes) -> bytes:
    """Return XML in UTF-8 without declaration, control characters and undeclared entities."""
    decoded = decode(data, markup=True)
    text = (decoded if decoded.is_readable else decode(data)).text
    text = UNPRINTABLE.sub("", _XML_DECLARATION.sub("", text, count=1))
    if "<![CDATA[" not in text:
        text = _REFERENCE.sub(lambda found: html.escape(UNPRINTABLE.sub("", html.unescape(found[0]))), text)
    return text.encode()


def with_prefixes(root: etree._Element) -> etree._Element:
    """Give the names with an undeclared prefix a namespace, as the readers look at local names."""
    for element in root.iter(etree.Element):
        element.tag = _UNDECLARED.sub(r"{undeclared:\1:}", str(element.tag))
        for name in filter(_UNDECLARED.match, map(str, element.attrib)):
            element.set(_UNDECLARED.sub(r"{undeclared:\1:}", name), element.attrib.pop(name))
    return root


def _normal(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


_RIGHTS_MANAGED = "DRMEncrypted".encode("utf-16-le")


def decrypted(source: Source, password: str | None) -> Source:
    """Return the decrypted content of an encrypted Office file; it is kept in memory only.

    Raises PasswordNeededError without a password, WrongPasswordError if it does not open the file,
    UnsupportedFormatError for a file that only a company's rights server opens, DamagedFileError.
    """
    if _RIGHTS_MANAGED in source.data:
        raise UnsupportedFormatError(source.path, format=N_("protected by rights management"))
    if not password:
        raise PasswordNeededError(source.path)
    # imports cryptography, which unencrypted files do not need
    from msoffcrypto.exceptions import DecryptionError, InvalidKeyError  # noqa: PLC0415

    try:
        return Source(source.path, _decrypted_bytes(source.data, password))
    except InvalidKeyError as error:
        raise WrongPasswordError(source.path) from error
    except DecryptionError as error:
        raise UnsupportedFormatError(source.path, format=N_("an unusual encryption")) from error
    except MemoryError:
        raise
    except Exception as error:
        # On broken bytes the library raises any error of its parsers.
        raise DamagedFileError(source.path, cause=N_("its password protection is broken")) from error


def _decrypted_bytes(data: bytes, password: str) -> bytes:
    import msoffcrypto  # noqa: PLC0415 - imports cryptography
    from msoffcrypto.format.doc97 import Doc97File  # noqa: PLC0415

    locked = msoffcrypto.OfficeFile(io.BytesIO(data))
    # Word 97-2003 files are always verified; their class has no such argument.
    verification = {} if isinstance(locked, Doc97File) else {"verify_password": True}
    locked.load_key(password=password, **verification)
    opened = io.BytesIO()
    locked.decrypt(opened)
    return opened.getvalue()


# A scanned book has 100 MB; no student's file is larger.
_MAX_FILE_BYTES = 200_000_000


# Parts of zipped documents that hold their text; pictures take little memory.
_MARKUP = (".xml", ".html", ".xhtml", ".htm")


# 10 MB of pages without pictures take 460 MB, nearly as much as a text; scans have little text.
_PDF_BYTES_PER_TEXT_BYTE = 2


def text_bytes(path: Path) -> int:
    """Return the size of the text in a file: all of it, the markup of a zipped document, a part of a PDF.

    0 if it cannot be read.
    """
    try:
        if path.is_file():  # no pipe, which might never end
            with path.open("rb") as file:
                return _text_bytes(file)
        return _text_bytes(io.BytesIO(member_bytes(path) or b""))
    except (FileError, OSError, ValueError):
        return 0


def _text_bytes(file: IO[bytes]) -> int:
    start = file.read(4)
    size = file.seek(0, io.SEEK_END)
    if not start.startswith(ZIP_STARTS):
        return size // _PDF_BYTES_PER_TEXT_BYTE if start == b"%PDF" else size
    try:
        with zipfile.ZipFile(file) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, NotImplementedError):
        return size
    return sum(part.file_size for part in parts if part.filename.lower().endswith(_MARKUP))


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file, or of a member of an archive ("class.zip/essay.docx").

    Raises FileNotReadableError for anything but a regular file, for instance a pipe, which might never
    end; FolderInsteadOfFileError for a folder; FileTooLargeError before anything is read; ArchiveMemberError
    for a member that is not read.
    """
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)):
        try:
            facts = path.stat()
        except OSError:
            data = member_bytes(path)
            if data is None:
                raise
            return data
        if stat.S_ISDIR(facts.st_mode):
            # scandir raises the reason if the folder is unreadable
            os.scandir(path).close()
            raise FolderInsteadOfFileError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=N_("it is not a file but a device or a pipe"))
        if facts.st_size > _MAX_FILE_BYTES:
            raise FileTooLargeError(path, cause=f"{facts.st_size // 1_000_000} MB")
        return path.read_bytes()
