"""Open a library, read and change it in transactions, and log who searched and removed on a server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, insert, inspect, text, update

from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryNotWritableError,
    LibraryRightsError,
    NewerLibraryError,
    NoLibraryError,
    NotUpdatedError,
    UpdateRightsError,
)
from simcompare.library.store.backends import Backend, check_server, postgresql_backend, sqlite_backend
from simcompare.library.store.database_errors import NO_LIBRARY, database_errors
from simcompare.library.store.library_place import LibraryPlace, LibraryServer, check_library_file
from simcompare.library.store.schema import ACCESS_LOG, REVISION, STATE

SEARCH, REMOVE = "search", "remove"
_SERVER = "postgresql"


def log_access(connection: Connection, action: str, entry_count: int, tags: Sequence[str] = ()) -> None:
    """Log that the user of the connection found or removed this number of entries, within its transaction.

    tags: those that chose the entries, as the log shows them: of one that names a student only the name of
    the tag, as a student who was removed must not stay in the log. A library in a file has no log.
    """
    if connection.dialect.name == _SERVER:
        values = {"action": action, "entry_count": entry_count, "tags": "; ".join(tags)}
        # without RETURNING, which needs the right to read the log
        connection.execute(insert(ACCESS_LOG).inline().values(values))


MIGRATIONS = Path(__file__).with_name("migrations")


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables; None without any table, "" if the tables are of something else."""
    inspector = inspect(connection)
    if inspector.has_table("alembic_version"):
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
    return "" if inspector.get_table_names() else None


def is_newer(revision: str) -> bool:
    """Return whether a revision is one of a newer program; all have as many digits."""
    return len(revision) == len(REVISION) and revision.isdecimal() and revision > REVISION


def migrate(connection: Connection) -> None:
    """Apply the missing migrations within the transaction of the connection."""
    # loading Alembic takes longer than opening a library that needs no migration
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # the configuration would replace % signs
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, "head")


class Library:
    """An open library, used as a context manager; its transactions may run in several threads.

    Another process that changes the library at the same time waits, and so does this one. If the connection
    to a server is lost, the transaction changes nothing, and the next one connects again.
    """

    def __init__(self, place: LibraryPlace, backend: Backend) -> None:
        self.place = place
        self._backend = backend

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; the last one moves the log of recent changes into the file."""
        self._backend.writing.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read in one transaction, which sees one state of the library. Raises LibraryError."""
        with database_errors(self.place), self._backend.reading.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Change the library in one transaction, all or nothing. Raises LibraryError."""
        with database_errors(self.place), self._backend.writing.begin() as connection:
            # first, so that other writers wait until this transaction ends
            connection.execute(update(STATE).values(changes=STATE.c.changes + 1))
            yield connection

    def forget_removed(self) -> None:
        """Make the database give up what was removed from its tables. Raises LibraryError."""
        _run_outside(self.place, self._backend, self._backend.forget_removed)

    def size_bytes(self) -> int:
        """Return the size of the file without its log of recent changes, or of the database on the server."""
        with self.reading() as connection:
            return int(connection.execute(text(self._backend.size)).scalar_one())

    def log_search(self, found: int) -> None:
        """Log a search that found this number of entries, if the library is on a server."""
        if isinstance(self.place, LibraryServer):
            with database_errors(self.place), self._backend.writing.begin() as connection:
                log_access(connection, SEARCH, found)


def open_library(place: LibraryPlace, *, create: bool = False, stop: Event | None = None) -> Library:
    """Open a library; with `create`, make it if its file is missing, or if its place is empty.

    Once `stop` is set, it no longer waits for a server that does not answer when it connects.
    A file that is write-protected can be searched: every change raises LibraryNotWritableError. Tables of an
    older program are brought up to date. Raises LibraryError.
    """
    if isinstance(place, Path):
        backend = sqlite_backend(place, check_library_file(place, create=create))
    else:
        backend = postgresql_backend(place, stop)
    library = Library(place, backend)
    try:
        _prepare(backend, place, create=create)
    except BaseException:
        library.close()
        raise
    return library


def _prepare(backend: Backend, place: LibraryPlace, *, create: bool) -> None:
    """Check what is in the database, and create or update the tables."""
    with database_errors(place), backend.reading.begin() as connection:
        if isinstance(place, LibraryServer):
            check_server(place, connection)
        revision = revision_of(connection)
        is_own = backend.is_own(connection)
    if revision is None and not create:
        raise NoLibraryError(str(place))
    if revision is not None:
        if is_own and is_newer(revision):
            raise NewerLibraryError(str(place), version=revision, known=REVISION)
        if not is_own or revision not in {f"{number + 1:04}" for number in range(int(REVISION))}:
            raise DamagedLibraryError(str(place), cause=NO_LIBRARY)
    if backend.prepare:
        _run_outside(place, backend, backend.prepare)
    if revision != REVISION:
        try:
            with database_errors(place), backend.writing.begin() as connection:
                for statement in backend.begin_update:
                    connection.exec_driver_sql(statement)
                # another process may have done it meanwhile
                if revision_of(connection) != REVISION:
                    migrate(connection)
        except LibraryRightsError as error:
            raise UpdateRightsError(str(place)) from error
        except LibraryNotWritableError as error:
            if revision is None:
                raise
            raise NotUpdatedError(str(place)) from error


def _run_outside(place: LibraryPlace, backend: Backend, statements: Sequence[str]) -> None:
    with database_errors(place), backend.outside.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
