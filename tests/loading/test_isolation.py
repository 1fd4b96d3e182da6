"""Reading in child processes: a file that hangs or crashes does not affect other files."""

import gc
import importlib
import os
import re
import subprocess
import sys
import threading
import time
import weakref
from collections import Counter
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from simcompare.loading import ReaderPool, load_document
from simcompare.loading.workers import isolation
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    InstallationError,
    MemoryNeededError,
    ReadingStoppedError,
    ReadingTimeoutError,
)
from simcompare.support.workers import worker_pool
from tests.helpers import essay_files as files
from tests.helpers.patience import PATIENCE_S

TOO_MUCH = 4 * 1024**3
not_on_windows = pytest.mark.skipif(os.name == "nt", reason="Windows ends no process within a call in C")


def _name(path: Path, *more: str) -> str:
    return "-".join([path.name, *more])


def _names(path: Path) -> set[str]:
    return {path.name}


def _hang(path: Path) -> None:
    time.sleep(600)


def _loop(path: Path) -> None:
    while True:
        pass


def _match_forever(path: Path) -> None:
    """Stay within one call of a function in C."""
    re.match("(a*)*b", "a" * 60)


def _sleep(path: Path, seconds: float) -> str:
    time.sleep(seconds)
    return path.name


def _crash(path: Path) -> None:
    os._exit(3)


def _eat(path: Path) -> int:
    return len(bytes(TOO_MUCH))


def _fail(path: Path) -> None:
    raise EmptyFileError(path)


def _blunder(path: Path) -> None:
    raise KeyError("unforeseen")


def _panic(path: Path) -> None:
    """Raise what a Rust panic becomes in pyo3: a BaseException that is no Exception and cannot be pickled."""
    raise type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})("called unwrap()")


def _print_below(path: Path) -> None:
    os.write(2, b"from a library\n")
    print("from Python", file=sys.stderr)  # noqa: T201


def _environment(path: Path) -> str | None:
    return os.environ.get(path.name)


def _mark(path: Path) -> None:
    path.touch()


def _nothing() -> None:
    """No-op task that starts a worker."""


def _count_start(folder: Path) -> None:
    (folder / f"{os.getpid()}").touch()


def _remember(word: str) -> None:
    os.environ["REMEMBERED"] = word


def _recall(path: Path) -> str:
    return os.environ["REMEMBERED"]


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(2, PATIENCE_S, initializer=_remember, initargs=("set",)) as pool:
        pool.warm(_nothing)
        yield pool


def test_that_two_files_that_hang_hold_up_no_other(tmp_path):
    with ReaderPool(2) as pool:
        hanging = [pool.submit(_hang, Path("hanging.pdf")) for _file in range(2)]
        others = [pool.submit(_name, Path(f"{number}.txt")) for number in range(10)]
        assert [other.result(PATIENCE_S) for other in others] == [f"{number}.txt" for number in range(10)]
        assert not any(each.done() for each in hanging)
    assert all(each.cancelled() for each in hanging)


def test_that_a_long_task_gets_no_spare_worker(monkeypatch):
    monkeypatch.setattr(worker_pool, "_SLOW_SECONDS", 0.01)
    with ReaderPool(1) as pool:
        hanging = pool.submit(_hang, Path("hanging.pdf"))
        long = pool.submit(_name, Path("page.pdf"), timeout_seconds=60.0)
        assert pool.submit(_name, Path("essay.txt")).result(PATIENCE_S) == "essay.txt"
        assert not long.running()
        hanging.cancel()
        assert long.result(PATIENCE_S) == "page.pdf"


def test_that_a_result_comes_back_with_its_arguments(pool):
    assert pool.submit(_name, Path("a.txt"), "b", "c").result(PATIENCE_S) == "a.txt-b-c"


def test_that_a_document_travels_between_processes(pool, tmp_path):
    path = files.write_docx(tmp_path / "essay.docx", *files.ESSAYS["zh"])
    assert pool.submit(load_document, path).result(PATIENCE_S) == load_document(path)


def test_that_every_worker_was_initialized(pool):
    assert [pool.submit(_recall, Path("a")).result(PATIENCE_S) for _ in range(4)] == ["set"] * 4


@pytest.mark.parametrize("work", [_loop, pytest.param(_match_forever, marks=not_on_windows)])
def test_that_endless_work_is_ended_and_the_next_file_read(pool, work):
    with pytest.raises(ReadingTimeoutError) as caught:
        pool.submit(work, Path("slow.pdf"), timeout_seconds=1).result(PATIENCE_S)
    assert type(caught.value) is ReadingTimeoutError
    assert "slow.pdf" in str(caught.value)
    assert "longer than 1 seconds" in str(caught.value)
    assert pool.submit(_name, Path("next.pdf")).result(PATIENCE_S) == "next.pdf"


def test_that_a_file_that_waits_for_other_programs_is_read(pool):
    read = pool.submit(_sleep, Path("waiting.pdf"), 2, timeout_seconds=1)
    assert read.result(PATIENCE_S) == "waiting.pdf"


