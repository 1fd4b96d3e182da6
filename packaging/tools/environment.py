"""Set up the virtual environment .venv, and set it up again when its inputs change."""

import hashlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.base import PYPROJECT, ROOT, VENV, Command, SetupError, call, quiet, venv_program
from tools.system_packages import ensure_system_packages

STAMP = VENV / "setup-stamp.txt"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


def setup_stamp(inputs: Sequence[bytes], python_version: str, root: Path) -> str:
    """Hash of the inputs of an environment.

    The root is one of them, as an editable install contains the path of the checkout.
    """
    parts = [*inputs, python_version.encode(), str(root).encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _wanted_stamp() -> str:
    inputs = [PYPROJECT.read_bytes(), CONSTRAINTS.read_bytes()]
    return setup_stamp(inputs, sys.version, ROOT)


def is_current(stamp_file: Path, wanted: str) -> bool:
    """Return whether the environment was set up completely from the same inputs."""
    return stamp_file.is_file() and stamp_file.read_text(encoding="utf-8").strip() == wanted


def _works(venv: Path) -> bool:
    """Return whether the environment starts, has pip, and has the version of the running Python."""
    program = venv_program(venv, "python")
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return program.exists() and quiet([str(program), "-c", check]).returncode == 0


def _make_venv() -> None:
    print(f"Making the environment {VENV.name}")
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    first = quiet(command)
    if first.returncode == 0:
        return
    # On Debian, ensurepip, which venv needs for pip, is in a separate package.
    ensure_system_packages([f"python{sys.version_info.major}.{sys.version_info.minor}-venv"])
    if call(command) != 0:
        raise SetupError(f"Python could not make the environment {VENV.name}: {first.stderr.strip()}")


def requirements(pyproject: Mapping[str, dict[str, object]]) -> list[str]:
    """List the requirements of the project, its checks and its build."""
    project, build = pyproject["project"], pyproject["build-system"]
    extras = project["optional-dependencies"]
    groups = (project["dependencies"], extras["dev"] if isinstance(extras, dict) else [], build["requires"])
    return [str(item) for group in groups if isinstance(group, list) for item in group]


def _install() -> None:
    """Install the pinned packages, then the project.

    Pip is upgraded first, as that of Python 3.11 crashes on lxml's double extra. The project is installed
    separately, so that its build uses the pinned hatchling and editables, not the newest ones in an
    isolated environment.
    """
    print("Installing the packages (about 150 MB to fetch the first time; some minutes on a slow line)")
    wanted = requirements(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    _pip_install("--constraint", str(CONSTRAINTS), "pip")
    _pip_install("--constraint", str(CONSTRAINTS), "editables", *wanted)
    _pip_install("--no-build-isolation", "--no-deps", "--editable", str(ROOT))


def _pip_install(*arguments: str) -> None:
    pip: Command = [venv_program(VENV, "python"), "-m", "pip", "install", "--quiet"]
    if call([*pip, "--disable-pip-version-check", *arguments]) != 0:
        raise SetupError("pip failed; see its message above.")


def set_up(packages: Iterable[str]) -> None:
    """Bring system packages and .venv up to date; takes less than a second if they are."""
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
