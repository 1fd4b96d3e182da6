"""Simhash: many weighted terms -> a few bits (Zhang & He, section 3.3)."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Weights become whole numbers of this size before they are summed: sums are then exact, in any order,
# on every platform, and a tie is a tie.
_UNITS_PER_WEIGHT = 1 << 32


def term_bits(term: str) -> NDArray[np.uint8]:
    """Return the 64 bits of a term: the last 8 bytes of its MD5, the most significant bit first.

    Shape (64,), values 0 or 1. Fixed for ever: stored fingerprints rest on it.
    """
    digest = hashlib.md5(term.encode(), usedforsecurity=False).digest()
    return np.unpackbits(np.frombuffer(digest[-8:], dtype=np.uint8))


def md5_digit_bits(term: str) -> NDArray[np.uint8]:
    """Return one bit for each of the 32 hexadecimal digits of a term's MD5: 1 where it is above 7.

    Shape (32,), values 0 or 1.
    """
    digest = hashlib.md5(term.encode(), usedforsecurity=False).digest()
    return np.unpackbits(np.frombuffer(digest, dtype=np.uint8))[::4]


def combine(bits: Sequence[NDArray[np.uint8]], weights: Sequence[float]) -> int:
    """Add up +weight where a term's bit is 1 and -weight where it is 0; a sum above 0 gives a 1.

    bits: one array of equal length a term; weights: at least 0, below 2**20. The first bit of the arrays
    is the most significant one of the result. A sum of 0 gives a 0.
    """
    signs = np.stack(bits).astype(np.int64) * 2 - 1
    whole = np.array([round(weight * _UNITS_PER_WEIGHT) for weight in weights], dtype=np.int64)
    sums = (signs * whole[:, None]).sum(axis=0)
    return int("".join("1" if total > 0 else "0" for total in sums), 2)
