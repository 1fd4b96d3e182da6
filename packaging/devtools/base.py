"""Where things are, and how other programs are started."""

import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYPROJECT = ROOT / "pyproject.toml"
WINDOWS = sys.platform == "win32"

Command = Sequence[str | Path]


class SetupError(Exception):
    """Something the reader has to mend; its text says what."""


def call(command: Command, env: Mapping[str, str] | None = None) -> int:
    """Run `command` in the project's root, its output shown as it comes, and return its exit code."""
    return subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False).returncode


def quiet(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run `command` and return its exit code and what it wrote."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def venv_program(venv: Path, name: str, windows: bool = WINDOWS) -> Path:
    """Return the path of an environment's program: in Scripts with .exe on Windows, in bin elsewhere."""
    return venv / "Scripts" / f"{name}.exe" if windows else venv / "bin" / name


def site_packages(venv: Path) -> Path:
    """Return the folder of an environment's installed packages."""
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(venv), "platbase": str(venv)}))
