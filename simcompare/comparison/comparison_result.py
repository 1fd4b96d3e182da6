"""Data types of a comparison: scored cells, matches, passages, exclusions, and the comparison itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import hamming_distance_bits
from simcompare.model.document import Span
from simcompare.model.settings import ComparisonSettings
from simcompare.support.arrays import BoolArray, Float64Array, IndexArray, Int32Array
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import is_compared_by_meaning

HeatArray = NDArray[np.uint8]
HEAT_SCALE = 255
"""Heat of P = 1. Heat is for display only; classification uses the exact ratio."""


class MatchKind(IntEnum):
    """Kind of similarity of two sentences, in ascending strength."""

    SYNONYM = 0
    EDITED = 1
    EXACT = 2

    @property
    def word(self) -> str:
        """Stable machine word, as in JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Matrix cells that some threshold could accept, as columns of equal length, sorted by row, then column.

    rows, columns: sentence indices left and right; lcs: length of the longest common subsequence in units;
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
        """Select cells by ascending indices; returns the object itself if all are selected."""
        if len(chosen) == len(self):
            return self
        return Cells(
            self.rows[chosen], self.columns[chosen], self.lcs[chosen], self.p[chosen], self.w[chosen]
        )


@dataclass(frozen=True, slots=True, eq=False)
class RowBlock:
    """Scores of consecutive rows: the heat of every cell, and the cells that some threshold could accept.

    heat has shape (len(rows), right sentences).
    """

    rows: range
    heat: HeatArray
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonMatrix:
    """P of every sentence pair as heat, and the exact values of the cells that some threshold could accept.

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
    """Two similar sentences. `w` is None if P alone decided."""

    left: int
    right: int
    kind: MatchKind
    lcs: int
    p: float
    w: float | None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two sentences that are not similar, with their scores."""

    left: int
    right: int
    lcs: int
    p: float
    w: float


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """All pairs of similar sentences, sorted by left, then right sentence; no pair has an excluded sentence.

    kinds holds MatchKind values. best_of_left and best_of_right hold for each sentence the index of its
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
        """Count the matches before a cell in reading order."""
        row = self._of_row(left)
        return row.start + int(np.searchsorted(self.cells.columns[row.start : row.stop], right))

    def _of_row(self, left: int) -> range:
        # the key has the dtype of the column; otherwise numpy would convert the whole column first
        first, stop = np.searchsorted(self.cells.rows, np.array([left, left + 1], self.cells.rows.dtype))
        return range(int(first), int(stop))

    def of_left(self, sentence: int) -> list[int]:
        return list(self._of_row(sentence))

    def of_right(self, sentence: int) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.cells.columns == sentence)]


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a text's units in [0, 1], of all units and of those that count.

    after_exclusions is None if no unit counts.
    """

    raw: float
    after_exclusions: float | None


BothShares = tuple[float | None, float | None]
"""Share of the units that count, of the left and of the right text; None if no unit counts."""


@dataclass(frozen=True, slots=True)
class PairShares:
    """Share of the left text that is in the right text too, and the reverse."""

    left_in_right: Share
    right_in_left: Share

    @property
    def mirrored(self) -> "PairShares":
        """The same shares with left and right exchanged."""
        return PairShares(self.right_in_left, self.left_in_right)


class ExclusionReason(StrEnum):
    """Reason to exclude a sentence; if several apply, the first one in this order is recorded."""

    LEFT_OUT = "left_out"
    QUOTATION = "quotation"
    REFERENCE = "reference"
    PROMPT = "prompt"
    COMMON = "common"
    NAME_LINE = "name_line"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """The settings that an exclusion depends on, and what is said of it; texts are marked with N_.

    name: of a sentence; step: of undo; entry: of the menu; listed: in reports, if a setting alone switches
    it. is_shared: the writer has the sentence from somewhere else, or has filled in a form.
    """

    settings: tuple[str, ...]
    name: str
    step: str
    entry: str = ""
    listed: str = ""
    is_shared: bool = False


