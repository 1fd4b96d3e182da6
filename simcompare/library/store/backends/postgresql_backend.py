"""PostgreSQL: a library on a server, which several people use."""

from threading import Event

from sqlalchemy import Connection, create_engine, event, inspect

from simcompare.library.store.backends.backend import BUSY_SECONDS, Backend
from simcompare.library.store.library_place import LibraryServer
from simcompare.library.store.schema import METADATA, POSTINGS
from simcompare.library.store.server_errors import (
    DatabaseEncodingError,
    ServerDriverMissingError,
    ServerTooOldError,
)

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
        from simcompare.library.store.backends.watched_connection import WatchedConnection  # noqa: PLC0415

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
