"""Time that files took: processor time, or the limit at which one was given up."""

import os
import subprocess
import sys
import time
from concurrent.futures import wait
from pathlib import Path

import pytest

from simcompare.loading import ReaderPool
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.workers import text_recognition as recognition
from simcompare.model.errors import DamagedFileError, EmptyFileError, FileError, RecognitionNeededError
from tests.helpers.patience import PATIENCE_S

COMPUTING = "import time\nwhile time.process_time() < 0.3: pass"


def _compute(path: Path, seconds: float, error: type[FileError] | None = None) -> None:
    """Use this much processor time, then raise an error if one is given."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    if error is not None:
        raise error(path)


def _compute_in_program(path: Path) -> None:
    subprocess.run([sys.executable, "-c", COMPUTING], check=True)


def _sleep(path: Path, seconds: float) -> None:
    time.sleep(seconds)


def _crash(path: Path) -> None:
    time.sleep(0.3)
    os._exit(3)


def _read_scan(path: Path, options: ReadingOptions) -> None:
    _compute(path, 0.15)
    if not options.recognised:
        raise RecognitionNeededError(path, pages=1, numbers=(1,))


@pytest.fixture(scope="module")
def pool():
    with ReaderPool(2) as pool:
        yield pool


@pytest.fixture
def seconds_of(pool):
    """Run a function in the pool, and return the seconds it used and its error."""

    def run(function, *args, timeout_seconds=None):
        future = pool.submit(function, Path("essay.pdf"), *args, timeout_seconds=timeout_seconds)
        wait([future], timeout=PATIENCE_S)
        return future.seconds_used, future.exception()

    return run


def test_that_processor_time_counts_but_not_waiting(seconds_of):
    assert seconds_of(_compute, 0.3)[0] >= 0.25
    assert seconds_of(_sleep, 0.5)[0] < 0.25


def test_that_the_time_of_an_error_is_known(seconds_of):
    seconds, error = seconds_of(_compute, 0.3, EmptyFileError)
    assert isinstance(error, EmptyFileError)
    assert seconds >= 0.25


@pytest.mark.skipif(os.name == "nt", reason="Windows does not report the time of programs that ended")
def test_that_the_time_of_a_program_that_was_run_counts(seconds_of):
    assert seconds_of(_compute_in_program)[0] >= 0.25


def test_that_a_file_given_up_took_as_long_as_its_limit(seconds_of):
    assert seconds_of(_compute, 600.0, timeout_seconds=1)[0] == 1


def test_that_a_file_whose_reader_crashed_took_until_then(seconds_of):
    seconds, error = seconds_of(_crash)
    assert isinstance(error, DamagedFileError)
    assert seconds >= 0.25


def test_that_all_reads_of_a_scan_count(pool):
    read = recognition.submit(pool, _read_scan, Path("scan.pdf"), options=ReadingOptions())
    wait([read], timeout=PATIENCE_S)
    assert read.seconds_used >= 0.25
