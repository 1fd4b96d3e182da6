"""Window of the manual: the page that F1 opens, search, looks, PDF."""

import importlib
import os
import pkgutil
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QSlider, QWidget
from pytestqt.qtbot import QtBot

import simcompare.ui
from simcompare.support import i18n
from simcompare.support.i18n import LANGUAGES
from simcompare.ui.actions import ShortcutsDialog
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.manual.manual_help import (
    PLACES,
    ManualPlace,
    ManualWindow,
    language_and_page,
    place_of,
    search_url,
    url_of,
)
from simcompare.ui.manual.manual_pages import page_of, pages_of, pdf_of
from simcompare.ui.state.document_listing import Side
from tests.gui import panes
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.test_manual_text import named_entries


def widget_classes(base: type[QWidget]) -> Iterator[type[QWidget]]:
    """Widgets of the program below `base` that are made, and not only inherited from."""
    for each in base.__subclasses__():
        yield from widget_classes(each)
        if each.__module__.startswith("simcompare.ui.") and not each.__name__.startswith("_"):
            yield each


@pytest.fixture(scope="module")
def all_widgets() -> set[type[QWidget]]:
    for module in pkgutil.walk_packages(simcompare.ui.__path__, "simcompare.ui."):
        importlib.import_module(module.name)
    return set(widget_classes(QWidget))


def open_manual(window: MainWindow, qtbot: QtBot, focused: QWidget | None = None) -> ManualWindow:
    qtbot.keyClick(focused or window, Qt.Key.Key_F1)
    assert window.manual.window is not None
    assert window.manual.window.isVisible()
    return window.manual.window


def shown_place(manual: ManualWindow) -> ManualPlace:
    return ManualPlace(language_and_page(manual.view.source())[1], manual.view.source().fragment())


def test_that_every_place_has_a_page_and_a_heading_in_both_languages() -> None:
    for place in PLACES.values():
        for language in LANGUAGES:
            page = page_of(language, place.page)
            assert page in pages_of(language)
            assert not place.anchor or place.anchor in {section.anchor for section in page.sections}


def test_that_every_place_is_a_widget_of_the_program(all_widgets: set[type[QWidget]]) -> None:
    assert set(PLACES) <= {each.__name__ for each in all_widgets}


def test_that_every_dialog_has_a_place_in_the_manual(all_widgets: set[type[QWidget]]) -> None:
    dialogs = [each for each in all_widgets if issubclass(each, QDialog) and not each.__subclasses__()]
    without = [each for each in dialogs if not any(base.__name__ in PLACES for base in each.__mro__)]
    assert len(dialogs) > 12
    assert not without, "name the page of the manual for each dialog in ui/manual/manual_help.py"


def test_that_f1_opens_the_page_of_the_part_of_the_window(four: MainWindow, qtbot: QtBot) -> None:
    manual = open_manual(four, qtbot)
    assert shown_place(manual) == PLACES["ClassPage"]
    four.pages.show_compare()
    assert shown_place(open_manual(four, qtbot, four.compare_view)) == PLACES["CompareView"]
    four.pages.show_library()
    assert shown_place(open_manual(four, qtbot, four.library.page)) == PLACES["LibraryPage"]
    assert four.manual.window is manual


def test_that_f1_on_the_empty_page_opens_the_first_class_at_its_beginning(
    window: MainWindow, qtbot: QtBot
) -> None:
    manual = open_manual(window, qtbot)
    assert manual.view.toPlainText().startswith("Your first class in ten minutes")
    assert manual.windowTitle() == "Your first class in ten minutes – manual of simcompare"
    assert manual.contents.currentItem().text() == "Your first class in ten minutes"
    window.close()
    assert not manual.isVisible()


def test_that_a_list_has_a_more_exact_place_than_its_page(four: MainWindow) -> None:
    page = four.pages.currentWidget()
    assert place_of(four.sidebar.documents, page) == PLACES["DocumentList"]
    assert place_of(four.tool_bar, page) == PLACES["ClassPage"]
    assert place_of(None, page) == PLACES["ClassPage"]


