"""Last day of a class: set and removed in the window, marked when it is over, deleted in one action."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from pytestqt.qtbot import QtBot

from simcompare.support.display_text import day_in_words
from simcompare.ui.library.library_commands import RetentionDialog
from simcompare.ui.library.library_dialogs import ProtocolDialog, RemovalDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.style.theme import current_theme
from tests.gui.library.library_steps import (
    add_folder,
    click,
    click_row,
    dialog_of,
    fill_and_show,
    groups,
    show_library,
    stored,
    texts,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS
from tests.gui.test_access import nameless

LAST_DAY = 4
"""Column of the last day."""


@pytest.fixture
def filled(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window that shows a library with classes of 2025 and 2024, of two essays each."""

    def add() -> None:
        for year in ("2024", "2025"):
            folder = write_folder(tmp_path / year, f"{year}001-王伟.txt", f"{year}002-李芳.txt")
            add_folder(window, qtbot, folder, AdditionTags("3", year))

    fill_and_show(window, qtbot, "classes of two years", add)
    return window


def ask_until(window: MainWindow, row: int, qtbot: QtBot) -> RetentionDialog:
    view = window.library.page.stored
    click_row(view.groups, row, qtbot)
    click(view.keep_button, qtbot)
    return dialog_of(window, RetentionDialog, qtbot)


def save(window: MainWindow, dialog: RetentionDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.library.state.retained, timeout=TIMEOUT_MS):
        qtbot.mouseClick(dialog.save_button, LEFT_BUTTON)
    wait_until_listed(window, qtbot)


def keep_until(window: MainWindow, row: int, day: str, qtbot: QtBot) -> None:
    dialog = ask_until(window, row, qtbot)
    dialog.field.selectAll()
    qtbot.keyClicks(dialog.field, day)
    save(window, dialog, qtbot)


def last_days(window: MainWindow) -> list[str]:
    return texts(window.library.page.stored.groups, LAST_DAY)


def test_that_a_number_of_years_is_set_for_the_selected_class(filled: MainWindow, qtbot: QtBot) -> None:
    view = filled.library.page.stored
    assert last_days(filled) == ["", "–", "–"]
    click_row(view.groups, 0, qtbot)
    assert not view.keep_button.isEnabled(), "all essays are no class"
    dialog = ask_until(filled, 1, qtbot)
    assert dialog.heading.text() == "How long may 2025 · 3 be kept?"
    dialog.choice.setCurrentIndex(dialog.choice.findText("3 years"))
    day = QDate.currentDate().addYears(3).toString("yyyy-MM-dd")
    assert dialog.field.text() == day
    save(filled, dialog, qtbot)
    in_words = day_in_words(date.fromisoformat(day))
    assert last_days(filled) == ["", in_words, "–"]
    assert filled.notice.label.text() == f"2 essays may be kept until {in_words}."
    tags = {str(tag) for entry in stored(filled) for tag in entry.tags if tag.name == "until"}
    assert tags == {f"until={day}"}
    assert not view.delete_expired_button.isVisible()


def test_that_another_day_is_typed_and_a_wrong_one_is_told(filled: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_until(filled, 2, qtbot)
    dialog.field.selectAll()
    qtbot.keyClicks(dialog.field, "2030-02-30")
    assert dialog.choice.currentText() == "Until another date"
    assert not dialog.save_button.isEnabled()
    assert (
        dialog.explanation.text()
        == "2030-02-30 is not a date. Write year, month and day, such as 2028-07-31."
    )
    dialog.field.selectAll()
    qtbot.keyClicks(dialog.field, "2030-02-28")
    save(filled, dialog, qtbot)
    assert last_days(filled) == ["", "–", "28 February 2030"]
    dialog = ask_until(filled, 2, qtbot)
    assert dialog.field.text() == "2030-02-28"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_the_last_day_is_removed(filled: MainWindow, qtbot: QtBot) -> None:
    keep_until(filled, 1, "2030-01-01", qtbot)
    dialog = ask_until(filled, 1, qtbot)
    dialog.choice.setCurrentIndex(dialog.choice.count() - 1)
    assert not dialog.field.isEnabled()
    save(filled, dialog, qtbot)
    assert last_days(filled) == ["", "–", "–"]
    assert filled.notice.label.text() == "2 essays no longer have an end date."
    assert not any(tag.name == "until" for entry in stored(filled) for tag in entry.tags)


def test_that_essays_without_a_last_day_are_told_beside_others(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    keep_until(filled, 1, "2030-01-01", qtbot)
    folder = write_folder(tmp_path / "late", "2025003-张敏.txt")
    with qtbot.waitSignal(filled.library.state.added, timeout=TIMEOUT_MS):
        filled.library.state.add_places([folder], AdditionTags("3", "2025"))
    wait_until_listed(filled, qtbot)
    assert last_days(filled) == ["", "from 1 January 2030", "–"]
    model = filled.library.page.stored.groups.model_of_rows
    tip = model.index(1, LAST_DAY).data(Qt.ItemDataRole.ToolTipRole)
    assert "The last day is 1 January 2030. 2 of 3 essays have one." in tip


def test_that_what_is_over_is_marked_and_deleted_with_a_protocol(filled: MainWindow, qtbot: QtBot) -> None:
    view = filled.library.page.stored
    yesterday = date.today() - timedelta(days=1)
    keep_until(filled, 2, yesterday.isoformat(), qtbot)
    assert last_days(filled) == ["", "–", f"{day_in_words(yesterday)}, expired"]
    index = view.groups.model_of_rows.index(2, LAST_DAY)
    assert index.data(Qt.ItemDataRole.ForegroundRole).name() == current_theme().danger
    click(view.delete_expired_button, qtbot)
    question = dialog_of(filled, RemovalDialog, qtbot)
    assert question.heading.text() == "Delete all 2 essays whose last day has passed?"
    assert "2024001-王伟.txt" in question.lines.toPlainText()
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    assert len(stored(filled)) == 4
    click(view.delete_expired_button, qtbot)
    qtbot.mouseClick(dialog_of(filled, RemovalDialog, qtbot).delete_button, LEFT_BUTTON)
    protocol = dialog_of(filled, ProtocolDialog, qtbot)
    assert "2 entries were removed" in protocol.lines.toPlainText()
    qtbot.keyClick(protocol, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: groups(filled) == [("2025", "3", "")], timeout=TIMEOUT_MS)
    assert not view.delete_expired_button.isVisible()


def test_that_essays_without_tags_get_a_last_day(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    show_library(window, qtbot)
    folder = write_folder(tmp_path / "none", "essay.txt")
    with qtbot.waitSignal(window.library.state.added, timeout=TIMEOUT_MS):
        window.library.state.add_places([folder], AdditionTags())
    wait_until_listed(window, qtbot)
    keep_until(window, 1, "2031-12-31", qtbot)
    assert last_days(window) == ["", "31 December 2031"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_dialog_can_be_used_with_the_keyboard(
    filled: MainWindow, language: str, qtbot: QtBot
) -> None:
    filled.use_language(language)
    view = filled.library.page.stored
    click_row(view.groups, 1, qtbot)
    qtbot.keyClick(view.groups, Qt.Key.Key_Return)
    dialog = dialog_of(filled, RetentionDialog, qtbot)
    assert nameless(dialog) == []
    with qtbot.waitSignal(filled.library.state.retained, timeout=TIMEOUT_MS):
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    filled.use_language("en")
