"""The page of one essay with all its sources, by mouse and keyboard, and its export."""

from pathlib import Path
from unittest.mock import patch

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.comparison.figures import summary_of
from simcompare.library.entries import StoredEntry
from simcompare.library.search.search import LibraryHit
from simcompare.library.tags import Tag
from simcompare.report.student_report import SOURCE_LOOKS
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.essay_page import EssayPage
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import THEMES
from tests.gui.anonymous_exports import open_anonymous
from tests.gui.class_samples import ESSAYS, NAMES, class_text, write_class
from tests.gui.class_windows import settle_class_page, students
from tests.gui.conftest import add_unless_there
from tests.gui.contrast import contrast
from tests.gui.exporting import choose, open_export, type_into, write
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS
from tests.report.words import WORDS, squeezed

ESSAY, OLD = "刘洋", "旧作.txt"


@pytest.fixture
def mixed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with six students; the fourth has text of the first and of earlier work."""
    paths = write_class(tmp_path)
    paths[3].write_text(class_text("\n".join([ESSAYS[0], ESSAYS[3], ESSAYS[8]])), "utf-8")
    old = tmp_path / OLD
    old.write_text(ESSAYS[8], "utf-8")
    add_unless_there(window, [*paths, old])
    documents = window.workspace.documents.entries
    key = next(key for key, entry in documents.items() if entry.path == old)
    window.workspace.class_state.set_role([key], DocumentRole.OLD)
    settle_class_page(window, qtbot)
    return window


def open_page(window: MainWindow, qtbot: QtBot) -> EssayPage:
    """Double-click the student."""
    view = window.class_page.students
    place = view.visualRect(view.model().index(students(window).index(ESSAY), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=place)
    qtbot.mouseDClick(view.viewport(), LEFT_BUTTON, pos=place)
    return wait_for_sources(window, qtbot)


def wait_for_sources(window: MainWindow, qtbot: QtBot) -> EssayPage:
    page = window.essay_page
    qtbot.waitUntil(
        lambda: (
            page._found is not None and not page._background.is_busy and not page._update_delay.isActive()
        ),
        timeout=TIMEOUT_MS,
    )
    assert window.pages.shows_sources
    return page


def listed(page: EssayPage) -> list[tuple[str, ...]]:
    model = page.table.model_of_rows
    return [tuple(str(model.index(row, at).data()) for at in range(3)) for row in range(len(model.rows))]


def wait_for_pair(window: MainWindow, qtbot: QtBot) -> tuple[str, str]:
    """Wait until a pair is compared in Compare; return the text of both sides of the selected passage."""
    workspace = window.workspace
    qtbot.waitUntil(
        lambda: workspace.comparison is not None and workspace.selection.passage is not None,
        timeout=TIMEOUT_MS,
    )
    assert window.pages.shows_compare
    comparison, passages = workspace.comparison, workspace.passages
    assert comparison is not None
    assert passages is not None
    passage = passages[workspace.selection.passage or 0]
    return passage.left.of(comparison.left.document.text), passage.right.of(comparison.right.document.text)


def test_that_a_double_click_shows_the_essay_with_its_sources(mixed: MainWindow, qtbot: QtBot) -> None:
    page = open_page(mixed, qtbot)
    rows = listed(page)
    assert {row[1:] for row in rows} == {(f"{NAMES[0]} 2025001", "classmate"), (OLD, "earlier work")}
    assert [row[0] for row in rows] == ["1", "2"]
    text = page.text.toPlainText()
    assert ESSAYS[3].split("\n")[0] in text
    assert ESSAY in page.title.text()
    assert ESSAY in mixed.windowTitle()
    assert "in 2 other texts together" in page.result.text()
    assert mixed.workspace.class_filter.is_empty, "the click of the two does not filter the class"

    # a decision on a pair shows at once
    keys = {entry.path.name: key for key, entry in mixed.workspace.documents.entries.items()}
    mixed.workspace.review.decide_pair(page.key, keys[OLD], Decision.FINE)
    qtbot.waitUntil(lambda: "in one other text" in page.result.text(), timeout=TIMEOUT_MS)
    assert {row[2] for row in listed(page)} == {"classmate", "earlier work (marked as no concern)"}


def test_that_a_click_on_a_source_opens_the_pair_and_alt_left_leads_back(
    mixed: MainWindow, qtbot: QtBot
) -> None:
    page = open_page(mixed, qtbot)
    row = [each[1] for each in listed(page)].index(OLD)
    place = page.table.visualRect(page.table.model().index(row, 1)).center()
    qtbot.mouseClick(page.table.viewport(), LEFT_BUTTON, pos=place)
    own, other = wait_for_pair(mixed, qtbot)
    assert own[:20] == other[:20] == ESSAYS[8][:20]
    assert mixed.workspace.documents.sides[Side.LEFT] == page.key
    mixed.activateWindow()
    qtbot.keyClick(mixed, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert mixed.pages.shows_sources

    # the keyboard does the same
    page.table.setFocus()
    page.table.select_row(1 - row)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: wait_for_pair(mixed, qtbot)[0][:20] == ESSAYS[0][:20], timeout=TIMEOUT_MS)

    # from the page itself the way leads to the class
    qtbot.keyClick(mixed, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(mixed, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert mixed.pages.currentWidget() is mixed.class_page


def test_that_a_click_on_a_stretch_opens_the_pair_at_its_passage(mixed: MainWindow, qtbot: QtBot) -> None:
    page = open_page(mixed, qtbot)
    cursor = page.text.document().find(ESSAYS[8][4:14])
    assert not cursor.isNull()
    cursor.setPosition(cursor.selectionStart() + 3, QTextCursor.MoveMode.MoveAnchor)
    page.text.setTextCursor(cursor)
    page.text.ensureCursorVisible()
    middle = page.text.cursorRect(cursor).center() + QPoint(2, 0)
    assert page.text.anchorAt(middle).startswith("stretch:")
    qtbot.mouseClick(page.text.viewport(), LEFT_BUTTON, pos=middle)
    own, other = wait_for_pair(mixed, qtbot)
    assert own[:20] == other[:20] == ESSAYS[8][:20]


def test_that_a_hit_of_the_library_is_listed_and_opened(mixed: MainWindow, qtbot: QtBot) -> None:
    page = open_page(mixed, qtbot)
    entry = StoredEntry(7, "2023.docx", "", 500, "zh", "2024-01-01T00:00:00+00:00", (Tag("year", "2023"),))
    summary = summary_of(mixed.workspace.pairs.table.rows[0])
    search = mixed.library.search
    search.hits = {page.key: [LibraryHit(entry, summary, "", is_same_file=False, same_text=7)]}
    search._emit_changed()
    qtbot.waitUntil(lambda: len(listed(page)) == 3, timeout=TIMEOUT_MS)
    number, label, kind = listed(page)[-1]
    assert (number, kind) == ("", "library")
    assert label.startswith("2023.docx (Year: 2023")
    assert "have no colour" in page.remarks.text()
    place = page.table.visualRect(page.table.model().index(2, 1)).center()
    with (
        patch.object(mixed.library.state, "restore") as restore,
        qtbot.waitSignal(page.hit_requested, timeout=TIMEOUT_MS),
    ):
        qtbot.mouseClick(page.table.viewport(), LEFT_BUTTON, pos=place)
    assert restore.call_args.args[0] == 7


def test_that_the_page_follows_language_theme_and_removal(mixed: MainWindow, qtbot: QtBot) -> None:
    mixed.class_page.students.select_row(students(mixed).index(ESSAY))
    mixed.class_page.students.sources_action.trigger()  # as from the context menu
    page = wait_for_sources(mixed, qtbot)
    assert mixed.class_page.students.actions()[0] is mixed.class_page.students.sources_action
    mixed.use_language("zh")
    assert "篇文档中" in page.result.text()
    assert {row[2] for row in listed(page)} == {"同学", "往届作文"}
    for theme in ("dark", "light"):
        mixed.use_theme(theme)
        cursor = page.text.document().find(ESSAYS[8][4:14])
        look = SOURCE_LOOKS[theme][int(listed(page)[-1][0]) - 1]
        tints = {each.tint for each in SOURCE_LOOKS[theme][:2]}
        assert look.tint in tints
        assert cursor.charFormat().background().color().name() in tints
        assert cursor.charFormat().foreground().color().name() == THEMES[theme].ink
    mixed.use_language("en")
    mixed.workspace.documents.remove([page.key])
    qtbot.waitUntil(lambda: not mixed.pages.shows_sources, timeout=TIMEOUT_MS)


def test_that_the_report_of_the_page_is_exported(mixed: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    page = open_page(mixed, qtbot)
    dialog = open_export(mixed, qtbot)
    assert dialog.source.key == "student"
    assert dialog.name.line.text() == f"{ESSAY} – sources"
    choose(dialog.form, ".pdf", qtbot)
    type_into(dialog, qtbot, folder=tmp_path)
    write(mixed, dialog, qtbot)
    [path] = tmp_path.glob("*.pdf")
    words = WORDS[".pdf"](path.read_bytes())
    assert squeezed(page.result.text()) in words
    assert squeezed(OLD) in words

    dialog = open_anonymous(mixed, qtbot)
    choose(dialog.form, ".html", qtbot)
    assert dialog.name.line.text().startswith("Student")
    type_into(dialog, qtbot, folder=tmp_path)
    write(mixed, dialog, qtbot)
    [path] = tmp_path.glob("Student*.html")
    assert not [name for name in NAMES if name in path.read_text("utf-8")]


def test_that_a_selected_student_is_offered_in_the_class(mixed: MainWindow, qtbot: QtBot) -> None:
    view = mixed.class_page.students
    place = view.visualRect(view.model().index(students(mixed).index(ESSAY), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT_BUTTON, pos=place)
    dialog = open_export(mixed, qtbot)
    assert "All sources of 刘洋" in [each.text() for each in dialog.source_field.buttons]
    dialog.reject()
    QApplication.processEvents()


@pytest.mark.parametrize("theme", SOURCE_LOOKS)
def test_that_numbers_and_text_can_be_read_on_the_colours(theme: str) -> None:
    for look in SOURCE_LOOKS[theme]:
        assert contrast(look.ink, look.tint) >= 4.5
        assert contrast(THEMES[theme].ink, look.tint) >= 4.5
