"""The comparison matrix: P of every sentence pair, computed in row blocks (Lv et al., section 3.2(2)).

rapidfuzz compares strings with one byte per character several times faster than others, but a large text has
more than 256 distinct units. A few sentences have fewer. So every few rows get their own numbering, and all
units that these rows lack, which are most of a right sentence, are left out. No common subsequence contains
such a unit, so the lengths are unchanged.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist, cpdist

from simcompare.comparison.comparison_result import (
    HEAT_SCALE,
    Cells,
    ComparisonMatrix,
    HeatArray,
    Matches,
    MatchKind,
    RowBlock,
)
from simcompare.model.errors import TooManySentencesError
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT, ComparisonSettings
from simcompare.support.arrays import Float32Array, Float64Array, Int32Array
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800


def as_strings(ids: Int32Array, bounds: Int32Array) -> list[str]:
    """Convert ids to one string per sentence with one character per id; bounds has shape (s+1,)."""
    codes = ids.astype("<u4")
    codes[codes >= _FIRST_SURROGATE] += _SURROGATES
    text = codes.tobytes().decode("utf-32-le")
    return [text[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]


# Byte codes: 0 for a unit to leave out, 1 for the end of a sentence, the others for the units of the rows.
_LEFT_OUT, _END = 0, 1
_MOST_CODES = 255
# rapidfuzz processes several sentences at once (SIMD), the more the shorter the longest of them is.
_SIDE_BY_SIDE_UP_TO_UNITS = (8, 16, 32, 64)
# Below this number of columns the renumbering takes longer than it saves.
_FEWEST_COLUMNS = 150


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSentences:
    """The sentences of a text as unit numbers from 1.

    strings: one string per sentence; ended: all numbers, with a 0 after each sentence; starts: shape (s+1,),
    start of each sentence in `ended`; lengths: shape (s,), units of each sentence; occurs: whether each
    number up to the highest occurs in `ended`, then False for all that are higher.
    """

    strings: list[str]
    ended: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: Int32Array
    occurs: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.strings)

    def numbers_of(self, rows: range, other: "NumberedSentences") -> NDArray[np.intp]:
        """Return the numbers of some consecutive sentences, each with its 0, as indices of `other.occurs`."""
        numbers = self.ended[self.starts[rows.start] : self.starts[rows.stop]]
        return np.minimum(numbers, len(other.occurs) - 1)


def numbered_sentences(ids: Int32Array, bounds: Int32Array) -> NumberedSentences:
    """Convert the unit ids of sentences that start and end at `bounds`."""
    ended = np.insert(ids.astype(np.intp) + 1, bounds[1:], 0)
    return _of_ended(as_strings(ids, bounds), ended, np.diff(bounds))


def _of_ended(strings: list[str], ended: NDArray[np.intp], lengths: Int32Array) -> NumberedSentences:
    starts = np.append(0, np.cumsum(lengths + 1))
    occurs = np.append(np.bincount(ended) > 0, False)
    return NumberedSentences(strings, ended, starts, lengths, occurs)


def lcs_counts(
    left: NumberedSentences, right: NumberedSentences, rows: range
) -> Iterator[tuple[NDArray[np.intp], Float32Array]]:
    """Yield some of the sentences `rows`, and their LCS lengths in units with every right sentence.

    In any order; shape (sentences), (sentences, right sentences).
    """
    if len(right) < _FEWEST_COLUMNS:
        yield np.arange(rows.start, rows.stop), _counts(left.strings[rows.start : rows.stop], right.strings)
        return
    for few in _groups(left, right, rows):
        yield few, _recoded_counts(left, right, few)


def _groups(left: NumberedSentences, right: NumberedSentences, rows: range) -> Iterator[NDArray[np.intp]]:
    """Group the rows so that each group has at most 255 distinct units, if possible.

    Rows that rapidfuzz can process together are adjacent.
    """
    lengths = left.lengths[rows.start : rows.stop]
    units = _unit_sets(left.numbers_of(rows, right), lengths, right.occurs)
    order = np.argsort(np.searchsorted(_SIDE_BY_SIDE_UP_TO_UNITS, lengths), kind="stable")
    start, seen = 0, 0
    for place, row in enumerate(order.tolist()):
        joint = seen | units[row]
        if place > start and joint.bit_count() > _MOST_CODES:
            yield order[start:place] + rows.start
            start, joint = place, units[row]
        seen = joint
    yield order[start:] + rows.start


def _unit_sets(numbers: NDArray[np.intp], lengths: Int32Array, wanted: NDArray[np.bool_]) -> list[int]:
    """Return the wanted numbers of each sentence as the bits of an integer, including its 0."""
    distinct = _distinct(numbers, wanted)
    places = np.zeros(len(wanted), dtype=np.intp)
    places[distinct] = np.arange(len(distinct))
    # unwanted numbers map to place 0, which every sentence has set anyway for its own 0
    members = np.zeros((len(lengths), len(distinct)), dtype=bool)
    members[np.repeat(np.arange(len(lengths)), lengths + 1), places[numbers]] = True
    return [int.from_bytes(bits.tobytes()) for bits in np.packbits(members, axis=1)]


def _distinct(numbers: NDArray[np.intp], wanted: NDArray[np.bool_]) -> NDArray[np.intp]:
    among = np.zeros(len(wanted), dtype=bool)
    among[numbers] = True
    return np.flatnonzero(among & wanted)


def _recoded_counts(
    left: NumberedSentences, right: NumberedSentences, rows: NDArray[np.intp]
) -> Float32Array:
    numbers = np.concatenate([left.numbers_of(range(row, row + 1), right) for row in rows.tolist()])
    distinct = _distinct(numbers, right.occurs)
    if len(distinct) > _MOST_CODES:
        return _counts([left.strings[row] for row in rows.tolist()], right.strings)
    # the smallest number is the 0 after each sentence
    codes = np.full(len(right.occurs), _LEFT_OUT, dtype=np.uint8)
    codes[distinct] = np.arange(_END, _END + len(distinct))
    # with this mode numpy does not look at all indices before
    return _counts(_sentences(codes[numbers]), _sentences(codes.take(right.ended, mode="wrap")))


def _sentences(codes: NDArray[np.uint8]) -> list[bytes]:
    # `compress` is several times faster here than indexing with the same mask
    return codes.compress(codes != _LEFT_OUT).tobytes().split(bytes([_END]))[:-1]


def _counts(left: list[str] | list[bytes], right: list[str] | list[bytes]) -> Float32Array:
    counts: Float32Array = cdist(left, right, scorer=LCSseq.similarity, dtype=np.float32)
    return counts


class TextNumbering:
    """Numbers units and words of any number of texts, the same ones equally in all of them. Thread-safe.

    What is frequent in the first text gets the lowest numbers: characters below 256 are compared faster.
    """

    def __init__(self, thesaurus: Thesaurus | None) -> None:
        self._thesaurus = thesaurus
        self._units: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._synonym_groups: dict[str, frozenset[int]] = {}
        self._lock = Lock()

    @property
    def thesaurus(self) -> Thesaurus | None:
        return self._thesaurus

    @property
    def synonym_groups(self) -> Mapping[str, frozenset[int]]:
        """The groups of each known word in the thesaurus, by the character that represents the word."""
        return self._synonym_groups

    def units_of(self, text: PreparedText) -> NumberedSentences:
        with self._lock:
            known = _numbers_of(text.unit_vocabulary, text.unit_ids, self._units)
        return numbered_sentences(known[text.unit_ids], text.sentence_units)

    def words_of(self, text: PreparedText) -> "SentenceWords":
        with self._lock:
            known_before = len(self._words)
            known = _numbers_of(text.word_vocabulary, text.word_ids, self._words)
            if self._thesaurus is not None and len(self._words) > known_before:
                codes = as_strings(known, np.arange(len(known) + 1, dtype=np.int32))
                for code, word in zip(codes, text.word_vocabulary, strict=True):
                    if groups := self._thesaurus.groups(word):
                        self._synonym_groups[code] = groups
        return _sentence_words(known[text.word_ids], text.sentence_words)


class NumberedText:
    """A text in the numbers of a `TextNumbering`. Words are numbered when a pair of sentences needs them."""

    def __init__(self, text: PreparedText, numbering: TextNumbering) -> None:
        self._text, self._numbering = text, numbering

    @property
    def synonym_groups(self) -> Mapping[str, frozenset[int]]:
        """Those of all words numbered so far, as in `TextNumbering`."""
        return self._numbering.synonym_groups

    @cached_property
    def units(self) -> NumberedSentences:
        return self._numbering.units_of(self._text)

    @cached_property
    def words(self) -> "SentenceWords":
        return self._numbering.words_of(self._text)

    @cached_property
    def known_words(self) -> list[str]:
        """The words of each distinct sentence that the thesaurus contains: few or none of most."""
        return ["".join(filter(self.synonym_groups.__contains__, words)) for words in self.words.distinct]


class _JoinedWords:
    """The words of some texts, one after the other."""

    def __init__(self, texts: Sequence[NumberedText]) -> None:
        self._texts = texts

    @cached_property
    def words(self) -> "SentenceWords":
        words = [text.words for text in self._texts]
        before = accumulate((len(each.distinct) for each in words), initial=0)
        return SentenceWords(
            list(chain.from_iterable(each.distinct for each in words)),
            np.concatenate([each.numbers + count for each, count in zip(words, before, strict=False)]),
            np.concatenate([each.counts for each in words]),
        )

    @cached_property
    def known_words(self) -> list[str]:
        return list(chain.from_iterable(text.known_words for text in self._texts))


@dataclass(frozen=True, slots=True, eq=False)
class SentenceWords:
    """The words of the s sentences of a text without their order, a character for each word.

    distinct: sorted words of each distinct sentence; numbers (s,): place of each sentence among them;
    counts (s,): words of each.
    """

    distinct: list[str]
    numbers: NDArray[np.int64]
    counts: Int32Array


def _numbers_of(vocabulary: Sequence[str], ids: Int32Array, numbers: dict[str, int]) -> Int32Array:
    """Return the number of each entry; new ones get the next numbers, the most frequent first."""
    order = np.argsort(-np.bincount(ids, minlength=len(vocabulary)), kind="stable")
    for place in order.tolist():
        numbers.setdefault(vocabulary[place], len(numbers))
    return np.array([numbers[entry] for entry in vocabulary], dtype=np.int32)


def _sentence_words(ids: Int32Array, bounds: Int32Array) -> SentenceWords:
    numbers: dict[str, int] = {}
    sentences = ("".join(sorted(sentence)) for sentence in as_strings(ids, bounds))
    each = [numbers.setdefault(sentence, len(numbers)) for sentence in sentences]
    return SentenceWords(list(numbers), np.array(each, dtype=np.int64), np.diff(bounds))


class WordStage:
    """Formula 9 for the sentences of two texts with common numbers.

    w = (words in common + further words that pair off one to one as synonyms) / words of the longer
    sentence, which is the smaller of the two shares. Words in common are counted as a multiset, in any
    order. Without a thesaurus no words pair off.
    """

    def __init__(self, left: NumberedText, right: "NumberedText | _JoinedWords") -> None:
        self._left, self._right = left, right
        self._groups = left.synonym_groups

    def weigh(self, rows: Int32Array, columns: Int32Array) -> Float64Array:
        """Compute w of each pair (left sentence rows[i], right sentence columns[i]), in [0, 1]."""
        if not len(rows):
            return np.zeros(0, dtype=np.float64)
        in_left, in_right = self._left.words, self._right.words
        # a sentence that occurs a thousand times ("无。" in a table) is weighed once
        codes = in_left.numbers[rows] * len(in_right.distinct) + in_right.numbers[columns]
        distinct, places = np.unique(codes, return_inverse=True)
        firsts, seconds = np.divmod(distinct, len(in_right.distinct))
        left, right = (
            [[words[i] for i in places.tolist()] for words in (text.words.distinct, text.known_words)]
            for text, places in ((self._left, firsts), (self._right, seconds))
        )
        # for sorted words the longest common subsequence equals the multiset intersection
        shared = cpdist(left[0], right[0], scorer=LCSseq.similarity, dtype=np.int32).astype(np.int64)
        shared += [self._synonym_words(a, b) for a, b in zip(left[1], right[1], strict=True)]
        longer = np.maximum(in_left.counts[rows], in_right.counts[columns])
        weights: Float64Array = shared[places] / longer
        return weights

    def _synonym_words(self, left: str, right: str) -> int:
        if not left or not right or left == right:
            return 0
        rest, others = self._rest(left, right), self._rest(right, left)
        if frozenset().union(*rest).isdisjoint(chain.from_iterable(others)):
            return 0
        return len(pair_off(rest, others))

    def _rest(self, words: str, others: str) -> list[frozenset[int]]:
        """Return the groups of the known words beyond those in common."""
        common = Counter(others)
        rest = []
        for word in words:
            if common.get(word, 0):
                common[word] -= 1
            else:
                rest.append(self._groups[word])
        return rest


def pair_off(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair off as many words as possible, one to one, whose synonym groups intersect.

    Each word is represented by its groups. Returns index pairs (left, right) in the order of the left: a
    maximum matching, by shortest augmenting paths.
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for j, groups in enumerate(right):
        for group in groups:
            members[group].append(j)
    pairing = _WordPairing({}, {}, set())
    for i in range(len(left)):
        _find_partner(i, left, members, pairing)
    return sorted(pairing.of_left.items())


@dataclass(frozen=True, slots=True)
class _WordPairing:
    """Partners in both directions, and the right words through which no further partner can be reached."""

    of_left: dict[int, int]
    of_right: dict[int, int]
    spent: set[int]


def _find_partner(
    start: int, left: Sequence[frozenset[int]], members: Mapping[int, list[int]], pairing: _WordPairing
) -> None:
    """Find a partner for a left word by breadth-first search for an augmenting path."""
    came_from: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in chain.from_iterable(members.get(group, ()) for group in left[i]):
            if j in came_from or j in pairing.spent:
                continue
            came_from[j] = i
            if j not in pairing.of_right:
                _flip_path(j, came_from, pairing)
                return
            queue.append(pairing.of_right[j])
    pairing.spent.update(came_from)


def _flip_path(free: int, came_from: Mapping[int, int], pairing: _WordPairing) -> None:
    """Flip the augmenting path that ends at a free right word, back to the left word it starts with."""
    j: int | None = free
    while j is not None:
        i = came_from[j]
        next_free = pairing.of_left.get(i)
        pairing.of_left[i], pairing.of_right[j] = j, i
        j = next_free


# Large enough for a small overhead, small enough to cancel without delay. What takes a few milliseconds is
# one block: in more threads it would take longer.
_CELLS_PER_BLOCK = 400_000
_MOST_ROWS_PER_BLOCK = 400
MOST_THREADS = 4
"""More threads that score rows wait for the interpreter lock: on 16 cores, 8 and 16 were slower than 4."""
_MOST_CELLS = 1_000_000_000  # a byte of memory each, some minutes together
# Heat in single precision equals that in double precision for sentences of up to 3,000 units.
_SINGLE_PRECISION = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class MatrixInput:
    """Two texts prepared for scoring, their units in a common numbering.

    Shared by all row blocks, which may run in parallel.
    """

    left: NumberedSentences
    right: NumberedSentences
    words: WordStage

    @property
    def shape(self) -> tuple[int, int]:
        """(left sentences, right sentences)."""
        return len(self.left), len(self.right)


def make_matrix_input(left: PreparedText, right: PreparedText, thesaurus: Thesaurus | None) -> MatrixInput:
    """Give the units and words of two texts common numbers."""
    numbering = TextNumbering(thesaurus)
    return numbered_matrix_input(NumberedText(left, numbering), NumberedText(right, numbering))


def numbered_matrix_input(left: NumberedText, right: NumberedText) -> MatrixInput:
    """Return the input of two texts of one numbering. Raises TooManySentencesError."""
    if len(left.units) * len(right.units) > _MOST_CELLS:
        raise TooManySentencesError
    return MatrixInput(left.units, right.units, WordStage(left, right))


def row_blocks(matrix_input: MatrixInput) -> list[range]:
    """Split the rows into blocks of 1 to 400, in order."""
    rows, columns = matrix_input.shape
    size = max(1, min(_MOST_ROWS_PER_BLOCK, _CELLS_PER_BLOCK // max(columns, 1)))
    return [range(start, min(start + size, rows)) for start in range(0, rows, size)]


def score_rows(matrix_input: MatrixInput, rows: range) -> RowBlock:
    """Score some rows: P[n, m] = LCS / max(Num), 1.0 = identical (formula 7).

    Cells with P of at least LOWEST_SIMILAR_WEIGHT have their exact ratio and their w (formula 9).
    """
    heat, own, other, lcs, p = _ratios(matrix_input.left, matrix_input.right, rows)
    return RowBlock(rows, heat, Cells(own, other, lcs, p, matrix_input.words.weigh(own, other)))


def scored_cells(left: NumberedText, others: Sequence[NumberedText]) -> list[Cells]:
    """Score a text with each of some others: the cells of their matrices. Raises TooManySentencesError.

    All of them take hardly longer than one, which has too few sentences for renumbering.
    """
    if max(len(text.units) for text in others) * len(left.units) > _MOST_CELLS:
        raise TooManySentencesError
    units = [text.units for text in others]
    strings = list(chain.from_iterable(each.strings for each in units))
    ended, lengths = ([getattr(each, name) for each in units] for name in ("ended", "lengths"))
    right = _of_ended(strings, np.concatenate(ended), np.concatenate(lengths))
    matrix_input = MatrixInput(left.units, right, WordStage(left, left))  # the words are weighed below
    blocks = [_ratios(left.units, right, rows)[1:] for rows in row_blocks(matrix_input)]
    rows, columns, lcs, p = map(np.concatenate, zip(*blocks, strict=True))
    bounds = np.cumsum([0, *map(len, units)], dtype=np.int32)
    of = bounds.searchsorted(columns, "right") - 1
    order = np.argsort(of, kind="stable")
    of, rows, columns, lcs, p = of[order], rows[order], columns[order], lcs[order], p[order]
    w = WordStage(left, _JoinedWords(others)).weigh(rows, columns)
    columns = columns - bounds[of]
    parts = [slice(*ends) for ends in pairwise(of.searchsorted(np.arange(len(others) + 1)).tolist())]
    return [Cells(rows[part], columns[part], lcs[part], p[part], w[part]) for part in parts]


def _ratios(
    left: NumberedSentences, right: NumberedSentences, rows: range
) -> tuple[HeatArray, Int32Array, Int32Array, Int32Array, Float64Array]:
    """Return the heat of some rows, and row, column, LCS and P of their cells."""
    heat, found = np.empty((len(rows), len(right)), np.uint8), []
    right_lengths = right.lengths.astype(np.float32)
    for few, lcs in lcs_counts(left, right, rows):  # so few that they stay in the cache
        ratios = np.maximum.outer(left.lengths[few].astype(np.float32), right_lengths)
        np.divide(lcs, ratios, out=ratios)
        # flatnonzero is many times faster than nonzero in two dimensions
        near = np.flatnonzero(ratios >= LOWEST_SIMILAR_WEIGHT - _SINGLE_PRECISION)
        places, columns = np.divmod(near, len(right))
        found.append((few[places], columns, lcs.ravel()[near]))
        np.multiply(ratios, HEAT_SCALE, out=ratios)
        heat[few - rows.start] = np.rint(ratios, out=ratios)
    own, other, counts = (np.concatenate(each).astype(np.int32) for each in zip(*found, strict=True))
    p = counts / np.maximum(left.lengths[own], right.lengths[other])
    order = np.lexsort((other, own))
    order = order[p[order] >= LOWEST_SIMILAR_WEIGHT]
    return heat, own[order], other[order], counts[order], p[order]


class MatrixBuilder:
    """Assembles scored row blocks in any order; together they must cover every row once."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._heat = np.zeros(shape, dtype=np.uint8)
        self._cells: dict[int, Cells] = {}

    def add(self, block: RowBlock) -> None:
        """Add a block; its heat is copied, so that the block can be freed."""
        self._heat[block.rows.start : block.rows.stop] = block.heat
        self._cells[block.rows.start] = block.cells

    def matrix(self) -> ComparisonMatrix:
        ordered = [self._cells[start] for start in sorted(self._cells)]
        columns = [
            np.concatenate([getattr(cells, name) for cells in ordered] or [np.zeros(0, dtype=kind)])
            for name, kind in (("rows", "i4"), ("columns", "i4"), ("lcs", "i4"), ("p", "f8"), ("w", "f8"))
        ]
        return ComparisonMatrix(self._heat, Cells(*columns))


