"""The file of a library: tables, migrations, permissions, and files that are refused."""

import multiprocessing
import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, select, text
from sqlalchemy.dialects.postgresql import dialect
from sqlalchemy.schema import CreateTable

from simcompare.library.changes import merge_recent
from simcompare.library.entries import list_entries
from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryBusyError,
    LibraryNotWritableError,
    NetworkLibraryError,
    NewerLibraryError,
    NoLibraryError,
    NotUpdatedError,
)
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store import backends, library_place
from simcompare.library.store.library_place import default_library_path, file_system_of
from simcompare.library.store.open_library import MIGRATIONS
from simcompare.library.store.open_library import open_library as opened
from simcompare.library.store.schema import ENTRIES, METADATA, REVISION, STATE
from tests.library.essays import add, essay, essays

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
//server/school /mnt/the\\040school cifs rw 0 0
/dev/sdb1 /mnt/the\\040school/local ext4 rw 0 0
server:/home /home nfs4 rw 0 0
"""


@pytest.fixture
def place(tmp_path):
    return tmp_path / "essays.sqlite"


@pytest.fixture
def made(place):
    opened(place, create=True).close()
    return place


def test_that_the_migrations_make_the_tables_of_the_schema(made):
    with opened(made) as library, library.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == REVISION
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [REVISION]


def test_that_postings_are_stored_in_the_order_of_their_key(made):
    with closing(sqlite3.connect(made)) as connection, connection:
        statements = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    for name in ("postings", "recent_postings"):
        assert statements[name].rstrip().endswith("WITHOUT ROWID")
    assert "AUTOINCREMENT" in statements["entries"]


def test_that_the_tables_have_no_options_of_sqlite_elsewhere():
    tables = {
        name: str(CreateTable(table).compile(dialect=dialect())) for name, table in METADATA.tables.items()
    }
    assert "document BIGINT NOT NULL" in tables["fingerprints"]
    assert "id SERIAL NOT NULL" in tables["entries"]
    assert not any("ROWID" in table or "AUTOINCREMENT" in table for table in tables.values())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no permission bits")
def test_that_only_its_owner_may_read_a_new_library(place):
    before = os.umask(0)
    try:
        with opened(place, create=True) as library, library.writing():
            files = list(place.parent.iterdir())
            assert place.with_name("essays.sqlite-wal") in files
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    finally:
        os.umask(before)


def test_that_the_default_library_is_in_the_folder_of_the_user():
    assert default_library_path().parent.is_dir()


def test_that_searching_makes_no_library(place):
    with pytest.raises(NoLibraryError):
        opened(place)
    assert not place.exists()


def test_that_an_empty_file_is_made_a_library_only_if_asked(place):
    # left by a process that was killed at the wrong moment
    place.touch()
    with pytest.raises(NoLibraryError):
        opened(place)
    opened(place, create=True).close()
    opened(place).close()


def test_that_a_file_without_tables_is_made_a_library_only_if_asked(place):
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(NoLibraryError):
        opened(place)
    opened(place, create=True).close()


def test_that_two_programs_may_make_one_library(place):
    processes = [multiprocessing.get_context("spawn").Process(target=_make, args=(place,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]


def _make(place):
    opened(place, create=True).close()


def test_that_a_library_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(LibraryNotWritableError, match="its folder is not there"):
        opened(tmp_path / "missing" / "essays.sqlite", create=True)


def test_that_an_impossible_name_is_refused(tmp_path):
    with pytest.raises(LibraryNotWritableError, match="not allowed"):
        opened(tmp_path / "a\0b", create=True)


def test_that_a_folder_is_no_library(tmp_path):
    with pytest.raises(LibraryNotWritableError, match="it is not a file"):
        opened(tmp_path)


@pytest.fixture
def filled(made):
    with opened(made) as library:
        add(library, *essays(3))
    return made


def test_that_a_write_protected_library_can_be_searched(filled):
    filled.chmod(0o400)
    before = filled.read_bytes()
    with opened(filled) as library:
        assert _finds_its_essays(library)
        with pytest.raises(LibraryNotWritableError, match="it is write-protected"):
            add(library, essay("This essay is not in the library yet.", name="late.txt"))
        assert len(list_entries(library)) == 3
    assert filled.read_bytes() == before


def test_that_a_write_protected_library_is_refused_to_add_to(filled):
    filled.chmod(0o400)
    with pytest.raises(LibraryNotWritableError, match="it is write-protected"):
        opened(filled, create=True)


def test_that_a_reader_sees_what_another_program_adds_meanwhile(filled):
    with opened(filled) as writer:
        filled.chmod(0o400)
        with opened(filled) as reader:
            add(writer, essay("This essay comes while the other program reads.", name="late.txt"))
            assert len(list_entries(reader)) == 4


def test_that_a_write_protected_library_of_an_older_program_is_refused(filled):
    with opened(filled) as library, library.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    filled.chmod(0o400)
    with pytest.raises(NotUpdatedError, match="has to be updated once"):
        opened(filled)


def test_that_a_library_on_a_medium_for_reading_only_can_be_searched(filled, monkeypatch):
    monkeypatch.setattr(library_place, "is_read_only_file_system", lambda _path: True)
    with opened(filled) as library:
        assert _finds_its_essays(library)
        with pytest.raises(LibraryNotWritableError, match="it is write-protected"), library.writing():
            pass
        # such a medium could not hold the files beside it that readers make elsewhere
        assert list(filled.parent.iterdir()) == [filled]


def test_that_recent_changes_beside_a_library_for_reading_only_are_not_left_out(filled, monkeypatch):
    monkeypatch.setattr(library_place, "is_read_only_file_system", lambda _path: True)
    filled.with_name(f"{filled.name}-wal").write_bytes(b"changes")
    with pytest.raises(LibraryNotWritableError, match="recent changes still have to be written"):
        opened(filled)


def _finds_its_essays(library):
    return [hit.entry.name for hit in LibrarySearch(library).search(essays(3)[1])] == ["essay-2.txt"]


@pytest.mark.parametrize("content", [b"essay, not a library", b"SQLite format 3\0" + 200 * b"\7"])
def test_that_another_file_is_no_library(place, content):
    place.write_bytes(content)
    with pytest.raises(DamagedLibraryError, match="not a library"):
        opened(place, create=True)
    assert place.read_bytes() == content


def test_that_a_database_of_another_program_stays_unchanged(place):
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", [REVISION])
    connection.close()
    before = place.read_bytes()
    with pytest.raises(DamagedLibraryError, match="not a library"):
        opened(place, create=True)
    assert place.read_bytes() == before


def test_that_a_broken_file_has_a_sentence(made):
    data = bytearray(made.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    made.write_bytes(data)
    with pytest.raises(DamagedLibraryError, match="damaged"), opened(made) as library, library.writing():
        pass


def test_that_a_broken_table_whose_error_is_no_text_has_a_sentence(made):
    made.write_bytes(made.read_bytes().replace(b"NOT NULL", b"N\xd5T NULL"))
    with pytest.raises(DamagedLibraryError, match="damaged"):
        opened(made)


def test_that_a_copy_in_another_mode_can_be_read_and_changed_at_once(filled, monkeypatch):
    copy = filled.with_name("copy.sqlite")
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute("VACUUM INTO ?", [str(copy)])
    monkeypatch.setattr(backends, "BUSY_SECONDS", 0.1)
    with opened(copy) as library, library.reading() as reader:
        before = reader.execute(select(ENTRIES.c.id)).all()
        assert add(library, *essays(4))[-1] is not None
        assert reader.execute(select(ENTRIES.c.id)).all() == before


def test_that_merging_takes_no_longer_if_damage_made_the_number_of_an_entry_large(filled):
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("UPDATE entries SET id = 2000000000 WHERE id = 3")
    commits = []
    with opened(filled) as library:
        event.listen(library._backend.writing, "commit", commits.append)
        merge_recent(library)
    assert len(commits) == 2


def test_that_a_newer_library_is_refused(made):
    with opened(made) as library, library.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(NewerLibraryError, match=r"version 0999; this one knows versions up to 0005"):
        opened(made)


@pytest.mark.parametrize("revision", ["002", "0000", "9" * 5_000])
def test_that_a_library_of_an_impossible_revision_is_refused(made, revision):
    with opened(made) as library, library.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    with pytest.raises(DamagedLibraryError, match=f"{made.name} .*not a library"):
        opened(made)


def test_that_a_default_place_that_cannot_be_made_has_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SIMCOMPARE_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(LibraryNotWritableError, match="cannot be written: its folder is not there"):
        opened(default_library_path(), create=True)
    with pytest.raises(NoLibraryError, match=r"file.data"):
        opened(default_library_path())


def test_that_a_writer_that_waits_too_long_has_a_sentence(made, monkeypatch):
    monkeypatch.setattr(backends, "BUSY_SECONDS", 0.01)
    with opened(made) as first, opened(made) as second, first.writing():
        with pytest.raises(LibraryBusyError), second.writing():
            pass
        with second.reading() as connection:  # readers never wait
            assert connection.execute(select(STATE.c.changes)).scalar() == 0


def test_that_a_failed_change_changes_nothing(made):
    with opened(made) as library:
        with pytest.raises(RuntimeError), library.writing():
            raise RuntimeError
        with library.reading() as connection:
            assert connection.execute(select(STATE.c.changes)).scalar() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists its file systems")
def test_that_the_innermost_mounted_folder_decides(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    found = [
        file_system_of(Path(path), mounts)
        for path in ("/data/a", "/mnt/the school/a", "/mnt/the school/local/a", "/home/me/a", "/homes/a")
    ]
    assert found == ["ext4", "cifs", "ext4", "nfs4", "ext4"]


def test_that_a_library_on_a_network_drive_is_refused(place, monkeypatch):
    monkeypatch.setattr(library_place, "file_system_of", lambda path: "nfs4")
    with pytest.raises(NetworkLibraryError, match=r"network drive \(nfs4\)"):
        opened(place, create=True)
    assert not place.exists()


def test_that_making_a_library_waits_too_long_with_a_sentence(place, monkeypatch):
    monkeypatch.setattr(backends, "BUSY_SECONDS", 0.01)
    place.touch()
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LibraryBusyError, match="Another program"):
        opened(place, create=True)
    other.close()
