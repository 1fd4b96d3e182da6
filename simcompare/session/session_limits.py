"""Size limits of session files, checked before anything is unpacked, and the errors of unpacking."""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simcompare.model.errors import FileError, FileNotReadableError, FolderInsteadOfFileError, os_errors_as
from simcompare.session.document_parts import BOX_BYTES, BOXES, MEANINGS, TEXT
from simcompare.support.i18n import N_

MOST_DOCUMENTS = 10_000
SCORE_COLUMNS = "columns.bin"
_MOST_MEMBERS = 4 * MOST_DOCUMENTS + 6
# Real sessions stay far below these limits; a document has 10 MB of text at most.
_MOST_TEXT_BYTES = 20_000_000
_MOST_BOX_BYTES = BOX_BYTES * 10_000_000
MOST_MEANING_BYTES = 200_000_000
"""Of all documents: 5,000 essays of 40 sentences. More are not saved, but made again."""
# a book of 300,000 lines has 12 MB of facts
_MOST_JSON_BYTES = 64_000_000
# the pairs of 500 essays on one topic have 60 MB of scores
_MOST_SCORE_BYTES = 1_000_000_000
_MOST_BYTES = 2_000_000_000
# 300 pages with their boxes have 40
_HIGHEST_RATIO = 200
_RATIO_COUNTS_ABOVE_BYTES = 100_000_000
UNPACKING_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile raises for damaged or hostile files, besides the errors of the file system."""
_NO_FILE = N_("it is not a file but a device or a pipe")


@contextmanager
def opened_zip(path: Path, damaged: FileError) -> Iterator[tuple[zipfile.ZipFile, int]]:
    """Open a zip file, with its size in bytes. Raises FileNotReadableError, and `damaged` if it is none."""
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)):
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            raise FolderInsteadOfFileError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=_NO_FILE)
        file = path.open("rb")
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (*UNPACKING_ERRORS, OSError) as error:
            raise damaged from error
        with archive:
            yield archive, facts.st_size


def member_fits(name: str, size_bytes: int) -> bool:
    """Return whether a member of this name may have this unpacked size."""
    most = {
        TEXT: _MOST_TEXT_BYTES,
        BOXES: _MOST_BOX_BYTES,
        MEANINGS: MOST_MEANING_BYTES,
        SCORE_COLUMNS: _MOST_SCORE_BYTES,
    }
    return size_bytes <= most.get(name.rpartition("/")[2], _MOST_JSON_BYTES)


def all_fit(members: int, unpacked_bytes: int) -> bool:
    """Return whether a session may have this number of members and this total size."""
    return members <= _MOST_MEMBERS and unpacked_bytes <= _MOST_BYTES


def ratio_fits(unpacked_bytes: int, file_bytes: int) -> bool:
    """Return whether a file of this size may unpack to this total size."""
    return unpacked_bytes <= max(_RATIO_COUNTS_ABOVE_BYTES, _HIGHEST_RATIO * file_bytes)
