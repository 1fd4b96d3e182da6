"""Members of archives of files: list the files in a zip archive and read them, without unpacking to disk.

The path of a member is that of its archive and its name: "class.zip/Anna Kowalski_123/essay.docx";
`bytes_of` reads it.
"""

# ruff: noqa: PTH112, PTH113, PTH114, PTH118 - pathlib raises on too long names and unreadable folders

import io
import os
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import IO

from simcompare.loading.formats.plain.encodings import ALL, CENTRAL, CYRILLIC, LATIN, likelihood
from simcompare.loading.sniffing import FORMAT_NAMES, ZIP_STARTS, kind_of_zip
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    FileError,
    FileNotReadableError,
    FileTooLargeError,
    NotAnEssayError,
    SimcompareError,
    os_errors_as,
)
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_

_UTF8_NAME = 0x800
_UNICODE_PATH = 0x7075
_TRIED = (
    ("utf-8", ALL),
    ("gb18030", ("simplified", "traditional")),
    ("big5hkscs", ("traditional",)),
    ("cp932", ("japanese",)),
    ("cp949", ("korean",)),
    ("cp437", LATIN),
    ("cp850", LATIN),
    ("cp852", CENTRAL),
    ("cp866", CYRILLIC),
    ("cp1252", LATIN),
)
"""Encodings of names without a mark, the likeliest first, and the languages written in them."""


def stored_names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Decode the names of members.

    A name without the UTF-8 flag has no stated encoding: Chinese Windows writes GBK, macOS UTF-8. All such
    names of an archive are decoded alike, by the likelihood of the text; zipfile took them for cp437.
    """
    unmarked = [None if info.flag_bits & _UTF8_NAME else info.orig_filename.encode("cp437") for info in infos]
    names = dict.fromkeys(name for name in unmarked if name is not None and not name.isascii())
    encoding = _encoding_of(b"\n".join(names))
    decoded = [
        _unicode_path(info, raw) or raw.decode(encoding, "replace") if raw is not None else info.orig_filename
        for info, raw in zip(infos, unmarked, strict=True)
    ]
    return [unicodedata.normalize("NFC", name.split("\0")[0]) for name in decoded]


@lru_cache(maxsize=8)
def _encoding_of(joined: bytes) -> str:
    # takes 10 ms, and the members of an archive are read one by one
    readings = ((likelihood(joined.decode(name, "replace"), spoken), name) for name, spoken in _TRIED)
    # the first of equals
    return max(readings, key=lambda reading: reading[0])[1]


def _unicode_path(info: zipfile.ZipInfo, raw: bytes) -> str | None:
    """Return the name in the Info-ZIP Unicode Path field (APPNOTE 4.6.9), if made for the stored name."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            checksum = int.from_bytes(body[1:5], "little")
            return body[5:].decode("utf-8", "replace") if checksum == zlib.crc32(raw) else None
    return None


MAX_PART_BYTES = 100_000_000
MAX_RATIO = 200
RATIO_COUNTS_ABOVE_BYTES = 5_000_000
"""Limits of a part of an archive; measured on 985 files, no ordinary file comes near them."""
_MOST_MEMBERS = 10_000
# 400 scanned essays; one member at a time is in memory
_MAX_TOTAL_BYTES = 2_000_000_000
_DEEPEST = 3

_TOO_LARGE = N_("it is too large when unpacked")
_ENCRYPTED = N_("it is protected by a password")
_BROKEN = N_("it is broken")
_BROKEN_ZIP = (
    zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError, struct.error,
    zlib.error,
)  # fmt: skip

_ENCRYPTED_FLAG = 1
# "C:" or "C:essay.docx", but not "A: my essay.docx"
_DRIVE = re.compile(r"[A-Za-z]:(?!\s)")
_IGNORED_PREFIXES = (".", "~$", "__MACOSX")
_IGNORED_NAMES = frozenset({"thumbs.db", "desktop.ini"})


class ArchiveMemberError(FileError):
    template = N_(
        "{name} in {archive} is not read: {cause}. If the file is needed, unpack the archive and add "
        "the file."
    )


class EncryptedMemberError(ArchiveMemberError):
    template = N_(
        "{name} in {archive} is not read: {cause}. Unpack the archive with its password and add the file."
    )


class EncryptedArchiveError(FileError):
    template = N_(
        "{name} is protected by a password. Unpack it with its password and add the folder with the files."
    )


