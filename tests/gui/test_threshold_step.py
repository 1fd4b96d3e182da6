"""Work that one step of a threshold slider causes."""

from collections import Counter
from dataclasses import replace
from gettext import NullTranslations

import pytest
from pytestqt.qtbot import QtBot

from simcompare.support import i18n
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session import session_keeper as keeper
from tests.gui.conftest import READING_TIMEOUT_MS


class CountingCatalogue(NullTranslations):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def gettext(self, message: str) -> str:
        self.asked.append(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.append(msgid1)
        return super().ngettext(msgid1, msgid2, n)


@pytest.fixture
def catalogue(compared: MainWindow, monkeypatch: pytest.MonkeyPatch) -> CountingCatalogue:
    counting = CountingCatalogue()
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", counting)
    return counting


def step(window: MainWindow, percent: int) -> None:
    window.tool_bar.strictness.sliders._right.slider.setValue(percent)


def count_of_matches(window: MainWindow) -> int:
    assert window.workspace.comparison is not None
    return len(window.workspace.comparison.matches)


def wait_until_classified(window: MainWindow, qtbot: QtBot) -> None:
    workspace = window.workspace
    qtbot.waitUntil(
        lambda: workspace.comparison is not None and workspace.comparison.settings == workspace.settings,
        timeout=READING_TIMEOUT_MS,
    )


def test_that_a_step_translates_nothing_until_there_are_new_figures(
    compared: MainWindow, catalogue: CountingCatalogue
) -> None:
    step(compared, 60)
    catalogue.asked.clear()  # the first step of a slide is named in the Edit menu
    step(compared, 61)
    assert catalogue.asked == []


# as measured, without excluded text: 43 for shares, counts and filters, and 1 for the hint or the rest for
# the explanation
@pytest.mark.parametrize(("selected", "most"), [(True, 55), (False, 44)])
def test_that_new_matches_translate_only_the_texts_that_show_them(
    compared: MainWindow, catalogue: CountingCatalogue, qtbot: QtBot, selected: bool, most: int
) -> None:
    compared.workspace.set_settings(replace(compared.workspace.settings, exclude_name_lines=False))
    wait_until_classified(compared, qtbot)
    if selected:
        compared.workspace.selection.select(0)
    step(compared, 56)  # the first step of a slide is named in the Edit menu
    wait_until_classified(compared, qtbot)
    before = count_of_matches(compared)
    catalogue.asked.clear()
    step(compared, 95)
    wait_until_classified(compared, qtbot)
    assert count_of_matches(compared) < before
    assert len(catalogue.asked) <= most, Counter(catalogue.asked)


def test_that_a_step_without_other_matches_translates_nothing(
    compared: MainWindow, catalogue: CountingCatalogue, qtbot: QtBot
) -> None:
    compared.workspace.selection.cell = None
    step(compared, 56)
    wait_until_classified(compared, qtbot)
    catalogue.asked.clear()
    before = count_of_matches(compared)
    step(compared, 57)
    wait_until_classified(compared, qtbot)
    assert count_of_matches(compared) == before
    assert catalogue.asked == []


def test_that_a_step_takes_no_snapshot_but_marks_the_session_as_unsaved(
    compared: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    monkeypatch.setattr(keeper, "snapshot", lambda *_args: taken.append(True))
    step(compared, 60)
    modified = [compared.sessions.keeper.is_modified]
    step(compared, 95)
    wait_until_classified(compared, qtbot)
    step(compared, 55)
    modified.append(compared.sessions.keeper.is_modified)
    assert (taken, modified) == ([], [True, False])


def test_that_views_without_thresholds_do_nothing(
    compared: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    step(compared, 60)  # now the work is unsaved, which the title shows
    wait_until_classified(compared, qtbot)
    called = []
    for part, method in (
        (compared.tool_bar.exclusions, "_show"),
        (compared.tool_bar.method, "_show"),
        (compared.status_line, "_show_thesaurus"),
        (compared.assembly, "_show_title"),
        (compared.compare_view.text_feed, "show_excluded"),
        (compared.compare_view.heatmap, "set_passages"),
    ):
        monkeypatch.setattr(part, method, lambda *_args, which=(part, method): called.append(which))
    step(compared, 61)
    wait_until_classified(compared, qtbot)
    assert called == []