def test_that_a_file_that_waits_too_long_is_given_up_with_another_advice(pool, monkeypatch):
    monkeypatch.setattr(isolation, "_MAX_WAITING_SECONDS", 1)
    with pytest.raises(ReadingStoppedError) as caught:
        pool.submit(_hang, Path("waiting.pdf"), timeout_seconds=1).result(PATIENCE_S)
    assert "Add it again later" in str(caught.value)
    assert pool.submit(_name, Path("next.pdf")).result(PATIENCE_S) == "next.pdf"


def test_that_a_crash_costs_only_its_own_file(pool):
    futures = [
        pool.submit(_name, Path("one")),
        pool.submit(_crash, Path("two")),
        pool.submit(_name, Path("three")),
    ]
    wait(futures, timeout=PATIENCE_S)
    assert [futures[0].result(), futures[2].result()] == ["one", "three"]
    with pytest.raises(DamagedFileError, match="stopped unexpectedly"):
        futures[1].result()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no address space limit")
def test_that_a_file_that_needs_too_much_memory_is_given_up(pool):
    with pytest.raises(MemoryNeededError, match="more memory"):
        pool.submit(_eat, Path("huge.pdf")).result(PATIENCE_S)
    assert pool.submit(_name, Path("next.pdf")).result(PATIENCE_S) == "next.pdf"


def test_that_a_file_error_inside_comes_out_as_it_is(pool):
    with pytest.raises(EmptyFileError) as caught:
        pool.submit(_fail, Path("empty.txt")).result(PATIENCE_S)
    assert caught.value.path == Path("empty.txt")


def test_that_any_other_error_inside_does_not_blame_the_file(pool):
    with pytest.raises(InstallationError, match=r"odd\.txt was not read.*KeyError.*not the cause") as caught:
        pool.submit(_blunder, Path("odd.txt")).result(PATIENCE_S)
    assert isinstance(caught.value.__cause__, KeyError)


def test_that_processes_that_do_not_start_are_not_called_a_damaged_file():
    words = r"essay\.pdf was not read.*its processes do not start"
    with (
        ReaderPool(1, PATIENCE_S, initializer=os._exit, initargs=(3,)) as pool,
        pytest.raises(InstallationError, match=words),
    ):
        pool.submit(_name, Path("essay.pdf")).result(PATIENCE_S)


def test_that_a_missing_part_of_the_program_is_not_called_a_damaged_file(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "docx", None)
    monkeypatch.setattr("simcompare.loading.load.reader_of", lambda _kind: importlib.import_module("docx"))
    path = files.write_docx(tmp_path / "essay.docx", *files.ESSAYS["zh"])
    with pytest.raises(InstallationError, match=r"essay\.docx was not read.*docx.*install it again"):
        load_document(path)


def test_that_cancelling_stops_work_that_runs(pool):
    future = pool.submit(_hang, Path("slow.pdf"))
    while not future.running():
        time.sleep(0.01)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(PATIENCE_S)
    assert future.cancelled()


@pytest.mark.parametrize("seconds", [0, 0.3])
def test_that_many_cancelled_files_do_not_hold_up_the_next_one(seconds, tmp_path):
    with ReaderPool(2, PATIENCE_S, initializer=_count_start, initargs=(tmp_path,)) as pool:
        pool.warm(_nothing)
        pool.submit(_name, Path("first")).result(PATIENCE_S)
        futures = [pool.submit(_hang, Path(f"{number}")) for number in range(300)]
        time.sleep(seconds)
        assert [future.cancel() for future in futures] == [True] * 300
        assert pool.submit(_name, Path("good")).result(PATIENCE_S) == "good"
        assert len(list(tmp_path.iterdir())) <= 4, "the two that ran cost their processes, no others"


def test_that_a_result_is_freed_with_its_future_though_the_worker_stays(pool):
    result = weakref.ref(pool.submit(_names, Path("essay.txt")).result(PATIENCE_S))
    end = time.monotonic() + PATIENCE_S
    while result() is not None and time.monotonic() < end:
        time.sleep(0.05)
        gc.collect()
    assert result() is None


def test_that_a_window_need_not_wait_until_the_first_process_has_started(monkeypatch):
    may_start = threading.Event()

    class Held:
        """The start method of processes, which takes long to start one."""

        def __getattr__(self, name: str) -> object:
            return getattr(context, name)

        def Process(self, *args, **kwargs):  # noqa: N802 - as Python's
            assert may_start.wait(PATIENCE_S)
            return context.Process(*args, **kwargs)

    with ReaderPool(1, PATIENCE_S) as pool:
        context = pool._context
        monkeypatch.setattr(pool, "_context", Held())
        pool.warm(_nothing)
        first, second = (pool.submit(_name, Path(name)) for name in ("first", "second"))
        assert second.cancel()
        assert not first.done()
        may_start.set()
        assert first.result(PATIENCE_S) == "first"


