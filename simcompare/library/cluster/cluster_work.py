"""Add files to libraries and search them on a cluster: what its workers do, and what this program merges."""

import multiprocessing
import platform
import secrets
import shutil
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.changes import (
    PRELOADED,
    Additions,
    NewEntry,
    SubmissionKey,
    chosen_library,
    insert_entries,
    labelled,
    merge_if_due,
)
from simcompare.library.cluster.connection import Cluster, HandoverError, NotReadOnWorkerError
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
from simcompare.library.store.stored_postings import SignedHashes, insert_recent_postings
from simcompare.library.students import FileLabels
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submitter
from simcompare.model.errors import FileError, FileNotReadableError, SimcompareError
from simcompare.model.progress import Tick
from simcompare.support.arrays import Int64Array
from simcompare.support.atomic_file import unfinished
from simcompare.support.i18n import N_, set_language

TERM_RANGES = 16
_SMALLEST, _RANGE = -(2**63), 2**64 // TERM_RANGES
_BOUNDS = np.array([_SMALLEST + _RANGE * number for number in range(1, TERM_RANGES)], np.int64)
_NO_TERMS: SignedHashes = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class HandedEntries:
    """Entries for one library, in two files. count: number of them."""

    entries: Path
    terms: Path
    count: int

    def read(self) -> Iterator[tuple[int, NewEntry]]:
        """Yield each entry, with neither terms nor tags, and the place of its file in the batch."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - an optional package

        for row in pq.read_table(self.entries).to_pylist():
            yield row["place"], NewEntry(row["columns"], row["fingerprints"], _NO_TERMS, (), row["facts"])

    def terms_in(self, number: int) -> tuple[SignedHashes, NDArray[np.int64]]:
        """Return the terms of a range, and the row of the entry of each; shape (n,) each."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - an optional package

        table = pq.ParquetFile(self.terms).read_row_group(number)
        return table["gram"].to_numpy(), table["row"].to_numpy().astype(np.int64)

    def delete(self) -> None:
        for path in (self.entries, self.terms):
            path.unlink(missing_ok=True)


def hand_over(folder: Path, library: int, entries: Sequence[tuple[int, NewEntry]]) -> HandedEntries:
    """Write entries, each with the place of its file in the batch, for the library with this number."""
    import pyarrow as pa  # noqa: PLC0415 - an optional package
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = [
        {"place": place, "columns": new.columns, "fingerprints": new.fingerprints, "facts": new.facts}
        for place, new in entries
    ]
    handed = HandedEntries(
        folder / f"{library}-entries.parquet", folder / f"{library}-terms.parquet", len(rows)
    )
    # the texts in it are compressed already
    pq.write_table(pa.Table.from_pylist(rows), handed.entries, compression="none")
    grams = np.concatenate([_NO_TERMS, *(new.terms for _, new in entries)])
    owners = np.repeat(np.arange(len(entries), dtype=np.int32), [len(new.terms) for _, new in entries])
    order = np.lexsort((owners, grams))
    _write_terms(handed.terms, grams[order], owners[order])
    return handed


def _write_terms(path: Path, grams: SignedHashes, owners: NDArray[np.int32]) -> None:
    """Write sorted terms with a row group for each range, also for one without terms."""
    import pyarrow as pa  # noqa: PLC0415 - an optional package
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema([("gram", pa.int64()), ("row", pa.int32())])
    settings: dict[str, Any] = {
        "use_dictionary": False,
        "column_encoding": {"gram": "DELTA_BINARY_PACKED", "row": "DELTA_BINARY_PACKED"},
        "compression": "none",
    }
    bounds = [0, *np.searchsorted(grams, _BOUNDS).tolist(), len(grams)]
    with pq.ParquetWriter(path, schema, **settings) as writer:
        for first, end in pairwise(bounds):
            part = [pa.array(grams[first:end]), pa.array(owners[first:end])]
            writer.write_table(pa.Table.from_arrays(part, schema=schema), row_group_size=max(1, end - first))


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read: `function(path, *args, options)`, with messages in this language."""

    function: Callable[..., object]
    args: tuple[object, ...]
    options: ReadingOptions = field(repr=False)
    language: str


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """A batch of files to be read into a folder. libraries: number of those that the entries go to."""

    paths: tuple[Path, ...]
    reading: Reading
    folder: Path
    libraries: int


@dataclass(frozen=True, slots=True)
class HandedBatch:
    """What was read of a batch: entries by library, and the error of each other file by its place."""

    entries: dict[int, HandedEntries]
    errors: dict[int, SimcompareError]

    @property
    def count(self) -> int:
        """Number of entries."""
        return sum(handed.count for handed in self.entries.values())


def file_hashes(paths: Sequence[Path]) -> list[str | None]:
    """Return the SHA-256 of each file; None if it cannot be opened, for which reading gives the error."""
    hashes: list[str | None] = []
    for path in paths:
        value = None
        with suppress(FileError):
            value = sha256(bytes_of(path)).hexdigest()
        hashes.append(value)
    return hashes


def check_folder(folder: Path, mark: str) -> None:
    """Check that this computer shares a folder with a file that has this name, and may write in it.

    Raises HandoverError.
    """
    try:
        if not (folder / mark).exists():
            raise HandoverError(
                folder=str(folder), host=platform.node(), cause=N_("it is another folder there")
            )
        probe = folder / f"{mark}-{secrets.token_hex(8)}"
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        raise HandoverError.of(folder, error) from error


def read_batch(task: ReadingTask) -> HandedBatch:
    """Read files and hand over their entries; each entry goes to the library that its hash chooses.

    Raises HandoverError.
    """
    folder = task.folder / secrets.token_hex(8)
    by_library: dict[int, list[tuple[int, NewEntry]]] = {}
    errors: dict[int, SimcompareError] = {}
    for place, outcome in enumerate(outcomes(task.paths, task.reading)):
        if not task.folder.exists():
            break  # the program has ended
        if isinstance(outcome, SimcompareError):
            errors[place] = outcome
            continue
        assert isinstance(outcome, NewEntry), "the function of the task returns entries"
        library = chosen_library(outcome, task.libraries)
        by_library.setdefault(library, []).append((place, outcome))
    try:
        folder.mkdir()
        handed = {library: hand_over(folder, library, own) for library, own in by_library.items()}
    except OSError as error:
        raise HandoverError.of(task.folder, error) from error
    return HandedBatch(handed, errors)


def outcomes(paths: Sequence[Path], reading: Reading) -> Generator[object | SimcompareError, None, None]:
    # Each file is read in a process of its own with limits of time and memory, as on one computer. Let this
    # process start others: a worker that Dask watches is a daemon, which may not
    process = multiprocessing.current_process()
    if process.daemon:
        process.daemon = False
    with ReaderPool(1, initializer=set_language, initargs=(reading.language,), preload=PRELOADED) as pool:
        futures = deque(map(submitter(pool, reading.function, *reading.args, reading.options), paths))
        for path in paths:
            try:
                yield futures.popleft().result()
            except FileNotReadableError as error:
                yield NotReadOnWorkerError(path, host=platform.node(), cause=error.values["cause"])
            except SimcompareError as error:
                yield error


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
