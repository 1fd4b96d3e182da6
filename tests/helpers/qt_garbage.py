"""Fixtures: the cyclic garbage collector runs in the GUI thread only, as in the program.

A cycle may hold a widget without a parent, such as the note popup of a closed window: collected in a worker
thread, the widget is destroyed there, and the process crashes (`GarbageCollector` in ui/app.py).
"""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_garbage_collected_in_workers() -> Iterator[None]:
    """Collect nothing during a test."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def garbage_collected_between_tests(no_garbage_collected_in_workers: None) -> Iterator[None]:
    """Collect the garbage of each test after it, in the GUI thread."""
    yield
    gc.collect()
