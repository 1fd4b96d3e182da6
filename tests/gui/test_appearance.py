"""Widgets follow language and theme by themselves, as long as they exist."""

import gc
import weakref

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from simcompare.ui.compare.matches.note_popup import NoteEdit
from simcompare.ui.state.language import LANGUAGE, follow_language
from simcompare.ui.style.theme import APPEARANCE, DARK, follow_theme


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


def test_that_a_new_widget_has_the_theme_in_use(qtbot: QtBot) -> None:
    APPEARANCE.use(DARK)
    note = NoteEdit()
    qtbot.addWidget(note)
    assert note.palette().base().color().name() == DARK.surface
