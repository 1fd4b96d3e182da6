"""The user's own words, chosen in the menu of the method."""

import pytest

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS, Essay
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.session_steps import save_to
from tests.gui.test_documents_on_disk import open_session
from tests.gui.test_method import choose

WORDS = "薄薄的雾\n芦苇旁边 9\n爷爷补网 n\n"


def segmented_with(window: MainWindow) -> set[str | None]:
    documents = window.workspace.documents.prepared_documents
    return {own.digest if (own := each.prepared.user_words) else None for each in documents}


def figures(window: MainWindow) -> object:
    comparison = window.workspace.comparison
    sides = comparison.left, comparison.right
    fingerprints = [side.fingerprint for side in sides]
    return comparison.share, fingerprints, [side.prepared.word_vocabulary for side in sides]


@pytest.fixture
def settle(qtbot):
    def wait(window: MainWindow, digest: str | None) -> None:
        def is_compared() -> bool:
            is_idle = window.workspace.comparison is not None and not window.workspace.is_busy
            return is_idle and segmented_with(window) == {digest}

        qtbot.waitUntil(is_compared, timeout=READING_TIMEOUT_MS)

    return wait


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_own_words_renew_the_comparison_and_can_be_removed_and_undone(
    compared: MainWindow, qtbot, essay: Essay, settle
) -> None:
    method, before = compared.tool_bar.method, figures(compared)
    method.use_words(str(essay("terms.txt", WORDS)))
    digest = compared.workspace.settings.user_words.digest
    settle(compared, digest)
    after = figures(compared)
    assert {"薄薄的雾", "爷爷补网"} <= set(after[2][0])
    assert after[1][0].recipe == f"improved/background-1+words-{digest}"
    assert method.words["file"].isChecked()
    assert any(
        action.text() == "Own words: 3 Chinese words of terms.txt" for action in method.menu().actions()
    )
    choose(method, method.words["none"], qtbot)
    settle(compared, None)
    assert figures(compared) == before
    assert compared.workspace.history.undoText() == "own words"
    compared.workspace.history.undo()
    settle(compared, digest)
    assert figures(compared) == after


def test_that_a_bad_line_is_named_and_changes_nothing(compared: MainWindow, essay: Essay) -> None:
    before = compared.workspace.comparison
    compared.tool_bar.method.use_words(str(essay("terms.txt", "薄雾\n薄雾 n 3\n")))
    assert "terms.txt, line 2: there must be a word" in compared.notice.label.text()
    assert compared.workspace.settings.user_words is None
    assert compared.workspace.comparison is before


def test_that_a_session_keeps_the_words_without_their_file(
    compared: MainWindow, qtbot, essay: Essay, settle
) -> None:
    file = essay("terms.txt", WORDS)
    compared.tool_bar.method.use_words(str(file))
    digest = compared.workspace.settings.user_words.digest
    settle(compared, digest)
    before = figures(compared)
    saved = file.with_name("words.simcompare")
    save_to(compared, saved, qtbot)
    compared.tool_bar.method.words["none"].trigger()
    settle(compared, None)
    save_to(compared, file.with_name("other.simcompare"), qtbot)
    file.unlink()
    open_session(compared, saved, qtbot)
    settle(compared, digest)
    assert figures(compared) == before
