"""Which checks there are."""

import os
import re
import tomllib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from devtools.base import PYPROJECT, ROOT, VENV, Command, venv_program
from devtools.screens import no_screen, virtual_screen
from devtools.without_qt import NO_QT_VENV, without_qt

MOST_PROCESSES = 4


@dataclass(frozen=True)
class Stage:
    """One check: a command, and what it runs in."""

    name: str
    about: str
    command: Command
    surroundings: Callable[[], AbstractContextManager[dict[str, str]]] = no_screen
    is_pytest: bool = False
    linux_only: bool = False


def lax_options(addopts: Sequence[str]) -> list[str]:
    """Return pytest options that replace the project's own where pytest-qt, whose settings it has, is not."""
    kept = [option for option in addopts if option != "--strict-config"]
    return ["-o", "addopts=", *kept, "-W", "ignore:Unknown config option:pytest.PytestConfigWarning"]


def _addopts() -> list[str]:
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    return list(settings["tool"]["pytest"]["ini_options"]["addopts"])


def usable_cores() -> int:
    """Return how many cores this process may use, which on Linux can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(cores: int) -> list[str]:
    """Return pytest options that run tests in one process a core, and in a new one after a crash.

    One at the least, so that a crash ends a process and not the stage; not many, as each holds a Qt of its
    own and many tests start processes themselves. Whoever runs out of tests takes some of another's.
    """
    return ["-n", str(max(1, min(cores, MOST_PROCESSES))), "--dist", "worksteal"]


def qt_tests(tests: Path) -> list[Path]:
    """Return tests/gui and the test files elsewhere that speak of Qt; the rest has run without it."""
    needs_qt = re.compile(r"PySide6|\bqtbot\b|\bqapp\b")
    others = (
        path
        for path in sorted(tests.rglob("test_*.py"))
        if path.relative_to(tests).parts[0] not in {"gui", "end2end", "packaging"}
        and needs_qt.search(path.read_text(encoding="utf-8"))
    )
    return [tests / "gui", *others]


def stages() -> list[Stage]:
    """Return every check, the quick ones first."""
    python = venv_program(VENV, "python")
    several = in_processes(usable_cores())
    pytest: Command = [python, "-m", "pytest", *several, "-m", "not window"]
    lean: list[str | Path] = [
        venv_program(NO_QT_VENV, "python"),
        "-m",
        "pytest",
        *lax_options(_addopts()),
        *several,
        "-m",
        "not window",
    ]
    # A file that cannot be read without Qt fails the stage, and must not keep the others from running.
    lean += ["--continue-on-collection-errors", "tests", "--ignore=tests/gui", "--ignore=tests/end2end"]
    in_window: Command = [python, "-m", "pytest", "-m", "window", "tests/gui", "tests/end2end"]
    gui = [path.relative_to(ROOT) for path in qt_tests(ROOT / "tests")]
    return [
        Stage("ruff", "ruff check", [python, "-m", "ruff", "check", "."]),
        Stage("format", "ruff format --check", [python, "-m", "ruff", "format", "--check", "."]),
        Stage("mypy", "mypy --strict", [python, "-m", "mypy"]),
        Stage("imports", "the walls between the folders", [venv_program(VENV, "lint-imports")]),
        Stage("no-qt", "tests with Qt uninstalled", lean, without_qt, is_pytest=True),
        Stage("qt", "tests of the window, drawn into memory", [*pytest, *gui], is_pytest=True),
        Stage("end2end", "tests of the whole program", [*pytest, "tests/end2end"], is_pytest=True),
        Stage("window", "tests in a real window", in_window, virtual_screen, is_pytest=True, linux_only=True),
    ]
