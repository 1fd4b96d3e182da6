"""Results of tasks as bytes, with large arrays in a temporary file."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from simcompare.support.workers import worker_process
from simcompare.support.workers.worker_process import MeasuredCall, packed

ARRAYS: dict[str, NDArray[np.generic]] = {
    "small": np.arange(10, dtype=np.int32),
    "odd size": np.arange(2_000_003, dtype=np.uint8),
    "large": np.arange(1_000_000, dtype=np.float64),
    "in columns": np.asfortranarray(np.arange(1_200_000, dtype=np.int32).reshape(-1, 2)),
    "of every second": np.arange(2_000_000, dtype=np.int32)[::2],
}


def same(value: object) -> dict[str, NDArray[np.generic]]:
    """Pack a value, send it, and unpack it."""
    found: dict[str, NDArray[np.generic]] = pickle.loads(pickle.dumps(packed(value))).unpacked()
    return found


def test_that_arrays_are_unpacked_as_they_were_and_can_be_changed() -> None:
    found = same(ARRAYS)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array), name
        found[name].ravel("K")[:1] = 1
        assert found[name].flags.writeable


def test_that_an_array_that_is_there_twice_stays_one() -> None:
    array = ARRAYS["large"]
    found = same({"one": array, "again": array})
    assert found["one"] is found["again"]


def test_that_arrays_are_kept_in_memory_if_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError

    monkeypatch.setattr(worker_process, "TemporaryFile", full)
    found = same(ARRAYS)["large"]
    assert np.array_equal(found, ARRAYS["large"])
    assert found.flags.writeable


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_that_large_arrays_take_no_memory_until_they_are_used() -> None:
    sent = pickle.dumps(packed(np.ones(60_000_000, np.uint8)))
    before = _own_bytes()
    found = pickle.loads(sent).unpacked()
    assert _own_bytes() - before < 10_000_000
    assert found.all()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_that_an_arrived_result_leaves_no_free_memory_in_the_program() -> None:
    sent = pickle.dumps(MeasuredCall(packed(np.ones(30_000_000, np.uint8)), None, 0.0))
    before = _own_bytes()
    for _result in range(3):  # the C library keeps blocks of a size that was freed before
        pickle.loads(sent).take_result()
    assert _own_bytes() - before < 10_000_000


def _own_bytes() -> int:
    """Memory of this process that no file has, in bytes."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))
