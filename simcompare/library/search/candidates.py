"""Candidates: the entries that explain most of a text, by the terms they share with it."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select, text

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import Fingerprint, hamming_distances_bits
from simcompare.library.index_terms import NEAR_BITS, fingerprint_terms, index_terms
from simcompare.library.store.schema import ENTRIES, POSTINGS, RECENT_POSTINGS
from simcompare.library.store.stored_numbers import SignedHashes, number_columns, stored_numbers, unsigned
from simcompare.library.store.stored_postings import EntryArray, entries_of_terms, term_counts

_MOST_ENTRIES = 200
"""Terms of more entries are ignored: they take most of the time and weigh least. With fewer, a source that a
class has copied would not be found."""
_RARITY_POWER = 3
"""Tuned with `library_recall.py`: with 1, many frequent terms outweigh a few grams of a short passage."""
_USUAL_TERMS = 300
"""Terms of an entry with 800 units; longer ones share more terms by chance."""
_LENGTHS_AT_ONCE = 16

_Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)
Result = TypeVar("Result")


def find_candidates(connection: Connection, query: PreparedDocument) -> Iterator[int]:
    """Yield the entries that share terms with a text, those that explain most of it first.

    An entry scores log(1 + N / (df * length))^3 for each term, with N entries ever added, of which df have
    it; length is the number of the entry's terms divided by 300, but at least 1. Of equal ones the earliest
    is first. The last are entries without common terms whose document fingerprints are within 3 bits.
    """
    return (entry for entry, _library in find_candidates_in([connection], query))


def find_candidates_in(
    connections: Sequence[Connection], query: PreparedDocument
) -> Iterator[tuple[int, int]]:
    """Yield the entries of several libraries, each with the number of its library, as if they were one.

    N and df are those of all libraries together, which are asked at the same time.
    """
    libraries = len(connections)
    found = _in_each(connections, partial(_shared, index_terms(query.prepared)))
    counts = np.sum([each.counts for each in found], axis=0)
    entry_count = sum(each.entry_count for each in found)
    rarities = [each.of_terms(entry_count / np.maximum(counts, 1)) for each in found]
    # terms that are too frequent only in all libraries together
    kept = [each.of_terms(counts) <= _MOST_ENTRIES for each in found]
    owners = [each.owners * libraries + library for library, each in enumerate(found)]
    shared = np.concatenate([each[own] for each, own in zip(owners, kept, strict=True)])
    shared_rarities = np.concatenate([each[own] for each, own in zip(rarities, kept, strict=True)])
    for owner in _ranked(connections, shared, shared_rarities):
        yield divmod(owner, libraries)
    near = _in_each(connections, partial(_near, query.fingerprint))
    similar = np.concatenate([each * libraries + library for library, each in enumerate(near)])
    for owner in np.setdiff1d(similar, shared).tolist():
        yield divmod(owner, libraries)


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """What one library has of some terms: entries ever added, and the result of `entries_of_terms`."""

    entry_count: int
    counts: NDArray[np.int64]
    owners: EntryArray

    def of_terms(self, values: NDArray[Number]) -> NDArray[Number]:
        """Return the value of the term of each of `owners`, given that of each term."""
        listed = (self.counts > 0) & (self.counts <= _MOST_ENTRIES)
        return np.repeat(values[listed], self.counts[listed])


def _shared(terms: SignedHashes, connection: Connection) -> _Shared:
    entry_count = connection.execute(select(func.max(ENTRIES.c.id))).scalar() or 0
    return _Shared(entry_count, *entries_of_terms(connection, terms, _MOST_ENTRIES))


def _near(fingerprint: Fingerprint, connection: Connection) -> EntryArray:
    return entries_near(connection, fingerprint)


def _in_each(connections: Sequence[Connection], read: Callable[[Connection], Result]) -> list[Result]:
    """Read from all libraries at the same time."""
    if len(connections) == 1:
        return [read(connections[0])]
    with ThreadPoolExecutor(len(connections)) as executor:
        return list(executor.map(read, connections))


def _ranked(connections: Sequence[Connection], owners: EntryArray, rarities: _Floats) -> Iterator[int]:
    """Yield entries by their scores; N / df of each of their terms in `rarities`, shape (n,) each.

    An entry is its number times the number of libraries plus that of its library. Lengths are read only of
    those entries that may be the next best one, as each may be on another page.
    """
    entries, places = np.unique(owners, return_inverse=True)
    lengths = np.ones(len(entries))
    most = _scores(rarities, lengths, places)
    order = np.argsort(-most, kind="stable")
    waiting: list[tuple[float, int]] = []
    for first in range(0, len(order), _LENGTHS_AT_ONCE):
        end = first + _LENGTHS_AT_ONCE
        part = order[first:end]
        lengths[part] = _lengths(connections, entries[part].tolist())
        scores = _scores(rarities, lengths, places) if lengths[part].max() > 1 else most
        for place in part.tolist():
            heapq.heappush(waiting, (-float(scores[place]), int(entries[place])))
        most_of_others = most[order[end]] if end < len(order) else 0.0
        while waiting and -waiting[0][0] >= most_of_others:
            yield heapq.heappop(waiting)[1]


def _scores(rarities: _Floats, lengths: _Floats, places: NDArray[np.intp]) -> _Floats:
    """Return the score of each entry, shape (len(lengths),); `places` has the entry of each term."""
    weights = np.log1p(rarities / lengths[places]) ** _RARITY_POWER
    return np.asarray(np.bincount(places, weights, len(lengths)), np.float64)


def _lengths(connections: Sequence[Connection], owners: Sequence[int]) -> _Floats:
    """Return the length of each entry, numbered as in `_ranked`. Raises BrokenValueError if one is gone."""
    terms: dict[int, int] = {}
    for library, connection in enumerate(connections):
        own = [owner // len(connections) for owner in owners if owner % len(connections) == library]
        if own:
            counts = term_counts(connection, own)
            terms |= {entry * len(connections) + library: count for entry, count in counts.items()}
    return np.maximum(stored_numbers(map(terms.get, owners)) / _USUAL_TERMS, 1.0)


def entries_near(connection: Connection, fingerprint: Fingerprint) -> EntryArray:
    """Return the entries whose document fingerprints differ in at most 3 bits, ascending."""
    blocks = dict(zip(_BLOCK_NAMES, fingerprint_terms(fingerprint).tolist(), strict=True))
    stored = connection.execute(_SAME_BLOCK, blocks | {"recipe": fingerprint.recipe}).all()
    entries, values = number_columns(stored)
    near = hamming_distances_bits(unsigned(values), np.uint64(fingerprint.value)) <= NEAR_BITS
    return np.sort(entries[near])


_BLOCK_NAMES = [f"block_{number}" for number in range(NEAR_BITS + 1)]
_SAME_BLOCK = text(
    "SELECT entry, document FROM fingerprints WHERE recipe = :recipe AND entry IN ("
    + " UNION ALL ".join(
        f"SELECT entry FROM {table.name} WHERE gram IN ({', '.join(f':{name}' for name in _BLOCK_NAMES)})"
        for table in (POSTINGS, RECENT_POSTINGS)
    )
    + ")"
)
"""Fingerprints of the entries with one of some blocks."""
