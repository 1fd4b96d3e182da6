"""Winnowed grams: hashes of short runs of units, of which texts with a common passage share some.

The recipe GRAM_RECIPE must never change, because libraries store its hashes; other rules need another name:

- A unit's hash is that of `term_hashes`.
- A gram is 6 consecutive units, over the borders of sentences too. With the hashes u1 ... u6 and
  m = 0x9E3779B97F4A7C15, its hash is mix(u1 m^5 + u2 m^4 + ... + u6) modulo 2^64, where mix is the last step
  of splitmix64 (Steele, Lea & Flood 2014).
- Winnowing (Schleimer, Wilkerson & Aiken 2003) keeps the smallest hash of every 6 consecutive grams. So two
  texts with 11 consecutive units in common share a gram, and about 2 of 7 grams are kept.
"""

import numpy as np

from simcompare.fingerprint.simhash import Hashes, term_hashes
from simcompare.text.prepared_text import PreparedText

GRAM_RECIPE = "winnowed-6-6/1"
"""Units of a gram, grams of a window, and version."""

_GRAM_UNITS = 6
_WINDOW_GRAMS = 6
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST_SHIFT = np.uint64(31)


def gram_hashes(prepared: PreparedText) -> Hashes:
    """Return the hash of each gram of a text with u units, in order, shape (max(u - 5, 0),)."""
    units = term_hashes(prepared.unit_vocabulary)[prepared.unit_ids]
    grams = np.zeros(max(len(units) - _GRAM_UNITS + 1, 0), np.uint64)
    with np.errstate(over="ignore"):  # modulo 2^64
        for offset in range(_GRAM_UNITS):
            grams = grams * _MULTIPLIER + units[offset : offset + len(grams)]
        for shift, factor in _MIX_STEPS:
            grams = (grams ^ grams >> shift) * factor
    return grams ^ grams >> _LAST_SHIFT


def winnowed_grams(prepared: PreparedText) -> Hashes:
    """Return the distinct hashes that winnowing keeps, ascending; of fewer grams than a window the smallest.

    A text of fewer than 6 units has none.
    """
    grams = gram_hashes(prepared)
    if not len(grams):
        return grams
    window = min(_WINDOW_GRAMS, len(grams))
    smallest: Hashes = np.lib.stride_tricks.sliding_window_view(grams, window).min(axis=1)
    return np.unique(smallest)
