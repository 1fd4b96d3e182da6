"""Scores of a pair within a cohort, and their classification without scoring again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.compare_documents import passages_and_shares
from simcompare.comparison.comparison_result import (
    Cells,
    ExcludedSentences,
    ExclusionCandidates,
    PairShares,
    Passage,
)
from simcompare.comparison.exclusions.excluded_sentences import (
    find_exclusion_candidates,
    find_exclusions,
)
from simcompare.comparison.matrix.classification import similar_cells, without_excluded
from simcompare.comparison.matrix.comparison_matrix import assemble, make_matrix_input, row_blocks, score_rows
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.sentence_terms import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import CountedText, left_spans, right_spans
from simcompare.model.errors import LexiconError
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus


def load_thesaurus_or_none(source: str) -> Thesaurus | None:
    """Load the thesaurus that the settings name, or return None if it cannot be read."""
    try:
        return load_thesaurus(source)
    except LexiconError:
        return None


_NOTHING = np.zeros(0, np.int32)
_NO_CELLS = Cells(_NOTHING, _NOTHING, _NOTHING, np.zeros(0), np.zeros(0))
"""Shared by all pairs without a cell, which most pairs of a class are."""


class PairText:
    """A text and the terms needed for scoring, computed once for all its pairs."""

    def __init__(self, prepared: PreparedText) -> None:
        self.prepared = prepared

    @cached_property
    def terms(self) -> SentenceTerms:
        """Terms of its sentences, for passage detection."""
        return sentence_terms(self.prepared)


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """Scores of two texts before classification by thresholds, without the heat of their matrix.

    cells: those that some threshold could accept; detected_passages: None if passages are made of matched
    sentences only.

    Takes 0.1 kB without cells and passages, otherwise about 1.2 kB, 28 bytes a cell and 0.3 kB a passage:
    for essays on one topic 0.5 kB on average, for the 44,850 pairs of 300 documents 22 MB.
    """

    cells: Cells
    detected_passages: tuple[Passage, ...] | None


@dataclass(frozen=True, slots=True)
class PairSummary:
    """Figures of a pair in the list of pairs, equal to those of the pair's `Comparison`.

    longest_passage_units: units that count in the longest passage or matched sentence, on the side where it
    has fewer.
    """

    share: PairShares
    sentence_share: PairShares
    longest_passage_units: int
    matches: int


def score_pair(
    left: PairText, right: PairText, settings: ComparisonSettings, thesaurus: Thesaurus | None
) -> PairScores:
    """Score two texts; of the settings only `passages` is used."""
    matrix_input = make_matrix_input(left.prepared, right.prepared, thesaurus)
    matrix = assemble(matrix_input.shape, map(partial(score_rows, matrix_input), row_blocks(matrix_input)))
    cells = matrix.cells if len(matrix.cells) else _NO_CELLS
    if settings.passages is None:
        return PairScores(cells, None)
    return PairScores(cells, find_passages(left.terms, right.terms, settings.passages))


class ExclusionCandidateCache:
    """Cache of the exclusion candidates of each text, computed on first access.

    Valid for one prompt, one thesaurus (by its name in the settings), which is loaded when a prompt first
    needs it, and one common text of the class: `ExclusionCandidates.common` of each text. Thread-safe.
    """

    def __init__(
        self,
        prompt: PreparedText | None,
        thesaurus: str,
        common: Mapping[PreparedText, NDArray[np.str_]] = MappingProxyType({}),
    ) -> None:
        self.prompt = prompt
        self.thesaurus = thesaurus
        self.common = common
        self._found: dict[PreparedText, ExclusionCandidates] = {}

    def of(self, prepared_document: PreparedDocument) -> ExclusionCandidates:
        """Return the exclusion candidates of a text."""
        found = self._found.get(prepared_document.prepared)
        if found is None:
            thesaurus = load_thesaurus_or_none(self.thesaurus) if self.prompt is not None else None
            found = find_exclusion_candidates(
                prepared_document, self.prompt, thesaurus, self.common.get(prepared_document.prepared)
            )
            self._found[prepared_document.prepared] = found
        return found


class PairClassifier:
    """Classifies scored pairs under one set of settings; exclusions of a text are computed once."""

    def __init__(self, settings: ComparisonSettings, exclusion_candidates: ExclusionCandidateCache) -> None:
        self.settings = settings
        self.exclusion_candidates = exclusion_candidates
        self._counted_texts: dict[PreparedText, CountedText] = {}

    def classify(self, left: PreparedDocument, right: PreparedDocument, scores: PairScores) -> PairSummary:
        """Compute the figures of a pair."""
        counted = self._counted(left), self._counted(right)
        excluded = counted[0].excluded, counted[1].excluded
        similar = similar_cells(scores.cells, self.settings)
        kept = without_excluded(similar, *excluded)
        found = passages_and_shares(similar, kept, scores.detected_passages, *counted, self.settings.passages)
        passages, share, sentence_share = found
        longest = max(_longest_sentence(kept, *excluded), _longest_passage(passages, *counted))
        return PairSummary(share, sentence_share, longest, len(kept))

    def _counted(self, prepared_document: PreparedDocument) -> CountedText:
        text = prepared_document.prepared
        counted = self._counted_texts.get(text)
        if counted is None:
            candidates = self.exclusion_candidates.of(prepared_document)
            counted = CountedText(text, find_exclusions(text, candidates, self.settings))
            self._counted_texts[text] = counted
        return counted


def _longest_sentence(kept: Cells, left: ExcludedSentences, right: ExcludedSentences) -> int:
    lengths = np.minimum(left.lengths[kept.rows], right.lengths[kept.columns])
    return int(lengths.max(initial=0))


def _longest_passage(passages: Sequence[Passage], left: CountedText, right: CountedText) -> int:
    if not passages:
        return 0
    on_left = left.counting_units_in(left_spans(passages))
    return int(np.minimum(on_left, right.counting_units_in(right_spans(passages))).max())
