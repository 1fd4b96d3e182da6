"""The environment, .venv: made once, and again when what it is made from changes."""

import hashlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from devtools.base import PYPROJECT, ROOT, VENV, Command, SetupError, call, quiet, venv_program
from devtools.system_packages import ensure_system_packages

STAMP = VENV / "setup-stamp.txt"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


def setup_stamp(inputs: Sequence[bytes], python_version: str, root: Path) -> str:
    """Return a hash of all that decides what an environment holds.

    The root is among it, because an editable install holds the path of the checkout it points at.
    """
    parts = [*inputs, python_version.encode(), str(root).encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _wanted_stamp() -> str:
    inputs = [PYPROJECT.read_bytes(), CONSTRAINTS.read_bytes()]
    return setup_stamp(inputs, sys.version, ROOT)


def is_current(stamp_file: Path, wanted: str) -> bool:
    """Tell whether the environment was set up to the end from the same inputs."""
    return stamp_file.is_file() and stamp_file.read_text(encoding="utf-8").strip() == wanted


def _works(venv: Path) -> bool:
    """Tell whether the environment starts, has pip, and is of the running Python's version."""
    program = venv_program(venv, "python")
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return program.exists() and quiet([str(program), "-c", check]).returncode == 0


def _make_venv() -> None:
    print(f"Making the environment {VENV.name}")
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    first = quiet(command)
    if first.returncode == 0:
        return
    # Debian keeps ensurepip, without which a venv gets no pip, in a package of its own.
    ensure_system_packages([f"python{sys.version_info.major}.{sys.version_info.minor}-venv"])
    if call(command) != 0:
        raise SetupError(f"Python could not make the environment {VENV.name}: {first.stderr.strip()}")


def requirements(pyproject: Mapping[str, dict[str, object]]) -> list[str]:
    """Return what the project, its checks and its own build need, as pip takes it."""
    project, build = pyproject["project"], pyproject["build-system"]
    extras = project["optional-dependencies"]
    groups = (project["dependencies"], extras["dev"] if isinstance(extras, dict) else [], build["requires"])
    return [str(item) for group in groups if isinstance(group, list) for item in group]


def _install() -> None:
    """Install the pinned packages, then the project beside them.

    The pip that comes with Python 3.11 crashes on lxml's twofold extra, so a newer one comes first. The
    project comes by itself, so that its build uses the pinned hatchling and its helper editables instead
    of fetching whatever is newest into an environment of its own.
    """
    print("Installing the packages (about 150 MB to fetch the first time; some minutes on a slow line)")
    wanted = requirements(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    _pip_install("--constraint", str(CONSTRAINTS), "pip")
    _pip_install("--constraint", str(CONSTRAINTS), "editables", *wanted)
    _pip_install("--no-build-isolation", "--no-deps", "--editable", str(ROOT))


def _pip_install(*arguments: str) -> None:
    pip: Command = [venv_program(VENV, "python"), "-m", "pip", "install", "--quiet"]
    if call([*pip, "--disable-pip-version-check", *arguments]) != 0:
        raise SetupError("pip failed; its message stands above.")


def set_up(packages: Iterable[str]) -> None:
    """Bring the system packages and .venv up to date; done within a second when they are."""
    ensure_system_packages(packages)
    wanted = _wanted_stamp()
    works = _works(VENV)
    if works and is_current(STAMP, wanted):
        return
    STAMP.unlink(missing_ok=True)
    if not works:
        _make_venv()
    _install()
    STAMP.write_text(wanted + "\n", encoding="utf-8")
