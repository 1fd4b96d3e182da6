"""The values a comparison is made of: scored cells, matches, and the comparison itself."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import hamming_distance_bits
from simcompare.model.document import Span
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import distinct_labels

Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]
HeatArray = NDArray[np.uint8]
BoolArray = NDArray[np.bool_]
HEAT_SCALE = 255
"""The heat of P = 1; heat is for the eye alone, judgements use the exact ratio."""


class MatchKind(IntEnum):
    """How two sentences are similar. The order is that of their strength."""

    SYNONYM = 0
    EDITED = 1
    EXACT = 2

    @property
    def word(self) -> str:
        """The stable machine word, as in JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of the matrix that a threshold could reach, in columns of equal length, row by row.

    rows, columns: sentence indices left and right; lcs: units in common in order;
    p: P = LCS / max(Num), exact (formula 7); w: formula 9, the same measure over words and their synonyms.
    """

    rows: Int32Array
    columns: Int32Array
    lcs: Int32Array
    p: Float64Array
    w: Float64Array

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, chosen: NDArray[np.intp]) -> "Cells":
        """Return the cells of these indices, which are in order; where they are all, the cells themselves."""
        if len(chosen) == len(self):
            return self
        return Cells(
            self.rows[chosen], self.columns[chosen], self.lcs[chosen], self.p[chosen], self.w[chosen]
        )


@dataclass(frozen=True, slots=True, eq=False)
class RowBlock:
    """The scores of some consecutive rows: heat of every cell, and the cells a threshold could reach.

    heat has shape (len(rows), right sentences).
    """

    rows: range
    heat: HeatArray
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonMatrix:
    """P of every sentence pair, for the eye, and the cells a threshold could reach, exactly.

    heat has shape (left sentences, right sentences), P scaled to 0..HEAT_SCALE.
    """

    heat: HeatArray
    cells: Cells

    @property
    def shape(self) -> tuple[int, int]:
        """(left sentences, right sentences)."""
        return self.heat.shape[0], self.heat.shape[1]


@dataclass(frozen=True, slots=True)
class Match:
    """Two sentences judged similar. `w` is None where P alone decided."""

    left: int
    right: int
    kind: MatchKind
    lcs: int
    p: float
    w: float | None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two sentences that were not judged similar, with the numbers that say so."""

    left: int
    right: int
    lcs: int
    p: float
    w: float


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """All sentence pairs judged similar, in reading order of the left text, then of the right.

    Pairs with an excluded sentence are not among them.

    kinds holds MatchKind values; best_of_left and best_of_right give for each sentence the index of its
    best (primary) match, or -1.
    """

    cells: Cells
    kinds: NDArray[np.int8]
    best_of_left: Int32Array
    best_of_right: Int32Array

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, index: int) -> Match:
        kind = MatchKind(int(self.kinds[index]))
        cells = self.cells
        return Match(
            int(cells.rows[index]),
            int(cells.columns[index]),
            kind,
            int(cells.lcs[index]),
            float(cells.p[index]),
            float(cells.w[index]) if kind is MatchKind.SYNONYM else None,
        )

    def index_of(self, left: int, right: int) -> int | None:
        """Return the index of the match between two sentences, or None."""
        index = self.count_before(left, right)
        if index == len(self) or (self.cells.rows[index], self.cells.columns[index]) != (left, right):
            return None
        return index

    def count_before(self, left: int, right: int) -> int:
        """Return how many matches come before a cell in reading order."""
        row = self._of_row(left)
        return row.start + int(np.searchsorted(self.cells.columns[row.start : row.stop], right))

    def _of_row(self, left: int) -> range:
        # the key must be of the type of the column, or numpy would convert all of it first
        first, stop = np.searchsorted(self.cells.rows, np.array([left, left + 1], self.cells.rows.dtype))
        return range(int(first), int(stop))

    def of_left(self, sentence: int) -> list[int]:
        """Return the indices of the matches of a sentence of the left text."""
        return list(self._of_row(sentence))

    def of_right(self, sentence: int) -> list[int]:
        """Return the indices of the matches of a sentence of the right text."""
        return [int(i) for i in np.flatnonzero(self.cells.columns == sentence)]


@dataclass(frozen=True, slots=True, order=True)
class Passage:
    """A stretch of the left text that is found again in the right one."""

    left: Span
    right: Span


@dataclass(frozen=True, slots=True)
class Similarity:
    """Similar(D1 (x) D2) both ways (formula 4), shares in [0, 1]; nothing is excluded."""

    left_in_right: float
    right_in_left: float


@dataclass(frozen=True, slots=True)
class NetSimilarity:
    """The same over the sentences that are not excluded; None where all of a text is."""

    left_in_right: float | None
    right_in_left: float | None


