"""Records of temporary files, by which the next start of the program removes those of a killed process.

Each process has a file in the user's data folder, with a path a line, and holds a lock on it. The system
releases the lock when the process ends in whatever way; then its paths are those of no living process.
"""

import atexit
import os
import secrets
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

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
