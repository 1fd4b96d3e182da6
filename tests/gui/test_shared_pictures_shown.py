"""Pictures in common in the table of pairs, in the details of a pair and in an opened session."""

from pathlib import Path

import pytest
from PIL import ImageOps
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.ui.cohort.class_table import SIDE_PX, Words
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.workspace_sources import class_snapshot, pair_source
from simcompare.ui.labels import waiting_text
from simcompare.ui.main_window import MainWindow
from tests.gui.pair_table import cells, settle
from tests.gui.session_steps import choose_file, save_to, trigger
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, ENGLISH_PARAGRAPHS
from tests.helpers.formulas import MATHML, OMML, write_docx, write_html
from tests.helpers.shared_pictures import drawing, write_docx_with_pictures

_USUAL_CHOICE_PX = 86
TEXTS = (CHINESE_PARAGRAPHS[:2], CHINESE_PARAGRAPHS[2:], ENGLISH_PARAGRAPHS)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three Word files; the second has the first one's picture, mirrored."""
    pictures = drawing(1), ImageOps.mirror(drawing(1)), drawing(2)
    return [
        write_docx_with_pictures(tmp_path / f"{name}.docx", text, [picture])
        for name, text, picture in zip("abc", TEXTS, pictures, strict=True)
    ]


def shown_pictures(window: MainWindow) -> list[QLabel]:
    button = window.compare_view.header.details_button
    button.details.show_pair(button._pair)
    labels = button.details.findChildren(QLabel)
    return [label for label in labels if not label.pixmap().isNull()]


def test_that_the_table_marks_the_pair_and_says_what_it_means_and_exports_have_it(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files)
    settle(window, qtbot)
    window.pages.show_pairs()
    names = list(zip(cells(window, PairColumn.A), cells(window, PairColumn.B), strict=True))
    model = window.pairs_view.table.model()
    tips = [model.index(row, PairColumn.B).data(Qt.ItemDataRole.ToolTipRole) for row in range(len(names))]
    marked = {pair for pair, tip in zip(names, tips, strict=True) if "1 picture is in both texts." in tip}
    assert marked == {("a.docx", "b.docx")}
    (pair,) = class_snapshot(window.workspace).check(with_notes=True).sharing("pictures")
    assert pair.facts.pictures[0].left.thumbnail


@pytest.fixture
def seven(window: MainWindow, qtbot: QtBot, files: list[Path], tmp_path: Path) -> MainWindow:
    """The window with these files, two that share a misspelling, and two that share a formula."""
    for name, text in zip("de", ("我们因该记得它。", "他因该来看看石桥。"), strict=True):
        files.append(write_docx_with_pictures(tmp_path / f"{name}.docx", [*TEXTS[2], text], []))
    files.append(write_docx(tmp_path / "f.docx", *TEXTS[0], OMML))
    files.append(write_html(tmp_path / "g.html", *TEXTS[1], MATHML))
    window.workspace.documents.add(files)
    settle(window, qtbot)
    window.pages.show_pairs()
    return window


def choose_fact(window: MainWindow, words: str) -> None:
    choice = window.pairs_view.filter.fact
    choice.setCurrentIndex(choice.findText(words))


def test_that_the_table_can_list_only_pairs_with_something_in_common(seven: MainWindow, qtbot: QtBot) -> None:
    assert len(cells(seven, PairColumn.A)) == 21
    for words, names in (
        ("Same pictures", ["a.docx", "b.docx"]),
        ("Same mistakes", ["d.docx", "e.docx"]),
        ("Common ids", []),
        ("Same tables", []),
        ("Same formulas", ["f.docx", "g.html"]),
    ):
        choose_fact(seven, words)
        qtbot.waitUntil(
            lambda names=names: (
                names == [name for column in (PairColumn.A, PairColumn.B) for name in cells(seven, column)]
            )
        )
    seven.pairs_view.filter.clear_button.click()
    assert len(cells(seven, PairColumn.A)) == 21


