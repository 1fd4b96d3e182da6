"""Kinship of Word files in the table of pairs and in the details of a pair."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.ui.access.rows_table import NO_FIGURE
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.workspace_sources import class_snapshot, pair_source
from simcompare.ui.main_window import MainWindow
from tests.gui.pair_table import cells, settle
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, ENGLISH_PARAGRAPHS
from tests.helpers.word_sessions import write_edited_docx

IDS = ["00B11111", "00B22222", "00B33333"]
TEXTS = (CHINESE_PARAGRAPHS, CHINESE_PARAGRAPHS[:1], ENGLISH_PARAGRAPHS)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three Word files, the first two written in one file."""
    facts = {"creator": "李小明", "TotalTime": "95", "Template": "作业模板.dotx"}
    return [
        write_edited_docx(tmp_path / f"{name}.docx", CHINESE_TITLE, text, ids, **facts)
        for name, text, ids in zip("abc", TEXTS, (IDS, [*IDS, "00B44444"], ["00C11111"]), strict=True)
    ]


def details_of(window: MainWindow) -> list[str]:
    button = window.compare_view.header.details_button
    button.details.show_pair(button._pair)
    return [label.text() for label in button.details.findChildren(QLabel)]


def test_that_the_table_marks_the_pairs_whose_files_share_ids_and_can_show_their_number(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files)
    settle(window, qtbot)
    window.pages.show_pairs()
    assert sorted(cells(window, PairColumn.COMMON_IDS)) == ["3", NO_FIGURE, NO_FIGURE]
    row = cells(window, PairColumn.COMMON_IDS).index("3")
    assert [cells(window, column)[row] for column in (PairColumn.A, PairColumn.B)] == ["a.docx", "b.docx"]
    cell = window.pairs_view.table.model().index(row, PairColumn.B)
    assert "The files share 3 editing ids: parts" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert "The files share 3 editing ids: parts" in cell.data(Qt.ItemDataRole.AccessibleTextRole)


def test_that_the_details_of_a_pair_have_the_facts_of_both_files(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files[:2])
    settle(window, qtbot)
    shown = details_of(window)
    place = shown.index("Editing time")
    assert shown[place : place + 3] == ["Editing time", "95 minutes", "95 minutes"]
    assert any("The files share 3 editing ids: parts of both" in text for text in shown)
    description = window.compare_view.header.details_button.details.accessibleDescription()
    assert "Template: 作业模板.dotx, 作业模板.dotx\n" in description
    source = pair_source(window.workspace)
    assert source is not None
    assert source.freeze(with_notes=True).facts.kinship is not None


def test_that_details_without_facts_have_no_rows_for_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for name, text in zip("ab", TEXTS, strict=False):
        (tmp_path / f"{name}.txt").write_text("\n".join(text), "utf-8")
    window.workspace.documents.add(sorted(tmp_path.glob("*.txt")))
    settle(window, qtbot)
    shown = details_of(window)
    assert "Editing time" not in shown
    assert not any("Anyone can change it" in text for text in shown)


def test_that_exports_of_the_class_have_the_kinship(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    window.workspace.documents.add(files)
    settle(window, qtbot)
    check = class_snapshot(window.workspace).check(with_notes=True)
    (pair,) = check.sharing("kinship")
    kinship = pair.facts.kinship
    assert (pair.left, pair.right, kinship.shared_ids) == (0, 1, 3)
