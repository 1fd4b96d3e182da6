"""Widgets follow language and theme by themselves, as long as they exist."""

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.language import LANGUAGE, follow_language
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT, follow_theme, icon
from tests.gui.conftest import wait_for_comparison
from tests.gui.pixels import colours_of


class Follower(QLabel):
    def __init__(self, calls: list[str]) -> None:
        super().__init__()
        self._calls = calls
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _apply_theme(self) -> None:
        self._calls.append("theme")

    def _retranslate(self) -> None:
        self._calls.append("language")


@pytest.fixture
def calls(qtbot: QtBot) -> list[str]:
    return []


def test_that_a_follower_is_called_at_once_and_on_each_change(calls: list[str]) -> None:
    follower = Follower(calls)
    APPEARANCE.use(DARK)
    LANGUAGE.changed.emit()
    assert calls == ["theme", "language", "theme", "language"]
    delete(follower)


def test_that_a_deleted_widget_is_not_called(calls: list[str]) -> None:
    delete(Follower(calls))
    calls.clear()
    APPEARANCE.use(DARK)
    LANGUAGE.changed.emit()
    assert calls == []


def test_that_followers_are_not_kept_alive(calls: list[str]) -> None:
    parent = QWidget()
    follower = Follower(calls)
    follower.setParent(parent)
    reference = weakref.ref(follower)
    del follower, parent
    gc.collect()
    assert reference() is None


def test_that_the_text_of_a_note_is_seen_in_a_window_made_dark(
    another_window: Callable[[], MainWindow], pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    window = another_window()
    window.use_theme("dark")
    window.show()
    window.workspace.documents.add(pair)
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select_passage(0)
    window.workspace.review.note_passage(0, "word by word")
    inspector = window.compare_view.inspector
    inspector.toggle_note()
    assert DARK.ink in colours_of(inspector.note_popup.field.grab().toImage())


def test_that_an_icon_has_the_colour_of_the_theme_in_which_it_is_painted(qtbot: QtBot) -> None:
    drawn = icon("flag", "muted", checked=("flag", "danger"))
    for theme in (LIGHT, DARK):
        APPEARANCE.use(theme)
        for state, colour in ((QIcon.State.Off, theme.muted), (QIcon.State.On, theme.danger)):
            picture = drawn.pixmap(QSize(24, 24), 1.0, QIcon.Mode.Normal, state).toImage()
            assert colour in colours_of(picture)
