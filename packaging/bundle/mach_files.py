"""Programs and libraries of an application for macOS: the oldest system that they need."""

import plistlib
import re
from collections.abc import Iterator
from pathlib import Path

from tools.base import SetupError, quiet

_BEGINNINGS = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""Of a file for one processor, and of one for several."""
_MINIMUM = re.compile(
    r"cmd LC_BUILD_VERSION\n(?:.+\n){2} +minos (\d+)\.(\d+)"
    r"|cmd LC_VERSION_MIN_MACOSX\n.+\n +version (\d+)\.(\d+)"
)


def check_minimum_system(application: Path) -> None:
    """Raise SetupError if files need a newer macOS than the application says (LSMinimumSystemVersion).

    pip takes the wheels that are made for the system it runs on, which may be newer.
    """
    settings = plistlib.loads((application / "Contents" / "Info.plist").read_bytes())
    limit = settings["LSMinimumSystemVersion"]
    major, minor = map(int, limit.split("."))
    needed = {
        path.relative_to(application).as_posix(): minimum_system(_commands(path))
        for path in _mach_files(application)
    }
    newer = {name: version for name, version in needed.items() if version > (major, minor)}
    if newer:
        listed = ", ".join(f"{name} ({version[0]}.{version[1]})" for name, version in sorted(newer.items()))
        raise SetupError(f"files of the application need a macOS newer than {limit}: {listed}")


def minimum_system(commands: str) -> tuple[int, int]:
    """Oldest macOS that a file runs on, by its load commands as otool prints them, or (0, 0)."""
    found = [tuple(int(part) for part in match if part) for match in _MINIMUM.findall(commands)]
    return max(((major, minor) for major, minor in found), default=(0, 0))


def _mach_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) in _BEGINNINGS:
                    yield path


def _commands(path: Path) -> str:
    """Load commands of a file for the processor of this computer."""
    done = quiet(["otool", "-l", str(path)])
    if done.returncode != 0:
        raise SetupError(f"otool failed: {done.stderr.strip()}")
    return done.stdout
