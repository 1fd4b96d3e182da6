"""Sentences of many documents with the same or nearly the same text, found without comparing all with all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from simcompare.comparison.comparison_result import BoolArray
from simcompare.comparison.matrix.lcs_lengths import as_strings
from simcompare.text.prepared_text import Int32Array, PreparedText

Int64Array = NDArray[np.int64]

_LEAST_FIFTHS = 4
"""Least P of near duplicates, 4/5, in fifths so that no figure is rounded. Given by the method."""
_MOST_PAIRS_PER_BLOCK = 500_000
_MOST_HUBS = 30
"""Number of the texts with a common pair of neighbours that are compared with all others that have it, as
hubs of variants: a line that each of 400 students fills in differently would give 80,000 pairs otherwise.
"""
_NUMBER = "#"
"""Replaces every run of digits: sentences that differ in their numbers alone are equal."""
FILLED_IN = "…"
"""Replaces the text that is filled in after the label of a name line."""


@dataclass(frozen=True, slots=True, eq=False)
class NearDuplicates:
    """The distinct texts of the sentences of a class, and the pairs of near duplicates among them.

    With n sentences in all documents, d distinct texts and e pairs of near duplicates:

    documents (n,)  document of each sentence, ascending; sentences (n,): its number in the document
    texts     (n,)  distinct text of each sentence
    strings   (d,)  each text, with a character for each unit; lengths (d,): its units
    first, second (e,)  pairs of near duplicates, in both orders and each with itself; sorted
    """

    documents: Int64Array
    sentences: Int64Array
    texts: Int64Array
    strings: Sequence[str]
    lengths: Int64Array
    first: Int64Array
    second: Int64Array

    @property
    def text_count(self) -> int:
        """Number of distinct texts."""
        return len(self.lengths)

    def with_near_duplicates(self, chosen: BoolArray) -> BoolArray:
        """Mark the chosen texts and their near duplicates, shape (d,)."""
        marked = np.zeros(self.text_count, np.bool_)
        marked[self.second[chosen[self.first]]] = True
        return marked


def compared_units(text: PreparedText, sentence: int, label_units: int) -> list[str]:
    """Return the units of a sentence as they are compared; label_units as in `find_near_duplicates`."""
    units = [_masked(unit) for unit in text.units_of(sentence)]
    return units if label_units < 0 else [*units[:label_units], FILLED_IN]


def _masked(unit: str) -> str:
    return _NUMBER if unit.isdecimal() else unit


def find_near_duplicates(texts: Sequence[PreparedText], label_units: Sequence[Int32Array]) -> NearDuplicates:
    """Find the pairs of sentences with P >= 0.8, numbers aside.

    label_units: of each document (s,) the units of each sentence that are compared, from its first; the rest
    is a value filled in. -1 for a whole sentence.
    """
    ids, bounds, documents, sentences = _joined(texts, label_units)
    strings = as_strings(ids, bounds)
    distinct: dict[str, int] = {}
    numbers = np.array([distinct.setdefault(string, len(distinct)) for string in strings], np.int64)
    kinds = list(distinct)
    first, second = _near(kinds)
    every = np.arange(len(kinds))
    first, second = np.concatenate([every, first, second]), np.concatenate([every, second, first])
    order = np.lexsort((second, first))
    lengths = np.array([len(kind) for kind in kinds], np.int64)
    return NearDuplicates(documents, sentences, numbers, kinds, lengths, first[order], second[order])


def _joined(
    texts: Sequence[PreparedText], label_units: Sequence[Int32Array]
) -> tuple[Int32Array, Int32Array, Int64Array, Int64Array]:
    """Return the units of all sentences under common numbers and their bounds, documents and sentences."""
    joint = {FILLED_IN: 0}
    parts: list[Int32Array] = []
    lengths: list[Int32Array] = []
    for text, kept in zip(texts, label_units, strict=True):
        masked = map(_masked, text.unit_vocabulary)
        known = np.array([joint.setdefault(unit, len(joint)) for unit in masked], np.int32)
        is_label = kept >= 0
        own = text.sentence_lengths
        ends = np.where(is_label, kept, own)
        place = np.arange(text.unit_count) - np.repeat(text.sentence_units[:-1], own)
        chosen = known[text.unit_ids][place < np.repeat(ends, own)]
        parts.append(np.insert(chosen, np.cumsum(ends)[is_label], 0))
        lengths.append((ends + is_label).astype(np.int32))
    counts = [len(length) for length in lengths]
    return (
        np.concatenate(parts),
        np.append(0, np.cumsum(np.concatenate(lengths))).astype(np.int32),
        np.repeat(np.arange(len(texts)), counts),
        np.concatenate([np.arange(count) for count in counts]),
    )


def _near(kinds: Sequence[str]) -> tuple[Int64Array, Int64Array]:
    """Find the pairs of different texts with P >= 0.8, lower number first."""
    lengths = np.array([len(kind) for kind in kinds], np.int64)
    pairs = _candidates(kinds, lengths)
    is_near = np.zeros(pairs.shape[1], np.bool_)
    for start in range(0, len(is_near), _MOST_PAIRS_PER_BLOCK):
        first, second = pairs[:, start : start + _MOST_PAIRS_PER_BLOCK]
        common = cpdist(
            [kinds[i] for i in first.tolist()],
            [kinds[i] for i in second.tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int64,
        )
        longer = np.maximum(lengths[first], lengths[second])
        is_near[start : start + len(first)] = 5 * common >= _LEAST_FIFTHS * longer
    near = pairs[:, is_near]
    return near[0], near[1]


def _candidates(kinds: Sequence[str], lengths: Int64Array) -> Int64Array:
    """Return the pairs of texts that can be near duplicates, shape (2, pairs).

    In near duplicates with n and m units, each unit outside the common subsequence separates at most one of
    the pairs of neighbours in it, so they share at least 0.4 max(n, m) - 1 pairs of neighbours. Therefore the
    rarest of each, all but that many less one, have one in common (prefix filter of similarity joins). They
    are only missed if all their common pairs of neighbours are in more than _MOST_HUBS other texts.
    """
    owners, tokens = _neighbour_pairs(kinds, lengths)
    shared = np.maximum(-(-2 * lengths // 5) - 1, 1)
    order = np.lexsort((tokens, np.bincount(tokens)[tokens], owners))
    owners, tokens = owners[order], tokens[order]
    in_prefix = np.arange(len(owners)) - np.searchsorted(owners, owners) < (lengths - shared)[owners]
    owners, tokens = owners[in_prefix], tokens[in_prefix]
    order = np.lexsort((owners, tokens))
    owners, tokens = owners[order], tokens[order]
    places = np.arange(len(tokens))
    later = np.searchsorted(tokens, tokens, side="right") - places - 1
    later[places - np.searchsorted(tokens, tokens) >= _MOST_HUBS] = 0
    done = np.cumsum(later)
    found = [np.zeros(0, np.int64)]
    start = 0
    while start < len(later):
        before = done[start - 1] if start else 0
        stop = max(int(np.searchsorted(done, before + _MOST_PAIRS_PER_BLOCK, side="right")), start + 1)
        counts = later[start:stop]
        entry = np.repeat(np.arange(start, stop), counts)
        offset = np.arange(len(entry)) - np.repeat(np.cumsum(counts) - counts, counts)
        first, second = owners[entry], owners[entry + offset + 1]
        shorter, longer = np.sort(np.stack([lengths[first], lengths[second]]), axis=0)
        possible = 5 * shorter >= _LEAST_FIFTHS * longer
        found.append(np.unique(first[possible] * len(kinds) + second[possible]))
        start = stop
    return np.stack(np.divmod(np.unique(np.concatenate(found)), len(kinds)))


def _neighbour_pairs(kinds: Sequence[str], lengths: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return text and number of each pair of neighbouring units; repeated ones in a text differ."""
    codes = np.frombuffer("".join(kinds).encode("utf-32-le"), "<u4").astype(np.int64)
    owners = np.repeat(np.arange(len(kinds)), lengths)
    inside = owners[:-1] == owners[1:]
    owners = owners[:-1][inside]
    pairs = (codes[:-1] << 32 | codes[1:])[inside]
    order = np.lexsort((pairs, owners))
    owners, pairs = owners[order], pairs[order]
    new = np.append(True, (owners[1:] != owners[:-1]) | (pairs[1:] != pairs[:-1]))[: len(pairs)]
    places = np.arange(len(pairs))
    repeats = places - np.maximum.accumulate(np.where(new, places, 0))
    distinct = np.unique(pairs, return_inverse=True)[1]
    return owners, distinct * (int(repeats.max(initial=0)) + 1) + repeats
