"""Add files to libraries and search them on a cluster; this program merges what its workers hand over."""

import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir, mkdtemp

import numpy as np
from sqlalchemy import Connection

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.adding import (
    Additions,
    NewEntry,
    SubmissionKey,
    insert_entries,
    labelled,
    merge_if_due,
)
from simcompare.library.cluster.connection import Cluster, HandoverError
from simcompare.library.cluster.reading_tasks import (
    TERM_RANGES,
    HandedBatch,
    HandedEntries,
    Reading,
    ReadingTask,
    check_folder,
    file_hashes,
    outcomes,
    read_batch,
)
from simcompare.library.search.search import (
    TEXT_SETTINGS,
    ComparedText,
    FoundText,
    LibraryHit,
    LibrarySearch,
    StoredText,
    compare_texts,
)
from simcompare.library.store.open_library import Library
from simcompare.library.store.stored_numbers import SignedHashes
from simcompare.library.store.stored_postings import insert_recent_postings
from simcompare.library.students import FileLabels
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Tick
from simcompare.support.arrays import Int64Array
from simcompare.support.atomic_file import unfinished

_FILES_A_TASK = 4


@dataclass(frozen=True, slots=True)
class _QueryTask:
    paths: tuple[Path, ...]
    reading: Reading


@dataclass(frozen=True, slots=True, eq=False)
class _ComparingTask:
    """A text to be compared with stored ones. path: its file."""

    path: Path
    text: PreparedDocument
    stored: tuple[StoredText, ...]


def search_files(
    cluster: Cluster, search: LibrarySearch, paths: Sequence[Path], reading: Reading, most: int, tick: Tick
) -> dict[Path, list[LibraryHit] | SimcompareError]:
    """Return the hits of each file as `LibrarySearch.search` finds them, or its error; `tick` counts files.

    Raises ClusterError, LibraryError.
    """
    run = _ClusterSearch(cluster, search, most)
    with closing(cluster.results(_compare, run.tasks(paths, reading))) as results:
        for task, compared in results:
            run.results[task.path] = search.hits(task.text, run.found.pop(task.path), compared)
            tick(len(run.results), len(paths))
    return run.results


class _ClusterSearch:
    """State of a search: what was found of texts that are being compared, and the results."""

    def __init__(self, cluster: Cluster, search: LibrarySearch, most: int) -> None:
        self._cluster, self._search, self._most = cluster, search, most
        self.found: dict[Path, list[FoundText]] = {}
        self.results: dict[Path, list[LibraryHit] | SimcompareError] = {}

    def tasks(self, paths: Sequence[Path], reading: Reading) -> Iterator[_ComparingTask]:
        """Yield the comparisons of each file when it has been read and candidates have been found."""
        parts = (tuple(paths[first : first + _FILES_A_TASK]) for first in range(0, len(paths), _FILES_A_TASK))
        with closing(self._cluster.results(_read, (_QueryTask(part, reading) for part in parts))) as texts:
            for task, read in texts:
                for path, text in zip(task.paths, read, strict=True):
                    if isinstance(text, SimcompareError):
                        self.results[path] = text
                    else:
                        self.found[path] = self._search.find(text, self._most)
                        yield _ComparingTask(path, text, tuple(each.stored for each in self.found[path]))


def _read(task: _QueryTask) -> list[PreparedDocument | SimcompareError]:
    return [
        outcome
        for outcome in outcomes(task.paths, task.reading)
        if isinstance(outcome, PreparedDocument | SimcompareError)
    ]


def _compare(task: _ComparingTask) -> list[ComparedText]:
    return compare_texts(task.text, task.stored, TEXT_SETTINGS)


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """Entries of one library, and the labels of all files of the batch that they are from, in order."""

    handed: HandedEntries
    labels: Sequence[FileLabels]

    def entries(self) -> list[NewEntry]:
        """Read the entries, without their terms."""
        return [labelled(new, self.labels[place]) for place, new in self.handed.read()]


class Merger:
    """Merges batches into libraries, in one transaction for each library; counts the submissions of a run.

    added: number of entries that were new.
    """

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._libraries = libraries
        self._met: list[Counter[SubmissionKey]] = [Counter() for _ in libraries]
        self.added = 0

    def merge(self, batches: Mapping[int, Sequence[LabelledBatch]]) -> None:
        """Merge batches, given by the number of their library, into all libraries at once.

        Raises LibraryError; what was merged into other libraries stays.
        """
        with ThreadPoolExecutor(max(1, len(batches))) as executor:
            works = [executor.submit(self._merge, library, own) for library, own in batches.items()]
        self.added += sum(work.result() for work in works)

    def _merge(self, number: int, batches: Sequence[LabelledBatch]) -> int:
        """Merge batches into one library, all or nothing; return the number of new entries."""
        library = self._libraries[number]
        with library.writing() as connection:
            owners = [
                _numbers(insert_entries(connection, batch.entries(), self._met[number])) for batch in batches
            ]
            for term_range in range(TERM_RANGES):
                _insert_terms(connection, batches, owners, term_range)
        merge_if_due(library)
        return sum(int(np.count_nonzero(entries)) for entries in owners)


def _numbers(entries: Sequence[int | None]) -> Int64Array:
    """Return the numbers of entries, 0 for those that the library had."""
    return np.array([entry or 0 for entry in entries], np.int64)


