"""Language of the window, including Qt's own texts."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from simcompare.support.i18n import LANGUAGES, _CurrentLanguage, set_language
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.cohort.pair_rows_data import PairState
from tests.gui.class_windows import pairs_listed, settle_class_page
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, Essay
from tests.gui.pair_table import TIMEOUT_MS, most_scores_held, settle


@pytest.fixture
def chinese(window: MainWindow) -> Iterator[MainWindow]:
    window.use_language("zh")
    yield window
    window.use_language("en")
    set_language("en")


def button_texts(box: QMessageBox) -> list[str]:
    return [button.text().replace("&", "") for button in box.buttons()]


def make_box(qtbot: QtBot) -> QMessageBox:
    box = QMessageBox()
    box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    return box


def test_that_buttons_of_qt_are_in_the_language_of_the_window(chinese: MainWindow, qtbot: QtBot) -> None:
    assert [text.partition("(")[0] for text in button_texts(make_box(qtbot))] == ["保存", "取消"]
    chinese.use_language("en")
    assert button_texts(make_box(qtbot)) == ["Save", "Cancel"]


def test_that_file_dialogs_and_menus_of_text_fields_are_chinese(chinese: MainWindow, qtbot: QtBot) -> None:
    dialog = QFileDialog(chinese)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    assert "取消" in [button.text().partition("(")[0] for button in dialog.findChildren(QPushButton)]
    field = QLineEdit()
    qtbot.addWidget(field)
    texts = [action.text() for action in field.createStandardContextMenu().actions() if action.text()]
    assert any("粘贴" in text for text in texts)


_TEXTS = (
    "text",
    "toolTip",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "title",
    "suffix",
    "windowTitle",
)


_ENGLISH = re.compile("[A-Za-z]{2,} [a-z]{2,}")


def shown_texts(window: MainWindow) -> list[tuple[str, str, str]]:
    """Class, property and value of every text in a window and its dialogs, but of no label that is hidden."""
    parts = (window, *window.findChildren(QObject))
    parts = tuple(part for part in parts if not (isinstance(part, QLabel) and part.isHidden()))
    return [
        (type(part).__name__, name, text)
        for part in parts
        for name in _TEXTS
        if isinstance(text := part.property(name), str) and text
    ]


def test_that_all_texts_follow_the_language_and_all_else_stays(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, workspace = school_class, school_class.workspace
    window.common_sentences.show()
    window.common_sentences.search.setText("没")
    window.pages.show_library()
    window.pages.show_compare()
    settle_class_page(window, qtbot)
    window.receipt.show_receipt(next(iter(workspace.documents.entries)))
    window.compare_view.finder.bar.field.setText("河")
    window.pages.show_pairs()
    window.class_page.pairs.filter.text.setText("王")
    window.class_page.pairs.filter.least.setCurrentIndex(1)
    window.class_page.pairs.table.setFocus()
    settle_class_page(window, qtbot)
    shown, focused, sides = shown_texts(window), QApplication.focusWidget(), dict(workspace.documents.sides)
    listed = pairs_listed(window)
    window.use_language("zh")
    settle_class_page(window, qtbot)
    languages = {language.name for language in LANGUAGES.values()}  # these names stay
    translate = _CurrentLanguage.catalogue.gettext
    shown_now = [each for each in shown_texts(window) if each[2] not in languages]
    assert [each for each in shown_now if translate(each[2]) != each[2] or _ENGLISH.search(each[2])] == []
    assert (window.class_page.pairs.filter.text.text(), window.common_sentences.search.text()) == ("王", "没")
    assert (QApplication.focusWidget(), workspace.documents.sides) == (focused, sides)
    assert pairs_listed(window) == listed
    window.use_language("en")
    settle_class_page(window, qtbot)
    assert shown_texts(window) == shown


def test_that_the_language_changes_while_a_class_is_compared(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pairs, texts = window.workspace.pairs, [LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT]
    with most_scores_held():
        window.workspace.documents.add([essay(f"{i:02}.txt", texts[i % 3] * 20) for i in range(12)])
        qtbot.waitUntil(lambda: "Pairs " in window.status_line._activity.text(), timeout=TIMEOUT_MS)
        window.use_language("zh")
        assert "66 对" in window.status_line._activity.text()
        assert pairs.is_comparing
    settle(window, qtbot)
    window.use_language("en")
    assert (pairs.table.rows["state"] == PairState.CURRENT).all()