def test_that_the_class_says_how_many_pairs_have_more_in_common_and_lists_them(
    seven: MainWindow, qtbot: QtBot
) -> None:
    view = seven.pairs_view
    button = view.filter.facts_button
    qtbot.waitUntil(lambda: button.text() == "3 with more in common")
    assert not button.isHidden()
    button.click()
    assert set(cells(seven, PairColumn.B)) == {"b.docx", "e.docx", "g.html"}
    assert button.isHidden()
    assert view.filter.fact.isVisible()
    assert view.filter.fact.hasFocus()
    row = cells(seven, PairColumn.B).index("e.docx")
    tip = view.table.model().index(row, PairColumn.B).data(Qt.ItemDataRole.ToolTipRole)
    assert "Same misspelling: “因该”" in tip
    row = cells(seven, PairColumn.B).index("g.html")
    tip = view.table.model().index(row, PairColumn.B).data(Qt.ItemDataRole.ToolTipRole)
    assert "Same formula: “𝑇_𝑘=" in tip
    view.filter.clear_button.click()
    assert not button.isHidden()


def test_that_a_pair_without_similar_sentences_leads_to_what_else_is_in_common(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files[:2])
    settle(window, qtbot)
    assert "“Details” has what the two files have in common" in waiting_text(window.workspace)
    hint = window.compare_view.inspector._hint
    qtbot.waitUntil(lambda: hint.text() == waiting_text(window.workspace))


@pytest.mark.parametrize(
    ("free_px", "shown"), [(180, "17 common ids"), (170, "17 ids"), (120, "17 ids"), (90, "")]
)
def test_that_a_mark_is_shortened_before_it_cuts_a_name_and_leaves_it_the_half_of_a_cell(
    free_px: int, shown: str
) -> None:
    mark = Words("17 common ids", "17 ids", "muted")
    assert mark.words_beside("name", free_px, lambda text: 10 * len(text)) == shown


def test_that_the_details_show_the_pictures_side_by_side_and_reports_have_them(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files[:2])
    settle(window, qtbot)
    labels = shown_pictures(window)
    assert len(labels) == 2
    assert "nearly the same picture, mirrored" in labels[0].accessibleName()
    left, right = (label.pixmap().toImage() for label in labels)
    right = right.flipped(Qt.Orientation.Horizontal)
    assert left.size() == right.size()
    differences = [
        abs(left.pixelColor(x, y).lightness() - right.pixelColor(x, y).lightness())
        for x in range(0, left.width(), 7)
        for y in range(0, left.height(), 7)
    ]
    assert sum(differences) / len(differences) < 8
    source = pair_source(window.workspace)
    assert source is not None
    assert len(source.freeze(with_notes=True).facts.pictures) == 1


def test_that_a_saved_session_shows_the_pictures_without_the_files(
    window: MainWindow, qtbot: QtBot, files: list[Path], tmp_path: Path
) -> None:
    window.workspace.documents.add(files[:2])
    settle(window, qtbot)
    path = tmp_path / "class.simcompare"
    save_to(window, path, qtbot)
    for file in files:
        file.unlink()
    trigger(window, "open_session")
    choose_file(window, path)
    settle(window, qtbot)
    assert len(shown_pictures(window)) == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_filters_stand_in_one_row_on_a_small_laptop(
    seven: MainWindow, qtbot: QtBot, language: str
) -> None:
    filters = seven.pairs_view.filter
    fields = (filters.text, filters.least, filters.decision, filters.group)
    seven.use_language(language)
    widest = max(filters.fontMetrics().horizontalAdvance(text) for text in ("All decisions", "不限判定"))
    seven.resize(round(1178 * max(1, widest / _USUAL_CHOICE_PX)), 768)  # a wide font gets a wider window
    qtbot.waitUntil(filters.facts_button.isVisible)
    qtbot.waitUntil(lambda: len({field.geometry().center().y() // 4 for field in fields}) == 1)


def test_that_names_stay_whole_while_marks_of_more_in_common_are_cut_or_become_a_sign() -> None:
    marks = Words("2 mistakes", "2 mistakes", "muted", "+")
    for free_px, shown in ((22, "2 mistakes"), (19, "2 mistak…"), (11, "+")):
        assert marks.words_beside("Wardington", free_px + SIDE_PX, len) == shown
