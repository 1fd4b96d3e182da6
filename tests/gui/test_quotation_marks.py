"""Quotation marks: as narrow as Latin ones in English, as wide as a character in Chinese."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.inspector_sentences import SentencesView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.text_labels import name_font

NARROW = QFont.Tag("pwid")


def narrows(font: QFont) -> bool:
    return font.isFeatureSet(NARROW)


def test_that_the_apostrophe_of_a_name_is_narrow_in_a_chinese_window_too() -> None:
    assert narrows(name_font(QFont(), "Liam O’Neill"))
    assert not narrows(name_font(QFont(), "“作业”.docx"))


def test_that_the_window_has_narrow_marks_in_english_only_and_texts_those_of_their_script(
    compared: MainWindow, qtbot: QtBot
) -> None:
    view, (sentences,) = compared.compare_view, compared.compare_view.inspector.findChildren(SentencesView)
    pages = [view.panes[side].findChild(QTextEdit) for side in Side]
    name, hidden = compared.status_line.message, compared.pairs_view.table
    for language, is_narrow in (("en", True), ("zh", False), ("en", True)):
        compared.use_language(language)
        assert narrows(QApplication.font()) is is_narrow
        assert narrows(name.font()) is is_narrow
        # hidden widgets follow in a later turn of the event loop
        qtbot.waitUntil(lambda is_narrow=is_narrow: narrows(hidden.font()) is is_narrow)
        assert not any(narrows(page.document().defaultFont()) for page in pages), "Chinese texts"
        assert not narrows(sentences.document().defaultFont())
