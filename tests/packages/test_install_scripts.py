"""Tests of the scripts in the tarball, with programs and a home folder made by the tests."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "packaging" / "linux"
ENTRY = Path("applications", next((SCRIPTS / "data").glob("*.desktop")).name)
NEEDED = ("sh", "dirname", "readlink", "mkdir", "cp", "mv", "ln", "find", "sed", "sort", "rm", "rmdir", "ls")
KILLER = """\
#!/bin/sh
echo call >> "{calls}"
[ "$(grep -c call "{calls}")" = {count} ] && kill -9 0
exec "{program}" "$@"
"""
"""A program that kills the script at its call of a number."""

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


def _tools(home: Path) -> Path:
    """Folder of the programs of every system, without those that renew caches."""
    tools = home.parent / "tools"
    if not tools.exists():
        tools.mkdir()
        for name in NEEDED:
            (tools / name).symlink_to(shutil.which(name) or name)
    return tools


def _run(script: Path, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {"HOME": str(home), "PATH": str(_tools(home)), "LC_ALL": "C.UTF-8", **variables}
    return subprocess.run([script], env=env, capture_output=True, text=True, encoding="utf-8", check=False)


def _run_until(script: Path, home: Path, name: str, count: int) -> None:
    """Run a script that is killed when it calls a program for the nth time."""
    killing = home.parent / "killing"
    killing.mkdir()
    program = killing / name
    facts = {"calls": killing / "calls", "count": count, "program": shutil.which(name)}
    program.write_text(KILLER.format(**facts), encoding="utf-8")
    program.chmod(0o755)
    # grep of the killing program is in the last folder
    env = {"HOME": str(home), "PATH": f"{killing}:{_tools(home)}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([script], env=env, capture_output=True, start_new_session=True, check=False)
    assert done.returncode == -9


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


def test_that_menus_elsewhere_are_followed_and_later_removed_there(unpacked: Path, home: Path):
    elsewhere = home / "数据"
    assert _run(unpacked / "install.sh", home, XDG_DATA_HOME=str(elsewhere)).returncode == 0
    assert (elsewhere / ENTRY).is_file()
    assert _run(home / ".local" / "lib" / "simcompare" / "uninstall.sh", home).returncode == 0
    assert not (elsewhere / ENTRY).exists()


def test_that_a_relative_folder_for_menus_is_ignored(unpacked: Path, home: Path):
    assert _run(unpacked / "install.sh", home, XDG_DATA_HOME="data").returncode == 0
    assert (home / ".local" / "share" / ENTRY).is_file()


@pytest.mark.parametrize("again", ["install.sh", "uninstall.sh"])
@pytest.mark.parametrize(("name", "count"), [("sort", 1), ("cp", 2), ("mv", 1), ("ln", 2), ("cp", 3)])
def test_that_an_interrupted_installation_can_be_repeated_or_removed(
    unpacked: Path, home: Path, name: str, count: int, again: str
):
    before = _files(home)
    _run_until(unpacked / "install.sh", home, name, count)
    done = _run(unpacked / again, home)
    assert (done.returncode, done.stderr) == (0, "")
    if again == "install.sh":
        assert subprocess.check_output([home / ".local" / "bin" / "simcompare"], text=True) == "started\n"
        assert (home / ".local" / "share" / ENTRY).is_file()
        assert _run(home / ".local" / "lib" / "simcompare" / "uninstall.sh", home).returncode == 0
    assert _files(home) == before


@pytest.mark.parametrize(("name", "count", "works"), [("cp", 2, True), ("rm", 2, True), ("mv", 1, False)])
def test_that_an_interrupted_upgrade_keeps_the_old_version_until_the_new_one_is_copied(
    unpacked: Path, home: Path, name: str, count: int, works: bool
):
    before = _files(home)
    assert _run(unpacked / "install.sh", home).returncode == 0
    _run_until(unpacked / "install.sh", home, name, count)
    program = home / ".local" / "lib" / "simcompare" / "simcompare"
    assert program.exists() == works
    assert _run(unpacked / "install.sh", home).returncode == 0
    assert subprocess.check_output([program], text=True) == "started\n"
    assert _run(program.parent / "uninstall.sh", home).returncode == 0
    assert _files(home) == before


def test_that_programs_without_a_list_are_replaced_or_removed(unpacked: Path, home: Path):
    programs = home / ".local" / "lib" / "simcompare"
    programs.mkdir(parents=True)
    (programs / "library.so").write_text("", encoding="utf-8")
    assert _run(unpacked / "install.sh", home).returncode == 0
    assert not (programs / "library.so").exists()
    (programs / "installed-files.txt").unlink()
    assert _run(unpacked / "uninstall.sh", home).returncode == 0
    assert not programs.exists()
    done = _run(unpacked / "uninstall.sh", home)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
