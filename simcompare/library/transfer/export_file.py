"""Read an exported library that may be damaged or hostile."""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins

from simcompare.library.adding import SubmissionKey
from simcompare.library.library_errors import (
    DamagedExportError,
    NewerExportError,
    RetentionDateError,
    TagError,
)
from simcompare.library.tags import Tag, make_tag
from simcompare.model.document import Document
from simcompare.model.progress import Tick
from simcompare.session.document_parts import FACTS, TEXT, entry_of, members_of
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.session_data import SessionDocument
from simcompare.session.session_limits import UNPACKING_ERRORS, opened_zip, ratio_fits
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_

FORMAT, VERSION = "simcompare-library-export", 1
MANIFEST = "manifest.json"

_MOST_PARTS = 100_000
MOST_MANIFEST_BYTES = 64_000_000
MOST_PART_BYTES = 128_000_000
"""A document has 10 MB of text at most, which JSON writes with up to 6 bytes a character."""
_MOST_TAGS = 1000

_Number = Annotated[int, Meta(ge=0, le=1 << 40)]
_Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class ExportPart(Struct, frozen=True):
    """A member with entries: its name, their number, and the SHA-256 of its bytes."""

    name: Annotated[str, Meta(pattern=r"\Aentries-[0-9]{5,6}\.jsonl\Z")]
    entries: _Number
    sha256: _Sha256


class Recipes(Struct, frozen=True):
    """Names of the recipes of the library that was exported; those of an imported one are in its program."""

    terms: tuple[str, ...]
    fingerprints: tuple[str, ...]


class Manifest(Struct, frozen=True):
    """What is in an exported library; exported_at: UTC in ISO 8601."""

    format: str
    version: _Number
    exported_at: str
    recipes: Recipes
    entries: _Number
    parts: Annotated[tuple[ExportPart, ...], Meta(max_length=_MOST_PARTS)]


class ExportVersion(Struct):
    """The part of a manifest that every version has."""

    format: str
    version: _Number


class _ExportLine(Struct):
    facts: dict[str, Any]
    text: str
    name: Annotated[str, Meta(min_length=1, max_length=4096)]
    added_at: Annotated[str, Meta(max_length=32)]
    tags: Annotated[tuple[tuple[str, str], ...], Meta(max_length=_MOST_TAGS)]


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """A line of a part: a document, the name that lists show, when it was added, and its tags."""

    document: Document
    name: str
    added_at: str
    tags: tuple[Tag, ...]

    @property
    def submission(self) -> SubmissionKey:
        return SubmissionKey.of(self.document.sha256, self.name, self.tags)


def line_of(document: Document, name: str, added_at: str, tags: Iterable[Tag]) -> bytes:
    """Return an entry as a line of JSON."""
    members = dict(members_of(SessionDocument(document.path, document=document)))
    value = {
        "facts": parsed(members[FACTS]),
        "text": document.text,
        "name": name,
        "added_at": added_at,
        "tags": [[tag.name, tag.value] for tag in tags],
    }
    return as_bytes(value) + b"\n"


def entry_from(line: bytes) -> ExportedEntry:
    """Read a line with the checks of a session. Raises BrokenValueError."""
    value = checked(parsed(line), _ExportLine)
    try:
        added_at = datetime.fromisoformat(value.added_at)
        tags = tuple(make_tag(*tag) for tag in value.tags)
        text = value.text.encode("utf-8")
    except (ValueError, TagError, RetentionDateError) as error:
        raise BrokenValueError("line") from error
    document = entry_of({FACTS: as_bytes(value.facts), TEXT: text}).document
    # names in the database have no invisible characters
    if document is None or added_at.tzinfo is None or value.name != escape_invisible(value.name):
        raise BrokenValueError("line")
    return ExportedEntry(document, value.name, value.added_at, tags)


def manifest_of(exported_at: str, recipes: Recipes, parts: Sequence[ExportPart]) -> bytes:
    """Return the manifest as JSON."""
    entries = sum(part.entries for part in parts)
    return as_bytes(to_builtins(Manifest(FORMAT, VERSION, exported_at, recipes, entries, tuple(parts))))


BROKEN = N_("a part of it is broken")
_NO_EXPORT = N_("it is not an exported library")
_TOO_LARGE = N_("it unpacks to more than its size allows")


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
    with opened_zip(path, DamagedExportError(path, cause=_NO_EXPORT)) as (archive, size_bytes):
        _check_ratio(path, archive.infolist(), size_bytes)
        yield ExportFile(path, archive)


def _check_ratio(path: Path, members: Sequence[zipfile.ZipInfo], file_bytes: int) -> None:
    if not ratio_fits(sum(member.file_size for member in members), file_bytes):
        raise DamagedExportError(path, cause=_TOO_LARGE)
