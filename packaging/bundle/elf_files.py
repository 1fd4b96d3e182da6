"""Programs and libraries of a bundle for Linux: what they need, and where they search for libraries."""

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.base import SetupError, call, quiet

_RELATIVE = ("$ORIGIN", "${ORIGIN}")
"""Beginnings of run paths that are relative to the file."""


def elf_files(folder: Path) -> Iterator[Path]:
    """Yield the programs and libraries of a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def check_objdump() -> None:
    """Raise SetupError if the program that reads headers is missing."""
    if not shutil.which("objdump"):
        raise SetupError("objdump is missing; it is in the package binutils: sudo apt-get install binutils")


def headers(files: Iterable[Path]) -> str:
    """Headers of programs and libraries, as objdump prints them."""
    check_objdump()
    return quiet(["objdump", "-p", *map(str, files)]).stdout


def needed_glibc(programs: Path) -> dict[str, tuple[int, int]]:
    """Newest version of glibc that each program and library of the bundle needs."""
    needed = {}
    for path in elf_files(programs):
        found = re.findall(r"GLIBC_(\d+)\.(\d+)", headers([path]))
        if found:
            newest = max((int(major), int(minor)) for major, minor in found)
            needed[str(path.relative_to(programs))] = newest
    return needed


def remove_absolute_run_paths(bundle: Path, patchelf: Path) -> None:
    """Remove the run paths of the system that made the bundle.

    The modules of a Python with a folder of its own, as that of pyenv, have them. On another computer, the
    programs would load libraries of whoever can make this folder there. For the libraries of the bundle they
    need no run path: PyInstaller's programs set LD_LIBRARY_PATH.
    """
    for path in elf_files(bundle):
        found = _run_paths(path)
        kept = [place for place in found if place.startswith(_RELATIVE)]
        if kept == found:
            continue
        change = ["--set-rpath", ":".join(kept)] if kept else ["--remove-rpath"]
        if call([patchelf, *change, path]) != 0:
            raise SetupError("patchelf failed; see its message above.")


def check_run_paths(bundle: Path) -> None:
    """Raise SetupError if a file searches for libraries in a folder that is not relative to it."""
    for path in elf_files(bundle):
        for place in _run_paths(path):
            if not place.startswith(_RELATIVE):
                name, where = path.relative_to(bundle), place or "the current folder"
                raise SetupError(f"{name} searches for libraries in {where}; make the bundle again.")


def remove_symbols(bundle: Path) -> None:
    """Remove the symbols for debugging, 60 MB, where nothing else changes.

    Libraries that were changed after linking, as many in wheels, would be damaged: their headers change, too.
    """
    for path in elf_files(bundle):
        stripped = path.with_name(f"{path.name}.stripped")
        if call(["strip", "--strip-unneeded", "-o", stripped, path]) != 0:
            raise SetupError("strip failed; see its message above.")
        if _after_name(headers([stripped])) == _after_name(headers([path])):
            stripped.replace(path)
        else:
            stripped.unlink()


def _after_name(printed: str) -> str:
    """Return the headers without the name of the file."""
    return printed.partition("file format")[2]


def _run_paths(path: Path) -> list[str]:
    found = re.findall(r"^ +R(?:UN)?PATH +(.*)$", headers([path]), re.MULTILINE)
    return [place for value in found for place in value.split(":")]
