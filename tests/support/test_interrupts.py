"""Ctrl+C while worker processes are started."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from simcompare.support.interrupts import interruptible, interrupts_blocked


def send_ctrl_c() -> None:
    """Send the signal to the process, as a terminal does, not to one of its threads."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def interruptible_process() -> Iterator[None]:
    """Python's own handling of Ctrl+C, also where the tests run without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible_process")
def test_that_ctrl_c_waits_for_the_end_of_the_block_whichever_thread_receives_it():
    release, steps = threading.Event(), []

    def work() -> None:
        with interrupts_blocked():
            send_ctrl_c()
            for step in range(20):
                time.sleep(0.01)
                steps.append(step)

    other = threading.Thread(target=release.wait)
    other.start()  # before the block: it does not block the signal
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        release.set()
        other.join()
    assert len(steps) == 20
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("interruptible_process")
def test_that_a_block_without_ctrl_c_ends_as_usual():
    with interrupts_blocked():
        steps = list(range(3))
    assert steps == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(sys.platform == "win32", reason="processes there ignore no signals")
def test_that_a_program_that_ignores_ctrl_c_goes_on():
    code = (
        "import os, signal; from simcompare.support.interrupts import interrupts_blocked\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "with interrupts_blocked(): os.kill(os.getpid(), signal.SIGINT)\n"
        "print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"True\n", b"")


def test_that_work_that_ends_as_the_wait_for_it_does_has_its_result(monkeypatch: pytest.MonkeyPatch):
    usual = Future.result

    def result_too_late(future: Future[int], timeout: float | None = None) -> int:
        result = usual(future)
        if timeout is not None:
            raise TimeoutError
        return result

    monkeypatch.setattr(Future, "result", result_too_late)
    assert interruptible(lambda _stop: 7) == 7
