"""Find sentences to exclude: left out by hand, quotations, references, prompt, common, name lines, short."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import (
    BoolArray,
    Cells,
    ExcludedQuotations,
    ExcludedSentences,
    ExclusionCandidates,
    ExclusionReason,
)
from simcompare.comparison.exclusions.name_lines import name_line_sentences
from simcompare.comparison.exclusions.quotations import (
    are_quotations,
    in_blocks_of_kind,
    quoted_shares,
)
from simcompare.comparison.matrix.classification import similar_cells
from simcompare.comparison.matrix.comparison_matrix import assemble, make_matrix_input, row_blocks, score_rows
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import BlockKind, Document
from simcompare.model.settings import ComparisonSettings, LeftOutSentence
from simcompare.support.weak_cache import weak_cache
from simcompare.text.prepared_text import PreparedText, digest_of_units, sentence_digests
from simcompare.text.thesaurus import Thesaurus


def find_exclusion_candidates(
    prepared_document: PreparedDocument,
    prompt: PreparedText | None = None,
    thesaurus: Thesaurus | None = None,
    common: NDArray[np.str_] | None = None,
) -> ExclusionCandidates:
    """Find all sentences of a text that could be excluded; `common` as in ExclusionCandidates.

    The result is independent of the settings, which can therefore change without reading or scoring again.
    """
    return ExclusionCandidates(
        quoted_shares(prepared_document.document, prepared_document.prepared),
        referenced_sentences(prepared_document.document, prepared_document.prepared),
        name_line_sentences(prepared_document.document, prepared_document.prepared),
        None if prompt is None else _score(prepared_document.prepared, prompt, thesaurus),
        common,
    )


def _score(text: PreparedText, prompt: PreparedText, thesaurus: Thesaurus | None) -> Cells:
    matrix_input = make_matrix_input(text, prompt, thesaurus)
    return assemble(
        matrix_input.shape, (score_rows(matrix_input, rows) for rows in row_blocks(matrix_input))
    ).cells


def find_exclusions(
    prepared: PreparedText, exclusion_candidates: ExclusionCandidates, settings: ComparisonSettings
) -> ExcludedSentences:
    """Select the excluded sentences under the settings, with one reason each."""
    lengths = prepared.sentence_lengths
    quoted = are_quotations(exclusion_candidates.quoted_shares)
    holds = {
        ExclusionReason.LEFT_OUT: _left_out(prepared, exclusion_candidates, settings),
        ExclusionReason.QUOTATION: quoted & settings.exclude_quotations,
        ExclusionReason.REFERENCE: exclusion_candidates.referenced & settings.exclude_references,
        ExclusionReason.PROMPT: _in_prompt(len(lengths), exclusion_candidates.prompt, settings),
        ExclusionReason.COMMON: _common(len(lengths), exclusion_candidates.common, settings),
        ExclusionReason.NAME_LINE: exclusion_candidates.in_name_lines & settings.exclude_name_lines,
        ExclusionReason.SHORT: lengths < settings.minimum_units,
    }
    codes = _codes(holds)
    if not holds[ExclusionReason.QUOTATION].any():
        return ExcludedSentences(codes, lengths)
    other_codes = _codes(holds | {ExclusionReason.QUOTATION: np.zeros(len(lengths), np.bool_)})
    return ExcludedSentences(
        codes, lengths, ExcludedQuotations(other_codes, exclusion_candidates.quoted_shares)
    )


def _codes(holds: Mapping[ExclusionReason, BoolArray]) -> NDArray[np.int8]:
    """Return the code of the first reason that holds for each sentence, as in `ExcludedSentences`."""
    codes = np.select([holds[reason] for reason in ExclusionReason], range(1, len(holds) + 1))
    return codes.astype(np.int8)


def left_out_sentence(prepared_document: PreparedDocument, sentence: int) -> LeftOutSentence:
    """Return the value of `ComparisonSettings.left_out` that leaves out a sentence."""
    prepared = prepared_document.prepared
    text = prepared.sentence_span(sentence).of(prepared_document.document.text).strip()
    return LeftOutSentence(digest_of_units(prepared.units_of(sentence)), text)


def with_digests(candidates: ExclusionCandidates, prepared: PreparedText) -> ExclusionCandidates:
    """Keep the digests of a text, so that it may be changed afterwards."""
    return replace(candidates, digests=_digests(prepared))


def _left_out(
    prepared: PreparedText, candidates: ExclusionCandidates, settings: ComparisonSettings
) -> BoolArray:
    """Mark the sentences with the comparable text of one that is left out by hand."""
    if not settings.left_out:
        return np.zeros(prepared.sentence_count, np.bool_)
    digests = _digests(prepared) if candidates.digests is None else candidates.digests
    return np.isin(digests, [sentence.digest for sentence in settings.left_out])


# 6 microseconds a sentence, so only when something is left out, and then once a text
@weak_cache(weak=1, most=512)
def _digests(prepared: PreparedText) -> NDArray[np.str_]:
    return np.array(list(sentence_digests(prepared)), np.str_)


def _in_prompt(sentences: int, cells: Cells | None, settings: ComparisonSettings) -> BoolArray:
    """Mark the sentences that match one of the prompt under the same thresholds as any other pair."""
    found = np.zeros(sentences, np.bool_)
    if cells is not None and settings.prompt is not None:
        found[similar_cells(cells, settings).rows] = True
    return found


def _common(sentences: int, digests: NDArray[np.str_] | None, settings: ComparisonSettings) -> BoolArray:
    """Mark the sentences common to the class, but those that the teacher counts."""
    if digests is None or not settings.exclude_common:
        return np.zeros(sentences, np.bool_)
    return np.isin(digests, ["", *settings.counted_common], invert=True)


def referenced_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Mark the sentences in reference lists, whose blocks are marked on loading."""
    return in_blocks_of_kind(document, prepared, BlockKind.REFERENCE)
