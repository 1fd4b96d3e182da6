"""Warning before an anonymous export about names that are ordinary words as well."""

from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.anonymous_exports import LI, UNKNOWN, open_anonymous
from tests.gui.conftest import Essay, wait_for_comparison


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
