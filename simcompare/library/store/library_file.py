"""The file of a library: its default place, and checks before it is opened."""

import os
import re
import stat
import sys
from enum import Enum
from pathlib import Path

from simcompare.library.library_errors import LibraryNotWritableError, NetworkLibraryError, NoLibraryError
from simcompare.model.errors import os_errors_as
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
