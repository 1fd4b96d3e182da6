"""All pairs of sentences that are similar, those with an excluded sentence among them, for machines."""

from collections.abc import Iterator
from dataclasses import dataclass

from simcompare.comparison.judgement import make_matches, similar_cells
from simcompare.comparison.values import ExclusionReason, Match
from simcompare.report.evidence import Evidence
from simcompare.report.listing import listed_matches
from simcompare.session.review import Judgement

MOST_WRITTEN_PAIRS = 50_000
"""Beyond it, which only a text that repeats itself reaches, the best pairs of each sentence are written."""


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two similar sentences, what was decided on them, and why either is excluded, if it is.

    `number` is that of the match in the reports for people, None where they do not list it.
    """

    number: int | None
    match: Match
    excluded: tuple[ExclusionReason | None, ExclusionReason | None]
    judgement: Judgement

    @property
    def counts(self) -> bool:
        """Whether the pair counts for the net similarity: neither sentence is excluded."""
        return self.excluded == (None, None)


@dataclass(frozen=True, slots=True)
class SimilarPairs:
    """How many pairs are similar, and those of them that are written, in reading order of the left text."""

    total: int
    written: tuple[SimilarPair, ...]


def similar_pairs(evidence: Evidence) -> SimilarPairs:
    """Return the similar pairs of a comparison, excluded or not: what the raw similarity is made of."""
    comparison = evidence.comparison
    similar = similar_cells(comparison.matrix.cells, comparison.settings)
    pairs = make_matches(similar, comparison.matrix.shape, comparison.settings)
    written = listed_matches(pairs, MOST_WRITTEN_PAIRS)
    return SimilarPairs(len(pairs), tuple(_pairs(evidence, (pairs[index] for index in written))))


def _pairs(evidence: Evidence, matches: Iterator[Match]) -> Iterator[SimilarPair]:
    comparison = evidence.comparison
    cells = comparison.matches.cells
    listed = listed_matches(comparison.matches)
    places = zip(cells.rows[listed].tolist(), cells.columns[listed].tolist(), strict=True)
    numbers = {place: number for number, place in enumerate(places, start=1)}
    for match in matches:
        left, right = match.left, match.right
        reasons = comparison.left_excluded.reason(left), comparison.right_excluded.reason(right)
        judgement = evidence.judgement_between(left, right)
        yield SimilarPair(numbers.get((left, right)), match, reasons, judgement)
