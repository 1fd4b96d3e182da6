"""Data of a cohort: its documents, pairs, groups and decisions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

import numpy as np

from simcompare.cohort.groups import NO_GROUP, find_groups, groups_of_pairs
from simcompare.cohort.pair_scores import PairSummary
from simcompare.comparison.comparison_result import ExclusionCandidates
from simcompare.comparison.decided_shares import DecidedShares
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import hamming_distance_bits
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.session.passage_decisions import PassageDecisions
from simcompare.session.session_data import Pair
from simcompare.support.display_text import distinct_labels
from simcompare.support.percentages import percentage
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

_PAIR_SIDES = ("left", "right")
_UNKNOWN = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class CohortPair:
    """Two documents, by their indices in `Cohort.documents`, and the result of comparing them.

    summary: None if the comparison failed; `cause` then holds the reason (translated on display), or ""
    if unknown.
    review: a teacher's decisions, with the left document as the left side.
    group: number of the group (groups.py) in which the pair links the two, over all documents of the session.
    decided: shares after decisions; None if nothing was decided to be fine. parts: decisions on its passages,
    without notes; None if they are not known.
    """

    left: int
    right: int
    summary: PairSummary | None
    review: PairReview = NO_REVIEW
    cause: str = ""
    group: int = NO_GROUP
    decided: DecidedShares | None = None
    parts: PassageDecisions | None = None

    @property
    def shares(self) -> DecidedShares:
        """Shares after decisions, otherwise after exclusions; both None if they are unknown."""
        if self.decided is not None or self.summary is None:
            return self.decided or DecidedShares(None, None)
        return DecidedShares(*_shares_after_exclusions(self.summary))


@dataclass(frozen=True, slots=True, eq=False)
class UnreadDocument:
    """A file of the cohort that is not compared; without an error it has not been read yet."""

    path: Path
    error: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CohortDocuments:
    """Documents that can be compared, the reviews of their pairs, and the documents that cannot be compared.

    reviews: by indices in `prepared_documents`, lower index left. prompt: its sentences are excluded.
    """

    prepared_documents: tuple[PreparedDocument, ...]
    reviews: Mapping[Pair, PairReview]
    unread: tuple[UnreadDocument, ...] = ()
    prompt: PreparedText | None = None


@dataclass(frozen=True, eq=False)
class Cohort:
    """Everything from which tables and report bundles are made.

    pairs: in display order, all pairs or a selection.
    prompt: the text named by `settings.prompt`.
    groups: members of each group by index, group number 1 first; empty if the documents are a selection.
    limit: share from which pairs link documents in a group; None if no groups were searched.
    cohort_labels: labels of the files among all files of the session; empty if these are all.
    student_labels: as in `Comparison`, for each document; empty without students.
    exclusion_candidates: of each document if they cannot be derived from its text alone, as of a class with
    common text and of an anonymous cohort; otherwise empty.
    Equal cohorts give equal files, except for `made_at`.
    """

    documents: tuple[PreparedDocument, ...]
    pairs: tuple[CohortPair, ...]
    settings: ComparisonSettings
    thesaurus: Thesaurus | None
    made_at: datetime
    prompt: PreparedText | None = None
    unread: tuple[UnreadDocument, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    limit: float | None = None
    cohort_labels: tuple[str, ...] = ()
    student_labels: tuple[str, ...] = ()
    exclusion_candidates: tuple[ExclusionCandidates, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Label of each document: its file name, preceded by folders if ambiguous."""
        return self.cohort_labels or tuple(distinct_labels(self.paths))[: len(self.documents)]

    @property
    def paths(self) -> tuple[Path, ...]:
        """Paths of the documents, then of the unread ones."""
        read = (prepared_document.document.path for prepared_document in self.documents)
        return *read, *(document.path for document in self.unread)


def larger_share(pair: CohortPair) -> float | None:
    """Return the larger share after exclusions of a pair, before decisions, or None if unknown."""
    shares = () if pair.summary is None else _shares_after_exclusions(pair.summary)
    return max((share for share in shares if share is not None), default=None)


def known_shares(pair: CohortPair) -> list[float]:
    """Return the shares of a pair after decisions that are known."""
    shares = pair.shares.left_in_right, pair.shares.right_in_left
    return [share for share in shares if share is not None]


def _shares_after_exclusions(summary: PairSummary) -> tuple[float | None, float | None]:
    share = summary.share
    return share.left_in_right.after_exclusions, share.right_in_left.after_exclusions


def with_detected_groups(cohort: Cohort, limit: float) -> Cohort:
    """Detect the groups of a cohort that holds all documents; pairs that reach `limit` are links."""
    left, right = (np.array([getattr(pair, side) for pair in cohort.pairs], np.int64) for side in _PAIR_SIDES)
    shares = np.array([larger_share(pair) for pair in cohort.pairs], np.float64)
    groups = find_groups(left, right, shares, limit)
    numbers = groups_of_pairs(groups, left, right, shares, limit).tolist()
    pairs = tuple(replace(pair, group=number) for pair, number in zip(cohort.pairs, numbers, strict=True))
    return replace(cohort, pairs=pairs, groups=tuple(group.members for group in groups), limit=limit)


def without_notes(cohort: Cohort) -> Cohort:
    """Remove the notes from all reviews, keeping the decisions."""
    pairs = tuple(replace(pair, review=pair.review.without_notes) for pair in cohort.pairs)
    return replace(cohort, pairs=pairs)


def distance_bits(documents: tuple[PreparedDocument, ...], pair: CohortPair) -> int | None:
    """Return the number of bits in which two fingerprints differ, or None if their recipes differ.

    The recipes differ briefly in the window while all fingerprints are recomputed.
    """
    left, right = documents[pair.left].fingerprint, documents[pair.right].fingerprint
    return hamming_distance_bits(left, right) if left.recipe == right.recipe else None


def sorted_by_share(
    documents: tuple[PreparedDocument, ...], pairs: Iterable[CohortPair]
) -> tuple[CohortPair, ...]:
    """Sort pairs by descending net share; pairs that could not be compared come last.

    Sort keys: the larger net share, the smaller one, both as rounded in tables, then the number of bits in
    which the fingerprints differ.
    """

    def rank(pair: CohortPair) -> tuple[float, ...]:
        shares = _shares_after_exclusions(pair.summary) if pair.summary else (None, None)
        printed = sorted(_UNKNOWN if share is None else -percentage(share) for share in shares)
        bits = distance_bits(documents, pair)
        return pair.summary is None, *printed, _UNKNOWN if bits is None else bits, pair.left, pair.right

    return tuple(sorted(pairs, key=rank))
