"""Tests of the scripts in the tarball, with programs and a home folder made by the tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "packaging" / "linux"
ENTRY = Path("applications", "io.github.simcompare.desktop")
NEEDED = ("sh", "dirname", "readlink", "mkdir", "cp", "ln", "find", "sed", "sort", "rm", "rmdir", "ls")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """Tarball as unpacked, in a folder with a blank and Chinese characters in its name."""
    folder = tmp_path / "下载 1" / "simcompare-0.1.0"
    (folder / "programs").mkdir(parents=True)
    for name in ("simcompare", "simcompare-gui"):
        program = folder / "programs" / name
        program.write_text("#!/bin/sh\necho started\n", encoding="utf-8")
        program.chmod(0o755)
    (folder / "share" / ENTRY.parent).mkdir(parents=True)
    shutil.copy(SCRIPTS / "data" / ENTRY.name, folder / "share" / ENTRY)
    for name in ("install.sh", "uninstall.sh"):
        shutil.copy(SCRIPTS / name, folder)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "张 老师"
    (folder / ".local" / "share" / "simcompare").mkdir(parents=True)
    (folder / ".local" / "share" / "simcompare" / "library.db").write_text("essays", encoding="utf-8")
    return folder


def _run(script: Path, home: Path) -> subprocess.CompletedProcess[str]:
    # only the programs of every system: without those that renew caches
    tools = home.parent / "tools"
    if not tools.exists():
        tools.mkdir()
        for name in NEEDED:
            (tools / name).symlink_to(shutil.which(name) or name)
    env = {"HOME": str(home), "PATH": str(tools), "LC_ALL": "C.UTF-8"}
    return subprocess.run([script], env=env, capture_output=True, text=True, encoding="utf-8", check=False)


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_that_the_programs_start_from_their_links_and_the_menu(unpacked: Path, home: Path):
    done = _run(unpacked / "install.sh", home)
    assert done.returncode == 0, done.stderr
    program = home / ".local" / "bin" / "simcompare-gui"
    assert subprocess.check_output([program], text=True) == "started\n"
    entry = (home / ".local" / "share" / ENTRY).read_text(encoding="utf-8")
    assert f'Exec="{program}" %F\n' in entry
    assert "is not in your PATH" in done.stdout


def test_that_nothing_but_the_users_data_is_left(unpacked: Path, home: Path):
    before = _files(home)
    assert _run(unpacked / "install.sh", home).returncode == 0
    shutil.rmtree(unpacked)
    removed = _run(home / ".local" / "lib" / "simcompare" / "uninstall.sh", home)
    assert (removed.returncode, removed.stderr) == (0, "")
    assert _files(home) == before


def test_that_a_second_installation_replaces_the_first(unpacked: Path, home: Path):
    assert _run(unpacked / "install.sh", home).returncode == 0
    (unpacked / "programs" / "new-library.so").write_text("", encoding="utf-8")
    old = home / ".local" / "lib" / "simcompare" / "old-library.so"
    old.write_text("", encoding="utf-8")
    assert _run(unpacked / "install.sh", home).returncode == 0
    assert not old.exists()
    assert (old.parent / "new-library.so").exists()


def test_that_a_program_of_another_installation_is_kept(unpacked: Path, home: Path):
    other = home / ".local" / "bin" / "simcompare"
    other.parent.mkdir()
    other.write_text("by pip", encoding="utf-8")
    done = _run(unpacked / "install.sh", home)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "belongs to another installation" in done.stderr
    assert other.read_text(encoding="utf-8") == "by pip"
    assert not (home / ".local" / "lib").exists()


def test_that_menus_elsewhere_are_followed(unpacked: Path, home: Path):
    elsewhere = home / "数据"
    command = [unpacked / "install.sh"]
    env = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(elsewhere)}
    assert subprocess.run(command, env=env, capture_output=True, check=False).returncode == 0
    assert (elsewhere / ENTRY).is_file()
