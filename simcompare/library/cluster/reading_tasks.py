"""What the workers of a cluster do with files: compute hashes, and read and hand over entries.

Each file is read in a process of its own with limits of time and memory, as by a program on one computer.
"""

import multiprocessing
import platform
import secrets
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.library.adding import PRELOADED, NewEntry, chosen_library
from simcompare.library.cluster.connection import HandoverError, NotReadOnWorkerError
from simcompare.library.store.stored_numbers import SignedHashes
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submitter
from simcompare.model.errors import FileError, FileNotReadableError, SimcompareError
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
    # Let this process start others: a worker that Dask watches is a daemon, which may not
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