EXCLUSIONS: Mapping[ExclusionReason, Exclusion] = {
    ExclusionReason.LEFT_OUT: Exclusion(
        ("left_out",), N_("left out by hand"), N_("leaving sentences out"), is_shared=True
    ),
    ExclusionReason.QUOTATION: Exclusion(
        ("exclude_quotations",),
        N_("quotation"),
        N_("excluding quotations"),
        N_("Quotations"),
        N_("quotations"),
    ),
    ExclusionReason.REFERENCE: Exclusion(
        ("exclude_references",),
        N_("reference list"),
        N_("excluding the reference list"),
        N_("Reference list"),
        N_("reference lists"),
    ),
    ExclusionReason.PROMPT: Exclusion(
        ("prompt",), N_("prompt or template"), N_("excluding the prompt"), is_shared=True
    ),
    ExclusionReason.COMMON: Exclusion(
        ("exclude_common", "common_share", "counted_common"),
        N_("common text"),
        N_("excluding common text"),
        N_("Common text: task, cover, declaration"),
        is_shared=True,
    ),
    ExclusionReason.NAME_LINE: Exclusion(
        ("exclude_name_lines",),
        N_("title or name line"),
        N_("excluding title and name lines"),
        N_("Title, name, class and date lines"),
        N_("lines with only a title, name, class or date"),
        is_shared=True,
    ),
    ExclusionReason.SHORT: Exclusion(
        ("minimum_units",), N_("short sentence"), N_("excluding short sentences"), N_("Short sentences")
    ),
}
SWITCHES = {reason: each.settings[0] for reason, each in EXCLUSIONS.items() if each.listed}
"""The settings that alone switch an exclusion, in the order of menu and reports."""
NO_EXCLUSIONS: Mapping[str, Any] = {**dict.fromkeys(SWITCHES.values(), False), "minimum_units": 0}
"""Settings under which all sentences count."""
_REASONS = tuple(ExclusionReason)
_CODE_OF_QUOTATIONS = _REASONS.index(ExclusionReason.QUOTATION) + 1
_EXCLUDED_OF_COUNTED_PAIRS = ({None}, {None, ExclusionReason.QUOTATION})


QUOTED_SHARE = 0.8
"""Minimum quoted share of the units of a quotation; a text with this share quoted has no quotations."""


def pair_counts(left: ExclusionReason | None, right: ExclusionReason | None) -> bool:
    """Return whether a pair of sentences counts, given why either is excluded.

    It counts if neither is, or if one is taken from a quotation without being marked as one itself.
    """
    return {left, right} in _EXCLUDED_OF_COUNTED_PAIRS


@dataclass(frozen=True, slots=True)
class ExclusionCount:
    sentences: int
    units: int


@dataclass(frozen=True, slots=True, eq=False)
class ExclusionCandidates:
    """Sentences of a text that could be excluded, independent of settings.

    quoted         (u,) unit is in quotation marks or in a block set as a quotation
    quoted_shares  (s,) share of the sentence that is a quotation
    marked         (s,) for each of SWITCHES, sentence could be excluded for this reason
    prompt         cells between the sentences and those of the prompt; None without a prompt
    common         (s,) digest of the sentence common to the class that each one is, "" if none; None without
                   a class
    digests        (s,) digests of the sentences for those left out by hand; None: those of the text itself
    """

    quoted: BoolArray
    quoted_shares: Float64Array
    marked: Mapping[ExclusionReason, BoolArray]
    prompt: Cells | None = None
    common: NDArray[np.str_] | None = None
    digests: NDArray[np.str_] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ExcludedQuotations:
    """What decides whether an excluded quotation counts after all, and a passage inside one does not.

    other_codes    (s,) `ExcludedSentences.codes` if quotations were no reason
    quoted, quoted_shares   as of `ExclusionCandidates`
    """

    other_codes: NDArray[np.int8]
    quoted: BoolArray
    quoted_shares: Float64Array


