"""Rarity of the share of a pair among the pairs of its class, and the limit from which a pair is unusual."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simcompare.support.percentages import reaches

LEAST_LIMIT = 0.12
"""Measured: of 250 texts with 15 % of another one, in ten kinds of reuse, 244 reach it."""
_HIGHEST_LIMIT = 0.95
_LEAST_COPIED = 0.5
"""A pair with this share, half of a text, shows nothing of what is usual. Chosen, not tuned."""
_LEAST_USUAL = 0.01
"""Smaller shares come from one or two common phrases and are no measure of others."""
_HIGH_QUANTILE = 0.9
_MOST_CLASS_PAIRS = 0.01
"""Pairs expected above the limit, estimated from the class's own shares: one in a hundred such classes."""
_FEWEST_PAIRS = 45
"""Pairs of ten essays: with fewer, a copy cannot be distinguished from the tail of the shares."""
# Measured: of 59,418 pairs of unrelated essays, 24,090 by students and the others news and web pages of the
# development sets without 8 Han characters or 5 words in a row in common, 9 have a share of 5 %, 5 of 8 %,
# 3 of 10 % and 2 of 15 %, half of them lists of dates or figures.
_BACKGROUND_RATE, _BACKGROUND_SHARE, _BACKGROUND_EXPONENT = 5e-5, 0.1, 1.5


@dataclass(frozen=True, slots=True)
class PairRarity:
    """Rarity of the share of a pair in its class.

    times_usual: its share as a multiple of the usual share; chance_pairs: pairs of unrelated essays with at
    least this share that are expected in such a class.
    """

    times_usual: float
    chance_pairs: float
    is_unusual: bool


@dataclass(frozen=True, eq=False)
class ClassShares:
    """The shares of the pairs of a class, shape (pairs,), the larger one of each pair after exclusions.

    Pairs that share half of a text are left out where it is estimated what is usual.
    """

    shares: NDArray[np.float64]

    @cached_property
    def usual(self) -> float:
        """Median share of the pairs, at least 1 %."""
        return max(self._quantile(0.5), _LEAST_USUAL)

    @property
    def is_usual_assumed(self) -> bool:
        """True if the median share is below 1 %, so that 1 % is used instead."""
        return self._quantile(0.5) < _LEAST_USUAL

    @cached_property
    def limit(self) -> float:
        """Share from which a pair is unusual, in whole percent.

        At least 12 %, and so high that at most 0.01 pairs above it are expected from the class's own shares,
        whose tail is taken as exponential.
        """
        percents = np.arange(round(100 * LEAST_LIMIT), round(100 * _HIGHEST_LIMIT))
        low = percents[self._class_pairs(percents / 100) <= _MOST_CLASS_PAIRS]
        return float(low[0]) / 100 if len(low) else _HIGHEST_LIMIT

    @cached_property
    def chance_pairs(self) -> float:
        """Pairs of unrelated essays above the limit that are expected in such a class: false alarms."""
        return self.rarity(self.limit).chance_pairs

    @cached_property
    def unusual_count(self) -> int:
        """Number of pairs at or above the limit."""
        return int(reaches(self.shares, self.limit).sum())

    def rarity(self, share: float) -> PairRarity:
        """Compute the rarity of a share in the class."""
        background = _BACKGROUND_RATE * (_BACKGROUND_SHARE / max(share, _LEAST_USUAL)) ** _BACKGROUND_EXPONENT
        expected = background * len(self.shares) + float(self._class_pairs(np.array([share]))[0])
        chance_pairs = min(expected, float(len(self.shares)))
        return PairRarity(share / self.usual, chance_pairs, reaches(share, self.limit))

    @cached_property
    def _usual_shares(self) -> NDArray[np.float64]:
        return np.sort(self.shares[self.shares < _LEAST_COPIED])

    def _quantile(self, part: float) -> float:
        shares = self._usual_shares
        return float(shares[int(part * (len(shares) - 1))]) if len(shares) else 0.0

    def _class_pairs(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimate the number of pairs at or above each share from the class's own shares."""
        count = len(self._usual_shares)
        if count < _FEWEST_PAIRS:
            return np.zeros(len(shares))
        median, high = self._quantile(0.5), self._quantile(_HIGH_QUANTILE)
        scale = max((high - median) / np.log(0.5 / (1 - _HIGH_QUANTILE)), 1e-6)
        beyond = np.maximum(shares - high, 0) / scale
        expected: NDArray[np.float64] = count * (1 - _HIGH_QUANTILE) * np.exp(-beyond)
        return expected
