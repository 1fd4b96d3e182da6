"""Verifying a case file in the window: from the menu, and when it is dropped."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.settings import ComparisonSettings
from simcompare.report.case_zip import render_case_file
from simcompare.text.thesaurus import load_thesaurus
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session.case_dialog import CaseDialog
from tests.gui.conftest import READING_TIMEOUT_MS, Essay
from tests.gui.exclusion_samples import NO_POPUPS
from tests.helpers.essay_files import write_docx
from tests.helpers.locked_files import lock_docx
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
        assert dialog.lines.accessibleName() == shown[0]
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
    assert outcome == "Everything that could be checked is unchanged."
    assert "Figures: unchanged" in lines
    assert "Case file.docx: unchanged" in lines


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


def test_that_the_password_of_a_locked_file_is_asked_for(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    locked, other = (
        write_docx(tmp_path / f"{name}.docx", "Bridge", text.split("\n\n"))
        for name, text in (("locked", BRIDGE), ("other", BRIDGE_REWORDED))
    )
    lock_docx(locked, "sesame")
    options = ReadingOptions("sesame")
    sides = [read_prepared_document(path, "improved", options) for path in (locked, other)]
    case, settings = tmp_path / "a.case.zip", ComparisonSettings()
    case.write_bytes(
        render_case_file(evidence_of(compare(*sides, settings, load_thesaurus(settings.thesaurus))))
    )
    window.sessions._verify(case)
    (dialog,) = window.findChildren(CaseDialog)
    qtbot.waitUntil(dialog.again_button.isVisible, timeout=READING_TIMEOUT_MS)
    assert dialog.heading.text() == "Everything that could be checked is unchanged."
    told = "locked.docx: the file is the one that was compared, but its text is protected by a password"
    assert f"{told}: not checked" in dialog.lines.toPlainText()
    qtbot.keyClicks(dialog.password, "Sesame")
    qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    refused = "locked.docx: the file is the one that was compared, but this password does not open it"
    qtbot.waitUntil(lambda: refused in dialog.lines.toPlainText(), timeout=READING_TIMEOUT_MS)
    qtbot.keyClicks(dialog.password, "sesame")
    qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.heading.text() == "Nothing has been changed.", timeout=READING_TIMEOUT_MS)
    assert "locked.docx: unchanged" in dialog.lines.toPlainText()
    assert not dialog.again_button.isVisible()


def test_that_a_file_that_is_no_case_is_told_and_another_archive_is_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, verified: Callable[[], tuple[str, str]]
) -> None:
    archive = tmp_path / "class.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.txt", BRIDGE)
    window.sessions._verify(archive)
    outcome, lines = verified()
    assert outcome == (
        "class.zip cannot be verified: it is not a case file of simcompare, or is damaged; ask for it again."
    )
    assert not lines
    window.drop_and_paste._add_files([archive])
    assert len(window.workspace.documents.entries) == 1
