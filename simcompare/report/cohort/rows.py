"""The table of pairs: what its columns are called, and what stands in each row, whatever its form."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from simcompare.comparison.pairs import PairSummary
from simcompare.i18n import N_, _
from simcompare.report.cohort.figures import figure_name
from simcompare.report.cohort.values import Cohort, CohortPair, distance_bits
from simcompare.report.phrases import detailed
from simcompare.report.wording import decision_name, percentage
from simcompare.visible import visible

BROKE_OFF = N_("the comparison broke off")
"""Why a pair has no figures where nobody knows."""
Figure = float | int | None
"""A number of the table; None where nobody knows."""


class Kind(Enum):
    """What the cells of a column hold."""

    TEXT = auto()
    LONG_TEXT = auto()
    DIGEST = auto()
    PERCENTAGE = auto()
    COUNT = auto()


@dataclass(frozen=True, slots=True)
class PairRow:
    """What the table says of a pair. Percentages are rounded as reports round them, 62.1 for 62.1 %.

    problem: why there are no figures, empty where there are.
    """

    left: str
    right: str
    left_in_right: Figure
    net_left_in_right: Figure
    right_in_left: Figure
    net_right_in_left: Figure
    distance_bits: Figure
    longest_passage_units: Figure
    matches: Figure
    group: Figure
    decision: str
    matches_decided: int
    note: str
    problem: str

    @property
    def cells(self) -> tuple[str | Figure, ...]:
        """The cells in the order of the columns."""
        return tuple(getattr(self, name) for name in self.__slots__)


def columns_of(rows: Sequence[PairRow]) -> tuple[tuple[str, Kind], ...]:
    """Return the title and the kind of each column; that of problems only where a pair has one."""
    columns = (
        (_("A"), Kind.TEXT),
        (_("B"), Kind.TEXT),
        (figure_name("left_in_right"), Kind.PERCENTAGE),
        (figure_name("net_left_in_right"), Kind.PERCENTAGE),
        (figure_name("right_in_left"), Kind.PERCENTAGE),
        (figure_name("net_right_in_left"), Kind.PERCENTAGE),
        (figure_name("distance_bits"), Kind.COUNT),
        (detailed(figure_name("longest_passage_units"), _("characters or words")), Kind.COUNT),
        (figure_name("matches"), Kind.COUNT),
        (figure_name("group"), Kind.COUNT),
        (_("Decision"), Kind.TEXT),
        (_("Pairs of sentences decided"), Kind.COUNT),
        (_("Note"), Kind.LONG_TEXT),
    )
    return (*columns, (_("Not compared"), Kind.LONG_TEXT)) if any(row.problem for row in rows) else columns


def rows_of(cohort: Cohort) -> list[PairRow]:
    """Return a row for each pair, in their order, in the language of the moment."""
    names = cohort.names
    return [_row(cohort, pair, names) for pair in cohort.pairs]


def _row(cohort: Cohort, pair: CohortPair, names: Sequence[str]) -> PairRow:
    summary, overall = pair.summary, pair.review.overall
    return PairRow(
        names[pair.left],
        names[pair.right],
        *(_shares(summary) if summary else (None, None, None, None)),
        distance_bits(cohort.documents, pair),
        summary.longest_passage_units if summary else None,
        summary.matches if summary else None,
        pair.group or None,
        decision_name(overall.decision),
        sum(judgement.decision is not None for judgement in pair.review.matches.values()),
        visible(overall.note.strip()),
        "" if summary else why_not_compared(pair.cause),
    )


def _shares(summary: PairSummary) -> tuple[Figure, Figure, Figure, Figure]:
    raw, net = summary.similarity, summary.net_similarity
    return (
        percentage(raw.left_in_right),
        _known(net.left_in_right),
        percentage(raw.right_in_left),
        _known(net.right_in_left),
    )


def _known(share: float | None) -> Figure:
    return None if share is None else percentage(share)


def why_not_compared(cause: str) -> str:
    """Return why a pair has no figures, also where nobody knows, in the language of the moment."""
    return visible(_(cause or BROKE_OFF))
