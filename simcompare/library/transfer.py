"""A library as one portable file: a zip archive of entries as JSON lines, with a manifest.

Members: `entries-00001.jsonl` and so on, a document with its tags in each line, and `manifest.json` with
format, version, recipes, and the number of entries and the SHA-256 of each part. Terms and fingerprints are
not in the file: they are computed when it is imported, so that a file cannot bring wrong ones.
"""

import os
import re
import zipfile
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event
from typing import Annotated, Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import Meta, Struct, to_builtins
from sqlalchemy import Connection, select

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.changes import (
    LIBRARY_RECIPE,
    NewEntry,
    SubmissionKey,
    add_entries,
    make_new_entry,
    stored_submissions,
)
from simcompare.library.entries import StoredEntry, chosen_entries, has_tag, restored_document
from simcompare.library.library_errors import (
    DamagedExportError,
    ExportNotSavedError,
    NewerExportError,
    RetentionDateError,
    TagError,
)
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS
from simcompare.library.tags import Tag, make_tag
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError, writing_errors_as
from simcompare.model.progress import Cancelled, Tick, no_tick
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.session_data import SessionDocument
from simcompare.session.session_file import UNPACKING_ERRORS, opened_zip, ratio_fits
from simcompare.session.session_parts import FACTS, TEXT, entry_of, members_of
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_pool import WorkerPool

FORMAT, VERSION = "simcompare-library-export", 1
MANIFEST = "manifest.json"
_PART_NAME = r"entries-[0-9]{5,6}\.jsonl"

_MOST_PARTS = 100_000
MOST_MANIFEST_BYTES = 64_000_000
MOST_PART_BYTES = 128_000_000
"""A document has 10 MB of text at most, which JSON writes with up to 6 bytes a character."""
_MOST_TAGS = 1000

_Number = Annotated[int, Meta(ge=0, le=1 << 40)]
_Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class ExportPart(Struct, frozen=True):
    """A member with entries: its name, their number, and the SHA-256 of its bytes."""

    name: Annotated[str, Meta(pattern=rf"\A{_PART_NAME}\Z")]
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


def is_exported_library(path: Path) -> bool:
    """Return whether a file has only the members of an exported library; opening it says for sure."""
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
    return bool(names) and all(name == MANIFEST or re.fullmatch(_PART_NAME, name) for name in names)


@contextmanager
def opened_export(path: Path) -> Iterator[ExportFile]:
    """Open an exported library. Raises FileNotReadableError, DamagedExportError, NewerExportError."""
    with opened_zip(path, DamagedExportError(path, cause=_NO_EXPORT)) as (archive, size_bytes):
        if not ratio_fits(sum(member.file_size for member in archive.infolist()), size_bytes):
            raise DamagedExportError(path, cause=_TOO_LARGE)
        yield ExportFile(path, archive)


_ENTRIES_AT_ONCE = 200
_PART_BYTES = 16_000_000
"""Bytes from which a part ends."""


def export_library(library: Library, path: Path, tags: Sequence[Tag] = (), tick: Tick = no_tick) -> int:
    """Write the entries that have all of the tags to a file, private to its owner; return their number.

    The file has one state of the library, and replaces another one only when it is complete. `tick` counts
    entries. Raises ExportNotSavedError, LibraryError, and what `tick` raises.
    """
    exported = 0

    def write(file: BinaryIO) -> None:
        nonlocal exported
        with library.reading() as connection, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            exported = _write(archive, library, connection, tags, tick)

    with writing_errors_as(ExportNotSavedError, path):
        write_atomically(path, write, private=True)
    return exported


def _write(
    archive: ZipFile, library: Library, connection: Connection, tags: Sequence[Tag], tick: Tick
) -> int:
    ids = connection.execute(select(ENTRIES.c.id).where(*map(has_tag, tags)).order_by(ENTRIES.c.id))
    entries = ids.scalars().all()
    lines = _exported_lines(library, connection, entries, tick)
    parts: list[ExportPart] = []
    for number in count(1):
        part = _write_part(archive, f"entries-{number:05d}.jsonl", lines)
        if part is None:
            break
        parts.append(part)
    with archive.open(ZipInfo(MANIFEST), "w") as member:
        member.write(
            manifest_of(now().astimezone(UTC).isoformat(timespec="seconds"), _recipes(connection), parts)
        )
    return len(entries)


def _exported_lines(
    library: Library, connection: Connection, entries: Sequence[int], tick: Tick
) -> Iterator[bytes]:
    for first in range(0, len(entries), _ENTRIES_AT_ONCE):
        for done, entry in enumerate(
            chosen_entries(connection, entries[first : first + _ENTRIES_AT_ONCE]), start=first + 1
        ):
            yield _exported_line(library, connection, entry)
            tick(done, len(entries))


