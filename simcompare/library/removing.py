"""Remove entries from a library for good, with a protocol of what was removed."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date

from sqlalchemy import Connection, bindparam, delete, func, select

from simcompare.library.entries import (
    VALUES_AT_ONCE,
    StoredEntry,
    chosen_entries,
    restored_document,
    stored_fingerprint,
    tagged_entries,
)
from simcompare.library.index_terms import TERM_RECIPE, entry_terms
from simcompare.library.library_errors import DamagedLibraryError
from simcompare.library.store.open_library import REMOVE, Library, log_access
from simcompare.library.store.schema import ENTRIES, POSTINGS, RECENT_POSTINGS, TAGS
from simcompare.library.students import tag_values
from simcompare.library.tags import STUDENT, UNTIL, Tag
from simcompare.support.clock import now
from simcompare.text.text_preparation import prepare

_TABLES = (POSTINGS, RECENT_POSTINGS)


@dataclass(frozen=True, slots=True)
class RemovalProtocol:
    """What was removed, and when (UTC in ISO 8601). terms: number of places in the index."""

    removed_at: str
    entries: tuple[StoredEntry, ...]
    terms: int


def remove_entries(library: Library, ids: Collection[int]) -> RemovalProtocol:
    """Remove entries by their numbers, all or none. Raises NoSuchEntryError, LibraryError."""
    with library.writing() as connection:
        protocol = _remove(library, connection, chosen_entries(connection, ids))
    library.forget_removed()
    return protocol


def remove_tagged(library: Library, tags: Sequence[Tag]) -> RemovalProtocol:
    """Remove the entries that have all of the tags, of which there is at least one. Raises LibraryError."""
    if not tags:
        raise ValueError("would remove every entry")
    with library.writing() as connection:
        protocol = _remove(library, connection, tagged_entries(connection, tags), tags)
    library.forget_removed()
    return protocol


def remove_student(library: Library, student: str) -> RemovalProtocol:
    """Remove all entries of a student, by name and by pseudonym, of any class and year.

    Raises TagError, PseudonymKeyError, LibraryError.
    """
    values = tag_values(student)
    with library.writing() as connection:
        found = [tagged_entries(connection, [Tag(STUDENT, value)]) for value in values]
        by_number = {entry.entry: entry for entries in found for entry in entries}
        entries = [by_number[number] for number in sorted(by_number)]
        protocol = _remove(library, connection, entries, [Tag(STUDENT, student)])
    library.forget_removed()
    return protocol


def expired_entries(library: Library, today: date) -> list[StoredEntry]:
    """Return the entries that could be kept until a day before `today`; of several dates the last counts."""
    with library.reading() as connection:
        return _expired(connection, today)


def remove_expired(library: Library, today: date) -> RemovalProtocol:
    """Remove the entries that `expired_entries` returns. Raises LibraryError."""
    with library.writing() as connection:
        protocol = _remove(library, connection, _expired(connection, today))
    library.forget_removed()
    return protocol


def _expired(connection: Connection, today: date) -> list[StoredEntry]:
    # dates of this form are sorted as texts
    last_days = select(TAGS.c.entry).where(TAGS.c.name == UNTIL).group_by(TAGS.c.entry)
    past = last_days.having(func.max(TAGS.c.value) < today.isoformat())
    return chosen_entries(connection, connection.execute(past).scalars().all())


def _remove(
    library: Library, connection: Connection, entries: Sequence[StoredEntry], tags: Sequence[Tag] = ()
) -> RemovalProtocol:
    """Remove entries, which were chosen by `tags`, with everything that belongs to them.

    Tags and fingerprints go with their entry.
    """
    ids = [entry.entry for entry in entries]
    terms = sum(_remove_terms(library, connection, entry) for entry in ids)
    for first in range(0, len(ids), VALUES_AT_ONCE):
        connection.execute(delete(ENTRIES).where(ENTRIES.c.id.in_(ids[first : first + VALUES_AT_ONCE])))
    logged_tags = [tag.name if tag.name == STUDENT else str(tag) for tag in tags]
    log_access(connection, REMOVE, len(entries), logged_tags)
    return RemovalProtocol(now().astimezone(UTC).isoformat(timespec="seconds"), tuple(entries), terms)


def _remove_terms(library: Library, connection: Connection, entry: int) -> int:
    """Remove the terms of an entry, computed again from its text; return their number.

    If another version of this program or of its word lists made them, they are searched in the whole table.
    """
    facts = select(ENTRIES.c.term_count, ENTRIES.c.term_recipe).where(ENTRIES.c.id == entry)
    count, recipe = connection.execute(facts).one()
    removed = 0
    if recipe == TERM_RECIPE:
        # the text of a damaged entry has no terms
        with suppress(DamagedLibraryError):
            removed = _remove_computed_terms(library, connection, entry)
    if removed != count:
        removed += sum(
            connection.execute(delete(table).where(table.c.entry == entry)).rowcount for table in _TABLES
        )
    return removed


def _remove_computed_terms(library: Library, connection: Connection, entry: int) -> int:
    """Remove them from both tables, as some may have been merged already."""
    prepared = prepare(restored_document(library, connection, entry))
    terms = entry_terms(prepared, stored_fingerprint(connection, entry)).tolist()
    own = [
        delete(table).where(table.c.entry == entry, table.c.gram.in_(bindparam("terms", expanding=True)))
        for table in _TABLES
    ]
    return sum(
        connection.execute(statement, {"terms": terms[first : first + VALUES_AT_ONCE]}).rowcount
        for first in range(0, len(terms), VALUES_AT_ONCE)
        for statement in own
    )
