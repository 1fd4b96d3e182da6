"""Simhash: combine weighted terms into a fingerprint (Zhang & He, section 3.3); Hamming distance of two."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from simcompare.model.errors import RecipeMismatchError

Bits = NDArray[np.uint8]
Hashes = NDArray[np.uint64]

# A sum below this share of all weights is a tie, not 0 only because of rounding: 1/3 - 1/6 - 1/6.
_ROUNDING = 1e-12
# Terms recur in every document; this number takes about 20 MB.
_DIGESTS_KEPT = 1 << 17
# More would be in memory all at once as separate objects.
_TERMS_AT_ONCE = 1 << 15


@lru_cache(maxsize=_DIGESTS_KEPT)
def _digest(term: str) -> bytes:
    return hashlib.md5(term.encode(), usedforsecurity=False).digest()


def _digests(terms: Sequence[str]) -> Bits:
    digests = np.empty((len(terms), 16), np.uint8)
    for start in range(0, len(terms), _TERMS_AT_ONCE):
        part = b"".join(map(_digest, terms[start : start + _TERMS_AT_ONCE]))
        digests[start : start + _TERMS_AT_ONCE] = np.frombuffer(part, np.uint8).reshape(-1, 16)
    return digests


def term_hashes(terms: Sequence[str]) -> Hashes:
    """Return a 64-bit hash of each term: the last 8 bytes of its MD5, big-endian.

    Must never change and is the same on every platform, because stored fingerprints depend on it.
    """
    return np.ascontiguousarray(_digests(terms)[:, 8:]).view(">u8").ravel().astype(np.uint64)


def term_bits(terms: Sequence[str]) -> Bits:
    """Return the 64 bits of each term's hash, shape (terms, 64), the most significant bit first."""
    return np.unpackbits(_digests(terms)[:, 8:], axis=1)


def md5_digit_bits(terms: Sequence[str]) -> Bits:
    """Return a bit for each of the 32 hexadecimal digits of a term's MD5: 1 if the digit is above 7.

    Shape (terms, 32).
    """
    return np.unpackbits(_digests(terms), axis=1)[:, ::4]


def combine(bits: Bits, weights: NDArray[np.float64]) -> int:
    """Add up +weight if a term's bit is 1 and -weight if it is 0; a sum above 0 gives a 1.

    bits: shape (t, size), of each term; weights: (t,), at least 0. Returns the bits as a number, the first
    bit the most significant. A sum of 0 gives a 0.
    """
    sums = np.zeros(bits.shape[1])
    for start in range(0, len(bits), _TERMS_AT_ONCE):
        part = slice(start, start + _TERMS_AT_ONCE)
        sums += ((bits[part] * 2.0 - 1) * weights[part, None]).sum(axis=0)
    packed = np.packbits(sums > _ROUNDING * weights.sum())
    unused_bits = -bits.shape[1] % 8
    return int.from_bytes(packed.tobytes()) >> int(unused_bits)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Bits that summarise a text, with the recipe that made them.

    `recipe` names method, background and version ("improved/background-1"); only fingerprints of equal
    recipes are compared. The first bit is the most significant bit of `value`.
    """

    value: int
    size_bits: int
    recipe: str

    @property
    def recipe_name(self) -> str:
        """The recipe's name as in the settings, without background and version."""
        return self.recipe.partition("/")[0]

    @property
    def bits(self) -> str:
        """The fingerprint as a string of 0 and 1."""
        return format(self.value, f"0{self.size_bits}b")

    @property
    def hex(self) -> str:
        """The fingerprint as hexadecimal digits, four bits per digit."""
        return format(self.value, f"0{self.size_bits // 4}x")


def hamming_distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    """Count the bits in which two fingerprints of one recipe differ.

    Raises RecipeMismatchError if the recipes differ: their bits mean different things.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return (left.value ^ right.value).bit_count()


def fingerprint_values(fingerprints: Sequence[Fingerprint]) -> Hashes:
    """Return fingerprints of one recipe as a column of integers, for scanning.

    Raises RecipeMismatchError if the recipes differ.
    """
    for fingerprint in fingerprints:
        if fingerprint.recipe != fingerprints[0].recipe:
            raise RecipeMismatchError(left=fingerprints[0].recipe, right=fingerprint.recipe)
    return np.array([fingerprint.value for fingerprint in fingerprints], dtype=np.uint64)


def hamming_distances_bits(values: Hashes, value: np.uint64) -> NDArray[np.uint8]:
    """Count the bits in which each of a column of fingerprints differs from one, all of one recipe.

    A scan of 1,000,000 fingerprints takes about a millisecond for any distance, without building an index.
    """
    distances: NDArray[np.uint8] = np.bitwise_count(values ^ value)
    return distances
