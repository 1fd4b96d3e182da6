"""Earlier work, templates and class lists in the window."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.session.school_class import DocumentRole
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.documents.class_files import ClassListDialog
from simcompare.ui.documents.drop_and_paste import PasteDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.cohort.class_filter import ShareRange
from tests.gui.class_samples import (
    ABSENT,
    DECLARATION,
    ESSAYS,
    NAMES,
    QUESTION,
    class_text,
    pairs_of,
    settle_class,
    write_class,
    write_draft,
    write_roster,
)
from tests.gui.conftest import wait_for_comparison
from tests.gui.document_rows import click_row, view
from tests.gui.exclusion_samples import button_of
from tests.gui.pair_table import TIMEOUT_MS, cells
from tests.gui.session_steps import drop
from tests.helpers.archives import write_zip

CURRENT, DRAFT, OLD, TEMPLATE = DocumentRole


@pytest.fixture
def class_window(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with the essays of four students, keys 1 to 4."""
    drop(window, *write_class(tmp_path, 4))
    settle_class(window.workspace, qtbot)
    return window


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Folder with two essays of another year."""
    folder = tmp_path / "2024"
    folder.mkdir()
    for number in (6, 7):
        (folder / f"旧作{number}.txt").write_text(class_text(ESSAYS[number]), "utf-8")
    return folder


def choose_in_dialog(window: MainWindow, command: str, path: Path) -> None:
    window.commands.actions[command].trigger()
    dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    dialog.setDirectory(str(path.parent))
    dialog.selectFile(str(path))
    dialog.accept()


def roles(window: MainWindow) -> dict[int, DocumentRole]:
    return {key: window.workspace.class_state.role_of(key) for key in window.workspace.documents.entries}


def names(window: MainWindow) -> list[str]:
    model = view(window.sidebar.documents).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def spoken_as_earlier(window: MainWindow) -> list[str]:
    """Return the cells of the table of pairs that say that a document is earlier work."""
    model, role = window.pairs_view.table.model(), Qt.ItemDataRole.AccessibleTextRole
    cells = (model.index(row, column).data(role) for row in range(model.rowCount()) for column in (0, 1))
    return [text for text in cells if text.endswith(", earlier work")]


def first_share(window: MainWindow) -> float:
    return float(window.workspace.pairs.table.rows["after_exclusions_left_in_right"][0])


def test_that_a_draft_is_folded_below_the_essay_of_its_student(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(class_window, write_draft(tmp_path))
    settle_class(class_window.workspace, qtbot)
    assert len(names(class_window)) == 4
    assert roles(class_window)[5] is DRAFT
    class_window.sidebar.documents.select_next([5])
    assert names(class_window)[:2] == ["2025001-王伟.txt", "2025001-王伟-初稿.txt"]


def test_that_who_quotes_what_another_copied_is_told_from_that_one_and_in_no_group(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    source = "石桥下面的水在夏天总是很浅，我们常常卷起裤腿去摸田螺。爷爷坐在桥头，一边编竹篮一边看着我们。"
    texts = f"王小明在《石桥》里写道：\n“{source}”", source
    for name, own, text in zip(("孙丽", "胡军"), ESSAYS[4:], texts, strict=False):
        file = tmp_path / f"{name}.txt"
        file.write_text(f"{own}\n{text}\n", "utf-8")
        drop(class_window, file)
    class_window.workspace.class_state.set_limit(0.05)
    settle_class(class_window.workspace, qtbot)
    model, role = class_window.pairs_view.table.model(), Qt.ItemDataRole.AccessibleTextRole
    assert [model.index(0, column).data(role) for column in (0, 1)] == ["A: 孙丽, excluded", "B: 胡军"]
    assert set(cells(class_window, PairColumn.GROUP)) == {"–"}


def test_that_two_versions_of_one_student_are_both_listed_if_there_is_no_class(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, *write_class(tmp_path, 2), write_draft(tmp_path))
    settle_class(window.workspace, qtbot)
    assert names(window) == ["2025001-王伟.txt", "2025002-李芳.txt"]
    window.workspace.documents.remove([2])
    assert names(window) == ["2025001-王伟.txt", "2025001-王伟-初稿.txt"]


def test_that_a_folder_of_earlier_work_is_compared_with_the_class_alone(
    class_window: MainWindow, earlier: Path, qtbot: QtBot
) -> None:
    choose_in_dialog(class_window, "add_old_folder", earlier)
    settle_class(class_window.workspace, qtbot)
    assert [roles(class_window)[key] for key in (1, 5, 6)] == [CURRENT, OLD, OLD]
    assert (5, 6) not in pairs_of(class_window.workspace)
    assert {(1, 5), (4, 6)} <= pairs_of(class_window.workspace)
    assert names(class_window)[-1] == "2024"
    assert len(spoken_as_earlier(class_window)) == 2 * 4
    assert not class_window.workspace.history.canUndo(), "like any files that are added"


def test_that_an_archive_of_earlier_work_is_marked_with_its_name(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    members = {f"{name}/作文.txt": class_text(ESSAYS[7]).encode() for name in NAMES[4:8]}
    choose_in_dialog(class_window, "add_old", write_zip(tmp_path / "2023届.zip", members))
    settle_class(class_window.workspace, qtbot)
    assert list(roles(class_window).values()).count(OLD) == 4
    assert names(class_window)[-1] == "2023届.zip"


def test_that_the_texts_of_an_earlier_session_are_added_without_their_files(
    class_window: MainWindow, earlier: Path, qtbot: QtBot, tmp_path: Path, another_window
) -> None:
    before = another_window()
    (earlier / "z题目.txt").write_text(QUESTION, "utf-8")
    drop(before, *sorted(earlier.iterdir()))
    settle_class(before.workspace, qtbot)
    before.workspace.class_state.set_role([3], TEMPLATE)
    session = tmp_path / "2024届.simcompare"
    with qtbot.waitSignal(before.sessions.keeper.saved):
        before.sessions.keeper.save(session)
    for file in earlier.iterdir():
        file.unlink()
    choose_in_dialog(class_window, "add_old", session)
    qtbot.waitUntil(lambda: len(roles(class_window)) == 6)
    settle_class(class_window.workspace, qtbot)
    assert [roles(class_window)[key] for key in (5, 6)] == [OLD, OLD]
    assert len(pairs_of(class_window.workspace)) == 6 + 2 * 4


def test_that_a_file_that_is_no_session_or_class_list_says_why(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    # a file that is no session says why
    broken = tmp_path / "2024.simcompare"
    broken.write_bytes(b"no session")
    with qtbot.waitSignal(class_window.workspace.noticed):
        choose_in_dialog(class_window, "add_old", broken)
    assert "2024.simcompare" in class_window.notice.label.text()
    assert len(roles(class_window)) == 4

    # a file that is no class list says why
    wrong = tmp_path / "names.csv"
    wrong.write_text("", "utf-8")
    with qtbot.waitSignal(class_window.workspace.noticed):
        choose_in_dialog(class_window, "add_roster", wrong)
    assert "names.csv" in class_window.notice.label.text()

    # many who have not handed in are counted
    choose_in_dialog(class_window, "add_roster", write_roster(tmp_path, 9))
    words = "In 名单.csv: 10 students, 6 have not handed in."
    qtbot.waitUntil(lambda: class_window.notice.label.text() == words)


def test_that_a_pasted_question_becomes_a_template(class_window: MainWindow, qtbot: QtBot) -> None:
    class_window.commands.actions["paste_text"].trigger()
    (dialog,) = class_window.findChildren(PasteDialog)
    dialog.text.setPlainText(f"{QUESTION}\n{DECLARATION}")
    workspace = class_window.workspace
    # of four essays, equal lines of a form are left out without a template, too
    workspace.set_settings(replace(workspace.settings, exclude_common=False))
    settle_class(workspace, qtbot)
    assert first_share(class_window) > 0
    qtbot.mouseClick(dialog.template_box, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    settle_class(class_window.workspace, qtbot)
    assert roles(class_window)[5] is TEMPLATE
    assert len(pairs_of(class_window.workspace)) == 6
    qtbot.waitUntil(lambda: first_share(class_window) == 0, timeout=TIMEOUT_MS)


def test_that_a_role_chosen_in_the_menu_is_undone(class_window: MainWindow, qtbot: QtBot) -> None:
    documents = class_window.sidebar.documents
    click_row(documents, qtbot, 1)
    click_row(documents, qtbot, 2, Qt.KeyboardModifier.ControlModifier)
    documents.role_menu.roles[TEMPLATE].trigger()
    settle_class(class_window.workspace, qtbot)
    assert [roles(class_window)[key] for key in (1, 2, 3, 4)] == [CURRENT, TEMPLATE, TEMPLATE, CURRENT]
    assert names(class_window)[2:] == ["2025002-李芳.txt", "2025003-张敏.txt"]
    tick = button_of(class_window).ticks[ExclusionReason.PROMPT]
    assert tick.text().startswith("2025002-李芳.txt and 1 more")
    assert tick.isChecked()
    class_window.workspace.history.undo()
    assert set(roles(class_window).values()) == {CURRENT}


def test_that_undoing_a_role_keeps_earlier_work_added_since(
    class_window: MainWindow, earlier: Path, qtbot: QtBot
) -> None:
    class_window.workspace.class_state.set_role([1], TEMPLATE)
    class_window.workspace.earlier_work.add([earlier])
    qtbot.waitUntil(lambda: len(roles(class_window)) == 6)
    class_window.workspace.history.undo()
    assert [roles(class_window)[key] for key in (1, 5, 6)] == [CURRENT, OLD, OLD]


def test_that_of_two_students_of_one_name_the_missing_one_is_named_with_the_number(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    roster = write_roster(tmp_path, 4)
    roster.write_text(f"{roster.read_text('utf-8')}\n2025041,{NAMES[0]}", "utf-8")
    choose_in_dialog(class_window, "add_roster", roster)
    words = f"Not handed in: {ABSENT}, {NAMES[0]} 2025041."
    qtbot.waitUntil(lambda: class_window.notice.label.text().endswith(words))


def test_that_a_class_list_has_one_notice_that_follows_who_is_missing(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    # a class list has one notice and shows who is missing
    choose_in_dialog(class_window, "add_roster", write_roster(tmp_path, 4))
    words = f"In 名单.csv: 5 students. Not handed in: {ABSENT}."
    qtbot.waitUntil(lambda: class_window.notice.label.text() == words)
    assert len(roles(class_window)) == 4
    assert names(class_window)[-1] == "名单.csv"
    qtbot.mouseClick(class_window.notice.show_button, Qt.MouseButton.LeftButton)
    (dialog,) = class_window.findChildren(ClassListDialog)
    model = dialog.table.model()
    first, second = ([model.index(row, column).data() for column in range(3)] for row in range(2))
    assert first == ["2025005", ABSENT, "Not handed in"]
    assert second == ["2025001", NAMES[0], "2025001-王伟.txt"]
    assert dialog.remove_button.text() == "Stop using this list"
    qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: names(class_window)[-1] != "名单.csv")
    assert not class_window.workspace.class_state.rosters
    qtbot.waitUntil(lambda: not class_window.notice.isVisible())

    # the notice of a class list follows who has handed in
    notice = class_window.notice
    choose_in_dialog(class_window, "add_roster", tmp_path / "名单.csv")
    qtbot.waitUntil(lambda: notice.label.text().endswith(f"Not handed in: {ABSENT}."))
    click_row(class_window.sidebar.documents, qtbot, 1)
    class_window.sidebar.documents.role_menu.roles[OLD].trigger()
    qtbot.waitUntil(lambda: notice.label.text().endswith(f"Not handed in: {NAMES[1]}, {ABSENT}."))
    qtbot.mouseClick(notice.dismiss_button, Qt.MouseButton.LeftButton)
    class_window.workspace.history.undo()
    settle_class(class_window.workspace, qtbot)
    assert not notice.isVisible()


def test_that_a_reopened_session_has_no_notice_on_its_class_list(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot, another_window: Callable[..., MainWindow]
) -> None:
    choose_in_dialog(class_window, "add_roster", write_roster(tmp_path, 4))
    qtbot.waitUntil(class_window.notice.isVisible)
    session = tmp_path / "三班.simcompare"
    with qtbot.waitSignal(class_window.sessions.keeper.saved):
        class_window.sessions.keeper.save(session)
    reopened = another_window(str(session))
    qtbot.waitUntil(lambda: bool(reopened.workspace.class_state.rosters))
    settle_class(reopened.workspace, qtbot)
    reopened.workspace.documents.choose_pair(1, 2)
    reopened.pages.show_compare()
    wait_for_comparison(reopened, qtbot)
    assert not reopened.notice.isVisible()
    late = tmp_path / "选修名单.csv"
    late.write_text("学号,姓名\n2025777,周末", "utf-8")
    choose_in_dialog(reopened, "add_roster", late)
    qtbot.waitUntil(reopened.notice.isVisible)
    assert "选修名单" in reopened.notice.label.text(), "a new one is announced"


def test_that_a_reopened_session_lists_the_pairs_it_listed(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot, another_window: Callable[..., MainWindow]
) -> None:
    chosen, table = class_window.workspace.class_filter, class_window.pairs_view
    class_window.pages.show_pairs()
    chosen.show_documents([2, 3, 4])
    chosen.show_shares(ShareRange(0.0, 0.9))
    table.filter.text.insert(NAMES[2])
    listed = table.table.model().rowCount()
    assert listed == 2
    session = tmp_path / "三班.simcompare"
    with qtbot.waitSignal(class_window.sessions.keeper.saved):
        class_window.sessions.keeper.save(session)
    reopened = another_window(str(session))
    qtbot.waitUntil(lambda: len(roles(reopened)) == 4)
    settle_class(reopened.workspace, qtbot)
    restored = reopened.workspace.class_filter
    assert (restored.documents, restored.shares) == (chosen.documents, chosen.shares)
    assert reopened.pairs_view.filter.text.text() == NAMES[2]
    qtbot.waitUntil(lambda: reopened.pairs_view.table.model().rowCount() == listed)
    reopened.sessions.reset()
    assert not reopened.pairs_view.filter.text.text()


def test_that_a_class_list_dropped_with_the_essays_is_no_essay_but_can_be_read_as_one(
    class_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    state = class_window.workspace.class_state
    grouped = set[int]()
    documents_changed = class_window.workspace.documents_changed
    documents_changed.connect(lambda: grouped.update(file[0] for file in state._all_submitted().files))
    drop(class_window, write_roster(tmp_path, 4))
    qtbot.waitUntil(lambda: bool(class_window.workspace.class_state.rosters))
    assert names(class_window)[4:] == ["名单.csv"]
    settle_class(class_window.workspace, qtbot)
    assert grouped == {1, 2, 3, 4}, "it was no essay of a student while it was read either"
    assert len(roles(class_window)) == 4
    documents = class_window.sidebar.documents
    click_row(documents, qtbot, 4)
    documents.essay_action.trigger()
    qtbot.waitUntil(lambda: len(roles(class_window)) == 5)
    assert not class_window.workspace.class_state.rosters


def test_that_the_class_list_of_an_earlier_year_is_not_that_of_the_class(
    class_window: MainWindow, earlier: Path, qtbot: QtBot
) -> None:
    write_roster(earlier)
    class_window.workspace.earlier_work.add([earlier])
    settle_class(class_window.workspace, qtbot)
    assert list(roles(class_window).values()).count(OLD) == 2
    assert not class_window.workspace.class_state.rosters


def test_that_the_dialogs_show_archives_class_lists_and_sessions(window: MainWindow) -> None:
    def shown(command: str) -> str:
        window.commands.actions[command].trigger()
        dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
        filters = dialog.nameFilters()
        dialog.reject()
        return filters[0]

    assert all(f"*.{suffix}" in shown("add") for suffix in ("docx", "pages", "zip", "csv", "xlsx"))
    assert all(f"*.{suffix}" in shown("add_old") for suffix in ("docx", "zip", "simcompare"))
    assert all(f"*.{suffix}" in shown("add_roster") for suffix in ("csv", "xlsx", "txt"))
