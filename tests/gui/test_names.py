"""Display names of documents: unique, and shortened where they share text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.model.errors import FileNotReadableError
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.documents.document_rows import ROW_ROLE, DocumentRow, _badges_px
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import display_names
from simcompare.ui.style.text_labels import ElidedName, elided_name
from simcompare.ui.style.theme import FONT_FAMILIES
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, RIGHT_TEXT, wait_for_comparison

CLASS = [Path(f"三年级2班_{name}_202301{number}.docx") for name, number in (("李小明", "07"), ("王芳", "12"))]


@pytest.fixture
def handed_in(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with one folder per student, each with a file of the same name."""
    texts = {"李小明": LEFT_TEXT, "王芳": RIGHT_TEXT, "张伟": OTHER_TEXT}
    for student, text in texts.items():
        (tmp_path / student).mkdir()
        (tmp_path / student / "作文.txt").write_text(text, encoding="utf-8")
    window.workspace.documents.add(tmp_path / student / "作文.txt" for student in texts)
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    return window


def listed(window: MainWindow) -> list[str]:
    rows = window.sidebar.documents._view.model()
    return [rows.index(row, 0).data(ROW_ROLE).name for row in range(rows.rowCount())]


def in_header(window: MainWindow) -> list[str]:
    return [name.text() for name in window.compare_view.header.findChildren(ElidedName, "pairName")]


def test_that_files_of_one_name_differ_in_list_header_table_and_receipt(
    handed_in: MainWindow, tmp_path: Path
):
    # files with the same name differ in list and header
    assert listed(handed_in) == ["李小明/作文.txt", "王芳/作文.txt", "张伟/作文.txt"]
    assert in_header(handed_in) == ["李小明", "王芳"], "their students are known"
    handed_in.pages.show_compare()
    assert "李小明 ↔ 王芳" in handed_in.windowTitle()

    # files with the same name are those of students in the table
    handed_in.pages.show_pairs()
    model = handed_in.pairs_view.table.model()
    shown = {
        tuple(model.index(row, column).data() for column in (PairColumn.A, PairColumn.B)) for row in range(3)
    }
    assert shown == {("李小明", "王芳"), ("李小明", "张伟"), ("王芳", "张伟")}
    first = model.index(0, PairColumn.A)
    assert f"{first.data()}/作文.txt" in first.data(Qt.ItemDataRole.ToolTipRole)

    # the receipt shows the folder
    handed_in.receipt.show_receipt(next(iter(handed_in.workspace.documents.entries)))
    assert "李小明/作文.txt" in handed_in.receipt.windowTitle()
    assert str(tmp_path / "李小明") in handed_in.receipt.text.toPlainText()

    # a unique name is shown without its folder
    documents = handed_in.workspace.documents
    documents.remove(list(documents.entries)[1:])
    assert listed(handed_in) == ["作文.txt"]


def shortened(paths: list[Path], width_of: Callable[[QFontMetrics], int]) -> list[str]:
    font = QApplication.font()
    font.setFamilies(FONT_FAMILIES)  # as the window does
    metrics = QFontMetrics(font)
    return [elided_name(metrics, name.text, width_of(metrics), name.shared) for name in display_names(paths)]


def test_that_text_shared_by_the_class_is_shortened_first(chinese_font: None):
    names = shortened(CLASS, lambda metrics: metrics.horizontalAdvance("…级2班_李小明_20230107"))
    assert names[0].endswith("…李小明_20230107")
    assert names[1].endswith("…王芳_20230112")


def test_that_the_student_stays_readable_in_little_space(chinese_font: None):
    names = shortened(CLASS, lambda metrics: metrics.horizontalAdvance("…李小明_…07"))
    assert names == ["…李小明_…07", "…王芳_…112"]


def test_that_a_student_with_year_and_class_is_shortened_from_the_end(chinese_font: None):
    font = QApplication.font()
    font.setFamilies(FONT_FAMILIES)
    metrics = QFontMetrics(font)
    name = "梁俊杰（2026 · 高一5班作文）"
    shown = elided_name(metrics, name, metrics.horizontalAdvance("梁俊杰（2026 · 高一5…"))
    assert shown.startswith("梁俊杰（2026 · ")
    assert shown.endswith("…")
    assert elided_name(metrics, name, metrics.horizontalAdvance("梁俊杰…") + 1) == "梁俊杰…"
    bracketed = "刘静（2025 · 高一（5）班 · 我的老师与我的家乡）"
    shown = elided_name(metrics, bracketed, metrics.horizontalAdvance("刘静（2025 · 高一（5）班…"))
    assert shown.startswith("刘静（2025 · 高一"), "brackets within the details"
    detailed = "Grace Mitchell (2026 · 10B · Essay 1)"
    assert elided_name(metrics, detailed, metrics.horizontalAdvance("G. Mitchell")) == "G. Mitchell"


