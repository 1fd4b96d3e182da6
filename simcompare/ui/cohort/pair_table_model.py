"""Qt model of the table of pairs: values from the state; it holds only the order of rows and the groups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from simcompare.cohort.class_check import DocumentRole
from simcompare.cohort.cohort_scoring import NO_GROUP, Group, find_groups, groups_of_pairs
from simcompare.cohort.pair_scores import PairRarity
from simcompare.report.cohort.unusual_words import rarity_in_words, short_multiple
from simcompare.report.wording import enumerated, named, pair_decision_in_words, with_share_before
from simcompare.session.decisions import NO_REVIEW, Decision, PairReview
from simcompare.support.display_text import escape_invisible, percent
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
    ALL_SHARES,
    FIELDS,
    FIELDS_BEFORE,
    SHARES,
    Order,
    PairColumn,
    PairFilter,
    Places,
    RowAttributes,
    decision_codes,
    filtered_and_sorted,
)
from simcompare.ui.labels import decision_name, doubts_summary
from simcompare.ui.state.cohort.pair_rows_data import PAIR_ROW, Pair, PairState, larger_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.document_entry import DuplicateKind, duplicate_kind
from simcompare.ui.state.document_listing import NO_NAME
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

AnyIndex = QModelIndex | QPersistentModelIndex
RENEWING_ROLE = Qt.ItemDataRole.UserRole
"""True if the row's figures are those of earlier settings."""
NO_FIGURE = "–"
WIDEST_SHARE = ">100 %"
_FALLING, _RISING = "▼", "▲"
_NONE = QModelIndex()
_COLUMN_COUNT = len(PairColumn)
_AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_AT_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class PairCell:
    """Painted values of a cell; the share is None for a cell without a bar.

    same: A and B are the same file or text. shared: length of the beginning and of the end of the name
    that most names share. is_noted: there is a note on the pair. is_pale: the figure is usual. is_old: the
    document is earlier work. is_doubtful: its text is to be checked.
    """

    text: str
    share: float | None
    decision: Decision | None
    renewing: bool
    same: str
    shared: tuple[int, int] = (0, 0)
    is_noted: bool = False
    is_pale: bool = False
    is_old: bool = False
    is_doubtful: bool = False


