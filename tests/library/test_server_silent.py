"""Servers that stop answering without closing a connection end a step with one error; slow ones go on."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, Pool, event, text

from simcompare.library.entries import list_entries
from simcompare.library.library_errors import ConnectionLostError, ServerUnavailableError
from simcompare.library.store import backends
from simcompare.library.store.open_library import open_library
from tests.helpers.stalling_proxy import stalling_proxy
from tests.library.essays import add, essays

SILENT_SECONDS = 0.3
CONNECT_SECONDS = 2  # the least that libpq allows


@pytest.fixture
def place_behind(emptied_server, monkeypatch):
    """Return a function that returns the place of the library behind a proxy."""
    from simcompare.library.store import watched_connection

    monkeypatch.setattr(watched_connection, "_SILENT_SECONDS", SILENT_SECONDS)
    monkeypatch.setattr(watched_connection, "_ASKING_SECONDS", CONNECT_SECONDS)

    def place(proxy):
        server = emptied_server.place()
        changed = {"port": str(proxy.port), "connect_timeout": str(CONNECT_SECONDS)}
        return replace(server, parameters={**server.parameters, **changed})

    return place


@pytest.fixture
def stall_at():
    """Return a function that stalls a proxy at a statement that has some words."""
    stalls = []

    def at_statement(_connection, _cursor, statement, *_):
        for words, proxy in stalls:
            if words in statement:
                proxy.stalled.set()

    event.listen(Engine, "before_cursor_execute", at_statement)
    yield lambda words, proxy: stalls.append((words, proxy))
    event.remove(Engine, "before_cursor_execute", at_statement)


def test_that_a_server_that_accepts_a_connection_and_is_silent_is_unavailable(emptied_server, place_behind):
    with stalling_proxy(emptied_server.port) as proxy:
        proxy.stalled.set()
        with pytest.raises(ServerUnavailableError, match=f"127.0.0.1:{proxy.port}/.* does not answer"):
            open_library(place_behind(proxy))


def test_that_opening_ends_if_the_server_falls_silent_once_it_is_connected(emptied_server, place_behind):
    with stalling_proxy(emptied_server.port) as proxy:
        # a listener of the class is called before those of the engine, which ask for the version
        stall = lambda *_: proxy.stalled.set()  # noqa: E731
        event.listen(Pool, "connect", stall)
        try:
            with pytest.raises(ConnectionLostError, match=f"127.0.0.1:{proxy.port}/"):
                open_library(place_behind(proxy))
        finally:
            event.remove(Pool, "connect", stall)


@pytest.mark.parametrize("words", ["server_encoding", "alembic_version"])
def test_that_opening_ends_if_the_server_falls_silent(emptied_server, place_behind, stall_at, words):
    with stalling_proxy(emptied_server.port) as proxy:
        stall_at(words, proxy)
        with pytest.raises(ConnectionLostError, match=f"127.0.0.1:{proxy.port}/"):
            open_library(place_behind(proxy))
        assert proxy.stalled.is_set()


def test_that_a_step_ends_if_the_server_falls_silent_and_others_go_on(
    emptied_server, place_behind, stall_at, monkeypatch
):
    monkeypatch.setattr(backends, "_IDLE_SECONDS", 3)
    with stalling_proxy(emptied_server.port) as proxy, open_library(place_behind(proxy)) as library:
        add(library, *essays(1))
        stall_at("INSERT INTO entries", proxy)
        with pytest.raises(ConnectionLostError, match="Repeat the command"):
            add(library, *essays(3))
        with pytest.raises(ServerUnavailableError, match="the server does not answer"):
            list_entries(library)
        with open_library(emptied_server.place()) as other:
            add(other, *essays(3))
            assert len(list_entries(other)) == 3


def test_that_a_server_that_fell_silent_between_two_steps_is_unavailable(emptied_server, place_behind):
    with stalling_proxy(emptied_server.port) as proxy, open_library(place_behind(proxy)) as library:
        proxy.stalled.set()
        with pytest.raises(ServerUnavailableError, match="the server does not answer"):
            list_entries(library)


def test_that_a_statement_may_take_longer_than_a_server_may_be_silent(emptied_server, place_behind):
    with stalling_proxy(emptied_server.port) as proxy, open_library(place_behind(proxy)) as library:
        with library.reading() as connection:
            connection.execute(text(f"SELECT pg_sleep({5 * SILENT_SECONDS})"))
        assert list_entries(library) == []


def test_that_a_server_that_refuses_further_connections_still_answers(emptied_server, place_behind):
    with stalling_proxy(emptied_server.port) as proxy, open_library(place_behind(proxy)) as library:
        emptied_server.run("ALTER DATABASE essays ALLOW_CONNECTIONS false", "postgres")
        try:
            with library.reading() as connection:
                connection.execute(text(f"SELECT pg_sleep({5 * SILENT_SECONDS})"))
        finally:
            emptied_server.run("ALTER DATABASE essays ALLOW_CONNECTIONS true", "postgres")


def test_that_a_slow_network_is_waited_for(emptied_server, place_behind):
    with (
        stalling_proxy(emptied_server.port, delay_s=0.05) as proxy,
        open_library(place_behind(proxy)) as library,
    ):
        add(library, *essays(3))
        assert len(list_entries(library)) == 3
