"""Place of a library: a file, a database on a server of PostgreSQL, or a list of several (.libraries)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simcompare.library.library_errors import LibraryError
from simcompare.library.store.library_file import default_library_path
from simcompare.library.store.server_errors import (
    LibraryAddressError,
    PasswordInArgumentError,
    ServerDriverMissingError,
)
from simcompare.model.errors import cause_of
from simcompare.support.i18n import N_

_SCHEMES = frozenset({"postgresql", "postgres"})
_SECRETS = frozenset(
    {"password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"}
)


@dataclass(frozen=True, slots=True)
class LibraryServer:
    """A database on a server of PostgreSQL.

    parameters: the connection parameters of libpq, such as host, dbname and sslmode. They may have a
    password, so that they are never displayed.
    """

    parameters: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        """Return the address without password and options."""
        given = self.parameters
        user = f"{given['user']}@" if "user" in given else ""
        port = f":{given['port']}" if "port" in given else ""
        return f"postgresql://{user}{given.get('host', '')}{port}/{given['dbname']}"

    def without_secrets(self) -> dict[str, str]:
        """Return the parameters that may be saved."""
        return {name: value for name, value in self.parameters.items() if name not in _SECRETS}


LibraryPlace = Path | LibraryServer


def library_place(place: str | None) -> LibraryPlace:
    """Return the place that a file name or an address of a server names; by default the file of the user.

    Raises LibraryAddressError, ServerDriverMissingError.
    """
    if place is None:
        return default_library_path()
    scheme, separator, _ = place.partition("://")
    if not separator:
        return Path(place)
    if scheme not in _SCHEMES:
        raise LibraryAddressError(cause=N_("it does not begin with postgresql://"))
    return library_server(_parameters(place))


def library_server(parameters: Mapping[str, str]) -> LibraryServer:
    """Return the server with these connection parameters. Raises LibraryAddressError."""
    if not parameters.get("dbname"):
        raise LibraryAddressError(cause=N_("it names no database"))
    if _has_stray_password(parameters):
        raise LibraryAddressError(cause=N_("it is not a valid address"))
    return LibraryServer(parameters)


def check_argument(place: str | None) -> None:
    """Check that an argument of a command, which other users of the computer can see, has no password.

    Raises PasswordInArgumentError, and the errors of `library_place`.
    """
    named = library_place(place)
    if isinstance(named, LibraryServer) and _SECRETS & named.parameters.keys():
        raise PasswordInArgumentError


def _parameters(address: str) -> dict[str, str]:
    """Parse an address as libpq does; its own messages are not used, as they repeat the address."""
    try:
        # an optional package
        from psycopg import ProgrammingError  # noqa: PLC0415
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415
    except ImportError as error:
        raise ServerDriverMissingError from error
    try:
        return {name: str(value) for name, value in conninfo_to_dict(address).items()}
    except ProgrammingError:
        raise LibraryAddressError(cause=N_("it is not a valid address")) from None


def _has_stray_password(parameters: Mapping[str, str]) -> bool:
    """Return whether a part that is displayed may have a piece of a password with an "@", ":" or "/"."""
    is_port = parameters.get("port", "0").replace(",", "").isdecimal()
    return not is_port or any("@" in parameters.get(name, "") for name in ("host", "dbname"))


_SUFFIX = ".libraries"
"""Of a text file that names the place of a library in each line."""
_COMMENT = "#"


class LibraryListError(LibraryError):
    template = N_("The list of libraries {path} cannot be used: {cause}.")


class LibraryListGivenError(LibraryError):
    template = N_("{path} is a list of libraries, and this needs one library. Name one of the list.")


def library_places(place: str | None) -> list[LibraryPlace]:
    """Return the places of the libraries that a list names, or of the one that is given.

    Files are named relative to the folder of the list; lines that begin with # are comments. Raises
    LibraryListError, and the errors of `library_place`.
    """
    if place is None or not _is_list(place):
        return [library_place(place)]
    path = Path(place)
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except OSError as error:
        raise LibraryListError(path, cause=cause_of(error)) from error
    except UnicodeDecodeError as error:
        raise LibraryListError(path, cause=N_("it is no text in UTF-8")) from error
    named = [line for line in lines if line and not line.startswith(_COMMENT)]
    places = [_place_in(path, line) for line in named]
    if not places:
        raise LibraryListError(path, cause=N_("it names no library"))
    if len(set(map(str, places))) < len(places):
        raise LibraryListError(path, cause=N_("it names a library twice"))
    return places


def single_place(place: str | None) -> LibraryPlace:
    """Return the place of one library. Raises LibraryListGivenError, and the errors of `library_place`."""
    if place is not None and _is_list(place):
        raise LibraryListGivenError(place)
    return library_place(place)


def _is_list(place: str) -> bool:
    return "://" not in place and place.lower().endswith(_SUFFIX)


def _place_in(path: Path, line: str) -> LibraryPlace:
    try:
        check_argument(line)
        named = library_place(line)
    except PasswordInArgumentError as error:
        raise LibraryListError(path, cause=N_("it has a password, which belongs in ~/.pgpass")) from error
    return path.parent / named if isinstance(named, Path) else named
