"""Reading in child processes: a file that hangs or crashes costs itself alone."""

import os
import time
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from simcompare.errors import DamagedFileError, EmptyFileError, ReadingTimeoutError
from simcompare.loading import ReaderPool, load_document
from tests.helpers import essay_files as files

TOO_MUCH = 4 * 1024**3


def _name(path: Path, *more: str) -> str:
    return "-".join([path.name, *more])


def _hang(path: Path) -> None:
    time.sleep(600)


def _crash(path: Path) -> None:
    os._exit(3)


def _eat(path: Path) -> int:
    return len(bytes(TOO_MUCH))


def _fail(path: Path) -> None:
    raise EmptyFileError(path)


def _blunder(path: Path) -> None:
    raise KeyError("unforeseen")


def _nothing() -> None:
    """Warm a worker."""


def _remember(word: str) -> None:
    os.environ["REMEMBERED"] = word


def _recall(path: Path) -> str:
    return os.environ["REMEMBERED"]


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(max_workers=2, timeout_seconds=3, initializer=_remember, initargs=("set",)) as pool:
        pool.warm(_nothing)
        yield pool


def test_that_a_result_comes_back_with_its_arguments(pool):
    assert pool.submit(_name, Path("a.txt"), "b", "c").result(30) == "a.txt-b-c"


def test_that_a_document_travels_between_processes(pool, tmp_path):
    path = files.write_docx(tmp_path / "essay.docx", *files.ESSAYS["zh"])
    assert pool.submit(load_document, path).result(30) == load_document(path)


def test_that_every_worker_was_initialized(pool):
    assert [pool.submit(_recall, Path("a")).result(30) for _ in range(4)] == ["set"] * 4


def test_that_a_hang_is_ended_and_the_next_file_read(pool):
    began = time.monotonic()
    with pytest.raises(ReadingTimeoutError) as caught:
        pool.submit(_hang, Path("slow.pdf")).result(30)
    assert time.monotonic() - began < 10
    assert "slow.pdf" in str(caught.value)
    assert "3 seconds" in str(caught.value)
    assert pool.submit(_name, Path("next.pdf")).result(30) == "next.pdf"


def test_that_a_crash_costs_only_its_own_file(pool):
    futures = [
        pool.submit(_name, Path("one")),
        pool.submit(_crash, Path("two")),
        pool.submit(_name, Path("three")),
    ]
    wait(futures, timeout=30)
    assert [futures[0].result(), futures[2].result()] == ["one", "three"]
    with pytest.raises(DamagedFileError, match="stopped unexpectedly"):
        futures[1].result()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no address space limit")
def test_that_a_file_that_needs_too_much_memory_is_given_up(pool):
    with pytest.raises(DamagedFileError, match="more memory"):
        pool.submit(_eat, Path("huge.pdf")).result(30)
    assert pool.submit(_name, Path("next.pdf")).result(30) == "next.pdf"


def test_that_a_file_error_inside_comes_out_as_it_is(pool):
    with pytest.raises(EmptyFileError) as caught:
        pool.submit(_fail, Path("empty.txt")).result(30)
    assert caught.value.path == Path("empty.txt")


def test_that_any_other_error_inside_becomes_a_file_error(pool):
    with pytest.raises(DamagedFileError) as caught:
        pool.submit(_blunder, Path("odd.txt")).result(30)
    assert isinstance(caught.value.__cause__, KeyError)


def test_that_cancelling_stops_work_that_runs(pool):
    future = pool.submit(_hang, Path("slow.pdf"))
    while not future.running():
        time.sleep(0.01)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(10)
    assert future.cancelled()


def test_that_closing_does_not_wait_for_work():
    pool = ReaderPool(max_workers=1, timeout_seconds=60)
    futures = [pool.submit(_hang, Path("slow.pdf")) for _ in range(3)]
    while not futures[0].running():
        time.sleep(0.01)
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 5
    assert all(future.done() for future in futures)


def test_that_a_pool_never_used_closes():
    ReaderPool().close()