def _exported_line(library: Library, connection: Connection, entry: StoredEntry) -> bytes:
    document = restored_document(library, connection, entry.entry)
    return line_of(document, entry.name, entry.added_at, entry.tags)


def _write_part(archive: ZipFile, name: str, lines: Iterator[bytes]) -> ExportPart | None:
    """Write the next lines as a member; return None if there are none."""
    line = next(lines, None)
    if line is None:
        return None
    digest, size, number = sha256(), 0, 0
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    with archive.open(info, "w") as member:
        while line is not None:
            member.write(line)
            digest.update(line)
            size, number = size + len(line), number + 1
            line = next(lines, None) if size < _PART_BYTES else None
    return ExportPart(name, number, digest.hexdigest())


def _recipes(connection: Connection) -> Recipes:
    terms = select(ENTRIES.c.term_recipe).distinct().order_by(ENTRIES.c.term_recipe)
    fingerprints = select(FINGERPRINTS.c.recipe).distinct().order_by(FINGERPRINTS.c.recipe)
    return Recipes(
        tuple(connection.execute(terms).scalars()), tuple(connection.execute(fingerprints).scalars())
    )


_LINES_AT_ONCE = 20
_BYTES_AT_ONCE = 2_000_000
_BATCHES_PER_WORKER = 2
_BATCH_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """Number of entries that were added, and of those that the library had."""

    added: int
    known: int


def import_library(
    library: Library,
    export: ExportFile,
    submissions: Sequence[Sequence[SubmissionKey]],
    tick: Tick,
    stop: Event,
) -> ImportSummary:
    """Add the entries of an exported library with their tags and the dates they were added.

    submissions: as `ExportFile.submissions` returns them, once it has checked the whole file. Known ones are
    skipped as in `add_entries`, so that an import that was interrupted can be repeated. `tick` counts
    entries. Processes are spawned, so call it under `if __name__ == "__main__"`. Raises DamagedExportError,
    LibraryError, Cancelled soon after `stop` is set, and what `tick` raises.
    """
    wanted = Counter(submission for part in submissions for submission in part)
    with library.reading() as connection:
        stored = stored_submissions(connection, {submission.file_sha256 for submission in wanted})
    missing = wanted - stored
    total = sum(wanted[submission] for submission in missing)
    added = 0
    with closing(
        _new_entries(export.path, _missing_lines(export, submissions, missing), stop)
    ) as new_entries:
        for done, number in enumerate(add_entries(library, new_entries), start=1):
            added += number is not None
            tick(done, total)
    return ImportSummary(added, wanted.total() - added)


def _missing_lines(
    export: ExportFile, submissions: Sequence[Sequence[SubmissionKey]], missing: Counter[SubmissionKey]
) -> Iterator[bytes]:
    """Yield the lines of the submissions that the library has less often than the file."""
    for part, own in zip(export.manifest.parts, submissions, strict=True):
        if any(submission in missing for submission in own):
            for line, submission in zip(export.lines(part), own, strict=True):
                if submission in missing:
                    yield line


def _new_entries(path: Path, lines: Iterable[bytes], stop: Event) -> Generator[NewEntry, None, None]:
    """Prepare entries in worker processes, in order."""
    workers = os.cpu_count() or 1
    waiting: deque[Future[list[NewEntry]]] = deque()
    pool = WorkerPool(
        workers,
        _BATCH_SECONDS,
        expected=SimcompareError,
        preload=PRELOADED,
        initializer=lower_process_priority,
    )
    with pool:
        for batch in _batches(lines):
            waiting.append(pool.start((_prepared, path, batch)))
            if len(waiting) >= _BATCHES_PER_WORKER * workers:
                yield from _result(waiting.popleft(), stop)
        while waiting:
            yield from _result(waiting.popleft(), stop)


def _result(future: "Future[list[NewEntry]]", stop: Event) -> list[NewEntry]:
    if stop.is_set():
        raise Cancelled
    return future.result()


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if len(batch) == _LINES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _prepared(path: Path, lines: Sequence[bytes]) -> list[NewEntry]:
    """Return the entries of lines; called in a worker. Raises DamagedExportError."""
    return [_new_entry(path, line) for line in lines]


def _new_entry(path: Path, line: bytes) -> NewEntry:
    exported = entry_from(line)
    try:
        new = make_new_entry(prepare_document(exported.document, LIBRARY_RECIPE), exported.tags)
    except SimcompareError as error:
        raise DamagedExportError(path, cause=BROKEN) from error
    columns = new.columns | {"name": exported.name, "added_at": exported.added_at}
    return replace(new, columns=columns)
