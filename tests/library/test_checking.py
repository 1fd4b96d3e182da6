"""Checking a library: every kind of damage is found, and the remedies that are named work."""

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import delete, insert, select, text, update

from simcompare.library.changes import (
    CheckedLibrary,
    Fault,
    FaultKind,
    check_library,
    merge_recent,
    remove_entries,
)
from simcompare.library.entries import list_entries, stored_fingerprint
from simcompare.library.library_errors import DamagedLibraryError
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import ENTRIES, FINGERPRINTS, POSTINGS, RECENT_POSTINGS, STATE, TAGS
from simcompare.model.progress import no_tick
from simcompare.report.library_text import checked_as_dict, checked_as_text
from tests.library.essays import add, essays

SOUND = CheckedLibrary(3, ())


@pytest.fixture
def filled(library):
    """A library of three entries, two of which are merged."""
    documents = essays(3)
    add(library, *documents[:2], tags="class=3")
    merge_recent(library)
    add(library, documents[2])
    return library


def change(library, *statements):
    with library.writing() as connection:
        for statement in statements:
            connection.execute(statement)


def without_foreign_keys(library, statement):
    """Run a statement as a program would that does not keep foreign keys."""
    with library.reading() as connection:
        raw = connection.connection.driver_connection
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute(str(statement.compile(compile_kwargs={"literal_binds": True})))
    raw.execute("PRAGMA foreign_keys = ON")


def test_that_nothing_is_wrong_with_a_library(filled):
    ticks = []
    assert check_library(filled, lambda *done: ticks.append(done)) == SOUND
    assert ticks == [(1, 3), (2, 3), (3, 3)]
    assert checked_as_text(SOUND) == "3 entries checked: nothing is wrong\n"
    assert checked_as_dict(SOUND) == {
        "format": "simcompare-library",
        "version": 1,
        "checked": 3,
        "faults": [],
    }


@pytest.mark.parametrize("library", ["file"], indirect=True)
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE fingerprints SET recipe = 'imprOved/1'",
        "UPDATE fingerprints SET document = 'text'",
        "DELETE FROM fingerprints",
        "UPDATE recent_postings SET entry = 'x'",
        "UPDATE recent_postings SET entry = entry + 7",
        "UPDATE entries SET term_count = 'x'",
        "ALTER TABLE entries RENAME COLUMN name TO nam",
        "UPDATE entries SET name = CAST(x'ff' AS TEXT)",
    ],
)
def test_that_content_which_no_program_writes_is_told_as_damage(filled, damage):
    wanted = essays(3)[0]
    without_foreign_keys(filled, text(damage))
    with pytest.raises(DamagedLibraryError):
        list_entries(filled), LibrarySearch(filled).search(wanted), stored_fingerprints(filled)


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_an_entry_with_a_damaged_number_of_terms_can_be_removed(filled):
    change(filled, text("UPDATE entries SET term_count = 'x' WHERE id = 2"))
    assert remove_entries(filled, [2]).terms > 0
    assert check_library(filled, no_tick) == CheckedLibrary(2, ())


def stored_fingerprints(library):
    with library.reading() as connection:
        return [stored_fingerprint(connection, entry) for entry in (1, 2, 3)]


def test_that_an_empty_library_and_one_with_removed_entries_are_sound(library):
    assert check_library(library, no_tick) == CheckedLibrary(0, ())
    add(library, *essays(3))
    remove_entries(library, [1, 3])
    assert check_library(library, no_tick) == CheckedLibrary(1, ())


def test_that_a_damaged_text_is_found_and_its_entry_can_be_removed_and_added_again(filled):
    change(filled, update(ENTRIES).where(ENTRIES.c.id == 2).values(content=b"broken"))
    found = check_library(filled, no_tick)
    assert found.faults == (Fault(FaultKind.TEXT, 2),)
    assert checked_as_text(found) == (
        "The text of entry 2 is damaged. Remove the entry, and add its file again.\n"
    )
    protocol = remove_entries(filled, [2])
    assert protocol.terms > 0
    assert add(filled, essays(2)[1], tags="class=3") == [4]
    assert check_library(filled, no_tick) == SOUND


@pytest.mark.parametrize("table", [POSTINGS, RECENT_POSTINGS])
def test_that_missing_and_foreign_terms_are_found(filled, table):
    with filled.reading() as connection:
        gram, entry = connection.execute(select(table.c.gram, table.c.entry).limit(1)).one()
    change(
        filled,
        delete(table).where(table.c.gram == gram, table.c.entry == entry),
        insert(table).values(gram=1, entry=77),
    )
    terms, orphans = check_library(filled, no_tick).faults
    assert (terms.kind, terms.entry) == (FaultKind.TERMS, entry)
    count, expected = map(int, terms.detail.split(" / "))
    assert count == expected - 1
    assert orphans == Fault(FaultKind.ORPHANS, detail="terms: 1")


def test_that_a_missing_fingerprint_is_found(filled):
    change(filled, delete(FINGERPRINTS).where(FINGERPRINTS.c.entry == 3))
    found = check_library(filled, no_tick)
    assert found.faults == (Fault(FaultKind.FINGERPRINT, 3),)
    assert checked_as_text(found).splitlines() == [
        "Entry 3 has no fingerprint, so it may not be found.",
        "Export the library and import it into a new one, which makes the index again.",
    ]


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_tags_of_no_entry_are_found(filled):
    without_foreign_keys(filled, insert(TAGS).values(entry=9, name="class", value="3"))
    assert check_library(filled, no_tick).faults == (Fault(FaultKind.ORPHANS, detail="tags: 1"),)


def test_that_a_lost_record_of_changes_is_found(filled):
    change(filled, delete(STATE))
    assert check_library(filled, no_tick).faults == (Fault(FaultKind.STATE),)


@pytest.mark.parametrize("library", ["file"], indirect=True)
@pytest.mark.parametrize("filling", [0x00, 0xFF])
def test_that_damaged_pages_are_found(filled, filling):
    filled.close()
    data = bytearray(filled.place.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    with closing(sqlite3.connect(filled.place)) as connection:
        roots = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE rootpage AND tbl_name <> 'alembic_version'"
        ).fetchall()
    for (root,) in roots:
        start = (root - 1) * page
        data[start : start + 8] = bytes([filling]) * 8
    filled.place.write_bytes(bytes(data))
    with open_library(filled.place) as library:
        found = check_library(library, no_tick)
    assert found.entries == 0
    assert {fault.kind for fault in found.faults} == {FaultKind.DATABASE}
    assert all(
        line.endswith("Restore an earlier copy of it.") for line in checked_as_text(found).splitlines()
    )
