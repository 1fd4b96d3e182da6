"""Report of a problem: versions, counts and errors, and nothing of any document."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.help.help_commands import AboutDialog, third_party_licences
from simcompare.ui.help.problem_report import ProblemDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.class_windows import document_key, settle_class_page
from tests.gui.session_steps import choose_file, save_to

TEXT = (
    "Quetzal feathers drifted over the Marigold bridge. 欧阳修竹悄悄推开了阁楼的木窗。"
    "The zeppelin carried eleven violins to Ljubljana. 灯塔守望人把鹦鹉螺放在琥珀色的瓶子里。"
)
NAMES = ("欧阳修竹", "Marigold Quetzal", "Zeppelin Ljubljana")
FOLDER = "初三9班 Periwinkle"
FILES = ("2031001-欧阳修竹-作文.txt", "Marigold Quetzal - essay.txt", "Zeppelin Ljubljana.txt")
SESSION = "Halcyon 期末.simcompare"
NOTE = "Bartholomew 说他是自己写的。"
PROMPT = "Sassafras 作文要求"


def known_words() -> set[str]:
    """All words of four letters, pairs of Chinese characters and numbers of the texts, names and folders."""
    every = " ".join([TEXT, *NAMES, FOLDER, *FILES, SESSION, NOTE, PROMPT, "broken"])
    latin = set(re.findall(r"[A-Za-z]{4,}", every)) - {"simcompare", "txt"}
    chinese = {run[i : i + 2] for run in re.findall(r"[一-鿿]+", every) for i in range(len(run) - 1)}
    return latin | chinese | set(re.findall(r"\d{4,}", every))


@pytest.fixture
def dialog(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> ProblemDialog:
    """Report on a session with known texts, names, paths, a note, a template, and errors."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    for name in FILES:
        (folder / name).write_text(f"{NAMES[0]}\n{TEXT}\n{name}", "utf-8")
    (folder / "broken Zeppelin.docx").write_bytes(b"PK\x03\x04 Marigold")
    prompt = folder / f"{PROMPT}.txt"
    prompt.write_text(TEXT, "utf-8")
    workspace = window.workspace
    workspace.documents.add([folder])
    qtbot.waitUntil(lambda: len(workspace.documents.entries) >= len(FILES))
    settle_class_page(window, qtbot)
    keys = [key for key, entry in workspace.documents.entries.items() if entry.path.name in FILES]
    workspace.class_state.set_role([document_key(window, prompt.name)], DocumentRole.TEMPLATE)
    settle_class_page(window, qtbot)
    workspace.review.decide_pair(keys[0], keys[1], Decision.COPIED)
    workspace.review.note_pair(keys[0], keys[1], NOTE)
    fail_a_task(workspace)
    save_to(window, folder / SESSION, qtbot)
    window.commands.actions["problem"].trigger()
    (dialog,) = window.findChildren(ProblemDialog)
    return dialog


def fail_a_task(workspace) -> None:
    def work() -> None:
        raise ValueError(TEXT)

    workspace.explaining.start(work, print, workspace.warn_of_comparison)
    assert workspace._pool.waitForDone()


def test_that_the_report_has_nothing_of_the_documents(dialog: ProblemDialog, tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    dialog.save(target)
    written = target.read_text("utf-8")
    assert written == dialog.text.toPlainText()
    assert str(tmp_path) not in written
    assert tmp_path.name not in written
    found = {word for word in known_words() if word.casefold() in written.casefold()}
    assert found == set()


def test_that_the_report_counts_documents_errors_and_decisions(dialog: ProblemDialog) -> None:
    lines = dialog.text.toPlainText().splitlines()
    assert any(line.startswith("format text: ") for line in lines)
    assert any(line.startswith("not read, ") and line.endswith(": 1") for line in lines)
    assert "pairs decided: 1" in lines
    assert any(line.endswith("error: ValueError") for line in lines)
    assert any("simcompare.ui.state.task._run" in line for line in lines)
    for title in ("Program", "Screens", "Preferences", "Settings of the comparison", "Documents", "Time"):
        assert title in lines


def test_that_the_report_has_the_time_of_comparing_the_pairs(dialog: ProblemDialog) -> None:
    (line,) = re.findall(r"^comparing a class: (.*)$", dialog.text.toPlainText(), re.MULTILINE)
    seconds, pairs = re.fullmatch(r"(\d+\.\d) s for (\d+) pairs", line).groups()  # type: ignore[union-attr]
    assert int(pairs) >= 3
    assert float(seconds) >= 0


def test_that_the_dialog_says_to_whom_and_what_is_sent(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.actions["problem"].trigger()
    (dialog,) = window.findChildren(ProblemDialog)
    assert dialog.save_button.hasFocus() or dialog.focusWidget() is dialog.save_button
    assert "sends nothing itself" in dialog.explanation.text()
    assert "the person who gave you simcompare" in dialog.explanation.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_that_the_user_chooses_the_file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.commands.actions["problem"].trigger()
    (dialog,) = window.findChildren(ProblemDialog)
    dialog.save_button.click()
    choose_file(window, tmp_path / "problem.txt")
    assert (tmp_path / "problem.txt").exists()
    assert dialog.message.text() == f"Saved as {tmp_path / 'problem.txt'}."


def test_that_a_missing_folder_is_told_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    window.commands.actions["problem"].trigger()
    (dialog,) = window.findChildren(ProblemDialog)
    dialog.save(tmp_path / "gone" / "problem.txt")
    words = f"problem.txt cannot be saved in {tmp_path / 'gone'}: its folder is not there. Choose another "
    words += "folder or name; an earlier file of that name is unchanged."
    assert dialog.message.text() == words


def test_that_about_names_the_licences_and_opens_those_of_a_bundle(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = AboutDialog(window)
    assert "MIT" in dialog.licences.text()
    assert "LGPL" in dialog.licences.text()
    assert dialog.all_button.isHidden()
    (tmp_path / "licences").mkdir()
    (tmp_path / "licences" / "index.html").touch()
    monkeypatch.setattr("sys.executable", str(tmp_path / "simcompare-gui"))
    assert third_party_licences() == tmp_path / "licences" / "index.html"
    assert not AboutDialog(window).all_button.isHidden()
