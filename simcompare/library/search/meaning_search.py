"""Search by the meaning of sentences, which also finds entries that have no word in common: translations.

A library has the vectors of its entries (1 kB a sentence) once it was searched in this way; a later search
adds those of new entries. They are compared one by one: of 10,000 essays of 40 sentences in some seconds.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select

from simcompare.cohort.document_preparation import PRELOADED, lower_process_priority
from simcompare.library.entries import restored_document
from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryNotWritableError,
    LibraryRightsError,
    NoSuchEntryError,
    NotEncodedError,
)
from simcompare.library.store.library_place import LibraryPlace
from simcompare.library.store.open_library import Library, open_library
from simcompare.library.store.schema import ENTRIES, MEANINGS
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Tick, no_tick
from simcompare.support.workers.worker_pool import WAITING_FACTOR, WorkerError, WorkerPool
from simcompare.text.prepared_text import PreparedText, kept_meanings, prepare
from simcompare.text.sentence_meaning import is_meaning_available, meanings_in, model_name

_ENTRIES_A_TASK = 5
_TASK_SECONDS, _LOOK_SECONDS = 600.0, 0.1
_ENTRIES_AT_ONCE = 50
"""Entries whose vectors are in memory at the same time."""
_FEWEST_UNITS = 4
# Of strong rewordings (tests/helpers/rewordings.py), 1 of 12 sources is not first with 0.3, 3 with 0.4.
_LEAST_COSINE = np.float32(0.3)
_FEWEST_SENTENCES = 2
# Measured on two cores: 100 entries are encoded in 18 s, and 2,000 compared with an essay in 0.7 s.
_MOST_ENCODED_UNASKED, _MOST_SEARCHED_UNASKED = 100, 2_000
_FEWEST_ENTRIES = 20
"""With fewer, it is unknown what is usual."""


def is_searched_by_meaning(meaning: bool | None, libraries: Sequence[Library]) -> bool:
    """Return whether libraries are searched by meaning, given the setting: unasked, if it takes seconds.

    Raises LibraryError.
    """
    if meaning is not None or not is_meaning_available():
        return bool(meaning)
    entries = 0
    for library in libraries:
        with library.reading() as connection:
            entries += connection.execute(select(func.count()).select_from(ENTRIES)).scalar_one()
    return entries <= _MOST_SEARCHED_UNASKED and entries_to_encode(libraries) <= _MOST_ENCODED_UNASKED


def entries_to_encode(libraries: Sequence[Library]) -> int:
    """Return how many entries `encode_entries` has to prepare. Raises LibraryError."""
    missing = 0
    for library in libraries:
        with library.reading() as connection:
            missing += len(_without_vectors(connection))
    return missing


# --- fill the table


def encode_entries(libraries: Sequence[Library], tick: Tick = no_tick) -> None:
    """Add the vectors that libraries lack; `tick` counts entries. What was added stays if it raises.

    It is also called while nothing is added. Processes are spawned, so call it under `if __name__ ==
    "__main__"`. Raises NotEncodedError if some are missing and cannot be added, LibraryError, and what `tick`
    raises.
    """
    parts: list[tuple[Library, Sequence[int]]] = []
    for library in libraries:
        with library.reading() as connection:
            missing = _without_vectors(connection)
        starts = range(0, len(missing), _ENTRIES_A_TASK)
        parts += [(library, missing[first : first + _ENTRIES_A_TASK]) for first in starts]
    if not parts:
        return
    total, done = sum(len(entries) for _library, entries in parts), 0
    tick(done, total)
    with WorkerPool(
        os.cpu_count() or 1,
        WAITING_FACTOR * _TASK_SECONDS,
        expected=SimcompareError,
        preload=PRELOADED,
        initializer=lower_process_priority,
        processor_seconds=_TASK_SECONDS,
    ) as pool:
        waiting = deque(pool.start((_vectors_of, library.place, entries)) for library, entries in parts)
        for library, entries in parts:
            look = partial(tick, done, total)
            vectors = _result(waiting.popleft(), look)
            if vectors is None:
                # one entry of them is too long or too large
                single = [pool.start((_vectors_of, library.place, [entry])) for entry in entries]
                vectors = {
                    entry: each for task in single for entry, each in (_result(task, look) or {}).items()
                }
            try:
                _add(library, entries, vectors)
            except (LibraryNotWritableError, LibraryRightsError) as error:
                reason = str(error)
                raise NotEncodedError(str(library.place), reason=reason, count=total - done) from error
            done += len(entries)
            tick(done, total)


def _without_vectors(connection: Connection, *conditions: ColumnElement[bool]) -> Sequence[int]:
    known = exists().where(MEANINGS.c.entry == ENTRIES.c.id, MEANINGS.c.model == model_name())
    missing = select(ENTRIES.c.id).where(~known, *conditions).order_by(ENTRIES.c.id)
    return connection.execute(missing).scalars().all()


def _vectors_of(place: LibraryPlace, entries: Sequence[int]) -> dict[int, bytes]:
    """Encode entries, but for those that are damaged or gone; called in a worker."""
    found: dict[int, bytes] = {}
    with open_library(place) as library, library.reading() as connection:
        for entry in entries:
            with suppress(DamagedLibraryError, NoSuchEntryError):  # told by a check of the library
                document = restored_document(library, connection, entry)
                found[entry] = kept_meanings(document, prepare(document, meaning=True))
    return found


def _result(encoded: "Future[dict[int, bytes]]", look: Callable[[], object]) -> dict[int, bytes] | None:
    while not wait([encoded], _LOOK_SECONDS).done:
        look()
    try:
        return encoded.result()
    except WorkerError:
        return None


def _add(library: Library, entries: Sequence[int], vectors: Mapping[int, bytes]) -> None:
    """Add vectors, but for those that another program has added, or whose entry it has removed, meanwhile.

    An entry without any, as it is damaged, too long or too large, gets empty ones.
    """
    with library.writing() as connection:
        present = _without_vectors(connection, ENTRIES.c.id.in_(entries))
        connection.execute(delete(MEANINGS).where(MEANINGS.c.entry.in_(present)))
        rows = [{"entry": each, "model": model_name(), "vectors": vectors.get(each, b"")} for each in present]
        if rows:
            connection.execute(insert(MEANINGS), rows)


def stored_meanings(connection: Connection, entry: int) -> bytes:
    """Return the vectors of an entry as they are kept, none if the library lacks them."""
    return connection.execute(select(MEANINGS.c.vectors).where(MEANINGS.c.entry == entry)).scalar() or b""


# --- search


def find_by_meaning(connections: Sequence[Connection], query: PreparedText) -> Iterator[tuple[int, int]]:
    """Yield entries of several libraries with sentences that say what those of a text say, and their library.

    Each sentence of the text, which was encoded, counts with the cosine of its best partner in an entry, less
    the median of these in all entries if they are many, or less the least cosine if that is more: squared, as
    a few close sentences tell more than many that share the topic. Those come first that gain most, of equal
    ones the earliest.
    """
    assert query.meanings is not None
    counts = query.sentence_lengths >= _FEWEST_UNITS
    sentences = query.meanings[counts].astype(np.float32).T
    owners: list[tuple[int, int]] = []
    best: list[NDArray[np.float32]] = []
    for library, connection in enumerate(connections):
        stored = select(MEANINGS.c.entry, MEANINGS.c.vectors).where(MEANINGS.c.model == model_name())
        for rows in connection.execute(stored.order_by(MEANINGS.c.entry)).partitions(_ENTRIES_AT_ONCE):
            known = [(row.entry, meanings_in(row.vectors)) for row in rows]
            kept = [(entry, each) for entry, each in known if each is not None and len(each)]
            if kept and sentences.size:
                # one by one, as the cosines of some hundred theses take gigabytes
                best += [(each.astype(np.float32) @ sentences).max(axis=0) for _entry, each in kept]
                owners += [(entry, library) for entry, _each in kept]
    if not owners:
        return
    of_entries = np.stack(best)
    usual = np.median(of_entries, axis=0) if len(owners) >= _FEWEST_ENTRIES else _LEAST_COSINE
    gains = np.maximum(of_entries - np.maximum(usual, _LEAST_COSINE), 0)
    sums = np.square(gains).sum(axis=1)
    is_close = np.count_nonzero(gains, axis=1) >= _FEWEST_SENTENCES
    order = np.argsort(-sums, kind="stable")
    yield from (owners[place] for place in order[is_close[order]].tolist())
