"""Errors of the database, a file of SQLite or a server of PostgreSQL, as sentences for the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, NoResultFound

from simcompare.library.library_errors import (
    ConnectionLostError,
    DamagedLibraryError,
    LibraryBusyError,
    LibraryError,
    LibraryNotWritableError,
    LibraryRightsError,
    NoDatabaseError,
    ServerAccessError,
    ServerNotWritableError,
    ServerUnavailableError,
)
from simcompare.library.store.library_place import WRITE_PROTECTED, LibraryPlace
from simcompare.session.json_fields import BrokenValueError
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_

# SQLSTATE codes (postgresql.org/docs/current/errcodes-appendix.html), which never change
_LOCK_NOT_AVAILABLE = "55P03"
_INSUFFICIENT_PRIVILEGE = "42501"
_SHUTDOWN = frozenset({"57P01", "57P02"})
_CAUSES_AT_SERVER = {
    "25006": N_("the server only allows reading"),
    "53100": N_("the disk of the server is full"),
}
_FAULTS_OF_THE_SERVER = frozenset({"53", "57", "58", "XX"})
"""Classes of codes: no resources, intervention of an operator, system errors, damaged data."""

_PASSWORD_WRONG = N_("the password is wrong, or the user does not exist")
_NO_PASSWORD = N_("it asks for a password, and none is given")
_NOT_ADMITTED = N_("its administrator has not admitted this user, computer or kind of connection")
_NO_ANSWER = N_("the server does not answer")
# libpq gives no code for a connection that was refused, only a message of its own or of the server; other
# messages, and those of a server in another language, are displayed as they are
_REFUSED = (
    ("password authentication failed", ServerAccessError, _PASSWORD_WRONG),
    ("no password supplied", ServerAccessError, _NO_PASSWORD),
    ("no pg_hba.conf entry", ServerAccessError, _NOT_ADMITTED),
    ("permission denied for database", ServerAccessError, _NOT_ADMITTED),
    ("peer authentication failed", ServerAccessError, _NOT_ADMITTED),
    ("ident authentication failed", ServerAccessError, _NOT_ADMITTED),
    ("connection refused", ServerUnavailableError, _NO_ANSWER),
    ("timeout expired", ServerUnavailableError, _NO_ANSWER),
    ("no route to host", ServerUnavailableError, _NO_ANSWER),
    ("could not translate host name", ServerUnavailableError, N_("the server is not known in the network")),
    ("failed to resolve host", ServerUnavailableError, N_("the server is not known in the network")),
    ("starting up", ServerUnavailableError, N_("the server is being started or stopped")),
    ("shutting down", ServerUnavailableError, N_("the server is being started or stopped")),
    ("server does not support ssl", ServerUnavailableError, N_("the server does not encrypt connections")),
    ("certificate", ServerUnavailableError, N_("the certificate of the server cannot be verified")),
)


def server_error(place: str, error: BaseException | None, *, is_lost: bool) -> LibraryError | None:
    """Return the error to raise for one of psycopg; None for a bug.

    is_lost: whether the error ended a connection that was established.
    """
    # an optional package, which is there if it has raised an error
    from psycopg import Error, OperationalError  # noqa: PLC0415

    if is_lost:
        return ConnectionLostError(place)
    if isinstance(error, Error) and error.sqlstate is not None:
        return _refused_statement(place, error.sqlstate, error.diag.message_primary or str(error))
    return _not_connected(place, str(error)) if isinstance(error, OperationalError) else None


def _not_connected(place: str, message: str) -> LibraryError:
    lowered = message.lower()
    if "database" in lowered and "does not exist" in lowered:
        return NoDatabaseError(place)
    for words, error_class, cause in _REFUSED:
        if words in lowered:
            return error_class(place, cause=cause)
    # libpq begins with the server it tried, and may list several attempts
    reason = message.strip().partition("\n")[0].rpartition("failed: ")[2]
    return ServerUnavailableError(place, cause=escape_invisible(reason))


def _refused_statement(place: str, code: str, message: str) -> LibraryError | None:
    if code in _SHUTDOWN:
        return ConnectionLostError(place)
    if code == _LOCK_NOT_AVAILABLE:
        return LibraryBusyError(place)
    if code == _INSUFFICIENT_PRIVILEGE:
        return LibraryRightsError(place)
    if code in _CAUSES_AT_SERVER:
        return ServerNotWritableError(place, cause=_CAUSES_AT_SERVER[code])
    if code[:2] in _FAULTS_OF_THE_SERVER:
        return ServerUnavailableError(place, cause=escape_invisible(message))
    return None


DAMAGED_CONTENT = N_("its content is damaged")
NO_LIBRARY = N_("it is not a library of simcompare")
_NOT_ALLOWED = N_("access to it is not allowed")
# primary result codes of SQLite (sqlite.org/rescode.html), which never change
_SQLITE_BUSY, _SQLITE_LOCKED = 5, 6
_SQLITE_NOTADB = 26
# besides 11 (corrupt): missing tables or columns (1), values that break a rule of the tables (19), and,
# without a code (0), text that is not UTF-8
_SQLITE_DAMAGED = frozenset({0, 1, 11, 19})
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
    except (BrokenValueError, NoResultFound, UnicodeDecodeError) as error:  # a message with damaged bytes
        raise DamagedLibraryError(str(place), cause=DAMAGED_CONTENT) from error


def _translated(place: LibraryPlace, error: DBAPIError) -> LibraryError | None:
    if isinstance(place, Path):
        return _sqlite_error(place, getattr(error.orig, "sqlite_errorcode", 0) & 0xFF)
    return server_error(str(place), error.orig, is_lost=error.connection_invalidated)


def _sqlite_error(path: Path, code: int) -> LibraryError | None:
    if code in {_SQLITE_BUSY, _SQLITE_LOCKED}:
        return LibraryBusyError(path)
    if code in _SQLITE_DAMAGED:
        return DamagedLibraryError(path, cause=DAMAGED_CONTENT)
    if code == _SQLITE_NOTADB:
        return DamagedLibraryError(path, cause=NO_LIBRARY)
    cause = _CAUSES_OF_NO_WRITING.get(code)
    return None if cause is None else LibraryNotWritableError(path, cause=cause)
