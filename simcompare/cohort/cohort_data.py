"""A cohort: many documents, and what is known of each two of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from simcompare.cohort.groups import MINIMUM_GROUP_SHARE, find_groups
from simcompare.cohort.pair_scores import PairSummary
from simcompare.comparison.comparison_result import ExclusionCandidates
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.fingerprint_value import hamming_distance_bits
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NO_REVIEW, PairReview
from simcompare.session.session_data import Pair
from simcompare.support.display_text import distinct_labels, percentage
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

_SIDES = ("left", "right")
_UNKNOWN = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class CohortPair:
    """Two documents by their places in `Cohort.documents`, and what is known of them.

    summary: None where they could not be compared; `cause` then says why, empty where nobody knows. It is
    translated when it is shown.
    review: what a teacher made of the two, seen from the left one.
    group: that of all documents there are to which both belong, by its number (comparison/groups.py), or 0.
    """

    left: int
    right: int
    summary: PairSummary | None
    review: PairReview = NO_REVIEW
    cause: str = ""
    group: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class UnreadDocument:
    """A file that belongs to the others and is compared with none; without an error it was not read yet."""

    path: Path
    error: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CohortDocuments:
    """Documents that can be compared, what a teacher made of their pairs, and those that cannot be compared.

    reviews: by places in `prepared_documents`, the lower one as the left one. Sentences of the prompt do not count.
    """

    prepared_documents: tuple[PreparedDocument, ...]
    reviews: Mapping[Pair, PairReview]
    unread: tuple[UnreadDocument, ...] = ()
    prompt: PreparedText | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """What tables and bundles are made from.

    pairs: in the order in which they are listed, whether all there are or some. `prompt` is the text that
    `settings.prompt` names. groups: the members of each group of all documents there are, by their places,
    that of number 1 first; empty where these are but some. known_as: what the documents are called among all
    there are; empty where these are all. grounds: what may speak for excluding sentences of each document,
    where its text does not tell it any more; else empty. The same cohort gives the same files but for
    `made_at`.
    """

    documents: tuple[PreparedDocument, ...]
    pairs: tuple[CohortPair, ...]
    settings: ComparisonSettings
    thesaurus: Thesaurus | None
    made_at: datetime
    prompt: PreparedText | None = None
    unread: tuple[UnreadDocument, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    cohort_labels: tuple[str, ...] = ()
    exclusion_candidates: tuple[ExclusionCandidates, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What each document is called: its file name, after folders where another has that name too."""
        return self.cohort_labels or tuple(distinct_labels(self.paths))[: len(self.documents)]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of the documents, then those that were not read."""
        read = (prepared_document.document.path for prepared_document in self.documents)
        return *read, *(document.path for document in self.unread)


def larger_share(pair: CohortPair) -> float | None:
    """Return how much of what counts is covered, of the text of which it is more; None where nobody knows."""
    if pair.summary is None:
        return None
    return max((share for share in _net_shares(pair.summary) if share is not None), default=None)


def _net_shares(summary: PairSummary) -> tuple[float | None, float | None]:
    net = summary.net_similarity
    return net.left_in_right, net.right_in_left


def with_detected_groups(cohort: Cohort) -> Cohort:
    """Return a cohort of all documents there are whose pairs tell of their groups, as the window does."""
    left, right = (np.array([getattr(pair, side) for pair in cohort.pairs], np.int64) for side in _SIDES)
    shares = np.array([larger_share(pair) for pair in cohort.pairs], np.float64)
    groups = find_groups(left, right, shares)
    return with_groups(cohort, tuple(group.members for group in groups))


def with_groups(cohort: Cohort, groups: tuple[tuple[int, ...], ...]) -> Cohort:
    """Return a cohort whose pairs tell of these groups; a pair is in one where it holds it together.

    Two documents of a group may have nothing in common but a third one: their pair is in none.
    """
    number = {place: count for count, members in enumerate(groups, 1) for place in members}

    def group_of(pair: CohortPair) -> int:
        own = number.get(pair.left, 0)
        is_link = own == number.get(pair.right) and (larger_share(pair) or 0.0) >= MINIMUM_GROUP_SHARE
        return own if is_link else 0

    pairs = tuple(replace(pair, group=group_of(pair)) for pair in cohort.pairs)
    return replace(cohort, pairs=pairs, groups=groups)


def without_notes(cohort: Cohort) -> Cohort:
    """Return a cohort with the decisions of a teacher and without the notes."""
    pairs = tuple(replace(pair, review=pair.review.without_notes) for pair in cohort.pairs)
    return replace(cohort, pairs=pairs)


def distance_bits(documents: tuple[PreparedDocument, ...], pair: CohortPair) -> int | None:
    """Return in how many bits the fingerprints of two documents differ; None where recipes do.

    That is so in the window for the moment in which all fingerprints are made anew.
    """
    left, right = documents[pair.left].fingerprint, documents[pair.right].fingerprint
    return hamming_distance_bits(left, right) if left.recipe == right.recipe else None


def sorted_by_share(
    documents: tuple[PreparedDocument, ...], pairs: Iterable[CohortPair]
) -> tuple[CohortPair, ...]:
    """Return pairs with those first that have most in common; those that could not be compared come last.

    The greater of the two net shares decides, then the smaller one, both as they are printed, then in how
    many bits the fingerprints differ.
    """

    def rank(pair: CohortPair) -> tuple[float, ...]:
        shares = _net_shares(pair.summary) if pair.summary else (None, None)
        printed = sorted(_UNKNOWN if share is None else -percentage(share) for share in shares)
        bits = distance_bits(documents, pair)
        return pair.summary is None, *printed, _UNKNOWN if bits is None else bits, pair.left, pair.right

    return tuple(sorted(pairs, key=rank))
