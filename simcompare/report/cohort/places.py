"""Where a bundle goes: a folder or a zip, that is there as a whole or not at all."""

import errno
import os
import secrets
import shutil
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from simcompare.atomic_file import write_atomically

ZIP_SUFFIX = ".zip"
_MEMBER_MODE = 0o644
_FIRST_ZIP_YEAR, _LAST_ZIP_YEAR = 1980, 2107


class Members(Protocol):
    """Takes the files of a bundle, each by its path with slashes."""

    def add(self, name: str, data: bytes) -> None:
        """Put a file into the bundle; raises OSError."""


def write_whole(place: Path, made_at: datetime, fill: Callable[[Members], object]) -> None:
    """Let `fill` add the files of a zip, where `place` ends in .zip, else of a folder.

    Until all of it is there nothing is; whatever `fill` raises leaves nothing behind. A zip takes the place
    of an earlier one. Raises OSError, also for a folder that is there and has something in it: no file of
    it is touched.
    """
    if place.suffix.lower() == ZIP_SUFFIX:
        write_atomically(place, lambda file: _fill_zip(file, made_at, fill))
    else:
        _write_folder(place, fill)


def check_folder(place: Path) -> None:
    """Raise FileExistsError where a folder cannot be written because something is there already."""
    if place.is_symlink() or (place.exists() and not (place.is_dir() and not any(place.iterdir()))):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place))


def _fill_zip(file: BinaryIO, made_at: datetime, fill: Callable[[Members], object]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        fill(_Zip(archive, made_at))


class _Zip:
    """Its members tell nothing of when and where they were written but `made_at`."""

    def __init__(self, archive: zipfile.ZipFile, made_at: datetime) -> None:
        self._archive = archive
        year = min(max(made_at.year, _FIRST_ZIP_YEAR), _LAST_ZIP_YEAR)
        self._time = (year, *made_at.timetuple()[1:6])

    def add(self, name: str, data: bytes) -> None:
        member = zipfile.ZipInfo(name, self._time)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.create_system = 3
        member.external_attr = _MEMBER_MODE << 16
        self._archive.writestr(member, data)


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, name: str, data: bytes) -> None:
        place = self._path / name
        place.parent.mkdir(exist_ok=True)
        with place.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _write_folder(place: Path, fill: Callable[[Members], object]) -> None:
    check_folder(place)
    unfinished = place.with_name(f".simcompare-{secrets.token_hex(8)}")
    unfinished.mkdir()
    try:
        fill(_Folder(unfinished))
        if place.exists():
            place.rmdir()  # it is empty; not every system lets a folder take the place of one
        unfinished.rename(place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
