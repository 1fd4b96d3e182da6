"""Pictures as tables: what screen readers read, and what Enter does."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.access.picture_table import PictureTable, PictureTableDialog, PictureTableView
from simcompare.ui.main_window import MainWindow
from tests.gui.class_windows import document_index
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)
ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole


def table_of(picture: QWidget, window: MainWindow, qtbot: QtBot) -> PictureTableDialog:
    """Open the table of a picture with its key."""
    window.activateWindow()
    picture.setFocus()
    qtbot.waitUntil(picture.hasFocus)
    qtbot.keyClick(picture, Qt.Key.Key_T)
    [dialog] = [each for each in window.findChildren(PictureTableDialog) if each.isVisible()]
    return dialog


def words_at(dialog: PictureTableDialog, row: int, column: int) -> str:
    return str(dialog.view.model().index(row, column).data(ACCESSIBLE))


def test_that_the_heatmap_of_a_pair_is_a_table_of_sentences(compared: MainWindow, qtbot: QtBot) -> None:
    compared.workspace.selection.select(0)
    heatmap = compared.compare_view.heatmap
    dialog = table_of(heatmap, compared, qtbot)
    comparison = compared.workspace.comparison
    assert comparison is not None
    model, here = dialog.view.model(), dialog.view.currentIndex()
    sides = comparison.left, comparison.right
    assert [model.rowCount(), model.columnCount()] == [side.prepared.sentence_count for side in sides]
    assert (here.row(), here.column()) == compared.workspace.selection.cell
    sentence = "清晨的河面上飘着一层薄薄的雾。"
    assert (
        words_at(dialog, 1, 3) == f"left 2: {sentence}, right 4: {sentence}, identical, similarity 1.00 (P)"
    )
    assert ", excluded, similarity " in words_at(dialog, 0, 0), "their titles"
    assert ", not similar, similarity " in words_at(dialog, 1, 1)
    spoken = QAccessible.queryAccessibleInterface(dialog.view)
    assert spoken.role() is QAccessible.Role.Table
    assert spoken.text(QAccessible.Text.Name) == "Comparison matrix"
    dialog.view.setCurrentIndex(model.index(0, 0))
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    assert compared.workspace.selection.cell == (0, 0)
    assert not dialog.isVisible()
    qtbot.waitUntil(heatmap.hasFocus)


def test_that_the_pictures_of_a_class_are_tables(school_class: MainWindow, qtbot: QtBot) -> None:
    page = school_class.class_page
    picture = page._picture
    assert picture is not None
    first, copy = (document_index(school_class, name) for name in ("王伟", "赵娜"))
    places = [picture.order.tolist().index(document) for document in (first, copy)]

    shares = table_of(page.maps.map, school_class, qtbot)
    assert words_at(shares, *places) == "王伟, 赵娜, 100%"
    assert words_at(shares, places[0], places[0]) == "王伟, 王伟, –"
    is_left(shares, page.maps.map, qtbot)

    page.maps.graph_button.click()
    links = table_of(page.maps.graph, school_class, qtbot)
    rows = {str(links.view.model().headerData(row, Qt.Orientation.Vertical)) for row in range(2)}
    assert rows == {"王伟", "赵娜"}
    assert "赵娜 100%" in words_at(links, 0, 0) + words_at(links, 1, 0)
    is_left(links, page.maps.graph, qtbot)

    bars = table_of(page.histogram.histogram, school_class, qtbot)
    last = bars.view.model().rowCount() - 1
    assert words_at(bars, last, 0) == "98% or more, Pairs, 1"
    bars.view.setCurrentIndex(bars.view.model().index(last, 0))
    qtbot.keyClick(bars.view, Qt.Key.Key_Return)
    assert school_class.workspace.class_filter.shares is not None
    qtbot.waitUntil(page.histogram.histogram.hasFocus)


def is_left(dialog: QDialog, picture: QWidget, qtbot: QtBot) -> None:
    """Check that Esc closes a dialog and gives the focus back."""
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    qtbot.waitUntil(picture.hasFocus)


def test_that_only_cells_that_are_shown_are_computed(qtbot: QtBot) -> None:
    asked: set[tuple[int, int]] = set()

    def cell(row: int, column: int) -> str:
        asked.add((row, column))
        return f"{row} {column}"

    side = 8_000
    table = PictureTable("large", side, side, str, str, cell, lambda row, column: None, (7_000, 7_000))
    view = PictureTableView(table, lambda row, column: None)
    qtbot.addWidget(view)
    view.resize(800, 500)
    with qtbot.waitExposed(view):
        view.show()
    view.grab()
    assert (7_000, 7_000) in asked
    assert len(asked) < 2_000
    spoken = QAccessible.queryAccessibleInterface(view)
    assert spoken.childCount() >= side * side
    assert len(asked) < 2_000, "the screen reader asks for cells, not the count"
