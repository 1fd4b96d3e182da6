"""Comparison in worker tasks: failures, comparing again, and the core left to the window."""

import threading
import time

import pytest
from PySide6.QtCore import QThread, QThreadPool
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_matrix import MatrixInput, score_rows
from simcompare.comparison.comparison_result import RowBlock
from simcompare.model.settings import PRESETS
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import comparison_run
from simcompare.ui.state.comparison_run import ComparisonRun
from tests.helpers.patience import PATIENCE_S


def test_that_a_failure_is_reported_after_the_last_task(
    compared: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    begun, late = threading.Barrier(4), []

    def score(_problem: MatrixInput, rows: range) -> RowBlock:
        begun.wait()
        if rows.start == 0:
            raise ValueError("no room")
        assert run._stop.wait(PATIENCE_S), "the first failure has arrived"
        late.append(rows.start)
        raise ValueError("came too late")

    monkeypatch.setattr(comparison_run, "row_blocks", lambda _problem: [range(n, n + 1) for n in range(4)])
    monkeypatch.setattr(comparison_run, "score_rows", score)
    pool = QThreadPool()
    pool.setMaxThreadCount(4)
    before = compared.workspace.comparison
    run = ComparisonRun(before.left, before.right, PRESETS["balanced"], None, (None, None), pool, compared)
    ended = []
    run.failed.connect(lambda error: ended.append((str(error), sorted(late))))
    run.cancelled.connect(lambda: ended.append("cancelled"))
    run.destroyed.connect(lambda: ended.append("deleted"))
    run.start()
    qtbot.waitUntil(lambda: "deleted" in ended)
    assert ended == [("no room", [1, 2, 3]), "deleted"]
    assert pool.waitForDone()
    assert "has been deleted" not in capfd.readouterr().err


def test_that_comparing_again_shows_no_matches_until_it_ends(compared: MainWindow, qtbot: QtBot) -> None:
    compared.workspace.compare_again()
    assert compared.workspace.comparison is None
    compared.workspace.cancel()
    assert compared.sidebar.passages.findChild(QTableView).model().rowCount() == 0
    compared.workspace.compare_again()
    qtbot.waitUntil(lambda: compared.workspace.comparison is not None)
    assert compared.sidebar.passages.findChild(QTableView).model().rowCount() > 0


def test_that_comparing_leaves_one_core_to_the_window(
    compared: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, at_work = [], set()

    def score(problem: MatrixInput, rows: range) -> RowBlock:
        at_work.add(threading.get_ident())
        time.sleep(0.02)
        at_once.append(len(at_work))
        at_work.discard(threading.get_ident())
        return score_rows(problem, rows)

    monkeypatch.setattr(comparison_run, "row_blocks", lambda _problem: [range(n, n + 1) for n in range(4)])
    monkeypatch.setattr(comparison_run, "score_rows", score)
    compared.workspace.compare_again()
    qtbot.waitUntil(lambda: compared.workspace.comparison is not None)
    assert max(at_once) <= max(1, QThread.idealThreadCount() - 1)
