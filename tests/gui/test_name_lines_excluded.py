"""Lines with class and name at the start of two essays are excluded, greyed, and can be included again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS, click_entry, entries, greyed, listed, open_menu

LEFT = "家乡的石桥\n三年级2班 唐宁\n村口的石桥站了一百多年，桥面被磨得发亮。\n"
RIGHT = "石桥记\n三年级2班 唐小宁\n我的老家在一条小河边。村口的石桥站了一百多年，桥面被磨得发亮。\n"


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_line_with_class_and_name_is_greyed_and_a_click_includes_it_again(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("a.txt", LEFT), essay("b.txt", RIGHT)])
    wait_for_comparison(window, qtbot)
    assert entries(window)["Name, class and date lines"] == (True, "2")
    assert "三年级2班 唐宁" in greyed(window, Side.LEFT)
    assert listed(window) == ["村口的石桥站了一百多年，桥面被磨得发亮。"]
    open_menu(window)
    click_entry(window, ExclusionReason.NAME_LINE, qtbot)
    assert listed(window)[0] == "三年级2班 唐宁"
    assert "三年级2班 唐宁" not in greyed(window, Side.LEFT)
    window.workspace.history.undo()
    assert "三年级2班 唐宁" in greyed(window, Side.LEFT)
