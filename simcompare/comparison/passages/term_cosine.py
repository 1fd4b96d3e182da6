"""Term cosine: cosine of the weighted terms of two sentences, independent of word order.

It finds what the longest common subsequence misses: reordered clauses, shuffled words, a sentence
reduced to its content.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.support.arrays import Float64Array, IndexArray, Int64Array
from simcompare.support.lazy import weak_cache
from simcompare.text.comparable import any_han, is_han
from simcompare.text.prepared_text import PreparedText
from simcompare.text.words import inverse_document_frequency, stem

TermArray = NDArray[np.uint64]
# A third occurrence in a sentence adds hardly any evidence.
_MOST_COUNTED = 2
_LONGEST_SENTENCE_WORDS = 60
_PIECE_WORDS = 30
_MARKS_PER_HASH_BITS, _MOST_BITS = 2, 20
PAIR_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class HashTable:
    """Sorted hashes with marks of their first bits, by which most others are seen to be none of them."""

    def __init__(self, hashes: TermArray) -> None:
        self.hashes = hashes
        bits = min(_MARKS_PER_HASH_BITS + len(hashes).bit_length(), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        self._marks = np.zeros(1 << bits, np.bool_)
        self._marks[self._places(hashes)] = True

    def _places(self, hashes: TermArray) -> Int64Array:
        return (hashes >> self._shift).view(np.int64)

    def maybe_among(self, hashes: TermArray) -> IndexArray:
        """Return the places of the hashes that may be among these."""
        return np.flatnonzero(self._marks[self._places(hashes)])


@dataclass(frozen=True, eq=False)
class SentenceTerms:
    """The terms of one text by sentence, and its words in order.

    A term is the 64-bit hash of a stemmed word, or of two neighbouring Han characters. Very long sentences
    (lists, tables, text without punctuation) are cut into pieces, which count as sentences here.
    With s such sentences, t distinct terms, e (sentence, term) entries and w words:

    prepared               the text
    bounds          (s+1,) sentence i has the words bounds[i] .. bounds[i+1]
    spans           (s, 2) code points of each in the document's text
    vocabulary      (t,)   the distinct terms, sorted
    sentences       (e,)   sentence of each entry, ascending
    ids             (e,)   index into vocabulary
    counts          (e,)   occurrences of the term in the sentence, at most 2
    sentence_counts (t,)   number of sentences with each term
    kind_counts     (t,)   the same, but sentences with an equal set of terms count once
    kind_count             number of sentences with distinct sets of terms
    words           (w,)   hash of the stemmed word at each place
    word_weights    (w,)   its IDF in the background
    """

    prepared: PreparedText
    bounds: Int64Array
    spans: Int64Array
    vocabulary: TermArray
    sentences: Int64Array
    ids: Int64Array
    counts: Float64Array
    sentence_counts: Int64Array
    kind_counts: Int64Array
    kind_count: int
    words: TermArray
    word_weights: Float64Array

    @property
    def sentence_count(self) -> int:
        return len(self.spans)

    @cached_property
    def words_per_sentence(self) -> Int64Array:
        """Number of words of each sentence, shape (s,)."""
        lengths: Int64Array = np.diff(self.bounds)
        return lengths

    @cached_property
    def table(self) -> HashTable:
        """The vocabulary."""
        return HashTable(self.vocabulary)

    @cached_property
    def by_sentence(self) -> "_Entries":
        return _Entries(self.sentences, self.ids, self.counts)

    @cached_property
    def by_term(self) -> "_Entries":
        order = np.argsort(self.ids, kind="stable")
        # kept for each text of a class, so in few bytes
        sentences, ids = (column[order].astype(np.int32) for column in (self.sentences, self.ids))
        return _Entries(sentences, ids, self.counts[order].astype(np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """The (sentence, term) entries of a text in some order; in each sentence by term."""

    sentences: NDArray[np.integer]
    ids: NDArray[np.integer]
    counts: NDArray[np.floating]


def sentence_terms(prepared: PreparedText) -> SentenceTerms:
    known = list(map(_word_term, prepared.word_vocabulary))
    word_terms = np.array([term for term, _ in known], dtype=np.uint64)
    weights = np.array([weight for _, weight in known], dtype=np.float64)
    bounds = _word_bounds(prepared)
    word_sentences = _sentence_of_each(bounds)
    pair_sentences, pairs = _han_pairs(prepared, prepared.word_units[bounds])
    sentences = np.concatenate([word_sentences, pair_sentences])
    vocabulary, places = np.unique(np.concatenate([word_terms, pairs]), return_inverse=True)
    ids = np.concatenate([places[: len(known)][prepared.word_ids], places[len(known) :]])
    entries, counts = np.unique(sentences * max(len(vocabulary), 1) + ids, return_counts=True)
    entry_sentences, entry_ids = np.divmod(entries, max(len(vocabulary), 1))
    kinds = _first_of_each_kind(entry_sentences, vocabulary[entry_ids])
    first_of_kind = np.zeros(len(bounds) - 1, dtype=np.bool_)
    first_of_kind[kinds] = True
    return SentenceTerms(
        prepared=prepared,
        bounds=bounds,
        spans=_spans(prepared, bounds),
        vocabulary=vocabulary,
        sentences=entry_sentences,
        ids=entry_ids,
        counts=np.minimum(counts, _MOST_COUNTED).astype(np.float64),
        sentence_counts=np.bincount(entry_ids, minlength=len(vocabulary)),
        kind_counts=np.bincount(entry_ids[first_of_kind[entry_sentences]], minlength=len(vocabulary)),
        kind_count=len(kinds),
        words=word_terms[prepared.word_ids],
        word_weights=weights[prepared.word_ids],
    )


def _first_of_each_kind(sentences: Int64Array, terms: TermArray) -> Int64Array:
    """Return one sentence for each distinct set of terms, given the (sentence, term) entries."""
    starts = np.flatnonzero(np.diff(sentences, prepend=-1))
    # squares, because a bigram's term is a sum itself: plain sums of whole sentences might be equal
    sets = np.add.reduceat(terms * terms, starts) if len(starts) else terms
    first: Int64Array = np.unique(sets, return_index=True)[1]
    return first


def _word_bounds(prepared: PreparedText) -> Int64Array:
    """Return sentence boundaries as word indices; long sentences are cut into about equal pieces."""
    starts, lengths = prepared.sentence_words[:-1].tolist(), np.diff(prepared.sentence_words).tolist()
    bounds = [
        start + length * piece // pieces
        for start, length in zip(starts, lengths, strict=True)
        for pieces in (_pieces(length),)
        for piece in range(pieces)
    ]
    return np.array([*bounds, prepared.sentence_words[-1]], dtype=np.int64)


def _pieces(length: int) -> int:
    return 1 if length <= _LONGEST_SENTENCE_WORDS else -(-length // _PIECE_WORDS)


def _spans(prepared: PreparedText, bounds: Int64Array) -> Int64Array:
    """Return the span of each sentence; the pieces of a long sentence begin and end at its words."""
    units = prepared.word_units[bounds]
    spans = np.stack([prepared.unit_spans[units[:-1], 0], prepared.unit_spans[units[1:] - 1, 1]], axis=1)
    begins = np.searchsorted(bounds[:-1], prepared.sentence_words[:-1])
    ends = np.searchsorted(bounds[1:], prepared.sentence_words[1:])
    spans[begins, 0], spans[ends, 1] = prepared.sentence_spans[:, 0], prepared.sentence_spans[:, 1]
    return spans.astype(np.int64)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@cache
def _word_term(word: str) -> tuple[int, float]:
    """Return the term of a word, and its IDF in the background."""
    return _hash(stem(word)), inverse_document_frequency(word)


@cache
def _unit_term(unit: str) -> int:
    return _hash(unit)


_is_han = cache(is_han)


def unit_hashes(prepared: PreparedText) -> TermArray:
    """Return the hash of each unit of a text, shape (u,)."""
    return np.array(list(map(_unit_term, prepared.unit_vocabulary)), dtype=np.uint64)[prepared.unit_ids]


def _sentence_of_each(bounds: NDArray[np.integer]) -> Int64Array:
    lengths = np.diff(bounds)
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _han_pairs(prepared: PreparedText, unit_bounds: NDArray[np.int32]) -> tuple[Int64Array, TermArray]:
    if not any_han(prepared.unit_vocabulary):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    ids, sentences = prepared.unit_ids, _sentence_of_each(unit_bounds)
    han = np.array(list(map(_is_han, prepared.unit_vocabulary)), dtype=np.bool_)[ids]
    first = np.flatnonzero(han[:-1] & han[1:] & (sentences[:-1] == sentences[1:]))
    hashes = unit_hashes(prepared)
    with np.errstate(over="ignore"):  # a hash may wrap around
        pairs = hashes[first] * PAIR_MULTIPLIER + hashes[first + 1]
    return sentences[first], pairs


# Small enough for the cache; while numpy counts a block, no other thread (the window's included) runs Python.
_PRODUCTS_PER_BLOCK = 1_000_000
_CELLS_PER_BLOCK = 200_000
# Reached only by a line that recurs a thousand times in both texts, which distinguishes no sentences.
_MOST_CELLS_OF_A_TERM = 1_000_000
# Measured: with 10 to 100 here, all of 690 excerpts of 1 to 3 sentences from real texts are found in
# themselves (18 without), and none in 2,070 other excerpts; the figures of the development sets do not
# change up to 30.
_FEWEST_SENTENCES = 20


@dataclass(frozen=True, slots=True, eq=False)
class TermWeights:
    """Inverse sentence frequency of each text's terms over the sentences of both texts: log(N/n).

    left (tl,), right (tr,): weights by vocabulary index. A term in more than `common_share` of all sentences
    weighs 0, because it distinguishes no sentences; so does one with more than _MOST_CELLS_OF_A_TERM cells.
    shared: number of common terms, of all pairs that were weighed at once; number_in_left, number_in_right:
    number of each term among these, in one order, or -1.
    """

    left: Float64Array
    right: Float64Array
    shared: int
    number_in_left: Int64Array
    number_in_right: Int64Array


@dataclass(frozen=True, slots=True, eq=False)
class TermCosines:
    """Cells whose cosine reaches the floor, sorted by row, and the best cosine of every row and column.

    rows, columns, cosines, shared_terms: columns of equal length; best_of_left and best_of_right: shape
    (sentences,), the highest cosine of each sentence, even below the floor; partner_of_left and
    partner_of_right: the sentence it is reached with, 0 below the floor.
    """

    rows: Int64Array
    columns: Int64Array
    cosines: Float64Array
    shared_terms: Int64Array
    best_of_left: Float64Array
    best_of_right: Float64Array
    partner_of_left: Int64Array
    partner_of_right: Int64Array

    def transposed(self) -> "TermCosines":
        """Return the cosines with left and right exchanged; the cells stay in their order."""
        return TermCosines(
            self.columns,
            self.rows,
            self.cosines,
            self.shared_terms,
            self.best_of_right,
            self.best_of_left,
            self.partner_of_right,
            self.partner_of_left,
        )


def compared_terms(
    left: SentenceTerms, rights: Sequence[SentenceTerms], common_share: float, floor: float
) -> list[tuple[TermWeights, TermCosines]]:
    """Weigh the terms of a text and of each of some others, and compute the cosines of at least `floor`.

    For the short texts of a class all of them take little longer than one. All texts have sentences.
    """
    weights = _term_weights(left, rights, common_share)
    cosines = _term_cosines(left, rights, weights, floor)
    bounds = np.cumsum([0, *(len(right.vocabulary) for right in rights)]).tolist()
    own_bounds = [pair * len(left.vocabulary) for pair in range(len(rights) + 1)]
    own, own_numbers = (_split(of, own_bounds) for of in (weights.left, weights.number_in_left))
    others, numbers = (_split(of, bounds) for of in (weights.right, weights.number_in_right))
    each = map(TermWeights, own, others, repeat(weights.shared), own_numbers, numbers)
    return list(zip(each, cosines, strict=False))


def joined(columns: list[NDArray[Any]]) -> NDArray[Any]:
    """Put columns below each other; one is returned itself, as that of a long text takes much memory."""
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def _split(column: NDArray[Any], bounds: list[int]) -> list[NDArray[Any]]:
    return [column[start:stop] for start, stop in pairwise(bounds)]


def _term_weights(left: SentenceTerms, rights: Sequence[SentenceTerms], common_share: float) -> TermWeights:
    """Weigh the terms of each two texts by the inverse number of their sentences that contain them.

    Sentences of a text with the same set of terms count as one: a recurring paragraph does not make its
    words more common. Short texts are weighed as if they had more sentences: with four sentences in all, a
    term that occurs once in each text occurs in half of them and would count as common. Returns one pair
    after the other.
    """
    in_right, in_left = equal_places(joined([right.vocabulary for right in rights]), left.table)
    pairs = np.repeat(np.arange(len(rights)), [len(right.vocabulary) for right in rights])
    in_left += pairs.take(in_right) * len(left.vocabulary)
    left_counts, right_counts = (
        np.tile(left.kind_counts, len(rights)),
        joined([right.kind_counts for right in rights]).copy(),
    )
    more = right_counts.take(in_right), left_counts.take(in_left)
    left_counts[in_left] += more[0]
    right_counts[in_right] += more[1]
    totals = np.array([max(left.kind_count + right.kind_count, _FEWEST_SENTENCES) for right in rights])
    counts = np.arange(max(left_counts.max(initial=0), right_counts.max(initial=0)) + 1)
    of_counts = np.log(totals[:, None] / np.maximum(counts, 1))
    of_counts[counts > common_share * totals[:, None]] = 0.0
    own_pairs = np.repeat(np.arange(len(rights)), len(left.vocabulary))
    left_weights = of_counts.ravel().take(own_pairs * len(counts) + left_counts)
    right_weights = of_counts.ravel().take(pairs * len(counts) + right_counts)
    sentences = (
        np.tile(left.sentence_counts, len(rights)),
        joined([right.sentence_counts for right in rights]),
    )
    everywhere = sentences[0].take(in_left) * sentences[1].take(in_right) > _MOST_CELLS_OF_A_TERM
    left_weights[in_left[everywhere]] = right_weights[in_right[everywhere]] = 0.0
    numbers = np.full(len(left_counts), -1), np.full(len(right_counts), -1)
    numbers[0][in_left] = numbers[1][in_right] = np.arange(len(in_left))
    return TermWeights(left_weights, right_weights, len(in_left), *numbers)


def equal_places(hashes: TermArray, table: HashTable) -> tuple[IndexArray, IndexArray]:
    """Return the places of the hashes that are in a table, and their first ones there."""
    known = table.maybe_among(hashes)
    values = hashes[known]
    places = table.hashes.searchsorted(values)
    inside = np.flatnonzero(places < len(table.hashes))
    inside = inside[table.hashes[places[inside]] == values[inside]]
    return known[inside], places[inside]


def _term_cosines(
    left: SentenceTerms, rights: Sequence[SentenceTerms], weights: TermWeights, floor: float
) -> list[TermCosines]:
    """Compute the cosines of at least `floor` between the sentences of a text and of each of some others.

    A row is a sentence of the left text in a pair; its cells are the sentences of the right text.
    """
    height, widths = left.sentence_count, [right.sentence_count for right in rights]
    before = np.append(0, np.cumsum(np.repeat(widths, height)))
    columns_before = np.append(0, np.cumsum(widths))
    best_of_left, best_of_right = np.zeros(len(rights) * height), np.zeros(columns_before[-1])
    found: list[tuple[Int64Array, Int64Array, Float64Array, Int64Array]] = []
    for start, stop, cosines, products in _blocks(left, rights, weights, before):
        starts = before[start : stop + 1] - before[start]
        best_of_left[start:stop] = np.maximum.reduceat(cosines, starts[:-1])
        for pair in range(start // height, (stop - 1) // height + 1):
            first, last = max(pair * height, start) - start, min((pair + 1) * height, stop) - start
            cells = cosines[starts[first] : starts[last]].reshape(last - first, -1)
            best = best_of_right[columns_before[pair] : columns_before[pair + 1]]
            np.maximum(best, cells.max(axis=0), out=best)
        is_near = cosines >= floor
        near = np.flatnonzero(is_near)
        rows = starts.searchsorted(near, "right") - 1
        shared = np.bincount(np.searchsorted(near, products[is_near[products]]), minlength=len(near))
        found.append((rows + start, near - starts[rows], cosines[near], shared))
    rows, columns, near_cosines, shared = map(np.concatenate, zip(*found, strict=True))
    pairs, own = np.divmod(rows, height)
    at = columns_before[pairs] + columns
    in_pairs = rows.searchsorted(np.arange(len(rights) + 1) * height).tolist()
    of_left, of_right = [pair * height for pair in range(len(rights) + 1)], columns_before.tolist()
    return list(
        map(
            TermCosines,
            *(_split(column, in_pairs) for column in (own, columns, near_cosines, shared)),
            *(_split(best_of_left, of_left), _split(best_of_right, of_right)),
            _split(_partners(rows, columns, near_cosines, best_of_left), of_left),
            _split(_partners(at, own, near_cosines, best_of_right), of_right),
        )
    )


def _partners(at: Int64Array, others: Int64Array, cosines: Float64Array, best: Float64Array) -> Int64Array:
    """Return the first of the others with which each sentence reaches its best cosine, 0 below the floor."""
    partners = np.zeros(len(best), np.int64)
    is_best = np.flatnonzero(cosines == best[at])[::-1]
    partners[at[is_best]] = others[is_best]
    return partners


@dataclass(frozen=True, slots=True, eq=False)
class _TermEntries:
    """(sentence, shared term, value) entries of one side; values are divided by the norm of the sentence."""

    sentences: NDArray[np.integer]
    terms: Int64Array
    values: Float64Array


def _stacked(entries: list[_Entries], sentences: Iterable[int], ids: Iterable[int]) -> _Entries:
    """Put the entries of some texts below each other; sentences, ids: how many there are before each."""
    if len(entries) == 1:
        return entries[0]
    return _Entries(
        np.concatenate([each.sentences + count for each, count in zip(entries, sentences, strict=False)]),
        np.concatenate([each.ids + count for each, count in zip(entries, ids, strict=False)]),
        joined([each.counts for each in entries]),
    )


def _weighed(entries: _Entries, count: int, weights: Float64Array, numbers: Int64Array) -> _TermEntries:
    """Weigh the entries of `count` sentences; those of terms that are not shared are left out."""
    values = entries.counts * weights.take(entries.ids)
    norms = np.sqrt(np.bincount(entries.sentences, values * values, minlength=count))
    terms = numbers.take(entries.ids)
    informative = np.flatnonzero((terms >= 0) & (values > 0))
    sentences = entries.sentences.take(informative)
    return _TermEntries(sentences, terms.take(informative), values.take(informative) / norms.take(sentences))


def _blocks(
    left: SentenceTerms, rights: Sequence[SentenceTerms], weights: TermWeights, before: Int64Array
) -> Iterator[tuple[int, int, Float64Array, Int64Array]]:
    """Yield blocks of rows, using an inverted index: (first row, end, cosines, indices of cells).

    before: cells before each row. The cells are repeated for each term that their two sentences share.
    """
    pairs, height, terms = range(len(rights)), left.sentence_count, len(left.vocabulary)
    own = _stacked([left.by_sentence] * len(rights), (n * height for n in pairs), (n * terms for n in pairs))
    rows = _weighed(own, len(rights) * height, weights.left, weights.number_in_left)
    columns_before, ids_before = (
        list(accumulate(sizes, initial=0))
        for sizes in zip(*((text.sentence_count, len(text.vocabulary)) for text in rights), strict=True)
    )
    others = _stacked([text.by_term for text in rights], columns_before, ids_before)
    index = _weighed(others, columns_before[-1], weights.right, weights.number_in_right)
    columns, values = index.sentences, index.values
    bounds = np.append(0, np.cumsum(np.bincount(index.terms, minlength=weights.shared)))
    postings = (bounds[1:] - bounds[:-1])[rows.terms]
    # the cell of each row that column 0 of the first text would have
    origins = before[:-1] - np.repeat(columns_before[:-1], height)
    for start, stop in _row_ranges(rows.sentences, postings, before):
        first, last = np.searchsorted(rows.sentences, [start, stop])
        lengths = postings[first:last]
        place = np.repeat(bounds[rows.terms[first:last]] - (np.cumsum(lengths) - lengths), lengths)
        place += np.arange(len(place))
        cells = np.repeat(origins[rows.sentences[first:last]] - before[start], lengths) + columns[place]
        products = np.repeat(rows.values[first:last], lengths) * values[place]
        cosines = np.bincount(cells, products, minlength=int(before[stop] - before[start]))
        yield start, stop, cosines.astype(np.float64, copy=False), cells


def _row_ranges(
    sentences: NDArray[np.integer], postings: Int64Array, before: Int64Array
) -> Iterator[tuple[int, int]]:
    """Split the rows into blocks of bounded memory."""
    rows = len(before) - 1
    work = np.bincount(sentences, postings, minlength=rows).cumsum()
    start = 0
    while start < rows:
        done = work[start - 1] if start else 0.0
        stop = int(np.searchsorted(work, done + _PRODUCTS_PER_BLOCK, side="right"))
        most = int(np.searchsorted(before, before[start] + _CELLS_PER_BLOCK, side="right")) - 1
        stop = max(min(stop, most), start + 1)
        yield start, stop
        start = stop


def fragment_cosine(
    left: SentenceTerms,
    right: SentenceTerms,
    weights: TermWeights,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> float:
    """Compute the cosine of two sections of sentences, each given as (first, last)."""
    (left_ids, left_counts), (right_ids, right_counts) = _fragment(left, *rows), _fragment(right, *columns)
    left_values, right_values = left_counts * weights.left[left_ids], right_counts * weights.right[right_ids]
    norms = float(np.linalg.norm(left_values) * np.linalg.norm(right_values))
    shared = np.zeros(weights.shared + 1)
    shared[weights.number_in_left[left_ids]] = left_values
    shared[-1] = 0.0  # of terms that are not shared
    return float(shared[weights.number_in_right[right_ids]] @ right_values) / norms if norms else 0.0


def _fragment(text: SentenceTerms, first: int, last: int) -> tuple[IndexArray, Float64Array]:
    """Return the terms of some sentences, and how often each occurs."""
    of = _kept_fragment if last - first < _MOST_KEPT_SENTENCES else _kept_fragment.function
    return of(text, first, last)


# those of the cover are asked for in many pairs of a class
_MOST_KEPT_SENTENCES = 20


@weak_cache(weak=1, most=4096)
def _kept_fragment(text: SentenceTerms, first: int, last: int) -> tuple[IndexArray, Float64Array]:
    start, stop = text.sentences.searchsorted([first, last + 1])
    # of the terms of the section alone, as a long text has tens of thousands
    ids, places = np.unique(text.ids[start:stop], return_inverse=True)
    return ids, np.bincount(places, text.counts[start:stop]).astype(np.float64, copy=False)
