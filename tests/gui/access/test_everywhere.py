"""Names for screen readers, sizes of targets, and keys, in every part of the window."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QSplitterHandle,
    QWidget,
)
from pytestqt.qtbot import QtBot

from simcompare.ui.access.picture_table import Painted
from simcompare.ui.main_window import MainWindow
from tests.gui.access.pages import dialogs, interactive, pages, settle
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = [pytest.mark.one_window, pytest.mark.qt_log_ignore(NO_POPUPS)]

_WITH_CELLS = (QAccessible.Role.Table, QAccessible.Role.List, QAccessible.Role.Tree)
LEAST_TARGET_PX = 24  # WCAG 2.2, 2.5.8


def described(widget: QWidget) -> str:
    parent = widget.parentWidget()
    return f"{type(widget).__name__} {widget.objectName()} in {type(parent).__name__}"


def spoken_name(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()


def test_that_everything_that_can_be_used_has_a_name_in_pages_and_dialogs(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    for language in ("en", "zh"):
        school_class.use_language(language)
        nameless: list[str] = []
        for name, page in pages(school_class, qtbot):
            nameless += [f"{name}: {described(each)}" for each in interactive(page) if not spoken_name(each)]
        for name, dialog in dialogs(school_class, qtbot):
            nameless += [
                f"{name}: {described(each)}" for each in interactive(dialog) if not spoken_name(each)
            ]
            dialog.reject()
        assert nameless == []


def tree(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Yield what a screen reader finds below an object, without what is hidden and cells of tables."""
    for index in range(interface.childCount()):
        child = interface.child(index)
        if child is None or not child.isValid() or child.state().invisible:
            continue
        yield child
        if child.role() not in _WITH_CELLS:
            yield from tree(child)


def test_that_a_screen_reader_finds_a_name_and_a_role_for_every_control(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    found: list[str] = []
    for name, page in pages(school_class, qtbot):
        controls = 0
        for part in tree(QAccessible.queryAccessibleInterface(page)):
            if not part.state().focusable:
                continue
            controls += 1
            spoken = part.text(QAccessible.Text.Name).strip()
            has_role = part.role() not in (QAccessible.Role.NoRole, QAccessible.Role.Client)
            if not spoken or not has_role:
                described_part = described(part.object()) if isinstance(part.object(), QWidget) else ""
                found.append(f"{name}: {part.role().name} “{spoken}” {described_part}")
        assert controls > 10, name
    assert found == []


def test_that_what_is_painted_is_a_named_graphic_with_a_description(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    described_parts: set[str] = set()
    for _name, page in pages(school_class, qtbot):
        for painted in filter(QWidget.isVisible, page.findChildren(Painted)):
            spoken = QAccessible.queryAccessibleInterface(painted)
            assert spoken.role() is QAccessible.Role.Graphic
            assert spoken.text(QAccessible.Text.Name), described(painted)
            if painted.focusPolicy() is not Qt.FocusPolicy.NoFocus:
                assert spoken.text(QAccessible.Text.Description), described(painted)
                described_parts.add(type(painted).__name__)
    assert described_parts == {"EssayMap", "FingerprintStrip", "HeatmapView", "ShareHistogram"}


def too_small(root: QWidget) -> list[str]:
    """Targets below the least size: controls, and rows and headings of tables."""
    found = [each for each in interactive(root) if not isinstance(each, QAbstractItemView)]
    # the button that clears a field has another way: select all and delete
    found = [each for each in found if not isinstance(each.parentWidget(), QLineEdit)]
    small = [described(each) for each in found if min(each.width(), each.height()) < LEAST_TARGET_PX]
    for view in root.findChildren(QAbstractItemView):
        rows = view.model().rowCount() if view.isVisible() and view.model() is not None else 0
        heights = [view.visualRect(view.model().index(row, 0)).height() for row in range(min(rows, 9))]
        small += [f"row of {described(view)}" for height in heights if 0 < height < LEAST_TARGET_PX]
    for header in root.findChildren(QHeaderView):
        is_clicked = header.isVisible() and header.orientation() is Qt.Orientation.Horizontal
        small += [described(header)] if is_clicked and header.height() < LEAST_TARGET_PX else []
    return small


def test_that_targets_are_large_enough(school_class: MainWindow, qtbot: QtBot) -> None:
    small: list[str] = []
    for name, page in pages(school_class, qtbot):
        small += [f"{name}: {each}" for each in too_small(page)]
    for name, dialog in dialogs(school_class, qtbot):
        small += [f"{name}: {each}" for each in too_small(dialog)]
        dialog.reject()
    assert small == []


def test_that_esc_leaves_every_dialog_and_gives_the_focus_back(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.activateWindow()
    qtbot.waitUntil(school_class.isActiveWindow)
    before = school_class.class_page.students
    before.setFocus()
    for name, dialog in dialogs(school_class, qtbot):
        qtbot.waitUntil(dialog.isActiveWindow)
        qtbot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible(), name
        assert school_class.focusWidget() is before, name


def test_that_keys_move_the_borders_between_the_parts(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.activateWindow()
    qtbot.waitUntil(school_class.isActiveWindow)
    before = school_class.class_page.students
    before.setFocus()
    handles = {each for each in school_class.findChildren(QSplitterHandle) if each.isVisible()}
    school_class.commands.actions["borders"].trigger()
    seen = []
    for _border in handles:
        here = QApplication.focusWidget()
        assert isinstance(here, QSplitterHandle)
        seen.append(here)
        start = here.mapTo(school_class, QPoint(0, 0))
        for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
            qtbot.keyClick(here, key)
            settle(qtbot)
        moved = here.mapTo(school_class, QPoint(0, 0))
        assert moved != start, "16 px to the left or up"
        assert spoken_name(here).startswith("Border ")
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    assert set(seen) == handles
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert before.hasFocus()
