"""Warning before an anonymous export about names that are ordinary words as well."""

from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.anonymous_exports import LI, UNKNOWN, WANG, open_anonymous
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.exporting import WRITING_TIMEOUT_MS, choose_source
from tests.gui.pair_table import settle


def test_that_a_name_that_is_an_ordinary_word_is_warned_of(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("李明.txt", LI), essay("田野.txt", f"{UNKNOWN}\n田野里开满了花。")])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    assert dialog.names.warning.isVisible()
    assert dialog.names.warning.text.startswith("1 place may still identify a student.")
    assert "李明" not in dialog.names.warning.text
    dialog.names.box.click()
    qtbot.waitUntil(lambda: not dialog.names.warning.isVisible())
    dialog.reject()


def test_that_the_mark_sheet_which_has_no_texts_is_not_warned_of(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    texts = {"李明.txt": LI, "王小红.txt": WANG, "田野.txt": f"{UNKNOWN}\n田野里开满了花。"}
    window.workspace.documents.add([essay(*each) for each in texts.items()])
    settle(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    for source, is_warned_of in (("Class report", True), ("Mark sheet", False)):
        choose_source(dialog, source, qtbot)
        qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
        assert ("may still identify" in dialog.names.warning.text) == is_warned_of
    dialog.reject()
