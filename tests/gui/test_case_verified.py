"""Verifying a case file in the window: from the menu, and when it is dropped."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.report.case_zip import render_case_file
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session.case_dialog import CaseDialog
from tests.gui.conftest import READING_TIMEOUT_MS, Essay
from tests.gui.exclusion_samples import NO_POPUPS
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of

pytestmark = [pytest.mark.qt_log_ignore(NO_POPUPS)]


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "a.case.zip"
    path.write_bytes(render_case_file(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED))))
    return path


@pytest.fixture
def verified(window: MainWindow, qtbot: QtBot) -> Callable[[], tuple[str, str]]:
    """Wait for the result that is shown, close it, and return the sentence and the lines below it."""

    def result() -> tuple[str, str]:
        (dialog,) = window.findChildren(CaseDialog)
        begun = dialog.heading.text()
        assert begun.startswith("Computing the figures of ")
        qtbot.waitUntil(lambda: dialog.heading.text() != begun, timeout=READING_TIMEOUT_MS)
        shown = dialog.heading.text(), dialog.lines.toPlainText()
        dialog.close()
        qtbot.waitUntil(lambda: not window.findChildren(CaseDialog))
        return shown

    return result


def test_that_a_case_file_is_verified_from_the_menu(
    window: MainWindow, case: Path, verified: Callable[[], tuple[str, str]]
) -> None:
    window.sessions._ask_for_case()
    (chooser,) = window.findChildren(QFileDialog)
    chooser.fileSelected.emit(str(case))
    chooser.close()
    outcome, lines = verified()
    assert outcome == "Everything is equal."
    assert "Figures: equal" in lines
    assert "Case file.docx: equal" in lines


def test_that_a_dropped_case_file_is_verified_and_its_essays_are_not_added(
    window: MainWindow, case: Path, essay: Essay, qtbot: QtBot, verified: Callable[[], tuple[str, str]]
) -> None:
    with zipfile.ZipFile(case) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["figures.json"] = members["figures.json"].replace(b'"matches"', b'"hits"')
    with zipfile.ZipFile(case, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    window.drop_and_paste._add_files([case, essay("own.txt", BRIDGE)])
    outcome, lines = verified()
    assert outcome == "Something differs."
    assert "Figures: differs" in lines
    entries = window.workspace.documents.entries.values()
    assert [entry.path.name for entry in entries] == ["own.txt"]


def test_that_a_file_that_is_no_case_is_told_and_another_archive_is_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, verified: Callable[[], tuple[str, str]]
) -> None:
    archive = tmp_path / "class.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.txt", BRIDGE)
    window.sessions._verify(archive)
    outcome, lines = verified()
    assert "class.zip cannot be verified: it is no case file of simcompare" in outcome
    assert not lines
    window.drop_and_paste._add_files([archive])
    assert len(window.workspace.documents.entries) == 1
