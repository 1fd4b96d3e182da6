"""Fixtures that keep Python's cyclic garbage collector out of worker threads, as the program does.

A collection in a worker thread deletes widgets and models of closed windows there, and Qt crashes.
"""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_garbage_collected_in_workers() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def garbage_collected_between_tests(no_garbage_collected_in_workers: None) -> Iterator[None]:
    yield
    gc.collect()
