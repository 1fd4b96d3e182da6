"""Atomic file writes, change stamps of files, and records of temporary files.

By the records, the next start of the program removes the files of a killed process. Each process has a file
in the user's data folder, with a path a line, and holds a lock on it. The system releases the lock when the
process ends in whatever way; then its paths are those of no living process.
"""

import atexit
import errno
import os
import secrets
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from simcompare.support.resources import user_data_path

PREFIXES = (".simcompare-", "simcompare-", "pymp-")
"""Beginnings of the names of temporary files and folders; nothing else is removed."""
_FOLDER, _SUFFIX = "unfinished", ".paths"
_LOCKED_BYTE = 1 << 40  # behind the content: Windows lets no other process read locked bytes


class _Record:
    """File of this process with the paths of its temporary files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paths: dict[Path, None] = {}
        self._file: FileIO | None = None
        self._process = 0

    def add(self, path: Path) -> None:
        """Record a path before the file is made."""
        with self._lock:
            if self._process != os.getpid():  # the first path, or the record is that of a parent process
                self._paths, self._file, self._process = {}, None, os.getpid()
            self._paths[path] = None
            self._write()

    def remove(self, path: Path) -> None:
        """Forget a path, as its file is finished or removed."""
        with self._lock:
            self._paths.pop(path, None)
            self._write()

    def _write(self) -> None:
        """Replace the content; without it, the files of a killed process stay, which harms nothing."""
        with suppress(OSError):
            file = self._file = self._file or _locked_file()
            file.seek(0)
            file.write(b"".join(os.fsencode(path) + b"\0" for path in self._paths))
            file.truncate()
            file.flush()


_RECORD = _Record()


def _locked_file() -> FileIO:
    path = user_data_path(_FOLDER, f"{secrets.token_hex(8)}{_SUFFIX}")
    file = path.open("xb", buffering=0)
    try:
        _lock(file)
        path.stat()  # another process may have removed it before it was locked
    except OSError:
        file.close()
        path.unlink(missing_ok=True)
        raise
    atexit.register(_delete, file, path, os.getpid())
    return file


def _delete(file: FileIO, path: Path, process: int) -> None:
    """Delete the record at the end of its process, not at that of a forked child."""
    if os.getpid() == process:
        file.close()
        path.unlink(missing_ok=True)


def _lock(file: FileIO) -> None:
    """Lock an open file until it is closed or its process ends. Raises OSError if another process has."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not available elsewhere

        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl  # noqa: PLC0415 - not available on Windows

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def record_unfinished(path: Path) -> None:
    """Have the next start of the program remove a temporary file or folder if this process is killed."""
    _RECORD.add(path.absolute())


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Record a temporary file or folder for the duration of the block, which creates and removes it."""
    path = path.absolute()  # the next start may be in another folder
    _RECORD.add(path)
    try:
        yield
    finally:
        _RECORD.remove(path)


def remove_unfinished() -> None:
    """Remove the temporary files of processes that were killed; those of living processes stay."""
    with suppress(OSError):
        for record in user_data_path(_FOLDER, "record").parent.glob(f"*{_SUFFIX}"):
            with suppress(OSError), record.open("r+b", buffering=0) as file:
                _lock(file)
                for name in file.read().split(b"\0"):
                    _remove(Path(os.fsdecode(name)))
                if sys.platform != "win32":  # Windows deletes no open file
                    record.unlink()
            if sys.platform == "win32":
                with suppress(OSError):
                    record.unlink()


def start_removing_unfinished() -> None:
    """Run `remove_unfinished` in a thread that the program does not wait for, even at its end.

    A file may be on a drive that does not answer.
    """
    threading.Thread(target=remove_unfinished, name="unfinished files", daemon=True).start()


def _remove(path: Path) -> None:
    if path.name.startswith(PREFIXES):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


_OWNER_ONLY_MODE, _DEFAULT_MODE = 0o600, 0o666
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, write: Callable[[BinaryIO], object], *, private: bool = False) -> None:
    """Replace the file `path` by what `write` writes, in one step, after it has been synced to disk.

    Until then the old file is unchanged, whatever happens; links are followed. A `private` file is readable
    by its owner only. Raises OSError, including for a write-protected file, and what `write` raises.
    """
    if "\0" in str(path):  # only some systems raise ValueError themselves
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from ValueError()
    target = Path(os.path.realpath(path))
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
