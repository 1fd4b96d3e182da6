"""Export a library, or the entries with some tags, to one portable file."""

from collections.abc import Iterator, Sequence
from datetime import UTC
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Connection, select

from simcompare.library.entries import StoredEntry, chosen_entries, has_tag, restored_document
from simcompare.library.library_errors import ExportNotSavedError
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS
from simcompare.library.tags import Tag
from simcompare.library.transfer.export_format import MANIFEST, ExportPart, Recipes, line_of, manifest_of
from simcompare.model.errors import os_errors_as
from simcompare.model.progress import Tick, no_tick
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now

_ENTRIES_AT_ONCE = 200
_PART_BYTES = 16_000_000
"""Bytes from which a part ends."""


def export_library(library: Library, path: Path, tags: Sequence[Tag] = (), tick: Tick = no_tick) -> int:
    """Write the entries that have all of the tags to a file, private to its owner; return their number.

    The file has one state of the library, and replaces another one only when it is complete. `tick` counts
    entries. Raises ExportNotSavedError, LibraryError, and what `tick` raises.
    """
    exported = 0

    def write(file: BinaryIO) -> None:
        nonlocal exported
        with library.reading() as connection, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            exported = _write(archive, library, connection, tags, tick)

    with os_errors_as(ExportNotSavedError, path, (OSError,)):
        write_atomically(path, write, private=True)
    return exported


def _write(
    archive: ZipFile, library: Library, connection: Connection, tags: Sequence[Tag], tick: Tick
) -> int:
    ids = connection.execute(select(ENTRIES.c.id).where(*map(has_tag, tags)).order_by(ENTRIES.c.id))
    entries = ids.scalars().all()
    lines = _lines(library, connection, entries, tick)
    parts: list[ExportPart] = []
    for number in count(1):
        part = _write_part(archive, f"entries-{number:05d}.jsonl", lines)
        if part is None:
            break
        parts.append(part)
    with archive.open(ZipInfo(MANIFEST), "w") as member:
        member.write(
            manifest_of(now().astimezone(UTC).isoformat(timespec="seconds"), _recipes(connection), parts)
        )
    return len(entries)


def _lines(library: Library, connection: Connection, entries: Sequence[int], tick: Tick) -> Iterator[bytes]:
    for first in range(0, len(entries), _ENTRIES_AT_ONCE):
        for done, entry in enumerate(
            chosen_entries(connection, entries[first : first + _ENTRIES_AT_ONCE]), start=first + 1
        ):
            yield _line(library, connection, entry)
            tick(done, len(entries))


def _line(library: Library, connection: Connection, entry: StoredEntry) -> bytes:
    document = restored_document(library, connection, entry.entry)
    return line_of(document, entry.name, entry.added_at, entry.tags)


def _write_part(archive: ZipFile, name: str, lines: Iterator[bytes]) -> ExportPart | None:
    """Write the next lines as a member; return None if there are none."""
    line = next(lines, None)
    if line is None:
        return None
    digest, size, number = sha256(), 0, 0
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    with archive.open(info, "w") as member:
        while line is not None:
            member.write(line)
            digest.update(line)
            size, number = size + len(line), number + 1
            line = next(lines, None) if size < _PART_BYTES else None
    return ExportPart(name, number, digest.hexdigest())


def _recipes(connection: Connection) -> Recipes:
    terms = select(ENTRIES.c.term_recipe).distinct().order_by(ENTRIES.c.term_recipe)
    fingerprints = select(FINGERPRINTS.c.recipe).distinct().order_by(FINGERPRINTS.c.recipe)
    return Recipes(
        tuple(connection.execute(terms).scalars()), tuple(connection.execute(fingerprints).scalars())
    )
