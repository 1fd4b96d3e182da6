"""What SQLite and PostgreSQL do differently."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect

from simcompare.library.library_errors import (
    DatabaseEncodingError,
    ServerDriverMissingError,
    ServerTooOldError,
)
from simcompare.library.store.library_place import FileAccess, LibraryServer
from simcompare.library.store.schema import METADATA, POSTINGS

BUSY_SECONDS = 30.0
"""Time that a writer waits for another one."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Engines of one pool of connections, and statements that differ.

    reading: its transactions see one state of the database. writing: its transactions wait for each other.
    outside: without transactions. is_own: returns whether the tables are those of a library. size: the number
    of bytes. Run outside transactions: prepare, when a library was opened and recognised, and
    forget_removed, after entries were removed. Run within the transaction of an update: begin_update.
    """

    reading: Engine
    writing: Engine
    outside: Engine
    is_own: Callable[[Connection], bool]
    size: str
    forget_removed: Sequence[str]
    prepare: Sequence[str]
    begin_update: Sequence[str]


_APPLICATION_ID = 0x53434C42
"""Mark of a library in the header of its file: SCLB."""
_BEGIN = "simcompare_begin"
_CHECKPOINT_SECONDS = 1.0
"""Time to wait for readers when the log of recent changes is emptied."""
_MODES = {
    FileAccess.WRITING: {"mode": "rw"},
    FileAccess.READING: {"mode": "ro"},
    FileAccess.UNCHANGING: {"mode": "ro", "immutable": "1"},
}


def sqlite_backend(path: Path, access: FileAccess = FileAccess.WRITING) -> Backend:
    """Return the backend of a library in a file, which exists."""
    url = URL.create("sqlite", database=path.resolve().as_uri(), query=_MODES[access] | {"uri": "true"})
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _set_up_connection)
    event.listen(engine, "begin", _begin)
    return Backend(
        reading=engine,
        # a transaction that only becomes a writer later could not wait for another writer
        writing=engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"}),
        outside=engine.execution_options(**{_BEGIN: ""}),
        is_own=lambda connection: (
            connection.exec_driver_sql("PRAGMA application_id").scalar() == _APPLICATION_ID
        ),
        size="SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        # the log of recent changes still has what was removed; while another transaction reads for long, it
        # stays until the last process closes the library
        forget_removed=[
            f"PRAGMA busy_timeout = {_CHECKPOINT_SECONDS * 1000:.0f}",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}",
        ],
        # VACUUM INTO and damage set another mode, in which a writer waits for readers of its own process
        prepare=["PRAGMA journal_mode = WAL"] if access is FileAccess.WRITING else [],
        begin_update=[f"PRAGMA application_id = {_APPLICATION_ID}"],
    )


def _set_up_connection(connection: Any, _record: object) -> None:
    # Python's module would begin and end transactions itself, and would commit before a table is created
    connection.isolation_level = None
    cursor = connection.cursor()
    # 64 MB: the upper levels of a large index stay in memory
    for setting in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL", "cache_size = -65536"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    statement = connection.get_execution_options().get(_BEGIN, "BEGIN")
    if statement:
        connection.exec_driver_sql(statement)


OLDEST_VERSION = 15
_UPDATE_LOCK = 0x53434C42
"""Key of the lock of the program that makes or changes the tables."""
_IDLE_SECONDS = 300  # other writers wait for the transaction of a program that vanished
_DEFAULTS = {
    "application_name": "simcompare",
    "connect_timeout": "15",
    # a server that vanishes without a word is noticed within a minute
    "keepalives_idle": "20",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}


def postgresql_backend(server: LibraryServer, stop: Event | None = None) -> Backend:
    """Return the backend of a library on a server; it connects when it is used, until `stop` is set.

    Raises ServerDriverMissingError.
    """
    waiting = f"-c lock_timeout={BUSY_SECONDS}s -c idle_in_transaction_session_timeout={_IDLE_SECONDS}s"
    options = " ".join(filter(None, [server.parameters.get("options"), waiting]))
    try:
        from simcompare.library.store.watched_connection import WatchedConnection  # noqa: PLC0415

        engine = create_engine(
            "postgresql+psycopg://",
            connect_args=_DEFAULTS | dict(server.parameters) | {"options": options},
            # a connection that was lost meanwhile is replaced
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except ImportError as error:
        raise ServerDriverMissingError from error
    connection = WatchedConnection.until(stop or Event())
    event.listen(engine, "do_connect", lambda *given: connection.connect(*given[2], **given[3]))
    tables = ", ".join(table.name for table in METADATA.sorted_tables)
    return Backend(
        reading=engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
        # having waited for another writer, a transaction must see what that one wrote
        writing=engine.execution_options(isolation_level="READ COMMITTED"),
        outside=engine.execution_options(isolation_level="AUTOCOMMIT"),
        is_own=lambda connection: inspect(connection).has_table(POSTINGS.name),
        size="SELECT pg_database_size(current_database())",
        # rows stay in their tables until then; the server skips tables of which the user is not the owner
        forget_removed=[f"VACUUM (ANALYZE, SKIP_LOCKED) {tables}"],
        prepare=[],
        begin_update=[f"SELECT pg_advisory_xact_lock({_UPDATE_LOCK})"],
    )


def check_server(server: LibraryServer, connection: Connection) -> None:
    """Check whether a database can have a library. Raises ServerTooOldError, DatabaseEncodingError."""
    version = int((connection.dialect.server_version_info or (0,))[0])
    if version < OLDEST_VERSION:
        raise ServerTooOldError(str(server), version=version, oldest=OLDEST_VERSION)
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        raise DatabaseEncodingError(str(server), encoding=encoding)
