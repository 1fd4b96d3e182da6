"""Signed 64-bit integers of the database."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row

from simcompare.fingerprint.simhash import Hashes
from simcompare.session.json_fields import BrokenValueError

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
