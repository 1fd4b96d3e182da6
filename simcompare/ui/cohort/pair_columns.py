"""What the columns of the table of pairs are called, and what each figure means."""

from collections.abc import Sequence

from simcompare.cohort.groups import Group
from simcompare.report.cohort.cohort_rows import figure_meaning, figure_name
from simcompare.report.wording import first_of
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.cohort.pair_order import FIELDS, Column
from simcompare.ui.state.document_store import DuplicateKind

SAMENESS_WORDS = {DuplicateKind.FILE: N_("same file"), DuplicateKind.TEXT: N_("same text")}
SAME_AS_WORDS = {DuplicateKind.FILE: N_("same file as {name}"), DuplicateKind.TEXT: N_("same text as {name}")}
_MOST_NAMED = 20

_NAMES = {
    Column.A: N_("A"),
    Column.B: N_("B"),
    Column.A_IN_B: N_("A in B"),
    Column.NET_A_IN_B: N_("net"),
    Column.B_IN_A: N_("B in A"),
    Column.NET_B_IN_A: N_("net"),
    Column.DISTANCE: N_("Hamming"),
    Column.LONGEST: N_("Longest"),
    Column.MATCHES: N_("Matches"),
    Column.GROUP: N_("Group"),
    Column.DECISION: N_("Decision"),
}
_FIGURES = FIELDS | {Column.GROUP: "group"}
_TIPS = {
    Column.A: N_("The document that stands higher in the list; Compare shows it on the left."),
    Column.B: N_("The document that stands lower in the list; Compare shows it on the right."),
    Column.DECISION: N_("What you made of the pair as a whole, or how many of its matches you decided on."),
}


def column_name(column: Column) -> str:
    """Return the word over a column."""
    return _(_NAMES[column])


def full_column_name(column: Column) -> str:
    """Return what a column is called where there is room."""
    return figure_name(_FIGURES[column]) if column in _FIGURES else column_name(column)


def column_tip(column: Column) -> str:
    """Return the full name of a column and what its figures mean."""
    if column in (Column.A, Column.B):
        return _(_TIPS[column])
    meaning = figure_meaning(_FIGURES[column]) if column in _FIGURES else _(_TIPS[column])
    return f"{full_column_name(column)}\n{meaning}"


def most_in_common() -> str:
    """Return how rows are sorted where those with most in common come first."""
    return _("Rows stand in the order of the greater of their two net shares, then of the smaller one.")


def short_group_name(group: Group) -> str:
    """Return the number of a group and of those in it, without words for the latter."""
    words = _("Group {number} ({count})")
    return words.format(number=f"{group.number:,}", count=f"{len(group.members):,}")


def group_in_words(group: Group, names: Sequence[str]) -> str:
    """Return who is in a group, a line each."""
    count = len(group.members)
    words = ngettext("Group {number}: {count} document", "Group {number}: {count} documents", count)
    heading = words.format(number=f"{group.number:,}", count=f"{count:,}")
    return "\n".join([heading, *first_of(names, _MOST_NAMED)])
