"""Texts that a window shows of a class and of a pair: lists with headers and tooltips, labels, buttons."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QHeaderView, QLabel, QWidget
from pytestqt.qtbot import QtBot

from simcompare.support.i18n import set_language
from simcompare.ui.main_window import MainWindow
from tests.gui.class_windows import settle_class_page
from tests.helpers.golden import check_golden

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
_MOST_SECONDS = 20
ROLE = Qt.ItemDataRole
# the last one is of a list without headers
TEXTS = (ROLE.DisplayRole, ROLE.ToolTipRole, ROLE.AccessibleTextRole, ROLE.AccessibleDescriptionRole)


def on_one_line(text: str) -> str:
    for place, name in ((str(SAMPLES), "samples"), (os.environ["XDG_DATA_HOME"], "data"), ("\n", "␊")):
        text = text.replace(place, name)
    return re.sub("</?p[^>]*>", "", text)


def cell(index: QModelIndex) -> str:
    texts = dict.fromkeys(str(text) for role in TEXTS if (text := index.data(role)))
    return on_one_line(" | ".join(texts))


def rows(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex()))
    for column in columns:
        title, about = (
            model.headerData(column, Qt.Orientation.Horizontal, role)
            for role in (ROLE.DisplayRole, ROLE.ToolTipRole)
        )
        yield on_one_line(f"column {title} | {about}")
    for row in range(model.rowCount(QModelIndex())):
        yield "\t".join(cell(model.index(row, column)) for column in columns)


def shown(root: QWidget) -> str:
    """Return the texts of all visible widgets, sorted by their class where their order is not seen."""
    lists, others = [], []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            if widget.model() is not None:
                lists.append("\n".join([f"# {widget.accessibleName()}", *rows(widget), ""]))
        elif isinstance(widget, QLabel | QAbstractButton) and widget.text():
            others.append(on_one_line(" | ".join(filter(None, (widget.text(), widget.toolTip())))))
    return "\n".join([*sorted(lists), *sorted(others), ""])


def check_shown(window: MainWindow, qtbot: QtBot, case: str) -> None:
    """Compare what the window shows with the golden texts, once it has had time to show all of it."""
    for _second in range(_MOST_SECONDS):
        with suppress(AssertionError):
            check_golden(f"window-{case}", {"texts": shown(window)}, may_renew=False)
            return
        qtbot.wait(1000)
    check_golden(f"window-{case}", {"texts": shown(window)})


@pytest.mark.parametrize(("language", "folder"), [("zh", "示例班级"), ("en", "Sample class")])
def test_a_class_and_a_pair(
    window: MainWindow, qtbot: QtBot, language: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    window.use_language(language)
    try:
        window.resize(1900, 1000)
        window.workspace.documents.add(sorted((SAMPLES / folder).iterdir()))
        settle_class_page(window, qtbot)
        check_shown(window, qtbot, f"class-{language}")
        window.pages.open_compare()
        check_shown(window, qtbot, f"pair-{language}")
        window.pages.show_library()
        check_shown(window, qtbot, f"library-{language}")
    finally:
        window.use_language("en")
        set_language("en")
