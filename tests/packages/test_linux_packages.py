"""Tests of the .deb and the tarball, made of a bundle of two small programs."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# import path of the tools when dev.py runs
sys.path.insert(0, str(ROOT / "packaging"))

from bundle import elf_files, older_systems  # noqa: E402
from linux import build_packages, prove_packages  # noqa: E402
from tools.base import SetupError  # noqa: E402

INDEXES = """\
http://mirror.example/debian-security/ bookworm-security
http://mirror.example/debian/ bookworm
http://tools.example/apt sid-tools
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "bundle"
    (folder / "_internal").mkdir(parents=True)
    for name in build_packages.PROGRAMS:
        shutil.copy(shutil.which("true") or "/bin/true", folder / name)
    (folder / "_internal" / "notes.txt").write_text("石桥", encoding="utf-8")
    (folder / "_internal" / "notes.txt").chmod(0o777)
    return folder


@pytest.fixture
def make_library(tmp_path: Path) -> Callable[..., Path]:
    """Link an empty library with run paths; the test is skipped if the tools are missing."""
    if sys.platform != "linux" or not shutil.which("gcc") or not shutil.which("objdump"):
        pytest.skip("no gcc or no objdump")

    def make(path: Path, *run_paths: str) -> Path:
        source = tmp_path / "empty.c"
        source.touch()
        options = ["-shared", "-nostdlib", f"-Wl,-rpath,{':'.join(run_paths)}"]
        subprocess.run(["gcc", *options, "-o", path, source], check=True)
        return path

    return make


@pytest.fixture(autouse=True)
def _drawn_by_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_packages, "venv_program", lambda *_: Path(sys.executable))


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("objdump"), reason="for Linux with objdump")
def test_that_the_tarball_has_the_bundle_the_menu_entry_and_the_scripts(bundle: Path, tmp_path: Path):
    tarball = build_packages.make_tarball(bundle, tmp_path / "dist")
    with tarfile.open(tarball) as archive:
        entries = {entry.name.partition("/")[2]: entry for entry in archive.getmembers()}
    assert {"install.sh", "uninstall.sh", "programs/_internal/notes.txt"} < set(entries)
    assert f"share/applications/{build_packages.NAME}.desktop" in entries
    assert {entry.uid for entry in entries.values()} == {0}
    assert entries["install.sh"].mode == entries["programs/simcompare"].mode == 0o755
    assert entries["programs/_internal/notes.txt"].mode == 0o644


def _dpkg_deb(option: str, package: Path) -> str:
    return subprocess.check_output(["dpkg-deb", option, package], text=True)


@pytest.mark.skipif(not shutil.which("dpkg-deb") or not shutil.which("objdump"), reason="no Debian")
def test_that_the_deb_depends_on_the_libraries_that_it_does_not_contain(bundle: Path, tmp_path: Path):
    package = build_packages.make_deb(bundle, tmp_path / "dist")
    fields = _dpkg_deb("--field", package)
    assert "libc6 (>=" in fields
    assert f"Version: {build_packages.project_version()}\n" in fields
    contents = _dpkg_deb("--contents", package)
    assert "./usr/bin/simcompare-gui -> ../lib/simcompare/simcompare-gui" in contents
    assert f"./usr/share/mime/packages/{build_packages.NAME}.xml" in contents
    assert "./usr/share/man/man1/simcompare-gui.1.gz" in contents
    assert all(" root/root " in line for line in contents.splitlines())


