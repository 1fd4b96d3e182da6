"""Read an exported library that may be damaged or hostile."""

import stat
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from simcompare.library.library_errors import DamagedExportError, NewerExportError
from simcompare.library.new_entry import SubmissionKey
from simcompare.library.transfer.export_format import (
    FORMAT,
    MANIFEST,
    MOST_MANIFEST_BYTES,
    MOST_PART_BYTES,
    VERSION,
    ExportPart,
    ExportVersion,
    Manifest,
    entry_from,
)
from simcompare.model.errors import FileNotReadableError, os_errors_as
from simcompare.model.progress import Tick
from simcompare.session.json_fields import BrokenValueError, checked, parsed
from simcompare.session.session_limits import UNPACKING_ERRORS, ratio_fits
from simcompare.support.i18n import N_

BROKEN = N_("a part of it is broken")
_NO_EXPORT = N_("it is not an exported library")
_TOO_LARGE = N_("it unpacks to more than its size allows")
_NO_FILE = N_("it is not a file")


class ExportFile:
    """An open exported library; its members are read by the names in its manifest only."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self._archive = archive
        self.manifest = self._manifest()

    def lines(self, part: ExportPart) -> list[bytes]:
        """Return the lines of a part. Raises DamagedExportError if they are not those that were exported."""
        data = self._member(part.name, MOST_PART_BYTES)
        lines = data.splitlines()
        if sha256(data).hexdigest() != part.sha256 or len(lines) != part.entries:
            raise DamagedExportError(self.path, cause=BROKEN)
        return lines

    def submissions(self, tick: Tick) -> list[list[SubmissionKey]]:
        """Check every part and line, and return the submissions of each part; `tick` counts entries.

        Raises DamagedExportError.
        """
        found: list[list[SubmissionKey]] = []
        done = 0
        for part in self.manifest.parts:
            found.append([self._submission(line) for line in self.lines(part)])
            done += part.entries
            tick(done, self.manifest.entries)
        return found

    def _submission(self, line: bytes) -> SubmissionKey:
        try:
            return entry_from(line).submission
        except BrokenValueError as error:
            raise DamagedExportError(self.path, cause=BROKEN) from error

    def _manifest(self) -> Manifest:
        if MANIFEST not in self._archive.NameToInfo:
            raise DamagedExportError(self.path, cause=_NO_EXPORT)
        try:
            value = parsed(self._member(MANIFEST, MOST_MANIFEST_BYTES))
            version = checked(value, ExportVersion)
            if version.format != FORMAT:
                raise DamagedExportError(self.path, cause=_NO_EXPORT)
            if version.version > VERSION:
                raise NewerExportError(self.path, version=version.version, known=VERSION)
            manifest = checked(value, Manifest)
        except BrokenValueError as error:
            raise DamagedExportError(self.path, cause=BROKEN) from error
        names = {part.name for part in manifest.parts}
        entries = sum(part.entries for part in manifest.parts)
        if len(names) != len(manifest.parts) or entries != manifest.entries:
            raise DamagedExportError(self.path, cause=BROKEN)
        return manifest

    def _member(self, name: str, most_bytes: int) -> bytes:
        info = self._archive.NameToInfo.get(name)
        if info is None:
            raise DamagedExportError(self.path, cause=BROKEN)
        if info.file_size > most_bytes:
            raise DamagedExportError(self.path, cause=_TOO_LARGE)
        try:
            return self._archive.read(info)
        except (*UNPACKING_ERRORS, OSError) as error:
            raise DamagedExportError(self.path, cause=BROKEN) from error


@contextmanager
def opened_export(path: Path) -> Iterator[ExportFile]:
    """Open an exported library. Raises FileNotReadableError, DamagedExportError, NewerExportError."""
    with os_errors_as(FileNotReadableError, path, (OSError, ValueError)):
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise FileNotReadableError(path, cause=_NO_FILE)
        file = path.open("rb")
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (*UNPACKING_ERRORS, OSError) as error:
            raise DamagedExportError(path, cause=_NO_EXPORT) from error
        with archive:
            _check_ratio(path, archive.infolist(), facts.st_size)
            yield ExportFile(path, archive)


def _check_ratio(path: Path, members: Sequence[zipfile.ZipInfo], file_bytes: int) -> None:
    if not ratio_fits(sum(member.file_size for member in members), file_bytes):
        raise DamagedExportError(path, cause=_TOO_LARGE)
