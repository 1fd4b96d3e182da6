"""Every two of many texts: what is kept of a pair, and how it is judged again without being scored again."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from simcompare.comparison.comparison_result import (
    Cells,
    ExcludedSentences,
    ExclusionCandidates,
    NetSimilarity,
    Passage,
    Similarity,
)
from simcompare.comparison.exclusions.excluded_sentences import (
    counted_passages,
    find_exclusion_candidates,
    find_exclusions,
)
from simcompare.comparison.matrix.classification import (
    net_similarity,
    similar_cells,
    similarity,
    without_excluded,
)
from simcompare.comparison.matrix.comparison_matrix import assemble, make_matrix_input, row_blocks, score_rows
from simcompare.comparison.passages.passage_detection import find_passages, passages_of_matches
from simcompare.comparison.passages.sentence_terms import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Span
from simcompare.model.errors import LexiconError
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus


def load_thesaurus_or_none(source: str) -> Thesaurus | None:
    """Return the thesaurus that settings name; None where it cannot be read, as Compare does without it."""
    try:
        return load_thesaurus(source)
    except LexiconError:
        return None


_NOTHING = np.zeros(0, np.int32)
_NO_CELLS = Cells(_NOTHING, _NOTHING, _NOTHING, np.zeros(0), np.zeros(0))
"""Shared by all pairs without a cell, which most pairs of a class are."""


class PairText:
    """A text and what scoring needs of it, found once for all its pairs."""

    def __init__(self, prepared: PreparedText) -> None:
        self.prepared = prepared

    @cached_property
    def terms(self) -> SentenceTerms:
        """For finding passages."""
        return sentence_terms(self.prepared)


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What two texts have in common before any threshold judges it; the heat of their matrix is not kept.

    cells: those a threshold could reach, grown: the passages, None where matched sentences alone make them.

    Takes 0.1 kB where there is neither, else about 1.2 kB, 28 bytes a cell and 0.3 kB a passage: of essays on
    one topic 0.5 kB on average, for the 44,850 pairs of 300 documents 22 MB.
    """

    cells: Cells
    detected_passages: tuple[Passage, ...] | None


@dataclass(frozen=True, slots=True)
class PairSummary:
    """What a list of pairs shows of one. Figures are those of the pair's `Comparison`.

    longest_passage_units: units of the longest passage or matched sentence that counts, on that side where
    they are fewer.
    """

    similarity: Similarity
    net_similarity: NetSimilarity
    longest_passage_units: int
    matches: int


def score_pair(
    left: PairText, right: PairText, settings: ComparisonSettings, thesaurus: Thesaurus | None
) -> PairScores:
    """Score two texts; of the settings only `passages` matters."""
    matrix_input = make_matrix_input(left.prepared, right.prepared, thesaurus)
    matrix = assemble(matrix_input.shape, map(partial(score_rows, matrix_input), row_blocks(matrix_input)))
    cells = matrix.cells if len(matrix.cells) else _NO_CELLS
    if settings.passages is None:
        return PairScores(cells, None)
    return PairScores(cells, find_passages(left.terms, right.terms, settings.passages))


class ExclusionCandidateCache:
    """What may speak for excluding sentences of each text, found when first asked for.

    It stays good while the prompt does and the thesaurus that `thesaurus` names, as settings name it; that is
    read when a prompt first needs it. Several threads may ask at once.
    """

    def __init__(self, prompt: PreparedText | None, thesaurus: str) -> None:
        self.prompt = prompt
        self.thesaurus = thesaurus
        self._found: dict[PreparedText, ExclusionCandidates] = {}

    def of(self, prepared_document: PreparedDocument) -> ExclusionCandidates:
        """Return the grounds of a text."""
        found = self._found.get(prepared_document.prepared)
        if found is None:
            thesaurus = load_thesaurus_or_none(self.thesaurus) if self.prompt is not None else None
            found = find_exclusion_candidates(prepared_document, self.prompt, thesaurus)
            self._found[prepared_document.prepared] = found
        return found


class PairClassifier:
    """Judges scored pairs by one set of settings; what is excluded of a text is found once."""

    def __init__(self, settings: ComparisonSettings, exclusion_candidates: ExclusionCandidateCache) -> None:
        self.settings = settings
        self.exclusion_candidates = exclusion_candidates
        self._excluded: dict[PreparedText, ExcludedSentences] = {}

    def classify(self, left: PreparedDocument, right: PreparedDocument, scores: PairScores) -> PairSummary:
        """Return the figures of a pair."""
        excluded = self._excluded_of(left), self._excluded_of(right)
        similar = similar_cells(scores.cells, self.settings)
        kept = without_excluded(similar, *excluded)
        if scores.detected_passages is None:
            passages = passages_of_matches(kept, left.prepared, right.prepared)
        else:
            sides = (left.prepared, excluded[0]), (right.prepared, excluded[1])
            passages = counted_passages(scores.detected_passages, *sides)
        return PairSummary(
            similarity(similar, *excluded),
            net_similarity(kept, *excluded),
            max(
                _longest_sentence(kept, left.prepared, right.prepared),
                *(_units_of(passage, left.prepared, right.prepared) for passage in passages),
                0,
            ),
            len(kept),
        )

    def _excluded_of(self, prepared_document: PreparedDocument) -> ExcludedSentences:
        excluded = self._excluded.get(prepared_document.prepared)
        if excluded is None:
            excluded = find_exclusions(
                prepared_document.prepared, self.exclusion_candidates.of(prepared_document), self.settings
            )
            self._excluded[prepared_document.prepared] = excluded
        return excluded


def _longest_sentence(kept: Cells, left: PreparedText, right: PreparedText) -> int:
    lengths = np.minimum(left.sentence_lengths[kept.rows], right.sentence_lengths[kept.columns])
    return int(lengths.max(initial=0))


def _units_of(passage: Passage, left: PreparedText, right: PreparedText) -> int:
    return min(_units_in(left, passage.left), _units_in(right, passage.right))


def _units_in(text: PreparedText, span: Span) -> int:
    first, stop = np.searchsorted(text.unit_spans[:, 0], [span.start, span.end])
    return int(stop - first)
