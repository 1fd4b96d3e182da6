"""Notice bar: lasting notices, and notices that disappear by themselves."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from simcompare.support.resources import resource_path
from simcompare.ui import notice_bar
from simcompare.ui.main_window import MainWindow
from simcompare.ui.notice_bar import NoticeBar
from tests.gui.class_samples import settle_class, write_class
from tests.gui.document_rows import view
from tests.gui.session_steps import drop
from tests.helpers.patience import PATIENCE_MS


@pytest.fixture
def bar(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[NoticeBar]:
    """Notice bar above a focused field; its notices disappear at once."""
    monkeypatch.setattr(notice_bar, "_SHOWN_FOR_MS", 1)
    window, bar, field = QWidget(), NoticeBar(), QLineEdit()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(field)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    yield bar
    window.close()


def test_that_a_notice_of_success_disappears(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    assert bar.isVisible()
    qtbot.waitUntil(bar.isHidden)


def test_that_a_notice_stays_while_one_of_its_buttons_has_the_focus(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", lambda: None, passes=True)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar._hide_timer.timeout.emit()
    assert bar.isVisible()
    bar.window().findChild(QLineEdit).setFocus()
    qtbot.waitUntil(bar.isHidden)


def test_that_an_important_notice_stays(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    bar.show_notice("essay.pdf could not be read.")
    assert not bar._hide_timer.isActive()
    assert bar.isVisible()


def test_that_a_withdrawn_notice_is_hidden_unless_another_one_replaced_it(bar: NoticeBar) -> None:
    bar.show_notice("essay.pdf could not be read.")
    bar.withdraw("The comparison stopped.")
    assert bar.isVisible()
    bar.withdraw("essay.pdf could not be read.")
    assert not bar.isVisible()


def test_that_a_question_is_shown_again_after_a_passing_notice(bar: NoticeBar, qtbot: QtBot) -> None:
    asked: list[str] = []
    bar.show_notice("2 files changed.", lambda: asked.append("read"), "Read again")
    bar.show_notice("report.html is written.", passes=True)
    assert bar.label.text() == "report.html is written."
    assert bar.shows("2 files changed.")
    qtbot.waitUntil(lambda: bar.label.text() == "2 files changed.")
    bar.show_button.click()
    assert asked == ["read"]
    # one that was answered does not come back, nor one that was withdrawn meanwhile
    bar.show_notice("They were read.", passes=True)
    qtbot.waitUntil(bar.isHidden)
    bar.show_notice("2 files changed.", lambda: None)
    bar.show_notice("report.html is written.", passes=True)
    bar.withdraw("2 files changed.")
    qtbot.waitUntil(bar.isHidden)


KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return)


@dataclass
class Questions:
    """A question in the bar of a window; its answer shows the next one."""

    bar: NoticeBar
    answers: list[str] = field(default_factory=list)

    def show(self) -> None:
        self.bar.show_notice("Is it a template?", self._answer, "Use as template")
        self.bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)

    def _answer(self) -> None:
        self.answers.append("template")
        self.bar.show_notice(NEXT, lambda: self.answers.append("counted"), "Count them")


NEXT = "2 sentences are left out."


@pytest.fixture
def asked(window: MainWindow) -> Questions:
    """A question with the focus on its button; the time to read the next one ends with `let_time_pass`."""
    window.notice._unread.setInterval(PATIENCE_MS)
    questions = Questions(window.notice)
    questions.show()
    return questions


def let_time_pass(bar: NoticeBar) -> None:
    """End the time in which keys are too early to be an answer to what was just shown."""
    assert bar._unread.isActive()
    bar._unread.stop()


@pytest.mark.parametrize("key", KEYS)
def test_that_a_key_pressed_twice_neither_answers_nor_dismisses_the_next_notice(
    asked: Questions, window: MainWindow, qtbot: QtBot, key: Qt.Key
) -> None:
    bar = asked.bar
    for _press in range(2):
        qtbot.keyClick(window.focusWidget(), key)
        assert asked.answers == ["template"]
        assert bar.shows(NEXT)
        assert bar.dismiss_button.hasFocus()
    let_time_pass(bar)
    qtbot.keyClick(window.focusWidget(), key)
    assert asked.answers == ["template"]
    assert bar.isHidden()


def test_that_a_held_enter_answers_one_notice_and_does_not_dismiss_the_next(
    asked: Questions, window: MainWindow
) -> None:
    for is_repeated in (False, True, True):
        press = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return,
            Qt.KeyboardModifier.NoModifier,
            "\r",
            is_repeated,
        )
        QApplication.sendEvent(window.focusWidget(), press)
        if asked.bar._unread.isActive():
            let_time_pass(asked.bar)
    assert asked.answers == ["template"]
    assert asked.bar.shows(NEXT)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("button", ["show_button", "dismiss_button"])
def test_that_a_key_meant_for_a_notice_does_not_reach_the_one_that_arrives_meanwhile(
    asked: Questions, window: MainWindow, qtbot: QtBot, button: str, key: Qt.Key
) -> None:
    bar = asked.bar
    getattr(bar, button).setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyPress(window.focusWidget(), Qt.Key.Key_Space)
    bar.show_notice(NEXT)
    qtbot.keyRelease(window.focusWidget(), Qt.Key.Key_Space)
    qtbot.keyClick(window.focusWidget(), key)
    assert bar.shows(NEXT)
    assert not asked.answers
    let_time_pass(bar)
    qtbot.keyClick(window.focusWidget(), key)
    assert bar.isHidden()


def test_that_a_click_answers_a_notice_that_was_just_shown(asked: Questions, qtbot: QtBot) -> None:
    for answers in (["template"], ["template", "counted"]):
        qtbot.mouseClick(asked.bar.show_button, Qt.MouseButton.LeftButton)
        assert asked.answers == answers
    assert asked.bar._unread.isActive()
    qtbot.mouseClick(asked.bar.dismiss_button, Qt.MouseButton.LeftButton)
    assert asked.bar.isHidden()


def test_that_tab_leaves_a_notice_that_was_just_shown(bar: NoticeBar, qtbot: QtBot) -> None:
    bar._unread.setInterval(PATIENCE_MS)
    bar.show_notice("Is it a template?", lambda: None)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar.show_notice(NEXT, lambda: None)
    qtbot.keyClick(bar.dismiss_button, Qt.Key.Key_Tab)
    assert not bar.dismiss_button.hasFocus()


def test_that_a_notice_of_success_after_an_answer_disappears_once_the_focus_leaves_it(
    bar: NoticeBar, qtbot: QtBot
) -> None:
    bar.show_notice("essay.pdf could not be read.", lambda: bar.show_notice("It is read.", passes=True))
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(bar.show_button, Qt.Key.Key_Space)
    bar._hide_timer.timeout.emit()
    assert bar.shows("It is read.")
    bar.window().findChild(QLineEdit).setFocus()
    qtbot.waitUntil(bar.isHidden)


def test_that_a_key_answers_a_notice_that_did_not_replace_one_in_use(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("Is it a template?")
    bar.show_notice("essay.pdf could not be read.")
    bar.dismiss_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(bar.dismiss_button, Qt.Key.Key_Space)
    assert bar.isHidden()


def test_that_a_click_on_a_notice_leaves_the_focus_where_it_is(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("essay.pdf could not be read.")
    qtbot.mouseClick(bar.dismiss_button, Qt.MouseButton.LeftButton)
    assert bar.isHidden()
    assert isinstance(QApplication.focusWidget(), QLineEdit)


def test_that_the_same_notice_shown_again_keeps_the_focus(bar: NoticeBar) -> None:
    bar.show_notice("essay.pdf could not be read.", lambda: None)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar.show_notice("essay.pdf could not be read.", lambda: None)
    assert bar.show_button.hasFocus()


def test_that_a_notice_moves_nothing_and_stays_inside_the_window(window: MainWindow, qtbot: QtBot) -> None:
    pages, notice = window.pages, window.notice
    for size in ((1366, 768), (1060, 600)):
        window.resize(*size)
        before = pages.mapTo(window, pages.rect().topLeft()), pages.size()
        notice.show_notice("essay.pdf could not be read: it is damaged. Ask for it again. " * 3)
        QApplication.processEvents()
        assert (pages.mapTo(window, pages.rect().topLeft()), pages.size()) == before
        place = notice.mapTo(window, notice.rect().topLeft()), notice.size()
        assert window.rect().contains(QRect(*place))
        assert notice.label.height() >= notice.label.heightForWidth(notice.label.width())
        qtbot.mouseClick(notice.dismiss_button, Qt.MouseButton.LeftButton)
        assert not notice.isVisible()


def test_that_notices_stand_at_the_foot_of_the_left_column_and_hide_no_row_of_a_table(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, notice, sidebar = school_class, school_class.notice, school_class.sidebar
    window.resize(1366, 768)
    notice.show_notice("5 files could not be read.", lambda: None, "Show the files", ("Other", lambda: None))
    QApplication.processEvents()

    def place_of(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())

    qtbot.waitUntil(lambda: place_of(sidebar).contains(place_of(notice)))
    for button in (notice.also_button, notice.show_button, notice.dismiss_button):
        assert place_of(notice).contains(place_of(button)), "its buttons are below its text"
        assert button.width() >= button.minimumSizeHint().width()
        assert place_of(button).top() >= place_of(notice.label).bottom()

    notice.show_notice("essay.pdf could not be read: it is damaged. Ask for it again. " * 20)
    qtbot.waitUntil(lambda: not place_of(sidebar).intersects(place_of(notice)))
    assert place_of(notice).bottom() < place_of(window.status_line).top()


def test_that_a_notice_leaves_the_head_of_a_table_and_its_count_free_with_large_text(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, notice = school_class, school_class.notice
    window.window_text.use("150")
    window.resize(1366, 768)
    window.sidebar.hide()
    notice.show_notice("2 files could not be read.", lambda: None, "Show the files")
    QApplication.processEvents()
    table = window.pairs_view.table
    for part in (table.horizontalHeader(), window.pairs_view.filter._count):
        assert part.isVisible()
        place = QRect(part.mapTo(window, part.rect().topLeft()), part.size())
        assert place.bottom() < notice.mapTo(window, QPoint(0, 0)).y()
    assert notice.mapTo(window, notice.rect().bottomLeft()).y() < window.status_line.y()


def test_that_five_pairs_are_seen_with_large_text(school_class: MainWindow) -> None:
    window = school_class
    window.window_text.use("150")
    window.resize(1366, 768)
    window.sidebar.hide()
    QApplication.processEvents()
    table = window.pairs_view.table
    seen = table.viewport().visibleRegion().boundingRect().height()
    assert seen >= 5 * table.rowHeight(0)


def test_that_bars_stay_high_below_an_offer_to_restore(school_class: MainWindow, qtbot: QtBot) -> None:
    window, panel = school_class, school_class.class_page.histogram
    window.resize(1060, 600)
    window.recovery_bar.show()
    panel.verdict.setText("1 pair has passages that may have been rewritten. Read both sides of them. " * 3)
    panel.resizeEvent(QResizeEvent(panel.size(), panel.size()))
    bars = panel.histogram
    qtbot.waitUntil(lambda: bars.height() >= bars.minimumSizeHint().height())
    window.recovery_bar.hide()


def test_that_the_document_that_a_notice_shows_is_not_below_the_notice(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window.resize(1366, 768)
    paths = [tmp_path / f"{number}.docx" for number in range(20)]
    for path in paths:
        path.touch()
    drop(window, *write_class(tmp_path, 4), *paths)
    settle_class(window.workspace, qtbot)
    window.pages.show_pairs()
    qtbot.waitUntil(window.notice.isVisible)
    window.sidebar.documents.select_next([window.workspace.documents.problems[-1]])
    listed = view(window.sidebar.documents)
    row = listed.visualRect(listed.currentIndex())
    below = listed.viewport().mapTo(window, row.bottomLeft()).y()
    assert below <= window.notice.mapTo(window, QPoint(0, 0)).y()


def test_that_a_notice_moves_no_border_between_the_documents_and_the_passages(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    empty = [tmp_path / f"{number}.docx" for number in range(6)]
    for path in empty:
        path.touch()
    window.workspace.documents.add([*resource_path("samples").glob("The*.docx"), *empty])
    qtbot.waitUntil(lambda: window.notice.isVisible() and not window.workspace.is_busy, timeout=PATIENCE_MS)
    documents_px, passages_px = (
        part.height() for part in (window.sidebar.documents, window.sidebar.passages)
    )
    window.notice.hide()
    qtbot.waitUntil(lambda: window.sidebar.passages.height() > passages_px, timeout=PATIENCE_MS)
    assert window.sidebar.documents.height() == documents_px


@pytest.mark.parametrize("width", [220, 680])
def test_that_a_notice_has_the_height_of_a_width_before_it_has_that_width(qtbot: QtBot, width: int) -> None:
    """Two notices at once were held too high for the column of the documents, and put over the page."""
    other, bar = 900 - width, NoticeBar()
    qtbot.addWidget(bar)
    bar.resize(other, 100)
    bar.show_notice("2 files could not be read, 1 file is not an essay.", bar.hide, "Show the files")
    expected = bar.heightForWidth(width)
    for _turn in range(2):  # the least height of the other arrangement may have held it high
        bar.resize(width, expected)
        QApplication.processEvents()
    assert bar.heightForWidth(width) == expected
    assert bar.label.height() >= bar.label.heightForWidth(bar.label.width())
    lowest = max(button.geometry().bottom() for button in (bar.show_button, bar.dismiss_button))
    assert expected - 20 <= lowest < expected


def test_that_no_line_or_button_of_a_notice_is_cut_whatever_its_length(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    notice = school_class.notice
    school_class.resize(1366, 768)
    for length in range(40):
        text = f"George Okafor – Ruby Harrison{'i' * length} – comparison report.pdf has been saved."
        notice.show_notice(text, lambda: None, "Show in folder", ("Open", lambda: None))
        QApplication.processEvents()
        assert notice.rect().contains(notice.dismiss_button.geometry())
        assert notice.label.height() >= notice.label.heightForWidth(notice.label.width())
