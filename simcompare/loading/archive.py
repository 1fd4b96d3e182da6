"""Zip archives of documents: limits are checked before anything is unpacked, XML is parsed safely."""

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from simcompare.loading.extraction import Source
from simcompare.model.errors import (
    DamagedFileError,
    FileNotReadableError,
    FileTooLargeError,
    FolderInsteadOfFileError,
    PasswordNeededError,
    UnsupportedFormatError,
    WrongPasswordError,
    os_errors_as,
)
from simcompare.support.i18n import N_

# Measured on 985 files: no honest one comes near these.
_MAX_PART_BYTES = 100_000_000
_MAX_TOTAL_BYTES = 300_000_000
_MAX_RATIO = 200
_RATIO_COUNTS_ABOVE_BYTES = 5_000_000
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_BROKEN_PART = N_("a part of it is broken")
TEXT_MISSING = N_("the text is missing from the archive")


class Archive:
    """The parts of a zipped document by their names; a name's case, slashes and first slash are forgiven."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise DamagedFileError(path, cause=N_("the archive is cut short or broken")) from error
        self._check_limits()
        self._names = {_normal(info.filename): info.filename for info in self._zip.infolist()}

    def __contains__(self, name: str) -> bool:
        return _normal(name) in self._names

    def __iter__(self) -> Iterator[str]:
        """Yield the names as they are stored."""
        return iter(self._names.values())

    def close(self) -> None:
        """Let go of the bytes."""
        self._zip.close()

    def read(self, name: str) -> bytes | None:
        """Return what a part holds, None where the archive does not hold it."""
        stored = self._names.get(_normal(name))
        if stored is None:
            return None
        try:
            return self._zip.read(stored)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error) as error:
            raise DamagedFileError(self._path, cause=_BROKEN_PART) from error

    def parsed(self, name: str) -> etree._Element | None:
        """Return the root of an XML part, None where the archive does not hold it."""
        data = self.read(name)
        return None if data is None else parsed_xml(self._path, data)

    def _check_limits(self) -> None:
        total = 0
        for info in self._zip.infolist():
            if info.flag_bits & 1:
                raise PasswordNeededError(self._path)
            total += info.file_size
            ratio = info.file_size / max(info.compress_size, 1)
            if info.file_size > _MAX_PART_BYTES or total > _MAX_TOTAL_BYTES:
                raise FileTooLargeError(self._path, cause=N_("it unpacks to more than a text can be"))
            if ratio > _MAX_RATIO and info.file_size > _RATIO_COUNTS_ABOVE_BYTES:
                raise FileTooLargeError(self._path, cause=N_("it unpacks to more than a text can be"))


def parsed_xml(path: Path, data: bytes, *, long_texts: bool = False) -> etree._Element:
    """Return the root of an XML part of the file at `path`; nothing is fetched, no entity is declared.

    libxml2 refuses elements nested deeper than 256, and, unless `long_texts`, texts above 10 MB.
    Raises DamagedFileError.
    """
    if any(doctype in data for doctype in _DOCTYPES):
        raise DamagedFileError(path, cause=N_("it declares entities, which Word never does"))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=long_texts)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedFileError(path, cause=_BROKEN_PART) from error


def _normal(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


_RIGHTS_MANAGED = "DRMEncrypted".encode("utf-16-le")


def decrypted(source: Source, password: str | None) -> Source:
    """Return the file inside an encrypted one; it is nowhere to be found afterwards.

    Raises PasswordNeededError without a password, WrongPasswordError where it does not open the file,
    UnsupportedFormatError for a file that only a company's server opens, DamagedFileError.
    """
    if _RIGHTS_MANAGED in source.data:
        raise UnsupportedFormatError(source.path, format=N_("protected by rights management"))
    if not password:
        raise PasswordNeededError(source.path)
    # loads cryptography, which files that are open do without
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
        # The library meets broken bytes with whatever error its parsers have.
        raise DamagedFileError(source.path, cause=N_("the encryption is broken")) from error


def _decrypted_bytes(data: bytes, password: str) -> bytes:
    import msoffcrypto  # noqa: PLC0415 - loads cryptography
    from msoffcrypto.format.doc97 import Doc97File  # noqa: PLC0415

    locked = msoffcrypto.OfficeFile(io.BytesIO(data))
    # Word 97-2003 files are always verified, and their class knows no such argument.
    verification = {} if isinstance(locked, Doc97File) else {"verify_password": True}
    locked.load_key(password=password, **verification)
    opened = io.BytesIO()
    locked.decrypt(opened)
    return opened.getvalue()


# ruff: noqa: PTH112, PTH113, PTH118 - pathlib raises where a name is too long or a folder is closed


# A scanned book has 100 MB; nothing that a student writes is larger.
_MAX_FILE_BYTES = 200_000_000
SESSION_SUFFIX = ".simcompare"
# Word and LibreOffice keep files of these names while a document is open; systems hide the others.
_PASSED_OVER = (".", "~$", "__MACOSX")


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Return files as they are and, for folders, the visible files in them, sorted by name.

    A folder that may not be looked into stands for itself: reading it tells why.
    """
    return [file for path in paths for file in _files_at(path)]


def _files_at(path: Path) -> Iterator[Path]:
    if not os.path.isdir(path):
        yield path
        return
    closed: list[Path] = []
    inside: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=lambda e: closed.append(Path(e.filename))):
        folders[:] = [name for name in folders if not name.startswith(_PASSED_OVER)]
        shown = (os.path.join(folder, name) for name in names if _is_shown(name))
        inside.extend(Path(name) for name in shown if os.path.isfile(name))
    yield from sorted([*inside, *closed])


def _is_shown(name: str) -> bool:
    """Return whether a file of a folder may be a document; a session kept beside them is none."""
    return not name.startswith(_PASSED_OVER) and not name.lower().endswith(SESSION_SUFFIX)


def bytes_of(path: Path) -> bytes:
    """Return what a file holds.

    Raises FileNotReadableError for what is no file, also for a pipe, which might never end; FolderGivenError
    for a folder; FileTooLargeError, before anything is read.
    """
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)):
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            # of a folder that may be looked into the files are read; of another the reason is told
            os.scandir(path).close()
            raise FolderInsteadOfFileError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=N_("it is not a file but a device or a pipe"))
        if facts.st_size > _MAX_FILE_BYTES:
            raise FileTooLargeError(path, cause=f"{facts.st_size // 1_000_000} MB")
        return path.read_bytes()
