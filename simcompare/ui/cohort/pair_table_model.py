"""The model of the table of pairs: reads the columns of the state, keeps nothing but the order of rows."""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from simcompare.cohort.groups import MINIMUM_GROUP_SHARE, Group, find_groups
from simcompare.report.wording import enumerated, named
from simcompare.session.decisions import NO_REVIEW, Decision, PairReview
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _
from simcompare.ui.cohort.pair_columns import (
    SAME_AS_WORDS,
    SAMENESS_WORDS,
    column_name,
    column_tip,
    full_column_name,
    group_in_words,
    most_in_common,
)
from simcompare.ui.cohort.pair_order import (
    FIELDS,
    SHARES,
    Column,
    Order,
    PairFilter,
    Places,
    RowsKnown,
    arranged,
    decision_codes,
    larger_share,
)
from simcompare.ui.labels import decision_name, percent
from simcompare.ui.state.cohort.pair_columns_data import PAIR_ROW, Pair, PairState, PairTable
from simcompare.ui.state.document_listing import NO_NAME
from simcompare.ui.state.document_store import DuplicateKind, duplicate_kind
from simcompare.ui.state.workspace import Workspace

NO_GROUP = 0


def groups_in(table: PairTable) -> Sequence[Group]:
    """Return the groups of the documents of a table, by what is known of its pairs."""
    rows = table.rows
    return find_groups(rows["left"], rows["right"], larger_share(rows))


class Grouping:
    """Groups along the rows of a table at one moment. A row is in a group where it holds it together.

    Two documents of a group may have nothing in common but a third one: their row is in none.
    """

    def __init__(self, table: PairTable, groups: Sequence[Group] = ()) -> None:
        rows = table.rows
        self.groups = groups
        keys = (key for group in groups for key in group.members)
        numbers = np.full(max(int(rows["right"].max(initial=0)), *keys, 0) + 1, NO_GROUP, np.int32)
        for group in groups:
            numbers[list(group.members)] = group.number
        left, right = numbers[rows["left"]], numbers[rows["right"]]
        is_link = (left == right) & (np.nan_to_num(larger_share(rows), nan=-1.0) >= MINIMUM_GROUP_SHARE)
        self.numbers: NDArray[np.int32] = np.where(is_link, left, NO_GROUP)
        """The number of the group of each row, NO_GROUP where it is in none."""

    def group_of(self, place: int) -> Group | None:
        """Return the group of a row."""
        number = int(self.numbers[place]) if place < len(self.numbers) else NO_GROUP
        return next((group for group in self.groups if group.number == number), None)


# ruff: noqa: N802 - Qt names the methods it calls


AnyIndex = QModelIndex | QPersistentModelIndex
RENEWING_ROLE = Qt.ItemDataRole.UserRole
"""Whether the row's figures are those of earlier settings."""
NO_FIGURE = "–"
_FALLING, _RISING = "▼", "▲"
_NONE = QModelIndex()
_COLUMN_COUNT = len(Column)
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


NET_OF = {Column.A_IN_B: Column.NET_A_IN_B, Column.B_IN_A: Column.NET_B_IN_A}


@dataclass(frozen=True, slots=True)
class Look:
    """What is painted of a cell; shares are None where there is no bar. `same` says that A is B.

    `shared` is how much of a name's beginning and end most documents have too. `is_noted` says that there
    is a note on the pair.
    """

    text: str
    share: float | None
    net_share: float | None
    decision: Decision | None
    renewing: bool
    same: str
    shared: tuple[int, int] = (0, 0)
    is_noted: bool = False


_NO_LOOKS = [Look("", None, None, None, False, "")] * len(Column)


