"""Exports being written: results, cancelling, and closing the window meanwhile."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.export import exports
from simcompare.export.export_context import ExportContext
from simcompare.export.exports import ExportResult
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    confirm,
    export,
    exports_waiting,
    names_in,
    open_export,
    questions_to_close,
    questions_to_replace,
    type_into,
)


def start(window: MainWindow, qtbot: QtBot, form: str, name: str, folder: Path) -> None:
    """Start an export without waiting for it."""
    dialog = open_export(window, qtbot)
    choose(dialog.form, form, qtbot)
    type_into(dialog, qtbot, name=name, folder=folder)
    confirm(dialog, qtbot)


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when a worker renders a report; it goes on until the export is cancelled."""
    begun, write = Event(), exports.write_rendered

    def render_without_end(
        path: Path, context: ExportContext, _task: Callable[..., bytes], *_args: object
    ) -> ExportResult:
        begun.set()
        return write(path, context, time.sleep, 600)

    monkeypatch.setattr(exports, "write_rendered", render_without_end)
    return begun


class Desktop(QObject):
    """URL handler in place of the programs that open files."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


@pytest.fixture
def desktop():
    desktop = Desktop()
    QDesktopServices.setUrlHandler("file", desktop, "open")
    yield desktop
    QDesktopServices.unsetUrlHandler("file")


def test_that_the_notice_opens_the_file_and_its_folder(
    compared: MainWindow, out: Path, qtbot: QtBot, desktop: Desktop
) -> None:
    export(compared, qtbot, name="evidence", folder=out)
    notice = compared.notice
    qtbot.mouseClick(notice.also_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(notice.show_button, Qt.MouseButton.LeftButton)
    assert desktop.opened == [str(out / "evidence.html"), str(out)]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_that_the_error_for_a_read_only_folder_has_its_cause(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    out.chmod(0o500)
    export(compared, qtbot, name="evidence", folder=out)
    out.chmod(0o700)
    assert (
        f"evidence.html cannot be saved in {out}: access to it is not allowed" in compared.notice.label.text()
    )


def test_that_a_failed_export_can_be_repeated_from_its_notice(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".html", qtbot)
    type_into(dialog, qtbot, name="evidence", folder=out)
    with (
        qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS),
        exports_waiting(compared),
    ):
        confirm(dialog, qtbot)
        out.rmdir()
    notice = compared.notice
    assert f"evidence.html cannot be saved in {out}: its folder is not there" in notice.label.text()
    assert notice.show_button.text() == "Export again…"
    qtbot.mouseClick(notice.show_button, Qt.MouseButton.LeftButton)
    [dialog] = [each for each in compared.findChildren(ExportDialog) if each.isVisible()]
    dialog.reject()


def test_that_a_cancelled_export_leaves_only_the_earlier_file(
    compared: MainWindow, out: Path, qtbot: QtBot, rendering: Event
) -> None:
    earlier = out / "evidence.pdf"
    earlier.write_text("earlier")
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".pdf", qtbot)
    type_into(dialog, qtbot, name="evidence", folder=out)
    confirm(dialog, qtbot)
    [asking] = questions_to_replace(dialog)
    qtbot.mouseClick(asking.replace_button, Qt.MouseButton.LeftButton)
    bar = compared.export.bar
    assert bar.isVisible()
    assert bar.label.text() == "Saving evidence.pdf…"
    qtbot.waitUntil(rendering.is_set)
    with qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
        assert not bar.cancel_button.isEnabled()
    assert compared.notice.label.text() == "evidence.pdf was not saved: cancelled."
    assert not bar.isVisible()
    assert earlier.read_text() == "earlier"
    assert names_in(out) == ["evidence.pdf"]


def test_that_two_exports_are_written_one_after_the_other(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    with exports_waiting(compared):
        for name in ("one", "two"):
            dialog = open_export(compared, qtbot)
            choose(dialog.form, ".html", qtbot)
            type_into(dialog, qtbot, name=name, folder=out)
            confirm(dialog, qtbot)
        assert compared.export.bar.label.text() == "Saving one.html… · 1 more waiting"
    qtbot.waitUntil(lambda: not compared.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    assert names_in(out) == ["one.html", "two.html"]


def test_that_the_path_of_a_running_export_is_refused(compared: MainWindow, out: Path, qtbot: QtBot) -> None:
    with exports_waiting(compared):
        for name in ("one", "ONE"):
            dialog = open_export(compared, qtbot)
            choose(dialog.form, ".html", qtbot)
            type_into(dialog, qtbot, name=name, folder=out)
            confirm(dialog, qtbot)
        assert dialog.isVisible()
        assert dialog.message.text() == "Another export is writing ONE.html. Choose another name."
    dialog.reject()
    qtbot.waitUntil(lambda: not compared.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)


def test_that_an_export_after_a_cancelled_one_can_be_written_or_cancelled(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    bar, states = compared.export.bar, []
    compared.export.queue.changed.connect(
        lambda: states.append((bar.label.text(), bar.cancel_button.isEnabled()))
    )
    with exports_waiting(compared):
        start(compared, qtbot, ".pdf", "one", out)
        qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
        start(compared, qtbot, ".html", "two", out)
        assert states[-1] == ("Cancelling one.pdf… · 1 more waiting", True)
    qtbot.waitUntil(lambda: not compared.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    assert ("Saving two.html…", True) in states
    assert names_in(out) == ["two.html"]


def test_that_the_window_closes_after_the_running_export(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    with exports_waiting(compared):
        start(compared, qtbot, ".html", "evidence", out)
        assert not compared.close(), "what takes a while must not stop the window from answering"
        [asking] = questions_to_close(compared)
        assert asking.question.text() == "evidence.html is still being saved."
    qtbot.waitUntil(lambda: not compared.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert (out / "evidence.html").read_text("utf-8").rstrip().endswith("</html>")


def test_that_the_window_stays_open_if_the_export_fails(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    with (
        qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS),
        exports_waiting(compared),
    ):
        start(compared, qtbot, ".html", "evidence", out)
        out.rmdir()
        compared.close()
        [asking] = questions_to_close(compared)
        qtbot.mouseClick(asking.wait_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert compared.isVisible()
    assert not questions_to_close(compared)
    assert "evidence.html cannot be saved in " in compared.notice.label.text()


def test_that_closing_asks_nothing_about_cancelled_exports(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    with exports_waiting(compared):
        start(compared, qtbot, ".pdf", "evidence", out)
        qtbot.mouseClick(compared.export.bar.cancel_button, Qt.MouseButton.LeftButton)
        compared.close()
        assert not questions_to_close(compared)
    qtbot.waitUntil(lambda: not compared.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert names_in(out) == []


def test_that_quitting_cancels_a_running_export(
    compared: MainWindow, out: Path, qtbot: QtBot, rendering: Event
) -> None:
    start(compared, qtbot, ".pdf", "evidence", out)
    qtbot.waitUntil(rendering.is_set)
    compared.quit_without_asking()
    assert not compared.isVisible()
    assert names_in(out) == []


def test_that_the_window_can_be_closed_while_a_preview_is_made(compared: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".pdf", qtbot)
    compared.close()
    assert not compared.isVisible()
