"""The fingerprint value, and the Hamming distance between two."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.fingerprint.simhash import Hashes
from simcompare.model.errors import RecipeMismatchError


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Bits that summarise a text, with the recipe that made them.

    `recipe` names method, background and version ("improved/background-1"); only fingerprints of one
    recipe are compared. The first bit is the most significant bit of `value`.
    """

    value: int
    size_bits: int
    recipe: str

    @property
    def recipe_name(self) -> str:
        """The recipe's name as settings have it, without background and version."""
        return self.recipe.partition("/")[0]

    @property
    def bits(self) -> str:
        """The fingerprint as a string of 0 and 1."""
        return format(self.value, f"0{self.size_bits}b")

    @property
    def hex(self) -> str:
        """The fingerprint as hexadecimal digits, four bits a digit."""
        return format(self.value, f"0{self.size_bits // 4}x")


def hamming_distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    """Count the bits in which two fingerprints of one recipe differ.

    Raises RecipeMismatchError where the recipes differ: such bits mean different things.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return (left.value ^ right.value).bit_count()


Key = TypeVar("Key")

DEFAULT_BLOCK_COUNT = 8
DEFAULT_DISTANCE_BITS = 3


def fingerprint_values(fingerprints: Sequence[Fingerprint]) -> Hashes:
    """Return the bits of fingerprints of one recipe as a column, to be scanned.

    Raises RecipeMismatchError where the recipes differ.
    """
    for fingerprint in fingerprints:
        if fingerprint.recipe != fingerprints[0].recipe:
            raise RecipeMismatchError(left=fingerprints[0].recipe, right=fingerprint.recipe)
    return np.array([fingerprint.value for fingerprint in fingerprints], dtype=np.uint64)


def hamming_distances_bits(values: Hashes, value: np.uint64) -> NDArray[np.uint8]:
    """Count the bits in which each of a column of fingerprints differs from one, all of one recipe.

    A scan of 1,000,000 fingerprints takes about a millisecond, whatever k is, and nothing needs to be built.
    """
    distances: NDArray[np.uint8] = np.bitwise_count(values ^ value)
    return distances


class BlockIndex(Generic[Key]):
    """Fingerprints found by their equal blocks.

    The bits are cut into m blocks. k differing bits touch k blocks at most, so that two fingerprints within
    k bits share m - k blocks at least; those that do are compared bit by bit. Few blocks are more
    selective, many allow a larger k. One fingerprint may stand under several keys.
    """

    def __init__(self, block_count: int = DEFAULT_BLOCK_COUNT) -> None:
        """Prepare m = `block_count` blocks, as equal in size as they can be."""
        self.block_count = block_count
        self._keys: list[Key] = []
        self._fingerprints: list[Fingerprint] = []
        self._places: list[defaultdict[int, array[int]]] = [
            defaultdict(lambda: array("q")) for _ in range(block_count)
        ]

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, key: Key, fingerprint: Fingerprint) -> None:
        """Store a fingerprint under a key. Raises RecipeMismatchError where others are of another recipe."""
        self._check_recipe(fingerprint)
        for places, block in zip(self._places, self._blocks(fingerprint), strict=True):
            places[block].append(len(self._keys))
        self._keys.append(key)
        self._fingerprints.append(fingerprint)

    def query(self, fingerprint: Fingerprint, distance_bits: int = DEFAULT_DISTANCE_BITS) -> list[Key]:
        """Return the keys of all fingerprints within k = `distance_bits`, in the order they were added.

        Raises ValueError where k is not below m, as no block need then be equal; RecipeMismatchError.
        """
        if not 0 <= distance_bits < self.block_count:
            raise ValueError(f"{self.block_count} blocks find nothing at {distance_bits} bits")
        self._check_recipe(fingerprint)
        return [
            self._keys[place]
            for place in self._candidates(fingerprint, self.block_count - distance_bits)
            if hamming_distance_bits(self._fingerprints[place], fingerprint) <= distance_bits
        ]

    def _candidates(self, fingerprint: Fingerprint, equal_blocks: int) -> list[int]:
        """Return the places of the fingerprints that share so many blocks, rising."""
        sharing = [
            np.frombuffer(places[block], dtype=np.int64)
            for places, block in zip(self._places, self._blocks(fingerprint), strict=True)
            if block in places
        ]
        places, counts = np.unique(np.concatenate([np.zeros(0, np.int64), *sharing]), return_counts=True)
        found: list[int] = places[counts >= equal_blocks].tolist()
        return found

    def _blocks(self, fingerprint: Fingerprint) -> list[int]:
        """Cut a fingerprint into the numbers that its blocks are."""
        size = fingerprint.size_bits
        bounds = [size * i // self.block_count for i in range(self.block_count + 1)]
        return [fingerprint.value >> (size - end) & (1 << end - start) - 1 for start, end in pairwise(bounds)]

    def _check_recipe(self, fingerprint: Fingerprint) -> None:
        if self._fingerprints and self._fingerprints[0].recipe != fingerprint.recipe:
            raise RecipeMismatchError(left=self._fingerprints[0].recipe, right=fingerprint.recipe)