class ExclusionReason(StrEnum):
    """Why a sentence is left out of the comparison. Where several hold, the first is given."""

    QUOTATION = "quotation"
    REFERENCE = "reference"
    PROMPT = "prompt"
    NAME_LINE = "name_line"
    SHORT = "short"


_REASONS = tuple(ExclusionReason)


@dataclass(frozen=True, slots=True)
class ExclusionCount:
    """How much of a text one reason excludes."""

    sentences: int
    units: int


@dataclass(frozen=True, slots=True, eq=False)
class ExclusionCandidates:
    """What may speak for excluding the sentences of a text; the settings decide whether it does.

    quoted, referenced   (s,) whether a sentence is a quotation, whether it stands in a reference list
    naming               (s,) whether it stands in a line that only names the writer, the class, the date …
    prompt               the cells between the sentences and those of the prompt, None without a prompt
    """

    quoted: BoolArray
    referenced: BoolArray
    in_name_lines: BoolArray
    prompt: Cells | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ExcludedSentences:
    """Which sentences of a text are excluded, and why.

    codes    (s,) 0 where a sentence counts, else 1 + the place of its reason in ExclusionReason
    lengths  (s,) units of each sentence
    """

    codes: NDArray[np.int8]
    lengths: Int32Array

    @property
    def kept(self) -> BoolArray:
        """Whether each sentence counts, shape (s,)."""
        kept: BoolArray = self.codes == 0
        return kept

    def reuse_if_equal(self, other: "ExcludedSentences") -> "ExcludedSentences":
        """Return these where the others, of the same text, are the same; else the others."""
        return self if np.array_equal(self.codes, other.codes) else other

    def sentences(self) -> list[tuple[int, ExclusionReason]]:
        """Return the excluded sentences in order, each with its reason."""
        found = np.flatnonzero(self.codes)
        return [(int(i), _REASONS[code - 1]) for i, code in zip(found, self.codes[found], strict=True)]

    def reason(self, sentence: int) -> ExclusionReason | None:
        """Return why a sentence is excluded, None where it counts."""
        code = int(self.codes[sentence])
        return _REASONS[code - 1] if code else None

    def count(self, reason: ExclusionReason) -> ExclusionCount:
        """Return how much one reason excludes."""
        mine = self.codes == _REASONS.index(reason) + 1
        return ExclusionCount(int(mine.sum()), int(self.lengths[mine].sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two subjects, the matrix between them, and what the settings make of it.

    left_excluded and right_excluded say which sentences count; `exclusion_candidates`, left and right, is what that is
    judged by, also when the settings change. `passages` are those of `detected_passages` that count, or the stretches
    of matched sentences where `detected_passages` is None. `cohort_labels` is what the two are called among others that they
    were compared with; None where there are no others.
    """

    left: PreparedDocument
    right: PreparedDocument
    settings: ComparisonSettings
    matrix: ComparisonMatrix
    matches: Matches
    passages: tuple[Passage, ...]
    similarity: Similarity
    net_similarity: NetSimilarity
    left_excluded: ExcludedSentences
    right_excluded: ExcludedSentences
    exclusion_candidates: tuple[ExclusionCandidates, ExclusionCandidates]
    detected_passages: tuple[Passage, ...] | None = None
    cohort_labels: tuple[str, str] | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called: their file names, with folders before them where others have these too."""
        if self.cohort_labels is not None:
            return self.cohort_labels
        left, right = distinct_labels([self.left.document.path, self.right.document.path])
        return left, right

    @property
    def excluded(self) -> tuple[ExcludedSentences, ExcludedSentences]:
        """Which sentences count, left and right."""
        return self.left_excluded, self.right_excluded

    @property
    def hamming_distance_bits(self) -> int:
        """Bits in which the two fingerprints differ."""
        return hamming_distance_bits(self.left.fingerprint, self.right.fingerprint)

    def left_span(self, match: Match | NearMiss) -> Span:
        """Return where the left sentence of a match stands in the left text."""
        return self.left.prepared.sentence_span(match.left)

    def right_span(self, match: Match | NearMiss) -> Span:
        """Return where the right sentence of a match stands in the right text."""
        return self.right.prepared.sentence_span(match.right)


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the two sentences of a match share, for display.

    common: pairs of spans (left, right) of equal text, in order, as runs of units.
    synonyms: pairs of spans (left, right) of words that pair off in the thesaurus.
    common_words, synonym_words, left_words, right_words: the numbers of formula 9.
    """

    common: tuple[tuple[Span, Span], ...]
    synonyms: tuple[tuple[Span, Span], ...]
    common_words: int
    left_words: int
    right_words: int

    @property
    def synonym_words(self) -> int:
        """Words that pair off as synonyms: similarWord of formula 9."""
        return len(self.synonyms)
