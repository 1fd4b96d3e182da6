"""Short texts that several views show."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from simcompare.ui.documents.document_rows import texts_of
from simcompare.ui.documents.receipt_dialog import receipt_page
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.text_labels import as_tooltip
from simcompare.ui.style.theme import LIGHT
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, Essay, wait_for_comparison


def test_that_short_tooltips_are_not_wrapped() -> None:
    assert as_tooltip("王伟华 0% · 袁强 0%") == '<p style="white-space:pre">王伟华 0% · 袁强 0%</p>'
    assert "pre-wrap" in as_tooltip(
        "每行、每列各为一篇作文，顺序相同，格子颜色越深，该行作文中与该列作文相同的内容越多。"
    )
    assert as_tooltip("") == ""


def test_that_invisible_characters_are_explained_where_they_are_named(
    window: MainWindow, essay: Essay, qtbot: QtBot, tmp_path: Path
) -> None:
    hidden = essay("hidden.txt", "\u200b".join(LEFT_TEXT))
    window.workspace.documents.add([hidden, essay("plain.txt", OTHER_TEXT)])
    wait_for_comparison(window, qtbot)
    document = window.workspace.documents.entries[1].prepared_document
    assert document is not None
    _detail, doubt, tip = texts_of(document)
    assert doubt.startswith("zero-width characters")
    assert "can hide copied text" in tip
    page = receipt_page(document.document, LIGHT)
    assert "can hide copied text" in page
    assert "Ask the student" in page


def test_that_compare_names_the_students_of_a_class(school_class: MainWindow) -> None:
    school_class.pages.show_compare()
    names = school_class.compare_view.header._names
    assert [name.text for name in names] == ["王伟", "李芳"]


def test_that_the_limit_has_the_focus_when_the_proposed_one_is_chosen(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    panel = school_class.class_page.histogram
    panel.limit_box.setValue(40)
    school_class.activateWindow()
    panel.proposed_button.setFocus()
    panel.proposed_button.click()
    assert not panel.proposed_button.isVisible()
    assert school_class.focusWidget() is panel.limit_box