def test_that_a_shared_ending_is_shortened(chinese_font: None):
    paths = [Path(f"{name}_家乡的石桥终稿.docx") for name in ("李小明", "欧阳雪", "王芳")]
    assert shortened(paths, lambda metrics: metrics.horizontalAdvance("欧阳雪…")) == [
        "李小明…",
        "欧阳雪…",
        "王芳_…",
    ]


def test_that_a_single_different_name_does_not_prevent_shortening(chinese_font: None):
    names = shortened(
        [*CLASS, Path("新建文档.docx")], lambda metrics: metrics.horizontalAdvance("…李小明_…07")
    )
    assert names == ["…李小明_…07", "…王芳_…112", "新建文档.docx"]


@pytest.mark.parametrize("end", ["_", ""])
def test_that_a_file_of_moodle_has_the_student_before_its_own_name(end: str, chinese_font: None):
    folders = [("李明_123456", "file"), ("王芳_123457", "file"), ("李明_123458", "onlinetext")]
    paths = [Path(f"语文.zip/{student}_assignsubmission_{kind}{end}/final.docx") for student, kind in folders]
    paths.append(Path("语文.zip/张伟_123459_assignsubmission_file_作文.docx"))
    labels = ["李明/final.docx", "王芳/final.docx", "李明/final.docx (2)", "张伟/作文.docx"]
    assert [name.text for name in display_names(paths)] == labels
    assert display_names(paths[:1])[0].text == labels[0]
    assert FileNotReadableError(paths[0]).values["name"] == labels[0], "a message names the student, too"


def test_that_a_name_does_not_cover_the_badge_while_its_file_is_read(qapp: QApplication):
    row = DocumentRow(1, "三年级2班_李小明", "reading", "", "left", "")
    assert _badges_px(row, is_active=False) == _badges_px(replace(row, side="right"), is_active=False) > 0
    assert _badges_px(replace(row, side=None), is_active=True) == 0


def test_that_a_name_in_the_least_space_is_its_first_letters_and_not_one_at_each_end(chinese_font: None):
    paths = [Path("2025001_新媒体技术.docx"), Path("2025002-影像叙事学.docx"), Path("20250033.docx")]
    names = shortened(paths, lambda metrics: metrics.horizontalAdvance("新媒…") + 1)
    assert names == ["新媒…", "影像…", "…033"]


def test_that_a_label_of_a_name_has_room_for_four_of_its_letters(qtbot: QtBot, chinese_font: None):
    label = ElidedName()
    qtbot.addWidget(label)
    label.show_name("2025001_新媒体技术.docx", (0, 0))
    least_px = label.minimumSizeHint().width()
    label.show_name("新媒体技术概论.docx", (0, 0))
    assert label.minimumSizeHint().width() > least_px
    label.resize(label.minimumSizeHint())
    assert len(label._shortened().replace("…", "")) == 4
    label.show_name("李明", (0, 0))
    assert label.minimumSizeHint().width() == label.sizeHint().width()


def test_that_a_name_is_cut_only_once_if_even_its_own_part_does_not_fit(qapp: QApplication):
    paths = [Path("suspicious-document00012.txt"), Path("source-document00012.txt")]
    names = shortened(paths, lambda metrics: metrics.horizontalAdvance("suspi…us"))
    assert names[0].count("…") == 1
    assert names[0].startswith("sus")
    assert names[0].endswith("s")


def test_that_a_student_keeps_the_surname_when_space_is_scarce(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())
    shown = {
        width: elided_name(metrics, "Emma van O’Clarke", metrics.horizontalAdvance(width))
        for width in ("Emma van O’Clarke", "E. van O’Clarke", "O’Clarke")
    }
    assert all(width == text for width, text in shown.items())
    assert elided_name(metrics, "Emma Clarke", metrics.horizontalAdvance("Cla…")).startswith("Cl")
