"""Dialog of students: lists read while the teacher types, and failed name searches."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from simcompare.export.export_context import ExportContext
from simcompare.model.progress import no_tick
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent
from simcompare.support.workers.worker_pool import WorkerTimeoutError
from simcompare.ui.export.names_dialog import (
    NamesDialog,
    NameSearchError,
    NameSearchFileError,
    corrected_pseudonyms,
    pseudonyms_for,
)
from simcompare.ui.main_window import MainWindow
from tests.gui.anonymous_exports import (
    LI,
    WANG,
    accept,
    column,
    open_anonymous,
    open_who_is_who,
)
from tests.gui.conftest import wait_for_comparison
from tests.gui.exporting import WRITING_TIMEOUT_MS, type_into, write
from tests.gui.test_export_jobs import DIED, Processes

ROSTER = "姓名,学号,别名\n王小红,20230501,小红\n李明,20230502,\n"
FILES = ("河边的童年.txt", "家乡的小河.txt")


@pytest.fixture
def who(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> NamesDialog:
    """Dialog of students of two essays, one of them with a known student."""
    window.workspace.documents.add([essay("王小红 河边的童年.txt", WANG), essay("李明 家乡的小河.txt", LI)])
    wait_for_comparison(window, qtbot)
    return open_who_is_who(open_anonymous(window, qtbot), qtbot)


def begin_typing(names: NamesDialog, row: int, number: int, text: str, qtbot: QtBot) -> QLineEdit:
    names.table.setCurrentCell(row, number)
    qtbot.keyClick(names.table, Qt.Key.Key_F2)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    line.selectAll()
    line.insert(text)
    return line


def wait_for_names(names: NamesDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: names._is_settled and names._is_corrected, timeout=WRITING_TIMEOUT_MS)


def test_that_a_row_edited_while_a_list_is_read_is_kept_beside_the_list(
    who: NamesDialog, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    who.read_list(essay("class.csv", ROSTER))
    assert not who.list_button.isEnabled()
    line = begin_typing(who, 0, 1, "王晓红", qtbot)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "王晓红" in column(who, 1))
    wait_for_names(who, qtbot)
    by_name = dict(zip(column(who, 1), column(who, 2), strict=True))
    assert by_name["李明"] == "20230502"
    assert by_name["王晓红"] == ""
    assert who.list_button.isEnabled()
    listed = {name for student in who._pseudonyms.students for name in student.names}
    assert {"小红", "王晓红"} <= listed
    accept(who, qtbot)


def test_that_the_dialog_for_a_list_starts_in_the_folder_of_the_essays(
    who: NamesDialog, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    qtbot.mouseClick(who.list_button, Qt.MouseButton.LeftButton)
    [choosing] = who.findChildren(QFileDialog)
    assert Path(choosing.directory().absolutePath()) == tmp_path
    choosing.reject()
    who.reject()


def test_that_a_cell_being_edited_is_kept_when_the_list_is_read(
    who: NamesDialog, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    who.read_list(essay("class.csv", ROSTER))
    line = begin_typing(who, 0, 1, "王晓", qtbot)
    wait_for_names(who, qtbot)
    assert line.text() == "王晓"
    line.insert("红")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "王晓红" in column(who, 1))
    wait_for_names(who, qtbot)
    assert column(who, 1)[0] == "王晓红"
    who.reject()


def test_that_rows_can_be_corrected_after_an_invalid_list(
    who: NamesDialog, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    who.read_list(essay("class.csv", ""))
    qtbot.waitUntil(lambda: "class.csv" in who.message.text() and who._is_settled, timeout=WRITING_TIMEOUT_MS)
    line = begin_typing(who, 0, 1, "王晓红", qtbot)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "王晓红" in column(who, 1))
    wait_for_names(who, qtbot)
    assert "王晓红" in {name for student in who._pseudonyms.students for name in student.names}
    who.reject()


# --- failed searches


def test_that_the_file_that_crashes_the_name_search_is_named() -> None:
    openings = {Path(name): "text" for name in FILES}
    names = make_pseudonyms([])
    with pytest.raises(NameSearchFileError) as error:
        pseudonyms_for(openings, (), None, ExportContext(Processes(DIED, names, DIED), no_tick))
    assert str(error.value) == (
        "No name could be found for 家乡的小河.txt: the search ended unexpectedly at "
        "this file. Remove it from the list, or save it again in the program that made it and add the new "
        "file."
    )


@pytest.mark.parametrize(
    "outcomes",
    [
        (DIED, make_pseudonyms([]), make_pseudonyms([])),
        (WorkerTimeoutError(900),),
    ],
)
def test_that_a_failed_name_search_without_a_culprit_names_no_file(outcomes: tuple[object, ...]) -> None:
    openings = {Path(name): "text" for name in FILES}
    with pytest.raises(NameSearchError, match=r"^The names could not be found: .* try again\.$"):
        pseudonyms_for(openings, (), None, ExportContext(Processes(*outcomes), no_tick))


def test_that_the_error_for_a_failed_correction_says_what_to_do() -> None:
    known = make_pseudonyms([RecognisedStudent(Path("a.txt"), "李明")])
    with pytest.raises(NameSearchError, match="Close other programs and try again"):
        corrected_pseudonyms(known, [], [], ExportContext(Processes(DIED), no_tick))


# --- what may still identify a student


def test_that_what_may_still_name_a_student_is_listed_before_the_export_and_replaced_by_one_click(
    window: MainWindow, essay: Callable[[str, str], Path], out: Path, qtbot: QtBot
) -> None:
    texts = (f"{WANG}\n我们班的王晓宏也来了，王晓宏笑了。", f"{LI}\n王晓宏说，学号后四位是0501。")
    files = ("20230501 王小红 河边的童年.txt", "20230502 李明 家乡的小河.txt")
    window.workspace.documents.add([essay(name, text) for name, text in zip(files, texts, strict=True)])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    assert "4 places may still identify a student. The list is under Name key." in dialog.names.warning.text
    names = open_who_is_who(dialog, qtbot)
    qtbot.waitUntil(lambda: names.possible.model().rowCount() == 2, timeout=WRITING_TIMEOUT_MS)
    rows = [[names.possible.model().index(row, n).data() for n in range(4)] for row in range(2)]
    assert [row[:3] for row in rows] == [["王晓宏", "王小红 20230501", "3"], ["0501", "王小红 20230501", "1"]]
    assert "我们班的王晓宏也来了" in rows[0][3]
    assert rows[0][3].count(f"{files[0]}, line 3") == 1
    names.possible.selectRow(1)
    assert names.replace_button.text() == "Replace selected"
    names.possible.clearSelection()
    assert names.replace_button.text() == "Replace all"
    qtbot.mouseClick(names.replace_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not names.possible.isVisible(), timeout=WRITING_TIMEOUT_MS)
    accept(names, qtbot)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    assert "may still identify" not in dialog.names.warning.text
    type_into(dialog, qtbot, name="anonymous", folder=out)
    write(window, dialog, qtbot)
    page = (out / "anonymous.html").read_text("utf-8")
    assert not [text for text in ("王晓宏", "0501", "王小红") if text in page]
