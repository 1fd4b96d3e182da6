"""Compare two prepared documents, find which passages count, and reclassify when settings change."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from simcompare.comparison.comparison_matrix import (
    MatrixInput,
    assemble,
    make_matches,
    make_matrix_input,
    row_blocks,
    score_rows,
    similar_cells,
)
from simcompare.comparison.comparison_result import (
    QUOTED_SHARE,
    Cells,
    Comparison,
    ComparisonMatrix,
    ExclusionCandidates,
    PairShares,
    RowBlock,
)
from simcompare.comparison.exclusions.excluded_sentences import (
    find_exclusion_candidates,
    find_exclusions,
    with_copied_quotations,
    without_excluded,
)
from simcompare.comparison.exclusions.name_lines import equal_form_lines
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passages
from simcompare.comparison.passages.passage_detection import find_passages, passages_of_matches
from simcompare.comparison.passages.passage_kinds import shared_numbers
from simcompare.comparison.passages.rewriting import all_passages
from simcompare.comparison.passages.term_cosine import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import CountedText, counting_matches, pair_shares
from simcompare.model.progress import Tick, no_tick
from simcompare.model.settings import ComparisonSettings, PassageSettings
from simcompare.support.arrays import BoolArray
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus


def passages_after_exclusions(
    detected: Passages, left: CountedText, right: CountedText, settings: PassageSettings | None
) -> Passages:
    """Select the passages that count, out of the passages detected in two whole texts.

    A passage that begins in a prompt, or in other text that both have from somewhere else, may go on into
    their own text, which is not similar itself. Such texts are searched again without the text from
    elsewhere, under `settings`.
    """
    counted = counted_passages(detected, left, right)
    if settings is None or not len(counted):
        return counted
    by_words = counted.select(~counted.is_rewritten)
    spans = (left, by_words.left_spans), (right, by_words.right_spans)
    if not any(text.excluded.marked_in(text.text.sentences_in(each))[2].any() for text, each in spans):
        return counted
    left_terms, right_terms = (
        _own_terms(text.text, text.excluded.shared_text.tobytes()) for text in (left, right)
    )
    found = _find_passages(left_terms, right_terms, settings)
    found = found.select(~found.is_rewritten)  # those of plug-ins are among the counted ones
    return counted_passages(found, left, right).with_others(counted.select(counted.is_rewritten))


# Thresholds are dragged, and all pairs of a class classified again each time, while these stay the same.
@weak_cache(weak=1, most=512)
def _own_terms(text: PreparedText, shared_text: bytes) -> SentenceTerms:
    """Return the terms of a text without the sentences marked by the bytes of a mask."""
    return sentence_terms(text.with_sentences(~np.frombuffer(shared_text, np.bool_)))


_find_passages = weak_cache(weak=2, most=4096)(find_passages)


_LEAST_QUOTED, _LEAST_OWN_IN_COMMON = 0.3, 0.5
"""Quoted share of both sides of a passage from which their own words have to be in common, and how many."""


def counted_passages(passages: Passages, left: CountedText, right: CountedText) -> Passages:
    """Select the passages that contain a sentence that counts on each side.

    A passage also counts if it is quoted as a whole on one side and not marked as a quotation on the other;
    it does not if both sides quote it, each perhaps inside sentences of its own.
    """
    if not len(passages):
        return passages
    (left_kept, left_quoted, _), (right_kept, right_quoted, _) = (
        text.excluded.marked_in(text.text.sentences_in(spans))
        for text, spans in ((left, passages.left_spans), (right, passages.right_spans))
    )
    counts = (left_kept & right_kept) | (left_kept & ~left_quoted & right_quoted)
    counts |= right_kept & ~right_quoted & left_quoted
    if counts.any():
        counts &= ~_are_quoted_by_both(passages, left, right)
    return passages.select(counts)


def _are_quoted_by_both(passages: Passages, left: CountedText, right: CountedText) -> BoolArray:
    """Mark the passages of which hardly anything is in common but what both sides quote."""
    quoted = [text.excluded.quoted_before for text in (left, right)]
    if not (quoted[0][-1] and quoted[1][-1]):
        return np.zeros(len(passages), np.bool_)
    bounds = left.text.units_in(passages.left_spans), right.text.units_in(passages.right_spans)
    parts = (np.diff(of[each])[:, 0] / np.diff(each)[:, 0] for of, each in zip(quoted, bounds, strict=True))
    shares = np.minimum(*parts)
    found: BoolArray = shares >= QUOTED_SHARE
    unsure = np.flatnonzero((shares >= _LEAST_QUOTED) & ~found).tolist()
    numbers = shared_numbers(left.text, right.text).units if unsure else ()
    for place in unsure:
        own, other = (
            ids[slice(*span)][np.diff(before[span[0] : span[1] + 1]) == 0].tolist()
            for ids, before, span in zip(numbers, quoted, (each[place] for each in bounds), strict=True)
        )
        found[place] = LCSseq.similarity(own, other) < _LEAST_OWN_IN_COMMON * min(len(own), len(other))
    return found


PairExclusionCandidates = tuple[ExclusionCandidates, ExclusionCandidates]
"""Exclusion candidates of the left and of the right text."""
PairCommonText = tuple[NDArray[np.str_] | None, NDArray[np.str_] | None]
"""`ExclusionCandidates.common` of the left and of the right text."""
MapBlocks = Callable[[Callable[[range], RowBlock], Iterable[range]], Iterator[RowBlock]]
"""Runs row blocks: the built-in map, or the map of any `concurrent.futures.Executor`."""


def compare(  # noqa: PLR0913 - what to compare, and how to run
    left: PreparedDocument,
    right: PreparedDocument,
    settings: ComparisonSettings,
    thesaurus: Thesaurus | None,
    *,
    prompt: PreparedText | None = None,
    common: PairCommonText | None = None,
    tick: Tick = no_tick,
    map_blocks: MapBlocks = map,
) -> Comparison:
    """Compare two documents sentence by sentence.

    `prompt` is the prepared text of the file `settings.prompt`. `common` is that of the class; by default,
    the equal lines of forms. `tick` is called after each row block with (rows done, rows); an exception it
    raises ends the comparison.
    """
    matrix_input = make_matrix_input(left.prepared, right.prepared, thesaurus)
    matrix = _score(matrix_input, tick, map_blocks)
    detected_passages = detect_passages(left, right, settings)
    return build_comparison(
        left,
        right,
        settings,
        matrix,
        exclusion_candidates_of(left, right, prompt, thesaurus, common or equal_form_lines((left, right))),
        detected_passages,
    )


def _score(matrix_input: MatrixInput, tick: Tick, map_blocks: MapBlocks) -> ComparisonMatrix:
    def ticked() -> Iterator[RowBlock]:
        for block in map_blocks(partial(score_rows, matrix_input), row_blocks(matrix_input)):
            yield block
            tick(block.rows.stop, matrix_input.shape[0])

    return assemble(matrix_input.shape, ticked())


def exclusion_candidates_of(
    left: PreparedDocument,
    right: PreparedDocument,
    prompt: PreparedText | None,
    thesaurus: Thesaurus | None,
    common: Sequence[NDArray[np.str_] | None] = (None, None),
) -> PairExclusionCandidates:
    return (
        find_exclusion_candidates(left, prompt, thesaurus, common[0]),
        find_exclusion_candidates(right, prompt, thesaurus, common[1]),
    )


def detect_passages(
    left: PreparedDocument, right: PreparedDocument, settings: ComparisonSettings
) -> Passages | None:
    """Detect the passages of two documents; None if settings.passages is None."""
    if settings.passages is None:
        return None
    terms = sentence_terms(left.prepared), sentence_terms(right.prepared)
    return all_passages(*terms, settings.passages, meaning=settings.meaning)


def build_comparison(
    left: PreparedDocument,
    right: PreparedDocument,
    settings: ComparisonSettings,
    matrix: ComparisonMatrix,
    exclusion_candidates: PairExclusionCandidates,
    detected_passages: Passages | None,
    before: Comparison | None = None,
) -> Comparison:
    """Classify the cells of a finished matrix and assemble the Comparison.

    `detected_passages` is None if passages are made of matched sentences only. Exclusions and passages that
    equal those of `before`, the previous classification, are the same objects, so that views can skip them.
    """
    similar = similar_cells(matrix.cells, settings)
    excluded = (
        find_exclusions(left.prepared, exclusion_candidates[0], settings),
        find_exclusions(right.prepared, exclusion_candidates[1], settings),
    )
    sides = with_copied_quotations(
        similar, CountedText(left.prepared, excluded[0]), CountedText(right.prepared, excluded[1])
    )
    if before is not None:
        left_excluded, right_excluded = before.excluded
        sides = sides[0].reusing(left_excluded), sides[1].reusing(right_excluded)
    excluded = sides[0].excluded, sides[1].excluded
    kept = without_excluded(similar, *sides)
    passages, share, sentence_share = passages_and_shares(
        similar, kept, detected_passages, *sides, settings.passages
    )
    if before is not None and passages == before.passages:
        passages = before.passages
    return Comparison(
        left,
        right,
        settings,
        matrix,
        matches=make_matches(kept, matrix.shape, settings),
        passages=passages,
        share=share,
        sentence_share=sentence_share,
        left_excluded=excluded[0],
        right_excluded=excluded[1],
        exclusion_candidates=exclusion_candidates,
        detected_passages=detected_passages,
    )


def passages_and_shares(
    similar: Cells,
    kept: Cells,
    detected_passages: Passages | None,
    left: CountedText,
    right: CountedText,
    settings: PassageSettings | None,
) -> tuple[Passages, PairShares, PairShares]:
    """Return the passages that count, the shares and the sentence shares.

    `similar` are all matched cells, `kept` those that exclusions leave; `settings` of the detected passages.
    """
    share = sentence_share = pair_shares(similar, kept, NO_PASSAGES, NO_PASSAGES, left, right)
    passages = passages_that_count(kept, detected_passages, left, right, settings)
    if detected_passages is not None and (len(similar) or len(detected_passages)):
        similar, kept = (
            cells.select(np.flatnonzero(counting_matches(cells, found, left.text, right.text)))
            for cells, found in ((similar, detected_passages), (kept, passages))
        )
        share = pair_shares(similar, kept, detected_passages, passages, left, right)
    return passages, share, sentence_share


def passages_that_count(
    kept: Cells,
    detected_passages: Passages | None,
    left: CountedText,
    right: CountedText,
    settings: PassageSettings | None,
) -> Passages:
    """Return the passages that count; parameters as in `passages_and_shares`."""
    if detected_passages is None:
        return passages_of_matches(kept, left.text, right.text)
    return passages_after_exclusions(detected_passages, left, right, settings)


def reclassify(
    comparison: Comparison,
    settings: ComparisonSettings,
    exclusion_candidates: PairExclusionCandidates | None = None,
    *,
    detected_passages: Passages | None = None,
) -> Comparison:
    """Apply other thresholds or exclusions to a comparison without scoring it again.

    `exclusion_candidates` replaces those of the comparison (another prompt). `detected_passages` replaces
    its passages (other passage settings); thresholds do not change them.
    """
    if detected_passages is None:
        detected_passages = comparison.detected_passages
    return build_comparison(
        comparison.left,
        comparison.right,
        settings,
        comparison.matrix,
        exclusion_candidates or comparison.exclusion_candidates,
        None if settings.passages is None else detected_passages,
        comparison,
    )
