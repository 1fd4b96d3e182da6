"""Full comparison of one text with several others."""

from functools import partial

from simcompare.cohort.pair_scores import PairText
from simcompare.comparison.compare_documents import build_comparison
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates
from simcompare.comparison.matrix.comparison_matrix import (
    assemble,
    numbered_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.matrix.text_numbering import TextNumbering
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import Thesaurus


class TextComparer:
    """Compares a text with others, with the results of `compare`.

    What the comparisons need of the text alone is computed once, which is half of their time.
    """

    def __init__(
        self, text: PreparedDocument, settings: ComparisonSettings, thesaurus: Thesaurus | None
    ) -> None:
        self._text = text
        self._settings = settings
        self._numbering = TextNumbering(thesaurus)
        self._side = PairText(text.prepared, self._numbering)
        self._exclusion_candidates = find_exclusion_candidates(text)

    def compare(self, other: PreparedDocument) -> Comparison:
        """Compare the text, on the left, with another one."""
        side = PairText(other.prepared, self._numbering)
        matrix_input = numbered_matrix_input(self._side.numbered, side.numbered)
        blocks = map(partial(score_rows, matrix_input), row_blocks(matrix_input))
        passages = self._settings.passages
        return build_comparison(
            self._text,
            other,
            self._settings,
            assemble(matrix_input.shape, blocks),
            (self._exclusion_candidates, find_exclusion_candidates(other)),
            None if passages is None else find_passages(self._side.terms, side.terms, passages),
        )
