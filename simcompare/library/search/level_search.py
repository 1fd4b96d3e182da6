"""Search by fingerprints: entries with one within 3 bits of one of a text (Lv et al., sections 2.1, 3.1).

The document, its paragraphs and its sentences are the levels, each compared with its like. A library has
their fingerprints once it was searched in this way, as their index takes 6 kB for an essay of 740 units; a
later search adds those of new entries. Of 1,000 essays they take 15 s to make, and 25 ms to search.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, func, insert, select, union_all, update

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import Fingerprint, Level, hamming_distances_bits, multilevel_fingerprints
from simcompare.library.entries import restored_document
from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryNotWritableError,
    LibraryRightsError,
    NotFingerprintedError,
)
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import BLOCK_NAMES, ENTRIES, LEVEL_FINGERPRINTS, STATE
from simcompare.library.store.stored_postings import number_columns, signed_value, unsigned
from simcompare.model.document import Document
from simcompare.model.errors import NoUnitsError
from simcompare.model.progress import Tick, no_tick
from simcompare.model.settings import DEFAULT_MINIMUM_UNITS
from simcompare.text.prepared_text import PreparedText, prepare

NEAR_BITS = 3
_RECIPE = "levels"
"""Another recipe, or another background of it, needs a migration that empties the table."""
_ENTRIES_AT_ONCE = 50
_LATER_ENTRIES = (
    select(ENTRIES.c.id).where(ENTRIES.c.id > STATE.c.last_fingerprinted_entry).order_by(ENTRIES.c.id)
)


def text_parts(document: Document, prepared: PreparedText) -> dict[tuple[Level, Fingerprint], set[int]]:
    """Return the fingerprints of a text by level, with the sentences that each is of.

    Parts that are too short to count in a comparison have none. Raises NoUnitsError.
    """
    found: defaultdict[tuple[Level, Fingerprint], set[int]] = defaultdict(set)
    for level, _, own, fingerprint in multilevel_fingerprints(document, prepared, _RECIPE):
        if fingerprint and prepared.sentence_lengths[own.start : own.stop].sum() >= DEFAULT_MINIMUM_UNITS:
            found[level, fingerprint].update(own)
    return found


# --- fill the table


def fingerprint_entries(libraries: Sequence[Library], tick: Tick = no_tick) -> None:
    """Add the fingerprints that libraries lack; `tick` counts entries. What was added stays if it raises.

    Raises NotFingerprintedError if some are missing and cannot be added, LibraryError, and what `tick`
    raises.
    """
    missing = [(library, _missing(library)) for library in libraries]
    total, done = sum(len(entries) for _library, entries in missing), 0
    for library, entries in missing:
        for first in range(0, len(entries), _ENTRIES_AT_ONCE):
            some = entries[first : first + _ENTRIES_AT_ONCE]
            try:
                with library.writing() as connection:
                    _add_fingerprints(library, connection, some)
            except (LibraryNotWritableError, LibraryRightsError) as error:
                raise NotFingerprintedError(
                    str(library.place), reason=str(error), count=len(entries) - first
                ) from error
            done += len(some)
            tick(done, total)


def _missing(library: Library) -> Sequence[int]:
    with library.reading() as connection:
        return connection.execute(_LATER_ENTRIES).scalars().all()


def _add_fingerprints(library: Library, connection: Connection, entries: Sequence[int]) -> None:
    """Add the fingerprints of entries, but for those that another program has added or removed meanwhile."""
    present = connection.execute(_LATER_ENTRIES.where(ENTRIES.c.id.in_(entries))).scalars().all()
    rows: list[dict[str, Any]] = []
    for entry in present:
        with suppress(DamagedLibraryError, NoUnitsError):  # told by a check of the library
            document = restored_document(library, connection, entry)
            rows += [_row(entry, *part) for part in text_parts(document, prepare(document))]
    if rows:
        connection.execute(insert(LEVEL_FINGERPRINTS), rows)
    if present:
        connection.execute(update(STATE).values(last_fingerprinted_entry=present[-1]))


def _row(entry: int, level: Level, fingerprint: Fingerprint) -> dict[str, Any]:
    value = signed_value(fingerprint.value)
    return {"entry": entry, "level": int(level), "value": value} | _blocks(fingerprint)


def _blocks(fingerprint: Fingerprint) -> dict[str, int]:
    """Return the blocks of 8 bits, the highest first."""
    return dict(zip(BLOCK_NAMES, fingerprint.value.to_bytes(len(BLOCK_NAMES)), strict=True))


# --- search

# Pigeonhole principle: each bit in which two fingerprints differ changes one of the 8 blocks, so that 3 bits
# change 3 at most, and at least 5 are equal. So no fingerprint within 3 bits is left out by asking for 5; but
# one with 5 equal blocks may differ in up to 24 bits, so that those of the candidates are counted.
_COLUMNS = LEVEL_FINGERPRINTS.c
_EQUAL_BLOCKS = union_all(
    *(
        select(_COLUMNS.entry, _COLUMNS.value).where(
            _COLUMNS.level == bindparam("level"), _COLUMNS[block] == bindparam(block)
        )
        for block in BLOCK_NAMES
    )
).subquery()
_CANDIDATES = (
    select(_EQUAL_BLOCKS.c.entry, _EQUAL_BLOCKS.c.value)
    .group_by(_EQUAL_BLOCKS.c.entry, _EQUAL_BLOCKS.c.value)
    .having(func.count() >= len(BLOCK_NAMES) - NEAR_BITS)
)


def entries_within_3_bits(connection: Connection, level: Level, fingerprint: Fingerprint) -> list[int]:
    """Return the entries with a fingerprint of a level that differs in at most 3 bits, ascending."""
    rows: Any = connection.execute(_CANDIDATES, {"level": int(level)} | _blocks(fingerprint))
    entries, stored = number_columns(rows)
    near = hamming_distances_bits(unsigned(stored), np.uint64(fingerprint.value)) <= NEAR_BITS
    return [int(entry) for entry in np.unique(entries[near])]


def find_by_fingerprints(
    connections: Sequence[Connection], query: PreparedDocument
) -> Iterator[tuple[int, int]]:
    """Yield the entries of several libraries that have a part of a text, each with the number of its library.

    Those come first that have parts with the most units in common, of equal ones the earliest.
    """
    found: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for (level, fingerprint), own in text_parts(query.document, query.prepared).items():
        for library, connection in enumerate(connections):
            for entry in entries_within_3_bits(connection, level, fingerprint):
                found[entry, library] |= own
    lengths = query.prepared.sentence_lengths
    units = {owner: int(lengths[list(own)].sum()) for owner, own in found.items()}
    yield from sorted(units, key=lambda owner: (-units[owner], owner))
