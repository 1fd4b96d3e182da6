"""The bundle for Linux systems with an older glibc: its packages, its limit and the names of its files."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.base import ROOT, SetupError
from tools.environment import CONSTRAINTS

GLIBC = (2, 28)
"""Newest version of glibc that the bundle may need; UOS 20 has it."""
SUFFIX = "glibc2.28"
PINNED = Path(__file__).with_name("older_systems.txt")
_CONSTRAINTS = ROOT / "build" / "constraints-older-systems.txt"
_NAME = re.compile(r"[\w.-]*\w")


def replaced(wanted: Iterable[str]) -> list[str]:
    """Replace the requirements of packages that older_systems.txt has by those in it."""
    pinned = _requirements(PINNED.read_text(encoding="utf-8").splitlines())
    names = {_package(line) for line in pinned}
    return [line for line in _requirements(wanted) if _package(line) not in names] + pinned


def write_constraints() -> Path:
    """Write the constraints of the bundle for older systems, and return their file."""
    lines = replaced(CONSTRAINTS.read_text(encoding="utf-8").splitlines())
    _CONSTRAINTS.parent.mkdir(exist_ok=True)
    _CONSTRAINTS.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return _CONSTRAINTS


def check_glibc(needed: Mapping[str, tuple[int, int]]) -> None:
    """Raise SetupError if files of the bundle need a newer glibc; needed: versions by file."""
    newer = {name: version for name, version in needed.items() if version > GLIBC}
    if newer:
        listed = ", ".join(f"{name} ({major}.{minor})" for name, (major, minor) in sorted(newer.items()))
        raise SetupError(f"files of the bundle need a glibc newer than {GLIBC[0]}.{GLIBC[1]}: {listed}")


def _requirements(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line and not line.startswith("#")]


def _package(requirement: str) -> str:
    found = _NAME.match(requirement)
    return found[0].replace("_", "-").casefold() if found else requirement
