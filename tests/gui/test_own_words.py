"""The user's own words, chosen in the menu of the method."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS, Essay
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.test_documents_on_disk import open_session, save_and_reset
from tests.gui.test_method import choose

WORDS = "薄薄的雾\n芦苇旁边 9\n爷爷补网 n\n"


def figures(window: MainWindow) -> object:
    comparison = window.workspace.comparison
    sides = comparison.left, comparison.right
    return comparison.share, [(side.fingerprint, side.prepared.word_vocabulary) for side in sides]


@pytest.fixture
def settle(qtbot: QtBot) -> Callable[[MainWindow, str], object]:
    """Wait until the pair is compared with the recipe whose name ends like this; return its figures."""

    def wait(window: MainWindow, end: str) -> object:
        def is_compared() -> bool:
            found = {each.fingerprint.recipe for each in window.workspace.documents.prepared_documents}
            is_idle = window.workspace.comparison is not None and not window.workspace.is_busy
            return is_idle and len(found) == 1 and found.pop().endswith(end)

        qtbot.waitUntil(is_compared, timeout=READING_TIMEOUT_MS)
        return figures(window)

    return wait


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_own_words_renew_the_comparison_and_can_be_removed_and_undone(
    compared: MainWindow, qtbot: QtBot, essay: Essay, settle: Callable[[MainWindow, str], object]
) -> None:
    method, before = compared.tool_bar.method, figures(compared)
    method.use_words(essay("terms.txt", WORDS))
    digest = compared.workspace.settings.user_words.digest
    after = settle(compared, f"+words-{digest}")
    assert {"薄薄的雾", "爷爷补网"} <= set(compared.workspace.comparison.left.prepared.word_vocabulary)
    assert method.words["file"].isChecked()
    titles = [action.text() for action in method.menu().actions()]
    assert "Own words: 3 Chinese words of terms.txt" in titles
    choose(method, method.words["none"], qtbot)
    assert settle(compared, "/background-1") == before
    assert compared.workspace.history.undoText() == "own words"
    compared.workspace.history.undo()
    assert settle(compared, digest) == after


def test_that_a_bad_line_is_named_and_changes_nothing(compared: MainWindow, essay: Essay) -> None:
    before = compared.workspace.comparison
    compared.tool_bar.method.use_words(essay("terms.txt", "薄雾\n薄雾 n 3\n"))
    assert "terms.txt, line 2: there must be a word" in compared.notice.label.text()
    assert compared.workspace.settings.user_words is None
    assert compared.workspace.comparison is before


def test_that_a_session_keeps_the_words_without_their_file(
    compared: MainWindow, qtbot: QtBot, essay: Essay, settle: Callable[[MainWindow, str], object]
) -> None:
    file = essay("terms.txt", WORDS)
    compared.tool_bar.method.use_words(file)
    digest = compared.workspace.settings.user_words.digest
    before, saved = settle(compared, digest), file.with_name("words.simcompare")
    save_and_reset(compared, saved, qtbot)
    file.unlink()
    open_session(compared, saved, qtbot)
    assert settle(compared, digest) == before
