"""A passage list and the workspace that it shows."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.state.workspace import Workspace
from tests.gui.passage_list.passage_rows import COMPARISON
from tests.gui.passage_samples import workspace_with
from tests.gui.widgets import show_widget


@pytest.fixture
def workspace(qtbot: QtBot) -> Iterator[Workspace]:
    workspace = workspace_with(COMPARISON)
    yield workspace
    workspace.close()


@pytest.fixture
def passages(workspace: Workspace, qtbot: QtBot) -> PassageList:
    widget = PassageList(workspace)
    show_widget(widget, qtbot, 240, 600)
    return widget
