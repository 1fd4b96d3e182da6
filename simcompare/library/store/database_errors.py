"""Errors of the database as sentences for the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from simcompare.library.library_errors import (
    DamagedLibraryError,
    LibraryBusyError,
    LibraryError,
    LibraryNotWritableError,
)
from simcompare.library.store.backends.psycopg_errors import server_error
from simcompare.library.store.library_file import WRITE_PROTECTED
from simcompare.library.store.library_place import LibraryPlace
from simcompare.support.i18n import N_

DAMAGED_CONTENT = N_("its content is damaged")
NO_LIBRARY = N_("it is not a library of simcompare")
_NOT_ALLOWED = N_("access to it is not allowed")
# primary result codes of SQLite (sqlite.org/rescode.html), which never change
_SQLITE_BUSY, _SQLITE_LOCKED = 5, 6
_SQLITE_CORRUPT, _SQLITE_NOTADB = 11, 26
_CAUSES_OF_NO_WRITING = {
    3: _NOT_ALLOWED,
    8: WRITE_PROTECTED,
    10: N_("the disk or the connection to it failed"),
    13: N_("the disk is full"),
    14: _NOT_ALLOWED,
}


@contextmanager
def database_errors(place: LibraryPlace) -> Iterator[None]:
    """Raise errors of the database that the user can resolve as a LibraryError; others are bugs."""
    try:
        yield
    except DBAPIError as error:
        translated = _translated(place, error)
        if translated is None:
            raise
        raise translated from error


def _translated(place: LibraryPlace, error: DBAPIError) -> LibraryError | None:
    if isinstance(place, Path):
        return _sqlite_error(place, getattr(error.orig, "sqlite_errorcode", 0) & 0xFF)
    return server_error(str(place), error.orig, is_lost=error.connection_invalidated)


def _sqlite_error(path: Path, code: int) -> LibraryError | None:
    if code in {_SQLITE_BUSY, _SQLITE_LOCKED}:
        return LibraryBusyError(path)
    if code == _SQLITE_CORRUPT:
        return DamagedLibraryError(path, cause=DAMAGED_CONTENT)
    if code == _SQLITE_NOTADB:
        return DamagedLibraryError(path, cause=NO_LIBRARY)
    cause = _CAUSES_OF_NO_WRITING.get(code)
    return None if cause is None else LibraryNotWritableError(path, cause=cause)