@pytest.mark.skipif(not shutil.which("dpkg-deb") or not shutil.which("objdump"), reason="no Debian")
def test_that_packages_for_older_systems_have_other_names_and_an_earlier_version(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(older_systems, "GLIBC", (9, 0))  # the system that runs the tests may be newer
    package = build_packages.make_deb(bundle, tmp_path / "dist", for_older_systems=True)
    tarball = build_packages.make_tarball(bundle, tmp_path / "dist", for_older_systems=True)
    assert package.name.endswith("-glibc2.28.deb")
    assert tarball.name.endswith("-glibc2.28.tar.xz")
    version = f"{build_packages.project_version()}~glibc2.28"
    assert f"Version: {version}\n" in _dpkg_deb("--field", package)
    compared = ["dpkg", "--compare-versions", version, "lt", build_packages.project_version()]
    assert subprocess.run(compared, check=False).returncode == 0


@pytest.mark.skipif(not shutil.which("dpkg-deb") or not shutil.which("objdump"), reason="no Debian")
def test_that_no_deb_for_older_systems_is_made_of_a_bundle_that_needs_a_newer_glibc(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(older_systems, "GLIBC", (2, 0))
    with pytest.raises(SetupError, match=r"newer than 2\.0: simcompare"):
        build_packages.make_deb(bundle, tmp_path / "dist", for_older_systems=True)


@pytest.mark.parametrize("place", ["/opt/python/lib", "lib", ""])
def test_that_no_package_is_made_of_a_bundle_that_searches_for_libraries_elsewhere(
    bundle: Path, tmp_path: Path, make_library: Callable[..., Path], place: str
):
    make_library(bundle / "_internal" / "fine.so", "$ORIGIN/..")
    build_packages.copy_bundle(bundle, tmp_path / "fine")
    make_library(bundle / "_internal" / "odd.so", "$ORIGIN", place)
    with pytest.raises(SetupError, match=f"odd.so searches for libraries in {place or 'the current folder'}"):
        build_packages.copy_bundle(bundle, tmp_path / "odd")


def test_that_only_run_paths_that_are_relative_to_the_file_are_kept(
    tmp_path: Path, make_library: Callable[..., Path]
):
    absolute = make_library(tmp_path / "absolute.so", "/opt/python/lib")
    both = make_library(tmp_path / "both.so", "/opt/python/lib", "$ORIGIN/libs")
    make_library(tmp_path / "relative.so", "$ORIGIN", "${ORIGIN}/..")
    patchelf = tmp_path / "patchelf"
    patchelf.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/changes\n', encoding="utf-8")
    patchelf.chmod(0o755)
    elf_files.remove_absolute_run_paths(tmp_path, patchelf)
    changes = (tmp_path / "changes").read_text(encoding="utf-8").splitlines()
    assert changes == [f"--remove-rpath {absolute}", f"--set-rpath $ORIGIN/libs {both}"]


@pytest.mark.skipif(not shutil.which("objdump"), reason="no binutils")
def test_that_symbols_are_removed_where_the_rest_of_a_file_stays_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plain, changed = tmp_path / "plain.so", tmp_path / "changed.so"
    for path in (plain, changed):
        shutil.copy(shutil.which("objdump"), path)
        with path.open("ab") as file:
            file.write(bytes(1000))  # as symbols, no part of what is loaded
    read = elf_files.headers

    def other_if_stripped(files: list[Path]) -> str:
        return read(files) + str(files) * (files[0].name == "changed.so.stripped")

    monkeypatch.setattr(elf_files, "headers", other_if_stripped)
    size = changed.stat().st_size
    elf_files.remove_symbols(tmp_path)
    assert plain.stat().st_size < size == changed.stat().st_size
    assert sorted(tmp_path.iterdir()) == [changed, plain]
    assert subprocess.run([plain, "--version"], check=False, capture_output=True).returncode == 0


def test_that_another_folder_is_not_taken_for_the_bundle(tmp_path: Path):
    with pytest.raises(SetupError, match="is not the bundle"):
        build_packages.copy_bundle(tmp_path, tmp_path / "target")


@pytest.mark.parametrize("release", ["bookworm", "bullseye"])
def test_that_a_bare_system_comes_from_the_mirror_of_apt(release: str):
    assert prove_packages.mirror_of(release, INDEXES) == "http://mirror.example/debian/"


def test_that_apt_without_a_mirror_is_an_error():
    with pytest.raises(SetupError, match="apt-get update"):
        prove_packages.mirror_of("bookworm", "")


def test_that_a_half_made_bare_system_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    commands: list[tuple[str, ...]] = []

    def run(*command: str) -> None:
        commands.append(command)
        if command[0] == "debootstrap":
            Path(command[3]).mkdir()
            if len(commands) == 2:
                raise SetupError("debootstrap failed: no network")

    monkeypatch.setattr(prove_packages, "_run", run)
    monkeypatch.setattr(
        prove_packages, "quiet", lambda command: subprocess.CompletedProcess(command, 0, INDEXES)
    )
    monkeypatch.setattr(prove_packages, "prepare", lambda _: None)
    base = tmp_path / "base"
    with pytest.raises(SetupError, match="no network"):
        prove_packages.make_base(base, "bookworm")
    assert not base.exists()
    shutil.rmtree(tmp_path / "base.part")  # as the command does that is recorded only
    prove_packages.make_base(base, "bookworm")
    assert base.is_dir()
    assert [command[0] for command in commands] == ["rm", "debootstrap"] * 2
    prove_packages.make_base(base, "bookworm")
    assert len(commands) == 4


def test_that_a_missing_environment_is_named_with_the_command_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(prove_packages, "venv_program", lambda *_: tmp_path / "python")
    with pytest.raises(SetupError, match=r"dev\.py setup"):
        prove_packages.gather(tmp_path / "materials", ["readme"], for_older_systems=False)
