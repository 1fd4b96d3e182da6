"""Paths of the project, and helpers to run other programs."""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYPROJECT = ROOT / "pyproject.toml"
SAMPLES = ("resources/samples/家乡的石桥.docx", "resources/samples/心中的桥.html")
"""Two similar essays, in the project root."""
WINDOWS = sys.platform == "win32"

Command = Sequence[str | Path]


class SetupError(Exception):
    """Problem that the developer can fix; the message explains how."""


def project_version() -> str:
    """Version of simcompare."""
    source = (ROOT / "simcompare" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"', source, re.MULTILINE)
    if found is None:
        raise SetupError("simcompare/__init__.py names no version.")
    return found[1]


def call(command: Command, env: Mapping[str, str] | None = None) -> int:
    """Run `command` in the project root with its output shown, and return its exit code."""
    return subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False).returncode


def quiet(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run `command` and capture its output."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def venv_program(venv: Path, name: str, windows: bool = WINDOWS) -> Path:
    """Path of a program in an environment: Scripts/name.exe on Windows, bin/name elsewhere."""
    return venv / "Scripts" / f"{name}.exe" if windows else venv / "bin" / name


def site_packages(venv: Path) -> Path:
    """Folder of the packages installed in an environment."""
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(venv), "platbase": str(venv)}))
