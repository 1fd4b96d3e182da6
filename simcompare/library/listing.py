"""Listings of a library for the window: groups of entries by their tags, and the newest of a group."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, func, select

from simcompare.library.entries import VALUES_AT_ONCE, StoredEntry, chosen_entries, has_tag
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, TAGS
from simcompare.library.tags import UNTIL, Tag

GROUPED_BY = ("year", "class", "assignment")
"""Names of the tags by which entries are grouped."""


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """Entries of one year, class and assignment; "" for entries without such a tag.

    An entry with two values of one tag is counted in two groups. units: characters and words of all texts;
    last_added_at: UTC in ISO 8601. first_last_day, final_last_day: the earliest and the latest last day of
    its entries, such as 2028-07-31; dated, expired: numbers of entries that have one, and of those past it.
    """

    year: str
    school_class: str
    assignment: str
    entries: int
    units: int
    last_added_at: str
    first_last_day: str | None = None
    final_last_day: str | None = None
    dated: int = 0
    expired: int = 0

    @property
    def values(self) -> tuple[str, str, str]:
        """Values of the tags GROUPED_BY."""
        return self.year, self.school_class, self.assignment


def entry_groups(library: Library, today: date) -> list[EntryGroup]:
    """Return the groups of all entries, the one with the latest entry first. Raises LibraryError."""
    tags = [TAGS.alias(name) for name in GROUPED_BY]
    joined: Any = ENTRIES
    for name, tag in zip(GROUPED_BY, tags, strict=True):
        joined = joined.outerjoin(tag, and_(tag.c.entry == ENTRIES.c.id, tag.c.name == name))
    # of several dates the last one counts; dates of this form are sorted as texts
    last_days = select(TAGS.c.entry, func.max(TAGS.c.value).label("day")).where(TAGS.c.name == UNTIL)
    dates = last_days.group_by(TAGS.c.entry).subquery()
    joined = joined.outerjoin(dates, dates.c.entry == ENTRIES.c.id)
    values = [func.coalesce(tag.c.value, "") for tag in tags]
    figures = (
        func.count(),
        func.sum(ENTRIES.c.unit_count),
        func.max(ENTRIES.c.added_at),
        func.min(dates.c.day),
        func.max(dates.c.day),
        func.count(dates.c.day),
        func.count(case((dates.c.day < today.isoformat(), 1))),
    )
    statement = select(*values, *figures).select_from(joined).group_by(*values)
    with library.reading() as connection:
        rows: Sequence[Any] = connection.execute(statement.order_by(func.max(ENTRIES.c.id).desc())).all()
    return [EntryGroup(*row) for row in rows]


def newest_entries(library: Library, group: EntryGroup | None, most: int) -> list[StoredEntry]:
    """Return the entries added last of a group or, without one, of the library; the latest first."""
    conditions = [] if group is None else _is_in_group(group)
    newest = select(ENTRIES.c.id).where(*conditions).order_by(ENTRIES.c.id.desc()).limit(most)
    with library.reading() as connection:
        ids = connection.execute(newest).scalars().all()
        return chosen_entries(connection, ids)[::-1]


def entries_of_group(library: Library, group: EntryGroup) -> list[int]:
    """Return the numbers of all entries of a group, ascending. Raises LibraryError."""
    statement = select(ENTRIES.c.id).where(*_is_in_group(group)).order_by(ENTRIES.c.id)
    with library.reading() as connection:
        return list(connection.execute(statement).scalars())


def _is_in_group(group: EntryGroup) -> list[ColumnElement[bool]]:
    return list(map(_is_in, GROUPED_BY, group.values))


def _is_in(name: str, value: str) -> ColumnElement[bool]:
    if value:
        return has_tag(Tag(name, value))
    return ~exists().where(TAGS.c.entry == ENTRIES.c.id, TAGS.c.name == name)


def entries_of_files(library: Library, names_of_files: Mapping[str, Collection[str]]) -> set[int]:
    """Return the entries of files, given by SHA-256, that have one of the names. Raises LibraryError."""
    wanted = sorted(names_of_files)
    found: set[int] = set()
    columns = ENTRIES.c.id, ENTRIES.c.file_sha256, ENTRIES.c.name
    with library.reading() as connection:
        for first in range(0, len(wanted), VALUES_AT_ONCE):
            same_file = ENTRIES.c.file_sha256.in_(wanted[first : first + VALUES_AT_ONCE])
            rows = connection.execute(select(*columns).where(same_file))
            found.update(row.id for row in rows if row.name in names_of_files[row.file_sha256])
    return found
