"""Make the bundle: a folder with both programs, Python and all packages, for computers without Python."""

import shutil
import tomllib
from pathlib import Path

from tools.base import PYPROJECT, ROOT, SetupError, call, venv_program
from tools.environment import CONSTRAINTS, bring_up_to_date, install_pinned

_FOLDER = Path(__file__).parent
_ENVIRONMENT = ROOT / "build" / "bundle-environment"
_REQUIREMENTS = _FOLDER / "requirements.txt"
_WORK = ROOT / "build" / "pyinstaller"
_EXTRAS = ("postgresql",)
"""Extras in the bundle: teachers of a school cannot install the driver of its server themselves."""
BUNDLE = ROOT / "dist" / "simcompare"


def make_bundle() -> Path:
    """Make the bundle, and return its folder.

    Its environment has only what is bundled: PyInstaller would include parts of other installed packages.
    """
    bring_up_to_date(_ENVIRONMENT, [PYPROJECT, CONSTRAINTS, _REQUIREMENTS], _install)
    shutil.rmtree(BUNDLE, ignore_errors=True)
    python = venv_program(_ENVIRONMENT, "python")
    options = ["--noconfirm", "--log-level", "INFO", "--distpath", BUNDLE.parent, "--workpath", _WORK]
    if call([python, "-m", "PyInstaller", *options, _FOLDER / "simcompare.spec"]) != 0:
        raise SetupError("PyInstaller failed; see its message above.")
    extras = [option for name in _EXTRAS for option in ("--extra", name)]
    if (
        call([python, ROOT / "packaging" / "tools" / "licences.py", "collect", BUNDLE / "licences", *extras])
        != 0
    ):
        raise SetupError("The licence texts could not be collected; see the message above.")
    return BUNDLE


def _install() -> None:
    print("Installing what the bundle consists of (about 130 MB to fetch the first time)")
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = [requirement for name in _EXTRAS for requirement in project["optional-dependencies"][name]]
    install_pinned(_ENVIRONMENT, "--requirement", str(_REQUIREMENTS), *project["dependencies"], *extras)
