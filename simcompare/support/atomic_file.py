"""Atomic file writes, and change stamps of files."""

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from simcompare.support.unfinished_files import unfinished

_OWNER_ONLY_MODE, _DEFAULT_MODE = 0o600, 0o666
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, write: Callable[[BinaryIO], object], *, private: bool = False) -> None:
    """Replace the file `path` by what `write` writes, in one step, after it has been synced to disk.

    Until then the old file is unchanged, whatever happens; links are followed. A `private` file is readable
    by its owner only. Raises OSError, including for a write-protected file, and what `write` raises.
    """
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # a file name must not contain a null character
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from error
    if target.exists() and not os.access(target, os.W_OK):
        # replacing needs only write access to the folder; respect a write-protected file
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    temporary = target.with_name(f".simcompare-{secrets.token_hex(8)}")
    with unfinished(temporary):
        try:
            new = os.open(temporary, _NEW_FILE, _OWNER_ONLY_MODE if private else _DEFAULT_MODE)
            with os.fdopen(new, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if target.exists() and not private:
                temporary.chmod(target.stat().st_mode)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Sync the folder's new entry to disk, if the system supports it."""
    if os.name != "posix":
        return
    with suppress(OSError):  # some network drives cannot; the file itself is written
        entry = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)


ChangeStamp = tuple[int, int]
"""Modification time in nanoseconds, and size in bytes."""


def change_stamp(path: Path) -> ChangeStamp | None:
    """Return the change stamp of a regular file, or None if there is none; devices and pipes do not count."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None
