"""Set up virtual environments, and set them up again when their inputs change."""

import hashlib
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tools.base import PYPROJECT, ROOT, VENV, Command, SetupError, call, quiet, venv_program
from tools.system_packages import ensure_system_packages

CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


def setup_stamp(inputs: Sequence[bytes], python_version: str, root: Path) -> str:
    """Hash of the inputs of an environment.

    The root is one of them, as an editable install contains the path of the checkout.
    """
    parts = [*inputs, python_version.encode(), str(root).encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def is_current(stamp_file: Path, wanted: str) -> bool:
    """Return whether the environment was set up completely from the same inputs."""
    return stamp_file.is_file() and stamp_file.read_text(encoding="utf-8").strip() == wanted


def _works(venv: Path) -> bool:
    """Return whether the environment starts, has pip, and has the version of the running Python."""
    program = venv_program(venv, "python")
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return program.exists() and quiet([str(program), "-c", check]).returncode == 0


def _make_venv(venv: Path) -> None:
    print(f"Making the environment {venv.relative_to(ROOT)}")
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    first = quiet(command)
    if first.returncode == 0:
        return
    # On Debian, ensurepip, which venv needs for pip, is in a separate package.
    ensure_system_packages([f"python{sys.version_info.major}.{sys.version_info.minor}-venv"])
    if call(command) != 0:
        raise SetupError(f"Python could not make the environment {venv.name}: {first.stderr.strip()}")


def requirements(pyproject: Mapping[str, dict[str, object]]) -> list[str]:
    """List the requirements of the project, its checks and its build."""
    project, build = pyproject["project"], pyproject["build-system"]
    extras = project["optional-dependencies"]
    groups = (project["dependencies"], extras["dev"] if isinstance(extras, dict) else [], build["requires"])
    return [str(item) for group in groups if isinstance(group, list) for item in group]


def _install() -> None:
    """Install the pinned packages, then the project.

    The project is installed separately, so that its build uses the pinned hatchling and editables, not the
    newest ones in an isolated environment.
    """
    print("Installing the packages (about 150 MB to fetch the first time; some minutes on a slow line)")
    wanted = requirements(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    install_pinned(VENV, "editables", *wanted)
    pip_install(VENV, "--no-build-isolation", "--no-deps", "--editable", str(ROOT))


def install_pinned(venv: Path, *wanted: str, constraints: Path = CONSTRAINTS) -> None:
    """Install packages in the versions of a file of constraints.

    Pip is upgraded first, as that of Python 3.11 crashes on lxml's double extra.
    """
    pip_install(venv, "--constraint", str(constraints), "pip")
    pip_install(venv, "--constraint", str(constraints), *wanted)


def pip_install(venv: Path, *arguments: str) -> None:
    """Run `pip install` in an environment.

    Without compiling modules, which would take a third of the time; Python compiles those that are imported.
    """
    pip: Command = [venv_program(venv, "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    if call([*pip, "--disable-pip-version-check", *arguments]) != 0:
        raise SetupError("pip failed; see its message above.")


def set_up(packages: Iterable[str]) -> None:
    """Bring system packages and .venv up to date; takes less than a second if they are."""
    ensure_system_packages(packages)
    bring_up_to_date(VENV, [PYPROJECT, CONSTRAINTS], _install)


def bring_up_to_date(
    venv: Path, inputs: Iterable[Path], install: Callable[[], None], *, keep_packages: bool = True
) -> None:
    """Make an environment and call `install`, unless that was done from the same inputs before.

    keep_packages: install into the environment that is there, which takes less time than a new one, and keep
    packages that are no longer needed.
    """
    stamp = venv / "setup-stamp.txt"
    wanted = setup_stamp([path.read_bytes() for path in inputs], sys.version, ROOT)
    works = _works(venv)
    if works and is_current(stamp, wanted):
        return
    stamp.unlink(missing_ok=True)
    if not works or not keep_packages:
        _make_venv(venv)
    install()
    stamp.write_text(wanted + "\n", encoding="utf-8")
