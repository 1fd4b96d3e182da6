"""Shared libraries that Qt needs of a Linux system: which are missing, and the command that installs them."""

import ctypes
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence

from simcompare.support.i18n import _, joined_items

DEBIAN_PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libpng16.so.16": "libpng16-16",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Packages of Debian and Ubuntu with these libraries; their dependencies bring the others that Qt needs."""


def library_of(error: BaseException) -> str | None:
    """Name of the shared library that was not found, or None if the error has another cause."""
    # one that was found, but has another fault, is named with its path
    found = re.match(r"(lib[^/:\s]+\.so[.\d]*): ", str(error))
    return found[1] if found else None


def missing_libraries(named: Sequence[str] = ()) -> list[str]:
    """Libraries that are missing: those named by an error, and all others that cannot be loaded either.

    An error names only the first one, so users would install them one by one.
    """
    return list(dict.fromkeys([*named, *filter(None, map(_missing_for, DEBIAN_PACKAGES))]))


def _missing_for(library: str) -> str | None:
    """Name a library, or one that it needs, if that is missing; a bundle lacks some of the latter."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        return library_of(error.__cause__ or error) or library  # in a bundle, PyInstaller replaces the error
    return None


def missing_libraries_sentence(libraries: Sequence[str]) -> str:
    """Tell the user in the current language which libraries are missing, and how to install them."""
    values = {"libraries": joined_items(libraries), "command": _installing_command(libraries)}
    if not values["command"]:
        text = _(
            "The window cannot be opened, because this system lacks {libraries}. Install what is missing "
            "with the package manager of the system."
        )
    else:
        text = _(
            "The window cannot be opened, because this system lacks {libraries}. Install what is missing: "
            "{command}"
        )
    return text.format(**values)


def _installing_command(libraries: Iterable[str]) -> str:
    """Command for a terminal, or "" if the packages are not known."""
    if shutil.which("apt"):
        packages = [DEBIAN_PACKAGES[name] for name in libraries if name in DEBIAN_PACKAGES]
        return shlex.join(["sudo", "apt", "install", *packages]) if packages else ""
    if shutil.which("dnf"):  # finds packages by their libraries
        return shlex.join(["sudo", "dnf", "install", *(f"{name}()(64bit)" for name in libraries)])
    return ""