def assemble(shape: tuple[int, int], blocks: Iterable[RowBlock]) -> ComparisonMatrix:
    """Assemble scored row blocks; they are consumed one by one and not kept."""
    builder = MatrixBuilder(shape)
    for block in blocks:
        builder.add(block)
    return builder.matrix()


def similar_cells(cells: Cells, settings: ComparisonSettings) -> Cells:
    """Select the similar cells: P >= similar_weight, and P or else w >= right_weight.

    Without the word stage P must reach right_weight. Nothing is scored again, so that thresholds can change
    while a slider is dragged.
    """
    by_units = cells.p >= settings.right_weight
    if not settings.word_stage:
        return cells.select(np.flatnonzero(by_units))
    by_words = (cells.p >= settings.similar_weight) & (cells.w >= settings.right_weight)
    return cells.select(np.flatnonzero(by_units | by_words))


def make_matches(similar: Cells, shape: tuple[int, int], settings: ComparisonSettings) -> Matches:
    """Classify similar cells by kind, and find the best match of each sentence."""
    by_units = similar.p >= settings.right_weight
    kinds = np.where(by_units, MatchKind.EDITED, MatchKind.SYNONYM).astype(np.int8)
    kinds[similar.p == 1.0] = MatchKind.EXACT
    return Matches(
        similar,
        kinds,
        _best(similar, similar.rows, shape[0]),
        _best(similar, similar.columns, shape[1]),
    )


def _best(cells: Cells, sentences: Int32Array, count: int) -> Int32Array:
    """Find for each sentence the index of its strongest match: highest P, then w, then the first."""
    best = np.full(count, -1, dtype=np.int32)
    left = np.arange(len(cells))
    for scores in (cells.p, cells.w):
        # no sorting: with millions of cells it takes seconds
        highest = np.zeros(count)
        np.maximum.at(highest, sentences[left], scores[left])
        left = left[scores[left] == highest[sentences[left]]]
    best[sentences[left[::-1]]] = left[::-1]
    return best
