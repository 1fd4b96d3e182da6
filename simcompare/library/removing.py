"""Remove entries from a library for good, with a protocol; check that a library is sound."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date
from enum import StrEnum

from sqlalchemy import Connection, bindparam, delete, func, select, union_all

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
from simcompare.library.store.schema import (
    ENTRIES,
    FACTS,
    FINGERPRINTS,
    LEVEL_FINGERPRINTS,
    MEANINGS,
    POSTINGS,
    RECENT_POSTINGS,
    STATE,
    TAGS,
)
from simcompare.library.students import tag_values
from simcompare.library.tags import STUDENT, UNTIL, Tag
from simcompare.model.progress import Tick
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
    return _remove(library, lambda connection: chosen_entries(connection, ids))


def remove_tagged(library: Library, tags: Sequence[Tag]) -> RemovalProtocol:
    """Remove the entries that have all of the tags, of which there is at least one. Raises LibraryError."""
    if not tags:
        raise ValueError("would remove every entry")
    return _remove(library, lambda connection: tagged_entries(connection, tags), tags)


def remove_student(library: Library, student: str) -> RemovalProtocol:
    """Remove all entries of a student, by name and by pseudonym, of any class and year.

    Raises TagError, PseudonymKeyError, LibraryError.
    """
    values = tag_values(student)

    def entries(connection: Connection) -> list[StoredEntry]:
        found = [tagged_entries(connection, [Tag(STUDENT, value)]) for value in values]
        by_number = {entry.entry: entry for entries in found for entry in entries}
        return [by_number[number] for number in sorted(by_number)]

    return _remove(library, entries, [Tag(STUDENT, student)])


def expired_entries(library: Library, today: date) -> list[StoredEntry]:
    """Return the entries that could be kept until a day before `today`; of several dates the last counts."""
    with library.reading() as connection:
        return _expired(connection, today)


def remove_expired(library: Library, today: date) -> RemovalProtocol:
    """Remove the entries that `expired_entries` returns. Raises LibraryError."""
    return _remove(library, lambda connection: _expired(connection, today))


def _expired(connection: Connection, today: date) -> list[StoredEntry]:
    # dates of this form are sorted as texts
    last_days = select(TAGS.c.entry).where(TAGS.c.name == UNTIL).group_by(TAGS.c.entry)
    past = last_days.having(func.max(TAGS.c.value) < today.isoformat())
    return chosen_entries(connection, connection.execute(past).scalars().all())


def _remove(
    library: Library, choose: Callable[[Connection], Sequence[StoredEntry]], tags: Sequence[Tag] = ()
) -> RemovalProtocol:
    """Remove entries, which were chosen by `tags`; their tags and fingerprints go with them."""
    with library.writing() as connection:
        entries = choose(connection)
        ids = [entry.entry for entry in entries]
        terms = sum(_remove_terms(library, connection, entry) for entry in ids)
        for first in range(0, len(ids), VALUES_AT_ONCE):
            connection.execute(delete(ENTRIES).where(ENTRIES.c.id.in_(ids[first : first + VALUES_AT_ONCE])))
        logged_tags = [tag.name if tag.name == STUDENT else str(tag) for tag in tags]
        log_access(connection, REMOVE, len(entries), logged_tags)
    library.forget_removed()
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


_MOST_MESSAGES = 20
_INTACT = "ok"


class FaultKind(StrEnum):
    """What is wrong; the values are stable identifiers.

    DATABASE: the database found damage. STATE: its record of changes is lost. ORPHANS: tags, fingerprints or
    terms of no entry. FINGERPRINT: an entry has none. TERMS: an entry does not have all of its terms, or too
    many. TEXT: the document of an entry cannot be restored.
    """

    DATABASE = "database"
    STATE = "state"
    ORPHANS = "orphans"
    FINGERPRINT = "fingerprint"
    TERMS = "terms"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, the number of its entry if it has one, and a detail: a message or numbers."""

    kind: FaultKind
    entry: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckedLibrary:
    """Number of entries, 0 if they cannot be counted, and what is wrong."""

    entries: int
    faults: tuple[Fault, ...]


def check_library(library: Library, tick: Tick) -> CheckedLibrary:
    """Check one state of a library; `tick` counts entries.

    If the database itself is damaged, nothing else is checked. Raises LibraryError if it cannot be read for
    another reason, and what `tick` raises.
    """
    try:
        with library.reading() as connection:
            faults = list(_database_faults(connection))
            if faults:
                return CheckedLibrary(0, tuple(faults))
            ids = connection.execute(select(ENTRIES.c.id).order_by(ENTRIES.c.id)).scalars().all()
            faults += _record_faults(connection, ids)
            faults += _text_faults(library, connection, ids, tick)
    except DamagedLibraryError as error:
        return CheckedLibrary(0, (Fault(FaultKind.DATABASE, detail=error.values["cause"]),))
    return CheckedLibrary(len(ids), tuple(faults))


def _database_faults(connection: Connection) -> Iterator[Fault]:
    """Have SQLite check its file; a server checks its own."""
    if connection.dialect.name == "sqlite":
        messages = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_MESSAGES})").scalars()
        # a message may have a heading, and several lines
        lines = [line for each in messages.all() for line in each.splitlines() if not line.startswith("***")]
        yield from (Fault(FaultKind.DATABASE, detail=line) for line in lines if line != _INTACT)


def _record_faults(connection: Connection, ids: Sequence[int]) -> Iterator[Fault]:
    """Yield what is missing of entries, and what belongs to none."""
    if connection.execute(select(func.count()).select_from(STATE)).scalar_one() != 1:
        yield Fault(FaultKind.STATE)
    known = set(ids)
    for table in (TAGS, FINGERPRINTS, LEVEL_FINGERPRINTS, MEANINGS, FACTS):
        owners = connection.execute(select(table.c.entry, func.count()).group_by(table.c.entry)).all()
        lost = sum(count for entry, count in owners if entry not in known)
        if lost:
            yield Fault(FaultKind.ORPHANS, detail=f"{table.name}: {lost}")
        if table is FINGERPRINTS:
            without = known - {entry for entry, _count in owners}
            yield from (Fault(FaultKind.FINGERPRINT, entry) for entry in sorted(without))
    yield from _term_faults(connection)


def _term_faults(connection: Connection) -> Iterator[Fault]:
    terms = union_all(*(select(table.c.entry) for table in (POSTINGS, RECENT_POSTINGS))).subquery()
    counted = select(terms.c.entry, func.count().label("terms")).group_by(terms.c.entry)
    found = {row.entry: row.terms for row in connection.execute(counted)}
    for entry, expected in connection.execute(select(ENTRIES.c.id, ENTRIES.c.term_count)):
        count = found.pop(entry, 0)
        if count != expected:
            yield Fault(FaultKind.TERMS, entry, f"{count} / {expected}")
    if found:
        yield Fault(FaultKind.ORPHANS, detail=f"terms: {sum(found.values())}")


def _text_faults(library: Library, connection: Connection, ids: Sequence[int], tick: Tick) -> Iterator[Fault]:
    for done, entry in enumerate(ids, start=1):
        try:
            restored_document(library, connection, entry)
        except DamagedLibraryError:
            yield Fault(FaultKind.TEXT, entry)
        tick(done, len(ids))
