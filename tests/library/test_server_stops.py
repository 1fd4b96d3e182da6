"""Connections lost while a library on a server is changed: nothing is lost, and nothing is there twice."""

from collections import Counter

import pytest
from sqlalchemy import Engine, event

from simcompare.library.changes import make_new_entry, merge_recent, remove_entries
from simcompare.library.entries import list_entries
from simcompare.library.library_errors import ConnectionLostError, ServerUnavailableError
from simcompare.library.store.open_library import open_library
from tests.library.essays import add, essays, stored_terms


@pytest.fixture
def opened(emptied_server):
    with open_library(emptied_server.place()) as library:
        yield library


@pytest.fixture
def at_moment():
    """Call a function with the connection at its statement or commit with this number."""
    listening = []

    def listen(moment, call):
        counted = Counter()

        def at_event(connection, *_):
            counted["events"] += 1
            if counted["events"] == moment:
                call(connection)

        for name in ("before_cursor_execute", "commit"):
            event.listen(Engine, name, at_event)
            listening.append((name, at_event))

    yield listen
    for name, at_event in listening:
        event.remove(Engine, name, at_event)


def end_connection(server, psycopg_connection):
    """End a connection from the side of the server, and wait until it has ended."""
    pid = psycopg_connection.info.backend_pid
    assert server.run(f"SELECT pg_terminate_backend({pid}, 60000)") == [(True,)]


def cut(server):
    """Return a function that ends a connection."""
    return lambda connection: end_connection(server, connection.connection.dbapi_connection)


def check_that_all_are_there_once(library, documents):
    """Check entries and terms after another run of adding."""
    add(library, *documents, tags="class=3")
    entries = list_entries(library)
    assert sorted(entry.name for entry in entries) == [f"essay-{n}.txt" for n in (1, 2, 3)]
    expected = {f"essay-{n}.txt": document for n, document in enumerate(documents, start=1)}
    terms = stored_terms(library)
    assert sorted([*terms["postings"], *terms["recent_postings"]]) == sorted(
        (gram, entry.entry)
        for entry in entries
        for gram in make_new_entry(expected[entry.name]).terms.tolist()
    )


@pytest.mark.parametrize("moment", range(1, 7))
def test_that_adding_after_a_lost_connection_can_be_repeated(emptied_server, opened, at_moment, moment):
    documents = essays(3)
    add(opened, documents[0], tags="class=3")
    at_moment(moment, cut(emptied_server))
    with pytest.raises(ConnectionLostError, match="Repeat the command"):
        add(opened, documents[1], tags="class=3")
    check_that_all_are_there_once(opened, documents)


def test_that_adding_can_be_repeated_if_the_answer_to_a_commit_was_lost(emptied_server, opened, monkeypatch):
    documents = essays(3)
    engine = opened._backend.writing
    commit = engine.dialect.do_commit

    def commit_and_lose_the_answer(connection):
        commit(connection)
        monkeypatch.undo()
        end_connection(emptied_server, connection.dbapi_connection)
        connection.dbapi_connection.execute("SELECT 1")

    monkeypatch.setattr(engine.dialect, "do_commit", commit_and_lose_the_answer)
    with pytest.raises(ConnectionLostError):
        add(opened, documents[0], tags="class=3")
    assert len(list_entries(opened)) == 1
    check_that_all_are_there_once(opened, documents)


@pytest.mark.parametrize("moment", [2, 3, 4, 5])
def test_that_merging_after_a_lost_connection_can_be_repeated(emptied_server, opened, at_moment, moment):
    documents = essays(3)
    add(opened, *documents, tags="class=3")
    at_moment(moment, cut(emptied_server))
    with pytest.raises(ConnectionLostError):
        merge_recent(opened)
    check_that_all_are_there_once(opened, documents)
    merge_recent(opened)
    assert not stored_terms(opened)["recent_postings"]
    check_that_all_are_there_once(opened, documents)


@pytest.mark.parametrize("moment", [2, 4, 8])
def test_that_removing_after_a_lost_connection_can_be_repeated(emptied_server, opened, at_moment, moment):
    documents = essays(3)
    add(opened, *documents, tags="class=3")
    at_moment(moment, cut(emptied_server))
    with pytest.raises(ConnectionLostError):
        remove_entries(opened, [1, 2])
    assert len(list_entries(opened)) == 3
    assert emptied_server.run("SELECT count(*) FROM access_log") == [(0,)]
    remove_entries(opened, [1, 2])
    assert {entry for _, entry in stored_terms(opened)["recent_postings"]} == {3}


@pytest.mark.parametrize("moment", [4, 9, 14])
def test_that_making_a_library_after_a_lost_connection_can_be_repeated(server, at_moment, moment):
    name = server.new_database()
    at_moment(moment, cut(server))
    with pytest.raises(ConnectionLostError):
        open_library(server.place(name), create=True)
    assert server.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name) == []
    with open_library(server.place(name), create=True) as library:
        check_that_all_are_there_once(library, essays(3))


def test_that_a_library_goes_on_after_the_connection_was_lost_between_two_steps(emptied_server, opened):
    add(opened, *essays(1))
    emptied_server.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'simcompare'"
    )
    assert len(list_entries(opened)) == 1


def test_that_adding_goes_on_after_a_server_stopped_at_once(emptied_server, opened, at_moment):
    documents = essays(3)
    add(opened, documents[0], tags="class=3")
    at_moment(4, lambda connection: emptied_server.stop(at_once=True))
    try:
        with pytest.raises(ConnectionLostError, match="Repeat the command when the server runs again"):
            add(opened, documents[1], tags="class=3")
        with pytest.raises(ServerUnavailableError, match="the server does not answer"):
            list_entries(opened)
    finally:
        emptied_server.start()
    assert [entry.name for entry in list_entries(opened)] == ["essay-1.txt"]
    check_that_all_are_there_once(opened, documents)
