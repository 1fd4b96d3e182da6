"""Simhash: many weighted terms -> a few bits (Zhang & He, section 3.3)."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# A sum that is smaller than this share of all the weights is 0 but for rounding: 1/3 - 1/6 - 1/6 is a tie.
_ROUNDING = 1e-12


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

    bits: one array of equal length a term; weights: at least 0. The first bit of the arrays is the most
    significant one of the result. A sum of 0 gives a 0.
    """
    signs = np.stack(bits).astype(np.float64) * 2 - 1
    sizes = np.array(weights, dtype=np.float64)
    sums = (signs * sizes[:, None]).sum(axis=0)
    return int("".join("1" if total > 0 else "0" for total in sums - _ROUNDING * sizes.sum()), 2)
