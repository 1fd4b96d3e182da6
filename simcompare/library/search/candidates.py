"""Candidates: the entries that explain most of a text, by the terms they share with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, TextClause, bindparam, select, text, union_all

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import DEFAULT_DISTANCE_BITS
from simcompare.library.index_terms import index_terms
from simcompare.library.search.fingerprint_column import EntryArray, FingerprintColumn
from simcompare.library.store.schema import POSTINGS, RECENT_POSTINGS
from simcompare.library.store.stored_numbers import SignedHashes, number_columns

_TABLES = (POSTINGS, RECENT_POSTINGS)
_HAVING = union_all(
    *(
        select(table.c.gram, table.c.entry).where(table.c.gram.in_(bindparam("terms", expanding=True)))
        for table in _TABLES
    )
)
"""Postings of terms, in both tables."""
_TERMS_AT_ONCE = 512
_TERMS_PADDED = 64
_COMMON_SHARE = 0.001
_FEWEST_COMMON = 200
"""Terms of more than 0.1 % of the entries, and of more than 200, are ignored: they take most of the time and
weigh least. With fewer than 200, a source that a class has copied would not be found in a small library."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry, and the share of the weight of the text's terms that it has, in [0, 1]."""

    entry: int
    explained: float


def find_candidates(
    connection: Connection, column: FingerprintColumn, query: PreparedDocument, most: int
) -> list[Candidate]:
    """Return the entries that explain most of a text, best first, of equal ones the earliest.

    A term weighs log(1 + N / df) with N entries, of which df have it. Entries whose document fingerprints are
    within 3 bits are candidates even if they share no term.
    """
    column.refresh(connection)
    entries, explained = _explained(connection, index_terms(query.prepared), len(column))
    near = np.setdiff1d(column.within(query.fingerprint, DEFAULT_DISTANCE_BITS), entries)
    entries = np.concatenate([entries, near])
    explained = np.concatenate([explained, np.zeros(len(near))])
    best = np.lexsort((entries, -explained))[:most]
    return [Candidate(int(entries[place]), float(explained[place])) for place in best]


def _explained(
    connection: Connection, terms: SignedHashes, entry_count: int
) -> tuple[EntryArray, NDArray[np.float64]]:
    """Return the entries that share terms, ascending, and the share of the terms' weight that each has."""
    most = max(_FEWEST_COMMON, int(_COMMON_SHARE * entry_count))
    counts = _entry_counts(connection, terms, most + 1)
    weights = np.where(counts <= most, np.log1p(entry_count / np.maximum(counts, 1)), 0.0)
    grams, owners = _postings(connection, terms[(counts > 0) & (counts <= most)])
    entries, places = np.unique(owners, return_inverse=True)
    sums = np.bincount(places, weights[np.searchsorted(terms, grams)], len(entries))
    return entries, sums / max(float(weights.sum()), 1.0)


def _entry_counts(connection: Connection, terms: SignedHashes, most: int) -> NDArray[np.int64]:
    """Count the entries that have each term, shape (n,), up to `most` in each table."""
    counts = np.zeros(len(terms), np.int64)
    for part in _parts(terms):
        # the last term is repeated, so that only a few statements are compiled
        padded = part + part[-1:] * (-len(part) % _TERMS_PADDED)
        values = {f"gram_{number}": gram for number, gram in enumerate(padded)}
        grams, found = number_columns(connection.execute(_counting(len(padded)), values | {"most": most}))
        counts[np.searchsorted(terms, grams)] = found
    return counts


@cache
def _counting(size: int) -> TextClause:
    """Return the statement that counts the entries of this number of terms.

    In plain SQL, as SQLAlchemy would compile the list of values each time.
    """
    values = ", ".join(f"(:gram_{number})" for number in range(size))
    up_to = "(SELECT count(*) FROM (SELECT 1 FROM {0} WHERE gram = wanted.gram LIMIT :most) AS {0}_counted)"
    counted = " + ".join(up_to.format(table.name) for table in _TABLES)
    return text(f"WITH wanted(gram) AS (VALUES {values}) SELECT wanted.gram, {counted} FROM wanted")


def _postings(connection: Connection, terms: SignedHashes) -> tuple[SignedHashes, EntryArray]:
    """Return the terms and the entries of all postings of the terms."""
    found = [number_columns(connection.execute(_HAVING, {"terms": part})) for part in _parts(terms)]
    grams, entries = np.concatenate([np.zeros((2, 0), np.int64), *found], axis=1)
    return grams, entries


def _parts(terms: SignedHashes) -> Iterator[list[int]]:
    for first in range(0, len(terms), _TERMS_AT_ONCE):
        yield terms[first : first + _TERMS_AT_ONCE].tolist()
