"""Window and reports use the same colours."""

import re
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QComboBox, QSpinBox
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report import heat_picture
from simcompare.support.resources import resource_path
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT, Theme
from tests.gui.conftest import OTHER_TEXT, Essay
from tests.gui.pair_table import most_scores_held
from tests.gui.pixels import colours_of
from tests.gui.window_parts import wait_until_still


def colours_of_page(theme: Theme) -> dict[str, str]:
    """Colours in a report page; the later ones are for dark mode."""
    css = resource_path("templates", "base.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[0 if theme is LIGHT else 1]))


@pytest.mark.parametrize(("theme", "picture"), [(LIGHT, heat_picture.LIGHT), (DARK, heat_picture.DARK)])
def test_that_kinds_have_the_same_colour_in_window_page_and_image(
    theme: Theme, picture: heat_picture.HeatColours
) -> None:
    page = colours_of_page(theme)
    for kind in MatchKind:
        look = theme.kinds[kind]
        assert look.ink == page[kind.word] == picture.kinds[kind]
        assert look.tint == page[f"{kind.word}-tint"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_a_page_has_the_text_and_background_colours_of_the_window(theme: Theme) -> None:
    page = colours_of_page(theme)
    for name in ("background", "surface", "raised", "ink", "muted", "line", "accent", "danger"):
        assert page[name] == getattr(theme, name), name


@pytest.mark.parametrize("languages", [("zh", "en"), ("en", "zh")])
def test_that_combo_boxes_fit_their_texts_in_either_language(
    window: MainWindow, languages: tuple[str, str]
) -> None:
    for language in languages:
        window.use_language(language)
        for choice in window.findChildren(QComboBox):
            needed = max(
                choice.fontMetrics().horizontalAdvance(choice.itemText(n)) for n in range(choice.count())
            )
            assert choice.sizeHint().width() > needed + 24, choice.currentText()


def test_that_a_theme_looks_the_same_when_chosen_again(compared: MainWindow, qtbot: QtBot) -> None:
    looks = []
    for theme in ("light", "dark", "light", "dark"):
        compared.use_theme(theme)
        qtbot.waitUntil(compared.updatesEnabled)
        wait_until_still(compared, qtbot)
        looks.append(compared.grab().toImage())
    assert looks[0] != looks[1]
    assert looks[:2] == looks[2:]


def test_that_arrows_of_combo_and_spin_boxes_follow_the_theme(window: MainWindow, qtbot: QtBot) -> None:
    for theme in ("dark", "light"):
        window.use_theme(theme)
        drawing = resource_path("icons", "controls", f"chevron-{theme}.svg").read_text(encoding="utf-8")
        [ink] = re.findall(r'stroke="(#\w+)"', drawing)
        for choice in [*window.findChildren(QComboBox), *window.findChildren(QSpinBox)]:
            # hidden widgets follow in a later turn of the event loop
            qtbot.waitUntil(lambda choice=choice, ink=ink: ink in colours_of(choice.grab().toImage()))


def test_that_hidden_widgets_have_the_colours_of_the_theme_when_shown(four: MainWindow, qtbot: QtBot) -> None:
    four.pages.show_compare()
    for theme in (DARK, LIGHT, DARK):
        four.use_theme(theme.name)
        with qtbot.waitSignal(APPEARANCE.changed):
            pass  # hidden widgets follow in a later turn of the event loop
        for widget in (four.pairs_view.table, four.sidebar.documents, four.sidebar.passages):
            assert widget.palette().base().color().name() == theme.surface
    four.pages.show_pairs()
    qtbot.waitUntil(four.pairs_view.isVisible)
    shown = four.pairs_view.table.viewport().grab().toImage()
    assert shown.pixelColor(shown.width() - 3, shown.height() - 3).name() == DARK.surface


def test_that_a_theme_chosen_before_the_window_is_shown_is_kept(
    another_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = another_window()
    window.use_theme("dark")
    window.show()
    with qtbot.waitSignal(APPEARANCE.changed):
        pass  # hidden widgets follow in a later turn of the event loop
    documents = window.sidebar.documents
    assert documents.palette().color(documents.backgroundRole()).name() == DARK.surface


def test_that_nothing_keeps_its_old_colours_while_a_class_is_compared(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.resize(1366, 768)
    with most_scores_held():
        window.workspace.documents.add([essay(f"{n:02}.txt", f"{OTHER_TEXT}{n}") for n in range(12)])
        qtbot.waitUntil(lambda: len(window.workspace.pairs.table) == 66)
        for name, old in (("dark", LIGHT), ("light", DARK)):
            window.use_theme(name)
            qtbot.waitUntil(window.updatesEnabled)
            grounds = {old.surface, old.background}
            qtbot.waitUntil(lambda grounds=grounds: not grounds & colours_of(window.grab().toImage()))
