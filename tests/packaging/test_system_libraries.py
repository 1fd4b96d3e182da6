"""Licences of the libraries that a bundle for Linux has of the system."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# import path of the tools when dev.py runs
sys.path.insert(0, str(ROOT / "packaging"))

from tools.licences import commands as licences  # noqa: E402
from tools.licences import system_libraries  # noqa: E402

DBUS = "/lib/x86_64-linux-gnu/libdbus-1.so.3"
"""Library of a package that lists it without /usr."""
FACTS = "libdbus-1-3\n1.14.10-1~deb12u1\ndbus\n1:1.14.10-1~deb12u1"


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the texts of packages, on a Debian that has the package of D-Bus."""

    def answer(command: list[str]) -> subprocess.CompletedProcess[str]:
        if "--show" in command:
            return subprocess.CompletedProcess(command, 0, FACTS, "")
        found = command[-1] == DBUS
        return subprocess.CompletedProcess(command, int(not found), f"libdbus-1-3:amd64: {DBUS}\n", "")

    monkeypatch.setattr(system_libraries, "quiet", answer)
    monkeypatch.setattr(system_libraries.shutil, "which", lambda _: "/usr/bin/dpkg-query")
    monkeypatch.setattr(system_libraries.os.path, "realpath", lambda path: f"/usr{path}")
    monkeypatch.setattr(system_libraries.platform, "freedesktop_os_release", lambda: {"ID": "debian"})
    monkeypatch.setattr(system_libraries, "_DOCUMENTS", tmp_path)
    text = tmp_path / "libdbus-1-3" / "copyright"
    text.parent.mkdir()
    text.write_text("See /usr/share/common-licenses/GPL-2.\n", encoding="utf-8")
    return tmp_path


def _contents(folder: Path, *entries: tuple[str, str, str]) -> Path:
    """Write a list of copied files as PyInstaller does."""
    file = folder / "COLLECT-00.toc"
    file.write_text(f"({list(entries)!r},)", encoding="utf-8")
    return file


def _entry(place: str | Path, kind: str = "BINARY") -> tuple[str, str, str]:
    return (Path(place).name, str(place), kind)


def test_that_only_libraries_of_the_system_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(system_libraries.sysconfig, "get_config_var", lambda _: "/opt/python")
    contents = _contents(
        tmp_path,
        _entry(DBUS),
        _entry(Path(sysconfig.get_path("purelib"), "lxml", "etree.so"), "EXTENSION"),
        _entry(Path(sysconfig.get_path("stdlib"), "lib-dynload", "_ssl.so"), "EXTENSION"),
        _entry("/opt/python/lib/libpython3.11.so.1.0"),
        _entry("/opt/python/lib/libsqlite3.so.0"),
        _entry("/opt/python/lib/libother.so"),
        _entry("/usr/share/notes.txt", "DATA"),
    )
    assert system_libraries.copied_libraries(contents) == [Path(DBUS), Path("/opt/python/lib/libother.so")]


def test_that_a_package_is_named_with_its_text_and_source(documents: Path):
    (package,) = system_libraries.packages_of([Path(DBUS)])
    assert package == system_libraries.SystemPackage(
        "libdbus-1-3",
        "1.14.10-1~deb12u1",
        ("libdbus-1.so.3",),
        documents / "libdbus-1-3" / "copyright",
        "https://snapshot.debian.org/package/dbus/1%3A1.14.10-1~deb12u1/",
    )


@pytest.mark.usefixtures("documents")
def test_that_a_library_without_a_package_is_named():
    with pytest.raises(
        system_libraries.LibraryError, match=r"^/opt/own/libown\.so belongs to no package of this system"
    ):
        system_libraries.packages_of([Path(DBUS), Path("/opt/own/libown.so")])


def test_that_a_package_without_a_text_is_named(documents: Path):
    text = documents / "libdbus-1-3" / "copyright"
    text.unlink()
    with pytest.raises(system_libraries.LibraryError, match=f"^{text} is missing"):
        system_libraries.packages_of([Path(DBUS)])


@pytest.mark.usefixtures("documents")
def test_that_a_system_whose_sources_are_unknown_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(system_libraries.platform, "freedesktop_os_release", lambda: {"ID": "arch"})
    with pytest.raises(system_libraries.LibraryError, match="of Debian and Ubuntu only"):
        system_libraries.packages_of([Path(DBUS)])


def test_that_texts_and_the_licences_they_name_are_collected(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    common = tmp_path / "common-licenses"
    common.mkdir()
    (common / "GPL-2").write_text("version 2", encoding="utf-8")
    (documents / "libdbus-1-3" / "copyright").write_text(f"See `{common}/GPL-2'.", encoding="utf-8")
    monkeypatch.setattr(system_libraries, "_COMMON", common)
    out = tmp_path / "out"
    licences.collect(licences.system_parts(_contents(tmp_path, _entry(DBUS))), out)
    assert (out / "libdbus-1-3" / "copyright.txt").is_file()
    assert (out / "common-licenses" / "GPL-2.txt").read_text(encoding="utf-8") == "version 2"
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "libdbus-1.so.3" in page
    assert 'href="https://snapshot.debian.org/package/dbus/' in page


def test_that_a_library_without_a_package_ends_the_collection_with_its_sentence(
    documents: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    contents = _contents(documents, _entry("/opt/own/libown.so"))
    monkeypatch.setattr(licences, "runtime_requirements", lambda *_: [])
    monkeypatch.setattr(sys, "argv", ["commands.py", "collect", "out", "--copied", str(contents)])
    assert licences.main() == 1
    assert capsys.readouterr().err.startswith("/opt/own/libown.so belongs to no package")