class UnsafeMemberError(ArchiveMemberError):
    template = N_(
        "{name} in {archive} is not read: {cause}. Do not unpack this archive; ask for a new one, or for "
        "the file."
    )


@dataclass(frozen=True, slots=True)
class ArchiveListing:
    """Files in an archive, sorted; `skipped`: number of members that are no documents, such as .DS_Store."""

    members: tuple[Path, ...]
    refused: tuple[FileError, ...] = ()
    skipped: int = 0


_REPORT = re.compile(
    r"(?:-比对报告| – (?:comparison report|class report|grade sheet|mark sheet|pairs|sources|annotated"
    r"|比对报告|全班报告|学生汇总表|文档对|作文对|来源|批注))"
    r"(?: – (?:anonymous|匿名))?(?: \(\d+\))?(?:\.(?:html|pdf|docx|json|csv|xlsx|zip))?$"
    r"| – (?:reports|报告)(?: – (?:anonymous|匿名))?(?: \(\d+\))?(?:\.zip)?$"
)
"""Names that exports suggest (`export/output_paths.py`): they stand in the folder of the essays."""


def is_no_document(name: str) -> bool:
    """Return whether a file or folder is hidden, a lock file, a by-product, a session or an export.

    Word and LibreOffice create "~$" files while a document is open.
    """
    if _REPORT.search(name):
        return True
    lowered = name.lower()
    is_by_product = lowered in _IGNORED_NAMES or lowered.endswith((SESSION_SUFFIX, ".case.zip", ".tmp"))
    return is_by_product or name.startswith(_IGNORED_PREFIXES)


