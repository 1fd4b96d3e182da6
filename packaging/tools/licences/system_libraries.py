"""Libraries of the system that PyInstaller copied into a bundle for Linux: their packages and licence texts.

The list of files that PyInstaller writes names the place that each was copied from.
"""

import ast
import os
import platform
import re
import shutil
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tools.base import quiet

_SOURCES = {
    "debian": "https://snapshot.debian.org/package/{name}/{version}/",
    "ubuntu": "https://launchpad.net/ubuntu/+source/{name}/{version}",
}
"""Pages with the source of packages, by the ID in /etc/os-release."""
_DOCUMENTS = Path("/usr/share/doc")
_COMMON = Path("/usr/share/common-licenses")
_BESIDE_PYTHON = ("libpython", "libsqlite3")
"""Libraries that a Python built from source has in its own folder. They have texts with those of Python:
python-libraries.txt says that SQLite is in the public domain."""


class LibraryError(Exception):
    """A copied library without a known licence; the message names it."""


@dataclass(frozen=True)
class SystemPackage:
    """A package of the system: `source` is the page with its source."""

    name: str
    version: str
    libraries: tuple[str, ...]
    text: Path
    source: str


def copied_libraries(contents: Path) -> list[Path]:
    """List the libraries that belong neither to the environment nor to Python, of PyInstaller's list."""
    (entries,) = ast.literal_eval(contents.read_text(encoding="utf-8"))
    binaries = [Path(place) for _, place, kind in entries if kind in {"BINARY", "EXTENSION"}]
    return sorted(path for path in binaries if not _is_known(path))


def _is_known(path: Path) -> bool:
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib", "platstdlib")}
    if any(path.is_relative_to(folder) for folder in folders):
        return True
    beside = Path(sysconfig.get_config_var("installed_base"), "lib")
    return path.parent == beside and path.name.startswith(_BESIDE_PYTHON)


def packages_of(libraries: Iterable[Path]) -> list[SystemPackage]:
    """Find the packages of the libraries.

    Raises LibraryError with a sentence for each library without a package, and each package without a text.
    """
    if not shutil.which("dpkg-query"):
        raise LibraryError("The packages of copied libraries can be found on Debian and Ubuntu only.")
    owned: dict[str, list[str]] = {}
    problems: list[str] = []
    for library in libraries:
        if name := _owner(library):
            owned.setdefault(name, []).append(library.name)
        else:
            problems.append(f"{library} belongs to no package of this system, so its licence is unknown.")
    packages = [_package(name, names) for name, names in sorted(owned.items())]
    problems += [f"{package.text} is missing." for package in packages if not package.text.is_file()]
    if problems:
        raise LibraryError("\n".join(problems))
    return packages


def _owner(library: Path) -> str | None:
    """Name of the package with a library; packages list /usr/lib also as /lib."""
    path = os.path.realpath(library)
    for candidate in (path, path.removeprefix("/usr")):
        found = quiet(["dpkg-query", "--search", candidate])
        if found.returncode == 0:
            return found.stdout.split(": ")[0]
    return None


def _package(name: str, libraries: Iterable[str]) -> SystemPackage:
    shown = "${Package}\n${Version}\n${source:Package}\n${source:Version}"
    package, version, source, source_version = quiet(
        ["dpkg-query", "--show", "--showformat", shown, name]
    ).stdout.split("\n")
    page = _SOURCES.get(platform.freedesktop_os_release()["ID"])
    if page is None:
        raise LibraryError(
            "Where the source of this system's packages is, is known of Debian and Ubuntu only."
        )
    return SystemPackage(
        package,
        version,
        tuple(libraries),
        _DOCUMENTS / package / "copyright",
        page.format(name=quote(source), version=quote(source_version)),
    )


def common_texts(texts: Iterable[Path]) -> list[Path]:
    """List the common licences of the system that the texts refer to."""
    named = {
        name
        for text in texts
        for name in re.findall(rf"{_COMMON}/([\w.+-]*\w)", text.read_text(encoding="utf-8", errors="replace"))
    }
    return [path for name in sorted(named) if (path := _COMMON / name).is_file()]
