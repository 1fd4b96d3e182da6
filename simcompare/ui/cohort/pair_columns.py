"""Names and explanations of the columns and groups of the table of pairs."""

from collections.abc import Sequence

from simcompare.cohort.cohort_scoring import Group
from simcompare.cohort.pair_scores import ClassShares
from simcompare.report.cohort.cohort_rows import figure_meaning, figure_name, group_meaning
from simcompare.report.wording import first_of
from simcompare.support.display_text import percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.cohort.pair_order import FIELDS, FIELDS_BEFORE, SHARES, PairColumn
from simcompare.ui.state.document_entry import DuplicateKind

SAMENESS_WORDS = {DuplicateKind.FILE: N_("same file"), DuplicateKind.TEXT: N_("same text")}
SAME_AS_WORDS = {DuplicateKind.FILE: N_("same file as {name}"), DuplicateKind.TEXT: N_("same text as {name}")}
_MOST_NAMED = 20

_NAMES = {
    PairColumn.A: N_("A"),
    PairColumn.B: N_("B"),
    PairColumn.SHARE_A: N_("Share of A"),
    PairColumn.SHARE_B: N_("Share of B"),
    PairColumn.LONGEST: N_("Longest"),
    PairColumn.UNUSUAL: N_("× usual"),
    PairColumn.MATCHES: N_("Matches"),
    PairColumn.GROUP: N_("Group"),
    PairColumn.DECISION: N_("Decision"),
    PairColumn.RAW_A: N_("A, raw"),
    PairColumn.RAW_B: N_("B, raw"),
    PairColumn.SENTENCE_A: N_("A, sentences"),
    PairColumn.SENTENCE_B: N_("B, sentences"),
    PairColumn.DISTANCE: N_("Hamming"),
}
_FIGURES = FIELDS_BEFORE | {PairColumn.GROUP: "group"}
_TIPS = {
    PairColumn.A: N_("The essay that is higher in the list; Compare shows it on the left."),
    PairColumn.B: N_("The essay that is lower in the list; Compare shows it on the right."),
    PairColumn.UNUSUAL: N_("How many times the usual share of a pair of this class the larger share is."),
    PairColumn.DECISION: N_(
        "Your decision on the whole pair. By passages: all its passages are decided. Partly: some of them."
    ),
}


def column_name(column: PairColumn) -> str:
    """Return the heading of a column."""
    return _(_NAMES[column])


def full_column_name(column: PairColumn) -> str:
    """Return the full name of a column, for places with more space than a heading."""
    return figure_name(_FIGURES[column]) if column in _FIGURES else column_name(column)


def column_tip(column: PairColumn, limit: float, shares: ClassShares) -> str:
    """Return the full name of a column and an explanation of its figures; limit, shares: of the class."""
    if column in (PairColumn.A, PairColumn.B):
        return _(_TIPS[column])
    lines = [full_column_name(column), _meaning(column, limit)]
    if column in SHARES:
        lines.append(_("Nor do passages of no concern; the share before decisions is beside it."))
    if column is PairColumn.UNUSUAL:
        lines.append(_usual_in_words(shares))
    return "\n".join(lines)


def _usual_in_words(shares: ClassShares) -> str:
    if shares.is_usual_assumed:
        return _("Here it is below 1 % and taken as 1 %, so that this figure repeats the share.")
    return _("Here it is {usual}.").format(usual=percent(shares.usual))


def _meaning(column: PairColumn, limit: float) -> str:
    if column is PairColumn.GROUP:
        return group_meaning(limit)
    return figure_meaning(_FIGURES[column]) if column in FIELDS else _(_TIPS[column])


def most_in_common() -> str:
    """Describe the default sort order."""
    return _("Sorted by the larger of the two shares before decisions, then by the smaller one.")


def short_group_name(group: Group) -> str:
    """Return the number of a group and of its documents, "Group 1 (5)"."""
    words = _("Group {number} ({count})")
    return words.format(number=f"{group.number:,}", count=f"{len(group.members):,}")


def group_in_words(group: Group, names: Sequence[str]) -> str:
    """List the documents of a group, one a line."""
    count = len(group.members)
    heading = ngettext(
        "Group {number}: {count} essay",
        "Group {number}: {count} essays",
        count,
        number=f"{group.number:,}",
    )
    return "\n".join([heading, *first_of(names, _MOST_NAMED)])