def is_archive(path: Path) -> bool:
    """Return whether a file on disk is a zip archive of files, not a document in zip format."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(ZIP_STARTS) and _is_zip_of_files(file)
    except (OSError, ValueError):
        return False


def _is_zip_of_files(file: IO[bytes]) -> bool:
    try:
        with zipfile.ZipFile(file) as package:
            return kind_of_zip(package) == "zip"
    except _BROKEN_ZIP:
        return False


def list_members(path: Path) -> ArchiveListing:
    """List the files in an archive and in the archives in it, at most three levels deep.

    Raises FileNotReadableError; DamagedFileError; FileTooLargeError if it has more than 10,000 files or
    2 GB of them; EncryptedArchiveError. Such an archive in the archive is refused alone.
    """
    lister = _Lister()
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)), path.open("rb") as file:
        lister.add_archive(path, file, depth=1)
    return ArchiveListing(tuple(sorted(lister.members)), tuple(lister.refused), lister.skipped)


def member_bytes(path: Path) -> bytes | None:
    """Return the bytes of a member, or None if no part of its path is an archive on disk.

    Raises ArchiveMemberError for a member that `list_members` refuses, FileNotReadableError if the archive
    has no such member, DamagedFileError.
    """
    archive = archive_on_disk(path)
    if archive is None:
        return None
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)), archive.open("rb") as file:
        return _read_in(archive, file, path)


def archive_on_disk(path: Path) -> Path | None:
    """Return the archive on disk that holds a member, or None for any other path."""
    file = file_on_disk(path)
    return file if file != path and is_archive(file) else None


def file_on_disk(path: Path) -> Path:
    """Return the file that holds the bytes of a path: for a member of an archive, the archive.

    Only asks whether the folders above are files, and reads nothing.
    """
    for parent in path.parents:
        try:
            mode = parent.stat().st_mode
        except (OSError, ValueError):
            continue  # below a file; on Windows it is reported as missing
        return parent if stat.S_ISREG(mode) else path
    return path


def modified(path: Path) -> float | None:
    """Return when a file was changed, in seconds since 1970: of a member, as stored in its archive."""
    try:
        return path.stat().st_mtime
    except (OSError, ValueError):
        archive = archive_on_disk(path)
    if archive is None:
        return None
    try:
        with zipfile.ZipFile(archive) as package:
            found = {entry.name: entry.info for entry in _entries(package)}
            names = [
                str(PurePosixPath(*path.parts[len(archive.parts) : end])) for end in _ends(archive, path)
            ]
            info = next((found[name] for name in names if name in found), None)
            return datetime(*info.date_time).timestamp() if info else None
    except (*_BROKEN_ZIP, OverflowError):
        return None


# --- one archive


@dataclass(frozen=True, slots=True)
class _Entry:
    """A member by its safe name, unique in the archive; error: why it is refused, with its cause."""

    name: str
    info: zipfile.ZipInfo
    error: type[ArchiveMemberError] | None = None
    cause: str = ""

    def refusal(self, archive: Path) -> ArchiveMemberError | None:
        if self.error is None:
            return None
        return self.error(archive / self.name, archive=display_name(archive.name), cause=self.cause)


class _Lister:
    """Lists an archive with the archives in it; counts members and bytes over all of them."""

    def __init__(self) -> None:
        self.members: list[Path] = []
        self.refused: list[FileError] = []
        self.skipped = 0
        self._count = 0
        self._bytes = 0

    def add_archive(self, path: Path, file: IO[bytes], depth: int) -> None:
        with _opened(path, file) as package:
            infos = package.infolist()
            self._count += len(infos)
            if self._count > _MOST_MEMBERS:
                raise FileTooLargeError(path, cause=N_("more than 10,000 files"))
            # a refused member is not unpacked
            entries = list(_entries(package))
            self._bytes += sum(entry.info.file_size for entry in entries if entry.error is None)
            if self._bytes > _MAX_TOTAL_BYTES:
                raise FileTooLargeError(path, cause=_TOO_LARGE)
            if _is_encrypted(entries):
                raise EncryptedArchiveError(path)
            listed = len(self.members) + len(self.refused)
            for entry in entries:
                self._add(path, package, entry, depth)
            if len(self.members) + len(self.refused) == listed:
                self.refused.append(EmptyFileError(path))

    def _add(self, archive: Path, package: zipfile.ZipFile, entry: _Entry, depth: int) -> None:
        if any(map(is_no_document, entry.name.split("/"))):
            self.skipped += 1
            return
        refusal = entry.refusal(archive)
        if refusal is not None:
            self.refused.append(refusal)
            return
        path = archive / entry.name
        try:
            nested = _nested_archive(package, entry.info)
        except _BROKEN_ZIP:
            self.refused.append(_broken(archive, path))
            return
        if nested is None:
            self.members.append(path)
        elif depth == _DEEPEST:
            cause = N_("it is an archive in an archive in an archive")
            self.refused.append(ArchiveMemberError(path, archive=display_name(archive.name), cause=cause))
        else:
            self._add_nested(path, nested, depth + 1)

    def _add_nested(self, path: Path, data: bytes, depth: int) -> None:
        counts = self._count, self._bytes
        try:
            self.add_archive(path, io.BytesIO(data), depth)
        except FileError as error:
            self.refused.append(error)
            self._count, self._bytes = counts


def _opened(path: Path, file: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except _BROKEN_ZIP as error:
        raise DamagedFileError(path, cause=N_("the archive is cut short or broken")) from error


def _nested_archive(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | None:
    with package.open(info) as part:
        if not part.read(4).startswith(ZIP_STARTS):
            return None
    data = package.read(info)
    return data if _is_zip_of_files(io.BytesIO(data)) else None


def _read_in(archive: Path, file: IO[bytes], path: Path) -> bytes:
    """Return the bytes of the member at `path`, which may be in an archive in this one."""
    with _opened(archive, file) as package:
        entries = {entry.name: entry for entry in _entries(package)}
        for end in _ends(archive, path):
            entry = entries.get("/".join(path.parts[len(archive.parts) : end]))
            if entry is None:
                continue
            refusal = entry.refusal(archive)
            if refusal is not None:
                raise refusal
            try:
                data = package.read(entry.info)
            except _BROKEN_ZIP as error:
                raise _broken(archive, path) from error
            if end == len(path.parts):
                return data
            return _read_in(Path(*path.parts[:end]), io.BytesIO(data), path)
    raise FileNotReadableError(path, cause=N_("it is no longer in the archive"))


def _is_encrypted(entries: Iterable[_Entry]) -> bool:
    documents = [entry for entry in entries if not any(map(is_no_document, entry.name.split("/")))]
    return bool(documents) and all(entry.error is EncryptedMemberError for entry in documents)


def is_encrypted_archive(data: bytes) -> bool:
    """Return whether all files in an archive need a password."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _is_encrypted(_entries(package))
    except _BROKEN_ZIP:
        return False


def _broken(archive: Path, path: Path) -> ArchiveMemberError:
    return ArchiveMemberError(path, archive=display_name(archive.name), cause=_BROKEN)


def _ends(archive: Path, path: Path) -> range:
    """Return the numbers of parts of `path` at which a member of the archive may end, the longest first."""
    return range(len(path.parts), len(archive.parts), -1)


