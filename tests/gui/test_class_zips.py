"""Archives as Moodle, Canvas and Chaoxing make them: students, files that are skipped, passwords."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.class_samples import ESSAYS, class_text, settle_class
from tests.gui.document_rows import view
from tests.gui.exporting import open_export
from tests.gui.session_steps import drop
from tests.helpers.archives import with_encrypted_flag, write_zip

BY_PRODUCTS = {".DS_Store": b"x", "__MACOSX/._a.txt": b"x", "Thumbs.db": b"x"}
MOODLE = (
    "王伟_1001_assignsubmission_file_/作文.txt",
    "王伟_1001_assignsubmission_file_/作文初稿.txt",
    "李芳_1002_assignsubmission_file_/作文.txt",
    "Anna Kowalski_1003_assignsubmission_file_/essay.txt",
)
CANVAS = (
    "wangwei_1001_50001_zuowen.txt",
    "wangwei_1001_50002_zuowen-draft.txt",
    "kowalskianna_late_1003_50003_essay.txt",
    "lifang_1002_50004_zuowen.txt",
)
CHAOXING = (
    "三班-期中作文/2025001-王伟/附件/作文.txt",
    "三班-期中作文/2025001-王伟/附件/作文初稿.txt",
    "三班-期中作文/2025002-李芳/附件/作文.txt",
    "三班-期中作文/2025003-张敏/附件/作文.txt",
)


def members(names: tuple[str, ...]) -> Mapping[str, bytes]:
    texts = (class_text(body).encode() for body in ESSAYS)
    return {**dict(zip(names, texts, strict=False)), **BY_PRODUCTS}


def names_listed(window: MainWindow) -> list[str]:
    model = view(window.sidebar.documents).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (MOODLE, ["王伟", "李芳", "Anna Kowalski"]),
        (CANVAS, ["wangwei", "lifang", "kowalskianna"]),
        (CHAOXING, ["王伟", "李芳", "张敏"]),
    ],
)
def test_that_an_archive_of_a_platform_becomes_students_with_their_drafts_folded(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, names: tuple[str, ...], students: list[str]
) -> None:
    drop(window, write_zip(tmp_path / "class.zip", members(names)))
    settle_class(window.workspace, qtbot)
    state = window.workspace.class_state
    assert sorted(student.name for student in state.school.students) == sorted(students)
    assert len(window.workspace.documents.entries) == 4
    assert len(names_listed(window)) == 3
    assert len(window.workspace.pairs.table) == 3
    assert not window.notice.isVisible()


def test_that_skipped_files_have_one_notice_and_no_row(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, write_zip(tmp_path / "class.zip", members(MOODLE)))
    qtbot.waitUntil(
        lambda: window.status_line.message.text() == "3 files that are not documents were skipped."
    )
    settle_class(window.workspace, qtbot)
    assert not any("DS_Store" in name for name in names_listed(window))


def test_that_a_session_in_a_folder_is_said_to_be_one(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "Ann Fields.txt").write_text("The walk began before sunrise, when the hills were grey.")
    (tmp_path / "old.simcompare").write_bytes(b"PK\3\4")
    drop(window, tmp_path)
    words = "old.simcompare is not an essay (saved session; open it"
    qtbot.waitUntil(lambda: words in window.notice.label.text())
    assert names_listed(window) == ["Ann Fields.txt"]


def test_that_an_archive_with_a_password_is_one_row_that_says_what_to_do(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    locked = write_zip(tmp_path / "class.zip", members(MOODLE))
    locked.write_bytes(with_encrypted_flag(locked.read_bytes()))
    drop(window, locked)
    entries = window.workspace.documents.entries
    qtbot.waitUntil(lambda: [entry.error is not None for entry in entries.values()] == [True])
    words = "class.zip is protected by a password. Unpack it with its password and add the folder"
    assert words in window.notice.label.text()
    row = view(window.sidebar.documents).model().index(0, 0)
    assert words in row.data(Qt.ItemDataRole.AccessibleTextRole)


def test_that_a_class_in_an_archive_has_its_name_and_is_exported_beside_it(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, write_zip(tmp_path / "三班-期中作文.zip", members(MOODLE)))
    settle_class(window.workspace, qtbot)
    assert window.workspace.class_state.folder == "三班-期中作文"
    dialog = open_export(window, qtbot)
    assert dialog.folder.folder == tmp_path
    assert ".zip" not in dialog.name.line.text()
    dialog.reject()
