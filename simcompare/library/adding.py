"""Add documents to a library, and merge the terms of recent entries into the large table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from itertools import islice

import numpy as np
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from simcompare.library.new_entry import NewEntry
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS, POSTINGS, RECENT_POSTINGS, STATE, TAGS

_BATCH = 200
"""Documents in a transaction: three times as fast as one by one."""
_FEWEST_MERGED = 5_000
_MERGED_SHARE = 0.1
_HASHES_AT_ONCE = 500


class Addition(Enum):
    """Result of adding a document: added, or skipped because its file or its text is known."""

    ADDED = auto()
    SAME_FILE = auto()
    SAME_TEXT = auto()


@dataclass(frozen=True, slots=True)
class AdditionOutcome:
    """Result of adding a document, and the entry that has it."""

    name: str
    addition: Addition
    entry: int


def add_entries(library: Library, new_entries: Iterable[NewEntry]) -> Iterator[AdditionOutcome]:
    """Add documents, in transactions of 200, and yield their outcomes in order after each one.

    Documents whose file or comparable text the library has are skipped, so that a run that was interrupted
    can be repeated. Raises LibraryError; what was yielded is stored.
    """
    remaining = iter(new_entries)
    while batch := list(islice(remaining, _BATCH)):
        with library.writing() as connection:
            outcomes = _add(connection, batch)
        yield from outcomes
        if _is_merge_due(library):
            merge_recent(library)


def known_files(library: Library, hashes: Sequence[str]) -> dict[str, int]:
    """Return the entries whose files have one of these SHA-256, by the hash."""
    known: dict[str, int] = {}
    columns = ENTRIES.c.file_sha256, ENTRIES.c.id
    for first in range(0, len(hashes), _HASHES_AT_ONCE):
        wanted = ENTRIES.c.file_sha256.in_(hashes[first : first + _HASHES_AT_ONCE])
        with library.reading() as connection:
            rows = connection.execute(select(*columns).where(wanted))
            known |= {row.file_sha256: row.id for row in rows}
    return known


def _add(connection: Connection, batch: Sequence[NewEntry]) -> list[AdditionOutcome]:
    """Add the new ones of some documents within the transaction; return the outcome of each, in order."""
    files, texts = _known(connection, batch)
    added: list[tuple[int, NewEntry]] = []
    outcomes: list[AdditionOutcome] = []
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for new in batch:
        file, text = new.columns["file_sha256"], new.columns["text_sha256"]
        if file in files:
            addition, entry = Addition.SAME_FILE, files[file]
        elif text in texts:
            addition, entry = Addition.SAME_TEXT, texts[text]
        else:
            statement = insert(ENTRIES).values(**new.columns, added_at=now).returning(ENTRIES.c.id)
            addition, entry = Addition.ADDED, connection.execute(statement).scalar_one()
            files[file] = texts[text] = entry
            added.append((entry, new))
        outcomes.append(AdditionOutcome(new.name, addition, entry))
    if added:
        _insert_parts(connection, added)
    return outcomes


def _known(connection: Connection, batch: Sequence[NewEntry]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the entries that have the file, and those that have the text, of one of the batch; by hash."""
    same_file = ENTRIES.c.file_sha256.in_([new.columns["file_sha256"] for new in batch])
    same_text = ENTRIES.c.text_sha256.in_([new.columns["text_sha256"] for new in batch])
    columns = ENTRIES.c.id, ENTRIES.c.file_sha256, ENTRIES.c.text_sha256
    found = connection.execute(select(*columns).where(or_(same_file, same_text))).all()
    return {row.file_sha256: row.id for row in found}, {row.text_sha256: row.id for row in found}


def _insert_parts(connection: Connection, added: Sequence[tuple[int, NewEntry]]) -> None:
    """Insert fingerprints, tags and terms; the terms in the order of the table, which is faster."""
    connection.execute(insert(FINGERPRINTS), [{"entry": entry} | new.fingerprints for entry, new in added])
    tags = [
        {"entry": entry, "name": tag.name, "value": tag.value}
        for entry, new in added
        for tag in dict.fromkeys(new.tags)
    ]
    if tags:
        connection.execute(insert(TAGS), tags)
    owners = np.repeat([entry for entry, _ in added], [len(new.terms) for _, new in added])
    grams = np.concatenate([new.terms for _, new in added])
    order = np.lexsort((owners, grams))
    pairs = zip(grams[order].tolist(), owners[order].tolist(), strict=True)
    connection.execute(insert(RECENT_POSTINGS), [{"gram": gram, "entry": entry} for gram, entry in pairs])


def _is_merge_due(library: Library) -> bool:
    """Return whether so many entries are recent that adding to the small table becomes slow."""
    with library.reading() as connection:
        merged = connection.execute(select(STATE.c.last_merged_entry)).scalar_one()
        last = connection.execute(select(func.max(ENTRIES.c.id))).scalar() or 0
    return bool(last - merged >= max(_FEWEST_MERGED, _MERGED_SHARE * merged))


def merge_recent(library: Library) -> None:
    """Move the terms of recent entries to the large table, in its order."""
    with library.writing() as connection:
        recent = select(RECENT_POSTINGS.c.gram, RECENT_POSTINGS.c.entry)
        in_order = recent.order_by(RECENT_POSTINGS.c.gram, RECENT_POSTINGS.c.entry)
        connection.execute(insert(POSTINGS).from_select(["gram", "entry"], in_order))
        connection.execute(delete(RECENT_POSTINGS))
        last = select(func.max(ENTRIES.c.id)).scalar_subquery()
        merged = func.coalesce(last, STATE.c.last_merged_entry)
        connection.execute(update(STATE).values(last_merged_entry=merged))
