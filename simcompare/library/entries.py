"""Entries of a library: list them, alone and in groups, restore their documents, and count them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, delete, exists, func, insert, select

from simcompare.cohort.class_check import NamedEntry
from simcompare.fingerprint.simhash import RECIPES, Fingerprint
from simcompare.library.library_errors import DamagedLibraryError, NoSuchEntryError
from simcompare.library.store.database_errors import DAMAGED_CONTENT
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS, TAGS
from simcompare.library.store.stored_documents import document_from
from simcompare.library.store.stored_postings import unsigned_value
from simcompare.library.tags import STUDENT, UNTIL, Tag, make_tag
from simcompare.model.document import Document
from simcompare.session.json_fields import BrokenValueError

VALUES_AT_ONCE = 500
"""Values in one statement; databases limit them."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry without its text. added_at: UTC in ISO 8601."""

    entry: int
    name: str
    title: str
    unit_count: int
    language: str
    added_at: str
    tags: tuple[Tag, ...]

    @property
    def named(self) -> NamedEntry:
        return NamedEntry(
            self.entry, self.name, tuple((tag.name, tag.value) for tag in self.tags), self.added_at
        )


@dataclass(frozen=True, slots=True)
class LibraryFigures:
    """Size of a library. tag_counts: number of entries with each tag but those of students.

    students: number of students with a tag. The dates are None without entries.
    """

    entries: int
    units: int
    terms: int
    size_bytes: int
    first_added_at: str | None
    last_added_at: str | None
    tag_counts: tuple[tuple[Tag, int], ...]
    students: int


def list_entries(library: Library, tags: Sequence[Tag] = ()) -> list[StoredEntry]:
    """Return the entries that have all of the tags, in the order they were added."""
    with library.reading() as connection:
        return tagged_entries(connection, tags)


def tagged_entries(connection: Connection, tags: Sequence[Tag]) -> list[StoredEntry]:
    """Return the entries that have all of the tags, within a transaction."""
    return _entries(connection, list(map(has_tag, tags)))


def chosen_entries(connection: Connection, ids: Collection[int]) -> list[StoredEntry]:
    """Return entries by their numbers, ascending. Raises NoSuchEntryError."""
    wanted = sorted(set(ids))
    found = [
        entry
        for first in range(0, len(wanted), VALUES_AT_ONCE)
        for entry in _entries(connection, [ENTRIES.c.id.in_(wanted[first : first + VALUES_AT_ONCE])])
    ]
    missing = set(wanted) - {entry.entry for entry in found}
    if missing:
        raise NoSuchEntryError(entry=min(missing))
    return found


def entries_by_file(
    connection: Connection, file_hashes: Collection[str], tags: Sequence[Tag] = ()
) -> defaultdict[str, list[StoredEntry]]:
    """Return the entries of files that have all of the tags, by SHA-256, in the order they were added."""
    found: defaultdict[str, list[StoredEntry]] = defaultdict(list)
    wanted = sorted(set(file_hashes))
    for first in range(0, len(wanted), VALUES_AT_ONCE):
        same_file = ENTRIES.c.file_sha256.in_(wanted[first : first + VALUES_AT_ONCE])
        rows = connection.execute(select(ENTRIES.c.id, ENTRIES.c.file_sha256).where(same_file))
        hashes = {row.id: row.file_sha256 for row in rows}
        for entry in _entries(connection, [same_file, *map(has_tag, tags)]):
            found[hashes[entry.entry]].append(entry)
    return found


