"""Score all pairs of a cohort in processes, for callers without a window."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import combinations, zip_longest
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.pair_pool import (
    BATCHES_PER_WORKER,
    MOST_CELLS_PER_BATCH,
    MOST_PAIRS_PER_BATCH,
    Batch,
    PairPool,
    ScoredBatch,
)
from simcompare.cohort.pair_scores import (
    ExclusionCandidateCache,
    PairClassifier,
    PairScores,
    load_thesaurus_or_none,
    rank_scores,
    rare_share,
)
from simcompare.comparison.citations.citation import copying_sides
from simcompare.comparison.comparison_result import BothShares, ExclusionCandidates
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import hamming_distance_bits
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Cancelled, Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import NO_REVIEW, PairReview, PassageDecisions
from simcompare.session.school_class import Pair
from simcompare.support.display_text import distinct_labels, percentage, reaches
from simcompare.text.prepared_text import PreparedText, is_compared_by_meaning
from simcompare.text.thesaurus import Thesaurus

NO_GROUP = 0
"""Number of the group of a pair that links nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """Documents by ascending keys; `number` counts from 1, the largest group first."""

    number: int
    members: tuple[int, ...]


def linking_shares(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share by which each pair links its documents: the larger one, 0 if one of them is 0.

    Nothing counts in an essay that quotes what another one copied: who quotes is in no group with who copied.
    """
    return np.where(np.minimum(left, right) == 0, 0.0, np.fmax(left, right))


def find_groups(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    limit: float,
) -> Sequence[Group]:
    """Find the connected components of documents, linked by pairs that reach the share `limit`.

    left, right: keys of both documents of each pair; shares: the `linking_shares` of the pair, in [0, 1],
    NaN if unknown. A document without a link is in no group. Groups of equal size are ordered by their
    shares compared in descending order, then by their first document, so numbers do not depend on the
    document order.
    """
    close = reaches(shares, limit)
    keys, places = np.unique(np.concatenate([left[close], right[close]]), return_inverse=True)
    lefts, rights = np.split(places, 2)
    labels = connected(len(keys), lefts, rights)
    ranks = []
    for label in np.unique(labels):
        members = tuple(keys[labels == label].tolist())
        falling = np.sort(-shares[close][labels[lefts] == label]).tolist()
        ranks.append((-len(members), falling, members))
    return [Group(number, members) for number, (*_rank, members) in enumerate(sorted(ranks), 1)]


def groups_of_pairs(
    groups: Sequence[Group],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    limit: float,
) -> NDArray[np.int32]:
    """Return the number of the group of each pair, shape (pairs,), NO_GROUP for a pair below the limit.

    Two documents of a group may be linked only through a third one; their pair is in no group. Other
    parameters as in `find_groups`; the groups may be those of earlier shares.
    """
    members = [key for group in groups for key in group.members]
    highest = max(int(left.max(initial=0)), int(right.max(initial=0)), *members, 0)
    numbers = np.full(highest + 1, NO_GROUP, np.int32)
    for group in groups:
        numbers[list(group.members)] = group.number
    is_link = reaches(shares, limit) & (numbers[left] == numbers[right])
    return np.where(is_link, numbers[left], NO_GROUP)


def connected(count: int, left: NDArray[np.intp], right: NDArray[np.intp]) -> NDArray[np.intp]:
    """Label each of `count` nodes with the lowest node connected to it, with pointer jumping."""
    labels = np.arange(count)
    while True:
        before = labels.copy()
        least = np.minimum(labels[left], labels[right])
        np.minimum.at(labels, left, least)
        np.minimum.at(labels, right, least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels


_PAIR_SIDES = ("left", "right")
_UNKNOWN = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class CohortPair:
    """Two documents, by their indices in `Cohort.documents`, and the result of comparing them.

    summary: None if the comparison failed; `cause` then holds the reason (translated on display), or ""
    if unknown.
    review: a teacher's decisions, with the left document as the left side.
    group: number of the group (`find_groups`) in which the pair links the two, over all documents.
    decided: shares after decisions; None if nothing was decided to be fine. parts: decisions on its passages,
    without notes; None if they are not known.
    rank_score: place of the pair in the class (`rank_scores`), the highest first; None if it is not known.
    facts: on the two files in the class. copying: as in
    `Comparison`.
    """

    left: int
    right: int
    summary: PairSummary | None
    review: PairReview = NO_REVIEW
    cause: str = ""
    group: int = NO_GROUP
    decided: BothShares | None = None
    parts: PassageDecisions | None = None
    rank_score: float | None = None
    facts: PairFacts = NO_FACTS
    copying: tuple[bool, bool] = (True, True)

    @property
    def shares(self) -> BothShares:
        """Shares after decisions, otherwise after exclusions; both None if they are unknown."""
        if self.decided is not None or self.summary is None:
            return self.decided or (None, None)
        return self.summary.after_exclusions

    @property
    def has_open_rewriting(self) -> bool:
        """Whether what was possibly rewritten, if anything, is not of no concern."""
        return not self.review.is_fine and (self.parts is None or self.parts.open_rewritten > 0)


@dataclass(frozen=True, slots=True, eq=False)
class UnreadDocument:
    """A file of the cohort that is not compared; without an error it has not been read yet."""

    path: Path
    error: SimcompareError | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CohortDocuments:
    """Documents that can be compared, the reviews of their pairs, and the documents that cannot be compared.

    reviews: by indices in `prepared_documents`, lower index left. prompt: its sentences are excluded. common:
    of each text, as `CommonText.by_text` has it. essays: indices of the current documents, by which the pairs
    are ranked; None for all. facts: by indices, lower index left.
    """

    prepared_documents: tuple[PreparedDocument, ...]
    reviews: Mapping[Pair, PairReview]
    unread: tuple[UnreadDocument, ...] = ()
    prompt: PreparedText | None = None
    common: Mapping[PreparedText, NDArray[np.str_]] = field(default_factory=dict)
    essays: Sequence[int] | None = None
    facts: Mapping[Pair, PairFacts] = field(default_factory=dict)

    def copying(self, pair: Pair) -> tuple[bool, bool]:
        """Return which text of a pair may have the other as a source."""
        if self.essays is None:
            return True, True
        return copying_sides((pair[0] in self.essays, pair[1] in self.essays), len(self.essays))


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
    common text and of an anonymous cohort; otherwise empty. is_anonymous: names are replaced. course,
    teacher: as in `Evidence`.
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
    is_anonymous: bool = False
    course: str = ""
    teacher: str = ""

    def is_by_meaning(self, pair: CohortPair) -> bool:
        """Return whether possibly rewritten passages of a pair were searched."""
        left, right = (self.documents[place].prepared for place in (pair.left, pair.right))
        return is_compared_by_meaning(left, right, self.settings.meaning)

    @cached_property
    def by_meaning(self) -> bool:
        """Whether possibly rewritten passages of any pair were searched."""
        return any(map(self.is_by_meaning, self.pairs))

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
    shares = () if pair.summary is None else pair.summary.after_exclusions
    return max((share for share in shares if share is not None), default=None)


def known_shares(pair: CohortPair) -> list[float]:
    """Return the shares of a pair after decisions that are known."""
    return [share for share in pair.shares if share is not None]


def with_detected_groups(cohort: Cohort, limit: float) -> Cohort:
    """Detect the groups of a cohort that holds all documents; pairs that reach `limit` are links."""
    left, right = (np.array([getattr(pair, side) for pair in cohort.pairs], np.int64) for side in _PAIR_SIDES)
    own = [pair.summary.after_exclusions if pair.summary else (None, None) for pair in cohort.pairs]
    shares = linking_shares(*np.array(own, np.float64).reshape(-1, 2).T)
    groups = find_groups(left, right, shares, limit)
    numbers = groups_of_pairs(groups, left, right, shares, limit).tolist()
    pairs = tuple(
        pair if pair.group == number else replace(pair, group=number)
        for pair, number in zip(cohort.pairs, numbers, strict=True)
    )
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


def sorted_by_rank(
    documents: tuple[PreparedDocument, ...], pairs: Iterable[CohortPair]
) -> tuple[CohortPair, ...]:
    """Sort pairs by descending rank score; pairs that could not be compared come last.

    Sort keys: whether there is any net share or rare text, the rank score, the larger net share, the smaller
    one, both as rounded in tables, then the number of bits in which the fingerprints differ.
    """

    def rank(pair: CohortPair) -> tuple[float, ...]:
        shares = pair.summary.after_exclusions if pair.summary else (None, None)
        printed = sorted(_UNKNOWN if share is None else -percentage(share) for share in shares)
        bits = distance_bits(documents, pair)
        score = _UNKNOWN if pair.rank_score is None else -pair.rank_score
        return (
            pair.summary is None,
            not (any(shares) or rare_share(pair.rank_score or 0.0)),
            score,
            *printed,
            _UNKNOWN if bits is None else bits,
            pair.left,
            pair.right,
        )

    return tuple(sorted(pairs, key=rank))


STOP_POLL_SECONDS = 0.1

PairOutcome = PairSummary | str
"""Summary of a pair, or the reason why there is none; "" if the process died."""


def score_pairs(
    prepared_documents: Sequence[PreparedDocument],
    classifier: PairClassifier,
    tick: Tick,
    stop: Event,
    pairs: Sequence[Pair] | None = None,
    kept: dict[Pair, PairScores] | None = None,
) -> Mapping[Pair, PairOutcome]:
    """Score and classify pairs of documents, keyed by their indices, lower index first; by default all.

    kept: where the scores are put, if anywhere.

    Processes are spawned, so call it under `if __name__ == "__main__"`. `tick` counts pairs. Raises
    Cancelled soon after `stop` is set, and what `tick` raises.
    """
    wanted = list(combinations(range(len(prepared_documents)), 2)) if pairs is None else pairs
    scored: SimpleQueue[ScoredBatch] = SimpleQueue()
    outcomes: dict[Pair, PairOutcome] = {}
    pool = PairPool(os.cpu_count() or 1, scored.put)
    try:
        waiting, under_way = _batches(prepared_documents, wanted), 0
        while len(outcomes) < len(wanted):
            while under_way < BATCHES_PER_WORKER * pool.worker_count and (group := next(waiting, ())):
                counted = {n: classifier.counted(prepared_documents[n]) for pair in group for n in pair}
                texts = {place: text.text for place, text in counted.items()}
                pool.submit(Batch(0, group, texts, classifier.settings, counted))
                under_way += 1
            batch = _next_result(scored, stop)
            under_way -= 1
            for pair, found, summary in zip_longest(batch.batch.pairs, batch.outcomes, batch.figures):
                outcomes[pair] = summary or str(found)
                if kept is not None and isinstance(found, PairScores):
                    kept[pair] = found
            tick(len(outcomes), len(wanted))
        return outcomes
    finally:
        pool.close()


def _next_result(scored: "SimpleQueue[ScoredBatch]", stop: Event) -> ScoredBatch:
    while not stop.is_set():
        try:
            return scored.get(timeout=STOP_POLL_SECONDS)
        except Empty:
            continue
    raise Cancelled


def _batches(
    prepared_documents: Sequence[PreparedDocument], pairs: Sequence[Pair]
) -> Iterator[tuple[Pair, ...]]:
    """Split pairs into batches of about equal work."""
    sentences = [prepared_document.prepared.sentence_count for prepared_document in prepared_documents]
    group: list[Pair] = []
    cells = 0
    for left, right in pairs:
        more = sentences[left] * sentences[right]
        if group and (len(group) == MOST_PAIRS_PER_BATCH or cells + more > MOST_CELLS_PER_BATCH):
            yield tuple(group)
            group, cells = [], 0
        group.append((left, right))
        cells += more
    if group:
        yield tuple(group)


def make_cohort(
    documents: CohortDocuments,
    settings: ComparisonSettings,
    made_at: datetime,
    tick: Tick,
    stop: Event,
    pairs: Sequence[Pair] | None = None,
    kept: dict[Pair, PairScores] | None = None,
) -> Cohort:
    """Compare pairs of documents, by default all. `tick` counts pairs; `kept` as in `score_pairs`.

    Raises Cancelled soon after `stop` is set, and what `tick` raises.
    """
    texts = documents.prepared_documents
    candidates = ExclusionCandidateCache(documents.prompt, settings.thesaurus, documents.common)
    classifier = PairClassifier(settings, candidates)
    scores: dict[Pair, PairScores] = {} if kept is None else kept
    outcomes = score_pairs(texts, classifier, tick, stop, pairs, scores)
    compared = dict(enumerate(texts))
    essays = compared if documents.essays is None else documents.essays
    ranks = rank_scores(compared, essays, scores, classifier, stop)
    return Cohort(
        texts,
        sorted_by_rank(
            texts,
            (
                replace(_cohort_pair(pair, outcome, documents), rank_score=ranks.get(pair))
                for pair, outcome in outcomes.items()
            ),
        ),
        settings,
        load_thesaurus_or_none(settings.thesaurus),
        made_at,
        documents.prompt,
        documents.unread,
        exclusion_candidates=tuple(map(candidates.of, texts)) if documents.common else (),
    )


def _cohort_pair(pair: Pair, outcome: PairOutcome, documents: CohortDocuments) -> CohortPair:
    review, facts = documents.reviews.get(pair, NO_REVIEW), documents.facts.get(pair, NO_FACTS)
    if isinstance(outcome, str):
        return CohortPair(*pair, None, review, outcome, facts=facts)
    copying = documents.copying(pair)
    return CohortPair(*pair, outcome, review, facts=facts, copying=copying)
