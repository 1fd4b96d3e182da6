"""What Debian and Ubuntu have to install beside Python's packages."""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence

from devtools.base import quiet

QT_LIBRARIES = ("libglib2.0-0", "libgl1", "libegl1", "libxkbcommon0", "libfontconfig1", "libdbus-1-3")
WINDOW_LIBRARIES = (
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
TEST_TOOLS = ("xvfb", "xauth", "xdotool")  # xauth: xvfb-run, for one test by hand, needs it
BROWSER = ("chromium",)
"""What opens the pages of reports in the tests, which do without where a release has no such package."""


def installed_packages(dpkg_listing: str) -> set[str]:
    """Return the installed ones of dpkg-query's listing, whose lines are a name and a status."""
    rows = (line.split() for line in dpkg_listing.splitlines())
    return {row[0] for row in rows if len(row) == 2 and row[1] == "installed"}


def missing_packages(wanted: Iterable[str], installed: set[str]) -> list[str]:
    """Return what is wanted and not there. Newer releases give some libraries the ending t64."""
    return [name for name in wanted if not {name, f"{name}t64"} & installed]


def name_in_release(package: str, is_known: Callable[[str], bool]) -> str:
    """Return `package`, or its name with t64 where this release knows it by that one."""
    return f"{package}t64" if is_known(f"{package}t64") else package


def names_in_release(packages: Iterable[str], is_known: Callable[[str], bool]) -> list[str]:
    """Return what to install: one name that apt does not know would keep it from installing the others."""
    return [name_in_release(name, is_known) for name in packages if name not in BROWSER or is_known(name)]


def _apt_knows(package: str) -> bool:
    return quiet(["apt-cache", "show", package]).returncode == 0


def _root_prefix() -> list[str] | None:
    """Return what a command starts with to run as root, None where that would need a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and quiet(["sudo", "-n", "true"]).returncode == 0:
        return ["sudo", "-n"]
    return None


def ensure_system_packages(wanted: Iterable[str]) -> None:
    """Install what is missing of `wanted` where apt-get is the way; otherwise say what to install.

    A lack is no error here: the libraries may be there by another way than the package's name tells.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return
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
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    quiet([*apt, "update"])
    named = names_in_release(packages, _apt_knows)
    done = quiet([*apt, "install", "-y", "--no-install-recommends", *named])
    print(done.stderr if done.returncode else "", end="")
    return done.returncode == 0
