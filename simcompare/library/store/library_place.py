"""Place of a library: a file, a database on a server of PostgreSQL, or a list of several (.libraries)."""

import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from simcompare.library.library_errors import (
    LibraryAddressError,
    LibraryError,
    LibraryNotWritableError,
    NetworkLibraryError,
    NoLibraryError,
    PasswordInArgumentError,
    ServerDriverMissingError,
)
from simcompare.model.errors import cause_of, os_errors_as
from simcompare.support.i18n import N_
from simcompare.support.resources import user_data_path

_FILE_NAME = "library.sqlite"
_MOUNTS = Path("/proc/self/mounts")
_ESCAPED = re.compile(r"\\([0-7]{3})")
_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL
_OWNER_ONLY_MODE = 0o600
WRITE_PROTECTED = N_("it is write-protected")
_UNFINISHED = N_("its drive is for reading only, and recent changes still have to be written into the file")
# WAL needs memory shared by all processes that use a file, and its locks; other computers do not share them.
_NETWORK_SYSTEMS = frozenset(
    {"9p", "afs", "ceph", "cifs", "davfs", "drvfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4"}
    | {"ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs"}
    | {"fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.smbnetfs"}
    | {"fuse.sshfs", "fuse.vmhgfs-fuse"}
)


class FileAccess(Enum):
    """How the file of a library is opened."""

    WRITING = "writing"
    READING = "reading"
    """The file is write-protected; another user may change it."""
    UNCHANGING = "unchanging"
    """The file system is mounted for reading only, as a CD or a backup is, so there can be no locks."""


def default_library_path() -> Path:
    """Return the path of the library in the user's data folder, and create the folder."""
    return user_data_path(_FILE_NAME)


def check_library_file(path: Path, *, create: bool) -> FileAccess:
    """Return how a library can be opened; create its file, private to its owner, if it is missing.

    With `create`, it must be writable.

    Network drives are recognised on Linux only; elsewhere Python cannot ask for the type of a file system.
    Raises NetworkLibraryError, LibraryNotWritableError, and NoLibraryError without `create`.
    """
    with os_errors_as(LibraryNotWritableError, path, (OSError, ValueError)):
        system = file_system_of(path.resolve())
        if system in _NETWORK_SYSTEMS:
            raise NetworkLibraryError(path, system=system)
        is_empty = path.is_file() and not path.stat().st_size  # a folder has a size on some systems only
        if not path.exists() or (is_empty and not create):
            if not create:
                raise NoLibraryError(path)
            if not path.parent.is_dir():
                raise LibraryNotWritableError(path, cause=N_("its folder is not there"))
            os.close(os.open(path, _NEW_FILE, _OWNER_ONLY_MODE))
        access = _file_access(path)
    if create and access is not FileAccess.WRITING:
        raise LibraryNotWritableError(path, cause=WRITE_PROTECTED)
    return access


def _file_access(path: Path) -> FileAccess:
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise LibraryNotWritableError(path, cause=N_("it is not a file"))
    if is_read_only_file_system(path):
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise LibraryNotWritableError(path, cause=_UNFINISHED)
        return FileAccess.UNCHANGING
    # readers need files beside it as well, as they and writers find each other there
    if not os.access(path.parent, os.W_OK):
        raise LibraryNotWritableError(path, cause=N_("its folder is write-protected"))
    # the administrator may write to a write-protected file, but should not
    if not mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        return FileAccess.READING
    return FileAccess.WRITING


def is_read_only_file_system(path: Path) -> bool:
    """Return whether the file system of a file is mounted for reading only; Windows does not say."""
    return sys.platform != "win32" and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def file_system_of(path: Path, mounts: Path = _MOUNTS) -> str:
    """Return the type of the file system of an absolute path without links; "" if the system is not Linux."""
    if sys.platform != "linux":
        return ""
    found, longest = "", -1
    for line in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        _, place, system, *_ = line.split(" ")
        folder = Path(_ESCAPED.sub(lambda match: chr(int(match[1], 8)), place))
        # the last of several mounts on one folder covers the others
        if len(folder.parts) >= longest and path.is_relative_to(folder):
            found, longest = system, len(folder.parts)
    return found


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
        raise LibraryListError(path, cause=N_("it is not UTF-8 text")) from error
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
