"""Limits of processor time."""

import subprocess
import sys
import time

import pytest

from simcompare.support.clock import ProcessorDeadline, is_out_of_time
from tests.helpers.patience import PATIENCE_S


def exit_code_of(limit, work):
    """Run `work` in a process under a limit of 0.3 seconds."""
    module = "simcompare.support.clock"
    code = f"import time\nfrom {module} import {limit}\nwith {limit}(0.3):\n    {work}\n"
    return subprocess.run([sys.executable, "-c", code], timeout=PATIENCE_S, check=False).returncode


@pytest.mark.parametrize("limit", ["exit_after", "watched_by_thread"])
def test_that_a_process_that_works_too_long_ends(limit):
    assert is_out_of_time(exit_code_of(limit, "while True: pass"))


@pytest.mark.parametrize("limit", ["exit_after", "watched_by_thread"])
def test_that_waiting_does_not_count(limit):
    assert exit_code_of(limit, "time.sleep(1)") == 0


def test_that_waiting_does_not_bring_a_deadline_nearer():
    deadline = ProcessorDeadline(0.2)
    time.sleep(0.4)
    assert not deadline.is_past
    while not deadline.is_past:
        pass
