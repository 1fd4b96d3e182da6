"""Tasks in a thread pool that outlive the object that started them."""

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.cohort.pair_pool import PairPool, ScoredBatch
from simcompare.comparison.comparison_matrix import MatrixInput, score_rows
from simcompare.comparison.comparison_result import RowBlock
from simcompare.model.progress import Cancelled
from simcompare.model.settings import PRESETS
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session, write_session
from simcompare.support.workers.worker_pool import MeasuredFuture
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.session import recent_sessions
from simcompare.ui.session import session_keeper as keeper
from simcompare.ui.session.recent_sessions import RecentSessions
from simcompare.ui.state import comparison_run, document_entry
from simcompare.ui.state.cohort import pair_comparisons
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.comparison_run import ComparisonRun
from simcompare.ui.state.document_entry import FileWatch, KnownFile
from simcompare.ui.state.file_reading import FileReading
from simcompare.ui.state.task import Background, Report, _TaskSignals
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.window_assembly import whole_window
from tests.gui.class_samples import write_class
from tests.helpers.patience import PATIENCE_MS, PATIENCE_S


class _Owner(QObject):
    done = Signal(object)
    failed = Signal(object)


@pytest.fixture
def pool() -> Iterator[QThreadPool]:
    pool = QThreadPool()
    yield pool
    assert pool.waitForDone()


class _Gate:
    """Holds a task in the middle of its work."""

    def __init__(self) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()

    def pass_through(self) -> None:
        self.entered.set()
        assert self.opened.wait(PATIENCE_S)


def delete_during(gate: _Gate, delete: Callable[[], None], pool: QThreadPool) -> None:
    """Delete an object while its task works; let the task end and deliver what it emitted."""
    assert gate.entered.wait(PATIENCE_S)
    delete()
    gc.collect()
    gate.opened.set()
    assert pool.waitForDone()
    QApplication.processEvents()


@pytest.mark.parametrize("outcome", ["result", "error", "cancelled"])
def test_that_work_whose_owner_was_deleted_emits_and_raises_nothing(
    outcome: str, pool: QThreadPool, qtbot: QtBot
) -> None:
    gate, owner, used = _Gate(), _Owner(), []
    background = Background(owner, pool)

    def work() -> str:
        gate.pass_through()
        if outcome == "error":
            raise ValueError
        if outcome == "cancelled":
            raise Cancelled
        return "result"

    background.start(work, used.append, used.append)
    with qtbot.captureExceptions() as raised:
        delete_during(gate, lambda: shiboken6.delete(owner), pool)
    assert (raised, used) == ([], [])


def test_that_nothing_is_kept_of_work_that_ends_at_once(pool: QThreadPool, qtbot: QtBot) -> None:
    owner = _Owner()
    others = signals_of_tasks()  # of windows of other tests
    background = Background(owner, pool)
    for _number in range(500):
        background.start(_Gate, lambda _gate: None)
        assert pool.waitForDone()  # the next one starts in a thread that waits for it
    QApplication.processEvents()
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, _Gate)]
    shiboken6.delete(owner)
    del background
    qtbot.waitUntil(lambda: set(signals_of_tasks()) <= set(others))


def signals_of_tasks() -> list[QObject]:
    application = QApplication.instance()
    assert application is not None
    return application.findChildren(_TaskSignals)


def test_that_the_signals_of_work_are_deleted_in_the_thread_of_their_receiver(
    pool: QThreadPool, qtbot: QtBot
) -> None:
    """Deleted in the pool's thread, they crashed the program if a receiver was deleted at that moment."""
    owner, threads, others = _Owner(), list[int](), signals_of_tasks()
    background = Background(owner, pool)
    background.start(lambda: None, lambda _nothing: None)
    for signals in set(signals_of_tasks()) - set(others):
        signals.destroyed.connect(lambda: threads.append(threading.get_ident()), Qt.DirectConnection)
    shiboken6.delete(owner)
    del background
    assert pool.waitForDone()
    qtbot.waitUntil(lambda: bool(threads))
    assert set(threads) == {threading.get_ident()}