def _entries(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> list[StoredEntry]:
    tags = tags_by_entry(connection, conditions)
    columns = (
        ENTRIES.c.id,
        ENTRIES.c.name,
        ENTRIES.c.title,
        ENTRIES.c.unit_count,
        ENTRIES.c.language,
        ENTRIES.c.added_at,
    )
    rows = connection.execute(select(*columns).where(*conditions).order_by(ENTRIES.c.id))
    return [StoredEntry(*row, tuple(sorted(tags[row.id]))) for row in rows]


def tags_by_entry(
    connection: Connection, conditions: Sequence[ColumnElement[bool]]
) -> defaultdict[int, list[Tag]]:
    """Return the tags of the entries that meet the conditions, by entry."""
    tags: defaultdict[int, list[Tag]] = defaultdict(list)
    matching = select(ENTRIES.c.id).where(*conditions)
    for row in connection.execute(select(TAGS).where(TAGS.c.entry.in_(matching))):
        tags[row.entry].append(Tag(row.name, row.value))
    return tags


def restored_document(library: Library, connection: Connection, entry: int) -> Document:
    """Return the document of an entry as it was added, but for the positions of its characters.

    Raises NoSuchEntryError, DamagedLibraryError.
    """
    row = connection.execute(select(ENTRIES).where(ENTRIES.c.id == entry)).one_or_none()
    if row is None:
        raise NoSuchEntryError(entry=entry)
    try:
        return document_from(row)
    except BrokenValueError as error:
        raise DamagedLibraryError(str(library.place), cause=DAMAGED_CONTENT) from error


def has_tag(tag: Tag) -> ColumnElement[bool]:
    """Return the condition that an entry has a tag."""
    return exists().where(TAGS.c.entry == ENTRIES.c.id, TAGS.c.name == tag.name, TAGS.c.value == tag.value)


def stored_fingerprint(connection: Connection, entry: int) -> Fingerprint:
    """Return the document fingerprint of an entry. Raises BrokenValueError."""
    columns = FINGERPRINTS.c.document, FINGERPRINTS.c.recipe
    value, recipe = connection.execute(select(*columns).where(FINGERPRINTS.c.entry == entry)).one()
    method = RECIPES.get(str(recipe).partition("/")[0])
    if method is None:
        raise BrokenValueError("recipe")
    return Fingerprint(unsigned_value(value), method.size_bits, recipe)


def library_figures(library: Library) -> LibraryFigures:
    with library.reading() as connection:
        totals: Any = connection.execute(
            select(
                func.count(ENTRIES.c.id),
                func.coalesce(func.sum(ENTRIES.c.unit_count), 0),
                func.coalesce(func.sum(ENTRIES.c.term_count), 0),
                func.min(ENTRIES.c.added_at),
                func.max(ENTRIES.c.added_at),
            )
        ).one()
        by_tag = select(TAGS.c.name, TAGS.c.value, func.count()).group_by(TAGS.c.name, TAGS.c.value)
        others = by_tag.where(TAGS.c.name != STUDENT).order_by(TAGS.c.name, TAGS.c.value)
        counts = tuple((Tag(name, value), count) for name, value, count in connection.execute(others))
        distinct = select(func.count(func.distinct(TAGS.c.value))).where(TAGS.c.name == STUDENT)
        students = connection.execute(distinct).scalar_one()
    entries, units, terms, first, last = totals
    return LibraryFigures(
        entries, int(units), int(terms), library.size_bytes(), first, last, counts, students
    )


def change_tags(
    library: Library,
    entries: Collection[int],
    tags: Sequence[Tag],
    given: Sequence[Tag] = (),
    removed_names: Collection[str] = (),
) -> list[StoredEntry]:
    """Change tags of the entries with these numbers, or of those that have all of `tags`; return them.

    Each tag of `given` replaces those of its name; tags with `removed_names` are removed. The tags of an
    entry are part of its submission: added again with the new ones it is known, with the former ones it is
    another submission. Raises NoSuchEntryError, LibraryError.
    """
    with library.writing() as connection:
        found = chosen_entries(connection, entries) if entries else tagged_entries(connection, tags)
        ids = [entry.entry for entry in found]
        wanted = sorted({*removed_names, *(tag.name for tag in given)})
        for first in range(0, len(ids) if wanted else 0, VALUES_AT_ONCE):
            part = TAGS.c.entry.in_(ids[first : first + VALUES_AT_ONCE])
            connection.execute(delete(TAGS).where(part, TAGS.c.name.in_(wanted)))
        rows = [
            {"entry": entry, "name": tag.name, "value": tag.value}
            for entry in ids
            for tag in dict.fromkeys(given)
        ]
        if rows:
            connection.execute(insert(TAGS), rows)
        return chosen_entries(connection, ids)


def retain(library: Library, entries: Collection[int], tags: Sequence[Tag], until: date) -> list[StoredEntry]:
    """Set the last day on which entries may be kept, chosen as in `change_tags`; return them.

    Nothing is removed on that day, but by `remove_expired` after it. Raises what `change_tags` raises.
    """
    return change_tags(library, entries, tags, [make_tag(UNTIL, until.isoformat())])


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
