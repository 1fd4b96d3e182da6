"""Search files: workers read and compare them, this program asks the libraries for candidates."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.cluster.connection import Cluster
from simcompare.library.cluster.reading_tasks import Reading, outcomes
from simcompare.library.search.search import (
    TEXT_SETTINGS,
    ComparedText,
    FoundText,
    LibraryHit,
    LibrarySearch,
    StoredText,
    compare_texts,
)
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Tick

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
