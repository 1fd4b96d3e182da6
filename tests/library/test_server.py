"""A library on a server: its tables, versions that are refused, connections that fail, the log."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select, text

from simcompare.library.changes import remove_entries, remove_student, remove_tagged
from simcompare.library.entries import library_figures, list_entries
from simcompare.library.library_errors import (
    ConnectionLostError,
    DamagedLibraryError,
    DatabaseEncodingError,
    LibraryBusyError,
    NewerLibraryError,
    NoDatabaseError,
    NoLibraryError,
    ServerAccessError,
    ServerNotWritableError,
    ServerTooOldError,
    ServerUnavailableError,
)
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store import backends
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import METADATA, REVISION, SERVER_METADATA, STATE
from simcompare.library.tags import Tag
from tests.library.essays import add, essays


@pytest.fixture
def opened(emptied_server):
    with open_library(emptied_server.place()) as library:
        yield library


def test_that_the_migrations_make_the_tables_of_the_schema(opened):
    with opened.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, [METADATA, SERVER_METADATA]) == []
        assert context.get_current_revision() == REVISION


def test_that_an_empty_database_is_made_a_library_only_if_asked(server):
    place = server.place(server.new_database())
    with pytest.raises(NoLibraryError, match=f"There is no library at {place}"):
        open_library(place)
    open_library(place, create=True).close()
    open_library(place).close()


def test_that_two_programs_may_make_one_library(server):
    place = server.place(server.new_database())
    with ThreadPoolExecutor(2) as executor:
        works = [executor.submit(open_library, place, create=True) for _ in range(2)]
    for work in works:
        work.result().close()
    open_library(place).close()


def test_that_a_database_of_another_program_stays_unchanged(server):
    name = server.new_database()
    server.run(f"CREATE TABLE alembic_version AS SELECT '{REVISION}' AS version_num", name)
    with pytest.raises(DamagedLibraryError, match=f"{name} cannot be used as a library"):
        open_library(server.place(name), create=True)
    tables = server.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name)
    assert tables == [("alembic_version",)]


def test_that_a_newer_library_is_refused(server):
    name = server.new_database()
    open_library(server.place(name), create=True).close()
    server.run("UPDATE alembic_version SET version_num = '0999'", name)
    with pytest.raises(NewerLibraryError, match="version 0999"):
        open_library(server.place(name))


def test_that_an_old_server_is_refused(server, monkeypatch):
    monkeypatch.setattr(backends, "OLDEST_VERSION", 99)
    with pytest.raises(ServerTooOldError, match=r"runs PostgreSQL \d\d, and a library needs version 99"):
        open_library(server.place())


def test_that_a_database_that_cannot_store_every_character_is_refused(server):
    name = server.new_database("ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    refused(server.place(name), DatabaseEncodingError, "has the encoding LATIN1, and a library needs UTF8")


def refused(place, error_class, words):
    """Open a library that cannot be opened, and check the sentence, which must not have the password."""
    with pytest.raises(error_class, match=words) as caught:
        open_library(place, create=True)
    assert place.parameters["password"] not in str(caught.value)


def test_that_a_wrong_password_has_a_sentence(server):
    refused(server.place(password="wrong-one"), ServerAccessError, "the password is wrong")
    refused(server.place(user="stranger"), ServerAccessError, "the password is wrong")


def test_that_a_missing_password_has_a_sentence(server, monkeypatch):
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    place = server.place()
    del place.parameters["password"]
    with pytest.raises(ServerAccessError, match="asks for a password"):
        open_library(place)


def test_that_the_password_is_taken_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", server.password)
    place = server.place()
    del place.parameters["password"]
    open_library(place).close()


def test_that_a_missing_database_has_a_sentence(server):
    refused(server.place("missing"), NoDatabaseError, "has no database missing")


def test_that_a_server_that_does_not_run_has_a_sentence(server):
    place = server.place()
    place.parameters["port"] = "1"
    refused(place, ServerUnavailableError, "the server does not answer")
    place.parameters["host"] = "missing.invalid"
    refused(place, ServerUnavailableError, "is not available")


def test_that_the_connection_is_encrypted_if_the_address_asks_for_it(server):
    options = f"?sslmode=verify-full&sslrootcert={server.certificate}"
    with open_library(server.place(options=options)) as library, library.reading() as connection:
        own = text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        assert connection.execute(own).scalar() is True


def test_that_an_unknown_certificate_is_refused(server, tmp_path):
    from tests.helpers.postgresql_server import write_certificate

    write_certificate(tmp_path / "other.crt", tmp_path / "other.key")
    options = f"?sslmode=verify-full&sslrootcert={tmp_path / 'other.crt'}"
    refused(server.place(options=options), ServerUnavailableError, "certificate")


def test_that_a_writer_that_waits_too_long_has_a_sentence(emptied_server, monkeypatch):
    monkeypatch.setattr(backends, "BUSY_SECONDS", 0.01)
    place = emptied_server.place()
    with open_library(place) as first, open_library(place) as second, first.writing():
        with pytest.raises(LibraryBusyError, match="Another program"), second.writing():
            pass
        with second.reading() as connection:  # readers never wait
            assert connection.execute(select(STATE.c.changes)).scalar() == 0


def test_that_a_reader_sees_one_state(emptied_server, opened):
    with open_library(emptied_server.place()) as second, second.reading() as connection:
        assert connection.execute(select(STATE.c.changes)).scalar() == 0
        add(opened, *essays(1))
        assert connection.execute(select(STATE.c.changes)).scalar() == 0


def test_that_a_reader_cannot_write(opened):
    with pytest.raises(ServerNotWritableError, match="only allows reading"), opened.reading() as connection:
        connection.execute(text("UPDATE state SET changes = 1"))


@pytest.mark.parametrize(
    ("code", "error_class", "words"),
    [
        ("53100", ServerNotWritableError, "the disk of the server is full"),
        ("53200", ServerUnavailableError, "not available: out of order"),
        ("57P01", ConnectionLostError, "Repeat the command"),
    ],
)
def test_that_errors_of_the_server_have_a_sentence_and_lose_nothing(opened, code, error_class, words):
    documents = essays(3)
    add(opened, documents[0])
    raised = text(f"DO $$ BEGIN RAISE EXCEPTION 'out of order' USING ERRCODE = '{code}'; END $$")
    with pytest.raises(error_class, match=words), opened.writing() as connection:
        connection.execute(raised)
    assert len(list_entries(opened)) == 1
    assert len(list(filter(None, add(opened, *documents)))) == 2


def log(server):
    return server.run("SELECT database_user, action, entry_count, tags FROM access_log ORDER BY id")


def test_that_searches_and_removals_are_logged_without_texts_and_names(emptied_server, opened):
    documents = essays(4)
    add(opened, *documents[:3], tags="class=3 year=2025")
    add(opened, documents[3], tags="student=王小明")
    assert log(emptied_server) == []
    LibrarySearch(opened).search(documents[1])
    remove_entries(opened, [1])
    remove_student(opened, "王小明")
    remove_tagged(opened, [Tag("class", "3"), Tag("year", "2025")])
    assert log(emptied_server) == [
        ("owner", "search", 1, ""),
        ("owner", "remove", 1, ""),
        ("owner", "remove", 1, "student"),
        ("owner", "remove", 2, "class=3; year=2025"),
    ]


def test_that_a_failed_removal_is_not_logged(emptied_server, opened, monkeypatch):
    add(opened, *essays(1))
    emptied_server.run("CREATE RULE keep AS ON DELETE TO entries DO INSTEAD SELECT 1/0")
    try:
        with pytest.raises(Exception, match="division by zero"):
            remove_entries(opened, [1])
    finally:
        emptied_server.run("DROP RULE keep ON entries")
    assert log(emptied_server) == []
    assert len(list_entries(opened)) == 1


def test_that_removed_rows_leave_the_tables(emptied_server, opened):
    add(opened, *essays(3), tags="class=3")
    remove_tagged(opened, [Tag("class", "3")])
    for table in ("entries", "tags", "recent_postings"):
        assert emptied_server.run(f"SELECT pg_relation_size('{table}')") == [(0,)]


def test_that_the_size_is_that_of_the_database(opened):
    assert library_figures(opened).size_bytes > 1_000_000


def test_that_a_long_tag_fits_into_the_index(opened):
    value = "".join(chr(0x20000 + 7919 * number % 40_000) for number in range(500))
    add(opened, *essays(1), tags=f"note={value}")
    assert list_entries(opened)[0].tags == (Tag("note", value),)
