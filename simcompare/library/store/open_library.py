"""Open a library, and read and change it in transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, update

from simcompare.library.library_errors import DamagedLibraryError, NewerLibraryError, NoLibraryError
from simcompare.library.store.database_errors import NO_LIBRARY, database_errors
from simcompare.library.store.library_file import check_library_file
from simcompare.library.store.migration import is_newer, migrate, revision_of
from simcompare.library.store.schema import REVISION, STATE

_BUSY_SECONDS = 30.0
_APPLICATION_ID = 0x53434C42
"""Mark of a library in the header of its file: SCLB."""
_BEGIN = "simcompare_begin"
_READING, _WRITING, _NO_TRANSACTION = "BEGIN", "BEGIN IMMEDIATE", ""


class Library:
    """An open library, used as a context manager; its transactions may run in several threads.

    Another process that changes the library at the same time waits, and so does this one.
    """

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self._engine = engine

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; the last one moves the log of recent changes into the file."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read in one transaction, which sees one state of the library. Raises LibraryError."""
        with database_errors(self.path), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Change the library in one transaction, all or nothing. Raises LibraryError."""
        with database_errors(self.path), self._engine.connect() as connection:
            writer = connection.execution_options(**{_BEGIN: _WRITING})
            with writer.begin():
                # first, so that other writers wait until this transaction ends
                writer.execute(update(STATE).values(changes=STATE.c.changes + 1))
                yield writer

    def forget_removed(self) -> None:
        """Empty the log of recent changes of SQLite, which still has what was removed.

        While another process reads, the log stays until the last process closes the library.
        """
        if self._engine.dialect.name == "sqlite":
            with database_errors(self.path):
                _outside_transactions(self._engine, "PRAGMA wal_checkpoint(TRUNCATE)")


def open_library(path: Path, *, create: bool = False) -> Library:
    """Open the library in a file; with `create`, make it if the file is missing or empty.

    Tables of an older program are brought up to date. Raises LibraryError.
    """
    check_library_file(path, create=create)
    engine = _sqlite_engine(path)
    library = Library(path, engine)
    try:
        with database_errors(path):
            _prepare(engine, path, create=create)
    except BaseException:
        library.close()
        raise
    return library


def _prepare(engine: Engine, path: Path, *, create: bool) -> None:
    """Check what is in the file, and create or update the tables."""
    with engine.connect() as connection:
        revision = revision_of(connection)
        mark = connection.exec_driver_sql("PRAGMA application_id").scalar()
    if revision is None and not create:
        raise NoLibraryError(path)
    if revision is not None:
        if mark != _APPLICATION_ID or not revision.isdecimal():
            raise DamagedLibraryError(path, cause=NO_LIBRARY)
        if is_newer(revision):
            raise NewerLibraryError(path, version=revision, known=REVISION)
    if revision != REVISION:
        _update(engine)


def _update(engine: Engine) -> None:
    _outside_transactions(engine, "PRAGMA journal_mode = WAL")
    with engine.connect() as connection:
        writer = connection.execution_options(**{_BEGIN: _WRITING})
        with writer.begin():
            # another process may have done it meanwhile
            if revision_of(writer) != REVISION:
                writer.exec_driver_sql(f"PRAGMA application_id = {_APPLICATION_ID}")
                migrate(writer)


def _outside_transactions(engine: Engine, statement: str) -> None:
    with engine.connect() as connection:
        connection.execution_options(**{_BEGIN: _NO_TRANSACTION}).exec_driver_sql(statement)


def _sqlite_engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path.resolve()))
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up_connection(connection: Any, _record: object) -> None:
    # Python's module would begin and end transactions itself, and would commit before a table is created
    connection.isolation_level = None
    cursor = connection.cursor()
    # 64 MB: the upper levels of a large index stay in memory
    for setting in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL", "cache_size = -65536"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # a transaction that only becomes a writer later could not wait for another writer
    statement = connection.get_execution_options().get(_BEGIN, _READING)
    if statement:
        connection.exec_driver_sql(statement)