def _entries(package: zipfile.ZipFile) -> Iterator[_Entry]:
    """Yield the files of an archive; a name that occurs again gets a number, so that no file is lost."""
    infos = package.infolist()
    seen: Counter[str] = Counter()
    for info, stored in zip(infos, stored_names(infos), strict=True):
        # some programs for Windows write backslashes
        parts = stored.replace("\\", "/").split("/")
        if not parts[-1]:
            continue  # a folder
        inside = [_DRIVE.sub("", parts[0], count=1), *parts[1:]]
        name = "/".join(part for part in inside if part not in {"", ".", ".."}) or "?"
        seen[name] += 1
        if seen[name] > 1:
            path = PurePosixPath(name)
            name = str(path.with_name(f"{path.stem} ({seen[name]}){path.suffix}"))
        if not parts[0] or ".." in parts or _DRIVE.match(parts[0]):
            yield _Entry(
                name, info, UnsafeMemberError, N_("its name points to a place outside of the archive")
            )
        else:
            yield _Entry(name, info, *_refusal(info))


def _refusal(info: zipfile.ZipInfo) -> tuple[type[ArchiveMemberError] | None, str]:
    """Return the error and the cause why a member is not read, or (None, "")."""
    if info.flag_bits & _ENCRYPTED_FLAG:
        return EncryptedMemberError, _ENCRYPTED
    if stat.S_ISLNK(info.external_attr >> 16):
        return ArchiveMemberError, N_("it is a link to another file")
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > MAX_PART_BYTES or (ratio > MAX_RATIO and info.file_size > RATIO_COUNTS_ABOVE_BYTES):
        return ArchiveMemberError, _TOO_LARGE
    return None, ""


MOST_FILES = 1_000
"""Half a million pairs take 4 GB of memory in the window, and 35 minutes of processor time."""


class TooManyFilesError(SimcompareError):
    template = N_(
        "{count} files cannot be compared each with all others, {most} at most. Add one class or year at a "
        "time; the library keeps the others and finds what a text has in common with them."
    )


@dataclass(frozen=True, slots=True)
class ListedFiles:
    """Files on disk and members of archives, in order, each once.

    refused: a sentence for each archive or member that is not read; its path raises the same when it is
    read. skipped: number of files that are no documents, such as .DS_Store or lock files of Word. empty:
    the given folders with none of `files` and `refused`. sessions: a sentence for each session in them.
    """

    files: tuple[Path, ...]
    refused: tuple[FileError, ...] = ()
    skipped: int = 0
    empty: tuple[Path, ...] = ()
    sessions: tuple[FileError, ...] = ()


def list_files(paths: Iterable[Path]) -> ListedFiles:
    """List files as they are, and the files in folders and zip archives, nested ones too.

    The files of a folder or archive are sorted by name. A folder that cannot be read is listed itself, so
    that reading it gives the reason.
    """
    files: list[Path] = []
    refused: list[FileError] = []
    empty: list[Path] = []
    sessions: list[FileError] = []
    skipped = 0
    for path in paths:
        before = len(files) + len(refused)
        found, ignored = _files_at(path)
        saved = (each for each in ignored if each.suffix.lower() == SESSION_SUFFIX and each.name[0] != ".")
        sessions += [NotAnEssayError(each, cause=FORMAT_NAMES["session"]) for each in saved]
        skipped += len(ignored)
        for file in found:
            if not is_archive(file):
                files.append(file)
                continue
            try:
                listing = list_members(file)
            except FileError as error:
                refused.append(error)
            else:
                files += listing.members
                refused += listing.refused
                skipped += listing.skipped
        if len(files) + len(refused) == before:
            empty.append(path)
    return ListedFiles(tuple(dict.fromkeys(files)), tuple(refused), skipped, tuple(empty), tuple(sessions))


def _files_at(path: Path) -> tuple[list[Path], list[Path]]:
    """Return a file, or the visible files in a folder, and the others in it."""
    if not os.path.isdir(path):
        return [path], []
    found: list[Path] = []
    names = list(_names_in(path, found))
    others = sorted(name for name in names if is_no_document(name.name))
    return sorted([*found, *set(names).difference(others)]), others


def _names_in(path: Path, unreadable: list[Path]) -> Iterator[Path]:
    for folder, folders, names in os.walk(path, onerror=lambda e: unreadable.append(Path(e.filename))):
        folders[:] = [name for name in folders if not is_no_document(name)]
        for name in names:
            # a link to a file that is gone is listed, so that reading it gives the reason
            if os.path.isfile(file := os.path.join(folder, name)) or os.path.islink(file):
                yield Path(file)
