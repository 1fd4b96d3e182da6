# ruff: noqa: PTH112, PTH113, PTH118 - pathlib raises where a name is too long or a folder is closed
"""Which files are asked for, and their bytes."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from simcompare.errors import FileNotReadableError, FileTooLargeError, FolderGivenError, cause_of
from simcompare.i18n import N_

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
    try:
        facts = path.stat()
        if stat.S_ISDIR(facts.st_mode):
            # of a folder that may be looked into the files are read; of another the reason is told
            os.scandir(path).close()
            raise FolderGivenError(path)
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=N_("it is not a file but a device or a pipe"))
        if facts.st_size > _MAX_FILE_BYTES:
            raise FileTooLargeError(path, cause=f"{facts.st_size // 1_000_000} MB")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise FileNotReadableError(path, cause=cause_of(error)) from error
