"""Programs that open files and folders, and their environment."""

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from simcompare.ui.file_dialogs import open_on_desktop

BUNDLE = "/usr/lib/simcompare/_internal"
OF_THE_BUNDLE = {
    "LD_LIBRARY_PATH": f"{BUNDLE}:/opt/libraries",
    "QT_PLUGIN_PATH": f"{BUNDLE}/PySide6/Qt/plugins",
    "_PYI_ARCHIVE_FILE": "/usr/lib/simcompare/simcompare-gui",
    "_PYI_PARENT_PROCESS_LEVEL": "3",
}
NAMES = (*OF_THE_BUNDLE, "LD_LIBRARY_PATH_ORIG")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux do programs inherit it")


@pytest.fixture
def bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment of the program in a bundle for Linux."""
    monkeypatch.setattr(sys, "_MEIPASS", BUNDLE, raising=False)
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    for name, value in OF_THE_BUNDLE.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Variables of NAMES when a file was opened."""
    variables: dict[str, str] = {}

    def record(_: object) -> bool:
        variables.update((name, os.environ[name]) for name in NAMES if name in os.environ)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", record)
    return variables


@pytest.mark.usefixtures("bundle")
def test_that_programs_start_without_the_libraries_of_the_bundle(seen: dict[str, str]) -> None:
    open_on_desktop(Path("report.html"))
    assert not seen
    assert {name: os.environ[name] for name in OF_THE_BUNDLE} == OF_THE_BUNDLE


@pytest.mark.usefixtures("bundle")
def test_that_programs_start_with_the_libraries_of_the_user(
    seen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/opt/libraries")
    open_on_desktop(Path("report.html"))
    assert seen["LD_LIBRARY_PATH"] == "/opt/libraries"
    assert os.environ["LD_LIBRARY_PATH"] == OF_THE_BUNDLE["LD_LIBRARY_PATH"]


@pytest.mark.usefixtures("bundle")
def test_that_the_environment_is_put_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> bool:
        raise RuntimeError

    monkeypatch.setattr(QDesktopServices, "openUrl", fail)
    with pytest.raises(RuntimeError):
        open_on_desktop(Path("report.html"))
    assert {name: os.environ[name] for name in OF_THE_BUNDLE} == OF_THE_BUNDLE


def test_that_the_environment_stays_without_a_bundle(
    seen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/libraries")
    open_on_desktop(Path("report.html"))
    assert seen["LD_LIBRARY_PATH"] == "/opt/libraries"


@pytest.mark.usefixtures("bundle")
def test_that_a_program_started_by_qt_has_this_environment(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the offscreen platform opens nothing; QProcess is what starts xdg-open on others
    written = tmp_path / "environment"
    script = f"env > {written}.part && mv {written}.part {written}"
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda _: QProcess.startDetached("/bin/sh", ["-c", script])
    )
    open_on_desktop(tmp_path)
    qtbot.waitUntil(written.exists)
    names = {line.partition("=")[0] for line in written.read_text().splitlines()}
    assert "PATH" in names
    assert not names & set(OF_THE_BUNDLE)
