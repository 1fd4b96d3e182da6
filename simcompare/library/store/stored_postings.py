"""Rows of postings, and signed 64-bit integers of the database.

Not through the constructs of SQLAlchemy, which take longer for hundreds of values than the database for the
rows. Databases take lists of numbers in different ways, and give them back in different ways.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row

from simcompare.fingerprint.simhash import Hashes
from simcompare.library.store.schema import ENTRIES, POSTINGS, RECENT_POSTINGS
from simcompare.session.json_fields import BrokenValueError
from simcompare.support.arrays import Int64Array

SignedHashes = NDArray[np.int64]


def signed(hashes: Hashes) -> SignedHashes:
    """Return the same 64 bits as signed numbers, the only ones that databases have."""
    return hashes.view(np.int64)


def unsigned(numbers: SignedHashes) -> Hashes:
    """Return the same 64 bits as unsigned numbers."""
    return numbers.view(np.uint64)


def signed_value(value: int) -> int:
    """Return a fingerprint of up to 64 bits as a signed number."""
    return int(signed(np.array([value], np.uint64))[0])


def unsigned_value(number: int) -> int:
    """Return the fingerprint that is stored as a signed number. Raises BrokenValueError."""
    return int(unsigned(stored_numbers([number]))[0])


def number_columns(rows: Iterable[Row[tuple[int, int]]]) -> NDArray[np.int64]:
    """Return rows of two numbers as two columns, shape (2, n). Raises BrokenValueError."""
    return stored_numbers(chain.from_iterable(rows)).reshape(-1, 2).T


def stored_numbers(values: Iterable[Any]) -> NDArray[np.int64]:
    """Return numbers of the database as an array, three times as fast as `np.array` for an iterator.

    Raises BrokenValueError: SQLite has values of any type in a column, and a damaged file has them.
    """
    try:
        return np.fromiter(values, np.int64)
    except (OverflowError, TypeError, ValueError) as error:
        raise BrokenValueError("numbers") from error


_NUMBERS = re.compile(r"[0-9,]+")

_INSERT = f"INSERT INTO {RECENT_POSTINGS.name} (gram, entry)"
_ROW_BY_ROW = f"{_INSERT} VALUES (?, ?)"
# 3.5 times as fast as row by row there
_POSTGRESQL_ARRAYS = f"{_INSERT} SELECT * FROM unnest(%s::bigint[], %s::int[])"

_FIRST_ENTRIES = (
    f"SELECT entry FROM {POSTINGS.name} WHERE gram = term UNION ALL "
    f"SELECT entry FROM {RECENT_POSTINGS.name} WHERE gram = term LIMIT"
)
_SQLITE_LISTS = (
    f"SELECT (SELECT group_concat(entry) FROM ({_FIRST_ENTRIES} ?2)) "
    "FROM (SELECT key, value AS term FROM json_each(?1)) ORDER BY key"
)
_POSTGRESQL_LISTS = (
    f"SELECT ARRAY({_FIRST_ENTRIES} %s) "
    "FROM unnest(%s::bigint[]) WITH ORDINALITY AS wanted(term, place) ORDER BY place"
)

_TERM_COUNTS = f"SELECT id, term_count FROM {ENTRIES.name} WHERE id"
_SQLITE_TERM_COUNTS = f"{_TERM_COUNTS} IN (SELECT value FROM json_each(?))"
_POSTGRESQL_TERM_COUNTS = f"{_TERM_COUNTS} = ANY(%s)"


def insert_recent_postings(connection: Connection, terms: SignedHashes, entries: Int64Array) -> None:
    """Insert the terms of recent entries, shape (n,) each, in the order of the table, which is faster."""
    order = np.lexsort((entries, terms))
    columns = terms[order].tolist(), entries[order].tolist()
    if _is_postgresql(connection):
        connection.exec_driver_sql(_POSTGRESQL_ARRAYS, columns)
    else:
        connection.exec_driver_sql(_ROW_BY_ROW, list(zip(*columns, strict=True)))


def entries_of_terms(
    connection: Connection, terms: SignedHashes, most: int
) -> tuple[NDArray[np.int64], Int64Array]:
    """Return the number of entries of each term, shape (n,), and the entries of one term after the other.

    A term of more than `most` entries counts as one of `most` + 1, and its entries are left out.
    """
    if _is_postgresql(connection):
        rows = connection.exec_driver_sql(_POSTGRESQL_LISTS, (most + 1, terms.tolist()))
        lists = _column(rows)
        counts = np.fromiter(map(len, lists), np.int64, len(terms))
        rare = [entries for entries in lists if len(entries) <= most]
        return counts, np.fromiter(chain.from_iterable(rare), np.int64)
    rows = connection.exec_driver_sql(_SQLITE_LISTS, (str(terms.tolist()), most + 1))
    texts = _column(rows)
    counts = np.fromiter((text.count(",") + 1 if text else 0 for text in texts), np.int64, len(terms))
    listed = [text for text, count in zip(texts, counts.tolist(), strict=True) if 0 < count <= most]
    if not all(map(_NUMBERS.fullmatch, listed)):
        raise BrokenValueError("postings")
    return counts, np.fromstring(",".join(listed), np.int64, sep=",")


def term_counts(connection: Connection, entries: Sequence[int]) -> dict[int, int]:
    """Return the number of terms of each entry that the library still has."""
    if _is_postgresql(connection):
        rows = connection.exec_driver_sql(_POSTGRESQL_TERM_COUNTS, (list(entries),))
    else:
        rows = connection.exec_driver_sql(_SQLITE_TERM_COUNTS, (str(list(entries)),))
    return {row[0]: row[1] for row in rows}


def _is_postgresql(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _column(rows: Iterable[Row[Any]]) -> Sequence[Any]:
    return [row[0] for row in rows]
