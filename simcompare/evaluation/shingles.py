"""w-shingling with min-wise sampling (Broder 1997): baseline for the evaluation of Simhash."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from simcompare.fingerprint.simhash import Hashes, term_hashes
from simcompare.model.errors import RecipeMismatchError
from simcompare.text.prepared_text import PreparedText

DEFAULT_WIDTH_UNITS = 5
DEFAULT_SAMPLE_SIZE = 128

# Odd constants of SplitMix64 (Steele et al. 2014), whose steps mix 64 bits well.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True, eq=False)
class ShingleSketch:
    """Sample of the shingles of a text.

    minima: shape (s,), the smallest hash under each of s permutations; recipe: width, sample size and
    version; only sketches of the same recipe can be compared.
    """

    minima: Hashes
    recipe: str


def sketch_signature(width_units: int, sample_size: int) -> str:
    """Return the recipe: everything that a sketch depends on."""
    return f"shingle/1-w{width_units}-s{sample_size}"


def shingle_sketch(
    prepared: PreparedText,
    width_units: int = DEFAULT_WIDTH_UNITS,
    sample_size: int = DEFAULT_SAMPLE_SIZE,
) -> ShingleSketch | None:
    """Sample the distinct runs of `width_units` units of a text; None if it has no units.

    A text shorter than a shingle is one shingle.
    """
    if not prepared.unit_count:
        return None
    units = term_hashes(prepared.unit_vocabulary)[prepared.unit_ids]
    shingles = np.unique(_shingle_hashes(units, min(width_units, len(units))))
    minima = np.array(
        [(shingles * factor + shift).min() for factor, shift in _permutations(sample_size)], dtype=np.uint64
    )
    return ShingleSketch(minima, sketch_signature(width_units, sample_size))


def resemblance(left: ShingleSketch, right: ShingleSketch) -> float:
    """Estimate |A n B| / |A u B| of the shingle sets, with a standard error of sqrt(r (1 - r) / s).

    Raises RecipeMismatchError.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return float(resemblances(left.minima[None, :], right.minima)[0])


def resemblances(minima: Hashes, query: Hashes) -> NDArray[np.float64]:
    """Estimate the resemblance of n texts, shape (n, s), to a query, shape (s,); all of the same recipe."""
    shares: NDArray[np.float64] = (minima == query).mean(axis=1)
    return shares


def _shingle_hashes(units: Hashes, width: int) -> Hashes:
    """Return a hash of each run of `width` hashes, which depends on their order."""
    count = len(units) - width + 1
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(width):
        hashes = _mix(hashes + _STEP) ^ units[offset : offset + count]
    return _mix(hashes)


@cache
def _permutations(count: int) -> Sequence[tuple[np.uint64, np.uint64]]:
    """Return (odd factor, shift) of permutations x -> x * factor + shift of the 64-bit numbers."""
    drawn = _mix(np.arange(1, 2 * count + 1, dtype=np.uint64) * _STEP)
    return list(zip(drawn[::2] | np.uint64(1), drawn[1::2], strict=True))


def _mix(numbers: Hashes) -> Hashes:
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST_FACTOR
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND_FACTOR
    return numbers ^ (numbers >> np.uint64(31))
