"""Tests of the wheel and the source archive, installed outside the repository.

The environment sees the packages of the running one by a path file, so that only the wheel is installed.
"""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
WINDOWS = sys.platform == "win32"
_RESOURCES = ROOT / "resources"
RESOURCES = {path.relative_to(_RESOURCES).as_posix() for path in _RESOURCES.rglob("*") if path.is_file()}


def _run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False
    )
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode == 0, output
    return output


def _build(source: Path, target: Path, kind: str) -> Path:
    _run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, folder=source)
    return next(target.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist")


def test_that_the_wheel_contains_every_resource(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    prefix = "simcompare/resources_data/"
    assert {name.removeprefix(prefix) for name in names if name.startswith(prefix)} == RESOURCES


def test_that_the_wheel_contains_only_the_program_and_its_manual_pages(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.split("/")[0] for name in names}
    assert {name for name in folders if not name.endswith((".dist-info", ".data"))} == {"simcompare"}
    shared = {name.partition(".data/data/")[2] for name in names if ".data/" in name}
    assert shared == {f"share/man/man1/{name}.1" for name in ("simcompare", "simcompare-gui")}


def test_that_the_source_archive_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path):
    with tarfile.open(sdist) as archive:
        # Python has filters since 3.11.4; Debian 12 has 3.11.2
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _folder: member)
        archive.extractall(tmp_path)
    rebuilt = _build(tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path / "dist", "wheel")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(rebuilt) as second:
        assert {name: first.read(name) for name in first.namelist()} == {
            name: second.read(name) for name in second.namelist()
        }


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def test_that_both_programs_run_from_the_wheel_and_are_removed_without_a_trace(wheel: Path, tmp_path: Path):
    venv, desk = tmp_path / "环境", tmp_path / "桌面"
    desk.mkdir()
    _run(sys.executable, "-m", "venv", "--without-pip", venv, folder=tmp_path)
    programs = venv / ("Scripts" if WINDOWS else "bin")
    python = programs / ("python.exe" if WINDOWS else "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    before = _files(venv)
    _run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=desk)

    base = {"base": str(venv), "platbase": str(venv)}
    path_file = Path(sysconfig.get_path("purelib", "venv", base), "packages.pth")
    path_file.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    place = _run(python, "-X", "utf8", "-c", "import simcompare; print(simcompare.__file__)", folder=desk)
    assert Path(place.strip()).is_relative_to(venv)
    for name in ("家乡的石桥.docx", "心中的桥.html"):
        shutil.copy(ROOT / "resources" / "samples" / name, desk)
    report = desk / "报告.html"
    compare = ["compare", "家乡的石桥.docx", "心中的桥.html", "--to", "html", "--output", report]
    _run(programs / "simcompare", *compare, folder=desk)
    assert "石桥" in report.read_text(encoding="utf-8")
    _run(programs / "simcompare-gui", "--help", folder=desk)

    path_file.unlink()
    _run(*pip, "uninstall", "--quiet", "--yes", "simcompare", folder=desk)
    assert _files(venv) == before
