"""Import an exported library: entries that are not known, prepared in worker processes."""

import os
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Connection, select

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.adding import (
    LIBRARY_RECIPE,
    NewEntry,
    SubmissionKey,
    add_entries,
    make_new_entry,
    stored_submissions,
)
from simcompare.library.entries import StoredEntry, chosen_entries, has_tag, restored_document
from simcompare.library.library_errors import DamagedExportError, ExportNotSavedError
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS
from simcompare.library.tags import Tag
from simcompare.library.transfer.export_file import (
    BROKEN,
    MANIFEST,
    ExportFile,
    ExportPart,
    Recipes,
    entry_from,
    line_of,
    manifest_of,
)
from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.model.progress import Cancelled, Tick, no_tick
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.workers.worker_pool import WorkerPool

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

    with os_errors_as(ExportNotSavedError, path, (OSError,)):
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
