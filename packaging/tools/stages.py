"""Stages of the full check."""

import os
import re
import tomllib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from tools.base import PYPROJECT, ROOT, VENV, Command, venv_program
from tools.surroundings import NO_QT_VENV, no_screen, virtual_screen, without_qt

MAX_PROCESSES = 4
SLOWEST = 10


@dataclass(frozen=True)
class Stage:
    """A command and the environment it runs in."""

    name: str
    about: str
    command: Command
    surroundings: Callable[[], AbstractContextManager[dict[str, str]]] = no_screen
    is_pytest: bool = False
    linux_only: bool = False


def lax_options(addopts: Sequence[str]) -> list[str]:
    """Pytest options to use without pytest-qt: its settings in pyproject.toml must not be errors."""
    kept = [option for option in addopts if option != "--strict-config"]
    return ["-o", "addopts=", *kept, "-W", "ignore:Unknown config option:pytest.PytestConfigWarning"]


def _addopts() -> list[str]:
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    return list(settings["tool"]["pytest"]["ini_options"]["addopts"])


def usable_cores() -> int:
    """Count the cores this process may use; on Linux that can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(cores: int) -> list[str]:
    """Pytest options to run the tests of a stage in parallel processes, beside another stage.

    The two stages have one or two processes more than the cores, as tests wait for timers and child
    processes; not many, as each takes ten seconds of processor time to import Qt and the tests. A crash ends
    one process, not the stage.
    """
    return ["-n", str(max(2, min(cores // 2 + 1, MAX_PROCESSES))), "--dist", "worksteal"]


def split_by_qt(tests: Path) -> tuple[list[Path], list[Path]]:
    """Test files that run without Qt and those that need it, but for gui, end2end and packages."""
    names_qt = re.compile(r"PySide6|\bqtbot\b|\bqapp\b")
    without: list[Path] = []
    with_qt: list[Path] = []
    for path in sorted(tests.rglob("test_*.py")):
        if path.relative_to(tests).parts[0] not in {"gui", "end2end", "packages"}:
            needs_qt = names_qt.search(path.read_text(encoding="utf-8"))
            (with_qt if needs_qt else without).append(path)
    return without, with_qt


def stages() -> list[Stage]:
    """All stages in the order in which they begin, the quick ones first. Each test file runs in one stage."""
    python = venv_program(VENV, "python")
    options = [f"--durations={SLOWEST}", *in_processes(usable_cores()), "-m", "not window"]
    pytest: Command = [python, "-m", "pytest", *options]
    lean: Command = [venv_program(NO_QT_VENV, "python"), "-m", "pytest", *lax_options(_addopts()), *options]
    in_window: Command = [python, "-m", "pytest", f"--durations={SLOWEST}", "-m", "window", "tests/end2end"]
    core, with_qt = ([path.relative_to(ROOT) for path in part] for part in split_by_qt(ROOT / "tests"))
    return [
        Stage("ruff", "ruff check", [python, "-m", "ruff", "check", "."]),
        Stage(
            "format",
            "ruff format --check",
            [python, "-m", "ruff", "format", "--check", "."],
        ),
        Stage("mypy", "mypy --strict", [python, "-m", "mypy"]),
        Stage("imports", "import contracts", [venv_program(VENV, "lint-imports")]),
        Stage(
            "packages",
            "wheel, source archive and desktop files",
            [python, "-m", "pytest", f"--durations={SLOWEST}", "-m", "not window", "tests/packages"],
            is_pytest=True,
        ),
        # Begun before the others that are long, as it takes longest.
        Stage("qt", "tests of the window, drawn into memory", [*pytest, "tests/gui"], is_pytest=True),
        # A file that cannot be imported without Qt fails the stage; the other files still run.
        Stage(
            "no-qt",
            "tests with Qt uninstalled",
            [*lean, "--continue-on-collection-errors", *core],
            without_qt,
            is_pytest=True,
        ),
        # Not in the stage `qt`, which would end long after the others.
        Stage(
            "end2end",
            "tests of the whole program, and others that need Qt",
            [*pytest, "tests/end2end", *with_qt],
            is_pytest=True,
        ),
        Stage(
            "window",
            "tests on a virtual screen",
            in_window,
            virtual_screen,
            is_pytest=True,
            linux_only=True,
        ),
    ]
