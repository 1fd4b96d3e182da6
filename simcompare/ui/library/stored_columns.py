"""Columns of what is stored: those of groups, and those of entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcompare.library.tags import STUDENT
from simcompare.report.library.entry_words import day
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_sentences, ngettext
from simcompare.ui.library.library_words import NO_VALUE, class_of, entry_details, tag_of
from simcompare.ui.library.rows_table import Column

if TYPE_CHECKING:
    from simcompare.library.entries import StoredEntry
    from simcompare.library.listing import EntryGroup


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group, or with None the row of all essays."""

    group: EntryGroup | None
    entries: int
    units: int
    last_added_at: str

    @property
    def key(self) -> tuple[str, ...] | None:
        """The group by its tags."""
        return None if self.group is None else self.group.values


def _group_value(number: int, heading: str) -> Column[GroupRow]:
    def text(row: GroupRow) -> str:
        if row.group is None:
            return "" if number else _("All essays")
        return row.group.values[number] or NO_VALUE

    return Column(heading, text, lambda row: "" if row.group is None else text(row).casefold())


def _expired(row: GroupRow) -> int:
    return 0 if row.group is None else row.group.expired


def _last_day(row: GroupRow) -> str:
    """Return the last day of a group, the first one of several, or that it is over."""
    group = row.group
    if group is None:
        return ""
    if group.first_last_day is None:
        return NO_VALUE
    if group.expired == group.entries:
        return _("{day}, expired").format(day=group.final_last_day)
    if group.expired:
        return ngettext("{count} expired", "{count} expired", group.expired)
    is_same = group.first_last_day == group.final_last_day and group.dated == group.entries
    return group.first_last_day if is_same else _("from {day}").format(day=group.first_last_day)


def _last_day_key(row: GroupRow) -> str:
    """Sort groups without a date last."""
    return "" if row.group is None else row.group.first_last_day or "9999-99-99"


def _last_days(row: GroupRow) -> str:
    """Return what the cell has no space for."""
    group = row.group
    if group is None:
        return ""
    if group.first_last_day is None:
        return _("No last day is set: these essays are kept until you delete them.")
    words = [_("The last day is between {first} and {last}.")]
    if group.first_last_day == group.final_last_day:
        words = [_("The last day is {first}.")]
    if group.dated < group.entries:
        words.append(_("{dated} of {entries} essays have one."))
    if group.expired:
        words.append(_("For {expired} of them it is over."))
    return joined_sentences(words).format(
        first=group.first_last_day,
        last=group.final_last_day,
        dated=f"{group.dated:,}",
        entries=f"{group.entries:,}",
        expired=f"{group.expired:,}",
    )


GROUP_COLUMNS = (
    _group_value(0, N_("Year")),
    _group_value(1, N_("Class")),
    _group_value(2, N_("Assignment")),
    Column[GroupRow](
        N_("Essays"), lambda row: f"{row.entries:,}", lambda row: row.entries, True, True, rank=1
    ),
    Column[GroupRow](
        N_("Keep until"), _last_day, _last_day_key, tip=_last_days, is_marked=lambda row: _expired(row) > 0
    ),
    Column[GroupRow](N_("Length"), lambda row: f"{row.units:,}", lambda row: row.units, True, True, rank=3),
    Column[GroupRow](
        N_("Last added"),
        lambda row: day(row.last_added_at),
        lambda row: row.last_added_at,
        True,
        True,
        rank=2,
    ),
)


def _student(entry: StoredEntry) -> str:
    return tag_of(entry, STUDENT)


ENTRY_COLUMNS = (
    Column["StoredEntry"](
        N_("File"),
        lambda entry: display_name(entry.name),
        lambda entry: entry.name.casefold(),
        tip=entry_details,
    ),
    Column["StoredEntry"](
        N_("Student"),
        lambda entry: _student(entry) or NO_VALUE,
        lambda entry: _student(entry).casefold(),
    ),
    Column["StoredEntry"](
        N_("Length"),
        lambda entry: f"{entry.unit_count:,}",
        lambda entry: entry.unit_count,
        True,
        True,
        rank=2,
    ),
    Column["StoredEntry"](N_("Class"), class_of, lambda entry: class_of(entry).casefold()),
    Column["StoredEntry"](
        N_("Added"),
        lambda entry: day(entry.added_at),
        lambda entry: (entry.added_at, entry.entry),
        True,
        True,
    ),
)
