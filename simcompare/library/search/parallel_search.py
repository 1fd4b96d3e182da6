"""Search several texts in worker processes, each of which opens the library itself."""

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import wait
from threading import Event
from typing import NamedTuple

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.library.adding import LIBRARY_RECIPE
from simcompare.library.library_errors import LibraryError, NotSearchedError
from simcompare.library.search.search import LibraryHit, LibrarySearch
from simcompare.library.store.library_place import LibraryPlace
from simcompare.library.store.open_library import open_library
from simcompare.model.errors import SimcompareError
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_pool import WorkerPool
from simcompare.support.workers.worker_tasks import MeasuredFuture, WorkerError

_TEXT_SECONDS = 600.0
"""Time for one text: ten comparisons of long theses take a minute."""
_TEXTS_PER_WORKER = 2
_LOOK_FOR_STOP_SECONDS = 0.1
_FAILED = N_("its comparison took too long, or needed too much memory")


class _Searching(NamedTuple):
    """A text that is being searched."""

    key: int
    text: PreparedDocument
    hits: "MeasuredFuture[list[LibraryHit]]"


Result = tuple[int, list[LibraryHit] | SimcompareError]
"""Key of a text, and its hits or why it could not be searched."""


def search_texts(
    place: LibraryPlace,
    texts: Mapping[int, PreparedDocument],
    workers: int,
    stop: Event,
    by_fingerprints: bool = False,
    by_meaning: bool = False,
) -> Generator[Result, None, None]:
    """Search texts in a library, and yield the results in the order of the texts.

    Neither finding candidates nor comparing them holds up the threads of this process. Processes are
    spawned, so call it under `if __name__ == "__main__"`. Ends early soon after `stop` is set; no
    result follows. Raises LibraryError.
    """
    searching: deque[_Searching] = deque()
    pool = WorkerPool(
        workers,
        _TEXT_SECONDS,
        expected=SimcompareError,
        preload=PRELOADED,
        initializer=lower_process_priority,
    )
    with pool:
        for key, text in texts.items():
            searching.append(
                _Searching(key, text, pool.start((_hits, place, text, by_fingerprints, by_meaning)))
            )
            yield from _results(searching, _TEXTS_PER_WORKER * workers, stop)
            if stop.is_set():
                return
        yield from _results(searching, 0, stop)


def _results(searching: deque[_Searching], most_waiting: int, stop: Event) -> Iterator[Result]:
    """Yield the results that are there, and wait for others while more than `most_waiting` texts wait.

    Yields nothing once `stop` is set, even if results are there.
    """
    while searching and (len(searching) > most_waiting or searching[0].hits.done()):
        while not stop.is_set() and not wait([searching[0].hits], _LOOK_FOR_STOP_SECONDS).done:
            pass
        if stop.is_set():
            return
        key, text, hits = searching.popleft()
        try:
            yield key, hits.result()
        except LibraryError:
            raise
        except SimcompareError as error:
            yield key, error
        except WorkerError:
            yield key, NotSearchedError(text.document.path, cause=_FAILED)


# in the worker process

_opened: list[tuple[tuple[LibraryPlace, bool], LibrarySearch]] = []
"""The last search of this process, with its library and method."""


def _hits(
    place: LibraryPlace, text: PreparedDocument, by_fingerprints: bool, by_meaning: bool
) -> list[LibraryHit]:
    """Search a text. Raises LibraryError, NoTermsError, MeaningModelMissingError."""
    asked = place, by_fingerprints
    if not _opened or _opened[0][0] != asked:
        _opened[:] = [(asked, LibrarySearch(open_library(place), by_fingerprints=by_fingerprints))]
    return _opened[0][1].search(with_recipe(text, LIBRARY_RECIPE).with_meanings(by_meaning))
