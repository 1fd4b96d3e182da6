"""Import an exported library: entries that are not known, prepared in worker processes."""

import os
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.adding import add_entries, stored_submissions
from simcompare.library.library_errors import DamagedExportError
from simcompare.library.new_entry import LIBRARY_RECIPE, NewEntry, SubmissionKey, make_new_entry
from simcompare.library.store.open_library import Library
from simcompare.library.transfer.export_file import BROKEN, ExportFile
from simcompare.library.transfer.export_format import entry_from
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Cancelled, Tick
from simcompare.support.workers.worker_pool import WorkerPool

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
    with closing(_new_entries(export.path, _lines(export, submissions, missing), stop)) as new_entries:
        for done, number in enumerate(add_entries(library, new_entries), start=1):
            added += number is not None
            tick(done, total)
    return ImportSummary(added, wanted.total() - added)


def _lines(
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
