"""Missing libraries of the system: found in errors of imports, named with a command that installs them."""

import sys
from pathlib import Path

import pytest

from simcompare.support.i18n import using_language
from simcompare.support.missing_libraries import (
    DEBIAN_PACKAGES,
    library_of,
    missing_libraries,
    missing_libraries_sentence,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")


@pytest.fixture
def package_manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    def install(name: str) -> None:
        program = tmp_path / name
        program.touch()
        program.chmod(0o755)

    return install


@pytest.mark.parametrize(
    ("message", "library"),
    [
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "libEGL.so.1"),
        ("libglib-2.0.so.0: 无法打开共享目标文件: 没有那个文件或目录", "libglib-2.0.so.0"),
        ("/usr/lib/libEGL.so.1: undefined symbol: eglWait", None),
        ("/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found", None),
        ("No module named 'PySide6'", None),
    ],
)
def test_that_only_a_library_that_was_not_found_is_recognised(message: str, library: str | None):
    assert library_of(ImportError(message)) == library


def test_that_libraries_that_can_be_loaded_are_not_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(DEBIAN_PACKAGES, "libsimcompare-none.so.9", "libsimcompare-none9")
    monkeypatch.setitem(DEBIAN_PACKAGES, "libc.so.6", "libc6")
    missing = missing_libraries(["libEGL.so.1"])
    assert (missing[0], missing[-1]) == ("libEGL.so.1", "libsimcompare-none.so.9")
    assert missing.count("libEGL.so.1") == 1


def test_that_a_library_is_named_although_pyinstaller_replaces_the_error(monkeypatch: pytest.MonkeyPatch):
    def load(library: str) -> None:
        try:
            raise OSError("libxcb.so.1: cannot open shared object file: No such file or directory")
        except OSError as error:
            raise OSError(f"Failed to load dynlib/dll {library!r}.") from error

    monkeypatch.setattr("ctypes.CDLL", load)
    assert missing_libraries(["libEGL.so.1"]) == ["libEGL.so.1", "libxcb.so.1"]


def test_that_debian_installs_packages(package_manager):
    package_manager("apt")
    sentence = missing_libraries_sentence(["libX11.so.6", "libEGL.so.1", "libGL.so.1"])
    assert "lacks libX11.so.6, libEGL.so.1, libGL.so.1." in sentence
    assert sentence.endswith(": sudo apt install libegl1 libgl1")


def test_that_fedora_finds_packages_by_their_libraries(package_manager):
    package_manager("dnf")
    sentence = missing_libraries_sentence(["libX11.so.6", "libEGL.so.1"])
    assert sentence.endswith(": sudo dnf install 'libX11.so.6()(64bit)' 'libEGL.so.1()(64bit)'")


def test_that_without_a_known_command_the_libraries_are_named(package_manager):
    assert missing_libraries_sentence(["libEGL.so.1"]) == (
        "The window cannot be opened, because this system lacks libEGL.so.1. Install what is missing with "
        "the package manager of the system."
    )
    package_manager("apt")
    with using_language("zh"):
        unknown = missing_libraries_sentence(["libX11.so.6"])
    assert unknown == "无法打开窗口：系统缺少 libX11.so.6。请用系统的软件包管理器安装。"