def _insert_terms(
    connection: Connection, batches: Sequence[LabelledBatch], owners: Sequence[Int64Array], term_range: int
) -> None:
    """Insert a range of the terms of the new entries of all batches, in the order of the table."""
    terms: list[SignedHashes] = []
    entries: list[Int64Array] = []
    for batch, numbers in zip(batches, owners, strict=True):
        grams, rows = batch.handed.terms_in(term_range)
        own = numbers[rows]
        terms.append(grams[own > 0])
        entries.append(own[own > 0])
    if any(map(len, terms)):
        insert_recent_postings(connection, np.concatenate(terms), np.concatenate(entries))


_MOST_HASHED, _MOST_READ = 1_000, 100
"""Files in a task."""
_TASKS_A_THREAD = 4
"""Fewer files are in a task if there would be fewer tasks than these, so that no worker has the last ones."""
_MERGED_AT_ONCE = 5_000
"""Entries that are merged in one transaction: others wait for it up to 30 seconds."""
_MERGE_SECONDS = 60.0
"""What waits for so long is merged, as it would have to be read again if the program were killed."""
_PREFIX, _MARK = "simcompare-", "shared"


def submissions_on(
    cluster: Cluster, labels: Mapping[Path, FileLabels], tick: Tick
) -> dict[Path, SubmissionKey]:
    """Return the submissions of the files that the workers can open; `tick` counts files."""
    parts = _parts(list(labels), _MOST_HASHED, cluster.threads)
    submissions: dict[Path, SubmissionKey] = {}
    done = 0
    with closing(cluster.results(file_hashes, parts)) as results:
        for part, hashes in results:
            for path, value in zip(part, hashes, strict=True):
                if value is not None:
                    submissions[path] = SubmissionKey.of(value, labels[path].name, labels[path].tags)
            done += len(part)
            tick(done, len(labels))
    return submissions


def add_files(
    cluster: Cluster,
    libraries: Sequence[Library],
    labels: Mapping[Path, FileLabels],
    reading: Reading,
    folder: Path | None,
    tick: Tick,
) -> Additions:
    """Read files on the workers, and add their entries to the libraries; `tick` counts files.

    folder: one that this computer shares with all workers; by default the temporary one, which only workers
    on this computer share. What was merged stays if this is interrupted; repeat it for the other files.
    Raises ClusterError, LibraryError.
    """
    paths = list(labels)
    errors: dict[Path, SimcompareError] = {}
    done = 0
    with _handover_folder(cluster, folder) as handover, _Merging(libraries, labels) as merging:
        parts = _parts(paths, _MOST_READ, cluster.threads)
        tasks = (ReadingTask(part, reading, handover, len(libraries)) for part in parts)
        with closing(cluster.results(read_batch, tasks)) as results:
            for task, batch in results:
                errors |= {task.paths[place]: error for place, error in batch.errors.items()}
                merging.take(task, batch)
                done += len(task.paths)
                tick(done, len(paths))
        merging.finish()
    added = merging.merger.added
    in_order = [errors[path] for path in paths if path in errors]
    return Additions(added, len(paths) - len(errors) - added, in_order)


def _parts(paths: Sequence[Path], most: int, threads: int) -> list[tuple[Path, ...]]:
    size = max(1, min(most, -(-len(paths) // (_TASKS_A_THREAD * max(1, threads)))))
    return [tuple(paths[first : first + size]) for first in range(0, len(paths), size)]


@contextmanager
def _handover_folder(cluster: Cluster, parent: Path | None) -> Iterator[Path]:
    """Make a folder, private to the user, that all workers share; remove it with all that is in it."""
    parent = Path(gettempdir()) if parent is None else parent
    try:
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent)).resolve()
    except OSError as error:
        raise HandoverError.of(parent, error) from error
    with unfinished(folder):
        try:
            (folder / _MARK).touch()
            cluster.on_each_worker(check_folder, folder, _MARK)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Merging:
    """Merges what was handed over, in a thread, while workers read other files."""

    def __init__(self, libraries: Sequence[Library], labels: Mapping[Path, FileLabels]) -> None:
        self.merger = Merger(libraries)
        self._labels = labels
        self._executor = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None
        self._began_seconds = time.monotonic()
        self._waiting: list[tuple[ReadingTask, HandedBatch]] = []

    def __enter__(self) -> "_Merging":
        return self

    def __exit__(self, *_error: object) -> None:
        """Wait for the transaction that has begun."""
        self._executor.shutdown()

    def take(self, task: ReadingTask, batch: HandedBatch) -> None:
        """Merge a batch, soon or with others. Raises LibraryError of an earlier one."""
        self._waiting.append((task, batch))
        if self._running is not None and self._running.done():
            self._running.result()
        seconds = time.monotonic() - self._began_seconds
        if sum(each.count for _, each in self._waiting) >= _MERGED_AT_ONCE or seconds > _MERGE_SECONDS:
            self._begin()

    def finish(self) -> None:
        """Merge what waits. Raises LibraryError."""
        self._begin()
        if self._running is not None:
            self._running.result()

    def _begin(self) -> None:
        if self._running is not None:
            self._running.result()
        waiting, self._waiting = self._waiting, []
        self._began_seconds = time.monotonic()
        self._running = self._executor.submit(self._merge, waiting)

    def _merge(self, waiting: Sequence[tuple[ReadingTask, HandedBatch]]) -> None:
        """Merge batches, and delete their files."""
        by_library: defaultdict[int, list[LabelledBatch]] = defaultdict(list)
        for task, batch in waiting:
            labels = [self._labels[path] for path in task.paths]
            for library, handed in batch.entries.items():
                by_library[library].append(LabelledBatch(handed, labels))
        self.merger.merge(by_library)
        for batches in by_library.values():
            for each in batches:
                each.handed.delete()
