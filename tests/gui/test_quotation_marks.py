"""Quotation marks: as narrow as Latin ones in English, as wide as a character in Chinese."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.inspector_sentences import SentencesView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.text_labels import ElidedLabel, cell_font, draw_name, name_font
from simcompare.ui.style.theme import FONT_FAMILIES, use_quotes

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


def narrow_font() -> QFont:
    """Font of an English window; skips without a font that the feature changes."""
    font = QFont()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPixelSize(40)
    whole = QFontMetricsF(font).horizontalAdvance("，")
    use_quotes(font, latin=True)
    if QFontMetricsF(font).horizontalAdvance("，") > whole - 10:
        pytest.skip("no font with narrow marks")
    return font


def ink_columns(font: QFont, text: str, flags: Qt.AlignmentFlag) -> list[int]:
    picture = QImage(600, 60, QImage.Format.Format_Grayscale8)
    picture.fill(Qt.GlobalColor.white)
    with QPainter(picture) as painter:
        painter.setFont(font)
        painter.setPen(QColor("black"))
        draw_name(painter, QRect(0, 0, 600, 60), flags, text)
    return [x for x in range(600) if any(picture.pixelColor(x, y).value() < 128 for y in range(60))]


@pytest.mark.parametrize("side", [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight])
def test_that_only_quotation_marks_are_narrow_in_the_names_of_an_english_window(
    application_looks: None, side: Qt.AlignmentFlag
) -> None:
    narrow = narrow_font()
    wide = QFont(narrow)
    use_quotes(wide, latin=False)
    comma, quoted = "进去，出来（一）", "进“去”出来"
    assert ink_columns(narrow, comma, side) == ink_columns(wide, comma, side)
    extents = [ink_columns(font, quoted, side) for font in (narrow, wide)]
    assert extents[0][-1] - extents[0][0] < extents[1][-1] - extents[1][0] - 10


def test_that_a_label_has_the_space_for_its_marks_and_a_table_draws_them(application_looks: None) -> None:
    label, font = ElidedLabel("进去一个人，出来两个人"), narrow_font()
    label.setFont(font)
    wide = QFont(font)
    use_quotes(wide, latin=False)
    assert label.sizeHint().width() >= QFontMetricsF(wide).horizontalAdvance(label.text())
    label.resize(label.sizeHint())
    assert not label.is_shortened
    cell = cell_font(label.text())
    assert cell is not None
    drawn = cell.resolve(font)
    assert QFontMetricsF(drawn).horizontalAdvance("，") == QFontMetricsF(wide).horizontalAdvance("，")
    assert cell_font("“plain” text") is None