class PairTableModel(QAbstractTableModel):
    """Qt model of the filtered pairs, in sort order."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._listed: Places = np.zeros(0, np.intp)
        self._reviews: dict[Pair, PairReview] = {}
        self.groups: Sequence[Group] = ()
        self.limit = workspace.class_state.limit
        """Share from which the rows are in a group."""
        self._group_numbers: NDArray[np.int32] = np.zeros(0, np.int32)
        self.labels = StudentLabels(workspace)
        self._role_values: dict[int, Callable[[int, PairColumn], object]] = {
            Qt.ItemDataRole.DisplayRole: self.text,
            RENEWING_ROLE: lambda place, _column: bool(self._rows["state"][place] == PairState.RENEWING),
            Qt.ItemDataRole.TextAlignmentRole: lambda _place, column: alignment(column),
            Qt.ItemDataRole.ToolTipRole: self._tip,
            Qt.ItemDataRole.AccessibleTextRole: self._accessible_text,
        }
        self.filter = PairFilter()
        self.order = Order()
        self.widest_share = WIDEST_SHARE
        """Widest text of a share; longer if there are shares before decisions."""

    def arrange(self) -> bool:
        """Update from the state; return whether the rows shown, or their order, changed."""
        table = self._workspace.pairs.table
        self._reviews = dict(self._workspace.review.pairs())
        self._group()
        codes = decision_codes(self._workspace.pairs, self._reviews)
        is_any_fine = self._workspace.pairs.apply_decisions(self._reviews)
        if (widest := with_share_before(0.88, 1) if is_any_fine else WIDEST_SHARE) != self.widest_share:
            self.widest_share = widest
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(PairColumn) - 1)
        attributes = RowAttributes(codes, self._group_numbers)
        listed = filtered_and_sorted(table, self.labels.search_texts(), attributes, self.filter, self.order)
        if np.array_equal(listed, self._listed):
            if len(listed):
                self.dataChanged.emit(self.index(0, 0), self.index(len(listed) - 1, len(PairColumn) - 1))
            return False
        self.beginResetModel()
        self._listed = listed
        self.endResetModel()
        return True

    def _group(self) -> None:
        """Group the documents by the limit of the class; while pairs are being compared, keep the groups.

        Each new result may join two groups, change which is the largest, or change the proposed limit, so
        that numbers would keep changing. Removed documents are left out.
        """
        rows = self._rows
        left, right, shares = rows["left"], rows["right"], larger_share(rows)
        if self._workspace.pairs.is_comparing:
            there = self._workspace.documents.entries
            kept = (
                replace(group, members=tuple(key for key in group.members if key in there))
                for group in self.groups
            )
            self.groups = [group for group in kept if len(group.members) > 1]
        else:
            self.limit = self._workspace.class_state.limit
            self.groups = find_groups(left, right, shares, self.limit)
        self._group_numbers = groups_of_pairs(self.groups, left, right, shares, self.limit)

    def _group_of(self, place: int) -> Group | None:
        """Return the group of a row of the table of pairs."""
        number = int(self._group_numbers[place]) if place < len(self._group_numbers) else NO_GROUP
        return next((group for group in self.groups if group.number == number), None)

    @property
    def places(self) -> Places:
        """Indices of the listed pairs in the table of pairs, in sort order."""
        return self._listed

    def pair_at(self, row: int) -> Pair:
        """Return the two documents of a row."""
        return self._workspace.pairs.table.pair_at(int(self._listed[row]))

    def rows_of(self, pairs: set[Pair]) -> list[int]:
        """Return the rows of those pairs that are listed, ascending."""
        place_of = self._workspace.pairs.table.place_of
        places = [place for pair in pairs if (place := place_of(pair)) is not None]
        return [int(row) for row in np.flatnonzero(np.isin(self._listed, places))]

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else _COLUMN_COUNT

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the heading of a column, its tooltip or its alignment."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(PairColumn):
            return None
        column = PairColumn(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{column_name(column)} {self._mark(column)}".rstrip()
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = column_tip(column, self._workspace.class_state.limit, self._workspace.class_state.shares)
            return as_tooltip(f"{tip}\n{most_in_common()}" if self._is_ranked_by(column) else tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        return None

    def _mark(self, column: PairColumn) -> str:
        """Return the sort indicator of a column, "" for a column without one."""
        if self.order.column is column and not self.order.descending:
            return _RISING
        return _FALLING if self.order.column is column else ""

    def _is_ranked_by(self, column: PairColumn) -> bool:
        """Return whether the default order is used and this column is one of those that define it."""
        return self.order.column is None and column in SHARES

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = int(self._listed[index.row()]) if index.row() < len(self._listed) else -1
        if not 0 <= place < len(self._workspace.pairs.table):
            return None  # rows were removed from the state; the next `arrange` updates the model
        value_of = self._role_values.get(role)
        return None if value_of is None else value_of(place, PairColumn(index.column()))

    def cells_of_row(self, row: int) -> Sequence[PairCell]:
        """Return the painted values of a row by column; faster than one model call for each."""
        place = int(self._listed[row])
        if place >= len(self._workspace.pairs.table):
            return _EMPTY_CELLS
        facts = dict(zip(PAIR_ROW.names or (), self._rows[place].item(), strict=True))
        review = self._review(place)
        named = {
            PairColumn.A: self.labels.name_of(facts["left"]),
            PairColumn.B: self.labels.name_of(facts["right"]),
        }
        shares = {column: facts[FIELDS[column]] for column in SHARES if not isnan(facts[FIELDS[column]])}
        texts = {
            **{column: name.text for column, name in named.items()},
            **{column: figure_text(column, facts[field]) for column, field in FIELDS.items()},
            **{column: self.text(place, column) for column in shares},
            PairColumn.UNUSUAL: self.text(place, PairColumn.UNUSUAL),
            PairColumn.GROUP: self.text(place, PairColumn.GROUP),
            PairColumn.DECISION: self.text(place, PairColumn.DECISION),
        }
        return [
            PairCell(
                texts[column],
                shares.get(column),
                review.overall.decision if column is PairColumn.DECISION else None,
                facts["state"] == PairState.RENEWING,
                self._sameness_in_words(place) if column is PairColumn.B else "",
                named[column].shared if column in named else NO_NAME.shared,
                column is PairColumn.DECISION and bool(review.overall.note.strip()),
                is_pale=column is PairColumn.UNUSUAL and not self._is_unusual(place),
                is_old=self._is_old(place, column),
                is_doubtful=bool(self._doubts(place, column)),
            )
            for column in PairColumn
        ]

    @property
    def _rows(self) -> Any:
        return self._workspace.pairs.table.rows

    def _review(self, place: int) -> PairReview:
        return self._reviews.get(self._workspace.pairs.table.pair_at(place)) or NO_REVIEW

    def row_text(self, row: int, column: PairColumn) -> str:
        """Return the text of a cell by row of the view."""
        return self.text(int(self._listed[row]), column)

    def text(self, place: int, column: PairColumn) -> str:
        """Return the text of a cell by index in the table of pairs."""
        if column in (PairColumn.A, PairColumn.B):
            return self._name(place, column)
        if column is PairColumn.DECISION:
            return self._decision_in_words(place, is_short=True)
        if column is PairColumn.GROUP:
            group = self._group_of(place)
            return NO_FIGURE if group is None else f"{group.number:,}"
        if column is PairColumn.UNUSUAL:
            rarity = self._rarity(place)
            return NO_FIGURE if rarity is None else short_multiple(rarity)
        figure, before = (self._rows[fields[column]][place].item() for fields in (FIELDS, FIELDS_BEFORE))
        if column in SHARES and not isnan(figure + before):
            return with_share_before(figure, before)
        return figure_text(column, before)

    def _key(self, place: int, column: PairColumn) -> int:
        return self._workspace.pairs.table.pair_at(place)[0 if column is PairColumn.A else 1]

    def _name(self, place: int, column: PairColumn) -> str:
        return self.labels.text_of(self._key(place, column))

    def _rarity(self, place: int) -> PairRarity | None:
        """Return the rarity of the larger share of a row in the class; None if it is unknown."""
        share = float(larger_share(self._rows[place : place + 1])[0])
        return None if isnan(share) else self._workspace.class_state.rarity(share)

    def _decision_in_words(self, place: int, *, is_short: bool = False) -> str:
        review, pairs = self._review(place), self._workspace.pairs
        _shares, parts = pairs.after_decisions(pairs.table.pair_at(place), review)
        words = pair_decision_in_words(review, parts, is_short=is_short)
        return words[:1].upper() + words[1:] or (NO_FIGURE if is_short else decision_name(None))

    def _tip(self, place: int, column: PairColumn) -> str:
        if column in (PairColumn.A, PairColumn.B):
            return self._name_tip(place, column)
        lines = [self._state_in_words(place)]
        if self._is_all_excluded(place, column):
            lines.append(_("Nothing counts: all of this text is excluded."))
        if column is PairColumn.GROUP:
            lines.append(self._group_in_words(place))
        if column is PairColumn.UNUSUAL and (rarity := self._rarity(place)) is not None:
            lines.append(rarity_in_words(rarity))
        if column is PairColumn.DECISION:
            lines += [self._decision_in_words(place), self._review(place).overall.note.strip()]
        return as_tooltip("\n".join(line for line in lines if line))

    def _name_tip(self, place: int, column: PairColumn) -> str:
        entry = self._workspace.documents.entries.get(self._key(place, column))
        lines = [escape_invisible(str(entry.path)) if entry else ""]
        if self._is_old(place, column):
            lines.append(_("Earlier work"))
        lines.append(self._doubts(place, column))
        if (same := self._sameness(place)) is not None:
            other = self._name(place, PairColumn.B if column is PairColumn.A else PairColumn.A)
            lines.append(_(SAME_AS_WORDS[same]).format(name=other))
        return as_tooltip("\n".join(line for line in lines if line))

    def _group_in_words(self, place: int) -> str:
        group = self._group_of(place)
        return group_in_words(group, [self.labels.text_of(key) for key in group.members]) if group else ""

    def _is_old(self, place: int, column: PairColumn) -> bool:
        """Return whether a cell names earlier work."""
        if column not in (PairColumn.A, PairColumn.B):
            return False
        return self._workspace.class_state.role_of(self._key(place, column)) is DocumentRole.OLD

    def _doubts(self, place: int, column: PairColumn) -> str:
        """Return why the text of a document is to be checked, "" if it is not, or in another column."""
        if column not in (PairColumn.A, PairColumn.B):
            return ""
        entry = self._workspace.documents.entries.get(self._key(place, column))
        if entry is None or entry.prepared_document is None or not entry.is_doubtful:
            return ""
        return doubts_summary(entry.prepared_document.document.receipt)

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
            ) or _("the comparison failed")
            words = _("These two documents could not be compared: {cause}. “Compare again” retries.")
            return words.format(cause=cause)
        if row["state"] == PairState.RENEWING:
            return _("These figures are for the previous settings and are being updated.")
        return "" if row["state"] == PairState.CURRENT else _("Not compared yet")

    def _is_unusual(self, place: int) -> bool:
        rarity = self._rarity(place)
        return rarity is not None and rarity.is_unusual

    def _is_all_excluded(self, place: int, column: PairColumn) -> bool:
        """Return whether a pair was compared and has no share, as nothing of the text counts."""
        row = self._rows[place]
        return column in SHARES and row["state"] == PairState.CURRENT and isnan(row[FIELDS[column]])

    def _accessible_text(self, place: int, column: PairColumn) -> str:
        text = self.text(place, column)
        if column is PairColumn.DECISION:
            text = self._decision_in_words(place)
        if text == NO_FIGURE:
            text = _("nothing counts") if self._is_all_excluded(place, column) else _("not known")
        if column is PairColumn.GROUP and self._group_of(place) is None:
            text = _("in no group")
        note = self._review(place).overall.note.strip() if column is PairColumn.DECISION else ""
        words = (
            f"{full_column_name(column)}: {enumerated([text, *([named(_('Note'), note)] if note else [])])}"
        )
        if self._is_old(place, column):
            words = f"{words}, {_('earlier work')}"
        if self._doubts(place, column):
            words = enumerated([words, _("to check")])
        if column is PairColumn.B and (same := self._sameness_in_words(place)):
            words = f"{words}, {same}"
        renewing = [_("being updated")] if self._rows["state"][place] == PairState.RENEWING else []
        return enumerated([words, *renewing])


_EMPTY_CELLS = [PairCell("", None, None, False, "")] * len(PairColumn)


def figure_text(column: PairColumn, figure: float) -> str:
    """Format a figure of PAIR_ROW for its column."""
    if column in ALL_SHARES:
        return NO_FIGURE if isnan(figure) else percent(figure)
    return NO_FIGURE if figure < 0 else f"{figure:,}"


def alignment(column: PairColumn) -> Qt.AlignmentFlag:
    """Return the alignment of a column's texts."""
    is_figure = column in FIELDS or column in (PairColumn.GROUP, PairColumn.UNUSUAL)
    return _AT_RIGHT if is_figure else _AT_LEFT
