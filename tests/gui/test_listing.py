"""Display names of documents are cached, as every painted cell reads them."""

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from simcompare.loading.extraction import PastedText
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS

Essay = Callable[[str, str], Path]


def listed_names(window: MainWindow) -> list[str]:
    return [name.text for name in window.workspace.documents.names.values()]


def test_that_names_are_cached_until_the_list_changes(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    documents = window.workspace.documents
    documents.add([essay("河.txt", "河水清清。"), essay("桥.txt", "石桥很老。")])
    names = documents.names
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    documents.swap()
    assert documents.names is names, "neither reading nor choosing renames anything"
    documents.add([essay("山.txt", "山很高。")])
    assert listed_names(window) == ["河.txt", "桥.txt", "山.txt"]
    documents.remove([2])
    assert listed_names(window) == ["河.txt", "山.txt"]
    window.workspace.history.undo()
    assert listed_names(window) == ["河.txt", "桥.txt", "山.txt"]


def test_that_a_second_file_with_the_same_name_adds_folders_to_both(
    window: MainWindow, essay: Essay, tmp_path: Path
) -> None:
    first, folder = essay("作文.txt", "河水清清。"), tmp_path / "王芳"
    window.workspace.documents.add([first])
    assert listed_names(window) == ["作文.txt"]
    folder.mkdir()
    (folder / "作文.txt").write_text("石桥很老。", "utf-8")
    window.workspace.documents.add([folder / "作文.txt"])
    assert listed_names(window)[1] == "王芳/作文.txt"


def test_that_a_text_without_a_file_is_renamed_in_another_language(window: MainWindow) -> None:
    window.workspace.documents.add_pasted(PastedText("河水清清。", is_html=False))
    (before,) = listed_names(window)
    window.use_language("zh")
    (after,) = listed_names(window)
    assert before != after
    assert window.workspace.documents.name_of(1) == after
