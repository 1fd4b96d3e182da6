"""Text size, chosen by the reader."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import (
    QTextBlock,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.inspector_sentences import SentencesView
from simcompare.ui.library.library_dialogs import AdditionDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.window_assembly import whole_window
from tests.gui.pair_table import TIMEOUT_MS
from tests.gui.panes import page


def letter_px(window: MainWindow) -> list[float]:
    return [page(pane).document().defaultFont().pointSizeF() for pane in window.compare_view.panes.values()]


def sentence_points(window: MainWindow) -> float:
    (view,) = window.compare_view.inspector.findChildren(SentencesView)
    return max(
        fragment.fragment().charFormat().fontPointSize()
        for block in _blocks(view.document())
        for fragment in block
    )


def _blocks(made: QTextDocument) -> list[QTextBlock]:
    return [made.findBlockByNumber(number) for number in range(made.blockCount())]


def test_that_ctrl_plus_minus_and_zero_change_the_size_of_texts_and_sentences(
    compared: MainWindow, qtbot: QtBot
):
    compared.workspace.selection.select(0)
    usual, sentence = letter_px(compared), sentence_points(compared)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(compared, Qt.Key.Key_Plus, control)
    assert letter_px(compared) == [pytest.approx(points * 1.1) for points in usual]
    assert sentence_points(compared) == pytest.approx(sentence * 1.1)
    for _ in range(20):
        qtbot.keyClick(compared, Qt.Key.Key_Equal, control)
    assert letter_px(compared) == [points * 2.5 for points in usual]
    qtbot.keyClick(compared, Qt.Key.Key_0, control)
    assert letter_px(compared) == usual
    for _ in range(20):
        qtbot.keyClick(compared, Qt.Key.Key_Minus, control)
    assert letter_px(compared) == [pytest.approx(points * 0.8) for points in usual]


def test_that_the_size_is_remembered(compared: MainWindow, qtbot: QtBot):
    qtbot.keyClick(compared, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    another = whole_window(Preferences())
    qtbot.addWidget(another)
    assert letter_px(another) == letter_px(compared)


def test_that_an_invalid_stored_size_becomes_the_default():
    preferences = Preferences()
    for stored in ("huge", "-5", "1000000", ""):
        preferences._store.setValue("text_percent", stored)
        assert preferences.text_percent == 100


def turn_wheel(over: QWidget, angle: int) -> None:
    where = QPointF(over.rect().center())
    turn = QWheelEvent(
        where,
        QPointF(over.mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(over, turn)


def test_that_ctrl_and_wheel_change_the_text_size_over_a_text_and_not_over_the_heatmap(compared: MainWindow):
    usual = letter_px(compared)
    view = page(compared.compare_view.panes[Side.RIGHT]).viewport()
    turn_wheel(view, 60)
    assert letter_px(compared) == usual
    turn_wheel(view, 60)
    assert letter_px(compared) == [pytest.approx(points * 1.1) for points in usual]
    turn_wheel(compared.compare_view.panes[Side.LEFT], -240)
    assert letter_px(compared) == [pytest.approx(points) for points in usual]
    turn_wheel(compared.compare_view.heatmap, 240)
    assert letter_px(compared) == [pytest.approx(points) for points in usual]


# --- dialogs at the usual text size


def is_squeezed(dialog: AdditionDialog) -> bool:
    fields = (dialog.year, dialog.school_class, dialog.assignment, dialog.students)
    texts = (dialog.aside, dialog.explanation)
    return any(field.height() < field.sizeHint().height() for field in fields) or any(
        text.height() < text.heightForWidth(text.width()) for text in texts
    )


def test_that_long_texts_of_a_dialog_squeeze_none_of_its_fields(window: MainWindow, qtbot: QtBot) -> None:
    for language in ("zh", "en"):
        window.use_language(language)
        aside = {
            "zh": "其余 1 个文件不存入：2026705-郑可欣-作文-草稿.txt。作文题目.txt 可能是模板，不存入。",
            "en": "One other file is not added: Ella Frost - essay draft.txt. It may be a template. ",
        }[language]
        known, values = AdditionTags("3", "2026", ""), ([], [], [])
        what = "Add the 9 essays of this class"
        dialog = AdditionDialog(what, known, values, window, may_use_pseudonyms=True, aside=2 * aside)
        dialog.open()
        for choice in range(dialog.students.count()):
            dialog.students.setCurrentIndex(choice)
            qtbot.waitUntil(lambda dialog=dialog: not is_squeezed(dialog), timeout=TIMEOUT_MS)
        dialog.close()
