"""System packages for Debian and Ubuntu."""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tools.base import quiet

QT_LIBRARIES = (
    "libglib2.0-0",
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libpng16-16",
    "libdbus-1-3",
)
WINDOW_LIBRARIES = (
    "libxcb1",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-randr0",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xinerama0",
    "libxkbcommon-x11-0",
)
FONTS = ("fonts-noto-cjk",)
TEST_TOOLS = ("xvfb", "xauth", "xdotool")  # xvfb-run, used to run one test by hand, needs xauth
BROWSER = ("chromium",)
"""Opens report pages in tests; these are skipped in releases without the package."""
DATABASE_SERVER = ("postgresql",)
"""Runs a library on a server in tests; these are skipped without it."""
_DATABASE_PROGRAMS = Path("/usr/lib/postgresql")
_UPDATE_LIMIT_S = 120  # without a network, apt-get waits long for each server
_TIMED_OUT = 124


def installed_packages(dpkg_listing: str) -> set[str]:
    """Installed packages of a listing by dpkg-query with the name and status on each line."""
    rows = (line.split() for line in dpkg_listing.splitlines())
    return {row[0] for row in rows if len(row) == 2 and row[1] == "installed"}


def missing_packages(wanted: Iterable[str], installed: set[str]) -> list[str]:
    """Wanted packages that are not installed. Newer releases append t64 to some names."""
    return [name for name in wanted if not {name, f"{name}t64"} & installed]


def name_in_release(package: str, is_known: Callable[[str], bool]) -> str:
    """Name of a package in this release: with t64 if that is known."""
    return f"{package}t64" if is_known(f"{package}t64") else package


def names_in_release(packages: Iterable[str], is_known: Callable[[str], bool]) -> list[str]:
    """Names to install; apt installs nothing if it does not know one of them."""
    return [name_in_release(name, is_known) for name in packages if name not in BROWSER or is_known(name)]


def has_database_server(programs: Path = _DATABASE_PROGRAMS) -> bool:
    """Return whether a server of any version is installed, also without the package DATABASE_SERVER."""
    return any(programs.glob("*/bin/initdb")) or shutil.which("initdb") is not None


def _is_in_apt(package: str) -> bool:
    return quiet(["apt-cache", "show", package]).returncode == 0


def _root_prefix() -> list[str] | None:
    """Prefix of a command to run it as root, or None if that needs a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and quiet(["sudo", "-n", "true"]).returncode == 0:
        return ["sudo", "-n"]
    return None


def ensure_system_packages(wanted: Iterable[str]) -> None:
    """Install missing packages by apt-get; without root print the command.

    Missing packages are no error: the libraries may be installed in another way.
    """
    needed = [name for name in wanted if not (name in DATABASE_SERVER and has_database_server())]
    if shutil.which("apt-get") and shutil.which("dpkg-query"):
        _ensure_by_apt(needed)
    if set(DATABASE_SERVER) & set(needed) and not has_database_server():
        print("PostgreSQL is not installed, so the tests of a library on a server are skipped.")


def _ensure_by_apt(wanted: Iterable[str]) -> None:
    listing = quiet(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"]).stdout
    missing = missing_packages(wanted, installed_packages(listing))
    if missing and not _apt_install(missing):
        names = " ".join(missing)
        print(f"Missing system packages, which need root: sudo apt-get install {names}")


def _apt_install(packages: Sequence[str]) -> bool:
    prefix = _root_prefix()
    if prefix is None:
        return False
    print(f"Installing system packages: {' '.join(packages)}")
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Acquire::Retries=0"]
    if quiet([*prefix, "timeout", str(_UPDATE_LIMIT_S), *apt, "update"]).returncode == _TIMED_OUT:
        return False
    named = names_in_release(packages, _is_in_apt)
    done = quiet([*prefix, *apt, "install", "-y", "--no-install-recommends", *named])
    print(done.stderr if done.returncode else "", end="")
    return done.returncode == 0
