"""Insert rows of postings.

Not through SQLAlchemy, which takes longer for the values than the database for the rows.
"""

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from simcompare.library.store.schema import RECENT_POSTINGS
from simcompare.library.store.stored_numbers import SignedHashes

_INSERT = f"INSERT INTO {RECENT_POSTINGS.name} (gram, entry)"
_ROW_BY_ROW = f"{_INSERT} VALUES (?, ?)"
# 3.5 times as fast as row by row there
_POSTGRESQL_ARRAYS = f"{_INSERT} SELECT * FROM unnest(%s::bigint[], %s::int[])"


def insert_recent_postings(connection: Connection, terms: SignedHashes, entries: NDArray[np.int64]) -> None:
    """Insert the terms of recent entries, shape (n,) each, in the order of the table, which is faster."""
    order = np.lexsort((entries, terms))
    columns = terms[order].tolist(), entries[order].tolist()
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_POSTGRESQL_ARRAYS, columns)
    else:
        connection.exec_driver_sql(_ROW_BY_ROW, list(zip(*columns, strict=True)))
