"""Files that are written whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_OWNER_ALONE, _AS_USUAL = 0o600, 0o666
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, write: Callable[[BinaryIO], object], *, private: bool = False) -> None:
    """Let `write` fill a file that takes the place of `path` in one step, once all of it is on the disk.

    Until then the file is as it was, whatever happens; a link is followed. A `private` file can be read by
    its owner alone. Raises OSError, also for a file that is closed to writing, and what `write` raises.
    """
    try:
        place = Path(os.path.realpath(path))
    except ValueError as error:  # no name of a file holds a null character
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from error
    if place.exists() and not os.access(place, os.W_OK):
        # the folder alone decides whether a file can be replaced; a file that is closed stays
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    unfinished = place.with_name(f".simcompare-{secrets.token_hex(8)}")
    try:
        new = os.open(unfinished, _NEW_FILE, _OWNER_ALONE if private else _AS_USUAL)
        with os.fdopen(new, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if place.exists() and not private:
            unfinished.chmod(place.stat().st_mode)
        unfinished.replace(place)
    finally:
        unfinished.unlink(missing_ok=True)
    _settle(place.parent)


def _settle(folder: Path) -> None:
    """Have the folder's new entry on the disk too, where the system can be asked for it."""
    if os.name != "posix":
        return
    with suppress(OSError):  # not every network drive can; the file is written
        entry = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)


ChangeStamp = tuple[int, int]
"""The time of a file's last change in nanoseconds, and its size in bytes."""


def change_stamp(path: Path) -> ChangeStamp | None:
    """Return the stamp of a file, None where there is none to be seen; devices and pipes are no files."""
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return (facts.st_mtime_ns, facts.st_size) if stat.S_ISREG(facts.st_mode) else None
