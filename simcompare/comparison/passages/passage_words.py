"""What the two sides of a passage have in common, word by word, and what differs between them."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz.distance import LCSseq

from simcompare.comparison.comparison_matrix import pair_off
from simcompare.comparison.comparison_result import Comparison, ExcludedSentences
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import (
    PASSAGE_KINDS,
    Bounds,
    Ids,
    PassageKind,
    sections_to_align,
    sentences_of,
    shared_numbers,
    words_of_units,
)
from simcompare.comparison.shares import in_ranges
from simcompare.model.document import Span
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus
from simcompare.text.words import FUNCTION_WORDS

Section = tuple[range, range]


@dataclass(frozen=True, slots=True, eq=False)
class _SideWords:
    """Words of one side of a passage.

    bounds: the first word in the text, and one after the last
    end: end of the side, in code points
    is_common: (w,) words that count as common
    """

    text: PreparedText
    bounds: Bounds
    end: int
    is_common: BoolArray

    def spans(self, first: IndexArray, last: IndexArray) -> Int32Array:
        """Return the spans of n sequences of words, by the indices of their first and last word."""
        text, base = self.text, self.bounds[0]
        starts = text.unit_spans[text.word_units[base + first], 0]
        ends = text.unit_spans[text.word_units[base + last + 1] - 1, 1]
        return np.stack([starts, np.minimum(ends, self.end)], axis=1)

    def marked(self, paired: IndexArray) -> Int32Array:
        """Return the spans of words without a partner, each with 0, and of the paired words, with 1.

        Sentences most of whose words are without a partner are left out: they are others, not changed ones.
        """
        is_alone = ~self.is_common
        is_alone[paired] = False
        sentences = np.searchsorted(self.text.sentence_words, np.arange(*self.bounds), side="right")
        is_alone &= (2 * np.bincount(sentences, is_alone) <= np.bincount(sentences))[sentences]
        runs = np.concatenate([_runs(is_alone), np.stack([paired, paired], axis=1)])
        is_paired = np.arange(len(runs)) >= len(runs) - len(paired)
        return np.column_stack([self.spans(*runs.T), is_paired.astype(np.int32)])

    def alone(self) -> tuple[list[int], list[Span]]:
        """Return the sequences of words that are not common: their first words and their spans."""
        runs = _runs(~self.is_common)
        return runs[:, 0].tolist(), [Span(*span) for span in self.spans(*runs.T).tolist()]

    def word(self, index: int) -> str:
        """Return a word in comparable form."""
        return str(self.text.word_vocabulary[self.text.word_ids[self.bounds[0] + index]])

    def other_words(self, thesaurus: Thesaurus) -> dict[int, frozenset[int]]:
        """Return the synonym groups of the words that are not common and in the thesaurus, by index."""
        others = np.flatnonzero(~self.is_common)
        words = map(
            self.text.word_vocabulary.__getitem__, self.text.word_ids[self.bounds[0] + others].tolist()
        )
        return {
            index: groups
            for index, word in zip(others.tolist(), words, strict=True)
            if (groups := thesaurus.groups(word))
        }


@dataclass(frozen=True, slots=True, eq=False)
class _PassageWords:
    """Words of both sides, and their alignment as blocks (index left, index right, words), shape (n, 3)."""

    left: _SideWords
    right: _SideWords
    blocks: IndexArray

    def gaps(self) -> Iterator[Section]:
        """Yield the words between two aligned blocks on each side."""
        after = right_after = 0
        ends = [len(self.left.is_common), len(self.right.is_common), 0]
        for start, right_start, size in [*self.blocks.tolist(), ends]:
            yield range(after, start), range(right_after, right_start)
            after, right_after = start + size, right_start + size


@dataclass(frozen=True, eq=False)
class PassageChanges:
    """What the two sides of a passage do not have in common, as spans of the left and of the right text.

    words: start and end of words without a partner on the other side, and 0; of synonyms, and 1; shape (n, 3)
    synonyms: the pairs of synonyms, in order of the left text
    """

    words: tuple[Int32Array, Int32Array]
    synonyms: Sequence[tuple[Span, Span]]
    _compared: _PassageWords

    @cached_property
    def places(self) -> Sequence[tuple[Span | None, Span | None]]:
        """Where the sides differ, in order: what takes each other's place, or what only one side has.

        Of synonyms that were moved the partner.
        """
        return list(_places(self._compared, self.synonyms))


_MOST_UNITS = 40_000  # of both sides; 40 ms


def has_changes(passages: NumberedPassages, index: int) -> bool:
    """Return whether the changed words of a passage are shown: not of a very long one."""
    is_whole = PASSAGE_KINDS[passages.kinds[index]] in {PassageKind.IDENTICAL, PassageKind.MEANING}
    return not is_whole and bool(passages.left_units[index] + passages.right_units[index] <= _MOST_UNITS)


@weak_cache(weak=2, most=16)
def changes_of_passage(
    comparison: Comparison, passages: NumberedPassages, index: int, thesaurus: Thesaurus | None
) -> PassageChanges:
    """Find the words that `PassageFigures.common_words` does not count, and which of them are synonyms.

    Of a word that one side has more often, those in the longest common subsequence of the words have a
    partner first, then those in that of two matched sentences, which were moved, then those whose neighbours
    the other side has beside it, too, as in a quotation elsewhere, then the first ones.
    Adjacent words without one are one span, with the punctuation between them.

    Words are paired as synonyms, one to one as formula 9 does, within two matched sentences, or within the
    same gap of the aligned words: in a long passage the thesaurus would otherwise pair words that have
    nothing to do with each other. Pairs that show no rewording are left out: two function words, or a word
    and a longer one that contains it.
    """
    words = _passage_words(comparison, passages, index)
    pairs = [] if thesaurus is None else _synonym_pairs(comparison, passages, index, words, thesaurus)
    left, right = np.array(sorted(pairs), np.intp).reshape(-1, 2).T
    spans = zip(words.left.spans(left, left), words.right.spans(right, right), strict=True)
    synonyms = [(Span(*a.tolist()), Span(*b.tolist())) for a, b in spans]
    return PassageChanges((words.left.marked(left), words.right.marked(right)), synonyms, words)


def _synonym_pairs(
    comparison: Comparison, passages: NumberedPassages, index: int, words: _PassageWords, thesaurus: Thesaurus
) -> list[tuple[int, int]]:
    left, right = words.left.other_words(thesaurus), words.right.other_words(thesaurus)
    pairs = []
    bounds = words.left.bounds, words.right.bounds
    for section in (*_matched_sentences(comparison, passages.matches_of(index), bounds), *words.gaps()):
        rows, columns = [i for i in section[0] if i in left], [j for j in section[1] if j in right]
        for i, j in pair_off([left[i] for i in rows], [right[j] for j in columns]):
            if _shows_rewording(words.left.word(rows[i]), words.right.word(columns[j])):
                pairs.append((rows[i], columns[j]))
                del left[rows[i]], right[columns[j]]
    return pairs


def _places(
    words: _PassageWords, synonyms: Sequence[tuple[Span, Span]]
) -> Iterator[tuple[Span | None, Span | None]]:
    of_left, of_right = {a.start: b for a, b in synonyms}, {b.start for _a, b in synonyms}
    alone = words.left.alone(), words.right.alone()
    for gap in words.gaps():
        left, right = (
            spans[bisect_left(firsts, part.start) : bisect_left(firsts, part.stop)]
            for (firsts, spans), part in zip(alone, gap, strict=True)
        )
        if len(left) == len(right) == 1:
            yield left[0], right[0]
        else:
            for span in left:
                yield span, next((of_left[at] for at in range(span.start, span.end) if at in of_left), None)
            yield from ((None, span) for span in right if of_right.isdisjoint(range(span.start, span.end)))


def _runs(chosen: BoolArray) -> IndexArray:
    """Return the first and the last index of each sequence of chosen words, shape (n, 2)."""
    padded = np.zeros(len(chosen) + 2, np.bool_)
    padded[1:-1] = chosen
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2) - (0, 1)


def _shows_rewording(left: str, right: str) -> bool:
    are_function_words = left in FUNCTION_WORDS and right in FUNCTION_WORDS
    return not (are_function_words or left in right or right in left)


def longest_equal_stretch(comparison: Comparison, passages: NumberedPassages, index: int) -> tuple[Span, int]:
    """Find the longest sequence of counting units that both sides have: its span on the left, its units."""
    left, right = comparison.left.prepared, comparison.right.prepared
    bounds, right_bounds = (
        text.units_in(spans[index])
        for text, spans in ((left, passages.left_spans), (right, passages.right_spans))
    )
    counting = (
        _counting(text, excluded, numbers[slice(*of_side)], of_side, different)
        for text, excluded, numbers, of_side, different in zip(
            (left, right),
            comparison.excluded,
            shared_numbers(left, right).units,
            (bounds, right_bounds),
            (-1, -2),
            strict=True,
        )
    )
    place, length = _longest_common_run(*counting)
    first = int(bounds[0]) + place
    if not length:
        return Span(int(left.unit_spans[first, 0]), int(left.unit_spans[first, 0])), 0
    return Span(int(left.unit_spans[first, 0]), int(left.unit_spans[first + length - 1, 1])), length


def _counting(
    text: PreparedText, excluded: ExcludedSentences, numbers: Ids, bounds: IndexArray, different: int
) -> Ids:
    """Return the numbers of the units within bounds, with `different` for those that do not count."""
    first, last = np.searchsorted(text.sentence_units, bounds, side="right") - (1, 0)
    sentences = np.searchsorted(text.sentence_units[first:last], np.arange(*bounds), side="right") - 1
    return np.where(excluded.codes[first + sentences] == 0, numbers, different)


def _passage_words(comparison: Comparison, passages: NumberedPassages, index: int) -> _PassageWords:
    left, right = comparison.left.prepared, comparison.right.prepared
    span, right_span = passages.left_spans[index], passages.right_spans[index]
    bounds, right_bounds = _word_bounds(left, span), _word_bounds(right, right_span)
    words, right_words = shared_numbers(left, right).words
    words, right_words = words[slice(*bounds)], right_words[slice(*right_bounds)]
    sections = sections_to_align(
        sentences_of(words, left.sentence_words, bounds[0]),
        sentences_of(right_words, right.sentence_words, right_bounds[0]),
    )
    blocks = _aligned_blocks(sections)
    # words of equal units may be cut differently, as their neighbours differ
    if passages.p[index] == 1:
        common, right_common = np.ones(len(words), np.bool_), np.ones(len(right_words), np.bool_)
    else:
        of_matches = _matched_sentences(comparison, passages.matches_of(index), (bounds, right_bounds))
        moved = _moved_blocks(of_matches, words, right_words, blocks)
        common, right_common = _common_words(words, right_words, blocks, moved)
    return _PassageWords(
        _SideWords(left, bounds, int(span[1]), common),
        _SideWords(right, right_bounds, int(right_span[1]), right_common),
        blocks,
    )


def _word_bounds(text: PreparedText, span: Int32Array) -> Bounds:
    first, stop = words_of_units(text, text.units_in(span)).tolist()
    return first, stop


def _aligned_blocks(sections: Iterable[tuple[Ids, Ids]]) -> IndexArray:
    """Align the words of consecutive sections; returns blocks (index left, index right, words)."""
    blocks: list[tuple[int, int, int]] = []
    after = right_after = 0
    for left, right in sections:
        found = LCSseq.opcodes(left.tolist(), right.tolist()).as_matching_blocks()
        blocks.extend((after + block.a, right_after + block.b, block.size) for block in found)
        after, right_after = after + len(left), right_after + len(right)
    return np.array(blocks, np.intp).reshape(-1, 3)


def _moved_blocks(of_matches: Iterable[Section], left: Ids, right: Ids, blocks: IndexArray) -> IndexArray:
    """Align the words of matched sentences that are not in the blocks, as they were moved."""
    is_aligned, is_right_aligned = (
        in_ranges(_ranges(blocks, side), len(ids)) for side, ids in enumerate((left, right))
    )
    moved: list[tuple[int, int, int]] = []
    for own, other in of_matches:
        if not (is_aligned[own].all() and is_right_aligned[other].all()):
            found = LCSseq.opcodes(left[own].tolist(), right[other].tolist()).as_matching_blocks()
            moved.extend((own.start + block.a, other.start + block.b, block.size) for block in found)
    return np.array(moved, np.intp).reshape(-1, 3)


def _ranges(blocks: IndexArray, side: int) -> IndexArray:
    return np.stack([blocks[:, side], blocks[:, side] + blocks[:, 2]], axis=1)


def _common_words(
    left: Ids, right: Ids, blocks: IndexArray, moved: IndexArray
) -> tuple[BoolArray, BoolArray]:
    """Mark as many copies of each word as both sides have: aligned ones, moved ones, then others."""
    numbers, ids = np.unique(np.concatenate([left, right]), return_inverse=True)
    left, right = np.split(ids, [len(left)])
    most = np.minimum(np.bincount(left, minlength=len(numbers)), np.bincount(right, minlength=len(numbers)))
    pairs = [ids[:-1] * len(numbers) + ids[1:] for ids in (left, right)]
    in_both = [np.isin(own, other) for own, other in (pairs, pairs[::-1])]
    chosen, right_chosen = (
        _chosen_copies(ids, (_ranges(blocks, side), _ranges(moved, side)), in_both[side], most)
        for side, ids in enumerate((left, right))
    )
    return chosen, right_chosen


def _chosen_copies(
    ids: Ids, first: tuple[IndexArray, IndexArray], follows: BoolArray, most: IndexArray
) -> BoolArray:
    """Mark at most most[id] copies of each id, those in the ranges of `first` before others; shape (w,).

    follows: whether the other side has this word and the next one in a row, too
    """
    is_aligned, is_moved = (in_ranges(ranges, len(ids)) for ranges in first)
    neighbours = np.zeros(len(ids), np.intp)
    neighbours[:-1] += follows
    neighbours[1:] += follows
    order = np.lexsort((-neighbours, ~is_moved, ~is_aligned, ids))
    counts = np.bincount(ids, minlength=len(most))
    ranks = np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_chosen = np.empty(len(ids), np.bool_)
    is_chosen[order] = ranks < most[ids[order]]
    return is_chosen


def _matched_sentences(
    comparison: Comparison, indices: IndexArray, bounds: tuple[Bounds, Bounds]
) -> Iterator[Section]:
    matches = comparison.matches
    rows, columns = matches.cells.rows[indices], matches.cells.columns[indices]
    is_best = (matches.best_of_left[rows] == indices) | (matches.best_of_right[columns] == indices)
    for row, column in zip(rows[is_best].tolist(), columns[is_best].tolist(), strict=True):
        yield (
            _words_of(comparison.left.prepared, bounds[0], row),
            _words_of(comparison.right.prepared, bounds[1], column),
        )


def _words_of(text: PreparedText, bounds: Bounds, sentence: int) -> range:
    """Return the indices in a passage of the words of a sentence, as far as it is in the passage."""
    start, stop = np.clip(text.sentence_words[sentence : sentence + 2], *bounds).tolist()
    return range(start - bounds[0], stop - bounds[0])


def _longest_common_run(left: Ids, right: Ids) -> tuple[int, int]:
    """Find the longest run of elements that both sequences contain: its start in `left`, and its length.

    Runs of 1, 2, 4 ... elements are numbered, until none is in both; smaller ones then extend the longest.
    """
    length, runs = 1, _numbered(left, right)
    if runs is None:
        return 0, 0
    levels = [runs]
    while longer := _extended(runs, runs, length):
        runs = longer
        levels.append(runs)
        length *= 2
    for step in range(len(levels) - 2, -1, -1):
        if longer := _extended(runs, levels[step], length):
            runs = longer
            length += 2**step
    return int(np.isin(*runs).argmax()), length


def _extended(runs: tuple[Ids, Ids], others: tuple[Ids, Ids], length: int) -> tuple[Ids, Ids] | None:
    """Assign numbers to the runs of `length` elements followed by one of `others`; None if none is shared."""
    size = int(max(part.max(initial=0) for part in others)) + 1
    following = [other[length:] for other in others]
    keys = (run[: len(other)] * size + other for run, other in zip(runs, following, strict=True))
    return _numbered(*keys)


def _numbered(left: Ids, right: Ids) -> tuple[Ids, Ids] | None:
    """Renumber keys, equal ones alike; None if no key is in both sequences."""
    distinct, numbers = np.unique(np.concatenate([left, right]), return_inverse=True)
    left_numbers, right_numbers = numbers[: len(left)], numbers[len(left) :]
    found = (np.bincount(each, minlength=len(distinct)) > 0 for each in (left_numbers, right_numbers))
    return (left_numbers, right_numbers) if np.logical_and(*found).any() else None