def test_that_a_cancelled_file_that_waited_is_done_at_once_and_never_read(tmp_path):
    with ReaderPool(max_workers=1) as pool:
        first = pool.submit(_hang, Path("slow.pdf"))
        second = pool.submit(_mark, tmp_path / "mark")
        heard = []
        second.add_done_callback(heard.append)
        assert second.cancel()
        assert second.cancel()
        assert second.cancelled()
        assert heard == [second]
        assert wait([second], timeout=0).done == {second}
        assert not first.done()
        first.cancel()
        assert pool.submit(_name, Path("next")).result(PATIENCE_S) == "next"
        assert not (tmp_path / "mark").exists()


def test_that_files_are_begun_in_their_order():
    with ReaderPool(max_workers=1) as pool:
        ended = []
        futures = [pool.submit(_name, Path(f"{number}")) for number in range(20)]
        for future in futures:
            future.add_done_callback(lambda done: ended.append(done.result()))
        wait(futures, timeout=PATIENCE_S)
        assert ended == [f"{number}" for number in range(20)]


def test_that_a_file_that_is_hurried_is_the_next_one():
    with ReaderPool(max_workers=1) as pool:
        ended = []
        futures = [pool.submit(_sleep, Path(f"{number}"), 0.05) for number in range(9)]
        for future in futures:
            future.add_done_callback(lambda done: ended.append(done.result()))
        pool.hurry(futures[8])
        wait(futures, timeout=PATIENCE_S)
        assert ended.index("8") <= 1
        pool.hurry(futures[8])  # it is over


def test_that_callbacks_may_submit_and_cancel():
    with ReaderPool(max_workers=2) as pool:
        more, heard = [], threading.Semaphore(0)
        futures = [pool.submit(_hang, Path(f"{number}")) for number in range(10)]

        def go_on(done):
            for future in futures:
                future.cancel()
            more.append(pool.submit(_name, Path("more")))
            heard.release()

        for future in futures:
            future.add_done_callback(go_on)
        futures[5].cancel()
        for _ in futures:
            assert heard.acquire(timeout=PATIENCE_S)
        assert [future.result(PATIENCE_S) for future in more] == ["more"] * 10


def test_that_files_may_be_submitted_and_cancelled_from_several_threads():
    heard = Counter()

    def work(number):
        for round_ in range(20):
            future = pool.submit(_name, Path(f"{number}-{round_}"))
            future.add_done_callback(lambda done: heard.update([id(done)]))
            futures.append(future)
            if round_ % 2:
                future.cancel()

    with ReaderPool(max_workers=2) as pool:
        futures = []
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wait(futures, timeout=PATIENCE_S).not_done
        assert {future.result() for future in futures if not future.cancelled()} >= {
            f"{number}-{round_}" for number in range(4) for round_ in range(0, 20, 2)
        }
    assert heard == dict.fromkeys(map(id, futures), 1)


def test_that_a_panic_of_rust_code_counts_as_lack_of_memory(pool):
    with pytest.raises(MemoryNeededError, match="more memory"):
        pool.submit(_panic, Path("huge.txt")).result(PATIENCE_S)
    assert pool.submit(_name, Path("next.pdf")).result(PATIENCE_S) == "next.pdf"


def test_that_libraries_do_not_write_on_the_terminal(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from pathlib import Path\n"
        "from simcompare.loading import ReaderPool\n"
        "from tests.loading.test_isolation import _print_below\n"
        "if __name__ == '__main__':\n"
        "    with ReaderPool(max_workers=1) as pool:\n"
        "        pool.submit(_print_below, Path('odd.pdf')).result(120)\n",
        encoding="utf-8",
    )
    run = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == "from Python\n"


def test_that_a_worker_has_the_environment_of_the_pool(monkeypatch):
    monkeypatch.setenv("SIMCOMPARE_ONE", "1")
    with ReaderPool(max_workers=1) as pool:
        assert pool.submit(_environment, Path("SIMCOMPARE_ONE")).result(PATIENCE_S) == "1"
    monkeypatch.delenv("SIMCOMPARE_ONE")
    with ReaderPool(max_workers=1) as pool:
        assert pool.submit(_environment, Path("SIMCOMPARE_ONE")).result(PATIENCE_S) is None


def test_that_closing_does_not_wait_for_work():
    pool = ReaderPool(max_workers=1)
    futures = [pool.submit(_hang, Path("slow.pdf")) for _ in range(3)]
    while not futures[0].running():
        time.sleep(0.01)
    pool.close()
    assert all(future.cancelled() for future in futures)


def test_that_closing_cancels_waiting_tasks_once_and_accepts_no_more():
    pool = ReaderPool(max_workers=1)
    heard = []
    futures = [pool.submit(_hang, Path("slow.pdf")) for _ in range(200)]
    for future in futures:
        future.add_done_callback(heard.append)
    pool.close()
    assert sorted(map(id, heard)) == sorted(map(id, futures))
    assert all(future.cancelled() for future in futures)
    with pytest.raises(RuntimeError):
        pool.submit(_name, Path("late"))


def test_that_a_pool_never_used_closes():
    ReaderPool().close()
