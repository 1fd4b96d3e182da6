"""Signed 64-bit integers of the database."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row

from simcompare.fingerprint.simhash import Hashes

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
    """Return the fingerprint that is stored as a signed number."""
    return int(unsigned(np.array([number], np.int64))[0])


def number_columns(rows: Iterable[Row[tuple[int, int]]]) -> NDArray[np.int64]:
    """Return rows of two numbers as two columns, shape (2, n); three times as fast as `np.array`."""
    return np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, 2).T