class PairRows(QAbstractTableModel):
    """The pairs that are listed, in their order."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._shown: Places = np.zeros(0, np.intp)
        self._reviews: dict[Pair, PairReview] = {}
        self.grouping = Grouping(workspace.pairs.table)
        self._tellers: dict[int, Callable[[int, Column], object]] = {
            Qt.ItemDataRole.DisplayRole: self.text,
            RENEWING_ROLE: lambda place, _column: bool(self._rows["state"][place] == PairState.RENEWING),
            Qt.ItemDataRole.TextAlignmentRole: lambda _place, column: alignment(column),
            Qt.ItemDataRole.ToolTipRole: self._tip,
            Qt.ItemDataRole.AccessibleTextRole: self._in_words,
        }
        self.filter = PairFilter()
        self.order = Order()

    def arrange(self) -> bool:
        """Read the state; return whether other rows are shown, or in another order."""
        table = self._workspace.pairs.table
        self._reviews = dict(self._workspace.review.pairs())
        self.grouping = Grouping(table, self._groups())
        known = RowsKnown(decision_codes(table, self._reviews), self.grouping.numbers)
        shown = arranged(table, self.names(), known, self.filter, self.order)
        if np.array_equal(shown, self._shown):
            if len(shown):
                self.dataChanged.emit(self.index(0, 0), self.index(len(shown) - 1, len(Column) - 1))
            return False
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()
        return True

    def _groups(self) -> Sequence[Group]:
        """Return the groups: those of when all pairs were last compared, or their numbers would not stand.

        Each pair that comes may join two groups or make one the larger. Documents that are gone are left out.
        """
        pairs = self._workspace.pairs
        if not pairs.is_comparing:
            return groups_in(pairs.table)
        there = self._workspace.documents.entries
        left = [
            replace(group, members=tuple(key for key in group.members if key in there))
            for group in self.grouping.groups
        ]
        return [group for group in left if len(group.members) > 1]

    def names(self) -> dict[int, str]:
        """Return what each document is called."""
        return {key: name.text for key, name in self._workspace.documents.names.items()}

    @property
    def places(self) -> Places:
        """The places in the table of pairs of what is listed, in its order."""
        return self._shown

    def pair_at(self, row: int) -> Pair:
        """Return the two documents of a row."""
        return self._workspace.pairs.table.pair_at(int(self._shown[row]))

    def rows_of(self, pairs: set[Pair]) -> list[int]:
        """Return the rows of some pairs, as far as they are shown, in order."""
        place_of = self._workspace.pairs.table.place_of
        places = [place for pair in pairs if (place := place_of(pair)) is not None]
        return [int(row) for row in np.flatnonzero(np.isin(self._shown, places))]

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        """Return how many pairs are listed."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: AnyIndex = _NONE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else _COLUMN_COUNT

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column, or what it is about."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        column = Column(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{column_name(column)} {self._mark(column)}".rstrip()
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = column_tip(column)
            return _as_tip(f"{tip}\n{most_in_common()}" if self._is_ranked_by(column) else tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        return None

    def _mark(self, column: Column) -> str:
        """Return the mark of a column that tells the order of rows, nothing for any other."""
        if self.order.column is column and not self.order.descending:
            return _RISING
        return _FALLING if self.order.column is column or self._is_ranked_by(column) else ""

    def _is_ranked_by(self, column: Column) -> bool:
        """Whether rows stand in an order that no single column tells, and this is one of those that do."""
        return self.order.column is None and column in NET_OF.values()

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell says, and how its row stands."""
        place = int(self._shown[index.row()]) if index.row() < len(self._shown) else -1
        if not 0 <= place < len(self._workspace.pairs.table):
            return None  # the state lost rows; the next turn shows what is left
        tell = self._tellers.get(role)
        return None if tell is None else tell(place, Column(index.column()))

    def looks(self, row: int) -> Sequence[Look]:
        """Return all that is painted of a row, by column: to ask for each through the index takes longer."""
        place = int(self._shown[row])
        if place >= len(self._workspace.pairs.table):
            return _NO_LOOKS
        facts = dict(zip(PAIR_ROW.names or (), self._rows[place].item(), strict=True))
        names, review = self._workspace.documents.names, self._review(place)
        named = {Column.A: names.get(facts["left"], NO_NAME), Column.B: names.get(facts["right"], NO_NAME)}
        shares = {
            column: None if isnan(facts[FIELDS[column]]) else facts[FIELDS[column]] for column in SHARES
        }
        texts = {
            **{column: name.text for column, name in named.items()},
            **{column: figure_text(column, facts[field]) for column, field in FIELDS.items()},
            Column.GROUP: self.text(place, Column.GROUP),
            Column.DECISION: self._decided(place),
        }
        return [
            Look(
                texts[column],
                shares[column] if column in NET_OF else None,
                shares[NET_OF[column]] if column in NET_OF else None,
                review.overall.decision if column is Column.DECISION else None,
                facts["state"] == PairState.RENEWING,
                self._sameness_in_words(place) if column is Column.B else "",
                named[column].shared if column in named else NO_NAME.shared,
                column is Column.DECISION and bool(review.overall.note.strip()),
            )
            for column in Column
        ]

    @property
    def _rows(self) -> Any:
        return self._workspace.pairs.table.rows

    def _review(self, place: int) -> PairReview:
        return self._reviews.get(self._workspace.pairs.table.pair_at(place)) or NO_REVIEW

    def row_text(self, row: int, column: Column) -> str:
        """Return what a cell says."""
        return self.text(int(self._shown[row]), column)

    def text(self, place: int, column: Column) -> str:
        """Return what the cell of a row of the table says, wherever that is shown."""
        if column in (Column.A, Column.B):
            return self._name(place, column)
        if column is Column.DECISION:
            return self._decided(place)
        if column is Column.GROUP:
            group = self.grouping.group_of(place)
            return NO_FIGURE if group is None else f"{group.number:,}"
        return figure_text(column, self._rows[FIELDS[column]][place].item())

    def _key(self, place: int, column: Column) -> int:
        return self._workspace.pairs.table.pair_at(place)[0 if column is Column.A else 1]

    def _name(self, place: int, column: Column) -> str:
        return self._workspace.documents.name_of(self._key(place, column))

    def _decided(self, place: int) -> str:
        review = self._review(place)
        if review.overall.decision is not None:
            return decision_name(review.overall.decision)
        return self._matches_decided(place) or NO_FIGURE

    def _matches_decided(self, place: int) -> str:
        """Return "3 of 17" where matches were decided on, and nothing else."""
        judged = self._review(place).matches.values()
        decided = sum(1 for noted_decision in judged if noted_decision.decision is not None)
        total = int(self._rows["matches"][place])
        if not decided:
            return ""
        if total < 0:  # not compared yet, as in a session just opened
            return _("{count} of {total}").format(count=f"{decided:,}", total=NO_FIGURE)
        # matches that the present settings do not find were decided on all the same
        return _("{count} of {total}").format(count=f"{decided:,}", total=f"{max(total, decided):,}")

    def _tip(self, place: int, column: Column) -> str:
        if column in (Column.A, Column.B):
            return self._name_tip(place, column)
        lines = [self._state_in_words(place)]
        if column is Column.GROUP:
            lines.append(self._group_in_words(place))
        if column is Column.DECISION:
            review, decided = self._review(place), self._matches_decided(place)
            lines.append(decision_name(review.overall.decision))
            lines.append(_("Matches decided: {count}").format(count=decided) if decided else "")
            lines.append(review.overall.note.strip())
        return _as_tip("\n".join(line for line in lines if line))

    def _name_tip(self, place: int, column: Column) -> str:
        entry = self._workspace.documents.entries.get(self._key(place, column))
        lines = [escape_invisible(str(entry.path)) if entry else ""]
        if (same := self._sameness(place)) is not None:
            other = self._name(place, Column.B if column is Column.A else Column.A)
            lines.append(_(SAME_AS_WORDS[same]).format(name=other))
        return _as_tip("\n".join(line for line in lines if line))

    def _group_in_words(self, place: int) -> str:
        group, names = self.grouping.group_of(place), self.names()
        return group_in_words(group, [names.get(key, "") for key in group.members]) if group else ""

    def _sameness(self, place: int) -> DuplicateKind | None:
        left, right = (
            self._workspace.documents.entries.get(key) for key in self._workspace.pairs.table.pair_at(place)
        )
        return duplicate_kind(left, right) if left is not None and right is not None else None

    def _sameness_in_words(self, place: int) -> str:
        same = self._sameness(place)
        return _(SAMENESS_WORDS[same]) if same is not None else ""

    def _state_in_words(self, place: int) -> str:
        row = self._rows[place]
        if row["state"] == PairState.FAILED:
            cause = self._workspace.pairs.table.causes.get(
                self._workspace.pairs.table.pair_at(place), ""
            ) or _("the comparison broke off")
            words = _("These two could not be compared: {cause}. “Compare again” tries once more.")
            return words.format(cause=cause)
        if row["state"] == PairState.RENEWING:
            return _("These figures are those of the settings before; new ones are on their way.")
        return "" if row["state"] == PairState.CURRENT else _("Not compared yet")

    def _in_words(self, place: int, column: Column) -> str:
        text = self.text(place, column)
        if column is Column.DECISION and text == NO_FIGURE:
            text = decision_name(None)
        if text == NO_FIGURE:
            text = _("not known")
        if column is Column.GROUP and self.grouping.group_of(place) is None:
            text = _("in no group")
        note = self._review(place).overall.note.strip() if column is Column.DECISION else ""
        words = (
            f"{full_column_name(column)}: {enumerated([text, *([named(_('Note'), note)] if note else [])])}"
        )
        if column is Column.B and (same := self._sameness_in_words(place)):
            words = f"{words}, {same}"
        return f"{words}, {_('being renewed')}" if self._rows["state"][place] == PairState.RENEWING else words


def _unless_nan(share: float) -> float | None:
    return None if isnan(share) else share


def figure_text(column: Column, figure: float) -> str:
    """Return what a cell says of a figure of a row of PAIR_ROW."""
    if column in SHARES:
        return NO_FIGURE if isnan(figure) else percent(figure)
    return NO_FIGURE if figure < 0 else f"{figure:,}"


def alignment(column: Column) -> Qt.AlignmentFlag:
    """Return how the text of a column stands."""
    return _AT_RIGHT if column in FIELDS or column is Column.GROUP else _AT_LEFT


def _as_tip(text: str) -> str:
    """Return rich text, as plain text is not wrapped; what looks like markup in it stays text."""
    return f'<p style="white-space:pre-wrap">{html.escape(text)}</p>' if text else ""