def test_that_f1_in_a_dialog_opens_its_page_and_leaves_the_dialog_open(
    four: MainWindow, qtbot: QtBot
) -> None:
    four.commands.actions["export"].trigger()
    [dialog] = four.findChildren(ExportDialog)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    assert shown_place(open_manual(four, qtbot, dialog)) == PLACES["ExportDialog"]
    assert dialog.isVisible()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_f1_in_a_menu_or_pop_up_of_the_tool_bar_opens_its_section_and_closes_it(
    four: MainWindow, qtbot: QtBot
) -> None:
    bar = four.tool_bar
    for button in (bar.strictness, bar.exclusions, bar.method):
        menu = button.menu()
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        qtbot.waitUntil(menu.isVisible)
        assert shown_place(open_manual(four, qtbot, menu)) == PLACES[type(button).__name__]
        assert not menu.isVisible()
        four.activateWindow()
    bar.strictness.open_sliders()
    slider = bar.strictness.sliders.findChildren(QSlider)[0]
    assert shown_place(open_manual(four, qtbot, slider)) == PLACES["StrictnessButton"]
    assert not bar.strictness.popup.isVisible()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_f1_in_a_context_menu_opens_the_section_of_what_it_belongs_to(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.activateWindow()
    text, passages = panes.page(compared.compare_view.panes[Side.LEFT]), compared.sidebar.passages
    for view, place in ((text, "CompareView"), (passages._table, "PassageList")):
        at, wish = QPoint(5, 5), QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(view.viewport(), QContextMenuEvent(wish, at, view.mapToGlobal(at)))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert shown_place(open_manual(compared, qtbot, menu)) == PLACES[place]
        assert QApplication.activePopupWidget() is None


def test_that_f1_in_a_dialog_that_leaves_the_window_usable_opens_its_page(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.receipt.show_receipt(next(iter(compared.workspace.documents.entries)))
    qtbot.waitUntil(compared.receipt.isActiveWindow)
    assert shown_place(open_manual(compared, qtbot, compared.receipt)) == PLACES["ReceiptDialog"]
    assert compared.receipt.isVisible()


def test_that_f1_in_the_manual_or_its_dialog_keeps_its_page(window: MainWindow, qtbot: QtBot) -> None:
    manual = open_manual(window, qtbot)
    manual.show_place(PLACES["LibraryPage"])
    qtbot.waitUntil(manual.isActiveWindow)
    assert shown_place(open_manual(window, qtbot, manual.view)) == PLACES["LibraryPage"]
    manual.pdf_button.click()
    dialog = manual.findChild(QFileDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    assert shown_place(open_manual(window, qtbot, dialog)) == PLACES["LibraryPage"]


def test_that_f1_in_the_list_of_shortcuts_opens_the_keys(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.actions["shortcuts"].trigger()
    [dialog] = window.findChildren(ShortcutsDialog)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    assert shown_place(open_manual(window, qtbot, dialog)) == ManualPlace("accessibility", "keyboard")


def test_that_the_manual_is_searched_and_read_in_both_languages_and_at_any_width(
    window: MainWindow, qtbot: QtBot
) -> None:
    # the other language of a page is one click away
    manual = open_manual(window, qtbot)
    assert manual.language_button.text() == "中文"
    manual.language_button.click()
    assert manual.view.toPlainText().startswith("十分钟查完第一个班")
    assert manual.contents.item(2).text() == "对照着读一对作文"
    manual.back_button.click()
    assert manual.view.toPlainText().startswith("Your first class")

    # a search lists sections and marks the words on their pages
    manual = open_manual(window, qtbot)
    manual.search.setText("access log")
    qtbot.keyClick(manual.search, Qt.Key.Key_Return)
    assert "The server of a school" in manual.view.toPlainText()
    assert not manual.pdf_button.isEnabled()
    manual.view.setSource(url_of("en", "privacy", "server"))
    marked = {each.cursor.selectedText() for each in manual.view.extraSelections()}
    assert {"access", "log"} <= marked
    manual.search.clear()
    assert not manual.view.extraSelections()

    # a search takes any text literally
    manual = open_manual(window, qtbot)
    for query in ("100% & 50+1 = #x", "%E6", "..."):
        manual.view.setSource(search_url("en", query))
        assert query in manual.view.toPlainText()

    # addresses outside the manual show nothing of them
    manual = open_manual(window, qtbot)
    for address in ("https://example.org/en/privacy.html", "file:///etc/hosts", "manual:/en/../../x.html"):
        manual.view.setSource(address)
        assert manual.view.toPlainText().startswith("simcompare: manual for teachers")

    # a heading is at the top and stays there in another width
    manual = open_manual(window, qtbot)
    manual.show_place(ManualPlace("troubleshooting", "password"))
    for width in (1100, 360):
        manual.resize(width, 500)
        qtbot.waitUntil(lambda: first_line(manual) == "A password")
    assert manual.contents.isHidden()

    # lines and pictures are never wider than the page
    manual = open_manual(window, qtbot)
    qtbot.waitUntil(lambda: manual.view.document().textWidth() == manual.view.viewport().width())
    for width in (1366, 1080, 360):
        manual.resize(width, 600)
        qtbot.waitUntil(lambda: manual.view.horizontalScrollBar().maximum() == 0)
        assert manual.view.document().idealWidth() <= manual.view.viewport().width()


def first_line(manual: ManualWindow) -> str:
    return manual.view.cursorForPosition(manual.view.viewport().rect().topLeft()).block().text()


def test_that_the_manual_follows_language_theme_and_text_size(window: MainWindow, qtbot: QtBot) -> None:
    manual = open_manual(window, qtbot)
    light = manual.view.document().toHtml()
    window.use_theme("dark")
    assert manual.view.document().toHtml() != light
    window.use_language("zh")
    assert manual.view.toPlainText().startswith("十分钟查完第一个班")
    assert manual.search.placeholderText() == "搜索手册"
    before = manual.view.document().defaultFont().pointSizeF()
    window.text_size.step(1)
    larger = manual.view.document().defaultFont().pointSizeF()
    assert larger > before
    window.window_text.use("200")
    assert manual.view.document().defaultFont().pointSizeF() == pytest.approx(2 * larger)
    window.window_text.use("100")
    window.use_language("en")


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_that_the_privacy_sheet_is_saved_as_a_pdf_whose_text_can_be_read(
    qapp: QApplication, tmp_path: Path, language: str, request: pytest.FixtureRequest
) -> None:
    if language == "zh":
        request.getfixturevalue("chinese_font")
    page = page_of(language, "privacy")
    path = tmp_path / "sheet.pdf"
    path.write_bytes(pdf_of(page))
    with pypdfium2.PdfDocument(path) as pdf:
        sheets = [letters(sheet.get_textpage().get_text_bounded()) for sheet in pdf]
        width, height = pdf[0].get_size()
    text = "".join(sheets)
    assert letters(page.title) in text
    assert all(letters(section.heading) in text for section in page.sections)
    assert (round(width), round(height)) == (595, 842)

    # a table of the printed sheet is on one page and no heading ends a page
    headings = [letters(section.heading) for section in page.sections]
    assert not any(sheet.rstrip("0123456789").endswith(heading) for sheet in sheets for heading in headings)
    first_cells = {
        "zh": ("负责的部门和联系人", "程序版本"),
        "en": ("responsible office", "version of the program"),
    }
    pages = {
        number
        for number, sheet in enumerate(sheets)
        for cell in (page.sections[-1].heading, *first_cells[language])
        if letters(cell) in sheet
    }
    assert pages == {len(sheets) - 1}


PRINT = """
import sys
from PySide6.QtWidgets import QApplication
from simcompare.ui.manual.manual_pages import pdf_of
from simcompare.ui.manual.manual_pages import page_of
application = QApplication([])
sys.stdout.buffer.write(pdf_of(page_of("en", "first-class")))
"""


@pytest.mark.parametrize("dpi", ["72", "96"])  # that of macOS and of other systems
def test_that_text_and_pictures_of_a_printed_page_are_between_its_margins_on_any_screen(dpi: str) -> None:
    environment = {**os.environ, "QT_FONT_DPI": dpi}
    printed = subprocess.run(
        [sys.executable, "-c", PRINT], env=environment, check=True, stdout=subprocess.PIPE
    )
    with pypdfium2.PdfDocument(printed.stdout) as pdf:
        pages = [edges_of(sheet) for sheet in pdf]
    left, right = zip(*pages, strict=True)
    margin, width = 2 / 2.54 * 72, 21 / 2.54 * 72
    assert min(left) == pytest.approx(margin, abs=1)
    assert max(right) <= width - margin + 2


def edges_of(sheet: pypdfium2.PdfPage) -> tuple[float, float]:
    """Return the left and right edge of the letters and pictures of a page, in points."""
    text = sheet.get_textpage()
    boxes = [text.get_charbox(place) for place in range(text.count_chars())]
    pictures = sheet.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
    boxes = [box for box in [*boxes, *(each.get_bounds() for each in pictures)] if box[0] < box[2]]
    return min(box[0] for box in boxes), max(box[2] for box in boxes)


def letters(text: str) -> str:
    """Text without blanks; PDF readers take some characters for the radicals that look like them."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def texts_under(menu: QMenu) -> set[str]:
    """Texts of the entries of a menu and its submenus, without mnemonics."""
    entries = [entry for entry in menu.actions() if entry.text()]
    below = [texts_under(sub) for entry in entries if isinstance(sub := QMenu.menuInAction(entry), QMenu)]
    return {plain(entry.text()) for entry in entries}.union(*below)


def plain(text: str) -> str:
    return re.sub(r"\(&.\)|&", "", text)


def test_that_the_manual_names_the_entries_that_the_menus_have(window: MainWindow) -> None:
    for language in LANGUAGES:
        window.use_language(language)
        menus = {plain(bar.text()): texts_under(QMenu.menuInAction(bar)) for bar in window.menus.actions()}
        window.use_language("en")
        named = [(page, menu, entry) for page, menu, entry in named_entries(language) if menu in menus]
        assert len(named) > 10
        assert not [each for each in named if each[2] not in menus[each[1]]]


def test_that_a_language_without_a_manual_has_the_english_one(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "current_language", lambda: "fr")
    manual = open_manual(window, qtbot)
    assert manual.page is not None
    assert manual.page.language == "en"
    assert manual.language_button.text() == "中文"
