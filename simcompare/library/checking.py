"""Check that a library is complete and undamaged: the database, what belongs to each entry, and its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, func, select, union_all

from simcompare.library.entries import restored_document
from simcompare.library.library_errors import DamagedLibraryError
from simcompare.library.store.open_library import Library
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
from simcompare.model.progress import Tick

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