def test_that_a_comparison_may_outlive_its_run(
    compared: MainWindow, pool: QThreadPool, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, before = _Gate(), compared.workspace.comparison

    def score(problem: MatrixInput, rows: range) -> RowBlock:
        gate.pass_through()
        return score_rows(problem, rows)

    monkeypatch.setattr(comparison_run, "score_rows", score)
    runs = [ComparisonRun(before.left, before.right, PRESETS["balanced"], None, (None, None), pool)]
    runs[0].start()
    qtbot.waitUntil(gate.entered.is_set)
    with qtbot.captureExceptions() as raised:
        delete_during(gate, lambda: shiboken6.delete(runs.pop()), pool)
    assert raised == []


def test_that_a_session_may_be_written_after_its_window_is_deleted(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, application_looks: None
) -> None:
    gate, windows, path = _Gate(), [whole_window(Preferences())], tmp_path / "class.simcompare"

    def write(session: Session, path: Path) -> None:
        gate.pass_through()
        write_session(session, path)

    monkeypatch.setattr(keeper, "write_session", write)
    windows[0].workspace.close()
    windows[0].sessions.keeper.save(path)
    pool = windows[0].sessions.keeper._pool
    with qtbot.captureExceptions() as raised:
        delete_during(gate, lambda: shiboken6.delete(windows.pop()), pool)
    assert raised == []
    assert read_session(path) == Session(settings=PRESETS["balanced"], layout=read_session(path).layout)


def test_that_reports_of_a_thread_reach_no_deleted_object(qtbot: QtBot) -> None:
    """Reports are made while their receivers are deleted, at any moment."""
    received, reports, is_over = list[object](), SimpleQueue[Report](), threading.Event()

    def work() -> None:
        while (report := reports.get()) is not None:
            for number in range(20):
                report(number)
        is_over.set()

    thread = threading.Thread(target=work)
    thread.start()
    with qtbot.captureExceptions() as raised:
        for _number in range(500):
            owner = _Owner()
            owner.done.connect(received.append)
            reports.put(Report(owner.done))
            QApplication.processEvents()
            shiboken6.delete(owner)
        reports.put(None)
        qtbot.waitUntil(is_over.is_set, timeout=PATIENCE_MS)
    thread.join()
    assert raised == []


def threads_named(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == name]


def test_that_no_thread_of_the_pair_pool_outlives_its_workspace(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that classified when the workspace closed emitted a signal of a deleted object later."""
    gate, before, classify = _Gate(), threads_named("pairs"), PairComparisons._classify_batch

    def classify_late(pairs: PairComparisons, scored: ScoredBatch) -> None:
        gate.pass_through()
        classify(pairs, scored)

    monkeypatch.setattr(PairComparisons, "_classify_batch", classify_late)
    monkeypatch.setattr(pair_comparisons, "PairPool", PairPool)  # not one that is kept
    raised = list[object]()
    monkeypatch.setattr(threading, "excepthook", raised.append)
    workspaces = [Workspace()]
    workspaces[0].documents.add(write_class(tmp_path, 3))
    qtbot.waitUntil(gate.entered.is_set, timeout=PATIENCE_MS)
    opening = threading.Timer(4, gate.opened.set)
    opening.start()
    workspaces[0].close()
    assert not set(threads_named("pairs")) - set(before)
    shiboken6.delete(workspaces.pop())
    opening.join()
    QApplication.processEvents()
    assert raised == []


def test_that_a_file_may_be_read_after_its_reader_is_deleted(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    reading, future = FileReading("improved"), MeasuredFuture[object]()
    reading._await(1, Path("essay.txt"), future)
    shiboken6.delete(reading)
    thread = threading.Thread(target=future.set_result, args=(None,))
    thread.start()
    thread.join()
    QApplication.processEvents()
    reading._pool.close()
    assert caplog.records == []


@pytest.mark.parametrize("closes", [True, False])
def test_that_files_may_be_checked_after_their_watch_is_deleted(
    closes: bool, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, checked, raised = _Gate(), list[Path](), list[object]()

    def check_late(path: Path, known: KnownFile) -> None:
        checked.append(path)
        gate.pass_through()

    monkeypatch.setattr(document_entry, "check_file", check_late)
    monkeypatch.setattr(threading, "excepthook", raised.append)
    watch = FileWatch()
    watch.watch({tmp_path / name: KnownFile("", None) for name in ("a.txt", "b.txt")})
    watch.check()
    assert gate.entered.wait(PATIENCE_S)
    (thread,) = threads_named("file check")
    if closes:
        watch.close()
    shiboken6.delete(watch)
    gate.opened.set()
    thread.join(PATIENCE_S)
    QApplication.processEvents()
    assert len(checked) == (1 if closes else 2)
    assert raised == []


def test_that_sessions_may_be_looked_for_after_their_list_is_deleted(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, preferences, parent = _Gate(), Preferences(), QObject()
    monkeypatch.setattr(recent_sessions, "_time_saved", lambda _path: gate.pass_through())
    preferences.recent_files = [tmp_path / "class.simcompare"]
    RecentSessions(preferences, parent).look()
    with qtbot.captureExceptions() as raised:
        delete_during(gate, lambda: shiboken6.delete(parent), QThreadPool.globalInstance())
    assert raised == []


@pytest.mark.parametrize("outcome", ["result", "error", "cancelled", "closed"])
def test_that_background_work_is_used_once_and_only_unless_it_was_cancelled(
    outcome: str, pool: QThreadPool, qtbot: QtBot
) -> None:
    gate, owner, used, failed = _Gate(), QObject(), list[object](), list[Exception]()
    background, error = Background(owner, pool), ValueError()

    def work() -> str:
        gate.pass_through()
        if outcome == "error":
            raise error
        return "result"

    background.start(work, used.append, failed.append)
    assert gate.entered.wait(PATIENCE_S)
    if outcome in {"cancelled", "closed"}:
        background.cancel() if outcome == "cancelled" else background.close()
    assert background.is_busy == (outcome in {"result", "error"})
    gate.opened.set()
    assert pool.waitForDone()
    QApplication.processEvents()
    assert used == (["result"] if outcome == "result" else [])
    assert failed == ([error] if outcome == "error" else [])
    assert not background.is_busy