@dataclass(frozen=True, eq=False)
class ExcludedSentences:
    """Excluded sentences of a text and their reasons.

    codes    (s,) 0 for a sentence that counts, otherwise 1 + the index of its reason in ExclusionReason
    lengths  (s,) units of each sentence
    quotations   what else is known of quotations, if there are any that may be excluded
    """

    codes: NDArray[np.int8]
    lengths: Int32Array
    quotations: ExcludedQuotations | None = None

    @cached_property
    def kept(self) -> BoolArray:
        """Mask of the sentences that count, shape (s,)."""
        kept: BoolArray = self.codes == 0
        return kept

    @cached_property
    def quoted_before(self) -> Int32Array:
        """Quoted units before each unit and in all, shape (u + 1,), as of `quoted_units`."""
        if self.quotations is None:
            return np.zeros(self.lengths.sum() + 1, np.int32)
        quoted = self.quotations.quoted & np.repeat(self.quoted_units > 0, self.lengths)
        return np.concatenate([[0], np.cumsum(quoted)]).astype(np.int32)

    @cached_property
    def quoted_units(self) -> Int32Array:
        """Quoted units of each sentence, shape (s,), none of copied quotations that count."""
        if self.quotations is None:
            return np.zeros_like(self.lengths)
        shares = self.quotations.quoted_shares
        is_copied = self.kept & (shares >= QUOTED_SHARE)
        return np.where(is_copied, 0, np.rint(shares * self.lengths)).astype(np.int32)

    @cached_property
    def quoted(self) -> BoolArray:
        """Mask of the sentences that are excluded as quotations, shape (s,)."""
        quoted: BoolArray = self.codes == _CODE_OF_QUOTATIONS
        return quoted

    def without_quotations(self, counting: BoolArray) -> "ExcludedSentences":
        """Return the exclusions in which some quotations, given by a mask, are none."""
        if self.quotations is None:
            return self
        codes = np.where(counting & self.quoted, self.quotations.other_codes, self.codes)
        return replace(self, codes=codes.astype(np.int8))

    @cached_property
    def shared_text(self) -> BoolArray:
        """Mask of the sentences that both texts have from somewhere else, such as a prompt, shape (s,)."""
        codes = [code for code, reason in enumerate(_REASONS, 1) if EXCLUSIONS[reason].is_shared]
        return np.isin(self.codes, codes)

    def marked_in(self, ranges: IndexArray) -> BoolArray:
        """Return whether ranges of sentences, shape (n, 2), have `kept`, `quoted`, `shared_text`: (3, n)."""
        found: BoolArray = self._marked_before[:, ranges[:, 1]] > self._marked_before[:, ranges[:, 0]]
        return found

    @cached_property
    def _marked_before(self) -> IndexArray:
        marks = np.stack([self.kept, self.quoted, self.shared_text])
        return np.insert(np.cumsum(marks, axis=1), 0, 0, axis=1)

    def sentences(self) -> list[tuple[int, ExclusionReason]]:
        """List the excluded sentences in order, each with its reason."""
        found = np.flatnonzero(self.codes)
        return [(int(i), _REASONS[code - 1]) for i, code in zip(found, self.codes[found], strict=True)]

    def reason(self, sentence: int) -> ExclusionReason | None:
        """Return the reason why a sentence is excluded, or None if it counts."""
        code = int(self.codes[sentence])
        return _REASONS[code - 1] if code else None

    def count(self, reason: ExclusionReason) -> ExclusionCount:
        """Count the sentences and units that one reason excludes."""
        return self._counts[_REASONS.index(reason)]

    @cached_property
    def _counts(self) -> list[ExclusionCount]:
        codes = range(1, len(_REASONS) + 1)
        sentences, units = (
            np.bincount(self.codes, weights, minlength=len(_REASONS) + 1) for weights in (None, self.lengths)
        )
        return [ExclusionCount(int(sentences[code]), int(units[code])) for code in codes]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Comparison:
    """Two prepared documents, their comparison matrix, and its classification under the settings.

    left_excluded, right_excluded: which sentences count; derived from `exclusion_candidates` (left, right)
    and the settings.
    passages: those `detected_passages` that count, or sections of matched sentences if that is None.
    share: units in matched sentences or detected passages; sentence_share: in matched sentences alone.
    cohort_labels: labels of the two files within a cohort; None for a single comparison.
    student_labels: labels of the students, or of files whose student is unknown; None without a class.
    copying: whether each text may have the other as a source: not earlier work, nor two essays of a class.
    """

    left: PreparedDocument
    right: PreparedDocument
    settings: ComparisonSettings
    matrix: ComparisonMatrix
    matches: Matches
    passages: Passages
    share: PairShares
    sentence_share: PairShares
    left_excluded: ExcludedSentences
    right_excluded: ExcludedSentences
    exclusion_candidates: tuple[ExclusionCandidates, ExclusionCandidates]
    detected_passages: Passages | None = None
    cohort_labels: tuple[str, str] | None = None
    student_labels: tuple[str, str] | None = None
    copying: tuple[bool, bool] = (True, True)

    @property
    def names(self) -> tuple[str, str]:
        """Labels of the two documents: their students where known, otherwise their files."""
        return self.student_labels or self.file_labels

    @property
    def file_labels(self) -> tuple[str, str]:
        """Names of the two files, preceded by folders if ambiguous."""
        if self.cohort_labels is not None:
            return self.cohort_labels
        left, right = distinct_labels([self.left.document.path, self.right.document.path])
        return left, right

    @property
    def excluded(self) -> tuple[ExcludedSentences, ExcludedSentences]:
        """Excluded sentences of the left and the right text."""
        return self.left_excluded, self.right_excluded

    @property
    def by_meaning(self) -> bool:
        """Whether possibly rewritten passages were searched."""
        return is_compared_by_meaning(self.left.prepared, self.right.prepared, self.settings.meaning)

    @property
    def hamming_distance_bits(self) -> int:
        """Number of bits in which the two fingerprints differ."""
        return hamming_distance_bits(self.left.fingerprint, self.right.fingerprint)

    def left_span(self, match: Match | NearMiss) -> Span:
        return self.left.prepared.sentence_span(match.left)

    def right_span(self, match: Match | NearMiss) -> Span:
        return self.right.prepared.sentence_span(match.right)


@dataclass(frozen=True, slots=True)
class Alignment:
    """Common parts of the two sentences of a match, for display.

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
        """Number of words that pair off as synonyms: similarWord of formula 9."""
        return len(self.synonyms)
